/* good.c -- an owner that keeps its contract, except where the delegate_name of an event asks for
 * something else. Tests select the behaviour by these names. */
#include <etcore/plugin.h>

#include <stdlib.h>
#include <string.h>

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

struct good {
	const struct etcore_host *host;
	uint32_t settings;
	char level[32]; /* value of the option "level" */
};

static int is(const struct etcore_call *call, uint32_t index, const char *word)
{
	const struct etcore_text *n = &call->events[index]->delegate_name;

	return n->len == strlen(word) && memcmp(n->ptr, word, n->len) == 0;
}

static etcore_result good_open(const struct etcore_host *host,
                               const struct etcore_setting *const *settings, uint32_t count,
                               void **self)
{
	struct good *g = calloc(1, sizeof *g);

	if (!g)
		return ETCORE_NOMEM;
	g->host = host;
	g->settings = count;
	for (uint32_t i = 0; i < count; i++) {
		if (settings[i]->name.len == 5 && memcmp(settings[i]->name.ptr, "level", 5) == 0 &&
		    settings[i]->value.len < sizeof g->level)
			memcpy(g->level, settings[i]->value.ptr, settings[i]->value.len);
		if (settings[i]->value.len == 4 && memcmp(settings[i]->value.ptr, "fail", 4) == 0) {
			free(g);
			return ETCORE_FAILED;
		}
	}
	*self = g;
	return ETCORE_OK;
}

static void good_close(void *self)
{
	free(self);
}

static int32_t good_probe(void *self, const struct etcore_call *call)
{
	(void)self;
	if (call->count && is(call, 0, "score 1000"))
		return 1000;
	return call->count && is(call, 0, "mine") ? 80 : 0;
}

/* Passes one value of every type. */
static etcore_result dict(const struct good *g, const struct etcore_sink *out)
{
	struct etcore_text level = { g->level, strlen(g->level) };
	etcore_result r = out->str(out->handle, TEXT("text"), level);

	r = r ? r : out->i64(out->handle, TEXT("whole"), INT64_MIN);
	r = r ? r : out->f64(out->handle, TEXT("real"), 0.5);
	/* the same name again: this value replaces the one before, as in a dict */
	r = r ? r : out->i64(out->handle, TEXT("real"), 7);
	r = r ? r : out->boolean(out->handle, TEXT("flag"), 2);
	r = r ? r : out->json(out->handle, TEXT("any"), TEXT("{\"a\": [1, NaN]}"));
	r = r ? r : out->null(out->handle, TEXT("good.family"));
	return r;
}

static etcore_result list(const struct etcore_event *e, const struct etcore_sink *out)
{
	etcore_result r = out->begin_list(out->handle);

	for (uint64_t i = 0; r == ETCORE_OK && i < e->samples; i++)
		r = out->i64(out->handle, (struct etcore_text){ 0 },
		             e->metadata ? (int64_t)e->metadata[i].len : -1);
	return r;
}

/* Passes a list: for each sample, the sum of the bytes of its metadata. */
static etcore_result sums(const struct etcore_event *e, const struct etcore_sink *out)
{
	etcore_result r = out->begin_list(out->handle);

	for (uint64_t i = 0; r == ETCORE_OK && i < e->samples; i++) {
		int64_t sum = 0;

		for (uint64_t k = 0; k < e->metadata[i].len; k++)
			sum += e->metadata[i].ptr[k];
		r = out->i64(out->handle, (struct etcore_text){ 0 }, sum);
	}
	return r;
}

static etcore_result many(const struct etcore_sink *out)
{
	etcore_result r = ETCORE_OK;
	char name[16] = "good.000000";

	for (int i = 0; r == ETCORE_OK && i < 100; i++) {
		name[9] = (char)('0' + i / 10);
		name[10] = (char)('0' + i % 10);
		r = out->i64(out->handle, (struct etcore_text){ name, 11 }, i);
		r = r ? r : out->i64(out->handle, (struct etcore_text){ name, 11 }, -i);
	}
	return r;
}

/* Passes a list for the Inspector, and then columns for the other commands. With `again`, begins
 * the columns a second time, which is an error. */
