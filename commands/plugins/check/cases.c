/* cases.c -- makes the calls with which plugins are tested: ordinary calls, extreme numbers, and
 * hostile texts in every field that can contain a text. */
#include "commands/plugins/check/internal.h"

#include <stdio.h>

#include "base/splitmix.h"

enum { MANY = 100, SAMPLES_MOST = 1000 };

/* Describes one event, before it is copied to fenced memory. */
struct recipe {
	struct etcore_text name, delegate_name;
	int64_t instruction_id, delegate_id;
	uint32_t flags;
	/* sample i starts and ends i * `step` later than sample 0 */
	uint64_t samples, start, end, step;
	/* metadata: sample i has blob[i modulo `blobs`] */
	struct etcore_text blob[3];
	uint32_t blobs; /* 0: metadata is NULL */
};

struct texts {
	struct etcore_text backend, method, block, processed;
	/* the text that every fact has; NULL: facts are derived from the name */
	const struct etcore_text *facts;
	uint32_t flags; /* flags of the call, including bits that a later version
	                                  * may add */
};

#define TEXT(s)                  \
	{                        \
		s, sizeof(s) - 1 \
	}
/* clang-format off */
/* Names and metadata as ExecuTorch's backends log them. */
static const struct { struct etcore_text name; int64_t id; struct etcore_text blob; } ordinary[] = {
	{ TEXT("Fully Connected (NC, QP8, F32, QB4W) GEMM #1"), -1, { NULL, 0 } },
	{ TEXT("Convolution (NHWC, PF32) IGEMM #2"), -1, { NULL, 0 } },
	{ TEXT("Convert (NC, F32, QP8) #1"), -1, { NULL, 0 } },
	{ TEXT("Softmax"), -1, TEXT("half a millisecond") },
	{ TEXT("output_1:ios17.conv"), -1,
	  TEXT("{\"operatorName\": \"ios17.conv\", \"estimatedCost\": 0.25, \"preferredComputeUnit\": \"NE\", "
	       "\"supportedComputeUnits\": [\"NE\", \"GPU\", \"CPU\"]}") },
	{ TEXT("node_7 (cycles)"), -1, TEXT("12345.75") },
	{ TEXT("{\"kernel\": \"mm\", \"id\": 3, \"groups\": [8, 1, 1]}"), -1, TEXT("[1, 2.5, \"x\", null]") },
	{ TEXT(""), 0, TEXT("\x07") },
	{ TEXT(""), 41, TEXT("\x01\x00\x00\x00\xff\xff\xff\x7f") },
	{ TEXT(""), 42, TEXT("") },
};
static const struct { const char *what; int64_t id, instruction; uint64_t start, end, samples; } extreme[] = {
	{ "no time passes", 1, 2, 0, 0, 1 },
	{ "the largest times", 1, 2, UINT64_MAX - 1, UINT64_MAX, 1 },
	{ "the end before the start", 1, 2, UINT64_MAX, 0, 1 },
	{ "a counter that starts again", 1, 2, UINT64_MAX - 10, 10, 3 },
	{ "the longest time", 1, 2, 0, UINT64_MAX, 2 },
	{ "the largest ids", INT64_MAX, INT64_MAX, 10, 20, 1 },
	{ "the smallest ids", INT64_MIN, INT64_MIN, 10, 20, 1 },
	{ "ids of 32 bits", 4294967295, 4294967295, 10, 20, 1 },
	{ "no id at all", -1, -1, 10, 20, 1 },
	{ "1000 samples", 3, 4, 10, 20, SAMPLES_MOST },
};
/* clang-format on */
enum {
	ORDINARY = sizeof ordinary / sizeof ordinary[0],
	EXTREME = sizeof extreme / sizeof extreme[0]
};

void *etc_case_struct(struct etc_fence *f, size_t size, size_t extra)
{
	char *at = etc_fence_new(f, size + extra);

	if (at && extra)
		memset(at + size, ETC_CHECK_PATTERN, extra);
	return at;
}

