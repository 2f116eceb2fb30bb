/* frozen.c -- a plugin of ABI 1.1: every hook, field, constant and sink that 1.1 appended, once. Needs
 * nothing, not even libc; what 1.0 has is in ../abi1_frozen/frozen.c.
 *
 * Built with the header beside it, which is etcore/plugin.h as it was when 1.1 was
 * frozen. Neither this file nor that header is ever changed: README.md.
 * With FROZEN_NOTES it is the annotator that goes with it. */
#include "plugin.h"

#define TEXT(s) ((struct etcore_text){ (s), sizeof(s) - 1 })

static int is(struct etcore_text t, const char *text)
{
	uint64_t i = 0;

	while (i < t.len && text[i] && t.ptr[i] == text[i])
		i++;
	return i == t.len && !text[i];
}

#ifndef FROZEN_NOTES

/* ---- an instance: options and a file, in the pointer itself ------------------------------- */

enum { FAST = 1, SET = 2 }; /* and the factor above, which the file begins with */

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	uintptr_t state = SET, factor = 0, lanes = 0;

	if (!ETCORE_HAS(host, struct etcore_host, get_service) || host->abi_minor < 1 ||
	    host->get_service(host->handle, "frozen/none"))
		return ETCORE_FAILED;
	for (uint32_t i = 0; i < count; i++) {
		const struct etcore_setting *s = settings[i];

		if (!ETCORE_HAS(s, struct etcore_setting, content))
			return ETCORE_FAILED;
		if (is(s->name, "mode") && is(s->value, "fast"))
			state |= FAST;
		if (is(s->name, "lanes") && s->value.len == 1)
			lanes = (uintptr_t)(s->value.ptr[0] - '0');
		if (is(s->name, "table") && s->content.len)
			factor = (uintptr_t)(s->content.ptr[0] - '0');
	}
	*self = (void *)(state | factor << 8 | lanes << 4);
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	(void)self;
}

static int64_t factor(const void *self)
{
	return (int64_t)((uintptr_t)self >> 8 & 15);
}

/* ---- hooks --------------------------------------------------------------------------------- */

static int32_t probe(void *self, const struct etcore_call *call)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++)
		if (is(call->events[i]->delegate_name, "frozen graph"))
			return 100;
	return 0;
}

static etcore_result put_columns(const struct etcore_sink *out, int64_t value)
{
	void *h = out->handle;
	etcore_result r = out->i64(h, TEXT("frozen_mean"), value);

	r = r ? r : out->i64(h, TEXT("frozen_min"), value);
	r = r ? r : out->f64(h, TEXT("frozen_max"), (double)value);
	return r ? r : out->f64(h, TEXT("frozen_time_mean"), (double)value / 2);
}

/* Columns: the factor of the file times the bytes of the first sample. */
static etcore_result parse_metadata(void *self, const struct etcore_call *call, uint32_t index,
                                    const struct etcore_sink *out)
{
	const struct etcore_event *e = call->events[index];

	if (!e->metadata || !e->samples || !e->metadata[0].len)
		return ETCORE_DECLINE;
	return put_columns(out, factor(self) * (int64_t)e->metadata[0].len);
}

static etcore_result describe_time(void *self, const struct etcore_call *call,
                                   struct etcore_time *const *times)
{
	(void)self;
	for (uint32_t i = 0; i < call->count; i++) {
		struct etcore_time *t = times[i];

		if (!(call->events[i]->flags & ETCORE_EVENT_DELEGATE))
			continue;
		if (!ETCORE_HAS(t, struct etcore_time, sync_host))
			return ETCORE_FAILED;
		t->unit = ETCORE_UNIT_CYCLES;
		t->ns_per_unit = 0.5;
		t->clock = ETCORE_CLOCK_FOREIGN;
		t->sync_device = 200000;
		t->sync_host = 1000;
		if (is(call->events[i]->delegate_name, "frozen engine"))
			t->duration = ETCORE_DURATION_CONCURRENT;
	}
	return ETCORE_OK;
}

