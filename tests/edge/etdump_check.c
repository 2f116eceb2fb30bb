/* etdump_check.c -- see etdump_check.h */
#include "edge/etdump_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_walk.h"

#define SAME(what) same((what), #what)

static void wrong(const char *what, const char *more)
{
	fprintf(stderr, "etdump: %s: %s\n", what, more);
	abort();
}

static void same(bool holds, const char *what)
{
	if (!holds)
		wrong("not what the file says", what);
}

static bool texts(struct etc_str a, struct etc_str b)
{
	return a.ptr == b.ptr && a.len == b.len;
}

static bool lists(struct etc_raw_longs a, struct etc_raw_longs b)
{
	return a.present == b.present && a.count == b.count && (!a.present || a.at == b.at);
}

/* ---- the walk: every field of every table ---------------------------------------- */

static void walked_tensor(const struct etc_raw_tensor *a, const struct etc_raw_tensor *b)
{
	SAME(a->present == b->present);
	if (!b->present)
		return;
	SAME(a->scalar_type == b->scalar_type && a->offset == b->offset);
	SAME(lists(a->sizes, b->sizes) && lists(a->strides, b->strides));
}

static void walked_value(const struct etc_raw_value *a, const struct etc_raw_value *b)
{
	SAME(a->present == b->present);
	if (!b->present)
		return;
	SAME(a->val == b->val && a->layout_2023 == b->layout_2023);
	walked_tensor(&a->tensor, &b->tensor);
	SAME(a->has_tensor_list == b->has_tensor_list && a->has_tensors == b->has_tensors);
	SAME(a->tensor_count == b->tensor_count);
	for (uint32_t i = 0; i < b->tensor_count; i++)
		walked_tensor(&a->tensors[i], &b->tensors[i]);
	SAME(a->has_int == b->has_int && a->int_val == b->int_val);
	SAME(a->has_float == b->has_float &&
	     memcmp(&a->float_val, &b->float_val, sizeof a->float_val) == 0);
	SAME(a->has_double == b->has_double &&
	     memcmp(&a->double_val, &b->double_val, sizeof a->double_val) == 0);
	SAME(a->has_bool == b->has_bool && a->bool_val == b->bool_val);
	SAME(a->has_output == b->has_output && a->output == b->output);
}

static void walked_event(const struct etc_raw_event *a, const struct etc_raw_event *b)
{
	const struct etc_raw_profile *p = &a->profile_event, *q = &b->profile_event;
	const struct etc_raw_debug *d = &a->debug_event, *g = &b->debug_event;

	SAME(p->present == q->present && d->present == g->present);
	SAME(a->allocation_event.present == b->allocation_event.present);
	if (q->present) {
		SAME(texts(p->name, q->name) && p->chain_index == q->chain_index);
		SAME(p->instruction_id == q->instruction_id);
		SAME(p->delegate_debug_id_int == q->delegate_debug_id_int);
		SAME(texts(p->delegate_debug_id_str, q->delegate_debug_id_str));
		SAME(p->delegate_debug_metadata.ptr == q->delegate_debug_metadata.ptr);
		SAME(p->delegate_debug_metadata.len == q->delegate_debug_metadata.len);
		SAME(p->start_time == q->start_time && p->end_time == q->end_time);
	}
	if (b->allocation_event.present) {
		SAME(a->allocation_event.allocator_id == b->allocation_event.allocator_id);
		SAME(a->allocation_event.allocation_size == b->allocation_event.allocation_size);
	}
	if (g->present) {
		SAME(d->chain_index == g->chain_index && d->instruction_id == g->instruction_id);
		SAME(d->delegate_debug_id_int == g->delegate_debug_id_int);
		SAME(texts(d->name, g->name));
		SAME(texts(d->delegate_debug_id_str, g->delegate_debug_id_str));
		walked_value(&d->debug_entry, &g->debug_entry);
	}
}

/* ---- the trace: what an analysis sees ------------------------------------------- */

