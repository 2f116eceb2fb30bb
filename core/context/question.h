/* question.h -- the commands of etcore. Each command has a descriptor in its command.c, and a row
 * in library/questions.c.
 *
 * A descriptor has the texts from which --help, manual and completion are made; one row for each
 * option, with the offset of its member in the command's struct of options (common.h); and the
 * function that executes the command. */
#ifndef ETC_CONTEXT_QUESTION_H
#define ETC_CONTEXT_QUESTION_H

#include "context/common.h"
#include "context/session.h"

struct etc_question {
	const char *name;
	const char *summary;  /* one line for `etcore --help` */
	const char *usage;    /* "FILE… [options]" */
	const char *examples; /* command lines, one per line */
	/* not in `etcore --help`, manual and completion, and not proposed for misspelt names */
	bool hidden;
	const struct etc_opt *options;
	unsigned option_count;
	bool keeps;  /* the command's answer can be kept, and read table by table (kept.h) */
	bool groups; /* operands "--" separate the inputs into groups */
	/* name of an option of kind LIST. Operands that directly follow a value of this option are
	 * further values of the option, not operands */
	const char *gathers;
	/* size of the command's struct of options. The struct begins with etc_common_options, and
	 * is all zero at first */
	size_t size;
	const char
		/* the message of E0501 if no operand is given; NULL: operands are optional */
		*needs;

	/* Executes the command in a session, whose memory is limited to `budget` bytes; 0: the
	 * default limit. */
	etc_session_fn *answer;
	size_t budget;
	/* Executes a command that has no `answer`. */
	enum etc_status (*run)(void *args, const struct etc_reply *reply, struct etc_error *err);
};

/* Executes a command. The content of reply->out is valid if this returns OK, and may be valid if it
 * returns FINDING; after any other failure it is invalid. May be called again with the same
 * `args`. */
enum etc_status etc_question_run(const struct etc_question *q, void *args,
                                 const struct etc_reply *reply,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Initialisers of the members of struct etc_question that describe options. They refer to an array
 * called `options`, whose rows have offsets in the struct `type`. */
#define ETC_OPTIONS(type) \
	.options = options, .option_count = sizeof options / sizeof options[0], .size = sizeof(type)

/* Returns command number `i` in the order of `etcore --help`; NULL after the last one. */
const struct etc_question *etc_question_at(unsigned i);

/* Common options: rows for the array of options of a command whose struct of options is `type`.
 * Each command lists the common options that it uses. */
/* clang-format off */
/* Options of every query: how report and diagnostics are shown. */
#define ETC_SHOWN_ROWS(type)                                                                                          \
	{ 0, "diagnostics", ETC_OPT_CHOICE, offsetof(type, common.diagnostics), "FORM", "text|json",                  \
	  "warnings and errors as text or as one JSON object per line" },                                             \
	{ 0, "color", ETC_OPT_CHOICE, offsetof(type, common.color), "WHEN", "auto|always|never",                      \
	  "colours on standard output (default: auto)" },                                                             \
	{ 0, "no-color", ETC_OPT_FLAG, offsetof(type, common.no_color), NULL, NULL,                                   \
	  "the same as --color never" },                                                                              \
	{ 0, "width", ETC_OPT_TEXT | ETC_OPT_HIDDEN, offsetof(type, common.width_text), "COLUMNS", NULL,              \
	  "width of text that fits a screen (0: any)" },                                                              \
	{ 0, "terminal", ETC_OPT_FLAG | ETC_OPT_HIDDEN, offsetof(type, common.terminal), NULL, NULL,                  \
	  "text is for a terminal: colours unless --color says never" },                                              \
	{ 0, "ascii", ETC_OPT_FLAG | ETC_OPT_HIDDEN, offsetof(type, common.ascii), NULL, NULL,                        \
	  "text for a screen that is not UTF-8" }

#define ETC_CONFIG_ROW(type)                                                                                   \
	{ 'c', "config", ETC_OPT_TEXT, offsetof(type, common.config), "INI", NULL,                             \
	  "read this configuration file" }

#define ETC_REPORT_ROWS(type)                                                                                  \
	{ 0, "set", ETC_OPT_LIST, offsetof(type, common.set), "SECTION.KEY=VALUE", NULL,                       \
	  "set a key of the configuration (repeatable)" },                                                     \
	{ 0, "strict", ETC_OPT_FLAG, offsetof(type, common.strict), NULL, NULL,                                \
	  "treat warnings as errors" },                                                                        \
	ETC_SHOWN_ROWS(type),                                                                                  \
	{ 'v', "verbose", ETC_OPT_COUNT, offsetof(type, common.verbose), NULL, NULL,                           \
	  "print more on standard error" }

#define ETC_SALVAGE_ROW(type)                                                                                  \
	{ 0, "salvage", ETC_OPT_FLAG, offsetof(type, common.salvage), NULL, NULL,                              \
	  "show the complete runs of a truncated or damaged ETDump (status 5)" }

#define ETC_JOBS_ROW(type)                                                                                     \
	{ 0, "jobs", ETC_OPT_TEXT, offsetof(type, common.jobs), "N", NULL,                                     \
	  "without effect; accepted for one release" }

/* Rows of the options that commands have if they use plugins. `type` is the command's struct of
 * options. */
#define ETC_COMMON_ROWS(type)                                                                                  \
	ETC_CONFIG_ROW(type),                                                                                  \
	{ 0, "plugin", ETC_OPT_LIST, offsetof(type, common.plugins), "NAME|PATH", NULL,                        \
	  "use this plugin (repeatable)" },                                                                    \
	{ 0, "no-plugins", ETC_OPT_FLAG, offsetof(type, common.no_plugins), NULL, NULL,                        \
	  "use no plugin at all" },                                                                            \
	{ 0, "isolate", ETC_OPT_FLAG, offsetof(type, common.isolate), NULL, NULL,                              \
	  "run each plugin in a separate process, so a crash loses only its results" },                        \
	{ 0, "no-isolate", ETC_OPT_FLAG, offsetof(type, common.no_isolate), NULL, NULL,                        \
	  "run plugins in etcore's own process, whatever the configuration says" },                            \
	{ 0, "worker", ETC_OPT_TEXT | ETC_OPT_HIDDEN, offsetof(type, common.worker), "PATH", NULL,             \
	  "the etcore program, which is started for isolated plugins" },                                       \
	ETC_REPORT_ROWS(type)

/* Options for the unit of a dump's ticks. `type` must have a member `plan` of the type struct
 * etc_plan_options. */
#define ETC_SOURCE_ROW(type)                                                                                   \
	{ 0, "source-time-scale", ETC_OPT_CHOICE, offsetof(type, plan.source_time_scale), "SCALE",             \
	  "ns|us|\xc2\xb5s|ms|s|cycles|ticks", "unit of the runtime's ticks (default: ns)" }

#define ETC_TICKS_ROW(type)                                                                                    \
	{ 0, "ticks-per-second", ETC_OPT_TEXT, offsetof(type, plan.ticks_per_second), "N", NULL,               \
	  "ticks per second of the runtime's clock, if its unit is cycles or ticks" }

#define ETC_METHOD_ROW(type, member)                                                                           \
	{ 0, "method", ETC_OPT_TEXT, offsetof(type, member), "NAME", NULL, "only this method of the program" }

#define ETC_PEAK_ROW(type, what)                                                                               \
	{ 0, "peak", ETC_OPT_LIST, offsetof(type, plan.peak), "KEY=VALUE,…", NULL,                             \
	  what " these peaks: gflops_fp32, gflops_int8, gbps and others of [peaks] (repeatable)" }

#define ETC_NO_SIBLINGS_ROW(type, member)                                                                      \
	{ 0, "no-siblings", ETC_OPT_FLAG, offsetof(type, member), NULL, NULL,                                  \
	  "do not look for files beside the dump" }

#define ETC_WHERE_ROW(type, member)                                                                            \
	{ 0, "where", ETC_OPT_LIST, offsetof(type, member), "COLUMN OP VALUE", NULL,                           \
	  "only rows that fulfil this; OP: = != < <= > >= ~ (repeatable)" }

/* Options of an analysis of one dump. `type` must have the members `etrecord`, `program` and
 * `no_siblings`. */
#define ETC_FILES_ROWS(type)                                                                                   \
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(type, etrecord), "FILE", NULL,                               \
	  "the ETRecord (default: the one beside the dump)" },                                                 \
	{ 'm', "pte", ETC_OPT_FILE, offsetof(type, program), "FILE", NULL, "the program that ran" },           \
	ETC_NO_SIBLINGS_ROW(type, no_siblings)

