/* frame.c -- makes the Inspector's DataFrame; see frame.h.
 *
 * pandas makes one frame per event and concatenates them. A column of Python floats is float64,
 * a column of ints is int64, and one with both is float64. A column that contains a None is an
 * object column, in which every value keeps its type. This happens per block, then over the
 * blocks. */
#include "commands/inspector/frame.h"

#include "commands/inspector/metaframe.h"
#include "commands/inspector/values.h"
#include "inspector/pyrepr.h"

enum source {
	BLOCK_NAME,
	EVENT_NAME,
	RAW,
	P10,
	P50,
	P90,
	AVG,
	MIN,
	MAX,
	OP_TYPES,
	IDENTIFIER,
	STACK_TRACES,
	MODULE_HIERARCHY,
	IS_DELEGATED,
	BACKEND,
	DEBUG_DATA,
	START_TIME,
	METADATA
};

/* clang-format off */
static const struct { const char *name; bool units, printed; } base_columns[METADATA] = {
	[BLOCK_NAME]       = { "event_block_name",          false, true },
	[EVENT_NAME]       = { "event_name",                false, true },
	[RAW]              = { "raw",                       false, false },
	[P10]              = { "p10",                       true,  true },
	[P50]              = { "p50",                       true,  true },
	[P90]              = { "p90",                       true,  true },
	[AVG]              = { "avg",                       true,  true },
	[MIN]              = { "min",                       true,  true },
	[MAX]              = { "max",                       true,  true },
	[OP_TYPES]         = { "op_types",                  false, true },
	[IDENTIFIER]       = { "delegate_debug_identifier", false, false },
	[STACK_TRACES]     = { "stack_traces",              false, false },
	[MODULE_HIERARCHY] = { "module_hierarchy",          false, false },
	[IS_DELEGATED]     = { "is_delegated_op",           false, true },
	[BACKEND]          = { "delegate_backend_name",     false, true },
	[DEBUG_DATA]       = { "debug_data",                false, false },
	[START_TIME]       = { "start_time",                false, true },
};
/* clang-format on */

enum { SHOWN_OPS = 5 };

static bool is_integer(const struct etc_insp_event *e, unsigned source)
{
	return (source == MIN && e->int_min) || (source == MAX && e->int_max);
}

/* Determines which columns of statistics are float64 in one block. Returns false if all of them are
 * object columns. */
static bool floats_of(const struct etc_inspector *in, const struct etc_insp_block *b,
                      bool floats[ETC_INSP_STATS])
{
	/* some events of the block may have no ProfileEventSignature */
	bool some_without = in->variants[b->variant[0]].profile_at != NULL;
	bool all_min = true, all_max = true;

	for (uint32_t k = 0; k < b->event_count && (some_without || all_min || all_max); k++) {
		if (!b->events[k].has_profile)
			return false;
		all_min = all_min && b->events[k].int_min;
		all_max = all_max && b->events[k].int_max;
	}
	for (unsigned s = 0; s < ETC_INSP_STATS; s++)
		floats[s] = !(s == ETC_INSP_MIN && all_min) && !(s == ETC_INSP_MAX && all_max);
	return true;
}

/* Determines, per block, which of its columns of statistics are float64. Sets *objects if a block
 * has object columns. NULL: out of memory. */
static bool *find_floats(const struct etc_inspector *in, bool *objects)
{
	bool *floats = etc_new(in->arena, bool, (size_t)in->block_count *ETC_INSP_STATS);

	for (uint32_t b = 0; floats && b < in->block_count; b++)
		if (!floats_of(in, &in->blocks[b], floats + (size_t)b * ETC_INSP_STATS))
			*objects = true;
	return floats;
}

/* Is the whole column float64? Yes, if it is float64 in some block and no block has object columns.
 * If a block has object columns, the whole column is an object column, in which each block keeps
 * its own type. */
static bool as_float(const struct etc_frame *f, unsigned source, bool objects)
{
	bool any = false;

	if (source < P10 || source > MAX || objects)
		return false;
	for (uint32_t b = 0; b < f->in->block_count; b++)
		any = any || f->block_floats[b * ETC_INSP_STATS + (source - P10)];
	return any;
}

static enum etc_status add_columns(struct etc_inspector *in,
                                   const struct etc_insp_switches *switches, bool printing,
                                   struct etc_frame *f, struct etc_error *err)
{
	struct etc_metaframe *meta = NULL;
	bool objects = false;
	uint32_t extra = 0;

