/* sandbox.c -- see sandbox.h.
 *
 * Installs two seccomp filters; for each system call the stricter result counts. Both list the
 * allowed calls; the first also lists calls that end the process. Every other call, including
 * calls of later kernels, fails with ENOSYS. */
#define _GNU_SOURCE /* syscall, O_PATH */
#include "base/sandbox.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#define LANDLOCK 1
#else
#define LANDLOCK 0
#endif

#include "base/file.h"
#include "base/process.h"

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

/* ---- lists of system calls ------------------------------------------------------------- */

/* clang-format off */
/* System calls that a plugin must not make: the process is ended when it makes one. io_uring and
 * bpf are in the list, because a plugin could use them to do what the other calls do without
 * passing the filter. */
static const struct { uint16_t call, breach; } forbidden[] = {
#define FORBID(call, breach) { SYS_##call, ETC_BREACH_##breach }
	FORBID(socket, SOCKET), FORBID(socketpair, SOCKET), FORBID(connect, SOCKET),
	FORBID(bind, SOCKET), FORBID(listen, SOCKET), FORBID(accept, SOCKET), FORBID(accept4, SOCKET),
	FORBID(execve, PROGRAM), FORBID(execveat, PROGRAM),
	FORBID(mkdirat, FILE), FORBID(mknodat, FILE), FORBID(symlinkat, FILE), FORBID(linkat, FILE),
	FORBID(unlinkat, FILE), FORBID(renameat2, FILE), FORBID(truncate, FILE),
	FORBID(fchmod, FILE), FORBID(fchmodat, FILE), FORBID(fchown, FILE), FORBID(fchownat, FILE),
	FORBID(utimensat, FILE), FORBID(setxattr, FILE), FORBID(lsetxattr, FILE),
	FORBID(fsetxattr, FILE), FORBID(removexattr, FILE), FORBID(lremovexattr, FILE),
	FORBID(fremovexattr, FILE), FORBID(open_by_handle_at, FILE), FORBID(mq_open, FILE),
	FORBID(mq_unlink, FILE), FORBID(mount, FILE), FORBID(umount2, FILE), FORBID(chroot, FILE),
	FORBID(shmget, OTHER), FORBID(msgget, OTHER), FORBID(semget, OTHER),
	FORBID(ptrace, OTHER), FORBID(process_vm_readv, OTHER), FORBID(process_vm_writev, OTHER),
	FORBID(unshare, OTHER), FORBID(setns, OTHER), FORBID(bpf, OTHER), FORBID(keyctl, OTHER),
	FORBID(add_key, OTHER), FORBID(request_key, OTHER), FORBID(init_module, OTHER),
	FORBID(finit_module, OTHER), FORBID(kexec_load, OTHER), FORBID(reboot, OTHER),
	FORBID(swapon, OTHER), FORBID(swapoff, OTHER), FORBID(pivot_root, OTHER),
	FORBID(sethostname, OTHER), FORBID(settimeofday, OTHER), FORBID(clock_settime, OTHER),
	FORBID(perf_event_open, OTHER), FORBID(userfaultfd, OTHER), FORBID(tkill, OTHER),
	FORBID(rt_sigqueueinfo, OTHER), FORBID(rt_tgsigqueueinfo, OTHER),
#ifdef SYS_open
	FORBID(fork, PROCESS), FORBID(vfork, PROCESS), FORBID(creat, FILE), FORBID(mkdir, FILE),
	FORBID(mknod, FILE), FORBID(symlink, FILE), FORBID(link, FILE), FORBID(unlink, FILE),
	FORBID(rmdir, FILE), FORBID(rename, FILE), FORBID(chmod, FILE), FORBID(chown, FILE),
	FORBID(lchown, FILE), FORBID(utime, FILE), FORBID(utimes, FILE), FORBID(futimesat, FILE),
#endif
#ifdef SYS_renameat
	FORBID(renameat, FILE),
#endif
#ifdef SYS_io_uring_setup
	FORBID(io_uring_setup, OTHER),
#endif
#ifdef SYS_pidfd_getfd
	FORBID(pidfd_getfd, OTHER),
#endif
#ifdef SYS_pidfd_send_signal
	FORBID(pidfd_send_signal, OTHER),
#endif
#undef FORBID
};

/* System calls that a plugin may make at any time. */
static const uint16_t allowed[] = {
	/* memory: */
	SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk, SYS_mincore, SYS_mlock,
	SYS_munlock, SYS_membarrier, SYS_getrandom,
	/* the socket, and other open descriptors: */
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_recvfrom,
	SYS_recvmsg, SYS_sendto, SYS_ppoll, SYS_close, SYS_fstat,
	/* time: */
	SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep,
	SYS_times, SYS_getrusage,
	/* threads; the rules for clone() are below: */
	SYS_clone, SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_gettid,
	SYS_getpid, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_sigaltstack,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_kill, SYS_tgkill,
	SYS_restart_syscall,
	/* exit: */
	SYS_exit, SYS_exit_group,
#ifdef SYS_poll
	SYS_poll, SYS_time,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
};

