/* isolate.h -- private to the two files about isolated plugins: isolate.c (process and
 * messages) and remote.c (requests, and finding the hook at fault). */
#ifndef ETC_HOST_ISOLATED_ISOLATE_H
#define ETC_HOST_ISOLATED_ISOLATE_H

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
	/* Files that the process has mapped, or maps with the next message: shared[i] is the
	 * file with number i. The next message sends the descriptors of the last `fresh_count`
	 * of them. */
	struct etc_shared {
		const uint8_t *ptr; /* address of the mapping in this process */
		struct etc_file_mark mark;
	} shared[ETC_CHILD_FILES];
	int fresh[ETC_CHILD_FILES];
	uint32_t shared_count, fresh_count;
	/* number of bytes of files that the process has mapped, and that its address space
	 * allows */
	size_t shared_bytes, shared_most;
	bool crowded; /* a file did not fit into the address space */
	/* The calls requested ahead, and their answers. */
	struct etc_wire_call *calls;
	uint64_t *first; /* first[i]: number of the first answer (slot) of calls[i]; first[count]:
	                  * number of all slots */
	uint32_t count, cursor;
	/* equal to `count` if the process still has all of `calls` from the last message, else 0 */
	uint32_t held;
	/* the process has all requested calls, so the next message refers to them by number */
	bool again;
	struct etc_answer *answers; /* answers by slot */
	struct etc_wire_kept texts; /* cache of texts in the answers */
	uint64_t *message;          /* the message that contains the answers */
	size_t room;
	/* Earlier messages that contain answers which are still in use. They are kept only after
	 * calls were sent one by one, since then each call has a message of its own. */
	uint64_t **kept;
	size_t kept_count, kept_room;
};

/* The end of a message to the process: an answer, or the reason why there is none. */
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

/* Forgets the shared files: the next process has none. */
void etc_isolate_unshare(struct etc_remote *x);

/* Frees the answers to requests made ahead. */
void etc_isolate_forget(struct etc_remote *x);

/* Sends x->out and reads the answer into x->message. */
struct etc_failure etc_isolate_exchange(struct etc_remote *x, uint64_t kind, unsigned limit_ms,
                                        struct etc_unwire *answer);

/* Stops the process after a failed message. Returns how it ended, since the exit status may give
 * the cause. */
struct etc_failure etc_isolate_failed(struct etc_remote *x, enum etc_outcome what,
                                      unsigned limit_ms);

/* Starts a new process in place of one that failed, and opens its instance. */
struct etc_failure etc_isolate_restart(struct etc_plugin *p);

/* Opens the instance; `answer` has the single slot of open(). */
struct etc_failure etc_isolate_open(struct etc_plugin *p, struct etc_unwire *answer);

/* Disables the plugin: no hook is called any more. W0640 gives the reason. */
void etc_isolate_quarantine(struct etc_plugin *p, enum etc_hook hook,
                            const struct etcore_call *call, int64_t index,
                            const struct etc_failure *f);

#endif