	if (switches->delegate_data) {
		ETC_TRY(etc_metaframe_make(in, &meta, err));
		extra = meta->column_count;
	}
	f->columns = etc_new(in->arena, struct etc_frame_column, METADATA + extra);
	f->block_floats = find_floats(in, &objects);
	ETC_NEED(f->columns && f->block_floats, err);
	f->meta = meta;
	for (unsigned s = 0; s < METADATA; s++) {
		struct etc_frame_column *c = &f->columns[f->column_count];

		if (printing && !base_columns[s].printed)
			continue;
		c->source = (uint8_t)s;
		c->name = etc_str_of(base_columns[s].name);
		if (base_columns[s].units && switches->units)
			c->name = etc_arena_printf(in->arena, "%s (%s)", base_columns[s].name,
			                           etc_unit_name(in->target));
		c->as_float = as_float(f, s, objects);
		c->stat = (uint8_t)(c->as_float ? s - P10 : 0);
		f->column_count++;
	}
	for (uint32_t m = 0; m < extra; m++) {
		struct etc_frame_column *c = &f->columns[f->column_count++];

		*c = (struct etc_frame_column){ meta->names[m], METADATA, m, false, 0 };
		for (unsigned s = 0; s < METADATA; s++)
			if (etc_str_eq(c->name, etc_str_of(base_columns[s].name)) ||
			    (base_columns[s].units && switches->units &&
			     etc_str_starts(c->name, etc_str_of(base_columns[s].name)) &&
			     etc_str_eq(c->name,
			                etc_arena_printf(in->arena, "%s (%s)", base_columns[s].name,
			                                 etc_unit_name(in->target)))))
				return etc_fail(err, E0819, "'" ETC_STR_FMT "'",
				                ETC_STR_ARG(c->name));
	}
	return ETC_OK;
}

/* Checks the names of delegates in the record. pandas rejects a name that is an object, or a list
 * that does not have exactly one item. */
static enum etc_status check_backends(const struct etc_inspector *in, struct etc_error *err)
{
	for (uint32_t b = 0; in->record && b < in->block_count; b++)
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++) {
			const struct etc_insp_event *e = &in->blocks[b].events[k];
			const struct etc_odd_name *name = etc_insp_extra(e)->odd_backend;

			if (name && !name->is_cell)
				return etc_fail(
					err, E0897,
					"delegate_map of instruction %ld, event '" ETC_STR_FMT
					"': name is %.40s",
					(long)e->instruction_id, ETC_STR_ARG(e->name),
					etc_arena_cstr(in->arena, etc_str_sub(name->raw, 0, 40)));
		}
	return ETC_OK;
}

enum etc_status etc_frame_make(struct etc_inspector *in, const struct etc_insp_switches *switches,
                               bool printing, struct etc_frame *f, struct etc_error *err)
{
	uint32_t *first, *events, all = 0;

	*f = (struct etc_frame){ .in = in };
	if (in->block_count == 0)
		return etc_fail(err, E0809, "No objects to concatenate: no run has events");
	for (uint32_t b = 0; b < in->block_count; b++) {
		if (in->blocks[b].event_count == 0)
			return etc_fail(err, E0809,
			                "No objects to concatenate: block '" ETC_STR_FMT
			                "' has no event",
			                ETC_STR_ARG(in->blocks[b].name));
		all += in->blocks[b].event_count;
	}
	ETC_TRY(check_backends(in, err));
	ETC_TRY(add_columns(in, switches, printing, f, err));
	f->first_row = first = etc_new(in->arena, uint32_t, (size_t)in->block_count + 1);
	f->events = events = etc_new(in->arena, uint32_t, all);
	ETC_NEED(first && events, err);
	for (uint32_t b = 0; b < in->block_count; b++) {
		for (uint32_t k = 0; k < in->blocks[b].event_count; k++)
			if (!printing || !in->blocks[b].events[k].is_call)
				events[f->row_count++] = k;
		first[b + 1] = f->row_count;
	}
	return ETC_OK;
}

static struct etc_frame_cell text_cell(struct etc_str s, bool plain)
{
	return (struct etc_frame_cell){ .kind = ETC_FRAME_STR, .plain = plain, .s = s };
}

