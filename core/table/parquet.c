/* parquet.c -- writes the rows as an Apache Parquet file: columns with types, compressed, in groups
 * of ROWS rows, so that the memory needed does not depend on the table's length.
 *
 * Every column is optional: a blank cell is null. Columns of texts, and of numbers with few
 * distinct values, have a dictionary in each group; all other columns have the encoding PLAIN. A
 * group has one data page (of version 1) per column. Pages are compressed with Zstandard. The
 * footer has the minimum, the maximum and the number of nulls of each column in each group, so that
 * a reader can skip groups.
 *
 * A column's type follows from its declaration, never from its rows, so files of different dumps
 * can be read as one table. A number that the type cannot hold is null.
 *
 * Format: https://parquet.apache.org/docs/file-format/; the comments use its terms. */
#include "table/formats.h"
#include "table/flat.h"
#include "table/thrift.h"

#include <math.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/map.h"
#include "base/memory.h"
#include "table/cells.h"

enum {
	ROWS = 131072,    /* number of rows in a row group, one of the parts of a Parquet file */
	BYTES = 64 << 20, /* a row group ends early when one of its columns has this many bytes */
	/* largest number of distinct values in a group for which a column of numbers has a
	 * dictionary there */
	FEW = 4096,
	BOUND_BYTES = 64, /* longer texts are not written as minimum or maximum */
	/* compression level of Zstandard. The library in releases supports only this level
	 * (release.sh), because higher levels take more time and save little. */
	LEVEL = 1
};

/* Numbers that the format defines: Type, FieldRepetitionType, ConvertedType, Encoding, PageType,
 * CompressionCodec, and the fields of the union LogicalType. */
enum { BOOLEAN = 0, INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 };
enum { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };
enum {
	CONVERTED_UTF8 = 0,
	CONVERTED_MAP = 1,
	CONVERTED_LIST = 3,
	CONVERTED_UINT_64 = 14,
	CONVERTED_INT_64 = 18
};
enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };
enum { ZSTD = 6 };
enum { LOGICAL_STRING = 1, LOGICAL_MAP = 2, LOGICAL_LIST = 3, LOGICAL_INTEGER = 10 };

/* ---- dictionaries --------------------------------------------------------------- */

/* A value in a dictionary: its hash, its position in the dictionary's page, and its length. */
struct word {
	uint64_t hash;
	size_t at;
	uint32_t length;
};

/* The distinct values of a column in one row group, in the order in which they appeared. */
struct dictionary {
	struct etc_text page;  /* the values, in the encoding PLAIN */
	struct etc_text words; /* a struct word for each value: where the value is in `page` */
	uint32_t *slots;       /* 1 + a word's number; 0: free */
	uint32_t room;         /* number of slots: 0 or a power of two, at least twice `count` */
	uint32_t count;
	bool failed;
};

static struct word word_at(const struct dictionary *d, uint32_t i)
{
	struct word w;

	memcpy(&w, d->words.ptr + i * sizeof w, sizeof w);
	return w;
}

static struct etc_str word_text(const struct dictionary *d, const struct word *w)
{
	return etc_str_sub(etc_text_str(&d->page), w->at, w->at + w->length);
}

static bool widen(struct dictionary *d)
{
	uint32_t room = d->room ? d->room * 2 : 1024;
	uint32_t *slots = room ? etc_calloc(room, sizeof *slots) : NULL;

	d->failed = d->failed || !slots;
	if (!slots)
		return false;
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t at = (uint32_t)word_at(d, i).hash & (room - 1);

		while (slots[at])
			at = (at + 1) & (room - 1);
		slots[at] = i + 1;
	}
	free(d->slots);
	d->slots = slots;
	d->room = room;
	return true;
}

static const uint32_t no_word = UINT32_MAX;

/* Returns the number of `value` in the dictionary; a new value is added to the dictionary. no_word:
 * out of memory. `counted`: the value is a BYTE_ARRAY, and its length is stored before it. */
