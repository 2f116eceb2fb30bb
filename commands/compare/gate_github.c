/* gate_github.c -- see gate_forms.h: annotations and the step summary of a workflow on GitHub.
 *
 * An annotation is a workflow command: a line "::error title=TITLE::TEXT" on standard output. GitHub
 * shows ten of each kind per step, so the last of more is how many follow. */
#define _GNU_SOURCE /* secure_getenv */
#include "commands/compare/gate_forms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/opened.h"
#include "commands/compare/requests.h"

enum { ANNOTATIONS = 10, URL_MOST = 2048 };

/* A text in a workflow command: one line, without the characters that end a text or begin another
 * command. */
static void put_data(struct etc_text *out, struct etc_str s, bool property)
{
	struct etc_text clean = { 0 };

	etc_text_shown(&clean, s);
	for (size_t i = 0; i < clean.len; i++) {
		const char c = clean.ptr[i];

		if (c == '%' || (property && (c == ':' || c == ',')))
			etc_text_printf(out, "%%%02X", (unsigned)c);
		else
			etc_text_char(out, c);
	}
	out->failed = out->failed || clean.failed;
	etc_text_release(&clean);
}

static void put_command(struct etc_text *out, const char *command, const char *verdict,
                        struct etc_str name, struct etc_str text)
{
	etc_text_printf(out, "::%s title=etcore check%%3A %s%%3A ", command, verdict);
	put_data(out, name, true);
	etc_text_cstr(out, "::");
	put_data(out, text, false);
	etc_text_char(out, '\n');
}

static void put_line(struct etc_text *out, const struct etc_gate_answer *a, const char *command,
                     const struct etc_gate_line *line)
{
	struct etc_text detail = { 0 };

	etc_text_gate_detail(&detail, a, line);
	put_command(out, command, etc_gate_result_name(line->verdict), line->name,
	            etc_text_str(&detail));
	out->failed = out->failed || detail.failed;
	etc_text_release(&detail);
}

/* The annotations of verdicts [from, to]. */
static void put_lines(struct etc_text *out, const struct etc_gate_answer *a, const char *command,
                      uint8_t from, uint8_t to)
{
	uint32_t count = 0, shown = 0, most;
	char more[64];

	for (unsigned v = from; v <= to; v++)
		count += a->gate->by_verdict[v];
	most = count > ANNOTATIONS ? ANNOTATIONS - 1 : count;
	for (uint32_t i = 0; i < a->gate->count && shown < most; i++)
		if (a->gate->lines[i].verdict >= from && a->gate->lines[i].verdict <= to) {
			put_line(out, a, command, &a->gate->lines[i]);
			shown++;
		}
	if (count == shown)
		return;
	snprintf(more, sizeof more, "%u more", count - shown);
	etc_text_printf(out, "::%s title=etcore check::%s; the step summary has all\n", command,
	                more);
}

void etc_write_gate_github(void *answer, struct etc_text *out)
{
	const struct etc_gate_answer *a = answer;

	put_lines(out, a, "error", ETC_GATE_REGRESSION, ETC_GATE_REGRESSION);
	put_lines(out, a, "warning", ETC_GATE_FEW, ETC_GATE_COUNT - 1);
	put_lines(out, a, "notice", ETC_GATE_IMPROVED, ETC_GATE_IMPROVED);
	etc_text_gate_verdict(out, a);
	etc_text_char(out, '\n');
}

/* ---- the step summary --------------------------------------------------------------- */

static bool is_for_github(const struct etc_targets *targets)
{
	for (uint32_t i = 0; i < targets->count; i++)
		if (strcmp(targets->v[i].format->name, "github") == 0)
			return true;
	return false;
}

/* Other commands of the step may have written to the file. errno, or 0. */
static int append(const char *path, struct etc_str text)
{
	int fd = etc_descriptor_open(path, O_WRONLY | O_APPEND | O_CREAT, 0666), refused;

	if (fd < 0)
		return errno;
	refused = etc_descriptor_put(fd, text);
	if (close(fd) != 0 && !refused)
		refused = errno;
	return refused;
}

enum etc_status etc_gate_summary(const struct etc_targets *targets, struct etc_gate_answer *answer,
                                 struct etc_error *err)
{
	const char *path = secure_getenv("GITHUB_STEP_SUMMARY");
	struct etc_text page = { 0 };
	enum etc_status st = ETC_OK;
	int refused;

	if (!is_for_github(targets) || !path || !path[0])
		return ETC_OK;
	ETC_TRY(etc_opened_spare(path, err));
	etc_write_gate_markdown(answer, &page);
	etc_text_char(&page, '\n');
	if (page.failed) {
		st = etc_no_memory(err);
	} else if ((refused = append(path, etc_text_str(&page))) != 0) {
		st = etc_in_file(err, etc_fail(err, E0903, "%s", strerror(refused)), path);
	}
	etc_text_release(&page);
	return st;
}

/* ---- the link ----------------------------------------------------------------------- */

enum etc_status etc_link_parse(const char *url, struct etc_str *out, struct etc_error *err)
{
	const struct etc_str s = etc_str_of(url ? url : "");

	if (url && (!s.len || s.len > URL_MOST))
		return etc_fail(err, E0505, "--report: no URL");
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] <= ' ' || strchr("<>\"`\\", s.ptr[i]))
			return etc_fail(err, E0505, "--report '%s': no URL", url);
	*out = s;
	return ETC_OK;
}
