/* baseline_screen.c -- see baseline_screen.h */
#include "commands/compare/baseline_screen.h"

#include "base/exact.h"

#include <stdlib.h>

#include "base/memory.h"
#include "table/words.h"

static void put_count(struct etc_text *out, uint64_t n, const char *what)
{
	etc_text_printf(out, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
}

void etc_view_baseline_line(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                            struct etc_text *out)
{
	uint64_t runs = 0;

	for (uint32_t d = 0; d < baseline->count; d++) {
		const struct etc_profile *p = &baseline->dumps[d].views[ETC_BASELINE_EVENT];

		for (uint32_t i = 0; i < p->path_count; i++)
			runs += p->paths[i].runs;
	}
	etc_text_shown(out, name);
	etc_text_cstr(out, ": ");
	put_count(out, baseline->count, "dump");
	etc_text_cstr(out, ", ");
	put_count(out, runs, "run");
	etc_text_cstr(out, ", ");
	put_count(out, bytes, "byte");
	etc_text_char(out, '\n');
}

/* The median of the kept runs; of an even number of runs, the mean of the middle two. */
static bool median_of(const struct etc_profile_path *p, double *median)
{
	uint64_t *v = etc_malloc((p->kept ? p->kept : 1) * sizeof *v);
	struct etc_ratio middle;

	if (!v || !p->kept) {
		free(v);
		return false;
	}
	memcpy(v, p->samples + p->warmup, p->kept * sizeof *v);
	qsort(v, p->kept, sizeof *v, etc_by_u64);
	middle = etc_ratio((etc_u128)v[(p->kept - 1) / 2] + v[p->kept / 2], (etc_u128)2 * p->den);
	*median = etc_ratio_double(middle);
	free(v);
	return true;
}

static void put_path(struct etc_text *out, const struct etc_profile *p, uint32_t path)
{
	const struct etc_profile_path *of = &p->paths[path];
	struct etc_scale scale;
	size_t from, to;
	double median;

	etc_profile_rows(p, path, &from, &to);
	etc_text_cstr(out, "  ");
	etc_text_shown(out, of->method.len ? of->method : ETC_STR("execute"));
	if (p->path_count > 1)
		etc_text_printf(out, ", path %u", of->number);
	etc_text_cstr(out, ": ");
	if (median_of(of, &median)) {
		scale = etc_scale_of(p, median);
		etc_text_cstr(out, "median ");
		etc_text_scaled(out, median, scale);
		etc_text_printf(out, " %s, ", scale.name);
	}
	put_count(out, of->kept, "run");
	etc_text_printf(out, " and %zu of warm-up, ", of->warmup);
	put_count(out, to - from, "event");
	etc_text_char(out, '\n');
}

static void put_files(struct etc_text *out, const struct etc_baseline_dump *d)
{
	static const char *const names[ETC_BASELINE_FILES] = { "", "ETRecord", "debug buffer",
		                                               "program" };

	for (int i = 0; i < ETC_BASELINE_FILES; i++) {
		const struct etc_baseline_file *f = &d->files[i];

		if (!f->path.len)
			continue;
		etc_text_cstr(out, i ? "  " : "");
		etc_text_cstr(out, names[i]);
		etc_text_cstr(out, i ? " " : "");
		etc_text_shown(out, f->path);
		etc_text_cstr(out, ": ");
		put_count(out, f->bytes, "byte");
		etc_text_cstr(out, ", SHA-256 ");
		etc_text_shown(out, f->sha256);
		etc_text_char(out, '\n');
	}
}

static void put_dump(struct etc_text *out, const struct etc_baseline_dump *d)
{
	const struct etc_profile *p = &d->views[ETC_BASELINE_EVENT];

	etc_text_char(out, '\n');
	put_files(out, d);
	for (uint32_t i = 0; i < p->path_count; i++)
		put_path(out, p, i);
	if (p->path_count == 0)
		etc_text_cstr(out, "  no execute run\n");
	etc_text_cstr(out, "  saved by etcore ");
	etc_text_shown(out, d->etcore.len ? d->etcore : ETC_STR("?"));
	for (uint32_t i = 0; i < d->plugin_count; i++) {
		etc_text_cstr(out, ", ");
		etc_text_shown(out, d->plugins[i]);
	}
	etc_text_printf(out, "; --warmup %llu, ", (unsigned long long)d->warmup);
	put_count(out, d->note_count, "note");
	etc_text_char(out, '\n');
}

void etc_view_baseline(const struct etc_baseline *baseline, struct etc_str name, size_t bytes,
                       struct etc_text *out)
{
	etc_view_baseline_line(baseline, name, bytes, out);
	for (uint32_t d = 0; d < baseline->count; d++)
		put_dump(out, &baseline->dumps[d]);
}
