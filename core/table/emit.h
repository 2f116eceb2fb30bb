/* emit.h -- writes a JSON document value by value, for documents that are not tables. The memory
 * needed does not depend on the document's length.
 *
 * etc_emit_open(&e, NULL, '{');
 * etc_emit_i64(&e, "version", 0);
 * etc_emit_open(&e, "runs", '[');
 * ...
 * etc_emit_close(&e);
 * etc_emit_close(&e);
 *
 * `name` is NULL for elements of an array and for the root. Objects and arrays are written on one
 * line, except those opened with etc_emit_block(), which have a line for each member. A failed
 * allocation is recorded in the text (etc_text.failed). */
#ifndef ETC_TABLE_EMIT_H
#define ETC_TABLE_EMIT_H

#include "base/text.h"

enum { ETC_EMIT_DEPTH = 16 };

struct etc_emit {
	struct etc_text *out;
	unsigned depth;
	struct {
		char end;   /* '}' or ']' */
		bool block; /* each member is on a line of its own */
		bool any;   /* a member has been written */
	} level[ETC_EMIT_DEPTH];
};

/* etc_emit_open() begins an object (`bracket` '{') or an array ('['). etc_emit_block() does the
 * same, but writes each member on a line of its own. etc_emit_close() ends it. */
void etc_emit_open(struct etc_emit *e, const char *name, char bracket);
void etc_emit_block(struct etc_emit *e, const char *name, char bracket);
void etc_emit_close(struct etc_emit *e);

/* Like etc_emit_open(), with a name that comes from a file, so it may need escapes. */
void etc_emit_open_key(struct etc_emit *e, struct etc_str key, char bracket);

/* Write the comma, the line break and the name before a member. The caller then writes the member's
 * value. */
void etc_emit_name(struct etc_emit *e, const char *name);
void etc_emit_key(struct etc_emit *e, struct etc_str key);

void etc_emit_null(struct etc_emit *e, const char *name);
void etc_emit_bool(struct etc_emit *e, const char *name, bool v);
void etc_emit_i64(struct etc_emit *e, const char *name, int64_t v);
void etc_emit_u64(struct etc_emit *e, const char *name, uint64_t v);

/* Writes the shortest decimal number that reads back as the same double. Writes "nan", "inf" or
 * "-inf" as text, because JSON has no such numbers. */
void etc_emit_real(struct etc_emit *e, const char *name, double v);

/* Writes a text as member `name`, null if s.ptr is NULL. Invalid UTF-8 becomes U+FFFD; then a
 * member "<name>_hex" with the bytes follows. */
void etc_emit_text(struct etc_emit *e, const char *name, struct etc_str s);

/* Writes a text as member `name`; null if `s` is NULL. */
static inline void etc_emit_cstr(struct etc_emit *e, const char *name, const char *s)
{
	etc_emit_text(e, name, s ? etc_str_of(s) : ETC_STR_NONE);
}

/* Writes a number as member `name`; null if `v` is nan. */
static inline void etc_emit_known(struct etc_emit *e, const char *name, double v)
{
	if (v != v)
		etc_emit_null(e, name);
	else
		etc_emit_real(e, name, v);
}

/* Writes bytes in lower-case hexadecimal digits as member `name`; null if bytes.ptr is NULL. */
void etc_emit_hex(struct etc_emit *e, const char *name, struct etc_span bytes);

#endif
