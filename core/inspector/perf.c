/* perf.c -- the time arithmetic: PerfData of every event of a block.
 *
 * Columns are run-major, statistics are per event: eight events at a time are
 * turned into rows, so each cache line is used whole. Delegated events without
 * converter are scaled before the subtraction, all others after it. */
#include "inspector/inspector.h"

#include <stdlib.h>

#include "base/memory.h"
#include "inspector/select.h"

enum { TOGETHER = 8 };
static const uint64_t max_u32 = UINT32_MAX;

/* TIME_SCALE_DICT */
static double per_second(uint8_t unit)
{
	return unit == ETC_UNIT_CYCLES ? 1 : 1e9 / etc_unit_ns(unit);
}

enum etc_status etc_inspector_scales(uint8_t source, uint8_t target, double *factor,
                                     struct etc_error *err)
{
	if ((source == ETC_UNIT_CYCLES) != (target == ETC_UNIT_CYCLES))
		return etc_fail(err, E0806, "source_time_scale %s, target_time_scale %s",
		                etc_unit_name(source), etc_unit_name(target));
	*factor = per_second(source) / per_second(target);
	return ETC_OK;
}

static enum etc_status wraps(struct etc_error *err, const struct etc_insp_event *e, double start,
                             double end)
{
	return etc_fail(err, E0805, "event '" ETC_STR_FMT "': start %.17g, end %.17g",
	                ETC_STR_ARG(e->name), start, end);
}

/* _calculate_elapsed_time on raw ticks; false: it raises. Off by one as there. */
static bool elapsed(uint64_t start, uint64_t end, uint64_t *out)
{
	if (start > end) {
		if (start > max_u32 || end > max_u32)
			return false;
		*out = max_u32 - start + end;
		return true;
	}
	*out = end - start;
	return true;
}

/* The same on converted values. */
static bool elapsed_scaled(double start, double end, double *out)
{
	if (start > end) {
		if (start > (double)max_u32 || end > (double)max_u32)
			return false;
		*out = ((double)max_u32 - start) + end;
		return true;
	}
	*out = end - start;
	return true;
}

/* One value of raw; false: it raises. */
static inline bool scaled(const struct etc_inspector *in, const struct etc_insp_event *e,
                          size_t sample, double *out)
{
	uint64_t start = in->trace->start[sample], end = in->trace->end[sample], ticks;

	if (e->is_delegated)
		return elapsed_scaled((double)start / in->factor, (double)end / in->factor, out);
	if (!elapsed(start, end, &ticks))
		return false;
	*out = (double)ticks / in->factor;
	return true;
}

void etc_insp_raw(const struct etc_inspector *in, const struct etc_insp_block *b,
                  const struct etc_insp_event *e, double *raw)
{
	for (uint32_t i = 0; i < b->run_count; i++) {
		size_t at = etc_insp_sample(in, b, (uint32_t)(e - b->events), i);

		if (!scaled(in, e, at, &raw[i]))
			raw[i] = 0; /* etc_insp_times has refused the file before */
	}
}

/* PerfData's properties. `v` is rearranged. */
static void statistics(struct etc_insp_event *e, double *v, size_t n)
{
	size_t sorted_to = 0;
	double min = v[0], max = v[0];

	for (size_t i = 1; i < n; i++) {
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
	}
	e->stats[ETC_INSP_AVG] = e->int_raw ? etc_insp_mean_of_integers(v, n) : etc_insp_mean(v, n);
	e->stats[ETC_INSP_MIN] = min;
	e->stats[ETC_INSP_MAX] = max;
	e->stats[ETC_INSP_P10] = etc_insp_percentile(v, n, 10 / 100.0, &sorted_to);
	e->stats[ETC_INSP_P50] = etc_insp_percentile(v, n, 50 / 100.0, &sorted_to);
	e->stats[ETC_INSP_P90] = etc_insp_percentile(v, n, 90 / 100.0, &sorted_to);
}

/* Is raw computed from the columns? */
static bool is_computed(const struct etc_insp_event *e)
{
	return e->profile && !etc_insp_extra(e)->converted;
}

/* Events [from, from + count) of the block, at most TOGETHER, into rows of `row`. */
static bool transpose(const struct etc_inspector *in, const struct etc_insp_block *b, uint32_t from,
                      uint32_t count, double *row)
{
	const struct etc_insp_event *events = b->events + from;
	bool wanted[TOGETHER];

	for (uint32_t k = 0; k < count; k++)
		wanted[k] = is_computed(&events[k]);
	for (uint32_t i = 0; i < b->run_count; i++) {
		const uint32_t *columns = in->variants[b->variant[i]].profile + from;
		size_t first = in->trace->runs[b->runs[i]].first_sample;

		etc_insp_ahead(in, b, from, i, true);
		for (uint32_t k = 0; k < count; k++)
			if (wanted[k] && !scaled(in, &events[k], first + columns[k],
			                         &row[k * (size_t)b->run_count + i]))
				return false;
	}
	return true;
}

