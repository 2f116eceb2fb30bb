/* arrow.c -- writes the rows as an Arrow IPC file (Feather version 2): columns with types, in
 * batches of ROWS rows, so that the memory needed does not depend on the table's length. The file
 * is not compressed, because readers map it.
 *
 * Every column may have nulls. A blank cell is null. A number that the column's type cannot hold is
 * null; the type follows from the column's declaration, never from the rows.
 *
 * Format: https://arrow.apache.org/docs/format/Columnar.html; the comments use its terms. Numbers
 * of fields are those of Schema.fbs, Message.fbs and File.fbs. */
#include "table/formats.h"

#include <stdlib.h>

#include "base/memory.h"
#include "table/cells.h"
#include "table/flat.h"

enum {
	ROWS = 131072,   /* number of rows in a batch */
	BYTES = 64 << 20 /* a batch ends early when a column has this many bytes */
};

/* Numbers that the format defines: MetadataVersion, MessageHeader, Precision, Type. */
enum { V5 = 4 };
enum { HEADER_SCHEMA = 1, HEADER_BATCH = 3 };
enum { PRECISION_DOUBLE = 2 };
enum {
	TYPE_INT = 2,
	TYPE_FLOAT = 3,
	TYPE_BINARY = 4,
	TYPE_UTF8 = 5,
	TYPE_BOOL = 6,
	TYPE_LIST = 12,
	TYPE_STRUCT = 13,
	TYPE_MAP = 17
};

/* A kind of node in addition to those of enum etc_cell_kind: the entries of a map. Each entry is a
 * struct of key and value. */
enum { ENTRIES = ETC_CELL_MAP + 1 };

/* A field of the schema, or a child of a field. In writer.nodes, a node is followed by its
 * children. */
struct node {
	struct etc_str name;
	uint8_t kind; /* enum etc_cell_kind; ENTRIES: the entries of a map */
	bool never_null;
	uint32_t children;
	uint32_t count, nulls; /* number of values, and of nulls among them, in the current batch */
	struct etc_text valid; /* a byte for each value: 0 if it is null, 1 if it is not */
	struct etc_text ends;  /* for texts, lists and maps: the end of each value, 4 bytes */
	/* the values: a number has 8 bytes, a bool one byte; texts are concatenated */
	struct etc_text values;
};

struct writer {
	struct etc_text *out;
	struct node *nodes;
	uint32_t node_count, root_count;
	struct etc_text message, body, fixed;
	/* the struct Block of each batch, in the form that it has in the footer */
	struct etc_text blocks;
	uint32_t block_count;
	uint64_t from; /* number of bytes that were in `out` before the file */
	bool failed;
};

static uint64_t position(const struct writer *w)
{
	return etc_text_all(w->out) - w->from;
}

/* ---- values --------------------------------------------------------------------- */

static bool put(struct writer *w, struct node *n, const struct etc_cell *cell);

static uint32_t size_of(const struct node *n)
{
	return n->kind == ETC_CELL_LIST  ? n[1].count
	       : n->kind == ETC_CELL_MAP ? n[1].count
	                                 : (uint32_t)n->values.len;
}

static bool put_items(struct writer *w, struct node *n, const struct etc_cell *cell)
{
	if (cell->kind != n->kind)
		return false;
	for (uint32_t i = 0; i < cell->list->count; i++) {
		const struct etc_cell *item = &cell->list->items[i];

		if (n->kind == ETC_CELL_LIST) {
			put(w, &n[1], item);
			continue;
		}
		put(w, &n[2 + i % 2], item);
		n[1].count += i % 2;
	}
	return true;
}

static bool put_number(struct node *n, const struct etc_cell *cell)
{
	uint64_t bits = 0;
	const bool known = etc_cell_bits(n->kind, cell, &bits);

	etc_flat_put(&n->values, known ? bits : 0, 8);
	return known;
}

/* Adds the value of a cell that is not blank. False: the cell counts as null, because the node's
 * type cannot hold its value. If values of the node have a fixed size, 0 is then added, as the
 * format requires. */
static bool put_value(struct writer *w, struct node *n, const struct etc_cell *cell)
{
	struct etc_str s;

	switch (n->kind) {
	case ETC_CELL_LIST:
	case ETC_CELL_MAP:
		return put_items(w, n, cell);
	case ETC_CELL_BOOL:
		etc_text_char(&n->values, cell->kind == ETC_CELL_BOOL && cell->i);
		return cell->kind == ETC_CELL_BOOL;
	case ETC_CELL_TEXT:
	case ETC_CELL_BYTES:
		s = etc_cell_utf8(n->kind, cell, &w->fixed);
		w->failed = w->failed || s.len > INT32_MAX - n->values.len;
		etc_text_put(&n->values, s);
		return true;
	default:
		return put_number(n, cell);
	}
}

