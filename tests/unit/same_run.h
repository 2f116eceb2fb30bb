/* same_run.h -- for tests: asserts that a run of one trace has the same content as a run of
 * another. */
#ifndef ETC_UNIT_SAME_RUN_H
#define ETC_UNIT_SAME_RUN_H

#include "unit.h"

#include "model/trace.h"

static inline void assert_same_text(struct etc_str a, struct etc_str b)
{
	assert_int_equal(a.ptr == NULL, b.ptr == NULL);
	assert_true(etc_str_eq(a, b));
}

static inline void assert_same_longs(const int64_t *a, uint32_t n, const int64_t *b, uint32_t m)
{
	assert_int_equal(n, m);
	if (n)
		assert_memory_equal(a, b, n * sizeof *a);
}

static inline void assert_same_value(const struct etc_value *a, const struct etc_value *b)
{
	assert_int_equal(a->tag, b->tag);
	assert_int_equal(a->present, b->present);
	assert_int_equal(a->has_member, b->has_member);
	assert_int_equal(a->output, b->output);
	assert_int_equal(a->count, b->count);
	if (a->tag != ETC_VALUE_TENSOR && a->tag != ETC_VALUE_TENSOR_LIST)
		assert_int_equal(a->i, b->i);
	for (uint32_t i = 0; i < a->count; i++) {
		const struct etc_tensor *x = &a->tensors[i], *y = &b->tensors[i];

		assert_int_equal(x->scalar_type, y->scalar_type);
		assert_int_equal(x->offset, y->offset);
		assert_same_longs(x->sizes, x->rank, y->sizes, y->rank);
		assert_same_longs(x->strides, x->stride_count, y->strides, y->stride_count);
	}
}

static inline void assert_same_event(const struct etc_trace *a, const struct etc_run *x,
                                     const struct etc_event *e, const struct etc_trace *b,
                                     const struct etc_run *y, const struct etc_event *f)
{
	size_t p = x->first_sample + e->column, q = y->first_sample + f->column;

	assert_int_equal(e->kind, f->kind);
	assert_int_equal(e->chain, f->chain);
	assert_int_equal(e->instruction_id, f->instruction_id);
	assert_int_equal(e->delegate_id, f->delegate_id);
	assert_same_text(etc_event_name(e), etc_event_name(f));
	assert_same_text(etc_event_delegate_name(e), etc_event_delegate_name(f));
	if (e->kind == ETC_EVENT_DEBUG)
		assert_same_value(&a->values[x->first_value + e->column],
		                  &b->values[y->first_value + f->column]);
	if (e->kind == ETC_EVENT_ALLOCATION)
		assert_int_equal(a->allocation_size[x->first_allocation + e->column],
		                 b->allocation_size[y->first_allocation + f->column]);
	if (e->kind == ETC_EVENT_PROFILE) {
		struct etc_span m = etc_trace_metadata(a, p), n = etc_trace_metadata(b, q);

		assert_int_equal(a->start[p], b->start[q]);
		assert_int_equal(a->end[p], b->end[q]);
		assert_int_equal(m.len, n.len);
		assert_true(m.len == 0 || memcmp(m.ptr, n.ptr, m.len) == 0);
	}
}

static inline void assert_same_run(const struct etc_trace *a, size_t i, const struct etc_trace *b,
                                   size_t k)
{
	const struct etc_run *x = &a->runs[i], *y = &b->runs[k];
	const struct etc_template *s = etc_run_template(a, x), *t = etc_run_template(b, y);

	assert_same_text(etc_run_head(a, x)->name, etc_run_head(b, y)->name);
	assert_int_equal(etc_run_head(a, x)->bundled_input_index,
	                 etc_run_head(b, y)->bundled_input_index);
	assert_int_equal(s->count, t->count);
	for (uint32_t e = 0; e < s->count; e++)
		assert_same_event(a, x, &s->events[e], b, y, &t->events[e]);
}

#endif
