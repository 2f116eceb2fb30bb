/* site.c -- see site.h */
#include "join/site.h"

#include "etcore/plugin.h"
#include "join/instruction_index.h"

bool etc_event_is_instruction(const struct etc_event *e)
{
	return e->word >= ETC_WORD_OPERATOR_CALL && e->word <= ETC_WORD_OTHER_CALL &&
	       !etc_event_is_delegate(e);
}

enum etc_run_kind etc_template_kind(const struct etc_template *template, uint32_t *root)
{
	uint32_t executes = 0, loads = 0, load = 0;

	if (template->learned) {
		*root = template->root;
		return (enum etc_run_kind) template->kind;
	}
	*root = ETC_NO_SITE;
	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		if (e->word == ETC_WORD_EXECUTE) {
			executes++;
			*root = e->column;
		} else if (e->word == ETC_WORD_LOAD) {
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

void etc_template_learn(struct etc_template *template)
{
	template->kind = (uint8_t)etc_template_kind(template, &template->root);
	template->learned = true;
}

etc_u128 etc_reading_wide(const struct etc_reading *reading, uint64_t ticks)
{
	const etc_u128 units = (etc_u128)ticks * reading->scale;

	return etc_reading_rounds(reading) ? (units + reading->per / 2) / reading->per : units;
}

uint64_t etc_reading_units(const struct etc_reading *reading, uint64_t ticks)
{
	const etc_u128 units = etc_reading_wide(reading, ticks);

	return units < UINT64_MAX ? (uint64_t)units : UINT64_MAX;
}

/* If the ticks of a clock are whole numbers of parts only with a factor above `most`, these ticks
 * are rounded. Parts are then at most 1/FINE of a unit, unless this needs a factor above `most`,
 * too. */
enum { FINE = 1000 };

uint64_t etc_sites_finer(const struct etc_sites *sites, uint64_t finer, uint64_t most)
{
	for (uint32_t i = 0; i < sites->count && sites->rounds; i++) {
		const struct etc_reading *as = sites->v[i].reading;
		uint64_t both;

		if (!etc_reading_rounds(as))
			continue;
		both = etc_common_multiple(finer, as->per, most);
		both = both ? both : etc_common_multiple(finer, FINE, most);
		finer = both ? both : finer;
	}
	return finer;
}

static bool same_reading(const struct etc_reading *a, const struct etc_reading *b)
{
	return a->scale == b->scale && a->per == b->per && a->wraps_at == b->wraps_at &&
	       a->resolution == b->resolution && a->unit == b->unit && a->clock == b->clock &&
	       a->why == b->why && a->timed == b->timed && a->synthetic == b->synthetic &&
	       etc_str_eq(a->backend, b->backend);
}

bool etc_sites_read(struct etc_sites *sites, struct etc_site *site,
                    const struct etc_reading *reading)
{
	struct etc_reading *made;

	for (int i = 0; i < ETC_READINGS_KNOWN && sites->known[i]; i++)
		if (same_reading(sites->known[i], reading)) {
			site->reading = sites->known[i];
			return true;
		}
	made = etc_new(sites->arena, struct etc_reading, 1);
	if (!made)
		return false;
	*made = *reading;
	memmove(&sites->known[1], &sites->known[0],
	        (ETC_READINGS_KNOWN - 1) * sizeof *sites->known);
	site->reading = sites->known[0] = made;
	return true;
}

struct etc_said *etc_sites_say(struct etc_sites *sites, const struct etc_site *site)
{
	struct etc_said **said;

	if (!sites->said)
		sites->said = etc_new(sites->arena, struct etc_said *, sites->count);
	if (!sites->said)
		return NULL;
	said = &sites->said[site - sites->v];
	if (!*said)
		*said = etc_new(sites->arena, struct etc_said, 1);
	return *said;
}

bool etc_sites_hang(struct etc_sites *sites, const struct etc_site *site, uint32_t parent)
{
	if (etc_site_parent(sites, (uint32_t)(site - sites->v)) == parent)
		return true;
	if (!sites->parent) {
		uint32_t *all = etc_new(sites->arena, uint32_t, sites->count);

		for (uint32_t i = 0; all && i < sites->count; i++)
			all[i] = etc_site_parent(sites, i);
		sites->parent = all;
	}
	if (sites->parent)
		sites->parent[site - sites->v] = parent;
	return sites->parent != NULL;
}

const struct etc_place *etc_sites_place_of(const struct etc_sites *sites, uint32_t site)
{
	return sites->place && !sites->bare ? sites->place[site] : NULL;
}

const struct etc_group *etc_sites_group(const struct etc_sites *sites, uint32_t site)
{
	const struct etc_place *place = etc_sites_place_of(sites, site);

	if (!place)
		return NULL;
	return sites->by == ETC_BY_MODULE || sites->by == ETC_BY_FALLBACK ? place->module
	       : sites->by == ETC_BY_SOURCE                               ? place->source
	                                                                  : NULL;
}

enum etc_status etc_sites_make(struct etc_sites *sites, const struct etc_template *template,
                               struct etc_host_clock clock, struct etc_arena *arena,
                               struct etc_error *err)
{
	struct etc_reading host = { .unit = clock.unit,
		                    .clock = ETCORE_CLOCK_HOST,
		                    .scale = clock.scale };
	struct etc_site *v = etc_new(arena, struct etc_site, template->profiles), first;
	bool mixed = template->profiles < template->count;
	uint32_t *event = mixed ? etc_new(arena, uint32_t, template->profiles) : NULL;

	*sites = (struct etc_sites){ .arena = arena, .events = template->events };
	if (!v || (mixed && !event) || !etc_sites_read(sites, &first, &host))
		return etc_no_memory(err);
	sites->v = v;
	sites->event = event;
	sites->count = template->profiles;
	sites->clock = clock;
	sites->expanded = template->expanded;
	sites->expanded_count = template->expanded_count;
	sites->unit = clock.unit;
	sites->scaled = clock.scale != 1;
	sites->den = etc_clock_den(clock);
	sites->is_load = etc_template_kind(template, &sites->root) == ETC_RUN_LOAD;
	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		bool instruction = etc_event_is_instruction(e);

		if (e->kind != ETC_EVENT_PROFILE)
			continue;
		if (event)
			event[e->column] = i;
		v[e->column] = (struct etc_site){
			.reading = first.reading,
			.call = ETC_NO_SITE,
			.instruction = instruction,
			.delegate_call = instruction && e->word == ETC_WORD_DELEGATE_CALL,
			.delegate = etc_event_is_delegate(e),
			.native = e->word == ETC_WORD_KERNEL,
			.expanded = e->expanded,
		};
	}
	return ETC_OK;
}

/* State of an instruction (chain, instruction) while the events are read in file order. */
struct seen {
	uint32_t last; /* the last instruction event so far of this instruction, or ETC_NO_SITE */
	/* The last event that waits for the next instruction event of this instruction, or
	 * ETC_NO_SITE. The waiting events form a list: until the instruction event is found, `call`
	 * of each is the event that waited before it. */
	uint32_t wait;
};

static void answer(struct etc_sites *sites, struct seen *seen, uint32_t call)
{
	for (uint32_t i = seen->wait, next; i != ETC_NO_SITE; i = next) {
		next = sites->v[i].call;
		sites->v[i].call = call;
	}
	*seen = (struct seen){ call, ETC_NO_SITE };
}

static enum etc_status find_calls(struct etc_sites *sites, struct etc_arena *scratch,
                                  struct etc_error *err)
{
	struct seen *seen = etc_new(scratch, struct seen, sites->count);
	struct etc_spots spots;
	uint32_t known = 0;

