/* process.h -- runs a program with captured output and a time limit. The only posix_spawn() and
 * fork of etcore.
 *
 * The child's descriptor 0 is /dev/null; 1 and 2 are captured up to a limit and discarded beyond
 * it; 3 (ETC_PROCESS_BOARD) is shared memory, readable even after the child was killed. The
 * child leads a process group of its own, which is killed as a whole when its time is over. */
#ifndef ETC_BASE_PROCESS_H
#define ETC_BASE_PROCESS_H

#include "base/cpus.h"
#include "base/error.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	ETC_PROCESS_BOARD = 3, /* and the socket of child.h */
	ETC_PROCESS_CAPTURE = 16 << 10
};

enum etc_process_end {
	ETC_PROCESS_EXITED,   /* `status` is its exit status */
	ETC_PROCESS_SIGNALED, /* `status` is the signal's number */
	ETC_PROCESS_TIMED_OUT /* killed */
};

struct etc_process {
	const char *const *argv; /* argv[0]: path of the program; NULL at the end */
	const char *const *env;  /* as in struct etc_spawn */
	unsigned limit_ms;       /* time limit; 0: none */
	size_t board_size;       /* bytes of descriptor 3, zeroed; 0: none */
	/* Answers. */
	uint8_t end; /* enum etc_process_end */
	int status;
	unsigned took_ms;
	struct etc_text out, err; /* the first ETC_PROCESS_CAPTURE bytes each */
	uint64_t out_bytes, err_bytes;
	void *board; /* the shared memory; NULL without one */
};

/* A program to start. It leads a process group of its own. */
struct etc_spawn {
	const char *const *argv;     /* argv[0]: its path; NULL at the end */
	const char *const *env;      /* "NAME=VALUE" …, NULL at the end; NULL: this program's */
	const struct etc_cpus *cpus; /* that it may run on; NULL: those of this thread */
	int group; /* 0: one of its own; else that of a leash: killed when this thread ends */
	/* Become its descriptors 0 to 3; -1 is /dev/null, for 3 none. All must be above 3 and
	 * close-on-exec. */
	int fds[4];
};

/* 0, or the error of the system. */
int etc_process_start(const struct etc_spawn *s, int *pid);

/* Path of the program `name` by PATH, whose empty entries are passed over: never the
 * current folder unless it is named. False: there is none. */
bool etc_process_find(const char *name, char *to, size_t room);

/* A process group that ends with this program, however that ends: its leader waits for the end,
 * then kills the group. */
struct etc_leash {
	int group; /* for struct etc_spawn */
	int alive; /* closed when this program is gone */
};

/* 0, or the error of the system. */
int etc_leash_make(struct etc_leash *l);

/* Kills what is in the group. */
void etc_leash_end(struct etc_leash *l);

/* Moves a descriptor above those that a child's are assigned to. False: it is closed. */
bool etc_process_lift(int *fd);

/* Milliseconds of a monotonic clock. */
uint64_t etc_process_now(void);

/* Runs the program to its end. E0902 when the system cannot start it. Release
 * also after a failure. */
enum etc_status etc_process_run(struct etc_process *p, struct etc_error *err) ETC_MUST_CHECK;
void etc_process_release(struct etc_process *p);

/* In the child: its side of the board, at least `size` bytes, or NULL when
 * descriptor 3 is none. Stays mapped; the descriptor is closed. */
void *etc_process_board(size_t size);

/* In the child: closes each descriptor from `first` on. */
void etc_process_close_from(int first);

/* In the child: no core dump, and at most `bytes` of address space (0, or a
 * program under AddressSanitizer: no limit). */
void etc_process_confine(size_t bytes);

/* Is this program built with AddressSanitizer or ThreadSanitizer, or started with one of them by
 * LD_PRELOAD? Then limits of address space cannot hold, and freed memory stays in use for a
 * while. */
bool etc_process_sanitized(void);

/* "SIGSEGV" */
const char *etc_signal_name(int number);

/* Path of the etcore program, absolute, with NUL: this program, or, when etcore runs as a
 * library, the program in the library's own prefix (which may not exist). False when the system
 * does not tell. */
bool etc_program_path(char *to, size_t room);

/* Called once, at the start of the etcore program. */
void etc_program_own(void);

/* Path of an etcore program to start. As etc_program_path(), but for a program that has
 * libetcore linked into it, the path of the etcore beside it, which may not exist. */
bool etc_program_worker(char *to, size_t room);

#ifdef __cplusplus
}
#endif
#endif