static uint32_t intern(struct dictionary *d, uint64_t seed, struct etc_str value, bool counted)
{
	struct word w = { .hash = etc_hash_text(seed, value), .length = (uint32_t)value.len };
	uint32_t at;

	if (d->failed || (d->count >= d->room / 2 && !widen(d)))
		return no_word;
	for (at = (uint32_t)w.hash & (d->room - 1); d->slots[at]; at = (at + 1) & (d->room - 1)) {
		struct word other = word_at(d, d->slots[at] - 1);

		if (other.hash == w.hash && etc_str_eq(word_text(d, &other), value))
			return d->slots[at] - 1;
	}
	if (counted)
		etc_flat_put(&d->page, value.len, 4);
	w.at = d->page.len;
	etc_text_put(&d->page, value);
	etc_text_put(&d->words, (struct etc_str){ (const char *)&w, sizeof w });
	d->failed = d->page.failed || d->words.failed;
	if (d->failed)
		return no_word;
	d->slots[at] = ++d->count;
	return d->count - 1;
}

static void empty(struct dictionary *d)
{
	d->page.len = d->words.len = 0;
	d->count = 0;
	if (d->slots)
		memset(d->slots, 0, d->room * sizeof *d->slots);
}

/* ---- columns -------------------------------------------------------------------- */

enum nest { FLAT, LIST, MAP_KEY, MAP_VALUE };

/* A leaf of the schema, and its entries in the current group. An entry is a cell, an item of a
 * list, or a name or a value of a map; an empty list or map also has one entry. A column of maps
 * has two leaves: one for names, one for values. */
struct column {
	const struct etc_column *of;
	uint32_t cell; /* index of the cell in a row */
	uint8_t type;  /* enum etc_cell_kind of the values: TEXT, INT, UINT, REAL, BOOL, BYTES */
	uint8_t nest;  /* enum nest */
	struct etc_text levels; /* the definition level of each entry, one byte */
	/* for a list or map: the repetition level of each entry, one byte */
	struct etc_text starts;
	/* the values: a text has 4 bytes (its number in the dictionary), a bool one byte, other
	 * values 8 bytes */
	struct etc_text values;
	struct dictionary words;
	/* 1 + dictionary number of the text that was added last; 0: no text was added */
	uint32_t before;
};

struct writer {
	struct etc_text *out;
	struct column *columns;
	uint32_t column_count;
	/* number of columns of the etc_table, the children of the schema's root; a map is one of
	 * them, but has two in `columns` */
	uint32_t root_count;
	uint64_t seed; /* seed of hashes */
	ZSTD_CCtx *zstd;
	struct etc_text page, packed, numbers, fixed; /* buffers that are used again and again */
	/* Parquet's struct RowGroup for each row group so far, as bytes of the footer */
	struct etc_text groups;
	uint32_t group_count;
	uint64_t from; /* number of bytes that were in `out` before the file */
	bool failed;
};

static uint64_t position(const struct writer *w)
{
	return etc_text_all(w->out) - w->from;
}

static bool is_text(const struct column *c)
{
	return c->type == ETC_CELL_TEXT || c->type == ETC_CELL_BYTES;
}

/* Is the text equal to the one that was added last? This is frequent, because tables repeat a text
 * from row to row. */
static bool is_before(const struct column *c, const struct etc_cell *cell)
{
	struct word w;

	if (!c->before || cell->kind != ETC_CELL_TEXT)
		return false;
	w = word_at(&c->words, c->before - 1);
	return etc_str_eq(word_text(&c->words, &w), cell->s);
}

static void put_text(struct writer *w, struct column *c, const struct etc_cell *cell)
{
	uint32_t number;

	if (!is_before(c, cell)) {
		struct etc_str s = etc_cell_utf8(c->type, cell, &w->fixed);

		c->before = s.len <= INT32_MAX ? intern(&c->words, w->seed, s, true) + 1 : 0;
		w->failed = w->failed || !c->before;
	}
	number = c->before - 1;
	etc_text_put(&c->values, (struct etc_str){ (const char *)&number, sizeof number });
}

/* Adds the value of a cell to the column. False: nothing was added, because the cell is blank or
 * the column's type cannot hold its value. */
