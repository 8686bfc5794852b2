# SPDX-License-Identifier: GPL-2.0
#
# mmfuzz: the Linux page allocator as a user-mode program, fuzzed and held to its invariants.
# `make help` lists what can be asked for. The lists below are the table of contents of the tree.

define HELP
make [all]      the tool (build/mmfuzz), the fuzz targets and the unit tests
make setup      look for the tools again, install what is missing (other targets do it by themselves, once)
make test       unit tests (release and asan), then replay the corpora in release, gcc, asan and fuzzer builds
make replay     replay corpus/ with the release build, one line per program
make fuzz       one campaign; a finding makes it fail, and shows how to replay it
make afl        the same with AFL++ (ENGINE=afl)
make time-to-bug  how long campaigns take to find the bug of v4.7-rc1, on three machines, medians of 5
make replays    findings of campaigns on kernels that lack a fix, each replayed in four builds (minutes)
make quiet      campaigns on all kernels, replayed on the others: no title that is not known (minutes)
make canary     a fuzz campaign against a planted bug, which it must find
make coverage   replay corpus/ and CORPUS_DIR, report which lines of mm/ they reach
make mutants    what the rules notice of MUTANTS single-point mutants of mm/: kill matrix, survivors, score
make bench      executions per second on the programs of tests/bench
make lint       clang-tidy and cppcheck over every C file, no warning allowed
make compile_commands.json   the compile database, for clangd and lint
make clean      remove everything under build/ except build/campaigns

DURATION=60        fuzz: seconds
KERNEL=fixed       fuzz: kernel under test, as `build/mmfuzz kernels` lists them
TARGET=page_alloc  fuzz: fuzz/target_TARGET.c
ENGINE=libfuzzer   fuzz: libfuzzer or afl
JOBS=1             fuzz: processes that share one corpus (libfuzzer)
SEED=              fuzz: random seed of the engine (libfuzzer); job n uses SEED+n-1
SEEDS=1            fuzz: 0 starts without the programs of corpus/ (and from an empty corpus the first time)
CAMPAIGNS=build/campaigns   fuzz: where corpora and findings are kept
ASAN=1             fuzzer and afl builds: 0 leaves the address sanitizer out
UBSAN=0            fuzzer and afl builds: 1 adds the undefined behaviour sanitizer, which make test has anyway
CORPUS_DIR=        coverage: a corpus to add (default: the campaign corpus of TARGET)
CHECK=1            coverage: fail if uncovered lines have no reason in tests/data/uncovered.txt, or are too many
MUTANTS=200        mutants: how many, drawn by SEED=1; what was judged before is not judged again
FUZZ_SECONDS=10    mutants: of fuzzing, for each that the corpus lets pass; replays, quiet: of each campaign
ROUNDS=2           quiet: campaigns for each target and kernel, doubled
FINDINGS=100       replays: how many
TEST_TIMEOUT=600   test, replay: seconds until one runner is stopped
CLANG= GCC=        compilers (default: those that `make setup` found)
CFLAGS= LDFLAGS=   added to all others
WERROR=1           turn warnings into errors
V=1                show commands
NO_INSTALL=1       set-up: never install, only say what is missing
endef

DURATION     = 60
KERNEL       = fixed
TARGET       = page_alloc
ENGINE       = libfuzzer
JOBS         = 1
SEED         =
SEEDS        = 1
CAMPAIGNS    = build/campaigns
ASAN         = 1
UBSAN        = 0
CHECK        =
CORPUS_DIR   = $(wildcard $(CAMPAIGNS)/$(TARGET)/corpus)
MUTANTS      = 200
FUZZ_SECONDS = 10
FINDINGS     = 100
ROUNDS       = 2
TEST_TIMEOUT = 600
CFLAGS       =
LDFLAGS      =

# ---- The files, in reading order: a new file is a new name in one of these lists ----

