/* query.c -- the functions of etcore/etcore.h that make and run queries: options, inputs, runs,
 * notes. */
#define _GNU_SOURCE /* locale_t */
#include <limits.h>
#include <stdlib.h>

#include "commands/doctor/doctor.h"
#include "library/public.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "host/guard.h"

/* WORDS_BUDGET: limit, in bytes, for the memory of a query's options and names. The memory of its
 * notes has a limit of the same size. */
enum { WORDS_BUDGET = 64 << 20, NAMES_MAX = 32 };

static enum etc_status find_question(const char *name, const struct etc_question **out,
                                     struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	const struct etc_question *q;
	size_t n = 0;

	*out = etc_ask_find(name);
	if (*out)
		return ETC_OK;
	for (unsigned i = 0; (q = etc_question_at(i)); i++)
		if (!q->hidden && n < NAMES_MAX)
			names[n++] = etc_str_of(q->name);
	near = etc_nearest(etc_str_of(name), names, n);
	if (near.len)
		return etc_fail(err, E0504, "'%s'; did you mean '" ETC_STR_FMT "'?", name,
		                ETC_STR_ARG(near));
	return etc_fail(err, E0504, "'%s'", name);
}

static enum etc_status begin(const char *question, struct etcore_query **out, struct etc_error *err)
{
	const struct etc_question *found;
	struct etcore_query *q;

	ETC_TRY(find_question(question, &found, err));
	if (found->hidden && !etc_crash_owned())
		return etc_fail(err, E0504, "'%s', with which etcore starts itself", question);
	q = etc_calloc(1, sizeof *q);
	ETC_NEED(q, err);
	q->question = found;
	etc_arena_init(&q->words, WORDS_BUDGET);
	etc_arena_init(&q->said, WORDS_BUDGET);
	q->args = etc_arena_alloc(&q->words, found->size, _Alignof(max_align_t), 1);
	*out = q;
	return q->args ? ETC_OK : etc_no_memory(err);
}

int etcore_query_new(const char *question, struct etcore_query **out, struct etcore_diagnostic *err)
{
	struct etc_error e = { .at = -1 };
	enum etc_status st;

	*out = NULL;
	st = begin(question ? question : "", out, &e);
	if (st != ETC_OK) {
		etcore_query_free(*out);
		*out = NULL;
	}
	return etc_public_error(err, st, &e);
}

static void forget_answer(struct etcore_query *q)
{
	if (q->answer)
		etc_kept_close(q->answer);
	q->answer = NULL;
	etc_arena_release(&q->said);
	etc_arena_init(&q->said, WORDS_BUDGET);
	q->notes = NULL;
	q->note_count = q->note_room = 0;
}

void etcore_query_free(struct etcore_query *q)
{
	if (!q)
		return;
	forget_answer(q);
	etc_arena_release(&q->said);
	for (struct etc_input *i = q->inputs; i; i = i->next)
		etc_file_release(&i->file);
	etc_arena_release(&q->words);
	free(q);
}

/* ---- words and inputs -------------------------------------------------------- */

int etcore_set(struct etcore_query *q, const char *option, const char *value,
               struct etcore_diagnostic *err)
{
	struct etc_error e = { .at = -1 };
	enum etc_status st;

	if (option && strcmp(option, "diagnostics") == 0)
		etc_crash_as_json(value && strcmp(value, "json") == 0);
	st = etc_opt_set(q->question->options, q->question->option_count, option ? option : "",
	                 value, q->args, &q->words, &e);
	q->gathering = option && q->question->gathers && strcmp(q->question->gathers, option) == 0;
	return etc_public_error(err, st, &e);
}

int etcore_add(struct etcore_query *q, const char *operand, struct etcore_diagnostic *err)
{
	struct etc_common_options *common = q->args;
	struct etc_error e = { .at = -1 };
	enum etc_status st;

	if (q->gathering)
		return etcore_set(q, q->question->gathers, operand, err);
	st = etc_opt_append(&common->operands, operand ? operand : "", &q->words, &e);
	return etc_public_error(err, st, &e);
}

/* Adds an input called `name` to the query: as an operand if `option` is NULL, else as the value of
 * this option. E0502, E0990, E0904. */
static enum etc_status new_input(struct etcore_query *q, const char *option, const char *name,
                                 struct etc_input **out, struct etc_error *err)
{
	const struct etc_opt *o;

	if (option) {
		o = etc_opt_find(q->question->options, q->question->option_count, option, err);
		if (!o)
			return ETC_USAGE;
		if (etc_opt_kind(o) != ETC_OPT_FILE)
			return etc_fail(err, E0990, "--%s names no input", o->name);
	}
	if (!name || !name[0] || strcmp(name, "-") == 0)
		return etc_fail(err, E0990, "the name '%s' of an input", name ? name : "");
	for (struct etc_input *i = q->inputs; i; i = i->next)
		if (strcmp(i->given.name, name) == 0)
			return etc_fail(err, E0990, "two inputs are called '%s'", name);
	*out = etc_new(&q->words, struct etc_input, 1);
	if (*out)
		(*out)->given.name = etc_arena_cstr(&q->words, etc_str_of(name));
	return *out && (*out)->given.name ? ETC_OK : etc_no_memory(err);
}

