/* fault.c -- LD_PRELOAD library of the tests: makes system calls and allocations fail on request.
 *
 * ETCORE_FAULT is a list of CALL:WHEN:WHAT, separated by blanks:
 *   alloc:17:ENOMEM      the 17th allocation fails: malloc, calloc, realloc, an aligned allocation, or taking or
 *                        extending a region (core/base/arena.c)
 *   alloc:17+:ENOMEM     the 17th and every later allocation fails
 *   write:1:short        the first write(2) writes one byte only
 *   write:1+:storm       by turns, a write writes one byte only or is interrupted (EINTR)
 *   read:2:EIO           the second read fails; likewise fstat, open, mmap, rename, close, fsync, fchmod
 *   rename:1:TERM        a signal arrives before the call: HUP, INT, PIPE, TERM, XFSZ, or any by its number ("34")
 *   open:1:fifo          before a regular file is opened for reading, it is replaced by a pipe without a writer
 *   mmap:1:cut           once a file is mapped, it is truncated to length 0
 *   mmap:1:touch         ... its time of modification changes
 *   mmap:1:grow          ... a byte is appended
 *   mmap:1:replace       ... another file takes its name
 *   thread:1+:EAGAIN     no thread is started
 *   clock:3+:back        from the third reading on, the time of day goes back by one more second each time
 * mmap counts only for files whose path contains the text ETCORE_FAULT_FILE, and not at all without
 * that variable. If the variable is set, open counts only if it opens such a file for reading.
 * Calls are counted over all threads. With ETCORE_FAULT_COUNT=FILE, the program appends a line
 * "CALL COUNT FIRED" for each kind of call to FILE when it ends: the number of calls and of
 * faults. */
#undef _FORTIFY_SOURCE /* with it, the headers would define read() themselves */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum call {
	ALLOC,
	WRITE,
	READ,
	OPEN,
	FSTAT,
	MMAP,
	RENAME,
	CLOSE,
	FSYNC,
	FCHMOD,
	CLOCK,
	THREAD,
	CALLS
};

static const char *const names[CALLS] = { "alloc",  "write", "read",  "open",   "fstat", "mmap",
	                                  "rename", "close", "fsync", "fchmod", "clock", "thread" };

/* Faults other than an errno. Their values are larger than any errno. */
enum { SHORT = 10000, STORM, CUT, TOUCH, GROW, REPLACE, BACK, FIFO, SIGNAL = 20000 };

