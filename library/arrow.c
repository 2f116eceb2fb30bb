/* arrow.c -- tables of a report as streams of the Arrow C data interface.
 *
 * Every array and schema owns its memory separately, because a consumer may move children out of a
 * batch and release them in any order, on any thread. The columns of samples are views into the
 * answer, and each of them holds a reference to the answer; all other columns are copies. All
 * batches are made when the stream is made; later calls of the stream make nothing. */
#define _GNU_SOURCE /* strdup, locale_t */
#include "etcore/arrow.h"

#include <errno.h>
#include <stdlib.h>

#include "library/public.h"
#include "base/memory.h"
#include "table/formats.h"

enum { BUFFERS = 3, VALIDITY = 0 };

/* ---- schemas ----------------------------------------------------------------- */

struct field {
	const char *format; /* format of the column in the Arrow schema, a constant text */
	const char *items;  /* format of the items of a list; NULL: not a list */
	char *name;
	/* unit and help of the column, encoded as the C data interface requires; NULL: none */
	char *metadata;
	size_t metadata_size;
};

/* The memory that a field's schema owns. Its name and metadata follow the struct, in `bytes`. */
struct owned_field {
	struct ArrowSchema item; /* for a list, the schema of its items */
	struct ArrowSchema *children[1];
	char bytes[];
};

static void release_item(struct ArrowSchema *s)
{
	/* Nothing is freed: name and format are constants, and the struct is part of the
	 * owned_field of the list. */
	s->release = NULL;
}

static void release_schema(struct ArrowSchema *s)
{
	for (int64_t i = 0; i < s->n_children; i++)
		if (s->children[i]->release)
			s->children[i]->release(s->children[i]);
	free(s->private_data);
	s->release = NULL;
}

static int make_entries(struct ArrowSchema *out);

static int make_field(const struct field *f, int64_t flags, struct ArrowSchema *out)
{
	size_t name = strlen(f->name) + 1;
	struct owned_field *own = etc_calloc(1, sizeof *own + name + f->metadata_size);

	if (!own)
		return ENOMEM;
	memcpy(own->bytes, f->name, name);
	if (f->metadata)
		memcpy(own->bytes + name, f->metadata, f->metadata_size);
	*out = (struct ArrowSchema){ .format = f->format,
		                     .name = own->bytes,
		                     .metadata = f->metadata ? own->bytes + name : NULL,
		                     .flags = flags,
		                     .release = release_schema,
		                     .private_data = own };
	if (!f->items)
		return 0;
	own->children[0] = &own->item;
	out->children = own->children;
	if (strcmp(f->items, "+s") == 0) {
		if (make_entries(&own->item) != 0)
			return ENOMEM; /* the caller releases `out` */
	} else {
		own->item = (struct ArrowSchema){
			.format = f->items, .name = "item", .flags = flags, .release = release_item
		};
	}
	out->n_children = 1;
	return 0;
}

static int make_schema(const struct field *fields, uint32_t count, int64_t flags,
                       struct ArrowSchema *out)
{
	struct ArrowSchema **children =
		etc_calloc(1, count * (sizeof *children + sizeof **children) + 1);
	struct ArrowSchema *storage;
	int status = 0;

	*out = (struct ArrowSchema){ .release = NULL };
	if (!children)
		return ENOMEM;
	storage = (struct ArrowSchema *)(children + count);
	*out = (struct ArrowSchema){ .format = "+s",
		                     .name = "",
		                     .children = children,
		                     .release = release_schema,
		                     .private_data = children };
	for (uint32_t i = 0; i < count && status == 0; i++) {
		children[i] = &storage[i];
		status = make_field(&fields[i], flags, children[i]);
		out->n_children += children[i]->release != NULL;
	}
	if (status)
		release_schema(out);
	return status;
}

/* Makes the schema of the entries of a map: a key, which is never null, and a value. Both are
 * texts. */