static void traced_tensor(const struct etc_tensor *t, const struct etc_raw_tensor *g)
{
	SAME(t->scalar_type == g->scalar_type && t->offset == g->offset);
	SAME(t->has_sizes == g->sizes.present && t->rank == g->sizes.count);
	SAME(t->has_strides == g->strides.present && t->stride_count == g->strides.count);
	for (uint32_t i = 0; i < t->rank; i++)
		SAME(t->sizes[i] == etc_raw_long(g->sizes, i));
	for (uint32_t i = 0; i < t->stride_count; i++)
		SAME(t->strides[i] == etc_raw_long(g->strides, i));
}

static void traced_value(const struct etc_value *v, const struct etc_raw_value *g)
{
	SAME(v->present == g->present);
	if (!g->present || g->layout_2023)
		return;
	SAME(v->tag == g->val && v->has_output == g->has_output);
	SAME(v->output == (g->output != 0));
	if (g->val == ETC_VALUE_INT)
		SAME(v->i == g->int_val);
	if (g->val == ETC_VALUE_BOOL)
		SAME(v->i == (g->bool_val != 0));
	if (g->val == ETC_VALUE_DOUBLE)
		SAME(memcmp(&v->d, &g->double_val, sizeof v->d) == 0);
	if (g->val == ETC_VALUE_FLOAT && v->d == v->d)
		SAME((float)v->d == g->float_val);
	if (g->val == ETC_VALUE_TENSOR) {
		SAME(v->count == g->tensor.present);
		if (g->tensor.present)
			traced_tensor(v->tensors, &g->tensor);
	}
	if (g->val == ETC_VALUE_TENSOR_LIST) {
		SAME(v->has_tensors == g->has_tensors && v->count == g->tensor_count);
		for (uint32_t i = 0; i < v->count; i++)
			traced_tensor(&v->tensors[i], &g->tensors[i]);
	}
}

static void traced_profile(const struct etc_trace *t, const struct etc_event *e, size_t sample,
                           const struct etc_raw_profile *g)
{
	struct etc_span m = etc_trace_metadata(t, sample);

	SAME(e->kind == ETC_EVENT_PROFILE && sample < t->sample_count);
	SAME(t->start[sample] == g->start_time && t->end[sample] == g->end_time);
	SAME(e->chain == (uint64_t)(int64_t)g->chain_index);
	SAME(e->instruction_id == g->instruction_id);
	SAME(e->delegate_id == g->delegate_debug_id_int);
	SAME(m.len == g->delegate_debug_metadata.len);
	/* compares bytes, not addresses: the metadata may be a view of another event's */
	SAME(m.len == 0 || memcmp(m.ptr, g->delegate_debug_metadata.ptr, m.len) == 0);
	/* compares bytes, not addresses: a name may be a view of another run's equal name */
	SAME(e->has_name == (g->name.ptr != NULL) && etc_str_eq(etc_event_name(e), g->name));
	SAME(e->has_delegate_name == (g->delegate_debug_id_str.ptr != NULL));
	SAME(etc_str_eq(etc_event_delegate_name(e), g->delegate_debug_id_str));
}

static void traced_debug(const struct etc_event *e, const struct etc_value *v,
                         const struct etc_raw_debug *g)
{
	SAME(e->kind == ETC_EVENT_DEBUG && e->chain == g->chain_index);
	SAME(e->instruction_id == g->instruction_id);
	SAME(e->delegate_id == g->delegate_debug_id_int);
	SAME(e->has_name == (g->name.ptr != NULL) && etc_str_eq(etc_event_name(e), g->name));
	SAME(e->has_delegate_name == (g->delegate_debug_id_str.ptr != NULL));
	SAME(etc_str_eq(etc_event_delegate_name(e), g->delegate_debug_id_str));
	traced_value(v, &g->debug_entry);
}

static void traced_event(const struct etc_trace *t, const struct etc_run *run, uint32_t i,
                         const struct etc_raw_event *g)
{
	const struct etc_event *e = &etc_run_template(t, run)->events[i];

	if (g->profile_event.present) {
		traced_profile(t, e, run->first_sample + e->column, &g->profile_event);
		SAME(e->also_debug == g->debug_event.present);
		SAME(e->also_allocation == g->allocation_event.present);
	} else if (g->debug_event.present) {
		traced_debug(e, &t->values[run->first_value + e->column], &g->debug_event);
		SAME(e->also_allocation == g->allocation_event.present);
	} else if (g->allocation_event.present) {
		SAME(e->kind == ETC_EVENT_ALLOCATION);
		SAME(e->instruction_id == g->allocation_event.allocator_id);
		SAME(t->allocation_size[run->first_allocation + e->column] ==
		     g->allocation_event.allocation_size);
	} else {
		SAME(e->kind == ETC_EVENT_EMPTY);
	}
}

