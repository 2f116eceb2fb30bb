/* thrift.h -- writes structs in Thrift's compact protocol, the encoding of the metadata of a
 * Parquet file.
 *
 * Fields must be written in ascending order of their numbers. Field number 0 stands for an element
 * of a list, which has no number. A failed allocation is recorded in the text (etc_text.failed). */
#ifndef ETC_TABLE_THRIFT_H
#define ETC_TABLE_THRIFT_H

#include "base/text.h"

enum etc_thrift_type {
	ETC_THRIFT_TRUE = 1,
	ETC_THRIFT_FALSE,
	ETC_THRIFT_BYTE,
	ETC_THRIFT_I32 = 5,
	ETC_THRIFT_I64,
	ETC_THRIFT_TEXT = 8,
	ETC_THRIFT_LIST,
	ETC_THRIFT_STRUCT = 12
};

enum { ETC_THRIFT_DEPTH = 8 };

struct etc_thrift {
	struct etc_text *out;
	unsigned depth;
	uint8_t last[ETC_THRIFT_DEPTH]; /* number of the previous field, in each open struct */
};

/* Writes a number in groups of 7 bits, the lowest group first (ULEB128). */
void etc_thrift_varint(struct etc_text *out, uint64_t v);

void etc_thrift_i8(struct etc_thrift *t, uint8_t field, int8_t v);
void etc_thrift_i32(struct etc_thrift *t, uint8_t field, int32_t v);
void etc_thrift_i64(struct etc_thrift *t, uint8_t field, int64_t v);
void etc_thrift_bool(struct etc_thrift *t, uint8_t field, bool v);
void etc_thrift_text(struct etc_thrift *t, uint8_t field, struct etc_str s);

/* Begins a list of `count` elements of the type `type`, which the caller writes next. */
void etc_thrift_list(struct etc_thrift *t, uint8_t field, enum etc_thrift_type type,
                     uint32_t count);

/* etc_thrift_open() begins a struct in the field `field` of the open struct; etc_thrift_close()
 * ends it. For the outermost struct, which is in no field, `field` is 0. */
void etc_thrift_open(struct etc_thrift *t, uint8_t field);
void etc_thrift_close(struct etc_thrift *t);

#endif
