/* flat.h -- writes FlatBuffers front to back, for the metadata of Arrow files.
 *
 * An object is written after the objects that refer to it: the field with its offset is reserved
 * first, and filled when the object begins. A place is the position of a reserved offset in the
 * text. All numbers are little-endian. Failures are sticky in the text. */
#ifndef ETC_TABLE_FLAT_H
#define ETC_TABLE_FLAT_H

#include "base/text.h"

enum { ETC_FLAT_FIELDS = 8 };

/* A field of a table: 1, 2, 4 or 8 bytes; size 0: absent. Offsets are reserved by
 * ETC_FLAT_OFFSET. */
struct etc_flat_field {
	uint8_t size;
	uint64_t value;
};
#define ETC_FLAT_OFFSET ((struct etc_flat_field){ 4, 0 })

/* Begins a buffer: reserves the offset of its root at place 0. */
void etc_flat_begin(struct etc_text *out);

/* Writes a table whose offset belongs in `place`; at[i] is set to the position of field i, 0 if it
 * is absent. */
void etc_flat_table(struct etc_text *out, size_t place, const struct etc_flat_field *fields,
                    uint32_t count, size_t at[ETC_FLAT_FIELDS]);

void etc_flat_string(struct etc_text *out, size_t place, struct etc_str s);

/* etc_flat_vector() begins a vector of `count` elements, which the caller appends; `align`: 4 or 8.
 * etc_flat_offsets() begins a vector of `count` offsets, reserves them (4 bytes each), and returns
 * the place of the first. */
void etc_flat_vector(struct etc_text *out, size_t place, uint32_t count, unsigned align);
size_t etc_flat_offsets(struct etc_text *out, size_t place, uint32_t count);

/* Appends a number, and zeros up to a multiple of `align`. */
void etc_flat_put(struct etc_text *out, uint64_t v, unsigned bytes);
void etc_flat_pad(struct etc_text *out, unsigned align);

#endif
