/* outputs.c -- `etcore numeric outputs`: compares each output of the program in each run with the
 * output of the eager model. */
#include "commands/numeric/numeric.h"

#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "commands/numeric/fed.h"
#include "commands/numeric/operand.h"
#include "commands/numeric/sheet.h"
#include "context/files.h"
#include "formats/etrecord/etrecord.h"
#include "formats/program/bundled.h"
#include "profile/profile.h"
#include "profile/remarks.h"
#include "table/cells.h"
#include "table/table.h"
#include "tensor/difference.h"

/* ---- the table ----------------------------------------------------------------- */

enum etc_output_verdict {
	ETC_OUTPUT_EQUAL, /* all elements are equal; two NaN are equal, too */
	ETC_OUTPUT_CLOSE, /* all elements differ by at most the tolerance */
	ETC_OUTPUT_DIFFERS,
	ETC_OUTPUT_UNKNOWN /* nothing was compared: see `problem` */
};

struct etc_output_row {
	struct etc_str method;
	uint32_t run; /* index of the run in the dump */
	uint32_t test_case, output;
	uint8_t verdict; /* enum etc_output_verdict */
	struct etc_str problem;
	const char *reference_type, *run_type;     /* NULL: missing */
	struct etc_str reference_shape, run_shape; /* shapes as JSON lists */
	/* JSON list: the index of the first element that differs by more than the tolerance */
	struct etc_str first_bad;
	struct etc_tolerance tolerance;
	struct etc_difference difference; /* unset for UNKNOWN */
};

