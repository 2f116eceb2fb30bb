/* diagnostics.c -- prints diagnostics as text or JSON; see diagnostics.h */
#include "cli/diagnostics.h"

#include <errno.h>
#include <stdio.h>

#include "base/text.h"
#include "cli/screen.h"

static const char *severity(uint32_t which)
{
	return which == ETCORE_SEVERITY_ERROR     ? "error"
	       : which == ETCORE_SEVERITY_WARNING ? "warning"
	                                          : "note";
}

static void print_json(const struct etcore_diagnostic *d)
{
	struct etc_text t = { 0 };

	etc_text_printf(&t, "{\"code\":\"%s\",\"severity\":\"%s\",\"file\":", d->code,
	                severity(d->severity));
	if (d->file[0]) {
		etc_text_char(&t, '"');
		etc_text_json(&t, etc_str_of(d->file));
		etc_text_char(&t, '"');
	} else {
		etc_text_cstr(&t, "null");
	}
	if (etc_utf8_fault(etc_str_of(d->file)) != SIZE_MAX) {
		etc_text_cstr(&t, ",\"file_hex\":\"");
		etc_text_hex(&t, etc_span_of(etc_str_of(d->file)));
		etc_text_char(&t, '"');
	}
	if (d->offset >= 0)
		etc_text_printf(&t, ",\"offset\":%lld", (long long)d->offset);
	else
		etc_text_cstr(&t, ",\"offset\":null");
	if (d->line)
		etc_text_printf(&t, ",\"line\":%u", (unsigned)d->line);
	else
		etc_text_cstr(&t, ",\"line\":null");
	etc_text_cstr(&t, ",\"message\":\"");
	etc_text_json(&t, etc_str_of(d->message));
	etc_text_cstr(&t, "\",\"hint\":\"");
	etc_text_json(&t, etc_str_of(d->hint));
	etc_text_cstr(&t, "\"}\n");
	fwrite(t.ptr, 1, t.len, stderr);
	etc_text_release(&t);
}

/* Prints a diagnostic as text. Allocates nothing, because it also reports that no memory is
 * left. */
static void print_text(const struct etcore_diagnostic *d)
{
	char file[4 * sizeof d->file], line[32] = "", at[48] = "";
	char all[sizeof file + sizeof d->message + 2048];
	struct etc_text text = { .ptr = all };
	bool place = d->file[0] || d->line || d->offset >= 0;

	etc_clean(file, sizeof file, etc_str_of(d->file));
	if (d->line)
		snprintf(line, sizeof line, ":%u", (unsigned)d->line);
	if (d->offset >= 0)
		snprintf(at, sizeof at, "%sbyte %lld", d->file[0] ? ": " : "",
		         (long long)d->offset);
	snprintf(all, sizeof all, "etcore: %s[%s]: %s%s%s%s%s\n%s%s%s  see:  %s\n",
	         severity(d->severity), d->code, file, line, at, place ? ": " : "", d->message,
	         d->hint[0] ? "  hint: " : "", d->hint, d->hint[0] ? "\n" : "", d->see);
	text.len = strlen(all);
	if (etc_screen_print(&text, stderr) == ENOMEM)
		fwrite(all, 1, text.len, stderr);
}

void etc_print_diagnostic(const struct etcore_diagnostic *d, bool json)
{
	if (d->code[0])
		(json ? print_json : print_text)(d);
}

void etc_own_diagnostic(const struct etc_error *err, struct etcore_diagnostic *out)
{
	const struct etc_code_info *info = etc_code_info(err->code);

	*out = (struct etcore_diagnostic){
		.size = sizeof *out,
		.status = info->status,
		.severity = ETCORE_SEVERITY_ERROR,
		.offset = err->at,
		.line = err->line,
		.code = info->name,
		.hint = info->hint,
	};
	snprintf(out->see, sizeof out->see, "etcore explain %s", info->name);
	snprintf(out->file, sizeof out->file, "%s", err->file);
	etc_code_message(info, etc_str_of(err->text), out->message, sizeof out->message);
}

bool etc_diagnostics_json(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--diagnostics=json") == 0)
			return true;
		if (strcmp(argv[i], "--diagnostics") == 0 && i + 1 < argc)
			return strcmp(argv[i + 1], "json") == 0;
	}
	return false;
}
