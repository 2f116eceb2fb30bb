/* protobuf.h -- appends data in the wire format of Protocol Buffers to a text. */
#ifndef ETC_COMMANDS_TRACE_PROTOBUF_H
#define ETC_COMMANDS_TRACE_PROTOBUF_H

#include "base/text.h"

enum { ETC_WIRE_VARINT = 0, ETC_WIRE_64 = 1, ETC_WIRE_BYTES = 2, ETC_VARINT_MAX = 10 };

/* Writes `v` as a varint of at most ETC_VARINT_MAX bytes, and returns a pointer to the byte after
 * it. */
static inline char *etc_varint_put(char *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (char)(v | 0x80);
	*to++ = (char)v;
	return to;
}

static inline void etc_pb_varint(struct etc_text *t, uint64_t v)
{
	char *to = etc_text_reserve(t, ETC_VARINT_MAX);

	if (to)
		t->len += (size_t)(etc_varint_put(to, v) - to);
}

static inline void etc_pb_u64(struct etc_text *t, uint32_t field, uint64_t v)
{
	etc_pb_varint(t, field << 3 | ETC_WIRE_VARINT);
	etc_pb_varint(t, v);
}

static inline void etc_pb_fixed64(struct etc_text *t, uint32_t field, uint64_t v)
{
	char *to;

	etc_pb_varint(t, field << 3 | ETC_WIRE_64);
	to = etc_text_reserve(t, 8);
	if (!to)
		return;
	for (int i = 0; i < 8; i++)
		to[i] = (char)(v >> 8 * i);
	t->len += 8;
}

/* Appends field number `field` with the bytes `s`: a string, or an embedded message that is already
 * encoded. */
static inline void etc_pb_bytes(struct etc_text *t, uint32_t field, struct etc_str s)
{
	etc_pb_varint(t, field << 3 | ETC_WIRE_BYTES);
	etc_pb_varint(t, s.len);
	etc_text_put(t, s);
}

#endif