/* The Inspector meets the events one after the other, all runs of each: the
 * first wrap in that order is the one to report. */
static enum etc_status first_wrap(const struct etc_inspector *in, const struct etc_insp_block *b,
                                  uint32_t from, uint32_t to, struct etc_error *err)
{
	for (uint32_t k = from; k < to; k++)
		for (uint32_t i = 0; i < b->run_count && is_computed(&b->events[k]); i++) {
			size_t at = etc_insp_sample(in, b, k, i);
			double v;

			if (!scaled(in, &b->events[k], at, &v))
				return wraps(err, &b->events[k], (double)in->trace->start[at],
				             (double)in->trace->end[at]);
		}
	return ETC_OK;
}

/* ---- delegated events of a plugin with a time converter ---------------------- */

static double value_of(const struct etc_converted *c)
{
	return c->is_integer ? (double)c->i : c->f;
}

/* Python's int - int is exact, everything else is done in doubles. */
static bool difference(const struct etc_converted *start, const struct etc_converted *end,
                       struct etc_converted *out)
{
	double d;

	if (start->is_integer && end->is_integer) {
		int64_t e;

		if (start->i > end->i) {
			if (start->i > (int64_t)max_u32 || end->i > (int64_t)max_u32)
				return false;
			e = (int64_t)max_u32 - start->i + end->i;
		} else {
			e = (int64_t)((uint64_t)end->i - (uint64_t)start->i);
		}
		*out = (struct etc_converted){ .is_integer = true, .i = e };
		return true;
	}
	if (!elapsed_scaled(value_of(start), value_of(end), &d))
		return false;
	*out = (struct etc_converted){ .is_integer = false, .f = d };
	return true;
}

static bool serves(const struct etc_plugin *p)
{
	return p->state == ETC_PLUGIN_LOADED && p->named && p->abi &&
	       p->abi->role == ETCORE_ROLE_OWNER;
}

/* The only plugin that can play the part of the two callables; NULL: there is none,
 * or there are `many`, of which the rules of the configuration are some. */
static struct etc_plugin *only_server(const struct etc_inspector *in, bool *many)
{
	struct etc_plugin *only = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < in->host->count; i++)
		if (serves(&in->host->plugins[i])) {
			only = &in->host->plugins[i];
			count++;
		}
	*many = count > 1 || (count == 0 && in->host->ruled_count > 0);
	return *many ? NULL : only;
}

/* A call of one event: what the Inspector hands to its callables. */
struct one_event {
	struct etc_insp_block *block;
	struct etc_insp_event *insp;
	struct etc_plugin *plugin; /* who serves it; NULL: nobody */
	struct etcore_call call;
	struct etcore_event event;
	const struct etcore_event *list[1];
	uint64_t *start, *end;
	struct etcore_bytes *metadata;
};

static struct etcore_text text_of(struct etc_str s)
{
	return (struct etcore_text){ s.ptr, s.len };
}

static enum etc_status describe(struct etc_inspector *in, struct etc_insp_block *b,
                                struct etc_insp_event *e, struct etc_arena *arena,
                                struct one_event *out, struct etc_error *err)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);
	uint32_t n = b->run_count;

	*out = (struct one_event){ .block = b, .insp = e };
	out->start = etc_new(arena, uint64_t, n);
	out->end = etc_new(arena, uint64_t, n);
	out->metadata = in->trace->metadata_at ? etc_new(arena, struct etcore_bytes, n) : NULL;
	if (!out->start || !out->end || (in->trace->metadata_at && !out->metadata))
		return etc_fail(err, E0904, "%u samples", (unsigned)n);
	for (uint32_t i = 0; i < n; i++) {
		size_t at = etc_insp_sample(in, b, (uint32_t)(e - b->events), i);

		if (at == SIZE_MAX)
			continue;
		out->start[i] = in->trace->start[at];
		out->end[i] = in->trace->end[at];
		if (out->metadata) {
			struct etc_span m = etc_trace_metadata(in->trace, at);

			out->metadata[i] = (struct etcore_bytes){ m.ptr, m.len };
		}
	}
	out->event = (struct etcore_event){
		.size = sizeof out->event,
		.flags = ETCORE_EVENT_DELEGATE,
		.instruction_id = e->instruction_id,
		.delegate_id = (e->profile ? e->profile : x->debug)->delegate_id,
		.delegate_name = text_of(e->id_is_int ? ETC_STR_NONE : etc_insp_id(e)),
		.samples = e->profile ? n : 0,
		.start = out->start,
		.end = out->end,
		.metadata = e->has_metadata ? out->metadata : NULL,
	};
	out->list[0] = &out->event;
	out->call = (struct etcore_call){
		.size = sizeof out->call,
		.count = 1,
		.backend = text_of(x->has_backend ? x->backend : ETC_STR_NONE),
		.block = text_of(b->name),
		.events = out->list,
	};
	return ETC_OK;
}

