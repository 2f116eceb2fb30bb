/* gap_table.c -- see gap_table.h */
#include "commands/numeric/gap_table.h"

#include <stdio.h>

#include "table/cells.h"

enum column {
	METHOD,
	RUN,
	HANDLE,
	INSTRUCTION,
	OCCURRENCE,
	ITEM,
	VERDICT,
	NAME,
	REFERENCE_NAME,
	NODES,
	MODULE,
	SOURCE,
	REFERENCE_TYPE,
	RUN_TYPE,
	SHAPE,
	ELEMENTS,
	RELATIVE,
	INPUT,
	RISE,
	MSE,
	L1,
	SNR,
	PSNR,
	COSINE,
	MAX_ABS,
	MAX_REL,
	NAN_REFERENCE,
	NAN_RUN,
	PROBLEM,
	COLUMNS
};

/* clang-format off */
#define NUMBER .style = ETC_STYLE_NUMBER, .right = true

static const struct etc_column columns[COLUMNS] = {
	[METHOD]         = { .name = "method", .title = "method", .help = "of the program" },
	[RUN]            = { .name = "run", .title = "run", .right = true, .help = "place in the dump's list of runs" },
	[HANDLE]         = { .name = "handle", .title = "handle", .right = true, .help = "debug handle that both sides have in common" },
	[INSTRUCTION]    = { .name = "instruction", .title = "instr", .right = true, .help = "of the program" },
	[OCCURRENCE]     = { .name = "occurrence", .title = "time", .right = true, .help = "which time in the run, from 0: of loops" },
	[ITEM]           = { .name = "item", .title = "item", .right = true, .help = "which output of a kernel with several" },
	[VERDICT]        = { .name = "verdict", .title = "error", .help = "starts, rises, carries (what inputs and rounding explain), clean, unknown" },
	[NAME]           = { .name = "name", .title = "logged by", .help = "the kernel, or the delegate's id" },
	[REFERENCE_NAME] = { .name = "reference_name", .title = "reference by", .help = "the same of the reference's dump" },
	[NODES]          = { .name = "nodes", .title = "node", .help = "of the exporter's graph" },
	[MODULE]         = { .name = "module", .title = "module", .optional = true, .help = "of the model" },
	[SOURCE]         = { .name = "source", .title = "source", .optional = true, .help = "line of the model" },
	[REFERENCE_TYPE] = { .name = "reference_type", .title = "reference", .help = "element type of the reference" },
	[RUN_TYPE]       = { .name = "type", .title = "type", .help = "element type of the run" },
	[SHAPE]          = { .name = "shape", .title = "shape", .style = ETC_STYLE_JSON, .help = "sizes" },
	[ELEMENTS]       = { .name = "elements", .title = "elements", .right = true, .help = "how many" },
	[RELATIVE]       = { .name = "relative", .title = "relative", NUMBER, .help = "root mean square of the difference over that of the reference" },
	[INPUT]          = { .name = "input_relative", .title = "of inputs", NUMBER, .help = "the largest of its inputs" },
	[RISE]           = { .name = "rise", .title = "rise", NUMBER, .help = "relative over that of the inputs" },
	[MSE]            = { .name = "mse", .title = "MSE", NUMBER, .help = "mean of squared differences, of finite pairs" },
	[L1]             = { .name = "l1", .title = "L1", NUMBER, .help = "sum of absolute differences, of finite pairs" },
	[SNR]            = { .name = "snr_db", .title = "SNR dB", NUMBER, .help = "power of the reference over that of the difference; inf: equal" },
	[PSNR]           = { .name = "psnr_db", .title = "PSNR dB", NUMBER, .help = "the largest number of the reference squared, over MSE" },
	[COSINE]         = { .name = "cosine_similarity", .title = "cosine", NUMBER, .help = "1: the same direction" },
	[MAX_ABS]        = { .name = "max_abs", .title = "max abs", NUMBER, .help = "largest |run - reference|" },
	[MAX_REL]        = { .name = "max_rel", .title = "max rel", NUMBER, .help = "largest |run - reference| / |reference|" },
	[NAN_REFERENCE]  = { .name = "nan_reference", .title = "NaN ref", .right = true, .help = "elements of the reference that are no number" },
	[NAN_RUN]        = { .name = "nan", .title = "NaN", .right = true, .help = "elements of the run that are no number" },
	[PROBLEM]        = { .name = "problem", .title = "problem", .help = "why nothing was compared, or why it is not known who made the error" },
};
/* clang-format on */

