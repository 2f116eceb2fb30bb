/* check_report.c -- writes the verdicts on a plugin; see check_report.h */
#include "commands/plugins/check_report.h"
#include "table/xml.h"

unsigned etc_check_report_count(const struct etc_check_report *r, enum etc_verdict verdict)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->count; i++)
		n += r->results[i].verdict == verdict;
	return n;
}

const char *etc_check_grade(const struct etc_check_result *results, unsigned count, unsigned most)
{
	const char *grade = "none";

	for (unsigned level = 0; level <= most && level < ETC_CHECK_LEVELS; level++) {
		bool ran = false;

		for (unsigned i = 0; i < count; i++) {
			if (results[i].check->level != level)
				continue;
			if (results[i].verdict == ETC_VERDICT_FAILED)
				return grade;
			ran |= results[i].verdict == ETC_VERDICT_OK;
		}
		if (ran)
			grade = etc_check_level_names[level];
	}
	return grade;
}

static bool has_run(const struct etc_check_report *r, unsigned level)
{
	for (unsigned i = 0; i < r->count; i++)
		if (r->results[i].check->level == level &&
		    r->results[i].verdict != ETC_VERDICT_SKIPPED)
			return true;
	return false;
}

/* Writes the grade, such as "strict of acme 0.1.0 (ABI 1.1), on 3 events of a sample, by etcore
 * 0.1.0, SHA-256 ...". */
static void write_grade(const struct etc_check_report *r, struct etc_text *out)
{
	etc_text_cstr(out, r->grade);
	if (strcmp(r->grade, "stress") == 0 && !has_run(r, ETC_CHECK_PARITY))
		etc_text_cstr(out, " without parity");
	etc_text_cstr(out, " of ");
	etc_text_shown(out, r->plugin[0] ? etc_str_of(r->plugin) : r->path);
	if (r->plugin[0]) {
		etc_text_char(out, ' ');
		etc_text_shown(out, etc_str_of(r->version));
		etc_text_printf(out, " (ABI %s)", r->abi);
	}
	if (r->tried.answered)
		etc_text_printf(out, ", on %u event%s of a sample", (unsigned)r->tried.answered,
		                etc_plural(r->tried.answered));
	else if (r->tried.made_up)
		etc_text_cstr(out, ", on made-up events only");
	etc_text_printf(out, ", by etcore %s, SHA-256 %s", ETCORE_VERSION, r->sha256);
}

/* ---- text ------------------------------------------------------------------------ */

void etc_check_put_text(void *report, struct etc_text *out)
{
	const struct etc_check_report *r = report;
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
	if (r->grade) {
		etc_text_cstr(out, "grade: ");
		write_grade(r, out);
		etc_text_char(out, '\n');
	}
}

/* ---- JSON ------------------------------------------------------------------------- */

static void member(struct etc_text *out, const char *name, struct etc_str s)
{
	etc_text_printf(out, "\"%s\":", name);
	if (s.len) {
		etc_text_char(out, '"');
		etc_text_json(out, s);
		etc_text_char(out, '"');
	} else {
		etc_text_cstr(out, "null");
	}
}

void etc_check_put_json(void *report, struct etc_text *out)
{
	const struct etc_check_report *r = report;
	static const char *const words[] = { "", "ok", "failed", "skipped" };
	const struct {
		const char *name, *value;
	} head[] = { { "etcore", ETCORE_VERSION }, { "plugin", r->plugin },
		     { "version", r->version },    { "abi", r->abi },
		     { "sha256", r->sha256 },      { "level", r->level },
		     { "grade", r->grade } };

	etc_text_cstr(out, "{\"schema\":\"etcore.plugins-check/1\",");
	member(out, "path", r->path);
	for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
		etc_text_char(out, ',');
		member(out, head[i].name, head[i].value ? etc_str_of(head[i].value) : ETC_STR_NONE);
	}
	etc_text_printf(out,
	                ",\"seed\":%llu,\"tried\":{\"made_up\":%u,\"sampled\":%u,\"answered\":%u}",
	                (unsigned long long)r->seed, (unsigned)r->tried.made_up,
	                (unsigned)r->tried.sampled, (unsigned)r->tried.answered);
	etc_text_printf(out, ",\"ok\":%u,\"failed\":%u,\"skipped\":%u,\"checks\":[",
	                etc_check_report_count(r, ETC_VERDICT_OK),
	                etc_check_report_count(r, ETC_VERDICT_FAILED),
	                etc_check_report_count(r, ETC_VERDICT_SKIPPED));
	for (unsigned i = 0; i < r->count; i++) {
		const struct etc_check_result *one = &r->results[i];

		etc_text_printf(out, "%s\n{\"name\":\"%s\",\"level\":\"%s\",\"verdict\":\"%s\",",
		                i ? "," : "", one->check->name,
		                etc_check_level_names[one->check->level], words[one->verdict]);
		member(out, "text", one->text);
		etc_text_char(out, ',');
		member(out, "why", etc_str_of(one->check->why));
		etc_text_printf(out, ",\"ms\":%u}", one->took_ms);
	}
	etc_text_cstr(out, "\n]}\n");
}

/* ---- TAP -------------------------------------------------------------------------- */

static void quoted(struct etc_text *out, const char *name, struct etc_str s)
{
	etc_text_printf(out, "  %s: \"", name);
	etc_text_json(out, s);
	etc_text_cstr(out, "\"\n");
}

void etc_check_put_tap(void *report, struct etc_text *out)
{
	const struct etc_check_report *r = report;
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
	if (r->grade) {
		etc_text_cstr(out, "# grade: ");
		write_grade(r, out);
		etc_text_char(out, '\n');
	}
}

/* ---- JUnit ------------------------------------------------------------------------- */

static void seconds(struct etc_text *out, unsigned ms)
{
	etc_text_printf(out, " time=\"%u.%03u\"", ms / 1000, ms % 1000);
}

static void test_case(const struct etc_check_result *one, struct etc_text *out)
{
	etc_text_cstr(out, "    <testcase");
	etc_text_xml_attribute(out, "classname",
	                       etc_str_of(etc_check_level_names[one->check->level]));
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

void etc_check_put_junit(void *report, struct etc_text *out)
{
	const struct etc_check_report *r = report;
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
	if (r->grade) {
		etc_text_cstr(out, "    <properties>\n      <property name=\"grade\"");
		etc_text_xml_attribute(out, "value", etc_str_of(r->grade));
		etc_text_cstr(out, "/>\n    </properties>\n");
	}
	for (unsigned i = 0; i < r->count; i++)
		test_case(&r->results[i], out);
	etc_text_cstr(out, "  </testsuite>\n</testsuites>\n");
}
