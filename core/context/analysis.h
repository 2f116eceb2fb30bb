/* analysis.h -- the functions that answer, one struct of options each.
 *
 * Behind etcore/etcore.h: the rows of a command's options point into its struct.
 * An answer is known as a whole before the first piece of its text goes out, so a caller
 * never prints half of one. */
#ifndef ETC_API_ANALYSIS_H
#define ETC_API_ANALYSIS_H

#include "base/error.h"
#include "base/notes.h"
#include "base/text.h"
#include "context/options.h"

/* An input that the caller handed in: it is opened by its name, as if by a path. */
struct etc_given {
	const struct etc_given *next;
	const char *name;
	struct etc_span bytes; /* borrowed */
};

/* Common to all questions: operands, configuration, plugins, how the answer is shown. The first
 * member, `common`, of the struct of each, which the rows of its options point into. Zeroed is
 * the default. */
struct etc_common_options {
	struct etc_opt_list operands;
	struct etc_opt_list plugins; /* --plugin NAME|PATH */
	struct etc_opt_list set;     /* --set SECTION.KEY=VALUE */
	const char *config;          /* -c INI, or NULL */
	const char *worker; /* the etcore program, which is started for --isolate; NULL: as found */
	const char *diagnostics; /* --diagnostics text|json; NULL: text */
	const char *color;       /* --color auto|always|never; NULL: not given */
	const char *width_text;  /* --width COLUMNS of the terminal; NULL: not a terminal */
	uint32_t width;          /* the same, which the library reads; 0: not a terminal */
	const char *jobs;        /* --jobs N, or NULL */
	bool no_plugins;
	bool isolate;    /* --isolate: plugins run in processes of their own */
	bool no_isolate; /* --no-isolate: none does */
	bool strict;     /* a warning becomes its status */
	bool salvage;    /* --salvage: of a cut ETDump its whole runs */
	bool no_color;   /* as --color never */
	bool terminal;   /* stdout is one, and nothing (NO_COLOR) speaks against colours */
	bool ascii;      /* terminal is not UTF-8 */
	uint8_t verbose;
	const struct etc_given *given; /* or NULL */
};

/* The i-th operand, or NULL. */
static inline const char *etc_operand(const struct etc_common_options *common, uint32_t i)
{
	return i < common->operands.count ? common->operands.v[i] : NULL;
}

/* Called for every warning and note when a question is answered, in order. */
typedef void etc_note_fn(void *arg, const struct etc_note *note);

/* Which rows over which runs, in which time: of a question that has profiles of dumps. */
struct etc_plan_options {
	const char *by; /* a word of etc_by_analyze or etc_by_compare; NULL: op */
	const char *method, *stat, *warmup, *top, *sort, *columns;
	struct etc_opt_list where;
	const char *source_time_scale, *target_time_scale, *ticks_per_second;
	bool events;
};

/* ---- etcore inspector ---------------------------------------------------- */
struct etc_inspector_options {
	struct etc_common_options common;
	const char *etdump, *etrecord, *debug_buffer; /* NULL: none */
	const char *program; /* `etcore inspector model.pte`: siblings, and TSV beside it */
	const char *source_time_scale, *target_time_scale;       /* NULL: as -c says */
	const char *tsv;                                         /* --tsv_path */
	struct etc_opt_list output;                              /* -o, as in output.h */
	const char *include_units, *include_delegate_debug_data; /* yes, no; NULL: default */
	const char *module;                                      /* --module NAME */
	bool enable_module_hierarchy;
	const char *reference_graph;
	bool compare_results;
	const char *numeric_gap;      /* --numeric_gap MSE, L1, SNR; NULL: not given */
	const char *reference_values; /* the file of values that it needs */
};

