/* command.c -- `etcore explain CODE`: shows the page of one diagnostic, or lists the
 * diagnostics. */
#include <ctype.h>

#include "base/codes.h"
#include "base/text.h"
#include "context/output.h"
#include "context/question.h"
#include "table/emit.h"

/* ---- pages --------------------------------------------------------------------- */

/* The pages are docs/codes/NN.md, embedded when etcore is built. In these files, a heading "##
 * W0203: title" begins the page of a code. The page has the cause, an example in a block
 * ```console, and the remedy. The text is searched only when a page is requested. */

/* The parts of a page, as views into the text of all pages. Empty lines at the start and end of a
 * part are left out. */
struct page {
	struct etc_str cause;   /* paragraphs */
	struct etc_str example; /* command lines, which begin with "$ ", and their output */
	struct etc_str remedy;  /* paragraphs */
};

/* The text of all pages, made by commands/explain/pages.cmake. */
extern const unsigned char etc_pages_text[];
extern const size_t etc_pages_size;

static struct etc_str between(struct etc_str s, size_t from, size_t to)
{
	while (from < to && (s.ptr[from] == '\n' || s.ptr[from] == ' '))
		from++;
	while (to > from && (s.ptr[to - 1] == '\n' || s.ptr[to - 1] == ' '))
		to--;
	return (struct etc_str){ s.ptr + from, to - from };
}

/* Returns the index of the first `what` in `s` at or after `from`; s.len if there is none. */
static size_t find(struct etc_str s, size_t from, const char *what)
{
	size_t at = etc_str_find(s, etc_str_of(what), from);

	return at == SIZE_MAX ? s.len : at;
}

/* Returns the start of the line after the line that contains byte `at`. */
static size_t next_line(struct etc_str s, size_t at)
{
	while (at < s.len && s.ptr[at] != '\n')
		at++;
	return at + (at < s.len);
}

/* Finds the page of a code. Returns false if the code has no page (tests/codes.py makes sure that
 * every code has one). */
static bool find_page(const struct etc_code_info *code, struct page *out)
{
	struct etc_str all = { (const char *)etc_pages_text, etc_pages_size };
	char heading[] = "\n## E0000: ";
	size_t from, open, close;

	*out = (struct page){ 0 };
	memcpy(heading + 4, code->name, 5);
	from = find(all, 0, heading);
	if (from == all.len)
		return false;
	from = next_line(all, from + 1);
	all.len = find(all, from, "\n## ");
	open = find(all, from, "\n```");
	out->cause = between(all, from, open);
	open = next_line(all, open + 1);
	close = find(all, open, "\n```");
	out->example = between(all, open, close);
	out->remedy = between(all, next_line(all, close + 1), all.len);
	return true;
}

/* Returns the word at *at, and moves *at to the end of the word; empty at the end of the text. Sets
 * `*line` to whether the word begins a line, and `*gap` to whether it begins a paragraph. */
static struct etc_str next_word(struct etc_str s, size_t *at, bool *line, bool *gap)
{
	unsigned lines = *at == 0;
	size_t from;

	for (; *at < s.len && (s.ptr[*at] == ' ' || s.ptr[*at] == '\n'); ++*at)
		lines += s.ptr[*at] == '\n';
	from = *at;
	while (*at < s.len && s.ptr[*at] != ' ' && s.ptr[*at] != '\n')
		++*at;
	*line = lines > 0;
	*gap = lines > 1;
	return (struct etc_str){ s.ptr + from, *at - from };
}

/* Writes paragraphs as lines of at most `width` columns, indented by two. In `text`, empty lines
 * separate paragraphs. A line that starts with "- " begins a new paragraph, whose other lines are
 * indented by two more. */