static bool put(struct writer *w, struct node *n, const struct etc_cell *cell)
{
	static const struct etc_cell no_number = { 0 };
	const bool blank = cell->kind == ETC_CELL_BLANK || cell->kind > ETC_CELL_MAP;
	bool known = false;

	if (!blank)
		known = put_value(w, n, cell);
	else if (n->kind == ETC_CELL_BOOL || n->kind == ETC_CELL_INT || n->kind == ETC_CELL_UINT ||
	         n->kind == ETC_CELL_REAL)
		known = put_value(w, n, &no_number);
	etc_text_char(&n->valid, known);
	etc_flat_put(&n->ends, size_of(n), 4);
	n->count++;
	n->nulls += !known;
	return known;
}

/* ---- messages ------------------------------------------------------------------- */

/* Writes a message: its length, w->message and w->body (an "encapsulated message"). Returns the
 * number of bytes before the body. */
static uint32_t put_message(struct writer *w)
{
	uint32_t length;

	etc_flat_pad(&w->message, 8);
	length = (uint32_t)w->message.len;
	etc_flat_put(w->out, UINT32_MAX, 4);
	etc_flat_put(w->out, length, 4);
	etc_text_pass(w->out, etc_text_str(&w->message));
	etc_text_pass(w->out, etc_text_str(&w->body));
	return length + 8;
}

/* Begins a message whose header has the type `header`. Returns the place (flat.h) of the offset of
 * the header, which the caller writes next. */
static size_t begin_message(struct writer *w, uint8_t header)
{
	size_t at[ETC_FLAT_FIELDS];
	const struct etc_flat_field fields[] = {
		{ 2, V5 }, { 1, header }, ETC_FLAT_OFFSET, { 8, w->body.len }
	};

	w->message.len = 0;
	etc_flat_begin(&w->message);
	etc_flat_table(&w->message, 0, fields, 4, at);
	return at[2];
}

/* ---- the schema ----------------------------------------------------------------- */

static void put_type(struct etc_text *out, size_t place, uint8_t kind)
{
	static const struct etc_flat_field numbers[][2] = {
		[ETC_CELL_INT] = { { 4, 64 }, { 1, 1 } },
		[ETC_CELL_UINT] = { { 4, 64 }, { 1, 0 } },
		[ETC_CELL_REAL] = { { 2, PRECISION_DOUBLE } },
		[ENTRIES] = { { 0 } },
	};
	size_t at[ETC_FLAT_FIELDS];

	etc_flat_table(out, place, numbers[kind], 2, at);
}

static void put_field(struct etc_text *out, size_t place, const struct node *n)
{
	static const uint8_t types[] = {
		[ETC_CELL_TEXT] = TYPE_UTF8, [ETC_CELL_INT] = TYPE_INT,
		[ETC_CELL_UINT] = TYPE_INT,  [ETC_CELL_REAL] = TYPE_FLOAT,
		[ETC_CELL_BOOL] = TYPE_BOOL, [ETC_CELL_BYTES] = TYPE_BINARY,
		[ETC_CELL_LIST] = TYPE_LIST, [ETC_CELL_MAP] = TYPE_MAP,
		[ENTRIES] = TYPE_STRUCT,
	};
	const struct etc_flat_field fields[] = {
		ETC_FLAT_OFFSET, { 1, !n->never_null },        { 1, types[n->kind] },
		ETC_FLAT_OFFSET, { 0 } /* not a dictionary */, ETC_FLAT_OFFSET
	};
	const uint32_t children = n->kind == ENTRIES ? 2 : n->children ? 1 : 0;
	size_t at[ETC_FLAT_FIELDS], first;

	etc_flat_table(out, place, fields, 6, at);
	etc_flat_string(out, at[0], n->name);
	put_type(out, at[3], n->kind);
	first = etc_flat_offsets(out, at[5], children);
	for (uint32_t i = 0; i < children; i++)
		put_field(out, first + 4 * (size_t)i, n + 1 + i);
}

