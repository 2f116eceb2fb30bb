/* tables.c -- makes the tables of the Inspector's answer; see tables.h. A dump may have
 * millions of events, so the tables have no cells: a column is made from the Inspector's
 * structs when it is read. */
#include "commands/inspector/tables.h"
#include "commands/inspector/values.h"

#include "table/cells.h"

enum {
#define COLUMN(id, ...) id,
#include "commands/inspector/block_columns.def"
	BLOCK_COLUMNS
};
static const struct etc_column block_columns[BLOCK_COLUMNS] = {
#define COLUMN(id, key, form, applies, meaning, value) \
	[id] = { .name = key, .help = meaning, ETC_INSP_FORM_##form },
#include "commands/inspector/block_columns.def"
};

enum {
#define COLUMN(id, ...) id,
#include "commands/inspector/event_columns.def"
	EVENT_COLUMNS
};
static const struct etc_column event_columns[EVENT_COLUMNS] = {
#define COLUMN(id, key, form, applies, meaning, value) \
	[id] = { .name = key, .help = meaning, ETC_INSP_FORM_##form },
#include "commands/inspector/event_columns.def"
};

/* clang-format off */
enum { VALUE, VALUE_INT, START, END, METADATA, SAMPLE_COLUMNS };
static const struct etc_column sample_columns[SAMPLE_COLUMNS] = {
	[VALUE]     = { .name = "value", .cell = ETC_CELL_REAL, .help = "item of PerfData.raw" },
	[VALUE_INT] = { .name = "value_int", .cell = ETC_CELL_INT, .help = "the same, if it is an int in Python" },
	[START]     = { .name = "start_time", .cell = ETC_CELL_UINT, .help = "item of Event.start_time: raw ticks" },
	[END]       = { .name = "end_time", .cell = ETC_CELL_UINT, .help = "its end in raw ticks" },
	[METADATA]  = { .name = "metadata", .cell = ETC_CELL_BYTES, .help = "item of Event.raw_delegate_debug_metadatas; blank: the list is empty" },
};
/* clang-format on */

/* ---- finding the part that contains a row --------------------------------------- */

/* The rows of a table are divided into parts, such as the rows of each block. Returns the index of
 * the part that contains `row`. first[i] is the first row of part i, in ascending order; parts may
 * be empty. */
static uint32_t part_at(const uint32_t *first, uint32_t count, uint32_t row)
{
	uint32_t from = 0, to = count;

	while (to - from > 1) {
		uint32_t mid = from + (to - from) / 2;

		if (first[mid] <= row)
			from = mid;
		else
			to = mid;
	}
	return from;
}

static enum etc_status count_rows(struct etc_insp_kept *k, struct etc_error *err)
{
	const struct etc_inspector *in = &k->in;
	uint32_t *events = etc_new(in->arena, uint32_t, (size_t)in->block_count + 1);
	uint32_t *samples, row = 0;
	uint64_t at = 0;

	ETC_NEED(events, err);
	for (uint32_t b = 0; b < in->block_count; b++)
		events[b + 1] = events[b] + in->blocks[b].event_count;
	samples = etc_new(in->arena, uint32_t, (size_t)events[in->block_count] + 1);
	ETC_NEED(samples, err);
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t i = 0; i < in->blocks[b].event_count; i++) {
			samples[row++] = (uint32_t)at;
			at += in->blocks[b].events[i].has_profile ? in->blocks[b].run_count : 0;
		}
	samples[row] = (uint32_t)at;
	if (at > UINT32_MAX)
		return etc_fail(err, E0904, "%llu samples", (unsigned long long)at);
	k->first_event = events;
	k->first_sample = samples;
	return ETC_OK;
}

/* ---- members that only some events have --------------------------------------------- */

enum etc_status etc_insp_make_list(struct etc_inspector *in, struct etc_cell *items, uint32_t count,
                                   struct etc_cell *out, struct etc_error *err)
{
	if (items && count == 0)
		return ETC_OK;
	*out = etc_cell_list(items, count, in->arena);
	ETC_NEED(out->kind == ETC_CELL_LIST, err);
	return ETC_OK;
}

static enum etc_status list_ops(struct etc_inspector *in, const struct etc_insp_extra *x,
                                struct etc_cell *out, struct etc_error *err)
{
	struct etc_cell *items = etc_new(in->arena, struct etc_cell, x->op_count);

	for (uint32_t i = 0; items && i < x->op_count; i++)
		items[i] = etc_cell_string(x->op_types[i]);
	return etc_insp_make_list(in, items, x->op_count, out, err);
}

/* Returns the value of the column debug_handles_kind; NULL: None. */
static const char *handles_kind(const struct etc_handles *h)
{
	if (!h || h->form == ETC_HANDLES_NULL)
		return NULL;
	return h->raw.len ? "json" : h->form == ETC_HANDLES_INT ? "int" : "list";
}

static enum etc_status list_handles(struct etc_inspector *in, const struct etc_handles *h,
                                    struct etc_cell *out, struct etc_error *err)
{
	uint32_t count = !handles_kind(h) || h->raw.len ? 0
	                 : h->form == ETC_HANDLES_INT   ? 1
	                                                : h->count;
	struct etc_cell *items = etc_new(in->arena, struct etc_cell, count);

	for (uint32_t i = 0; items && i < count; i++)
		items[i] = etc_cell_int(h->v[i]);
	return etc_insp_make_list(in, items, count, out, err);
}

static void put_member(struct etc_text *t, const char *name, struct etc_str raw)
{
	if (!raw.len)
		return;
	etc_text_printf(t, "%s\"%s\": ", t->len ? ", " : "{", name);
	etc_text_put(t, raw);
}

/* Writes a JSON object of those values of the record that no column can hold because of their type.
 * Each value is written as the exporter wrote it. */
static void put_odd(struct etc_text *t, const struct etc_insp_extra *x)
{
	if (x->handles)
		put_member(t, "debug_handles", x->handles->raw);
	if (x->num_outs)
		put_member(t, "num_outputs", x->num_outs->raw);
	if (x->odd_backend)
		put_member(t, "delegate_backend_name", x->odd_backend->raw);
	etc_text_cstr(t, t->len ? "}" : "");
}

/* Writes the event's stack traces, or with `modules` its module hierarchy, as JSON; empty: it has
 * none. */
static enum etc_status keep_nodes(struct etc_inspector *in, const struct etc_insp_event *e,
                                  bool modules, struct etc_str *out, struct etc_error *err)
{
	struct etc_text t = { 0 };

	if (!e->extra->node_count)
		return ETC_OK;
	etc_insp_put_nodes(&t, ETC_INSP_JSON, e, modules);
	*out = etc_text_keep(&t, in->arena);
	ETC_NEED(out->ptr, err);
	return ETC_OK;
}

static enum etc_status make_rich(struct etc_inspector *in, const struct etc_insp_event *e,
                                 struct etc_insp_rich *to, struct etc_error *err)
{
	const struct etc_insp_extra *x = e->extra;
	struct etc_text odd = { 0 };

	ETC_TRY(list_ops(in, x, &to->op_types, err));
	ETC_TRY(list_handles(in, x->handles, &to->debug_handles, err));
	ETC_TRY(keep_nodes(in, e, false, &to->stack_traces, err));
	ETC_TRY(keep_nodes(in, e, true, &to->module_hierarchy, err));
	put_odd(&odd, x);
	to->as_json = etc_text_keep(&odd, in->arena);
	ETC_NEED(to->as_json.ptr, err);
	return ETC_OK;
}

static bool is_rich(const struct etc_insp_event *e)
{
	const struct etc_insp_extra *x = e->extra;

	return x && (x->op_count || x->node_count || x->odd_backend || handles_kind(x->handles) ||
	             (x->num_outs && x->num_outs->raw.len));
}

static enum etc_status add_rich(struct etc_insp_kept *k, const struct etc_insp_rich **all,
                                struct etc_error *err)
{
	struct etc_inspector *in = &k->in;
	uint32_t row = 0;

	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t i = 0; i < in->blocks[b].event_count; i++, row++) {
			const struct etc_insp_event *e = &in->blocks[b].events[i];
			struct etc_insp_rich *to;

			if (!is_rich(e))
				continue;
			all[row] = to = etc_new(in->arena, struct etc_insp_rich, 1);
			ETC_NEED(to, err);
			ETC_TRY(make_rich(in, e, to, err));
		}
	return ETC_OK;
}