static bool put_value(struct writer *w, struct column *c, const struct etc_cell *cell)
{
	uint64_t bits;

	if (cell->kind == ETC_CELL_BLANK || cell->kind > ETC_CELL_MAP)
		return false;
	if (is_text(c)) {
		put_text(w, c, cell);
		return true;
	}
	if (c->type == ETC_CELL_BOOL) {
		if (cell->kind == ETC_CELL_BOOL)
			etc_text_char(&c->values, cell->i != 0);
		return cell->kind == ETC_CELL_BOOL;
	}
	if (!etc_cell_bits(c->type, cell, &bits))
		return false;
	etc_text_put(&c->values, (struct etc_str){ (const char *)&bits, sizeof bits });
	return true;
}

/* Writes the items of a list or map with their definition levels. 0: the list or map is null; 1: it
 * is empty; 2: the item is null; 3: the item has a value. Names in a map are never null, so their
 * level is 2 instead of 3. */
static void put_list(struct writer *w, struct column *c, const struct etc_cell *cell)
{
	const bool map = c->nest != LIST;
	const bool is = cell->kind == (map ? ETC_CELL_MAP : ETC_CELL_LIST);
	const uint32_t count = is ? cell->list->count : 0;
	const char item = c->nest == MAP_KEY ? 2 : 3;

	if (!count) {
		etc_text_char(&c->starts, 0);
		etc_text_char(&c->levels, is);
	}
	for (uint32_t i = c->nest == MAP_VALUE; i < count; i += map ? 2 : 1) {
		etc_text_char(&c->starts, i > 1 || (i && !map));
		etc_text_char(&c->levels, put_value(w, c, &cell->list->items[i]) ? item : 2);
	}
}

static void put_row(struct writer *w, const struct etc_cell *row)
{
	for (uint32_t i = 0; i < w->column_count; i++) {
		struct column *c = &w->columns[i];

		if (c->nest != FLAT)
			put_list(w, c, &row[c->cell]);
		else
			etc_text_char(&c->levels, put_value(w, c, &row[c->cell]));
	}
}

/* ---- encodings ------------------------------------------------------------------ */

/* Are all numbers in `v`, of `size` bytes each, equal? If so, they are written as one run of the
 * hybrid encoding (RLE). Otherwise they are written as bit-packed numbers without runs, because
 * Zstandard compresses the repetitions in them. */

static bool all_equal(struct etc_str v, size_t size)
{
	return v.len <= size || memcmp(v.ptr, v.ptr + size, v.len - size) == 0;
}

/* Writes definition or repetition levels, each of which needs `width` bits: 1 or 2. */
static void put_levels(struct etc_text *out, struct etc_str v, unsigned width)
{
	const unsigned per_byte = 8 / width;
	size_t size_at = out->len;
	uint32_t size;

	etc_flat_put(out, 0, 4);
	if (all_equal(v, 1)) {
		etc_thrift_varint(out, (uint64_t)v.len << 1);
		etc_text_char(out, v.len ? v.ptr[0] : 0);
	} else {
		const size_t groups = (v.len + 7) / 8, bytes = groups * width;
		char *to;

		etc_thrift_varint(out, (uint64_t)groups << 1 | 1);
		to = etc_text_reserve(out, bytes);
		if (!to)
			return;
		memset(to, 0, bytes);
		for (size_t i = 0; i < v.len; i++)
			to[i / per_byte] |= (char)(v.ptr[i] << i % per_byte * width);
		out->len += bytes;
	}
	size = (uint32_t)(out->len - size_at - 4);
	if (!out->failed)
		memcpy(out->ptr + size_at, &size, 4);
}

/* Writes the dictionary numbers in `v`; the dictionary has `count` words. Each number takes whole
 * bytes, so that Zstandard can compress repetitions. */
