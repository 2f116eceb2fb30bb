/* rows.c -- the rows of a path, and their order; see measure.h */
#include "join/measure.h"

#include <stdlib.h>

#include "etcore/plugin.h"
#include "join/keys.h"

void etc_measure_init(struct etc_measure *m, struct etc_arena *arena, struct etc_arena *scratch,
                      struct etc_profile_path *path, uint32_t number, uint8_t by,
                      struct etc_run_values *values)
{
	*m = (struct etc_measure){
		.arena = arena, .path = path, .number = number, .by = by, .values = values
	};
	etc_map_init(&m->names, scratch);
}

/* Returns the name of the row that shows a site, which depends on how the site is nested
 * (`variant`). A new text is allocated in m->arena. */
static struct etc_str row_name(const struct etc_measure *m, const struct etc_sites *sites,
                               uint32_t site, unsigned variant)
{
	return variant & ETC_ROW_DISPATCH ? ETC_STR("OPERATOR_CALL")
	                                  : etc_site_name(sites, site, m->arena);
}

static bool is_grouped(const struct etc_measure *m)
{
	return m->by != ETC_BY_OP;
}

static enum etc_status make_room(struct etc_measure *m, uint32_t room, struct etc_error *err)
{
	struct etc_profile_row *more = etc_new(m->arena, struct etc_profile_row, room);

	ETC_NEED(more, err);
	if (m->row_count)
		memcpy(more, m->rows, m->row_count * sizeof *more);
	m->rows = more;
	m->row_room = room;
	return ETC_OK;
}

/* Returns the next size of an array of size `room`. The steps are large, because the arena does not
 * free the old array, and memory that is not written costs little. */
static uint32_t more_room(uint32_t room)
{
	enum { FEW = 1 << 12 };

	return room ? room < FEW ? room * 2 : room * 4 : 32;
}

enum etc_status etc_measure_reserve(struct etc_measure *m, uint32_t rows, struct etc_error *err)
{
	if (rows <= m->row_room)
		return ETC_OK;
	ETC_NEED(etc_map_reserve(&m->names, rows), err);
	return make_room(m, rows, err);
}

static enum etc_status add_row(struct etc_measure *m, const struct etc_sites *sites, uint32_t site,
                               unsigned variant, struct etc_str name, uint32_t *row,
                               struct etc_error *err)
{
	const struct etc_site *s = &sites->v[site];
	const struct etc_reading *as = s->reading;

	struct etc_row_work *work = sites->work ? etc_new(m->arena, struct etc_row_work, 1) : NULL;
	struct etc_subtracted *subtracted =
		m->tracer ? etc_new(m->arena, struct etc_subtracted, 1) : NULL;

	ETC_NEED(work || !sites->work, err);
	ETC_NEED(subtracted || !m->tracer, err);
	if (m->row_count == m->row_room)
		ETC_TRY(make_room(m, more_room(m->row_room), err));
	*row = m->row_count;
	m->rows[m->row_count++] = (struct etc_profile_row){
		.name = name,
		.backend = as->backend,
		.facts = etc_site_said(sites, s).facts,
		.group = etc_sites_group(sites, site),
		.category = etc_sites_category(sites, site),
		.grouped = is_grouped(m),
		.path = m->number,
		.value = ETC_VALUES_ROWS + *row,
		.event = sites->keys ? sites->keys[site] : NULL,
		.work = work,
		.subtracted = subtracted,
		.delegate = s->delegate,
		.native = s->native && !s->delegate,
		.detached = variant & ETC_ROW_DETACHED,
		.unit = variant & ETC_ROW_UNKNOWN ? ETCORE_UNIT_UNKNOWN : as->unit,
		.clock = variant & ETC_ROW_UNKNOWN ? ETCORE_CLOCK_UNKNOWN : as->clock,
	};
	return ETC_OK;
}

static char *put(char *to, struct etc_str text)
{
	if (text.len)
		memcpy(to, text.ptr, text.len);
	return to + text.len;
}

/* Returns the text by which the row of a site is found in m->names. It is in a buffer that the next
 * call overwrites. {NULL, 0}: out of memory. */
static struct etc_str row_key(struct etc_measure *m, const struct etc_site *s, unsigned variant,
                              struct etc_str name)
{
	struct etc_str backend = s->reading->backend;
	size_t most = backend.len + name.len + 4;
	char *to;

	if (most > m->key_room) {
		m->key = etc_new(m->names.arena, char, most * 2);
		m->key_room = m->key ? most * 2 : 0;
	}
	if (!m->key)
		return ETC_STR_NONE;
	to = m->key;
	*to++ = (char)('0' + (variant & ETC_ROW_DETACHED) + (variant & ETC_ROW_PARALLEL ? 1 : 0));
	*to++ = (char)('A' + (variant & ETC_ROW_UNKNOWN ? ETCORE_UNIT_UNKNOWN : s->reading->unit));
	if (!is_grouped(m)) {
		*to++ = s->delegate ? 'd' : 'e';
		to = put(to, backend);
		*to++ = '\0';
	}
	to = put(to, name);
	return (struct etc_str){ m->key, (size_t)(to - m->key) };
}