/* Makes the members that only some events have (struct etc_insp_rich). Without an ETRecord no event
 * has any. */
static enum etc_status find_rich(struct etc_insp_kept *k, struct etc_error *err)
{
	uint32_t rows = k->first_event[k->in.block_count];
	const struct etc_insp_rich **all;

	if (!k->in.record)
		return ETC_OK;
	all = etc_new(k->in.arena, const struct etc_insp_rich *, rows);
	ETC_NEED(all, err);
	k->rich = all;
	return add_rich(k, all, err);
}

static enum etc_status prepare(struct etc_insp_kept *k, struct etc_error *err)
{
	if (k->is_prepared)
		return ETC_OK;
	ETC_TRY(count_rows(k, err));
	ETC_TRY(find_rich(k, err));
	ETC_TRY(etc_insp_find_items(k, err));
	k->is_prepared = true;
	return ETC_OK;
}

/* ---- blocks --------------------------------------------------------------------- */

static struct etc_cell block_cell(const struct etc_insp_kept *k, uint32_t column, uint32_t row)
{
	const struct etc_insp_block *b = &k->in.blocks[row];

	switch (column) {
#define COLUMN(id, key, form, applies, help, value) \
	case id:                                    \
		return (applies) ? value : etc_cell_blank();
#include "commands/inspector/block_columns.def"
	default:
		return etc_cell_blank();
	}
}

