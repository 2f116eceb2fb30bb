/* remarks.c -- see remarks.h */
#include "profile/remarks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "model/limits.h"
#include "model/own_columns.h"
#include "formats/etdump/debug_buffer.h"
#include "join/site.h"
#include "table/words.h"
#include "tensor/summary.h"

static double value(struct etc_ratio r)
{
	return etc_ratio_double(r);
}

/* Returns the mean time of a typical run in the profile's unit, even if the path's numbers are sums
 * over all runs. */
static double typical(const struct etc_profile_path *p)
{
	return value(etc_ratio(p->time, p->per == p->den ? p->typical_runs * p->den : p->per));
}

const char *etc_remark_path(const struct etc_profile *profile, const struct etc_profile_path *path,
                            char *to)
{
	to[0] = '\0';
	if (profile->path_count > 1)
		snprintf(to, ETC_PATH_TEXT, "path %u: ", path->number);
	return to;
}

const char *etc_p_text(double p, char *to)
{
	if (p < 0.0001)
		snprintf(to, ETC_P_TEXT, "< 0.0001");
	else
		snprintf(to, ETC_P_TEXT, "%.2g", p);
	return to;
}

const char *etc_drift_text(double drift, char *to)
{
	double change = fabs(drift);

	snprintf(to, ETC_DRIFT_TEXT, "%.*f %% %s", change < 0.1 ? 1 : 0, 100 * change,
	         drift < 0 ? "faster" : "slower");
	return to;
}

const char *etc_modes_text(const struct etc_examined *e, char *to)
{
	char p[ETC_P_TEXT];

	if (e->gap > 0)
		snprintf(to, ETC_MODES_TEXT, "%zu fast and %zu slow runs, %.*f %% apart", e->below,
		         e->above, e->gap < 0.1 ? 1 : 0, 100 * e->gap);
	else
		snprintf(to, ETC_MODES_TEXT, "dip test p %s", etc_p_text(e->dip_p, p));
	return to;
}

bool etc_first_is_slower(const struct etc_profile_path *p)
{
	uint64_t most = 0;

	for (size_t i = p->warmup; i < p->runs; i++)
		if (!p->use || p->use[i] == ETC_USE_TYPICAL)
			most = p->samples[i] > most ? p->samples[i] : most;
	return p->warmup > 0 && p->samples[0] > most;
}

/* What messages call the time that typical() returns, by enum etc_stat. */
static const char *const compared_with[ETC_STAT_COUNT] = {
	[ETC_STAT_TYPICAL] = "a typical one",        [ETC_STAT_MEAN] = "the mean of the others",
	[ETC_STAT_TOTAL] = "the mean of the others", [ETC_STAT_MEDIAN] = "the median of the others",
	[ETC_STAT_MIN] = "the fastest one",
};

static void remark_runs(const struct etc_profile *profile, uint32_t n, struct etc_notes *notes)
{
	const struct etc_profile_path *p = &profile->paths[n];
	char at[ETC_PATH_TEXT];

	etc_remark_path(profile, &profile->paths[n], at);
	if (p->runs == 1)
		etc_note_each(notes, N0121, "%sall numbers are of this run", at);
	else if (p->warmup == 1 && typical(p) > 0 && etc_first_is_slower(p))
		etc_note_each(notes, N0120, "%sit took %.1f \xc3\x97 %s", at,
		              value(etc_ratio(p->samples[0], p->den)) / typical(p),
		              compared_with[profile->stat]);
	else if (p->warmup > 1 && etc_first_is_slower(p))
		etc_note_each(notes, N0120, "%s%zu runs", at, p->warmup);
	if (p->loads_between)
		etc_note_each(notes, N0123, "%swhat runs after it starts cold", at);
	if (typical(p) > 0 && value(p->mean) > 2 * typical(p))
		etc_note_each(notes, N0124, "%s%.1f \xc3\x97", at, value(p->mean) / typical(p));
	if (p->repeats)
		etc_note_each(notes, N0128, "%scalls per run say how often", at);
}

