/* etdump_cut.c -- see etdump.h: truncated and damaged files.
 *
 * Such a file is refused with the number of its complete runs; --salvage reads these runs. */
#include <stdio.h>

#include "formats/etdump/etdump.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/etdump_salvage.h"

/* Largest size of a FlatBuffer. */
#define FLATBUFFER_MOST ((size_t)INT32_MAX)

enum { PREFIX = ETC_ETDUMP_PREFIX, SURVEY_LEAST = 1 << 20 };

/* Finds the complete runs of a damaged file. The length before truncation is known only from
 * the size prefix. */
static enum etc_status survey(struct etc_span file, const struct etc_limits *limits,
                              struct etc_arena *arena, struct etc_survey *found)
{
	struct etc_wreck wreck = { .bytes = file };
	uint32_t prefix = 0;
	bool prefixed;

	ETC_TRY(etc_etdump_identify(file, &prefixed, NULL));
	wreck.whole_bytes = FLATBUFFER_MOST;
	if (prefixed) {
		memcpy(&prefix, file.ptr, sizeof prefix);
		wreck.origin = PREFIX;
		wreck.whole_bytes = prefix > file.len - PREFIX ? (size_t)prefix + PREFIX : 0;
	}
	if (file.len > FLATBUFFER_MOST || wreck.whole_bytes > FLATBUFFER_MOST)
		return ETC_LIMIT;
	return etc_etdump_survey(&wreck, limits, arena, found, NULL);
}

/* "0 of 9 runs are whole by the file's own vtables, 8 with the layouts ..." */
static struct etc_str count_whole(const struct etc_survey *s, struct etc_arena *arena)
{
	return etc_arena_printf(arena,
	                        "%zu of %zu runs are whole by the file's own vtables, %zu with the "
	                        "layouts that the runtime always writes",
	                        s->own, s->runs, s->count);
}

/* Appends the result of a survey that ended with status `st`. */
static void put_whole(const struct etc_survey *found, enum etc_status st, struct etc_arena *arena,
                      struct etc_error *err)
{
	struct etc_str text = count_whole(found, arena);
	size_t used = strlen(err->text);

	if (st == ETC_CORRUPT && used + 48 < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - used,
		         "; the list of its runs is not whole");
	else if (st == ETC_OK && text.ptr && used + text.len + 128 < sizeof err->text)
		snprintf(err->text + used, sizeof err->text - used, "; %s%s", text.ptr,
		         found->count ? "; --salvage of analyze, dump, inspector, report, summary, "
		                        "tokens, trace or what-if "
		                        "shows them"
		                      : "");
}

void etc_etdump_tell_whole(struct etc_span file, const struct etc_limits *limits,
                           struct etc_error *err)
{
	struct etc_survey found = { 0 };
	struct etc_arena scratch;

	etc_arena_init(&scratch, SURVEY_LEAST + 4 * file.len);
	put_whole(&found, survey(file, limits, &scratch, &found), &scratch, err);
	etc_arena_release(&scratch);
}

enum etc_status etc_etdump_read(struct etc_span file, const struct etc_limits *limits,
                                struct etc_arena *arena, struct etc_notes *notes,
                                struct etc_trace *out, struct etc_error *err)
{
	return etc_etdump_read_file(NULL, file, limits, arena, notes, out, err);
}

enum etc_status etc_etdump_read_file(const struct etc_file *from, struct etc_span file,
                                     const struct etc_limits *limits, struct etc_arena *arena,
                                     struct etc_notes *notes, struct etc_trace *out,
                                     struct etc_error *err)
{
	return etc_etdump_read_sparse(from, file, limits, NULL, arena, notes, out, err);
}

enum etc_status etc_etdump_read_sparse(const struct etc_file *from, struct etc_span file,
                                       const struct etc_limits *limits, etc_keep_fn *keep,
                                       struct etc_arena *arena, struct etc_notes *notes,
                                       struct etc_trace *out, struct etc_error *err)
{
	struct etc_etdump_reader r = { .arena = arena, .out = out, .file = from, .keep = keep };
	enum etc_status status = etc_etdump_file(&r, file, limits, notes, err);

	if (status == ETC_CORRUPT && err)
		etc_etdump_tell_whole(file, limits, err);
	return status;
}

static void note_inferred(const struct etc_survey *s, struct etc_notes *notes)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (!s->inferred[i])
			continue;
		first = s->index[i] < first ? s->index[i] : first;
		last = s->index[i];
	}
	if (s->own < s->count)
		etc_note(notes, N0227, "%zu of %zu that are left, run_data[%u] to run_data[%u]",
		         s->count - s->own, s->count, (unsigned)first, (unsigned)last);
}

/* Reads only the runs in `found`. */
static enum etc_status read_whole(struct etc_etdump_reader *r, struct etc_span file,
                                  const struct etc_limits *limits, const struct etc_survey *found,
                                  struct etc_error *err)
{
	struct etc_salvage *salvage = etc_new(r->arena, struct etc_salvage, 1);

	ETC_NEED(salvage, err);
	*salvage = (struct etc_salvage){ found->runs, found->own, found->index, found->inferred,
		                         found };
	r->only = found;
	ETC_TRY(etc_etdump_identify(file, &r->out->size_prefixed, err));
	ETC_TRY(etc_etdump_try(r, file, file.len, limits, err));
	r->out->salvage = salvage;
	return ETC_OK;
}

enum etc_status etc_etdump_salvage(struct etc_span file, const struct etc_limits *limits,
                                   struct etc_arena *arena, struct etc_notes *notes,
                                   struct etc_trace *out, struct etc_error *err)
{
	struct etc_etdump_reader r = { .arena = arena, .out = out };
	struct etc_error why = { .at = -1 };
	enum etc_status surveyed = ETC_OK;
	struct etc_survey *found;
	enum etc_status status = etc_etdump_file(&r, file, limits, notes, &why);

	if (status == ETC_OK)
		return ETC_OK;
	found = etc_new(arena, struct etc_survey, 1);
	if (status == ETC_CORRUPT && found)
		surveyed = survey(file, limits, arena, found);
	if (status != ETC_CORRUPT || !found || !found->count) {
		if (err)
			*err = why;
		if (status == ETC_CORRUPT && found && err)
			put_whole(found, surveyed, arena, err);
		return status;
	}
	status = read_whole(&r, file, limits, found, err);
	if (status != ETC_OK) {
		*out = (struct etc_trace){ 0 };
		return status;
	}
	etc_etdump_note(&r, notes);
	etc_note(notes, W0226, "%zu of %zu runs are lost; %s (%s: %s)", found->runs - found->count,
	         found->runs, count_whole(found, arena).ptr, etc_code_info(why.code)->name,
	         why.text);
	note_inferred(found, notes);
	return ETC_OK;
}
