/* descriptor.c -- converts the descriptor of an isolated plugin to the words of a message, which
 * the plugin's process sends to the host, and back.
 *
 * The host validates the copy with etc_contract_fault(); this file checks only that the bytes can
 * be parsed. The hooks in the copy are placeholders that show which hooks the plugin has; calling
 * one is an internal error. */
#include "host/contract.h"
#include "host/isolated/wire.h"

enum {
	MOST = 4096 /* limit for the number of backends, of options and of columns */,
	TEXT = 1 << 16 /* limit for the bytes of one text */
};

/* ---- placeholders for hooks --------------------------------------------------------- */

static etcore_result open_there(const struct etcore_host *host,
                                const struct etcore_setting *const *settings, uint32_t count,
                                void **self)
{
	(void)host, (void)settings, (void)count, (void)self;
	return ETCORE_FAILED;
}

static void close_there(void *self)
{
	(void)self;
}

static int32_t probe_there(void *self, const struct etcore_call *call)
{
	(void)self, (void)call;
	return -1;
}

static etcore_result parse_there(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return ETCORE_FAILED;
}

static etcore_result convert_there(void *self, const struct etcore_call *call, uint32_t index,
                                   const struct etcore_scales *scales, const uint64_t *raw,
                                   uint64_t count, const struct etcore_number_sink *out)
{
	(void)self, (void)call, (void)index, (void)scales, (void)raw, (void)count, (void)out;
	return ETCORE_FAILED;
}

static etcore_result describe_there(void *self, const struct etcore_call *call,
                                    struct etcore_time *const *times)
{
	(void)self, (void)call, (void)times;
	return ETCORE_FAILED;
}

static etcore_result text_there(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return ETCORE_FAILED;
}

static etcore_result map_there(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return ETCORE_FAILED;
}

static const void *instance_extension_there(void *self, const char *id)
{
	(void)self, (void)id;
	return NULL;
}

static etcore_result expand_there(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_child_sink *out)
{
	(void)self, (void)call, (void)index, (void)out;
	return ETCORE_FAILED;
}

static const void *extension_there(const char *id)
{
	(void)id;
	return NULL;
}

enum {
	HAS_OPEN = 1,
	HAS_CLOSE = 2,
	HAS_PROBE = 4,
	HAS_PARSE = 8,
	HAS_CONVERT = 16,
	HAS_DESCRIBE = 32,
	HAS_NAME = 64,
	HAS_CLASSIFY = 128,
	HAS_MAP = 256,
	HAS_EXTENSION = 512,
	HAS_INSTANCE_EXTENSION = 1024,
	HAS_EXPAND = 2048
};

static uint64_t hooks_of(const struct etcore_plugin *p)
{
	return (uint64_t)((p->open ? HAS_OPEN : 0) | (p->close ? HAS_CLOSE : 0) |
	                  (p->probe ? HAS_PROBE : 0) | (p->parse_metadata ? HAS_PARSE : 0) |
	                  (p->convert_time ? HAS_CONVERT : 0) |
	                  (p->describe_time ? HAS_DESCRIBE : 0) | (p->name_event ? HAS_NAME : 0) |
	                  (p->classify ? HAS_CLASSIFY : 0) | (p->map_event ? HAS_MAP : 0) |
	                  (p->get_extension ? HAS_EXTENSION : 0) |
	                  (etc_contract_has_instance_extension(p) ? HAS_INSTANCE_EXTENSION : 0) |
	                  (etc_contract_expands(p) ? HAS_EXPAND : 0));
}

