/* values_table.c -- makes the rows for the values that were logged, and for the reference outputs
 * of an ETRecord: tensors with their bytes, numbers, and lists, whose items are further rows. The
 * top-level values of all owners come first, then the items of one list after the other. */
#include "commands/inspector/tables.h"
#include "commands/inspector/values.h"
#include "table/cells.h"
#include "tensor/element.h"

enum { DEEPEST = 64, VALUES_MOST = 1 << 20 };

enum kind { NONE, INT, BOOL, FLOAT, TEXT, TENSOR, LIST, OTHER };
enum owner { OF_EVENT, OF_RUN_OUTPUT, OF_REFERENCE };

/* A value; which members are set depends on its kind. */
struct etc_insp_item {
	uint8_t kind, owner, depth;
	uint32_t index;  /* row of the event or block to which the value belongs */
	uint32_t parent; /* 1 + row of the list that has the item; 0: it is in no list */
	/* for a LIST: the row of its first item, and the number of its items */
	uint32_t first, count;
	union {
		int64_t i;
		double f;
		struct etc_str text;
		/* for a TENSOR or LIST from the debug buffer */
		const struct etc_tensor_data *tensor;
		const struct etc_ref_value *ref; /* for a TENSOR or LIST from the ETRecord */
	};
	bool is_ref;
	/* etc_insp_load_items() sets these three members. */
	struct etc_cell shape;
	struct etc_span data;
	bool has_data;
};

