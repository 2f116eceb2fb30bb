/* gather.c -- see gather.h */
#include "join/gather.h"

/* All samples of the call's events, as plugins get them: one array per event. */
enum etc_status etc_call_gather(struct etc_call *c, struct etc_arena *scratch,
                                struct etc_error *err)
{
	const struct etc_trace *trace = c->in->trace;
	const struct etc_run_head *head;
	struct etc_program_delegate d = { 0 };
	size_t n = c->run_count;
	struct etcore_event *events = etc_new(scratch, struct etcore_event, c->count);
	const struct etcore_event **list = etc_new(scratch, const struct etcore_event *, c->count);
	uint64_t *times = etc_new(scratch, uint64_t, n * c->count * 2);
	struct etcore_bytes *blobs =
		etc_new(scratch, struct etcore_bytes, trace->metadata_at ? n * c->count : 0);

	if (!events || !list || !times || !blobs)
		return etc_fail(err, E0904, "%zu samples", n * c->count);
	if (etc_call_in_delegate(c))
		d = etc_method_delegate(c->in->method, c->sites->v[c->site].event);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_site *s = &c->sites->v[c->at[i]];
		const struct etc_event *e = s->event;

		events[i] = (struct etcore_event){
			.size = sizeof events[i],
			.flags = (s->delegate ? ETCORE_EVENT_DELEGATE : 0u) |
			         (s->delegate_call ? ETCORE_EVENT_DELEGATE_CALL : 0u),
			.instruction_id = e->instruction_id,
			.delegate_id = e->delegate_id,
			.name = { e->name.ptr, e->name.len },
			.delegate_name = { e->delegate_name.ptr, e->delegate_name.len },
			.samples = n,
			.start = times + 2 * i * n,
			.end = times + (2 * i + 1) * n,
		};
		list[i] = &events[i];
	}
	for (size_t r = 0; r < n; r++) {
		size_t first = trace->runs[c->runs[r]].first_sample;

		for (uint32_t i = 0; i < c->count; i++) {
			times[2 * i * n + r] = trace->start[first + c->at[i]];
			times[(2 * i + 1) * n + r] = trace->end[first + c->at[i]];
		}
	}
	for (uint32_t i = 0; trace->metadata_at && i < c->count; i++) {
		for (size_t r = 0; r < n; r++) {
			size_t sample = trace->runs[c->runs[r]].first_sample + c->at[i];
			struct etc_span m = etc_trace_metadata(trace, sample);

			blobs[i * n + r] = (struct etcore_bytes){ m.ptr, m.len };
		}
		events[i].metadata = blobs + i * n;
	}
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
