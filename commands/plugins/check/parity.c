/* parity.c -- compares the plugin's answers with recorded answers of a parser written in Python.
 * Hooks are called for one event at a time, as `etcore inspector` does. Two values are equal if
 * Python's repr() prints them in the same way; so 1 and 1.0 differ. */
#include <stdio.h>
#include <stdlib.h>

#include "commands/plugins/check/taps.h"

enum { SHOWN = 160 }; /* maximum number of bytes of a value that are shown */

struct parity {
	struct etc_checking *c;
	struct etc_drive *drive;
	const struct etc_check_subject *subject;
	const struct etc_recorded_event *event; /* the current event */
	uint32_t number;                        /* its number, from 1 */
	/* number of compared answers of parse_metadata; number of compared answers of
	 * convert_time */
	uint32_t parsed, times;
	/* the plugin's answers for the current event differ from the recorded ones */
	bool differs;
	uint32_t different; /* number of events that differ */
	char first[500];    /* description of the first difference */
	/* scratch: a recorded value and the plugin's value as text */
	struct etc_text recorded, answered;
};

static struct etc_str visible(struct parity *p)
{
	const struct etc_recorded_event *e = p->event;

	return e->name.len ? etc_str_sub(e->name, 0, 80)
	                   : etc_arena_printf(p->c->arena, "%lld", (long long)e->id);
}

/* Records that the plugin's answers for the current event differ from the recorded ones. Stores a
 * description of the first such event. */
static void differ(struct parity *p, const char *hook, const char *what)
{
	p->differs = true;
	if (!p->first[0])
		snprintf(p->first, sizeof p->first, "event %u '" ETC_STR_FMT "', %s: %s",
		         (unsigned)p->number, ETC_STR_ARG(visible(p)), hook, what);
}

/* Compares `recorded` and `answered` as repr() prints them. `where` says which value it is: "column
 * 'x'", "item 3". */
static void compare(struct parity *p, const char *hook, const char *where,
                    const struct etc_datum *recorded, const struct etc_datum *answered)
{
	char what[2 * SHOWN + 200];

	p->recorded.len = p->answered.len = 0;
	p->subject->repr(&p->recorded, recorded);
	p->subject->repr(&p->answered, answered);
	if (p->recorded.failed || p->answered.failed) {
		etc_check_failed(p->c, "out of memory");
		return;
	}
	if (etc_str_eq(etc_text_str(&p->recorded), etc_text_str(&p->answered)))
		return;
	snprintf(what, sizeof what, "%s is " ETC_STR_FMT ", Python said " ETC_STR_FMT, where,
	         ETC_STR_ARG(etc_str_sub(etc_text_str(&p->answered), 0, SHOWN)),
	         ETC_STR_ARG(etc_str_sub(etc_text_str(&p->recorded), 0, SHOWN)));
	differ(p, hook, what);
}

/* ---- parse_metadata ------------------------------------------------------------------ */

/* Compares the plugin's values with the recorded values. Names must have the same order, because it
 * determines the order of columns. */
static void compare_values(struct parity *p, const struct etc_datum_intake *in)
{
	static const char *const forms[] = { "nothing", "a list", "a dict" };
	const char *hook = "parse_metadata";
	const struct etc_recorded_event *e = p->event;
	uint8_t form = in->count ? in->form : (uint8_t)ETC_PARSED_NONE;
	char what[400];

	if (form != e->form) {
		snprintf(what, sizeof what, "it answered %s, Python %s", forms[form],
		         forms[e->form]);
		differ(p, hook, what);
		return;
	}
	for (uint32_t i = 0; i < in->count && i < e->value_count && !p->differs; i++) {
		struct etc_str a = etc_str_sub(in->items[i].name, 0, 80),
			       b = etc_str_sub(e->values[i].name, 0, 80);

		if (!etc_str_eq(in->items[i].name, e->values[i].name)) {
			snprintf(what, sizeof what,
			         "its column %u is '" ETC_STR_FMT "', Python's '" ETC_STR_FMT "'",
			         (unsigned)i + 1, ETC_STR_ARG(a), ETC_STR_ARG(b));
			differ(p, hook, what);
			return;
		}
		if (form == ETC_PARSED_LIST)
			snprintf(what, sizeof what, "item %u", (unsigned)i + 1);
		else
			snprintf(what, sizeof what, "column '" ETC_STR_FMT "'", ETC_STR_ARG(a));
		compare(p, hook, what, &e->values[i], &in->items[i]);
	}
	if (in->count != e->value_count) {
		snprintf(what, sizeof what, "it answered %u values, Python %u", (unsigned)in->count,
		         (unsigned)e->value_count);
		differ(p, hook, what);
	}
}