static void compare(const struct etc_trace *t, struct etc_etdump_walk *w, struct oracle *o)
{
	SAME(t->version == o->version && t->run_count == o->runs);
	SAME(t->used_bytes == o->len);
	for (size_t r = 0; r < o->runs; r++) {
		const struct etc_run *run = &t->runs[r];
		const struct etc_run_head *h = etc_run_head(t, run);
		struct oracle_run g = oracle_run(o, r);

		/* compares bytes, not addresses: texts may be views of an earlier run's equal
		 * texts */
		SAME(etc_str_eq(h->name, g.name) && h->has_name == (g.name.ptr != NULL));
		SAME(h->bundled_input_index == g.bundled_input_index && run->at == g.at);
		SAME(h->has_events == g.has_events && h->has_allocators == g.has_allocators);
		SAME(h->allocator_count == g.allocators);
		for (uint32_t i = 0; i < g.allocators; i++)
			SAME(etc_str_eq(h->allocators[i], oracle_allocator(o, &g, i)));
		SAME(etc_run_template(t, run)->count == g.events);
		SAME(etc_etdump_walk_run(w, r) == g.events);
		for (uint32_t i = 0; i < g.events; i++) {
			struct etc_raw_event e = oracle_event(o, i);

			walked_event(etc_etdump_walk_event(w, i), &e);
			traced_event(t, run, i, &e);
		}
	}
}

/* Aborts if the oracle's verdict does not allow the error `err`. `walk`: the walk returned the
 * error, and the trace was read before without one. */
static void judge(const struct oracle *o, const struct etc_error *err, bool walk)
{
	switch (err->code) {
	case E0206: /* tables are shared too often; the oracle counts them in another way */
	case E0904:
		return;
	case E0201:
	case E0204:
		if (o->verdict != ORACLE_FOREIGN)
			wrong("refused as foreign", err->text);
		return;
	case E0207: /* the layout of October 2023, with events where allocators are expected */
		return;
	case E0202:
	case E0205:
		/* The trace reads the members of an old value by today's schema. So it may find
		 * damage in a valid file, which the walk must not. */
		if (o->verdict == ORACLE_WHOLE && !(o->any_2023 && !walk))
			wrong("a whole file was refused", err->text);
		return;
	default:
		wrong("an error that is none of an ETDump", err->text);
	}
}

struct etdump_answer etdump_check(const uint8_t *bytes, size_t len, uint8_t *roles)
{
	struct etc_span file = { bytes, len };
	struct etdump_answer a = { .code = ETC_CODE_NONE };
	struct etc_etdump_walk *w = NULL;
	struct etc_error err = { 0 };
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_trace trace;
	struct oracle o;

	oracle_open(&o, bytes, len, roles);
	etc_arena_init(&arena, 64 << 20);
	etc_notes_init(&notes, &arena);
	a.verdict = o.verdict;
	a.read = etc_etdump_read(file, NULL, &arena, &notes, &trace, &err) == ETC_OK;
	if (!a.read)
		judge(&o, &err, false);
	else if (o.verdict == ORACLE_DAMAGED || o.verdict == ORACLE_FOREIGN)
		wrong("a damaged file was read", o.why ? o.why : "foreign");
	else if (etc_etdump_walk_open(&trace, NULL, &arena, &w, &err) != ETC_OK)
		judge(&o, &err, true);
	else if (o.verdict == ORACLE_WHOLE)
		compare(&trace, w, &o);
	if (!a.read && (trace.runs || !err.text[0]))
		wrong("refused, but not wholly", err.text);
	a.code = err.code;
	if (a.read && etc_notes_warning(&notes))
		a.code = etc_notes_warning(&notes)->code;
	a.digest = a.read && o.verdict == ORACLE_WHOLE ? oracle_digest(&o) : 0;
	oracle_release(&o);
	etc_arena_release(&arena);
	return a;
}
