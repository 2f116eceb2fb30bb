/* ask.c -- see ask.h */
#include "context/ask.h"

const struct etc_question *etc_ask_find(const char *name)
{
	const struct etc_question *q = NULL;

	for (unsigned i = 0; (q = etc_question_at(i)) && strcmp(q->name, name) != 0; i++)
		;
	return q;
}

static const struct etc_opt *option_of(const struct etc_question *q, const char *name)
{
	for (unsigned i = 0; i < q->option_count; i++)
		if (strcmp(q->options[i].name, name) == 0)
			return &q->options[i];
	return NULL;
}

/* Options that only affect the screen. They are not passed on: the answer becomes part of a
 * document, which must not depend on the screen. */
static const char of_screen[] = "color no-color width terminal ascii ";

/* Passes on an option of the calling command: stores its value in `args`, the options of the
 * command `q`. */
static enum etc_status pass(const struct etc_asker *a, const struct etc_opt *o,
                            const struct etc_question *q, void *args, struct etc_error *err)
{
	const char *at = (const char *)a->args + o->target;
	const struct etc_opt_list *list = (const void *)at;
	const char *const *text = (const void *)at;
	unsigned kind = etc_opt_kind(o), times = 1;

	if (kind == ETC_OPT_COUNT)
		times = *(const uint8_t *)at;
	if (kind == ETC_OPT_LIST)
		times = list->count;
	for (unsigned i = 0; i < times; i++) {
		const char *value = kind == ETC_OPT_LIST                            ? list->v[i]
		                    : kind == ETC_OPT_FLAG || kind == ETC_OPT_COUNT ? NULL
		                                                                    : *text;

		ETC_TRY(etc_opt_set(q->options, q->option_count, o->name, value, args, a->arena,
		                    err));
	}
	return ETC_OK;
}

static void keep(void *arg, const struct etc_note *note)
{
	struct etc_asker *a = arg;

	/* the note's texts are copied, because the command releases its texts when it ends */
	struct etc_note copy = *note;

	copy.file = etc_arena_str(a->arena, note->file);
	copy.text = etc_arena_str(a->arena, note->text);
	etc_note_again(&a->notes, &copy);
}

enum etc_status etc_question_run(const struct etc_question *q, void *args,
                                 const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_common_options *common = args;

	if (q->needs && common->operands.count == 0)
		return etc_fail(err, E0501, "%s", q->needs);
	return q->answer ? etc_session_run(q->budget, q->answer, args, reply, err)
	                 : q->run(args, reply, err);
}

enum etc_status etc_ask(struct etc_asker *a, const char *question,
                        const struct etc_opt_list *operands, const struct etc_ask_option *more,
                        struct etc_text *out, struct etc_error *err)
{
	const struct etc_question *q = etc_ask_find(question);
	const struct etc_reply reply = { .out = out, .on_note = keep, .arg = a, .kept = a->kept };
	struct etc_common_options *args =
		etc_arena_alloc(a->arena, q->size, _Alignof(max_align_t), 1);
	enum etc_status st;

	ETC_NEED(args, err);
	args->given = a->given ? a->given : a->args->given;
	args->in_document = true;
	for (uint32_t i = 0; i < operands->count; i++)
		ETC_TRY(etc_opt_append(&args->operands, operands->v[i], a->arena, err));
	for (unsigned i = 0; i < a->question->option_count; i++) {
		const struct etc_opt *o = &a->question->options[i];

		if (etc_opt_given(o, a->args) && !etc_str_is_one_of(etc_str_of(o->name), a->own) &&
		    !etc_opt_listed(of_screen, o->name) && option_of(q, o->name))
			ETC_TRY(pass(a, o, q, args, err));
	}
	for (; more && more->name; more++)
		ETC_TRY(etc_opt_set(q->options, q->option_count, more->name, more->value, args,
		                    a->arena, err));
	st = etc_question_run(q, args, &reply, err);
	/* An answer from a part of a dump (W0226) is an error only with --strict. */
	if (st == ETC_CORRUPT && err->code == W0226 && !args->strict) {
		keep(a, &(struct etc_note){ .code = W0226,
		                            .file = etc_str_of(err->file),
		                            .text = etc_str_of(err->text),
		                            .count = 1 });
		st = ETC_OK;
	}
	return st == ETC_OK && out->failed ? etc_no_memory(err) : st;
}