static void fill_blocks(const void *of, uint32_t column, uint32_t from, uint32_t count,
                        struct etc_cell *to)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = block_cell(of, column, from + i);
}

/* ---- events --------------------------------------------------------------------- */

/* Returns the integer whose decimal digits are the text `name`. */
static int64_t id_of(struct etc_str name)
{
	bool negative = name.len && name.ptr[0] == '-';
	int64_t v = 0;

	for (size_t i = negative; i < name.len; i++)
		v = v * 10 + (name.ptr[i] - '0');
	return negative ? -v : v;
}

static struct etc_cell outputs_cell(const struct etc_num_outs_entry *outs)
{
	return outs && outs->raw.len ? etc_cell_blank() : etc_cell_int(outs ? outs->outputs : 1);
}

static struct etc_cell event_cell(const struct etc_insp_kept *k, uint32_t block, uint32_t event,
                                  uint32_t column)
{
	const struct etc_insp_block *b = &k->in.blocks[block];
	const struct etc_insp_event *e = &b->events[event];
	uint32_t row = k->first_event[block] + event;
	const struct etc_insp_rich *rich = k->rich ? k->rich[row] : NULL;
	/* Avoids reading `e` if possible: the structs of a large graph take far more memory than
	 * these numbers. */
	bool timed = k->first_sample[row + 1] != k->first_sample[row];

	switch (column) {
#define COLUMN(id, key, form, applies, help, value) \
	case id:                                    \
		return (applies) ? value : etc_cell_blank();
#include "commands/inspector/event_columns.def"
	default:
		return etc_cell_blank();
	}
}

/* Is the column blank in all events? Some columns need an ETRecord. */
static bool is_blank(const struct etc_insp_kept *k, uint32_t column)
{
	return !k->rich &&
	       (column == OP_TYPES || column == HANDLES || column == HANDLES_KIND ||
	        column == STACKS || column == MODULES || column == BACKEND || column == AS_JSON);
}

static void fill_events(const void *of, uint32_t column, uint32_t from, uint32_t count,
                        struct etc_cell *to)
{
	const struct etc_insp_kept *k = of;
	uint32_t block = part_at(k->first_event, k->in.block_count, from);

	if (is_blank(k, column))
		return;
	for (uint32_t i = 0; i < count; i++) {
		while (from + i >= k->first_event[block + 1])
			block++;
		to[i] = event_cell(k, block, from + i - k->first_event[block], column);
	}
}

/* Stores the statistic `stat` of every event in `to`, as the bits of a double. False: some event
 * has no times. */
