/* rules_time.c -- describe_time for backends described by rules: unit, kind, clock and nesting
 * level of every event of a call. */
#include "base/map.h"
#include "host/host.h"
#include "host/rules/ini_backend.h"
#include "host/rules/ini_rules.h"

enum { LEVELS = 10, NS_PER_S = 1000000000 };

/* A family is the set of events for which the pattern of a rule level.N captured the same text.
 * Events of different families never nest. */
struct family {
	/* `first`: for each level, 1 + the index of the first event of the family on this level.
	 * `last`: the same for the last event that was found so far. 0: there is no such event */
	uint32_t first[LEVELS], last[LEVELS];
};

struct levels {
	uint8_t *level;   /* nesting level of each event, from the rules level.N; 0: none */
	uint32_t *family; /* for each event that has a level, the index of its family */
	unsigned met;     /* the nesting levels that occur: bit N is level N */
	struct family *families;
};

bool etc_ruled_times(const struct etc_backend_settings *b)
{
	for (uint32_t i = 0; i < b->rule_count; i++)
		if (b->rules[i].kind == ETC_RULE_UNIT || b->rules[i].kind == ETC_RULE_KIND ||
		    b->rules[i].kind == ETC_RULE_LEVEL)
			return true;
	return b->time != ETC_RULE_TIME_AUTO || b->clock != ETC_RULE_CLOCK_AUTO || b->counter_bits;
}

/* Sets `*out` to the value of the first rule of `kind` that matches the event, or to `otherwise`.
 * False: out of memory. */
static bool value_of(const struct etc_ruled *r, uint8_t kind, const struct etcore_event *event,
                     struct etc_arena *arena, uint32_t otherwise, uint32_t *out)
{
	uint32_t rule;

	*out = otherwise;
	if (etc_rule_match(r, kind, event, arena, &rule, NULL) == ETC_RULE_NOMEM)
		return false;
	if (rule != UINT32_MAX)
		*out = r->backend->rules[rule].value;
	return true;
}

static void take_clock(const struct etc_backend_settings *b, struct etcore_time *t)
{
	switch (b->time) {
	case ETC_RULE_TIME_VALUE:
		t->clock = ETCORE_CLOCK_NONE;
		t->start = ETCORE_START_ABSENT;
		return;
	case ETC_RULE_TIME_ESTIMATE:
		t->start = ETCORE_START_SYNTHETIC;
		t->duration = ETCORE_DURATION_ESTIMATED;
		break;
	case ETC_RULE_TIME_PARALLEL:
		t->duration = ETCORE_DURATION_CONCURRENT;
		break;
	default:
		break;
	}
	t->clock = b->clock == ETC_RULE_CLOCK_HOST ? ETCORE_CLOCK_HOST : ETCORE_CLOCK_FOREIGN;
	if (b->clock == ETC_RULE_CLOCK_HOST)
		t->parent = ETCORE_PARENT_BY_TIME;
	else if (b->counter_bits)
		t->wraps_at = (uint64_t)1 << b->counter_bits;
}

static bool describe(const struct etc_ruled *r, const struct etcore_event *event,
                     struct etc_arena *arena, struct etcore_time *t)
{
	const struct etc_backend_settings *b = r->backend;

	take_clock(b, t);
	if (!value_of(r, ETC_RULE_UNIT, event, arena, b->source_time_scale, &t->unit))
		return false;
	if (etc_unit_ns((uint8_t)t->unit) <= 0 && b->ticks_per_second > 0 &&
	    t->unit != ETCORE_UNIT_BYTES && t->unit != ETCORE_UNIT_COUNT)
		t->ns_per_unit = NS_PER_S / b->ticks_per_second;
	return value_of(r, ETC_RULE_KIND, event, arena,
	                t->unit == ETCORE_UNIT_BYTES || t->unit == ETCORE_UNIT_COUNT
	                        ? ETCORE_KIND_COUNTER
	                        : ETCORE_KIND_OP,
	                &t->kind);
}

/* Sets l->level and l->family of each delegate event that a rule level.N matches. False: out of
 * memory. */
static bool find_levels(const struct etc_ruled *r, const struct etcore_call *call, struct levels *l,
                        struct etc_arena *arena)
{
	struct etc_map map;
	uint32_t count = 0;

