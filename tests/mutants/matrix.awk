# SPDX-License-Identifier: GPL-2.0
#
# matrix.awk - what the kill matrix says.
#
#	awk -f tests/mutants/matrix.awk RULES EQUIVALENT STAYS ALONE KNOWN SAMPLE MATRIX
#
# RULES has the title of a rule a line. EQUIVALENT has the key of a mutant in a line and, indented below it, why nobody can
# tell it from mm. STAYS has names of rules and, indented below them, why these stay although no mutant needs them. ALONE has
# the names of rules whose sabotage no other rule sees, one a line, as the tests have found out, and KNOWN of those that a
# regression expects. SAMPLE is every mutant there is: a key that is not there has lost its place in the text. Fails if a
# proof is refuted or its mutant gone, and if a reason is missing or for nobody.

FILENAME == ARGV[1] {
	title[++nr_rules] = $0
	is_rule[$0]
	is_name[$2]
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

# Names go on until a reason comes, which is theirs, and which the next names end.
FILENAME == ARGV[3] {
	if (/^#/ || /^[ \t]*$/)
		next
	if (/^[^ \t]/) {
		if (reason_begun)
			nr_names = reason_begun = 0
		for (i = 1; i <= NF; i++) {
			names[++nr_names] = $i
			reason[$i] = ""
		}
	} else {
		reason_begun = 1
		for (i = 1; i <= nr_names; i++)
			reason[names[i]] = reason[names[i]] $0
	}
	next
}

FILENAME == ARGV[4] {
	stands_alone[$1]
	next
}

FILENAME == ARGV[5] {
	is_known[$1]
	next
}

FILENAME == ARGV[6] {
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

function report_kills(    i, t)
{
	print "\n kills  alone"
	for (i = 1; i <= nr_rules; i++)
		if (kills[title[i]])
			print row(title[i])
	for (t in kills)
		if (!(t in is_rule))
			print row(t) | "sort -k3"
	close("sort -k3")
}

# Rules that no mutant needs: what else they are good for.
function report_idle(    i, name, alone, known, reasoned, missing)
{
	for (i = 1; i <= nr_rules; i++) {
		name = title[i]
		sub(/^[A-Z]+ /, "", name)
		if (sole[title[i]])
			continue
		if (name in stands_alone)
			alone = alone " " name
		else if (name in is_known)
			known = known " " name
		else if (reason[name] != "")
			reasoned = reasoned " " name
		else
			missing = missing " " name
	}
	print "\nkill nothing alone, and see alone what a test breaks:" (alone == "" ? " none" : alone)
	print "\nkill nothing alone, and find a known defect:" (known == "" ? " none" : known)
	print "\nkill nothing alone, and stay for a reason:" (reasoned == "" ? " none" : reasoned)
	print "\nkill nothing alone, without a reason:" (missing == "" ? " none" : missing)
	bad += missing != ""
	for (name in reason)
		if (!(name in is_name)) {
			print "has a reason to stay, but there is no such rule: " name
			bad++
		}
}

function report_survivors(    i)
{
	print "\nsurvivors:" (nr_survivors ? "" : " none")
	for (i = 1; i <= nr_survivors; i++)
		print "  " survivors[i]
}

function check_proofs(    key)
{
	for (key in proof) {
		if (!(key in exists)) {
			print "listed as equivalent, but there is no such mutant: " key
			bad++
		} else if (proof[key] == "") {
			print "listed as equivalent without a reason: " key
			bad++
		}
	}
}

END {
	report_kills()
	report_idle()
	report_survivors()
	check_proofs()
	printf "\n%d mutants: %d killed by the corpus, %d by fuzzing, %d the same to the compiler, %d proven equivalent, %d survive\n",
		nr, count["corpus"], count["fuzz"], count["same"], equivalent, nr_survivors
	if (killed + nr_survivors)
		printf "score %.1f %%: %d of %d that are not equivalent\n", 100 * killed / (killed + nr_survivors), killed,
			killed + nr_survivors
	exit bad != 0
}
