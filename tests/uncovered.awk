# SPDX-License-Identifier: GPL-2.0
#
# uncovered.awk - which functions of mm/ have lines that nothing reached, and are they all explained?
#
#	awk -f tests/uncovered.awk tests/data/uncovered.txt COVERAGE.lcov
#
# Prints a line for each function that is not on the list, or that the list names and mm/ does not have. Fails then, and
# when less than MIN_COVERED percent of all lines are covered, or more than MAX_LISTED percent are uncovered and listed.

BEGIN {
	MIN_COVERED = 90
	MAX_LISTED = 5
}

# The list: FILE:FUNCTION: REASON
FNR == NR {
	if (/^#/ || /^[ \t]*$/)
		next
	if (!match($0, /^mm\/[^:]+:[a-zA-Z0-9_]+: ./)) {
		print FILENAME ":" FNR ": expected mm/FILE:FUNCTION: REASON"
		bad++
		next
	}
	split($0, part, ":")
	listed[part[1] ":" part[2]] = 1
	next
}

# The trace. All functions of a file come before its lines; a line belongs to the last function that begins above it.
/^SF:/ {
	file = $0
	sub(/^SF:/, "", file)
	sub(/^.*\/mm\//, "mm/", file)
	nr = 0
}

/^FN:/ {
	split(substr($0, 4), part, ",")
	start[++nr] = part[1] + 0
	name = part[2]
	sub(/^.*:/, "", name)
	names[nr] = name
	known[file ":" name] = 1
}

/^DA:/ {
	split(substr($0, 4), part, ",")
	lines++
	if (part[2] + 0 > 0)
		next
	missed++
	best = 0
	for (i = 1; i <= nr; i++)
		if (start[i] <= part[1] + 0 && (!best || start[i] > start[best]))
			best = i
	where = file ":" (best ? names[best] : "?")
	uncovered[where]++
	if (!(where in first))
		first[where] = part[1]
}

END {
	for (where in uncovered) {
		if (where in listed) {
			explained += uncovered[where]
		} else {
			printf "%s: %d uncovered lines from line %d on, and no reason in the list\n", where,
				uncovered[where], first[where]
			bad++
		}
	}
	for (where in listed) {
		if (!(where in known)) {
			print where ": listed, but there is no such function"
			bad++
		}
	}
	if (!lines) {
		print "no lines at all"
		exit 1
	}
	covered = 100 * (lines - missed) / lines
	share = 100 * explained / lines
	printf "mm/: %d lines, %.2f %% covered (at least %d), %.2f %% uncovered for a listed reason (at most %d)\n", lines,
		covered, MIN_COVERED, share, MAX_LISTED
	exit bad || covered < MIN_COVERED || share > MAX_LISTED
}
