/* fuzz_built.c -- builds a valid ETDump whose content is selected by the input, and requires that
 * it is read. Then truncates it or breaks one field, and requires that it is rejected if the change
 * can only be damage. So every input gets past the check of the identifier, and reaches code that
 * damaged real files rarely reach. */
#include <stdlib.h>
#include <string.h>

#include "edge/etdump_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16, SITES = 4096, FIELDS_MAX = 8 };
enum site_kind { OFFSET, BACK, VTABLE_SIZE, TABLE_SIZE, SLOT, COUNT, LENGTH };

struct site {
	uint32_t at;
	enum site_kind kind;
};

struct builder {
	const uint8_t *in;
	size_t left;
	uint8_t buf[ROOM];
	size_t len;
	struct site sites[SITES];
	size_t site_count;
};

static uint8_t next(struct builder *b)
{
	if (b->left == 0)
		return 0;
	b->left--;
	return *b->in++;
}

static void put(struct builder *b, size_t at, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++)
		b->buf[at + i] = (uint8_t)(v >> 8 * i);
}

static uint64_t get(const struct builder *b, size_t at, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = width; i-- > 0;)
		v = v << 8 | b->buf[at + i];
	return v;
}

static void remember(struct builder *b, size_t at, enum site_kind kind)
{
	if (b->site_count < SITES)
		b->sites[b->site_count++] = (struct site){ (uint32_t)at, kind };
}

static size_t reserve(struct builder *b, size_t n)
{
	size_t at = b->len + next(b) % 4; /* objects need not be aligned */

	if (n > ROOM - 64 - at)
		return 0;
	b->len = at + n;
	return at;
}

static void link_to(struct builder *b, size_t from, size_t to)
{
	put(b, from, 4, to - from);
	remember(b, from, OFFSET);
}

/* Appends a table. widths[f] is the size of field f in bytes. The next byte of the input and the
 * mask `needed` have a bit for each field that is present. at[f] gets the position of field f, 0 if
 * it is absent. Returns the position of the table, 0 if there is no room. */
static size_t table(struct builder *b, const uint8_t *widths, unsigned fields, unsigned needed,
                    size_t at[FIELDS_MAX])
{
	unsigned mask = next(b) | needed, bytes = 4;
	size_t vtable = reserve(b, 4 + 2 * (size_t)fields), t;

	for (unsigned f = 0; f < fields; f++)
		bytes += mask >> f & 1 ? widths[f] : 0;
	t = vtable ? reserve(b, bytes) : 0;
	if (!t)
		return 0;
	put(b, vtable, 2, 4 + 2 * fields);
	put(b, vtable + 2, 2, bytes);
	put(b, t, 4, t - vtable);
	remember(b, vtable, VTABLE_SIZE);
	remember(b, vtable + 2, TABLE_SIZE);
	remember(b, t, BACK);
	bytes = 4;
	for (unsigned f = 0; f < fields; f++) {
		at[f] = mask >> f & 1 ? t + bytes : 0;
		put(b, vtable + 4 + 2 * f, 2, at[f] ? bytes : 0);
		if (!at[f])
			continue;
		remember(b, vtable + 4 + 2 * f, SLOT);
		bytes += widths[f];
	}
	return t;
}

/* Appends a vector of `count` elements of `width` bytes, with a NUL at its end if it is `text`.
 * Lets the offset at `from` point to it. Returns the position of the first element, 0 if there is
 * no room. */
static size_t vector(struct builder *b, size_t from, size_t count, unsigned width, bool text)
{
	size_t at = reserve(b, 4 + count * width + text);

	if (!at)
		return 0;
	put(b, at, 4, count);
	link_to(b, from, at);
	remember(b, at, text ? LENGTH : COUNT);
	return at + 4;
}

static bool string(struct builder *b, size_t from, bool text)
{
	size_t n = next(b) % 12, at = from ? vector(b, from, n, 1, text) : 1;

	for (size_t i = 0; from && at && i < n; i++)
		b->buf[at + i] = next(b);
	return at != 0;
}

static void numbers(struct builder *b, size_t at, unsigned width)
{
	for (unsigned i = 0; at && i < width; i++)
		b->buf[at + i] = next(b);
}

