/* crash.c -- see guard.h.
 *
 * In the etcore program, a SIGBUS in a mapped file is reported as a truncated or unreadable file
 * (E0907), not as a crash of the code that read it.
 *
 * The state is global, because no argument can be passed to a signal handler. The handlers call
 * only async-signal-safe functions. */
#define _GNU_SOURCE /* for stack_t, SA_ONSTACK, REG_RIP and REG_RSP */
#include "host/guard.h"

#include "host/sink.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/opened.h"
#include "base/progress.h"
#include "base/temporary.h"
#include "model/limits.h"

enum { STACK_BYTES = 64 << 10, SCAN_MOST = 64 << 20, NAME_ROOM = 64, PATH_ROOM = 512 };

/* clang-format off */
static const struct { int number; const char *name; } signals[] = {
	{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
	{ SIGILL, "SIGILL" },   { SIGABRT, "SIGABRT" },
};
/* clang-format on */
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static struct {
	const struct etc_hook_place *volatile place; /* the hook that is running; NULL: none is */
	bool owned, installed, json, exit_watched;
	struct sigaction before[SIGNALS];
	stack_t stack_before;
	_Alignas(64) unsigned char stack[STACK_BYTES];
	bool ending;
	uint32_t library_count;
	struct library {
		char plugin[NAME_ROOM], path[PATH_ROOM];
		uintptr_t from, to;
	} libraries[ETC_LIMIT_PLUGINS];
} crash;

/* Appends `s` to a buffer of ETC_PLACE_MAX bytes. Bytes other than printable ASCII become '?'. */
static size_t put(char *to, size_t at, struct etc_str s)
{
	for (size_t i = 0; i < s.len && at < ETC_PLACE_MAX - 1; i++) {
		unsigned char c = (unsigned char)s.ptr[i];

		to[at++] = c < 0x20 || c >= 0x7f ? '?' : (char)c;
	}
	to[at] = '\0';
	return at;
}

static size_t put_number(char *to, size_t at, int64_t v)
{
	char digits[24];
	size_t i = sizeof digits;
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;

	do
		digits[--i] = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		digits[--i] = '-';
	return put(to, at, (struct etc_str){ digits + i, sizeof digits - i });
}

size_t etc_hook_place_text(const struct etc_hook_place *p, char to[ETC_PLACE_MAX])
{
	const struct etcore_event *e = p->event;
	size_t at = 0;

	to[0] = '\0';
	if (p->call && p->call->backend.len) {
		at = put(to, at, ETC_STR(" of "));
		at = put(to, at, etc_str_sub(etc_plugin_text(p->call->backend), 0, 60));
	}
	if (!e)
		return at;
	at = put(to, at, ETC_STR(", event "));
	if (e->delegate_name.len || e->name.len) {
		at = put(to, at, ETC_STR("'"));
		at = put(to, at,
		         etc_str_sub(
				 etc_plugin_text(e->delegate_name.len ? e->delegate_name : e->name),
				 0, 160));
		at = put(to, at, ETC_STR("'"));
	} else {
		at = put(to, at, ETC_STR("with delegate id "));
		at = put_number(to, at, e->delegate_id);
	}
	if (e->instruction_id >= 0) {
		at = put(to, at, ETC_STR(" of instruction "));
		at = put_number(to, at, e->instruction_id);
	}
	return at;
}

static void say(struct etc_str s)
{
	while (s.len) {
		ssize_t n = write(STDERR_FILENO, s.ptr, s.len);

		if (n <= 0)
			return;
		s = etc_str_sub(s, (size_t)n, s.len);
	}
}

/* Writes a part of the message. Control characters and bytes outside of ASCII become '?'; with
 * JSON, '"' becomes '\'' and '\' becomes '/'. */
static void say_part(struct etc_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		bool special = crash.json && (c == '"' || c == '\\');

		if (!special && (unsigned char)c < 0x7f && (unsigned char)c >= 0x20)
			continue;
		say(etc_str_sub(s, 0, i));
		say(!special ? ETC_STR("?") : c == '"' ? ETC_STR("'") : ETC_STR("/"));
		s = etc_str_sub(s, i + 1, s.len);
		i = SIZE_MAX; /* the loop continues with the first byte of the shortened `s` */
	}
	say(s);
}

/* Writes the start of a diagnostic, up to the message; say_tail() writes what follows the
 * message. */