static void put_numbers(struct etc_text *out, struct etc_str v, uint32_t count)
{
	const unsigned bytes = count <= 1u << 8 ? 1 : count <= 1u << 16 ? 2 : 3;
	const size_t n = v.len / 4, padded = (n + 7) / 8 * 8;
	char *to;

	etc_text_char(out, (char)(8 * bytes));
	if (all_equal(v, 4)) {
		etc_thrift_varint(out, (uint64_t)n << 1);
		etc_text_put(out, etc_str_sub(v, 0, bytes));
		return;
	}
	etc_thrift_varint(out, (uint64_t)padded / 8 << 1 | 1);
	to = etc_text_reserve(out, padded * bytes);
	if (!to)
		return;
	for (size_t i = 0; i < n; i++)
		memcpy(to + i * bytes, v.ptr + i * 4, bytes);
	memset(to + n * bytes, 0, (padded - n) * bytes);
	out->len += padded * bytes;
}

static void put_bools(struct etc_text *out, struct etc_str v)
{
	for (size_t i = 0; i < v.len; i += 8) {
		unsigned byte = 0;

		for (size_t k = i; k < v.len && k < i + 8; k++)
			byte |= (unsigned)v.ptr[k] << (k - i);
		etc_text_char(out, (char)byte);
	}
}

/* Sets w->numbers to the dictionary numbers of the values in a column of numbers. False: there are
 * no values, or more distinct values than a dictionary may have. */
static bool make_numbers(struct writer *w, struct column *c)
{
	const struct etc_str v = etc_text_str(&c->values);

	w->numbers.len = 0;
	for (size_t i = 0; i < v.len; i += 8) {
		uint32_t number = intern(&c->words, w->seed, etc_str_sub(v, i, i + 8), false);

		if (c->words.count > FEW || c->words.count > v.len / 16)
			return false;
		etc_text_put(&w->numbers, (struct etc_str){ (const char *)&number, sizeof number });
	}
	return v.len > 0;
}

/* ---- pages ---------------------------------------------------------------------- */

/* The metadata of one column of a row group, for the footer. */
struct chunk {
	uint64_t at, data_at; /* position of the first page; position of the data page */
	/* number of bytes of the pages and their headers, before and after compression */
	uint64_t raw, packed;
	bool dictionary;
};

/* Compresses w->page into w->packed. */
static bool pack(struct writer *w)
{
	const size_t most = ZSTD_compressBound(w->page.len);
	char *to;
	size_t n;

	w->packed.len = 0;
	to = etc_text_reserve(&w->packed, most);
	if (!to || w->page.failed)
		return false;
	n = ZSTD_compressCCtx(w->zstd, to, most, w->page.ptr, w->page.len, LEVEL);
	if (ZSTD_isError(n)) {
		/* the buffer is large enough, so the error must be a failed allocation */
		etc_memory_refuse(w->page.len, 0);
		return false;
	}
	w->packed.len = n;
	return w->page.len <= INT32_MAX && n <= INT32_MAX;
}

static void put_page(struct writer *w, int type, uint32_t entries, int encoding,
                     struct chunk *chunk)
{
	const uint64_t at = position(w);
	struct etc_thrift t = { .out = w->out };

	w->failed = !pack(w) || w->failed;
	if (w->failed)
		return;
	etc_thrift_open(&t, 0);
	etc_thrift_i32(&t, 1, type);
	etc_thrift_i32(&t, 2, (int32_t)w->page.len);
	etc_thrift_i32(&t, 3, (int32_t)w->packed.len);
	etc_thrift_open(&t, type == DATA_PAGE ? 5 : 7);
	etc_thrift_i32(&t, 1, (int32_t)entries);
	etc_thrift_i32(&t, 2, encoding);
	if (type == DATA_PAGE) {
		etc_thrift_i32(&t, 3, RLE);
		etc_thrift_i32(&t, 4, RLE);
	}
	etc_thrift_close(&t);
	etc_thrift_close(&t);
	chunk->raw += position(w) - at + w->page.len;
	etc_text_pass(w->out, etc_text_str(&w->packed));
	chunk->packed += position(w) - at;
}

static void put_dictionary(struct writer *w, struct column *c, struct chunk *chunk)
{
	struct etc_text page = w->page;

	w->page = c->words.page;
	put_page(w, DICTIONARY_PAGE, c->words.count, PLAIN, chunk);
	w->page = page;
	chunk->dictionary = true;
}

