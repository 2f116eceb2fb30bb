/* screen.c -- finds properties of the terminal, and filters output for it; see screen.h */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/screen.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fold.h"
#include "base/progress.h"

/* Returns the width of the terminal at `fd` in columns; 0: it is not a terminal. If the environment
 * variable COLUMNS is set, returns its value instead; but if `fd` is standard error and not a
 * terminal, always returns 0, because lines may then have any length. */
static unsigned terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;

	if (fd == STDERR_FILENO && !isatty(fd))
		return 0;
	if (columns && atoi(columns) > 0)
		return (unsigned)atoi(columns);
	if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0)
		return w.ws_col;
	return 0;
}

/* Are colours used without --color? They are if standard output is a terminal that supports them,
 * and NO_COLOR is not set. */
static bool is_color_terminal(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && no[0]) && term && term[0] &&
	       strcmp(term, "dumb") != 0;
}

/* Does the terminal use UTF-8? The first of the variables below that is set decides. */
static bool is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *v = getenv(names[i]);

		if (v && v[0])
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "utf-8") ||
			       strstr(v, "UTF8");
	}
	return false;
}

/* Does the command `question` have an option called `name`? */
static bool has(const char *question, const char *name)
{
	struct etcore_option_info o = { .size = sizeof o };

	for (uint32_t i = 0; etcore_option(question, i, &o); i++)
		if (strcmp(o.name, name) == 0)
			return true;
	return false;
}

int etc_screen_set(struct etcore_query *q, const char *question, bool verbose,
                   struct etcore_diagnostic *err)
{
	char width[16];
	int st = ETCORE_STATUS_OK;

	if (has(question, "progress") && (verbose || isatty(STDERR_FILENO)))
		st = etcore_set(q, "progress", "2", err);
	if (st != ETCORE_STATUS_OK || !has(question, "width"))
		return st;
	snprintf(width, sizeof width, "%u", etc_screen_width());
	st = etcore_set(q, "width", width, err);
	if (st == ETCORE_STATUS_OK && is_color_terminal())
		st = etcore_set(q, "terminal", NULL, err);
	if (st == ETCORE_STATUS_OK && isatty(STDOUT_FILENO) && !is_utf8())
		st = etcore_set(q, "ascii", NULL, err);
	return st;
}

void etc_screen_progress(const char *question)
{
	const char *term = getenv("TERM");

	if (!isatty(STDERR_FILENO) || has(question, "progress"))
		return;
	if (!term || strcmp(term, "dumb") != 0) /* a dumb terminal cannot erase a line */
		etc_progress_begin(STDERR_FILENO);
}

int etc_screen_print(const struct etc_text *text, FILE *to)
{
	const int fd = fileno(to);
	struct etc_fold fold = { .width = terminal_width(fd), .ascii = isatty(fd) && !is_utf8() };
	struct etc_text out = { 0 };
	struct etc_str shown = etc_text_str(text);
	int refused = 0;

	if (fold.width || fold.ascii) {
		etc_fold_put(&fold, shown, &out);
		etc_fold_end(&fold, &out);
		shown = etc_text_str(&out);
	}
	if (text->failed || out.failed)
		refused = ENOMEM;
	else if (fwrite(shown.ptr, 1, shown.len, to) != shown.len)
		refused = errno;
	etc_text_release(&out);
	return refused;
}

unsigned etc_screen_width(void)
{
	return terminal_width(STDOUT_FILENO);
}

bool etc_screen_is(void)
{
	return isatty(STDOUT_FILENO);
}

/* Returns the length of the colour sequence (ESC [ ... m) that starts at `at`; 0: none starts
 * there. */
static size_t color_at(struct etc_str s, size_t at)
{
	size_t end = at + 2;

	if (!etc_fits(s.len, at, 3) || s.ptr[at] != '\033' || s.ptr[at + 1] != '[')
		return 0;
	while (end < s.len && (s.ptr[end] == ';' || (s.ptr[end] >= '0' && s.ptr[end] <= '9')))
		end++;
	return end < s.len && s.ptr[end] == 'm' ? end + 1 - at : 0;
}

/* Returns the number of bytes of an incomplete UTF-8 character at the end of `s`; 0: `s` ends with
 * a complete one. */
static size_t begun(struct etc_str s)
{
	for (size_t n = 1; n <= 3 && n <= s.len; n++) {
		unsigned char c = (unsigned char)s.ptr[s.len - n];

		if (c >= 0xc0)
			return n < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? n : 0;
		if (c < 0x80)
			return 0;
	}
	return 0;
}

static void clean(struct etc_text *out, struct etc_str s)
{
	size_t plain = 0, at = 0;

	while (at < s.len) {
		size_t from = at, color = color_at(s, at);
		int32_t cp;

		if (color || s.ptr[at] == '\n' || s.ptr[at] == '\t') {
			at += color ? color : 1;
			continue;
		}
		cp = etc_utf8_next(s, &at);
		if (cp >= 0 && etc_utf8_printable(cp))
			continue;
		etc_text_put(out, etc_str_sub(s, plain, from));
		etc_text_clean(out, etc_str_sub(s, from, at), "");
		plain = at;
	}
	etc_text_put(out, etc_str_sub(s, plain, s.len));
}

void etc_screen_clean(struct etc_text *out, struct etc_str piece, struct etc_screen_tail *tail)
{
	struct etc_text whole = { 0 };
	size_t keep;

	etc_text_put(&whole, (struct etc_str){ tail->bytes, tail->len });
	etc_text_put(&whole, piece);
	keep = piece.len ? begun(etc_text_str(&whole)) : 0;
	clean(out, etc_str_sub(etc_text_str(&whole), 0, whole.len - keep));
	tail->len = keep;
	if (keep)
		memcpy(tail->bytes, whole.ptr + whole.len - keep, keep);
	out->failed = out->failed || whole.failed;
	etc_text_release(&whole);
}
