/* internal.h -- what the checks share: verdicts, cases, and driving a plugin. */
#ifndef ETC_CHECK_INTERNAL_H
#define ETC_CHECK_INTERNAL_H

#include "base/fence.h"
#include "base/text.h"
#include "commands/plugins/check/check.h"
#include "host/contract.h"
#include "host/sink.h"

/* One check of one plugin. */
struct etc_checking {
	const char *path;
	const struct etc_check_subject *subject;
	struct etc_plugin *plugin;       /* with path, name, abi, settings; NULL: of_file */
	const struct etcore_plugin *abi; /* the same plugin's */
	struct etc_arena *arena;
	struct etc_check_board *board;
	struct etc_surroundings *before; /* the process, before the library was loaded */
};

/* surroundings.c: what of the process is the host's, as it is now; NULL: out of memory. */
struct etc_surroundings *etc_surroundings_now(struct etc_arena *arena);

/* run.c: the verdict. The first failure counts; ok is what remains. */
void etc_check_failed(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_skip(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
void etc_check_note(struct etc_checking *c, const char *fmt, ...) ETC_PRINTF(2, 3);
bool etc_check_has_failed(const struct etc_checking *c);

/* ---- cases.c: what hooks are given ------------------------------------------ */

/* Kinds of cases, in this order in every set that holds several. */
enum { ETC_CASES_RANDOM_MOST = 2000 };
enum etc_case_set {
	ETC_CASES_ORDINARY = 1, /* events as backends log them */
	ETC_CASES_NUMBERS = 2,  /* extreme ids, times, numbers of samples and events */
	ETC_CASES_NAMES = 4,    /* hostile texts for names and delegate names */
	ETC_CASES_METADATA = 8, /* hostile bytes for metadata and the delegate's blob */
	ETC_CASES_TEXTS = 16,   /* hostile texts for everything else */
	ETC_CASES_RANDOM = 32,  /* calls that the subject's seed makes */
	ETC_CASES_CALLS = 64,   /* calls of the sample, with their own times */
	ETC_CASES_LARGE = 128   /* with the hostile texts above: 1 MiB as well, and every cut */
};
enum {
	ETC_CASES_SMALL = ETC_CASES_ORDINARY | ETC_CASES_NUMBERS | ETC_CASES_NAMES |
	                  ETC_CASES_METADATA | ETC_CASES_TEXTS,
	ETC_CASES_ALL = ETC_CASES_SMALL | ETC_CASES_LARGE
};

/* One call. Each struct, array and text of it ends at an inaccessible page. */
struct etc_case {
	const char *what; /* "1 MiB of '(' as delegate name" */
	struct etc_fence fence;
	const struct etcore_call *call;
	bool large;
};

struct etc_cases {
	struct etc_checking *c;
	unsigned sets;
	size_t extra;   /* bytes that a later version appended to every struct */
	bool older;     /* structs as they were in ABI 1.0 */
	bool sealed;    /* what hooks are handed is read-only */
	unsigned at;    /* the next case */
	char what[120]; /* of the current one */
	struct etc_fence_pool pool;
};

/* The next case, or false at the end (or out of memory, which fails the check).
 * Release each before the next, and at last the whole. */
bool etc_cases_next(struct etc_cases *all, struct etc_case *out);
void etc_case_release(struct etc_case *one);
void etc_cases_end(struct etc_cases *all);

/* `size` bytes of a struct that ends at a fence, then `extra` more whose bytes
 * are ETC_CHECK_PATTERN. */
enum { ETC_CHECK_PATTERN = 0xa5 };
void *etc_case_struct(struct etc_fence *f, size_t size, size_t extra);

/* texts.c: text number `i` of the hostile ones into fenced memory: false past
 * the last. `what` says what it is. `large`: 1 MiB too, and every cut. */
struct etc_hostile {
	struct etcore_text text;
	char what[80];
	bool large, failed; /* failed: out of memory */
};
bool etc_hostile_text(struct etc_fence *f, unsigned i, bool large, struct etc_hostile *out);
/* A copy that ends at a fence; `ok` becomes false when memory is exhausted. */
struct etcore_text etc_fenced_text(struct etc_fence *f, const char *s, size_t len, bool *ok);

/* ---- words.c: what the documents have a better word for ------------------------ */

/* As much as a report's line holds. */
struct etc_proposals {
	char text[1900];
	size_t len;
	unsigned left;
};

/* Another one, unless it is there. */
void etc_propose(struct etc_proposals *all, const char *fmt, ...) ETC_PRINTF(2, 3);
/* A text of an event, of a field ETCORE_NAME_* or ETCORE_CLASS_*. */
void etc_propose_for(struct etc_proposals *all, uint32_t field, struct etcore_text value);
/* As a note of the check; `where` comes first. */
void etc_propose_all(struct etc_checking *c, const char *where, const struct etc_proposals *all);

/* ---- drive.c: calling hooks and taking what they answer ----------------------- */

/* An instance, with a record of all its answers. */
struct etc_drive {
	struct etc_checking *c;
	bool sealed; /* what hooks are handed is read-only */
	bool quiet;  /* leaves the board's `doing` alone: for threads, and for speed */
	struct etc_proposals *words; /* of what events are called; NULL: not asked for */
	uint32_t refuse_at;          /* sinks refuse from their n-th call on; 0: never */
	size_t extra;    /* bytes that a later version appended to sinks and out-structs */
	bool older;      /* as a host of ABI 1.0 drives it */
	bool may_refuse; /* open() may fail, and the check does not */
	void *self;
	bool open;
	bool declined;          /* probe was below 50 once */
	struct etc_text record; /* the answers, one line each */
	/* The first of each; empty: none. With hook and case. */
	char threw[300];      /* an exception left a hook */
	char result[300];     /* a result that no ETCORE_* names */
	char fault[300];      /* an answer that the host refuses */
	char data_fault[300]; /* the same of parse_metadata */
	char infinite[300];   /* a column's value that is nan or infinite */
	char insisted[300];   /* a hook that went on after its sink had refused */
	char overran[300];    /* bytes behind a struct that were changed */
	char outside[300];    /* times of the host's clock outside their call */
	unsigned slowest_us;  /* of one hook call */
	const char *slowest;
	char slow_case[120];
	uint64_t refusals;
	struct etc_taps *taps; /* private */
};

/* Makes an instance with the declared defaults; false when open() failed or
 * threw: `result` or `threw` say so. */
bool etc_drive_open(struct etc_drive *d, struct etc_checking *c);
bool etc_drive_open_with(struct etc_drive *d, struct etc_checking *c,
                         const struct etcore_setting *const *settings, uint32_t count);
void etc_drive_close(struct etc_drive *d);

/* Every hook, on every event of the call. */
void etc_drive_case(struct etc_drive *d, const struct etc_case *one);
/* Every hook on every case of `sets`; stops at a failure of the check. */
void etc_drive_cases(struct etc_drive *d, unsigned sets);

/* convert_time alone; the numbers in out[0 .. count). False: declined or failed. */
bool etc_drive_convert(struct etc_drive *d, const struct etc_case *one,
                       const struct etcore_scales *scales, const uint64_t *raw, uint64_t count,
                       struct etc_converted *out);

/* parse_metadata alone, on the call's last event. What it answered is valid until
 * the drive's next case; the caller frees out->items. ETCORE_FAILED when it threw. */
etcore_result etc_drive_parse(struct etc_drive *d, const struct etc_case *one,
                              struct etc_datum_intake *out);

/* ---- the checks, by file ------------------------------------------------------- */

/* Was the library built to count what runs (gcov, LLVM's profiles)? Then some of it is not its
 * own: exported names, counters that change in every hook, a file that is written at the end. */
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
