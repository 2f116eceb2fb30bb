/* command.c -- `etcore numeric WHAT FILE`: a row per WHAT, with the options
 * that it takes. */
#include <string.h>

#include "commands/numeric/numeric.h"
#include "commands/numeric/export.h"
#include "context/output.h"
#include "context/question.h"

/* The words, for people. */
#define ETC_NUMERIC_WORDS "values|outputs|gap"

struct args {
	struct etc_common_options common;
	struct etc_opt_list output, where;
	const char *etrecord, *debug_buffer, *method, *top, *sort, *columns, *contents, *bundled,
		*test_case, *atol, *rtol, *reference, *reference_buffer, *reference_etrecord;
	bool no_siblings, sha256;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct args, etrecord), "FILE", NULL,
	  "the ETRecord of this program (else one beside the dump)" },
	{ 'b', "debug-buffer", ETC_OPT_FILE, offsetof(struct args, debug_buffer), "FILE", NULL,
	  "the tensors of the dump (else a file beside it)" },
	{ 0, "no-siblings", ETC_OPT_FLAG, offsetof(struct args, no_siblings), NULL, NULL,
	  "do not look for files beside the dump" },
	ETC_OUTPUT_ROW(struct args, ETC_VALUES_FORMATS, "; "
	               "npy (a FOLDER), npz, safetensors: of values"),
	{ 0, "method", ETC_OPT_TEXT, offsetof(struct args, method), "NAME", NULL,
	  "only this method of the program" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct args, top), "N", NULL,
	  "rows on screen, 0 for all (40)" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct args, sort), "COLUMN[:asc|:desc]", NULL,
	  "order of the rows (as they were logged)" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct args, columns), "NAME,…", NULL,
	  "columns of the rows; -o csv shows all names" },
	{ 0, "where", ETC_OPT_LIST, offsetof(struct args, where), "COLUMN OP VALUE", NULL,
	  "only rows with this; = != < <= > >= ~ (repeatable)" },
	{ 0, "contents", ETC_OPT_TEXT, offsetof(struct args, contents), "N", NULL,
	  "values: show the first N elements of each" },
	{ 0, "sha256", ETC_OPT_FLAG, offsetof(struct args, sha256), NULL, NULL,
	  "values: also the SHA-256 of each" },
	{ 0, "bundled", ETC_OPT_FILE, offsetof(struct args, bundled), "FILE", NULL,
	  "outputs: a BundledProgram (.bpte) has the expected ones" },
	{ 0, "case", ETC_OPT_TEXT, offsetof(struct args, test_case), "N", NULL,
	  "outputs: the test case that was run, from 0" },
	{ 0, "atol", ETC_OPT_TEXT, offsetof(struct args, atol), "X", NULL,
	  "outputs: allowed is atol + rtol * |reference| (by type)" },
	{ 0, "rtol", ETC_OPT_TEXT, offsetof(struct args, rtol), "X", NULL,
	  "outputs: the same (by type)" },
	{ 0, "reference", ETC_OPT_FILE, offsetof(struct args, reference), "FILE", NULL,
	  "gap: another dump of the model, or a file of record_references.py" },
	{ 0, "reference-buffer", ETC_OPT_FILE, offsetof(struct args, reference_buffer), "FILE", NULL,
	  "gap: the tensors of that dump (else a file beside it)" },
	{ 0, "reference-etrecord", ETC_OPT_FILE, offsetof(struct args, reference_etrecord), "FILE", NULL,
	  "gap: the ETRecord of that dump (else one beside it, else that of -r)" },
	ETC_JOBS_ROW(struct args),
	ETC_CONFIG_ROW(struct args),
	ETC_REPORT_ROWS(struct args),
};
/* clang-format on */

/* What every one of them needs of `args`, read. */
struct call {
	const struct args *a;
	const char *const *files; /* operands behind the word */
	uint32_t file_count;
};

static enum etc_status values(const struct call *c, const struct etc_reply *r,
                              struct etc_error *err)
{
	const struct args *a = c->a;
	struct etc_numeric_values_options o = {
		.common = a->common,
		.etrecord = a->etrecord,
		.debug_buffer = a->debug_buffer,
		.no_siblings = a->no_siblings,
		.output = a->output.v,
		.output_count = a->output.count,
		.method = a->method,
		.top = a->top,
		.sort = a->sort,
		.columns = a->columns,
		.contents = a->contents,
		.where = a->where.v,
		.where_count = a->where.count,
		.sha256 = a->sha256,
	};

	if (c->file_count != 1)
		return etc_fail(err, E0501, "numeric values takes one dump, got %u",
		                (unsigned)c->file_count);
	o.dump = c->files[0];
	return etc_numeric_values(&o, r->out, r->on_note, r->arg, err);
}

static struct etc_numeric_words words_of(const struct call *c)
{
	const struct args *a = c->a;

