/* emit.c -- see emit.h */
#include "table/emit.h"

#include <stdio.h>

/* Writes the comma and line break before a member of the current level. */
static void begin(struct etc_emit *e)
{
	unsigned top = e->depth - 1;

	if (e->depth == 0)
		return;
	if (e->level[top].any)
		etc_text_char(e->out, ',');
	if (e->level[top].block) {
		etc_text_char(e->out, '\n');
		etc_text_repeat(e->out, " ", e->depth);
	} else if (e->level[top].any) {
		etc_text_char(e->out, ' ');
	}
	e->level[top].any = true;
}

void etc_emit_key(struct etc_emit *e, struct etc_str key)
{
	begin(e);
	etc_text_json_string(e->out, key);
	etc_text_cstr(e->out, ": ");
}

void etc_emit_name(struct etc_emit *e, const char *name)
{
	if (name)
		etc_emit_key(e, etc_str_of(name));
	else
		begin(e);
}

static void push(struct etc_emit *e, char bracket, bool block)
{
	etc_text_char(e->out, bracket);
	/* Only a mistake in etcore itself can lead here, because the depth of a document does not
	 * depend on the input. */
	if (e->depth == ETC_EMIT_DEPTH) {
		e->out->failed = true;
		return;
	}
	e->level[e->depth].end = bracket == '{' ? '}' : ']';
	e->level[e->depth].block = block;
	e->level[e->depth].any = false;
	e->depth++;
}

void etc_emit_open(struct etc_emit *e, const char *name, char bracket)
{
	etc_emit_name(e, name);
	push(e, bracket, false);
}

void etc_emit_block(struct etc_emit *e, const char *name, char bracket)
{
	etc_emit_name(e, name);
	push(e, bracket, true);
}

void etc_emit_open_key(struct etc_emit *e, struct etc_str key, char bracket)
{
	etc_emit_key(e, key);
	push(e, bracket, false);
}

void etc_emit_close(struct etc_emit *e)
{
	if (e->depth == 0)
		return;
	e->depth--;
	etc_text_char(e->out, e->level[e->depth].end);
	if (e->depth == 0)
		etc_text_char(e->out, '\n');
}

void etc_emit_null(struct etc_emit *e, const char *name)
{
	etc_emit_name(e, name);
	etc_text_cstr(e->out, "null");
}

void etc_emit_bool(struct etc_emit *e, const char *name, bool v)
{
	etc_emit_name(e, name);
	etc_text_cstr(e->out, v ? "true" : "false");
}

void etc_emit_i64(struct etc_emit *e, const char *name, int64_t v)
{
	etc_emit_name(e, name);
	etc_text_i64(e->out, v);
}

void etc_emit_u64(struct etc_emit *e, const char *name, uint64_t v)
{
	etc_emit_name(e, name);
	etc_text_u64(e->out, v);
}

void etc_emit_real(struct etc_emit *e, const char *name, double v)
{
	etc_emit_name(e, name);
	etc_text_json_real(e->out, v);
}

void etc_emit_text(struct etc_emit *e, const char *name, struct etc_str s)
{
	char hex[64];

	if (!s.ptr) {
		etc_emit_null(e, name);
		return;
	}
	etc_emit_name(e, name);
	etc_text_json_string(e->out, s);
	if (!name || etc_utf8_fault(s) == SIZE_MAX)
		return;
	snprintf(hex, sizeof hex, "%s_hex", name);
	etc_emit_hex(e, hex, etc_span_of(s));
}

void etc_emit_hex(struct etc_emit *e, const char *name, struct etc_span bytes)
{
	etc_emit_name(e, name);
	if (!bytes.ptr) {
		etc_text_cstr(e->out, "null");
		return;
	}
	etc_text_char(e->out, '"');
	etc_text_hex(e->out, bytes);
	etc_text_char(e->out, '"');
}