static etcore_result both(const struct etcore_sink *out, int again)
{
	etcore_result r = out->begin_list(out->handle);

	r = r ? r
	      : out->json_bytes(out->handle, (struct etcore_text){ 0 },
	                        TEXT("{\"b\": [b\"AP8n\", b\"\"], \"c\": \"b\\\"b\"}"));
	r = r ? r : out->begin_columns(out->handle);
	r = r ? r : out->i64(out->handle, TEXT("whole"), 1);
	r = r ? r : out->i64(out->handle, TEXT("whole"), 2);
	r = r ? r : out->str(out->handle, TEXT("text"), TEXT("t"));
	return r || !again ? r : out->begin_columns(out->handle);
}

static etcore_result endless(const struct etcore_sink *out)
{
	etcore_result r = out->begin_list(out->handle);

	while (r == ETCORE_OK)
		r = out->null(out->handle, (struct etcore_text){ 0 });
	return r;
}

static etcore_result good_parse(void *self, const struct etcore_call *call, uint32_t index,
                                const struct etcore_sink *out)
{
	const struct good *g = self;

	if (is(call, index, "dict"))
		return dict(g, out);
	if (is(call, index, "list"))
		return list(call->events[index], out);
	if (is(call, index, "sums"))
		return sums(call->events[index], out);
	if (is(call, index, "both") || is(call, index, "columns twice"))
		return both(out, is(call, index, "columns twice"));
	if (is(call, index, "bytes in a column")) {
		out->begin_columns(out->handle);
		return out->json_bytes(out->handle, TEXT("any"), TEXT("b\"\""));
	}
	if (is(call, index, "bad base64"))
		return out->json_bytes(out->handle, TEXT("any"), TEXT("[b\"AP8\"]"));
	if (is(call, index, "bytes in json"))
		return out->json(out->handle, TEXT("any"), TEXT("[b\"AP8=\"]"));
	if (is(call, index, "many"))
		return many(out);
	if (is(call, index, "endless"))
		return endless(out);
	if (is(call, index, "undeclared"))
		return out->i64(out->handle, TEXT("surprise"), 1);
	if (is(call, index, "ignores the sink")) {
		out->i64(out->handle, TEXT("surprise"), 1);
		out->i64(out->handle, TEXT("whole"), 1);
		return ETCORE_OK;
	}
	if (is(call, index, "type"))
		return out->str(out->handle, TEXT("whole"), TEXT("1"));
	if (is(call, index, "utf8"))
		return out->str(out->handle, TEXT("text"), TEXT("\xff"));
	if (is(call, index, "bad json"))
		return out->json(out->handle, TEXT("any"), TEXT("{\"a\":}"));
	if (is(call, index, "no pointer"))
		return out->str(out->handle, TEXT("text"), (struct etcore_text){ NULL, 5 });
	if (is(call, index, "long"))
		return out->str(out->handle, TEXT("text"), (struct etcore_text){ "x", 1ull << 40 });
	if (is(call, index, "mixed")) {
		out->begin_list(out->handle);
		return out->i64(out->handle, TEXT("whole"), 1);
	}
	if (is(call, index, "unnamed"))
		return out->i64(out->handle, (struct etcore_text){ 0 }, 1);
	if (is(call, index, "corrupt"))
		return ETCORE_CORRUPT;
	if (is(call, index, "strange result"))
		return 42;
	if (is(call, index, "remarks"))
		g->host->diagnose(g->host->handle, ETCORE_SEVERITY_WARNING, TEXT("well, well"));
	if (is(call, index, "chats"))
		g->host->diagnose(g->host->handle, ETCORE_SEVERITY_NOTE, TEXT("by the way"));
	return ETCORE_DECLINE;
}

static etcore_result good_convert(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_scales *scales, const uint64_t *raw,
                                  uint64_t count, const struct etcore_number_sink *out)
{
	etcore_result r = ETCORE_OK;

	(void)self;
	if (is(call, index, "decline"))
		return ETCORE_DECLINE;
	if (is(call, index, "few"))
		count--;
	for (uint64_t i = 0; i < count && r == ETCORE_OK; i++)
		r = i % 2 && is(call, index, "both kinds")
		            ? out->i64(out->handle, (int64_t)raw[i])
		            : out->f64(out->handle, (double)raw[i] / scales->factor);
	if (is(call, index, "too many"))
		return out->i64(out->handle, 1);
	return r;
}