/* Calls that are allowed in addition until the plugin's library has been loaded: the dynamic linker
 * and the constructors of libraries need them. None of them sends anything to another process or
 * changes one; so setpgid(), setpriority() and fcntl(F_SETOWN) are missing here. None allocates
 * memory that is not counted for the process, as a pipe or memfd would. */
static const uint16_t loading[] = {
	/* files. These calls work in all folders: Landlock limits only which files open() may open.
	 * The rules for the flags of open() are below. */
	SYS_newfstatat, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_readlinkat, SYS_getcwd, SYS_getdents64,
	/* identity and environment: */
	SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getppid, SYS_getpgid, SYS_getsid, SYS_uname,
	SYS_sysinfo, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
	SYS_sched_get_priority_min, SYS_get_mempolicy,
	/* waiting: */
	SYS_pselect6, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_rt_sigpending,
	/* calls for the socket, and for installing the second filter: */
	SYS_getsockopt, SYS_seccomp,
#ifdef SYS_statx
	SYS_statx,
#endif
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
#ifdef SYS_open
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_getpgrp, SYS_getrlimit, SYS_select,
	SYS_pause, SYS_arch_prctl,
#endif
};
/* clang-format on */

enum {
	FORBIDDEN = sizeof forbidden / sizeof *forbidden,
	ALLOWED = sizeof allowed / sizeof *allowed,
	LOADING = sizeof loading / sizeof *loading,
	FILTER_MOST = 2 * (FORBIDDEN + ALLOWED + LOADING) + 128
};

/* ---- filters --------------------------------------------------------------------------- */

struct filter {
	struct sock_filter code[FILTER_MOST];
	unsigned short n;
};

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define END(breach) (SECCOMP_RET_TRAP | (breach))

static void load(struct filter *f, uint32_t field)
{
	f->code[f->n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, field);
}

static void answer(struct filter *f, uint32_t answer)
{
	f->code[f->n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
}

/* Adds an instruction that skips `yes` instructions if the test is true, else `no`. */
static void skip(struct filter *f, unsigned test, uint32_t value, uint8_t yes, uint8_t no)
{
	f->code[f->n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, yes, no);
}

/* Adds a rule: the filter returns `what` for the system call `call`. The number of the call must be
 * loaded already. */
static void answer_call(struct filter *f, long call, uint32_t what)
{
	skip(f, BPF_JEQ, (uint32_t)call, 0, 1);
	answer(f, what);
}

/* Adds a rule for the system call `call`: the filter returns `yes` if the test of its argument
 * number `argument` against `value` is true, else `no`. The rule loads only the lower half of the
 * argument, which suffices for an int. */
static void answer_by(struct filter *f, long call, int argument, unsigned test, uint32_t value,
                      uint32_t yes, uint32_t no)
{
	skip(f, BPF_JEQ, (uint32_t)call, 0, 4);
	load(f, FIELD(args) + (uint32_t)argument * (uint32_t)sizeof(uint64_t));
	skip(f, test, value, 0, 1);
	answer(f, yes);
	answer(f, no);
}

/* Begins a filter: refuses calls of another architecture, such as 32-bit x86, which has other call
 * numbers. */
static void begin(struct filter *f)
{
	f->n = 0;
	load(f, FIELD(arch));
	skip(f, BPF_JEQ, MACHINE, 1, 0);
	answer(f, SECCOMP_RET_KILL_PROCESS);
	load(f, FIELD(nr));
#ifdef __x86_64__
	skip(f, BPF_JGE, 0x40000000, 0, 1); /* calls of the x32 ABI have this bit */
	answer(f, SECCOMP_RET_KILL_PROCESS);
#endif
}

/* Allows sending signals only to this process and its process group, which it leads. */
static void own_signals_only(struct filter *f, long call)
{
	skip(f, BPF_JEQ, (uint32_t)call, 0, 5);
	load(f, FIELD(args));
	skip(f, BPF_JEQ, 0, 1, 0);
	skip(f, BPF_JEQ, (uint32_t)getpid(), 0, 1);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, END(ETC_BREACH_OTHER));
}

/* Allows reading the process's own limits. Setting limits is refused, because root could raise the
 * limits. A call for a pid other than 0 ends the process. */