/* The options that come last in a command which reads dumps and uses plugins. `type` must have a
 * member `plan`. */
#define ETC_ANALYSIS_ROWS(type)                                                                                \
	ETC_SOURCE_ROW(type),                                                                                  \
	ETC_TICKS_ROW(type),                                                                                   \
	ETC_SALVAGE_ROW(type),                                                                                 \
	ETC_COMMON_ROWS(type)

/* Options of queries on several dumps. `type` must have the members `groups` and `plan`. `all`: the
 * word "dumps" or "groups". */
#define ETC_GROUPS_ROWS(type, all)                                                                             \
	{ 'r', "etrecord", ETC_OPT_FILE, offsetof(type, groups.etrecord), "FILE", NULL,                        \
	  "the ETRecord of all " all " (default: those among or beside the dumps)" },                          \
	{ 'm', "pte", ETC_OPT_FILE, offsetof(type, groups.program), "FILE", NULL,                              \
	  "the program of all " all " (default: those among or beside the dumps)" },                           \
	ETC_NO_SIBLINGS_ROW(type, groups.no_siblings)

#define ETC_WARMUP_ROW(type)                                                                                   \
	{ 0, "warmup", ETC_OPT_TEXT, offsetof(type, plan.warmup), "N", NULL,                                   \
	  "number of first runs of each path and dump to leave out (default: 1)" }

#define ETC_DUMPS_ROWS(type)                                                                                   \
	ETC_GROUPS_ROWS(type, "dumps"),                                                                        \
	ETC_WARMUP_ROW(type),                                                                                  \
	ETC_SOURCE_ROW(type),                                                                                  \
	ETC_TICKS_ROW(type)

/* Rows of the options that commands have if their report consists of tables. `type` is the
 * command's struct of options; it must have a member `plan`. */
#define ETC_TABLE_ROWS(type)                                                                                   \
	ETC_WHERE_ROW(type, plan.where),                                                                       \
	ETC_SOURCE_ROW(type),                                                                                  \
	{ 0, "brief", ETC_OPT_FLAG | ETC_OPT_HIDDEN, offsetof(type, plan.brief), NULL, NULL,                   \
	  "files without their SHA-256; of --by run nothing that is measured of events; of another key no "    \
	  "notes on the rows by op" },                                                                         \
	{ 0, "target-time-scale", ETC_OPT_CHOICE, offsetof(type, plan.target_time_scale), "SCALE",             \
	  "ns|us|\xc2\xb5s|ms|s", "unit of times on screen (default: the one that fits)" },                    \
	ETC_TICKS_ROW(type)
/* clang-format on */

#endif
