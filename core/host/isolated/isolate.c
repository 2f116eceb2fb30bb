/* isolate.c -- see remote.h: starts the processes of isolated plugins and exchanges messages with
 * them. If a process does not answer, reports how it ended. */
#include "host/isolated/isolate.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "host/isolated/serve.h"

enum {
	/* time limit for one message, in seconds, if [limits] max_hook_seconds is not set */
	SECONDS = 5,
	/* Smallest time limit, in milliseconds, for the first message of a new process. It is long,
	 * because the start of the process takes time before the plugin's code runs. */
	START_MS = 10000,
	GRACE_MS = 1000,  /* time, in milliseconds, in which the process must exit after close() */
	SHARED = 64 << 10 /* smallest size of the buffer for answers, in bytes */
};

/* ---- one message ----------------------------------------------------------------- */

void etc_isolate_forget(struct etc_remote *x)
{
	for (size_t i = 0; i < x->kept_count; i++)
		free(x->kept[i]);
	x->kept_count = 0;
	x->count = x->cursor = 0;
}

/* ---- files that the process may map -------------------------------------------------- */

static void drop_fresh(struct etc_remote *x)
{
	while (x->fresh_count)
		close(x->fresh[--x->fresh_count]);
}

void etc_isolate_unshare(struct etc_remote *x)
{
	drop_fresh(x);
	x->shared_count = 0;
	x->shared_bytes = 0;
	x->crowded = false;
}

int etc_isolate_share(void *arg, const struct etc_file *file)
{
	struct etc_remote *x = arg;
	uint32_t n = x->shared_count;
	int fd;

	for (uint32_t i = 0; i < n; i++)
		if (x->shared[i].ptr == file->bytes.ptr &&
		    memcmp(&x->shared[i].mark, &file->mark, sizeof file->mark) == 0)
			return (int)i;
	if (file->bytes.len > x->shared_most)
		return -1;
	if (n == ETC_CHILD_FILES || file->bytes.len > x->shared_most - x->shared_bytes) {
		x->crowded = true;
		return -1;
	}
	fd = etc_file_again(file);
	if (fd < 0)
		return -1;
	x->shared[n] = (struct etc_shared){ file->bytes.ptr, file->mark };
	x->shared_bytes += file->bytes.len;
	x->fresh[x->fresh_count++] = fd;
	return (int)x->shared_count++;
}

/* ---- messages ------------------------------------------------------------------------ */

/* Waits until the time `until` for an answer, and reads it into x->message. The answer must be a
 * message of the kind `kind` (enum etc_frame_kind). */
static enum etc_outcome take(struct etc_remote *x, uint64_t kind, uint64_t until,
                             struct etc_unwire *out)
{
	enum etc_child_state state;
	struct etc_frame frame;

	state = etc_child_read(&x->child, &frame, sizeof frame, until);
	if (state != ETC_CHILD_FINE)
		return state == ETC_CHILD_LATE ? ETC_OUTCOME_LATE : ETC_OUTCOME_ENDED;
	if (frame.kind != kind || frame.len % sizeof *x->message)
		return ETC_OUTCOME_NONSENSE;
	if (frame.len > ETC_WIRE_ANSWERS)
		return ETC_OUTCOME_ENDLESS;
	if (frame.len > x->room || !x->message) {
		free(x->message);
		x->room = frame.len > SHARED ? (size_t)frame.len : SHARED;
		x->message = etc_malloc(x->room);
		if (!x->message)
			x->room = 0;
	}
	if (!x->message)
		return ETC_OUTCOME_NO_MEMORY;
	state = etc_child_read(&x->child, x->message, (size_t)frame.len, until);
	if (state != ETC_CHILD_FINE)
		return state == ETC_CHILD_LATE ? ETC_OUTCOME_LATE : ETC_OUTCOME_ENDED;
	*out = (struct etc_unwire){ (const uint8_t *)x->message, (size_t)frame.len, 0, false };
	return ETC_OUTCOME_FINE;
}