enum { SAMPLES = 64, PAIR = 2 };

/* One pair of bytes of each sample: a letter, and a time in hundreds. What begins with a capital letter is part of the
 * one before it; 'p' has a place in time, 't' times of its own. */
static etcore_result put_child(void *self, const struct etcore_event *e, uint32_t n,
                               const struct etcore_child_sink *out)
{
	const struct etcore_time time = { .size = sizeof time,
		                          .kind = ETCORE_KIND_PACKING,
		                          .unit = ETCORE_UNIT_NS,
		                          .clock = ETCORE_CLOCK_NONE,
		                          .resolution = 1 };
	const char letter = (char)e->metadata[0].ptr[n * PAIR];
	uint64_t durations[SAMPLES], starts[SAMPLES];
	char name[] = "part ?";
	struct etcore_child child = { .size = sizeof child,
		                      .parent = ETCORE_PARENT_CALL,
		                      .name = { name, sizeof name - 1 },
		                      .samples = e->samples,
		                      .durations = durations };
	int64_t sum = 0;
	etcore_result r;

	name[sizeof name - 2] = letter;
	for (uint64_t i = 0; i < e->samples; i++) {
		const struct etcore_bytes *b = &e->metadata[i];

		durations[i] = b->len > n * PAIR + 1 ? b->ptr[n * PAIR + 1] * 100u : 0;
		starts[i] = 50;
		sum += (int64_t)durations[i];
	}
	if (letter >= 'A' && letter <= 'Z' && n)
		child.parent = (int32_t)n - 1;
	if (letter == 'p')
		child.starts = starts;
	if (letter == 't')
		child.time = &time;
	r = out->begin(out->handle, &child);
	r = r ? r : out->facts->put(out->facts->handle, ETCORE_NAME_KERNEL, TEXT("frozen kernel"));
	r = r ? r : out->facts->put_number(out->facts->handle, ETCORE_NAME_ORDINAL, (int64_t)n + 1);
	r = r ? r
	      : out->facts->put(out->facts->handle, ETCORE_CLASS_CATEGORY,
	                        letter == 't' ? TEXT("packing") : TEXT("convolution"));
	return r ? r : put_columns(out->columns, factor(self) * sum);
}

static etcore_result expand_event(void *self, const struct etcore_call *call, uint32_t index,
                                  const struct etcore_child_sink *out)
{
	const struct etcore_event *e = call->events[index];
	etcore_result r = ETCORE_OK;

	if (!ETCORE_HAS(out, struct etcore_child_sink, columns))
		return ETCORE_FAILED;
	if (!e->metadata || !e->samples || e->samples > SAMPLES ||
	    !is(e->delegate_name, "frozen graph"))
		return ETCORE_DECLINE;
	for (uint32_t n = 0; n < e->metadata[0].len / PAIR && n < SAMPLES && r == ETCORE_OK; n++) {
		const uint8_t letter = e->metadata[0].ptr[n * PAIR];

		if (letter < ' ' || letter > '~')
			return ETCORE_CORRUPT;
		r = put_child(self, e, n, out);
	}
	return r;
}

static const void *get_instance_extension(void *self, const char *id)
{
	static const char greeting[] = "frozen";

	(void)self;
	return is((struct etcore_text){ id, 8 }, "frozen/1") ? greeting : 0;
}

/* ---- the descriptor --------------------------------------------------------------------------- */

static const char *const modes[] = { "slow", "fast", 0 };
static const struct etcore_option mode = { .size = sizeof mode,
	                                   .type = ETCORE_TYPE_STR,
	                                   .name = "mode",
	                                   .default_value = "slow",
	                                   .help = "how it runs",
	                                   .form = ETCORE_FORM_PLAIN,
	                                   .choices = modes },
				  lanes = { .size = sizeof lanes,
	                                    .type = ETCORE_TYPE_I64,
	                                    .name = "lanes",
	                                    .default_value = "2",
	                                    .help = "of the engine",
	                                    .unit = "lanes",
	                                    .least = 1,
	                                    .most = 8 },
				  table = { .size = sizeof table,
	                                    .type = ETCORE_TYPE_STR,
	                                    .name = "table",
	                                    .help = "begins with the factor",
	                                    .form = ETCORE_FORM_FILE,
	                                    .most_bytes = 64 },
				  plain = ETCORE_OPTION(ETCORE_TYPE_BOOL, "plain", "no",
                                                        "yes or no");