/* Asks the plugin's converter for all starts, then all ends of an event. */
static enum etc_status convert(struct etc_inspector *in, struct one_event *one,
                               const struct etcore_scales *scales, struct etc_error *err)
{
	struct etc_insp_event *e = one->insp;
	struct etc_plugin *p = one->plugin;
	uint32_t n = one->block->run_count;
	struct etc_converted *start = etc_new(in->arena, struct etc_converted, n);
	struct etc_converted *end = etc_new(in->arena, struct etc_converted, n);
	bool declined, also;

	if (!start || !end || !etc_insp_extend(in, e))
		return etc_fail(err, E0904, "%u samples", (unsigned)n);
	ETC_TRY(etc_host_convert_time(p, &one->call, 0, scales, one->start, n, start, &declined,
	                              err));
	if (declined)
		return ETC_OK;
	ETC_TRY(etc_host_convert_time(p, &one->call, 0, scales, one->end, n, end, &also, err));
	if (also)
		return ETC_OK;
	e->int_raw = true;
	for (uint32_t i = 0; i < n; i++) {
		if (!difference(&start[i], &end[i], &start[i]))
			return wraps(err, e, value_of(&start[i]), value_of(&end[i]));
		e->int_raw = e->int_raw && start[i].is_integer;
	}
	e->extra->converted = start;
	return ETC_OK;
}

/* Statistics of an event whose times were converted. */
static enum etc_status take_converted(struct etc_insp_event *e, uint32_t n, struct etc_error *err)
{
	const struct etc_converted *c = e->extra->converted;
	double *v = etc_malloc(n * sizeof *v);

	if (!v)
		return etc_fail(err, E0904, "%u samples", (unsigned)n);
	for (uint32_t i = 0; i < n; i++)
		v[i] = value_of(&c[i]);
	statistics(e, v, n);
	free(v);
	/* min() and max() give an element back, with its type. */
	for (uint32_t i = n; i-- > 0;) {
		if (value_of(&c[i]) == e->stats[ETC_INSP_MIN])
			e->int_min = c[i].is_integer;
		if (value_of(&c[i]) == e->stats[ETC_INSP_MAX])
			e->int_max = c[i].is_integer;
	}
	return ETC_OK;
}

/* ---- some events at a time, for plugins that run elsewhere ----------------------- */

enum { WINDOW_EVENTS = 1024, WINDOW_BYTES = 1 << 20 };

struct window {
	struct etc_inspector *in;
	struct etc_arena arena; /* of the events in it */
	struct one_event *v;
	uint32_t count;
	size_t bytes;
	struct etcore_scales scales; /* of convert_time; size 0: metadata is parsed */
};

static void window_init(struct window *w, struct etc_inspector *in)
{
	*w = (struct window){ .in = in };
	etc_arena_init(&w->arena, in->arena->budget);
}

/* Who serves the events, and what these plugins will be asked. */
static enum etc_status expect(struct window *w, struct etc_error *err)
{
	struct etc_expected *all = etc_new(&w->arena, struct etc_expected, w->count);
	bool many, convert = w->scales.size != 0;
	struct etc_plugin *only = only_server(w->in, &many);
	uint32_t n = 0;

	if (!all)
		return etc_fail(err, E0904, "%u events", (unsigned)w->count);
	for (uint32_t i = 0; i < w->count; i++)
		all[i].call = &w->v[i].call;
	if (many)
		ETC_TRY(etc_host_expect(w->in->host, all, w->count, &w->arena, err));
	for (uint32_t i = 0; i < w->count; i++) {
		struct one_event *one = &w->v[i];

		one->plugin = only;
		if (many)
			ETC_TRY(etc_host_owner(w->in->host, &one->call, &one->plugin, err));
		if (one->plugin)
			all[n++] = (struct etc_expected){ .call = &one->call,
				                          .plugin = one->plugin,
				                          .scales = convert ? &w->scales : NULL,
				                          .starts = one->start,
				                          .ends = one->end,
				                          .count = one->block->run_count,
				                          .parse = !convert };
	}
	return etc_host_expect(w->in->host, all, n, &w->arena, err);
}