static bool stat_numbers(const struct etc_insp_kept *k, unsigned stat, uint64_t *to)
{
	uint32_t row = 0;

	for (uint32_t b = 0; b < k->in.block_count; b++)
		for (uint32_t i = 0; i < k->in.blocks[b].event_count; i++, row++) {
			double v = etc_insp_stat(&k->in.blocks[b], i, stat);

			if (k->first_sample[row + 1] == k->first_sample[row])
				return false;
			memcpy(&to[row], &v, sizeof v);
		}
	return true;
}

/* Fills the column BLOCK or INSTRUCTION. */
static void block_numbers(const struct etc_insp_kept *k, uint32_t column, uint64_t *to)
{
	for (uint32_t b = 0; b < k->in.block_count; b++)
		for (uint32_t i = 0; i < k->in.blocks[b].event_count; i++)
			*to++ = column == BLOCK ? b
			                        : (uint64_t)(int64_t)k->in.blocks[b]
			                                  .events[i]
			                                  .instruction_id;
}

static bool event_numbers(const void *of, uint32_t column, uint64_t *to)
{
	const struct etc_insp_kept *k = of;
	const uint32_t rows = k->first_event[k->in.block_count];

	if (column >= P10 && column <= MAX)
		return stat_numbers(k, column - P10, to);
	if (column == BLOCK || column == INSTRUCTION) {
		block_numbers(k, column, to);
		return true;
	}
	if (column == FIRST_VALUE || column == VALUES)
		/* without values all numbers are 0, and the caller has filled `to` with zeros */
		return !k->first_value;
	if (column != FIRST_SAMPLE && column != SAMPLES)
		return false;
	for (uint32_t i = 0; i < rows; i++)
		to[i] = column == FIRST_SAMPLE ? k->first_sample[i]
		                               : k->first_sample[i + 1] - k->first_sample[i];
	return true;
}

/* ---- samples --------------------------------------------------------------------- */

/* The samples of an event in the runs from .. from + count - 1 of its block. */
struct stretch {
	const struct etc_inspector *in;
	const struct etc_insp_block *block;
	const struct etc_insp_event *event;
	uint32_t from, count;
};

static void fill_values(const struct stretch *s, bool integers, struct etc_cell *to)
{
	enum { MOST = 64 };
	const struct etc_converted *converted = etc_insp_extra(s->event)->converted;
	double raw[MOST];

	for (uint32_t i = 0; i < s->count; i++) {
		const struct etc_converted *c = converted ? &converted[s->from + i] : NULL;

		if (!c && integers)
			return;
		if (!c && i % MOST == 0)
			etc_insp_raw_of(s->in, s->block, s->event, s->from + i,
			                s->count - i < MOST ? s->count - i : MOST, raw);
		if (!c)
			to[i] = etc_cell_double(raw[i % MOST]);
		else if (c->is_integer)
			to[i] = integers ? etc_cell_int(c->i) : etc_cell_double((double)c->i);
		else if (!integers)
			to[i] = etc_cell_double(c->f);
	}
}

static void fill_stretch(const struct stretch *s, uint32_t column, struct etc_cell *to)
{
	const struct etc_trace *t = s->in->trace;
	uint32_t event = (uint32_t)(s->event - s->block->events);

	if (column == VALUE || column == VALUE_INT) {
		fill_values(s, column == VALUE_INT, to);
		return;
	}
	if (column == METADATA && !s->event->has_metadata)
		return;
	for (uint32_t i = 0; i < s->count; i++) {
		size_t at = etc_insp_sample(s->in, s->block, event, s->from + i);

		if (column == METADATA) {
			to[i] = etc_cell_bytes(etc_trace_metadata(t, at));
			continue;
		}
		etc_insp_ahead(s->in, s->block, event, 1, s->from + i, column == END);
		to[i] = etc_cell_uint(column == START ? t->start[at] : t->end[at]);
	}
}

static void fill_samples(const void *of, uint32_t column, uint32_t from, uint32_t count,
                         struct etc_cell *to)
{
	const struct etc_insp_kept *k = of;
	const uint32_t *first = k->first_sample;
	uint32_t row = part_at(first, k->first_event[k->in.block_count], from);
	uint32_t block = part_at(k->first_event, k->in.block_count, row);