/* Stops the process after a message failed. The result has the exit status of the process, too,
 * since it may give the cause. */
struct etc_failure etc_isolate_failed(struct etc_remote *x, enum etc_outcome what,
                                      unsigned limit_ms)
{
	struct etc_failure f = { .what = what, .limit_ms = limit_ms };

	/* A process that closed its end of the socket is about to exit. Its exit status gives the
	 * reason, so wait for its end. */
	f.end = etc_child_stop(&x->child, what == ETC_OUTCOME_ENDED ? limit_ms : 0);
	etc_isolate_unshare(x);
	if (what == ETC_OUTCOME_ENDED && f.end.killed)
		f.what = ETC_OUTCOME_NONSENSE;
	if (what == ETC_OUTCOME_ENDED && !f.end.signaled && f.end.status == ETC_SERVE_TOO_MUCH)
		f.what = ETC_OUTCOME_ENDLESS;
	if (what == ETC_OUTCOME_ENDED && !f.end.signaled && f.end.status == ETC_SERVE_NO_MEMORY)
		f.what = ETC_OUTCOME_NO_MEMORY;
	return f;
}

/* Sends x->out as a message of this kind, and reads the answer into x->message. */
struct etc_failure etc_isolate_exchange(struct etc_remote *x, uint64_t kind, unsigned limit_ms,
                                        struct etc_unwire *answer)
{
	const struct etc_frame *frame = etc_wire_frame(&x->out, kind);
	uint64_t until = etc_process_now() + limit_ms;
	enum etc_child_state state;
	enum etc_outcome what;

	if (!frame)
		return etc_isolate_failed(x, ETC_OUTCOME_NO_MEMORY, limit_ms);
	state = etc_child_pass(&x->child, frame, sizeof *frame + x->out.len, x->fresh,
	                       x->fresh_count, until);
	drop_fresh(x);
	what = state == ETC_CHILD_FINE   ? take(x, kind, until, answer)
	       : state == ETC_CHILD_LATE ? ETC_OUTCOME_LATE
	                                 : ETC_OUTCOME_ENDED;
	return what == ETC_OUTCOME_FINE ? ((struct etc_failure){ .what = ETC_OUTCOME_FINE })
	                                : etc_isolate_failed(x, what, limit_ms);
}

/* ---- failures ----------------------------------------------------------------------- */

static void failure_text(const struct etc_failure *f, char *to, size_t room)
{
	switch (f->what) {
	case ETC_OUTCOME_LATE:
		snprintf(to, room, "no answer within %g s", f->limit_ms / 1000.0);
		return;
	case ETC_OUTCOME_ENDLESS:
		snprintf(to, room, "its answer has no end");
		return;
	case ETC_OUTCOME_NO_MEMORY:
		snprintf(to, room, "it used up its memory");
		return;
	case ETC_OUTCOME_ENDED:
		if (!f->end.signaled && f->end.status == ETC_SERVE_CONFUSED)
			snprintf(to, room, "it broke the line to its host");
		else if (etc_breach_text(f->end.signaled, f->end.status))
			snprintf(to, room, "it asked for %s an isolated plugin may not have",
			         etc_breach_text(f->end.signaled, f->end.status));
		else if (f->end.signaled)
			snprintf(to, room, "%s", etc_signal_name(f->end.status));
		else
			snprintf(to, room, "it ended the program with status %d", f->end.status);
		return;
	default:
		snprintf(to, room, "its answer makes no sense");
	}
}

void etc_isolate_quarantine(struct etc_plugin *p, enum etc_hook hook,
                            const struct etcore_call *call, int64_t index,
                            const struct etc_failure *f)
{
	char text[100];

	failure_text(f, text, sizeof text);
	p->broken = p->quarantined = true;
	p->host->regrets |= p->answered;
	etc_isolate_forget(p->remote);
	etc_child_stop(&p->remote->child, 0);
	etc_hook_note(p, W0640, hook, call, index, text);
}

