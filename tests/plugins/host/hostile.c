/* hostile.c -- an owner that claims every call, and gives answers that a plugin must not give. The
 * option `how` selects the answer. Without the option the plugin gives none. */
#include <etcore/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })
enum { MILLION = 1000000, FAR = 1100000 };

struct instance {
	char how[32];
};

static int is(void *self, const char *how)
{
	return strcmp(((struct instance *)self)->how, how) == 0;
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct instance *a = calloc(1, sizeof *a);

	(void)host;
	if (!a)
		return ETCORE_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		if (settings[i]->value.len < sizeof a->how)
			memcpy(a->how, settings[i]->value.ptr, (size_t)settings[i]->value.len);
	*self = a;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	free(self);
}

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)call;
	return is(self, "probe") ? INT32_MAX : 100;
}

/* Passes a million values or more, until the sink returns an error. With "deaf", ignores the error
 * and goes on. */
static etcore_result many(void *self, const struct etcore_sink *out)
{
	int list = is(self, "list"), deaf = is(self, "deaf"), same = is(self, "duplicates");
	long most = is(self, "endless") || deaf ? FAR : MILLION;
	etcore_result r = list ? out->begin_list(out->handle) : ETCORE_OK;

	for (long i = 0; i < most && (r == ETCORE_OK || deaf); i++) {
		char name[32];
		int n = snprintf(name, sizeof name, "family.%ld", same ? i % 2 : i);
		struct etcore_text t = { name, list ? 0 : (uint64_t)n };

		r = out->i64(out->handle, t, i);
	}
	return deaf ? ETCORE_OK : r;
}

static etcore_result large_json(const struct etcore_sink *out)
{
	size_t size = 4 << 20;
	char *t = malloc(size);
	etcore_result r;

	if (!t)
		return ETCORE_NOMEM;
	memset(t, '[', size / 2);
	memset(t + size / 2, ']', size / 2);
	r = out->json(out->handle, TEXT("json"), (struct etcore_text){ t, size });
	free(t);
	return r;
}

static etcore_result large_text(const struct etcore_sink *out)
{
	size_t size = 5000000;
	char *t = malloc(size);
	etcore_result r;

	if (!t)
		return ETCORE_NOMEM;
	memset(t, 'x', size);
	r = out->str(out->handle, TEXT("text"), (struct etcore_text){ t, size });
	free(t);
	return r;
}

static etcore_result parse(void *self, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	(void)call;
	/* These answers take long, so the plugin gives them only for the first three events of a
	 * call. */
	if (index > 2 && (is(self, "list") || is(self, "deaf") || is(self, "duplicates")))
		return ETCORE_DECLINE;
	if (is(self, "million") || is(self, "list") || is(self, "endless") || is(self, "deaf") ||
	    is(self, "duplicates"))
		return many(self, out);
	if (is(self, "text_without_end"))
		return out->str(out->handle, TEXT("text"), (struct etcore_text){ "x", UINT64_MAX });
	if (is(self, "name_without_end"))
		return out->i64(out->handle, (struct etcore_text){ "family.", UINT64_MAX / 2 }, 1);
	if (is(self, "no_pointer"))
		return out->str(out->handle, TEXT("text"), (struct etcore_text){ NULL, 5 });
	if (is(self, "large_text"))
		return large_text(out);
	if (is(self, "not_utf8"))
		return out->str(out->handle, TEXT("text"), TEXT("a\xff\xfe"));
	if (is(self, "controls"))
		return out->str(out->handle, TEXT("text"), TEXT("\x1b[2J\0\x07\r\n\t|,\"'"));
	if (is(self, "nan"))
		return out->f64(out->handle, TEXT("number"), (double)NAN);
	if (is(self, "infinite"))
		return out->f64(out->handle, TEXT("number"), -(double)INFINITY);
	if (is(self, "wrong_type"))
		return out->str(out->handle, TEXT("number"), TEXT("12"));
	if (is(self, "undeclared"))
		return out->i64(out->handle, TEXT("surprise"), 1);
	if (is(self, "broken_json"))
		return out->json(out->handle, TEXT("json"), TEXT("{\"a\": "));
	if (is(self, "deep_json"))
		return large_json(out);
	if (is(self, "dict_then_list")) {
		etcore_result r = out->i64(out->handle, TEXT("family.a"), 1);

		return r ? r : out->begin_list(out->handle);
	}
	if (is(self, "unknown_result"))
		return 4711;
	return ETCORE_DECLINE;
}

static etcore_result convert(void *self, const struct etcore_call *call, uint32_t index,
                             const struct etcore_scales *scales, const uint64_t *raw,
                             uint64_t count, const struct etcore_number_sink *out)
{
	uint64_t n = is(self, "more_times") ? FAR : is(self, "fewer_times") ? count - 1 : count;
	etcore_result r = ETCORE_OK;

	(void)call, (void)index, (void)scales, (void)raw;
	if (is(self, "nan_times") || is(self, "infinite_times")) {
		double v = is(self, "nan_times") ? (double)NAN : (double)INFINITY;

		for (uint64_t i = 0; i < n && r == ETCORE_OK; i++)
			r = out->f64(out->handle, v);
		return r;
	}
	if (!is(self, "more_times") && !is(self, "fewer_times"))
		return ETCORE_DECLINE;
	for (uint64_t i = 0; i < n; i++)
		r = out->i64(out->handle, INT64_MIN);
	return ETCORE_OK;
}

