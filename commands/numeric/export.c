/* export.c -- writes logged values to .npy, .npz and safetensors files; see export.h */
#include "commands/numeric/export.h"

#include "base/folder.h"
#include "base/opened.h"

/* All tensors that are written to one file. */
struct content {
	const struct etc_export *tensors;
	size_t count;
	size_t *order; /* room for `count` indices, for etc_write_safetensors() */
};

static void put_npy(const struct content *c, struct etc_text *out)
{
	etc_write_npy(c->tensors, out);
}

static void put_npz(const struct content *c, struct etc_text *out)
{
	etc_write_npz(c->tensors, c->count, out);
}

static void put_safetensors(const struct content *c, struct etc_text *out)
{
	etc_write_safetensors(c->tensors, c->count, c->order, out);
}

/* The properties of a format in ETC_EXPORT_FORMATS, except its name and ending. */
struct form {
	const char *(*type)(const struct etc_elements *e);
	enum etc_code refuses;
	void (*put)(const struct content *c, struct etc_text *out);
	bool single; /* the format holds one tensor per file */
};

/* clang-format off */
#define FORMAT(name, ending, type, refuses, put, single)                                           \
	{ name, ending, false, false, NULL, NULL,                                                  \
	  &(const struct form){ type, refuses, put, single }, true },
const struct etc_format etc_values_formats[] = {
	ETC_TABLE_FORMATS(ETC_TABLE_FORMAT)
	ETC_EXPORT_FORMATS(FORMAT)
	{ 0 }
};
/* clang-format on */

enum etc_status etc_export_take(struct etc_targets *t, struct etc_targets *exports,
                                struct etc_arena *arena, struct etc_error *err)
{
	uint32_t rest = 0;

	*exports = (struct etc_targets){ .v = etc_new(arena, struct etc_target, t->count) };
	ETC_NEED(exports->v, err);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->v[i].format->own)
			exports->v[exports->count++] = t->v[i];
		else
			t->v[rest++] = t->v[i];
	t->count = rest;
	return ETC_OK;
}

/* ---- files --------------------------------------------------------------------------- */

struct file {
	const struct form *form;
	const struct content *content;
};

static enum etc_status put(const void *what, struct etc_text *out, struct etc_error *err)
{
	const struct file *f = what;

	(void)err;
	f->form->put(f->content, out);
	return ETC_OK;
}

/* Writes one file. If etcore chose the name of the file, `folder` is the folder that contains it;
 * else `folder` is NULL. */
static enum etc_status put_file(const struct form *f, const struct content *c, const char *folder,
                                const char *path, struct etc_error *err)
{
	const struct file file = { f, c };

	ETC_TRY(etc_opened_spare(path, err));
	return etc_output_write(folder, path, put, &file, err);
}

/* Writes one file per tensor into the folder. If the folder does not exist, creates it. */
static enum etc_status put_folder(const struct etc_format *format, const struct content *c,
                                  const char *folder, struct etc_arena *arena,
                                  struct etc_error *err)
{
	if (!etc_folder_exists(folder))
		ETC_TRY(etc_folder_make(folder, err));
	for (size_t i = 0; i < c->count; i++) {
		struct content one = { &c->tensors[i], 1, c->order };
		struct etc_str path =
			etc_arena_printf(arena, "%s/" ETC_STR_FMT ".%s", folder,
		                         ETC_STR_ARG(one.tensors->name), format->name);

		ETC_NEED(path.ptr, err);
		ETC_TRY(put_file(format->own, &one, folder, path.ptr, err));
	}
	return ETC_OK;
}

static bool is_one_file(const struct etc_target *t)
{
	const struct form *f = t->format->own;

	return !f->single || etc_str_ends(etc_str_of(t->path), ETC_STR(".npy"));
}

static enum etc_status check(const struct etc_target *t, const struct etc_export *tensors,
                             size_t count, struct etc_error *err)
{
	const struct form *f = t->format->own;

	for (size_t i = 0; i < count; i++)
		if (!f->type(&tensors[i].elements))
			return etc_fail(err, f->refuses, ETC_STR_FMT " is %s",
			                ETC_STR_ARG(tensors[i].name), tensors[i].elements.type);
	if (f->single && is_one_file(t) && count > 1)
		return etc_fail(err, E1154, "%zu values for one .npy; name a folder, or take npz",
		                count);
	return ETC_OK;
}

enum etc_status etc_export_write(const struct etc_targets *exports,
                                 const struct etc_export *tensors, size_t count,
                                 struct etc_arena *arena, struct etc_error *err)
{
	struct content c = { tensors, count, etc_new(arena, size_t, count) };

	ETC_NEED(c.order, err);
	if (exports->count && !count)
		return etc_fail(err, E1154, "no value is left that can be exported");
	for (uint32_t i = 0; i < exports->count; i++)
		ETC_TRY(check(&exports->v[i], tensors, count, err));
	for (uint32_t i = 0; i < exports->count; i++) {
		const struct etc_target *t = &exports->v[i];

		if (is_one_file(t))
			ETC_TRY(put_file(t->format->own, &c, NULL, t->path, err));
		else
			ETC_TRY(put_folder(t->format, &c, t->path, arena, err));
	}
	return ETC_OK;
}
