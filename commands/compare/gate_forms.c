/* gate_forms.c -- writes text, Markdown and JUnit XML; see gate_forms.h */
#include "commands/compare/gate_forms.h"

#include <stdio.h>

#include "table/markdown.h"
#include "table/xml.h"

static void put_dumps(struct etc_text *out, const struct etc_gate_answer *a, uint32_t side,
                      etc_text_put_fn *put)
{
	put(out, a->names[side]);
	etc_text_printf(out, " (%u dump%s)", a->dumps[side], etc_plural(a->dumps[side]));
}

static void put_head(struct etc_text *out, const struct etc_gate_answer *a, etc_text_put_fn *put)
{
	put_dumps(out, a, 1, put);
	etc_text_cstr(out, " against the baseline ");
	put_dumps(out, a, 0, put);
}

/* Writes `head`, and then one line for each note, which begins with `before`. Writes nothing if
 * there are no notes. Warnings are left out, since they are written to stderr. */
static void put_notes(struct etc_text *out, const struct etc_gate_answer *a, const char *head,
                      const char *before, etc_text_put_fn *put)
{
	bool several = etc_notes_several(a->notes);

	for (const struct etc_note *n = a->notes->first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		if (info->letter != 'N')
			continue;
		etc_text_cstr(out, head);
		etc_text_printf(out, "%s%s  %s", before, info->name, info->title);
		etc_text_cstr(out, n->text.len ? ": " : "");
		put(out, n->text);
		if (several && n->file.len) {
			etc_text_cstr(out, " (");
			put(out, n->file);
			etc_text_char(out, ')');
		}
		etc_text_char(out, '\n');
		head = "";
	}
}

/* ---- text --------------------------------------------------------------------------- */

static void pad(struct etc_text *out, size_t used, size_t width)
{
	etc_text_repeat(out, " ", width > used ? width - used : 0);
	etc_text_cstr(out, "  ");
}

/* Returns the width of a text on the screen. */
static size_t width_of(struct etc_str s)
{
	struct etc_text t = { 0 };
	size_t width;

	etc_text_shown(&t, s);
	width = etc_utf8_width(etc_text_str(&t));
	etc_text_release(&t);
	return width;
}

void etc_write_gate_text(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	size_t widest[2] = { 0 };

	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];
		size_t w = width_of(line->name), v = strlen(etc_gate_result_name(line->verdict));

		widest[0] = v > widest[0] ? v : widest[0];
		widest[1] = w > widest[1] ? w : widest[1];
	}
	etc_text_gate_verdict(out, a);
	etc_text_char(out, '\n');
	put_head(out, a, etc_text_shown);
	etc_text_cstr(out, "\n\n");
	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];
		const char *verdict = etc_gate_result_name(line->verdict);

		etc_text_cstr(out, verdict);
		pad(out, strlen(verdict), widest[0]);
		etc_text_shown(out, line->name);
		pad(out, width_of(line->name), widest[1]);
		etc_text_gate_detail(out, a, line);
		etc_text_char(out, '\n');
	}
	put_notes(out, a, "\nnotes\n", "  ", etc_text_shown);
}

/* ---- Markdown ----------------------------------------------------------------------- */

/* The part of the page that shows a line: regressions come first; then the other lines that are
 * always visible, which are end-to-end times and lines without a verdict; then a folded section
 * with the remaining lines, which pass or are faster. */
enum place { REGRESSIONS, SEEN, FOLDED };

static enum place place_of(const struct etc_gate_line *line)
{
	return line->verdict == ETC_GATE_REGRESSION         ? REGRESSIONS
	       : line->end || line->verdict >= ETC_GATE_FEW ? SEEN
	                                                    : FOLDED;
}

static uint32_t count_places(const struct etc_gate_answer *a, enum place from, enum place to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->gate->count; i++)
		n += place_of(&a->gate->lines[i]) >= from && place_of(&a->gate->lines[i]) <= to;
	return n;
}

static void put_line(const struct etc_gate_answer *a, const struct etc_gate_line *line,
                     uint32_t most, struct etc_text *out)
{
	struct etc_text t = { 0 };

	etc_text_printf(out, line->verdict == ETC_GATE_REGRESSION ? "| **%s** | " : "| %s | ",
	                etc_gate_result_name(line->verdict));
	etc_markdown_cut(out, line->name, most);
	etc_text_cstr(out, " | ");
	etc_text_gate_detail(&t, a, line);
	etc_text_markdown(out, etc_text_str(&t));
	etc_text_cstr(out, " |\n");
	out->failed = out->failed || t.failed;
	etc_text_release(&t);
}

/* Writes the lines of `a` that belong to one of the parts `from` to `to` of the page (enum place).
 * The lines keep their order. But if there are more than `most` lines (0: no limit), sorts them by
 * part, and writes only the first `most` lines. */
