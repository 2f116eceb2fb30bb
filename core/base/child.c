/* child.c -- see child.h */
#define _GNU_SOURCE /* SOCK_CLOEXEC, POLLRDHUP */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

enum { LINE = ETC_PROCESS_BOARD, SLICE_MS = 50, BUFFER = 1 << 20, WATCHER_STACK = 256 << 10 };

/* ---- the parent ---------------------------------------------------------------- */

extern char **environ;

enum { VARIABLES = 64 };

/* Is the variable about language, libraries or sanitizers, so that the child gets it? All other
 * variables are removed, because any of them may contain a secret. */
bool etc_child_is_told(const char *variable)
{
	static const char *const names[] = { "LANG=",         "LC_",           "TZ=",
		                             "LD_",           "ASAN_OPTIONS=", "LSAN_OPTIONS=",
		                             "MSAN_OPTIONS=", "TSAN_OPTIONS=", "UBSAN_OPTIONS=" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void choose_variables(const char *env[VARIABLES + 1])
{
	size_t n = 0;

	for (char **v = environ; v && *v && n < VARIABLES; v++)
		if (etc_child_is_told(*v))
			env[n++] = *v;
	env[n] = NULL;
}

enum etc_status etc_child_start(struct etc_child *c, const char *const *argv, struct etc_error *err)
{
	const char *env[VARIABLES + 1];
	struct etc_spawn s = { .argv = argv, .env = env, .fds = { -1, -1, -1, -1 } };
	int ends[2], size = BUFFER, bad = 0;

	*c = (struct etc_child){ .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return etc_fail(err, E0641, "%s: %s", argv[0], strerror(errno));
	/* Requests larger buffers for the socket; the system may allow less. */
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
	for (int i = 0; i < 2; i++)
		if (!etc_process_lift(&ends[i]))
			bad = EMFILE;
	s.fds[3] = ends[1];
	choose_variables(env);
	if (!bad)
		bad = etc_process_start(&s, &c->pid);
	if (ends[1] >= 0)
		close(ends[1]);
	if (!bad) {
		c->fd = ends[0];
		return ETC_OK;
	}
	if (ends[0] >= 0)
		close(ends[0]);
	c->pid = 0;
	return etc_fail(err, E0641, "%s: %s", argv[0], strerror(bad));
}

/* Has the child exited? Does not reap it. The state of the socket does not show that, because other
 * processes that inherited the socket may keep it open. */
static bool is_gone(const struct etc_child *c)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
		return errno != EINTR;
	return info.si_pid != 0;
}

/* Waits until the socket is ready for `events`, the child has ended, or the time `until` is
 * reached. Returns ETC_CHILD_FINE, ETC_CHILD_ENDED or ETC_CHILD_LATE; if several are true, the
 * first of them. */
static enum etc_child_state wait_for(const struct etc_child *c, short events, uint64_t until)
{
	for (;;) {
		struct pollfd p = { c->fd, events, 0 };
		uint64_t now = etc_process_now();
		bool gone;

		if (now >= until)
			return ETC_CHILD_LATE;
		/* Check whether the child has exited before poll() is called. Then poll() finds
		 * all bytes that an exited child wrote. */
		gone = is_gone(c);
		if (poll(&p, 1,
		         gone                     ? 0
		         : until - now < SLICE_MS ? (int)(until - now)
		                                  : SLICE_MS) > 0)
			return ETC_CHILD_FINE;
		if (gone)
			return ETC_CHILD_ENDED;
	}
}

/* Control buffer for the descriptors of one message. */
union passed {
	struct cmsghdr head;
	char room[CMSG_SPACE(ETC_CHILD_FILES * sizeof(int))];
};

static ssize_t send_some(int to, const char *at, size_t len, const int *fds, unsigned count)
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)at, .iov_len = len };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	union passed passed = { .room = { 0 } };

	if (count) {
		passed.head.cmsg_level = SOL_SOCKET;
		passed.head.cmsg_type = SCM_RIGHTS;
		passed.head.cmsg_len = CMSG_LEN(count * sizeof *fds);
		memcpy(CMSG_DATA(&passed.head), fds, count * sizeof *fds);
		m.msg_control = &passed;
		m.msg_controllen = CMSG_SPACE(count * sizeof *fds);
	}
	return sendmsg(to, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}

enum etc_child_state etc_child_pass(struct etc_child *c, const void *bytes, size_t len,
                                    const int *fds, unsigned count, uint64_t until)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = send_some(c->fd, at, len, fds, count);
		enum etc_child_state state;

		if (n > 0) {
			at += n;
			len -= (size_t)n;
			count = 0;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return ETC_CHILD_ENDED;
		state = wait_for(c, POLLOUT, until);
		if (state != ETC_CHILD_FINE)
			return state;
	}
	return ETC_CHILD_FINE;
}

