#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Do the oracles keep quiet where nothing is wrong? `make quiet` runs ROUNDS rounds of campaigns of FUZZ_SECONDS, of each
# target on each kernel, two side by side: one begins with the programs of corpus/, the other with nothing. What they have
# collected is played on all other kernels: what one kernel makes a campaign keep is rare on the next. Short and many,
# because a long campaign stays near where it began. A title is a finding unless corpus/known/ explains it for that
# kernel. All arguments come from the environment (Makefile).
#
# build/quiet/SEED-TARGET-KERNEL/       a campaign; what it collected is kept if anything was found
#             SEED-TARGET-KERNEL.txt    what it and the other kernels said
#
# Exit codes: 0 nothing found, 1 a finding, 2 wrong usage or a campaign that does not run.
set -euo pipefail

targets=(mm page_alloc writeback misuse)
kernels=(fixed v4.7 v4.7-rc1 v3.17 v3.17-rc1 v3.16 'fixed,+dirty-limit-cached' 'fixed,fair=f317up' 'fixed,fair=f316')
# The other kernels have a list of their own name.
declare -A lists=([fixed]='' [fixed,+dirty-limit-cached]=dirty-limit-cached [fixed,fair=f317up]=''
	[fixed,fair=f316]=counter-modes)

usage() { echo "quiet: $*" >&2; exit 2; }

# Sets `on` to the options that name a kernel and what is known of it.
choose()
{
	local name=${lists[$1]-$1}
	on=(--kernel "$1")
	[ -z "$name" ] || on+=(--known "corpus/known/$name.txt")
}

# A campaign and its replays.
campaign()
{
	local target=$1 kernel=$2 seed=$3 dir=$OUT/$3-$1-$2 status=0 other on
	choose "$kernel"
	trap 'kill $!; exit 2' TERM
	build/mmfuzz fuzz --target "$target" "${on[@]}" --seconds "$FUZZ_SECONDS" --jobs 1 --seed "$seed" --quiet \
		--output "$dir" "${@:4}" >"$dir.txt" 2>&1 </dev/null &
	wait $! || status=$?
	[ $status -le 1 ] || return 2
	for other in "${kernels[@]}"; do
		[ "$other" != "$kernel" ] || continue
		choose "$other"
		build/mmfuzz run "${on[@]}" "$dir/corpus" </dev/null 2>&1 | sed '/^PASS/d' >>"$dir.txt" || status=1
	done
	[ $status -ne 0 ] || rm -r "$dir"
	return $status
}

# One line for each title, with the first program that shows it.
tell()
{
	awk '/^ *NEW |^FAIL / { title = $0; sub(/^FAIL +[^ ]+/, "", title); if (!told[title]++) print }'
}

# Waits for the campaign of process $1, and tells of it.
finish()
{
	local name=$2-$3-$4 ended=0
	wait "$1" || ended=$?
	case $ended in
	0) ;;
	1) status=1; echo "$OUT/$name.txt:"; tell <"$OUT/$name.txt" ;;
	*) tail -n 20 "$OUT/$name.txt" >&2; usage "the campaign $OUT/$name ended with exit code $ended" ;;
	esac
	seconds[$4]=$((${seconds[$4]-0} + FUZZ_SECONDS))
	programs[$4]=$((${programs[$4]-0} + $(sed -n 's/^target .*: \([0-9]*\) programs in .*/\1/p' "$OUT/$name.txt")))
}

for name in ROUNDS FUZZ_SECONDS SEED; do
	[[ ${!name} =~ ^[1-9][0-9]*$ ]] || usage "$name=${!name}: expected a positive number"
done
trap 'kill $(jobs -p) 2>/dev/null && wait' EXIT
trap 'echo "Interrupted."; exit 130' INT TERM
mkdir -p "$OUT"
declare -A seconds programs
status=0
for ((round = 1; round <= ROUNDS; round++)); do
	for target in "${targets[@]}"; do
		for kernel in "${kernels[@]}"; do
			campaign "$target" "$kernel" "$SEED" & seeded=$!
			campaign "$target" "$kernel" $((SEED + 1)) --no-seeds & empty=$!
			finish $seeded "$SEED" "$target" "$kernel"
			finish $empty $((SEED + 1)) "$target" "$kernel"
			SEED=$((SEED + 2))
		done
	done
done
for kernel in "${kernels[@]}"; do
	printf '%6d s %9d programs  %s\n' "${seconds[$kernel]}" "${programs[$kernel]}" "$kernel"
done
[ $status -ne 0 ] || echo "Nothing found."
exit $status