/* ---- building calls ------------------------------------------------------------ */

static size_t find(struct etcore_text t, const char *needle)
{
	return etc_str_find((struct etc_str){ t.ptr, (size_t)t.len }, etc_str_of(needle), 0);
}

static struct etcore_text cut(struct etcore_text t, size_t from, size_t to)
{
	struct etc_str s = etc_str_sub((struct etc_str){ t.ptr, (size_t)t.len }, from, to);

	return (struct etcore_text){ s.ptr, s.len };
}

/* Splits a name such as "Operator (LAYOUT, TYPES) KERNEL #1" into the facts that an owner would
 * report. */
static void split(struct etcore_text n, struct etcore_facts *out)
{
	size_t open = find(n, " ("), close = find(n, ")"), number = find(n, " #"),
	       comma = find(n, ", ");

	/* an owner's answers are valid UTF-8, so a name that is not valid gives no facts */
	if (etc_utf8_fault((struct etc_str){ n.ptr, (size_t)n.len }) != SIZE_MAX)
		return;
	out->display = cut(n, 0, number);
	out->operator_name = cut(n, 0, open < number ? open : number);
	if (open >= close || close == SIZE_MAX)
		return;
	out->layout = cut(n, open + 2, comma < close ? comma : close);
	if (comma < close)
		out->types = cut(n, comma + 2, close);
	if (n.len > close + 2)
		out->kernel = cut(n, close + 2, number);
}

/* Makes one column for each type of value, in the form in which an owner's hook would return it. */
static const struct etcore_value *const *lay_columns(struct etc_cases *all, struct etc_fence *f,
                                                     const struct texts *texts, uint32_t *count,
                                                     bool *ok)
{
	static const struct {
		const char *name, *text;
		uint32_t type;
	} columns[] = {
		{ "engine", "npu", ETCORE_TYPE_STR },
		{ "cycles", "", ETCORE_TYPE_I64 },
		{ "utilization", "", ETCORE_TYPE_F64 },
		{ "check.fused", "", ETCORE_TYPE_BOOL },
		{ "check.tiles", "[8, null, {\"a\": NaN}]", ETCORE_TYPE_JSON },
	};
	const uint32_t n = sizeof columns / sizeof columns[0];
	const struct etcore_value **list = etc_fence_new(f, n * sizeof *list);

	*count = n;
	*ok &= list != NULL;
	for (uint32_t i = 0; list && i < n; i++) {
		struct etcore_value *v = etc_case_struct(f, sizeof *v, all->extra);
		const char *s = columns[i].text;

		list[i] = v;
		*ok &= v != NULL;
		if (!v)
			return NULL;
		*v = (struct etcore_value){ .size = (uint32_t)(sizeof *v + all->extra),
			                    .type = columns[i].type };
		v->name = etc_fenced_text(f, columns[i].name, strlen(columns[i].name), ok);
		v->text = etc_fenced_text(f, s, strlen(s), ok);
		if (v->type == ETCORE_TYPE_STR && texts->facts)
			v->text = *texts->facts;
		v->i64 = v->type == ETCORE_TYPE_I64 ? INT64_MIN : v->type == ETCORE_TYPE_BOOL;
		v->f64 = v->type == ETCORE_TYPE_F64 ? 0.5 : 0;
	}
	return list;
}

