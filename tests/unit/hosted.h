/* hosted.h -- a host with plugins of tests/plugins/host, and a call of up to three events. The
 * delegate_name of an event tells the plugin `good` what to do. */
#ifndef ETC_UNIT_HOSTED_H
#define ETC_UNIT_HOSTED_H

#include "unit.h"

#include "host/host.h"

#define PLUGINS ETC_TEST_PLUGINS "/"

/* A host with the plugins that a test loads, and a call. It has one of three events until a test
 * sets its count. */
struct fixture {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_settings settings;
	struct etc_host host;
	struct etc_error err;
	struct etcore_event event[3];
	const struct etcore_event *events[3];
	struct etcore_call call;
	uint64_t start[3], end[3];
	struct etcore_bytes metadata[3];
};

static inline struct etcore_text text(const char *s)
{
	return (struct etcore_text){ s, strlen(s) };
}

static inline void init(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	etc_arena_init(&f->arena, 64 << 20);
	etc_notes_init(&f->notes, &f->arena);
	for (int i = 0; i < 3; i++) {
		f->start[i] = (uint64_t)(10 * i + 10);
		f->end[i] = f->start[i] + 5;
		f->metadata[i] = (struct etcore_bytes){ (const uint8_t *)"abc", (uint64_t)i };
		f->event[i] = (struct etcore_event){
			.size = sizeof f->event[i],
			.flags = ETCORE_EVENT_DELEGATE,
			.samples = 3,
			.start = f->start,
			.end = f->end,
			.metadata = f->metadata,
			.delegate_id = -1,
			.instruction_id = 4,
		};
		f->events[i] = &f->event[i];
	}
	f->call = (struct etcore_call){ .size = sizeof f->call, .count = 1, .events = f->events };
	f->call.backend = text("GoodBackend");
}

/* Loads the plugins at `paths` only, not those that are installed. */
static inline enum etc_status load(struct fixture *f, const char *const *paths, uint32_t count)
{
	struct etc_host_options o = {
		.settings = &f->settings,
		.named = paths,
		.named_count = count,
		.only_named = true,
		.ignore_environment = true,
		.program_folder = "/nowhere",
#ifdef ETC_TEST_ISOLATE
		.isolate = true,
		.worker = ETC_TEST_ETCORE,
#endif
	};

	enum etc_status st = etc_host_load(&f->host, &o, &f->arena, &f->notes, &f->err);
	bool others = false;

	/* N0642 is noted of isolated plugins if the kernel is old, or with a sanitizer. So if it is
	 * the only note, it is removed. */
	for (const struct etc_note *i = f->notes.first; i; i = i->next)
		others = others || i->code != N0642;
	if (!others)
		etc_notes_init(&f->notes, &f->arena);
	return st;
}

static inline void start(struct fixture *f, const char *path)
{
	init(f);
	assert_ok(load(f, &path, 1), &f->err);
	assert_int_equal(f->host.count, 1);
	assert_int_equal(f->host.plugins[0].state, ETC_PLUGIN_LOADED);
}

static inline void stop(struct fixture *f)
{
	etc_host_release(&f->host);
	etc_arena_release(&f->arena);
}

static inline void ask(struct fixture *f, const char *what)
{
	f->event[0].delegate_name = text(what);
}

static inline unsigned noted(const struct fixture *f, enum etc_code code)
{
	unsigned n = 0;

	for (const struct etc_note *i = f->notes.first; i; i = i->next)
		n += i->code == code;
	return n;
}

#endif