	return (struct etc_numeric_words){
		.output = a->output.v,
		.output_count = a->output.count,
		.where = a->where.v,
		.where_count = a->where.count,
		.top = a->top,
		.sort = a->sort,
		.columns = a->columns,
	};
}

static enum etc_status outputs(const struct call *c, const struct etc_reply *r,
                               struct etc_error *err)
{
	const struct args *a = c->a;
	struct etc_numeric_outputs_options o = {
		.common = a->common,
		.etrecord = a->etrecord,
		.debug_buffer = a->debug_buffer,
		.no_siblings = a->no_siblings,
		.bundled = a->bundled,
		.method = a->method,
		.test_case = a->test_case,
		.atol = a->atol,
		.rtol = a->rtol,
		.words = words_of(c),
	};

	if (c->file_count != 1)
		return etc_fail(err, E0501, "numeric outputs takes one dump, got %u",
		                (unsigned)c->file_count);
	o.dump = c->files[0];
	return etc_numeric_outputs(&o, r->out, r->on_note, r->arg, err);
}

static enum etc_status gap(const struct call *c, const struct etc_reply *r, struct etc_error *err)
{
	const struct args *a = c->a;
	struct etc_numeric_gap_options o = {
		.common = a->common,
		.etrecord = a->etrecord,
		.debug_buffer = a->debug_buffer,
		.no_siblings = a->no_siblings,
		.reference = a->reference,
		.reference_buffer = a->reference_buffer,
		.reference_etrecord = a->reference_etrecord,
		.method = a->method,
		.words = words_of(c),
	};

	if (c->file_count != 1)
		return etc_fail(err, E0501, "numeric gap takes one dump, got %u",
		                (unsigned)c->file_count);
	o.dump = c->files[0];
	return etc_numeric_gap(&o, r->out, r->on_note, r->arg, err);
}

/* Options of every word are not listed. */
static const struct {
	const char *word;
	enum etc_status (*ask)(const struct call *, const struct etc_reply *, struct etc_error *);
	const char *takes; /* long names, blanks around each */
} words[] = {
	{ "values", values,
	  " etrecord debug-buffer no-siblings output method top sort columns where contents "
	  "sha256 " },
	{ "outputs", outputs,
	  " etrecord debug-buffer no-siblings output method top sort columns where bundled case "
	  "atol rtol " },
	{ "gap", gap,
	  " etrecord debug-buffer no-siblings output method top sort columns where reference "
	  "reference-buffer reference-etrecord " },
};

enum { WORDS = sizeof words / sizeof words[0] };

static bool was_given(const struct args *a, const struct etc_opt *o)
{
	const char *at = (const char *)a + o->target;
	struct etc_opt_list list;
	const char *text;

	switch (o->kind & ~(unsigned)ETC_OPT_HIDDEN) {
	case ETC_OPT_FLAG:
	case ETC_OPT_COUNT:
		return *at != 0;
	case ETC_OPT_LIST:
		memcpy(&list, at, sizeof list);
		return list.count > 0;
	default:
		memcpy(&text, at, sizeof text);
		return text != NULL;
	}
}

static bool listed(const char *names, const char *name)
{
	const char *at = names;
	size_t len = strlen(name);

	while ((at = strstr(at, name)) != NULL) {
		if (at > names && at[-1] == ' ' && at[len] == ' ')
			return true;
		at += len;
	}
	return false;
}

/* An option that belongs to another word must not be passed over in silence. */
static enum etc_status check_options(const struct args *a, unsigned word, struct etc_error *err)
{
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		const struct etc_opt *o = &options[i];

		if (!was_given(a, o) || listed(words[word].takes, o->name))
			continue;
		for (unsigned w = 0; w < WORDS; w++)
			if (listed(words[w].takes, o->name))
				return etc_fail(err, E0501, "--%s belongs to numeric %s", o->name,
				                words[w].word);
	}
	return ETC_OK;
}

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	const struct args *a = args;
	const struct etc_opt_list *operands = &a->common.operands;
	struct call c = { .a = a };
	unsigned w = 0;

	while (w < WORDS && (!operands->count || strcmp(operands->v[0], words[w].word) != 0))
		w++;
	if (w == WORDS)
		return etc_fail(err, E0501, "numeric " ETC_NUMERIC_WORDS " FILE; got %s",
		                operands->count ? operands->v[0] : "nothing");
	ETC_TRY(check_options(a, w, err));
	c.files = operands->v + 1;
	c.file_count = operands->count - 1;
	return words[w].ask(&c, r, err);
}

const struct etc_question etc_ask_numeric = {
	.name = "numeric",
	.summary = "are the numbers right: the values that runs logged",
	.usage = ETC_NUMERIC_WORDS " RUN.etdump [-b debug.bin] [-r ETRECORD]",
	.examples = "etcore numeric values run.etdump -b debug.bin\n"
		    "etcore numeric values run.etdump --where 'nan > 0' -o csv\n"
		    "etcore numeric values run.etdump -o npz=values.npz",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
