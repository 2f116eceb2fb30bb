/* diagnostics.c -- see diagnostics.h */
#include "cli/diagnostics.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/commands.h"

static const char *severity(char letter)
{
	return letter == 'E' ? "error" : letter == 'W' ? "warning" : "note";
}

/* "unknown key 'x' in [y]", but "damaged ETDump: vtable at 12 ...". */
static const char *between(struct etc_str text)
{
	return text.len == 0 ? "" : text.ptr[0] == '\'' || text.ptr[0] == '[' ? " " : ": ";
}

static void print_json(const struct etc_code_info *info, struct etc_str file, int64_t at,
                       uint32_t line, struct etc_str text)
{
	struct etc_text t = { 0 };

	etc_text_printf(&t, "{\"code\":\"%s\",\"severity\":\"%s\",\"file\":", info->name,
	                severity(info->letter));
	if (file.len) {
		etc_text_char(&t, '"');
		etc_text_json(&t, file);
		etc_text_char(&t, '"');
	} else {
		etc_text_cstr(&t, "null");
	}
	if (at >= 0)
		etc_text_printf(&t, ",\"offset\":%lld", (long long)at);
	else
		etc_text_cstr(&t, ",\"offset\":null");
	if (line)
		etc_text_printf(&t, ",\"line\":%u", (unsigned)line);
	else
		etc_text_cstr(&t, ",\"line\":null");
	etc_text_cstr(&t, ",\"message\":\"");
	etc_text_json(&t, etc_str_of(info->title));
	etc_text_cstr(&t, between(text));
	etc_text_json(&t, text);
	etc_text_cstr(&t, "\",\"hint\":\"");
	etc_text_json(&t, etc_str_of(info->hint));
	etc_text_cstr(&t, "\"}\n");
	fwrite(t.ptr, 1, t.len, stderr);
	etc_text_release(&t);
}

static void print_text(const struct etc_code_info *info, struct etc_str file, int64_t at,
                       uint32_t line, struct etc_str text)
{
	fprintf(stderr, "etcore: %s[%s]: ", severity(info->letter), info->name);
	if (file.len)
		fprintf(stderr, ETC_STR_FMT, ETC_STR_ARG(file));
	if (line)
		fprintf(stderr, ":%u", (unsigned)line);
	if (at >= 0)
		fprintf(stderr, "%sbyte %lld", file.len ? ": " : "", (long long)at);
	fprintf(stderr, "%s%s", file.len || line || at >= 0 ? ": " : "", info->title);
	fprintf(stderr, "%s" ETC_STR_FMT, between(text), ETC_STR_ARG(text));
	fputc('\n', stderr);
	if (info->hint[0])
		fprintf(stderr, "  hint: %s\n", info->hint);
	fprintf(stderr, "  see:  etcore explain %s\n", info->name);
}

void etc_print_error(const struct etc_error *err, bool json)
{
	const struct etc_code_info *info = etc_code_info(err->code);

	if (err->code == ETC_CODE_NONE)
		return;
	(json ? print_json : print_text)(info, etc_str_of(err->file), err->at, err->line,
	                                 etc_str_of(err->text));
}

void etc_print_note(void *arg, const struct etc_note *note)
{
	const struct etc_common_args *common = arg;
	const struct etc_code_info *info = etc_code_info(note->code);
	bool json = common->diagnostics && strcmp(common->diagnostics, "json") == 0;

	if (json)
		print_json(info, note->file, -1, 0, note->text);
	else if (info->letter == 'W' || common->verbose)
		print_text(info, note->file, -1, 0, note->text);
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

struct etc_common_options etc_common_of(const struct etc_common_args *args)
{
	return (struct etc_common_options){
		.config = args->config,
		.plugins = args->plugins.v,
		.plugin_count = args->plugins.count,
		.no_plugins = args->no_plugins,
		.set = args->set.v,
		.set_count = args->set.count,
		.strict = args->strict,
		.json_diagnostics = args->diagnostics && strcmp(args->diagnostics, "json") == 0,
		.verbose = args->verbose,
	};
}

bool etc_stdout_sink(void *arg, struct etc_str chunk)
{
	(void)arg;
	return fwrite(chunk.ptr, 1, chunk.len, stdout) == chunk.len;
}

enum etc_status etc_stdout_end(struct etc_text *out, enum etc_status st, struct etc_error *err)
{
	if (st == ETC_OK && !etc_text_flush(out))
		st = etc_fail(err, E0903, "standard output");
	etc_text_release(out);
	return st;
}