/* Reports rows that may in truth take more time than the first row: rows are ranked by measured
 * time, and timers that truncate may hide a part of any row's time. */
static void remark_first(const struct etc_profile *profile, uint32_t n, const char *at,
                         struct etc_notes *notes)
{
	enum { NAMED = 3 };
	const struct etc_profile_row *first;
	struct etc_text text = { 0 };
	uint32_t found = 0;
	size_t from, to;

	etc_profile_rows(profile, n, &from, &to);
	if (from == to)
		return;
	first = &profile->rows[from];
	for (size_t i = from; i < to; i++) {
		const struct etc_profile_row *r = &profile->rows[i];

		if (first->detached || r->detached || r->grouped || r->self_only || r->bound == 0 ||
		    r == first || r->self + r->bound <= first->self)
			continue;
		if (found < NAMED)
			etc_text_printf(&text, "%s" ETC_STR_FMT, found ? ", " : "",
			                ETC_STR_ARG(etc_row_word(r)));
		found++;
	}
	if (found > NAMED)
		etc_text_printf(&text, " and %u more", found - NAMED);
	if (found)
		etc_note_each(notes, N0988, "%sbefore " ETC_STR_FMT " perhaps " ETC_STR_FMT, at,
		              ETC_STR_ARG(etc_row_word(first)), ETC_STR_ARG(etc_text_str(&text)));
	etc_text_release(&text);
}

static void remark_time(const struct etc_profile *profile, uint32_t n, struct etc_notes *notes)
{
	const struct etc_profile_path *p = &profile->paths[n];
	char at[ETC_PATH_TEXT];

	etc_remark_path(profile, &profile->paths[n], at);
	if (p->truncated_events && p->zero_events)
		etc_note_each(notes, N0301, "%s%u of %u delegate events read 0 in %s%zu kept run%s",
		              at, p->zero_events, p->truncated_events, p->kept == 1 ? "" : "all ",
		              p->kept, etc_plural(p->kept));
	if (p->synthetic_events)
		etc_note_each(notes, N0302, "%s%u event%s", at, p->synthetic_events,
		              etc_plural(p->synthetic_events));
	if (p->delegated > 0 && p->rounding * 2 > p->delegated)
		etc_note_each(notes, N0304, "%s%.0f %% of it", at,
		              100 * value(etc_ratio(p->rounding, p->delegated)));
	else if (p->truncated_events)
		remark_first(profile, n, at, notes);
}

static void remark_detached(const struct etc_profile *profile, uint32_t n, struct etc_notes *notes)
{
	uint32_t count[ETC_DETACH_COUNT] = { 0 };
	uint64_t excess = n < profile->path_count ? profile->paths[n].excess : 0;
	double most = excess ? value(etc_ratio(excess, profile->den)) : 0; /* ns */
	const char *by = excess == UINT64_MAX ? "more than" : "up to";
	char at[ETC_PATH_TEXT], more[64] = "";

	etc_remark_path(profile, &profile->paths[n], at);
	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].path == n && profile->rows[i].detached)
			count[profile->rows[i].why]++;
	if (excess && profile->unit == ETC_UNIT_NS && most < 1000)
		snprintf(more, sizeof more, " by %s %.4g ns per run", by, most);
	else if (excess && profile->unit == ETC_UNIT_NS)
		snprintf(more, sizeof more, " by %s %.2f \xc2\xb5s per run", by, most / 1000);
	for (uint8_t why = 1; why < ETC_DETACH_COUNT; why++)
		if (count[why] && why != ETC_DETACH_INVALID)
			etc_note_each(notes, N0303, "%s%u row%s: %s%s", at, count[why],
			              etc_plural(count[why]), etc_detach_text(why),
			              why == ETC_DETACH_EXCEED ? more : "");
}

/* Reports times that exceed 64 bits. */
static void remark_beyond(const struct etc_profile *profile, struct etc_notes *notes)
{
	if (etc_profile_beyond(profile))
		etc_note(notes, W0647, "counted as %.17g %s: it took that or longer",
		         value(etc_ratio(UINT64_MAX, profile->den)),
		         profile->unit == ETC_UNIT_NS ? "ns" : "of its unit");
}

