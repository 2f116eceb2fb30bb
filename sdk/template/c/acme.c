/* acme.c -- explains the events of a backend to etcore.
 *
 * This is a complete plugin. It owns the backend "AcmeBackend", whose runtime logs events such as
 *
 *     acc:conv2d:0        with metadata        cycles=288000 dram=65536
 *
 * with times in ns of the host's clock, or in ticks of its own clock. Replace
 * the parts that a comment calls YOURS, then run the test (README.md). The
 * contract, with every rule, is etcore/plugin.h. */
#include <etcore/plugin.h>

#include <stdlib.h>
#include <string.h>

#define TEXT(literal) ((struct etcore_text){ (literal), sizeof(literal) - 1 })

/* ---- what the plugin declares -------------------------------------------------- */

/* YOURS: the ids under which the backend is registered in ExecuTorch. */
static const char *const backends[] = { "AcmeBackend", NULL };

/* YOURS: keys of the section [plugin.acme] of etcore.ini. */
static const struct etcore_option ticks_per_second = {
	.size = sizeof ticks_per_second,
	.type = ETCORE_TYPE_I64,
	.name = "ticks_per_second",
	.help = "rate of the accelerator's clock, in Hz; not set: times are the host's, in ns",
};
static const struct etcore_option *const options[] = { &ticks_per_second, NULL };

/* YOURS: the columns that parse_metadata fills. The host refuses any other name. If other backends
 * measure the same value, use the common name for it (docs/columns.md), else a name of your own. */
static const struct etcore_column cycles = {
	.size = sizeof cycles,
	.type = ETCORE_TYPE_I64,
	.name = "cycles",
	.unit = "cycles",
	.help = "cycles in which the accelerator computed",
	.rollup = ETCORE_ROLLUP_SUM,
};
static const struct etcore_column dram = {
	.size = sizeof dram,
	.type = ETCORE_TYPE_I64,
	.name = "acme_dram",
	.unit = "bytes",
	.help = "bytes read from and written to memory",
	.rollup = ETCORE_ROLLUP_SUM,
};
static const struct etcore_column *const columns[] = { &cycles, &dram, NULL };

/* ---- an instance ------------------------------------------------------------------ */

/* All state of an instance. Do not use mutable globals, because several instances may be used by
 * several threads. */
struct instance {
	double ns_per_tick; /* 0: times are not ticks, but ns of the runtime's clock */
};

/* Parses the whole number at the start of `t`. Returns 1, or 0 if there is none. The text is not
 * NUL-terminated and may contain any byte, so do not pass it to strtol(), whose result also depends
 * on the locale. */
static int number(struct etcore_text t, int64_t *out)
{
	uint64_t i = 0;
	int64_t v = 0;

	for (; i < t.len && t.ptr[i] >= '0' && t.ptr[i] <= '9'; i++) {
		if (v > (INT64_MAX - 9) / 10)
			return 0;
		v = v * 10 + (t.ptr[i] - '0');
	}
	*out = v;
	return i > 0;
}

static int same(struct etcore_text a, struct etcore_text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, (size_t)a.len) == 0);
}

/* Makes an instance. `settings` has each declared option that the INI file sets or that has a
 * default. The host has checked that the values have the declared types. */
static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct instance *a = calloc(1, sizeof *a);
	int64_t rate = 0;

	(void)host;
	if (!a)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (same(settings[i]->name, TEXT("ticks_per_second")))
			number(settings[i]->value, &rate);
	a->ns_per_tick = rate > 0 ? 1e9 / (double)rate : 0;
	*self = a;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

/* ---- names: "acc:OPERATOR:NUMBER" ------------------------------------------------------ */

struct name {
	struct etcore_text operator_name;
	int64_t number;
};

/* YOURS: reads an event's name. Returns 0 if the event is not one of this backend. */
static int read_name(const struct etcore_event *e, struct name *out)
{
	struct etcore_text t = e->delegate_name, rest;
	const char *colon;

	if (t.len <= 4 || memcmp(t.ptr, "acc:", 4) != 0)
		return 0;
	rest = (struct etcore_text){ t.ptr + 4, t.len - 4 };
	colon = memchr(rest.ptr, ':', (size_t)rest.len);
	if (!colon || colon == rest.ptr)
		return 0;
	out->operator_name = (struct etcore_text){ rest.ptr, (uint64_t)(colon - rest.ptr) };
	/* Answers must be UTF-8. This backend's names are ASCII; an event with another name is not
	 * one of this backend. */
	for (uint64_t i = 0; i < out->operator_name.len; i++)
		if (rest.ptr[i] < ' ' || rest.ptr[i] > '~')
			return 0;
	rest.len -= out->operator_name.len + 1;
	rest.ptr = colon + 1;
	return number(rest, &out->number);
}