static void say_head(const struct etc_code_info *code, struct etc_str file)
{
	etc_progress_clear();
	if (crash.json) {
		say(ETC_STR("{\"code\":\""));
		say(etc_str_of(code->name));
		say(ETC_STR("\",\"severity\":\"error\",\"file\":"));
		say(file.len ? ETC_STR("\"") : ETC_STR("null"));
		say_part(file);
		say(file.len ? ETC_STR("\"") : ETC_STR(""));
		say(ETC_STR(",\"offset\":null,\"line\":null,\"message\":\""));
	} else {
		say(ETC_STR("etcore: error["));
		say(etc_str_of(code->name));
		say(ETC_STR("]: "));
		say_part(file);
		say(file.len ? ETC_STR(": ") : ETC_STR(""));
	}
	say(etc_str_of(code->title));
	say(ETC_STR(": "));
}

static void say_tail(const struct etc_code_info *code)
{
	say(crash.json ? ETC_STR("\",\"hint\":\"") : ETC_STR("\n  hint: "));
	say_part(etc_str_of(code->hint));
	say(crash.json ? ETC_STR("\"}") : ETC_STR("\n  see:  etcore explain "));
	say(crash.json ? ETC_STR("") : etc_str_of(code->name));
	say(ETC_STR("\n"));
}

/* Reports a crash of the hook that `p` describes, and ends the process. `how` says what happened,
 * such as "crashed with SIGSEGV". */
static void end(const struct etc_hook_place *p, const char *how)
{
	const struct etc_code_info *code = etc_code_info(E0609);
	char text[ETC_PLACE_MAX];
	size_t at = put(text, 0, ETC_STR("plugin '"));

	at = put(text, at, etc_str_sub(p->plugin, 0, 60));
	at = put(text, at, ETC_STR("' in "));
	at = put(text, at, etc_str_of(p->hook));
	say_head(code, ETC_STR(""));
	say_part((struct etc_str){ text, at });
	say_part((struct etc_str){ text, etc_hook_place_text(p, text) });
	say(ETC_STR(": "));
	say(etc_str_of(how));
	say(ETC_STR(" ("));
	say_part(p->path);
	say(ETC_STR(")"));
	say_tail(code);
	etc_temporaries_unlink();
	_exit(ETC_PLUGIN);
}

static const struct library *library_at(uintptr_t address)
{
	for (uint32_t i = 0; i < crash.library_count; i++)
		if (address >= crash.libraries[i].from && address < crash.libraries[i].to)
			return &crash.libraries[i];
	return NULL;
}

/* Returns the remembered library (etc_crash_remember()) whose code contains the instruction that
 * crashed. If this instruction is in no remembered library (for example, in the C library),
 * searches the stack for return addresses, and returns the library that contains the innermost one.
 * NULL: there is none, or the stack is not searched. */
__attribute__((no_sanitize_address)) static const struct library *
library_on_stack(const ucontext_t *c)
{
	/* the address of the executable's path, which the system stores near the upper end of the
	 * main thread's stack */
	const uintptr_t top = getauxval(AT_EXECFN);
	const struct library *found;
#if defined(__x86_64__)
	uintptr_t at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
	uintptr_t stack = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	uintptr_t at = (uintptr_t)c->uc_mcontext.pc, stack = (uintptr_t)c->uc_mcontext.sp;
#else
	uintptr_t at = 0, stack = UINTPTR_MAX;

	(void)c;
#endif
	found = library_at(at);
	stack &= ~(uintptr_t)(sizeof at - 1);
	/* the stack is not searched if it is that of another thread, or if more than SCAN_MOST
	 * bytes of it are in use */
	if (stack > top || top - stack > SCAN_MOST)
		return found;
	for (; !found && top - stack >= sizeof at; stack += sizeof at)
		found = library_at(*(const uintptr_t *)stack);
	return found;
}

/* Called for a crash while the program ends. If the code of a remembered plugin is on the stack,
 * reports that the plugin crashed, and ends the program; otherwise returns. */
static void look_for_library(const void *context, const char *how)
{
	const struct library *found;
	struct etc_hook_place place = { .hook = "its destructors or exit handlers" };

	crash.ending = false;
	found = library_on_stack(context);
	if (!found)
		return;
	place.plugin = etc_str_of(found->plugin);
	place.path = etc_str_of(found->path);
	end(&place, how);
}

void etc_crash_no_memory(void)
{
	if (crash.place)
		return;
	say_head(etc_code_info(E0904), ETC_STR(""));
	say(ETC_STR("a library gave up"));
	say_tail(etc_code_info(E0904));
	etc_temporaries_unlink();
	_exit(ETC_NOMEM);
}