static const struct etcore_facts *lay_facts(struct etc_cases *all, struct etc_fence *f,
                                            const struct recipe *r, const struct texts *texts,
                                            bool *ok)
{
	size_t bytes =
		all->older ? offsetof(struct etcore_facts, time) : sizeof(struct etcore_facts);
	struct etcore_facts *facts = etc_case_struct(f, bytes, all->extra), made = { 0 };
	struct etcore_time *time = etc_case_struct(f, sizeof *time, all->extra);
	const char *const *backends = all->c->abi->backends;

	*ok &= facts != NULL && time != NULL;
	if (!facts || !time)
		return NULL;
	split(r->delegate_name, &made);
	made.size = (uint32_t)(bytes + all->extra);
	*time = (struct etcore_time){ .size = (uint32_t)(sizeof *time + all->extra),
		                      .unit = ETCORE_UNIT_US,
		                      .parent = ETCORE_PARENT_CALL };
	made.time = time;
	made.columns = lay_columns(all, f, texts, &made.column_count, ok);
	made.ordinal = 1;
	made.owner = etc_fenced_text(f, "check", 5, ok);
	if (backends && backends[0])
		made.backend = etc_fenced_text(f, backends[0], strlen(backends[0]), ok);
	if (texts->facts) {
		struct etcore_text t = *texts->facts;

		made.owner = made.display = made.operator_name = made.layout = made.types = t;
		made.kernel = made.category = made.compute_unit = made.precision = t;
	}
	memcpy(facts, &made, bytes);
	return facts;
}

static const struct etcore_bytes *lay_metadata(struct etc_fence *f, const struct recipe *r,
                                               bool *ok)
{
	struct etcore_bytes *blobs;

	if (r->blobs == 0)
		return NULL;
	blobs = etc_fence_new(f, (size_t)r->samples * sizeof *blobs);
	*ok &= blobs != NULL;
	for (uint64_t i = 0; blobs && i < r->samples; i++) {
		struct etcore_text t = r->blob[i % r->blobs];

		/* large and hostile texts are in fenced memory already, so texts are not copied */
		blobs[i] = (struct etcore_bytes){ (const uint8_t *)t.ptr, t.len };
	}
	return blobs;
}

static const struct etcore_event *lay_event(struct etc_cases *all, struct etc_fence *f,
                                            const struct recipe *r, const struct texts *texts,
                                            bool *ok)
{
	struct etcore_event *e = etc_case_struct(f, sizeof *e, all->extra);
	uint64_t *start = etc_fence_new(f, (size_t)r->samples * sizeof *start);
	uint64_t *end = etc_fence_new(f, (size_t)r->samples * sizeof *end);

	if (!e || !start || !end) {
		*ok = false;
		return NULL;
	}
	for (uint64_t i = 0; i < r->samples; i++) {
		start[i] = r->start + r->step * i;
		end[i] = r->end + r->step * i;
	}
	*e = (struct etcore_event){
		.size = (uint32_t)(sizeof *e + all->extra),
		.flags = r->flags,
		.instruction_id = r->instruction_id,
		.delegate_id = r->delegate_id,
		.name = r->name,
		.delegate_name = r->delegate_name,
		.samples = r->samples,
		.start = start,
		.end = end,
		.metadata = lay_metadata(f, r, ok),
	};
	if (all->c->abi->role == ETCORE_ROLE_ANNOTATOR)
		e->facts = lay_facts(all, f, r, texts, ok);
	return e;
}

static bool lay_call(struct etc_cases *all, const struct recipe *events, uint32_t count,
                     const struct texts *texts, struct etc_case *out)
{
	struct etc_fence *f = &out->fence;
	struct etcore_call *call = etc_case_struct(f, sizeof *call, all->extra);
	const struct etcore_event **list = etc_fence_new(f, count * sizeof *list);
	bool ok = call && list;

	for (uint32_t i = 0; ok && i < count; i++)
		list[i] = lay_event(all, f, &events[i], texts, &ok);
	if (!ok)
		return false;
	*call = (struct etcore_call){
		.size = (uint32_t)(sizeof *call + all->extra),
		.count = count,
		.backend = texts->backend,
		.method = texts->method,
		.block = texts->block,
		.processed = { (const uint8_t *)texts->processed.ptr, texts->processed.len },
		.flags = texts->flags,
		.events = list,
	};
	out->call = call;
	out->what = all->what;
	return !all->sealed || etc_fence_seal(f);
}

static struct etcore_text fenced(struct etc_fence *f, struct etcore_text t, bool *ok)
{
	return t.ptr ? etc_fenced_text(f, t.ptr, (size_t)t.len, ok) : t;
}

