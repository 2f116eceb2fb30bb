/* isolate.h -- private to isolate.c and remote.c. isolate.c starts the process of an isolated
 * plugin and exchanges messages with it; remote.c makes requests, and finds the hook that made a
 * process fail. */
#ifndef ETC_HOST_ISOLATED_ISOLATE_H
#define ETC_HOST_ISOLATED_ISOLATE_H

#include "base/child.h"
#include "base/file.h"
#include "host/isolated/remote.h"

enum { ETC_PATH_ROOM = 4096 };

struct etc_remote {
	struct etc_child child; /* the process; its pid is 0 if it is not running */
	char program[ETC_PATH_ROOM], memory[24];
	const char *argv[5];
	unsigned limit_ms, restarts;
	struct etc_wire out;
	struct etc_wire_seen seen;
	/* Files that the process has mapped, or will map when it gets the next message; a message
	 * refers to shared[i] by the number i. The next message sends the descriptors (`fresh`) of
	 * the last `fresh_count` of these files. */
	struct etc_shared {
		const uint8_t *ptr; /* address of the mapping in the host's process */
		struct etc_file_mark mark;
	} shared[ETC_CHILD_FILES];
	int fresh[ETC_CHILD_FILES];
	uint32_t shared_count, fresh_count;
	/* `shared_bytes`: number of bytes of files that the process has mapped; `shared_most`: the
	 * most that it may map, because its address space is limited */
	size_t shared_bytes, shared_most;
	/* a file is not shared, because the limit for the number or the bytes of shared files is
	 * reached */
	bool crowded;
	/* The calls whose hooks were requested ahead, and their answers. */
	struct etc_wire_call *calls;
	/* first[i]: slot of the first answer to calls[i] (a slot is the number of an answer in a
	 * message); first[count]: number of all slots */
	uint64_t *first;
	uint32_t count, cursor;
	/* `count`, if the process still has all of `calls` from the last message; else 0 */
	uint32_t held;
	/* the process has received all calls of the next message before, so the message refers to
	 * these calls by number */
	bool again;
	struct etc_answer *answers; /* the answers, indexed by slot */
	struct etc_wire_kept texts; /* cache of texts in the answers */
	/* the latest message from the process, which contains the answers */
	uint64_t *message;
	size_t room;
	/* Earlier messages whose answers are still needed. There are some only if calls were sent
	 * one by one, because the answers to each call are then in a separate message. */
	uint64_t **kept;
	size_t kept_count, kept_room;
};

/* The outcome of sending a message to the process. FINE: the process answered it; all others: why
 * it did not. */
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

/* Returns the number by which the process knows the file; negative: the process cannot map it. This
 * is the function `number` of struct etc_wire_files; `arg` is the struct etc_remote. */
int etc_isolate_share(void *arg, const struct etc_file *file);

/* Empties the list of files that the process has mapped, because the process has ended; a new
 * process has mapped none. */
void etc_isolate_unshare(struct etc_remote *x);

/* Forgets the calls whose hooks were requested ahead, and frees their answers. */
void etc_isolate_forget(struct etc_remote *x);

/* Sends x->out as a message of this kind (enum etc_frame_kind), and reads the answer into
 * x->message. */
struct etc_failure etc_isolate_exchange(struct etc_remote *x, uint64_t kind, unsigned limit_ms,
                                        struct etc_unwire *answer);

/* Stops the process after a message failed for the reason `what`. The result has the exit status of
 * the process, too, since it may give the cause. */
struct etc_failure etc_isolate_failed(struct etc_remote *x, enum etc_outcome what,
                                      unsigned limit_ms);

/* Starts a new process in place of one that failed, and opens the plugin's instance there. */
struct etc_failure etc_isolate_restart(struct etc_plugin *p);

/* Opens the plugin's instance in the process, and sets `*answer` to the answer of open(). */
struct etc_failure etc_isolate_open(struct etc_plugin *p, struct etc_unwire *answer);

/* Quarantines the plugin: no hook of it is called any more. Reports W0640 with the reason. */
void etc_isolate_quarantine(struct etc_plugin *p, enum etc_hook hook,
                            const struct etcore_call *call, int64_t index,
                            const struct etc_failure *f);

#endif
