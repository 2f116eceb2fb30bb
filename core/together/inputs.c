/* inputs.c -- compares the sizes of a method's inputs in the program with those in the record. */
#include "together/finder.h"

#include "formats/etrecord/graph_symbols.h"
#include "together/arguments.h"

enum verdict { SAME, OTHER, UNKNOWN };

/* State of the comparison of one method's inputs. */
struct inputs {
	struct etc_symbols bounds;
	/* work done so far: the number of sizes plus the number of bytes of expressions that were
	 * compared. It is limited, because a record may list one value many times. */
	size_t work;
};

/* Adds to the work done so far. False: the work is now more than any real method needs. */
static bool can_afford(struct inputs *n, size_t work)
{
	enum { MOST = 1 << 22 };

	n->work = n->work > MOST ? n->work : n->work + work;
	return n->work <= MOST;
}

/* Sets `*size` to the largest size of a dimension that is not fixed. False: unknown. An expression
 * with '-' counts as unknown, because a difference such as s0 - s1 need not be largest when s0 and
 * s1 are largest. */
static bool largest_size(struct inputs *n, const struct etc_graph_tensor *t, uint32_t i,
                         uint64_t *size)
{
	const struct etc_str e = t->expressions[i];

	return can_afford(n, e.len) && !memchr(e.ptr, '-', e.len) &&
	       etc_symbols_of(&n->bounds, t, i, size);
}

/* For a dynamic input, a program contains the largest sizes. If these sizes differ from the largest
 * ones in the record's ranges, both files may nevertheless be of one export, because a pass of the
 * exporter (HintBasedSymShapeEvalPass) can set the sizes to those of the example input. */
static enum verdict compare_sizes(struct inputs *n, const struct etc_graph_tensor *t,
                                  const struct etc_evalue_tensor *v)
{
	enum verdict verdict = SAME;
	bool dynamic = false;
	uint64_t size;

	if (!t->known || v->dynamism == ETC_SHAPE_DYNAMIC_UNBOUND || !can_afford(n, t->rank))
		return UNKNOWN;
	if (t->rank != v->sizes.count)
		return OTHER;
	for (uint32_t i = 0; i < t->rank; i++) {
		const uint64_t here = (uint64_t)etc_i32_at(v->sizes, i);
		const bool fixed = t->sizes[i] >= 0;

		if (fixed && (uint64_t)t->sizes[i] != here)
			return OTHER;
		/* neither a size nor an expression: a form that is not known here */
		if (!fixed && !(t->expressions && t->expressions[i].len))
			return UNKNOWN;
		dynamic = dynamic || !fixed;
		if (!fixed && (!largest_size(n, t, i, &size) || size != here))
			verdict = UNKNOWN;
	}
	return dynamic == (v->dynamism != ETC_SHAPE_STATIC) ? verdict : OTHER;
}

enum etc_status etc_conflicts_in_inputs(struct etc_finder *f, struct etc_graph_index *x,
                                        struct etc_str method, struct etc_error *err)
{
	struct inputs n = { .work = 0 };
	bool found;

	ETC_TRY(etc_finder_sources(f, x, method, &found, err));
	if (!found || !x->inputs_known)
		return ETC_OK;
	etc_symbols_init(&n.bounds, f->arena);
	for (uint32_t i = 0; i < x->flow.bound_count; i++)
		if (!etc_symbols_bind(&n.bounds, x->flow.bounds[i].symbol,
		                      x->flow.bounds[i].largest))
			return etc_no_memory(err);
	for (uint32_t i = 0; i < x->flow.inputs.count; i++) {
		const struct etc_graph_tensor *t = &x->flow.tensors[x->flow.inputs.first + i];
		const struct etc_evalue *v =
			etc_value_at(x->method, etc_i32_at(x->method->inputs, i));
		const enum verdict verdict = t->value == UINT32_MAX || v->kind != ETC_EVALUE_TENSOR
		                                     ? SAME
		                                     : compare_sizes(&n, t, v->tensor);

		f->out->uncompared += verdict == UNKNOWN;
		if (verdict == OTHER && !f->out->record_program[0])
			etc_finder_conflict(f,
			                    "input %u of method " ETC_STR_FMT
			                    " has other sizes in program and record",
			                    i, ETC_STR_ARG(method));
	}
	return ETC_OK;
}
