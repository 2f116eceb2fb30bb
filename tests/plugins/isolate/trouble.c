/* trouble.c -- an owner of XNNPACK's events that keeps its contract until the hook `where` is
 * called for the event `event`. Then it does what `how` says. All three are options of the
 * plugin. */
#define _GNU_SOURCE /* usleep, F_SETSIG, memfd_create, pipe2, affinity */
#include <etcore/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/fs.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../unchecked.h"

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

struct trouble {
	char how[32], where[32], event[128];
	int asked; /* number of hooks called so far */
};

static void hang(void)
{
	for (volatile int i = 0;; i = !i)
		;
}

UNCHECKED static int deeper(volatile char *above)
{
	volatile char frame[4096];

	frame[0] = above ? above[0] : 1;
	return frame[0] ? deeper(frame) + frame[0] : 0;
}

/* Waits without end like hang(), but without using the processor. A hook may call usleep(); pause()
 * would return at once. */
static void rest(void)
{
	for (;;)
		usleep(100000);
}

static void eat(void)
{
	for (;;) {
		volatile char *p = malloc(1 << 20);

		if (!p)
			abort();
		for (int i = 0; i < 1 << 20; i += 4096)
			p[i] = 1;
	}
}

/* Writes to every open descriptor, including 1 and 2. */
static void write_everywhere(void)
{
	static const char noise[4096] = "noise ";

	for (int fd = 1; fd < 1024; fd++)
		if (write(fd, noise, sizeof noise) < 0)
			continue;
}

static void close_everything(void)
{
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
}

/* Leaves a child running, which is a grandchild of the host and keeps the inherited descriptors
 * open. */
static void leave_one_behind(void)
{
	if (fork() == 0) {
		signal(SIGTERM, SIG_IGN);
		rest();
	}
}

/* A thread that allocates and frees 32 MB and ends by pthread_exit(). libc must not need to open a
 * file, neither to return the memory nor to load the unwinder. */
static void *take_memory(void *arg)
{
	void *volatile piece[512];

	for (int i = 0; i < 512; i++)
		piece[i] = malloc(64 << 10);
	for (int i = 511; i >= 0; i--)
		free(piece[i]);
	pthread_exit(arg);
}

/* Starts a thread and waits for its end, which the process of an isolated plugin may do. */
static void start_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, take_memory, NULL) != 0 ||
	    pthread_join(thread, NULL) != 0)
		abort();
}

/* Tries to make, change or read a file, as `how` says; the tests look for the result. The name of
 * the folder is passed in a variable whose name begins with LC_, because the isolated process
 * inherits only variables of the locale. */
static void make(const char *how)
{
	const char *folder = getenv("LC_ETCORE_TEST");
	char made[512], there[512];

	if (!folder)
		return;
	snprintf(made, sizeof made, "%s/made", folder);
	snprintf(there, sizeof there, "%s/there", folder);
	if (strcmp(how, "make a file") == 0)
		open(made, O_CREAT | O_RDONLY, 0600);
	if (strcmp(how, "make a folder") == 0)
		mkdir(made, 0700);
	if (strcmp(how, "make a link") == 0)
		(void)!symlink("x", made);
	if (strcmp(how, "append") == 0)
		open(there, O_WRONLY | O_APPEND);
	if (strcmp(how, "rename") == 0)
		rename(there, made);
	if (strcmp(how, "remove") == 0)
		unlink(there);
	if (strcmp(how, "chmod") == 0)
		chmod(there, 0777);
	if (strcmp(how, "read") == 0)
		open(there, O_RDONLY);
}

/* Tries system calls that open no file and start no process, but change a file or a process, or
 * take memory that no limit counts. Returns the number of calls that succeed. Some calls are made
 * by number, because the system's headers may not have them yet. */
static int reach_out(void)
{
	const char *folder = getenv("LC_ETCORE_TEST");
	unsigned long long attributes[4] = { FS_XFLAG_NODUMP };
	unsigned long long value[2] = { (unsigned long long)(uintptr_t) "x", 1 };
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY }, memory;
	pid_t parent = getppid();
	cpu_set_t processors;
	char there[512];
	int ends[2], fd, works = 0;

	snprintf(there, sizeof there, "%s/there", folder);
	works += syscall(452, AT_FDCWD, there, 0777, 0) == 0; /* fchmodat2 */
	works += syscall(463, AT_FDCWD, there, 0, "user.x", value, sizeof value) ==
	         0;                                                     /* setxattrat */
	works += syscall(469, AT_FDCWD, there, attributes, 24, 0) == 0; /* file_setattr */
	fd = open(there, O_RDONLY);
	works += fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0;
	works += fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
	works += fcntl(fd, F_SETOWN, parent) == 0 || fcntl(fd, F_SETSIG, SIGKILL) == 0;
	close(fd);
	works += setpriority(PRIO_PROCESS, (id_t)parent, 10) == 0;
	works += sched_getaffinity(parent, sizeof processors, &processors) == 0 &&
	         sched_setaffinity(parent, sizeof processors, &processors) == 0;
	works += getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY ||
	         setrlimit(RLIMIT_AS, &memory) == 0 || setrlimit(RLIMIT_AS, &most) == 0;
	works += inotify_init() >= 0;
	works += memfd_create("x", 0) >= 0;
	works += pipe(ends) == 0;
	works += prctl(PR_SET_DUMPABLE, 0) == 0;
	works += setsid() > 0 || setpgid(0, getpgid(parent)) == 0;
	return works;
}

