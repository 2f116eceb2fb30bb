/* serial_log.c -- see serial_log.h. */
#include "formats/etdump/serial_log.h"

#include "base/ascii.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "formats/etdump/etdump.h"
#include "model/limits.h"

/* SHORTEST_PIECE: a line with fewer base64 characters is taken for other output, not for the rest
 * of a wrapped line. SHORTEST_START: an echo with fewer base64 characters is not taken for a
 * dump. */
enum { SHORTEST_PIECE = 20, SHORTEST_START = 16 };

#define BEGIN ETC_STR("echo \"")
#define END   ETC_STR("| base64 -d >")

/* The argument of an echo command (echo "..."), which is being read. */
struct block {
	bool open;
	uint32_t line;         /* number of the first line of the block */
	struct etc_str prefix; /* text before the block in its first line */
	struct etc_text chars; /* base64 characters so far */
	uint32_t others;       /* number of lines of other output inside the block */
};

struct reader {
	struct etc_str rest; /* lines not yet read */
	uint32_t line;       /* number of the current line */
	struct etc_arena *arena;
	struct etc_serial_log *out;
	struct block block;
	struct etc_span buffer; /* debug buffer of the next dump */
	uint32_t others;        /* number of lines of other output inside the dump in `out` */
	uint32_t dumps;         /* number of complete dumps */
	/* The first damaged block: its line and fault. */
	enum etc_code damage;
	uint32_t damaged_line;
	char why[160];
	/* only a debug buffer is damaged so far; if a damaged dump is found later, the dump is
	 * reported instead */
	bool minor;
	/* The first dump that was truncated, and the debug buffer that was printed before it. */
	struct etc_span cut, cut_buffer;
	uint32_t cut_line;
	bool nomem;
};

static bool is_base64(char c)
{
	return etc_base64_digit(c) >= 0 || c == '=';
}

/* Returns the number of base64 characters at the start of `s`. */
static size_t run_of(struct etc_str s)
{
	size_t n = 0;

	while (n < s.len && is_base64(s.ptr[n]))
		n++;
	return n;
}

bool etc_serial_log_is(struct etc_span file)
{
	size_t most = ETC_LIMIT_LOG_LOOK;
	struct etc_str s = { (const char *)file.ptr, file.len < most ? file.len : most };
	size_t at = 0;

	if (etc_str_find(s, END, 0) != SIZE_MAX)
		return true;
	while ((at = etc_str_find(s, BEGIN, at)) != SIZE_MAX) {
		at += BEGIN.len;
		if (run_of(etc_str_sub(s, at, s.len)) >= SHORTEST_START)
			return true;
	}
	return false;
}

ETC_PRINTF(4, 5)
static void damage(struct reader *r, enum etc_code code, uint32_t line, const char *fmt, ...)
{
	va_list args;

	if (r->damage && !r->minor)
		return;
	r->minor = false;
	va_start(args, fmt);
	vsnprintf(r->why, sizeof r->why, fmt, args);
	va_end(args);
	r->damage = code;
	r->damaged_line = line;
}

/* --- one block ------------------------------------------------------------------- */

static void open_block(struct reader *r, struct etc_str prefix)
{
	struct block *b = &r->block;

	b->open = true;
	b->line = r->line;
	b->prefix = prefix;
	b->chars.len = 0;
	b->others = 0;
}

/* Decodes the block's characters into the arena; false if they are not base64. */
static bool decode(struct reader *r, const struct block *b, struct etc_span *out)
{
	const char *chars = b->chars.ptr;
	size_t n = b->chars.len, to = 0;
	uint8_t *bytes;

	if (n % 4 || n == 0) {
		damage(r, E0221, b->line, "%zu base64 characters, not a multiple of 4", n);
		return false;
	}
	bytes = etc_new(r->arena, uint8_t, n / 4 * 3);
	r->nomem |= !bytes || b->chars.failed;
	if (r->nomem)
		return false;
	while (n && b->chars.len - n < 2 && chars[n - 1] == '=')
		n--;
	for (size_t i = 0; i < n; i += 4) {
		uint32_t word = 0;

		for (size_t k = 0; k < 4; k++) {
			int v = i + k < n ? etc_base64_digit(chars[i + k]) : 0;

			if (v < 0) {
				damage(r, E0221, b->line, "padding after %zu of %zu characters",
				       i + k, b->chars.len);
				return false;
			}
			word = word << 6 | (uint32_t)v;
		}
		for (size_t k = 0; k < 3 && i + k + 1 < n; k++)
			bytes[to++] = (uint8_t)(word >> (16 - 8 * k));
	}
	*out = (struct etc_span){ bytes, to };
	return true;
}

