/* failures.c -- see failures.h
 *
 * Recognises lines of ExecuTorch's executor_runner, and lines that a pipeline adds. */
#include "formats/runner/failures.h"

enum { SHOWN = 256 }; /* maximum number of bytes of a line that are shown */

static bool holds(struct etc_str line, const char *what)
{
	return etc_str_find(line, etc_str_of(what), 0) != SIZE_MAX;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Does the line contain "nan" as a separate word? */
static bool holds_nan(struct etc_str line)
{
	for (size_t at = 0; (at = etc_str_find(line, ETC_STR("nan"), at)) != SIZE_MAX; at++)
		if ((!at || !is_letter(line.ptr[at - 1])) &&
		    (at + 3 == line.len || !is_letter(line.ptr[at + 3])))
			return true;
	return false;
}

/* Does an output of the model start in this line? It starts with "OutputX 0: " (executor_runner),
 * or with "Output 0: ", perhaps after the prefix of a logger. */
static bool begins_output(struct etc_str line)
{
	size_t at = etc_str_find(line, ETC_STR("] Output "), 0);

	if (at != SIZE_MAX)
		line = etc_str_sub(line, at + 2, line.len);
	at = etc_str_starts(line, ETC_STR("OutputX ")) ? 8 : 7;
	return (at == 8 || etc_str_starts(line, ETC_STR("Output "))) && at < line.len &&
	       line.ptr[at] >= '0' && line.ptr[at] <= '9';
}

bool etc_log_nan(struct etc_str line, bool *in_output)
{
	if (begins_output(line))
		*in_output = true;
	else if (line.len && line.ptr[0] != ' ' && line.ptr[0] != ']')
		*in_output = false;
	return *in_output && holds_nan(line);
}

static void read_line(struct etc_str whole, bool *in_output, struct etc_log_facts *out)
{
	static const char *const failures[] = { "Command failed with exit code",
		                                "Runner crashed with exit code",
		                                "terminated by signal", "timed out after" };

	struct etc_str line = etc_str_sub(etc_str_trim(whole), 0, SHOWN);

	for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
		if (!out->failed.len && holds(line, failures[i]))
			out->failed = line;
	out->executed = out->executed || holds(line, "Model executed successfully");
	if (etc_log_nan(whole, in_output) && !out->not_a_number.len)
		out->not_a_number = line;
}

void etc_log_read(struct etc_str text, struct etc_log_facts *out)
{
	bool in_output = false;

	*out = (struct etc_log_facts){ 0 };
	for (size_t from = 0; from < text.len;) {
		const char *end = memchr(text.ptr + from, '\n', text.len - from);
		size_t to = end ? (size_t)(end - text.ptr) : text.len;

		read_line(etc_str_sub(text, from, to), &in_output, out);
		from = to + 1;
	}
}
