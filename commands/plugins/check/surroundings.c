/* surroundings.c -- checks that a plugin does not change the process of the host: its standard
 * streams, locale, environment variables, signals, descriptors and memory. */
#define _GNU_SOURCE /* mallinfo2 */
#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/sandbox.h"
#include "commands/plugins/check/taps.h"
#include "host/guard.h"

extern char **environ;

/* Only calls the hooks. The process that watches the check tests what the hooks write to the
 * standard streams. */
void etc_check_quiet(struct etc_checking *c)
{
	etc_drive_over(&(struct etc_drive){ .c = c }, c, ETC_CASES_SMALL);
}

/* ---- environment ------------------------------------------------------------------- */

enum { SIGNALS = 32, TIMERS = 3, LIMITS = 4 };

struct etc_surroundings {
	uint64_t variables; /* hash of all environment variables */
	char folder[1024], locale[512];
	locale_t thread_locale;
	mode_t mask;
	/* the floating-point state (denormals, rounding mode, traps) as one number; see
	 * arithmetic() */
	uint64_t arithmetic;
	unsigned descriptors, threads;
	int priority;
	bool timers[TIMERS];
	struct rlimit limits[LIMITS];
	sigset_t blocked;
	void (*handlers[SIGNALS])(int);
};

static unsigned entries(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Returns a number that depends on the floating-point state of the process: whether denormal
 * numbers become 0 (an effect of -ffast-math), the rounding mode, and the traps. */
static uint64_t arithmetic(void)
{
	volatile double least = 2.2250738585072014e-308, third = 1.0;
	uint64_t traps = 0;

#ifdef __GLIBC__
	traps = (uint64_t)fegetexcept();
#endif
	return (uint64_t)(least / 2 != 0) | (uint64_t)((third += 0x1p-60) > 1) << 1 |
	       (uint64_t)fegetround() << 8 | traps << 32;
}

/* Hash of the environment variables, except the one that LLVM's coverage runtime sets at its
 * start. */
static uint64_t hash_variables(void)
{
	uint64_t h = 14695981039346656037u;

	for (char **v = environ; v && *v; v++) {
		if (strncmp(*v, "__LLVM_PROFILE_", 15) == 0)
			continue;
		for (const char *p = *v;; p++) {
			h = (h ^ (unsigned char)*p) * 1099511628211u;
			if (!*p)
				break;
		}
	}
	return h;
}

static void take_state(struct etc_surroundings *s)
{
	struct itimerval timers[TIMERS] = { 0 };
	const char *locale = setlocale(LC_ALL, NULL);

	*s = (struct etc_surroundings){ .variables = hash_variables(),
		                        .arithmetic = arithmetic(),
		                        .thread_locale = uselocale((locale_t)0),
		                        .priority = getpriority(PRIO_PROCESS, 0) };
	if (!getcwd(s->folder, sizeof s->folder))
		s->folder[0] = '\0';
	snprintf(s->locale, sizeof s->locale, "%s", locale ? locale : "");
	s->mask = umask(0);
	umask(s->mask);
	s->descriptors = entries("/proc/self/fd");
	s->threads = entries("/proc/self/task");
	sigemptyset(&s->blocked);
	sigprocmask(SIG_SETMASK, NULL, &s->blocked);
	getitimer(ITIMER_REAL, &timers[0]);
	getitimer(ITIMER_VIRTUAL, &timers[1]);
	getitimer(ITIMER_PROF, &timers[2]);
	for (int i = 0; i < TIMERS; i++)
		s->timers[i] = timers[i].it_value.tv_sec || timers[i].it_value.tv_usec;
	getrlimit(RLIMIT_AS, &s->limits[0]);
	getrlimit(RLIMIT_CORE, &s->limits[1]);
	getrlimit(RLIMIT_NOFILE, &s->limits[2]);
	getrlimit(RLIMIT_STACK, &s->limits[3]);
	for (int i = 1; i < SIGNALS; i++) {
		struct sigaction act;

		if (sigaction(i, NULL, &act) == 0)
			s->handlers[i] = act.sa_handler;
	}
}

struct etc_surroundings *etc_surroundings_now(struct etc_arena *arena)
{
	struct etc_surroundings *s = etc_new(arena, struct etc_surroundings, 1);

	if (s)
		take_state(s);
	return s;
}

static void compare_signals(struct etc_checking *c, const struct etc_surroundings *before,
                            const struct etc_surroundings *after)
{
	for (int i = 1; i < SIGNALS; i++) {
		if (after->handlers[i] != before->handlers[i])
			etc_check_failed(c, "the handler of %s (%d) changed", etc_signal_name(i),
			                 i);
		if (sigismember(&after->blocked, i) != sigismember(&before->blocked, i))
			etc_check_failed(c, "whether %s (%d) is blocked changed",
			                 etc_signal_name(i), i);
	}
	for (int i = 0; i < TIMERS; i++)
		if (after->timers[i] != before->timers[i])
			etc_check_failed(c, "a timer of the process was set");
}

static void compare_state(struct etc_checking *c, const struct etc_surroundings *before,
                          const struct etc_surroundings *after)
{
	if (after->variables != before->variables)
		etc_check_failed(c, "the environment's variables changed");
	if (strcmp(after->folder, before->folder) != 0)
		etc_check_failed(c, "the current folder changed to %s", after->folder);
	if (strcmp(after->locale, before->locale) != 0)
		etc_check_failed(c, "the locale changed to %s", after->locale);
	if (after->thread_locale != before->thread_locale)
		etc_check_failed(c, "the locale of the thread changed");
	if (after->mask != before->mask)
		etc_check_failed(c, "the umask changed to %03o", (unsigned)after->mask);
	if (after->arithmetic != before->arithmetic)
		etc_check_failed(c, "the arithmetic of floating-point numbers changed (rounding, "
		                    "underflow or traps; -ffast-math does it)");
	if (after->descriptors != before->descriptors)
		etc_check_failed(c, "%d more descriptors are open than before",
		                 (int)(after->descriptors - before->descriptors));
	if (after->threads != before->threads)
		etc_check_failed(c, "%d more threads run than before",
		                 (int)(after->threads - before->threads));
	if (after->priority != before->priority)
		etc_check_failed(c, "the priority of the process changed to %d", after->priority);
	if (memcmp(after->limits, before->limits, sizeof after->limits) != 0)
		etc_check_failed(c, "the limits of the process changed");
	compare_signals(c, before, after);
}

/* Compares the state before the library was loaded with the state after the last hook. */
void etc_check_environment(struct etc_checking *c)
{
	struct etc_surroundings *after;

	etc_drive_over(&(struct etc_drive){ .c = c }, c, ETC_CASES_SMALL);
	after = etc_surroundings_now(c->arena);
	if (!c->before || !after)
		etc_check_failed(c, "out of memory");
	else
		compare_state(c, c->before, after);
}

/* ---- isolation ----------------------------------------------------------------------- */

/* Gives up, until this process ends, the same rights that the process of an isolated plugin gives
 * up. Then runs the hooks. */
void etc_check_isolation(struct etc_checking *c)
{
	bool counts = etc_check_counts(c);
	unsigned missing = counts ? 0 : etc_sandbox_load(c->path);

	if (counts)
		etc_check_skip(c, "built to measure coverage, which is written to a file");
	else if (etc_process_sanitized())
		etc_check_skip(c, "sanitizers need more than an isolated plugin has");
	else if (missing & ETC_SANDBOX_NO_FILTER)
		etc_check_skip(c, "this system cannot hold a process to what it may ask for");
	else if (!etc_sandbox_run(missing))
		etc_check_failed(c, "it has threads of its own, which cannot be held");
	else
		etc_drive_over(&(struct etc_drive){ .c = c }, c, ETC_CASES_SMALL);
}

/* ---- locale -------------------------------------------------------------------------- */

static bool comma_locale(void)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
		                             "fr_FR.utf8",  "es_ES.UTF-8", "it_IT.UTF-8",
		                             "pt_BR.UTF-8", "ru_RU.UTF-8", "de_DE",
		                             "fr_FR" };
	const struct lconv *l;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!setlocale(LC_ALL, names[i]))
			continue;
		l = localeconv();
		if (l->decimal_point && strcmp(l->decimal_point, ",") == 0)
			return true;
	}
	setlocale(LC_ALL, "C");
	return false;
}

