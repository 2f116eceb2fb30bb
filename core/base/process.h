/* process.h -- runs a program with captured output and a time limit. The only posix_spawn() and
 * fork() of etcore.
 *
 * The child's descriptor 0 is /dev/null; 1 and 2 are captured up to a limit, the rest is
 * discarded; 3 (ETC_PROCESS_BOARD) is shared memory, readable even after the child was killed.
 * The child leads a process group of its own, which is killed as a whole at the time limit. */
#ifndef ETC_BASE_PROCESS_H
#define ETC_BASE_PROCESS_H

#include "base/cpus.h"
#include "base/error.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	ETC_PROCESS_BOARD = 3, /* descriptor of the shared memory; child.h uses this number for its
	                        * socket */
	ETC_PROCESS_CAPTURE = 16 << 10
};

enum etc_process_end {
	ETC_PROCESS_EXITED,   /* the process exited; `status` is its exit status */
	ETC_PROCESS_SIGNALED, /* `status` is the signal's number */
	ETC_PROCESS_TIMED_OUT /* killed at the time limit */
};

struct etc_process {
	const char *const *argv; /* argv[0]: path of the program; NULL-terminated */
	const char *const *env;  /* as in struct etc_spawn */
	unsigned limit_ms;       /* time limit; 0: none */
	int group;               /* as in struct etc_spawn */
	size_t board_size;       /* size of the shared memory on descriptor 3, zeroed; 0: none */
	size_t capture;          /* bytes of standard output to keep; 0: ETC_PROCESS_CAPTURE */
	/* Results. */
	uint8_t end; /* enum etc_process_end */
	int status;
	unsigned took_ms;
	/* the first bytes of standard output, at most `capture`, and of standard error, at most
	 * ETC_PROCESS_CAPTURE */
	struct etc_text out, err;
	uint64_t out_bytes, err_bytes;
	void *board; /* the memory that is shared with the process; NULL: none */
};

/* A program to start. */
struct etc_spawn {
	const char *const *argv; /* argv[0]: its path; NULL at the end */
	const char *const *env;  /* "NAME=VALUE" …, NULL at the end; NULL: this program's */
	/* processors that the process may use; NULL: those of this thread */
	const struct etc_cpus *cpus;
	/* 0: the program gets a new process group. Otherwise it joins this group, which is that of
	 * a struct etc_leash, and is also killed when this thread ends. */
	int group;
	/* File descriptors that become descriptors 0 to 3 of the program. -1 stands for
	 * /dev/null; as the last one, for no descriptor. All must be above 3 and close-on-exec. */
	int fds[4];
};

/* Starts the executable s->argv[0] and sets `*pid` to its process id. Returns 0 or an errno. */
int etc_process_start(const struct etc_spawn *s, int *pid);

/* Forks this process. Returns 0 in the copy; in the original, the copy's process id, or -1 with
 * errno set. The two processes are connected by a socket that preserves message boundaries. In each
 * process, `*fd` is set to its own end of the socket. The copy has no standard input, output and
 * error, ignores SIGINT, SIGTERM and SIGHUP, and is killed when this thread ends. */
int etc_process_fork(int *fd);

/* Finds the program `name` in PATH, and writes its path to `to`. Empty entries of PATH are skipped,
 * so the current folder is searched only if PATH names it. False: not found. */
bool etc_process_find(const char *name, char *to, size_t room);

/* A process group that is killed when this program ends for any reason. The leader of the group is
 * a fork of etcore, which waits for the end of this program and then kills the group. */
struct etc_leash {
	int group; /* for struct etc_spawn.group */
	int alive; /* descriptor that closes when this program ends */
};

/* Makes the process group. Returns 0 or an errno. */
int etc_leash_make(struct etc_leash *l);

/* Kills all processes in the group. */
void etc_leash_end(struct etc_leash *l);

/* Gives the descriptor `*fd` a number above those of a child's descriptors (0 to 3). False: the
 * descriptor could not be duplicated; the descriptor is closed and `*fd` is -1. */
bool etc_process_lift(int *fd);

/* Returns the time of the monotonic clock in ms. */
uint64_t etc_process_now(void);

/* Runs the program until it exits. E0902 if it cannot be started. Release `p` also after a
 * failure. */
enum etc_status etc_process_run(struct etc_process *p, struct etc_error *err) ETC_MUST_CHECK;
void etc_process_release(struct etc_process *p);

/* In the child: maps the shared memory, at least `size` bytes, and closes its descriptor. NULL if
 * descriptor 3 is not shared memory. */
void *etc_process_board(size_t size);

/* In the child: closes all descriptors from `first` on. */
void etc_process_close_from(int first);

/* In the child: disables core dumps and limits the address space to `bytes` (no limit for 0, or
 * under AddressSanitizer). */
void etc_process_confine(size_t bytes);

/* Is this program built with AddressSanitizer or ThreadSanitizer, or started with one by
 * LD_PRELOAD? Then the address space cannot be limited, and freed memory stays in use for a
 * while. */
bool etc_process_sanitized(void);

/* Returns the name of a signal, such as "SIGSEGV". */
const char *etc_signal_name(int number);

/* Sets `to` to the absolute path of the etcore program. If this code is linked into a program, the
 * result is the path of that program. If it is in libetcore.so, the result is the program that is
 * installed with the library, which may not exist. False: unknown. */
bool etc_program_path(char *to, size_t room);

/* Records that this program is etcore, not a program that uses the library. Call once at the
 * start. */
void etc_program_own(void);

/* Sets `to` to the path of the etcore program to start as a worker; the program may not exist. In
 * etcore itself, this is the path of the running program. In another program, etcore is searched
 * relative to the shared library, or, if libetcore is linked statically, relative to that program.
 * The folders searched are that of the library, the `bin` folder of the installation that contains
 * the library, and the `bin` folder of the Python environment that contains the library's
 * package. */
bool etc_program_worker(char *to, size_t room);

#ifdef __cplusplus
}
#endif
#endif
