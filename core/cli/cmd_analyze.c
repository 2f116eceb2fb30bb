/* cmd_analyze.c -- `etcore analyze`: options into struct etc_analyze_options. */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/commands.h"

struct args {
	struct etc_common_args common;
	struct etc_opt_list output, where;
	const char *etrecord, *debug_buffer, *program, *by, *method, *stat, *warmup, *top, *sort,
		*columns, *source, *target, *ticks;
	bool no_siblings, events;
};

/* clang-format off */
static const struct etc_opt options[] = {
	{ 'r', "etrecord", ETC_OPT_TEXT, offsetof(struct args, etrecord), "FILE", NULL,
	  "the ETRecord (else the one beside the dump)" },
	{ 'b', "debug-buffer", ETC_OPT_TEXT, offsetof(struct args, debug_buffer), "FILE", NULL,
	  "debug buffer of the dump" },
	{ 'm', "pte", ETC_OPT_TEXT, offsetof(struct args, program), "FILE", NULL,
	  "the program that ran" },
	{ 0, "no-siblings", ETC_OPT_FLAG, offsetof(struct args, no_siblings), NULL, NULL,
	  "do not look for files beside the dump" },
	{ 'o', "output", ETC_OPT_LIST, offsetof(struct args, output), "FORMAT[=PATH]", NULL,
	  "text, csv, tsv, markdown, json, ndjson; to PATH (repeatable)" },
	{ 0, "events", ETC_OPT_FLAG, offsetof(struct args, events), NULL, NULL,
	  "every event with its percentiles" },
	{ 0, "by", ETC_OPT_CHOICE, offsetof(struct args, by), "WHAT",
	  "op|kernel|module|source|category|backend|delegate|method|file|run", "what a row is (op)" },
	{ 0, "method", ETC_OPT_TEXT, offsetof(struct args, method), "NAME", NULL,
	  "only this method of the program" },
	{ 0, "stat", ETC_OPT_CHOICE, offsetof(struct args, stat), "STATISTIC",
	  "typical|mean|median|min|total", "what the times are over the runs (typical)" },
	{ 0, "warmup", ETC_OPT_TEXT, offsetof(struct args, warmup), "N", NULL,
	  "runs of each path to set aside (1)" },
	{ 0, "top", ETC_OPT_TEXT, offsetof(struct args, top), "N", NULL,
	  "rows on screen, 0 for all" },
	{ 0, "sort", ETC_OPT_TEXT, offsetof(struct args, sort), "COLUMN[:asc|:desc]", NULL,
	  "order of the rows (self_ns)" },
	{ 0, "columns", ETC_OPT_TEXT, offsetof(struct args, columns), "NAME,…", NULL,
	  "columns of the tables; -o csv shows all names" },
	{ 0, "where", ETC_OPT_LIST, offsetof(struct args, where), "COLUMN OP VALUE", NULL,
	  "only rows with this; = != < <= > >= ~ (repeatable)" },
	{ 0, "source-time-scale", ETC_OPT_TEXT, offsetof(struct args, source), "SCALE", NULL,
	  "what the runtime's ticks are: ns, us, ms, s, cycles, ticks (ns)" },
	{ 0, "target-time-scale", ETC_OPT_TEXT, offsetof(struct args, target), "SCALE", NULL,
	  "unit of times on screen: ns, us, ms, s (as fits)" },
	{ 0, "ticks-per-second", ETC_OPT_TEXT, offsetof(struct args, ticks), "N", NULL,
	  "of the runtime's clock, when its ticks are cycles or ticks" },
	ETC_COMMON_ROWS(struct args),
	{ 0, "color", ETC_OPT_CHOICE, offsetof(struct args, common.color), "WHEN", "auto|always|never",
	  "colours on standard output (auto)" },
};
/* clang-format on */

/* Columns of the terminal on stdout; 0 when it is none. COLUMNS wins. */
static uint32_t terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;

	if (columns && atoi(columns) > 0)
		return (uint32_t)atoi(columns);
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0)
		return w.ws_col;
	return 0;
}

/* May colours be used if nobody says anything? */
static bool is_color_terminal(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && no[0]);
}

/* Is text on this terminal UTF-8? The first of the variables that is set tells. */
static bool is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *v = getenv(names[i]);

		if (v && v[0])
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "utf-8") ||
			       strstr(v, "UTF8");
	}
	return false;
}

static enum etc_status run(void *args, struct etc_error *err)
{
	struct args *a = args;
	struct etc_text out = { .sink = etc_stdout_sink };
	struct etc_analyze_options o = {
		.common = etc_common_of(&a->common),
		.files = a->common.operands.v,
		.file_count = a->common.operands.count,
		.etrecord = a->etrecord,
		.debug_buffer = a->debug_buffer,
		.program = a->program,
		.no_siblings = a->no_siblings,
		.events = a->events,
		.by = a->by,
		.output = a->output.v,
		.output_count = a->output.count,
		.warmup = a->warmup,
		.top = a->top,
		.method = a->method,
		.stat = a->stat,
		.sort = a->sort,
		.columns = a->columns,
		.where = a->where.v,
		.where_count = a->where.count,
		.source_time_scale = a->source,
		.target_time_scale = a->target,
		.ticks_per_second = a->ticks,
		.ascii = isatty(STDOUT_FILENO) && !is_utf8(),
		.color = a->common.color,
		.terminal = is_color_terminal(),
		.width = terminal_width(),
	};

	if (o.file_count == 0)
		return etc_fail(err, E0501, "which file? etcore analyze run.etdump");
	return etc_stdout_end(&out, etc_analyze(&o, &out, etc_print_note, &a->common, err), err);
}

const struct etc_command etc_cmd_analyze = {
	.name = "analyze",
	.summary = "where the time went: one ranked screen",
	.usage = "FILE… [-r ETRECORD] [options]",
	.examples = "etcore analyze run.etdump\n"
		    "etcore analyze run.etdump -r model.etrecord --by kernel\n"
		    "etcore analyze run.etdump -o json=answer.json",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.operands = offsetof(struct args, common.operands),
	.run = run,
};
