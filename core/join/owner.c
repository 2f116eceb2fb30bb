/* owner.c -- see owner.h
 *
 * The delegate events of a call are gathered with their samples, handed to the
 * host, and the answers are written into the sites. */
#include "join/owner.h"

enum { XNNPACK_RESOLUTION = 1000 /* ns */ };

/* One delegate call of a shape. */
struct call {
	const struct etc_join_input *in;
	const size_t *runs;
	size_t run_count;
	struct etc_sites *sites;
	uint32_t site; /* of its DELEGATE_CALL */
	uint32_t *at;  /* its sites in file order, the DELEGATE_CALL among them */
	uint32_t count;
	struct etc_str backend;
};

static struct etc_str plain_name(const struct etc_join_input *in, struct etc_site *s,
                                 struct etc_arena *arena)
{
	const struct etc_event *e = s->event;
	const struct etc_operator *op;

	if (s->delegate && e->has_delegate_name)
		return e->delegate_name;
	if (s->delegate)
		return etc_arena_printf(arena, "%d", (int)e->delegate_id);
	if (etc_str_eq(e->name, ETC_STR("OPERATOR_CALL"))) {
		op = etc_method_operator(in->method, e);
		if (op && op->text.len)
			return op->text;
		s->nameless = true;
		return etc_arena_printf(arena, "instruction %d", (int)e->instruction_id);
	}
	if (s->native)
		return etc_str_sub(e->name, sizeof "native_call_" - 1, e->name.len);
	return e->name;
}

/* The backend of a call: as the record says, else as the program does. */
static struct etc_str backend_of(const struct etc_join_input *in, const struct etc_site *s)
{
	const struct etc_delegate_entry *e = etc_method_entry(in->method, s->event->instruction_id);

	return e && e->backend.len ? e->backend : etc_method_delegate(in->method, s->event).backend;
}

/* The built-in rule: most of the delegate events have XNNPACK's names. */
static enum etc_status own_by_names(const struct call *c, struct etc_arena *arena,
                                    struct etc_error *err)
{
	uint32_t hits = 0, delegates = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_site *s = &c->sites->v[c->at[i]];

		delegates += s->delegate;
		hits += s->delegate && etc_xnnpack_name(s->event->delegate_name);
	}
	if (hits * 2 <= delegates)
		return ETC_OK;
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];

		if (!s->delegate)
			continue;
		s->timed = true;
		s->parent = c->site;
		s->synthetic = true;
		s->resolution = XNNPACK_RESOLUTION;
		s->backend = ETC_STR("XnnpackBackend");
		s->name = etc_xnnpack_base(s->name, arena);
		if (!s->name.ptr && s->event->has_delegate_name && s->event->delegate_name.len)
			return etc_fail(err, E0904, "name of an event");
	}
	return ETC_OK;
}

/* All samples of the call's events, as plugins get them: one array per event. */
static enum etc_status gather(const struct call *c, struct etcore_call *call,
                              struct etc_arena *scratch, struct etc_error *err)
{
	const struct etc_trace *trace = c->in->trace;
	struct etc_program_delegate d =
		etc_method_delegate(c->in->method, c->sites->v[c->site].event);
	size_t n = c->run_count;
	struct etcore_event *events = etc_new(scratch, struct etcore_event, c->count);
	const struct etcore_event **list = etc_new(scratch, const struct etcore_event *, c->count);
	uint64_t *times = etc_new(scratch, uint64_t, n * c->count * 2);
	struct etcore_bytes *blobs =
		etc_new(scratch, struct etcore_bytes, trace->metadata_at ? n * c->count : 0);

	if (!events || !list || !times || !blobs)
		return etc_fail(err, E0904, "%zu samples", n * c->count);
	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_site *s = &c->sites->v[c->at[i]];
		const struct etc_event *e = s->event;

