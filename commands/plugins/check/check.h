/* check.h -- tests whether a plugin conforms to the plugin interface.
 *
 * There is a table of checks. A check is a function that calls the plugin as the host does, with
 * valid and hostile arguments. Since the plugin may crash, hang or exit, each check runs in a
 * separate process, which commands/plugins/check.c starts and watches. The check writes its result
 * to memory that both processes share (the board). */
#ifndef ETC_COMMANDS_PLUGINS_CHECK_CHECK_H
#define ETC_COMMANDS_PLUGINS_CHECK_CHECK_H

#include "base/error.h"
#include "base/text.h"
#include "model/recording.h"

enum etc_check_level {
	ETC_CHECK_BASIC,
	ETC_CHECK_STRICT,
	ETC_CHECK_PARITY,
	ETC_CHECK_STRESS,
	ETC_CHECK_LEVELS
};
/* names of the levels, such as "basic" */
extern const char *const etc_check_level_names[ETC_CHECK_LEVELS];

enum etc_verdict {
	ETC_VERDICT_NONE, /* the check did not finish */
	ETC_VERDICT_OK,
	ETC_VERDICT_FAILED,
	ETC_VERDICT_SKIPPED /* the check does not apply to the plugin; `text` gives the reason */
};

/* Numbers of events for which the check "ordinary" called hooks. */
struct etc_tried {
	/* made_up: number of events that etcore made up; sampled: number of events of the sample
	 * dump */
	uint32_t made_up, sampled;
	/* number of events of the sample dump for which some hook returned an answer */
	uint32_t answered;
};

enum { ETC_CHECK_SAID = 1 << 16 };

/* Shared memory that the check writes and the watching process reads. */
struct etc_check_board {
	uint32_t verdict; /* enum etc_verdict */
	char doing[400];  /* the hook that is running, and its arguments */
	char text[2000];  /* one line about the result; may be empty when OK */
	/* name, version and ABI of the loaded plugin; empty: no plugin was loaded */
	char plugin[64], version[64], abi[16];
	struct etc_tried tried;
	/* Set only by a check that is repeated in another process, in which the plugin must give
	 * the same answers. `said_hash` is the hash of all answers; 0 means that there are no
	 * answers. `said` is the beginning of the text of the answers. */
	uint64_t said_hash;
	char said[ETC_CHECK_SAID];
};

/* A recorded event of the plugin's own backend. Hooks that recognise names return more answers for
 * such events than for events of other backends. */
struct etc_check_sample {
	struct etc_str delegate_name; /* empty: the event is identified by delegate_id */
	int64_t delegate_id, instruction_id;
	uint64_t start, end;
	struct etc_span metadata; /* may be empty */
	/* name of an event that has no delegate id; empty: the event has one */
	struct etc_str name;
	/* the event is inside a DELEGATE_CALL that starts at `call_start` */
	bool in_call;
	uint64_t call_start, call_end;
};
enum { ETC_CHECK_SAMPLES = 64 }; /* maximum number of recorded events */

/* The plugin under test. */
struct etc_check_subject {
	const char *path; /* path of the plugin's library */
	const struct etc_check_sample *samples;
	unsigned sample_count;
	/* for the check "parity": recorded answers of functions in Python (model/recording.h);
	 * NULL: none were recorded */
	const struct etc_recording *recording;
	/* a time in the recording's source scale, divided by this number, is the time in the target
	 * scale */
	double factor;
	uint64_t seed; /* seed of the check "stress" */
	/* appends a value as Python's repr() prints it */
	void (*repr)(struct etc_text *t, const struct etc_datum *d);
};

struct etc_checking;

struct etc_check {
	const char *name;
	const char *why; /* what the check requires, in one sentence */
	uint8_t level;   /* enum etc_check_level */
	bool of_file;    /* the check is about the plugin's file; the plugin is not opened */
	/* the process that watches the check also tests that nothing is written to the file
	 * descriptors 1 and 2 */
	bool silent;
	/* the process that watches the check repeats it a second later in another process, and
	 * compares the answers */
	bool again;
	void (*run)(struct etc_checking *c);
};

/* Returns all checks, in the order in which they run. The first check opens the plugin; if it
 * fails, no other check is run. */
const struct etc_check *etc_check_list(unsigned *count);
const struct etc_check *etc_check_find(const char *name);

/* Is `library` the library of a sanitizer, which must be loaded before the libraries of the
 * program? */
bool etc_check_preloads(struct etc_str library);

/* Compares the answers in `now` with those in `before`, which another process gave. Writes the
 * first difference to `text`; an empty text means that the answers are equal. */
void etc_check_compare_said(const struct etc_check_board *before, const struct etc_check_board *now,
                            char text[300]);

/* Runs one check in this process. E0504: there is no such check. E0904. A check that fails is not
 * an error. */
enum etc_status etc_check_run(const char *name, const struct etc_check_subject *subject,
                              struct etc_check_board *board, struct etc_error *err) ETC_MUST_CHECK;

#endif
