/* isolate.h -- shared by the two files about isolated plugins: isolate.c (process and
 * messages) and remote.c (requests, and which hook is at fault). */
#ifndef ETC_HOST_ISOLATE_H
#define ETC_HOST_ISOLATE_H

#include "base/child.h"
#include "base/file.h"
#include "host/isolated/remote.h"

enum { ETC_PATH_ROOM = 4096 };

struct etc_remote {
	struct etc_child child; /* pid 0: not running */
	char program[ETC_PATH_ROOM], memory[24];
	const char *argv[5];
	unsigned limit_ms, restarts;
	struct etc_wire out;
	struct etc_wire_seen seen;
	/* Files whose descriptors its process was handed, by their numbers; the last ones of them
	 * go with the next message. */
	struct etc_shared {
		const uint8_t *ptr; /* where it is mapped here */
		struct etc_file_mark mark;
	} shared[ETC_CHILD_FILES];
	int fresh[ETC_CHILD_FILES];
	uint32_t shared_count, fresh_count;
	size_t shared_bytes, shared_most; /* it maps them whole: address space */
	bool crowded;                     /* there was no room for one */
	/* The calls that were asked ahead, and their answers. */
	struct etc_wire_call *calls;
	uint64_t *first; /* slot of each call; one more at the end */
	uint32_t count, cursor;
	uint32_t held; /* how many of `calls` its process has from one message: all or none */
	bool again;    /* the calls are among those that it has */
	struct etc_answer *answers; /* by slot */
	struct etc_wire_kept texts; /* in them */
	uint64_t *message;          /* that the answers lie in */
	size_t room;
	/* Answers that came call by call lie in messages of their own. */
	uint64_t **kept;
	size_t kept_count, kept_room;
};

/* The outcome of a message. */
enum etc_outcome {
	ETC_OUTCOME_FINE,
	ETC_OUTCOME_ENDED,
	ETC_OUTCOME_LATE,
	ETC_OUTCOME_ENDLESS,
	ETC_OUTCOME_NONSENSE,
	ETC_OUTCOME_NO_MEMORY
};

struct etc_failure {
	enum etc_outcome what;
	struct etc_child_end end;
	unsigned limit_ms;
};

/* Callback of struct etc_wire_files; `arg` is the struct etc_remote. */
int etc_isolate_share(void *arg, const struct etc_file *file);

/* The next message is for a process that has no files. */
void etc_isolate_unshare(struct etc_remote *x);

/* Lets go of the answers that were asked ahead. */
void etc_isolate_forget(struct etc_remote *x);

/* Sends x->out and takes the answer; it lies in x->message. */
struct etc_failure etc_isolate_exchange(struct etc_remote *x, uint64_t kind, unsigned limit_ms,
                                        struct etc_unwire *answer);

/* Ends the process after a message that failed; how it ended may say more. */
struct etc_failure etc_isolate_failed(struct etc_remote *x, enum etc_outcome what,
                                      unsigned limit_ms);

/* A new process in place of one that failed, with its instance open. */
struct etc_failure etc_isolate_restart(struct etc_plugin *p);

/* Opens the instance; `answer` has the one slot of open(). */
struct etc_failure etc_isolate_open(struct etc_plugin *p, struct etc_unwire *answer);

/* Nothing is asked of the plugin any more, and W0640 says why. */
void etc_isolate_quarantine(struct etc_plugin *p, enum etc_hook hook,
                            const struct etcore_call *call, int64_t index,
                            const struct etc_failure *f);

#endif
