/* internal.h -- private to the checks: verdicts, cases, and calling a plugin. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_INTERNAL_H
#define ETC_COMMANDS_PLUGINS_CHECK_INTERNAL_H

#include "base/fence.h"
#include "base/text.h"
#include "commands/plugins/check/check.h"
#include "host/contract.h"
#include "host/sink.h"

enum { ETC_OWN_WORDS = 24 }; /* the most words in etc_checking.words */

/* One check of one plugin. */
struct etc_checking {
	const char *path;
	const struct etc_check_subject *subject;
	/* only its members path, name, abi and settings are set. NULL if the check is about the
	 * file */
	struct etc_plugin *plugin;
	const struct etcore_plugin *abi; /* descriptor of that plugin */
	struct etc_arena *arena;
	struct etc_check_board *board;
	struct etc_surroundings *before; /* state of the process before the library was loaded */
	struct etc_str words[ETC_OWN_WORDS]; /* words of the plugin: own.c */
	unsigned word_count;
};

/* surroundings.c: returns the current state of those parts of the process that a plugin must not
 * change; NULL: out of memory. */
struct etc_surroundings *etc_surroundings_now(struct etc_arena *arena);

/* run.c: sets the verdict to failed. Only the first failure is kept; a check without failures is
 * OK. */
void etc_check_failed(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_skip(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_note(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
bool etc_check_has_failed(const struct etc_checking *c);

/* file.c: fails the check if one of the lists of the descriptor has no NULL inside of the list's
 * variable. Adds a note if the file has no symbols, because the sizes of the variables are then
 * unknown. */
void etc_check_ends(struct etc_checking *c);

/* ---- own.c: events of the plugin's backend, made up --------------------------- */

/* Finds c->words. E0901 the library cannot be read, E0904. */
enum etc_status etc_own_words(struct etc_checking *c, struct etc_error *err) ETC_MUST_CHECK;

struct etc_own_event {
	char name[64]; /* delegate name; empty: identified by `id` */
	char blob[1200];
	size_t name_len, blob_len;
	int64_t id;
};
/* returns the number of events that can be made up, at least 1 */
unsigned etc_own_events(const struct etc_checking *c);
/* Makes up event `i`; false after the last. */
bool etc_own_event(const struct etc_checking *c, unsigned i, struct etc_own_event *out);

/* ---- cases.c: arguments of hooks -------------------------------------------- */

enum { ETC_CASES_RANDOM_MOST = 2000 };
/* Sets of cases, as bits. If several sets are combined, their cases come in this order. */
enum etc_case_set {
	ETC_CASES_ORDINARY = 1, /* events as backends log them */
	ETC_CASES_NUMBERS = 2,  /* extreme ids, times, numbers of samples and events */
	ETC_CASES_NAMES = 4,    /* hostile texts for names and delegate names */
	ETC_CASES_METADATA = 8, /* hostile bytes for metadata and the delegate's blob */
	ETC_CASES_TEXTS = 16,   /* hostile texts for everything else */
	ETC_CASES_RANDOM = 32,  /* calls made from the subject's seed */
	ETC_CASES_CALLS = 64,   /* calls of the sample, with their own times */
	ETC_CASES_OWN = 128,    /* events of the plugin's backend, made up */
	ETC_CASES_LARGE = 256   /* more hostile texts: 1 MiB long, and truncated everywhere */
};
enum {
	ETC_CASES_SMALL = ETC_CASES_ORDINARY | ETC_CASES_NUMBERS | ETC_CASES_NAMES |
	                  ETC_CASES_METADATA | ETC_CASES_TEXTS | ETC_CASES_OWN,
	ETC_CASES_ALL = ETC_CASES_SMALL | ETC_CASES_LARGE
};

/* One call. Each of its structs, arrays and texts ends at an inaccessible page. */
struct etc_case {
	const char *what; /* description of the case: "1 MiB of '(' as delegate name" */
	struct etc_fence fence;
	const struct etcore_call *call;
	bool of_sample; /* its events are those of the sample */
	/* the case is a call of the plugin's backend that has all events of the sample, with one
	 * time each */
	bool sampled;
};

struct etc_cases {
	struct etc_checking *c;
	unsigned sets;
	size_t extra;   /* bytes added to every struct, as by a later version */
	bool older;     /* structs of ABI 1.0 */
	bool sealed;    /* arguments of hooks are read-only */
	unsigned at;    /* index of the next case */
	char what[120]; /* description of the current case */
	struct etc_case one;
	struct etc_fence_pool pool;
};

/* Makes the next case, which is valid until the next call. NULL: there are no more cases, or the
 * check has failed (which includes a lack of memory). All memory is then released. */
const struct etc_case *etc_cases_next(struct etc_cases *all);
/* Releases the memory of `all`, for a caller that stops before etc_cases_next() has returned
 * NULL. */
void etc_cases_end(struct etc_cases *all);

/* Allocates `size` bytes for a struct, and after it `extra` bytes of ETC_CHECK_PATTERN, which end
 * at a fence. */
enum { ETC_CHECK_PATTERN = 0xa5 };
void *etc_case_struct(struct etc_fence *f, size_t size, size_t extra);

struct etc_hostile {
	struct etcore_text text;
	char what[80]; /* description of the text */
	bool failed;   /* out of memory */
};
/* texts.c: copies hostile text number `i` to fenced memory; false after the last. With `large`,
 * there are also texts of 1 MiB, and texts that are truncated everywhere. */
bool etc_hostile_text(struct etc_fence *f, unsigned i, bool large, struct etc_hostile *out);
/* A copy that ends at a fence; `ok` becomes false if out of memory. */
struct etcore_text etc_fenced_text(struct etc_fence *f, const char *s, size_t len, bool *ok);

/* ---- words.c: proposals of common words ----------------------------------------- */

/* A list of proposals, limited to what fits into a line of the report. */
struct etc_proposals {
	char text[1900];
	size_t len;
	unsigned left;
};

/* Adds a proposal, unless it is there already. */
void etc_propose(struct etc_proposals *all, const char *fmt, ...) ETC_PRINTF(2, 3);
/* Adds a proposal if a hook's answer `value` is a category that is no common word (field
 * ETCORE_CLASS_CATEGORY), or a name with a control character (ETCORE_NAME_DISPLAY). */
void etc_propose_for(struct etc_proposals *all, uint32_t field, struct etcore_text value);
/* Adds the proposals to the check as a note that starts with `where`. */
void etc_propose_all(struct etc_checking *c, const char *where, const struct etc_proposals *all);

/* ---- drive.c: calling hooks and recording answers ---------------------------------- */

/* An instance, with a record of all its answers. */
struct etc_drive {
	struct etc_checking *c;
	bool sealed; /* arguments of hooks are read-only */
	bool quiet;  /* does not write `doing` to the board: for threads, and for speed */
	struct etc_proposals *words; /* proposals for words of events; NULL: not requested */
	uint32_t refuse_at;          /* sinks refuse from their n-th call on; 0: never */
	size_t extra;    /* bytes added to sinks and output structs, as by a later version */
	bool older;      /* the drive acts as a host of ABI 1.0 */
	bool may_refuse; /* open() may fail without failing the check */
	void *self;
	bool open;
	bool declined;          /* probe returned less than 50 at least once */
	struct etc_text record; /* the answers, one line each */
	/* The first finding of each kind, with hook and case; empty: none. */
	char threw[300];  /* a hook threw an exception */
	char result[300]; /* a hook returned a result that is none of the ETCORE_* values */
	/* a hook returned ETCORE_FAILED or ETCORE_NOMEM although no sink had refused its answer */
	char gave_up[300];
	char corrupt[300]; /* parse_metadata returned ETCORE_CORRUPT for an event of the sample */
	bool accepted;     /* parse_metadata returned ETCORE_OK for an event of the sample */
	char fault[300];   /* an answer that the host's sink refused */
	char data_fault[300]; /* an answer of parse_metadata that the host's sink refused */
	char infinite[300];   /* a column's value that is nan or infinite */
	/* a hook that called its sink again after a refusal, or did not return the result of the
	 * refusal */
	char insisted[300];
	char overran[300]; /* a hook that changed bytes after a struct */
	/* an event whose times on the runtime's clock are outside its DELEGATE_CALL */
	char outside[300];
	bool timed;          /* measures the calls */
	unsigned slowest_us; /* duration of the slowest hook call */
	const char *slowest;
	char slow_case[120];
	uint64_t refusals;
	/* number of calls of sinks, without those that were refused because of `refuse_at` */
	uint64_t answers;
	struct etc_tried tried;
	struct etc_taps *taps; /* state of the sinks: taps.h */
};

/* Opens an instance with the values of its options that the host would pass: the declared defaults.
 * etc_drive_open_with() instead passes the `count` options in `settings`. Both return false if
 * open() throws an exception or does not return ETCORE_OK. The check then fails. Exception: if
 * `may_refuse` is set, or in etc_drive_open_with(), it does not fail if open() returned another of
 * the ETCORE_* values. Call etc_drive_close() in any case. */
bool etc_drive_open(struct etc_drive *d, struct etc_checking *c);
bool etc_drive_open_with(struct etc_drive *d, struct etc_checking *c,
                         const struct etcore_setting *const *settings, uint32_t count);
void etc_drive_close(struct etc_drive *d);

/* Calls the plugin's hooks as the host does: probe and describe_time once for the delegate call
 * `one`, the others for each event of the call. Answers are appended to d->record, findings are
 * kept in `d`. */
void etc_drive_case(struct etc_drive *d, const struct etc_case *one);
/* Calls etc_drive_case() for every case of `sets`, but stops when the check has failed. */
void etc_drive_cases(struct etc_drive *d, unsigned sets);

/* Opens an instance, calls every hook on every case of `sets`, and closes the instance. Returns
 * false if it could not be opened. Afterwards the findings in `d` are valid, but d->record is
 * released. */
bool etc_drive_over(struct etc_drive *d, struct etc_checking *c, unsigned sets);

/* Calls only convert_time, for the last event of the call. The converted numbers are in out[0 ..
 * count). False: the hook declined or failed. */
bool etc_drive_convert(struct etc_drive *d, const struct etc_case *one,
                       const struct etcore_scales *scales, const uint64_t *raw, uint64_t count,
                       struct etc_converted *out);

/* Calls only parse_metadata, on the call's last event. The answer is valid until the drive's next
 * case; the caller frees out->items. Returns ETCORE_FAILED if the hook threw an exception. */
etcore_result etc_drive_parse(struct etc_drive *d, const struct etc_case *one,
                              struct etc_datum_intake *out);

/* ---- the checks, by file ------------------------------------------------------- */

/* Was the library built with coverage counters (gcov, LLVM's profiles)? They add exported
 * symbols, variables that change in every hook, and a file that is written at exit. */
bool etc_check_counts(const struct etc_checking *c);

void etc_check_symbols(struct etc_checking *c); /* file.c */
void etc_check_linkage(struct etc_checking *c);
void etc_check_load(struct etc_checking *c); /* descriptor.c */
void etc_check_declarations(struct etc_checking *c);
void etc_check_options(struct etc_checking *c);
void etc_check_extension(struct etc_checking *c);
void etc_check_ordinary(struct etc_checking *c); /* inputs.c */
void etc_check_numbers(struct etc_checking *c);
void etc_check_names(struct etc_checking *c);
void etc_check_metadata(struct etc_checking *c);
void etc_check_texts(struct etc_checking *c);
void etc_check_exceptions(struct etc_checking *c);
void etc_check_columns(struct etc_checking *c);
void etc_check_answers(struct etc_checking *c);
void etc_check_probe(struct etc_checking *c);
void etc_check_sinks(struct etc_checking *c);
void etc_check_sizes(struct etc_checking *c);
void etc_check_older(struct etc_checking *c);
void etc_check_repeat(struct etc_checking *c); /* same.c */
void etc_check_order(struct etc_checking *c);
void etc_check_instances(struct etc_checking *c);
void etc_check_threads(struct etc_checking *c);
void etc_check_globals(struct etc_checking *c);
void etc_check_convert_time(struct etc_checking *c); /* time.c */
void etc_check_clocks(struct etc_checking *c);
void etc_check_speed(struct etc_checking *c);
void etc_check_parity(struct etc_checking *c); /* parity.c */
void etc_check_stress(struct etc_checking *c); /* inputs.c */
void etc_check_quiet(struct etc_checking *c);  /* surroundings.c */
void etc_check_environment(struct etc_checking *c);
void etc_check_isolation(struct etc_checking *c);
void etc_check_locale(struct etc_checking *c);
void etc_check_growth(struct etc_checking *c);
void etc_check_hook_growth(struct etc_checking *c);

#endif