static void put_chunk(struct writer *w, struct column *c, struct chunk *chunk)
{
	const bool numbers = !is_text(c) && c->type != ETC_CELL_BOOL && make_numbers(w, c);
	const struct etc_str v = etc_text_str(&c->values);

	*chunk = (struct chunk){ .at = position(w) };
	if (numbers || (is_text(c) && c->words.count))
		put_dictionary(w, c, chunk);
	chunk->data_at = position(w);
	w->page.len = 0;
	if (c->nest != FLAT)
		put_levels(&w->page, etc_text_str(&c->starts), 1);
	put_levels(&w->page, etc_text_str(&c->levels), c->nest != FLAT ? 2 : 1);
	if (chunk->dictionary)
		put_numbers(&w->page, numbers ? etc_text_str(&w->numbers) : v, c->words.count);
	else if (c->type == ETC_CELL_BOOL)
		put_bools(&w->page, v);
	else
		etc_text_put(&w->page, v);
	put_page(w, DATA_PAGE, (uint32_t)c->levels.len, chunk->dictionary ? RLE_DICTIONARY : PLAIN,
	         chunk);
}

/* ---- statistics ------------------------------------------------------------------ */

static bool is_less(uint8_t type, struct etc_str a, struct etc_str b)
{
	uint64_t x, y;
	double f, g;
	int order;

	if (type == ETC_CELL_TEXT || type == ETC_CELL_BYTES || type == ETC_CELL_BOOL) {
		order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
		return order < 0 || (order == 0 && a.len < b.len);
	}
	memcpy(&x, a.ptr, sizeof x);
	memcpy(&y, b.ptr, sizeof y);
	memcpy(&f, a.ptr, sizeof f);
	memcpy(&g, b.ptr, sizeof g);
	return type == ETC_CELL_UINT  ? x < y
	       : type == ETC_CELL_INT ? (int64_t)x < (int64_t)y
	                              : f < g;
}

/* Finds the smallest and the largest value of a column. False: there is no value, a value is NaN,
 * or one of the two is longer than BOUND_BYTES. */
static bool find_ends(const struct column *c, bool dictionary, struct etc_str *min,
                      struct etc_str *max)
{
	const uint32_t size = c->type == ETC_CELL_BOOL ? 1 : 8;
	const size_t n = dictionary ? c->words.count : c->values.len / size;

	for (size_t i = 0; i < n; i++) {
		struct etc_str v = { c->values.ptr + i * size, size };
		struct word w;
		double f;

		if (dictionary) {
			w = word_at(&c->words, (uint32_t)i);
			v = word_text(&c->words, &w);
		}
		if (c->type == ETC_CELL_REAL) {
			memcpy(&f, v.ptr, sizeof f);
			if (isnan(f))
				return false;
		}
		if (i == 0 || is_less(c->type, v, *min))
			*min = v;
		if (i == 0 || is_less(c->type, *max, v))
			*max = v;
	}
	return n && min->len <= BOUND_BYTES && max->len <= BOUND_BYTES;
}

static bool is_zero(struct etc_str real)
{
	double f;

	memcpy(&f, real.ptr, sizeof f);
	return f == 0;
}

/* Writes minimum, maximum and number of nulls of a column. Not for lists and maps, whose nulls are
 * counted in different ways by different readers. */
static void put_statistics(struct etc_thrift *t, const struct column *c, bool dictionary)
{
	static const double low = -0.0, high = 0.0;
	struct etc_str min = { 0 }, max = { 0 };
	int64_t nulls = 0;

	for (size_t i = 0; i < c->levels.len; i++)
		nulls += c->levels.ptr[i] == 0;
	etc_thrift_open(t, 12);
	etc_thrift_i64(t, 3, nulls);
	if (find_ends(c, dictionary, &min, &max)) {
		/* A reader may order -0 before +0. So a minimum of zero is written as -0 and a
		 * maximum of zero as +0, which includes both zeros. */
		if (c->type == ETC_CELL_REAL && is_zero(max))
			max.ptr = (const char *)&high;
		if (c->type == ETC_CELL_REAL && is_zero(min))
			min.ptr = (const char *)&low;
		etc_thrift_text(t, 5, max);
		etc_thrift_text(t, 6, min);
	}
	etc_thrift_close(t);
}