/* Reports events of the whole file that end before they start, and therefore have no duration. */
static void remark_wraps(const struct etc_wraps *w, struct etc_notes *notes)
{
	if (w->count)
		etc_note(notes, W0306, "%zu event%s; the first from %llu to %llu", w->count,
		         etc_plural(w->count), (unsigned long long)w->start,
		         (unsigned long long)w->end);
}

static void remark_backends(const struct etc_profile *profile, struct etc_notes *notes)
{
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];

		if (r->delegate && !r->facts && r->backend.len && !r->truncated)
			etc_note_each(notes, N0305, ETC_STR_FMT, ETC_STR_ARG(r->backend));
		else if (r->delegate && !r->facts && !r->backend.len)
			etc_note_each(notes, N0305, "a backend that nothing names");
	}
}

void etc_remark_profile(const struct etc_profile *profile, struct etc_notes *notes)
{
	if (profile->profiles == 0)
		etc_note(notes, W0203,
		         "the file is valid: %zu block%s, %llu debug and %llu allocation events",
		         profile->run_count, etc_plural(profile->run_count),
		         (unsigned long long)profile->debugs,
		         (unsigned long long)profile->allocations);
	else if (profile->executes == 0)
		etc_note(notes, N0125, "%zu block%s", profile->run_count,
		         etc_plural(profile->run_count));
	if (profile->skipped && profile->profiles && profile->executes)
		etc_note(notes, N0126, "%zu of %zu", profile->skipped, profile->run_count);
	if (profile->path_count > 1)
		etc_note(notes, N0122, "%u paths", profile->path_count);
	if (profile->stat == ETC_STAT_MEDIAN)
		etc_note(notes, N0130, "%s", "");
	if (profile->loads_unknown)
		etc_note(notes, N0133, "%zu load%s", profile->load_count,
		         etc_plural(profile->load_count));
	for (uint32_t n = 0; n < profile->path_count && n < 8; n++) {
		remark_runs(profile, n, notes);
		remark_time(profile, n, notes);
		remark_detached(profile, n, notes);
	}
	remark_beyond(profile, notes);
	remark_wraps(&profile->wraps, notes);
	remark_backends(profile, notes);
	if (profile->allocations)
		etc_note(notes, N0129, "%llu", (unsigned long long)profile->allocations);
}

void etc_remark_columns(const struct etc_profile *profile, struct etc_notes *notes)
{
	uint64_t over = 0, cut = 0;

	for (uint32_t i = 0; i < profile->declared_count; i++) {
		const struct etc_declared *d = &profile->declared[i];

		if (d->owned && etc_column_own(d->name).ptr)
			etc_note_each(notes, N0996,
			              "'" ETC_STR_FMT "' of " ETC_STR_FMT
			              " is shown as 'metadata." ETC_STR_FMT "'",
			              ETC_STR_ARG(d->name), ETC_STR_ARG(d->by),
			              ETC_STR_ARG(d->name));
	}
	for (uint32_t p = 0; p < profile->path_count; p++) {
		over += profile->paths[p].sums_over;
		cut += profile->paths[p].sets_cut;
	}
	if (over)
		etc_note_each(notes, N0997, "%" PRIu64 " sum%s beyond 64 bits: blank", over,
		              etc_plural(over));
	if (cut)
		etc_note_each(notes, N0997,
		              "%" PRIu64 " list%s of more than %d values: the first are kept", cut,
		              etc_plural(cut), (int)ETC_LIMIT_SET);
}

void etc_remark_places(const struct etc_profile *grouped, struct etc_notes *notes)
{
	for (uint32_t n = 0; n < grouped->path_count; n++) {
		const struct etc_profile_path *p = &grouped->paths[n];
		char at[ETC_PATH_TEXT];

		etc_remark_path(grouped, &grouped->paths[n], at);
		if (p->placed_events < p->delegate_events)
			etc_note_each(notes, N0451, "%s%u of %u have one %s", at, p->placed_events,
			              p->delegate_events, etc_row_key(grouped->by)->title);
	}
}

