/* serve.c -- see serve.h.
 *
 * The process limits its own memory and rights before the plugin's code runs. The process that
 * started it, the host, kills it if it does not answer in time. Descriptors 1 and 2 are
 * /dev/null. */
#define _DEFAULT_SOURCE /* SA_* */
#include "host/isolated/serve.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/child.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/sandbox.h"
#include "host/isolated/wire.h"

/* Budget of the arena for descriptor and settings. It is unlimited in practice, because
 * max_hook_memory limits the memory of the whole process. */
#define OWN_ARENA (SIZE_MAX / 2)

struct serving {
	int fd;
	pid_t pid;
	struct etc_arena arena; /* memory for the plugin's descriptor and settings */
	struct etc_plugin plugin;
	struct etc_tapped tapped;
	struct etc_wire out;
	struct etc_span files[ETC_CHILD_FILES]; /* mapped files that contain blobs */
	unsigned file_count;
	int given[ETC_CHILD_FILES]; /* descriptors of further files, received with the message */
	unsigned given_count;
	struct message {
		uint64_t *words;
		size_t room;
	} message,
		/* `again`: the last message of kind AGAIN; `message`: the last message of another
		 * kind. An AGAIN refers to calls of the ASK before it, so that message must still
		 * exist. */
		again;
	/* `calls`: the `count` calls of the last ASK; `asked`: the memory of these calls */
	struct etc_arena asked;
	struct etc_wire_call *calls;
	uint64_t count;
};

/* Ends the process without running atexit handlers that the plugin registered. */
static void leave(int status)
{
	_exit(status);
}

static void send_frame(struct serving *s, uint64_t kind)
{
	const struct etc_frame *frame = etc_wire_frame(&s->out, kind);

	if (!frame)
		leave(s->out.len > s->out.most / 2 ? ETC_SERVE_TOO_MUCH : ETC_SERVE_NO_MEMORY);
	if (getpid() != s->pid)
		leave(ETC_SERVE_CONFUSED); /* a hook called fork(), and this is the new process */
	if (!etc_line_write(s->fd, frame, sizeof *frame + s->out.len))
		leave(ETC_SERVE_CONFUSED);
	s->out.len = 0;
}

/* Reads the next message, and sets `*kind` to its kind. Ends the process if the host has closed the
 * socket. */
static struct etc_unwire take_frame(struct serving *s, uint64_t *kind)
{
	struct etc_frame frame;
	struct message *m;

	if (!etc_line_take(s->fd, &frame, sizeof frame, s->given, &s->given_count)) {
		if (s->plugin.opened && s->plugin.abi->close)
			s->plugin.abi->close(s->plugin.self);
		leave(0);
	}
	if (frame.len > ETC_WIRE_CALLS || frame.len % sizeof *m->words)
		leave(ETC_SERVE_CONFUSED);
	m = frame.kind == ETC_FRAME_AGAIN ? &s->again : &s->message;
	if (frame.len > m->room) {
		free(m->words);
		m->room = (size_t)frame.len;
		m->words = etc_malloc(m->room);
		if (!m->words)
			leave(ETC_SERVE_NO_MEMORY);
	}
	if (!etc_line_read(s->fd, m->words, (size_t)frame.len))
		leave(0);
	*kind = frame.kind;
	return (struct etc_unwire){ (const uint8_t *)m->words, (size_t)frame.len, 0, false };
}

/* ---- the messages ----------------------------------------------------------------- */

static void say_hello(struct serving *s, unsigned missing)
{
	struct etc_plugin *p = &s->plugin;
	bool refused = p->state == ETC_PLUGIN_REFUSED;

	etc_wire_put(&s->out, missing);
	etc_wire_put(&s->out, refused);
	if (refused) {
		etc_wire_put(&s->out, (uint64_t)p->why);
		etc_wire_put(&s->out, p->abi_found);
		etc_wire_text(&s->out, p->reason.ptr, p->reason.len);
	} else {
		etc_wire_put_descriptor(&s->out, p->abi);
	}
	send_frame(s, ETC_FRAME_HELLO);
}

static struct etc_str take_text(struct serving *s, struct etc_unwire *r)
{
	struct etcore_text t = etc_unwire_text(r);
	struct etc_str copy = etc_arena_str(&s->arena, (struct etc_str){ t.ptr, (size_t)t.len });

	if (!copy.ptr && t.len)
		leave(ETC_SERVE_NO_MEMORY);
	return copy;
}

static void open_instance(struct serving *s, struct etc_unwire *r)
{
	uint64_t n = etc_unwire_get(r);
	struct etcore_setting *values, **list;

	if (n > r->len / sizeof n)
		leave(ETC_SERVE_CONFUSED);
	values = etc_new(&s->arena, struct etcore_setting, (size_t)n);
	list = etc_new(&s->arena, struct etcore_setting *, (size_t)n + 1);
	for (uint64_t i = 0; values && list && i < n; i++) {
		struct etc_str name = take_text(s, r), value = take_text(s, r),
			       content = take_text(s, r);

		values[i] = (struct etcore_setting){
			.size = sizeof *values,
			.name = { name.ptr, name.len },
			.value = { value.ptr, value.len },
			.content = { (const uint8_t *)content.ptr, content.len },
		};
		list[i] = &values[i];
	}
	if (!values || !list || r->bad)
		leave(r->bad ? ETC_SERVE_CONFUSED : ETC_SERVE_NO_MEMORY);
	s->plugin.settings = (const struct etcore_setting *const *)list;
	s->plugin.setting_count = (uint32_t)n;
	s->plugin.opened = etc_tap_open(&s->tapped);
}

/* Maps the files whose descriptors came with the message. Unmaps the files that were mapped before,
 * except the first `kept`. */