# The port of mm/page_alloc.c, cut by concept. The only code that coverage and fuzzers look at.
mm := $(addprefix mm/, page_alloc slowpath fair watermark buddy pcp highatomic page_check mmzone vmstat mm_init \
	exact page_isolation contig show_mem proc page-writeback dirty_limits wb_position wb_estimate wb_throttle \
	wb_account write_cache_pages backing-dev flex_proportions filemap patches)

# Everything Linux that is not mm, and the few files of it that talk to the host.
shim := $(addprefix kernel-shim/, machine presets machine_boot world physmem cpu sched sleep lock rcu time \
	cpuset percpu_counter bdi flusher reclaim fault bug gfp_names printk trace lib)
shim_host := $(addprefix kernel-shim/, host_memory host_control host_fiber host_rcu)

# From bytes to verdict: the half that sees the kernel, and the half that sees the user.
engine := $(addprefix fuzz/, exec ops ops_pages ops_misuse ops_writeback view census held picture \
	scan_watch scan_expect fair_watch model model_predict model_zone judge states invariants invariants_call invariants_scan \
	invariants_slowpath invariants_retry invariants_reserve invariants_model invariants_fair invariants_range \
	invariants_proc invariants_buddy invariants_fallback invariants_counters invariants_static invariants_layout invariants_walk \
	wb_model wb_watch wb_reference invariants_dirty invariants_writeback invariants_wb_tasks invariants_wb_rest golden_kernel)
engine_host := $(addprefix fuzz/, run program program_bytes program_scan program_parse program_print \
	program_edit mutate target_ops shrink findings verdict story story_shape story_writeback sink files news states_table \
	code_coverage statements golden golden_file)

# Front doors: the tool, one target per binary (and what targets share), and the unit tests.
tool    := $(addprefix fuzz/, mmfuzz options cmd cmd_run cmd_run_stop collect cmd_explain cmd_plot cmd_convert minimise cmd_shrink cmd_triage \
	campaign campaign_jobs campaign_report cmd_fuzz cmd_bugs cmd_bisect cmd_export cmd_corpus corpus corpus_states \
	cmd_doctor cmd_tables cmd_golden cmd_bench)
targets := page_alloc misuse writeback mm canary text
target  := $(addprefix fuzz/, target target_states)
mutator := fuzz/target_mutator
# The same mutator for AFL++ is a library of these.
afl_mutator := $(addprefix fuzz/, afl_mutator mutate target_ops program program_bytes program_edit) \
	$(addprefix kernel-shim/, machine presets gfp_names)
tests   := $(addprefix tests/, support world machine machine_boot physmem cpu lock rcu time cpuset reclaim fault \
	mutant_points mutant_matrix bug printk trace program program_bytes program_text program_edit mutate afl_mutator \
	shrink states code_coverage news tool campaign verdict story cmd golden \
	machines buddy pcp watermark fair page_alloc slowpath slowpath_oom slowpath_compact mmzone vmstat page_isolation \
	highatomic page_check mm_init patches page-writeback exact contig show_mem procfs functions misuse \
	wb_formulas wb_wide wb_throttle wb_account write_cache_pages flex_proportions backing_dev sleep \
	invariants invariants_writeback statements \
	exercised alone sabotage sabotage_buddy sabotage_call sabotage_counters sabotage_scan sabotage_fair sabotage_dirty \
	sabotage_slowpath sabotage_static sabotage_walk sabotage_range sabotage_proc model sabotage_model sabotage_layout \
	sabotage_fallback sabotage_retry sabotage_reserve sabotage_throttle sabotage_writepages)

# Parts of front doors that have tests of their own.
tested := $(addprefix fuzz/, afl_mutator target_states)

# Mutation testing: where mm can be wrong by one token, and the program that makes it so.
points    := $(addprefix tests/mutants/, tokens points)
generator := tests/mutants/mutants

# ---- Two worlds ----