/* Calls parse_metadata. Compares what `etcore inspector` would make of the answer with what was
 * recorded: an answer or an exception of the Python parser. */
static void parse(struct parity *p, const struct etc_case *one)
{
	const char *hook = "parse_metadata";
	struct etc_datum_intake in = { .form = ETC_PARSED_NONE };
	etcore_result r = ETCORE_DECLINE;
	char what[300];

	if (!p->c->abi->parse_metadata) {
		differ(p, hook, "the plugin does not have it");
		return;
	}
	r = etc_drive_parse(p->drive, one, &in);
	p->parsed++;
	if (in.in.fault[0] && r != ETCORE_CORRUPT) {
		snprintf(what, sizeof what, "its answer is dropped: %s", in.in.fault);
		differ(p, hook, what);
	} else if ((r == ETCORE_CORRUPT) != p->event->raised) {
		differ(p, hook,
		       p->event->raised ? "it did not return ETCORE_CORRUPT, but Python raised"
		                        : "it returned ETCORE_CORRUPT, but Python did not raise");
	} else if (r == ETCORE_OK) {
		compare_values(p, &in);
	} else if (r == ETCORE_DECLINE) {
		in.count = 0;
		compare_values(p, &in);
	} else if (r != ETCORE_CORRUPT) {
		snprintf(what, sizeof what, "it returned %d", (int)r);
		differ(p, hook, what);
	}
	etc_datum_intake_release(&in);
}

/* ---- convert_time --------------------------------------------------------------------- */

/* Converts times as the Inspector does if the plugin declines to convert them: divides each by
 * p->subject->factor. */
static void divide(struct parity *p, const uint64_t *raw, struct etc_converted *out)
{
	for (uint64_t i = 0; i < p->event->samples; i++)
		out[i] = (struct etc_converted){ .f = (double)raw[i] / p->subject->factor };
}

static void convert(struct parity *p, const struct etc_case *one, bool end)
{
	const struct etc_recorded_event *e = p->event;
	const struct etcore_event *given = one->call->events[0];
	const uint64_t *raw = end ? given->end : given->start;
	struct etc_converted *out = etc_new(p->c->arena, struct etc_converted, (size_t)e->samples);
	const struct etcore_scales scales = { .size = sizeof scales,
		                              .source = p->subject->recording->source,
		                              .target = p->subject->recording->target,
		                              .factor = p->subject->factor };

	if (!out) {
		etc_check_failed(p->c, "out of memory");
		return;
	}
	if (!p->c->abi->convert_time ||
	    !etc_drive_convert(p->drive, one, &scales, raw, e->samples, out))
		divide(p, raw, out);
	p->times += (uint32_t)e->samples;
	for (uint64_t i = 0; i < e->samples && !p->differs; i++) {
		struct etc_datum d = { .kind = out[i].is_integer ? ETC_DATUM_I64 : ETC_DATUM_F64 };
		char where[60];

		if (out[i].is_integer)
			d.i = out[i].i;
		else
			d.f = out[i].f;
		snprintf(where, sizeof where, "%s %llu of run %llu", end ? "end" : "start",
		         (unsigned long long)raw[i], (unsigned long long)i + 1);
		compare(p, "convert_time", where, &e->times[end][i], &d);
	}
}

/* ---- the events ------------------------------------------------------------------------- */

static struct etcore_text given_text(struct etc_fence *f, struct etc_str s, bool *ok)
{
	return s.len ? etc_fenced_text(f, s.ptr, s.len, ok) : (struct etcore_text){ 0 };
}

