/* owner.c -- see owner.h
 *
 * The events of a call are gathered with their samples, handed to the host, and
 * the answers are written into the sites. */
#include "join/owner.h"

#include <math.h>

#include "join/calls.h"

enum {
	XNNPACK_RESOLUTION = 1000, /* ns */
	TOGETHER = 1 << 20,        /* bytes that are handed to the host at once, about */
	EVENT = 512,               /* bytes that an event costs beside its samples */
	TOGETHER_CALLS = 1 << 12
};

/* One delegate call of a shape, or other events that plugins look at together. */
struct call {
	const struct etc_join_input *in;
	const uint32_t *runs;
	size_t run_count;
	struct etc_sites *sites;
	uint32_t site;      /* of its DELEGATE_CALL or other instruction event, or ETC_NO_SITE */
	const uint32_t *at; /* its sites in file order, the DELEGATE_CALL among them */
	uint32_t count;
	struct etc_str backend;
	struct etcore_call call;
	struct etc_asked *asked; /* of the host; NULL: nobody is */
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

static bool in_delegate(const struct call *c)
{
	return c->site != ETC_NO_SITE && c->sites->v[c->site].delegate_call;
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
		s->resolution = XNNPACK_RESOLUTION * etc_clock_den(c->in->clock);
		s->backend = ETC_STR("XnnpackBackend");
		s->name = etc_xnnpack_base(s->name, arena);
		if (!s->name.ptr && s->event->has_delegate_name && s->event->delegate_name.len)
			return etc_fail(err, E0904, "name of an event");
	}
	return ETC_OK;
}

/* All samples of the call's events, as plugins get them: one array per event. */
static enum etc_status gather(struct call *c, struct etc_arena *scratch, struct etc_error *err)
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
	if (in_delegate(c))
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

/* Units per tick: nanoseconds where the length of a tick is known. On the runtime's
 * clock a unit that the plugin cannot know is the runtime's. */
static void take_unit(struct etc_site *s, struct etc_host_clock clock,
                      const struct etc_time_facts *t)
{
	double ns = t->ns_per_unit > 0 ? t->ns_per_unit : etc_unit_ns(t->unit), den, whole;

	if (t->unit == ETCORE_UNIT_BYTES || t->unit == ETCORE_UNIT_COUNT)
		ns = 0;
	den = (double)etc_clock_den(clock);
	s->unit = t->unit;
	s->scale = etc_clock_den(clock);
	s->factor = 0;
	if (t->clock == ETCORE_CLOCK_HOST && t->unit == ETCORE_UNIT_UNKNOWN && ns <= 0) {
		s->unit = clock.unit;
		s->scale = clock.scale;
	} else if (ns > 0) {
		s->unit = ETCORE_UNIT_NS;
		/* A rate that is not binary comes near a whole number, not to it. */
		whole = nearbyint(ns * den);
		if (whole >= 1 && whole <= 1e15 && fabs(ns * den - whole) <= whole * 0x1p-51)
			s->scale = (uint64_t)whole;
		else
			s->factor = ns * den;
	}
}

static void take_time(struct call *c, uint32_t i, const struct etc_time_facts *t)
{
	struct etc_site *s = &c->sites->v[c->at[i]];

	s->timed = true;
	take_unit(s, c->in->clock, t);
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
		s->resolution = etc_site_units(s, t->resolution ? t->resolution : 1);
	if (t->parent >= 0 && (uint32_t)t->parent < c->count && (uint32_t)t->parent != i)
		s->parent = c->at[t->parent];
	else if (t->parent == ETCORE_PARENT_CALL || t->clock != ETCORE_CLOCK_HOST)
		s->parent = c->site;
	s->wraps_at = t->clock == ETCORE_CLOCK_HOST ? 0 : t->wraps_at;
	c->sites->wraps = c->sites->wraps || s->wraps_at;
	c->sites->scaled = c->sites->scaled || s->scale != 1 || s->factor > 0;
}

/* The backend that somebody names, else that of the owner. */
static struct etc_str known_backend(const struct call *c)
{
	if (c->backend.len)
		return c->backend;
	if (in_delegate(c))
		return c->sites->v[c->site].backend;
	return c->asked && c->asked->owner ? c->asked->facts[0]->backend : ETC_STR_NONE;
}

/* [backend.ID] names the ticks where nobody else did. They are the runtime's own
 * unless they are of another length: then of another clock. Where the owner knows
 * all but the unit, the rest is as it says. */
