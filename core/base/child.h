/* child.h -- a program that is started once and asked again and again, over a
 * socket that is its descriptor 3 (etc_process_start starts it). It may write
 * nonsense, fall silent, end, or leave processes behind: each is an answer here.
 *
 * The child sees the end of the stream when its parent is gone. */
#ifndef ETC_BASE_CHILD_H
#define ETC_BASE_CHILD_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_child {
	int pid; /* 0: none */
	int fd;
};

enum etc_child_state {
	ETC_CHILD_FINE,
	ETC_CHILD_ENDED, /* it has ended or closed the socket */
	ETC_CHILD_LATE   /* the deadline has passed */
};

/* How it ended. */
struct etc_child_end {
	bool signaled; /* `status` is the signal's number, else its exit status */
	int status;
	bool killed; /* by etc_child_stop: it was still running */
};

/* Is this environment variable, "NAME=VALUE", passed on to a child? */
bool etc_child_is_told(const char *variable);

/* Starts argv[0], a path. E0641 when the system cannot. */
enum etc_status etc_child_start(struct etc_child *c, const char *const *argv,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Sends or takes exactly `len` bytes before etc_process_now() is `until`; with the first byte that
 * is sent go `count` descriptors, which stay the caller's. */
enum { ETC_CHILD_FILES = 16 };
enum etc_child_state etc_child_pass(struct etc_child *c, const void *bytes, size_t len,
                                    const int *fds, unsigned count, uint64_t until);
enum etc_child_state etc_child_read(struct etc_child *c, void *bytes, size_t len, uint64_t until);

/* Closes the socket, waits `grace_ms` for the child to end, then kills its process group and
 * reaps it. Harmless on a child that was not started or is stopped. */
struct etc_child_end etc_child_stop(struct etc_child *c, unsigned grace_ms);

/* ---- in the child --------------------------------------------------------------- */

/* The child's side of the socket. False: descriptor 3 is no socket, so something else started
 * this program. From here on the program ends when the parent closes the socket, whatever it
 * does. */
bool etc_child_line(int *fd);

/* Receives or sends all `len` bytes; false when the socket is closed. */
bool etc_line_write(int fd, const void *bytes, size_t len);
bool etc_line_read(int fd, void *bytes, size_t len);
/* The same, with the `*count` descriptors that came with the bytes. */
bool etc_line_take(int fd, void *bytes, size_t len, int fds[ETC_CHILD_FILES], unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
