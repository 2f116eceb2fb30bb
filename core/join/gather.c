/* gather.c -- see gather.h */
#include "join/gather.h"

enum { TOGETHER = 8 };

/* Destinations for the times and metadata of a call's events. */
struct columns {
	const struct etc_call *c;
	/* for each event: its starts in all runs, then its ends in all runs; NULL: the trace's own
	 * arrays can be used */
	uint64_t *times;
	struct etcore_bytes *blobs; /* for each event its metadata; NULL: no event has any */
};

/* Copies the times of the `count` runs from `run` on to w->times. Several runs are copied together,
 * so that complete cache lines are written. */
static void fill_times(const struct columns *w, size_t run, size_t count)
{
	const struct etc_call *c = w->c;
	const struct etc_trace *trace = c->in->trace;
	size_t n = c->run_count, first[TOGETHER];

	for (size_t k = 0; k < count; k++)
		first[k] = trace->runs[c->runs[run + k]].first_sample;
	for (uint32_t i = 0; i < c->count; i++) {
		uint64_t *start = w->times + 2 * i * n + run, *end = start + n;

		for (size_t k = 0; k < count; k++) {
			start[k] = trace->start[first[k] + c->at[i]];
			end[k] = trace->end[first[k] + c->at[i]];
		}
	}
}

static void fill_columns(const struct columns *w)
{
	const struct etc_call *c = w->c;
	const struct etc_trace *trace = c->in->trace;
	size_t n = c->run_count;

	for (size_t r = 0; w->times && r < n; r += TOGETHER)
		fill_times(w, r, n - r < TOGETHER ? n - r : TOGETHER);
	for (uint32_t i = 0; w->blobs && i < c->count; i++)
		for (size_t r = 0; r < n; r++) {
			size_t sample = trace->runs[c->runs[r]].first_sample + c->at[i];
			struct etc_span m = etc_trace_metadata(trace, sample);

			w->blobs[i * n + r] = (struct etcore_bytes){ m.ptr, m.len };
		}
}

/* Are the samples of each event contiguous in the trace? They are if there is only one run, or if a
 * run has only one event. */
static bool lie_together(const struct etc_call *c)
{
	const struct etc_trace *trace = c->in->trace;
	size_t r = 1;

	while (r < c->run_count &&
	       trace->runs[c->runs[r]].first_sample == trace->runs[c->runs[0]].first_sample + r)
		r++;
	return c->run_count > 0 && r == c->run_count;
}

/* Builds the arguments for plugins: the events of the call, each with one array of all its
 * samples. */
enum etc_status etc_call_gather(struct etc_call *c, struct etc_arena *scratch,
                                struct etc_error *err)
{
	const struct etc_trace *trace = c->in->trace;
	const struct etc_run_head *head;
	struct etc_program_delegate d = { 0 };
	size_t n = c->run_count;
	struct etcore_event *events = etc_new(scratch, struct etcore_event, c->count);
	const struct etcore_event **list = etc_new(scratch, const struct etcore_event *, c->count);
	bool together = lie_together(c);
	size_t first = together ? trace->runs[c->runs[0]].first_sample : 0;
	uint64_t *times = together ? NULL : etc_new(scratch, uint64_t, n * c->count * 2);
	struct etcore_bytes *blobs =
		etc_new(scratch, struct etcore_bytes, trace->metadata.has ? n * c->count : 0);
	struct columns fill = {
		.c = c,
		.times = times,
		.blobs = trace->metadata.has ? blobs : NULL,
	};

	if (!events || !list || (!times && !together) || !blobs)
		return etc_no_memory(err);
	if (etc_call_in_delegate(c))
		d = etc_method_delegate(c->in->method,
		                        etc_site_event(c->sites, &c->sites->v[c->site]));
	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_site *s = &c->sites->v[c->at[i]];
		const struct etc_event *e = etc_site_event(c->sites, s);
		struct etc_str name = etc_event_name(e), id = etc_event_delegate_name(e);

		events[i] = (struct etcore_event){
			.size = sizeof events[i],
			.flags = (s->delegate ? ETCORE_EVENT_DELEGATE : 0u) |
			         (s->delegate_call ? ETCORE_EVENT_DELEGATE_CALL : 0u),
			.instruction_id = e->instruction_id,
			.delegate_id = e->delegate_id,
			.name = { name.ptr, name.len },
			.delegate_name = { id.ptr, id.len },
			.samples = n,
			.start = times ? times + 2 * i * n : trace->start + first + c->at[i],
			.end = times ? times + (2 * i + 1) * n : trace->end + first + c->at[i],
			.metadata = fill.blobs ? blobs + i * n : NULL,
		};
		list[i] = &events[i];
	}
	fill_columns(&fill);
	c->call = (struct etcore_call){
		.size = sizeof c->call,
		.count = c->count,
		.backend = { c->backend.ptr, c->backend.len },
		.events = list,
		.method = { c->in->method->name.ptr, c->in->method->name.len },
		.processed = { d.processed.ptr, d.processed.len },
		.flags = d.dynamic ? ETCORE_CALL_DYNAMIC_SHAPES : 0,
	};
	head = n ? etc_run_head(trace, &trace->runs[c->runs[0]]) : NULL;
	if (head && head->has_name)
		c->call.block = (struct etcore_text){ head->name.ptr, head->name.len };
	return ETC_OK;
}
