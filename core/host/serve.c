/* serve.c -- see serve.h
 *
 * A plugin may do anything in here: the host kills the process when it has had
 * enough. Descriptors 1 and 2 are /dev/null. */
#define _DEFAULT_SOURCE /* SA_* */
#include "host/serve.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "host/wire.h"

enum { FILES = 16, DESCRIPTOR_ARENA = 16 << 20 };

struct serving {
	int fd;
	pid_t pid;
	struct etc_arena arena; /* of the plugin */
	struct etc_plugin plugin;
	struct etc_tapped tapped;
	struct etc_wire out;
	struct etc_file files[FILES]; /* that blobs were taken from; they stay mapped */
	char *paths[FILES];
	uint32_t file_count;
	uint64_t *message; /* of the host */
	size_t room;
};

/* Ends here. What the plugin has registered for the end of the program is not run. */
static void leave(int status)
{
	_exit(status);
}

static void send_frame(struct serving *s, uint64_t kind)
{
	const struct etc_frame frame = { kind, s->out.len };

	if (s->out.failed)
		leave(s->out.len > s->out.most / 2 ? ETC_SERVE_TOO_MUCH : ETC_SERVE_NO_MEMORY);
	if (getpid() != s->pid)
		leave(ETC_SERVE_CONFUSED); /* a fork that came back from a hook */
	if (!etc_line_write(s->fd, &frame, sizeof frame) ||
	    !etc_line_write(s->fd, s->out.ptr, s->out.len))
		leave(ETC_SERVE_CONFUSED);
	s->out.len = 0;
}

/* The next message; ends the process when there will be none. */
static struct etc_unwire take_frame(struct serving *s, uint64_t *kind)
{
	struct etc_frame frame;

	if (!etc_line_read(s->fd, &frame, sizeof frame)) {
		if (s->plugin.opened && s->plugin.abi->close)
			s->plugin.abi->close(s->plugin.self);
		leave(0);
	}
	if (frame.len > ETC_WIRE_CALLS || frame.len % sizeof *s->message)
		leave(ETC_SERVE_CONFUSED);
	if (frame.len > s->room) {
		free(s->message);
		s->room = (size_t)frame.len;
		s->message = etc_malloc(s->room);
		if (!s->message)
			leave(ETC_SERVE_NO_MEMORY);
	}
	if (!etc_line_read(s->fd, s->message, (size_t)frame.len))
		leave(0);
	*kind = frame.kind;
	return (struct etc_unwire){ (const uint8_t *)s->message, (size_t)frame.len, 0, false };
}

/* ---- the three messages ----------------------------------------------------------- */

static void say_hello(struct serving *s)
{
	struct etc_plugin *p = &s->plugin;
	bool refused = p->state == ETC_PLUGIN_REFUSED;

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

static void open_instance(struct serving *s, struct etc_unwire *r)
{
	uint64_t n = etc_unwire_get(r);
	struct etcore_setting *values, **list;

	if (n > r->len / sizeof n)
		leave(ETC_SERVE_CONFUSED);
	values = etc_new(&s->arena, struct etcore_setting, (size_t)n);
	list = etc_new(&s->arena, struct etcore_setting *, (size_t)n + 1);
	for (uint64_t i = 0; values && list && i < n; i++) {
		struct etcore_text name = etc_unwire_text(r), value = etc_unwire_text(r);
		struct etc_str copies[2];

		copies[0] =
			etc_arena_str(&s->arena, (struct etc_str){ name.ptr, (size_t)name.len });
		copies[1] =
			etc_arena_str(&s->arena, (struct etc_str){ value.ptr, (size_t)value.len });
		values[i] = (struct etcore_setting){ .size = sizeof *values,
			                             .name = { copies[0].ptr, copies[0].len },
			                             .value = { copies[1].ptr, copies[1].len } };
		list[i] = &values[i];
	}
	if (!values || !list || r->bad)
		leave(r->bad ? ETC_SERVE_CONFUSED : ETC_SERVE_NO_MEMORY);
	s->plugin.settings = (const struct etcore_setting *const *)list;
	s->plugin.setting_count = (uint32_t)n;
	s->plugin.opened = etc_tap_open(&s->tapped);
	send_frame(s, ETC_FRAME_OPEN);
}

/* Bytes of a file that both sides can see. */
static bool blob(void *arg, struct etcore_text path, uint64_t size, uint64_t at, uint64_t len,
                 struct etcore_bytes *out)
{
	struct serving *s = arg;
	struct etc_error err;
	struct etc_span bytes;
	uint32_t i = 0;

	while (i < s->file_count &&
	       !etc_str_eq(etc_str_of(s->paths[i]), (struct etc_str){ path.ptr, (size_t)path.len }))
		i++;
	if (i == FILES)
		return false;
	if (i == s->file_count) {
		s->paths[i] = strndup(path.ptr, (size_t)path.len);
		if (!s->paths[i] || etc_file_open(&s->files[i], s->paths[i], 0, &err) != ETC_OK)
			return false;
		s->file_count++;
	}
	bytes = s->files[i].bytes;
	if (bytes.len != size || at > bytes.len || len > bytes.len - at)
		return false;
	*out = (struct etcore_bytes){ bytes.ptr + at, len };
	return true;
}

static void answer(struct serving *s, struct etc_unwire *r)
{
	uint64_t n = etc_unwire_get(r), slot = 0;
	struct etc_arena arena;

	etc_arena_init(&arena, SIZE_MAX / 2);
	memset(s->tapped.said, 0, sizeof s->tapped.said);
	for (uint64_t i = 0; i < n; i++) {
		struct etc_wire_call call;

		if (!etc_wire_get_call(r, &call, &arena, blob, s))
			leave(r->bad ? ETC_SERVE_CONFUSED : ETC_SERVE_NO_MEMORY);
		etc_tap_call(&s->tapped, &call, slot);
		slot += etc_slot_count(call.hooks, call.call->count);
		if (s->out.failed)
			break;
	}
	etc_arena_release(&arena);
	send_frame(s, ETC_FRAME_ASK);
}

/* ---- the process ------------------------------------------------------------------- */

/* A crash is to be seen as what it is, also where a sanitizer would explain it. */
static void default_signals(void)
{
	static const int all[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		signal(all[i], SIG_DFL);
}

enum etc_status etc_plugin_serve(const char *path, size_t memory, struct etc_error *err)
{
	struct serving s = { .pid = getpid(), .out.most = ETC_WIRE_ANSWERS };

	if (!etc_child_line(&s.fd))
		return etc_fail(err, E0641, "only etcore itself can start %s", path);
	etc_process_confine(memory);
	default_signals();
	etc_arena_init(&s.arena, DESCRIPTOR_ARENA);
	s.plugin.path = s.plugin.name = etc_str_of(path);
	s.plugin.unguarded = true;
	s.tapped = (struct etc_tapped){ .p = &s.plugin, .out = &s.out };
	ETC_TRY(etc_plugin_open(&s.plugin, &s.arena, err));
	say_hello(&s);
	for (;;) {
		uint64_t kind;
		struct etc_unwire r = take_frame(&s, &kind);

		if (kind == ETC_FRAME_OPEN)
			open_instance(&s, &r);
		else if (kind == ETC_FRAME_ASK)
			answer(&s, &r);
		else
			leave(ETC_SERVE_CONFUSED);
	}
}
