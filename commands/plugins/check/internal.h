/* internal.h -- declarations that the checks share: verdicts, cases, and functions that call a
 * plugin. */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_INTERNAL_H
#define ETC_COMMANDS_PLUGINS_CHECK_INTERNAL_H

#include "base/fence.h"
#include "base/text.h"
#include "commands/plugins/check/check.h"
#include "host/contract.h"
#include "host/sink.h"

enum { ETC_OWN_WORDS = 24 }; /* maximum number of words in etc_checking.words */

/* One check of one plugin. */
struct etc_checking {
	const char *path;
	const struct etc_check_subject *subject;
	/* only the members path, name, abi and settings are set. NULL if the check is only about
	 * the plugin's file */
	struct etc_plugin *plugin;
	const struct etcore_plugin *abi; /* descriptor of that plugin */
	struct etc_arena *arena;
	struct etc_check_board *board;
	struct etc_surroundings *before; /* state of the process before the library was loaded */
	struct etc_str words[ETC_OWN_WORDS]; /* words in the plugin's file; see own.c */
	unsigned word_count;
};

/* surroundings.c: returns the state of those parts of the process that a plugin must not change.
 * NULL: out of memory. */
struct etc_surroundings *etc_surroundings_now(struct etc_arena *arena);

/* run.c: sets the verdict to failed. Only the first failure is kept. A check with no failure is
 * OK. */