# Kernel side: no libc header can be found, so none can be used by mistake. Ported code compares signed
# with unsigned where Linux does.
# Host side: libc, liburcu. Tests: libc and the shim's headers at once; only tests/support.h mixes them.
STD         = -std=gnu11 -O2 -g -fno-common -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes \
	      -Wno-unused-parameter $(if $(WERROR),-Werror)
KERNEL_SIDE = $(STD) -ffreestanding -nostdinc -fno-strict-aliasing -Wno-sign-compare \
	      -Ikernel-shim/include -Ikernel-shim -I.
HOST_SIDE   = $(STD) -I. -Ikernel-shim $(URCU_CFLAGS)
TEST_SIDE   = $(STD) -fno-strict-aliasing -Wno-sign-compare -Ikernel-shim/include -Ikernel-shim -I. \
	      $(CRITERION_CFLAGS)

kernel_files := $(shim) $(mm) $(engine)
host_files   := $(shim_host) $(engine_host) $(tool) $(target) $(mutator) fuzz/afl_mutator $(targets:%=fuzz/target_%) \
		$(points) $(generator)
all_files    := $(kernel_files) $(host_files) $(tests)

# What every binary is made of, besides its front door.
library := $(shim) $(shim_host) $(mm) $(engine) $(engine_host)

# ---- Flavours: build/<flavour>/ ----

# How a flavour differs from plain clang: NAME_CC, NAME_CFLAGS, NAME_LDFLAGS; NAME_MM_CC and NAME_MM_CFLAGS
# for mm/ alone; NAME_ENGINE is what turns an object with LLVMFuzzerTestOneInput into a fuzzer.
# Address sanitizer's fake stacks and abandoned fibers do not go together: use-after-return stays off.
address     := -fsanitize=address -fsanitize-address-use-after-return=never -fno-omit-frame-pointer
undefined   := -fsanitize=undefined -fno-sanitize-recover=all
fuzz_checks  = $(if $(filter-out 0,$(ASAN)),$(address)) $(if $(filter-out 0,$(UBSAN)),$(undefined))

# The engine asks the kernel many small questions across files: inlining them is worth a third of the speed.
release_CC      = $(CLANG)
release_CFLAGS  = -flto=thin
release_LDFLAGS = -flto=thin -fuse-ld=lld

gcc_CC = $(GCC)

asan_CC      = $(CLANG)
asan_CFLAGS  = -O1 $(address) $(undefined)
asan_LDFLAGS = $(asan_CFLAGS)

# What mm compares tells engines which bytes might match it. Programs are made by records and drawn by kind, so that is
# never the question, and a quarter of the time.
edges := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp

fuzzer_CC        = $(CLANG)
fuzzer_CFLAGS    = $(fuzz_checks)
fuzzer_MM_CFLAGS = $(edges)
fuzzer_LDFLAGS   = $(fuzz_checks) -fsanitize=fuzzer-no-link
fuzzer_ENGINE    = -fsanitize=fuzzer

afl_CC      = $(CLANG)
afl_MM_CC   = AFL_QUIET=1 afl-clang-fast
afl_LD      = AFL_QUIET=1 afl-clang-fast
afl_CFLAGS  = $(fuzz_checks)
afl_LDFLAGS = $(fuzz_checks)
afl_ENGINE  = -fsanitize=fuzzer

# A mutant is one object of mm linked with all others of this flavour, as the tool or as a fuzzer. Without debug data, so
# that equal code makes equal objects; a variable that lost its assignment holds a pattern and not chance; and a mistake
# that the types forbid is not made.
mutants_CC        = $(CLANG)
mutants_CFLAGS    = -g0 -ftrivial-auto-var-init=pattern
mutants_MM_CFLAGS = $(edges)
mutants_LDFLAGS   = -fsanitize=fuzzer-no-link -fuse-ld=lld
mutants_ENGINE    = -fsanitize=fuzzer

pic_CC     = $(CLANG)
pic_CFLAGS = -fPIC -fvisibility=hidden

coverage_CC        = $(CLANG)
coverage_CFLAGS    = -O1
coverage_MM_CFLAGS = -fprofile-instr-generate -fcoverage-mapping
coverage_LDFLAGS   = -fprofile-instr-generate

