/* command.c -- `etcore tokens`: its options, and its steps in order; see tokens.h */
#include "commands/tokens/tokens.h"

#include "context/files.h"
#include "context/question.h"
#include "join/pool.h"
#include "profile/remarks.h"

/* ---- files ------------------------------------------------------------------------------- */

struct given {
	const char **dumps;
	uint32_t count;
	const char *etrecord, *program;
};

/* Recognises the record and the program among the operands by the first bytes of each file. */
static enum etc_status sort_files(struct etc_tokens *t, struct given *g, struct etc_error *err)
{
	const char **files;
	uint32_t count;

	ETC_TRY(etc_session_operands(t->s, t->o->common.operands.v, t->o->common.operands.count,
	                             false, &files, &count, err));
	*g = (struct given){ .dumps = etc_new(&t->s->arena, const char *, count),
		             .etrecord = t->o->etrecord,
		             .program = t->o->program };
	ETC_NEED(g->dumps, err);
	for (uint32_t i = 0; i < count; i++) {
		struct etc_span bytes = { 0 };
		enum etc_file_kind kind;

		if (count > 1 && strcmp(files[i], "-") != 0)
			ETC_TRY(etc_in_file(err, etc_session_open(t->s, files[i], &bytes, err),
			                    files[i]));
		kind = etc_file_kind_of(bytes);
		if (kind == ETC_FILE_ETRECORD && !g->etrecord)
			g->etrecord = files[i];
		else if ((kind == ETC_FILE_PROGRAM || kind == ETC_FILE_BUNDLED_PROGRAM) &&
		         !g->program)
			g->program = files[i];
		else
			g->dumps[g->count++] = files[i];
	}
	if (g->count == 0)
		return etc_fail(err, E0501, "which dump? %s is none", files[0]);
	return ETC_OK;
}

static enum etc_status open_dumps(struct etc_tokens *t, struct etc_error *err)
{
	struct given g;

	ETC_TRY(sort_files(t, &g, err));
	t->inputs = etc_new(&t->s->arena, struct etc_inputs, g.count);
	ETC_NEED(t->inputs, err);
	for (uint32_t i = 0; i < g.count; i++) {
		struct etc_inputs *in = &t->inputs[t->input_count];
		const struct etc_input_paths paths = {
			.dump = g.dumps[i],
			.etrecord = g.etrecord,
			.program = g.program,
			.no_siblings = t->o->no_siblings,
			.values = true, /* needed for the shapes of the program's tensors */
			.verbose = t->o->common.verbose > 0,
		};
		const struct etc_inputs *known;

		ETC_TRY(etc_inputs_open(t->s, &paths, in, err));
		known = etc_inputs_known(t->inputs, t->input_count, in, &t->s->arena);
		if (known)
			etc_note_twice(&t->s->notes, in, known);
		else
			t->input_count++;
	}
	return ETC_OK;
}

/* Were both dumps recorded with the same program? Compares their events and, if both have one,
 * their program files. */
static bool same_program(const struct etc_tokens *t, const struct etc_inputs *a,
                         const struct etc_inputs *b)
{
	return a->from_log == b->from_log && etc_pool_agrees(&a->trace, &b->trace) &&
	       (!a->program.path || !b->program.path ||
	        etc_file_same(&a->program, &b->program, &t->s->arena));
}

/* Joins the traces of all dumps. All dumps must be of one program. */
static enum etc_status join_dumps(struct etc_tokens *t, struct etc_error *err)
{
	const struct etc_trace **traces =
		etc_new(&t->s->arena, const struct etc_trace *, t->input_count);

	ETC_NEED(traces, err);
	for (uint32_t i = 0; i < t->input_count; i++) {
		traces[i] = &t->inputs[i].trace;
		if (i && !same_program(t, &t->inputs[0], &t->inputs[i]))
			return etc_in_file(err,
			                   etc_fail(err, E1403,
			                            "its program or events are not those of %s",
			                            t->inputs[0].dump.path),
			                   t->inputs[i].dump.path);
	}
	t->joined = *traces[0];
	return t->input_count > 1 ? etc_pool_join(traces, t->input_count, &t->s->arena, &t->joined,
	                                          &t->file, err)
	                          : ETC_OK;
}

/* ---- the answer ---------------------------------------------------------------------------- */

static enum etc_status measure(struct etc_tokens *t, struct etc_error *err)
{
	struct etc_profile_options *po = &t->profile_options;
	const struct etc_trace *expanded;

