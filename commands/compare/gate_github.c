/* gate_github.c -- writes annotations and the step summary for a workflow on GitHub; see
 * gate_forms.h.
 *
 * An annotation is a workflow command: a line "::error title=TITLE::TEXT" on standard output.
 * GitHub shows at most ten annotations of each kind per step. If there are more, the tenth says how
 * many were left out. */
#define _GNU_SOURCE /* secure_getenv */
#include "commands/compare/gate_forms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/opened.h"
#include "commands/compare/requests.h"

enum { ANNOTATIONS = 10, SUMMARY_MOST = 1024 * 1024, URL_MOST = 2048 };

/* Writes a text inside a workflow command. The text becomes one line, in which characters that end
 * the text, or begin another command, are escaped. */
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

/* Writes annotations for the lines whose verdict is in [from, to]. */
static void put_lines(struct etc_text *out, const struct etc_gate_answer *a, const char *command,
                      uint8_t from, uint8_t to)
{
	uint32_t count = 0, shown = 0, most;

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
	etc_text_printf(out, "::%s title=etcore check::%u more; -o json has all\n", command,
	                count - shown);
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

/* Returns the line feeds that are needed before a heading in the step summary `fd`: to end the last
 * line, and for an empty line. Sets *size to the size of the file; 0 if it is not a regular
 * file. */
static const char *gap_before(int fd, uint64_t *size)
{
	char last[2] = { '\n', '\n' };
	struct stat st;

	*size = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	if (*size == 0 ||
	    pread(fd, last + (*size < 2), *size < 2 ? 1 : 2, *size < 2 ? 0 : (off_t)*size - 2) <= 0)
		return "";
	return last[1] != '\n' ? "\n\n" : last[0] != '\n' ? "\n" : "";
}

/* GitHub shows nothing of a step summary that exceeds its limit. If the page would exceed this
 * limit, writes only the page's heading and a note. If even these two would exceed it, writes
 * nothing. */
static void put_summary(struct etc_text *out, const char *gap, uint64_t size, struct etc_str page)
{
	static const char left[] =
		"\n\nThe page is left out: with it the step summary is above 1 MiB.\n\n";
	const bool whole = size + strlen(gap) + page.len <= SUMMARY_MOST;

	if (!whole)
		page = etc_str_sub(page, 0, etc_str_find(page, ETC_STR("\n"), 0));
	if (!whole && size + strlen(gap) + page.len + sizeof left - 1 > SUMMARY_MOST)
		return;
	etc_text_cstr(out, gap);
	etc_text_put(out, page);
	etc_text_cstr(out, whole ? "" : left);
}

/* Appends the page to the file at `path`, because other commands of the step may have written to
 * the file. Returns errno or 0. */
static int append(const char *path, struct etc_str page)
{
	int fd = etc_descriptor_open(path, O_RDWR | O_APPEND | O_CREAT, 0666), refused;
	struct etc_text text = { 0 };
	const char *gap;
	uint64_t size;

	if (fd < 0)
		return errno;
	gap = gap_before(fd, &size);
	put_summary(&text, gap, size, page);
	refused = text.failed ? ENOMEM : etc_descriptor_put(fd, etc_text_str(&text));
	etc_text_release(&text);
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

/* Is the text a URL with the scheme http or https? Other schemes are rejected: "javascript:" would
 * run code in the reader's browser, and "file:" would open one of the reader's files. */
static bool is_url(struct etc_str s)
{
	static const char *const schemes[] = { "http://", "https://" };

	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] <= ' ' || strchr("<>\"`\\", s.ptr[i]))
			return false;
	for (size_t i = 0; i < 2; i++)
		if (strncasecmp(s.ptr, schemes[i], strlen(schemes[i])) == 0)
			return s.len > strlen(schemes[i]) && s.len <= URL_MOST;
	return false;
}

enum etc_status etc_link_parse(const char *url, struct etc_str *out, struct etc_error *err)
{
	*out = etc_str_of(url ? url : "");
	if (url && !is_url(*out))
		return etc_fail(err, E0505, "--report '%.100s': no URL of http or https", url);
	return ETC_OK;
}
