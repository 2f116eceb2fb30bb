/* sections.c -- which path of one dump is which path of another; see diff.h
 *
 * Numbers of paths say nothing: a dump numbers them as they come. Two paths of one
 * method belong together when they have the most events in common; one each
 * always do. A method that is not known may be any. */
#include "compare/internal.h"

#include <stdlib.h>

struct section {
	struct etc_diff_section s;
	uint32_t *paths;
	struct etc_map names; /* of its events, in the dump that began it */
	etc_u128 time;        /* for the order */
};

static bool same_method(struct etc_str a, struct etc_str b)
{
	return a.len == 0 || b.len == 0 || etc_str_eq(a, b);
}

static size_t in_common(const struct section *s, const struct etc_profile *p, uint32_t path)
{
	size_t n = 0;

	for (size_t i = 0; i < p->row_count; i++)
		n += p->rows[i].path == path &&
		     etc_map_get(&s->names, p->rows[i].name) != ETC_MAP_NONE;
	return n;
}

/* The section that path `path` of dump `d` belongs to; SIZE_MAX: none. */
static size_t find(const struct section *sections, size_t count, const struct etc_profile *p,
                   uint32_t d, uint32_t path)
{
	size_t best = SIZE_MAX, most = 0;

	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		size_t n;

		if (s->paths[d] != UINT32_MAX || !same_method(s->s.method, p->paths[path].method))
			continue;
		n = in_common(s, p, path);
		if (best == SIZE_MAX || n > most) {
			best = i;
			most = n;
		}
	}
	return best;
}

static enum etc_status begin(struct etc_diff_maker *mk, struct section *s, uint32_t d,
                             uint32_t path, struct etc_error *err)
{
	const struct etc_profile *p = mk->dumps[d].profile;

	*s = (struct section){ .s = { .path = p->paths[path].number, .unit = p->unit },
		               .paths = etc_new(mk->arena, uint32_t, mk->out->dump_count),
		               .time = p->paths[path].kept_time };
	etc_map_init(&s->names, mk->arena);
	if (!s->paths)
		return etc_fail(err, E0904, "paths of %u dumps", mk->out->dump_count);
	for (uint32_t i = 0; i < mk->out->dump_count; i++)
		s->paths[i] = UINT32_MAX;
	for (size_t i = 0; i < p->row_count; i++)
		if (p->rows[i].path == path &&
		    etc_map_add(&s->names, p->rows[i].name, i) == ETC_MAP_NONE)
			return etc_fail(err, E0904, "%zu events", p->row_count);
	return ETC_OK;
}

static int by_time(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->s.path < y->s.path ? -1 : x->s.path > y->s.path;
}

enum etc_status etc_diff_sections(struct etc_diff_maker *mk, struct etc_diff_section **out,
                                  uint32_t *count, struct etc_error *err)
{
	struct section *sections;
	size_t room = 0, n = 0;

	for (uint32_t d = 0; d < mk->out->dump_count; d++)
		room += mk->dumps[d].profile->path_count;
	sections = etc_new(mk->arena, struct section, room);
	*out = etc_new(mk->arena, struct etc_diff_section, room);
	if (!sections || !*out)
		return etc_fail(err, E0904, "%zu paths", room);
	for (uint32_t d = 0; d < mk->out->dump_count; d++) {
		const struct etc_profile *p = mk->dumps[d].profile;

		for (uint32_t path = 0; path < p->path_count; path++) {
			size_t at = find(sections, n, p, d, path);

			if (at == SIZE_MAX) {
				ETC_TRY(begin(mk, &sections[n], d, path, err));
				at = n++;
			}
			sections[at].paths[d] = path;
			if (!sections[at].s.method.len)
				sections[at].s.method = p->paths[path].method;
		}
	}
	if (n)
		qsort(sections, n, sizeof *sections, by_time);
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		struct etc_diff_section *s = &(*out)[*count];

		if (mk->options->method.len &&
		    !etc_str_eq(sections[i].s.method, mk->options->method))
			continue;
		*s = sections[i].s;
		s->paths = sections[i].paths;
		++*count;
	}
	return ETC_OK;
}
