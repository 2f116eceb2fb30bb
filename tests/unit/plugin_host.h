/* plugin_host.h -- a minimal host for a plugin: opens the shared object itself, passes made-up
 * events and keeps what the sinks receive. The real host, core/host, has its own tests. */
#ifndef ETC_UNIT_PLUGIN_HOST_H
#define ETC_UNIT_PLUGIN_HOST_H

#include "unit.h"

#include <dlfcn.h>

#include "etcore/plugin.h"

#define TEXT_MAX   600
#define VALUES_MAX 64

/* The values that parse_metadata passed to the sink, each as "NAME=TYPE:VALUE". */
struct answer {
	char values[VALUES_MAX][TEXT_MAX];
	size_t count;
	bool list;
	bool columns;    /* begin_columns was called */
	size_t answered; /* number of values passed before begin_columns */
};

/* The texts and numbers that name_event and classify passed to the sink. A text that they did not
 * pass is empty. */
struct said {
	char text[32][TEXT_MAX]; /* the index is the field */
	int64_t number[32];
	bool has_number[32];
};

struct asked {
	const struct etcore_plugin *abi;
	void *library, *self;
	struct etcore_host host;
	char diagnosed[TEXT_MAX];
	size_t diagnoses;
};

static inline struct etcore_text text_of(const char *s)
{
	return (struct etcore_text){ s, s ? strlen(s) : 0 };
}

static inline void keep_text(char *to, struct etcore_text t)
{
	assert_true(t.len < TEXT_MAX);
	memcpy(to, t.len ? t.ptr : "", (size_t)t.len);
	to[t.len] = '\0';
}

static inline void asked_diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	struct asked *a = handle;

	(void)severity;
	keep_text(a->diagnosed, message);
	a->diagnoses++;
}

/* Opens the plugin at `path`. `option` gets the value `value`; NULL: no option is set. */
static inline void asked_open(struct asked *a, const char *path, const char *option,
                              const char *value)
{
	struct etcore_setting setting = { .size = sizeof setting,
		                          .name = text_of(option),
		                          .value = text_of(value) };
	const struct etcore_setting *settings[] = { &setting };

	memset(a, 0, sizeof *a);
	a->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!a->library)
		fail_msg("%s", dlerror());
	a->abi = dlsym(a->library, "etcore_plugin_v1");
	assert_non_null(a->abi);
	a->host = (struct etcore_host){ .size = sizeof a->host,
		                        .handle = a,
		                        .diagnose = asked_diagnose };
	if (a->abi->open)
		assert_int_equal(a->abi->open(&a->host, settings, option ? 1 : 0, &a->self),
		                 ETCORE_OK);
}

static inline void asked_close(struct asked *a)
{
	if (a->abi->close)
		a->abi->close(a->self);
	dlclose(a->library);
}

/* ---- made-up calls ---------------------------------------------------------- */

#define EVENTS_MAX 64

struct made {
	struct etcore_call call;
	struct etcore_event events[EVENTS_MAX];
	const struct etcore_event *pointers[EVENTS_MAX];
	struct etcore_bytes blobs[EVENTS_MAX];
};

static inline void made_init(struct made *m)
{
	memset(m, 0, sizeof *m);
	m->call.size = sizeof m->call;
	m->call.events = m->pointers;
}

static inline struct etcore_event *made_add(struct made *m, struct etcore_text id)
{
	uint32_t i = m->call.count++;
	struct etcore_event *e = &m->events[i];

	assert_true(i < EVENTS_MAX);
	e->size = sizeof *e;
	e->flags = ETCORE_EVENT_DELEGATE;
	e->delegate_id = -1;
	e->delegate_name = id;
	e->samples = 1;
	m->pointers[i] = e;
	return e;
}

/* Adds an event as made_add() does, with one blob of metadata. */
static inline struct etcore_event *made_add_blob(struct made *m, const char *id, const void *blob,
                                                 size_t len)
{
	struct etcore_event *e = made_add(m, text_of(id));

	m->blobs[m->call.count - 1] = (struct etcore_bytes){ blob, len };
	e->metadata = &m->blobs[m->call.count - 1];
	return e;
}

static inline void made_add_call_event(struct made *m)
{
	struct etcore_event *e = made_add(m, text_of(NULL));

	e->flags = ETCORE_EVENT_DELEGATE_CALL;
	e->name = text_of("DELEGATE_CALL");
}

/* ---- sinks ------------------------------------------------------------------ */

static inline etcore_result answer_keep(void *handle, struct etcore_text name, const char *type,
                                        struct etcore_text value)
{
	struct answer *a = handle;
	char n[TEXT_MAX], v[TEXT_MAX];