enum etc_child_state etc_child_read(struct etc_child *c, void *bytes, size_t len, uint64_t until)
{
	char *at = bytes;

	while (len) {
		ssize_t n = recv(c->fd, at, len, MSG_DONTWAIT);
		enum etc_child_state state;

		if (n > 0) {
			at += n;
			len -= (size_t)n;
			continue;
		}
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			return ETC_CHILD_ENDED;
		state = wait_for(c, POLLIN, until);
		if (state != ETC_CHILD_FINE)
			return state;
	}
	return ETC_CHILD_FINE;
}

struct etc_child_end etc_child_stop(struct etc_child *c, unsigned grace_ms)
{
	struct etc_child_end end = { .killed = false };
	uint64_t until = etc_process_now() + grace_ms;
	int status = 0;
	char rest[4096];

	if (c->pid == 0)
		return end;
	shutdown(c->fd, SHUT_WR);
	while (grace_ms && !is_gone(c) && etc_process_now() < until)
		if (wait_for(c, POLLIN, until) == ETC_CHILD_FINE &&
		    recv(c->fd, rest, sizeof rest, MSG_DONTWAIT) <= 0)
			/* the child closed its socket, so it should exit soon */
			(void)poll(NULL, 0, 1);
	end.killed = !is_gone(c);
	kill(-c->pid, SIGKILL); /* kills its process group */
	kill(c->pid, SIGKILL);  /* the child itself, if it left that group */
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(c->fd);
	*c = (struct etc_child){ .fd = -1 };
	end.signaled = WIFSIGNALED(status);
	end.status = end.signaled ? WTERMSIG(status) : WEXITSTATUS(status);
	return end;
}

/* ---- the child ------------------------------------------------------------------ */

/* Runs in the watcher thread: kills the process group when the parent is gone. A thread is
 * needed because the main thread may be in a hook that loops forever. */
static void *watch(void *arg)
{
	int fd = (int)(intptr_t)arg;

	for (short events = POLLRDHUP;;) {
		struct pollfd p = { fd, events, 0 };

		if (poll(&p, 1, -1) < 0 && errno != EINTR)
			return NULL;
		if (p.revents & POLLHUP)
			kill(0, SIGKILL); /* the whole process group: the child and all its forks */
		if (p.revents & (POLLHUP | POLLNVAL | POLLERR))
			return NULL;
		if (p.revents)
			/* the parent closed its end in the regular way: allow the child some time
			 * to exit */
			events = 0;
	}
}

bool etc_child_line(int *fd)
{
	pthread_attr_t small;
	pthread_t thread;
	int kind = 0, keep;
	socklen_t size = sizeof kind;
	bool watched;

	if (getsockopt(LINE, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_STREAM)
		return false;
	*fd = LINE;
	if (!etc_process_lift(fd))
		return false;
	/* Make a copy of the descriptor for the watcher thread, in case a plugin closes every
	 * descriptor that it finds. */
	keep = fcntl(*fd, F_DUPFD_CLOEXEC, 512);
	if (keep < 0)
		keep = *fd;
	if (pthread_attr_init(&small) != 0)
		return false;
	pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&small, WATCHER_STACK);
	watched = pthread_create(&thread, &small, watch, (void *)(intptr_t)keep) == 0;
	pthread_attr_destroy(&small);
	return watched;
}

bool etc_line_write(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

/* Appends the descriptors of a message to `fds`; false if there were more than `fds` has room
 * for. */
static bool take_passed(struct msghdr *m, int fds[ETC_CHILD_FILES], unsigned *count)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof *fds;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		if (n > ETC_CHILD_FILES - *count)
			return false;
		memcpy(fds + *count, CMSG_DATA(c), n * sizeof *fds);
		*count += (unsigned)n;
	}
	return !(m->msg_flags & MSG_CTRUNC);
}

bool etc_line_take(int fd, void *bytes, size_t len, int fds[ETC_CHILD_FILES], unsigned *count)
{
	char *at = bytes;

	*count = 0;
	while (len) {
		union passed passed;
		struct iovec part = { .iov_base = at, .iov_len = len };
		struct msghdr m = { .msg_iov = &part,
			            .msg_iovlen = 1,
			            .msg_control = &passed,
			            .msg_controllen = sizeof passed };
		ssize_t n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || !take_passed(&m, fds, count))
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool etc_line_read(int fd, void *bytes, size_t len)
{
	int fds[ETC_CHILD_FILES];
	unsigned count;

	/* The parent sends descriptors only with the header of a message, which is received with
	 * etc_line_take(). A descriptor with any other bytes is an error. */
	return etc_line_take(fd, bytes, len, fds, &count) && count == 0;
}
