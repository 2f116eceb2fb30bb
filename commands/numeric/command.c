/* command.c -- `etcore numeric WHAT FILE`: its options, and the table of its subcommands (WHAT). */
#include <string.h>

#include "commands/numeric/numeric.h"
#include "commands/numeric/export.h"
#include "context/output.h"
#include "context/question.h"

/* The subcommands. A row has the name (the first operand), the function that answers, and the
 * options that the subcommand accepts. An option that is in none of the rows (such as --jobs) is
 * accepted by all subcommands. */
/* clang-format off */
#define FORMS(X)                                                                                       \
	X("values", etc_numeric_values,                                                                \
	  " etrecord debug-buffer no-siblings output method top sort columns where contents sha256 ")  \
	X("outputs", etc_numeric_outputs,                                                              \
	  " etrecord debug-buffer no-siblings output method top sort columns where bundled case "      \
	  "atol rtol ")                                                                                \
	X("gap", etc_numeric_gap,                                                                      \
	  " etrecord debug-buffer no-siblings output method top sort columns where reference "         \
	  "reference-buffer reference-etrecord ")
#define FORM(word, answer, takes) { word, takes },
#define ANSWER(word, answer, takes) answer,
#define WORD(word, answer, takes) "|" word
/* clang-format on */

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(struct etc_numeric_options, paths.etrecord), "FILE", NULL,
	  "the ETRecord of this program (default: one beside the dump)" },
	{ 'b', "debug-buffer", ETC_OPT_FILE, offsetof(struct etc_numeric_options, paths.debug_buffer), "FILE", NULL,
	  "the debug buffer of the dump (default: a file beside it)" },
	ETC_NO_SIBLINGS_ROW(struct etc_numeric_options, paths.no_siblings),
	ETC_OUTPUT_ROW(struct etc_numeric_options, ETC_VALUES_FORMATS, "; "
	               "npy (a FOLDER), npz, safetensors: of values"),
	ETC_METHOD_ROW(struct etc_numeric_options, method),
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, top), "N", NULL,
	  "rows on screen, 0 for all (default: 40)" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, sort), "COLUMN[:asc|:desc]", NULL,
	  "order of the rows (default: as they were logged)" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, columns), "NAME,…", NULL,
	  "columns of the rows; -o csv shows all names" },
	ETC_WHERE_ROW(struct etc_numeric_options, where),
	{ 0, "contents", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, contents), "N", NULL,
	  "values: show the first N elements of each" },
	{ 0, "sha256", ETC_OPT_FLAG, offsetof(struct etc_numeric_options, sha256), NULL, NULL,
	  "values: also the SHA-256 of each" },
	{ 0, "bundled", ETC_OPT_FILE, offsetof(struct etc_numeric_options, bundled), "FILE", NULL,
	  "outputs: a BundledProgram (.bpte) with the expected outputs" },
	{ 0, "case", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, test_case), "N", NULL,
	  "outputs: the test case that was run, from 0" },
	{ 0, "atol", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, atol), "X", NULL,
	  "outputs: allowed difference: atol + rtol * abs(reference) (default: by type)" },
	{ 0, "rtol", ETC_OPT_TEXT, offsetof(struct etc_numeric_options, rtol), "X", NULL,
	  "outputs: see --atol (default: by type)" },
	{ 0, "reference", ETC_OPT_FILE, offsetof(struct etc_numeric_options, reference), "FILE", NULL,
	  "gap: another dump of the model, or a file of record_references.py" },
	{ 0, "reference-buffer", ETC_OPT_FILE, offsetof(struct etc_numeric_options, reference_buffer), "FILE", NULL,
	  "gap: the debug buffer of the reference dump (default: a file beside it)" },
	{ 0, "reference-etrecord", ETC_OPT_FILE, offsetof(struct etc_numeric_options, reference_etrecord), "FILE", NULL,
	  "gap: the ETRecord of the reference dump (default: one beside it, else that of -r)" },
	ETC_JOBS_ROW(struct etc_numeric_options),
	ETC_CONFIG_ROW(struct etc_numeric_options),
	ETC_REPORT_ROWS(struct etc_numeric_options),
};
/* clang-format on */

static const struct etc_opt_form forms[] = { FORMS(FORM) };
static etc_session_fn *const answers[] = { FORMS(ANSWER) };

enum { WORDS = sizeof forms / sizeof forms[0] };

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_numeric_options *o = args;
	const struct etc_opt_list *operands = &o->common.operands;
	unsigned w = 0;

	while (w < WORDS && (!operands->count || strcmp(operands->v[0], forms[w].word) != 0))
		w++;
	if (w == WORDS)
		return etc_fail(err, E0501, "numeric %s FILE; got %s", &(FORMS(WORD))[1],
		                operands->count ? operands->v[0] : "nothing");
	ETC_TRY(etc_opt_fit(options, sizeof options / sizeof options[0], o,
	                    &(struct etc_opt_forms){ "numeric", forms, WORDS }, forms[w].word,
	                    err));
	if (operands->count != 2)
		return etc_fail(err, E0501, "numeric %s takes one dump, got %u", forms[w].word,
		                (unsigned)operands->count - 1);
	o->paths.dump = operands->v[1];
	o->paths.verbose = o->common.verbose > 0;
	return etc_session_run(0, answers[w], o, reply, err);
}

const struct etc_question etc_ask_numeric = {
	.name = "numeric",
	.summary = "are the numbers right: the values that runs logged",
	.usage = &(FORMS(WORD) " RUN.etdump [-b debug.bin] [-r ETRECORD]")[1],
	.examples = "etcore numeric values run.etdump -b debug.bin\n"
		    "etcore numeric values run.etdump --where 'nan > 0' -o csv\n"
		    "etcore numeric values run.etdump -o npz=values.npz",
	ETC_OPTIONS(struct etc_numeric_options),
	.run = run,
};