static enum etc_status use_input(struct etcore_query *q, const char *option, struct etc_input *in,
                                 struct etc_error *err)
{
	struct etc_common_options *common = q->args;

	in->given.next = q->inputs ? &q->inputs->given : NULL;
	in->next = q->inputs;
	q->inputs = in;
	common->given = &in->given;
	if (!option)
		return etc_opt_append(&common->operands, in->given.name, &q->words, err);
	return etc_opt_set(q->question->options, q->question->option_count, option, in->given.name,
	                   q->args, &q->words, err);
}

void etcore_map_files(struct etcore_query *q, int on)
{
	q->maps = on != 0;
}

int etcore_add_memory(struct etcore_query *q, const char *option, const char *name,
                      const void *bytes, size_t size, struct etcore_diagnostic *err)
{
	struct etc_error e = { .at = -1 };
	struct etc_input *in = NULL;
	enum etc_status st = new_input(q, option, name, &in, &e);

	if (st == ETC_OK) {
		in->given.bytes = (struct etc_span){ bytes, size };
		st = use_input(q, option, in, &e);
	}
	return etc_public_error(err, st, &e);
}

int etcore_add_descriptor(struct etcore_query *q, const char *option, const char *name,
                          int descriptor, struct etcore_diagnostic *err)
{
	struct etc_error e = { .at = -1 };
	struct etc_input *in = NULL;
	enum etc_status st = new_input(q, option, name, &in, &e);

	if (st == ETC_OK) {
		bool before = etc_file_map(q->maps);

		st = etc_file_open_descriptor(&in->file, descriptor, in->given.name,
		                              (size_t)4 << 30, &e);
		etc_file_map(before);
	}
	if (st == ETC_OK) {
		in->given.bytes = in->file.bytes;
		st = use_input(q, option, in, &e);
	}
	return etc_public_error(err, st, &e);
}

/* ---- a run ------------------------------------------------------------------- */

/* Stores a note of the run in the query, which is `arg` (an etc_note_fn). If out of memory, the
 * note is lost. */
static void keep_note(void *arg, const struct etc_note *note)
{
	struct etcore_query *q = arg;
	struct etc_kept_note *n;

	if (q->note_count == q->note_room) {
		uint32_t room = q->note_room ? q->note_room * 2 : 16;
		struct etc_kept_note *more = etc_new(&q->said, struct etc_kept_note, room);

		if (!more)
			return;
		if (q->note_count)
			memcpy(more, q->notes, q->note_count * sizeof *more);
		q->notes = more;
		q->note_room = room;
	}
	n = &q->notes[q->note_count++];
	*n = (struct etc_kept_note){
		.info = etc_code_info(note->code),
		.file = etc_arena_str(&q->said, note->file),
		.text = etc_arena_str(&q->said, note->text),
		.count = note->count,
	};
}

int etcore_run(struct etcore_query *q, etcore_write_fn *write, void *arg,
               struct etcore_diagnostic *err)
{
	struct etc_locale locale = q->question->hidden ? etc_locale_stay() : etc_locale_enter();
	struct etc_receiver receiver = { .write = write, .arg = arg, .locale = locale };
	struct etc_text out = { .sink = etc_receive, .arg = &receiver };
	struct etc_reply reply = {
		.out = &out, .on_note = keep_note, .arg = q, .kept = &q->answer, .unheard = !write
	};
	struct etc_refusal before = etc_memory_begin();
	struct etc_opened *opened = etc_opened_begin();
	bool maps = etc_file_map(q->maps);
	struct etc_error e = { .at = -1 };
	enum etc_status st;

	forget_answer(q);
	st = etc_receive_begin(&out, q->args, &e);
	if (st == ETC_OK)
		st = etc_question_run(q->question, q->args, &reply, &e);
	st = etc_patient_cause(st, q->inputs ? &q->inputs->given : NULL, &e);
	st = etc_public_whole(st, &e);
	st = etc_receive_end(&out, st, &e);
	etc_file_map(maps);
	etc_opened_end(opened);
	etc_memory_end(before);
	etc_locale_leave(locale);
	return etc_public_error(err, st, &e);
}

int etcore_note(const struct etcore_query *q, uint32_t i, struct etcore_diagnostic *out)
{
	const struct etc_kept_note *n;

	if (i >= q->note_count)
		return 0;
	n = &q->notes[i];
	etc_public_diagnostic(out, n->info, n->file, n->text, n->count);
	return 1;
}
