/* header.c -- writes the lines above a ranked table: the number of runs, their times, and the share
 * of the time that was spent in delegates; see screen.h. */
#include <math.h>

#include "base/text.h"
#include "stats/typical.h"
#include "profile/roofline.h"
#include "profile/screen.h"
#include "table/words.h"

enum { HEAD_LINES = 7 + ETC_ROOF_LINES };

static double typical_of(const struct etc_profile_path *p)
{
	return etc_ratio_double(etc_ratio(p->time, p->per));
}

/* Writes the runs from which the headline is computed: "27 of 29 runs". */
static void put_runs(struct etc_text *t, const struct etc_profile_path *p, uint8_t stat)
{
	static const char *const words[ETC_STAT_COUNT] = {
		[ETC_STAT_TYPICAL] = "mean of",   [ETC_STAT_MEAN] = "mean of",
		[ETC_STAT_MEDIAN] = "medians of", [ETC_STAT_MIN] = "fastest of",
		[ETC_STAT_TOTAL] = "sum of",      [ETC_STAT_P90] = "p90 of",
		[ETC_STAT_P95] = "p95 of",        [ETC_STAT_P99] = "p99 of",
	};

	if (stat == ETC_STAT_TYPICAL && p->kept >= ETC_TYPICAL_LEAST)
		etc_text_printf(t, "%zu of %zu runs", p->typical_runs, p->kept);
	else
		etc_text_printf(t, "%s %zu", words[stat], p->kept);
}

/* Writes text such as "(27 of 29 runs; smallest 78.1, median 79.3, …; spread 1 %; first 247.2 set
 * aside)". */
static void put_statistics(struct etc_text *t, const struct etc_profile *profile,
                           const struct etc_profile_path *p, struct etc_scale scale)
{
	const uint8_t stat = profile->stat;

	if (p->runs == 1) {
		etc_text_cstr(t, "  (one run: includes first-run costs)");
		return;
	}
	etc_text_cstr(t, "  (");
	put_runs(t, p, stat);
	if (profile->tracer && profile->tracer->ns[ETC_COST] > 0) {
		etc_text_cstr(t, "; computed: the tracer's cost is subtracted)");
		return;
	}
	etc_text_cstr(t, "; smallest ");
	etc_text_scaled(t, etc_ratio_double(etc_ratio(p->min, p->den)), scale);
	etc_text_cstr(t, ", median ");
	etc_text_scaled(t, etc_ratio_double(p->median), scale);
	etc_text_cstr(t, ", mean ");
	etc_text_scaled(t, etc_ratio_double(p->mean), scale);
	etc_text_cstr(t, ", p90 ");
	etc_text_scaled(t, etc_ratio_double(p->p90), scale);
	etc_text_cstr(t, ", max ");
	etc_text_scaled(t, etc_ratio_double(etc_ratio(p->max, p->den)), scale);
	if (p->spread.den > 0) {
		etc_text_cstr(t, "; spread ");
		etc_text_percent(t, etc_ratio_double(p->spread));
	}
	if (p->warmup == 1) {
		etc_text_cstr(t, "; first ");
		etc_text_scaled(t, etc_ratio_double(etc_ratio(p->samples[0], p->den)), scale);
		etc_text_cstr(t, " set aside");
	} else if (p->warmup > 1) {
		etc_text_printf(t, "; first %zu set aside", p->warmup);
	}
	etc_text_char(t, ')');
}

/* Appends the backends of the path's rows, at most four: ", XNNPACK + QNN". If none is known,
 * appends nothing. */
static void put_backends(struct etc_text *t, const struct etc_profile *profile, uint32_t path)
{
	struct etc_str seen[4];
	uint32_t count = 0;

	for (size_t i = 0; i < profile->row_count; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		struct etc_str word = etc_backend_word(r->backend);
		bool known = r->path != path || word.len == 0;

		for (uint32_t k = 0; k < count; k++)
			known = known || etc_str_eq(seen[k], word);
		if (known || count == sizeof seen / sizeof seen[0])
			continue;
		seen[count++] = word;
		etc_text_cstr(t, count > 1 ? " + " : ", ");
		etc_text_put(t, word);
	}
}