struct etc_frame_cell etc_frame_cell(const struct etc_frame *f, const struct etc_frame_row *r,
                                     uint32_t column)
{
	const struct etc_insp_event *e = r->e;
	const struct etc_insp_extra *x = etc_insp_extra(e);
	const struct etc_frame_column *c = &f->columns[column];
	static const struct etc_frame_cell none = { .kind = ETC_FRAME_NONE },
					   object = { .kind = ETC_FRAME_OBJECT };

	switch ((enum source)c->source) {
	case BLOCK_NAME:
		return text_cell(r->b->name, r->b->is_plain);
	case EVENT_NAME:
		return text_cell(e->name, e->is_plain);
	case P10:
	case P50:
	case P90:
	case AVG:
	case MIN:
	case MAX: {
		unsigned stat = c->source - (unsigned)P10;
		double v;

		if (!e->has_profile)
			return none;
		v = etc_insp_stat(r->b, r->event, stat);
		if (is_integer(e, c->source) && !c->as_float &&
		    !f->block_floats[r->block * ETC_INSP_STATS + stat])
			return (struct etc_frame_cell){ .kind = ETC_FRAME_INT, .i = (int64_t)v };
		return (struct etc_frame_cell){ .kind = ETC_FRAME_FLOAT, .f = v };
	}
	case IDENTIFIER:
		return e->is_delegated ? text_cell(e->name, e->is_plain) : none;
	case IS_DELEGATED:
		return (struct etc_frame_cell){ .kind = ETC_FRAME_BOOL, .i = e->is_delegated };
	case BACKEND:
		if (x->odd_backend)
			return etc_frame_datum(&x->odd_backend->cell);
		return x->has_backend ? text_cell(x->backend, false) : none;
	case RAW:
	case START_TIME:
		return e->has_profile ? object : none;
	case METADATA:
		return etc_metaframe_cell(f->meta, r->block, r->event, c->meta);
	default:
		return object;
	}
}

enum etc_frame_kind etc_frame_column_kind(const struct etc_frame *f, uint32_t column)
{
	uint8_t source = f->columns[column].source;

	if (source >= P10 && source <= MAX)
		return ETC_FRAME_FLOAT;
	if (source == IS_DELEGATED)
		return ETC_FRAME_BOOL;
	return source == BLOCK_NAME || source == EVENT_NAME || source == IDENTIFIER ||
	                       source == BACKEND || source == METADATA
	               ? ETC_FRAME_STR
	               : ETC_FRAME_OBJECT;
}

/* ---- text of lists and dicts ------------------------------------------------------- */

static void put_ops(struct etc_text *t, const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	if (x->op_count >= SHOWN_OPS) {
		etc_text_printf(t,
		                "['" ETC_STR_FMT "', '" ETC_STR_FMT "' ... '" ETC_STR_FMT
		                "'] (%u total)",
		                ETC_STR_ARG(x->op_types[0]), ETC_STR_ARG(x->op_types[1]),
		                ETC_STR_ARG(x->op_types[x->op_count - 1]), (unsigned)x->op_count);
		return;
	}
	etc_text_char(t, '[');
	for (uint32_t i = 0; i < x->op_count; i++) {
		etc_insp_comma(t, i);
		etc_py_str(t, x->op_types[i]);
	}
	etc_text_char(t, ']');
}

bool etc_frame_is_plain(const struct etc_frame *f, const struct etc_frame_row *r, uint32_t column)
{
	uint8_t source = f->columns[column].source;

	return source == START_TIME || (source == OP_TYPES && etc_insp_extra(r->e)->op_count == 0);
}

size_t etc_frame_plain_width(const struct etc_frame *f, const struct etc_frame_row *r,
                             uint32_t column, struct etc_frame_widths *near)
{
	enum { TOGETHER = sizeof near->widths / sizeof near->widths[0] };
	uint32_t left = r->b->event_count - r->event;

	if (f->columns[column].source == OP_TYPES)
		return 2;
	left = left < near->rows ? left : near->rows;
	if (near->b != r->b || r->event < near->from || r->event >= near->to) {
		near->b = r->b;
		near->from = r->event;
		near->to = r->event + (left < TOGETHER ? left : TOGETHER);
		etc_frame_measure_starts(f->in, near);
	}
	return near->widths[r->event - near->from];
}

void etc_frame_text(const struct etc_frame *f, const struct etc_frame_row *r, uint32_t column,
                    struct etc_text *t)
{
	const struct etc_insp_event *e = r->e;
	const struct etc_insp_extra *x = etc_insp_extra(e);

	switch ((enum source)f->columns[column].source) {
	case OP_TYPES:
		put_ops(t, e);
		break;
	case STACK_TRACES:
	case MODULE_HIERARCHY:
		etc_insp_put_nodes(t, ETC_INSP_PYTHON, e,
		                   f->columns[column].source == MODULE_HIERARCHY);
		break;
	case RAW:
		etc_insp_put_raw(t, ETC_INSP_PYTHON, f->in, r->b, e);
		break;
	case START_TIME:
		etc_frame_put_starts(t, f->in, r->b, r->event);
		break;
	case DEBUG_DATA:
		etc_insp_put_values(t, ETC_INSP_PYTHON, x->debug_data, x->debug_count);
		break;
	case BACKEND:
		etc_py_datum(t, &x->odd_backend->cell);
		break;
	case METADATA:
		etc_metaframe_text(f->meta, r->block, r->event, f->columns[column].meta, t);
		break;
	default:
		break;
	}
}
