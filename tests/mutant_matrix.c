// SPDX-License-Identifier: GPL-2.0
/*
 * mutant_matrix.c - what `make mutants` makes of its records (tests/mutants/matrix.awk): the score, who kills alone,
 * who does not and why it stays, and proofs of equivalence that do not hold.
 */
#include <stdio.h>
#include <unistd.h>

#include "tests/tool.h"

TestSuite(mutant_matrix, .init = tool_begin, .fini = tool_end);

#define ROW(id, status, titles, key) id "\tmm/a.c:1:1\tcompare\t" status "\t" titles "\t" key "\n"
#define POINT(id, key) id "\tmm/a.c\t1:1\tcompare\t" key "\n"

/* The script on seven files in the directory of the test. */
static int run_with_reasons(const char *stays, const char *alone, const char *known, const char *equivalent,
			    const char *matrix)
{
	char root[2048], command[4096];

	tool_write("rules", "INVARIANT one\nINVARIANT two\nMODEL three\n");
	tool_write("stays", stays);
	tool_write("alone", alone);
	tool_write("known", known);
	tool_write("equivalent", equivalent);
	tool_write("sample", POINT("1", "k1") POINT("2", "k2") POINT("3", "k3") POINT("4", "k4") POINT("5", "k5"));
	tool_write("matrix", matrix);
	cr_assert_not_null(getcwd(root, sizeof(root)));
	snprintf(command, sizeof(command), "awk -f '%s/tests/mutants/matrix.awk' rules equivalent stays alone known sample matrix", root);
	return shell(command);
}

static int run_matrix(const char *equivalent, const char *matrix)
{
	return run_with_reasons("two three\n\tThey are few.\n", "", "", equivalent, matrix);
}

#define MATRIX ROW("1", "corpus", "INVARIANT one; INVARIANT two", "k1") ROW("2", "fuzz", "INVARIANT one", "k2") \
	       ROW("3", "survived", "-", "k3") ROW("4", "changed", "-", "k4") ROW("5", "same", "-", "k5")

Test(mutant_matrix, equivalent_mutants_do_not_count)
{
	cr_expect_eq(run_matrix("k3\n\tThe same.\n", MATRIX), 0, "%s", tool_output);
	expect_output("5 mutants: 1 killed by the corpus, 1 by fuzzing, 1 the same to the compiler, 1 proven equivalent, 1 survive\n");
	expect_output("score 66.7 %: 2 of 3 that are not equivalent\n");
	expect_output("  mm/a.c:1:1  k4  (leaves other traces)\n");
}

Test(mutant_matrix, tells_who_kills_alone)
{
	cr_expect_eq(run_matrix("", MATRIX), 0);
	expect_output("     2      1  INVARIANT one\n     1      0  INVARIANT two\n");
	expect_output("kill nothing alone, and stay for a reason: two three\n");
	expect_output("kill nothing alone, without a reason: none\n");
}

Test(mutant_matrix, a_rule_of_the_model_is_known_by_its_title)
{
	run_matrix("", ROW("1", "corpus", "MODEL three", "k1"));
	expect_output("     1      1  MODEL three\n");
	expect_output("kill nothing alone, and stay for a reason: two\n");
}

Test(mutant_matrix, a_rule_that_sees_its_sabotage_alone_needs_no_other_reason)
{
	cr_expect_eq(run_with_reasons("three\n\tIt is odd.\n", "two\ntwo\n", "", "", MATRIX), 0, "%s", tool_output);
	expect_output("kill nothing alone, and see alone what a test breaks: two\n");
	expect_output("kill nothing alone, and stay for a reason: three\n");
}

Test(mutant_matrix, a_rule_that_a_regression_expects_needs_no_other_reason)
{
	cr_expect_eq(run_with_reasons("three\n\tIt is odd.\n", "", "two\n", "", MATRIX), 0, "%s", tool_output);
	expect_output("kill nothing alone, and find a known defect: two\n");
}

Test(mutant_matrix, a_reason_is_for_all_names_above_it)
{
	cr_expect_eq(run_with_reasons("# Why.\none two\nthree\n\tThey are\n\tfew.\n", "", "", "", ROW("1", "fuzz", "HANG f", "k1")), 0);
	expect_output("kill nothing alone, and stay for a reason: one two three\n");
	cr_expect_eq(run_with_reasons("one\n\tIt is first.\ntwo\n\tIt is next.\n", "", "", "", ROW("1", "fuzz", "HANG f", "k1")), 1);
	expect_output("kill nothing alone, and stay for a reason: one two\n");
	expect_output("kill nothing alone, without a reason: three\n");
}

Test(mutant_matrix, names_without_a_reason_and_reasons_without_a_rule_fail)
{
	cr_expect_eq(run_with_reasons("three\n\tIt is odd.\ntwo\n", "", "", "", MATRIX), 1);
	expect_output("kill nothing alone, without a reason: two\n");
	cr_expect_eq(run_with_reasons("two three\nfour\n\tThey are few.\n", "", "", "", MATRIX), 1);
	expect_output("has a reason to stay, but there is no such rule: four\n");
}

Test(mutant_matrix, a_proof_that_is_refuted_or_lost_or_empty_fails)
{
	cr_expect_eq(run_matrix("k1\n\tThe same.\n", MATRIX), 1);
	expect_output("listed as equivalent, but killed: k1\n");
	cr_expect_eq(run_matrix("k9\n\tThe same.\n", MATRIX), 1);
	expect_output("listed as equivalent, but there is no such mutant: k9\n");
	cr_expect_eq(run_matrix("k3\n", MATRIX), 1);
	expect_output("listed as equivalent without a reason: k3\n");
}