static struct texts usual_texts(struct etc_cases *all, struct etc_fence *f, bool *ok)
{
	const char *const *backends = all->c->abi->backends;
	struct texts t = { .method = etc_fenced_text(f, "forward", 7, ok),
		           .block = etc_fenced_text(f, "Execute", 7, ok) };

	if (backends && backends[0])
		t.backend = etc_fenced_text(f, backends[0], strlen(backends[0]), ok);
	return t;
}

static unsigned samples_of(const struct etc_cases *all)
{
	unsigned n = all->c->subject->sample_count;

	return n < ETC_CHECK_SAMPLES ? n : ETC_CHECK_SAMPLES;
}

/* Returns event `k` of the recorded events of the plugin's backend. */
static struct recipe sample_event(struct etc_cases *all, struct etc_fence *f, uint32_t k,
                                  uint64_t samples, bool *ok)
{
	const struct etc_check_sample *s = &all->c->subject->samples[k];
	struct etcore_text id = { s->delegate_name.ptr, s->delegate_name.len };
	struct etcore_text name = { s->name.ptr, s->name.len };
	struct etcore_text blob = { (const char *)s->metadata.ptr, s->metadata.len };

	return (struct recipe){
		.name = fenced(f, name, ok),
		.delegate_name = fenced(f, id, ok),
		.instruction_id = s->instruction_id,
		.delegate_id = s->delegate_id,
		.flags = name.len ? 0 : ETCORE_EVENT_DELEGATE,
		.samples = samples,
		.start = s->start,
		.end = s->end,
		.step = 500000,
		.blob = { fenced(f, blob, ok) },
		.blobs = blob.len > 0,
	};
}

/* Returns an event that is made from row `i` of ordinary[] (modulo the number of rows), with start
 * and end times. */
static struct recipe ordinary_event(struct etc_fence *f, uint32_t i, uint64_t samples, bool *ok)
{
	uint32_t k = i % ORDINARY;
	struct recipe r = {
		.delegate_name = fenced(f, ordinary[k].name, ok),
		.instruction_id = 7,
		.delegate_id = ordinary[k].id,
		.flags = ETCORE_EVENT_DELEGATE,
		.samples = samples,
		.start = 1000000 + 1000 * (uint64_t)i,
		.end = 1000900 + 1000 * (uint64_t)i,
		.step = 500000,
		.blob = { fenced(f, ordinary[k].blob, ok) },
		.blobs = ordinary[k].blob.ptr != NULL,
	};

	return r;
}

/* Returns event `i` modulo the number of events of the sample. If there is no sample, returns the
 * ordinary event `instead`. */
static struct recipe known_event(struct etc_cases *all, struct etc_fence *f, uint32_t i,
                                 uint32_t instead, uint64_t samples, bool *ok)
{
	unsigned n = samples_of(all);

	return n ? sample_event(all, f, i % n, samples, ok)
	         : ordinary_event(f, instead, samples, ok);
}

static struct recipe delegate_call(struct etc_fence *f, uint64_t samples, bool *ok)
{
	return (struct recipe){
		.name = etc_fenced_text(f, "DELEGATE_CALL", 13, ok),
		.instruction_id = 7,
		.delegate_id = -1,
		.flags = ETCORE_EVENT_DELEGATE_CALL,
		.samples = samples,
		.start = 999000,
		.end = 1400000,
		.step = 500000,
	};
}

/* Makes a call: a DELEGATE_CALL event, and `count` events after it. If `sample` is set, these are
 * events of the sample dump; otherwise they are invented, with ordinary values. */
static bool usual_call(struct etc_cases *all, bool sample, uint32_t count, uint64_t samples,
                       struct etc_case *out)
{
	struct recipe events[MANY + 1];
	bool ok = true;
	struct texts texts = usual_texts(all, &out->fence, &ok);

	events[0] = delegate_call(&out->fence, samples, &ok);
	for (uint32_t i = 0; i < count; i++)
		events[i + 1] = sample ? sample_event(all, &out->fence, i, samples, &ok)
		                       : ordinary_event(&out->fence, i, samples, &ok);
	return ok && lay_call(all, events, count + 1, &texts, out);
}