static void take_settings(struct call *c)
{
	const struct etc_settings *settings = c->in->host ? c->in->host->settings : NULL;
	const struct etc_backend_settings *b =
		settings ? etc_settings_backend(settings, known_backend(c)) : NULL;
	struct etc_time_facts t = { .clock = ETCORE_CLOCK_FOREIGN, .parent = ETCORE_PARENT_CALL };
	struct etc_site tick = { 0 };
	bool own;

	if (!b)
		return;
	t.unit = b->source_time_scale ? b->source_time_scale : settings->source_time_scale;
	if (etc_unit_ns(t.unit) <= 0 && b->ticks_per_second > 0)
		t.ns_per_unit = 1e9 / b->ticks_per_second;
	take_unit(&tick, c->in->clock, &t);
	own = tick.unit == c->in->clock.unit && tick.scale == c->in->clock.scale &&
	      tick.factor <= 0;
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];

		if (!s->delegate)
			continue;
		if (!s->timed && !own) {
			take_time(c, i, &t);
		} else if (s->timed && s->unit == ETCORE_UNIT_UNKNOWN && b->source_time_scale) {
			take_unit(s, c->in->clock, &t);
			c->sites->scaled = c->sites->scaled || s->scale != 1 || s->factor > 0;
		}
	}
}

/* Is what the owner said of this event to be taken? One without a delegate id is
 * the owner's only when it sees such events and has named or classified this one. */
static bool is_owned(const struct call *c, const struct etc_site *s, const struct etc_facts *f)
{
	uint32_t kind = s->native ? ETCORE_SEES_OPERATOR : ETCORE_SEES_FRAMEWORK;

	if (s->delegate)
		return true;
	return !s->instruction && c->asked->owner->abi->sees & kind &&
	       (f->display.len || f->operator_name.len || f->layout.len || f->types.len ||
	        f->kernel.len || f->category.len || f->compute_unit.len || f->precision.len);
}

/* What the runtime logs for itself is on its clock unless the owner knows better. */
static struct etc_time_facts time_of(const struct etc_site *s, const struct etc_facts *f)
{
	struct etc_time_facts t = f->time;

	if (s->delegate || t.clock != ETCORE_CLOCK_UNKNOWN || t.unit != ETCORE_UNIT_UNKNOWN)
		return t;
	t.clock = ETCORE_CLOCK_HOST;
	if (t.parent == ETCORE_PARENT_CALL)
		t.parent = ETCORE_PARENT_BY_TIME;
	return t;
}

/* What the owner said of the events. */
static void take_facts(struct call *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];
		const struct etc_facts *f = c->asked->facts[i];
		struct etc_time_facts t;

		if (c->asked->mapped)
			s->mapped = &c->asked->mapped[i];
		if (s->delegate_call && !s->backend.len)
			s->backend = f->backend; /* nobody names it, but its events are known */
		if (!is_owned(c, s, f))
			continue;
		s->facts = f;
		s->backend = f->backend;
		if (f->display.len)
			s->name = f->display;
		t = time_of(s, f);
		if (c->asked->described && c->at[i] != c->sites->root)
			take_time(c, i, &t);
	}
}

static bool says_something(const struct etcore_event *e)
{
	for (uint64_t i = 0; e->metadata && i < e->samples; i++)
		if (e->metadata[i].len)
			return true;
	return false;
}

/* The owner's parser first; without an answer the decoder that the INI names. An
 * event without metadata may have its values in its id: those are named, while
 * the items of a list stand for blobs that are not there. */
static enum etc_status take_metadata(struct call *c, struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_backend_settings *b =
		c->in->host->settings ? etc_settings_backend(c->in->host->settings, c->backend)
				      : NULL;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct etcore_event *e = c->call.events[i];
		struct etc_parsed *parsed = c->asked->parsed ? &c->asked->parsed[i] : NULL;
		bool blobs = c->asked->parse[i] && says_something(e);

		if (blobs && (!parsed || parsed->form == ETC_PARSED_NONE) && b && b->has_metadata) {
			parsed = etc_new(arena, struct etc_parsed, 1);
			if (!parsed)
				return etc_fail(err, E0904, "metadata of an event");
			ETC_TRY(etc_host_decode((enum etc_decoder)b->metadata, e->metadata,
			                        e->samples, arena, parsed, err));
		}
		if (parsed && (parsed->has_columns || parsed->form == ETC_PARSED_DICT ||
		               (blobs && parsed->form == ETC_PARSED_LIST)))
			c->sites->v[c->at[i]].metadata = parsed;
	}
	return ETC_OK;
}

/* Makes the call as plugins get it, and says what is asked about it. */
static enum etc_status prepare(struct call *c, struct etc_asked *asked, struct etc_arena *scratch,
                               struct etc_error *err)
{
	bool *parse, any = false;

	ETC_TRY(gather(c, scratch, err));
	*asked = (struct etc_asked){ .call = &c->call, .map = c->in->places };
	c->asked = asked;
	if (!c->in->metadata)
		return ETC_OK;
	parse = etc_new(scratch, bool, c->count);
	if (!parse)
		return etc_fail(err, E0904, "%u events", (unsigned)c->count);
	for (uint32_t i = 0; i < c->count; i++) {
		parse[i] = c->sites->v[c->at[i]].delegate;
		any = any || parse[i];
	}
	if (any)
		asked->parse = parse;
	return ETC_OK;
}