static bool is_dump(struct etc_span b)
{
	return (etc_fits(b.len, 4, 4) && memcmp(b.ptr + 4, "ED", 2) == 0) ||
	       (etc_fits(b.len, 8, 4) && memcmp(b.ptr + 8, "ED", 2) == 0);
}

/* Handles the end of a block; `tail` is the text after the closing quote, with the name of the
 * file to write. A dump is also recognised by its bytes, in case the name is lost. */
static void close_block(struct reader *r, struct etc_str tail)
{
	struct block *b = &r->block;
	const bool named_dump = etc_str_find(tail, ETC_STR("etdump"), 0) != SIZE_MAX;
	const bool named_buffer = etc_str_find(tail, ETC_STR("debug_buffer"), 0) != SIZE_MAX;
	struct etc_span bytes = { 0 };
	bool ok;

	b->open = false;
	if (!named_dump && !named_buffer && etc_str_find(tail, ETC_STR("base64"), 0) == SIZE_MAX &&
	    b->chars.len < SHORTEST_START)
		return; /* this echo is no part of a dump */
	ok = decode(r, b, &bytes);
	if (named_buffer) {
		r->minor |= !ok && r->damaged_line == b->line;
		r->buffer = bytes;
		return;
	}
	if (ok && (named_dump || is_dump(bytes))) {
		r->out->dump = bytes;
		r->out->debug_buffer = r->buffer;
		r->out->line = b->line;
		r->others = b->others;
		r->dumps++;
	}
	r->buffer = (struct etc_span){ 0 };
}

static void cut_block(struct reader *r)
{
	struct block *b = &r->block;
	struct etc_span bytes = { 0 };

	damage(r, E0220, b->line, "no end after %zu base64 characters", b->chars.len);
	b->chars.len &= ~(size_t)3;
	if (!r->cut.len && decode(r, b, &bytes) && is_dump(bytes)) {
		r->cut = bytes;
		r->cut_buffer = r->buffer;
		r->cut_line = b->line;
	}
	b->open = false;
	r->buffer = (struct etc_span){ 0 };
}

/* --- lines ------------------------------------------------------------------------ */

/* Does another line of the log begin at character n - 1 of `s`, counted from 0? In "QUJDI
 * [executorch:file.cpp:7] ..." with n = 5, the I is the log level of the other line. */
static bool is_interrupted(struct etc_str s, size_t n)
{
	return n && etc_str_starts(etc_str_sub(s, n, s.len), ETC_STR(" [")) &&
	       strchr("DIEFW", s.ptr[n - 1]);
}

/* Adds text to the current block, until the end of the block, the end of the line, or another line
 * that was printed into this one. */
static void take(struct reader *r, struct etc_str s)
{
	struct block *b = &r->block;
	size_t n = run_of(s);

	if (n == s.len) {
		etc_text_put(&b->chars, s);
		return;
	}
	if (s.ptr[n] == '"') {
		etc_text_put(&b->chars, etc_str_sub(s, 0, n));
		close_block(r, etc_str_sub(s, n + 1, s.len));
		return;
	}
	if (is_interrupted(s, n))
		n--;
	else if (s.ptr[n] != '[') {
		damage(r, E0221, r->line, "a character that is no base64");
		b->open = false;
		r->buffer = (struct etc_span){ 0 };
		return;
	}
	etc_text_put(&b->chars, etc_str_sub(s, 0, n));
	b->others++;
}

/* Skips the prefix of the line, which must be equal to the prefix of the block's first line except
 * for digits. False: the line has another prefix. */
static bool skip_prefix(struct etc_str prefix, struct etc_str *line)
{
	size_t i = 0, k = 0;

	while (i < prefix.len) {
		if (k >= line->len)
			return false;
		if (prefix.ptr[i] >= '0' && prefix.ptr[i] <= '9') {
			if (line->ptr[k] < '0' || line->ptr[k] > '9')
				return false;
			while (i < prefix.len && prefix.ptr[i] >= '0' && prefix.ptr[i] <= '9')
				i++;
			while (k < line->len && line->ptr[k] >= '0' && line->ptr[k] <= '9')
				k++;
		} else if (prefix.ptr[i++] != line->ptr[k++]) {
			return false;
		}
	}
	*line = etc_str_sub(*line, k, line->len);
	return true;
}

/* Handles a line inside a block. It may continue the block, end it, or be output of something
 * else. */
