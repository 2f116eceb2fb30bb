/* answer.c -- see answer.h: sets owner, times, names and metadata, in that order. What neither a
 * plugin nor a file has set is taken from the backend's section of the configuration. */
#include "join/answer.h"

#include "join/builtin_name.h"

/* Sets the backend of a call without an owner by the built-in rule: a call belongs to a backend if
 * most of its delegate events have names of that backend's form. */
static enum etc_status own_by_names(const struct etc_call *c, const struct etc_builtin *b,
                                    struct etc_error *err)
{
	uint32_t hits = 0, delegates = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct etc_site *s = &c->sites->v[c->at[i]];

		delegates += s->delegate;
		hits += s->delegate &&
		        etc_builtin_named(etc_event_delegate_name(etc_site_event(c->sites, s))) ==
		                b;
	}
	if (hits * 2 <= delegates)
		return ETC_OK;
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];
		struct etc_reading as = *s->reading;

		if (!s->delegate)
			continue;
		as.timed = true;
		as.synthetic = true;
		as.resolution = b->resolution_ns * etc_clock_den(c->in->clock);
		as.backend = b->id;
		s->by_rule = true;
		ETC_NEED(etc_sites_hang(c->sites, s, c->site) && etc_sites_read(c->sites, s, &as),
		         err);
	}
	return ETC_OK;
}

/* Sets as->scale and as->per so that `per` ticks are `scale` units, as exactly as 64 bits allow. A
 * tick is `ns` nanoseconds, a unit is 1/den of a nanosecond. */
static void take_rate(struct etc_reading *as, double ns, uint64_t den)
{
	struct etc_ratio tick = etc_ratio_near(ns);
	const uint64_t both = etc_common_multiple((uint64_t)tick.den, den, UINT64_MAX);

	as->per = both / den;
	if (both &&
	    !__builtin_mul_overflow((uint64_t)tick.num, both / (uint64_t)tick.den, &as->scale))
		return;
	tick = etc_ratio_near(ns * (double)den);
	as->scale = (uint64_t)tick.num;
	as->per = (uint64_t)tick.den;
}

/* Sets the unit of `as` from `t`, and sets as->scale and as->per so that `per` ticks are `scale`
 * units. The unit is nanoseconds if the length of a tick is known. If the plugin names no unit for
 * an event on the runtime's clock, the unit is the runtime's. */
static void take_unit(struct etc_reading *as, struct etc_host_clock clock,
                      const struct etc_time_facts *t)
{
	double ns = t->ns_per_unit > 0 ? t->ns_per_unit : etc_unit_ns(t->unit);
	uint64_t den = etc_clock_den(clock);

	if (t->unit == ETCORE_UNIT_BYTES || t->unit == ETCORE_UNIT_COUNT)
		ns = 0;
	as->unit = t->unit;
	as->scale = den;
	as->per = 1;
	if (t->clock == ETCORE_CLOCK_HOST && t->unit == ETCORE_UNIT_UNKNOWN && ns <= 0) {
		as->unit = clock.unit;
		as->scale = clock.scale;
	} else if (ns > 0) {
		as->unit = ETCORE_UNIT_NS;
		take_rate(as, ns, den);
	}
}

static void note_rate(struct etc_sites *sites, const struct etc_reading *as)
{
	sites->scaled = sites->scaled || etc_reading_scales(as);
	sites->rounds = sites->rounds || etc_reading_rounds(as);
	sites->clocks =
		sites->clocks || (as->unit == ETCORE_UNIT_NS && as->clock != ETCORE_CLOCK_HOST);
}

/* Sets the parent of event `i` of the call, if the owner's answer determines it. If the owner names
 * an event, this is the parent. If the owner names the call, or if the event is not on the
 * runtime's clock, the parent is the call's instruction event. False: out of memory. */
static bool take_parent(struct etc_call *c, uint32_t i, const struct etc_time_facts *t)
{
	const struct etc_site *s = &c->sites->v[c->at[i]];

	if (t->parent >= 0 && (uint32_t)t->parent < c->count && (uint32_t)t->parent != i)
		return etc_sites_hang(c->sites, s, c->at[t->parent]);
	if (t->parent == ETCORE_PARENT_CALL || t->clock != ETCORE_CLOCK_HOST)
		return etc_sites_hang(c->sites, s, c->site);
	return true;
}

void etc_reading_take(struct etc_sites *sites, const struct etc_time_facts *t,
                      struct etc_reading *as)
{
	const struct etc_host_clock clock = sites->clock;