static void own_limits_only(struct filter *f)
{
	skip(f, BPF_JEQ, SYS_prlimit64, 0, 9);
	load(f, FIELD(args));
	skip(f, BPF_JEQ, 0, 0, 6);
	load(f, FIELD(args[2]));
	skip(f, BPF_JEQ, 0, 0, 3);
	load(f, FIELD(args[2]) + (uint32_t)sizeof(uint32_t));
	skip(f, BPF_JEQ, 0, 0, 1);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, FAIL(EPERM));
	answer(f, END(ETC_BREACH_OTHER));
}

/* Allows fcntl() only to duplicate a descriptor and to read its flags. Other commands of fcntl()
 * could send signals to a process, or take leases and locks. */
static void own_descriptors_only(struct filter *f)
{
	skip(f, BPF_JEQ, SYS_fcntl, 0, 5);
	load(f, FIELD(args[1]));
	skip(f, BPF_JEQ, F_DUPFD_CLOEXEC, 1, 0);
	skip(f, BPF_JGT, F_GETFL, 1, 0);
	answer(f, SECCOMP_RET_ALLOW);
	answer(f, FAIL(ENOSYS));
}

static void answer_list(struct filter *f, const uint16_t *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		answer_call(f, calls[i], SECCOMP_RET_ALLOW);
}

/* Ends a filter: adds rules for fcntl(), prctl() and the calls in `allowed`. All calls that no rule
 * of the filter names fail with ENOSYS. */
static void answer_rest(struct filter *f)
{
	own_descriptors_only(f);
	answer_by(f, SYS_prctl, 0, BPF_JEQ, PR_SET_NAME, SECCOMP_RET_ALLOW, FAIL(ENOSYS));
	answer_list(f, allowed, ALLOWED);
	answer(f, FAIL(ENOSYS));
}

static void write_first(struct filter *f)
{
	const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

	begin(f);
	for (size_t i = 0; i < FORBIDDEN; i++)
		answer_call(f, forbidden[i].call, END(forbidden[i].breach));
	answer_by(f, SYS_clone, 0, BPF_JSET, CLONE_THREAD, SECCOMP_RET_ALLOW,
	          END(ETC_BREACH_PROCESS));
	/* The arguments of these calls are in memory, which a filter cannot read. ENOSYS makes libc
	 * use clone() and openat() instead. */
#ifdef SYS_clone3
	answer_call(f, SYS_clone3, FAIL(ENOSYS));
#endif
#ifdef SYS_openat2
	answer_call(f, SYS_openat2, FAIL(ENOSYS));
#endif
	/* ioctls could change attributes of files open for reading, or type into a terminal. */
	answer_call(f, SYS_ioctl, FAIL(ENOTTY));
	answer_by(f, SYS_openat, 2, BPF_JSET, writes, END(ETC_BREACH_FILE), SECCOMP_RET_ALLOW);
#ifdef SYS_open
	answer_by(f, SYS_open, 1, BPF_JSET, writes, END(ETC_BREACH_FILE), SECCOMP_RET_ALLOW);
#endif
	own_limits_only(f);
	/* the handler for SIGSYS must stay, because it reports the forbidden call */
	answer_by(f, SYS_rt_sigaction, 0, BPF_JEQ, SIGSYS, END(ETC_BREACH_OTHER),
	          SECCOMP_RET_ALLOW);
	own_signals_only(f, SYS_kill);
	own_signals_only(f, SYS_tgkill);
	answer_list(f, loading, LOADING);
	answer_rest(f);
}

static void write_second(struct filter *f)
{
	begin(f);
	answer_call(f, SYS_openat, END(ETC_BREACH_FILE));
#ifdef SYS_open
	answer_call(f, SYS_open, END(ETC_BREACH_FILE));
#endif
#ifdef SYS_openat2
	answer_call(f, SYS_openat2, END(ETC_BREACH_FILE));
#endif
	answer_rest(f);
}

/* Installs the filter for all threads. */
static bool enter(struct filter *f)
{
	struct sock_fprog filter = { .len = f->n, .filter = f->code };

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) ==
	       0;
}

/* Handles SIGSYS, which a forbidden system call raises: ends the process with the status of the
 * filter's rule that the call broke. */
static void on_breach(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	_exit(info->si_errno);
}

/* Ends the process with the exit status that reports a fork. libc calls this function at the start
 * of fork(). Without it, glibc 2.41 and later would make the system call with all signals blocked,
 * including SIGSYS, so that on_breach() could not report it. */
static void on_fork(void)
{
	_exit(ETC_BREACH_PROCESS);
}

static bool enter_first(void)
{
	struct sigaction told = { .sa_sigaction = on_breach, .sa_flags = SA_SIGINFO };
	struct filter f;

	if (!MACHINE || sigaction(SIGSYS, &told, NULL) != 0)
		return false;
	write_first(&f);
	if (!enter(&f))
		return false; /* without the filter, fork() stays allowed */
	pthread_atfork(on_fork, NULL, NULL);
	return true;
}