static int make_entries(struct ArrowSchema *out)
{
	char key[] = "key", value[] = "value";
	const struct field fields[] = { { .format = "U", .name = key },
		                        { .format = "U", .name = value } };
	int status = make_schema(fields, 2, ARROW_FLAG_NULLABLE, out);

	if (status)
		return status;
	out->name = "entries";
	out->children[0]->flags = 0;
	return 0;
}

/* ---- arrays ------------------------------------------------------------------ */

/* The memory that the array of a column owns. */
struct column {
	/* reference to the answer, if the column is a view into it; NULL: the column is a copy */
	struct etc_kept *answer;
	const void *buffers[BUFFERS];
	void *owned[BUFFERS];
	struct ArrowArray items; /* for a list, the array of its items */
	struct ArrowArray *children[1];
};

static void release_column(struct ArrowArray *a)
{
	struct column *c = a->private_data;

	for (int64_t i = 0; i < a->n_children; i++)
		if (a->children[i]->release)
			a->children[i]->release(a->children[i]);
	for (int i = 0; i < BUFFERS; i++)
		free(c->owned[i]);
	if (c->answer)
		etc_kept_drop(c->answer);
	free(c);
	a->release = NULL;
}

static void release_batch(struct ArrowArray *a)
{
	for (int64_t i = 0; i < a->n_children; i++)
		if (a->children[i]->release)
			a->children[i]->release(a->children[i]);
	free(a->private_data);
	a->release = NULL;
}

/* Returns a column of `rows` rows whose buffers are not set yet; NULL: out of memory. */
static struct column *new_column(struct ArrowArray *out, uint64_t rows, int buffers)
{
	struct column *c = etc_calloc(1, sizeof *c);

	if (!c)
		return NULL;
	*out = (struct ArrowArray){ .length = (int64_t)rows,
		                    .n_buffers = buffers,
		                    .buffers = c->buffers,
		                    .release = release_column,
		                    .private_data = c };
	return c;
}

/* The memory that a batch owns: its only buffer, pointers to its children, and the children. */
struct batch {
	const void *no_validity[1];
	struct ArrowArray *children[];
};

static int new_batch(struct ArrowArray *out, uint64_t rows, uint32_t count)
{
	struct batch *b =
		etc_calloc(1, sizeof *b + count * (sizeof *b->children + sizeof **b->children));
	struct ArrowArray *storage = b ? (struct ArrowArray *)(b->children + count) : NULL;

	*out = (struct ArrowArray){ .release = NULL };
	if (!b)
		return ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		b->children[i] = &storage[i];
	*out = (struct ArrowArray){ .length = (int64_t)rows,
		                    .n_buffers = 1,
		                    .buffers = b->no_validity,
		                    .n_children = count,
		                    .children = b->children,
		                    .release = release_batch,
		                    .private_data = b };
	return 0;
}

/* ---- columns of cells --------------------------------------------------------- */

/* for a table that makes cells when they are read: number of cells that are made at a time */
enum { AHEAD = 256 };

/* State for reading a column of a table row by row. */
struct cells {
	const struct etc_typed_table *t;
	uint32_t column;
	uint64_t from, to; /* the rows whose cells are in `room` */
	struct etc_cell room[AHEAD];
};

static void make_cells(struct cells *c, uint64_t row)
{
	uint64_t left = c->t->table.row_count - row;
	uint32_t count = left < AHEAD ? (uint32_t)left : AHEAD;

	memset(c->room, 0, count * sizeof *c->room);
	c->t->fill(c->t->of, c->column, (uint32_t)row, count, c->room);
	c->from = row;
	c->to = row + count;
}

/* Returns the cell of the column in a row. The result is valid until the next call. */
static inline const struct etc_cell *cell(struct cells *c, uint64_t row)
{
	const struct etc_table *t = &c->t->table;

	if (!c->t->fill)
		return &t->cells[(size_t)row * t->column_count + c->column];
	if (row < c->from || row >= c->to)
		make_cells(c, row);
	return &c->room[row - c->from];
}

static void set_bit(uint8_t *bits, uint64_t at)
{
	bits[at / 8] |= (uint8_t)(1u << at % 8);
}

