/* fold.c -- see fold.h */
#include "base/fold.h"

#include "base/ascii.h"

enum { GAP = 2, INDENT_MAX = 24 };

/* Appends `s`; characters outside of ASCII are replaced by ASCII. */
static void put_ascii(struct etc_text *out, struct etc_str s)
{
	static const struct {
		int32_t cp;
		const char *ascii;
	} signs[] = {
		{ 0xb5, "u" },     { 0xd7, "x" },    { 0xb7, "." },   { 0xb1, "+-" },
		{ 0x2026, "..." }, { 0x2013, "-" },  { 0x2014, "-" }, { 0x2192, "->" },
		{ 0x2264, "<=" },  { 0x2265, ">=" }, { 0x2581, "_" }, { 0x2582, "." },
		{ 0x2583, ":" },   { 0x2584, "-" },  { 0x2585, "=" }, { 0x2586, "+" },
		{ 0x2587, "*" },   { 0x2588, "#" },
	};

	if (etc_is_ascii(s)) {
		etc_text_put(out, s);
		return;
	}
	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		int32_t cp = etc_utf8_next(s, &at);
		/* replace the character by one as wide as it is, so that columns stay aligned */
		const char *ascii = etc_utf8_width(etc_str_sub(s, from, at)) == 2 ? "??" : "?";

		if (cp >= 0 && cp < 0x80) {
			etc_text_put(out, etc_str_sub(s, from, at));
			continue;
		}
		for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
			if (signs[i].cp == cp)
				ascii = signs[i].ascii;
		etc_text_cstr(out, ascii);
	}
}

/* Returns the position after the character at `at` and sets `*width` to its columns. A colour
 * sequence is skipped as a whole, and has the width 0. */
static size_t next_character(struct etc_str s, size_t at, size_t *width)
{
	size_t from = at;

	*width = 0;
	if (s.ptr[at] == '\033') {
		while (at < s.len && s.ptr[at] != 'm')
			at++;
		return at < s.len ? at + 1 : at;
	}
	(void)etc_utf8_next(s, &at);
	*width = etc_utf8_width(etc_str_sub(s, from, at));
	return at;
}

static size_t indent_of(struct etc_str s)
{
	size_t n = 0;

	while (n < s.len && s.ptr[n] == ' ')
		n++;
	return n;
}

/* Returns the indentation of continuation lines of the line `s`, in columns. */
static size_t hanging(struct etc_str s, size_t width)
{
	size_t at = indent_of(s), plain = at + GAP, gap = etc_str_find(s, ETC_STR("  "), at);

	if (gap != SIZE_MAX) {
		size_t text = gap + indent_of(etc_str_sub(s, gap, s.len));

		text = etc_utf8_width(etc_str_sub(s, 0, text));
		if (text <= INDENT_MAX && text <= width / 3)
			return text;
	}
	return plain <= width / 3 ? plain : 0;
}

/* Does a unit begin at `at`, such as "ms" in "5 ms,"? */
static bool is_unit(struct etc_str s, size_t at)
{
	static const struct etc_str units[] = {
		{ "%", 1 },  { "\xc2\xb5s", 3 }, { "us", 2 },       { "ms", 2 }, { "ns", 2 },
		{ "s", 1 },  { "min", 3 },       { "\xc3\x97", 2 }, { "x", 1 },  { "bytes", 5 },
		{ "kB", 2 }, { "MB", 2 },        { "GB", 2 },
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t end = at + units[i].len;

		if (etc_str_starts(etc_str_sub(s, at, s.len), units[i]) &&
		    (end == s.len || !etc_is_alphanumeric(s.ptr[end])))
			return true;
	}
	return false;
}

bool etc_fold_may_break(struct etc_str s, size_t at)
{
	return s.ptr[at] == ' ' && !(at > 0 && etc_is_digit(s.ptr[at - 1]) && is_unit(s, at + 1));
}

/* Returns the index at which to break the line `s` so that its first part has at most `width`
 * columns: the last blank that fits. If the first word is too long, returns the position after
 * its last '|' that fits; without such a '|', the end of the word. s.len: the line need not be
 * broken. */
static size_t line_end(struct etc_str s, size_t width)
{
	size_t used = 0, best = 0, bar = 0, w;

	for (size_t at = 0, next, indent = indent_of(s); at < s.len; at = next) {
		next = next_character(s, at, &w);
		if (at > indent && (used <= width || best == 0) && etc_fold_may_break(s, at))
			best = at;
		used += w;
		if (s.ptr[at] == '|' && used <= width)
			bar = next;
		if (used > width && (best || bar))
			return best ? best : bar;
	}
	return s.len;
}

static struct etc_str trimmed(struct etc_str s)
{
	while (s.len && s.ptr[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* Does the line `s` contain a command that a screen suggests to the user (core/table/text.c)?
 * Such a line is not wrapped, so that the command can be copied. */
static bool is_command(struct etc_str s)
{
	return etc_str_starts(s, ETC_STR("next: etcore ")) ||
	       etc_str_starts(s, ETC_STR("      etcore "));
}

/* Writes one line, wrapped, without its line end. */
static void put_line(const struct etc_fold *f, struct etc_str s, struct etc_text *out)
{
	size_t hang = f->hang ? f->hang : hanging(s, f->width), width = f->width;

	while (f->width && !is_command(s)) {
		size_t end = line_end(s, width);

		if (end == s.len)
			break;
		etc_text_put(out, trimmed(etc_str_sub(s, 0, end)));
		s = etc_str_sub(s, end, s.len);
		s = etc_str_sub(s, indent_of(s), s.len);
		if (s.len == 0)
			return;
		etc_text_char(out, '\n');
		etc_text_repeat(out, " ", hang);
		width = f->width - hang;
	}
	etc_text_put(out, s);
}

static void end_line(struct etc_fold *f, struct etc_text *out)
{
	struct etc_text plain = { 0 };

	if (f->ascii)
		put_ascii(&plain, etc_text_str(&f->line));
	put_line(f, etc_text_str(f->ascii ? &plain : &f->line), out);
	out->failed = out->failed || f->line.failed || plain.failed;
	etc_text_release(&plain);
	f->line.len = 0;
}

void etc_fold_put(struct etc_fold *f, struct etc_str s, struct etc_text *out)
{
	for (size_t from = 0; from < s.len;) {
		size_t end = etc_str_find(s, ETC_STR("\n"), from);

		etc_text_put(&f->line, etc_str_sub(s, from, end == SIZE_MAX ? s.len : end));
		if (end == SIZE_MAX)
			return;
		end_line(f, out);
		etc_text_char(out, '\n');
		from = end + 1;
	}
}

void etc_fold_end(struct etc_fold *f, struct etc_text *out)
{
	end_line(f, out);
	etc_text_release(&f->line);
}
