/* sections.c -- matches the paths of one dump with the paths of another dump; see compare.h.
 *
 * Path numbers cannot be compared, because each dump numbers its paths in the order of appearance.
 * First, paths of one method with equal events are matched. Each remaining path is matched with the
 * path that has the most events in common with it, among a limited number of candidates.
 *
 * A path of unknown method may match any method, with one exception: if the method is unknown
 * because several methods of the program fit the path, the runs of the path may be of several
 * methods. */
#include "commands/compare/compare_steps.h"

#include <stdlib.h>

/* Maximum number of unmatched sections that are compared with a path. (Dumps may have thousands of
 * paths.) */
enum { CANDIDATES = 64 };

/* One path of a dump. */
struct visitor {
	const struct etc_profile *profile;
	uint32_t dump, path;
	size_t from, to;    /* rows of the path in the profile: [from, to) */
	uint64_t signature; /* hash of the path's events, independent of their order */
};

struct section {
	struct etc_diff_section s;
	uint32_t *paths;
	struct visitor began; /* the path that the section was made for */
	struct etc_map names; /* names of the section's events; empty until they are needed */
	/* time of the path in the first dump that has it; used to sort sections */
	etc_u128 time;
	/* 1 + index of the next section with the same signature; 0: there is none */
	size_t next;
};

struct finder {
	struct etc_diff_maker *mk;
	struct section *v;
	size_t count;
	/* maps a signature to the index of the first section with it. The keys point to the 8 bytes
	 * of a signature in `keys` */
	struct etc_map signatures;
	uint64_t *keys; /* for each section, a copy of its signature */
};

/* Do several methods of the program have the instructions of this path? In that case, the runs of
 * the path may be of any of these methods. */
static bool is_mixed(const struct visitor *p)
{
	const struct etc_profile_path *path = &p->profile->paths[p->path];

	return path->methods_fit && !path->method.len;
}

/* May path `p` be put into section `s`? Never if the section already has a path of the same dump.
 * Otherwise yes if path and section have the same method, or if the method of one of the two is
 * unknown. Exception: if a method is unknown because several methods of the program fit, the other
 * method must be unknown, too. */
static bool is_free(const struct section *s, const struct visitor *p)
{
	struct etc_str method = p->profile->paths[p->path].method;

	return s->paths[p->dump] == UINT32_MAX &&
	       (s->s.method.len == 0 || method.len == 0 || etc_str_eq(s->s.method, method)) &&
	       !(is_mixed(&s->began) && method.len) && !(is_mixed(p) && s->s.method.len);
}

static bool learn_names(struct section *s)
{
	const struct visitor *p = &s->began;

	if (s->names.count)
		return true;
	for (size_t i = p->from; i < p->to; i++)
		if (etc_map_add(&s->names, p->profile->rows[i].name, i) == ETC_MAP_NONE)
			return false;
	return true;
}

static size_t in_common(const struct section *s, const struct visitor *p)
{
	size_t n = 0;

	for (size_t i = p->from; i < p->to; i++)
		n += etc_map_get(&s->names, p->profile->rows[i].name) != ETC_MAP_NONE;
	return n;
}

static struct etc_str key_of(const uint64_t *signature)
{
	return (struct etc_str){ (const char *)signature, sizeof *signature };
}

/* Finds a section with the same events as path `p` into which `p` may be put. SIZE_MAX: there is
 * none. */
static size_t find_equal(const struct finder *f, const struct visitor *p)
{
	size_t at = etc_map_get(&f->signatures, key_of(&p->signature));

	while (at != ETC_MAP_NONE) {
		if (is_free(&f->v[at], p))
			return at;
		at = f->v[at].next ? f->v[at].next - 1 : ETC_MAP_NONE;
	}
	return SIZE_MAX;
}

/* Among the sections into which path `p` may be put, finds the one that has the most events in
 * common with `p`. Examines at most CANDIDATES sections. *to is set to SIZE_MAX if there is
 * none. */
static enum etc_status find_nearest(const struct finder *f, const struct visitor *p, size_t *to,
                                    struct etc_error *err)
{
	size_t best = SIZE_MAX, most = 0, seen = 0;

	for (size_t i = 0; i < f->count && seen < CANDIDATES; i++) {
		size_t n;

		if (!is_free(&f->v[i], p))
			continue;
		seen++;
		ETC_NEED(learn_names(&f->v[i]), err);
		n = in_common(&f->v[i], p);
		if (best == SIZE_MAX || n > most) {
			best = i;
			most = n;
		}
	}
	*to = best;
	return ETC_OK;
}