static const uint64_t *given_ticks(struct etc_fence *f, const uint64_t *from, uint64_t n, bool *ok)
{
	uint64_t *to = etc_fence_new(f, (size_t)n * sizeof *to);

	*ok &= to != NULL;
	if (to && n)
		memcpy(to, from, (size_t)n * sizeof *to);
	return to;
}

static const struct etcore_bytes *given_blobs(struct etc_fence *f,
                                              const struct etc_recorded_event *e, bool *ok)
{
	struct etcore_bytes *to;

	if (!e->metadata)
		return NULL;
	to = etc_fence_new(f, (size_t)e->samples * sizeof *to);
	*ok &= to != NULL;
	for (uint64_t i = 0; to && i < e->samples; i++) {
		struct etc_span s = e->metadata[i];
		struct etcore_text t =
			given_text(f, (struct etc_str){ (const char *)s.ptr, s.len }, ok);

		to[i] = (struct etcore_bytes){ (const uint8_t *)t.ptr, t.len };
	}
	return to;
}

/* Makes a call with one event, in the form in which `etcore inspector` passes it. The memory of
 * the call ends at an inaccessible page (base/fence.h). */
static bool lay(const struct etc_recorded_event *e, struct etc_case *out)
{
	struct etc_fence *f = &out->fence;
	struct etcore_event *event = etc_case_struct(f, sizeof *event, 0);
	const struct etcore_event **list = etc_fence_new(f, sizeof *list);
	struct etcore_call *call = etc_case_struct(f, sizeof *call, 0);
	bool ok = event && list && call;

	if (!ok)
		return false;
	*event = (struct etcore_event){
		.size = sizeof *event,
		.flags = ETCORE_EVENT_DELEGATE,
		.instruction_id = -1,
		.delegate_id = e->id,
		.delegate_name = given_text(f, e->name, &ok),
		.samples = e->samples,
		.start = given_ticks(f, e->start, e->samples, &ok),
		.end = given_ticks(f, e->end, e->samples, &ok),
		.metadata = given_blobs(f, e, &ok),
	};
	list[0] = event;
	*call = (struct etcore_call){ .size = sizeof *call,
		                      .count = 1,
		                      .backend = given_text(f, e->backend, &ok),
		                      .events = list };
	out->call = call;
	return ok && etc_fence_seal(f);
}

static void ask(struct parity *p, struct etc_fence_pool *pool)
{
	struct etc_case one = { .what = "a recorded event", .fence.pool = pool };

	p->differs = false;
	p->drive->record.len = 0;
	if (!lay(p->event, &one)) {
		etc_check_failed(p->c, "out of memory");
	} else {
		if (p->event->parsed)
			parse(p, &one);
		for (int end = 0; end < 2 && p->event->times[end] && !p->differs; end++)
			convert(p, &one, end);
		p->different += p->differs;
	}
	etc_fence_release(&one.fence);
}

void etc_check_parity(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };
	struct etc_fence_pool pool = { 0 };
	struct parity p = { .c = c, .drive = &d, .subject = c->subject };
	const struct etc_recording *r = c->subject->recording;

	if (!r) {
		etc_check_skip(c, "no recorded answers: --expected FILE");
		return;
	}
	if (etc_drive_open(&d, c))
		for (uint32_t i = 0; i < r->count && !etc_check_has_failed(c); i++) {
			p.event = &r->events[i];
			p.number = i + 1;
			ask(&p, &pool);
		}
	if (d.threw[0])
		etc_check_failed(c, "%s", d.threw);
	if (d.fault[0])
		etc_check_failed(c, "%s", d.fault);
	if (p.different)
		etc_check_failed(c, "%s (%u of %u events differ)", p.first, (unsigned)p.different,
		                 (unsigned)r->count);
	etc_check_note(c, "%u events: %u answers of parse_metadata, %u times as Python gave them",
	               (unsigned)r->count, (unsigned)p.parsed, (unsigned)p.times);
	etc_text_release(&p.recorded);
	etc_text_release(&p.answered);
	etc_fence_pool_release(&pool);
	etc_drive_close(&d);
}
