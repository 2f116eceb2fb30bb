/* keys.c -- see keys.h */
#include "join/keys.h"

#include "base/text.h"

/* The row of one site; {NULL, 0}: no memory. */
typedef struct etc_str key_fn(const struct etc_sites *sites, struct etc_site *s,
                              struct etc_arena *arena);

static struct etc_str by_kernel(const struct etc_sites *sites, struct etc_site *s,
                                struct etc_arena *arena)
{
	(void)sites;
	(void)arena;
	return s->facts && s->facts->kernel.len ? s->facts->kernel : s->name;
}

static struct etc_str by_module(const struct etc_sites *sites, struct etc_site *s,
                                struct etc_arena *arena)
{
	(void)sites;
	(void)arena;
	s->group = s->place->module;
	return s->group->name;
}

static struct etc_str by_source(const struct etc_sites *sites, struct etc_site *s,
                                struct etc_arena *arena)
{
	(void)sites;
	(void)arena;
	s->group = s->place->source;
	return s->group->name;
}

static struct etc_str by_category(const struct etc_sites *sites, struct etc_site *s,
                                  struct etc_arena *arena)
{
	(void)sites;
	(void)arena;
	if (s->category.len)
		return s->category;
	if (s->delegate)
		return ETC_STR("uncategorized delegate events");
	if (s->delegate_call)
		return ETC_STR("delegate calls without events");
	return s->native ? ETC_STR("uncategorized kernels") : ETC_STR("runtime");
}

static struct etc_str by_backend(const struct etc_sites *sites, struct etc_site *s,
                                 struct etc_arena *arena)
{
	(void)sites;
	(void)arena;
	if (s->backend.len)
		return s->backend;
	if (s->delegate || s->delegate_call)
		return ETC_STR("unknown backend");
	return s->native ? ETC_STR("portable kernels") : ETC_STR("runtime");
}

/* A DELEGATE_CALL stands for all that happens in it. */
static struct etc_str by_delegate(const struct etc_sites *sites, struct etc_site *s,
                                  struct etc_arena *arena)
{
	if (s->call != ETC_NO_SITE && sites->v[s->call].delegate_call) {
		s->hidden = true;
		s->why = ETC_DETACH_BELOW;
		s->resolution = 0;
	}
	if (!s->delegate_call)
		return s->native ? ETC_STR("portable kernels") : ETC_STR("runtime");
	if ((int64_t)s->event->chain > 0)
		return etc_arena_printf(arena, "delegate at instruction %d of chain %lld",
		                        (int)s->event->instruction_id, (long long)s->event->chain);
	return etc_arena_printf(arena, "delegate at instruction %d", (int)s->event->instruction_id);
}

/* The keys that an event has besides its own. */
static struct etc_row_event *all_keys(const struct etc_sites *sites, struct etc_site *s,
                                      struct etc_arena *arena)
{
	static const struct {
		uint8_t by;
		key_fn *key;
	} made[] = {
		{ ETC_BY_KERNEL, by_kernel },
		{ ETC_BY_CATEGORY, by_category },
		{ ETC_BY_BACKEND, by_backend },
	};
	struct etc_row_event *e = etc_new(arena, struct etc_row_event, 1);

	if (!e)
		return NULL;
	e->event = s->event;
	e->place = s->place;
	e->key[ETC_BY_OP] = s->name;
	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
		e->key[made[i].by] = made[i].key(sites, s, arena);
	if (s->place) {
		e->key[ETC_BY_MODULE] = s->place->module->name;
		e->key[ETC_BY_SOURCE] = s->place->source->name;
	}
	return e;
}

/* "3: Fully Connected (NC, F32) GEMM #2"; with its chain "1.3: ...", with a number
 * as delegate id "... [17]". Outside an instruction just its name. */
static struct etc_str by_event(const struct etc_sites *sites, struct etc_site *s,
                               struct etc_arena *arena)
{
	const struct etc_event *e = s->event;
	struct etc_str name = s->delegate && e->has_delegate_name ? e->delegate_name : s->name;
	struct etc_text text = { 0 };
	struct etc_str key;

	s->keys = all_keys(sites, s, arena);
	if (!s->keys)
		return (struct etc_str){ 0 };
	if ((int64_t)e->chain > 0) {
		etc_text_i64(&text, (int64_t)e->chain);
		etc_text_char(&text, '.');
	}
	if ((int64_t)e->chain >= 0) {
		etc_text_i64(&text, (int)e->instruction_id);
		etc_text_cstr(&text, ": ");
	}
	etc_text_put(&text, name);
	if (s->delegate && !e->has_delegate_name) {
		etc_text_cstr(&text, " [");
		etc_text_i64(&text, (int)e->delegate_id);
		etc_text_char(&text, ']');
	}
	key = text.failed ? ETC_STR_NONE : etc_arena_str(arena, etc_text_str(&text));
	etc_text_release(&text);
	return key;
}

static key_fn *const keys[ETC_BY_COUNT] = {
	[ETC_BY_KERNEL] = by_kernel,   [ETC_BY_MODULE] = by_module,
	[ETC_BY_SOURCE] = by_source,   [ETC_BY_CATEGORY] = by_category,
	[ETC_BY_BACKEND] = by_backend, [ETC_BY_DELEGATE] = by_delegate,
	[ETC_BY_EVENT] = by_event,
};

enum etc_status etc_sites_key(struct etc_sites *sites, uint8_t by, struct etc_arena *arena,
                              struct etc_error *err)
{
	for (uint32_t i = 0; i < sites->count; i++) {
		struct etc_site *s = &sites->v[i];

		if (s->facts)
			s->category = s->facts->category;
		if (!s->category.len && s->native && !s->delegate)
			s->category = etc_kernel_category(s->name);
		if (keys[by])
			s->name = keys[by](sites, s, arena);
		if (keys[by] && !s->name.ptr)
			return etc_fail(err, E0904, "names of rows");
	}
	return ETC_OK;
}
