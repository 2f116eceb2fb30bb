/* output.c -- see output.h */
#include "context/output.h"

#include "context/documents.h"
#include "base/file.h"
#include "base/opened.h"

static enum etc_status parse(const char *arg, struct etc_target *t, struct etc_error *err)
{
	const char *eq = strchr(arg, '=');
	struct etc_str name = etc_str_of(arg);

	if (eq)
		name.len = (size_t)(eq - arg);
	t->format = etc_format_find(name);
	t->path = eq ? eq + 1 : NULL;
	if (!t->format)
		return etc_fail(err, E0505, "-o '" ETC_STR_FMT "'; the formats are %s",
		                ETC_STR_ARG(name), etc_format_names());
	if (eq && !eq[1])
		return etc_fail(err, E0505, "-o %s: no file after '='", arg);
	return ETC_OK;
}

enum etc_status etc_targets_parse(struct etc_targets *t, const char *const *options, uint32_t count,
                                  struct etc_arena *arena, struct etc_error *err)
{
	static const char *const text[] = { "text" };
	uint32_t to_stdout = 0;

	if (count == 0) {
		options = text;
		count = 1;
	}
	*t = (struct etc_targets){ .v = etc_new(arena, struct etc_target, count) };
	if (!t->v)
		return etc_fail(err, E0904, "options");
	for (; t->count < count; t->count++) {
		ETC_TRY(parse(options[t->count], &t->v[t->count], err));
		to_stdout += t->v[t->count].path == NULL;
	}
	ETC_TRY(etc_outputs_apart(options, count, err));
	if (to_stdout > 1)
		return etc_fail(
			err, E0501,
			"%u formats for standard output; give all but one a file: -o json=FILE",
			to_stdout);
	return ETC_OK;
}

void etc_targets_release(struct etc_targets *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		etc_text_release(&t->v[i].text);
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

static enum etc_status write(const struct etc_target *t, const struct etc_report *joined,
                             const struct etc_report *reports, uint32_t count,
                             const struct etc_screen *screen, struct etc_text *out,
                             struct etc_error *err)
{
	struct etc_screen place = { .ascii = screen->ascii };

	if (!t->path)
		place = *screen;
	if (t->format->machine)
		t->format->write(joined, &place, out);
	else
		for (uint32_t i = 0; i < count; i++)
			t->format->write(&reports[i], &place, out);
	/* Of a receiver that takes no more he is told himself. */
	return out->failed && !out->sink ? etc_fail(err, E0904, "the answer as %s", t->format->name)
	                                 : ETC_OK;
}

static enum etc_status write_file(struct etc_target *t, const struct etc_report *joined,
                                  const struct etc_report *reports, uint32_t count,
                                  const struct etc_screen *screen, struct etc_error *err)
{
	ETC_TRY(write(t, joined, reports, count, screen, &t->text, err));
	ETC_TRY(etc_opened_spare(t->path, err));
	return etc_file_write(t->path, etc_text_str(&t->text), err);
}

/* A person's screen is made as a whole: it needs memory of its own on the way. */
static enum etc_status write_out(struct etc_target *t, const struct etc_report *joined,
                                 const struct etc_report *reports, uint32_t count,
                                 const struct etc_screen *screen, struct etc_text *out,
                                 struct etc_error *err)
{
	out->prose = strcmp(t->format->name, "text") == 0;
	if (t->format->machine) {
		if (!etc_text_reserve(out, 2 * ETC_TEXT_CHUNK))
			return etc_fail(err, E0904, "the answer as %s", t->format->name);
		return write(t, joined, reports, count, screen, out, err);
	}
	ETC_TRY(write(t, joined, reports, count, screen, &t->text, err));
	etc_text_put(out, etc_text_str(&t->text));
	return ETC_OK;
}

enum etc_status etc_targets_write(struct etc_targets *t, const struct etc_report *joined,
                                  const struct etc_report *reports, uint32_t count,
                                  const struct etc_screen *screen, struct etc_text *out,
                                  struct etc_error *err)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].path)
			ETC_TRY(write_file(&t->v[i], joined, reports, count, screen, err));
	for (uint32_t i = 0; i < t->count; i++)
		if (!t->v[i].path)
			ETC_TRY(write_out(&t->v[i], joined, reports, count, screen, out, err));
	return ETC_OK;
}