void etc_check_locale(struct etc_checking *c)
{
	struct etc_drive point = { .c = c }, comma = { .c = c };

	if (etc_drive_open(&point, c))
		etc_drive_cases(&point, ETC_CASES_SMALL);
	if (!comma_locale()) {
		etc_check_skip(c, "this machine has no locale whose decimal point is a comma");
	} else if (etc_drive_open(&comma, c)) {
		etc_drive_cases(&comma, ETC_CASES_SMALL);
		if (!etc_str_eq(etc_text_str(&point.record), etc_text_str(&comma.record)))
			etc_check_failed(c, "its answers differ in locale %s",
			                 setlocale(LC_NUMERIC, NULL));
	}
	setlocale(LC_ALL, "C");
	etc_drive_close(&point);
	etc_drive_close(&comma);
}

/* ---- growth ---------------------------------------------------------------------------- */

/* Bytes in use: on the heap (0 if the C library does not report it), and of the whole process. */
struct memory {
	uint64_t heap, resident;
};

static struct memory memory_now(void)
{
	struct memory m = { 0, 0 };
	unsigned long long total, resident;
	FILE *f = fopen("/proc/self/statm", "r");

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
	struct mallinfo2 info = mallinfo2();

	m.heap = info.uordblks + info.hblkhd;
#endif
	if (!f)
		return m;
	if (fscanf(f, "%llu %llu", &total, &resident) == 2)
		m.resident = resident * (uint64_t)sysconf(_SC_PAGESIZE);
	fclose(f);
	return m;
}