static void put_lines(const struct etc_gate_answer *a, enum place from, enum place to,
                      uint32_t most, struct etc_text *out)
{
	const uint32_t count = count_places(a, from, to), end = most && count > most ? most : count;
	const bool apart = end < count;
	uint32_t shown = 0;

	if (count == 0)
		return;
	etc_text_cstr(out, "| verdict | what | change |\n|---|---|---|\n");
	for (unsigned place = from; place <= (unsigned)to; place = apart ? place + 1 : to + 1u)
		for (uint32_t i = 0; i < a->gate->count && shown < end; i++) {
			const enum place here = place_of(&a->gate->lines[i]);

			if (apart ? here != place : here < from || here > to)
				continue;
			put_line(a, &a->gate->lines[i], most, out);
			shown++;
		}
	etc_text_char(out, '\n');
	etc_markdown_left(out, count - end, "row");
}

static void put_group(struct etc_text *out, const struct etc_gate_answer *a, uint32_t side,
                      uint32_t most)
{
	etc_markdown_cut(out, a->names[side], most);
	etc_text_printf(out, " (%u dump%s)", a->dumps[side], etc_plural(a->dumps[side]));
}

static void put_folded_notes(struct etc_text *out, const struct etc_gate_answer *a, uint32_t most)
{
	const bool several = etc_notes_several(a->notes);
	uint32_t count = 0;

	for (const struct etc_note *n = a->notes->first; n; n = n->next) {
		const struct etc_code_info *info = etc_code_info(n->code);

		if (info->letter != 'N')
			continue;
		if (count++ == 0)
			etc_markdown_details(out, "notes");
		if (most && count > most)
			continue;
		etc_text_printf(out, "- %s  %s%s", info->name, info->title,
		                n->text.len ? ": " : "");
		etc_markdown_cut(out, n->text, most);
		if (several && n->file.len) {
			etc_text_cstr(out, " (");
			etc_markdown_cut(out, n->file, most);
			etc_text_char(out, ')');
		}
		etc_text_char(out, '\n');
	}
	if (most && count > most)
		etc_text_printf(out, "- %u more notes\n", count - most);
	if (count)
		etc_text_cstr(out, "\n</details>\n");
}

static void put_page(const void *answer, uint32_t most, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	const uint32_t folded = count_places(a, FOLDED, FOLDED);
	char summary[64];

	etc_text_cstr(out, "### etcore check: ");
	etc_text_gate_verdict(out, a);
	etc_text_cstr(out, "\n\n");
	put_group(out, a, 1, most);
	etc_text_cstr(out, " against the baseline ");
	put_group(out, a, 0, most);
	etc_text_cstr(out, "\n\n");
	put_lines(a, REGRESSIONS, SEEN, most, out);
	etc_markdown_link(out, a->link);
	if (folded) {
		snprintf(summary, sizeof summary, "%u row%s without a regression", folded,
		         etc_plural(folded));
		etc_markdown_details(out, summary);
		put_lines(a, FOLDED, FOLDED, most, out);
		etc_text_cstr(out, "</details>\n\n");
	}
	put_folded_notes(out, a, most);
}

void etc_write_gate_markdown(void *answer, struct etc_text *out)
{
	etc_markdown_page(out, put_page, answer);
}

/* ---- JUnit -------------------------------------------------------------------------- */

static void put_case(struct etc_text *out, const struct etc_gate_answer *a,
                     const struct etc_gate_line *line, struct etc_text *t)
{
	const char *element = line->verdict == ETC_GATE_REGRESSION ? "failure"
	                      : line->verdict >= ETC_GATE_FEW      ? "skipped"
	                                                           : "system-out";

	t->len = 0;
	etc_text_printf(t, "%s: ", etc_gate_result_name(line->verdict));
	etc_text_gate_detail(t, a, line);
	etc_text_cstr(out, "  <testcase classname=\"etcore.check\"");
	etc_text_xml_attribute(out, "name", line->name);
	etc_text_printf(out, ">\n    <%s", element);
	if (line->verdict == ETC_GATE_REGRESSION || line->verdict >= ETC_GATE_FEW) {
		etc_text_xml_attribute(out, "message", etc_text_str(t));
		etc_text_cstr(out, "/>\n");
	} else {
		etc_text_char(out, '>');
		etc_text_xml(out, etc_text_str(t));
		etc_text_printf(out, "</%s>\n", element);
	}
	etc_text_cstr(out, "  </testcase>\n");
}

void etc_write_gate_junit(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	uint32_t failed = a->gate->by_verdict[ETC_GATE_REGRESSION], skipped = 0;
	struct etc_text t = { 0 };

	for (unsigned v = ETC_GATE_FEW; v < ETC_GATE_COUNT; v++)
		skipped += a->gate->by_verdict[v];
	etc_text_printf(out,
	                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                "<testsuites>\n<testsuite name=\"etcore check\" tests=\"%u\" "
	                "failures=\"%u\" errors=\"0\" skipped=\"%u\">\n",
	                a->gate->count, failed, skipped);
	for (uint32_t i = 0; i < a->gate->count; i++)
		put_case(out, a, &a->gate->lines[i], &t);
	etc_text_cstr(out, "</testsuite>\n</testsuites>\n");
	out->failed = out->failed || t.failed;
	etc_text_release(&t);
}
