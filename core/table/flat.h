/* flat.h -- writes FlatBuffers front to back, for the metadata of Arrow files.
 *
 * An object is written after the objects that refer to it. So when an object is written, its offset
 * fields are only reserved; each is filled when its target is written. A "place" is the position of
 * a reserved offset in the text. All numbers are little-endian. A failed allocation is recorded in
 * the text (etc_text.failed). */
#ifndef ETC_TABLE_FLAT_H
#define ETC_TABLE_FLAT_H

#include "base/text.h"

enum { ETC_FLAT_FIELDS = 8 };

/* A field of a table. Its size is 1, 2, 4 or 8 bytes; 0: the table does not have the field.
 * ETC_FLAT_OFFSET stands for a field that is an offset: room for the offset is reserved, and it is
 * written later. */
struct etc_flat_field {
	uint8_t size;
	uint64_t value;
};
#define ETC_FLAT_OFFSET ((struct etc_flat_field){ 4, 0 })

/* Begins a FlatBuffer: reserves the offset of its root table at place 0. */
void etc_flat_begin(struct etc_text *out);

/* Writes a table, and writes its offset at `place`. Sets at[i] to the position of field i; 0: the
 * field is absent. */
void etc_flat_table(struct etc_text *out, size_t place, const struct etc_flat_field *fields,
                    uint32_t count, size_t at[ETC_FLAT_FIELDS]);

void etc_flat_string(struct etc_text *out, size_t place, struct etc_str s);

/* etc_flat_vector() begins a vector of `count` elements, which the caller appends; `align` is 4 or
 * 8. etc_flat_offsets() writes a vector of `count` reserved offsets of 4 bytes, and returns the
 * place of the first one. */
void etc_flat_vector(struct etc_text *out, size_t place, uint32_t count, unsigned align);
size_t etc_flat_offsets(struct etc_text *out, size_t place, uint32_t count);

/* etc_flat_put() appends a number of `bytes` bytes. etc_flat_pad() appends zeros up to a multiple
 * of `align`. */
void etc_flat_put(struct etc_text *out, uint64_t v, unsigned bytes);
void etc_flat_pad(struct etc_text *out, unsigned align);

#endif