/* ---- starting --------------------------------------------------------------------- */

static struct etc_failure start(struct etc_remote *x, struct etc_unwire *hello, enum etc_status *st,
                                struct etc_error *err)
{
	unsigned limit_ms = x->limit_ms > START_MS ? x->limit_ms : START_MS;
	enum etc_outcome what;

	*st = etc_child_start(&x->child, x->argv, err);
	if (*st != ETC_OK)
		return (struct etc_failure){ .what = ETC_OUTCOME_ENDED };
	what = take(x, ETC_FRAME_HELLO, etc_process_now() + limit_ms, hello);
	return what == ETC_OUTCOME_FINE ? ((struct etc_failure){ .what = ETC_OUTCOME_FINE })
	                                : etc_isolate_failed(x, what, limit_ms);
}

struct etc_failure etc_isolate_open(struct etc_plugin *p, struct etc_unwire *answer)
{
	struct etc_remote *x = p->remote;

	x->out.len = 0;
	etc_wire_put(&x->out, p->setting_count);
	for (uint32_t i = 0; i < p->setting_count; i++) {
		etc_wire_text(&x->out, p->settings[i]->name.ptr, p->settings[i]->name.len);
		etc_wire_text(&x->out, p->settings[i]->value.ptr, p->settings[i]->value.len);
		etc_wire_text(&x->out, (const char *)p->settings[i]->content.ptr,
		              p->settings[i]->content.len);
	}
	if (x->out.failed)
		return etc_isolate_failed(x, ETC_OUTCOME_NO_MEMORY, 0);
	return etc_isolate_exchange(x, ETC_FRAME_OPEN, x->limit_ms, answer);
}

/* Starts a new process in place of one that failed. */
struct etc_failure etc_isolate_restart(struct etc_plugin *p)
{
	struct etc_unwire hello;
	struct etc_error err;
	enum etc_status st;
	struct etc_failure f = start(p->remote, &hello, &st, &err);

	return f.what == ETC_OUTCOME_FINE ? etc_isolate_open(p, &hello) : f;
}

static enum etc_status prepare(struct etc_plugin *p, const struct etc_host_options *options,
                               struct etc_error *err)
{
	const struct etc_limits *limits = &options->settings->limits;
	struct etc_remote *x = etc_calloc(1, sizeof *x);
	double seconds = limits->max_hook_seconds > 0 ? limits->max_hook_seconds : SECONDS;
	size_t memory = limits->max_hook_memory;

	p->remote = x;
	ETC_NEED(x, err);
	x->out.most = ETC_WIRE_CALLS;
	x->limit_ms = seconds < 1e6 ? (unsigned)(seconds * 1000) : 1000000000;
	x->limit_ms = x->limit_ms ? x->limit_ms : 1;
	if (memory == 0)
		memory = SIZE_MAX > UINT32_MAX ? (size_t)2 << 30 : 0;
	snprintf(x->memory, sizeof x->memory, "%zu", memory);
	x->shared_most = memory ? memory / 2 : SIZE_MAX;
	if (options->worker)
		snprintf(x->program, sizeof x->program, "%s", options->worker);
	else if (!etc_program_worker(x->program, sizeof x->program))
		return etc_fail(err, E0641, "/proc/self/exe cannot be read");
	x->argv[0] = x->program;
	x->argv[1] = ETC_PLUGIN_COMMAND;
	x->argv[2] = p->path.ptr;
	x->argv[3] = x->memory;
	return ETC_OK;
}

/* Reports, once per plugin, which parts of the sandbox could not be set up. */
static void say_missing(const struct etc_plugin *p, uint64_t missing)
{
	bool filter = !(missing & ETC_SANDBOX_NO_FILTER),
	     landlock = !(missing & ETC_SANDBOX_NO_LANDLOCK);

	etc_note_each(p->host->notes, N0642, "plugin '" ETC_STR_FMT "': %s%s%s",
	              ETC_STR_ARG(p->name),
	              missing & ETC_SANDBOX_RELAXED
	                      ? "etcore was built with a sanitizer, and nothing holds it"
	              : filter ? ""
	                       : "no filter of system calls",
	              filter || landlock ? "" : ", ",
	              landlock ? "" : "no Landlock: it may read any file while it is loaded");
}