/* Gives the delegate event `i` a clock of its own, in ns. Makes it a child of event `of` if that is
 * another delegate event of the call. */
static void nest(const struct etcore_call *call, uint32_t i, uint32_t of, struct etcore_time *t)
{
	if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
		return;
	t->clock = ETCORE_CLOCK_FOREIGN;
	t->ns_per_unit = 1;
	if (of < call->count && of != i && (call->events[of]->flags & ETCORE_EVENT_DELEGATE))
		t->parent = (int32_t)of;
}

static etcore_result describe(void *self, const struct etcore_call *call,
                              struct etcore_time *const *times)
{
	for (uint32_t i = 0; i < call->count; i++) {
		if (is(self, "time_nonsense"))
			memset((char *)times[i] + 4, 0xff, sizeof *times[i] - 4);
		else if (is(self, "time_nan"))
			times[i]->ns_per_unit = (double)NAN;
		else if (is(self, "time_negative"))
			times[i]->ns_per_unit = -1;
		else if (is(self, "time_tiny"))
			times[i]->ns_per_unit = 5e-324;
		else if (is(self, "time_huge"))
			times[i]->ns_per_unit = 1e308;
		else if (is(self, "time_circle"))
			times[i]->parent = (int32_t)((i + 1) % call->count);
		else if (is(self, "time_wraps"))
			times[i]->wraps_at = 1;
		else if (is(self, "time_nest"))
			nest(call, i, i + 1, times[i]);
		else if (is(self, "time_siblings"))
			nest(call, i, 0, times[i]);
		else
			return ETCORE_DECLINE;
		if (!is(self, "time_nonsense"))
			times[i]->unit = ETCORE_UNIT_TICKS;
	}
	return ETCORE_OK;
}

static etcore_result name_event(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_text_sink *out)
{
	etcore_result r = ETCORE_OK;

	(void)call;
	if (is(self, "name_field"))
		return out->put_number(out->handle, ETCORE_NAME_DISPLAY, 1);
	if (is(self, "name_later"))
		return out->put(out->handle, 1u << 30, TEXT("x"));
	if (is(self, "time_nest") || is(self, "time_siblings"))
		return out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("all"));
	if (is(self, "name_ordinal"))
		return out->put_number(out->handle, ETCORE_NAME_ORDINAL, INT64_MIN);
	if (is(self, "name_text"))
		return out->put(out->handle, ETCORE_NAME_DISPLAY,
		                (struct etcore_text){ "x", UINT64_MAX });
	for (long i = 0; is(self, "name_often") && index < 3 && i < FAR; i++)
		r = out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("x"));
	return is(self, "name_often") ? r : ETCORE_DECLINE;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	(void)call, (void)index;
	if (is(self, "class_of_another_hook"))
		return out->put(out->handle, ETCORE_NAME_OPERATOR, TEXT("x"));
	if (is(self, "class_ran"))
		return out->put_number(out->handle, ETCORE_CLASS_LIBRARY_RAN, 99);
	return ETCORE_DECLINE;
}

static etcore_result map_event(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_map_sink *out)
{
	etcore_result r = ETCORE_OK;

	(void)call;
	for (long i = 0; is(self, "map_million") && i < MILLION && r == ETCORE_OK; i++)
		r = out->debug_handle(out->handle, i - 5);
	for (long i = 0; is(self, "map_endless") && index < 3 && i < FAR; i++)
		r = out->debug_handle(out->handle, INT64_MIN);
	if (is(self, "map_key"))
		return out->key(out->handle, (struct etcore_text){ "\xff", UINT64_MAX });
	return is(self, "map_million") || is(self, "map_endless") ? r : ETCORE_DECLINE;
}

/* clang-format off */
static const struct etcore_option how = ETCORE_OPTION(ETCORE_TYPE_STR, "how", "nothing", "what to answer");
static const struct etcore_option *const options[] = { &how, NULL };
#define COLUMN(id, kind, text) \
	static const struct etcore_column id = ETCORE_COLUMN(kind, text, "", "", ETCORE_ROLLUP_SUM)
COLUMN(text, ETCORE_TYPE_STR, "text");
COLUMN(number, ETCORE_TYPE_F64, "number");
COLUMN(json, ETCORE_TYPE_JSON, "json");
COLUMN(family, ETCORE_TYPE_I64, "family.*");
/* clang-format on */
static const struct etcore_column *const columns[] = { &text, &number, &json, &family, NULL };
static const char *const backends[] = { "HostileBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "hostile",
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
	.name_event = name_event,
	.classify = classify,
	.map_event = map_event,
};