static void put_paragraphs(struct etc_text *out, struct etc_str text, unsigned width)
{
	size_t at = 0, used = 0, hang = 0;
	struct etc_str word;
	bool line, gap;

	while ((word = next_word(text, &at, &line, &gap)).len > 0) {
		size_t columns = etc_utf8_width(word);
		bool item = line && etc_str_eq(word, ETC_STR("-"));

		if (used == 0 || gap || item) {
			if (used > 0)
				etc_text_cstr(out, gap ? "\n\n" : "\n");
			etc_text_cstr(out, "  ");
			hang = item ? 2 : 0;
			used = 2;
		} else if (used + 1 + columns > width) {
			etc_text_char(out, '\n');
			used = 2 + hang;
			etc_text_repeat(out, " ", used);
		} else {
			etc_text_char(out, ' ');
			used++;
		}
		etc_text_put(out, word);
		used += columns;
	}
	if (used > 0)
		etc_text_char(out, '\n');
}

/* Writes lines unchanged, indented by `indent`. */
static void put_lines(struct etc_text *out, struct etc_str text, unsigned indent)
{
	for (size_t at = 0; at < text.len;) {
		size_t end = next_line(text, at);
		struct etc_str line = { text.ptr + at, end - at };

		if (line.len && line.ptr[line.len - 1] == '\n')
			line.len--;
		if (line.len)
			etc_text_repeat(out, " ", indent);
		etc_text_put(out, line);
		etc_text_char(out, '\n');
		at = end;
	}
}

struct args {
	struct etc_common_options common;
	struct etc_opt_list output;
};

/* clang-format off */
static const struct etc_opt options[] = {
	ETC_OUTPUT_ROW(struct args, ETC_TEXT_JSON_FORMATS, ""),
	ETC_SHOWN_ROWS(struct args),
};
/* clang-format on */

enum { WIDEST = 100, USUAL = 80, NARROWEST = 40, OPTIONS_MAX = 1 << 20 };

/* The codes that an operand selects, and how to print them. */
struct choice {
	const struct etc_code_info *codes;
	unsigned count;
	bool list; /* show only the titles */
	unsigned width;
};

static void put_page(const struct etc_code_info *info, unsigned width, struct etc_text *out)
{
	struct page page;

	etc_text_printf(out, "%s  %s\n", info->name, info->title);
	if (find_page(info, &page)) {
		etc_text_cstr(out, "\nCause\n");
		put_paragraphs(out, page.cause, width);
		etc_text_cstr(out, "\nExample\n");
		put_lines(out, page.example, 2);
		etc_text_cstr(out, "\nRemedy\n");
		put_paragraphs(out, page.remedy, width);
	} else if (info->hint[0]) {
		etc_text_cstr(out, "\nRemedy\n");
		put_paragraphs(out, etc_str_of(info->hint), width);
	}
	if (info->letter == 'N')
		etc_text_cstr(out, "\nA note does not change the exit status.\n");
	else
		etc_text_printf(out, "\nStatus %d (%s)%s\n", info->status,
		                etc_status_text((enum etc_status)info->status),
		                info->letter == 'E' ? "" : ", with --strict");
}

static void put_text(void *what, struct etc_text *out)
{
	const struct choice *c = what;

	for (unsigned i = 0; i < c->count; i++)
		if (c->list)
			etc_text_printf(out, "%s  %s\n", c->codes[i].name, c->codes[i].title);
		else
			put_page(&c->codes[i], c->width, out);
}

static void put_json(void *what, struct etc_text *out)
{
	const struct choice *c = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '[');
	for (unsigned i = 0; i < c->count; i++) {
		const struct etc_code_info *info = &c->codes[i];
		struct page page;

		(void)find_page(info, &page);
		etc_emit_block(&e, NULL, '{');
		etc_emit_text(&e, "code", etc_str_of(info->name));
		etc_emit_text(&e, "severity", etc_str_of(etc_code_severity(info)));
		etc_emit_text(&e, "title", etc_str_of(info->title));
		etc_emit_text(&e, "hint", etc_str_of(info->hint));
		etc_emit_i64(&e, "status", info->letter == 'N' ? ETC_OK : info->status);
		etc_emit_text(&e, "cause", page.cause);
		etc_emit_text(&e, "example", page.example);
		etc_emit_text(&e, "remedy", page.remedy);
		etc_emit_close(&e);
	}
	etc_emit_close(&e);
	etc_text_char(out, '\n');
}

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_DOCUMENT_FORMAT);

