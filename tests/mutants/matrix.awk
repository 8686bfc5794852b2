# SPDX-License-Identifier: GPL-2.0
#
# matrix.awk - what the kill matrix says.
#
#	awk -f tests/mutants/matrix.awk INVARIANTS EQUIVALENT SAMPLE MATRIX
#
# INVARIANTS has a name a line. EQUIVALENT has the key of a mutant in a line and, indented below it, why nobody can tell it
# from mm. SAMPLE is every mutant there is: a key that is not there has lost its place in the text. Fails if a proof
# is refuted, or its mutant gone.

FILENAME == ARGV[1] {
	order[++nr_invariants] = "INVARIANT " $1
	next
}

FILENAME == ARGV[2] {
	if (/^#/ || /^[ \t]*$/)
		next
	if (/^[^ \t]/)
		proof[key = $0] = ""
	else
		proof[key] = proof[key] $0
	next
}

FILENAME == ARGV[3] {
	split($0, part, "\t")
	exists[part[5]]
	next
}

{
	split($0, part, "\t")
	status = part[4]
	key = part[6]
	nr++
	count[status]++
	if (status == "same")
		next
	if (status == "corpus" || status == "fuzz") {
		killed++
		if (key in proof) {
			print "listed as equivalent, but killed: " key
			bad++
		}
		n = split(part[5], titles, "; ")
		for (i = 1; i <= n; i++)
			kills[titles[i]]++
		if (n == 1)
			sole[titles[1]]++
	} else if (key in proof) {
		equivalent++
	} else {
		survivors[++nr_survivors] = sprintf("%s  %s%s", part[2], key, status == "changed" ? "  (leaves other traces)" : "")
	}
}

function row(title)
{
	return sprintf("%6d %6d  %s", kills[title], sole[title], title)
}

END {
	print "\n kills  alone"
	for (i = 1; i <= nr_invariants; i++) {
		is_invariant[order[i]]
		if (kills[order[i]])
			print row(order[i])
		if (!sole[order[i]])
			silent = silent " " substr(order[i], 11)
	}
	for (title in kills)
		if (!(title in is_invariant))
			print row(title) | "sort -k3"
	close("sort -k3")
	print "\nkill nothing alone:" silent
	print "\nsurvivors:" (nr_survivors ? "" : " none")
	for (i = 1; i <= nr_survivors; i++)
		print "  " survivors[i]
	for (key in proof) {
		if (!(key in exists)) {
			print "listed as equivalent, but there is no such mutant: " key
			bad++
		} else if (proof[key] == "") {
			print "listed as equivalent without a reason: " key
			bad++
		}
	}
	printf "\n%d mutants: %d killed by the corpus, %d by fuzzing, %d the same to the compiler, %d proven equivalent, %d survive\n",
		nr, count["corpus"], count["fuzz"], count["same"], equivalent, nr_survivors
	if (killed + nr_survivors)
		printf "score %.1f %%: %d of %d that are not equivalent\n", 100 * killed / (killed + nr_survivors), killed,
			killed + nr_survivors
	exit bad != 0
}