static void set_hooks(struct etcore_plugin *p, uint64_t hooks)
{
	p->open = hooks & HAS_OPEN ? open_there : NULL;
	p->close = hooks & HAS_CLOSE ? close_there : NULL;
	p->probe = hooks & HAS_PROBE ? probe_there : NULL;
	p->parse_metadata = hooks & HAS_PARSE ? parse_there : NULL;
	p->convert_time = hooks & HAS_CONVERT ? convert_there : NULL;
	p->describe_time = hooks & HAS_DESCRIBE ? describe_there : NULL;
	p->name_event = hooks & HAS_NAME ? text_there : NULL;
	p->classify = hooks & HAS_CLASSIFY ? text_there : NULL;
	p->map_event = hooks & HAS_MAP ? map_there : NULL;
	p->get_extension = hooks & HAS_EXTENSION ? extension_there : NULL;
	p->get_instance_extension =
		hooks & HAS_INSTANCE_EXTENSION ? instance_extension_there : NULL;
	p->expand_event = hooks & HAS_EXPAND ? expand_there : NULL;
}

/* ---- texts and lists ------------------------------------------------------------------ */

/* Writes a text that may be NULL. */
static void put_cstr(struct etc_wire *w, const char *s)
{
	etc_wire_put(w, s != NULL);
	if (s)
		etc_wire_text(w, s, strlen(s));
}

static const char *get_cstr(struct etc_unwire *r, struct etc_arena *arena)
{
	struct etcore_text t;
	const char *s;

	if (!etc_unwire_get(r))
		return NULL;
	t = etc_unwire_text(r);
	if (r->bad || t.len > TEXT || (t.len && memchr(t.ptr, 0, (size_t)t.len))) {
		r->bad = true;
		return NULL;
	}
	s = etc_arena_cstr(arena, (struct etc_str){ t.ptr, (size_t)t.len });
	r->bad = !s;
	return s;
}

/* Reads the length of a list, which is 0 for an empty list and for NULL. `*there` is false only for
 * NULL. */
static size_t get_count(struct etc_unwire *r, bool *there)
{
	uint64_t n = etc_unwire_get(r);

	*there = n != 0;
	if (n > MOST)
		r->bad = true;
	return r->bad || n == 0 ? 0 : (size_t)n - 1;
}

static uint64_t count_of(const void *const *list)
{
	uint64_t n = 0;

	while (list && n < MOST - 1 && list[n])
		n++;
	return list ? n + 1 : 0;
}

static void put_list(struct etc_wire *w, const char *const *list)
{
	uint64_t n = count_of((const void *const *)list);

	etc_wire_put(w, n);
	for (uint64_t i = 0; i + 1 < n; i++)
		put_cstr(w, list[i]);
}

static void put_number(struct etc_wire *w, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof bits);
	etc_wire_put(w, bits);
}

static void put_option(struct etc_wire *w, const struct etcore_option *declared)
{
	const struct etcore_option o = etc_option_now(declared);

	etc_wire_put(w, o.type | (uint64_t)o.form << 32);
	put_cstr(w, o.name);
	put_cstr(w, o.default_value);
	put_cstr(w, o.help);
	put_cstr(w, o.unit);
	put_list(w, o.choices);
	put_number(w, o.least);
	put_number(w, o.most);
	etc_wire_put(w, o.most_bytes);
}

static void put_column(struct etc_wire *w, const struct etcore_column *c)
{
	etc_wire_put(w, c->type | (uint64_t)c->rollup << 32);
	etc_wire_put(w, etc_column_rollup(c));
	put_cstr(w, c->name);
	put_cstr(w, c->unit);
	put_cstr(w, c->help);
}

void etc_wire_put_descriptor(struct etc_wire *w, const struct etcore_plugin *p)
{
	uint64_t n;

	etc_wire_put(w, p->abi_minor);
	etc_wire_put(w, p->role);
	etc_wire_put(w, p->sees);
	etc_wire_put(w, hooks_of(p));
	put_cstr(w, p->name);
	put_cstr(w, p->version);
	put_cstr(w, p->vendor);
	put_cstr(w, p->description);
	etc_wire_put(w, etc_contract_least(p));
	put_list(w, p->backends);
	put_cstr(w, ETCORE_HAS(p, struct etcore_plugin, title) ? p->title : NULL);
	n = count_of((const void *const *)p->options);
	etc_wire_put(w, n);
	for (uint64_t i = 0; i + 1 < n; i++)
		put_option(w, p->options[i]);
	n = count_of((const void *const *)p->columns);
	etc_wire_put(w, n);
	for (uint64_t i = 0; i + 1 < n; i++)
		put_column(w, p->columns[i]);
}

