/* sandbox.c -- see sandbox.h */
#define _GNU_SOURCE /* syscall */
#include "base/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#define LANDLOCK 1
#else
#define LANDLOCK 0
#endif

#include "base/process.h"

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

/* System calls that end the process. io_uring and bpf would do the same things unseen. */
static const uint16_t forbidden[] = {
	SYS_socket,
	SYS_socketpair,
	SYS_connect,
	SYS_bind,
	SYS_listen,
	SYS_accept,
	SYS_accept4,
	SYS_execve,
	SYS_execveat,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_unshare,
	SYS_setns,
	SYS_mount,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_keyctl,
	SYS_truncate,
#ifdef SYS_fork
	SYS_fork,
	SYS_vfork,
#endif
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_getfd
	SYS_pidfd_getfd,
#endif
};

enum { FORBIDDEN = sizeof forbidden / sizeof *forbidden, FILTER_MOST = 2 * FORBIDDEN + 16 };

#define FIELD(name)     ((uint32_t)offsetof(struct seccomp_data, name))
#define DO(code, value) (struct sock_filter) BPF_STMT(code, value)
#define SKIP(test, value, yes, no) \
	(struct sock_filter) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, yes, no)

static unsigned short write_filter(struct sock_filter *f)
{
	const uint32_t load = BPF_LD | BPF_W | BPF_ABS, end = BPF_RET | BPF_K;
	unsigned short n = 0;

	/* Calls of another machine, as 32-bit ones of x86, have other numbers. */
	f[n++] = DO(load, FIELD(arch));
	f[n++] = SKIP(BPF_JEQ, MACHINE, 1, 0);
	f[n++] = DO(end, SECCOMP_RET_KILL_PROCESS);
	f[n++] = DO(load, FIELD(nr));
#ifdef __x86_64__
	f[n++] = SKIP(BPF_JGE, 0x40000000, 0, 1); /* x32 */
	f[n++] = DO(end, SECCOMP_RET_KILL_PROCESS);
#endif
	for (size_t i = 0; i < FORBIDDEN; i++) {
		f[n++] = SKIP(BPF_JEQ, forbidden[i], 0, 1);
		f[n++] = DO(end, SECCOMP_RET_KILL_PROCESS);
	}
#ifdef SYS_clone3
	/* Its flags lie in memory, where a filter cannot look: libc then takes clone. */
	f[n++] = SKIP(BPF_JEQ, SYS_clone3, 0, 1);
	f[n++] = DO(end, SECCOMP_RET_ERRNO | ENOSYS);
#endif
	f[n++] = SKIP(BPF_JEQ, SYS_clone, 0, 3);
	f[n++] = DO(load, FIELD(args[0]));
	f[n++] = SKIP(BPF_JSET, CLONE_THREAD, 1, 0);
	f[n++] = DO(end, SECCOMP_RET_KILL_PROCESS);
	f[n++] = DO(end, SECCOMP_RET_ALLOW);
	return n;
}

static int enter_filter(void)
{
	struct sock_filter code[FILTER_MOST];
	struct sock_fprog filter = { .len = write_filter(code), .filter = code };

	/* All threads: one watches the line already. */
	return MACHINE && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
	                          &filter) == 0;
}

/* No folder is allowed anything of what is handled here; reading is not handled. */
static int enter_landlock(void)
{
#if LANDLOCK
	struct landlock_ruleset_attr rules = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
		                     LANDLOCK_ACCESS_FS_REMOVE_DIR |
		                     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
		                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
		                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
		                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM
	};
	int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0), ok;

	if (fd < 0)
		return 0;
	ok = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
	close(fd);
	return ok;
#else
	return 0;
#endif
}

unsigned etc_sandbox_enter(void)
{
	unsigned missing = 0;

	if (etc_process_sanitized())
		return 0; /* it needs more, and it is known to who built it */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return ETC_SANDBOX_ALL;
	if (!enter_landlock())
		missing |= ETC_SANDBOX_NO_LANDLOCK;
	if (!enter_filter())
		missing |= ETC_SANDBOX_NO_FILTER;
	return missing;
}
