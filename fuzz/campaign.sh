#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# One fuzz campaign, as `make fuzz` starts it: seeds from text to bytes, the engine for DURATION seconds, and
# for a finding the command that replays it. All arguments come from the environment and mean what `make help`
# says; the defaults are in the Makefile.
#
# CAMPAIGNS/TARGET/corpus/     libFuzzer's, grows from campaign to campaign
#                  afl/        AFL++'s, resumed by the next campaign
#                  seeds/      made anew each time
#                  findings/   written by the target and the engine
#                  job-N.log   what job N of several printed
#
# Exit codes: 0 nothing found, 1 a finding, 2 wrong usage or an engine that does not run.
set -euo pipefail

dir=$CAMPAIGNS/$TARGET
findings=$dir/findings
seeds=$dir/seeds
export MMFUZZ_TARGET=$TARGET MMFUZZ_KERNEL=$KERNEL MMFUZZ_FINDINGS=$findings

usage() { echo "campaign: $*" >&2; exit 2; }

for name in DURATION JOBS; do
	[[ ${!name} =~ ^[1-9][0-9]*$ ]] || usage "$name=${!name}: expected a positive number"
done
[[ $SEED =~ ^([1-9][0-9]*)?$ ]] || usage "SEED=$SEED: expected a positive number"

# Text programs become bytes; minimised byte corpora are used where they are.
make_seeds()
{
	local program
	rm -rf "$seeds"
	mkdir -p "$dir/corpus" "$findings" "$seeds"
	[ "$SEEDS" != 0 ] || return 0
	for program in corpus/seeds/"$TARGET"/*.prog; do
		[ ! -e "$program" ] || build/mmfuzz bytes "$program" -o "$seeds/$(basename "$program" .prog)" ||
			usage "cannot convert $program"
	done
	[ ! -d "corpus/bytes/$TARGET" ] || cp -r "corpus/bytes/$TARGET/." "$seeds/"
}

# Several jobs are processes of their own, each with its own seed, that read each other's discoveries from the
# one corpus directory. -jobs would give all of them the same seed; -fork would skip seeds that fail. The first
# finding ends the campaign; what the others discovered is on disk already.
# The words that it recommends for a dictionary are left out: the mutator knows the format.
# The time-out is for a harness that hangs; a kernel that loops is caught by its work budget.
run_libfuzzer()
{
	local job log=/dev/stderr left status=0
	SEED=${SEED:-$((1 + RANDOM * 32768 + RANDOM))}
	echo "libFuzzer: target $TARGET, kernel $KERNEL, $DURATION s, $JOBS job(s), SEED=$SEED," \
		"$(find "$seeds" -type f | wc -l) seeds, $(find "$dir/corpus" -type f | wc -l) in $dir/corpus"
	[ "$JOBS" -eq 1 ] || echo "progress: tail -f $dir/job-*.log"
	trap 'kill $(jobs -p) 2>/dev/null && wait' EXIT
	trap 'echo "Interrupted."; exit 130' INT TERM
	for ((job = 1; job <= JOBS; job++)); do
		[ "$JOBS" -eq 1 ] || log=$dir/job-$job.log
		"build/fuzzer/target_$TARGET" -max_total_time="$DURATION" -max_len=4610 -len_control=0 -timeout=60 \
			-rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$findings/" \
			-seed=$((SEED + job - 1)) "$dir/corpus" "$seeds" </dev/null 2>&1 |
			sed -u '/^###### Recommended dictionary/,/^###### End of recommended/d' >"$log" &
	done
	for ((left = JOBS; left > 0; left--)); do
		wait -n || { status=$?; break; }
	done
	# After a clean end there is nobody left to stop, which kill calls an error.
	kill $(jobs -p) 2>/dev/null || true
	wait
	[ "$JOBS" -eq 1 ] || tail -n 8 "$dir"/job-*.log
	return $status
}

# AFL++ wants at least one input to start from. It stops at the first crash, as libFuzzer does.
run_afl()
{
	[ -n "$(find "$seeds" -type f -print -quit)" ] || printf '\0' >"$seeds/empty"
	echo "AFL++: target $TARGET, kernel $KERNEL, $DURATION s, $(find "$seeds" -type f | wc -l) seeds, in $dir/afl"
	[ "$TARGET" = text ] || export AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/build/afl/mutator.so
	AFL_NO_UI=1 AFL_AUTORESUME=1 AFL_BENCH_UNTIL_CRASH=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
		afl-fuzz -V "$DURATION" -G 4610 -t 10000 -i "$seeds" -o "$dir/afl" -- "build/afl/target_$TARGET" \
		</dev/null >"$dir/afl.log" 2>&1 || { tail -n 20 "$dir/afl.log"; return 2; }
	grep -E '^(execs_done|execs_per_sec|corpus_count|saved_crashes|stability|edges_found)' \
		"$dir/afl/default/fuzzer_stats"
}

make_seeds
started=$dir/started
touch "$started"
status=0
case $ENGINE in
libfuzzer) run_libfuzzer || status=$? ;;
afl) run_afl || status=$? ;;
*) usage "ENGINE=$ENGINE: expected libfuzzer or afl" ;;
esac

# The text program, if the target wrote one, is the best thing to replay. AFL++ alone makes the second directory, and
# find fails on one that is missing.
found=$(find "$findings" "$dir/afl/default/crashes" -type f ! -name README.txt -newer "$started" \
	2>/dev/null || true)
if [ -n "$found" ]; then
	echo "Found:"
	echo "$found"
	best=$(grep '\.prog$' <<<"$found" || echo "$found")
	echo "again: build/mmfuzz run --kernel $KERNEL $(head -n 1 <<<"$best")"
	exit 1
fi
[ "$status" -eq 0 ] || usage "the engine failed with exit code $status and left nothing in $findings"
echo "Nothing found."