/* Parses a number of two or four digits at `*word`, and moves `*word` to the end of the number;
 * after two digits, "xx" is skipped, too. For four digits, sets both `*first` and `*last` to the
 * number. For two digits, sets them to the range of all numbers that begin with these digits.
 * Returns false for any other number of digits. */
static bool digits(const char **word, unsigned *first, unsigned *last)
{
	size_t n = strspn(*word, "0123456789");
	unsigned v = 0;

	for (size_t i = 0; i < n && i < 4; i++)
		v = v * 10 + (unsigned)((*word)[i] - '0');
	*word += n;
	*first = *last = v;
	if (n == 2) {
		*first = v * 100;
		*last = *first + 99;
		*word += strncmp(*word, "xx", 2) == 0 ? 2 : 0;
	}
	return n == 2 || n == 4;
}

/* Finds the codes that a word selects. E0203, W0203 and 0203 all select W0203, because numbers are
 * unique. 02 and 02xx select all numbers that begin with 02. 0201-0217 and 02-04 select a range,
 * including both ends. Returns false if the word has another form, or if no such code exists. */
static bool choose(const char *word, struct choice *c)
{
	unsigned first, last, low, high, from = 0;

	if (isalpha((unsigned char)*word) && strlen(word) == 5)
		word++;
	if (!digits(&word, &first, &last))
		return false;
	c->list = first != last || *word == '-';
	if (*word == '-') {
		word++;
		if (!digits(&word, &low, &high))
			return false;
		last = high;
	}
	while (from < c->count && c->codes[from].code < first)
		from++;
	c->codes += from;
	c->count -= from;
	for (from = 0; from < c->count && c->codes[from].code <= last; from++)
		;
	c->count = from;
	return *word == '\0' && c->count > 0;
}

static enum etc_status answer(const struct args *a, struct choice *c, struct etc_arena *arena,
                              struct etc_text *out, struct etc_error *err)
{
	struct etc_targets targets;
	const uint32_t width = a->common.width;

	ETC_TRY(etc_targets_parse(&targets, formats, &a->output, arena, err));
	if (a->common.operands.count > 1)
		return etc_fail(err, E0501, "explain takes one code");
	if (a->common.operands.count == 1 && !choose(a->common.operands.v[0], c))
		return etc_fail(err, E0505,
		                "no diagnostic is '%s'; a code is W0203, a group 02, a range "
		                "0301-0306; `etcore explain` lists all",
		                a->common.operands.v[0]);
	c->width = width == 0 ? USUAL : width > WIDEST ? WIDEST : width;
	if (c->width < NARROWEST)
		c->width = NARROWEST;
	return etc_targets_document(&targets, c, out, err);
}

static enum etc_status run(void *args, const struct etc_reply *reply, struct etc_error *err)
{
	struct choice c = { .list = true };
	struct etc_arena arena;
	enum etc_status st;

	c.codes = etc_code_list(&c.count);
	etc_arena_init(&arena, OPTIONS_MAX);
	st = answer(args, &c, &arena, reply->out, err);
	etc_arena_release(&arena);
	return st;
}

const struct etc_question etc_ask_explain = {
	.name = "explain",
	.summary = "what a diagnostic code means: cause, example, remedy",
	.usage = "[CODE|GROUP|FROM-TO] [-o FORMAT[=PATH]]",
	.examples = "etcore explain W0203\n"
		    "etcore explain 02\n"
		    "etcore explain 0301-0306 -o json",
	ETC_OPTIONS(struct args),
	.run = run,
};