/* If `address` is in a mapped file, reports E0907 and ends the program: the file was truncated, or
 * its disk cannot be read, so the code that read at `address` is not at fault. If `address` is in
 * no mapped file, returns. */
static void look_for_cut(const void *address)
{
	const struct etc_code_info *code = etc_code_info(E0907);
	size_t offset;
	const char *path = etc_mapped_at(address, &offset);
	char text[ETC_PLACE_MAX];

	if (!path)
		return;
	say_head(code, etc_str_of(path));
	put_number(text, put(text, 0, ETC_STR("it has no byte ")), (int64_t)offset);
	say(etc_str_of(text));
	say(ETC_STR(" any more (SIGBUS)"));
	say_tail(code);
	etc_temporaries_unlink();
	_exit(ETC_IO);
}

/* Handles SIGBUS while no handlers for hooks are installed. If the address is in a mapped file,
 * reports the file; otherwise removes unfinished outputs and ends the process by the signal. */
static void handle_bus(int number, siginfo_t *info, void *context)
{
	(void)context;
	look_for_cut(info->si_addr);
	etc_temporaries_unlink();
	signal(number, SIG_DFL);
	raise(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
	const struct etc_hook_place *p = crash.place;
	int which = 0;

	if (number == SIGBUS)
		look_for_cut(info->si_addr);

	while (which < SIGNALS - 1 && signals[which].number != number)
		which++;
	if (p)
		end(p, signals[which].name);
	if (crash.ending)
		look_for_library(context, signals[which].name);
	if (crash.before[which].sa_handler == SIG_DFL)
		etc_temporaries_unlink();
	sigaction(number, &crash.before[which], NULL);
	raise(number);
}

/* If a plugin calls exit in a hook, the command ends without a result, so this is reported like a
 * crash. */
static void at_exit(void)
{
	if (crash.place)
		end(crash.place, "it ended the program");
}

void etc_crash_install(void)
{
	stack_t stack = { .ss_sp = crash.stack, .ss_size = STACK_BYTES };
	struct sigaction act = { .sa_sigaction = handle,
		                 .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO };

	if (!crash.owned)
		return;
	crash.ending = false;
	if (crash.installed)
		return;
	crash.installed = true;
	if (!crash.exit_watched)
		crash.exit_watched = atexit(at_exit) == 0;
	sigemptyset(&act.sa_mask);
	sigaltstack(&stack, &crash.stack_before);
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i].number, &act, &crash.before[i]);
}

void etc_crash_uninstall(void)
{
	if (!crash.installed)
		return;
	crash.installed = false;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i].number, &crash.before[i], NULL);
	if (crash.stack_before.ss_flags & SS_DISABLE)
		/* some kernels reject a size that is too small, even with SS_DISABLE */
		crash.stack_before.ss_size = STACK_BYTES;
	sigaltstack(&crash.stack_before, NULL);
}

static void cut_to(char *to, size_t room, struct etc_str s)
{
	s = etc_str_sub(s, 0, room - 1);
	memcpy(to, s.ptr, s.len);
	to[s.len] = '\0';
}

void etc_crash_remember(struct etc_str plugin, struct etc_str path, uintptr_t from, uintptr_t to)
{
	struct library *l = &crash.libraries[crash.library_count];

	if (!crash.owned || library_at(from) || crash.library_count == ETC_LIMIT_PLUGINS)
		return;
	cut_to(l->plugin, sizeof l->plugin, plugin);
	cut_to(l->path, sizeof l->path, path);
	l->from = from;
	l->to = to;
	crash.library_count++;
}

void etc_crash_until_end(void)
{
	if (!crash.owned)
		return;
	crash.ending = crash.installed && crash.library_count > 0;
	if (!crash.ending)
		etc_crash_uninstall();
}

void etc_crash_own(void)
{
	struct sigaction act = { .sa_sigaction = handle_bus, .sa_flags = SA_NODEFER | SA_SIGINFO };

	crash.owned = true;
	etc_guard_own();
	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, NULL);
	etc_temporaries_own();
	etc_file_map_always();
}

bool etc_crash_owned(void)
{
	return crash.owned;
}

/* Has an effect only after etc_crash_own(), which the etcore program calls. Without that call, as
 * in libetcore, crashes are not reported at all. */
void etc_crash_as_json(bool json)
{
	if (crash.owned)
		crash.json = json;
}

void etc_crash_enter(const struct etc_hook_place *place)
{
	if (crash.owned)
		crash.place = place;
}

void etc_crash_leave(void)
{
	if (crash.owned)
		crash.place = NULL;
}