	as->timed = true;
	as->why = ETC_ATTACHED;
	as->resolution = 0;
	take_unit(as, clock, t);
	as->clock = t->clock;
	as->synthetic = t->start == ETCORE_START_SYNTHETIC;
	if (t->kind == ETCORE_KIND_COUNTER)
		as->why = ETC_DETACH_COUNTER;
	else if (t->kind == ETCORE_KIND_INVALID)
		as->why = ETC_DETACH_INVALID;
	else if (t->duration == ETCORE_DURATION_ESTIMATED)
		as->why = ETC_DETACH_ESTIMATE;
	else if (t->duration == ETCORE_DURATION_SUM_OVER_THREADS)
		as->why = ETC_DETACH_THREADS;
	else if (t->duration == ETCORE_DURATION_CONCURRENT)
		as->why = ETC_DETACH_PARALLEL;
	if (t->rounding == ETCORE_ROUNDING_TRUNCATED)
		as->resolution = etc_reading_units(as, t->resolution ? t->resolution : 1);
	as->wraps_at = t->clock == ETCORE_CLOCK_HOST ? 0 : t->wraps_at;
	sites->wraps = sites->wraps || as->wraps_at;
	sites->parallel = sites->parallel || as->why == ETC_DETACH_PARALLEL;
	note_rate(sites, as);
}

static enum etc_status take_time(struct etc_call *c, uint32_t i, const struct etc_time_facts *t,
                                 struct etc_reading *as, struct etc_error *err)
{
	etc_reading_take(c->sites, t, as);
	return take_parent(c, i, t) ? ETC_OK : etc_no_memory(err);
}

static enum etc_status read_as(struct etc_call *c, struct etc_site *s, const struct etc_reading *as,
                               struct etc_error *err)
{
	return etc_sites_read(c->sites, s, as) ? ETC_OK : etc_no_memory(err);
}

/* Returns the name of the call's backend: c->backend if it is not empty; else, for a delegate call,
 * the backend in the reading of its DELEGATE_CALL; else the owner's backend. */
static struct etc_str known_backend(const struct etc_call *c)
{
	if (c->backend.len)
		return c->backend;
	if (etc_call_in_delegate(c))
		return c->sites->v[c->site].reading->backend;
	return c->asked && c->asked->owner ? c->asked->facts[0]->backend : ETC_STR_NONE;
}

/* Sets the tick length of delegate events from the configuration: from the section [backend.ID],
 * or, if this section sets none, from [etcore]. Delegate events whose times no plugin described get
 * this tick length, and a clock of their own; they stay unchanged if the tick length is from
 * [etcore] and equals that of the runtime's clock. Delegate events that the owner described without
 * a unit get the tick length only if [backend.ID] sets it by a unit (source_time_scale). */
static enum etc_status take_settings(struct etc_call *c, struct etc_error *err)
{
	const struct etc_settings *settings = c->in->host ? c->in->host->settings : NULL;
	const struct etc_backend_settings *b =
		settings ? etc_settings_backend(settings, known_backend(c)) : NULL;
	struct etc_time_facts t = { .clock = ETCORE_CLOCK_FOREIGN, .parent = ETCORE_PARENT_CALL };
	struct etc_reading tick = { 0 };
	bool stated, same;

	if (!b)
		return ETC_OK;
	t.unit = b->source_time_scale ? b->source_time_scale : settings->source_time_scale;
	if (etc_unit_ns(t.unit) <= 0 && b->ticks_per_second > 0)
		t.ns_per_unit = 1e9 / b->ticks_per_second;
	stated = b->source_time_scale || t.ns_per_unit > 0;
	take_unit(&tick, c->in->clock, &t);
	same = tick.unit == c->in->clock.unit && tick.scale == c->in->clock.scale &&
	       !etc_reading_rounds(&tick);
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];
		struct etc_reading as = *s->reading;

		if (!s->delegate)
			continue;
		if (!as.timed && (stated || !same)) {
			ETC_TRY(take_time(c, i, &t, &as, err));
		} else if (as.timed && as.unit == ETCORE_UNIT_UNKNOWN && b->source_time_scale) {
			take_unit(&as, c->in->clock, &t);
			note_rate(c->sites, &as);
		}
		ETC_TRY(read_as(c, s, &as, err));
	}
	return ETC_OK;
}