static void take_files(struct serving *s, uint64_t kept)
{
	if (kept > s->file_count || s->given_count > ETC_CHILD_FILES - kept)
		leave(ETC_SERVE_CONFUSED);
	while (s->file_count > kept) {
		struct etc_span *f = &s->files[--s->file_count];

		munmap((void *)(uintptr_t)f->ptr, f->len);
	}
	for (unsigned i = 0; i < s->given_count; i++) {
		off_t size = lseek(s->given[i], 0, SEEK_END);
		void *at = size <= 0 ? MAP_FAILED
		                     : mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, s->given[i],
		                            0);

		if (at == MAP_FAILED)
			leave(size <= 0 ? ETC_SERVE_CONFUSED : ETC_SERVE_NO_MEMORY);
		close(s->given[i]);
		s->files[s->file_count++] = (struct etc_span){ at, (size_t)size };
	}
	s->given_count = 0;
}

/* Sets `*out` to the `len` bytes at offset `at` of the file with this number, which both host and
 * process have mapped. False: there are no such bytes. */
static bool blob(void *arg, uint64_t file, uint64_t at, uint64_t len, struct etcore_bytes *out)
{
	const struct serving *s = arg;

	if (file >= s->file_count || !etc_fits(s->files[file].len, (size_t)at, (size_t)len))
		return false;
	*out = (struct etcore_bytes){ s->files[file].ptr + at, len };
	return true;
}

/* Runs the hooks of a call, whose first answer has the number `slot`; returns the number of the
 * next call's first answer. */
static uint64_t answer_call(struct serving *s, const struct etc_wire_call *c, uint64_t slot)
{
	if (!s->out.failed)
		etc_tap_call(&s->tapped, c, slot);
	return slot + etc_slot_count(c->hooks, c->call->count);
}

static void answer(struct serving *s, struct etc_unwire *r)
{
	uint64_t kept = etc_unwire_get(r), n = etc_unwire_get(r), slot = 0;

	take_files(s, kept);
	etc_arena_reuse(&s->asked);
	s->count = 0;
	if (n > r->len / sizeof n)
		leave(ETC_SERVE_CONFUSED);
	s->calls = etc_new(&s->asked, struct etc_wire_call, (size_t)n);
	if (!s->calls)
		leave(ETC_SERVE_NO_MEMORY);
	for (; s->count < n; s->count++) {
		struct etc_wire_call *c = &s->calls[s->count];

		if (!etc_wire_get_call(r, c, &s->asked, blob, s))
			leave(r->bad ? ETC_SERVE_CONFUSED : ETC_SERVE_NO_MEMORY);
		slot = answer_call(s, c, slot);
	}
}

/* Runs further hooks for calls of the last message ASK. */
static void answer_again(struct serving *s, struct etc_unwire *r)
{
	uint64_t n = etc_unwire_get(r), slot = 0;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t which = etc_unwire_get(r), hooks = etc_unwire_get(r);
		struct etcore_text parse = etc_unwire_text(r);
		struct etc_wire_call c;

		if (r->bad || which >= s->count || hooks >> ETC_HOOK_CONVERT)
			leave(ETC_SERVE_CONFUSED);
		c = s->calls[which];
		c.hooks = (uint32_t)hooks;
		c.only = -1;
		c.parse = parse.len ? (const bool *)(const void *)parse.ptr : NULL;
		if (c.parse && parse.len != c.call->count)
			leave(ETC_SERVE_CONFUSED);
		slot = answer_call(s, &c, slot);
	}
}

/* ---- the process ------------------------------------------------------------------- */

/* Restores the default signal handlers, so that a crash ends the process by a signal, even if a
 * sanitizer has installed a handler for it. */
static void default_signals(void)
{
	static const int all[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		signal(all[i], SIG_DFL);
}

enum etc_status etc_plugin_serve(const char *path, size_t memory, struct etc_error *err)
{
	struct serving s = { .fd = -1, .pid = getpid(), .out.most = ETC_WIRE_ANSWERS };
	unsigned missing;

	etc_process_close_from(ETC_PROCESS_BOARD + 1);
	/* must be called before the sandbox is set up, which forbids it */
	etc_process_confine(memory);
	missing = etc_sandbox_load(path);
	if (!etc_child_line(&s.fd)) {
		if (s.fd >= 0)
			leave(ETC_SERVE_NO_MEMORY);
		return etc_fail(err, E0641, "only etcore itself can start %s", path);
	}
	default_signals();
	etc_arena_init(&s.arena, OWN_ARENA);
	etc_arena_init(&s.asked, SIZE_MAX / 2);
	s.plugin.path = s.plugin.name = etc_str_of(path);
	s.plugin.unguarded = true;
	s.tapped = (struct etc_tapped){ .p = &s.plugin, .out = &s.out };
	ETC_TRY(etc_plugin_open(&s.plugin, &s.arena, err));
	if (!etc_sandbox_run(missing))
		leave(ETC_BREACH_OTHER);
	say_hello(&s, missing);
	for (;;) {
		uint64_t kind;
		struct etc_unwire r = take_frame(&s, &kind);

		if (s.given_count && kind != ETC_FRAME_ASK)
			leave(ETC_SERVE_CONFUSED);
		memset(s.tapped.said, 0, sizeof s.tapped.said);
		if (kind == ETC_FRAME_OPEN)
			open_instance(&s, &r);
		else if (kind == ETC_FRAME_ASK)
			answer(&s, &r);
		else if (kind == ETC_FRAME_AGAIN)
			answer_again(&s, &r);
		else
			leave(ETC_SERVE_CONFUSED);
		send_frame(&s, kind);
	}
}
