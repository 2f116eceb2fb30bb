/* process.c -- see process.h */
#define _GNU_SOURCE /* memfd_create */
#include "base/process.h"
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

extern char **environ;

enum { READ = 0, WRITE = 1, HIGH = 16 };

/* The ends of the pipes in this process and in the child, and the descriptor of the shared
 * memory. */
struct ends {
	int out[2], err[2], board;
};

uint64_t etc_process_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool etc_process_lift(int *fd)
{
	int high = fcntl(*fd, F_DUPFD_CLOEXEC, HIGH);

	close(*fd);
	*fd = high;
	return high >= 0;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void shut_all(struct ends *e)
{
	for (int i = READ; i <= WRITE; i++) {
		shut(&e->out[i]);
		shut(&e->err[i]);
	}
	shut(&e->board);
}

static bool open_pipe(int fd[2])
{
	fd[READ] = fd[WRITE] = -1;
	if (pipe(fd) == 0 && ((int)etc_process_lift(&fd[READ]) & (int)etc_process_lift(&fd[WRITE])))
		return true;
	shut(&fd[READ]);
	shut(&fd[WRITE]);
	return false;
}

static bool open_ends(struct ends *e, struct etc_process *p)
{
	void *at;

	*e = (struct ends){ { -1, -1 }, { -1, -1 }, -1 };
	if (!open_pipe(e->out) || !open_pipe(e->err))
		return false;
	if (p->board_size == 0)
		return true;
	e->board = memfd_create("etcore-board", MFD_CLOEXEC);
	if (e->board < 0 || !etc_process_lift(&e->board) ||
	    ftruncate(e->board, (off_t)p->board_size) != 0)
		return false;
	at = mmap(NULL, p->board_size, PROT_READ, MAP_SHARED, e->board, 0);
	p->board = at == MAP_FAILED ? NULL : at;
	return p->board != NULL;
}

/* Sets this thread's affinity to the child's processors while posix_spawn() runs, because the child
 * inherits the affinity. */
static int spawn(const struct etc_spawn *s, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *attr, pid_t *pid)
{
	char *const *env = s->env ? (char *const *)s->env : environ;
	struct etc_cpus before;
	int bad;

	if (!s->cpus)
		return posix_spawn(pid, s->argv[0], files, attr, (char *const *)s->argv, env);
	bad = etc_cpus_get(&before);
	if (!bad)
		bad = etc_cpus_set(s->cpus);
	if (bad)
		return bad;
	bad = posix_spawn(pid, s->argv[0], files, attr, (char *const *)s->argv, env);
	etc_cpus_set(&before);
	return bad;
}

/* ---- process groups that end with this program --------------------------------------- */

static void reset_signals(void)
{
	const struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &normal, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Executes the program in the forked child; returns only on failure, with the errno. Between fork
 * and exec, only async-signal-safe functions may be called. */
static int become(const struct etc_spawn *s, pid_t parent)
{
	int bad = 0;

	reset_signals();
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		return ESRCH;
	if (setpgid(0, s->group) != 0)
		return errno;
	for (int i = 0; i < 4; i++) {
		int fd = s->fds[i];

		if (fd < 0 && i < 3)
			fd = open("/dev/null", (i ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
		if (fd >= 0 && dup2(fd, i) < 0)
			return errno;
	}
	if (s->cpus)
		bad = etc_cpus_set(s->cpus);
	if (bad)
		return bad;
	execve(s->argv[0], (char *const *)s->argv, s->env ? (char *const *)s->env : environ);
	return errno;
}

/* Starts a program that is killed when this program ends. If the child cannot execute the program,
 * it sends the errno through a pipe. */
static int start_leashed(const struct etc_spawn *s, int *pid)
{
	pid_t parent = getpid(), child;
	int fd[2], bad = 0;
	ssize_t n;

	*pid = -1;
	if (!open_pipe(fd))
		return EMFILE;
	child = fork();
	if (child == 0) {
		bad = become(s, parent);
		n = write(fd[WRITE], &bad, sizeof bad);
		_exit(n == sizeof bad ? 127 : 126);
	}
	if (child < 0)
		bad = errno;
	shut(&fd[WRITE]);
	if (child > 0) {
		do
			n = read(fd[READ], &bad, sizeof bad);
		while (n < 0 && errno == EINTR);
		if (n != sizeof bad)
			bad = 0;
	}
	shut(&fd[READ]);
	if (child > 0 && bad)
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	*pid = bad ? -1 : (int)child;
	return bad;
}

/* Prepares the forked copy of this process: see etc_process_fork(). */
static void become_worker(pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (int i = 0; i < 3; i++)
		if (dup2(null, i) < 0)
			_exit(1);
	if (null > 2)
		close(null);
}

int etc_process_fork(int *fd)
{
	const pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	*fd = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	close(ends[pid ? 1 : 0]);
	*fd = ends[pid ? 0 : 1];
	if (pid == 0)
		become_worker(parent);
	return (int)pid;
}

void etc_process_close_from(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0)
		return;
#endif
	for (int fd = first; fd < 1024; fd++)
		close(fd);
}

/* Runs in the leader of the process group of a struct etc_leash. Waits until the other end of the
 * pipe is closed, which happens when the program has ended, then kills the group. */
static void guard(int alive)
{
	char byte;

	reset_signals();
	prctl(PR_SET_NAME, "etcore-guard");
	if (dup2(alive, 0) != 0)
		_exit(1);
	etc_process_close_from(1);
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	kill(0, SIGKILL);
	_exit(0);
}

int etc_leash_make(struct etc_leash *l)
{
	int fd[2], bad;
	pid_t child;

	*l = (struct etc_leash){ -1, -1 };
	if (!open_pipe(fd))
		return EMFILE;
	child = fork();
	if (child == 0) {
		setpgid(0, 0);
		close(fd[WRITE]);
		guard(fd[READ]);
	}
	bad = child < 0 ? errno : 0;
	shut(&fd[READ]);
	if (bad) {
		shut(&fd[WRITE]);
		return bad;
	}
	setpgid(child, child); /* called in both processes, because either may run first */
	*l = (struct etc_leash){ (int)child, fd[WRITE] };
	return 0;
}

void etc_leash_end(struct etc_leash *l)
{
	if (l->group <= 0)
		return;
	kill(-l->group, SIGKILL);
	while (waitpid(l->group, NULL, 0) < 0 && errno == EINTR)
		;
	shut(&l->alive);
	l->group = -1;
}

int etc_process_start(const struct etc_spawn *s, int *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	pid_t started = -1;
	int bad = 0;

	if (s->group)
		return start_leashed(s, pid);
	sigemptyset(&none);
	sigfillset(&all);
	if (posix_spawn_file_actions_init(&files) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	for (int i = 0; i < 4 && !bad; i++) {
		if (s->fds[i] >= 0)
			bad = posix_spawn_file_actions_adddup2(&files, s->fds[i], i);
		else if (i < 3)
			bad = posix_spawn_file_actions_addopen(&files, i, "/dev/null",
			                                       i ? O_WRONLY : O_RDONLY, 0);
	}
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
	                                        POSIX_SPAWN_SETSIGDEF);
	if (!bad)
		bad = spawn(s, &files, &attr, &started);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	*pid = (int)started;
	return bad;
}

static int start(const struct etc_process *p, const struct ends *e, int *pid)
{
	const struct etc_spawn s = { .argv = p->argv,
		                     .env = p->env,
		                     .group = p->group,
		                     .fds = { -1, e->out[WRITE], e->err[WRITE], e->board } };

	return etc_process_start(&s, pid);
}

/* Reads the available bytes, and keeps at most `most` bytes in `to`; false at the end of the
 * stream. */
static bool drain(int fd, struct etc_text *to, size_t most, uint64_t *bytes)
{
	char buffer[16384];
	ssize_t n = read(fd, buffer, sizeof buffer);

	if (n < 0)
		return errno == EINTR;
	if (n == 0)
		return false;
	*bytes += (uint64_t)n;
	if (to->len < most)
		etc_text_put(to,
		             etc_str_sub((struct etc_str){ buffer, (size_t)n }, 0, most - to->len));
	return true;
}

/* Reads both streams until the child has closed them; false when the time limit is reached. */
static bool follow(struct etc_process *p, struct ends *e, uint64_t until)
{
	const size_t most = p->capture ? p->capture : ETC_PROCESS_CAPTURE;

	while (e->out[READ] >= 0 || e->err[READ] >= 0) {
		struct pollfd fds[2] = { { e->out[READ], POLLIN, 0 }, { e->err[READ], POLLIN, 0 } };
		uint64_t now = etc_process_now();

		if (now >= until)
			return false;
		if (poll(fds, 2, until == UINT64_MAX ? -1 : (int)(until - now)) < 0 &&
		    errno != EINTR)
			return false;
		if (fds[0].revents && !drain(e->out[READ], &p->out, most, &p->out_bytes))
			shut(&e->out[READ]);
		if (fds[1].revents &&
		    !drain(e->err[READ], &p->err, ETC_PROCESS_CAPTURE, &p->err_bytes))
			shut(&e->err[READ]);
	}
	return true;
}

/* Waits for the child to exit, which may happen after it closed its streams. At the time limit,
 * kills the child's process group. */
static void reap(struct etc_process *p, pid_t pid, uint64_t until, bool in_time)
{
	const struct timespec pause = { 0, 2000000 };
	int status = 0;
	pid_t got;

	for (;;) {
		got = waitpid(pid, &status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			break;
		if (!in_time || etc_process_now() >= until) {
			kill(p->group ? pid : -pid, SIGKILL);
			p->end = ETC_PROCESS_TIMED_OUT;
			while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
				;
			return;
		}
		nanosleep(&pause, NULL);
	}
	if (!p->group)
		kill(-pid, SIGKILL); /* also kills the remaining processes of its group */
	p->end = WIFSIGNALED(status) ? ETC_PROCESS_SIGNALED : ETC_PROCESS_EXITED;
	p->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

enum etc_status etc_process_run(struct etc_process *p, struct etc_error *err)
{
	uint64_t begin = etc_process_now();
	uint64_t until = p->limit_ms ? begin + p->limit_ms : UINT64_MAX;
	struct ends e;
	int pid;
	bool in_time;
	int bad = 0;

	if (!open_ends(&e, p))
		bad = errno ? errno : EIO;
	if (!bad)
		bad = start(p, &e, &pid);
	if (bad) {
		shut_all(&e);
		return etc_fail(err, E0902, "cannot start %s: %s", p->argv[0], strerror(bad));
	}
	shut(&e.out[WRITE]);
	shut(&e.err[WRITE]);
	in_time = follow(p, &e, until);
	reap(p, pid, until, in_time);
	shut_all(&e);
	p->took_ms = (unsigned)(etc_process_now() - begin);
	return ETC_OK;
}

void etc_process_release(struct etc_process *p)
{
	etc_text_release(&p->out);
	etc_text_release(&p->err);
	if (p->board)
		munmap(p->board, p->board_size);
	p->board = NULL;
}

void *etc_process_board(size_t size)
{
	struct stat st;
	void *at;

	if (fstat(ETC_PROCESS_BOARD, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (uintmax_t)st.st_size < size)
		return NULL;
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ETC_PROCESS_BOARD, 0);
	close(ETC_PROCESS_BOARD);
	return at == MAP_FAILED ? NULL : at;
}

void etc_process_confine(size_t bytes)
{
	struct rlimit none = { 0, 0 }, most = { bytes, bytes };

	setrlimit(RLIMIT_CORE, &none);
	if (bytes && !etc_process_sanitized())
		setrlimit(RLIMIT_AS, &most);
}

bool etc_process_sanitized(void)
{
	return SANITIZED || dlsym(RTLD_DEFAULT, "__asan_init") ||
	       dlsym(RTLD_DEFAULT, "__tsan_init");
}

const char *etc_signal_name(int number)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
		{ SIGILL, "SIGILL" },   { SIGABRT, "SIGABRT" }, { SIGKILL, "SIGKILL" },
		{ SIGTERM, "SIGTERM" }, { SIGPIPE, "SIGPIPE" }, { SIGTRAP, "SIGTRAP" },
		{ SIGSYS, "SIGSYS" },   { SIGXCPU, "SIGXCPU" }, { SIGINT, "SIGINT" },
		{ SIGHUP, "SIGHUP" },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].number == number)
			return names[i].name;
	return "a signal";
}

bool etc_process_find(const char *name, char *to, size_t room)
{
	const char *path = secure_getenv("PATH");

	while (path && *path) {
		size_t len = strcspn(path, ":");

		if (len && (size_t)snprintf(to, room, "%.*s/%s", (int)len, path, name) < room &&
		    etc_file_exists(to) && access(to, X_OK) == 0)
			return true;
		path += len + (path[len] == ':');
	}
	return false;
}

/* Sets `to` to the path of the shared library that contains this code. False: this code is linked
 * into the program itself. */
static bool library_path(char to[PATH_MAX])
{
	struct link_map *map = NULL;
	Dl_info info;

	return dladdr1((void *)(uintptr_t)&library_path, &info, (void **)&map, RTLD_DL_LINKMAP) &&
	       map && map->l_name[0] && realpath(map->l_name, to);
}

/* Resolves `relative` against the folder of a library; each leading "../" removes one folder. */
static bool from_library(const char *library, const char *relative, char *to, size_t room)
{
	size_t len = strlen(library);

	while (len && library[len - 1] != '/')
		len--;
	for (; strncmp(relative, "../", 3) == 0 && len > 1; relative += 3)
		for (len--; len && library[len - 1] != '/';)
			len--;
	return (size_t)snprintf(to, room, "%.*s%s", (int)len, library, relative) < room;
}

/* Writes the path of the etcore program that belongs to `library`: in a build folder it is next to
 * the library, in an installation it is in the folder of executables (`bin`). False: the path is
 * too long. */
static bool beside_library(const char *library, char *to, size_t room)
{
	return (from_library(library, "etcore", to, room) && etc_file_exists(to)) ||
	       from_library(library, ETCORE_BINDIR_FROM_LIBDIR "/etcore", to, room);
}

static bool executable_path(char *to, size_t room)
{
	ssize_t n = readlink("/proc/self/exe", to, room - 1);

	if (n <= 0 || (size_t)n >= room - 1)
		return false;
	to[n] = '\0';
	return true;
}

bool etc_program_path(char *to, size_t room)
{
	char library[PATH_MAX];

	return library_path(library) ? beside_library(library, to, room)
	                             : executable_path(to, room);
}

static bool is_etcore;

void etc_program_own(void)
{
	is_etcore = true;
}

/* Finds the program etcore that belongs to the file `library` (libetcore): in the library's prefix,
 * else in the `bin` folder next to its Python package (`pip install --target`) or of its Python
 * environment. */
static bool worker_of_library(const char *library, char *to, size_t room)
{
	static const char *const scripts[] = { "../../bin/etcore", "../../../../../bin/etcore" };

	if (beside_library(library, to, room) && etc_file_exists(to))
		return true;
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
		if (from_library(library, scripts[i], to, room) && etc_file_exists(to))
			return true;
	return beside_library(library, to, room);
}

bool etc_program_worker(char *to, size_t room)
{
	char here[PATH_MAX];

	if (library_path(here))
		return worker_of_library(here, to, room);
	if (is_etcore)
		return etc_program_path(to, room);
	return executable_path(here, sizeof here) && worker_of_library(here, to, room);
}
