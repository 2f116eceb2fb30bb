/* gate_forms.c -- text, Markdown and JUnit XML; see gate_forms.h */
#include "commands/compare/gate_forms.h"

#include "table/xml.h"

static void put_dumps(struct etc_text *out, const struct etc_gate_answer *a, uint32_t side,
                      etc_text_put_fn *put)
{
	put(out, a->names[side]);
	etc_text_printf(out, " (%u dump%s)", a->dumps[side], a->dumps[side] == 1 ? "" : "s");
}

static void put_head(struct etc_text *out, const struct etc_gate_answer *a, etc_text_put_fn *put)
{
	put_dumps(out, a, 1, put);
	etc_text_cstr(out, " against the baseline ");
	put_dumps(out, a, 0, put);
}

/* Writes the notes that weaken the result, each line after `before`. Warnings go to
 * stderr. */
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

/* Width on screen. */
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

void etc_write_gate_markdown(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;
	struct etc_text t = { 0 };

	etc_text_cstr(out, "### etcore check: ");
	etc_text_gate_verdict(out, a);
	etc_text_cstr(out, "\n\n");
	put_head(out, a, etc_text_markdown);
	etc_text_cstr(out, "\n\n| verdict | what | change |\n|---|---|---|\n");
	for (uint32_t i = 0; i < a->gate->count; i++) {
		const struct etc_gate_line *line = &a->gate->lines[i];
		bool bold = line->verdict == ETC_GATE_REGRESSION;

		etc_text_printf(out, bold ? "| **%s** | " : "| %s | ",
		                etc_gate_result_name(line->verdict));
		etc_text_markdown(out, line->name);
		etc_text_cstr(out, " | ");
		t.len = 0;
		etc_text_gate_detail(&t, a, line);
		etc_text_markdown(out, etc_text_str(&t));
		etc_text_cstr(out, " |\n");
	}
	put_notes(out, a, "\n", "- ", etc_text_markdown);
	out->failed = out->failed || t.failed;
	etc_text_release(&t);
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
