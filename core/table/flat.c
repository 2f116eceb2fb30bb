/* flat.c -- see flat.h */
#include "table/flat.h"

void etc_flat_put(struct etc_text *out, uint64_t v, unsigned bytes)
{
	for (; bytes; bytes--, v >>= 8)
		etc_text_char(out, (char)v);
}

void etc_flat_pad(struct etc_text *out, unsigned align)
{
	while (!out->failed && out->len % align)
		etc_text_char(out, 0);
}

/* Writes the offset at `place` that leads to the position `target` of the text. */
static void lead(struct etc_text *out, size_t place, size_t target)
{
	const uint32_t distance = (uint32_t)(target - place);

	for (unsigned i = 0; !out->failed && i < 4; i++)
		out->ptr[place + i] = (char)(distance >> 8 * i);
}

void etc_flat_begin(struct etc_text *out)
{
	etc_flat_put(out, 0, 4);
}

void etc_flat_table(struct etc_text *out, size_t place, const struct etc_flat_field *fields,
                    uint32_t count, size_t at[ETC_FLAT_FIELDS])
{
	const size_t head = 4 + 2 * (size_t)count;
	size_t end = 4, start;

	/* The vtable comes first, padded so that the table after it begins at a multiple of 8. */
	while (!out->failed && (out->len + head) % 8)
		etc_text_char(out, 0);
	start = out->len + head;
	for (uint32_t i = 0; i < count; i++) {
		const size_t size = fields[i].size;

		end = size ? (end + size - 1) / size * size : end;
		at[i] = size ? start + end : 0;
		end += size;
	}
	etc_flat_put(out, head, 2);
	etc_flat_put(out, end, 2);
	for (uint32_t i = 0; i < count; i++)
		etc_flat_put(out, at[i] ? at[i] - start : 0, 2);
	lead(out, place, start);
	etc_flat_put(out, head, 4);
	for (uint32_t i = 0; i < count; i++) {
		if (!at[i])
			continue;
		etc_flat_pad(out, fields[i].size);
		etc_flat_put(out, fields[i].value, fields[i].size);
	}
}

void etc_flat_vector(struct etc_text *out, size_t place, uint32_t count, unsigned align)
{
	etc_flat_pad(out, 4);
	if (align == 8 && out->len % 8 == 0)
		etc_flat_put(out, 0, 4);
	lead(out, place, out->len);
	etc_flat_put(out, count, 4);
}

size_t etc_flat_offsets(struct etc_text *out, size_t place, uint32_t count)
{
	etc_flat_vector(out, place, count, 4);
	for (uint32_t i = 0; i < count; i++)
		etc_flat_put(out, 0, 4);
	return out->len - 4 * (size_t)count;
}

void etc_flat_string(struct etc_text *out, size_t place, struct etc_str s)
{
	etc_flat_vector(out, place, (uint32_t)s.len, 4);
	etc_text_put(out, s);
	etc_text_char(out, 0);
}