	l->level = etc_new(arena, uint8_t, call->count);
	l->family = etc_new(arena, uint32_t, call->count);
	l->families = etc_new(arena, struct family, call->count);
	if (!l->level || !l->family || !l->families)
		return false;
	etc_map_init(&map, arena);
	for (uint32_t i = 0; i < call->count; i++) {
		struct etc_str text = { 0 };
		struct family *f;
		uint32_t rule;
		size_t at;

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		if (etc_rule_match(r, ETC_RULE_LEVEL, call->events[i], arena, &rule, &text) ==
		    ETC_RULE_NOMEM)
			return false;
		if (rule == UINT32_MAX)
			continue;
		at = etc_map_add(&map, text, count);
		if (at == ETC_MAP_NONE)
			return false;
		count += at == count;
		l->level[i] = r->backend->rules[rule].value;
		l->met |= 1u << l->level[i];
		l->family[i] = (uint32_t)at;
		f = &l->families[at];
		if (!f->first[l->level[i]])
			f->first[l->level[i]] = i + 1;
	}
	return true;
}

/* Sets the parents of all events that have a level. A family is the set of events for which the
 * rule's pattern captured the same text. On the lowest level that a family has, the parent is the
 * delegate call. On any other level, it is an event of the same family on the next lower level that
 * the family has: the last such event logged before the child, or, if there is none, the first one
 * logged after it. Returns true if some event has another event as its parent. */
static bool take_parents(const struct levels *l, const struct etcore_call *call,
                         struct etcore_time *const *times)
{
	bool nests = false;

	for (uint32_t i = 0; i < call->count; i++) {
		uint8_t level = l->level[i];
		struct family *f = &l->families[l->family[i]];
		uint8_t above = level;

		while (above > 0 && (above == level || !f->first[above]))
			above--;
		if (level == 0)
			continue;
		times[i]->parent = ETCORE_PARENT_CALL;
		if (above > 0)
			times[i]->parent =
				(int32_t)(f->last[above] ? f->last[above] : f->first[above]) - 1;
		f->last[level] = i + 1;
		nests |= above > 0;
	}
	return nests;
}

etcore_result etc_ruled_describe(void *self, const struct etcore_call *call,
                                 struct etcore_time *const *times)
{
	struct etc_ruled *r = self;
	struct levels levels = { 0 };
	struct etc_arena scratch;
	bool ok = true;

	if (!etc_ruled_times(r->backend))
		return ETCORE_DECLINE;
	etc_arena_init(&scratch, r->arena->budget);
	for (uint32_t i = 0; i < call->count && ok; i++)
		if (call->events[i]->flags & ETCORE_EVENT_DELEGATE)
			ok = describe(r, call->events[i], &scratch, times[i]);
	ok = ok && find_levels(r, call, &levels, &scratch);
	if (ok) {
		r->nests |= take_parents(&levels, call, times);
		r->several_levels |= (levels.met & (levels.met - 1)) != 0;
	}
	etc_arena_release(&scratch);
	return ok ? ETCORE_OK : ETCORE_NOMEM;
}

const struct etc_backend_settings *etc_host_section(const struct etc_host *host,
                                                    const struct etc_plugin *owner,
                                                    const struct etcore_call *call)
{
	struct etc_str id = { call->backend.ptr, (size_t)call->backend.len };

	if (id.len == 0 && owner && owner->abi->backends && owner->abi->backends[0])
		id = etc_str_of(owner->abi->backends[0]);
	return id.len ? etc_settings_backend(host->settings, id) : NULL;
}

enum etc_status etc_host_scale(const struct etc_host *host, const struct etc_backend_settings *b,
                               const struct etcore_call *call, uint32_t index, uint8_t *unit,
                               double *rate, struct etc_error *err)
{
	const struct etc_plugin *p = etc_ruled_of(host, b->id);
	uint32_t found = b->source_time_scale;
	struct etc_arena scratch;
	bool ok = true;

	etc_arena_init(&scratch, host->arena->budget);
	if (p)
		ok = value_of(p->self, ETC_RULE_UNIT, call->events[index], &scratch, found, &found);
	etc_arena_release(&scratch);
	*unit = (uint8_t)found;
	*rate = b->ticks_per_second;
	return ok ? ETC_OK : etc_no_memory(err);
}