# ---- Asking for things ----

all: build/mmfuzz $(targets:%=build/fuzzer/target_%) build/release/tests
.PHONY: all help setup test replay fuzz afl time-to-bug replays quiet canary coverage mutants bench lint clean FORCE
.DELETE_ON_ERROR:
.SUFFIXES:
SHELL := /bin/bash

# As parallel as the machine, unless the command line or a calling make says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

# build/setup.mk holds what set-up found. Make writes it when it is missing, reads it, and starts over.
ifneq (,$(filter-out help setup clean,$(or $(MAKECMDGOALS),all)))
include build/setup.mk
endif

build/setup.mk: .ci/setup
	@.ci/setup $@

# Quiet unless V=1. Rewrites a generated file only when its text changes.
say     = $(if $(V),,@printf '  %-5s %s\n' $(1) $@;)
replace = @cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# The rules of flavour $(1). `flags` holds all that could change an object beside its sources; a binary also
# depends on the lists above, for a name may have left them.
define flavour
$(1)_LD ?= $$($(1)_CC)
objects_$(1) := $(all_files:%=build/$(1)/obj/%.o)

build/$(1)/flags: FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' '$$($(1)_CC) $$($(1)_CFLAGS) $$(CFLAGS)' '$$($(1)_MM_CC) $$($(1)_MM_CFLAGS)' \
		'$$(KERNEL_SIDE)' '$$(HOST_SIDE)' '$$(TEST_SIDE)' \
		'$$($(1)_LD) $$($(1)_LDFLAGS) $$($(1)_ENGINE) $$(LDFLAGS)' >$$@.new
	$$(replace)

build/$(1)/version.h: FORCE
	@mkdir -p $$(@D)
	@{ echo '#define MMFUZZ_FLAVOUR "$(1)"'; \
	   echo "#define MMFUZZ_COMPILER \"$$$$($$($(1)_CC) --version | head -n 1)\""; \
	   echo "#define MMFUZZ_COMMIT \"$$$$(git describe --always --dirty 2>/dev/null || echo unknown)\""; \
	 } >$$@.new
	$$(replace)

$(kernel_files:%=build/$(1)/obj/%.o): SIDE = $$(KERNEL_SIDE)
$(host_files:%=build/$(1)/obj/%.o): SIDE = $$(HOST_SIDE)
$(tests:%=build/$(1)/obj/%.o): SIDE = $$(TEST_SIDE)
$$(objects_$(1)): CC = $$($(1)_CC)
$(mm:%=build/$(1)/obj/%.o): MM = $$($(1)_MM_CFLAGS)
$(mm:%=build/$(1)/obj/%.o): CC = $$(or $$($(1)_MM_CC),$$($(1)_CC))
build/$(1)/obj/fuzz/mmfuzz.o: SIDE = $$(HOST_SIDE) -include build/$(1)/version.h
build/$(1)/obj/fuzz/mmfuzz.o: build/$(1)/version.h

$$(objects_$(1)): build/$(1)/obj/%.o: %.c build/$(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC)$$(CC) $$(SIDE) $$($(1)_CFLAGS) $$(MM) $$(CFLAGS) -MMD -MP -c -o $$@ $$<

# All but the front doors, for engines and programs of one's own. One object, so that a linker takes every invariant:
# they register themselves, and nobody asks for them by name.
build/$(1)/libmmfuzz.a: $(patsubst %,build/$(1)/obj/%.o,$(library)) Makefile
	@rm -f $$@
	$$(call say,AR)$$($(1)_LD) $$(filter -f%,$$($(1)_LDFLAGS)) -r -nostdlib -o $$(@:.a=.o) $$(filter %.o,$$^) && ar rcs $$@ $$(@:.a=.o)

