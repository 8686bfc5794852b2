#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# One mutant, from a line of the sample to its record (run.sh). Only the object that is mutated is compiled; everything
# else is linked as it is. The record is written at once and whole, and last.
#
# Status: uncompiled; same (the compiler makes the same object of it); corpus, fuzz (who noticed); survived, or changed
# (survived, although the corpus left other traces or states behind). A killed mutant stays killed as long as its file
# is what it was, for rules and programs are added and not taken away; all others are seen again when anything changes.
set -uo pipefail
export LC_ALL=C

# A signal is to be seen as one, and not caught by the runtime that counts coverage.
export UBSAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0

DEATHS_MAX=3
CORPUS_SECONDS=60

IFS=$'\t' read -r id file place kind key <<<"$1"
name=$(basename "$file" .c)
record=$OUT/records/$id
work=$OUT/running/$id

# What may have changed since: the mutated file, and everything else.
source_sum=$(cksum <"$file" | tr ' ' -)

is_recorded()
{
	local status judges source
	[ -e "$record" ] || return 1
	IFS=$'\t' read -r status judges source < <(cut -f4,7,8 "$record")
	[ "$source" = "$source_sum" ] || return 1
	[ "$judges" = "$JUDGES" ] || [[ $status =~ ^(corpus|fuzz|uncompiled|same)$ ]]
}

finish()
{
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$id" "$file:$place" "$kind" "$1" "${2:--}" "$key" "$JUDGES" \
		"$source_sum" >"$record.new"
	mv "$record.new" "$record"
	rm -rf "$work"
	printf '%-10s %s  %s\n' "$1" "$key" "${2:-}" >&2
	exit 0
}

# $1: the objects, $2: the binary, $3: more arguments
link()
{
	# shellcheck disable=SC2086
	$LINK $3 -o "$2" ${1//"$OUT/obj/mm/$name.o"/"$work/mutant.o"} $LIBS 2>>"$work/errors"
}

# Play the whole corpus, whatever becomes of the process: one that dies is started again behind the file that it died of.
play_corpus()
{
	local files deaths=0 code done_before
	mapfile -t files <"$OUT/programs.txt"
	: >"$work/notes"
	while [ ${#files[@]} -gt 0 ] && [ $deaths -lt $DEATHS_MAX ]; do
		timeout -k 1 $CORPUS_SECONDS "$work/mmfuzz" run --collect --state "${files[@]}" </dev/null >"$work/part" \
			2>>"$work/errors"
		code=$?
		cat "$work/part" >>"$work/notes"
		! tail -n 1 "$work/part" | grep -q '^[0-9]* passed, [0-9]* failed$' || return 0
		done_before=$(grep -c '^\(PASS\|FAIL\) ' "$work/part")
		echo >>"$work/notes"
		echo "SEEN  ${files[$done_before]}  $(cause_of_death $code) on mutant" >>"$work/notes"
		files=("${files[@]:$((done_before + 1))}")
		deaths=$((deaths + 1))
	done
}

cause_of_death()
{
	if [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; then echo TIMEOUT
	elif [ "$1" -gt 128 ]; then echo "CRASH signal $(($1 - 128))"
	else echo "CRASH exit code $1"
	fi
}

# The titles that the unchanged mm does not show, separated by semicolons.
new_titles()
{
	awk 'NR == FNR { there[$0]; next }
	     /^SEEN/ && !($0 in there) {
		sub(/^SEEN +[^ ]+ +/, ""); sub(/ on [^ ]+$/, "")
		if (!seen[$0]++) titles = titles (titles == "" ? "" : "; ") $0
	     }
	     /^FAIL/ && /not deterministic/ { chance = 1 }
	     END { print titles != "" ? titles : chance ? "HARNESS not deterministic" : "MISSING an expected title" }' \
		"$OUT/baseline.txt" "$1"
}

# Which target reaches the file.
target_of()
{
	case $name in
	page_check) echo misuse ;;
	page-writeback | dirty_limits | wb_* | write_cache_pages | backing-dev | flex_proportions | filemap) echo writeback ;;
	*) echo page_alloc ;;
	esac
}

fuzz()
{
	local target=$1
	mkdir -p "$work/corpus" "$work/findings"
	MMFUZZ_KERNEL=fixed MMFUZZ_FINDINGS=$work/findings timeout -k 1 $((FUZZ_SECONDS + 60)) "$work/target" \
		-max_total_time="$FUZZ_SECONDS" -max_len=4610 -len_control=0 -timeout=30 -rss_limit_mb=2048 -seed=1 \
		-artifact_prefix="$work/findings/" "$work/corpus" "$OUT/seeds/$target" </dev/null >"$work/fuzz.log" 2>&1
}

# What was found is kept, for a program that finds it is worth having in the corpus.
fuzz_titles()
{
	local program
	program=$(find "$work/findings" -name '*.prog' | head -n 1)
	if [ -z "$program" ]; then
		cause_of_death "$1"
		return
	fi
	mkdir -p "$OUT/findings/$id"
	cp "$program" "$OUT/findings/$id/"
	timeout $CORPUS_SECONDS "$work/mmfuzz" run --collect --kernel fixed "$program" </dev/null >"$work/notes" 2>&1
	new_titles "$work/notes"
}

! is_recorded || exit 0
rm -rf "$work"
mkdir -p "$work"
"$OUT/generator" apply "$id" tests/mutants/outside.txt "$file" >"$work/mutant.c" || exit 255
$COMPILE -o "$work/mutant.o" - <"$work/mutant.c" 2>"$work/errors" || finish uncompiled
! cmp -s "$work/mutant.o" "$OUT/base/$name.o" || finish same
link "$TOOL_OBJECTS" "$work/mmfuzz" "" || finish uncompiled
play_corpus 2>>"$work/errors"
! grep -q '^FAIL\|^SEEN.* on mutant$' "$work/notes" || finish corpus "$(new_titles "$work/notes")"

target=$(target_of)
link "$OUT/obj/fuzz/target_$target.o $TARGET_OBJECTS" "$work/target" "$ENGINE" || exit 255
fuzz "$target"
code=$?
[ $code -eq 0 ] || finish fuzz "$(fuzz_titles $code)"
if cmp -s <(grep '^PASS' "$work/notes") <(grep '^PASS' "$OUT/baseline.txt"); then
	finish survived
fi
finish changed
