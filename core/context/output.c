/* output.c -- see output.h */
#include "context/output.h"

#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/inside.h"
#include "base/opened.h"

/* ---- options ---------------------------------------------------------------------- */

/* Does the name consist of at least one character, a dot, and `ending` (in upper or lower case)? */
static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), n = ending ? strlen(ending) : 0;

	return n && len > n + 1 && name[len - n - 1] == '.' &&
	       strcasecmp(name + len - n, ending) == 0;
}

/* Returns the format that the extension of a file name selects, or NULL. The first row with a
 * matching extension is used, so longer extensions ("speedscope.json") come before shorter ones
 * ("json"). */
static const struct etc_format *format_of_file(const struct etc_format *formats, const char *path)
{
	const char *name = etc_file_name(path);

	for (const struct etc_format *f = formats; f->name; f++)
		if (has_ending(name, f->name) || has_ending(name, f->ending))
			return f;
	return NULL;
}

static enum etc_status unknown_ending(const struct etc_format *formats, const char *path,
                                      struct etc_error *err)
{
	char known[512] = "";
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return etc_fail(err, E0505, "-o '%s'; it is a folder; expected a file", path);
	for (const struct etc_format *f = formats; f->name; f++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof known - used, "%s%s (.%s%s%s)", used ? ", " : "",
		         f->name, f->name, f->ending ? ", ." : "", f->ending ? f->ending : "");
	}
	return etc_fail(err, E0505, "-o '%s'; no format has that ending; the formats are %s", path,
	                known);
}

static enum etc_status parse(struct etc_target *t, const struct etc_format *formats,
                             const char *option, struct etc_error *err)
{
	const size_t n = strcspn(option, "=./");
	const struct etc_str name = { option, option[n] == '=' ? n : strlen(option) };

	*t = (struct etc_target){ .format = etc_format_find(formats, name) };
	if (t->format && option[n] == '=') {
		t->path = option + n + 1;
	} else if (!t->format && option[n] && option[n] != '=') {
		t->format = format_of_file(formats, option);
		t->path = option;
		if (!t->format)
			return unknown_ending(formats, option, err);
	}
	if (!t->format)
		return etc_format_unknown(formats, "-o ", name, err);
	if (t->format->needs_path && (!t->path || !t->path[0]))
		return etc_fail(err, E0505, "-o %s: no file; -o %s=PATH", option, t->format->name);
	if (t->path && !t->path[0])
		return etc_fail(err, E0505, "-o %s: no file after '='", option);
	if (t->path && strcmp(t->path, "-") == 0) {
		if (t->format->needs_path)
			return etc_fail(err, E0505, "-o %s: not for standard output; -o %s=PATH",
			                option, t->format->name);
		t->path = NULL;
	}
	return ETC_OK;
}

/* Calls stat() for the folder of `path`, since `path` itself does not exist yet. */
static bool stat_folder(const char *path, struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];

	return snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
	                slash ? path : ".") < (int)sizeof folder &&
	       stat(folder, st) == 0;
}

/* Do both paths refer to the same file? True also if the file does not exist yet, and one of the
 * paths is a symbolic link to it. */
static bool is_same(const char *a, const char *b)
{
	char to_a[4096], to_b[4096];
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return etc_output_place(a, to_a, sizeof to_a) == 0 &&
		       etc_output_place(b, to_b, sizeof to_b) == 0 &&
		       strcmp(etc_file_name(to_a), etc_file_name(to_b)) == 0 &&
		       stat_folder(to_a, &x) && stat_folder(to_b, &y) && x.st_dev == y.st_dev &&
		       x.st_ino == y.st_ino;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       (S_ISREG(x.st_mode) || S_ISDIR(x.st_mode));
}

/* Fails if two outputs go to one file, because the second would replace the first. Only a device
 * may be named twice. */
static enum etc_status check_apart(const struct etc_targets *t, const char *const *options,
                                   struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; k < i; k++)
			if (t->v[k].path && t->v[i].path && is_same(t->v[k].path, t->v[i].path))
				return etc_fail(err, E0501, "-o %s and -o %s are one file",
				                options[k], options[i]);
	return ETC_OK;
}

enum etc_status etc_targets_parse(struct etc_targets *t, const struct etc_format *formats,
                                  const struct etc_opt_list *options, struct etc_arena *arena,
                                  struct etc_error *err)
{
	const uint32_t count = options->count;
	uint32_t to_stdout = 0, last = 0;

	*t = (struct etc_targets){ .v = etc_new(arena, struct etc_target, count ? count : 1),
		                   .count = count ? count : 1 };
	ETC_NEED(t->v, err);
	t->v[0].format = formats;
	for (uint32_t i = 0; i < count; i++) {
		ETC_TRY(parse(&t->v[i], formats, options->v[i], err));
		if (t->v[i].path && etc_descriptor_named(t->v[i].path) != STDOUT_FILENO)
			continue;
		to_stdout++;
		last = i;
	}
	ETC_TRY(check_apart(t, options->v, err));
	if (to_stdout > 1)
		return etc_fail(
			err, E0501,
			"%lu formats for standard output; give all but one a file: -o %s=FILE",
			(unsigned long)to_stdout, t->v[last].format->name);
	return ETC_OK;
}

