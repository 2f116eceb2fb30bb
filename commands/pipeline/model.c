/* model.c -- opens a model, and compares dumps with it; see model.h */
#include "commands/pipeline/model.h"

#include "base/file.h"
#include "base/sha256_text.h"
#include "formats/program/program.h"
#include "together/together.h"

/* Maximum size of a model in bytes. A manifest may name any file, so larger files are not read. */
#define MOST ((uint64_t)16 << 30)

struct etc_model {
	struct etc_file file;
	struct etc_program program;
};

enum etc_status etc_model_open(struct etc_model **out, const char *path, const char *sha256,
                               struct etc_arena *arena, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_model *m = etc_new(arena, struct etc_model, 1);
	enum etc_status st = ETC_CORRUPT;
	const char *have = "";

	*out = NULL;
	ETC_NEED(m, err);
	if (!path || !sha256 || !sha256[0] ||
	    etc_file_open_found(&m->file, path, 0, NULL) != ETC_OK)
		return ETC_OK;
	if (m->file.bytes.len <= MOST)
		have = etc_hex_sha256(m->file.bytes, arena);
	if (!have)
		st = ETC_NOMEM;
	else if (strcmp(have, sha256) == 0)
		st = etc_program_read(m->file.bytes, NULL, arena, &m->program, &why);
	if (st == ETC_OK)
		*out = m;
	else
		etc_file_release(&m->file);
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

bool etc_model_is_named_by(struct etc_str argument)
{
	size_t dashes = 0;

	while (dashes < argument.len && argument.ptr[dashes] == '-')
		dashes++;
	return etc_str_starts(etc_str_sub(argument, dashes, argument.len), ETC_STR("model_path")) ||
	       etc_str_ends(argument, ETC_STR(".pte"));
}

void etc_model_close(struct etc_model *m)
{
	if (m)
		etc_file_release(&m->file);
}

enum etc_status etc_model_contradicts(const struct etc_model *m, const struct etc_trace *trace,
                                      struct etc_arena *arena, const char **why,
                                      struct etc_error *err)
{
	struct etc_together_files f = { .trace = trace };
	struct etc_relations all;

	*why = NULL;
	if (!m)
		return ETC_OK;
	f.program = &m->program;
	f.program_bytes = m->file.bytes;
	ETC_TRY(etc_relations_find(&f, arena->budget, &all, err));
	if (all.dump_program.together != ETC_TOGETHER_NO)
		return ETC_OK;
	*why = etc_arena_printf(arena, "%s", all.dump_program.text).ptr;
	ETC_NEED(*why, err);
	return ETC_OK;
}
