/* own.c -- see own.h
 *
 * Each event is compared with the few events that may have the same site or signature; a few of
 * its bytes select these. Some events that are not adjacent to the others of their site, such as a
 * Method::execute with the ids of the first instruction, are moved to them. */
#include "inspector/own.h"

#define NONE UINT32_MAX

/* A few bytes in which most events differ; equal for equal events. */
struct mark {
	uint32_t site, name;
};

/* An event that is not adjacent to the others of its site, and the event after which it is
 * inserted. */
struct late {
	uint32_t event, behind;
};

enum { FEW = 8, LATE = 4 };

struct own {
	const struct etc_template *template;
	struct mark *marks; /* one per event */
	uint32_t *last;     /* per low bits of a mark's site: the last event with these bits */
	uint32_t *before;   /* per event: the previous event with the same low bits */
	struct late late[LATE];
	uint32_t late_count;
};

/* 0 for an absent text. */
static uint32_t mark_text(struct etc_str s)
{
	uint32_t end = (uint32_t)(etc_str_last_word(s) >> 32);

	return (uint32_t)s.len * 0x85ebca6bu + end * 0xc2b2ae35u;
}

/* Computes the marks of all events: numbers that are equal for events of one site, and for equal
 * names. Instructions of the runtime get consecutive numbers. */
static void mark_events(const struct own *o)
{
	for (size_t i = 0; i < o->template->count; i++) {
		const struct etc_event *e = &o->template->events[i];

		o->marks[i].site = (uint32_t)e->instruction_id +
		                   ((uint32_t)e->delegate_id + 1) * 0x9e3779b1u +
		                   mark_text(etc_insp_delegate_name_of(e));
		o->marks[i].name = mark_text(etc_insp_name_of(e));
	}
}

static bool are_of_one_site(const struct own *o, uint32_t a, uint32_t b)
{
	return o->marks[a].site == o->marks[b].site &&
	       etc_insp_same_site(&o->template->events[a], &o->template->events[b]);
}

static bool are_of_one_name(const struct own *o, uint32_t a, uint32_t b)
{
	return o->marks[a].name == o->marks[b].name &&
	       etc_insp_same_half(&o->template->events[a], &o->template->events[b]);
}

/* Notes that event `i` is not adjacent to the others of its site, which start at `first`.
 * False if there are too many. */
static bool put_off(struct own *o, uint32_t first, uint32_t i)
{
	uint32_t end = first;

	if (o->late_count == LATE)
		return false;
	while (are_of_one_site(o, end, end + 1))
		end++;
	o->late[o->late_count++] = (struct late){ i, end };
	return true;
}

/* Does each event have a signature of its own? Also returns false if more than a few events have to
 * be compared or moved. */
static bool is_each_own(struct own *o, uint32_t mask)
{
	uint32_t beside = 0;

	for (uint32_t i = 0; i < o->template->count; i++) {
		uint32_t *with = &o->last[o->marks[i].site & mask], met = 0, first = NONE;

		if (i && !are_of_one_site(o, i - 1, i))
			beside = i;
		for (uint32_t k = *with; k != NONE; k = o->before[k]) {
			if (met++ == FEW || are_of_one_name(o, k, i))
				return false;
			if (k < beside && are_of_one_site(o, k, i))
				first = k;
		}
		if (first != NONE && !put_off(o, first, i))
			return false;
		o->before[i] = *with;
		*with = i;
	}
	return true;
}

/* Lists all events, site by site. */
static void put_in_order(const struct own *o, uint32_t *order)
{
	uint32_t met = 0, n = 0;

	for (uint32_t i = 0; i < o->template->count; i++) {
		if (met < o->late_count && o->late[met].event == i) {
			met++;
			continue;
		}
		order[n++] = i;
		for (uint32_t k = 0; k < o->late_count; k++)
			if (o->late[k].behind == i)
				order[n++] = o->late[k].event;
	}
}

bool etc_insp_look_for_own(const struct etc_template *template, struct etc_arena *arena,
                           struct etc_arena *scratch, bool *own, const uint32_t **order)
{
	struct own o = { .template = template };
	uint32_t *other;
	size_t room = 1;

	*own = template->profiles == template->count;
	if (!*own)
		return true;
	while (room < template->count)
		room *= 2;
	o.marks = etc_new(scratch, struct mark, template->count);
	o.last = etc_new(scratch, uint32_t, room);
	o.before = etc_new(scratch, uint32_t, template->count);
	if (!o.marks || !o.last || !o.before)
		return false;
	mark_events(&o);
	memset(o.last, 0xff, room * sizeof *o.last);
	*own = is_each_own(&o, (uint32_t)(room - 1));
	if (!*own || o.late_count == 0)
		return true;
	other = etc_new(arena, uint32_t, template->count);
	if (other)
		put_in_order(&o, other);
	*order = other;
	return other != NULL;
}