/* Makes case `i` of ETC_CASES_ORDINARY. Returns 1 if the case was made, 0 if there is no such case,
 * -1 if out of memory. The functions for the other sets return the same values. */
static int ordinary_case(struct etc_cases *all, unsigned i, struct etc_case *out)
{
	static const struct {
		const char *what;
		uint32_t events;
		uint64_t samples;
	} calls[] = {
		{ "an ordinary call", ORDINARY, 1 },
		{ "an ordinary call of 3 runs", ORDINARY, 3 },
		{ "a call without events but its own", 0, 1 },
		{ "a call of 100 events", MANY, 1 },
	};
	const unsigned n = sizeof calls / sizeof calls[0], mine = samples_of(all);
	bool ok = true;
	struct texts texts = { 0 };
	struct recipe r;

	/* the first two cases contain all recorded events */
	if (mine && i < 2) {
		snprintf(all->what, sizeof all->what, "the sample's events, %u sample%s each",
		         i + 1, etc_plural(i + 1));
		out->of_sample = true;
		out->sampled = i == 0;
		return usual_call(all, true, mine, i + 1, out) ? 1 : -1;
	}
	i -= mine ? 2 : 0;
	if (i < n) {
		snprintf(all->what, sizeof all->what, "%s", calls[i].what);
		return usual_call(all, false, calls[i].events, calls[i].samples, out) ? 1 : -1;
	}
	i -= n;
	if (i >= ORDINARY + mine)
		return 0;
	out->of_sample = i >= ORDINARY;
	r = i < ORDINARY ? ordinary_event(&out->fence, i, 1, &ok)
	                 : sample_event(all, &out->fence, i - ORDINARY, 1, &ok);
	snprintf(all->what, sizeof all->what, "event '%.*s' alone, of an unknown backend",
	         (int)(r.delegate_name.len < 60 ? r.delegate_name.len : 60),
	         r.delegate_name.len ? r.delegate_name.ptr : "");
	return ok && lay_call(all, &r, 1, &texts, out) ? 1 : -1;
}

static int numbers_case(struct etc_cases *all, unsigned i, struct etc_case *out)
{
	struct recipe events[2];
	bool ok = true;
	struct texts texts;

	if (i >= EXTREME)
		return 0;
	texts = usual_texts(all, &out->fence, &ok);
	texts.flags = i % 2 ? UINT32_MAX : 0;
	for (int k = 0; k < 2; k++) {
		events[k] = known_event(all, &out->fence, (uint32_t)k, k ? 4 : 7,
		                        extreme[i].samples, &ok);
		events[k].delegate_id = extreme[i].id;
		events[k].instruction_id = extreme[i].instruction;
		events[k].start = extreme[i].start;
		events[k].end = extreme[i].end;
		events[k].step = 1;
	}
	snprintf(all->what, sizeof all->what, "%s", extreme[i].what);
	return ok && lay_call(all, events, 2, &texts, out) ? 1 : -1;
}

/* Makes a call with event `i` of the made-up events of the plugin's backend (own.c). */
static int own_case(struct etc_cases *all, unsigned i, struct etc_case *out)
{
	struct recipe events[2];
	struct etc_own_event own;
	struct texts texts;
	bool ok = true;

	if (!etc_own_event(all->c, i, &own))
		return 0;
	texts = usual_texts(all, &out->fence, &ok);
	events[0] = delegate_call(&out->fence, i % 3 + 1, &ok);
	events[1] = ordinary_event(&out->fence, i, i % 3 + 1, &ok);
	events[1].delegate_name = etc_fenced_text(&out->fence, own.name, own.name_len, &ok);
	events[1].delegate_id = own.id;
	events[1].blob[0] = etc_fenced_text(&out->fence, own.blob, own.blob_len, &ok);
	events[1].blobs = own.blob_len > 0;
	snprintf(all->what, sizeof all->what, "made-up event '%.*s' (%lld) with metadata '%.*s'",
	         (int)own.name_len, own.name, (long long)own.id,
	         (int)(own.blob_len < 24 ? own.blob_len : 24), own.blob);
	return ok && lay_call(all, events, 2, &texts, out) ? 1 : -1;
}