		events[i] = (struct etcore_event){
			.size = sizeof events[i],
			.flags = (s->delegate ? ETCORE_EVENT_DELEGATE : 0u) |
			         (c->at[i] == c->site ? ETCORE_EVENT_DELEGATE_CALL : 0u),
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
	*call = (struct etcore_call){
		.size = sizeof *call,
		.count = c->count,
		.backend = { c->backend.ptr, c->backend.len },
		.events = list,
		.method = { c->in->method->name.ptr, c->in->method->name.len },
		.processed = { d.processed.ptr, d.processed.len },
		.flags = d.dynamic ? ETCORE_CALL_DYNAMIC_SHAPES : 0,
	};
	if (n && trace->runs[c->runs[0]].has_name)
		call->block = (struct etcore_text){ trace->runs[c->runs[0]].name.ptr,
			                            trace->runs[c->runs[0]].name.len };
	return ETC_OK;
}

/* Units per tick: whole nanoseconds where the unit is a time. */
static void take_unit(struct etc_site *s, const struct etc_time_facts *t)
{
	double ns = t->ns_per_unit > 0 ? t->ns_per_unit : etc_unit_ns(t->unit);

	s->unit = t->unit;
	s->scale = 1;
	if (ns >= 1 && ns <= 1e9 && ns == (double)(uint64_t)ns) {
		s->unit = ETCORE_UNIT_NS;
		s->scale = (uint64_t)ns;
	}
}

static void take_time(struct call *c, uint32_t i, const struct etc_time_facts *t)
{
	struct etc_site *s = &c->sites->v[c->at[i]];

	s->timed = true;
	take_unit(s, t);
	s->clock = t->clock;
	s->synthetic = t->start == ETCORE_START_SYNTHETIC;
	if (t->kind == ETCORE_KIND_COUNTER)
		s->why = ETC_DETACH_COUNTER;
	else if (t->kind == ETCORE_KIND_INVALID)
		s->why = ETC_DETACH_INVALID;
	else if (t->duration == ETCORE_DURATION_ESTIMATED)
		s->why = ETC_DETACH_ESTIMATE;
	else if (t->duration == ETCORE_DURATION_SUM_OVER_THREADS)
		s->why = ETC_DETACH_THREADS;
	if (t->rounding == ETCORE_ROUNDING_TRUNCATED)
		s->resolution = (t->resolution ? t->resolution : 1) * s->scale;
	if (t->parent >= 0 && (uint32_t)t->parent < c->count && (uint32_t)t->parent != i)
		s->parent = c->at[t->parent];
	else if (t->parent == ETCORE_PARENT_CALL || t->clock != ETCORE_CLOCK_HOST)
		s->parent = c->site;
	s->wraps_at = t->clock == ETCORE_CLOCK_HOST ? 0 : t->wraps_at;
	c->sites->wraps = c->sites->wraps || s->wraps_at;
	c->sites->scaled = c->sites->scaled || s->scale != 1;
}

/* [backend.ID] names the ticks where nobody else did. They are the runtime's own
 * unless they are of another length: then of another clock. */
static void take_settings(struct call *c)
{
	const struct etc_settings *settings = c->in->host ? c->in->host->settings : NULL;
	const struct etc_backend_settings *b =
		settings ? etc_settings_backend(settings, c->backend) : NULL;
	struct etc_time_facts t = { .clock = ETCORE_CLOCK_FOREIGN, .parent = ETCORE_PARENT_CALL };
	struct etc_site tick = { 0 };

	if (!b)
		return;
	t.unit = b->source_time_scale ? b->source_time_scale : settings->source_time_scale;
	if (etc_unit_ns(t.unit) <= 0 && b->ticks_per_second > 0)
		t.ns_per_unit = 1e9 / b->ticks_per_second;
	take_unit(&tick, &t);
	if (tick.unit == c->in->clock.unit && tick.scale == c->in->clock.scale)
		return;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->sites->v[c->at[i]].delegate && !c->sites->v[c->at[i]].timed)
			take_time(c, i, &t);
}

static enum etc_status own_by_plugin(struct call *c, struct etc_plugin *owner,
                                     const struct etcore_call *call, struct etc_arena *arena,
                                     struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_time_facts *times = etc_new(scratch, struct etc_time_facts, c->count);
	struct etc_facts *facts = etc_new(arena, struct etc_facts, c->count);
	bool described;

	if (!times || !facts)
		return etc_fail(err, E0904, "%u events", c->count);
	ETC_TRY(etc_host_describe_time(owner, call, times, &described, err));
	ETC_TRY(etc_host_explain_call(c->in->host, owner, call, facts, err));
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];

		if (!s->delegate)
			continue;
		facts[i].time = times[i];
		s->facts = &facts[i];
		s->backend = facts[i].backend;
		if (facts[i].display.len)
			s->name = facts[i].display;
		if (described)
			take_time(c, i, &times[i]);
	}
	return ETC_OK;
}

static bool says_something(const struct etcore_event *e)
{
	for (uint64_t i = 0; e->metadata && i < e->samples; i++)
		if (e->metadata[i].len)
			return true;
	return false;
}

/* Which nodes the plugin knows its events to be. */
static enum etc_status map_events(struct call *c, struct etc_plugin *owner,
                                  const struct etcore_call *call, struct etc_arena *arena,
                                  struct etc_error *err)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_mapped *m = etc_new(arena, struct etc_mapped, 1);

		if (!m)
			return etc_fail(err, E0904, "nodes of an event");
		ETC_TRY(etc_host_map_event(owner, call, i, m, err));
		c->sites->v[c->at[i]].mapped = m;
	}
	return ETC_OK;
}

