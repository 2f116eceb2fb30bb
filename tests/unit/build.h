/* build.h -- makes FlatBuffers for tests, front to back: parents before their
 * children, each table with a vtable of its own in front of it. */
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

/* Makes the offset at `from` point to the end of the built bytes. */
static inline void link_here(struct build *b, size_t from)
{
	set_u32(b, from, (uint32_t)(b->len - from));
}

/* Writes size prefix, root offset and identifier; the root follows. */
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

/* Writes a zeroed table with `count` fields; `widths` has a digit per field, '0' for an absent one.
 * at[i] gets the position of field i. Returns the position of the table. */
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

/* Writes a vector of `count` offsets, not yet linked; returns the position of the first. */
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

/* Writes a table, after its vtable, to which the offset at `from` points. */
static inline size_t put_table_for(struct build *b, size_t from, const char *widths, size_t *at)
{
	size_t table = put_table(b, widths, at);

	set_u32(b, from, (uint32_t)(table - from));
	return table;
}

/* Writes header, ETDump and `count` RunData named "r", each with room for an events vector: run[i]
 * is the position of RunData.events of run i. */
static inline void put_runs(struct build *b, size_t count, size_t *run)
{
	size_t at[4], root = put_u32(b, 0), first;

	b->len = root;
	put_header(b);
	/* The root offset is relative to byte 4. */
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