/* The validity bitmap of a column (its buffer 0). It has a bit for each row, which is 0 if the cell
 * is blank. A column without blank cells has no bitmap. */
struct validity {
	uint8_t *bits;
	uint64_t blanks;
};

static int begin_validity(struct cells *cells, struct ArrowArray *out, struct validity *v)
{
	struct column *c = out->private_data;

	v->bits = etc_calloc(1, (size_t)cells->t->table.row_count / 8 + 1);
	v->blanks = 0;
	c->owned[VALIDITY] = v->bits;
	return v->bits ? 0 : ENOMEM;
}

static inline void see(struct validity *v, uint64_t row, const struct etc_cell *cell)
{
	if (cell->kind == ETC_CELL_BLANK)
		v->blanks++;
	else
		set_bit(v->bits, row);
}

static void end_validity(const struct validity *v, struct ArrowArray *out)
{
	struct column *c = out->private_data;

	out->null_count = (int64_t)v->blanks;
	if (v->blanks) {
		c->buffers[VALIDITY] = v->bits;
		return;
	}
	free(c->owned[VALIDITY]);
	c->owned[VALIDITY] = NULL;
}

static int put_numbers(struct cells *cells, uint8_t type, struct ArrowArray *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct column *c = out->private_data;
	uint64_t *v = etc_calloc((size_t)rows + 1, sizeof *v);
	struct validity valid;

	c->owned[1] = v;
	c->buffers[1] = v;
	if (v)
		etc_memory_wish_huge(v, (size_t)rows * sizeof *v);
	if (v && cells->t->numbers && cells->t->numbers(cells->t->of, cells->column, v))
		return 0;
	if (!v || begin_validity(cells, out, &valid) != 0)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *from = cell(cells, r);
		double f;

		see(&valid, r, from);
		if (from->kind == ETC_CELL_BLANK)
			continue;
		if (type == ETC_CELL_REAL) {
			(void)etc_cell_number(from, &f);
			memcpy(&v[r], &f, sizeof f);
		} else {
			v[r] = from->kind == ETC_CELL_UINT ? from->u : (uint64_t)from->i;
		}
	}
	end_validity(&valid, out);
	return 0;
}

static int put_bools(struct cells *cells, uint8_t type, struct ArrowArray *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct column *c = out->private_data;
	uint8_t *bits = etc_calloc(1, (size_t)rows / 8 + 1);
	struct validity valid;

	(void)type;
	c->owned[1] = bits;
	c->buffers[1] = bits;
	if (!bits || begin_validity(cells, out, &valid) != 0)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *from = cell(cells, r);

		see(&valid, r, from);
		if (from->kind == ETC_CELL_BOOL && from->i)
			set_bit(bits, r);
	}
	end_validity(&valid, out);
	return 0;
}

/* Makes the array of a column of texts or bytes, which are copied unchanged. */
static int put_texts(struct cells *cells, uint8_t type, struct ArrowArray *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct column *c = out->private_data;
	int64_t *offsets = etc_calloc((size_t)rows + 1, sizeof *offsets);
	struct etc_text text = { 0 };
	struct validity valid;

	c->owned[1] = offsets;
	c->buffers[1] = offsets;
	if (!offsets || begin_validity(cells, out, &valid) != 0)
		return ENOMEM;
	/* this allocates the buffer, which must exist even if all texts are empty */
	etc_text_cstr(&text, " ");
	text.len = 0;
	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *from = cell(cells, r);

		see(&valid, r, from);
		if (from->kind == ETC_CELL_TEXT)
			etc_text_utf8(&text, from->s);
		else if (from->kind == ETC_CELL_BYTES)
			etc_text_put(&text, from->s);
		else if (type == ETC_CELL_TEXT)
			etc_write_plain(&text, from);
		/* the offsets are zeroed before, so a 0 need not be written; pages that are never
		 * written take no memory */
		if (text.len)
			offsets[r + 1] = (int64_t)text.len;
	}
	c->owned[2] = text.ptr;
	c->buffers[2] = text.ptr;
	end_validity(&valid, out);
	return text.failed ? ENOMEM : 0;
}

