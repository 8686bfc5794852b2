#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Does what a campaign finds replay? `make replays` runs short campaigns of both engines on kernels that lack one fix,
# round after round with other seeds, until there are FINDINGS findings. Then every one is replayed, once, in every build:
# it must show the title it was found with, and the same trace and state everywhere. All arguments come from the
# environment (Makefile).
#
# build/replays/ROUND-ENGINE-PATCH/   a campaign
#               found.txt             the findings that are replayed
#               FLAVOUR.txt, .json    how they did
#
# Exit codes: 0 if all replay, 1 if not, 2 if campaigns do not find as many.
set -euo pipefail

die() { echo "replays: $*" >&2; exit 2; }

# TARGET:PATCH, such as campaigns find within seconds.
patches=(page_alloc:reset-zonelist-iterator page_alloc:drain-rereads-type page_alloc:fair-before-kswapd
	page_alloc:refuse-double-isolation writeback:sibling-ratio-kept writeback:ratelimit-shift-bounded
	writeback:min-ratio-returned writeback:exit-admits-equality)

# Two campaigns side by side; what they say goes to a log, and that they found something is no error.
campaigns()
{
	local round=$1 target=${2%:*} patch=${2#*:} engine dir
	for engine in libfuzzer afl; do
		dir=$OUT/$round-$engine-$patch
		build/mmfuzz fuzz --target "$target" --engine "$engine" --kernel "fixed,-$patch" --seconds "$FUZZ_SECONDS" \
			--jobs 1 --seed "$((SEED + 1000 * round))" --no-seeds --quiet --output "$dir" \
			>"$dir.log" 2>&1 </dev/null &
	done
	wait
}

collect()
{
	find "$OUT" -path '*/findings/*.prog' | sort >"$OUT/all.txt"
	shuf -n "$FINDINGS" --random-source=<(yes) "$OUT/all.txt" | sort >"$OUT/found.txt"
}

# As anyone would: the file says on which kernel it was found, and what; and `fixed` must be clean. One more time for what
# the builds must agree on.
replay()
{
	local flavour=$1 found
	mapfile -t found <"$OUT/found.txt"
	"build/$flavour/mmfuzz" run "${found[@]}" >"$OUT/$flavour.txt" </dev/null || status=1
	"build/$flavour/mmfuzz" run --json "${found[@]}" >"$OUT/$flavour.json" </dev/null || status=1
	sed '/^PASS/d' "$OUT/$flavour.txt" | sed "s/^/$flavour: /"
	cmp "$OUT/${FLAVOURS%% *}.json" "$OUT/$flavour.json" || status=1
}

rm -rf "$OUT"
mkdir -p "$OUT"
for ((round = 1; round <= ROUNDS; round++)); do
	for patch in "${patches[@]}"; do
		campaigns "$round" "$patch"
	done
	collect
	echo "round $round: $(wc -l <"$OUT/all.txt") findings"
	[ "$(wc -l <"$OUT/found.txt")" -lt "$FINDINGS" ] || break
done
[ "$(wc -l <"$OUT/found.txt")" -eq "$FINDINGS" ] || die "after $ROUNDS rounds there are fewer than $FINDINGS; see $OUT/*.log"

status=0
for flavour in $FLAVOURS; do
	replay "$flavour"
done
# None of a kind is an answer too, and grep calls that an error.
for engine in libfuzzer afl; do
	for patch in "${patches[@]}"; do
		printf '%4d  %-9s  fixed,-%s\n' "$(grep -c -- "-$engine-${patch#*:}/" "$OUT/found.txt" || true)" "$engine" \
			"${patch#*:}"
	done
done
[ $status -ne 0 ] || echo "all of $FINDINGS replay in $FLAVOURS, with one trace and state"
exit $status
