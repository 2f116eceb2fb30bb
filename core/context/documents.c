/* documents.c -- see documents.h */
#include "context/documents.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/opened.h"

static const struct etc_form *find_form(const struct etc_form *forms, struct etc_str name)
{
	for (const struct etc_form *f = forms; f->name; f++)
		if (etc_str_eq(name, etc_str_of(f->name)))
			return f;
	return NULL;
}

static enum etc_status unknown_form(const struct etc_form *forms, struct etc_str name,
                                    struct etc_error *err)
{
	char known[128];
	size_t used = 0;

	known[0] = '\0';
	for (const struct etc_form *f = forms; f->name && used < sizeof known; f++)
		used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
		                         used ? ", " : "", f->name);
	return etc_fail(err, E0505, "-o '" ETC_STR_FMT "'; the formats are %s", ETC_STR_ARG(name),
	                known);
}

static enum etc_status parse_one(const struct etc_form *forms, const char *option,
                                 struct etc_document *d, struct etc_error *err)
{
	const char *eq = strchr(option, '=');
	struct etc_str name = etc_str_of(option);

	if (eq)
		name.len = (size_t)(eq - option);
	d->path = eq ? eq + 1 : NULL;
	d->form = find_form(forms, name);
	if (!d->form)
		return unknown_form(forms, name, err);
	if (eq && !eq[1])
		return etc_fail(err, E0505, "-o %s: no file after '='", option);
	return ETC_OK;
}

/* What a name of a file that is not there yet begins with. */
static bool stat_folder(const char *path, struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];

	return snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
	                slash ? path : ".") < (int)sizeof folder &&
	       stat(folder, st) == 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is it one file, by one path or by two? What is not there yet may have a link already. */
static bool is_same(const char *a, const char *b)
{
	char to_a[4096], to_b[4096];
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return etc_output_place(a, to_a, sizeof to_a) == 0 &&
		       etc_output_place(b, to_b, sizeof to_b) == 0 &&
		       strcmp(last_part(to_a), last_part(to_b)) == 0 && stat_folder(to_a, &x) &&
		       stat_folder(to_b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       (S_ISREG(x.st_mode) || S_ISDIR(x.st_mode));
}

enum etc_status etc_outputs_apart(const char *const *options, uint32_t count, struct etc_error *err)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < i; k++) {
			const char *a = strchr(options[k], '='), *b = strchr(options[i], '=');

			if (a && b && is_same(a + 1, b + 1))
				return etc_fail(err, E0501, "-o %s and -o %s are one file",
				                options[k], options[i]);
		}
	return ETC_OK;
}

enum etc_status etc_documents_parse(struct etc_documents *d, const struct etc_form *forms,
                                    const char *const *options, uint32_t count,
                                    struct etc_arena *arena, struct etc_error *err)
{
	uint32_t to_stdout = 0;

	d->count = count ? count : 1;
	d->v = etc_new(arena, struct etc_document, d->count);
	if (!d->v)
		return etc_fail(err, E0904, "options");
	d->v[0].form = forms;
	for (uint32_t i = 0; i < count; i++) {
		ETC_TRY(parse_one(forms, options[i], &d->v[i], err));
		to_stdout += d->v[i].path == NULL;
	}
	ETC_TRY(etc_outputs_apart(options, count, err));
	if (to_stdout > 1)
		return etc_fail(
			err, E0501,
			"%lu formats for standard output; give all but one a file: -o json=FILE",
			(unsigned long)to_stdout);
	return ETC_OK;
}

static enum etc_status put_file(const struct etc_document *d, void *what, struct etc_error *err)
{
	struct etc_output file;
	struct etc_text text = { .sink = etc_output_sink, .arg = &file };
	enum etc_status st;
	bool whole;

	ETC_TRY(etc_opened_spare(d->path, err));
	ETC_TRY(etc_output_open(&file, d->path, err));
	d->form->write(what, &text);
	whole = etc_text_flush(&text);
	etc_text_release(&text);
	st = etc_output_close(&file, whole || file.refused, err);
	return st == ETC_OK && !whole ? etc_fail(err, E0904, "buffer of the output") : st;
}

enum etc_status etc_documents_write(const struct etc_documents *d, void *what, struct etc_text *out,
                                    struct etc_error *err)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (d->v[i].path)
			ETC_TRY(put_file(&d->v[i], what, err));
	for (uint32_t i = 0; i < d->count; i++)
		if (!d->v[i].path) {
			out->prose = strcmp(d->v[i].form->name, "text") == 0;
			d->v[i].form->write(what, out);
		}
	return ETC_OK;
}