static int put_lists(struct cells *cells, uint8_t type, struct ArrowArray *out);
static int put_maps(struct cells *cells, uint8_t type, struct ArrowArray *out);

/* How a column of each type is converted. */
static const struct kind {
	const char *format;
	int buffers;
	int (*put)(struct cells *cells, uint8_t type, struct ArrowArray *out);
} kinds[] = {
	[ETC_CELL_TEXT] = { "U", 3, put_texts },   [ETC_CELL_INT] = { "l", 2, put_numbers },
	[ETC_CELL_UINT] = { "L", 2, put_numbers }, [ETC_CELL_REAL] = { "g", 2, put_numbers },
	[ETC_CELL_BOOL] = { "b", 2, put_bools },   [ETC_CELL_BYTES] = { "Z", 3, put_texts },
	[ETC_CELL_LIST] = { "+L", 2, put_lists },  [ETC_CELL_MAP] = { "+m", 2, put_maps },
};

/* Makes an array of all cells of one column of a table. */
static int put_column(const struct etc_typed_table *t, uint32_t column, uint8_t type,
                      struct ArrowArray *out)
{
	struct cells cells = { .t = t, .column = column };

	if (!new_column(out, t->table.row_count, kinds[type].buffers))
		return ENOMEM;
	return kinds[type].put(&cells, type, out);
}

/* ---- columns of lists ----------------------------------------------------------- */

/* Makes `*out`, a table of one column with the items of the lists of all rows, one after the other.
 * Rows [offsets[r], offsets[r + 1]) of `*out` are the items of the list in row r. ENOMEM. */
static int gather_items(struct cells *cells, int64_t *offsets, struct etc_table *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct etc_cell *items;
	uint64_t n = 0;

	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *c = cell(cells, r);

		n += c->kind == ETC_CELL_LIST ? c->list->count : 0;
		if (n)
			offsets[r + 1] = (int64_t)n;
	}
	items = n <= UINT32_MAX ? etc_calloc((size_t)n + 1, sizeof *items) : NULL;
	if (!items)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++)
		if (offsets[r + 1] > offsets[r])
			memcpy(items + offsets[r], cell(cells, r)->list->items,
			       (size_t)(offsets[r + 1] - offsets[r]) * sizeof *items);
	*out = (struct etc_table){ .column_count = 1, .cells = items, .row_count = (uint32_t)n };
	return 0;
}

static int put_lists(struct cells *cells, uint8_t type, struct ArrowArray *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct column *c = out->private_data;
	int64_t *offsets = etc_calloc((size_t)rows + 1, sizeof *offsets);
	struct etc_typed_table items = { .made = true };
	struct validity valid;
	int status;

	(void)type;
	c->owned[1] = offsets;
	c->buffers[1] = offsets;
	if (!offsets || begin_validity(cells, out, &valid) != 0)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++)
		see(&valid, r, cell(cells, r));
	end_validity(&valid, out);
	status = gather_items(cells, offsets, &items.table);
	if (status)
		return status;
	c->children[0] = &c->items;
	out->children = c->children;
	status = put_column(&items, 0, cells->t->table.columns[cells->column].items, &c->items);
	out->n_children = c->items.release != NULL;
	free(items.table.cells);
	return status;
}

/* Makes the entries of all maps: an array of structs, whose members are the table's two columns.
 * ENOMEM. */
static int put_entries(const struct etc_typed_table *entries, struct ArrowArray *out)
{
	int status = new_batch(out, entries->table.row_count, 2);

	for (uint32_t c = 0; c < 2 && status == 0; c++)
		status = put_column(entries, c, ETC_CELL_TEXT, out->children[c]);
	return status;
}