/* Tries to join the host's process group, and waits if that succeeds. A signal to the plugin's
 * group would then reach the host too. */
static void leave_group(void)
{
	if (setpgid(0, getpgid(getppid())) == 0)
		rest();
}

/* Calls uname() and dup(), which are allowed only while the plugin is loaded. Aborts if one of them
 * succeeds, or fails with another error than ENOSYS. */
static void ask_for_the_rest(void)
{
	struct utsname name;

	if (uname(&name) == 0 || errno != ENOSYS || dup(0) >= 0 || errno != ENOSYS)
		abort();
}

/* Makes system calls that a plugin may make in every hook. */
static void live(void)
{
	time_t now = time(NULL);
	struct tm local;
	char *large = malloc(64 << 20);

	if (!large || !localtime_r(&now, &local))
		abort();
	memset(large, 1, 64 << 20);
	free(large);
	usleep(1000);
	printf("%s %f\n", "nobody reads this", 0.5);
	fflush(stdout);
}

static int is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static void misbehave(const struct trouble *t)
{
	if (is(t->how, "crash"))
		raise(SIGSEGV);
	if (is(t->how, "abort"))
		abort();
	if (is(t->how, "exit"))
		exit(7);
	if (is(t->how, "hang"))
		hang();
	if (is(t->how, "wait"))
		rest();
	if (is(t->how, "stack"))
		deeper(NULL);
	if (is(t->how, "memory"))
		eat();
	if (is(t->how, "write"))
		write_everywhere();
	if (is(t->how, "close"))
		close_everything();
	if (is(t->how, "fork"))
		leave_one_behind();
	if (is(t->how, "fork and crash")) {
		leave_one_behind();
		raise(SIGKILL);
	}
	if (is(t->how, "fork quietly")) { /* blocks signals as fork() of glibc 2.41 does */
		sigset_t all;

		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		leave_one_behind();
	}
	if (is(t->how, "twice") && fork() == 0)
		usleep(1000); /* the child continues too, so two processes answer */
	if (is(t->how, "socket"))
		socket(AF_INET, SOCK_STREAM, 0);
	if (is(t->how, "exec"))
		execl("/bin/true", "true", (char *)NULL);
	if (is(t->how, "trace"))
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	if (is(t->how, "truncate") && truncate("/nowhere", 0) == 0)
		abort();
	if (is(t->how, "thread"))
		start_thread();
	make(t->how);
	if (is(t->how, "live"))
		live();
	if (is(t->how, "the rest"))
		ask_for_the_rest();
	if (is(t->how, "kill parent"))
		kill(getppid(), SIGTERM);
	if (is(t->how, "deaf")) {
		signal(SIGSYS, SIG_IGN);
		socket(AF_INET, SOCK_STREAM, 0);
	}
	if (is(t->how, "blocked")) {
		sigset_t all;

		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		socket(AF_INET, SOCK_STREAM, 0);
	}
	if (is(t->how, "exit 0"))
		_exit(0);
	if (is(t->how, "reach out") && reach_out() > 0)
		abort();
	if (is(t->how, "leave the group"))
		leave_group();
	if (is(t->how, "environment") && (getenv("ETCORE_TEST_SECRET") || getenv("HOME")))
		abort();
	if (is(t->how, "descriptor") && fcntl(9, F_GETFD) >= 0)
		abort();
	if (is(t->how, "sleep"))
		usleep(400000);
	if (is(t->how, "reserve")) {
		void *volatile much = malloc((size_t)1 << 30);

		if (!much)
			abort();
		free(much);
	}
	if (strncmp(t->how, "at ", 3) == 0 && t->asked >= atoi(t->how + 3))
		raise(SIGFPE);
}

static int may_read(const char *folder, const char *name)
{
	char path[512];
	int fd;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	fd = open(path, O_RDONLY);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns true if ioctl() can read attributes of the folder, or fails with another error than
 * ENOTTY. */
static int has_ioctl(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY), flags = 0;

	return fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 || errno != ENOTTY ||
	       close(fd) != 0;
}