static void put_schema(struct writer *w, struct etc_text *out, size_t place)
{
	const struct etc_flat_field fields[] = { { 2, 0 /* little-endian */ }, ETC_FLAT_OFFSET };
	const struct node *n = w->nodes;
	size_t at[ETC_FLAT_FIELDS], first;

	etc_flat_table(out, place, fields, 2, at);
	first = etc_flat_offsets(out, at[1], w->root_count);
	for (uint32_t i = 0; i < w->root_count; i++) {
		put_field(out, first + 4 * (size_t)i, n);
		n += 1 + n->children;
	}
}

/* ---- a batch -------------------------------------------------------------------- */

/* Writes one bit for each byte of `v`, the lowest bit first. Each byte is 0 or 1. */
static void put_bits(struct etc_text *out, struct etc_str v)
{
	for (size_t i = 0; i < v.len; i += 8) {
		unsigned byte = 0;

		for (size_t k = i; k < v.len && k < i + 8; k++)
			byte |= (unsigned)(v.ptr[k] != 0) << (k - i);
		etc_text_char(out, (char)byte);
	}
}

/* Ends a buffer, which consists of the bytes of w->body from `from` on. Appends the struct Buffer
 * (offset and length) to `buffers`, and pads w->body. */
static void end_buffer(struct writer *w, struct etc_text *buffers, size_t from)
{
	etc_flat_put(buffers, from, 8);
	etc_flat_put(buffers, w->body.len - from, 8);
	etc_flat_pad(&w->body, 8);
}

static void put_buffers(struct writer *w, const struct node *n, struct etc_text *buffers)
{
	const bool text = n->kind == ETC_CELL_TEXT || n->kind == ETC_CELL_BYTES;
	const bool nested = n->kind == ETC_CELL_LIST || n->kind == ETC_CELL_MAP;
	size_t from = w->body.len;

	if (n->nulls)
		put_bits(&w->body, etc_text_str(&n->valid));
	end_buffer(w, buffers, from);
	from = w->body.len;
	if (text || nested) {
		etc_flat_put(&w->body, 0, 4);
		etc_text_put(&w->body, etc_text_str(&n->ends));
		end_buffer(w, buffers, from);
		from = w->body.len;
	}
	if (nested || n->kind == ENTRIES)
		return;
	if (n->kind == ETC_CELL_BOOL)
		put_bits(&w->body, etc_text_str(&n->values));
	else
		etc_text_put(&w->body, etc_text_str(&n->values));
	end_buffer(w, buffers, from);
}

static bool has_failed(const struct writer *w)
{
	bool failed = w->failed || w->out->failed || w->message.failed || w->body.failed ||
	              w->fixed.failed || w->blocks.failed;

	for (uint32_t i = 0; i < w->node_count; i++)
		failed = failed || w->nodes[i].valid.failed || w->nodes[i].ends.failed ||
		         w->nodes[i].values.failed;
	return failed;
}

static void put_batch(struct writer *w, uint32_t rows)
{
	const struct etc_flat_field fields[] = { { 8, rows }, ETC_FLAT_OFFSET, ETC_FLAT_OFFSET };
	const uint64_t at = position(w);
	struct etc_text buffers = { 0 };
	size_t places[ETC_FLAT_FIELDS], header;
	uint32_t length;

	w->body.len = 0;
	for (uint32_t i = 0; i < w->node_count; i++)
		put_buffers(w, &w->nodes[i], &buffers);
	header = begin_message(w, HEADER_BATCH);
	etc_flat_table(&w->message, header, fields, 3, places);
	etc_flat_vector(&w->message, places[1], w->node_count, 8);
	for (uint32_t i = 0; i < w->node_count; i++) {
		etc_flat_put(&w->message, w->nodes[i].count, 8);
		etc_flat_put(&w->message, w->nodes[i].nulls, 8);
	}
	etc_flat_vector(&w->message, places[2], (uint32_t)(buffers.len / 16), 8);
	etc_text_put(&w->message, etc_text_str(&buffers));
	w->failed = has_failed(w) || buffers.failed;
	etc_text_release(&buffers);
	if (w->failed)
		return;
	length = put_message(w);
	etc_flat_put(&w->blocks, at, 8);
	etc_flat_put(&w->blocks, length, 8);
	etc_flat_put(&w->blocks, w->body.len, 8);
	w->block_count++;
	for (uint32_t i = 0; i < w->node_count; i++) {
		struct node *n = &w->nodes[i];

		n->count = n->nulls = 0;
		n->valid.len = n->ends.len = n->values.len = 0;
	}
}