/* ---- the record ---------------------------------------------------------- */

/* Reports properties of the record that make other tools fail. */
static void remark_methods(const struct etc_record *record, struct etc_notes *notes)
{
	const struct etc_method_maps *only = NULL;
	uint32_t methods = 0;

	for (uint32_t m = 0; m < record->method_count; m++) {
		if (!record->methods[m].in_handle_map)
			continue;
		only = &record->methods[m];
		methods++;
	}
	if (methods == 1 && !etc_str_eq(only->method, ETC_STR("forward")))
		etc_note(notes, W0425, "using '" ETC_STR_FMT "', the only one",
		         ETC_STR_ARG(only->method));
	for (uint32_t i = 0; i < record->unknown_count; i++)
		if (etc_str_find(record->unknown[i], ETC_STR(".."), 0) != SIZE_MAX ||
		    etc_str_starts(record->unknown[i], ETC_STR("/")))
			etc_note(notes, W0426, "'" ETC_STR_FMT "'",
			         ETC_STR_ARG(record->unknown[i]));
}

void etc_remark_record(const struct etc_profile *profile, const struct etc_inputs *in, uint8_t by,
                       struct etc_notes *notes)
{
	if (!in->etrecord.path && etc_row_key(by)->places) {
		etc_note(notes, N0450, "--by %s", etc_row_key(by)->word);
	} else if (!in->etrecord.path) {
		if (profile->executes)
			etc_note(notes, N0423, "%s", "");
	}
	if (by == ETC_BY_FALLBACK && !in->program.path)
		etc_note(notes, N0557, "%s",
		         in->etrecord.path && !in->record_foreign.len
		                 ? "reason; shapes and types are those of the ETRecord's graph"
		                 : "shapes, types, reason");
	if (!in->etrecord.path)
		return;
	remark_methods(&in->record, notes);
	if (!in->record_foreign.len && etc_row_key(by)->places && !etc_inputs_program(in))
		etc_note(notes, N0438, "%s", "");
}

/* ---- debug values -------------------------------------------------------- */

static bool same_sizes(const struct etc_tensor *a, const struct etc_tensor *b)
{
	return a->rank == b->rank &&
	       (!a->rank || memcmp(a->sizes, b->sizes, a->rank * sizeof *a->sizes) == 0);
}

static bool same_tensor(const struct etc_tensor *a, const struct etc_tensor *b,
                        const struct etc_span *buffer, struct etc_arena *scratch)
{
	struct etc_tensor_view va, vb;
	struct etc_span ba, bb;

	if (a->scalar_type != b->scalar_type || !same_sizes(a, b))
		return false;
	if (!buffer || a->offset == b->offset ||
	    etc_debug_tensor(a, *buffer, &va, NULL) != ETC_OK ||
	    etc_debug_tensor(b, *buffer, &vb, NULL) != ETC_OK ||
	    etc_debug_contiguous(&va, scratch, &ba, NULL) != ETC_OK ||
	    etc_debug_contiguous(&vb, scratch, &bb, NULL) != ETC_OK)
		/* if it cannot be decided, the values count as equal; another warning gives the
		 * reason */
		return true;
	return ba.len == bb.len && (ba.len == 0 || memcmp(ba.ptr, bb.ptr, ba.len) == 0);
}