static enum etc_status take_hello(struct etc_plugin *p, struct etc_unwire *r,
                                  struct etc_arena *arena, struct etc_failure *f,
                                  struct etc_error *err)
{
	uint64_t missing = etc_unwire_get(r);
	bool refused = etc_unwire_get(r) != 0;
	const struct etcore_plugin *abi;
	const char *fault;

	if (missing)
		say_missing(p, missing);
	if (refused) {
		uint64_t why = etc_unwire_get(r);
		struct etcore_text reason;

		p->abi_found = (uint32_t)etc_unwire_get(r);
		reason = etc_unwire_text(r);
		if (r->bad || why > UINT16_MAX || !etc_code_info((enum etc_code)why)->name[0]) {
			f->what = ETC_OUTCOME_NONSENSE;
			return ETC_OK;
		}
		p->state = ETC_PLUGIN_REFUSED;
		p->why = (enum etc_code)why;
		p->reason =
			etc_arena_str(arena, (struct etc_str){ reason.ptr, (size_t)reason.len });
		return p->reason.ptr ? ETC_OK : etc_no_memory(err);
	}
	if (!etc_wire_get_descriptor(r, arena, &abi)) {
		f->what = ETC_OUTCOME_NONSENSE;
		return ETC_OK;
	}
	fault = etc_contract_fault(abi, ETCORE_PLUGIN_ABI_MINOR);
	if (!fault)
		fault = etc_option_default_fault(abi);
	if (fault) {
		p->state = ETC_PLUGIN_REFUSED;
		p->why = etc_contract_code(abi);
		p->reason = etc_str_of(fault);
		return ETC_OK;
	}
	p->abi = abi;
	p->abi_found = ETCORE_PLUGIN_ABI_MAJOR;
	p->name = etc_str_of(abi->name);
	p->state = ETC_PLUGIN_LOADED;
	return ETC_OK;
}

enum etc_status etc_remote_open(struct etc_plugin *p, const struct etc_host_options *options,
                                struct etc_arena *arena, struct etc_error *err)
{
	enum etc_status st = etc_plugin_look(p, arena, err);
	struct etc_unwire hello;
	struct etc_failure f;
	char text[100];

	if (st != ETC_OK || p->state == ETC_PLUGIN_REFUSED)
		return st;
	st = prepare(p, options, err);
	if (st != ETC_OK)
		return st;
	f = start(p->remote, &hello, &st, err);
	if (st == ETC_OK && f.what == ETC_OUTCOME_FINE) {
		st = take_hello(p, &hello, arena, &f, err);
		if (f.what != ETC_OUTCOME_FINE)
			f = etc_isolate_failed(p->remote, ETC_OUTCOME_NONSENSE, 0);
	}
	if (st == ETC_OK && f.what != ETC_OUTCOME_FINE) {
		failure_text(&f, text, sizeof text);
		p->state = ETC_PLUGIN_REFUSED;
		p->why = W0640;
		p->reason = etc_arena_printf(arena, "in its constructors or descriptor: %s", text);
		if (!p->reason.ptr)
			st = etc_no_memory(err);
	}
	if (st != ETC_OK || p->state == ETC_PLUGIN_REFUSED)
		etc_remote_close(p);
	return st;
}

void etc_remote_close(struct etc_plugin *p)
{
	struct etc_remote *x = p->remote;

	if (!x)
		return;
	etc_child_stop(&x->child, p->broken ? 0 : GRACE_MS);
	etc_isolate_forget(x);
	etc_isolate_unshare(x);
	etc_wire_release(&x->out);
	free(x->kept);
	free(x->calls);
	free(x->first);
	free(x->answers);
	free(x->message);
	free(x);
	p->remote = NULL;
}
