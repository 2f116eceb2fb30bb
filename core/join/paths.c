/* paths.c -- see paths.h
 *
 * The instruction sequence of each template is serialised, with names as numbers, and looked up in
 * a map. The scratch memory of each template is released before the next. */
#include "join/paths.h"

#include "base/exact.h"

#include <stdlib.h>

#include "base/map.h"

struct finder {
	struct etc_paths *paths;
	struct etc_arena *arena; /* memory of names and sequences, which the maps refer to */
	struct etc_map names, sequences;
};

static enum etc_status number(struct finder *f, struct etc_str name, uint64_t *n,
                              struct etc_error *err)
{
	*n = etc_map_add(&f->names, name, f->names.count);
	return *n == ETC_MAP_NONE ? etc_no_memory(err) : ETC_OK;
}

/* Links the kernels of each instruction in file order. For an instruction event i, first[i] is its
 * first kernel; for a kernel k, next[k] is the kernel after it. ETC_NO_SITE: there is none. */
static void chain_kernels(const struct etc_sites *sites, uint32_t *first, uint32_t *next)
{
	for (uint32_t i = 0; i < sites->count; i++)
		first[i] = next[i] = ETC_NO_SITE;
	for (uint32_t i = sites->count; i-- > 0;) {
		const struct etc_site *s = &sites->v[i];

		if (s->native && s->call != ETC_NO_SITE) {
			next[i] = first[s->call];
			first[s->call] = i;
		}
	}
}

/* Writes the sequence of instructions to `to`, which has room for it, as 64-bit words. For each
 * instruction these are: the number of its name, its chain, its index, the number of its kernels,
 * and the number of each kernel's name. */
static enum etc_status spell(struct finder *f, const struct etc_sites *sites, const uint32_t *first,
                             const uint32_t *next, uint64_t *to, size_t *words,
                             struct etc_error *err)
{
	size_t n = 0;

	for (uint32_t i = 0; i < sites->count; i++) {
		const struct etc_event *e = etc_site_event(sites, &sites->v[i]);
		size_t count_at;

		if (!sites->v[i].instruction)
			continue;
		ETC_TRY(number(f, etc_event_name(e), &to[n++], err));
		to[n++] = e->chain;
		to[n++] = (uint64_t)e->instruction_id;
		count_at = n++;
		to[count_at] = 0;
		for (uint32_t k = first[i]; k != ETC_NO_SITE; k = next[k]) {
			ETC_TRY(number(f, etc_event_name(etc_site_event(sites, &sites->v[k])),
			               &to[n++], err));
			to[count_at]++;
		}
	}
	*words = n;
	return ETC_OK;
}

static enum etc_status find_path(struct finder *f, const struct etc_template *template,
                                 uint32_t *path, struct etc_arena *scratch, struct etc_error *err)
{
	struct etc_host_clock clock = { .unit = 0, .scale = 1 };
	uint32_t *links = etc_new(scratch, uint32_t, (size_t) template->profiles * 2);
	uint64_t *words = etc_new(scratch, uint64_t, (size_t) template->profiles * 4);
	struct etc_sites sites;
	struct etc_str key;
	size_t n;

	ETC_NEED(links && words, err);
	ETC_TRY(etc_sites_make(&sites, template, clock, scratch, err));
	ETC_TRY(etc_sites_calls(&sites, err));
	chain_kernels(&sites, links, links + template->profiles);
	ETC_TRY(spell(f, &sites, links, links + template->profiles, words, &n, err));
	key = (struct etc_str){ (const char *)words, n * sizeof *words };
	*path = (uint32_t)etc_map_get(&f->sequences, key);
	if (etc_map_get(&f->sequences, key) != ETC_MAP_NONE)
		return ETC_OK;
	key = etc_arena_str(f->arena, key);
	if (!key.ptr || etc_map_add(&f->sequences, key, f->paths->count) == ETC_MAP_NONE)
		return etc_no_memory(err);
	*path = f->paths->count++;
	return ETC_OK;
}

enum etc_status etc_paths_find(struct etc_paths *paths, const struct etc_trace *trace,
                               struct etc_arena *arena, struct etc_error *err)
{
	struct finder f = { .paths = paths, .arena = arena };
	/* number of event lists of execute runs; if there is only one, nothing is compared */
	size_t executes = 0;

