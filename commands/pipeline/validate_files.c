/* validate_files.c -- see validate.h: times, and the hashes of input files. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/stat.h>

#include "commands/pipeline/runner_file.h"
#include "commands/pipeline/validate.h"

#include "base/sha256_text.h"

enum { DAY = 24 * 3600 };

/* Days since 1970 of a date of our calendar (H. Hinnant, "chrono-compatible low-level
 * date algorithms"). */
static int64_t days_of(int64_t y, int m, int d)
{
	int64_t era, year_of_era, day_of_year;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	year_of_era = y - era * 400;
	day_of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
	       day_of_year - 719468;
}

/* "2026-11-21T03:07:16.099148+00:00"; the zone is at most a day. */
static bool time_of(struct etc_str s, int64_t *seconds)
{
	int y, mo, d, h, mi, sec;
	char text[32] = "";

	if (s.len < 19 || s.len > 40)
		return false;
	memcpy(text, s.ptr, 19);
	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &y, &mo, &d, &h, &mi, &sec) != 6)
		return false;
	if (mo < 1 || mo > 12 || d < 1 || d > 31 || h > 24 || mi > 59 || sec > 60)
		return false;
	*seconds = days_of(y, mo, d) * DAY + h * 3600 + mi * 60 + sec;
	return true;
}

void etc_validate_times(const struct etc_run_folder *f, int64_t now, struct etc_findings *out)
{
	const struct etc_tree *document =
		f->kind == ETC_FOLDER_G3 ? f->summary.tree : f->manifest.tree;
	struct etc_str text = etc_tree_text(etc_tree_get(document, "generated_at"));
	int64_t written;

	if (!text.len)
		return;
	if (!time_of(text, &written))
		etc_finding(out, E1053, (struct etc_str){ 0 },
		            "'generated_at' is '" ETC_STR_FMT "'; expected a date and time",
		            ETC_STR_ARG(text));
	else if (written > now + DAY)
		etc_finding(out, W1061, (struct etc_str){ 0 },
		            "'generated_at' is in the future: " ETC_STR_FMT, ETC_STR_ARG(text));
}

/* ---- hashes ----------------------------------------------------------------------------- */

struct hashed {
	struct etc_findings *out;
	uint64_t left; /* bytes that may be read */
};

/* Checks one hash. `size`: the manifest's size in bytes; NULL: unknown. */
static void check_hash(struct hashed *h, struct etc_str path, struct etc_str wanted,
                       const uint64_t *size)
{
	struct etc_findings *out = h->out;
	const char *name, *have;
	struct stat st;

	if (!path.len || !wanted.len)
		return;
	name = etc_arena_cstr(out->arena, path);
	out->no_memory = out->no_memory || !name;
	if (!name || stat(name, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	if (size && *size != (uint64_t)st.st_size) {
		etc_finding(out, E1060, path, "it has %llu bytes, the manifest says %llu",
		            (unsigned long long)st.st_size, (unsigned long long)*size);
		return;
	}
	if ((uint64_t)st.st_size > h->left) {
		etc_finding(out, W1075, path, "it has %llu bytes", (unsigned long long)st.st_size);
		return;
	}
	h->left -= (uint64_t)st.st_size;
	have = etc_file_sha256(name, out->arena, NULL);
	if (have && !etc_str_eq(wanted, etc_str_of(have)))
		etc_finding(out, E1060, path, "its SHA-256 is %.12s…, the manifest says %.12s…",
		            have, wanted.len >= 12 ? wanted.ptr : "nothing");
}

/* The path of a job's dump, from experiment, threads and block. */
static struct etc_str dump_of(const struct etc_run_folder *f, const struct etc_tree *job)
{
	struct etc_str experiment = etc_tree_text(etc_tree_get(job, "experiment"));
	uint64_t threads = 0, block = 1;

	(void)etc_tree_count(etc_tree_get(job, "threads"), &threads);
	(void)etc_tree_count(etc_tree_get(job, "block"), &block);
	for (uint32_t i = 0; i < f->job_count; i++)
		if (etc_str_eq(f->jobs[i].experiment, experiment) &&
		    f->jobs[i].threads == threads && !--block)
			return f->jobs[i].etdump;
	return (struct etc_str){ 0 };
}

void etc_validate_hashes(const struct etc_run_folder *f, struct etc_findings *out)
{
	const struct etc_tree *m = f->manifest.tree, *list = etc_tree_get(m, "experiments");
	struct hashed h = { out, (uint64_t)16 << 30 };
	uint64_t size;
	bool sized = etc_tree_count(etc_tree_get(m, "model_bytes"), &size);

	check_hash(&h, f->model, etc_tree_text(etc_tree_get(m, "model_sha256")),
	           sized ? &size : NULL);
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next)
		check_hash(&h, etc_tree_text(etc_tree_get(t, "runner")),
		           etc_tree_text(etc_tree_get(t, "runner_sha256")), NULL);
	list = etc_tree_get(m, "jobs");
	for (const struct etc_tree *t = list ? list->first : NULL; t; t = t->next) {
		struct etc_str dump = dump_of(f, t);
		const char *path = dump.len ? etc_run_folder_path(f, dump, out->arena) : NULL;

		check_hash(&h, etc_str_of(path), etc_tree_text(etc_tree_get(t, "etdump_sha256")),
		           NULL);
	}
}