	t->run_count = t->generation_count = 0;
	t->row_count = t->kind_count = 0;
	*po = etc_plan_profile(&t->plan, &t->inputs[0], t->s);
	po->warmup = 0;
	po->no_rows = true;
	ETC_TRY(etc_profile_trace(&t->joined, po, &t->s->arena, &expanded, err));
	t->trace = *expanded;
	po->file = t->file;
	ETC_TRY(etc_profile_make(&t->trace, po, &t->s->arena, &t->paths, err));
	if (t->plan.options->method)
		ETC_TRY(etc_profile_choose(&t->paths, t->plan.options->method, &t->s->arena, err));
	po->file = NULL;
	ETC_TRY(etc_tokens_classify(t, err));
	ETC_TRY(etc_tokens_measure(t, err));
	ETC_TRY(etc_tokens_stats_rows(t, err));
	etc_remark_foreign(&t->inputs[0], &t->s->notes);
	etc_remark_program(&t->paths, &t->s->notes);
	return etc_tokens_operators(t, err);
}

static enum etc_status tell(struct etc_tokens *t, const struct etc_reply *reply,
                            struct etc_error *err)
{
	struct etc_session_mark mark;

	ETC_TRY(etc_plan_make(&t->plan, &t->o->common, &t->o->plan, t->s, err));
	ETC_TRY(etc_targets_parse(&t->targets, etc_table_formats, &t->o->output, &t->s->arena,
	                          err));
	ETC_TRY(etc_session_plugins(t->s, &t->o->common, 0, err));
	ETC_TRY(open_dumps(t, err));
	ETC_TRY(join_dumps(t, err));
	ETC_TRY(etc_tokens_stats_read(t, err));
	mark = etc_session_mark(t->s);
	do
		ETC_TRY(measure(t, err));
	while (etc_session_again(t->s, &mark));
	ETC_TRY(etc_tokens_select(t, err));
	ETC_TRY(etc_session_report(t->s, t->o->common.strict, reply, err));
	ETC_TRY(etc_tokens_write(t, reply->out, err));
	return etc_session_end(t->s, err);
}

static enum etc_status answer(struct etc_session *s, const void *options,
                              const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_tokens t = { .o = options, .s = s };
	enum etc_status st = tell(&t, reply, err);

	etc_plan_release(&t.plan);
	return st;
}

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_tokens_options, etrecord), "FILE", NULL,
	  "the ETRecord of all dumps (default: those among or beside the dumps)" },
	{ 'm', "pte", ETC_OPT_FILE, offsetof(struct etc_tokens_options, program), "FILE", NULL,
	  "the program of all dumps (default: those among or beside the dumps)" },
	ETC_NO_SIBLINGS_ROW(struct etc_tokens_options, no_siblings),
	ETC_OUTPUT_ROW(struct etc_tokens_options, ETC_TABLE_FORMATS, ""),
	{ 0, "prefill", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, prefill), "N", NULL,
	  "the first N runs of each generation are its prefill (default: by names, shapes or --stats)" },
	{ 0, "generation", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, generation), "N", NULL,
	  "a generation has N runs (default: one begins with each dump and each prefill)" },
	{ 0, "stats", ETC_OPT_FILE, offsetof(struct etc_tokens_options, stats), "FILE", NULL,
	  "log or JSON with the statistics that the runner printed (PyTorchObserver)" },
	ETC_METHOD_ROW(struct etc_tokens_options, plan.method),
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_tokens_options, plan.top), "N", NULL,
	  "operators on screen, 0 for all (default: 12)" },
	ETC_WHERE_ROW(struct etc_tokens_options, plan.where),
	ETC_ANALYSIS_ROWS(struct etc_tokens_options),
};
/* clang-format on */

const struct etc_question etc_ask_tokens = {
	.name = "tokens",
	.summary = "time per token of a program that runs in a loop: prefill, decode, growth",
	.usage = "RUN… [-m PROGRAM] [--stats LOG] [-o FORMAT[=PATH]]",
	.examples = "etcore tokens run.etdump model.pte\n"
		    "etcore tokens run1.etdump run2.etdump run3.etdump --stats runner.log\n"
		    "etcore tokens run.etdump --prefill 16 -o csv",
	ETC_OPTIONS(struct etc_tokens_options),
	.needs = "which dump? etcore tokens run.etdump",
	.answer = answer,
};