	*paths = (struct etc_paths){
		.kind = etc_new(arena, uint8_t, trace->template_count),
		.root = etc_new(arena, uint32_t, trace->template_count),
		.path = etc_new(arena, uint32_t, trace->template_count),
	};
	ETC_NEED(paths->kind && paths->root && paths->path, err);
	etc_map_init(&f.names, arena);
	etc_map_init(&f.sequences, arena);
	for (size_t s = 0; s < trace->template_count; s++) {
		paths->kind[s] = (uint8_t)etc_template_kind(&trace->templates[s], &paths->root[s]);
		paths->path[s] = ETC_NO_SITE;
		executes += paths->kind[s] == ETC_RUN_EXECUTE;
	}
	for (size_t r = 0; r < trace->run_count; r++) {
		uint32_t template = trace->runs[r].template;
		struct etc_arena scratch;
		enum etc_status st;
		uint64_t time;

		if (paths->path[template] != ETC_NO_SITE ||
		    paths->kind[template] != ETC_RUN_EXECUTE ||
		    !etc_run_time(paths, trace, r, &time))
			continue;
		if (executes == 1) {
			paths->path[template] = paths->count++;
			continue;
		}
		etc_arena_init(&scratch, arena->budget);
		st = find_path(&f, &trace->templates[template], &paths->path[template], &scratch,
		               err);
		etc_arena_release(&scratch);
		ETC_TRY(st);
	}
	return ETC_OK;
}

/* ---- by delegate events ------------------------------------------------------------------- */

struct divider {
	const struct etc_trace *trace;
	struct etc_arena *arena;
	struct etc_map events; /* maps a delegate event to its number */
	/* maps a path and a set of numbers of delegate events to a new path */
	struct etc_map sets;
};

/* Returns a key for the runs of a template, as 64-bit words: the number of their path and, with
 * `events`, the set of the template's delegate events. {NULL}: out of memory. */
static struct etc_str spell_set(struct divider *d, const struct etc_template *template,
                                uint32_t path, bool events, struct etc_arena *scratch)
{
	uint64_t *words = etc_new(scratch, uint64_t, (size_t) template->profiles + 1);
	size_t n = 1, kept = 1;

	if (!words)
		return ETC_STR_NONE;
	words[0] = path;
	for (uint32_t i = 0; events && i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		struct etc_str text;

		if (e->kind != ETC_EVENT_PROFILE || !etc_event_is_delegate(e) || e->expanded)
			continue;
		text = etc_arena_printf(scratch, "%llu %d %d " ETC_STR_FMT,
		                        (unsigned long long)e->chain, (int)e->instruction_id,
		                        (int)e->delegate_id,
		                        ETC_STR_ARG(etc_event_delegate_name(e)));
		words[n] =
			text.ptr ? etc_map_intern(&d->events, text, d->events.count) : ETC_MAP_NONE;
		if (words[n++] == ETC_MAP_NONE)
			return ETC_STR_NONE;
	}
	qsort(words + 1, n - 1, sizeof *words, etc_by_u64);
	for (size_t i = 1; i < n; i++)
		if (i == 1 || words[i] != words[i - 1])
			words[kept++] = words[i];
	return (struct etc_str){ (const char *)words, kept * sizeof *words };
}

static enum etc_status divide_template(struct divider *d, const struct etc_paths *paths,
                                       const bool *which, uint32_t s, uint32_t *to,
                                       struct etc_error *err)
{
	uint32_t path = paths->path[s];
	struct etc_arena scratch;
	struct etc_str key;
	size_t at;

	etc_arena_init(&scratch, d->arena->budget);
	key = spell_set(d, &d->trace->templates[s], path, which[path], &scratch);
	at = key.ptr ? etc_map_intern(&d->sets, key, d->sets.count) : ETC_MAP_NONE;
	etc_arena_release(&scratch);
	*to = (uint32_t)at;
	return at == ETC_MAP_NONE ? etc_no_memory(err) : ETC_OK;
}

enum etc_status etc_paths_divide(struct etc_paths *paths, const struct etc_trace *trace,
                                 const bool *which, struct etc_arena *arena, struct etc_error *err)
{
	uint32_t *to = etc_new(arena, uint32_t, trace->template_count);
	struct divider d = { .trace = trace, .arena = arena };

	ETC_NEED(to, err);
	etc_map_init(&d.events, arena);
	etc_map_init(&d.sets, arena);
	for (size_t s = 0; s < trace->template_count; s++)
		to[s] = ETC_NO_SITE;
	for (size_t r = 0; r < trace->run_count; r++) {
		uint32_t s = trace->runs[r].template;
		uint64_t time;

		if (paths->path[s] != ETC_NO_SITE && to[s] == ETC_NO_SITE &&
		    etc_run_time(paths, trace, r, &time))
			ETC_TRY(divide_template(&d, paths, which, s, &to[s], err));
	}
	paths->path = to;
	paths->count = (uint32_t)d.sets.count;
	return ETC_OK;
}