	assert_true(a->count < VALUES_MAX);
	keep_text(n, name);
	keep_text(v, value);
	assert_true(strlen(n) + strlen(v) + 20 < TEXT_MAX);
	snprintf(a->values[a->count++], TEXT_MAX, "%.250s=%s:%.300s", n, type, v);
	return ETCORE_OK;
}

static inline etcore_result answer_str(void *h, struct etcore_text n, struct etcore_text v)
{
	return answer_keep(h, n, "str", v);
}

static inline etcore_result answer_json(void *h, struct etcore_text n, struct etcore_text v)
{
	return answer_keep(h, n, "json", v);
}

static inline etcore_result answer_i64(void *h, struct etcore_text n, int64_t v)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", (long long)v);
	return answer_keep(h, n, "int", text_of(text));
}

static inline etcore_result answer_f64(void *h, struct etcore_text n, double v)
{
	char text[40];

	snprintf(text, sizeof text, "%.17g", v);
	return answer_keep(h, n, "float", text_of(text));
}

static inline etcore_result answer_bool(void *h, struct etcore_text n, int32_t v)
{
	return answer_keep(h, n, "bool", text_of(v ? "True" : "False"));
}

static inline etcore_result answer_null(void *h, struct etcore_text n)
{
	return answer_keep(h, n, "None", text_of(""));
}

static inline etcore_result answer_list(void *h)
{
	struct answer *a = h;

	a->list = true;
	return ETCORE_OK;
}

static inline etcore_result answer_columns(void *h)
{
	struct answer *a = h;

	assert_false(a->columns);
	a->columns = true;
	a->answered = a->count;
	return ETCORE_OK;
}

static inline etcore_result answer_json_bytes(void *h, struct etcore_text n, struct etcore_text v)
{
	return answer_keep(h, n, "json_bytes", v);
}

static inline etcore_result asked_metadata(struct asked *a, const struct made *m, uint32_t index,
                                           struct answer *out)
{
	struct etcore_sink sink = { sizeof sink,
		                    0,
		                    out,
		                    answer_str,
		                    answer_i64,
		                    answer_f64,
		                    answer_bool,
		                    answer_null,
		                    answer_json,
		                    answer_list,
		                    answer_columns,
		                    answer_json_bytes };

	memset(out, 0, sizeof *out);
	return a->abi->parse_metadata(a->self, &m->call, index, &sink);
}

static inline etcore_result said_put(void *handle, uint32_t field, struct etcore_text value)
{
	struct said *s = handle;

	assert_true(field < 32);
	keep_text(s->text[field], value);
	return ETCORE_OK;
}

static inline etcore_result said_number(void *handle, uint32_t field, int64_t value)
{
	struct said *s = handle;

	assert_true(field < 32);
	s->number[field] = value;
	s->has_number[field] = true;
	return ETCORE_OK;
}

typedef etcore_result asked_hook(void *self, const struct etcore_call *call, uint32_t index,
                                 const struct etcore_text_sink *out);

/* Calls `hook`, name_event or classify, for one event, and adds its answers to *out. Returns the
 * hook's result. */
static inline etcore_result asked_say(struct asked *a, asked_hook *hook, const struct made *m,
                                      uint32_t index, struct said *out)
{
	struct etcore_text_sink sink = { sizeof sink, 0, out, said_put, said_number };

	return hook(a->self, &m->call, index, &sink);
}

/* Returns the answers of the owner (XNNPACK's plugin) in the form in which an annotator gets
 * them. */
static inline struct etcore_facts facts_of(const struct said *s)
{
	return (struct etcore_facts){
		.size = sizeof(struct etcore_facts),
		.owner = text_of("xnnpack"),
		.backend = text_of("XnnpackBackend"),
		.display = text_of(s->text[ETCORE_NAME_DISPLAY]),
		.operator_name = text_of(s->text[ETCORE_NAME_OPERATOR]),
		.layout = text_of(s->text[ETCORE_NAME_LAYOUT]),
		.types = text_of(s->text[ETCORE_NAME_TYPES]),
		.kernel = text_of(s->text[ETCORE_NAME_KERNEL]),
		.ordinal = s->number[ETCORE_NAME_ORDINAL],
		.category = text_of(s->text[ETCORE_CLASS_CATEGORY]),
		.compute_unit = text_of(s->text[ETCORE_CLASS_COMPUTE_UNIT]),
		.precision = text_of(s->text[ETCORE_CLASS_PRECISION]),
	};
}

#endif