/* Is the owner's answer valid for this event? An event without a delegate id belongs to the owner
 * only if the owner declares that it handles such events and has named or classified this one. */
static bool is_owned(const struct etc_call *c, const struct etc_site *s, const struct etc_facts *f)
{
	uint32_t kind = s->native ? ETCORE_SEES_OPERATOR : ETCORE_SEES_FRAMEWORK;

	if (s->delegate)
		return true;
	return !s->instruction && c->asked->owner->abi->sees & kind &&
	       (f->display.len || f->operator_name.len || f->layout.len || f->types.len ||
	        f->kernel.len || f->category.len || f->compute_unit.len || f->precision.len);
}

/* Returns the description of the site's times, which the owner gave. An event of the runtime is on
 * the runtime's clock if the owner sets neither a clock nor a unit for it. */
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

static enum etc_status take_said(struct etc_call *c, struct etc_site *s, const struct etc_said *new,
                                 struct etc_error *err)
{
	struct etc_said *said = etc_sites_say(c->sites, s);

	ETC_NEED(said, err);
	said->facts = new->facts ? new->facts : said->facts;
	said->mapped = new->mapped ? new->mapped : said->mapped;
	said->metadata = new->metadata ? new->metadata : said->metadata;
	return ETC_OK;
}

/* Writes the owner's facts into the sites. */
static enum etc_status take_facts(struct etc_call *c, struct etc_error *err)
{
	for (uint32_t i = 0; i < c->count; i++) {
		struct etc_site *s = &c->sites->v[c->at[i]];
		const struct etc_facts *f = c->asked->facts[i];
		struct etc_said said = { .mapped = c->asked->mapped ? &c->asked->mapped[i] : NULL };
		struct etc_reading as = *s->reading;
		struct etc_time_facts t;

		if (s->delegate_call && !as.backend.len)
			/* if no file names the backend of the call, the owner's backend is used */
			as.backend = f->backend;
		if (is_owned(c, s, f)) {
			said.facts = f;
			as.backend = f->backend;
			t = time_of(s, f);
			if (c->asked->described && c->at[i] != c->sites->root)
				ETC_TRY(take_time(c, i, &t, &as, err));
		}
		if (said.facts || said.mapped)
			ETC_TRY(take_said(c, s, &said, err));
		ETC_TRY(read_as(c, s, &as, err));
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

/* Gets the metadata of each event from the owner's parser; if the parser returns nothing, from the
 * decoder named in the INI file. For an event without metadata, the parser may return named values
 * made from the event's id. For such an event a list without names is ignored, because the items of
 * a list must come from metadata. */
static enum etc_status take_metadata(struct etc_call *c, struct etc_arena *arena,
                                     struct etc_error *err)
{
	const struct etc_backend_settings *b =
		c->in->host->settings
			? etc_settings_backend(c->in->host->settings, known_backend(c))
			: NULL;

	for (uint32_t i = 0; i < c->count; i++) {
		const struct etcore_event *e = c->call.events[i];
		struct etc_parsed *parsed = c->asked->parsed ? &c->asked->parsed[i] : NULL;
		bool blobs = c->asked->parse[i] && says_something(e);

		if (blobs && (!parsed || parsed->form == ETC_PARSED_NONE) && b && b->has_metadata) {
			parsed = etc_new(arena, struct etc_parsed, 1);
			ETC_NEED(parsed, err);
			ETC_TRY(etc_host_decode((enum etc_decoder)b->metadata, e->metadata,
			                        e->samples, arena, parsed, err));
		}
		if (parsed && (parsed->has_columns || parsed->form == ETC_PARSED_DICT ||
		               (blobs && parsed->form == ETC_PARSED_LIST)))
			ETC_TRY(take_said(c, &c->sites->v[c->at[i]],
			                  &(struct etc_said){ .metadata = parsed }, err));
	}
	return ETC_OK;
}

enum etc_status etc_call_take(struct etc_call *c, struct etc_arena *arena, struct etc_error *err)
{
	if (c->asked && c->asked->owner)
		ETC_TRY(take_facts(c, err));
	else if (etc_call_in_delegate(c))
		for (const struct etc_builtin *b = etc_builtins(); b->id.len; b++)
			if (!c->backend.len || etc_str_eq(c->backend, b->id))
				ETC_TRY(own_by_names(c, b, err));
	if (c->asked && c->asked->parse)
		ETC_TRY(take_metadata(c, arena, err));
	return take_settings(c, err);
}