build/$(1)/mmfuzz: $(patsubst %,build/$(1)/obj/%.o,$(tool) $(library)) Makefile
	$$(call say,LD)$$($(1)_LD) $$($(1)_LDFLAGS) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(URCU_LIBS) -pthread

build/$(1)/tests: $(patsubst %,build/$(1)/obj/%.o,$(tests) $(points) $(tested) $(library)) Makefile
	$$(call say,LD)$$($(1)_LD) $$($(1)_LDFLAGS) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(CRITERION_LIBS) \
		$$(URCU_LIBS) -pthread

# The text target takes any input as it is; all others take programs, and share their mutator.
$(patsubst %,build/$(1)/target_%,$(filter-out text,$(targets))): $(patsubst %,build/$(1)/obj/%.o,$(mutator))

$(targets:%=build/$(1)/target_%): build/$(1)/target_%: build/$(1)/obj/fuzz/target_%.o \
		$(patsubst %,build/$(1)/obj/%.o,$(target) $(library)) Makefile
	$$(call say,LD)$$($(1)_LD) $$($(1)_LDFLAGS) $$($(1)_ENGINE) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) \
		$$(URCU_LIBS) -pthread
endef

$(foreach f,release gcc asan fuzzer afl pic coverage mutants,$(eval $(call flavour,$(f))))
-include $(wildcard build/*/obj/*/*.d)

# One test builds what the tool exports.
build/release/tests: | build/release/libmmfuzz.a

build/afl/mutator.so: $(patsubst %,build/pic/obj/%.o,$(afl_mutator)) Makefile
	@mkdir -p $(@D)
	$(call say,LD)$(CLANG) -shared -Wl,-z,defs $(LDFLAGS) -o $@ $(filter %.o,$^)

build/mmfuzz: build/release/mmfuzz
	@ln -sf release/mmfuzz $@

help:
	$(info $(HELP))
	@:

setup:
	@.ci/setup build/setup.mk

# ---- Tests ----

# Old sanitizer runtimes cannot place their shadow when the host randomises mappings with more than 28 bits.
sanitized := $(shell [ "$$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)" -le 28 ] || \
	setarch -R echo setarch -R 2>/dev/null)
limit = timeout --kill-after=10 $(TEST_TIMEOUT)
export UBSAN_OPTIONS ?= print_stacktrace=1

# All runners run even when one fails, one after the other, so that their result lines can be told apart. Every flavour
# must leave the same verdicts, trace hashes and state hashes.
test: $(foreach f,release asan,build/$(f)/tests) $(foreach f,release gcc asan fuzzer,build/$(f)/mmfuzz) \
		build/mmfuzz
	@status=0; \
	for flavour in asan release; do \
		echo "== unit tests, $$flavour"; \
		$(limit) $(sanitized) build/$$flavour/tests --jobs $$(nproc) </dev/null || status=1; \
	done; \
	for flavour in fuzzer asan gcc release; do \
		echo "== replay of corpus/, $$flavour"; \
		$(limit) $(sanitized) build/$$flavour/mmfuzz run corpus </dev/null | sed '/^PASS/d'; \
		[ $${PIPESTATUS[0]} -eq 0 ] || status=1; \
		$(limit) $(sanitized) build/$$flavour/mmfuzz run --json corpus </dev/null >build/$$flavour/verdicts.json || status=1; \
		cmp build/fuzzer/verdicts.json build/$$flavour/verdicts.json || status=1; \
	done; \
	exit $$status

replay: build/mmfuzz
	@$(limit) build/mmfuzz run corpus