	for (uint32_t done = 0; done < count; row++) {
		struct stretch s = { .in = &k->in, .from = from + done - first[row] };

		if (first[row + 1] <= from + done) /* the event is not timed: it has no samples */
			continue;
		while (row >= k->first_event[block + 1])
			block++;
		s.block = &k->in.blocks[block];
		s.event = &s.block->events[row - k->first_event[block]];
		s.count = first[row + 1] - from - done;
		s.count = s.count < count - done ? s.count : count - done;
		fill_stretch(&s, column, to + done);
		done += s.count;
	}
}

/* Writes the numbers of a column to `to`, one for each sample of an event. False: the column is
 * VALUE, and a plugin converted the event's times. */
static bool add_numbers(const struct stretch *s, uint32_t column, uint64_t *to)
{
	const uint64_t *times = column == START ? s->in->trace->start : s->in->trace->end;
	uint32_t event = (uint32_t)(s->event - s->block->events);

	_Static_assert(sizeof(double) == sizeof *to, "a column of doubles");
	if (column == VALUE && etc_insp_extra(s->event)->converted)
		return false;
	if (column == VALUE) {
		etc_insp_raw_of(s->in, s->block, s->event, 0, s->count, (double *)(void *)to);
		return true;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		etc_insp_ahead(s->in, s->block, event, 1, i, column == END);
		to[i] = times[etc_insp_sample(s->in, s->block, event, i)];
	}
	return true;
}

static bool sample_numbers(const void *of, uint32_t column, uint64_t *to)
{
	const struct etc_insp_kept *k = of;

	if (column != VALUE && column != START && column != END)
		return false;
	for (uint32_t b = 0; b < k->in.block_count; b++) {
		struct stretch s = { &k->in, &k->in.blocks[b], k->in.blocks[b].events, 0,
			             k->in.blocks[b].run_count };

		for (uint32_t i = 0; i < s.block->event_count; i++, s.event++) {
			if (!s.event->has_profile)
				continue;
			if (!add_numbers(&s, column, to))
				return false;
			to += s.count;
		}
	}
	return true;
}

/* ---- a table -------------------------------------------------------------------- */

static uint32_t rows_of(const struct etc_insp_kept *k, uint32_t which)
{
	uint32_t events = k->first_event[k->in.block_count];

	switch (ETC_INSP_BLOCKS + which) {
	case ETC_INSP_BLOCKS:
		return k->in.block_count;
	case ETC_INSP_EVENTS:
		return events;
	case ETC_INSP_SAMPLES:
		return k->first_sample[events];
	default:
		return k->item_count;
	}
}

enum etc_status etc_insp_make_table(struct etc_kept *kept, uint32_t which, struct etc_error *err)
{
	static const struct {
		struct etc_table table;
		etc_column_maker_fn *fill;
		etc_column_numbers_fn *numbers;
	} of[ETC_INSP_TABLES] = {
		{ { .columns = block_columns, .column_count = BLOCK_COLUMNS }, fill_blocks, NULL },
		{ { .columns = event_columns, .column_count = EVENT_COLUMNS },
		  fill_events,
		  event_numbers },
		{ { .columns = sample_columns, .column_count = SAMPLE_COLUMNS },
		  fill_samples,
		  sample_numbers },
		{ { .columns = etc_insp_value_columns, .column_count = ETC_INSP_VALUE_COLUMNS },
		  etc_insp_fill_items,
		  NULL },
	};
	struct etc_insp_kept *k = (struct etc_insp_kept *)kept;
	struct etc_typed_table *t = &k->tables[which];
	uint8_t *types;

	ETC_TRY(prepare(k, err));
	if (which + ETC_INSP_BLOCKS == ETC_INSP_VALUES)
		ETC_TRY(etc_insp_load_items(k, err));
	t->table = of[which].table;
	t->table.row_count = rows_of(k, which);
	t->fill = of[which].fill;
	t->numbers = of[which].numbers;
	t->of = k;
	types = etc_new(k->in.arena, uint8_t, t->table.column_count);
	ETC_NEED(types, err);
	for (uint32_t c = 0; c < t->table.column_count; c++)
		types[c] = t->table.columns[c].cell;
	t->types = types;
	return ETC_OK;
}