/* ---- hooks ----------------------------------------------------------------------------- */

/* Returns how certainly this call belongs to the backend, from 0 (it does not) to 100 (certain).
 * Called if neither an ETRecord nor the program names the backend, and to check the backend that
 * they name. */
static int32_t probe(void *self, const struct etcore_call *call)
{
	struct name name;

	(void)self;
	for (uint32_t i = 0; i < call->count; i++)
		if (read_name(call->events[i], &name))
			return 90;
	return 0;
}

/* Passes the number after `key` to its column, if the key occurs. */
static etcore_result put_number(const struct etcore_sink *out, struct etcore_text blob,
                                struct etcore_text key, const char *column)
{
	int64_t value;

	for (uint64_t i = 0; i + key.len <= blob.len; i++) {
		struct etcore_text rest = { blob.ptr + i + key.len, blob.len - i - key.len };

		if (memcmp(blob.ptr + i, key.ptr, (size_t)key.len) == 0 && number(rest, &value))
			return out->i64(out->handle, (struct etcore_text){ column, strlen(column) },
			                value);
	}
	return ETCORE_OK;
}

/* YOURS: passes the columns of one event to the sink, as a delegate_metadata_parser in Python would
 * return them. Here the values are those of the first run. If the sink returns an error, stop and
 * return that error. */
static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];
	struct etcore_text blob;
	etcore_result r;

	(void)self;
	if (!e->metadata || e->metadata[0].len == 0)
		return ETCORE_DECLINE;
	blob = (struct etcore_text){ (const char *)e->metadata[0].ptr, e->metadata[0].len };
	r = put_number(out, blob, TEXT("cycles="), cycles.name);
	return r ? r : put_number(out, blob, TEXT("dram="), dram.name);
}

/* YOURS: describes the unit and clock of each event's start and end. Without this hook the unit is
 * unknown: the host then shows raw numbers, and no sums. */
static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	const struct instance *a = self;
	struct name name;

	for (uint32_t i = 0; i < call->count; i++) {
		if (!read_name(call->events[i], &name))
			continue; /* the host has filled in the description of unknown times */
		times[i]->unit = a->ns_per_tick > 0 ? ETCORE_UNIT_TICKS : ETCORE_UNIT_NS;
		times[i]->ns_per_unit = a->ns_per_tick;
		/* CLOCK_HOST is only for times that were read from the runtime's clock. */
		times[i]->clock = a->ns_per_tick > 0 ? ETCORE_CLOCK_FOREIGN : ETCORE_CLOCK_HOST;
		times[i]->kind = same(name.operator_name, TEXT("copy")) ? ETCORE_KIND_OVERHEAD
		                                                        : ETCORE_KIND_OP;
	}
	return ETCORE_OK;
}

/* YOURS: passes the names of an event to the sink. Events with the same display name are added up
 * in one row. */
static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	struct name name;
	etcore_result r;

	(void)self;
	if (!read_name(call->events[index], &name))
		return ETCORE_DECLINE;
	r = out->put(out->handle, ETCORE_NAME_DISPLAY, name.operator_name);
	r = r ? r : out->put(out->handle, ETCORE_NAME_OPERATOR, name.operator_name);
	return r ? r : out->put_number(out->handle, ETCORE_NAME_ORDINAL, name.number + 1);
}

/* YOURS: passes category and compute unit of an event to the sink. Use the words of
 * docs/columns.md, so that all backends have the same categories in --by category. Do not guess:
 * leave out what the data do not show. */
static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	static const struct {
		const char *operator_name, *category;
	} words[] = {
		{ "conv2d", "convolution" },
		{ "matmul", "gemm" },
		{ "copy", "data movement" },
	};
	struct name name;
	etcore_result r;

	(void)self;
	if (!read_name(call->events[index], &name))
		return ETCORE_DECLINE;
	r = out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT, TEXT("NPU"));
	for (size_t i = 0; r == ETCORE_OK && i < sizeof words / sizeof words[0]; i++) {
		struct etcore_text word = { words[i].operator_name,
			                    strlen(words[i].operator_name) };

		if (same(name.operator_name, word))
			r = out->put(out->handle, ETCORE_CLASS_CATEGORY,
			             (struct etcore_text){ words[i].category,
			                                   strlen(words[i].category) });
	}
	return r;
}

/* ---- the one symbol that is exported ------------------------------------------------------ */

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "acme",
	.version = "0.1.0",
	.vendor = "YOURS: who maintains it",
	.description = "events of AcmeBackend",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.describe_time = describe_time,
	.name_event = name_event,
	.classify = classify,
};