enum etc_status etc_targets_need(const struct etc_targets *t, const char *option, bool given,
                                 const char *names, struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count && given; i++)
		given = !etc_opt_listed(names, t->v[i].format->name);
	return given ? etc_fail(err, E0501, "--%s has no effect here; formats with it:%.*s", option,
	                        (int)strlen(names) - 1, names)
	             : ETC_OK;
}

bool etc_targets_want_hashes(const struct etc_targets *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].format->hashes)
			return true;
	return false;
}

bool etc_targets_want_all(const struct etc_targets *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].format->machine)
			return true;
	return false;
}

bool etc_targets_row_by_row(const struct etc_targets *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (!t->v[i].format->machine)
			return false;
	return true;
}

/* ---- writing ---------------------------------------------------------------------- */

enum etc_status etc_output_write(const char *folder, const char *path, etc_file_writer *write,
                                 const void *what, struct etc_error *err)
{
	struct etc_output file;
	struct etc_text text = { .sink = etc_output_sink, .arg = &file };
	enum etc_status st, closed;

	ETC_TRY(folder ? etc_inside_open(&file, folder, path, err)
	               : etc_output_open(&file, path, err));
	st = write(what, &text, err);
	if (st == ETC_OK && !etc_text_flush(&text) && !file.refused)
		st = etc_no_memory(err);
	etc_text_release(&text);
	closed = etc_output_close(&file, st == ETC_OK, st == ETC_OK ? err : NULL);
	return st == ETC_OK ? closed : st;
}

/* A target, and the function that writes to it. */
struct writing {
	const struct etc_target *target;
	etc_target_writer *write;
	void *what;
};

static enum etc_status write_target(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct writing *w = what;

	return w->write(w->target->format, w->target->path != NULL, w->what, out, err);
}

enum etc_status etc_targets_write(const struct etc_targets *t, etc_target_writer *write, void *what,
                                  struct etc_text *out, struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct writing w = { &t->v[i], write, what };

		if (!t->v[i].path)
			continue;
		ETC_TRY(etc_opened_spare(t->v[i].path, err));
		ETC_TRY(etc_output_write(NULL, t->v[i].path, write_target, &w, err));
	}
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->v[i].path)
			continue;
		out->prose = strcmp(t->v[i].format->name, "text") == 0;
		ETC_TRY(write(t->v[i].format, false, what, out, err));
	}
	return ETC_OK;
}

static enum etc_status write_document(const struct etc_format *format, bool for_file, void *what,
                                      struct etc_text *out, struct etc_error *err)
{
	(void)for_file;
	(void)err;
	format->document(what, out);
	return ETC_OK;
}

enum etc_status etc_targets_document(const struct etc_targets *t, void *what, struct etc_text *out,
                                     struct etc_error *err)
{
	return etc_targets_write(t, write_document, what, out, err);
}

struct tables {
	const struct etc_report *joined, *reports;
	uint32_t count;
	const struct etc_screen *screen;
};

/* Writes tables. A screen for people is made in memory first, so that it is written completely or
 * not at all. */
static enum etc_status write_tables(const struct etc_format *format, bool for_file, void *what,
                                    struct etc_text *out, struct etc_error *err)
{
	const struct tables *a = what;
	const struct etc_screen plain = { .bars = a->screen->bars },
				*screen = for_file ? &plain : a->screen;
	struct etc_text whole = { 0 };
	bool failed;

	if (format->machine) {
		failed = !etc_text_reserve(out, 2 * ETC_TEXT_CHUNK);
		if (!failed)
			format->tables(a->joined, screen, out);
		/* if the output has a sink, it fails only if the caller's write callback stopped
		 * it, which is not an error */
		failed = failed || (out->failed && !out->sink);
	} else {
		for (uint32_t i = 0; i < a->count; i++)
			format->tables(&a->reports[i], screen, &whole);
		failed = whole.failed;
		etc_text_put(out, etc_text_str(&whole));
		etc_text_release(&whole);
	}
	return failed ? etc_no_memory(err) : ETC_OK;
}

static bool is_binary(const struct etc_format *f)
{
	return f->tables == etc_write_parquet || f->tables == etc_write_arrow;
}

static enum etc_status check_terminal(const struct etc_targets *t, const struct etc_screen *screen,
                                      struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count && screen->terminal; i++)
		if (!t->v[i].path && is_binary(t->v[i].format))
			return etc_fail(err, E0561, "-o %s=PATH", t->v[i].format->name);
	return ETC_OK;
}

enum etc_status etc_targets_tables(const struct etc_targets *t, const struct etc_report *joined,
                                   const struct etc_report *reports, uint32_t count,
                                   const struct etc_screen *screen, struct etc_text *out,
                                   struct etc_error *err)
{
	struct tables a = { joined, reports, count, screen };

	ETC_TRY(check_terminal(t, screen, err));
	return etc_targets_write(t, write_tables, &a, out, err);
}

void etc_targets_only_files(struct etc_targets *t)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].path)
			t->v[kept++] = t->v[i];
	t->count = kept;
}