static bool same_value(const struct etc_value *a, const struct etc_value *b,
                       const struct etc_span *buffer, size_t budget)
{
	struct etc_arena scratch;
	bool same = true;

	if (a->tag != b->tag || a->present != b->present || a->count != b->count)
		return false;
	switch (a->tag) {
	case ETC_VALUE_INT:
	case ETC_VALUE_BOOL:
		return a->i == b->i;
	case ETC_VALUE_FLOAT:
	case ETC_VALUE_DOUBLE:
		/* Compared as bytes, so that a NaN equals itself.
		 * NOLINTNEXTLINE(*-suspicious-memory-comparison) */
		return memcmp(&a->d, &b->d, sizeof a->d) == 0;
	case ETC_VALUE_STRING:
		return etc_str_eq(a->text, b->text);
	default:
		break;
	}
	etc_arena_init(&scratch, budget);
	for (uint32_t i = 0; i < a->count && same; i++)
		same = same_tensor(&a->tensors[i], &b->tensors[i], buffer, &scratch);
	etc_arena_release(&scratch);
	return same;
}

/* Returns the number of an execute run as in `--by run`. For other runs, returns the position in
 * the file's list of runs, from 1. */
static size_t number_of(const struct etc_trace *t, size_t run)
{
	size_t number = 0;
	uint32_t root;

	if (etc_template_kind(etc_run_template(t, &t->runs[run]), &root) != ETC_RUN_EXECUTE)
		return run + 1;
	for (size_t r = 0; r <= run; r++)
		number += etc_template_kind(etc_run_template(t, &t->runs[r]), &root) ==
		          ETC_RUN_EXECUTE;
	return number;
}

/* The value that an event logged in the run `run`, and the value that it logged in the first run
 * with the same event list. */
struct debug_pair {
	const struct etc_value *value, *first;
	const struct etc_event *event;
	size_t run, first_run;
};

typedef bool differ_fn(const struct debug_pair *p, const struct etc_span *buffer, size_t budget);

static bool differ_in_size(const struct debug_pair *p, const struct etc_span *buffer, size_t budget)
{
	const struct etc_value *a = p->value, *b = p->first;
	const bool tensors =
		(a->tag == ETC_VALUE_TENSOR || a->tag == ETC_VALUE_TENSOR_LIST) && a->tag == b->tag;
	bool same = true;

	(void)buffer;
	(void)budget;
	for (uint32_t i = 0; tensors && i < a->count && i < b->count && same; i++)
		same = same_sizes(&a->tensors[i], &b->tensors[i]);
	return !same;
}

static bool differ(const struct debug_pair *p, const struct etc_span *buffer, size_t budget)
{
	return !same_value(p->first, p->value, buffer, budget);
}

/* Sets `*p` to the first pair of values for which `differs` returns true. False: there is none. */
static bool find_pair(const struct etc_inputs *in, differ_fn *differs, size_t budget,
                      struct debug_pair *p)
{
	const struct etc_trace *t = &in->trace;
	const struct etc_span *buffer = in->debug_buffer.path ? &in->debug_buffer.bytes : NULL;

	for (size_t r = 0; r < t->run_count; r++) {
		const struct etc_template *template = etc_run_template(t, &t->runs[r]);
		const struct etc_run *first = &t->runs[template->first_run];

		for (uint32_t i = 0; template->debugs && i < template->count; i++) {
			const struct etc_event *e = &template->events[i];

			if (e->kind != ETC_EVENT_DEBUG)
				continue;
			*p = (struct debug_pair){
				.value = &t->values[t->runs[r].first_value + e->column],
				.first = &t->values[first->first_value + e->column],
				.event = e,
				.run = r,
				.first_run = template->first_run,
			};
			if (differs(p, buffer, budget))
				return true;
		}
	}
	return false;
}

void etc_remark_debug(const struct etc_inputs *in, struct etc_notes *notes, size_t budget)
{
	struct debug_pair p;
	const bool sizes = find_pair(in, differ_in_size, budget, &p);

	if (sizes || find_pair(in, differ, budget, &p))
		etc_note(notes, W0710, "run %zu and run %zu log %s for instruction %d%s",
		         number_of(&in->trace, p.run), number_of(&in->trace, p.first_run),
		         sizes ? "tensors of different sizes" : "different values",
		         (int)p.event->instruction_id,
		         sizes ? ", so their times are not those of the same work" : "");
}