/* ---- files: Landlock -------------------------------------------------------------------- */

#if LANDLOCK
static void allow_reading(int rules, const char *path)
{
	struct landlock_path_beneath_attr beneath = {
		.allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE,
		.parent_fd = etc_descriptor_open(path, O_PATH, 0),
	};
	struct stat st;

	if (beneath.parent_fd < 0)
		return;
	if (fstat(beneath.parent_fd, &st) == 0 && S_ISDIR(st.st_mode))
		beneath.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(beneath.parent_fd);
}

static void allow_folder_of(int rules, const char *file)
{
	const char *slash = strrchr(file, '/');
	char folder[PATH_MAX];

	if (!slash)
		allow_reading(rules, ".");
	else if ((size_t)snprintf(folder, sizeof folder, "%.*s/", (int)(slash - file), file) <
	         sizeof folder)
		allow_reading(rules, folder);
}

/* Allows reading the folders in a list separated by ':' or ';', such as LD_LIBRARY_PATH. */
static void allow_list(int rules, const char *list)
{
	char folder[PATH_MAX];

	while (list && *list) {
		size_t len = strcspn(list, ":;");

		if (len && len < sizeof folder) {
			memcpy(folder, list, len);
			folder[len] = '\0';
			allow_reading(rules, folder);
		}
		list += len + (list[len] != '\0');
	}
}

static void allow_libraries(int rules, const char *plugin)
{
	static const char *const folders[] = { "/lib",
		                               "/lib32",
		                               "/lib64",
		                               "/usr/lib",
		                               "/usr/lib32",
		                               "/usr/lib64",
		                               "/usr/local/lib",
		                               "/usr/local/lib64",
		                               "/etc/ld.so.cache",
		                               "/etc/ld.so.preload" };
	char real[PATH_MAX];

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		allow_reading(rules, folders[i]);
	allow_list(rules, secure_getenv("LD_LIBRARY_PATH"));
	allow_folder_of(rules, plugin);
	if (realpath(plugin, real))
		allow_folder_of(rules, real);
}
#endif

/* Makes Landlock deny each of the rights below everywhere except in the folders that
 * allow_libraries() allows. */
static bool enter_landlock(const char *plugin)
{
#if LANDLOCK
	struct landlock_ruleset_attr attr = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
		                     LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
		                     LANDLOCK_ACCESS_FS_REMOVE_DIR |
		                     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
		                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
		                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
		                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM
	};
	int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	bool ok;

	if (rules < 0)
		return false;
	allow_libraries(rules, plugin);
	ok = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return ok;
#else
	(void)plugin;
	return false;
#endif
}

/* ---- both together: filters and Landlock ----------------------------------------------- */

/* Makes libc open the files now that it would open later, when the sandbox forbids it: the
 * unwinder's library, which is needed when a thread ends, and the file of the local time zone. Also
 * limits libc to one heap. With a second heap, libc would read the number of processors and, to
 * shrink the heap, /proc/sys/vm/overcommit_memory. */
static void prepare(void)
{
	void *frame[1];

	(void)backtrace(frame, 1);
	if (!secure_getenv("TZ"))
		setenv("TZ", ":/etc/localtime", 1);
	tzset();
	mallopt(M_ARENA_MAX, 1);
}

const char *etc_breach_text(bool signaled, int status)
{
	if (signaled)
		return status == SIGSYS ? "what" : NULL;
	switch (status) {
	case ETC_BREACH_OTHER:
		return "what";
	case ETC_BREACH_FILE:
		return "a file, which";
	case ETC_BREACH_SOCKET:
		return "a socket, which";
	case ETC_BREACH_PROCESS:
		return "another process, which";
	case ETC_BREACH_PROGRAM:
		return "another program, which";
	default:
		return NULL;
	}
}

unsigned etc_sandbox_load(const char *plugin)
{
	unsigned missing = 0;

	if (etc_process_sanitized())
		return ETC_SANDBOX_RELAXED;
	prepare();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return ETC_SANDBOX_NO_FILTER | ETC_SANDBOX_NO_LANDLOCK;
	if (!enter_landlock(plugin))
		missing |= ETC_SANDBOX_NO_LANDLOCK;
	if (!enter_first())
		missing |= ETC_SANDBOX_NO_FILTER;
	return missing;
}

bool etc_sandbox_run(unsigned missing)
{
	struct filter f;

	if (missing & (ETC_SANDBOX_NO_FILTER | ETC_SANDBOX_RELAXED))
		return true;
	write_second(&f);
	return enter(&f);
}
