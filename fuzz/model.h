/* SPDX-License-Identifier: GPL-2.0 */
/*
 * model.h - the model: what an allocation should do, predicted as a whole from the state it begins in (specification 31)
 * and compared with what it did. The scan watch judges each step by what the step says of itself; the model knows the
 * request and the state, and looks at nothing but the result.
 *
 *	request + state -> model_predict() -> the call runs -> what is seen -> the rules of invariants_model.c
 *
 * It predicts a kernel without defects: where a rule of its own changes with a patch, so does the model (fair modes,
 * watermark formulas, who may use the reserve); an error in the code that follows the rule it does not repeat (seed 1).
 */
#ifndef MMFUZZ_MODEL_H
#define MMFUZZ_MODEL_H

#include "fuzz/view.h"
#include "kernel-shim/trace.h"

#define MODEL_NO_SLOT VIEW_SLOTS_MAX

/* Zonerefs of a list that a request may use. */
struct model_list {
	unsigned int node;
	_Bool thisnode;                  /* the list without fallback */
	unsigned int limit;              /* highest zone type */
	unsigned int nodemask;           /* all ones = every node */
};

struct model_request {
	unsigned int order;
	unsigned int gfp;
	unsigned int migratetype;
	unsigned int cpu;
	struct model_list list;          /* with the caller's nodemask */
};

/* What a take from a zone would give. */
struct model_take {
	unsigned long pfn;               /* VIEW_NO_PFN: nothing */
	long nr_pages;                   /* that leave the free lists */
	long nr_more;                    /* or up to so many more */
	_Bool through_list;              /* of the CPU */
};

struct model_prediction {
	/* The attempts at the low mark. Not decided: zone_reclaim() gives pages back on the way. */
	_Bool first_decided;
	_Bool slow;                      /* they fail */
	unsigned int passes;             /* of all of them */

	/* The result. Not decided: so in the slow path, or its neighbours give pages back, or it goes round for ever. */
	_Bool decided;
	unsigned int source;             /* zone slot, MODEL_NO_SLOT: no page */
	unsigned long pfn;
	long free_more;                  /* pages that may leave the free lists of the source beside those counted in `after` */
	unsigned long may_serve;         /* zones, a bit each, whatever happens */

	/* The zones looked at or refilled, a bit each, as the call should leave them. */
	unsigned long zones;
	struct view_stock after[VIEW_SLOTS_MAX];
};

/* What the task that runs now asks for on this CPU; it has no nodemask, and which list it looks at is not said yet. */
struct model_request model_request_of(unsigned int order, unsigned int gfp);
void model_predict(const struct model_request *request, struct model_prediction *prediction);
/* Some zone of the list may be used, with the mask that the first attempts have. */
_Bool model_has_zone(const struct model_list *list);

/* The free pages of a zone are above a mark, for these ALLOC_* flags and class zone index. */
_Bool model_above_mark(const struct model_request *request, unsigned int slot, unsigned int flags, unsigned int class);
struct model_take model_take(const struct model_request *request, unsigned int slot, unsigned int flags);

/* One call, while it runs and until it was judged. */
struct model_call {
	struct model_request request;
	const void *task;
	unsigned int cpuset_stamp;       /* of the task's mask */
	unsigned int jiffies;
	_Bool active;
	_Bool predicted_any;
	_Bool finished;
	struct model_prediction predicted;

	/* Seen. */
	unsigned int passes;             /* before the slow path */
	_Bool slow;
	_Bool disturbed;                 /* time passed in between, or a take in vain, which folds deltas, or another task ran */
	_Bool folded;                    /* it was a take in vain */
	_Bool thresholds_moved;          /* kswapd woke and changed them */
	_Bool cpuset_changed;            /* and the call may have started over */
	unsigned long pfn;
	unsigned int source;
	/* Zones, a bit each, that are not as predicted. */
	unsigned long other_flag;
	unsigned long other_batch;
	unsigned long other_free;
	struct view_stock left[VIEW_SLOTS_MAX];
};

/* A run begins; what it does about a record of each kind, NULL = nothing; a step is over and its calls are judged. */
void model_begin(void);
extern const trace_observer_fn model_watchers[NR_TRACE_KINDS];
void model_step_end(void);

/* Where the rules are, invariants_model.c. */
void judge_model(const struct model_call *call);
/* A request that was refused before anybody looked at a zone. */
void judge_model_refusal(const struct model_request *request);

#endif
