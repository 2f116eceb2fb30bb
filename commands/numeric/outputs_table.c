/* outputs_table.c -- see outputs_table.h */
#include "commands/numeric/outputs_table.h"

#include "table/cells.h"

enum column {
	METHOD,
	RUN,
	CASE,
	OUTPUT,
	VERDICT,
	REFERENCE_TYPE,
	RUN_TYPE,
	SHAPE,
	RUN_SHAPE,
	ELEMENTS,
	BAD,
	MSE,
	SNR,
	COSINE,
	MAX_ABS,
	MAX_REL,
	MAX_ULP,
	FIRST_BAD,
	BAD_REFERENCE,
	BAD_RUN,
	NAN_REFERENCE,
	NAN_RUN,
	ATOL,
	RTOL,
	PROBLEM,
	COLUMNS
};

/* clang-format off */
#define NUMBER .style = ETC_STYLE_NUMBER, .right = true

static const struct etc_column columns[COLUMNS] = {
	[METHOD]         = { .name = "method", .title = "method", .help = "of the program" },
	[RUN]            = { .name = "run", .title = "run", .right = true, .help = "place in the dump's list of runs" },
	[CASE]           = { .name = "case", .title = "case", .right = true, .help = "test case of the reference, from 0" },
	[OUTPUT]         = { .name = "output", .title = "output", .right = true, .help = "place among the outputs, from 0" },
	[VERDICT]        = { .name = "verdict", .title = "verdict", .help = "equal, close (within the tolerance), differs, unknown" },
	[REFERENCE_TYPE] = { .name = "reference_type", .title = "reference", .help = "element type of the reference" },
	[RUN_TYPE]       = { .name = "type", .title = "type", .help = "element type of the run" },
	[SHAPE]          = { .name = "reference_shape", .title = "shape", .style = ETC_STYLE_JSON, .help = "sizes of the reference" },
	[RUN_SHAPE]      = { .name = "shape", .title = "shape", .style = ETC_STYLE_JSON, .help = "sizes of the run's" },
	[ELEMENTS]       = { .name = "elements", .title = "elements", .right = true, .help = "how many" },
	[BAD]            = { .name = "bad", .title = "bad", .right = true, .help = "elements outside the tolerance" },
	[MSE]            = { .name = "mse", .title = "MSE", NUMBER, .help = "mean of squared differences, of finite pairs" },
	[SNR]            = { .name = "snr_db", .title = "SNR dB", NUMBER, .help = "power of the reference over that of the difference; inf: equal" },
	[COSINE]         = { .name = "cosine_similarity", .title = "cosine", NUMBER, .help = "1: the same direction" },
	[MAX_ABS]        = { .name = "max_abs", .title = "max abs", NUMBER, .help = "largest |run - reference|" },
	[MAX_REL]        = { .name = "max_rel", .title = "max rel", NUMBER, .help = "largest |run - reference| / |reference|" },
	[MAX_ULP]        = { .name = "max_ulp", .title = "max ULP", .right = true, .help = "most units of the last place between two numbers of one type" },
	[FIRST_BAD]      = { .name = "first_bad", .title = "first bad", .style = ETC_STYLE_JSON, .help = "index of the first element outside the tolerance" },
	[BAD_REFERENCE]  = { .name = "first_bad_reference", .title = "reference there", NUMBER, .help = "its number in the reference" },
	[BAD_RUN]        = { .name = "first_bad_run", .title = "run there", NUMBER, .help = "its number in the run" },
	[NAN_REFERENCE]  = { .name = "nan_reference", .title = "NaN ref", .right = true, .help = "elements of the reference that are no number" },
	[NAN_RUN]        = { .name = "nan", .title = "NaN", .right = true, .help = "elements of the run that are no number" },
	[ATOL]           = { .name = "atol", .title = "atol", NUMBER, .help = "allowed: atol + rtol * |reference|" },
	[RTOL]           = { .name = "rtol", .title = "rtol", NUMBER, .help = "allowed: atol + rtol * |reference|" },
	[PROBLEM]        = { .name = "problem", .title = "problem", .help = "why nothing was compared" },
};
/* clang-format on */

static const char *const verdicts[] = { "equal", "close", "differs", "unknown" };

const char *etc_output_verdict_name(uint8_t verdict)
{
	return verdicts[verdict];
}

static struct etc_cell real(double v)
{
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v };
}

static struct etc_cell text(struct etc_str s)
{
	return s.len ? etc_cell_text(s) : (struct etc_cell){ 0 };
}

static struct etc_cell word(const char *s)
{
	return s ? etc_cell_text(etc_str_of(s)) : (struct etc_cell){ 0 };
}

static void numbers(const struct etc_output_row *r, struct etc_cell *c)
{
	const struct etc_difference *d = &r->difference;

	c[ELEMENTS] = etc_cell_u64(d->count);
	c[BAD] = etc_cell_u64(d->bad);
	c[MSE] = real(etc_difference_mse(d));
	c[SNR] = real(etc_difference_snr(d));
	c[COSINE] = real(etc_difference_cosine(d));
	c[MAX_ABS] = real(d->max_abs);
	c[MAX_REL] = real(d->max_rel);
	if (d->has_ulp)
		c[MAX_ULP] = etc_cell_u64(d->max_ulp);
	c[NAN_REFERENCE] = etc_cell_u64(d->nan_reference);
	c[NAN_RUN] = etc_cell_u64(d->nan_run);
	c[ATOL] = real(r->tolerance.atol);
	c[RTOL] = real(r->tolerance.rtol);
	if (d->first_bad == ETC_NO_ELEMENT)
		return;
	c[FIRST_BAD] = text(r->first_bad);
	c[BAD_REFERENCE] = real(d->first_reference);
	c[BAD_RUN] = real(d->first_run);
}

enum etc_status etc_view_outputs(const struct etc_output_row *rows, uint32_t count,
                                 struct etc_arena *arena, struct etc_table *out,
                                 struct etc_error *err)
{
	struct etc_cell *cells = etc_new(arena, struct etc_cell, (size_t)count * COLUMNS);

	*out = (struct etc_table){
		.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = count
	};
	if (!cells)
		return etc_fail(err, E0904, "%u rows", (unsigned)count);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_output_row *r = &rows[i];
		struct etc_cell *c = cells + (size_t)i * COLUMNS;

		c[METHOD] = text(r->method);
		c[RUN] = etc_cell_u64(r->run);
		c[CASE] = etc_cell_u64(r->test_case);
		c[OUTPUT] = etc_cell_u64(r->output);
		c[VERDICT] = word(verdicts[r->verdict]);
		c[REFERENCE_TYPE] = word(r->reference_type);
		c[RUN_TYPE] = word(r->run_type);
		c[SHAPE] = text(r->reference_shape);
		c[RUN_SHAPE] = text(r->run_shape);
		c[PROBLEM] = text(r->problem);
		if (r->verdict != ETC_OUTPUT_UNKNOWN)
			numbers(r, c);
	}
	return ETC_OK;
}

#define FIRST   "run,output,verdict,type,shape,"
#define NUMBERS "mse,snr_db,cosine_similarity,max_abs,max_rel,max_ulp,bad,first_bad"

const char *etc_outputs_columns(bool several_methods, bool problems)
{
	static const char *const shown[] = {
		FIRST NUMBERS,
		"method," FIRST NUMBERS,
		FIRST "snr_db,max_abs,bad,first_bad,problem",
		"method," FIRST "snr_db,max_abs,bad,first_bad,problem",
	};

	return shown[several_methods + 2 * problems];
}