static enum etc_status ask_one(struct window *w, struct one_event *one, struct etc_error *err)
{
	struct etc_insp_event *e = one->insp;

	if (w->scales.size == 0) {
		struct etc_insp_extra *x = etc_insp_extend(w->in, e);

		if (!x)
			return etc_fail(err, E0904, "metadata of an event");
		ETC_TRY(etc_host_parse_metadata(one->plugin, &one->call, 0, &x->parsed, err));
		x->was_parsed = one->plugin && one->plugin->abi->parse_metadata &&
		                !one->plugin->quarantined;
		return ETC_OK;
	}
	if (!one->plugin)
		return ETC_OK;
	ETC_TRY(convert(w->in, one, &w->scales, err));
	return etc_insp_extra(e)->converted ? take_converted(e, one->block->run_count, err)
	                                    : ETC_OK;
}

static enum etc_status window_ask(struct window *w, struct etc_error *err)
{
	enum etc_status st = w->count ? expect(w, err) : ETC_OK;

	for (uint32_t i = 0; i < w->count && st == ETC_OK; i++)
		st = ask_one(w, &w->v[i], err);
	etc_arena_release(&w->arena);
	w->v = NULL;
	w->count = 0;
	w->bytes = 0;
	return st;
}

static enum etc_status window_add(struct window *w, struct etc_insp_block *b,
                                  struct etc_insp_event *e, struct etc_error *err)
{
	if (!w->v)
		w->v = etc_new(&w->arena, struct one_event, WINDOW_EVENTS);
	if (!w->v)
		return etc_fail(err, E0904, "%u events", (unsigned)WINDOW_EVENTS);
	ETC_TRY(describe(w->in, b, e, &w->arena, &w->v[w->count++], err));
	w->bytes += b->run_count * 2 * sizeof(uint64_t);
	if (w->count < WINDOW_EVENTS && w->bytes < WINDOW_BYTES)
		return ETC_OK;
	return window_ask(w, err);
}

/* Those delegated events of the block for which a plugin is asked. */
static enum etc_status ask_events(struct window *w, struct etc_insp_block *b, struct etc_error *err)
{
	for (uint32_t k = 0; k < b->event_count; k++)
		if (b->events[k].is_delegated && (b->events[k].profile || w->scales.size == 0))
			ETC_TRY(window_add(w, b, &b->events[k], err));
	return ETC_OK;
}

static enum etc_status convert_events(struct etc_inspector *in, struct etc_insp_block *b,
                                      struct etc_error *err)
{
	enum etc_status st;
	struct window w;

	if (!in->host)
		return ETC_OK;
	window_init(&w, in);
	w.scales = (struct etcore_scales){ sizeof w.scales, in->source, in->target, 0, in->factor };
	st = ask_events(&w, b, err);
	if (st == ETC_OK)
		st = window_ask(&w, err);
	etc_arena_release(&w.arena);
	return st;
}

/* Statistics of events [from, to) of the block from the columns. */
static enum etc_status compute(const struct etc_inspector *in, const struct etc_insp_block *b,
                               uint32_t from, uint32_t to, struct etc_error *err)
{
	double *rows = etc_malloc(TOGETHER * sizeof *rows * (b->run_count ? b->run_count : 1));
	enum etc_status st = ETC_OK;

	if (!rows)
		return etc_fail(err, E0904, "%u runs", (unsigned)b->run_count);
	for (; from < to && st == ETC_OK; from += TOGETHER) {
		uint32_t count = to - from < TOGETHER ? to - from : TOGETHER;

		if (!transpose(in, b, from, count, rows)) {
			st = first_wrap(in, b, from, from + count, err);
			break;
		}
		for (uint32_t k = 0; k < count; k++)
			if (is_computed(&b->events[from + k]))
				statistics(&b->events[from + k], rows + k * (size_t)b->run_count,
				           b->run_count);
	}
	free(rows);
	return st;
}

enum etc_status etc_insp_times(struct etc_inspector *in, struct etc_insp_block *b,
                               struct etc_error *err)
{
	ETC_TRY(convert_events(in, b, err));
	return compute(in, b, 0, b->event_count, err);
}

enum etc_status etc_insp_parse_metadata(struct etc_inspector *in, struct etc_error *err)
{
	enum etc_status st = ETC_OK;
	struct window w;

	if (!in->host)
		return ETC_OK;
	window_init(&w, in);
	for (uint32_t i = 0; i < in->block_count && st == ETC_OK; i++)
		st = ask_events(&w, &in->blocks[i], err);
	if (st == ETC_OK)
		st = window_ask(&w, err);
	etc_arena_release(&w.arena);
	return st;
}