/* The Inspector's answer, byte for byte, into `out`. */
enum etc_status etc_inspector(const struct etc_inspector_options *options, struct etc_text *out,
                              etc_note_fn *on_note, void *arg,
                              struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore analyze ------------------------------------------------------ */
struct etc_analyze_options {
	struct etc_common_options common; /* operands: files */
	struct etc_plan_options plan;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *etrecord, *debug_buffer, *program;
	bool no_siblings;
};

enum etc_status etc_analyze(const struct etc_analyze_options *options, struct etc_text *out,
                            etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* The same, and with ETC_OK the answer itself (answer.h), to be closed. The
 * options' arrays and texts must live as long. */
struct etc_answer;
enum etc_status etc_analyze_keep(const struct etc_analyze_options *options, struct etc_text *out,
                                 etc_note_fn *on_note, void *arg, struct etc_answer **kept,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore diff --------------------------------------------------------- */
struct etc_diff_request {
	struct etc_common_options common; /* operands: groups of files, "--" between them */
	struct etc_plan_options plan;
	struct etc_opt_list output;     /* -o, as in output.h */
	const char *names;              /* --names A,B,…: of the groups; NULL: from their paths */
	const char *etrecord, *program; /* of all groups; NULL: each has its own, or none */
	const char *confidence, *rounds;
	const char *process_spread, *order; /* NULL: 5%, by start times */
	bool no_siblings;
};

/* What changed from the first group to each of the others. E0501 fewer than two
 * groups, or one without a dump. */
enum etc_status etc_diff(const struct etc_diff_request *request, struct etc_text *out,
                         etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore check -------------------------------------------------------- */
struct etc_check_request {
	struct etc_common_options common; /* operands: dumps that are checked */
	/* `by` and `where`: every row too, as diff's, or those with this before comparing. */
	struct etc_plan_options plan;
	struct etc_opt_list output;   /* -o, as in output.h */
	struct etc_opt_list baseline; /* dumps, stored baselines, and folders of these */
	const char *max_regression, *metric, *rules; /* NULL: 5%, typical, none */
	const char *names; /* of baseline and run, ',' between; NULL: from their paths */
	const char *confidence, *rounds;    /* NULL: 95%, 10000 */
	const char *process_spread, *order; /* NULL: 5%, by start times */
	const char *no_verdict;             /* pass, fail; NULL: status 11 */
	const char *runner;                 /* "KEY=VALUE,…": the device, for records */
	struct etc_opt_list dependencies;   /* NAME=VERSION: what ran there, for records */
	const char *etrecord, *program;
	bool no_siblings;
};

/* Did something get slower, significantly and by more than a rule allows? E0175 then, E0190
 * if a line has no verdict: both with the report in `out`, as is the W of --strict.
 * E0177 no baseline, and what reading rules (commands/compare/gate_rules.h) and dumps says. */
enum etc_status etc_check(const struct etc_check_request *request, struct etc_text *out,
                          etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore baseline ------------------------------------------------------ */
struct etc_baseline_request {
	struct etc_common_options common; /* operands: save, merge or show; then dumps, and what
	                                   * belongs to them, or baselines */
	struct etc_plan_options plan;
	const char *output; /* save, merge: the file that is written; "-": `out` */
	const char *etrecord, *program;
	bool no_siblings;
};

/* Keeps what comparisons need of dumps in one file that stands for them, puts several
 * such files into one, or tells what is in one. E0176, E0178, E0501, E0504, and of
 * reading dumps. */
enum etc_status etc_baseline(const struct etc_baseline_request *request, struct etc_text *out,
                             etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore dump ---------------------------------------------------------- */
struct etc_dump_options {
	struct etc_common_options common;
	const char *file;           /* "-": standard input */
	struct etc_opt_list output; /* -o, as in output.h */
	const char *graph;          /* --graph NAME; "": the default one; NULL: not given */
	const char *diff;           /* --diff FILE: both are programs; NULL: not given */
};

/* Every field of the file. Only when all of it is known to be readable does
 * anything go to `out`, piece by piece: give it a sink. E0509 no such kind. */
enum etc_status etc_dump(const struct etc_dump_options *options, struct etc_text *out,
                         etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore memory -------------------------------------------------------- */
struct etc_memory_options {
	/* operands: a .pte or .bpte, an ETDump, or both; "-": standard input */
	struct etc_common_options common;
	struct etc_opt_list output; /* -o, as in output.h */
	const char *method, *top;   /* NULL: all; 24 lifetimes, 10 of others */
};

/* How the program's memory is planned: sizes, peaks, lifetimes; and what the runs of
 * the dump allocated, by its allocation events. E0430 to E0434, what reading an
 * ETDump says, E0501 two of a kind, E0508 no such method. */
enum etc_status etc_memory(const struct etc_memory_options *options, struct etc_text *out,
                           etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore pipeline ------------------------------------------------------ */

struct etc_pipeline_options {
	/* operands: the command, and what it takes; `run`: config is the pipeline's, `set` keys of it */
	struct etc_common_options common;

	/* run */
	struct etc_opt_list only;    /* names of experiments */
	const char *target, *serial; /* local, adb, adb:SERIAL; or NULL */
	const char *progress;        /* number of a descriptor that shows progress, or NULL */
	bool dry_run, resume, force, kernel_trace;

	/* validate, compare, report */
	const char *folder;         /* the operand */
	struct etc_opt_list output; /* -o, as in output.h */
	const char *known_good;     /* compare: NULL: only against the layout */
	const char *level;          /* validate: auto, schema, content, quality; NULL: auto */
	const char *into;           /* report: folder of its files; NULL: where the dumps are */
	const char *etrecord;       /* report: of all dumps; NULL: the model's, if it is there */
	const char *process_spread; /* report: in percent; NULL: 5 */
	const char *categories;     /* report: etcore, kit-v1, kit-v2; NULL: etcore */
};

/* Measures into the folder of the configuration (commands/pipeline/run.h). E1005 with the table in
 * `out`: something could not be measured, the warnings say what. */
enum etc_status etc_pipeline_run(const struct etc_pipeline_options *options, struct etc_text *out,
                                 etc_note_fn *on_note, void *arg,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Writes a commented configuration for `kind` (mac, android, linux) to `path` (NULL:
 * <kind>.ini; "-": into `out`). E1000, E0632, E0903. */
enum etc_status etc_pipeline_new(const char *kind, const char *path, struct etc_text *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore doctor -------------------------------------------------------- */
struct etc_doctor_options {
	struct etc_common_options common; /* operands: files of any kind */
	struct etc_opt_list output;       /* -o, as in output.h */
	bool no_siblings;
};

/* What the files are, whether they are whole and belong together, and what is missing
 * in them. E0960 with the report in `out`: something is wrong. */
enum etc_status etc_doctor(const struct etc_doctor_options *options, struct etc_text *out,
                           etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore plugins, config ---------------------------------------------- */
struct etc_plugins_options {
	struct etc_common_options common; /* operands: the action, a plugin, and more of `check` */
	struct etc_opt_list output;       /* -o, as in output.h */

	/* check */
	const char *level;  /* basic, strict, parity, stress; NULL: basic */
	const char *limit;  /* seconds that one check may take; NULL: 20 */
	const char *sample; /* an ETDump of the plugin's backend, or NULL */
	/* What callables in Python answered (record_parity.py): parity needs it. */
	const char *expected;
	const char *seed; /* of stress; NULL: 1 */

	/* new */
	const char *language; /* c|cpp|rust|zig; NULL: c */
	const char *backend;  /* its id; NULL: made of the name */
};

/* list, info NAME|PATH */
enum etc_status etc_plugins(const struct etc_plugins_options *options, struct etc_text *out,
                            etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore plugins check ------------------------------------------------- */
/* Runs every check in a process of its own: this program again, with
 * ETC_CHECK_COMMAND. The report goes to `out`, also with E0630: a check failed.
 * E0501, E0504 no such check, E0505, E0601, E0633, E0634. */
enum etc_status etc_plugins_check(const struct etc_plugins_options *options, struct etc_text *out,
                                  etc_note_fn *on_note, void *arg,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* In such a process: one check of the library at `path`; descriptor 3 is where
 * the verdict goes. */
#define ETC_CHECK_COMMAND "check-one"
enum etc_status etc_plugins_check_one(const char *check, const char *path, const char *sample,
                                      const char *expected, const char *seed,
                                      struct etc_error *err) ETC_MUST_CHECK;

/* ---- etcore plugins new --------------------------------------------------- */
/* Writes the project of a new plugin to the folder ./NAME, which must not exist.
 * E0501 no name, E0505, E0631, E0632, E0635, E0903. */
enum etc_status etc_plugins_new(const struct etc_plugins_options *o, struct etc_text *out,
                                struct etc_error *err) ETC_MUST_CHECK;

struct etc_config_options {
	struct etc_common_options common;
	struct etc_opt_list output; /* -o, as in output.h */
};
enum etc_status etc_config(const struct etc_config_options *options, struct etc_text *out,
                           etc_note_fn *on_note, void *arg, struct etc_error *err) ETC_MUST_CHECK;

/* One key of the configuration, for manuals; texts are constants. */
struct etc_key {
	const char *section; /* "etcore"; "plugin" and "backend" take a name */
	const char *key, *built_in, *unit, *help, *expected;
	const char *environment; /* or NULL */
};

/* The keys in the order of conf/etcore.ini; false after the last one. */
bool etc_key_at(uint32_t i, struct etc_key *out);

#endif