static const char *const *get_list(struct etc_unwire *r, struct etc_arena *arena)
{
	bool there;
	size_t n = get_count(r, &there);
	const char **list = there ? etc_new(arena, const char *, n + 1) : NULL;

	for (size_t i = 0; list && i < n; i++) {
		list[i] = get_cstr(r, arena);
		r->bad = r->bad || !list[i];
	}
	r->bad = r->bad || (there && !list);
	return list;
}

static double get_number(struct etc_unwire *r)
{
	uint64_t bits = etc_unwire_get(r);
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static void get_options(struct etc_unwire *r, struct etc_arena *arena, struct etcore_plugin *p)
{
	bool there;
	size_t n = get_count(r, &there);
	struct etcore_option *all = etc_new(arena, struct etcore_option, n);
	const struct etcore_option **list =
		there ? etc_new(arena, const struct etcore_option *, n + 1) : NULL;

	for (size_t i = 0; all && list && i < n; i++) {
		uint64_t word = etc_unwire_get(r);

		all[i].size = sizeof *all;
		all[i].type = (uint32_t)word;
		all[i].form = (uint32_t)(word >> 32);
		all[i].name = get_cstr(r, arena);
		all[i].default_value = get_cstr(r, arena);
		all[i].help = get_cstr(r, arena);
		all[i].unit = get_cstr(r, arena);
		all[i].choices = get_list(r, arena);
		all[i].least = get_number(r);
		all[i].most = get_number(r);
		all[i].most_bytes = etc_unwire_get(r);
		list[i] = &all[i];
	}
	r->bad = r->bad || !all || (there && !list);
	p->options = list;
}

static void get_columns(struct etc_unwire *r, struct etc_arena *arena, struct etcore_plugin *p)
{
	bool there;
	size_t n = get_count(r, &there);
	struct etcore_column *all = etc_new(arena, struct etcore_column, n);
	const struct etcore_column **list =
		there ? etc_new(arena, const struct etcore_column *, n + 1) : NULL;

	for (size_t i = 0; all && list && i < n; i++) {
		uint64_t word = etc_unwire_get(r);

		all[i].size = sizeof *all;
		all[i].type = (uint32_t)word;
		all[i].rollup = (uint32_t)(word >> 32);
		all[i].rollup_1_1 = (uint32_t)etc_unwire_get(r);
		all[i].name = get_cstr(r, arena);
		all[i].unit = get_cstr(r, arena);
		all[i].help = get_cstr(r, arena);
		list[i] = &all[i];
	}
	r->bad = r->bad || !all || (there && !list);
	p->columns = list;
}

bool etc_wire_get_descriptor(struct etc_unwire *r, struct etc_arena *arena,
                             const struct etcore_plugin **out)
{
	struct etcore_plugin *p = etc_new(arena, struct etcore_plugin, 1);

	*out = p;
	if (!p)
		return false;
	p->size = sizeof *p;
	p->abi_major = ETCORE_PLUGIN_ABI_MAJOR;
	p->abi_minor = (uint32_t)etc_unwire_get(r);
	p->role = (uint32_t)etc_unwire_get(r);
	p->sees = (uint32_t)etc_unwire_get(r);
	set_hooks(p, etc_unwire_get(r));
	p->name = get_cstr(r, arena);
	p->version = get_cstr(r, arena);
	p->vendor = get_cstr(r, arena);
	p->description = get_cstr(r, arena);
	p->abi_least = (uint32_t)etc_unwire_get(r);
	p->backends = get_list(r, arena);
	p->title = get_cstr(r, arena);
	get_options(r, arena, p);
	get_columns(r, arena, p);
	return !r->bad;
}
