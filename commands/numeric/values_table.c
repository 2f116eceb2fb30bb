/* values_table.c -- see values_table.h */
#include "commands/numeric/values_table.h"

#include <math.h>
#include <stdio.h>

#include "table/cells.h"

enum column {
	METHOD,
	RUN,
	EVENT,
	WHAT,
	NAME,
	NODES,
	HANDLES,
	INSTRUCTION,
	ITEM,
	TYPE,
	SHAPE,
	STRIDES,
	DIM_ORDER,
	ELEMENTS,
	BYTES,
	OFFSET,
	MIN,
	MAX,
	MEAN,
	NAN_COUNT,
	INF_COUNT,
	XXH64,
	SHA256,
	CONTENTS,
	PROBLEM,
	KEY,
	COLUMNS
};

/* clang-format off */
#define NUMBER .style = ETC_STYLE_NUMBER, .right = true

static const struct etc_column columns[COLUMNS] = {
	[METHOD]      = { .name = "method", .title = "method", .help = "of the program" },
	[RUN]         = { .name = "run", .title = "run", .right = true, .help = "place in the dump's list of runs" },
	[EVENT]       = { .name = "event", .title = "event", .right = true, .help = "place among the run's events" },
	[WHAT]        = { .name = "what", .title = "of", .help = "operator, delegate, argument (of a DELEGATE_CALL), output (of the program), other" },
	[NAME]        = { .name = "name", .title = "logged by", .help = "the kernel, or the delegate's id" },
	[NODES]       = { .name = "nodes", .title = "nodes", .optional = true, .help = "of the exporter's graph" },
	[HANDLES]     = { .name = "handles", .title = "handle", .style = ETC_STYLE_JSON, .help = "debug handles, from the record" },
	[INSTRUCTION] = { .name = "instruction", .title = "instruction", .help = "chain:instruction of the program" },
	[ITEM]        = { .name = "item", .title = "item", .right = true, .optional = true, .help = "place in a list, or among the outputs of the run" },
	[TYPE]        = { .name = "type", .title = "type", .help = "torch's name of the element type; of scalars int, bool, float, string" },
	[SHAPE]       = { .name = "shape", .title = "shape", .style = ETC_STYLE_JSON, .help = "sizes" },
	[STRIDES]     = { .name = "strides", .title = "strides", .style = ETC_STYLE_JSON, .optional = true, .help = "in elements" },
	[DIM_ORDER]   = { .name = "dim_order", .title = "order", .style = ETC_STYLE_JSON, .optional = true, .help = "dimensions from the outermost to the innermost in memory" },
	[ELEMENTS]    = { .name = "elements", .title = "elements", .right = true, .optional = true, .help = "how many" },
	[BYTES]       = { .name = "bytes", .title = "bytes", .right = true, .optional = true, .help = "of all elements" },
	[OFFSET]      = { .name = "offset", .title = "at", .right = true, .optional = true, .help = "byte in the debug buffer" },
	[MIN]         = { .name = "min", .title = "min", NUMBER, .help = "of what is no NaN" },
	[MAX]         = { .name = "max", .title = "max", NUMBER, .help = "of what is no NaN" },
	[MEAN]        = { .name = "mean", .title = "mean", NUMBER, .help = "of the finite ones" },
	[NAN_COUNT]   = { .name = "nan", .title = "NaN", .right = true, .help = "elements that are no number" },
	[INF_COUNT]   = { .name = "inf", .title = "inf", .right = true, .help = "elements that are infinite" },
	[XXH64]       = { .name = "xxh64", .title = "hash", .optional = true, .help = "XXH64 of the elements' bytes in row-major order" },
	[SHA256]      = { .name = "sha256", .title = "SHA-256", .optional = true, .help = "of the same bytes; with --sha256" },
	[CONTENTS]    = { .name = "contents", .title = "contents", .style = ETC_STYLE_JSON, .help = "the first elements; with --contents" },
	[PROBLEM]     = { .name = "problem", .title = "problem", .help = "code that says why there are no numbers" },
	[KEY]         = { .name = "key", .title = "key", .help = "its name in an export" },
};
/* clang-format on */

/* An integer exactly, as far as the summary has it. */
static struct etc_cell integer_cell(uint64_t bits, bool is_unsigned)
{
	if (is_unsigned)
		return etc_cell_u64(bits);
	return (struct etc_cell){ .kind = ETC_CELL_INT, .i = (int64_t)bits };
}

