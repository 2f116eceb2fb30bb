/* export.c -- see export.h */
#include "commands/numeric/export.h"

#include "context/documents.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/inside.h"
#include "base/opened.h"

/* All tensors of one file. */
struct content {
	const struct etc_export *tensors;
	size_t count;
	size_t *order; /* scratch */
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

static const struct form {
	const char *name;
	const char *(*type)(const struct etc_elements *e);
	enum etc_code refuses;
	void (*put)(const struct content *c, struct etc_text *out);
	bool single; /* a file per tensor */
} forms[] = {
	{ "npy", etc_npy_type, E1153, put_npy, true },
	{ "npz", etc_npy_type, E1153, put_npz, false },
	{ "safetensors", etc_safetensors_type, E1156, put_safetensors, false },
};

enum { FORMS = sizeof forms / sizeof forms[0] };

/* ---- options ------------------------------------------------------------------------ */

static unsigned form_of(const char *option)
{
	struct etc_str name = etc_str_of(option);
	const char *eq = strchr(option, '=');
	unsigned f = 0;

	if (eq)
		name.len = (size_t)(eq - option);
	while (f < FORMS && !etc_str_eq(name, etc_str_of(forms[f].name)))
		f++;
	return f;
}

enum etc_status etc_export_parse(const char *const *output, uint32_t count, struct etc_arena *arena,
                                 struct etc_export_options *out, struct etc_error *err)
{
	*out = (struct etc_export_options){ 0 };
	out->targets = etc_new(arena, struct etc_export_target, count);
	out->others = etc_new(arena, const char *, count);
	if (!out->targets || !out->others)
		return etc_fail(err, E0904, "options");
	ETC_TRY(etc_outputs_apart(output, count, err));
	for (uint32_t i = 0; i < count; i++) {
		const char *eq = strchr(output[i], '=');
		unsigned f = form_of(output[i]);

		if (f == FORMS) {
			out->others[out->other_count++] = output[i];
			continue;
		}
		if (!eq || !eq[1])
			return etc_fail(err, E0505, "-o %s: no file; -o %s=PATH", output[i],
			                forms[f].name);
		out->targets[out->count++] =
			(struct etc_export_target){ .form = (uint8_t)f, .path = eq + 1 };
	}
	return ETC_OK;
}

/* ---- files --------------------------------------------------------------------------- */

/* `folder`: that it lies in, when its name is etcore's; else NULL. */
static enum etc_status put_file(const struct form *f, const struct content *c, const char *folder,
                                const char *path, struct etc_error *err)
{
	struct etc_output file;
	struct etc_text text = { .sink = etc_output_sink, .arg = &file };
	enum etc_status st;
	bool whole;

	ETC_TRY(etc_opened_spare(path, err));
	ETC_TRY(folder ? etc_inside_open(&file, folder, path, err)
	               : etc_output_open(&file, path, err));
	f->put(c, &text);
	whole = etc_text_flush(&text);
	etc_text_release(&text);
	st = etc_output_close(&file, whole || file.refused, err);
	return st == ETC_OK && !whole ? etc_fail(err, E0904, "buffer of the output") : st;
}

/* A file per tensor in the folder, which is made if it is not there. */
static enum etc_status put_folder(const struct form *f, const struct content *c, const char *folder,
                                  struct etc_arena *arena, struct etc_error *err)
{
	if (!etc_folder_exists(folder))
		ETC_TRY(etc_folder_make(folder, err));
	for (size_t i = 0; i < c->count; i++) {
		struct content one = { &c->tensors[i], 1, c->order };
		struct etc_str path = etc_arena_printf(arena, "%s/" ETC_STR_FMT ".%s", folder,
		                                       ETC_STR_ARG(one.tensors->name), f->name);

		if (!path.ptr)
			return etc_fail(err, E0904, "name of a file");
		ETC_TRY(put_file(f, &one, folder, path.ptr, err));
	}
	return ETC_OK;
}

static bool is_one_file(const struct etc_export_target *t)
{
	return !forms[t->form].single || etc_str_ends(etc_str_of(t->path), ETC_STR(".npy"));
}

static enum etc_status check(const struct etc_export_target *t, const struct etc_export *tensors,
                             size_t count, struct etc_error *err)
{
	const struct form *f = &forms[t->form];

	for (size_t i = 0; i < count; i++)
		if (!f->type(&tensors[i].elements))
			return etc_fail(err, f->refuses, ETC_STR_FMT " is %s",
			                ETC_STR_ARG(tensors[i].name), tensors[i].elements.type);
	if (f->single && is_one_file(t) && count > 1)
		return etc_fail(err, E1154, "%zu values for one .npy; name a folder, or take npz",
		                count);
	return ETC_OK;
}

enum etc_status etc_export_write(const struct etc_export_options *options,
                                 const struct etc_export *tensors, size_t count,
                                 struct etc_arena *arena, struct etc_error *err)
{
	struct content c = { tensors, count, etc_new(arena, size_t, count) };

	if (!c.order)
		return etc_fail(err, E0904, "%zu tensors", count);
	if (options->count && !count)
		return etc_fail(err, E1154, "no value is left that can be exported");
	for (uint32_t i = 0; i < options->count; i++)
		ETC_TRY(check(&options->targets[i], tensors, count, err));
	for (uint32_t i = 0; i < options->count; i++) {
		const struct etc_export_target *t = &options->targets[i];

		if (is_one_file(t))
			ETC_TRY(put_file(&forms[t->form], &c, NULL, t->path, err));
		else
			ETC_TRY(put_folder(&forms[t->form], &c, t->path, arena, err));
	}
	return ETC_OK;
}