static bool same_call(const struct etc_check_sample *a, const struct etc_check_sample *b)
{
	return a->instruction_id == b->instruction_id && a->call_start == b->call_start &&
	       a->call_end == b->call_end;
}

static bool begins_call(const struct etc_check_sample *all, unsigned k)
{
	bool first = all[k].in_call;

	for (unsigned i = 0; i < k && first; i++)
		first = !all[i].in_call || !same_call(&all[i], &all[k]);
	return first;
}

/* Makes call `i` of the sample dump: the events of the call, then the DELEGATE_CALL. */
static int sampled_case(struct etc_cases *all, unsigned i, struct etc_case *out)
{
	const struct etc_check_sample *s = all->c->subject->samples;
	struct recipe events[ETC_CHECK_SAMPLES + 1];
	unsigned n = samples_of(all), first = 0;
	uint32_t count = 0;
	struct texts texts;
	bool ok = true;

	for (; first < n; first++)
		if (begins_call(s, first) && i-- == 0)
			break;
	if (first == n)
		return 0;
	for (unsigned k = first; k < n; k++)
		if (s[k].in_call && same_call(&s[k], &s[first]))
			events[count++] = sample_event(all, &out->fence, k, 1, &ok);
	out->of_sample = true;
	events[count] = delegate_call(&out->fence, 1, &ok);
	events[count].instruction_id = s[first].instruction_id;
	events[count].start = s[first].call_start;
	events[count].end = s[first].call_end;
	texts = usual_texts(all, &out->fence, &ok);
	snprintf(all->what, sizeof all->what, "%u events of instruction %lld of the sample",
	         (unsigned)count, (long long)s[first].instruction_id);
	return ok && lay_call(all, events, count + 1, &texts, out) ? 1 : -1;
}

/* Stores the hostile text `t` in those members of `events` and `texts` that the set of cases `set`
 * tests. Returns the names of these members, for messages. */
static const char *place_hostile(unsigned set, struct etcore_text t, struct recipe events[2],
                                 struct texts *texts)
{
	switch (set) {
	case ETC_CASES_NAMES:
		events[0].delegate_name = events[1].name = t;
		return "names";
	case ETC_CASES_METADATA:
		events[0].blob[0] = events[1].blob[1] = texts->processed = t;
		events[0].blobs = 1;
		events[1].blobs = 3;
		return "metadata";
	default:
		texts->backend = texts->method = texts->block = t;
		texts->facts = &texts->processed;
		texts->processed = t;
		return "backend, method, block and facts";
	}
}

static int hostile_case(struct etc_cases *all, unsigned set, unsigned i, struct etc_case *out)
{
	struct recipe events[2];
	struct etc_hostile h;
	struct texts texts;
	const char *where;
	bool ok = true;

	if (!etc_hostile_text(&out->fence, i, all->sets & ETC_CASES_LARGE, &h))
		return h.failed ? -1 : 0;
	texts = usual_texts(all, &out->fence, &ok);
	events[0] = known_event(all, &out->fence, i, 4, 1, &ok);
	events[1] = known_event(all, &out->fence, i + 1, 6, 3, &ok);
	where = place_hostile(set, h.text, events, &texts);
	snprintf(all->what, sizeof all->what, "%s as %s", h.what, where);
	return ok && lay_call(all, events, 2, &texts, out) ? 1 : -1;
}

/* ---- random calls -------------------------------------------------------------------- */

enum { RANDOM_EVENTS = 24, RANDOM_SAMPLES = 6, RANDOM_TEXT = 600 };

static uint64_t below(uint64_t *state, uint64_t n)
{
	return etc_splitmix(state) % n;
}

/* Returns a text that is to be mutated: a name or metadata of an event of the sample dump or of an
 * ordinary invented event, a hostile text, or an empty text. */
