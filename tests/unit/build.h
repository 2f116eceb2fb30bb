/* build.h -- makes FlatBuffers for tests. Parents are written before their children, and each table
 * behind a vtable of its own. */
#ifndef ETC_UNIT_BUILD_H
#define ETC_UNIT_BUILD_H

#include "unit.h"

struct build {
	uint8_t bytes[1 << 16];
	size_t len;
};

static inline size_t put(struct build *b, const void *bytes, size_t n)
{
	size_t at = b->len;

	assert_true(n <= sizeof b->bytes - b->len);
	if (n)
		memcpy(b->bytes + at, bytes, n);
	b->len += n;
	return at;
}

static inline size_t put_u16(struct build *b, uint16_t v)
{
	return put(b, &v, sizeof v);
}

static inline size_t put_u32(struct build *b, uint32_t v)
{
	return put(b, &v, sizeof v);
}

static inline void set(struct build *b, size_t at, const void *bytes, size_t n)
{
	memcpy(b->bytes + at, bytes, n);
}

static inline void set_u32(struct build *b, size_t at, uint32_t v)
{
	set(b, at, &v, sizeof v);
}

static inline void set_u64(struct build *b, size_t at, uint64_t v)
{
	set(b, at, &v, sizeof v);
}

/* Lets the offset at `from` point to the end of the bytes built so far, where the next object
 * begins. */
static inline void link_here(struct build *b, size_t from)
{
	set_u32(b, from, (uint32_t)(b->len - from));
}

/* Writes the size prefix, the root offset and the identifier of an ETDump; the root table must
 * follow. */
static inline void put_header(struct build *b)
{
	static const uint32_t eight = 8;

	put_u32(b, 0);
	put(b, &eight, 4);
	put(b, "ED00", 4);
}

static inline void end_build(struct build *b)
{
	set_u32(b, 0, (uint32_t)(b->len - 4));
}

/* Writes a vtable and behind it a table of zeros. `widths` has a digit for each field: its size in
 * bytes, '0' for an absent field. at[i] gets the position of field i. Returns the position of the
 * table. */
static inline size_t put_table(struct build *b, const char *widths, size_t *at)
{
	static const uint8_t zeros[256];
	size_t count = strlen(widths), vtable = b->len, size = 4, table;

	put_u16(b, (uint16_t)(4 + 2 * count));
	put_u16(b, 0);
	for (size_t i = 0; i < count; i++) {
		size_t width = (size_t)(widths[i] - '0');

		put_u16(b, width ? (uint16_t)size : 0);
		at[i] = size;
		size += width;
	}
	table = b->len;
	put_u32(b, (uint32_t)(table - vtable));
	put(b, zeros, size - 4);
	for (size_t i = 0; i < count; i++)
		at[i] += table;
	b->bytes[vtable + 2] = (uint8_t)size;
	return table;
}

/* Writes a vector of `count` offsets that point nowhere yet. Returns the position of the first
 * offset. */
static inline size_t put_offsets(struct build *b, size_t count)
{
	size_t at = put_u32(b, (uint32_t)count) + 4;

	for (size_t i = 0; i < count; i++)
		put_u32(b, 0);
	return at;
}

static inline void put_text(struct build *b, const char *s)
{
	put_u32(b, (uint32_t)strlen(s));
	put(b, s, strlen(s) + 1);
}

/* Writes a table as put_table() does, and lets the offset at `from` point to it. Returns its
 * position. */
static inline size_t put_table_for(struct build *b, size_t from, const char *widths, size_t *at)
{
	size_t table = put_table(b, widths, at);

	set_u32(b, from, (uint32_t)(table - from));
	return table;
}

/* Writes an ETDump with `count` runs (RunData) that are called "r". run[i] gets the position of the
 * field RunData.events of run i: an offset to its list of events, which the test still has to
 * write. */
static inline void put_runs(struct build *b, size_t count, size_t *run)
{
	size_t at[4], root = put_u32(b, 0), first;

	b->len = root;
	put_header(b);
	/* byte 4, behind the size prefix, is the root offset */
	put_table_for(b, 4, "44", at);
	link_here(b, at[1]);
	first = put_offsets(b, count);
	for (size_t i = 0; i < count; i++) {
		size_t field[4];

		put_table_for(b, first + 4 * i, "4404", field);
		set_u32(b, field[1], UINT32_MAX);
		run[i] = field[3];
		link_here(b, field[0]);
		put_text(b, "r");
	}
}

#endif