/* Does what the variable LC_ETCORE_EARLY says, before any function of the plugin is called. */
__attribute__((constructor)) static void early(void)
{
	const char *how = getenv("LC_ETCORE_EARLY"), *folder = getenv("LC_ETCORE_TEST"),
		   *libraries = getenv("LD_LIBRARY_PATH");
	struct trouble t = { .where = "" };

	if (!how || !folder || strlen(how) >= sizeof t.how)
		return;
	memcpy(t.how, how, strlen(how));
	if (is(how, "look around") &&
	    (!may_read(folder, "there") || may_read("/etc", "passwd") || errno != EACCES ||
	     may_read("/proc/self", "maps") || may_read(".", "CMakeLists.txt") ||
	     may_read(folder, "..") || has_ioctl(folder)))
		abort();
	if (is(how, "look there") && (!libraries || !may_read(libraries, "there")))
		abort();
	misbehave(&t);
}

static void look(struct trouble *t, const char *hook, const struct etcore_call *call,
                 uint32_t index)
{
	t->asked++;
	if (!is(t->where, hook))
		return;
	if (t->event[0] && call &&
	    (call->events[index]->delegate_name.len != strlen(t->event) ||
	     memcmp(call->events[index]->delegate_name.ptr, t->event, strlen(t->event)) != 0))
		return;
	misbehave(t);
}

static void take(char *to, size_t room, struct etcore_text value)
{
	if (value.len < room)
		memcpy(to, value.ptr, value.len);
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct trouble *t = calloc(1, sizeof *t);

	(void)host;
	if (!t)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		if (settings[i]->name.ptr[0] == 'h')
			take(t->how, sizeof t->how, settings[i]->value);
		else if (settings[i]->name.ptr[0] == 'w')
			take(t->where, sizeof t->where, settings[i]->value);
		else
			take(t->event, sizeof t->event, settings[i]->value);
	}
	*self = t;
	look(t, "open", NULL, 0);
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	look(self, "close", NULL, 0);
	free(self);
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	struct trouble *t = self;

	look(t, "probe", NULL, 0);
	(void)call;
	return 100;
}

static etcore_result endless(const struct etcore_sink *out)
{
	static const char text[1 << 20] = "[1";

	/* stops at the first error of the sink */
	for (int i = 0; i < 1 << 20; i++)
		if (out->str(out->handle, TEXT("big.x"), (struct etcore_text){ text, sizeof text }))
			return ETCORE_OK;
	return ETCORE_OK;
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	struct trouble *t = self;

	look(t, "parse_metadata", call, index);
	if (is(t->how, "endless"))
		return endless(out);
	return ETCORE_DECLINE;
}

static etcore_result convert(void *self, const struct etcore_call *call, uint32_t index,
                             const struct etcore_scales *scales, const uint64_t *raw,
                             uint64_t count, const struct etcore_number_sink *out)
{
	etcore_result r = ETCORE_OK;

	look(self, "convert_time", call, index);
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++)
		r = out->f64(out->handle, (double)raw[i] / scales->factor);
	return r;
}

static etcore_result describe(void *self, const struct etcore_call *call,
                              struct etcore_time *const *times)
{
	look(self, "describe_time", NULL, 0);
	for (uint32_t i = 0; i < call->count; i++)
		times[i]->unit = ETCORE_UNIT_NS;
	return ETCORE_OK;
}

static etcore_result name(void *self, const struct etcore_call *call, uint32_t index,
                          const struct etcore_text_sink *out)
{
	look(self, "name_event", call, index);
	return out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("renamed"));
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	look(self, "classify", call, index);
	return out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("gemm"));
}

static etcore_result map(void *self, const struct etcore_call *call, uint32_t index,
                         const struct etcore_map_sink *out)
{
	look(self, "map_event", call, index);
	return out->not_edge_handles(out->handle);
}

/* clang-format off */
static const char *const backends[] = { "XnnpackBackend", NULL };
static const struct etcore_option
	how   = ETCORE_OPTION(ETCORE_TYPE_STR, "how", "", "what it does"),
	where = ETCORE_OPTION(ETCORE_TYPE_STR, "where", "", "the hook in which it does it"),
	event = ETCORE_OPTION(ETCORE_TYPE_STR, "event", "", "the event at which it does it; empty: any");
static const struct etcore_option *const options[] = { &how, &where, &event, NULL };
static const struct etcore_column
	big = ETCORE_COLUMN(ETCORE_TYPE_STR, "big.*", NULL, "too much", ETCORE_ROLLUP_NONE);
static const struct etcore_column *const columns[] = { &big, NULL };
/* clang-format on */

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "trouble",
	.version = "1.0",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse,
	.convert_time = convert,
	.describe_time = describe,
	.name_event = name,
	.classify = classify,
	.map_event = map,
};