static struct etcore_text seed_text(struct etc_cases *all, struct etc_fence *f, uint64_t *state,
                                    bool *ok)
{
	const unsigned mine = samples_of(all);
	const struct etc_check_sample *s;
	struct etc_own_event own;
	struct etc_hostile h;
	uint64_t k = below(state, ORDINARY);

	switch (below(state, 8)) {
	case 0:
	case 1:
		if (mine == 0)
			return ordinary[k].name;
		s = &all->c->subject->samples[below(state, mine)];
		return (struct etcore_text){ s->delegate_name.ptr, s->delegate_name.len };
	case 2:
	case 3:
		if (mine == 0)
			return ordinary[k].blob;
		s = &all->c->subject->samples[below(state, mine)];
		return (struct etcore_text){ (const char *)s->metadata.ptr, s->metadata.len };
	case 4:
		if (etc_hostile_text(f, (unsigned)below(state, 60), false, &h))
			return h.text;
		*ok &= !h.failed;
		return (struct etcore_text){ NULL, 0 };
	case 5:
	case 6:
		k = below(state, etc_own_events(all->c));
		if (!etc_own_event(all->c, (unsigned)k, &own))
			return (struct etcore_text){ NULL, 0 };
		return below(state, 2) ? etc_fenced_text(f, own.name, own.name_len, ok)
		                       : etc_fenced_text(f, own.blob, own.blob_len, ok);
	default:
		return (struct etcore_text){ NULL, 0 };
	}
}

/* Makes one change: changes a byte, removes some bytes, or inserts a word that often breaks
 * parsers. */
static size_t mutate(uint64_t *state, char *at, size_t len)
{
	static const char *const words[] = { "-1",       "18446744073709551616",
		                             "1e999",    "nan",
		                             "\"",       "{",
		                             "[",        "\\u",
		                             ":",        ",",
		                             " #1",      "(",
		                             ")",        "=",
		                             "%s",       "\xff",
		                             "\xe2\x82", "\n",
		                             "0x",       "." };
	const char *word = words[below(state, sizeof words / sizeof words[0])];
	size_t place = below(state, len + 1), n = strlen(word), cut;

	switch (below(state, 3)) {
	case 0:
		if (place < len)
			at[place] = (char)etc_splitmix(state);
		return len;
	case 1:
		cut = below(state, len - place + 1);
		memmove(at + place, at + place + cut, len - place - cut);
		return len - cut;
	default:
		if (len + n > RANDOM_TEXT)
			return len;
		memmove(at + place + n, at + place, len - place);
		memcpy(at + place, word, n);
		return len + n;
	}
}

static struct etcore_text random_text(struct etc_cases *all, struct etc_fence *f, uint64_t *state,
                                      bool *ok)
{
	struct etcore_text from = seed_text(all, f, state, ok);
	size_t len = from.len < RANDOM_TEXT ? (size_t)from.len : RANDOM_TEXT;
	char text[RANDOM_TEXT];

	if (len)
		memcpy(text, from.ptr, len);
	if (!from.ptr) {
		len = below(state, 40);
		for (size_t i = 0; i < len; i++)
			text[i] = (char)etc_splitmix(state);
	}
	for (uint64_t i = below(state, 6); i > 0; i--)
		len = mutate(state, text, len);
	return etc_fenced_text(f, text, len, ok);
}

/* Returns a random number, often one at the edge of a range. */
static uint64_t random_number(uint64_t *state)
{
	static const uint64_t edges[] = { 0,
		                          1,
		                          2,
		                          UINT32_MAX,
		                          (uint64_t)1 << 32,
		                          INT64_MAX,
		                          UINT64_MAX,
		                          UINT64_MAX - 1,
		                          (uint64_t)1 << 63,
		                          1000000 };
	uint64_t shift = below(state, 64);

	return below(state, 3) ? etc_splitmix(state) >> shift
	                       : edges[below(state, sizeof edges / sizeof edges[0])];
}

