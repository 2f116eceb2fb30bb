/* check.h -- does a plugin keep its contract?
 *
 * A table of checks, each one small function that drives the plugin the way the
 * host does, only less kindly. A check runs in a process of its own, which
 * somebody else starts and watches (commands/plugins/check.c): it may crash, hang or
 * end. What it has to say stands on a board that both processes see. */
#ifndef ETC_CHECK_CHECK_H
#define ETC_CHECK_CHECK_H

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
extern const char *const etc_check_level_names[ETC_CHECK_LEVELS]; /* "basic" ... */

enum etc_verdict {
	ETC_VERDICT_NONE, /* it never came to an end */
	ETC_VERDICT_OK,
	ETC_VERDICT_FAILED,
	ETC_VERDICT_SKIPPED /* does not apply: `text` says why */
};

enum { ETC_CHECK_SAID = 1 << 16 };

/* Shared memory that the check writes and the watching process reads. */
struct etc_check_board {
	uint32_t verdict; /* enum etc_verdict */
	char doing[400];  /* the hook that runs and what it was given */
	char text[2000];  /* what was seen, one line; may be empty when OK */
	/* name, version and ABI of the loaded plugin; empty: none */
	char plugin[64], version[64], abi[16];
	/* For a check whose answers must be equal in another process: hash of all
	 * answers, and the start of their text. 0: none. */
	uint64_t said_hash;
	char said[ETC_CHECK_SAID];
};

/* An event of a run of the plugin's own backend: hooks that know names have more
 * to say about it than about what others log. */
struct etc_check_sample {
	struct etc_str delegate_name; /* empty: identified by id */
	int64_t delegate_id, instruction_id;
	uint64_t start, end;
	struct etc_span metadata; /* may be empty */
	struct etc_str name;      /* of one without a delegate id; else empty */
	bool in_call;             /* a DELEGATE_CALL contains it: from `call_start` on */
	uint64_t call_start, call_end;
};
enum { ETC_CHECK_SAMPLES = 64 }; /* at most */

/* The plugin under test. */
struct etc_check_subject {
	const char *path; /* of the library */
	const struct etc_check_sample *samples;
	unsigned sample_count;
	/* For the check "parity"; NULL: there is none. */
	const struct etc_recording *recording;
	double factor; /* of its scales */
	uint64_t seed; /* of the check "stress" */
	/* Appends a value as Python's repr() prints it. */
	void (*repr)(struct etc_text *t, const struct etc_datum *d);
};

struct etc_checking;

struct etc_check {
	const char *name;
	const char *why; /* one sentence */
	uint8_t level;   /* enum etc_check_level */
	bool of_file;    /* looks at the file; opens nothing */
	bool silent;     /* the watcher adds: nothing may be written to 1 and 2 */
	bool again;      /* the watcher runs it in another process, a second later, and compares */
	void (*run)(struct etc_checking *c);
};

/* All checks in the order in which they run. The first opens the plugin: when
 * it fails, those after it have nothing to judge. */
const struct etc_check *etc_check_list(unsigned *count);
const struct etc_check *etc_check_find(const char *name);

/* Is it the library of a sanitizer that has to be loaded before a program's own? */
bool etc_check_preloads(struct etc_str library);

/* Writes into `text` the first difference between `now` and the answers `before` of
 * another process. */
void etc_check_compare_said(const struct etc_check_board *before, const struct etc_check_board *now,
                            char text[300]);

/* Runs one check in this process. E0504 no such check, E0904. A verdict on the
 * plugin is no error. */
enum etc_status etc_check_run(const char *name, const struct etc_check_subject *subject,
                              struct etc_check_board *board, struct etc_error *err) ETC_MUST_CHECK;

#endif