/* An entry of the cache of recent rows. */
struct etc_recent_row {
	struct etc_str name;
	/* the reading of the row's events; NULL: the entry is empty */
	const struct etc_reading *reading;
	uint32_t row;
	bool delegate;
	uint8_t variant;
};

enum {
	RECENT = 256,          /* number of rows in the cache */
	RECENT_WORTH = 1 << 12 /* an event list with fewer events has no cache */
};

bool etc_measure_recall(struct etc_measure *m, uint32_t events, struct etc_arena *arena)
{
	m->recent = events < RECENT_WORTH ? NULL : etc_new(arena, struct etc_recent_row, RECENT);
	return events < RECENT_WORTH || m->recent;
}

/* Returns the entry of the cache of recent rows for `name`, which depends on the name's length and
 * last bytes. */
static struct etc_recent_row *place_of(const struct etc_measure *m, struct etc_str name)
{
	return &m->recent[((etc_str_last_word(name) ^ name.len) * 0x9e3779b97f4a7c15u) >> 56];
}

/* Finds the row of a site among all rows of the path; adds the row if it is not there. */
static enum etc_status find_row(struct etc_measure *m, const struct etc_sites *sites, uint32_t site,
                                unsigned variant, struct etc_str name, uint32_t *row,
                                struct etc_error *err)
{
	struct etc_str key = row_key(m, &sites->v[site], variant, name);
	size_t known = key.ptr ? etc_map_intern(&m->names, key, m->row_count) : ETC_MAP_NONE;

	if (known == ETC_MAP_NONE)
		return etc_no_memory(err);
	if (known == m->row_count)
		return add_row(m, sites, site, variant, name, row, err);
	*row = (uint32_t)known;
	return ETC_OK;
}

/* Called when another event is added to a row. `group` is the event's module or source line. If
 * only the module or source line of the whole partition is known, the group of the row becomes this
 * uncertain group: a row is only as certain as its least certain event. */
static void doubt(struct etc_profile_row *row, const struct etc_group *group)
{
	if (row->group && group && group->how == ETC_PLACE_PARTITION)
		row->group = group;
}

enum etc_status etc_measure_row(struct etc_measure *m, const struct etc_sites *sites, uint32_t site,
                                unsigned variant, uint32_t *row, struct etc_error *err)
{
	const struct etc_site *s = &sites->v[site];
	struct etc_str name = row_name(m, sites, site, variant);
	struct etc_recent_row *recent;

	if (!m->recent || etc_by_is_place(m->by)) {
		ETC_TRY(find_row(m, sites, site, variant, name, row, err));
		doubt(&m->rows[*row], etc_sites_group(sites, site));
		return ETC_OK;
	}
	recent = place_of(m, name);
	if (recent->reading != s->reading || recent->variant != variant ||
	    recent->delegate != s->delegate || !etc_str_eq(recent->name, name)) {
		ETC_TRY(find_row(m, sites, site, variant, name, row, err));
		*recent = (struct etc_recent_row){ name, s->reading, *row, s->delegate,
			                           (uint8_t)variant };
	}
	*row = recent->row;
	return ETC_OK;
}

/* Compares two rows for sorting. Attached rows come before detached rows. Within both groups, rows
 * are in descending order of exclusive time, and rows without a known time come last. */
static int by_rank(const void *a, const void *b)
{
	const struct etc_profile_row *x = a, *y = b;

	if (x->detached != y->detached)
		return x->detached ? 1 : -1;
	if ((x->valid == 0) != (y->valid == 0))
		return x->valid == 0 ? 1 : -1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->first_time != y->first_time)
		return x->first_time < y->first_time ? -1 : 1;
	if (x->first_run != y->first_run)
		return x->first_run < y->first_run ? -1 : 1;
	return x->first_event < y->first_event ? -1 : x->first_event > y->first_event;
}

enum etc_status etc_measure_finish(struct etc_measure *m, struct etc_error *err)
{
	uint32_t kept = 0;

	ETC_TRY(etc_measure_roll(m, err));
	if (m->values && !m->values->runs &&
	    !etc_values_medians(m->values, m->path->kept, m->path, m->rows, m->row_count))
		return etc_no_memory(err);
	for (uint32_t i = 0; i < m->row_count; i++) {
		const struct etc_profile_row *r = &m->rows[i];

		if (m->by == ETC_BY_FALLBACK && r->event->delegated)
			m->path->elsewhere += r->detached ? 0 : r->self;
		else if (r->calls)
			m->rows[kept++] = *r;
	}
	m->row_count = kept;
	if (kept)
		qsort(m->rows, kept, sizeof *m->rows, by_rank);
	return ETC_OK;
}