static struct recipe random_event(struct etc_cases *all, struct etc_fence *f, uint64_t *state,
                                  uint64_t samples, bool *ok)
{
	struct recipe r = {
		.delegate_id = below(state, 2) ? -1 : (int64_t)random_number(state),
		.instruction_id = (int64_t)random_number(state),
		.flags = below(state, 8) ? ETCORE_EVENT_DELEGATE : (uint32_t)etc_splitmix(state),
		.samples = samples,
		.start = random_number(state),
		.step = below(state, 2) ? random_number(state) : 1000,
	};

	r.end = below(state, 4) ? r.start + below(state, 1000000) : random_number(state);
	if (below(state, 5))
		r.delegate_name = random_text(all, f, state, ok);
	if (below(state, 5) == 0)
		r.name = random_text(all, f, state, ok);
	r.blobs = (uint32_t)below(state, 4);
	for (uint32_t i = 0; i < r.blobs; i++)
		r.blob[i] = random_text(all, f, state, ok);
	return r;
}

/* Makes random call `i`. The call depends only on the seed and `i`. */
static int random_case(struct etc_cases *all, unsigned i, struct etc_case *out)
{
	uint64_t state = all->c->subject->seed * 0x100000001b3u + i, samples;
	struct recipe events[RANDOM_EVENTS];
	struct texts texts;
	bool ok = true;
	uint32_t count;

	if (i >= ETC_CASES_RANDOM_MOST)
		return 0;
	texts = usual_texts(all, &out->fence, &ok);
	count = (uint32_t)below(&state, RANDOM_EVENTS) + 1;
	samples = below(&state, RANDOM_SAMPLES) + 1;
	events[0] = delegate_call(&out->fence, samples, &ok);
	for (uint32_t k = below(&state, 2) ? 1 : 0; ok && k < count; k++)
		events[k] = random_event(all, &out->fence, &state, samples, &ok);
	if (below(&state, 4) == 0)
		texts.processed = random_text(all, &out->fence, &state, &ok);
	if (below(&state, 8) == 0)
		texts.backend = random_text(all, &out->fence, &state, &ok);
	texts.flags = (uint32_t)below(&state, 2);
	snprintf(all->what, sizeof all->what, "call %u of seed %llu, %u events", i,
	         (unsigned long long)all->c->subject->seed, (unsigned)count);
	return ok && lay_call(all, events, count, &texts, out) ? 1 : -1;
}

static int case_of(struct etc_cases *all, unsigned set, unsigned i, struct etc_case *out)
{
	switch (set) {
	case ETC_CASES_ORDINARY:
		return ordinary_case(all, i, out);
	case ETC_CASES_NUMBERS:
		return numbers_case(all, i, out);
	case ETC_CASES_RANDOM:
		return random_case(all, i, out);
	case ETC_CASES_CALLS:
		return sampled_case(all, i, out);
	case ETC_CASES_OWN:
		return own_case(all, i, out);
	default:
		return hostile_case(all, set, i, out);
	}
}

static bool make_case(struct etc_cases *all)
{
	unsigned set = 1u << (all->at >> 16), i = all->at & 0xffff;

	for (; set < ETC_CASES_LARGE; set <<= 1, i = 0, all->at = (all->at & ~0xffffu) + 0x10000) {
		int made;

		if (!(all->sets & set))
			continue;
		all->one = (struct etc_case){ .fence.pool = &all->pool };
		made = case_of(all, set, i, &all->one);
		if (made > 0) {
			all->at++;
			return true;
		}
		etc_fence_release(&all->one.fence);
		if (made < 0) {
			etc_check_failed(all->c, "out of memory");
			return false;
		}
	}
	return false;
}

const struct etc_case *etc_cases_next(struct etc_cases *all)
{
	etc_fence_release(&all->one.fence);
	if (!etc_check_has_failed(all->c) && make_case(all))
		return &all->one;
	etc_fence_pool_release(&all->pool);
	return NULL;
}

void etc_cases_end(struct etc_cases *all)
{
	etc_fence_release(&all->one.fence);
	etc_fence_pool_release(&all->pool);
}