/* ---- groups ---------------------------------------------------------------------- */

static int physical(const struct column *c)
{
	return is_text(c)                 ? BYTE_ARRAY
	       : c->type == ETC_CELL_REAL ? DOUBLE
	       : c->type == ETC_CELL_BOOL ? BOOLEAN
	                                  : INT64;
}

/* The names of the two schema elements below a column of lists or maps; the second one is the leaf.
 * The index is an enum nest. */
static const char *const ways[][2] = {
	[FLAT] = { NULL, NULL },
	[LIST] = { "list", "element" },
	[MAP_KEY] = { "key_value", "key" },
	[MAP_VALUE] = { "key_value", "value" },
};

static void put_chunk_metadata(struct etc_thrift *t, const struct column *c,
                               const struct chunk *chunk)
{
	etc_thrift_open(t, 0);
	etc_thrift_i64(t, 2,
	               /* file_offset: 0, because this metadata has no second copy in the file */
	               0);
	etc_thrift_open(t, 3);
	etc_thrift_i32(t, 1, physical(c));
	etc_thrift_list(t, 2, ETC_THRIFT_I32, chunk->dictionary ? 3 : 2);
	etc_thrift_i32(t, 0, PLAIN);
	etc_thrift_i32(t, 0, RLE);
	if (chunk->dictionary)
		etc_thrift_i32(t, 0, RLE_DICTIONARY);
	etc_thrift_list(t, 3, ETC_THRIFT_TEXT, c->nest != FLAT ? 3 : 1);
	etc_thrift_text(t, 0, etc_str_of(c->of->name));
	for (int i = 0; i < 2 && c->nest != FLAT; i++)
		etc_thrift_text(t, 0, etc_str_of(ways[c->nest][i]));
	etc_thrift_i32(t, 4, ZSTD);
	etc_thrift_i64(t, 5, (int64_t)c->levels.len);
	etc_thrift_i64(t, 6, (int64_t)chunk->raw);
	etc_thrift_i64(t, 7, (int64_t)chunk->packed);
	etc_thrift_i64(t, 9, (int64_t)chunk->data_at);
	if (chunk->dictionary)
		etc_thrift_i64(t, 11, (int64_t)chunk->at);
	if (c->nest == FLAT)
		put_statistics(t, c, chunk->dictionary);
	etc_thrift_close(t);
	etc_thrift_close(t);
}

static void begin_group(struct writer *w)
{
	for (uint32_t i = 0; i < w->column_count; i++) {
		struct column *c = &w->columns[i];

		c->levels.len = c->starts.len = c->values.len = 0;
		c->before = 0;
		empty(&c->words);
	}
}

static bool has_failed(const struct writer *w)
{
	bool failed = w->failed || w->out->failed || w->page.failed || w->groups.failed ||
	              w->numbers.failed || w->fixed.failed;

	for (uint32_t i = 0; i < w->column_count; i++) {
		const struct column *c = &w->columns[i];

		failed = failed || c->levels.failed || c->starts.failed || c->values.failed ||
		         c->words.failed || c->words.page.failed || c->words.words.failed;
	}
	return failed;
}

static void end_group(struct writer *w, uint32_t rows)
{
	struct etc_thrift t = { .out = &w->groups };
	const uint64_t at = position(w);
	uint64_t raw = 0;

	if (has_failed(w))
		return;
	etc_thrift_open(&t, 0);
	etc_thrift_list(&t, 1, ETC_THRIFT_STRUCT, w->column_count);
	for (uint32_t i = 0; i < w->column_count; i++) {
		struct chunk chunk;

		put_chunk(w, &w->columns[i], &chunk);
		put_chunk_metadata(&t, &w->columns[i], &chunk);
		raw += chunk.raw;
	}
	etc_thrift_i64(&t, 2, (int64_t)raw);
	etc_thrift_i64(&t, 3, rows);
	etc_thrift_i64(&t, 5, (int64_t)at);
	etc_thrift_i64(&t, 6, (int64_t)(position(w) - at));
	etc_thrift_close(&t);
	w->group_count++;
	begin_group(w);
}