/* Outputs of the program that have elements which are not finite. */
struct bad_outputs {
	/* number of runs with outputs, and of runs with bad outputs */
	size_t runs, runs_bad;
	/* the first bad output: its run, its index among the run's outputs (`output`), the number
	 * of its elements that are not finite (`bad`) and of all its elements (`of`) */
	size_t run;
	uint32_t output;
	uint64_t bad, of;
	uint64_t left; /* number of bytes that may still be read */
};

/* Is the value an output of the program? Scalars that a program returns are logged outside of
 * instructions, without the flag of an output. */
static bool is_output(const struct etc_event *e, const struct etc_value *v)
{
	return v->output || ((e->chain == UINT64_MAX || e->instruction_id < 0) &&
	                     v->tag >= ETC_VALUE_INT && v->tag <= ETC_VALUE_DOUBLE);
}

/* Counts the elements of a tensor that are NaN or infinite. Sets `*of` to the number of elements;
 * 0: they cannot be read. */
static uint64_t count_bad(const struct etc_tensor *t, const struct etc_span *buffer, uint64_t *left,
                          uint64_t *of)
{
	struct etc_tensor_view view;
	struct etc_elements e;
	struct etc_summary sum;
	uint64_t width;

	*of = 0;
	if (!buffer || etc_debug_tensor(t, *buffer, &view, NULL) != ETC_OK ||
	    !etc_elements_of_view(&view, &e) || e.kind != ETC_SCALAR_FLOAT)
		return 0;
	width = etc_element_width(&e) + 1;
	if (e.count > *left / width)
		return 0;
	*left -= e.count * width;
	etc_summarise(&e, &sum, NULL, NULL);
	*of = e.count;
	return sum.nan + sum.inf;
}

/* Adds the output `v`, whose number in run `run` is `*output`, and advances `*output`. Each tensor
 * of a list counts as one output. Returns true if one of the outputs is a NaN or infinite, or has
 * such an element. */
static bool add_output(struct bad_outputs *b, const struct etc_value *v,
                       const struct etc_span *buffer, size_t run, uint32_t *output)
{
	const bool number = v->tag == ETC_VALUE_FLOAT || v->tag == ETC_VALUE_DOUBLE;
	bool found = false;

	for (uint32_t i = 0; i < v->count || i == 0; i++, (*output)++) {
		uint64_t of = 1, bad = number && !isfinite(v->d);

		if (i < v->count)
			bad = count_bad(&v->tensors[i], buffer, &b->left, &of);
		if (bad && !b->bad) {
			b->run = run;
			b->output = *output;
			b->bad = bad;
			b->of = of;
		}
		found = found || bad;
	}
	return found;
}

static void add_run(struct bad_outputs *b, const struct etc_trace *t, size_t run,
                    const struct etc_span *buffer)
{
	const struct etc_template *template = etc_run_template(t, &t->runs[run]);
	uint32_t outputs = 0;
	bool bad = false;

	for (uint32_t i = 0; template->debugs && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		const struct etc_value *v;

		if (e->kind != ETC_EVENT_DEBUG)
			continue;
		v = &t->values[t->runs[run].first_value + e->column];
		if (is_output(e, v) && add_output(b, v, buffer, run, &outputs))
			bad = true;
	}
	b->runs += outputs > 0;
	b->runs_bad += bad;
}

void etc_remark_outputs(const struct etc_inputs *in, struct etc_notes *notes, size_t budget)
{
	const struct etc_span *buffer = in->debug_buffer.path ? &in->debug_buffer.bytes : NULL;
	struct bad_outputs b = { .left = (buffer ? buffer->len : 0) + budget };

	for (size_t r = 0; r < in->trace.run_count; r++)
		add_run(&b, &in->trace, r, buffer);
	if (b.bad)
		etc_note(notes, W0711,
		         "in %zu of %zu runs; first in run %zu, output %" PRIu32 ": %" PRIu64
		         " of %" PRIu64 " elements",
		         b.runs_bad, b.runs, number_of(&in->trace, b.run), b.output, b.bad, b.of);
}