static void go_on(struct reader *r, struct etc_str line)
{
	struct etc_str piece = line;
	size_t n;

	if (etc_str_find(line, ETC_STR("#["), 0) != SIZE_MAX) {
		cut_block(r);
		return;
	}
	if (!skip_prefix(r->block.prefix, &piece))
		piece = line;
	n = run_of(piece);
	if (n < piece.len ? piece.ptr[n] == '"' || is_interrupted(piece, n) : n >= SHORTEST_PIECE)
		take(r, piece);
	else if (line.len)
		r->block.others++;
}

static void read_line(struct reader *r, struct etc_str line)
{
	size_t at = etc_str_find(line, BEGIN, 0);

	if (at != SIZE_MAX) {
		if (r->block.open)
			cut_block(r);
		open_block(r, etc_str_sub(line, 0, at));
		take(r, etc_str_sub(line, at + BEGIN.len, line.len));
	} else if (r->block.open) {
		go_on(r, line);
	} else if (etc_str_find(line, END, 0) != SIZE_MAX) {
		damage(r, E0220, r->line, "the beginning of the base64 text is missing");
		r->buffer = (struct etc_span){ 0 };
	}
}

static bool next_line(struct reader *r, struct etc_str *line)
{
	size_t end;

	if (r->rest.len == 0)
		return false;
	end = etc_str_find(r->rest, ETC_STR("\n"), 0);
	end = end == SIZE_MAX ? r->rest.len : end;
	*line = etc_str_sub(r->rest, 0, end);
	while (line->len && (line->ptr[line->len - 1] == '\r' || line->ptr[line->len - 1] == ' '))
		line->len--;
	r->rest = etc_str_sub(r->rest, end + 1, r->rest.len);
	r->line++;
	return true;
}

static void report(const struct reader *r, struct etc_notes *notes)
{
	char others[64] = "";

	if (r->others)
		snprintf(others, sizeof others, "; lines of the log in the middle of it: %u",
		         (unsigned)r->others);
	etc_note(notes, N0223, "%zu bytes from line %u%s", r->out->dump.len, (unsigned)r->out->line,
	         others);
	if (r->dumps > 1)
		etc_note(notes, N0224, "%u of them; the last one is used, of line %u",
		         (unsigned)r->dumps, (unsigned)r->out->line);
	if (r->damage)
		etc_note(notes, W0222, "line %u: %s", (unsigned)r->damaged_line, r->why);
}

static enum etc_status read_log(struct reader *r, struct etc_span file, struct etc_notes *notes,
                                struct etc_error *err)
{
	struct etc_str line;
	enum etc_status st;

	*r->out = (struct etc_serial_log){ 0 };
	r->rest = (struct etc_str){ (const char *)file.ptr, file.len };
	while (!r->nomem && next_line(r, &line))
		read_line(r, line);
	r->nomem |= r->block.chars.failed;
	if (r->block.open)
		cut_block(r);
	etc_text_release(&r->block.chars);
	if (r->nomem)
		return etc_no_memory(err);
	if (r->dumps) {
		report(r, notes);
		return ETC_OK;
	}
	st = r->damage ? etc_fail(err, r->damage, "%s", r->why)
	               : etc_fail(err, E0220, "the log holds no etdump.bin");
	if (err)
		err->line = r->damaged_line;
	return st;
}

enum etc_status etc_serial_log_read(struct etc_span file, struct etc_arena *arena,
                                    struct etc_notes *notes, struct etc_serial_log *out,
                                    struct etc_error *err)
{
	struct reader r = { .arena = arena, .out = out };
	enum etc_status st = read_log(&r, file, notes, err);

	if (st == ETC_CORRUPT && r.cut.len && err)
		etc_etdump_tell_whole(r.cut, NULL, err);
	return st;
}

enum etc_status etc_serial_log_salvage(struct etc_span file, struct etc_arena *arena,
                                       struct etc_notes *notes, struct etc_serial_log *out,
                                       struct etc_error *err)
{
	struct reader r = { .arena = arena, .out = out };
	enum etc_status st = read_log(&r, file, notes, err);

	if (st != ETC_CORRUPT || !r.cut.len)
		return st;
	*out = (struct etc_serial_log){ r.cut, r.cut_buffer, r.cut_line };
	if (r.damaged_line == r.cut_line)
		/* the damaged block is itself the dump that is used, so it is not reported as a
		 * block that was left out */
		r.damage = ETC_CODE_NONE;
	report(&r, notes);
	return ETC_OK;
}