/* Checks memory after `rounds` rounds: at most 4 bytes per round may be left on the heap, and
 * resident memory may grow by at most 1 MiB in total. Under a sanitizer, only adds a note, because
 * the sanitizer has its own leak check. */
static void judge_growth(struct etc_checking *c, const char *what, unsigned rounds,
                         struct memory before)
{
	const uint64_t slack = 1 << 20;
	struct memory after = memory_now();

	if (etc_process_sanitized())
		etc_check_note(c, "under a sanitizer only its leak check counts");
	else if (after.heap > before.heap + rounds * 4ull)
		etc_check_failed(c, "%u times %s left %llu bytes more in use", rounds, what,
		                 (unsigned long long)(after.heap - before.heap));
	else if (after.resident > before.resident + slack)
		etc_check_failed(c, "%u times %s took %llu KiB more memory", rounds, what,
		                 (unsigned long long)((after.resident - before.resident) >> 10));
}

struct rounds {
	struct etc_drive *d;
	unsigned count;
	bool refused;
};

static void open_and_close(void *arg)
{
	struct rounds *r = arg;
	const struct etc_checking *c = r->d->c;

	for (unsigned i = 0; i < r->count; i++) {
		void *self = NULL;

		if (c->abi->open(r->d->taps->host, c->plugin->settings, c->plugin->setting_count,
		                 &self) != ETCORE_OK) {
			r->refused = true;
			return;
		}
		c->abi->close(self);
	}
}

void etc_check_growth(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };
	struct rounds r = { .d = &d, .count = 1000 };
	struct memory before;
	char what[160];
	bool ok;

	if (!c->abi->open) {
		etc_check_skip(c, "it has no open");
		return;
	}
	if (!etc_drive_open(&d, c)) {
		etc_drive_close(&d);
		return;
	}
	ok = etc_guard(open_and_close, &r, what, sizeof what);
	before = memory_now();
	r.count = etc_process_sanitized() ? 10000 : 100000;
	snprintf(c->board->doing, sizeof c->board->doing, "open and close, %u times", r.count);
	ok = ok && etc_guard(open_and_close, &r, what, sizeof what);
	if (!ok)
		etc_check_failed(c, "a C++ exception left open() or close(): %s", what);
	else if (r.refused)
		etc_check_failed(c, "open() failed after it had succeeded before");
	else
		judge_growth(c, "open and close", r.count, before);
	etc_drive_close(&d);
}

static void ask_often(struct etc_drive *d, const struct etc_case *one, unsigned times)
{
	while (times-- > 0) {
		etc_drive_case(d, one);
		d->record.len = 0;
	}
}

/* Runs one case with sinks that accept everything, and then with sinks that refuse from their
 * first, second and third call on. This also finds memory that a hook does not free after a
 * refusal. */
static void ask_every_way(struct etc_drive *d, const struct etc_case *one)
{
	enum { REFUSALS = 3 };

	for (uint32_t n = 0; n <= REFUSALS; n++) {
		d->refuse_at = n;
		ask_often(d, one, 2);
	}
}

/* Runs the case in several rounds. The check fails if the allocated memory grows in every round. (A
 * cache that is filled once does not grow in every round.) */
static void judge_case(struct etc_drive *d, const struct etc_case *one)
{
	enum { ROUNDS = 4 };
	uint64_t before, first;

	ask_every_way(d, one);
	first = before = memory_now().heap;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t now;

		ask_every_way(d, one);
		now = memory_now().heap;
		if (now <= before)
			return;
		before = now;
	}
	etc_check_failed(d->c, "%d rounds of every hook given %s left %llu bytes more in use",
	                 ROUNDS, one->what, (unsigned long long)(before - first));
}

static void judge_every_case(struct etc_checking *c)
{
	struct etc_cases all = { .c = c, .sets = ETC_CASES_SMALL };
	struct etc_drive d = { .c = c, .quiet = true };
	const struct etc_case *one;

	if (etc_drive_open(&d, c))
		while ((one = etc_cases_next(&all)))
			judge_case(&d, one);
	etc_drive_close(&d);
}

void etc_check_hook_growth(struct etc_checking *c)
{
	const unsigned times = etc_process_sanitized() ? 200 : 2000;
	struct etc_cases all = { .c = c, .sets = ETC_CASES_ORDINARY };
	struct etc_drive d = { .c = c, .quiet = true };
	struct memory before;
	const struct etc_case *one;

	if (etc_drive_open(&d, c) && (one = etc_cases_next(&all))) {
		ask_often(&d, one, 100);
		before = memory_now();
		snprintf(c->board->doing, sizeof c->board->doing, "every hook, %u times", times);
		ask_often(&d, one, times);
		judge_growth(c, "every hook on an ordinary call", times, before);
	}
	etc_cases_end(&all);
	etc_drive_close(&d);
	if (!etc_process_sanitized() && !etc_check_has_failed(c))
		judge_every_case(c);
}
