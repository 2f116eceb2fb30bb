/* error.c -- see error.h */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"

enum { TEXT_MOST = sizeof((struct etc_error *)0)->text };

/* Replaces control characters, which names from hostile files may contain. */
static void make_printable(char to[TEXT_MOST], const char *text)
{
	etc_clean(to, TEXT_MOST, etc_str_of(text));
}

static void record(struct etc_error *err, enum etc_code code, int64_t at, const char *fmt,
                   va_list args)
{
	char text[TEXT_MOST];

	err->code = code;
	err->file[0] = '\0';
	err->at = at;
	err->line = 0;
	vsnprintf(text, sizeof text, fmt, args);
	make_printable(err->text, text);
}

enum etc_status etc_fail(struct etc_error *err, enum etc_code code, const char *fmt, ...)
{
	va_list args;

	if (err) {
		va_start(args, fmt);
		record(err, code, -1, fmt, args);
		va_end(args);
	}
	return (enum etc_status)etc_code_info(code)->status;
}

enum etc_status etc_fail_at(struct etc_error *err, enum etc_code code, size_t at, const char *fmt,
                            ...)
{
	va_list args;

	if (err) {
		va_start(args, fmt);
		record(err, code, (int64_t)at, fmt, args);
		va_end(args);
	}
	return (enum etc_status)etc_code_info(code)->status;
}

enum etc_status etc_no_memory(struct etc_error *err)
{
	size_t wanted = etc_memory_refused().wanted;

	return wanted ? etc_fail(err, E0904, "%zu bytes", wanted) : etc_fail(err, E0904, "%s", "");
}

enum etc_status etc_context(struct etc_error *err, enum etc_status status, const char *fmt, ...)
{
	char text[TEXT_MOST];
	va_list args;
	int used;

	if (!err || status == ETC_OK)
		return status;
	va_start(args, fmt);
	used = vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	if (used >= 0 && (size_t)used < sizeof text)
		snprintf(text + used, sizeof text - (size_t)used, ": %s", err->text);
	make_printable(err->text, text);
	return status;
}

enum etc_status etc_in_file(struct etc_error *err, enum etc_status status, const char *path)
{
	if (err && status != ETC_OK && err->file[0] == '\0')
		snprintf(err->file, sizeof err->file, "%s", path);
	return status;
}

const char *etc_status_text(enum etc_status status)
{
	switch (status) {
#define X(name, exit_code, text) \
	case ETC_##name:         \
		return text;
		ETC_STATUS_MAP(X)
#undef X
	}
	return "unknown status";
}

void etc_code_message(const struct etc_code_info *info, struct etc_str text, char *to, size_t room)
{
	/* A title such as "unknown key" or "not a rule" is continued by a name. If the text begins
	 * with a name, in quotes or brackets, a blank separates title and text: "unknown key 'x' in
	 * [y]". Otherwise a colon separates them: "damaged ETDump: vtable at 12 ...". */
	const struct etc_str title = etc_str_of(info->title);
	bool name = text.len && (text.ptr[0] == '\'' || text.ptr[0] == '[');
	bool asks = etc_str_starts(title, ETC_STR("unknown ")) ||
	            etc_str_starts(title, ETC_STR("not a ")) ||
	            etc_str_starts(title, ETC_STR("no such "));
	const char *between = text.len == 0 ? "" : name && asks ? " " : ": ";

	snprintf(to, room, "%s%s" ETC_STR_FMT, info->title, between, ETC_STR_ARG(text));
}