static int put_maps(struct cells *cells, uint8_t type, struct ArrowArray *out)
{
	const uint64_t rows = cells->t->table.row_count;
	struct column *c = out->private_data;
	int32_t *offsets = etc_calloc((size_t)rows + 1, sizeof *offsets);
	struct etc_typed_table entries = { .table.column_count = 2, .made = true };
	struct validity valid;
	uint64_t n = 0, count = 0;
	struct etc_cell *items;
	int status;

	(void)type;
	c->owned[1] = offsets;
	c->buffers[1] = offsets;
	if (!offsets || begin_validity(cells, out, &valid) != 0)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *from = cell(cells, r);

		see(&valid, r, from);
		n += from->kind == ETC_CELL_MAP ? from->list->count : 0;
		offsets[r + 1] = (int32_t)(n / 2);
	}
	end_validity(&valid, out);
	items = n / 2 <= INT32_MAX ? etc_calloc((size_t)n + 1, sizeof *items) : NULL;
	if (!items)
		return ENOMEM;
	for (uint64_t r = 0; r < rows; r++) {
		const struct etc_cell *from = cell(cells, r);

		if (from->kind != ETC_CELL_MAP)
			continue;
		memcpy(items + count, from->list->items, from->list->count * sizeof *items);
		count += from->list->count;
	}
	entries.table.cells = items;
	entries.table.row_count = (uint32_t)(n / 2);
	c->children[0] = &c->items;
	out->children = c->children;
	status = put_entries(&entries, &c->items);
	out->n_children = c->items.release != NULL;
	free(items);
	return status;
}

static int make_batch(const struct etc_typed_table *t, struct ArrowArray *out)
{
	int status = new_batch(out, t->table.row_count, t->table.column_count);

	for (uint32_t c = 0; c < t->table.column_count && status == 0; c++)
		status = put_column(t, c, t->types[c], out->children[c]);
	if (status && out->release)
		release_batch(out);
	return status;
}

/* ---- samples ------------------------------------------------------------------- */

static int make_samples(struct etc_kept *answer, const struct etc_sample_columns *s,
                        struct ArrowArray *out)
{
	const void *columns[ETC_SAMPLE_COLUMNS] = { [ETC_SAMPLE_EVENT] = s->event,
		                                    [ETC_SAMPLE_RUN] = s->run,
		                                    [ETC_SAMPLE_START] = s->start,
		                                    [ETC_SAMPLE_END] = s->end };
	int status = new_batch(out, s->count, ETC_SAMPLE_COLUMNS);

	for (uint32_t i = 0; i < ETC_SAMPLE_COLUMNS && status == 0; i++) {
		struct column *c = new_column(out->children[i], s->count, 2);

		if (!c) {
			status = ENOMEM;
			break;
		}
		etc_kept_keep(answer);
		c->answer = answer;
		c->buffers[1] = columns[i];
	}
	if (status && out->release)
		release_batch(out);
	return status;
}

/* ---- the stream ---------------------------------------------------------------- */

struct stream {
	struct field *fields;
	uint32_t field_count;
	int64_t flags; /* flags of ArrowSchema, the same for every field */
	struct ArrowArray *batches;
	uint32_t batch_count, next;
};

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
	const struct stream *s = self->private_data;

	return make_schema(s->fields, s->field_count, s->flags, out);
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
	struct stream *s = self->private_data;

	*out = (struct ArrowArray){ .release = NULL };
	if (s->next < s->batch_count)
		*out = s->batches[s->next++];
	return 0;
}

static const char *get_last_error(struct ArrowArrayStream *self)
{
	(void)self;
	return "out of memory";
}

static void end_stream(struct stream *s)
{
	for (uint32_t i = s->next; s->batches && i < s->batch_count; i++)
		if (s->batches[i].release)
			s->batches[i].release(&s->batches[i]);
	for (uint32_t i = 0; s->fields && i < s->field_count; i++) {
		free(s->fields[i].name);
		free(s->fields[i].metadata);
	}
	free(s->fields);
	free(s->batches);
	free(s);
}

static void release_stream(struct ArrowArrayStream *self)
{
	end_stream(self->private_data);
	self->release = NULL;
}