static bool is_full(const struct writer *w)
{
	for (uint32_t i = 0; i < w->column_count; i++) {
		const struct column *c = &w->columns[i];

		if (c->values.len >= BYTES || c->levels.len >= BYTES || c->words.page.len >= BYTES)
			return true;
	}
	return false;
}

static void put_groups(struct writer *w, const struct etc_table *t)
{
	struct etc_cell room[ETC_TABLE_MADE];
	uint32_t rows = 0;

	for (uint32_t r = 0; r < t->row_count && !w->failed && !w->out->failed; r++) {
		put_row(w, etc_table_row(t, r, room));
		rows++;
		if (rows == ROWS || is_full(w)) {
			end_group(w, rows);
			rows = 0;
		}
	}
	if (rows)
		end_group(w, rows);
}

/* ---- the footer ------------------------------------------------------------------ */

static void put_leaf(struct etc_thrift *t, const struct column *c, int repetition, const char *name)
{
	const bool whole = c->type == ETC_CELL_INT || c->type == ETC_CELL_UINT;

	etc_thrift_open(t, 0);
	etc_thrift_i32(t, 1, physical(c));
	etc_thrift_i32(t, 3, repetition);
	etc_thrift_text(t, 4, etc_str_of(name));
	if (c->type == ETC_CELL_TEXT) {
		etc_thrift_i32(t, 6, CONVERTED_UTF8);
		etc_thrift_open(t, 10);
		etc_thrift_open(t, LOGICAL_STRING);
		etc_thrift_close(t);
		etc_thrift_close(t);
	} else if (whole) {
		etc_thrift_i32(t, 6,
		               c->type == ETC_CELL_INT ? CONVERTED_INT_64 : CONVERTED_UINT_64);
		etc_thrift_open(t, 10);
		etc_thrift_open(t, LOGICAL_INTEGER);
		etc_thrift_i8(t, 1, 64);
		etc_thrift_bool(t, 2, c->type == ETC_CELL_INT);
		etc_thrift_close(t);
		etc_thrift_close(t);
	}
	etc_thrift_close(t);
}

static void put_schema(struct etc_thrift *t, const struct column *c)
{
	const bool list = c->nest == LIST;

	if (c->nest == FLAT) {
		put_leaf(t, c, OPTIONAL, c->of->name);
		return;
	}
	/* a map's values share the enclosing schema elements with its keys, for which these were
	 * already written */
	if (c->nest == MAP_VALUE) {
		put_leaf(t, c, OPTIONAL, ways[MAP_VALUE][1]);
		return;
	}
	etc_thrift_open(t, 0);
	etc_thrift_i32(t, 3, OPTIONAL);
	etc_thrift_text(t, 4, etc_str_of(c->of->name));
	etc_thrift_i32(t, 5, 1);
	etc_thrift_i32(t, 6, list ? CONVERTED_LIST : CONVERTED_MAP);
	etc_thrift_open(t, 10);
	etc_thrift_open(t, list ? LOGICAL_LIST : LOGICAL_MAP);
	etc_thrift_close(t);
	etc_thrift_close(t);
	etc_thrift_close(t);
	etc_thrift_open(t, 0);
	etc_thrift_i32(t, 3, REPEATED);
	etc_thrift_text(t, 4, etc_str_of(ways[c->nest][0]));
	etc_thrift_i32(t, 5, list ? 1 : 2);
	etc_thrift_close(t);
	put_leaf(t, c, list ? OPTIONAL : REQUIRED, ways[c->nest][1]);
}