/* clang-format off */
static const struct { const char *name; int value; } whats[] = {
	{ "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC }, { "EIO", EIO },     { "EINTR", EINTR },
	{ "EACCES", EACCES }, { "EDQUOT", EDQUOT }, { "EROFS", EROFS }, { "EMFILE", EMFILE },
	{ "EFBIG", EFBIG },   { "EPERM", EPERM },   { "EAGAIN", EAGAIN }, { "short", SHORT }, { "storm", STORM },
	{ "cut", CUT },       { "touch", TOUCH }, { "grow", GROW },     { "replace", REPLACE },
	{ "back", BACK },       { "fifo", FIFO },  { "HUP", SIGNAL + SIGHUP },   { "INT", SIGNAL + SIGINT }, { "PIPE", SIGNAL + SIGPIPE },
	{ "TERM", SIGNAL + SIGTERM }, { "XFSZ", SIGNAL + SIGXFSZ },
};
/* clang-format on */

static struct {
	atomic_ulong count, fired;
	unsigned long when;
	bool after;
	int what;
} faults[CALLS];

static atomic_bool on;

/* Counts a call, and returns its fault: 0 for none, an errno, or a value of the enum above. Sends a
 * signal itself, and then returns 0. */
static int fault(enum call c)
{
	unsigned long n;

	if (!on)
		return 0;
	n = atomic_fetch_add(&faults[c].count, 1) + 1;
	if (!faults[c].when || n < faults[c].when || (n > faults[c].when && !faults[c].after))
		return 0;
	if (faults[c].what == STORM && n % 2)
		return SHORT;
	atomic_fetch_add(&faults[c].fired, 1);
	if (faults[c].what >= SIGNAL) {
		kill(getpid(), faults[c].what - SIGNAL);
		return 0;
	}
	return faults[c].what == STORM ? EINTR : faults[c].what;
}

static bool is_errno(int what)
{
	if (what == 0 || what >= SHORT)
		return false;
	errno = what;
	return true;
}

static void parse(const char *s)
{
	while (*s) {
		size_t call = strcspn(s, ":"), what;

		for (size_t c = 0; c < CALLS; c++) {
			char *end;

			if (strlen(names[c]) != call || memcmp(names[c], s, call) != 0)
				continue;
			faults[c].when = strtoul(s + call + (s[call] == ':'), &end, 10);
			faults[c].after = *end == '+';
			end += *end == '+';
			end += *end == ':';
			what = strcspn(end, " ");
			if (*end >= '0' && *end <= '9')
				faults[c].what = SIGNAL + atoi(end);
			for (size_t w = 0; w < sizeof whats / sizeof whats[0]; w++)
				if (strlen(whats[w].name) == what &&
				    memcmp(whats[w].name, end, what) == 0)
					faults[c].what = whats[w].value;
		}
		s += strcspn(s, " ");
		s += strspn(s, " ");
	}
}

__attribute__((constructor)) static void begin(void)
{
	const char *spec = getenv("ETCORE_FAULT");

	if (spec)
		parse(spec);
	on = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("ETCORE_FAULT_COUNT");
	int fd;

	on = false;
	fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
	if (fd < 0)
		return;
	for (size_t c = 0; c < CALLS; c++)
		dprintf(fd, "%s %lu %lu\n", names[c], (unsigned long)faults[c].count,
		        (unsigned long)faults[c].fired);
	close(fd);
}

/* Ends a forked process. If ETCORE_FAULT_FORKS is set, it writes its own counts first, which
 * include those of its parent before the fork. */
void _exit(int status)
{
	if (getenv("ETCORE_FAULT_FORKS"))
		end();
	for (;;)
		syscall(SYS_exit_group, status);
}

/* ---- memory ------------------------------------------------------------------ */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

void *malloc(size_t n)
{
	return is_errno(fault(ALLOC)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return is_errno(fault(ALLOC)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return is_errno(fault(ALLOC)) ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return is_errno(fault(ALLOC)) ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **out, size_t align, size_t n)
{
	if (is_errno(fault(ALLOC)))
		return ENOMEM;
	*out = __libc_memalign(align, n);
	return *out ? 0 : ENOMEM;
}

int mprotect(void *at, size_t n, int prot)
{
	if (prot & PROT_WRITE && is_errno(fault(ALLOC)))
		return -1;
	return (int)syscall(SYS_mprotect, at, n, prot);
}

/* ---- files: syscall() is used, since libc's functions are replaced ------------------ */

static size_t less(int what, size_t n)
{
	return what == SHORT && n > 1 ? 1 : n;
}

ssize_t write(int fd, const void *p, size_t n)
{
	int what = fault(WRITE);

	return is_errno(what) ? -1 : syscall(SYS_write, fd, p, less(what, n));
}

ssize_t read(int fd, void *p, size_t n)
{
	int what = fault(READ);

	return is_errno(what) ? -1 : syscall(SYS_read, fd, p, less(what, n));
}

int fstat(int fd, struct stat *out)
{
	return is_errno(fault(FSTAT)) ? -1 : (int)syscall(SYS_fstat, fd, out);
}

/* Does the call open a regular file for reading whose path contains ETCORE_FAULT_FILE? Without the
 * variable, every call counts as one. */
static bool is_meant(int folder, const char *path, int flags)
{
	const char *meant = getenv("ETCORE_FAULT_FILE");
	struct stat st;

	return !meant || ((flags & (O_ACCMODE | O_PATH)) == O_RDONLY && strstr(path, meant) &&
	                  fstatat(folder, path, &st, 0) == 0 && S_ISREG(st.st_mode));
}

static void put_fifo(int folder, const char *path)
{
	char other[4100];

	snprintf(other, sizeof other, "%s.fifo", path);
	if (mknodat(folder, other, S_IFIFO | 0600, 0) != 0 ||
	    syscall(SYS_renameat2, folder, other, folder, path, 0u) != 0)
		abort();
}

static int open_at(int folder, const char *path, int flags, va_list args)
{
	mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	int what = on && is_meant(folder, path, flags) ? fault(OPEN) : 0;

	if (what == FIFO)
		put_fifo(folder, path);
	return is_errno(what) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_at(AT_FDCWD, path, flags, args);
	va_end(args);
	return fd;
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_at(folder, path, flags, args);
	va_end(args);
	return fd;
}

/* Writes the path of the open file `fd` to `to`, of `room` bytes. Writes an empty text if the path
 * does not contain ETCORE_FAULT_FILE, or the variable is not set. */
static void name_of(int fd, char *to, size_t room)
{
	const char *meant = getenv("ETCORE_FAULT_FILE");
	char link[64];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, to, room - 1);
	to[n > 0 ? n : 0] = '\0';
	if (!meant || !strstr(to, meant))
		to[0] = '\0';
}

/* Appends a byte to the file; with `replace`, replaces the file by another of one byte instead. */
static void meddle(const char *path, bool replace)
{
	char other[4100];
	int fd;

	snprintf(other, sizeof other, "%s%s", path, replace ? ".new" : "");
	fd = (int)syscall(SYS_openat, AT_FDCWD, other, O_WRONLY | O_APPEND | O_CREAT, 0600);
	if (fd < 0 || syscall(SYS_write, fd, "", 1) != 1 ||
	    (replace && syscall(SYS_renameat2, AT_FDCWD, other, AT_FDCWD, path, 0u) != 0))
		abort();
	syscall(SYS_close, fd);
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t from)
{
	char path[4096] = "";
	int what = 0;
	void *p;

	if (fd >= 0 && on)
		name_of(fd, path, sizeof path);
	if (path[0])
		what = fault(MMAP);
	else if (fd < 0 && prot == PROT_NONE)
		what = fault(ALLOC);
	if (is_errno(what))
		return MAP_FAILED;
	p = (void *)syscall(SYS_mmap, at, n, prot, flags, fd, from);
	if (what == CUT && truncate(path, 0) != 0)
		abort();
	if (what == GROW || what == REPLACE)
		meddle(path, what == REPLACE);
	if (what == TOUCH && utimensat(AT_FDCWD, path, NULL, 0) != 0)
		abort();
	return p;
}

int rename(const char *from, const char *to)
{
	return is_errno(fault(RENAME))
	               ? -1
	               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0u);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	return is_errno(fault(RENAME))
	               ? -1
	               : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0u);
}

int close(int fd)
{
	int what = fault(CLOSE);

	/* the system closes the descriptor even if close() fails */
	if ((int)syscall(SYS_close, fd) != 0)
		return -1;
	return is_errno(what) ? -1 : 0;
}

int fsync(int fd)
{
	return is_errno(fault(FSYNC)) ? -1 : (int)syscall(SYS_fsync, fd);
}

int fchmod(int fd, mode_t mode)
{
	return is_errno(fault(FCHMOD)) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

/* ---- time ---------------------------------------------------------------------- */

int clock_gettime(clockid_t id, struct timespec *out)
{
	int what = id == CLOCK_REALTIME ? fault(CLOCK) : 0;
	int got = (int)syscall(SYS_clock_gettime, id, out);

	if (got == 0 && what == BACK)
		out->tv_sec -= (time_t)faults[CLOCK].fired;
	return got;
}

/* ---- threads --------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *arg)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	void *found = dlsym(RTLD_NEXT, "pthread_create");
	int what = fault(THREAD);

	memcpy(&create, &found, sizeof create);
	return is_errno(what) ? what : create(thread, attributes, run, arg);
}