/* The owner's parser first; without an answer the decoder that the INI names. */
static enum etc_status read_metadata(struct call *c, struct etc_plugin *owner,
                                     const struct etcore_call *call, struct etc_arena *arena,
                                     struct etc_error *err)
{
	const struct etc_backend_settings *b =
		c->in->host->settings ? etc_settings_backend(c->in->host->settings, c->backend)
				      : NULL;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct etcore_event *e = call->events[i];
		struct etc_parsed *parsed;

		if (!c->sites->v[c->at[i]].delegate || !says_something(e))
			continue;
		parsed = etc_new(arena, struct etc_parsed, 1);
		if (!parsed)
			return etc_fail(err, E0904, "metadata of an event");
		ETC_TRY(etc_host_parse_metadata(owner, call, i, parsed, err));
		if (parsed->form == ETC_PARSED_NONE && b && b->has_metadata)
			ETC_TRY(etc_host_decode((enum etc_decoder)b->metadata, e->metadata,
			                        e->samples, arena, parsed, err));
		if (parsed->form != ETC_PARSED_NONE)
			c->sites->v[c->at[i]].metadata = parsed;
	}
	return ETC_OK;
}

static enum etc_status own_call(struct call *c, struct etc_arena *arena, struct etc_error *err)
{
	struct etc_arena scratch;
	struct etc_plugin *owner = NULL;
	struct etcore_call call;
	enum etc_status st = ETC_OK;

	c->backend = backend_of(c->in, &c->sites->v[c->site]);
	c->sites->v[c->site].backend = c->backend;
	for (uint32_t i = 0; i < c->count; i++)
		c->sites->v[c->at[i]].backend = c->backend;
	etc_arena_init(&scratch, arena->budget);
	if (c->in->host && (c->in->host->count || c->in->metadata)) {
		st = gather(c, &call, &scratch, err);
		if (st == ETC_OK)
			st = etc_host_owner(c->in->host, &call, &owner, err);
		if (st == ETC_OK && owner)
			st = own_by_plugin(c, owner, &call, arena, &scratch, err);
		if (st == ETC_OK && owner && c->in->places)
			st = map_events(c, owner, &call, arena, err);
		if (st == ETC_OK && c->in->metadata)
			st = read_metadata(c, owner, &call, arena, err);
	}
	etc_arena_release(&scratch);
	if (st == ETC_OK && !owner &&
	    (!c->backend.len || etc_str_eq(c->backend, ETC_STR("XnnpackBackend"))))
		st = own_by_names(c, arena, err);
	if (st == ETC_OK)
		take_settings(c);
	return st;
}

/* Sites by DELEGATE_CALL: `at` is filled call by call, `end` of each site that
 * is a DELEGATE_CALL is where its call ends. */
static void sort_by_call(const struct etc_sites *sites, uint32_t *at, uint32_t *end)
{
	uint32_t n = sites->count, sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t call = sites->v[i].delegate_call ? i : sites->v[i].call;

		if (call != ETC_NO_SITE && sites->v[call].delegate_call)
			end[call]++;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = end[i];

		end[i] = sum;
		sum += size;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t call = sites->v[i].delegate_call ? i : sites->v[i].call;

		if (call != ETC_NO_SITE && sites->v[call].delegate_call)
			at[end[call]++] = i;
	}
}

enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const size_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_arena *scratch, struct etc_error *err)
{
	uint32_t *at = etc_new(scratch, uint32_t, sites->count);
	uint32_t *end = etc_new(scratch, uint32_t, sites->count);
	uint32_t from = 0;

	if (!at || !end)
		return etc_fail(err, E0904, "%u events", sites->count);
	for (uint32_t i = 0; i < sites->count; i++)
		sites->v[i].name = plain_name(in, &sites->v[i], arena);
	for (uint32_t i = 0; i < sites->count; i++)
		if (sites->v[i].native && sites->v[i].call != ETC_NO_SITE)
			sites->v[sites->v[i].call].nameless = false;
	sort_by_call(sites, at, end);
	for (uint32_t i = 0; i < sites->count; i++) {
		struct call c = { in, runs, run_count, sites, i, at + from, end[i] - from, { 0 } };

		from = end[i];
		if (c.count > 1)
			ETC_TRY(own_call(&c, arena, err));
		else if (sites->v[i].delegate_call)
			sites->v[i].backend = backend_of(in, &sites->v[i]);
	}
	return ETC_OK;
}