void etc_check_failed(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_skip(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_note(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
bool etc_check_has_failed(const struct etc_checking *c);

/* file.c: fails the check if a list in the descriptor has no NULL before the end of the variable
 * that contains the list. If the file has no symbols, the sizes of variables are unknown, and a
 * note says so. */
void etc_check_ends(struct etc_checking *c);

/* ---- own.c: events of the plugin's backend, made up --------------------------- */

/* Sets c->words to words from the plugin's file. E0901: the file cannot be read. E0904. */
enum etc_status etc_own_words(struct etc_checking *c, struct etc_error *err) ETC_MUST_CHECK;

struct etc_own_event {
	char name[64]; /* delegate name; empty: the event is identified by `id` */
	char blob[1200];
	size_t name_len, blob_len;
	int64_t id;
};
/* returns the number of events that can be made up, at least 1 */
unsigned etc_own_events(const struct etc_checking *c);
/* Invents event number `i`. Returns false if there is no such event. */
bool etc_own_event(const struct etc_checking *c, unsigned i, struct etc_own_event *out);

/* ---- cases.c: arguments of hooks -------------------------------------------- */

enum { ETC_CASES_RANDOM_MOST = 2000 };
/* Sets of cases, as bits. If several sets are combined, the cases come in the order of this
 * list. */
enum etc_case_set {
	ETC_CASES_ORDINARY = 1, /* events as backends log them */
	ETC_CASES_NUMBERS = 2,  /* extreme ids, times, numbers of samples and events */
	ETC_CASES_NAMES = 4,    /* hostile texts for names and delegate names */
	ETC_CASES_METADATA = 8, /* hostile bytes for metadata and the delegate's blob */
	ETC_CASES_TEXTS = 16,   /* hostile texts for all other arguments */
	ETC_CASES_RANDOM = 32,  /* random calls; the subject's seed determines them */
	ETC_CASES_CALLS = 64,   /* calls in the sample dump (--sample), with their own times */
	ETC_CASES_OWN = 128,    /* invented events of the plugin's backend */
	/* more hostile texts: texts of 1 MiB, and texts truncated at every position */
	ETC_CASES_LARGE = 256
};
enum {
	ETC_CASES_SMALL = ETC_CASES_ORDINARY | ETC_CASES_NUMBERS | ETC_CASES_NAMES |
	                  ETC_CASES_METADATA | ETC_CASES_TEXTS | ETC_CASES_OWN,
	ETC_CASES_ALL = ETC_CASES_SMALL | ETC_CASES_LARGE
};

/* One call of hooks. Each of its structs, arrays and texts ends at an inaccessible page, so that
 * reading past its end crashes. */
struct etc_case {
	const char *what; /* description of the case: "1 MiB of '(' as delegate name" */
	struct etc_fence fence;
	const struct etcore_call *call;
	bool of_sample; /* the events of the call are from the sample dump */
	/* the case is one call of the plugin's backend that has all events of the sample dump. Each
	 * event has the time of one run */
	bool sampled;
};

struct etc_cases {
	struct etc_checking *c;
	unsigned sets;
	/* number of bytes appended to every struct, as if it were that of a later version of the
	 * ABI */
	size_t extra;
	bool older;     /* structs have the size that they have in ABI 1.0 */
	bool sealed;    /* the arguments of hooks are in read-only memory */
	unsigned at;    /* index of the next case */
	char what[120]; /* description of the current case */
	struct etc_case one;
	struct etc_fence_pool pool;
};

/* Makes the next case, which is valid until the next call of this function. NULL: there are no
 * more cases, or the check has failed (also because memory ran out). After NULL, all memory has
 * been released. */
const struct etc_case *etc_cases_next(struct etc_cases *all);
/* Releases the memory of `all`. Needed only if the caller stops before etc_cases_next() has
 * returned NULL. */
void etc_cases_end(struct etc_cases *all);

/* Allocates `size` bytes for a struct, followed by `extra` bytes of ETC_CHECK_PATTERN, which end at
 * a fence (an inaccessible page). */
enum { ETC_CHECK_PATTERN = 0xa5 };
void *etc_case_struct(struct etc_fence *f, size_t size, size_t extra);

struct etc_hostile {
	struct etcore_text text;
	char what[80]; /* description of the text */
	bool failed;   /* out of memory */
};
/* texts.c: copies hostile text number `i` to fenced memory. Returns false if there is no such text.
 * With `large`, there are also texts of 1 MiB, and texts truncated at every position. */
bool etc_hostile_text(struct etc_fence *f, unsigned i, bool large, struct etc_hostile *out);
/* Returns a copy of the text that ends at a fence. Sets `ok` to false if out of memory. */
struct etcore_text etc_fenced_text(struct etc_fence *f, const char *s, size_t len, bool *ok);

/* ---- words.c: proposals of common words ----------------------------------------- */

/* A list of proposals of better words. A proposal that does not fit into one line of the report is
 * left out. */
struct etc_proposals {
	char text[1900];
	size_t len;
	unsigned left;
};

/* Adds a proposal that the list does not have yet. */
void etc_propose(struct etc_proposals *all, const char *fmt, ...) ETC_PRINTF(2, 3);
/* Adds a proposal if `value`, the answer of a hook, should be changed: a category that is not a
 * common word (field ETCORE_CLASS_CATEGORY), or a name with a control character
 * (ETCORE_NAME_DISPLAY). */
void etc_propose_for(struct etc_proposals *all, uint32_t field, struct etcore_text value);
/* Adds a note with the proposals to the check. The note starts with `where`. */
void etc_propose_all(struct etc_checking *c, const char *where, const struct etc_proposals *all);

/* ---- drive.c: calling hooks and recording answers ---------------------------------- */

/* An instance of the plugin, and the text of all its answers. */
struct etc_drive {
	struct etc_checking *c;
	bool sealed; /* arguments of hooks are read-only */
	/* board->doing is not written: it belongs to the main thread, and writing it takes time */
	bool quiet;
	struct etc_proposals *words; /* better words for those in answers; NULL: not requested */
	/* from their n-th call on, sinks refuse answers; 0: they never refuse */
	uint32_t refuse_at;
	/* number of bytes added to sinks and output structs, as a later version of the ABI would */
	size_t extra;
	bool older;      /* acts as a host of ABI 1.0 */
	bool may_refuse; /* if open() fails, the check does not fail */
	void *self;
	bool open;
	bool declined;          /* probe returned a score below 50 at least once */
	struct etc_text record; /* the answers, one per line */
	/* For each kind of finding, the first one, with hook and case; empty: there was none. */
	char threw[300];  /* a hook threw an exception */
	char result[300]; /* a hook returned a number that is none of the ETCORE_* results */
	/* a hook returned ETCORE_FAILED or ETCORE_NOMEM, although no sink had refused an answer */
	char gave_up[300];
	char corrupt[300];    /* parse_metadata returned ETCORE_CORRUPT for a recorded event */
	bool accepted;        /* parse_metadata returned ETCORE_OK for a recorded event */
	char fault[300];      /* description of an answer that the host's sink refused */
	char data_fault[300]; /* an answer of parse_metadata that the host's sink refused */
	char infinite[300];   /* the value of a column is nan or infinite */
	/* a hook called its sink again after a refusal, or did not return the result of the
	 * refusal */
	char insisted[300];
	char overran[300]; /* a hook changed bytes behind the end of a struct */
	/* an event has times on the runtime's clock that are outside its DELEGATE_CALL */
	char outside[300];
	bool timed;          /* measure the duration of hook calls */
	unsigned slowest_us; /* duration of the slowest hook call */
	const char *slowest;
	char slow_case[120];
	uint64_t refusals;
	/* number of calls of sinks, except those that `refuse_at` refused */
	uint64_t answers;
	struct etc_tried tried;
	struct etc_taps *taps; /* state of the sinks: taps.h */
};

/* Opens an instance with the options that the host would pass: their declared defaults.
 * etc_drive_open_with() instead passes the `count` options in `settings`. Both functions return
 * false if open() throws an exception, or does not return ETCORE_OK.
 *
 * With etc_drive_open(), the check then fails, unless `may_refuse` is set and open() returned
 * another of the ETCORE_* results. With etc_drive_open_with(), the check itself does not fail. The
 * caller must always call etc_drive_close(). */
bool etc_drive_open(struct etc_drive *d, struct etc_checking *c);
bool etc_drive_open_with(struct etc_drive *d, struct etc_checking *c,
                         const struct etcore_setting *const *settings, uint32_t count);
void etc_drive_close(struct etc_drive *d);

/* Calls the plugin's hooks as the host does: probe and describe_time once for the delegate call
 * `one`, and the other hooks for each event of the call. Appends the answers to d->record, and
 * stores findings in `d`. */
void etc_drive_case(struct etc_drive *d, const struct etc_case *one);
/* Calls etc_drive_case() for every case of `sets`. Stops when the check has failed. */
void etc_drive_cases(struct etc_drive *d, unsigned sets);

/* Opens an instance, calls every hook for every case of `sets`, and closes the instance. Returns
 * false if the instance could not be opened. Afterwards the findings in `d` are valid, but
 * d->record has been released. */
bool etc_drive_over(struct etc_drive *d, struct etc_checking *c, unsigned sets);

/* Calls only the hook convert_time, for the last event of the call. Writes the converted numbers to
 * out[0 .. count). Returns false if the hook declined or failed. */
bool etc_drive_convert(struct etc_drive *d, const struct etc_case *one,
                       const struct etcore_scales *scales, const uint64_t *raw, uint64_t count,
                       struct etc_converted *out);

/* Calls only the hook parse_metadata, for the last event of the call. The answer is valid until the
 * next case of the drive; the caller must free out->items. Returns ETCORE_FAILED if the hook threw
 * an exception. */
etcore_result etc_drive_parse(struct etc_drive *d, const struct etc_case *one,
                              struct etc_datum_intake *out);

/* ---- the checks, by file ------------------------------------------------------- */

/* Was the library built with coverage counters (gcov, or LLVM's profiles)? Such counters add
 * exported symbols, variables that change in every hook, and a file that is written at exit. */
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