static const struct etc_column columns[] = {
#define COLUMN(key, heading, form, meaning, value) \
	{ .name = key, .title = heading, .help = meaning, ETC_FORM_##form },
#include "commands/numeric/outputs_columns.def"
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *const verdicts[] = { "equal", "close", "differs", "unknown" };

static bool has_bad(const struct etc_difference *d)
{
	return d->first_bad != ETC_NO_ELEMENT;
}

static void fill(const struct etc_output_row *r, struct etc_cell *c)
{
	const struct etc_difference *d = &r->difference;
	bool compared = r->verdict != ETC_OUTPUT_UNKNOWN;

#define COLUMN(key, heading, form, help, value) *c++ = value;
#define COMPARED_COLUMN(key, heading, form, help, value) \
	*c++ = compared ? (value) : etc_cell_blank();
#include "commands/numeric/outputs_columns.def"
}

/* Makes the table, one row per element of `rows`. E0904. */
static enum etc_status make_table(const struct etc_output_row *rows, uint32_t count,
                                  struct etc_arena *arena, struct etc_table *out,
                                  struct etc_error *err)
{
	ETC_TRY(etc_table_make(out, columns, COLUMNS, count, arena, err));
	for (uint32_t i = 0; i < count; i++)
		fill(&rows[i], out->cells + (size_t)i * COLUMNS);
	return ETC_OK;
}

#define FIRST   "run,output,verdict,type,shape,"
#define NUMBERS "mse,snr_db,cosine_similarity,max_abs,max_rel,max_ulp,bad,first_bad"

/* Returns the names of the columns that the screen shows, separated by ',', as
 * etc_selection_parse() reads them. There are fewer of them if a column `problem` is needed. */
static const char *table_columns(bool several_methods, bool problems)
{
	static const char *const shown[] = {
		FIRST NUMBERS,
		"method," FIRST NUMBERS,
		FIRST "snr_db,max_abs,bad,first_bad,problem",
		"method," FIRST "snr_db,max_abs,bad,first_bad,problem",
	};

	return shown[several_methods + 2 * problems];
}

/* Where the references come from: a record or a bundled program. */
struct references {
	const struct etc_record_blob *record;
	const struct etc_bundled_program *bundled;
	const char *path; /* path of the record or bundled program */
};

struct work {
	struct etc_session *session;
	const struct etc_numeric_options *options;
	struct etc_inputs in;
	struct etc_record record; /* the record, read with its reference outputs */
	struct etc_bundled_program bundled;
	struct references references;
	struct etc_logged_list logged;
	bool has_case, has_atol, has_rtol;
	uint64_t test_case;
	struct etc_tolerance tolerance;
	struct etc_output_row *rows;
	uint32_t row_count, by_verdict[ETC_OUTPUT_UNKNOWN + 1];
	bool several_methods, guessed;
	uint32_t other_inputs; /* number of runs whose inputs differ from the reference's */
};

/* ---- references -------------------------------------------------------------------- */

static uint32_t method_count(const struct references *r)
{
	return r->record ? r->record->method_count : r->bundled->suite_count;
}

static struct etc_str method_name(const struct references *r, uint32_t i)
{
	return r->record ? r->record->methods[i].method : r->bundled->suites[i].method;
}

static uint32_t case_count(const struct references *r, uint32_t m)
{
	return r->record ? r->record->methods[m].count : r->bundled->suites[m].case_count;
}

static uint32_t output_count(const struct references *r, uint32_t m, uint32_t c)
{
	return r->record ? r->record->methods[m].cases[c].count
	                 : r->bundled->suites[m].cases[c].output_count;
}

static enum etc_status operand_of(const struct references *r, uint32_t m, uint32_t c, uint32_t i,
                                  struct etc_arena *arena, struct etc_operand *out,
                                  struct etc_error *err)
{
	if (r->record)
		return etc_operand_of_reference(r->record->methods[m].cases[c].values[i], arena,
		                                out, err);
	return etc_operand_of_bundled(&r->bundled->suites[m].cases[c].outputs[i], arena, out, err);
}

/* Finds the method of that name in the references. If the method of a run is unknown (empty name),
 * finds the only method, if there is just one. */
static uint32_t find_method(const struct references *r, struct etc_str name)
{
	uint32_t count = method_count(r);

	if (!name.len)
		return count == 1 ? 0 : UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		if (etc_str_eq(method_name(r, i), name))
			return i;
	return UINT32_MAX;
}

static enum etc_status open_bundled(struct work *w, const char *path, struct etc_error *err)
{
	struct etc_session *s = w->session;
	struct etc_span bytes;

	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(
		err, etc_bundled_read(bytes, &s->settings.limits, &s->arena, &w->bundled, err),
		path));
	w->references = (struct references){ .bundled = &w->bundled, .path = path };
	return ETC_OK;
}

static enum etc_status open_references(struct work *w, struct etc_error *err)
{
	const struct etc_record_blob *blob = &w->record.reference_outputs;
	struct etc_session *s = w->session;

	if (w->options->bundled)
		return open_bundled(w, w->options->bundled, err);
	if (!w->in.etrecord.path)
		return etc_fail(err, E1170, "neither an ETRecord nor --bundled");
	s->notes.file = etc_str_of(w->in.etrecord.path);
	ETC_TRY(etc_in_file(err,
	                    etc_etrecord_read(w->in.etrecord.bytes, ETC_RECORD_VALUES, &s->arena,
	                                      &s->notes, &w->record, err),
	                    w->in.etrecord.path));
	if (!blob->present)
		return etc_fail(err, E1170, "%s holds no reference outputs", w->in.etrecord.path);
	if (blob->state != ETC_VALUES_READ || !blob->method_count)
		return etc_fail(
			err, E1170, "%s: its reference outputs cannot be read%s" ETC_STR_FMT,
			w->in.etrecord.path, blob->why.len ? ": " : "", ETC_STR_ARG(blob->why));
	w->references = (struct references){ .record = blob, .path = w->in.etrecord.path };
	return ETC_OK;
}

/* ---- one output ---------------------------------------------------------------------- */

/* Returns the position of the element with the row-major index `index`, as its index in each
 * dimension: "[0, 3]". */
static struct etc_str place_text(const struct etc_elements *e, uint64_t index,
                                 struct etc_arena *arena)
{
	uint64_t at[ETC_LIMIT_TENSOR_RANK];
	struct etc_text t = { 0 };

	for (uint32_t d = e->rank; d-- > 0; index /= (uint64_t)e->sizes[d])
		at[d] = index % (uint64_t)e->sizes[d];
	etc_text_char(&t, '[');
	for (uint32_t d = 0; d < e->rank; d++) {
		etc_text_cstr(&t, d ? ", " : "");
		etc_text_u64(&t, at[d]);
	}
	etc_text_char(&t, ']');
	return etc_text_keep(&t, arena);
}

static void compare(struct work *w, const struct etc_operand *reference,
                    const struct etc_operand *run, struct etc_output_row *row)
{
	struct etc_tolerance t = etc_tolerance_of(&reference->e, &run->e);

	t.atol = w->has_atol ? w->tolerance.atol : t.atol;
	t.rtol = w->has_rtol ? w->tolerance.rtol : t.rtol;
	row->tolerance = t;
	switch (etc_difference_of(&reference->e, &run->e, t, true, &row->difference)) {
	case ETC_COMPARED_SHAPES:
		row->verdict = ETC_OUTPUT_DIFFERS;
		row->problem = ETC_STR("the shapes differ");
		row->difference.bad = row->difference.count;
		return;
	case ETC_COMPARED_MANY:
		row->problem = ETC_STR("more elements than are stored");
		return;
	default:
		row->verdict = row->difference.bad           ? ETC_OUTPUT_DIFFERS
		               : row->difference.max_abs > 0 ? ETC_OUTPUT_CLOSE
		                                             : ETC_OUTPUT_EQUAL;
	}
	if (row->difference.first_bad != ETC_NO_ELEMENT)
		row->first_bad = place_text(&run->e, row->difference.first_bad, &w->session->arena);
}

/* Adds a row. The output or the reference may be NULL, if it is missing. */
static enum etc_status add_row(struct work *w, struct etc_output_row row,
                               const struct etc_operand *reference, const struct etc_operand *run)
{
	struct etc_arena *arena = &w->session->arena;

	row.verdict = ETC_OUTPUT_UNKNOWN;
	if (reference) {
		row.reference_type = reference->type;
		row.reference_shape =
			reference->why ? row.reference_shape : etc_operand_shape(reference, arena);
	}
	if (run) {
		row.run_type = run->type;
		row.run_shape = run->why ? row.run_shape : etc_operand_shape(run, arena);
	}
	if (!reference || !run) {
		row.verdict = ETC_OUTPUT_DIFFERS;
		row.problem = reference ? ETC_STR("the run has no such output")
		                        : ETC_STR("the reference has no such output");
	} else if (reference->why || run->why) {
		row.problem = etc_str_of(reference->why ? reference->why : run->why);
	} else {
		compare(w, reference, run, &row);
	}
	w->by_verdict[row.verdict]++;
	w->rows[w->row_count++] = row;
	return ETC_OK;
}

/* ---- runs ------------------------------------------------------------------------------ */

/* Is the value an output of the program? A scalar that a program returns is logged without the flag
 * for outputs. */
static bool is_output(const struct etc_logged *g)
{
	return g->what == ETC_LOGGED_OUTPUT ||
	       (g->what == ETC_LOGGED_OTHER && !g->tensor && g->value->tag >= ETC_VALUE_INT &&
	        g->value->tag <= ETC_VALUE_DOUBLE);
}

/* One run of the dump. Its values are logged.v[from .. to). */
struct one_run {
	size_t from, to;
	uint32_t outputs; /* number of these values that are outputs of the program */
	uint32_t number;  /* index of the run in the dump */
	/* index of the run's method in the references (a record or a bundled program); UINT32_MAX:
	 * they do not have it */
	uint32_t method;
	struct etc_str name;
};

static bool next_run(const struct work *w, struct one_run *r)
{
	const struct etc_logged_list *l = &w->logged;

	r->from = r->to;
	r->outputs = 0;
	if (r->from == l->count)
		return false;
	r->number = l->v[r->from].run;
	r->name = l->v[r->from].method;
	for (; r->to < l->count && l->v[r->to].run == r->number; r->to++)
		r->outputs += is_output(&l->v[r->to]);
	if (!r->name.len && w->options->method)
		r->name = etc_str_of(w->options->method);
	r->method = find_method(&w->references, r->name);
	if (!r->name.len && r->method != UINT32_MAX)
		r->name = method_name(&w->references, r->method);
	return true;
}

static bool is_wanted(const struct work *w, const struct one_run *r)
{
	return r->outputs && r->method != UINT32_MAX &&
	       (!w->options->method || etc_str_eq(r->name, etc_str_of(w->options->method)));
}

static uint32_t runs_of(const struct work *w, uint32_t method)
{
	struct one_run r = { 0 };
	uint32_t n = 0;

	while (next_run(w, &r))
		n += is_wanted(w, &r) && r.method == method;
	return n;
}

/* Finds the test case of a run: the case of --case; without --case, the bundled input index that
 * the run logged. If there is neither, and if the dump has as many runs of the method as there
 * are cases, the n-th run has the n-th case. In all other cases the run has the last test case,
 * as in the Inspector. */
static enum etc_status which_case(struct work *w, const struct one_run *r, uint32_t ordinal,
                                  uint32_t *out, struct etc_error *err)
{
	uint32_t cases = case_count(&w->references, r->method);
	const struct etc_trace *t = &w->in.trace;
	int32_t index = etc_run_head(t, &t->runs[r->number])->bundled_input_index;

	if (w->has_case || index >= 0) {
		uint64_t at = w->has_case ? w->test_case : (uint64_t)index;

		if (at >= cases)
			return etc_fail(err, E1171, "case %llu of " ETC_STR_FMT "; %s has %u",
			                (unsigned long long)at, ETC_STR_ARG(r->name),
			                w->references.path, (unsigned)cases);
		*out = (uint32_t)at;
		return ETC_OK;
	}
	if (cases == 0)
		return etc_fail(err, E1171, "%s has no test case of " ETC_STR_FMT,
		                w->references.path, ETC_STR_ARG(r->name));
	*out = cases - 1;
	if (cases > 1 && runs_of(w, r->method) == cases)
		*out = ordinal;
	w->guessed |= cases > 1;
	return ETC_OK;
}

static enum etc_status compare_inputs(struct work *w, const struct one_run *r, uint32_t test_case,
                                      struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_fed run, reference;

	ETC_TRY(etc_fed_run(&w->in, &w->logged, r->from, arena, &run, err));
	if (!run.count)
		return ETC_OK;
	if (w->references.bundled)
		ETC_TRY(etc_fed_case(&w->bundled.suites[r->method].cases[test_case], arena,
		                     &reference, err));
	else
		ETC_TRY(etc_fed_record(&w->record.representative_inputs, r->name, arena, &reference,
		                       err));
	w->other_inputs += etc_fed_compare(&run, &reference) == ETC_FED_OTHER;
	return ETC_OK;
}

static enum etc_status compare_run(struct work *w, const struct one_run *r, uint32_t ordinal,
                                   struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_output_row row = { .method = r->name, .run = r->number };
	struct etc_operand reference, run;
	uint32_t expected, i = 0;

	ETC_TRY(which_case(w, r, ordinal, &row.test_case, err));
	expected = output_count(&w->references, r->method, row.test_case);
	ETC_TRY(compare_inputs(w, r, row.test_case, err));
	for (size_t at = r->from; at < r->to; at++) {
		if (!is_output(&w->logged.v[at]))
			continue;
		row.output = i;
		ETC_TRY(etc_operand_of_logged(&w->logged.v[at], arena, &run, err));
		if (i < expected)
			ETC_TRY(operand_of(&w->references, r->method, row.test_case, i, arena,
			                   &reference, err));
		ETC_TRY(add_row(w, row, i < expected ? &reference : NULL, &run));
		i++;
	}
	for (; i < expected; i++) {
		row.output = i;
		ETC_TRY(operand_of(&w->references, r->method, row.test_case, i, arena, &reference,
		                   err));
		ETC_TRY(add_row(w, row, &reference, NULL));
	}
	return ETC_OK;
}

/* Returns an upper bound of the number of rows: the sum, over all runs, of the number of outputs or
 * the number of expected outputs, whichever is larger in the run. */
static size_t count_rows(const struct work *w)
{
	struct one_run r = { 0 };
	size_t n = 0;

	while (next_run(w, &r)) {
		uint32_t most = r.outputs;

		if (!is_wanted(w, &r))
			continue;
		for (uint32_t c = 0; c < case_count(&w->references, r.method); c++)
			if (output_count(&w->references, r.method, c) > most)
				most = output_count(&w->references, r.method, c);
		n += most;
	}
	return n;
}

static enum etc_status compare_all(struct work *w, struct etc_error *err)
{
	uint32_t methods = method_count(&w->references);
	uint32_t *seen = etc_new(&w->session->arena, uint32_t, methods);
	struct one_run r = { 0 };
	uint32_t strange = 0, kinds = 0;

	w->rows = etc_new(&w->session->arena, struct etc_output_row, count_rows(w));
	ETC_NEED(seen && w->rows, err);
	while (next_run(w, &r)) {
		strange += r.outputs && r.method == UINT32_MAX;
		if (!is_wanted(w, &r))
			continue;
		kinds += seen[r.method] == 0;
		ETC_TRY(compare_run(w, &r, seen[r.method]++, err));
	}
	w->several_methods = kinds > 1;
	if (!w->row_count)
		return etc_fail(err, E1172, "%s",
		                strange ? "the runs are of no method that has references"
		                        : "no run of the dump logged an output");
	if (strange)
		etc_note_each(&w->session->notes, W1173, "%u run%s", (unsigned)strange,
		              strange > 1 ? "s" : "");
	if (w->other_inputs)
		etc_note_each(&w->session->notes, W0460, "%u run%s", (unsigned)w->other_inputs,
		              w->other_inputs > 1 ? "s" : "");
	if (w->guessed)
		etc_note_each(&w->session->notes, N1174, "--case N says which");
	return ETC_OK;
}

/* ---- options and answer ------------------------------------------------------------------ */

static enum etc_status parse_number(const char *name, const char *text, bool *given, double *out,
                                    struct etc_error *err)
{
	*given = text != NULL;
	if (text && (!etc_number_parse(etc_str_of(text), out) || !(*out >= 0)))
		return etc_fail(err, E0505, "--%s '%s'; expected a number from 0", name, text);
	return ETC_OK;
}

static enum etc_status parse(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;

	ETC_TRY(parse_number("atol", o->atol, &w->has_atol, &w->tolerance.atol, err));
	ETC_TRY(parse_number("rtol", o->rtol, &w->has_rtol, &w->tolerance.rtol, err));
	w->has_case = o->test_case != NULL;
	return etc_opt_count("case", o->test_case, UINT64_MAX, &w->test_case, err);
}

/* Fails with E0508: the references have no such method. */
static enum etc_status unknown_method(struct work *w, struct etc_error *err)
{
	uint32_t n = method_count(&w->references);
	struct etc_arena *arena = &w->session->arena;
	struct etc_str *names = etc_new(arena, struct etc_str, n);
	struct etc_str has = etc_arena_printf(arena, "%s has", w->references.path);

	ETC_NEED(names && has.ptr, err);
	for (uint32_t i = 0; i < n; i++)
		names[i] = method_name(&w->references, i);
	return etc_fail_unknown(err, E0508, etc_str_of(w->options->method), names, n, has.ptr,
	                        "the references have no method");
}

static enum etc_status open_all(struct work *w, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;

	ETC_TRY(etc_inputs_open(w->session, &o->paths, &w->in, err));
	if (o->bundled || !w->in.record_foreign.len)
		etc_remark_foreign(&w->in, &w->session->notes);
	else /* a record of another export may still contain the outputs that are needed */
		etc_note(&w->session->notes, W0424,
		         "only its inputs and outputs are used: " ETC_STR_FMT,
		         ETC_STR_ARG(w->in.record_foreign));
	if (!w->in.debug_buffer.path)
		return etc_fail(err, E1175, "%s", o->paths.dump);
	ETC_TRY(etc_profile_meet(w->session, &o->common, &w->in, err));
	ETC_TRY(open_references(w, err));
	if (o->method && find_method(&w->references, etc_str_of(o->method)) == UINT32_MAX)
		return unknown_method(w, err);
	return etc_logged_list(&w->in, &w->in.debug_buffer.bytes, &w->session->arena, &w->logged,
	                       err);
}

static enum etc_status write_page(struct work *w, struct etc_numeric_sheet *sheet,
                                  struct etc_text *out, struct etc_error *err)
{
	struct etc_arena *arena = &w->session->arena;
	struct etc_report_file files[ETC_FILE_KINDS + 1];
	const uint32_t *n = w->by_verdict;
	struct etc_numeric_page page = { .files = files, .head_count = 1 };
	struct etc_table table;
	struct etc_str head;

	page.file_count =
		etc_list_files(&w->in, etc_targets_want_hashes(&sheet->targets), arena, files);
	head = etc_arena_printf(arena, "outputs against %s: %u equal, %u close, %u differ%s",
	                        w->references.path, (unsigned)n[ETC_OUTPUT_EQUAL],
	                        (unsigned)n[ETC_OUTPUT_CLOSE], (unsigned)n[ETC_OUTPUT_DIFFERS],
	                        n[ETC_OUTPUT_UNKNOWN] ? ", some cannot be compared" : "");
	page.head = &head;
	page.shown = table_columns(w->several_methods, n[ETC_OUTPUT_UNKNOWN] > 0);
	ETC_TRY(make_table(w->rows, w->row_count, arena, &table, err));
	ETC_TRY(etc_numeric_sheet_select(sheet, &table, &page, arena, err));
	return etc_numeric_sheet_write(sheet, &page, w->session, out, err);
}

/* Writes the table. If an output differs, the table is written, too, and then the error E1177 is
 * returned. */
static enum etc_status answer(struct work *w, struct etc_numeric_sheet *sheet,
                              const struct etc_reply *reply, struct etc_error *err)
{
	const uint32_t *n = w->by_verdict;
	struct etc_error of_write = { .at = -1 };
	enum etc_status written;

	if (n[ETC_OUTPUT_UNKNOWN])
		etc_note_each(&w->session->notes, W1176, "%u of %u",
		              (unsigned)n[ETC_OUTPUT_UNKNOWN], (unsigned)w->row_count);
	ETC_TRY(etc_session_report(w->session, w->options->common.strict, reply, err));
	written = write_page(w, sheet, reply->out, &of_write);
	if (written != ETC_OK) {
		if (err)
			*err = of_write;
		return written;
	}
	if (n[ETC_OUTPUT_DIFFERS])
		return etc_fail(err, E1177, "%u of %u", (unsigned)n[ETC_OUTPUT_DIFFERS],
		                (unsigned)w->row_count);
	return ETC_OK;
}

static enum etc_status run(struct work *w, struct etc_numeric_sheet *sheet,
                           const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_numeric_options *o = w->options;

	ETC_TRY(etc_numeric_sheet_begin(sheet, o, "etcore.numeric.outputs/1", etc_table_formats,
	                                w->session, err));
	ETC_TRY(parse(w, err));
	ETC_TRY(open_all(w, err));
	ETC_TRY(compare_all(w, err));
	return answer(w, sheet, reply, err);
}

enum etc_status etc_numeric_outputs(struct etc_session *s, const void *options,
                                    const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_numeric_sheet sheet = { 0 };
	struct work w = { .session = s, .options = options };
	enum etc_status st = run(&w, &sheet, reply, err);

	etc_selection_release(&sheet.selection);
	return st;
}
