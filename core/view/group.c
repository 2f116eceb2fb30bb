/* group.c -- see group.h */
#include "view/group.h"

#include <stdlib.h>

#include "base/map.h"
#include "view/words.h"

static struct etc_str by_kernel(const struct etc_profile_row *row)
{
	return row->facts && row->facts->kernel.len ? row->facts->kernel : row->name;
}

static struct etc_str by_backend(const struct etc_profile_row *row)
{
	if (row->delegate && !row->backend.len)
		return ETC_STR("unknown backend");
	if (!row->delegate && !row->backend.len)
		return row->native ? ETC_STR("portable kernels") : ETC_STR("runtime");
	return row->backend;
}

struct grouping {
	const char *name;
	struct etc_str (*key)(const struct etc_profile_row *row);
};

static const struct grouping groupings[] = { { "kernel", by_kernel }, { "backend", by_backend } };

static const struct grouping *find(const char *by)
{
	for (size_t i = 0; by && i < sizeof groupings / sizeof groupings[0]; i++)
		if (strcmp(groupings[i].name, by) == 0)
			return &groupings[i];
	return NULL;
}

static void merge(struct etc_profile_row *to, const struct etc_profile_row *from)
{
	to->merged = true;
	to->calls += from->calls;
	to->valid += from->valid;
	to->self += from->self;
	to->bound += from->bound;
	to->native = to->native && from->native;
	if (!etc_str_eq(to->backend, from->backend))
		to->backend = (struct etc_str){ 0 };
}

/* Larger first; rows keep their order when equal. */
static int by_rank(const void *a, const void *b)
{
	const struct etc_profile_row *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	if (x->detached != y->detached)
		return x->detached ? 1 : -1;
	if ((x->valid == 0) != (y->valid == 0))
		return x->valid == 0 ? 1 : -1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->first_event < y->first_event ? -1 : x->first_event > y->first_event;
}

static struct etc_str key_of(const struct etc_profile_row *row, struct etc_str name,
                             struct etc_arena *arena)
{
	return etc_arena_printf(arena, "%u.%d.%u.%d " ETC_STR_FMT, row->path, row->detached,
	                        row->unit, row->delegate, ETC_STR_ARG(name));
}

enum etc_status etc_view_group(struct etc_profile *profile, const char *by, struct etc_arena *arena,
                               struct etc_error *err)
{
	const struct grouping *g = find(by);
	struct etc_profile_row *rows;
	struct etc_map map;
	size_t count = 0;

	if (!g)
		return ETC_OK;
	rows = etc_new(arena, struct etc_profile_row, profile->row_count);
	etc_map_init(&map, arena);
	if (!rows)
		return etc_fail(err, E0904, "%zu rows", profile->row_count);
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		struct etc_str name = g->key(r), key = key_of(r, name, arena);
		size_t at = key.ptr ? etc_map_add(&map, key, count) : ETC_MAP_NONE;

		if (at == ETC_MAP_NONE)
			return etc_fail(err, E0904, "%zu rows", profile->row_count);
		if (at < count) {
			merge(&rows[at], r);
			continue;
		}
		rows[count] = *r;
		rows[count++].name = name;
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_rank);
	profile->rows = rows;
	profile->row_count = count;
	return ETC_OK;
}