enum {
#define COLUMN(id, ...) id,
#include "commands/inspector/value_columns.def"
	COLUMNS
};
const struct etc_column etc_insp_value_columns[COLUMNS] = {
#define COLUMN(id, key, form, applies, meaning, value) \
	[id] = { .name = key, .help = meaning, ETC_INSP_FORM_##form },
#include "commands/inspector/value_columns.def"
};
_Static_assert((int)COLUMNS == ETC_INSP_VALUE_COLUMNS, "tables.h has their number");

/* ---- rows ------------------------------------------------------------------------ */

static struct etc_insp_item of_tensor(const struct etc_tensor_data *t)
{
	return (struct etc_insp_item){ .kind = TENSOR, .tensor = t };
}

static struct etc_insp_item of_value(const struct etc_insp_value *v)
{
	switch (v->kind) {
	case ETC_INSP_INT:
		return (struct etc_insp_item){ .kind = INT, .i = v->i };
	case ETC_INSP_BOOL:
		return (struct etc_insp_item){ .kind = BOOL, .i = v->i != 0 };
	case ETC_INSP_FLOAT:
		return (struct etc_insp_item){ .kind = FLOAT, .f = v->f };
	case ETC_INSP_TENSOR:
		return of_tensor(v->tensors);
	case ETC_INSP_LIST:
		return (struct etc_insp_item){ .kind = LIST,
			                       .tensor = v->tensors,
			                       .count = v->count };
	default:
		return (struct etc_insp_item){ .kind = NONE };
	}
}

static struct etc_insp_item of_reference(const struct etc_ref_value *v)
{
	if (etc_ref_is_list(v))
		return (struct etc_insp_item){
			.kind = LIST, .ref = v, .is_ref = true, .count = v->count
		};
	switch (v->kind) {
	case ETC_REF_NONE:
		return (struct etc_insp_item){ .kind = NONE };
	case ETC_REF_BOOL:
		return (struct etc_insp_item){ .kind = BOOL, .i = v->integer };
	case ETC_REF_INT:
		return (struct etc_insp_item){ .kind = INT, .i = v->integer };
	case ETC_REF_FLOAT:
		return (struct etc_insp_item){ .kind = FLOAT, .f = v->real[0] };
	case ETC_REF_STRING:
		return (struct etc_insp_item){ .kind = TEXT, .text = v->text };
	case ETC_REF_TENSOR:
		return (struct etc_insp_item){ .kind = TENSOR, .ref = v, .is_ref = true };
	default:
		return (struct etc_insp_item){ .kind = OTHER };
	}
}

static enum etc_status add(struct etc_insp_kept *k, struct etc_insp_item item, uint8_t owner,
                           uint32_t index, struct etc_error *err)
{
	struct etc_insp_item *to = ETC_APPEND(k->in.arena, k->items, k->item_count, k->item_room);

	ETC_NEED(to, err);
	item.owner = owner;
	item.index = index;
	*to = item;
	return ETC_OK;
}

/* Appends the items of the list in `row`. If the list is nested too deeply, it becomes a value of
 * kind OTHER, since a list may contain itself. So does a list of reference outputs with too many
 * items. */
static enum etc_status add_items(struct etc_insp_kept *k, uint32_t row, struct etc_error *err)
{
	const struct etc_insp_item list = k->items[row];

	if (list.depth >= DEEPEST || (list.is_ref && list.count > VALUES_MOST - k->referred)) {
		k->items[row] = (struct etc_insp_item){ .kind = OTHER,
			                                .owner = list.owner,
			                                .index = list.index,
			                                .parent = list.parent };
		return ETC_OK;
	}
	k->referred += list.is_ref ? list.count : 0;
	k->items[row].first = k->item_count;
	for (uint32_t i = 0; i < list.count; i++) {
		struct etc_insp_item item =
			list.is_ref ? of_reference(list.ref->items[i]) : of_tensor(&list.tensor[i]);

		item.parent = row + 1;
		item.depth = (uint8_t)(list.depth + 1);
		ETC_TRY(add(k, item, list.owner, list.index, err));
	}
	return ETC_OK;
}

static enum etc_status add_block(struct etc_insp_kept *k, uint32_t block, struct etc_error *err)
{
	const struct etc_insp_block *b = &k->in.blocks[block];
	const struct etc_ref_value *reference = etc_insp_reference(&k->in, b);

	k->first_output[block] = k->item_count;
	for (uint32_t i = 0; i < b->output_count; i++)
		ETC_TRY(add(k, of_value(&b->outputs[i]), OF_RUN_OUTPUT, block, err));
	k->first_reference[block] = k->item_count;
	if (reference)
		ETC_TRY(add(k, of_reference(reference), OF_REFERENCE, block, err));
	for (uint32_t e = 0; e < b->event_count; e++) {
		const struct etc_insp_extra *x = etc_insp_extra(&b->events[e]);
		uint32_t row = k->first_event[block] + e;

		if (k->first_value)
			k->first_value[row] = k->item_count;
		for (uint32_t i = 0; i < x->debug_count; i++)
			ETC_TRY(add(k, of_value(&x->debug_data[i]), OF_EVENT, row, err));
	}
	return ETC_OK;
}

enum etc_status etc_insp_find_items(struct etc_insp_kept *k, struct etc_error *err)
{
	struct etc_inspector *in = &k->in;

	k->first_output = etc_new(in->arena, uint32_t, (size_t)in->block_count + 1);
	k->first_reference = etc_new(in->arena, uint32_t, (size_t)in->block_count + 1);
	ETC_NEED(k->first_output && k->first_reference, err);
	if (in->trace->value_count) {
		k->first_value = etc_new(in->arena, uint32_t, k->first_event[in->block_count]);
		ETC_NEED(k->first_value, err);
	}
	/* an earlier call of this function may have failed after it added items */
	k->item_count = k->referred = 0;
	for (uint32_t b = 0; b < in->block_count; b++)
		ETC_TRY(add_block(k, b, err));
	for (uint32_t i = 0; i < k->item_count; i++)
		if (k->items[i].kind == LIST)
			ETC_TRY(add_items(k, i, err));
	return ETC_OK;
}

bool etc_insp_has_reference(const struct etc_insp_kept *k, uint32_t block)
{
	uint32_t row = k->first_reference[block];

	return row < k->item_count && k->items[row].owner == OF_REFERENCE &&
	       k->items[row].index == block && !k->items[row].parent;
}

/* ---- contents --------------------------------------------------------------------- */

/* Loads the bytes of a reference tensor in row-major order: a view of the file, or a copy. If they
 * cannot be read, or are too many for the memory budget, item->has_data stays false. */
static enum etc_status load_bytes(struct etc_insp_kept *k, struct etc_insp_item *item,
                                  struct etc_error *err)
{
	enum { BLOCK = 1 << 16 };
	struct etc_element_walk w;
	struct etc_elements e;
	const uint8_t *from;
	uint8_t *to;
	size_t n, width, at = 0;

	if (!etc_elements_of_reference(item->ref->tensor, &e))
		return ETC_OK;
	width = etc_element_width(&e);
	if (!width || e.count > k->in.arena->budget / 2 / width)
		return ETC_OK;
	item->has_data = true;
	if (e.contiguous && !e.swap && !e.conj && !e.neg && !e.zeros) {
		item->data = (struct etc_span){ e.bytes.ptr, (size_t)e.count * width };
		return ETC_OK;
	}
	to = etc_new(k->in.arena, uint8_t, (size_t)e.count * width);
	ETC_NEED(to, err);
	item->data = (struct etc_span){ to, (size_t)e.count * width };
	etc_element_walk_begin(&w, &e);
	while ((n = etc_element_walk_bytes(&w, to + at, BLOCK, &from)) > 0) {
		if (from != to + at)
			memcpy(to + at, from, n * width);
		at += n * width;
	}
	return ETC_OK;
}

static enum etc_status load_tensor(struct etc_insp_kept *k, struct etc_insp_item *item,
                                   struct etc_error *err)
{
	const int64_t *sizes = item->is_ref ? item->ref->tensor->sizes : item->tensor->sizes;
	uint32_t rank = item->is_ref ? item->ref->tensor->rank : item->tensor->rank;
	struct etc_cell *shape = etc_new(k->in.arena, struct etc_cell, rank);

	for (uint32_t i = 0; shape && i < rank; i++)
		shape[i] = etc_cell_int(sizes[i]);
	ETC_TRY(etc_insp_make_list(&k->in, shape, rank, &item->shape, err));
	if (item->is_ref)
		return load_bytes(k, item, err);
	item->has_data = !item->tensor->zeros;
	item->data = item->tensor->bytes;
	return ETC_OK;
}

enum etc_status etc_insp_load_items(struct etc_insp_kept *k, struct etc_error *err)
{
	for (uint32_t i = 0; i < k->item_count; i++)
		if (k->items[i].kind == TENSOR)
			ETC_TRY(load_tensor(k, &k->items[i], err));
	return ETC_OK;
}

/* ---- cells ------------------------------------------------------------------------ */

static struct etc_cell item_cell(const struct etc_insp_item *item, uint32_t column)
{
	static const char *const owners[] = { "event", "run_output", "reference_output" };
	static const char *const kinds[] = {
		[NONE] = "none", [INT] = "int",       [BOOL] = "bool", [FLOAT] = "float",
		[TEXT] = "str",  [TENSOR] = "tensor", [LIST] = "list", [OTHER] = "other"
	};
	const bool tensor = item->kind == TENSOR;
	const struct etc_ref_tensor *ref = tensor && item->is_ref ? item->ref->tensor : NULL;

	switch (column) {
#define COLUMN(id, key, form, applies, help, value) \
	case id:                                    \
		return (applies) ? value : etc_cell_blank();
#include "commands/inspector/value_columns.def"
	default:
		return etc_cell_blank();
	}
}

void etc_insp_fill_items(const void *of, uint32_t column, uint32_t from, uint32_t count,
                         struct etc_cell *to)
{
	const struct etc_insp_kept *k = of;

	for (uint32_t i = 0; i < count; i++)
		to[i] = item_cell(&k->items[from + i], column);
}