static void put_footer(struct writer *w, uint64_t rows)
{
	const uint64_t at = position(w);
	struct etc_thrift t = { .out = w->out };
	uint32_t elements = 1;

	for (uint32_t i = 0; i < w->column_count; i++)
		elements += w->columns[i].nest == FLAT || w->columns[i].nest == MAP_VALUE ? 1 : 3;
	etc_thrift_open(&t, 0);
	etc_thrift_i32(&t, 1, 2); /* version of the file format */
	etc_thrift_list(&t, 2, ETC_THRIFT_STRUCT, elements);
	etc_thrift_open(&t, 0);
	etc_thrift_text(&t, 4, ETC_STR("schema"));
	etc_thrift_i32(&t, 5, (int32_t)w->root_count);
	etc_thrift_close(&t);
	for (uint32_t i = 0; i < w->column_count; i++)
		put_schema(&t, &w->columns[i]);
	etc_thrift_i64(&t, 3, (int64_t)rows);
	etc_thrift_list(&t, 4, ETC_THRIFT_STRUCT, w->group_count);
	etc_text_pass(w->out, etc_text_str(&w->groups));
	etc_thrift_text(&t, 6, ETC_STR("etcore version " ETCORE_VERSION));
	/* Field 7, column_orders, has an entry for each column. Each entry is TYPE_ORDER: the
	 * minimum and maximum of a column are compared in the order that Parquet defines for the
	 * column's type. */
	etc_thrift_list(&t, 7, ETC_THRIFT_STRUCT, w->column_count);
	for (uint32_t i = 0; i < w->column_count; i++) {
		etc_thrift_open(&t, 0);
		etc_thrift_open(&t, 1);
		etc_thrift_close(&t);
		etc_thrift_close(&t);
	}
	etc_thrift_close(&t);
	etc_flat_put(w->out, position(w) - at, 4);
	etc_text_cstr(w->out, "PAR1");
}

/* ---- the file -------------------------------------------------------------------- */

static void add_column(struct writer *w, const struct etc_column *of, uint32_t cell)
{
	const uint8_t type = etc_column_type(of);
	struct column *c = &w->columns[w->column_count++];

	*c = (struct column){ .of = of, .cell = cell, .type = type };
	if (type == ETC_CELL_LIST) {
		c->nest = LIST;
		c->type = of->items;
	} else if (type == ETC_CELL_MAP) {
		c->nest = MAP_KEY;
		c->type = ETC_CELL_TEXT;
		c[1] = c[0];
		c[1].nest = MAP_VALUE;
		w->column_count++;
	}
}

static bool begin(struct writer *w, const struct etc_table *t)
{
	w->columns = etc_calloc(2 * (size_t)t->column_count + 1, sizeof *w->columns);
	w->zstd = ZSTD_createCCtx();
	if (!w->zstd)
		etc_memory_refuse(sizeof *w, 0);
	if (!w->columns || !w->zstd)
		return false;
	w->root_count = t->column_count;
	for (uint32_t i = 0; i < t->column_count; i++)
		add_column(w, &t->columns[i], i);
	return true;
}

static void release(struct writer *w)
{
	for (uint32_t i = 0; i < w->column_count; i++) {
		struct column *c = &w->columns[i];

		etc_text_release(&c->levels);
		etc_text_release(&c->starts);
		etc_text_release(&c->values);
		etc_text_release(&c->words.page);
		etc_text_release(&c->words.words);
		free(c->words.slots);
	}
	free(w->columns);
	ZSTD_freeCCtx(w->zstd);
	etc_text_release(&w->page);
	etc_text_release(&w->packed);
	etc_text_release(&w->numbers);
	etc_text_release(&w->fixed);
	etc_text_release(&w->groups);
}

void etc_write_parquet(const struct etc_report *report, const struct etc_screen *screen,
                       struct etc_text *out)
{
	const struct etc_table *t = etc_report_table(report);
	struct writer w = { .out = out,
		            .seed = etc_hash(ETC_STR("parquet")),
		            .from = etc_text_all(out) };

	(void)screen;
	if (begin(&w, t)) {
		etc_text_cstr(out, "PAR1");
		put_groups(&w, t);
		if (!has_failed(&w))
			put_footer(&w, t->row_count);
	} else {
		w.failed = true;
	}
	out->failed = out->failed || has_failed(&w);
	release(&w);
}