	ETC_NEED(seen, err);
	etc_spots_init(&spots, sites->events, sites->count, scratch);
	for (uint32_t i = 0; i < sites->count; i++) {
		struct etc_site *s = &sites->v[i];
		uint32_t n;

		if (!s->instruction && etc_site_event(sites, s)->chain >> 63)
			continue;
		n = etc_spots_number(&spots, etc_site_event(sites, s));
		if (n == ETC_NO_SPOT)
			return etc_no_memory(err);
		while (known < spots.count)
			seen[known++] = (struct seen){ ETC_NO_SITE, ETC_NO_SITE };
		if (s->instruction) {
			sites->repeats = sites->repeats || seen[n].last != ETC_NO_SITE;
			answer(sites, &seen[n], i);
		} else {
			s->call = seen[n].wait;
			seen[n].wait = i;
		}
	}
	for (uint32_t n = 0; n < spots.count; n++)
		answer(sites, &seen[n], seen[n].last);
	return ETC_OK;
}

enum etc_status etc_sites_calls(struct etc_sites *sites, struct etc_error *err)
{
	struct etc_arena scratch;
	enum etc_status st;

	etc_arena_init(&scratch, sites->arena->budget);
	st = find_calls(sites, &scratch, err);
	etc_arena_release(&scratch);
	return st;
}