static bool tensor(struct builder *b, size_t from)
{
	static const uint8_t widths[] = { 1, 4, 4, 8 };
	size_t at[FIELDS_MAX], t = table(b, widths, 4, 0, at);

	if (!t)
		return false;
	link_to(b, from, t);
	numbers(b, at[0], 1);
	numbers(b, at[3], 8);
	for (int f = 1; f < 3; f++) {
		size_t n = next(b) % 4, v = at[f] ? vector(b, at[f], n, 8, false) : 1;

		if (!v)
			return false;
		numbers(b, at[f] ? v : 0, (unsigned)n * 8);
	}
	return true;
}

static bool list(struct builder *b, size_t from)
{
	static const uint8_t widths[] = { 4 };
	size_t at[FIELDS_MAX], t = table(b, widths, 1, 0, at), n = next(b) % 4, v;

	if (!t)
		return false;
	link_to(b, from, t);
	v = at[0] ? vector(b, at[0], n, 4, false) : 1;
	for (size_t i = 0; at[0] && v && i < n; i++)
		if (!tensor(b, v + 4 * i))
			return false;
	return v != 0;
}

static bool value(struct builder *b, size_t from)
{
	static const uint8_t widths[] = { 1, 4, 4, 4, 4, 4, 4, 4 };
	static const uint8_t scalars[] = { 0, 0, 0, 8, 4, 8, 1, 1 };
	/* For each tag of a Value: the field that the tag selects, as a mask. This field is always
	 * present. Without it, the value could be one in the layout of November 2023. */
	static const uint8_t needed[] = { 0, 1 << 3, 1 << 6, 1 << 4, 1 << 5, 1 << 1, 1 << 2, 0 };
	uint8_t tag = next(b) % 8;
	size_t at[FIELDS_MAX], t = table(b, widths, 8, needed[tag] | 1u, at);

	if (!t)
		return false;
	link_to(b, from, t);
	b->buf[at[0]] = tag;
	if ((at[1] && !tensor(b, at[1])) || (at[2] && !list(b, at[2])))
		return false;
	for (int f = 3; f < 8; f++) {
		size_t inner[FIELDS_MAX], s = at[f] ? table(b, &scalars[f], 1, 0, inner) : 1;

		if (!s)
			return false;
		if (at[f]) {
			link_to(b, at[f], s);
			numbers(b, inner[0], scalars[f]);
		}
	}
	return true;
}

static bool event(struct builder *b, size_t from)
{
	static const uint8_t of_event[] = { 4, 4, 4 };
	static const uint8_t of_profile[] = { 4, 4, 4, 4, 4, 4, 8, 8 };
	static const uint8_t of_allocation[] = { 4, 8 };
	static const uint8_t of_debug[] = { 8, 4, 4, 4, 4, 4 };
	size_t at[FIELDS_MAX], in[FIELDS_MAX], t = table(b, of_event, 3, 0, at), x;

	if (!t)
		return false;
	link_to(b, from, t);
	if (at[0]) {
		x = table(b, of_profile, 8, 0, in);
		if (!x)
			return false;
		link_to(b, at[0], x);
		for (int f = 0; f < 8; f++)
			if (f != 0 && f != 4 && f != 5)
				numbers(b, in[f], of_profile[f]);
		if (!string(b, in[0], true) || !string(b, in[4], true) || !string(b, in[5], false))
			return false;
	}
	if (at[1]) {
		x = table(b, of_allocation, 2, 0, in);
		if (!x)
			return false;
		link_to(b, at[1], x);
		numbers(b, in[0], 4);
		numbers(b, in[1], 8);
	}
	if (at[2]) {
		x = table(b, of_debug, 6, 0, in);
		if (!x)
			return false;
		link_to(b, at[2], x);
		numbers(b, in[0], 8);
		numbers(b, in[1], 4);
		numbers(b, in[3], 4);
		if (!string(b, in[4], true) || !string(b, in[5], true) ||
		    (in[2] && !value(b, in[2])))
			return false;
	}
	return true;
}