static enum etc_status ask(struct call *calls, uint32_t count, struct etc_arena *scratch,
                           struct etc_error *err)
{
	struct etc_asked *asked = etc_new(scratch, struct etc_asked, count);

	if (!asked)
		return etc_fail(err, E0904, "%u calls", (unsigned)count);
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(prepare(&calls[i], &asked[i], scratch, err));
	return etc_host_ask(calls->in->host, asked, count, scratch, err);
}

static enum etc_status take_answer(struct call *c, struct etc_arena *arena, struct etc_error *err)
{
	if (c->asked && c->asked->owner)
		take_facts(c);
	else if (in_delegate(c) &&
	         (!c->backend.len || etc_str_eq(c->backend, ETC_STR("XnnpackBackend"))))
		ETC_TRY(own_by_names(c, arena, err));
	if (c->asked && c->asked->parse)
		ETC_TRY(take_metadata(c, arena, err));
	take_settings(c);
	return ETC_OK;
}

/* Some calls of the shape: all are asked before an answer is taken. */
static enum etc_status own_calls(struct call *calls, uint32_t count, struct etc_arena *arena,
                                 struct etc_error *err)
{
	const struct etc_join_input *in = calls->in;
	struct etc_arena scratch;
	enum etc_status st = ETC_OK;

	etc_arena_init(&scratch, arena->budget);
	if (in->host && (in->host->count || in->host->ruled_count || in->metadata))
		st = ask(calls, count, &scratch, err);
	for (uint32_t i = 0; i < count && st == ETC_OK; i++)
		st = take_answer(&calls[i], arena, err);
	etc_arena_release(&scratch);
	return st;
}

/* Outside of delegate calls plugins are asked about what they declared to see. */
static bool is_asked(const struct call *c, bool any_delegate)
{
	const struct etc_site *first = &c->sites->v[c->at[0]];
	bool operators = first->native || etc_str_eq(first->event->name, ETC_STR("OPERATOR_CALL"));

	if (in_delegate(c))
		return c->count > 1;
	if (!c->in->host || !c->in->host->count)
		return false;
	return any_delegate ||
	       etc_host_sees(c->in->host, operators ? ETCORE_SEES_OPERATOR : ETCORE_SEES_FRAMEWORK);
}

static enum etc_status own_all(const struct etc_calls *found, const struct call *shape,
                               struct etc_arena *arena, struct etc_arena *scratch,
                               struct etc_error *err)
{
	uint32_t room = found->count < TOGETHER_CALLS ? found->count : TOGETHER_CALLS;
	struct call *calls = etc_new(scratch, struct call, room);
	struct etc_site *v = shape->sites->v;
	uint32_t count = 0;
	size_t bytes = 0;

	if (!calls)
		return etc_fail(err, E0904, "%u calls", found->count);
	for (uint32_t i = 0, from = 0; i < found->count; from = found->end[i], i++) {
		struct call c = *shape;

		c.site = found->site[i];
		c.at = found->at + from;
		c.count = found->end[i] - from;
		if (in_delegate(&c))
			v[c.site].backend = c.backend = backend_of(c.in, &v[c.site]);
		if (!is_asked(&c, found->any_outside[i]))
			continue;
		for (uint32_t k = 0; k < c.count; k++)
			v[c.at[k]].backend = c.backend;
		calls[count++] = c;
		bytes += c.count * (c.run_count * 2 * sizeof(uint64_t) + EVENT);
		if (count == room || bytes >= TOGETHER) {
			ETC_TRY(own_calls(calls, count, arena, err));
			etc_trace_rest(shape->in->trace); /* their metadata was read */
			count = 0;
			bytes = 0;
		}
	}
	if (count)
		ETC_TRY(own_calls(calls, count, arena, err));
	etc_trace_rest(shape->in->trace);
	return ETC_OK;
}

enum etc_status etc_sites_own(struct etc_sites *sites, const struct etc_join_input *in,
                              const uint32_t *runs, size_t run_count, struct etc_arena *arena,
                              struct etc_arena *scratch, struct etc_error *err)
{
	const struct call shape = {
		.in = in, .runs = runs, .run_count = run_count, .sites = sites, .site = ETC_NO_SITE
	};
	struct etc_calls calls;

	for (uint32_t i = 0; i < sites->count; i++)
		sites->v[i].name = plain_name(in, &sites->v[i], arena);
	for (uint32_t i = 0; i < sites->count; i++)
		if (sites->v[i].native && sites->v[i].call != ETC_NO_SITE)
			sites->v[sites->v[i].call].nameless = false;
	ETC_TRY(etc_calls_find(&calls, sites, scratch, err));
	return own_all(&calls, &shape, arena, scratch, err);
}