static etcore_result good_time(void *self, const struct etcore_call *call,
                               struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		times[i]->unit = is(call, i, "strange unit") ? 99 : ETCORE_UNIT_US;
		times[i]->clock = ETCORE_CLOCK_HOST;
		times[i]->rounding = ETCORE_ROUNDING_TRUNCATED;
		if (is(call, i, "in parallel") &&
		    ETCORE_HAS(times[i], struct etcore_time, sync_host)) {
			times[i]->clock = ETCORE_CLOCK_FOREIGN;
			times[i]->duration = ETCORE_DURATION_CONCURRENT;
			times[i]->sync_device = UINT64_MAX - 1;
			times[i]->sync_host = 17;
		}
		if (is(call, i, "unheard of"))
			times[i]->duration = ETCORE_DURATION_CONCURRENT + 1;
		if (is(call, i, "circle"))
			times[i]->parent = (int32_t)(i ? i - 1 : call->count - 1);
		if (is(call, i, "far parent"))
			times[i]->parent = (int32_t)call->count;
	}
	return ETCORE_OK;
}

static etcore_result good_name(void *self, const struct etcore_call *call, uint32_t index,
                               const struct etcore_text_sink *out)
{
	etcore_result r;

	(void)self;
	if (is(call, index, "wrong field"))
		return out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("gemm"));
	r = out->put(out->handle, 4711, TEXT("a field of a later version"));
	r = r ? r : out->put(out->handle, ETCORE_NAME_OPERATOR, TEXT("Fully Connected"));
	r = r ? r : out->put(out->handle, ETCORE_NAME_DISPLAY, TEXT("Fully Connected #2"));
	return r ? r
	         : out->put_number(out->handle, ETCORE_NAME_ORDINAL,
	                           is(call, index, "ordinal 0") ? 0 : 2);
}

static etcore_result good_classify(void *self, const struct etcore_call *call, uint32_t index,
                                   const struct etcore_text_sink *out)
{
	(void)self, (void)call, (void)index;
	return out->put(out->handle, ETCORE_CLASS_CATEGORY, TEXT("gemm"));
}

static etcore_result good_map(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_map_sink *out)
{
	etcore_result r;

	(void)self;
	if (is(call, index, "not edge"))
		return out->not_edge_handles(out->handle);
	r = out->debug_handle(out->handle, 3);
	r = r ? r : out->debug_handle(out->handle, 1);
	return r ? r : out->key(out->handle, TEXT("key 7"));
}

/* clang-format off */
static const struct etcore_option
	level  = ETCORE_OPTION(ETCORE_TYPE_I64, "level", "3", "how deep, in layers"),
	rate   = ETCORE_OPTION(ETCORE_TYPE_F64, "rate", "1.5", "in Hz"),
	on     = ETCORE_OPTION(ETCORE_TYPE_BOOL, "on", "true", "whether"),
	label  = ETCORE_OPTION(ETCORE_TYPE_STR, "label", NULL, "what to call it; fail: open() fails"),
	shape  = ETCORE_OPTION(ETCORE_TYPE_JSON, "shape", "[1, 2]", "a list");
static const struct etcore_option *const options[] = { &level, &rate, &on, &label, &shape, NULL };

static const struct etcore_column
	text   = ETCORE_COLUMN(ETCORE_TYPE_STR, "text", NULL, "a text", ETCORE_ROLLUP_SET),
	whole  = ETCORE_COLUMN(ETCORE_TYPE_I64, "whole", "bytes", "a whole number", ETCORE_ROLLUP_SUM),
	real   = ETCORE_COLUMN(ETCORE_TYPE_F64, "real", "ns", "a number", ETCORE_ROLLUP_SUM),
	flag   = ETCORE_COLUMN(ETCORE_TYPE_BOOL, "flag", NULL, "a truth value", ETCORE_ROLLUP_FIRST),
	any    = ETCORE_COLUMN(ETCORE_TYPE_JSON, "any", NULL, "anything", ETCORE_ROLLUP_NONE),
	family = ETCORE_COLUMN(ETCORE_TYPE_JSON, "good.*", NULL, "keys of the data", ETCORE_ROLLUP_NONE);
static const struct etcore_column *const columns[] = { &text, &whole, &real, &flag, &any, &family, NULL };
/* clang-format on */
static const char *const backends[] = { "GoodBackend", NULL };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE | ETCORE_SEES_OPERATOR,
	.name = "good",
	.version = "1.2.3",
	.vendor = "tests",
	.description = "keeps its contract",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = good_open,
	.close = good_close,
	.probe = good_probe,
	.parse_metadata = good_parse,
	.convert_time = good_convert,
	.describe_time = good_time,
	.name_event = good_name,
	.classify = good_classify,
	.map_event = good_map,
};
