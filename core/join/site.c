/* site.c -- see site.h */
#include "join/site.h"

#include "base/map.h"
#include "etcore/plugin.h"

static bool is_instruction(struct etc_str name)
{
	static const struct etc_str names[] = { { "OPERATOR_CALL", 13 },
		                                { "DELEGATE_CALL", 13 },
		                                { "JF_CALL", 7 },
		                                { "MOVE_CALL", 9 },
		                                { "FREE_CALL", 9 } };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (etc_str_eq(name, names[i]))
			return true;
	return false;
}

enum etc_run_kind etc_shape_kind(const struct etc_shape *shape, uint32_t *root)
{
	uint32_t executes = 0, loads = 0, load = 0;

	*root = ETC_NO_SITE;
	for (uint32_t i = 0; i < shape->count; i++) {
		const struct etc_event *e = &shape->events[i];

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		if (etc_str_eq(e->name, ETC_STR("Method::execute"))) {
			executes++;
			*root = e->column;
		} else if (etc_str_eq(e->name, ETC_STR("Program::load_method"))) {
			loads++;
			load = e->column;
		}
	}
	if (executes == 1)
		return ETC_RUN_EXECUTE;
	if (executes == 0 && loads == 1) {
		*root = load;
		return ETC_RUN_LOAD;
	}
	*root = ETC_NO_SITE;
	return ETC_RUN_OTHER;
}

uint64_t etc_site_units(const struct etc_site *site, uint64_t ticks)
{
	uint64_t units;
	double real;

	if (site->factor > 0) {
		real = (double)ticks * site->factor + 0.5;
		return real < 0x1p64 ? (uint64_t)real : UINT64_MAX;
	}
	return __builtin_mul_overflow(ticks, site->scale, &units) ? UINT64_MAX : units;
}

enum etc_status etc_sites_make(struct etc_sites *sites, const struct etc_shape *shape,
                               struct etc_host_clock clock, struct etc_arena *arena,
                               struct etc_error *err)
{
	struct etc_site *v = etc_new(arena, struct etc_site, shape->profiles);

	*sites = (struct etc_sites){ 0 };
	if (!v)
		return etc_fail(err, E0904, "%u events", shape->profiles);
	sites->v = v;
	sites->count = shape->profiles;
	sites->unit = clock.unit;
	sites->scaled = clock.scale != 1;
	sites->den = etc_clock_den(clock);
	sites->is_load = etc_shape_kind(shape, &sites->root) == ETC_RUN_LOAD;
	for (uint32_t i = 0; i < shape->count; i++) {
		const struct etc_event *e = &shape->events[i];
		struct etc_site *s;

		if (e->kind != ETC_EVENT_PROFILE)
			continue;
		s = &v[e->column];
		s->event = e;
		s->call = s->parent = ETC_NO_SITE;
		s->delegate = etc_event_is_delegate(e);
		s->instruction = !s->delegate && is_instruction(e->name);
		s->delegate_call = s->instruction && etc_str_eq(e->name, ETC_STR("DELEGATE_CALL"));
		s->native = etc_str_starts(e->name, ETC_STR("native_call_"));
		s->unit = clock.unit;
		s->clock = ETCORE_CLOCK_HOST;
		s->scale = clock.scale;
		if (s->instruction)
			s->parent = sites->root;
	}
	return ETC_OK;
}

/* An instruction of a program: where an event happened. */
struct place {
	uint64_t chain;
	int64_t instruction;
};

enum etc_status etc_sites_calls(struct etc_sites *sites, struct etc_arena *scratch,
                                struct etc_error *err)
{
	struct place *places = etc_new(scratch, struct place, sites->count);
	uint32_t *at = etc_new(scratch, uint32_t, sites->count);
	uint32_t *last = etc_new(scratch, uint32_t, sites->count);
	struct etc_map map;
	uint32_t kinds = 0;

	if (!places || !at || !last)
		return etc_fail(err, E0904, "%u events", sites->count);
	etc_map_init(&map, scratch);
	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_event *e = sites->v[i].event;
		struct etc_str key = { (const char *)&places[i], sizeof places[i] };
		size_t n;

		places[i] = (struct place){ e->chain, e->instruction_id };
		n = etc_map_add(&map, key, kinds);
		if (n == ETC_MAP_NONE)
			return etc_fail(err, E0904, "%u events", sites->count);
		kinds += n == kinds;
		at[i] = (uint32_t)n;
		last[i] = ETC_NO_SITE;
	}
	for (uint32_t i = sites->count; i-- > 0;) {
		if (sites->v[i].instruction)
			last[at[i]] = i;
		else if (sites->v[i].event->chain >> 63 == 0)
			sites->v[i].call = last[at[i]];
	}
	for (uint32_t i = 0; i < sites->count; i++)
		last[i] = ETC_NO_SITE;
	for (uint32_t i = 0; i < sites->count; i++) {
		if (sites->v[i].instruction)
			last[at[i]] = i;
		else if (sites->v[i].event->chain >> 63 == 0 && sites->v[i].call == ETC_NO_SITE)
			sites->v[i].call = last[at[i]];
	}
	return ETC_OK;
}