static void put_name(struct etc_text *t, const struct etc_profile *profile, uint32_t path)
{
	const struct etc_profile_path *p = &profile->paths[path];

	etc_text_put(t, p->method.len ? p->method : ETC_STR("execute"));
	if (p->methods_fit && !p->method.len)
		etc_text_cstr(t, " (several methods fit)");
	/* the notes name a path by p->number */
	if (profile->path_count > 1)
		etc_text_printf(t, ", path %u of %u", p->number, profile->paths_in_dump);
	etc_text_printf(t, ", %zu run%s", p->runs, etc_plural(p->runs));
	put_backends(t, profile, path);
}

static struct etc_str first_line(const struct etc_profile *profile, uint32_t path,
                                 struct etc_arena *arena)
{
	const struct etc_profile_path *p = &profile->paths[path];
	double typical = typical_of(p), all = 0;
	struct etc_scale scale = etc_scale_of(profile, typical);
	struct etc_text t = { 0 };

	put_name(&t, profile, path);
	etc_text_cstr(&t, "     ");
	etc_text_scaled(&t, typical, scale);
	etc_text_printf(&t, " %s %s", scale.name,
	                profile->stat == ETC_STAT_TOTAL ? "in all" : "per run");
	put_statistics(&t, profile, p, scale);
	if (profile->path_count > 1) {
		for (uint32_t k = 0; k < profile->path_count; k++)
			all += etc_ratio_double(etc_ratio(profile->paths[k].kept_time, 1));
		etc_text_cstr(&t, "   ");
		if (all > 0)
			etc_text_percent(&t, etc_ratio_double(etc_ratio(p->kept_time, 1)) / all);
		etc_text_cstr(&t, " of execute time");
	}
	return etc_text_keep(&t, arena);
}

/* Returns a line such as "subtracted 18.5 µs (15.2 … 22.0) of 98.1 µs per run: what the tracer
 * costs for 85 events, 218 ns each". */
static struct etc_str tracer_line(const struct etc_profile *profile, uint32_t path,
                                  struct etc_arena *arena)
{
	const struct etc_profile_path *p = &profile->paths[path];
	const struct etc_tracer_cost *c = profile->tracer;
	const struct etc_subtracted *s = &p->subtracted;
	const double whole = etc_ratio_double(etc_ratio(p->time + s->of[ETC_COST], p->per)),
		     part = etc_ratio_double(etc_ratio(s->of[ETC_COST], p->per)),
		     low = etc_ratio_double(etc_ratio(s->of[ETC_COST_LOW], p->per)),
		     high = etc_ratio_double(etc_ratio(s->of[ETC_COST_HIGH], p->per));
	const struct etc_scale scale = etc_scale_of(profile, part),
			       all = etc_scale_of(profile, whole),
			       each = etc_scale_of(profile, c->ns[ETC_COST]);
	struct etc_text t = { 0 };

	if (c->ns[ETC_COST] == 0)
		return etc_arena_printf(arena,
		                        "subtracted  nothing: no cost of the tracer is proven");
	etc_text_cstr(&t, "subtracted  ");
	etc_text_scaled(&t, part, scale);
	if (!isnan(c->ns[ETC_COST_LOW])) {
		etc_text_cstr(&t, " (");
		etc_text_scaled(&t, low, scale);
		etc_text_cstr(&t, " … ");
		etc_text_scaled(&t, high, scale);
		etc_text_char(&t, ')');
	}
	etc_text_printf(&t, " %s of ", scale.name);
	etc_text_scaled(&t, whole, all);
	etc_text_printf(&t, " %s per run: what the tracer costs for %.6g events, ", all.name,
	                etc_ratio_double(etc_ratio(s->events, p->typical_runs)));
	etc_text_scaled(&t, c->ns[ETC_COST], each);
	etc_text_printf(&t, " %s each", each.name);
	return etc_text_keep(&t, arena);
}

static void put_load_time(struct etc_text *t, const struct etc_profile *profile,
                          const struct etc_profile_load *l)
{
	double time = etc_ratio_double(etc_ratio(l->time, profile->den));
	struct etc_scale s = etc_scale_of(profile, time);

	s.decimals = s.ns > 1 ? 2 : 0;
	etc_text_scaled(t, time, s);
	etc_text_printf(t, " %s", s.name);
}

/* Appends the number of loads and the range of their times. Used if the program has several
 * methods, and it is unknown which method each load loaded. */