static enum etc_status begin(struct finder *f, const struct visitor *p, struct etc_error *err)
{
	struct etc_arena *arena = f->mk->arena;
	uint32_t dumps = f->mk->out->dump_count;
	struct section *s = &f->v[f->count];
	size_t known;

	*s = (struct section){ .s = { .path = p->profile->paths[p->path].number,
		                      .unit = p->profile->unit },
		               .paths = etc_new(arena, uint32_t, dumps),
		               .began = *p,
		               .time = p->profile->paths[p->path].kept_time };
	etc_map_init(&s->names, arena);
	ETC_NEED(s->paths, err);
	for (uint32_t i = 0; i < dumps; i++)
		s->paths[i] = UINT32_MAX;
	f->keys[f->count] = p->signature;
	known = etc_map_add(&f->signatures, key_of(&f->keys[f->count]), f->count);
	if (known == ETC_MAP_NONE)
		return etc_no_memory(err);
	if (known != f->count) {
		s->next = f->v[known].next;
		f->v[known].next = f->count + 1;
	}
	f->count++;
	return ETC_OK;
}

static struct visitor visit(const struct etc_diff_maker *mk, uint32_t dump, uint32_t path)
{
	struct visitor p = { .profile = mk->dumps[dump].profile, .dump = dump, .path = path };

	etc_profile_rows(p.profile, path, &p.from, &p.to);
	for (size_t i = p.from; i < p.to; i++)
		p.signature += etc_hash(p.profile->rows[i].name);
	return p;
}

/* Puts each path of dump `d` into an existing section or a new one. Paths with the same events as a
 * section come first, because the remaining paths then have fewer candidates. */
static enum etc_status add_dump(struct finder *f, uint32_t d, struct etc_error *err)
{
	const struct etc_profile *p = f->mk->dumps[d].profile;
	bool *placed = etc_new(f->mk->arena, bool, p->path_count);

	ETC_NEED(placed, err);
	for (int equal = 1; equal >= 0; equal--)
		for (uint32_t path = 0; path < p->path_count; path++) {
			struct visitor at;
			size_t to = SIZE_MAX;

			if (placed[path])
				continue;
			at = visit(f->mk, d, path);
			if (equal)
				to = find_equal(f, &at);
			else
				ETC_TRY(find_nearest(f, &at, &to, err));
			if (to == SIZE_MAX && equal && d)
				continue;
			if (to == SIZE_MAX) {
				to = f->count;
				ETC_TRY(begin(f, &at, err));
			}
			placed[path] = true;
			f->v[to].paths[d] = path;
			if (!f->v[to].s.method.len)
				f->v[to].s.method = p->paths[path].method;
		}
	return ETC_OK;
}

/* May a dump that has no path in the section still have run the section's method? This is possible
 * if several methods fit the path of the section, or a path of the dump. */
static bool is_hidden(const struct etc_diff_maker *mk, const struct section *s)
{
	for (uint32_t d = 0; d < mk->out->dump_count; d++) {
		const struct etc_profile *p = mk->dumps[d].profile;

		if (s->paths[d] != UINT32_MAX)
			continue;
		if (is_mixed(&s->began))
			return true;
		for (uint32_t i = 0; i < p->path_count; i++)
			if (p->paths[i].methods_fit && !p->paths[i].method.len)
				return true;
	}
	return false;
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
	struct finder f = { .mk = mk };
	size_t room = 0;

	for (uint32_t d = 0; d < mk->out->dump_count; d++)
		room += mk->dumps[d].profile->path_count;
	f.v = etc_new(mk->arena, struct section, room);
	f.keys = etc_new(mk->arena, uint64_t, room);
	*out = etc_new(mk->arena, struct etc_diff_section, room);
	ETC_NEED(f.v && f.keys && *out, err);
	etc_map_init(&f.signatures, mk->arena);
	for (uint32_t d = 0; d < mk->out->dump_count; d++)
		ETC_TRY(add_dump(&f, d, err));
	if (f.count)
		qsort(f.v, f.count, sizeof *f.v, by_time);
	*count = 0;
	for (size_t i = 0; i < f.count; i++) {
		struct etc_diff_section *s = &(*out)[*count];

		if (mk->options->method.len && !etc_str_eq(f.v[i].s.method, mk->options->method))
			continue;
		*s = f.v[i].s;
		s->paths = f.v[i].paths;
		s->hidden = is_hidden(mk, &f.v[i]);
		++*count;
	}
	return ETC_OK;
}