bench: build/mmfuzz
	@build/mmfuzz bench exec tests/bench/*.prog
	@build/mmfuzz bench exec tests/bench/writeback
	@build/mmfuzz bench exec tests/bench/bulk

# ---- Campaigns ----

campaign = ENGINE=$(ENGINE) TARGET=$(TARGET) KERNEL='$(KERNEL)' DURATION=$(DURATION) JOBS=$(JOBS) SEED=$(SEED) \
	   SEEDS=$(SEEDS) CAMPAIGNS=$(CAMPAIGNS) $(sanitized) fuzz/campaign.sh

engine_built = $(if $(filter afl,$(ENGINE)),build/afl/mutator.so build/afl,build/fuzzer)

fuzz: build/mmfuzz $(engine_built)/target_$(TARGET)
	@$(campaign)

afl: ENGINE = afl
afl: build/mmfuzz build/afl/mutator.so build/afl/target_$(TARGET)
	@$(campaign)

time-to-bug: build/mmfuzz build/fuzzer/target_page_alloc
	@build/mmfuzz bugs --kernel v4.7-rc1 --machines 'uma-64m aranym numa2'

# Exit code 1 of a campaign is a finding, and here the only good end. It starts from nothing each time, and always the same
# way: seeds take from 400 to more than 12,000 programs, and a gate must not depend on luck.
canary: CAMPAIGNS = build/canary
canary: TARGET = canary
canary: SEED = 1
canary: DURATION = 300
canary: build/mmfuzz $(engine_built)/target_canary
	@rm -rf $(CAMPAIGNS)
	@status=0; $(campaign) >build/canary.log 2>&1 || status=$$?; \
	if [ $$status -eq 1 ]; then \
		echo "canary: caught, as it must be"; \
	else \
		tail -n 20 build/canary.log; echo "canary: NOT caught (exit code $$status)"; exit 1; \
	fi

# What campaigns find must replay wherever it is replayed.
replay_flavours = release gcc asan fuzzer
replays: build/mmfuzz build/afl/mutator.so $(foreach t,page_alloc writeback,$(foreach e,afl fuzzer,build/$(e)/target_$(t))) \
		$(replay_flavours:%=build/%/mmfuzz)
	@OUT=build/replays FINDINGS=$(FINDINGS) FUZZ_SECONDS=$(FUZZ_SECONDS) SEED=$(or $(SEED),1) ROUNDS=20 \
	FLAVOURS='$(replay_flavours)' $(sanitized) tests/replays.sh

# Each time with other seeds, so that nothing is written over.
quiet: build/mmfuzz $(foreach t,mm page_alloc writeback misuse,build/fuzzer/target_$(t))
	@OUT=build/quiet ROUNDS=$(ROUNDS) FUZZ_SECONDS=$(FUZZ_SECONDS) SEED=$(or $(SEED),$(shell date +%s)) $(sanitized) \
	tests/quiet.sh

# ---- Coverage ----

# llvm tools read only the profiles of their own version.
llvm_version = $(shell $(CLANG) -dumpversion | cut -d. -f1)
llvm = $(or $(shell command -v $(1)-$(llvm_version)),$(1))

# A program that fails (exit code 1) covers lines too; anything worse stops the report.
coverage: build/coverage/mmfuzz
	@rm -rf build/coverage/profiles
	@status=0; LLVM_PROFILE_FILE=build/coverage/profiles/%m.profraw \
		build/coverage/mmfuzz run corpus $(CORPUS_DIR) | sed '/^PASS/d'; \
	[ $${PIPESTATUS[0]} -le 1 ]
	@$(call llvm,llvm-profdata) merge -sparse build/coverage/profiles/*.profraw -o build/coverage/mm.profdata
	@$(call llvm,llvm-cov) report build/coverage/mmfuzz -instr-profile=build/coverage/mm.profdata mm/
	@echo "lines: $(notdir $(call llvm,llvm-cov)) show build/coverage/mmfuzz" \
		"-instr-profile=build/coverage/mm.profdata mm/FILE.c"
	@$(if $(filter-out 0,$(CHECK)),$(call llvm,llvm-cov) export build/coverage/mmfuzz -format=lcov \
		-instr-profile=build/coverage/mm.profdata mm/ >build/coverage/mm.lcov && \
		awk -f tests/uncovered.awk tests/data/uncovered.txt build/coverage/mm.lcov)

# ---- Mutants ----

build/mutants/generator: $(patsubst %,build/mutants/obj/%.o,$(generator) $(points) fuzz/files) Makefile
	$(call say,LD)$(mutants_LD) $(mutants_LDFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^)

mutants_types   = -Werror=int-conversion -Werror=incompatible-pointer-types
mutants_targets = page_alloc writeback misuse

mutants: build/mutants/generator build/mutants/mmfuzz $(mutants_targets:%=build/mutants/target_%) build/release/tests
	@OUT=build/mutants TESTS=build/release/tests MUTANTS=$(MUTANTS) SEED=$(or $(SEED),1) FUZZ_SECONDS=$(FUZZ_SECONDS) \
	JOBS=$(if $(filter file,$(origin JOBS)),$$(nproc),$(JOBS)) MUTATED='$(mm:%=%.c)' \
	COMPILE='$(mutants_CC) $(KERNEL_SIDE) $(mutants_CFLAGS) $(mutants_MM_CFLAGS) $(CFLAGS) $(mutants_types) -iquote mm -x c -c' \
	LINK='$(mutants_LD) $(mutants_LDFLAGS) $(LDFLAGS)' ENGINE='$(mutants_ENGINE)' LIBS='$(URCU_LIBS) -pthread' \
	TOOL_OBJECTS='$(patsubst %,build/mutants/obj/%.o,$(tool) $(library))' \
	TARGET_OBJECTS='$(patsubst %,build/mutants/obj/%.o,$(target) $(mutator) $(library))' \
		tests/mutants/run.sh

# ---- Lint ----

# A file is looked at again when its object would be rebuilt, for the compiler's own headers are its own.
lint: $(all_files:%=build/lint/%.tidy) build/lint/cppcheck

build/lint/setup: .ci/setup
	@.ci/setup $@ lint

build/lint/%.tidy: build/release/obj/%.o .clang-tidy build/compile_commands.json build/lint/setup
	@mkdir -p $(@D)
	$(call say,TIDY)clang-tidy --quiet -p build $*.c 2>$@.err || { cat $@.err; exit 1; }
	@touch $@

# cppcheck does not know that the compiler gives null pointer arithmetic (container_of) and the right shift of a
# negative number (arithmetic) a meaning, that the linker's bounds of a section belong together, and that a pointer may
# be kept before what it points to is written.
CPPCHECK = cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --inline-suppr \
	   --library=.ci/criterion.cfg --suppress=nullPointerArithmetic --suppress=comparePointers --suppress=ctuuninitvar \
	   --suppress=shiftTooManyBitsSigned

build/lint/cppcheck: $(all_files:%=build/release/obj/%.o) build/compile_commands.json build/lint/setup \
		.ci/criterion.cfg
	@mkdir -p $(@D)/cppcheck.state
	$(call say,CHECK)$(CPPCHECK) -j $$(nproc) --cppcheck-build-dir=$(@D)/cppcheck.state \
		--project=build/compile_commands.json
	@touch $@

# $(call database,FILES,FLAGS): one line of JSON per file. cppcheck wants include paths that do not depend on where the
# database is.
database = $(foreach f,$(1),{ "directory": "$(CURDIR)", "file": "$(f).c", \
	"command": "$(CLANG) $(patsubst -I%,-I$(CURDIR)/%,$(filter-out -I/%,$(2))) $(filter -I/%,$(2)) $(CFLAGS) -c $(f).c" },)

build/compile_commands.json: build/release/flags build/release/version.h Makefile
	@printf '%s\n' '[' '$(call database,$(kernel_files),$(KERNEL_SIDE))' \
		'$(call database,$(host_files),$(HOST_SIDE) -include build/release/version.h)' \
		'$(call database,$(tests),$(TEST_SIDE))' | sed '$$s/,$$/\n]/' >$@

compile_commands.json: build/compile_commands.json
	@ln -sf $< $@

clean:
	@rm -f compile_commands.json
	@! [ -d build ] || find build -mindepth 1 -maxdepth 1 ! -name campaigns -exec rm -rf {} +