static bool run(struct builder *b, size_t from)
{
	static const uint8_t widths[] = { 4, 4, 4, 4 };
	static const uint8_t of_allocator[] = { 4 };
	/* Field 3, the events, is always present: without it, allocators could be read as the
	 * events of the layout of October 2023. */
	size_t at[FIELDS_MAX], t = table(b, widths, 4, 1 << 3, at), n, v;

	if (!t)
		return false;
	link_to(b, from, t);
	numbers(b, at[1], 4);
	if (!string(b, at[0], true))
		return false;
	n = next(b) % 3;
	v = at[2] ? vector(b, at[2], n, 4, false) : 1;
	for (size_t i = 0; at[2] && v && i < n; i++) {
		size_t name[FIELDS_MAX], a = table(b, of_allocator, 1, 0, name);

		if (!a)
			return false;
		link_to(b, v + 4 * i, a);
		if (!string(b, name[0], true))
			return false;
	}
	if (!v)
		return false;
	n = next(b) % 6;
	v = vector(b, at[3], n, 4, false);
	for (size_t i = 0; v && i < n; i++)
		if (!event(b, v + 4 * i))
			return false;
	return v != 0;
}

/* Builds a whole dump with its root offset at `origin`: 4 behind a size prefix, else 0. Returns
 * false if it does not fit into the buffer. */
static bool build(struct builder *b, size_t origin)
{
	static const uint8_t widths[] = { 4, 4 };
	size_t at[FIELDS_MAX], t, n, v;

	b->len = origin + 8;
	memcpy(b->buf + origin + 4, "ED00", 4);
	t = table(b, widths, 2, 1 << 1, at);
	if (!t)
		return false;
	link_to(b, origin, t);
	n = next(b) % 4 + 1;
	v = vector(b, at[1], n, 4, false);
	for (size_t i = 0; v && i < n; i++)
		if (!run(b, v + 4 * i))
			return false;
	if (origin)
		put(b, 0, 4, b->len - 4);
	return v != 0;
}

/* Overwrites the field at `s` with an invalid value; `how` selects one. Returns true if the file
 * must now be rejected. */
static bool break_one(struct builder *b, const struct site *s, uint8_t how)
{
	size_t at = s->at, left = b->len - at;
	bool odd = how & 1;

	switch (s->kind) {
	case OFFSET: /* points to itself, or past the end of the file */
		put(b, at, 4, odd ? 0 : left + 1 + next(b));
		return true;
	case BACK: /* the vtable lies before the file, or past its end */
		put(b, at, 4, odd ? at + 1 + next(b) : (uint64_t)0 - left - next(b));
		return true;
	case VTABLE_SIZE: /* an odd size, or one past the end of the file */
		put(b, at, 2, odd ? get(b, at, 2) | 1 : (left + 2) & ~(uint64_t)1);
		return odd || left + 2 <= UINT16_MAX;
	case TABLE_SIZE: /* less than the 4 bytes that every table has */
		put(b, at, 2, how % 4);
		return true;
	case SLOT: /* over the table's offset to its vtable, or outside of the table */
		put(b, at, 2, odd ? 1 + how / 2 % 3 : UINT16_MAX);
		return true;
	default: /* COUNT, LENGTH: more than is left of the file */
		put(b, at, 4, odd ? UINT32_MAX - how : left);
		return true;
	}
}

/* Copies the bytes to a block of exactly their size, so that a sanitizer detects a read past the
 * end. */
static struct etdump_answer check(const uint8_t *bytes, size_t len)
{
	uint8_t *exact = malloc(len ? len : 1);
	struct etdump_answer a;

	if (!exact)
		exit(3);
	memcpy(exact, bytes, len);
	a = etdump_check(exact, len, NULL);
	free(exact);
	return a;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct builder *b = calloc(1, sizeof *b);
	size_t where;
	uint8_t how;
	bool certain;
	size_t origin, end;

	if (!b || size < 4)
		goto out;
	origin = data[0] & 1 ? 4 : 0;
	how = data[1];
	where = data[2] | (size_t)data[3] << 8;
	b->in = data + 4;
	b->left = size - 4;
	if (!build(b, origin))
		goto out;
	require(check(b->buf, b->len).read);
	/* A dump with a size prefix must be rejected if its end is missing. Without a prefix, only
	 * the comparison with the oracle in check() decides. */
	end = origin + 8 + where % (b->len - origin - 8);
	if (how % 8 == 7) {
		require(!origin || !check(b->buf, end).read);
		check(b->buf, end);
		goto out;
	}
	certain = break_one(b, &b->sites[where % b->site_count], how >> 3);
	require(!check(b->buf, b->len).read || !certain);
out:
	free(b);
	return 0;
}