static bool is_full(const struct writer *w)
{
	bool full = false;

	for (uint32_t i = 0; i < w->node_count; i++)
		full = full || w->nodes[i].values.len >= BYTES || w->nodes[i].count >= BYTES / 8;
	return full;
}

static void put_row(struct writer *w, const struct etc_cell *row)
{
	struct node *n = w->nodes;

	for (uint32_t c = 0; c < w->root_count; c++) {
		(void)put(w, n, &row[c]);
		n += 1 + n->children;
	}
}

static void put_batches(struct writer *w, const struct etc_table *t)
{
	struct etc_cell room[ETC_TABLE_MADE];
	uint32_t rows = 0;

	for (uint32_t r = 0; r < t->row_count && !w->failed && !w->out->failed; r++) {
		put_row(w, etc_table_row(t, r, room));
		rows++;
		if (rows == ROWS || is_full(w)) {
			put_batch(w, rows);
			rows = 0;
		}
	}
	if (rows && !w->failed)
		put_batch(w, rows);
}

/* ---- the file ------------------------------------------------------------------- */

static void put_footer(struct writer *w)
{
	const struct etc_flat_field fields[] = {
		{ 2, V5 }, ETC_FLAT_OFFSET, { 0 }, ETC_FLAT_OFFSET
	};
	size_t at[ETC_FLAT_FIELDS];

	etc_flat_put(w->out, UINT32_MAX, 4); /* the end of the stream */
	etc_flat_put(w->out, 0, 4);
	w->message.len = 0;
	etc_flat_begin(&w->message);
	etc_flat_table(&w->message, 0, fields, 4, at);
	put_schema(w, &w->message, at[1]);
	etc_flat_vector(&w->message, at[3], w->block_count, 8);
	etc_text_put(&w->message, etc_text_str(&w->blocks));
	etc_text_pass(w->out, etc_text_str(&w->message));
	etc_flat_put(w->out, w->message.len, 4);
	etc_text_cstr(w->out, "ARROW1");
}

static struct node *add_node(struct writer *w, struct etc_str name, uint8_t kind, uint32_t children)
{
	struct node *n = &w->nodes[w->node_count++];

	*n = (struct node){ .name = name, .kind = kind, .children = children };
	return n;
}

static void add_column(struct writer *w, const struct etc_column *column)
{
	const uint8_t type = etc_column_type(column);
	const struct etc_str name = etc_str_of(column->name);

	if (type == ETC_CELL_LIST) {
		add_node(w, name, type, 1);
		add_node(w, ETC_STR("item"), column->items, 0);
	} else if (type == ETC_CELL_MAP) {
		add_node(w, name, type, 3);
		add_node(w, ETC_STR("entries"), ENTRIES, 2)->never_null = true;
		add_node(w, ETC_STR("key"), ETC_CELL_TEXT, 0)->never_null = true;
		add_node(w, ETC_STR("value"), ETC_CELL_TEXT, 0);
	} else {
		add_node(w, name, type, 0);
	}
}

static void release(struct writer *w)
{
	for (uint32_t i = 0; i < w->node_count; i++) {
		etc_text_release(&w->nodes[i].valid);
		etc_text_release(&w->nodes[i].ends);
		etc_text_release(&w->nodes[i].values);
	}
	free(w->nodes);
	etc_text_release(&w->message);
	etc_text_release(&w->body);
	etc_text_release(&w->fixed);
	etc_text_release(&w->blocks);
}

void etc_write_arrow(const struct etc_report *report, const struct etc_screen *screen,
                     struct etc_text *out)
{
	const struct etc_table *t = etc_report_table(report);
	struct writer w = { .out = out, .from = etc_text_all(out), .root_count = t->column_count };

	(void)screen;
	w.nodes = etc_calloc(4 * (size_t)t->column_count + 1, sizeof *w.nodes);
	w.failed = !w.nodes;
	for (uint32_t i = 0; w.nodes && i < t->column_count; i++)
		add_column(&w, &t->columns[i]);
	if (!w.failed) {
		etc_text_put(out, (struct etc_str){ "ARROW1\0\0", 8 });
		put_schema(&w, &w.message, begin_message(&w, HEADER_SCHEMA));
		(void)put_message(&w);
		put_batches(&w, t);
		if (!has_failed(&w))
			put_footer(&w);
	}
	out->failed = out->failed || has_failed(&w);
	release(&w);
}