static void put_word(struct etc_text *t, const char *word)
{
	int32_t n = (int32_t)strlen(word);

	etc_text_put(t, (struct etc_str){ (const char *)&n, sizeof n });
	etc_text_cstr(t, word);
}

/* Encodes unit and help as metadata of the field: the number of pairs, then the keys and values,
 * each preceded by its length. */
static int describe(const struct etc_column *c, struct field *f)
{
	const char *const pairs[][2] = { { "unit", etc_column_unit(c) },
		                         { "help", c->help ? c->help : "" } };
	int32_t n = (pairs[0][1][0] != '\0') + (pairs[1][1][0] != '\0');
	struct etc_text t = { 0 };

	if (n == 0)
		return 0;
	etc_text_put(&t, (struct etc_str){ (const char *)&n, sizeof n });
	for (int i = 0; i < 2; i++)
		if (pairs[i][1][0]) {
			put_word(&t, pairs[i][0]);
			put_word(&t, pairs[i][1]);
		}
	f->metadata = t.ptr;
	f->metadata_size = t.len;
	return t.failed ? ENOMEM : 0;
}

static int list_fields(struct stream *s, const struct etc_typed_table *t, bool samples)
{
	static const char *const of_sample[ETC_SAMPLE_COLUMNS] = { "I", "I", "L", "L" };

	s->fields = etc_calloc((size_t)t->table.column_count + 1, sizeof *s->fields);
	if (!s->fields)
		return ENOMEM;
	s->field_count = t->table.column_count;
	s->flags = samples ? 0 : ARROW_FLAG_NULLABLE;
	for (uint32_t i = 0; i < s->field_count; i++) {
		s->fields[i].format = samples ? of_sample[i] : kinds[t->types[i]].format;
		if (!samples && t->types[i] == ETC_CELL_LIST)
			s->fields[i].items = kinds[t->table.columns[i].items].format;
		if (!samples && t->types[i] == ETC_CELL_MAP)
			s->fields[i].items = "+s";
		s->fields[i].name = strdup(t->table.columns[i].name);
		if (!s->fields[i].name || describe(&t->table.columns[i], &s->fields[i]) != 0)
			return ENOMEM;
	}
	return 0;
}

/* Makes the batches of the stream: one for a table, or, for the samples, one for each part of the
 * answer. Returns 0, or ENOMEM. */
static int fill(struct stream *s, struct etc_kept *answer, const struct etc_typed_table *t,
                bool samples)
{
	const struct etc_answer *a = samples ? (const struct etc_answer *)answer : NULL;
	int status = list_fields(s, t, samples);

	s->batch_count = samples ? a->part_count : 1;
	s->batches = etc_calloc((size_t)s->batch_count + 1, sizeof *s->batches);
	if (!s->batches)
		return ENOMEM;
	for (uint32_t i = 0; i < s->batch_count && status == 0; i++)
		status = samples ? make_samples(answer, &a->samples[i], &s->batches[i])
		                 : make_batch(t, &s->batches[i]);
	return status;
}

int etcore_arrow(struct etcore_query *q, uint32_t table, struct ArrowArrayStream *out,
                 struct etcore_diagnostic *err)
{
	const struct etc_typed_table *t = NULL;
	struct etc_error e = { .at = -1 };
	enum etc_status st = etc_public_table(q, table, &t, &e);
	struct stream *s;

	*out = (struct ArrowArrayStream){ .release = NULL };
	if (st != ETC_OK)
		return etc_public_error(err, st, &e);
	s = etc_calloc(1, sizeof *s);
	if (!s || fill(s, q->answer, t, table == ETCORE_TABLE_SAMPLES) != 0) {
		if (s)
			end_stream(s);
		return etc_public_error(err, etc_no_memory(&e), &e);
	}
	*out = (struct ArrowArrayStream){ .get_schema = get_schema,
		                          .get_next = get_next,
		                          .get_last_error = get_last_error,
		                          .release = release_stream,
		                          .private_data = s };
	return ETCORE_STATUS_OK;
}
