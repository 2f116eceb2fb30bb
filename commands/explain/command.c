/* command.c -- `etcore explain CODE`: shows the page of one diagnostic, or lists all. */
#include <ctype.h>

#include "context/output.h"
#include "commands/explain/pages.h"
#include "context/question.h"
#include "table/emit.h"

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
	bool list; /* only the titles */
	unsigned width;
};

static void put_page(const struct etc_code_info *info, unsigned width, struct etc_text *out)
{
	struct etc_page page;

	etc_text_printf(out, "%s  %s\n", info->name, info->title);
	if (etc_page_find(info, &page)) {
		etc_text_cstr(out, "\nCause\n");
		etc_page_put_paragraphs(out, page.cause, 2, width);
		etc_text_cstr(out, "\nExample\n");
		etc_page_put_lines(out, page.example, 2);
		etc_text_cstr(out, "\nRemedy\n");
		etc_page_put_paragraphs(out, page.remedy, 2, width);
	} else if (info->hint[0]) {
		etc_text_cstr(out, "\nRemedy\n");
		etc_page_put_paragraphs(out, etc_str_of(info->hint), 2, width);
	}
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
		struct etc_page page;

		(void)etc_page_find(info, &page);
		etc_emit_block(&e, NULL, '{');
		etc_emit_text(&e, "code", etc_str_of(info->name));
		etc_emit_text(&e, "severity", etc_str_of(etc_code_severity(info)));
		etc_emit_text(&e, "title", etc_str_of(info->title));
		etc_emit_text(&e, "hint", etc_str_of(info->hint));
		etc_emit_i64(&e, "status", info->status);
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

/* Parses two or four digits at `*word` and moves past them, also past "xx" after two. */
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

/* Finds the codes that a word means. E0203, W0203 and 0203 are all W0203, because numbers are
 * unique. 02 or 02xx: all numbers with this prefix; 0201-0217 or 02-04: a range, inclusive. */
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
		return etc_fail(err, E0505, "no diagnostic has the code '%s'",
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
