/* check.h -- tests whether a plugin conforms to the plugin interface.
 *
 * A table of checks: each is a function that calls the plugin as the host does, with valid and
 * hostile arguments. A check runs in a process of its own, started and watched by
 * commands/plugins/check.c, because it may crash, hang or exit. It writes its result to memory
 * that both processes share (the board). */
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
/* names of the levels: "basic" ... */
extern const char *const etc_check_level_names[ETC_CHECK_LEVELS];

enum etc_verdict {
	ETC_VERDICT_NONE, /* the check did not finish */
	ETC_VERDICT_OK,
	ETC_VERDICT_FAILED,
	ETC_VERDICT_SKIPPED /* not applicable: `text` gives the reason */
};

/* With how many events the check "ordinary" called the hooks. */
struct etc_tried {
	/* made_up: number of events that etcore made up; sampled: number of events of the sample */
	uint32_t made_up, sampled;
	uint32_t answered; /* events of the sample for which a hook gave an answer */
};

enum { ETC_CHECK_SAID = 1 << 16 };

/* Shared memory that the check writes and the watching process reads. */
struct etc_check_board {
	uint32_t verdict; /* enum etc_verdict */
	char doing[400];  /* the running hook and its arguments */
	char text[2000];  /* one line about the result; may be empty when OK */
	/* name, version and ABI of the loaded plugin; empty: not loaded */
	char plugin[64], version[64], abi[16];
	struct etc_tried tried;
	/* only for a check that is repeated in another process, where the plugin must answer
	 * equally. said_hash: hash of all answers; 0: there are none. said: the beginning of the
	 * text of the answers */
	uint64_t said_hash;
	char said[ETC_CHECK_SAID];
};

/* A recorded event of the plugin's own backend. Hooks that recognise names answer more for such an
 * event than for events of other backends. */
struct etc_check_sample {
	struct etc_str delegate_name; /* empty: identified by id */
	int64_t delegate_id, instruction_id;
	uint64_t start, end;
	struct etc_span metadata; /* may be empty */
	struct etc_str name;      /* name of an event without delegate id; empty: none */
	bool in_call;             /* inside a DELEGATE_CALL that starts at `call_start` */
	uint64_t call_start, call_end;
};
enum { ETC_CHECK_SAMPLES = 64 }; /* the most events that a sample can have */

/* The plugin under test. */
struct etc_check_subject {
	const char *path; /* path of the library */
	const struct etc_check_sample *samples;
	unsigned sample_count;
	/* For the check "parity"; NULL: none. */
	const struct etc_recording *recording;
	/* number by which a time in the recording's source scale is divided to get it in its target
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
	bool silent; /* the watcher also checks that nothing is written to descriptors 1 and 2 */
	/* the watching process runs it again in another process a second later, and compares the
	 * answers */
	bool again;
	void (*run)(struct etc_checking *c);
};

/* All checks in the order in which they run. The first opens the plugin; if it fails, the
 * checks after it are not run. */
const struct etc_check *etc_check_list(unsigned *count);
const struct etc_check *etc_check_find(const char *name);

/* Is it a sanitizer's library, which must be loaded before the program's own? */
bool etc_check_preloads(struct etc_str library);

/* Compares the answers in `now` with the answers in `before`, which are of another process. Writes
 * the first difference to `text`; an empty text: they are equal. */
void etc_check_compare_said(const struct etc_check_board *before, const struct etc_check_board *now,
                            char text[300]);

/* Runs one check in this process. E0504 no such check, E0904. A failed check is not an error. */
enum etc_status etc_check_run(const char *name, const struct etc_check_subject *subject,
                              struct etc_check_board *board, struct etc_error *err) ETC_MUST_CHECK;

#endif
