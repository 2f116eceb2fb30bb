/* child.h -- starts a program (with etc_process_start()) and exchanges messages with it over a
 * socket, which is the program's descriptor 3. The program may send invalid messages, not answer,
 * exit, or leave processes behind: none of this can block or end the caller.
 *
 * After the parent has ended, the child's reads from the socket return the end of the stream. */
#ifndef ETC_BASE_CHILD_H
#define ETC_BASE_CHILD_H

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_child {
	int pid; /* 0: there is no child */
	int fd;
};

enum etc_child_state {
	ETC_CHILD_FINE,
	ETC_CHILD_ENDED, /* the child has exited or closed the socket */
	ETC_CHILD_LATE   /* the deadline has passed */
};

/* How the child ended. */
struct etc_child_end {
	bool signaled; /* true: `status` is the number of the signal that ended the child; false:
	                * `status` is its exit status */
	int status;
	bool killed; /* etc_child_stop() had to kill the child, because it was still running */
};

/* May this environment variable, "NAME=VALUE", be passed on to a child? */
bool etc_child_is_told(const char *variable);

/* Starts the program with the path argv[0]. E0641 if that fails. */
enum etc_status etc_child_start(struct etc_child *c, const char *const *argv,
                                struct etc_error *err) ETC_MUST_CHECK;

/* etc_child_pass() sends exactly `len` bytes, etc_child_read() receives exactly `len` bytes. Both
 * return ETC_CHILD_LATE when etc_process_now() reaches `until` (milliseconds). The `count`
 * descriptors `fds` are sent with the first byte; the caller still has to close them. */
enum { ETC_CHILD_FILES = 16 };
enum etc_child_state etc_child_pass(struct etc_child *c, const void *bytes, size_t len,
                                    const int *fds, unsigned count, uint64_t until);
enum etc_child_state etc_child_read(struct etc_child *c, void *bytes, size_t len, uint64_t until);

/* Closes the socket, waits `grace_ms` for the child to exit, then kills its process group and reaps
 * the child. Does nothing if the child was not started or was stopped already. */
struct etc_child_end etc_child_stop(struct etc_child *c, unsigned grace_ms);

/* ---- in the child --------------------------------------------------------------- */

/* Sets `*fd` to the child's end of the socket, and starts a thread that kills the process group
 * when the parent closes the socket. False: descriptor 3 is not a socket, so the program was not
 * started by etc_child_start(), or the thread cannot be started. */
bool etc_child_line(int *fd);

/* etc_line_write() sends exactly `len` bytes, etc_line_read() receives exactly `len` bytes. False:
 * the socket is closed. */
bool etc_line_write(int fd, const void *bytes, size_t len);
bool etc_line_read(int fd, void *bytes, size_t len);
/* Like etc_line_read(). Also stores in `fds` the descriptors that were sent with the bytes, and in
 * `*count` their number. */
bool etc_line_take(int fd, void *bytes, size_t len, int fds[ETC_CHILD_FILES], unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