static void put_loads(struct etc_text *t, const struct etc_profile *profile)
{
	const struct etc_profile_load *least = NULL, *most = NULL;

	for (size_t i = 0; i < profile->load_count; i++) {
		const struct etc_profile_load *l = &profile->loads[i];

		if (!l->valid)
			continue;
		least = least && least->time <= l->time ? least : l;
		most = most && most->time >= l->time ? most : l;
	}
	etc_text_printf(t, "load not known (%zu recorded", profile->load_count);
	if (least) {
		etc_text_cstr(t, ", ");
		put_load_time(t, profile, least);
	}
	if (least && most->time > least->time) {
		etc_text_cstr(t, " to ");
		put_load_time(t, profile, most);
	}
	etc_text_cstr(t, ")");
}

/* Appends the time of the method's first load, and the number of its loads. */
static void put_load(struct etc_text *t, const struct etc_profile *profile, struct etc_str method)
{
	const struct etc_profile_load *l = profile->loads;
	size_t count = 0;

	for (size_t i = 0; i < profile->load_count && method.len; i++)
		if (etc_str_eq(profile->loads[i].method, method)) {
			l = count ? l : &profile->loads[i];
			count++;
		}
	if (profile->loads_unknown) {
		put_loads(t, profile);
		return;
	}
	count = count ? count : profile->load_count;
	if (count == 0) {
		etc_text_cstr(t, "load not recorded");
	} else if (!l->valid) {
		etc_text_cstr(t, "load time invalid");
	} else {
		etc_text_cstr(t, "load ");
		put_load_time(t, profile, l);
		if (count > 1)
			etc_text_printf(t, " (first of %zu)", count);
	}
}

static struct etc_str second_line(const struct etc_profile *profile, uint32_t path,
                                  struct etc_arena *arena)
{
	const struct etc_profile_path *p = &profile->paths[path];
	double whole = etc_ratio_double(etc_ratio(p->time, 1)), portable = 0, delegated;
	struct etc_text t = { 0 };

	put_load(&t, profile, p->method);
	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].path == path && profile->rows[i].native &&
		    !profile->rows[i].detached)
			portable += etc_ratio_double(etc_ratio(profile->rows[i].self, 1));
	if (whole > 0) {
		delegated = etc_ratio_double(etc_ratio(p->delegated, 1));
		etc_text_cstr(&t, "   delegated ");
		etc_text_percent(&t, delegated / whole);
		if (p->partitions)
			etc_text_printf(&t, " (%u partition%s, %u event%s)", p->partitions,
			                etc_plural(p->partitions), p->delegate_events,
			                etc_plural(p->delegate_events));
		etc_text_cstr(&t, "   portable ");
		etc_text_percent(&t, portable / whole);
		etc_text_cstr(&t, "   runtime ");
		etc_text_percent(&t, (whole - delegated - portable) / whole);
	}
	return etc_text_keep(&t, arena);
}

static struct etc_str load_line(const struct etc_profile *profile, struct etc_arena *arena)
{
	struct etc_text t = { 0 };

	etc_text_cstr(&t, "no execute run: ");
	put_load(&t, profile, (struct etc_str){ 0 });
	return etc_text_keep(&t, arena);
}

enum etc_status etc_view_header(const struct etc_profile *profile, uint32_t path,
                                struct etc_arena *arena, struct etc_report_block *block,
                                struct etc_error *err)
{
	struct etc_str *lines = etc_new(arena, struct etc_str, HEAD_LINES), library;
	uint32_t n = 0;

	ETC_NEED(lines, err);
	if (path == ETC_PROFILE_LOAD) {
		lines[n++] = load_line(profile, arena);
	} else {
		lines[n++] = first_line(profile, path, arena);
		lines[n++] = second_line(profile, path, arena);
		if (profile->tracer)
			lines[n++] = tracer_line(profile, path, arena);
		for (uint32_t i = 0; i < ETC_VIEW_LIBRARIES; i++) {
			library = etc_view_library(profile, path, i, arena);
			if (library.len)
				lines[n++] = library;
		}
		for (uint32_t i = 0; i < ETC_ROOF_LINES && profile->peaks; i++) {
			lines[n] = etc_roof_line(profile, path, i, arena);
			n += lines[n].len > 0;
		}
	}
	block->head = lines;
	block->head_count = n;
	return ETC_OK;
}