static const char *const verdicts[] = { "clean", "carries", "rises", "starts", "unknown" };

const char *etc_gap_verdict_name(uint8_t verdict)
{
	return verdicts[verdict];
}

static struct etc_cell real(double v)
{
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v };
}

static void numbers(const struct etc_gap_line *l, struct etc_cell *c)
{
	const struct etc_difference *d = &l->difference;

	c[ELEMENTS] = etc_cell_u64(d->count);
	c[RELATIVE] = real(l->relative);
	c[INPUT] = real(l->input);
	c[RISE] = real(l->rise);
	c[MSE] = real(etc_difference_mse(d));
	c[L1] = real(d->sum_abs);
	c[SNR] = real(etc_difference_snr(d));
	c[PSNR] = real(etc_difference_psnr(d));
	c[COSINE] = real(etc_difference_cosine(d));
	c[MAX_ABS] = real(d->max_abs);
	c[MAX_REL] = real(d->max_rel);
	c[NAN_REFERENCE] = etc_cell_u64(d->nan_reference);
	c[NAN_RUN] = etc_cell_u64(d->nan_run);
}

enum etc_status etc_view_gap(const struct etc_gap_line *lines, uint32_t count,
                             struct etc_arena *arena, struct etc_table *out, struct etc_error *err)
{
	struct etc_cell *cells = etc_new(arena, struct etc_cell, (size_t)count * COLUMNS);

	*out = (struct etc_table){
		.columns = columns, .column_count = COLUMNS, .cells = cells, .row_count = count
	};
	if (!cells)
		return etc_fail(err, E0904, "%u rows", (unsigned)count);
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_gap_line *l = &lines[i];
		struct etc_cell *c = cells + (size_t)i * COLUMNS;

		c[METHOD] = etc_cell_text(l->method);
		c[RUN] = etc_cell_u64(l->run);
		if (l->has_handle)
			c[HANDLE] = (struct etc_cell){ .kind = ETC_CELL_INT, .i = l->handle };
		if (l->instruction >= 0)
			c[INSTRUCTION] = etc_cell_u64((uint64_t)l->instruction);
		c[OCCURRENCE] = etc_cell_u64(l->occurrence);
		if (l->item >= 0)
			c[ITEM] = etc_cell_u64((uint64_t)l->item);
		c[VERDICT] = etc_cell_text(etc_str_of(verdicts[l->verdict]));
		c[NAME] = etc_cell_text(l->name);
		c[REFERENCE_NAME] = etc_cell_text(l->reference_name);
		c[NODES] = etc_cell_text(l->nodes);
		c[MODULE] = etc_cell_text(l->module);
		c[SOURCE] = etc_cell_text(l->source);
		c[REFERENCE_TYPE] = etc_cell_text(etc_str_of(l->reference_type));
		c[RUN_TYPE] = etc_cell_text(etc_str_of(l->run_type));
		c[SHAPE] = etc_cell_text(l->shape);
		c[PROBLEM] = etc_cell_text(l->problem);
		if (l->compared)
			numbers(l, c);
	}
	return ETC_OK;
}

#define NUMBERS "verdict,relative,input_relative,rise,snr_db,cosine_similarity,max_abs"

const char *etc_gap_columns(bool several_methods, bool several_runs, bool handles, bool problems)
{
	static const char *const shown[] = {
		"name," NUMBERS ",shape",
		"run,name," NUMBERS ",shape",
		"method,run,name," NUMBERS,
		"handle,name,nodes," NUMBERS ",shape",
		"run,handle,name,nodes," NUMBERS ",shape",
		"method,run,handle,name,nodes," NUMBERS,
		"name," NUMBERS ",problem",
		"run,name," NUMBERS ",problem",
		"method,run,name," NUMBERS ",problem",
		"handle,name,nodes," NUMBERS ",problem",
		"run,handle,name,nodes," NUMBERS ",problem",
		"method,run,handle,name,nodes," NUMBERS ",problem",
	};

	return shown[(several_methods ? 2 : several_runs) + (handles ? 3 : 0) + (problems ? 6 : 0)];
}
