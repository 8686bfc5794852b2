#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Do the rules notice when mm is wrong? `make mutants` makes MUTANTS single-point mutants of mm/, in the order that SEED
# gives, and shows each to the corpus and then, if that noticed nothing, to FUZZ_SECONDS of fuzzing. All arguments come
# from the environment (Makefile).
#
# build/mutants/sample.txt     every mutant there is, in the order of the sample
#               records/ID     what became of one: it is not made again while nothing it depends on has changed
#               programs.txt   the programs of the corpus that each is shown
#               findings/ID/   what fuzzing found against a mutant that the corpus had let pass
#               alone.txt      the rules whose sabotage no other rule sees (tests/alone.h)
#               known.txt      the rules that regressions expect
#               matrix.txt     id, file:line:column, kind, status, titles, key of each mutant of the sample
#
# A mutant that does not compile is none; the next of the order takes its place. Exit codes: 0, or 1 if a proof of
# equivalence is refuted or a rule that kills nothing alone has no reason to stay, 2 if the unchanged mm fails.
set -euo pipefail
export LC_ALL=C

die() { echo "mutants: $*" >&2; exit 2; }

# Of each file the object that the compiler makes of the unchanged text, read as mutants are.
make_base()
{
	local file
	mkdir -p "$OUT"/{base,records,findings,running}
	for file in $MUTATED; do
		$COMPILE -o "$OUT/base/$(basename "$file" .c).o" - <"$file" || die "$file does not compile"
	done
}

# Regressions are programs that once mattered: every target starts from them, too.
make_seeds()
{
	local target program
	for target in page_alloc writeback misuse; do
		rm -rf "$OUT/seeds/$target"
		mkdir -p "$OUT/seeds/$target"
		for program in corpus/seeds/{"$target",mm}/*.prog corpus/regressions/*.prog; do
			"$OUT/mmfuzz" bytes "$program" -o "$OUT/seeds/$target/$(basename "$program" .prog)"
		done
	done
}

# Mutants play what the unchanged mm was seen to pass, and no program that comes to the corpus meanwhile.
judge_unchanged()
{
	find corpus/regressions corpus/seeds -name '*.prog' | sort >"$OUT/programs.txt"
	"$OUT/mmfuzz" run --collect --state corpus >"$OUT/baseline.txt" </dev/null ||
		die "the unchanged mm fails; see $OUT/baseline.txt"
}

# What fuzzing finds without a mistake is no mistake's merit.
fuzz_unchanged()
{
	local target
	for target in page_alloc writeback misuse; do
		rm -rf "$OUT/running/$target"
		mkdir -p "$OUT/running/$target"
		MMFUZZ_KERNEL=fixed MMFUZZ_FINDINGS=$OUT/running/$target "$OUT/target_$target" -max_total_time="$FUZZ_SECONDS" \
			-max_len=4610 -len_control=0 -seed=1 -artifact_prefix="$OUT/running/$target/" "$OUT/running/$target" \
			"$OUT/seeds/$target" </dev/null >"$OUT/running/$target.log" 2>&1 ||
			die "fuzzing finds something in the unchanged mm; see $OUT/running/$target.log"
	done
}

# Lines of the sample that compiled, out of the first $1.
count_mutants()
{
	local id rest good=0
	while read -r id rest; do
		[ "$(cut -f4 "$OUT/records/$id")" = uncompiled ] || good=$((good + 1))
	done < <(head -n "$1" "$OUT/sample.txt")
	echo "$good"
}

run_sample()
{
	local all good
	all=$(wc -l <"$OUT/sample.txt")
	taken=$MUTANTS
	while :; do
		[ "$taken" -le "$all" ] || taken=$all
		head -n "$taken" "$OUT/sample.txt" | xargs -d '\n' -n 1 -P "$JOBS" tests/mutants/one.sh
		good=$(count_mutants "$taken")
		[ "$good" -lt "$MUTANTS" ] && [ "$taken" -lt "$all" ] || break
		taken=$((taken + MUTANTS - good))
	done
}

write_matrix()
{
	local id rest
	while read -r id rest; do
		cut -f1-6 "$OUT/records/$id"
	done < <(head -n "$taken" "$OUT/sample.txt") | awk -F '\t' '$4 != "uncompiled"' >"$OUT/matrix.new"
	mv "$OUT/matrix.new" "$OUT/matrix.txt"
}

# What the rules see that no other does, when a test breaks something, and which of them known defects are found by.
ask_tests()
{
	: >"$OUT/alone.txt"
	SABOTAGE_ALONE=$OUT/alone.txt "$TESTS" --jobs "$JOBS" --filter '@(sabotage*|invariants_*)/*' </dev/null >"$OUT/tests.log" 2>&1 ||
		die "a test fails; see $OUT/tests.log"
	sort -u -o "$OUT/alone.txt" "$OUT/alone.txt"
	sed -n 's/^# expect: [A-Z]* \([a-z0-9_]*\)$/\1/p' corpus/regressions/*.prog | sort -u >"$OUT/known.txt"
}

make_base
make_seeds
judge_unchanged
fuzz_unchanged
ask_tests
# shellcheck disable=SC2086
"$OUT/generator" list "$SEED" tests/mutants/outside.txt $MUTATED >"$OUT/sample.txt"
JUDGES=$(find kernel-shim fuzz mm corpus tests/mutants/one.sh -type f | sort | xargs cat | cksum | tr ' ' -)-$FUZZ_SECONDS
export JUDGES
echo "mutants: $MUTANTS of $(wc -l <"$OUT/sample.txt") points, SEED=$SEED, $JOBS at a time, $FUZZ_SECONDS s of fuzzing"
run_sample
write_matrix
"$OUT/mmfuzz" invariants | awk '{ print ($3 == "model" ? "MODEL" : "INVARIANT"), $1 }' >"$OUT/rules.txt"
awk -f tests/mutants/matrix.awk "$OUT/rules.txt" tests/mutants/equivalent.txt tests/mutants/stays.txt "$OUT/alone.txt" \
	"$OUT/known.txt" "$OUT/sample.txt" "$OUT/matrix.txt"
