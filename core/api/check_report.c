/* check_report.c -- see check_report.h */
#include "api/check_report.h"
#include "write/xml.h"

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->count; i++)
		n += r->results[i].verdict == verdict;
	return n;
}

/* ---- text ------------------------------------------------------------------------ */

static void write_text(const struct etc_check_report *r, struct etc_text *out)
{
	static const char *const words[] = { "", "ok", "FAILED", "skipped" };

	for (unsigned i = 0; i < r->count; i++) {
		const struct etc_check_result *one = &r->results[i];

		etc_text_printf(out, "%-8s %-12s", words[one->verdict], one->check->name);
		if (one->text.len) {
			etc_text_cstr(out, "  ");
			etc_text_shown(out, one->text);
		}
		if (one->verdict == ETC_VERDICT_FAILED)
			etc_text_printf(out, "\n%23swhy: %s", "", one->check->why);
		while (out->len && out->ptr[out->len - 1] == ' ')
			out->len--;
		etc_text_char(out, '\n');
	}
	etc_text_printf(out, "\n%u ok, %u failed, %u skipped (level %s)\n",
	                etc_check_report_count(r, ETC_VERDICT_OK),
	                etc_check_report_count(r, ETC_VERDICT_FAILED),
	                etc_check_report_count(r, ETC_VERDICT_SKIPPED), r->level);
}

/* ---- TAP -------------------------------------------------------------------------- */

static void quoted(struct etc_text *out, const char *name, struct etc_str s)
{
	etc_text_printf(out, "  %s: \"", name);
	etc_text_json(out, s);
	etc_text_cstr(out, "\"\n");
}

static void write_tap(const struct etc_check_report *r, struct etc_text *out)
{
	etc_text_printf(out, "TAP version 13\n1..%u\n", r->count);
	for (unsigned i = 0; i < r->count; i++) {
		const struct etc_check_result *one = &r->results[i];

		etc_text_printf(out, "%s %u - %s",
		                one->verdict == ETC_VERDICT_FAILED ? "not ok" : "ok", i + 1,
		                one->check->name);
		if (one->verdict == ETC_VERDICT_SKIPPED) {
			etc_text_cstr(out, " # SKIP ");
			etc_text_shown(out, one->text);
		}
		etc_text_char(out, '\n');
		if (one->verdict != ETC_VERDICT_FAILED)
			continue;
		etc_text_cstr(out, "  ---\n");
		quoted(out, "message", one->text);
		quoted(out, "why", etc_str_of(one->check->why));
		etc_text_cstr(out, "  ...\n");
	}
}

/* ---- JUnit ------------------------------------------------------------------------- */

static void seconds(struct etc_text *out, unsigned ms)
{
	etc_text_printf(out, " time=\"%u.%03u\"", ms / 1000, ms % 1000);
}

static void test_case(const struct etc_check_result *one, struct etc_text *out)
{
	static const char *const classes[] = { "basic", "strict", "parity" };

	etc_text_cstr(out, "    <testcase");
	etc_text_xml_attribute(out, "classname", etc_str_of(classes[one->check->level]));
	etc_text_xml_attribute(out, "name", etc_str_of(one->check->name));
	seconds(out, one->took_ms);
	if (one->verdict == ETC_VERDICT_FAILED) {
		etc_text_cstr(out, ">\n      <failure");
		etc_text_xml_attribute(out, "message", one->text);
		etc_text_char(out, '>');
		etc_text_xml(out, etc_str_of(one->check->why));
		etc_text_cstr(out, "</failure>\n    </testcase>\n");
	} else if (one->verdict == ETC_VERDICT_SKIPPED) {
		etc_text_cstr(out, ">\n      <skipped");
		etc_text_xml_attribute(out, "message", one->text);
		etc_text_cstr(out, "/>\n    </testcase>\n");
	} else {
		etc_text_cstr(out, "/>\n");
	}
}

static void write_junit(const struct etc_check_report *r, struct etc_text *out)
{
	unsigned ms = 0;

	for (unsigned i = 0; i < r->count; i++)
		ms += r->results[i].took_ms;
	etc_text_cstr(out,
	              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
	etc_text_xml_attribute(out, "name", r->path);
	etc_text_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\"", r->count,
	                etc_check_report_count(r, ETC_VERDICT_FAILED),
	                etc_check_report_count(r, ETC_VERDICT_SKIPPED));
	seconds(out, ms);
	etc_text_cstr(out, ">\n");
	for (unsigned i = 0; i < r->count; i++)
		test_case(&r->results[i], out);
	etc_text_cstr(out, "  </testsuite>\n</testsuites>\n");
}

etc_check_writer *etc_check_writer_of(struct etc_str format)
{
	static const struct {
		const char *name;
		etc_check_writer *write;
	} all[] = { { "text", write_text }, { "tap", write_tap }, { "junit", write_junit } };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (etc_str_eq(format, etc_str_of(all[i].name)))
			return all[i].write;
	return NULL;
}