static struct etc_cell number_cell(double v)
{
	return (struct etc_cell){ .kind = ETC_CELL_REAL, .f = v };
}

static struct etc_cell word_cell(const char *word)
{
	return etc_cell_text(etc_str_of(word ? word : ""));
}

static enum etc_status fill_numbers(const struct etc_value_row *v, struct etc_cell *cells,
                                    struct etc_arena *arena, struct etc_error *err)
{
	const struct etc_summary *s = &v->summary;
	struct etc_str hash;

	if (!v->summarised) {
		cells[MIN] = cells[MAX] = cells[MEAN] = v->scalar;
		return ETC_OK;
	}
	if (s->has_range) {
		cells[MIN] = v->integers ? integer_cell(s->min_bits, v->is_unsigned)
		                         : number_cell(s->min);
		cells[MAX] = v->integers ? integer_cell(s->max_bits, v->is_unsigned)
		                         : number_cell(s->max);
	}
	if (!isnan(s->mean))
		cells[MEAN] = number_cell(s->mean);
	cells[NAN_COUNT] = etc_cell_u64(s->nan);
	cells[INF_COUNT] = etc_cell_u64(s->inf);
	hash = etc_arena_printf(arena, "%016llx", (unsigned long long)s->hash);
	if (!hash.ptr)
		return etc_fail(err, E0904, "table of values");
	cells[XXH64] = etc_cell_text(hash);
	return ETC_OK;
}

static void fill(const struct etc_value_row *v, struct etc_cell *cells)
{
	cells[METHOD] = etc_cell_text(v->method);
	cells[RUN] = etc_cell_u64(v->run);
	cells[EVENT] = etc_cell_u64(v->event);
	cells[WHAT] = word_cell(v->what);
	cells[NAME] = etc_cell_text(v->name);
	cells[NODES] = etc_cell_text(v->nodes);
	cells[HANDLES] = etc_cell_text(v->handles);
	cells[INSTRUCTION] = etc_cell_text(v->instruction);
	if (v->item >= 0)
		cells[ITEM] = etc_cell_u64((uint64_t)v->item);
	cells[TYPE] = word_cell(v->type);
	cells[SHAPE] = etc_cell_text(v->shape);
	cells[STRIDES] = etc_cell_text(v->strides);
	cells[DIM_ORDER] = etc_cell_text(v->dim_order);
	if (v->is_tensor) {
		cells[ELEMENTS] = etc_cell_u64(v->elements);
		cells[BYTES] = etc_cell_u64(v->bytes);
		cells[OFFSET] = (struct etc_cell){ .kind = ETC_CELL_INT, .i = v->offset };
	}
	cells[SHA256] = etc_cell_text(v->sha256);
	cells[CONTENTS] = etc_cell_text(v->contents);
	cells[PROBLEM] = word_cell(v->problem);
	cells[KEY] = etc_cell_text(v->key);
}

enum etc_status etc_view_values(const struct etc_value_row *rows, size_t count,
                                struct etc_arena *arena, struct etc_table *out,
                                struct etc_error *err)
{
	struct etc_cell *cells =
		count > UINT32_MAX ? NULL : etc_new(arena, struct etc_cell, count * COLUMNS);

	if (!cells)
		return etc_fail(err, E0904, "table of %zu values", count);
	*out = (struct etc_table){ .columns = columns,
		                   .column_count = COLUMNS,
		                   .cells = cells,
		                   .row_count = (uint32_t)count };
	for (size_t i = 0; i < count; i++) {
		fill(&rows[i], &cells[i * COLUMNS]);
		ETC_TRY(fill_numbers(&rows[i], &cells[i * COLUMNS], arena, err));
	}
	return ETC_OK;
}

const char *etc_values_columns(bool several_methods, bool contents)
{
	static const char *const lists[2][2] = {
		{ "run,what,name,nodes,handles,item,type,shape,min,max,mean,nan,inf,xxh64,problem",
		  "run,what,name,handles,item,type,shape,contents,problem" },
		{ "method,run,what,name,nodes,handles,item,type,shape,min,max,mean,nan,inf,xxh64,"
		  "problem",
		  "method,run,what,name,handles,item,type,shape,contents,problem" },
	};

	return lists[several_methods][contents];
}