static const struct etcore_option *const options[] = { &mode, &lanes, &table, &plain, 0 };

#define COLUMN(id, type_, name_, later)                                        \
	static const struct etcore_column id = { .size = sizeof id,            \
		                                 .type = (type_),              \
		                                 .name = (name_),              \
		                                 .unit = "cycles",             \
		                                 .help = "of the table",       \
		                                 .rollup = ETCORE_ROLLUP_NONE, \
		                                 .rollup_1_1 = (later) }
COLUMN(mean, ETCORE_TYPE_I64, "frozen_mean", ETCORE_ROLLUP_MEAN);
COLUMN(least, ETCORE_TYPE_I64, "frozen_min", ETCORE_ROLLUP_MIN);
COLUMN(most, ETCORE_TYPE_F64, "frozen_max", ETCORE_ROLLUP_MAX);
COLUMN(weighed, ETCORE_TYPE_F64, "frozen_time_mean", ETCORE_ROLLUP_TIME_MEAN);
static const struct etcore_column unused =
	ETCORE_COLUMN(ETCORE_TYPE_STR, "frozen_text", 0, "nothing", ETCORE_ROLLUP_SET);
static const struct etcore_column *const columns[] = { &mean, &least, &most, &weighed, &unused, 0 };

static const char *const backends[] = { "FrozenBackend", 0 };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_OWNER,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "frozen",
	.version = "1.1.0",
	.vendor = "etcore",
	.description = "a plugin of ABI 1.1",
	.backends = backends,
	.options = options,
	.columns = columns,
	.open = open_instance,
	.close = close_instance,
	.probe = probe,
	.parse_metadata = parse_metadata,
	.describe_time = describe_time,
	.abi_least = 1,
	.get_instance_extension = get_instance_extension,
	.expand_event = expand_event,
};

#else

/* ---- the annotator -------------------------------------------------------------------------------- */

static int is_as_owned(const struct etcore_facts *f)
{
	int found = 0;

	for (uint32_t i = 0; i < f->column_count; i++) {
		const struct etcore_value *v = f->columns[i];

		if (!ETCORE_HAS(v, struct etcore_value, f64))
			return 0;
		found += v->type == ETCORE_TYPE_I64 && is(v->name, "frozen_min") && v->i64 > 0;
		found += v->type == ETCORE_TYPE_F64 && is(v->name, "frozen_max") && v->f64 > 0;
	}
	return found == 2 && f->time->unit == ETCORE_UNIT_CYCLES && f->time->sync_host == 1000;
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_facts *f = call->events[index]->facts;
	void *h = out->handle;
	etcore_result r;

	(void)self;
	if (!f || !ETCORE_HAS(f, struct etcore_facts, column_count) || !is(f->owner, "frozen") ||
	    !is_as_owned(f))
		return ETCORE_DECLINE;
	r = out->put(h, ETCORE_CLASS_KERNEL_LIBRARY, TEXT("frozen library"));
	r = r ? r : out->put_number(h, ETCORE_CLASS_LIBRARY_RAN, ETCORE_RAN_YES);
	r = r ? r : out->put(h, ETCORE_CLASS_LIBRARY_WHY, TEXT("cycles"));
	return r ? r : out->put_number(h, ETCORE_CLASS_IS_MATRIX, 1);
}

static const char *const backends[] = { "FrozenBackend", 0 };

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "frozen_notes",
	.version = "1.1.0",
	.vendor = "etcore",
	.description = "an annotator of ABI 1.1",
	.backends = backends,
	.classify = classify,
	.title = "Frozen Library",
};

#endif
