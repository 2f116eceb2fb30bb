/* drive.c -- calls hooks as the host does and records their answers. */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "commands/plugins/check/taps.h"
#include "base/memory.h"
#include "host/guard.h"

enum { ARENA = 256 << 20, MANY_TIMES = 4096 };

/* Arguments and result of a hook. */
struct body {
	struct etc_drive *d;
	uint8_t hook; /* enum hook */
	const struct etcore_call *call;
	uint32_t index;
	etcore_result result;
	const struct etcore_scales *scales;
	const uint64_t *raw;
	uint64_t count;
	struct etcore_time **times;
	const struct etcore_setting *const *settings;
	uint32_t setting_count;
};

/* The hooks, and the name of each in messages, in the same order. */
enum hook { OPEN, CLOSE, PROBE, PARSE, CONVERT, DESCRIBE, NAME, CLASSIFY, MAP, EXPAND };
static const char *const hook_names[] = { "open",           "close",        "probe",
	                                  "parse_metadata", "convert_time", "describe_time",
	                                  "name_event",     "classify",     "map_event",
	                                  "expand_event" };

static void call_hook(void *arg)
{
	struct body *b = arg;
	struct etc_drive *d = b->d;
	const struct etcore_plugin *p = d->c->abi;
	const struct etc_taps *t = d->taps;

	switch (b->hook) {
	case OPEN:
		b->result = p->open(t->host, b->settings, b->setting_count, &d->self);
		break;
	case CLOSE:
		p->close(d->self);
		break;
	case PROBE:
		b->result = p->probe(d->self, b->call);
		break;
	case PARSE:
		b->result = p->parse_metadata(d->self, b->call, b->index, t->data);
		break;
	case CONVERT:
		b->result = p->convert_time(d->self, b->call, b->index, b->scales, b->raw, b->count,
		                            t->numbers);
		break;
	case DESCRIBE:
		b->result = p->describe_time(d->self, b->call, b->times);
		break;
	case NAME:
		b->result = p->name_event(d->self, b->call, b->index, t->facts);
		break;
	case CLASSIFY:
		b->result = p->classify(d->self, b->call, b->index, t->facts);
		break;
	case MAP:
		b->result = p->map_event(d->self, b->call, b->index, t->map);
		break;
	default:
		b->result = p->expand_event(d->self, b->call, b->index, t->children);
	}
}

/* ---- one hook --------------------------------------------------------------------- */

/* The state of the clocks when a hook is called. */
struct begin {
	/* elapsed: a monotonic clock; used: processor time of this thread */
	struct timespec elapsed, used;
	long waits; /* how often this thread has waited for anything except a processor */
};

static struct begin begin_now(void)
{
	struct begin now;
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	now.waits = r.ru_nvcsw;
	clock_gettime(CLOCK_MONOTONIC, &now.elapsed);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now.used);
	return now;
}

static unsigned between_us(const struct timespec *begin, const struct timespec *end)
{
	return (unsigned)((end->tv_sec - begin->tv_sec) * 1000000 +
	                  (end->tv_nsec - begin->tv_nsec) / 1000);
}

/* Measures the duration of a hook call, and stores it if the call is the slowest so far. If the
 * hook waited for a thread, a process or a clock, the duration is the elapsed time. Otherwise it is
 * the processor time, which does not depend on what other programs do. */
static void time_it(struct etc_drive *d, const struct begin *begin)
{
	struct begin end = begin_now();
	unsigned us = end.waits > begin->waits ? between_us(&begin->elapsed, &end.elapsed)
	                                       : between_us(&begin->used, &end.used);

	if (us < d->slowest_us && d->slowest)
		return;
	d->slowest_us = us;
	d->slowest = d->taps->hook;
	snprintf(d->slow_case, sizeof d->slow_case, "%s", d->taps->what);
}

/* Calls a hook, and stores its result in `b`. Returns false if the hook threw a C++ exception. */
static bool call(struct etc_drive *d, enum hook hook, uint32_t index, struct body *b)
{
	struct etc_taps *t = d->taps;
	struct begin begin = { 0 };
	char what[160], text[220];
	bool ok;

	b->hook = (uint8_t)hook;
	t->hook = hook_names[hook];
	t->index = index;
	t->calls = 0;
	t->refused = false;
	if (!d->quiet)
		snprintf(d->c->board->doing, sizeof d->c->board->doing, "%s given %s", t->hook,
		         t->what);
	if (d->timed)
		begin = begin_now();
	ok = etc_guard(call_hook, b, what, sizeof what);
	if (d->timed)
		time_it(d, &begin);
	if (!ok) {
		snprintf(text, sizeof text, "a C++ exception left it: %s", what);
		etc_taps_say(t, d->threw, text);
		b->result = ETCORE_FAILED;
	}
	return ok;
}

/* Reports a result that a hook must not return. `faulty`: the sink refused an invalid answer of the
 * hook, which was reported already. In that case the hook may return ETCORE_FAILED or
 * ETCORE_NOMEM. */
static void judge_result(struct etc_drive *d, etcore_result r, bool faulty)
{
	char text[60];

	if (!faulty && !d->taps->refused && (r == ETCORE_FAILED || r == ETCORE_NOMEM))
		etc_taps_say(d->taps, d->gave_up,
		             r == ETCORE_FAILED ? "it returned ETCORE_FAILED"
		                                : "it returned ETCORE_NOMEM");
	if (r > ETCORE_DECLINE || r < ETCORE_NOMEM) {
		snprintf(text, sizeof text, "it returned %d, which is no ETCORE_ result", (int)r);
		etc_taps_say(d->taps, d->result, text);
	}
	if (d->taps->refused && r != ETC_CHECK_REFUSAL)
		etc_taps_say(d->taps, d->insisted,
		             "it did not return what its sink had refused with");
	etc_text_printf(&d->record, "%s %u = %d\n", d->taps->hook, (unsigned)d->taps->index,
	                (int)r);
}

static void judge_answer(struct etc_drive *d, const struct etc_intake *in, etcore_result r)
{
	judge_result(d, r, in->fault[0] != '\0');
	if (in->fault[0])
		etc_taps_say(d->taps, d->taps->hook[0] == 'p' ? d->data_fault : d->fault,
		             in->fault);
}

static void start_intake(struct etc_drive *d, struct etc_intake *in)
{
	in->arena = &d->taps->arena;
	in->plugin = d->c->abi;
}

/* ---- the hooks ---------------------------------------------------------------------- */

static void do_probe(struct etc_drive *d, struct body *b)
{
	char text[80];

	if (!d->c->abi->probe || !call(d, PROBE, 0, b))
		return;
	if (b->result < 0 || b->result > 100) {
		snprintf(text, sizeof text, "it returned %d; expected 0 to 100", (int)b->result);
		etc_taps_say(d->taps, d->result, text);
	}
	d->declined |= b->result < 50;
	etc_text_printf(&d->record, "probe = %d\n", (int)b->result);
}

static void take_parsed(struct etc_drive *d, struct body *b, struct etc_datum_intake *in)
{
	start_intake(d, &in->in);
	d->taps->to_data = etc_datum_sink(in);
	if (call(d, PARSE, b->index, b))
		judge_answer(d, &in->in, b->result);
	if (b->result == ETCORE_CORRUPT && d->taps->of_sample)
		etc_taps_say(d->taps, d->corrupt, "it returned ETCORE_CORRUPT");
	d->accepted |= b->result == ETCORE_OK && d->taps->of_sample;
}

static void do_parse(struct etc_drive *d, struct body *b)
{
	struct etc_datum_intake in = { .form = ETC_PARSED_NONE };

	if (d->c->abi->parse_metadata)
		take_parsed(d, b, &in);
	etc_datum_intake_release(&in);
}

static bool do_convert(struct etc_drive *d, struct body *b, struct etc_converted *out)
{
	struct etc_number_intake in = { .out = out, .expected = b->count };

	start_intake(d, &in.in);
	d->taps->to_numbers = etc_number_sink(&in);
	if (!call(d, CONVERT, b->index, b))
		return false;
	judge_answer(d, &in.in, b->result);
	if (b->result == ETCORE_OK && in.count < b->count)
		etc_taps_say(d->taps, d->fault, "fewer times than it was given");
	return b->result == ETCORE_OK && in.count == b->count;
}

/* Does the plugin have a hook whose answer shows that it recognised an event? convert_time is not
 * such a hook, since many converters convert any time. */
static bool tells(const struct etcore_plugin *p)
{
	return p->parse_metadata || p->name_event || p->classify || p->map_event ||
	       etc_contract_expands(p);
}

static void do_converts(struct etc_drive *d, struct body *b)
{
	const struct etcore_event *e = b->call->events[b->index];
	const uint64_t answers = d->answers;
	struct etc_converted out[MANY_TIMES];

	if (!d->c->abi->convert_time || e->samples > MANY_TIMES)
		return;
	b->scales = d->taps->scales;
	b->count = e->samples;
	b->raw = e->start;
	do_convert(d, b, out);
	b->raw = e->end;
	do_convert(d, b, out);
	if (tells(d->c->abi))
		d->answers = answers;
}

static void do_facts(struct etc_drive *d, struct body *b, bool naming)
{
	struct etc_facts facts = { .ordinal = 0 };
	struct etc_facts_intake in = {
		.first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY,
		.last = naming ? ETCORE_NAME_KERNEL : ETCORE_CLASS_IS_MATRIX,
		.out = &facts,
	};

	if (naming ? !d->c->abi->name_event : !d->c->abi->classify)
		return;
	start_intake(d, &in.in);
	d->taps->to_facts = etc_facts_sink(&in);
	if (call(d, naming ? NAME : CLASSIFY, b->index, b))
		judge_answer(d, &in.in, b->result);
}

static void do_map(struct etc_drive *d, struct body *b)
{
	struct etc_map_intake in = { .count = 0 };

	if (!d->c->abi->map_event)
		return;
	start_intake(d, &in.in);
	d->taps->to_map = etc_map_sink(&in);
	if (call(d, MAP, b->index, b))
		judge_answer(d, &in.in, b->result);
	free(in.handles);
}

/* Calls expand_event. As in the host, it is called only for events of a delegate. A host of ABI 1.0
 * never calls it. */
static void do_expand(struct etc_drive *d, struct body *b)
{
	const struct etcore_event *e = b->call->events[b->index];
	struct etc_datum_intake data = { .form = ETC_PARSED_NONE };
	struct etc_facts_intake facts = { .only_absent = false };
	struct etc_child_intake in = { .data = &data, .facts = &facts, .samples = e->samples };

	if (d->older || !etc_contract_expands(d->c->abi) || !(e->flags & ETCORE_EVENT_DELEGATE))
		return;
	start_intake(d, &in.in);
	start_intake(d, &data.in);
	start_intake(d, &facts.in);
	d->taps->to_data = etc_datum_sink(&data);
	d->taps->to_facts = etc_facts_sink(&facts);
	d->taps->to_children = etc_child_sink(&in, &d->taps->to_facts, &d->taps->to_data);
	if (call(d, EXPAND, b->index, b)) {
		etc_child_intake_end(&in);
		judge_answer(d, &in.in, b->result);
	}
	free(in.v);
	etc_datum_intake_release(&data);
}

static size_t time_bytes(const struct etc_drive *d)
{
	return d->older ? offsetof(struct etcore_time, sync_device) : sizeof(struct etcore_time);
}

/* Reports an event whose times are on the runtime's clock, but outside of the event's
 * DELEGATE_CALL. */
static void judge_clock(struct etc_drive *d, const struct etcore_call *call, uint32_t i,
                        const struct etcore_time *t)
{
	const struct etcore_event *e = call->events[i], *around = NULL;
	char text[240];

	for (uint32_t k = 0; k < call->count && !around; k++)
		if (call->events[k]->flags & ETCORE_EVENT_DELEGATE_CALL)
			around = call->events[k];
	if (!around || !(e->flags & ETCORE_EVENT_DELEGATE) || t->clock != ETCORE_CLOCK_HOST ||
	    t->kind == ETCORE_KIND_COUNTER || t->kind == ETCORE_KIND_INVALID)
		return;
	for (uint64_t r = 0; r < e->samples && r < around->samples; r++) {
		if (e->end[r] < e->start[r] ||
		    (around->start[r] <= e->start[r] && e->end[r] <= around->end[r]))
			continue;
		snprintf(text, sizeof text,
		         "event %u, from %llu to %llu, is not in its DELEGATE_CALL, from %llu to "
		         "%llu, as CLOCK_HOST says: CLOCK_FOREIGN",
		         (unsigned)i, (unsigned long long)e->start[r],
		         (unsigned long long)e->end[r], (unsigned long long)around->start[r],
		         (unsigned long long)around->end[r]);
		etc_taps_say(d->taps, d->outside, text);
	}
}

static void take_times(struct etc_drive *d, const struct body *b)
{
	const size_t bytes = time_bytes(d);

	for (uint32_t i = 0; i < b->call->count; i++) {
		const struct etcore_time *t = b->times[i];
		const unsigned char *behind = (const unsigned char *)t + bytes;
		const char *fault =
			b->result ? NULL
				  : etc_time_fault(t, i, b->call->count,
		                                   d->older ? 0 : ETCORE_PLUGIN_ABI_MINOR);

		d->taps->index = i;
		if (fault)
			etc_taps_say(d->taps, d->fault, fault);
		else if (!b->result)
			judge_clock(d, b->call, i, t);
		etc_text_printf(&d->record, "time %u = %u %u %u %u %u %u %d %a %llu %llu", i,
		                t->kind, t->unit, t->clock, t->start, t->duration, t->rounding,
		                (int)t->parent, t->ns_per_unit, (unsigned long long)t->resolution,
		                (unsigned long long)t->wraps_at);
		if (!d->older)
			etc_text_printf(&d->record, " %llu %llu",
			                (unsigned long long)t->sync_device,
			                (unsigned long long)t->sync_host);
		etc_text_char(&d->record, '\n');
		if (t->size != bytes + d->extra)
			etc_taps_say(d->taps, d->overran, "it changed etcore_time.size");
		for (size_t k = 0; k < d->extra; k++)
			if (behind[k] != ETC_CHECK_PATTERN)
				etc_taps_say(d->taps, d->overran,
				             "it wrote behind the struct that it knows");
	}
}

static void do_describe(struct etc_drive *d, struct body *b)
{
	struct etc_fence fence = { .pool = &d->taps->pool };
	const size_t bytes = time_bytes(d);
	const uint32_t size = (uint32_t)(bytes + d->extra);
	uint32_t n = b->call->count;
	bool ok;

	if (!d->c->abi->describe_time)
		return;
	b->times = etc_fence_new(&fence, n * sizeof *b->times);
	ok = b->times != NULL;
	for (uint32_t i = 0; ok && i < n; i++) {
		const struct etcore_time unsaid = { .size = size, .parent = ETCORE_PARENT_CALL };

		b->times[i] = etc_case_struct(&fence, bytes, d->extra);
		ok = b->times[i] != NULL;
		if (ok)
			memcpy(b->times[i], &unsaid, bytes);
	}
	if (!ok)
		etc_check_failed(d->c, "out of memory");
	else if (call(d, DESCRIBE, 0, b)) {
		judge_result(d, b->result, false);
		take_times(d, b);
	}
	etc_fence_release(&fence);
}

/* ---- instances and cases --------------------------------------------------------------- */

bool etc_drive_open_with(struct etc_drive *d, struct etc_checking *c,
                         const struct etcore_setting *const *settings, uint32_t count)
{
	struct body b = { .d = d, .settings = settings, .setting_count = count };

	d->c = c;
	d->taps = etc_calloc(1, sizeof *d->taps);
	if (!d->taps)
		return false;
	d->taps->drive = d;
	d->taps->what = "its options";
	etc_arena_init(&d->taps->arena, ARENA);
	d->open = etc_taps_make(d->taps, d->extra, d->older ? 0 : ETCORE_PLUGIN_ABI_MINOR);
	if (!d->open)
		etc_check_failed(c, "out of memory");
	if (!d->open || !c->abi->open)
		return d->open;
	d->open = call(d, OPEN, 0, &b) && b.result == ETCORE_OK;
	if (b.result > ETCORE_OK || b.result < ETCORE_NOMEM)
		etc_taps_say(d->taps, d->result, "it returned no ETCORE_ result for open()");
	return d->open;
}

/* Returns a setting with only the members of ABI 1.0, in fenced memory. */
static struct etcore_setting *older_setting(struct etc_fence *f, struct etcore_setting s)
{
	const size_t bytes = offsetof(struct etcore_setting, content);
	struct etcore_setting *at = etc_fence_new(f, bytes);

	s.size = (uint32_t)bytes;
	if (at)
		memcpy(at, &s, bytes);
	return at;
}

/* Opens an instance as a host of ABI 1.0 does. Such a host passes the value of an option of the
 * form FILE as a text, without the content of the file. */
static bool open_older(struct etc_drive *d, struct etc_checking *c)
{
	const struct etcore_option *const *options = c->abi->options;
	uint32_t n = 0, room = c->plugin->setting_count;
	struct etc_fence f = { 0 };
	struct etcore_setting **list;
	bool ok;

	for (uint32_t i = 0; options && options[i]; i++)
		room++;
	list = etc_fence_new(&f, (room + 1) * sizeof *list);
	ok = list != NULL;
	for (; ok && n < c->plugin->setting_count; n++)
		ok = (list[n] = older_setting(&f, *c->plugin->settings[n])) != NULL;
	for (uint32_t i = 0; ok && options && options[i]; i++) {
		struct etcore_setting s = { .name = { options[i]->name, strlen(options[i]->name) },
			                    .value = { "table.bin", 9 } };

		if (etc_option_now(options[i]).form == ETCORE_FORM_FILE)
			ok = (list[n++] = older_setting(&f, s)) != NULL;
	}
	ok = ok && etc_drive_open_with(d, c, (const struct etcore_setting *const *)list, n);
	etc_fence_release(&f);
	return ok;
}

bool etc_drive_open(struct etc_drive *d, struct etc_checking *c)
{
	if (d->older ? open_older(d, c)
	             : etc_drive_open_with(d, c, c->plugin->settings, c->plugin->setting_count))
		return true;
	if (!d->may_refuse || d->threw[0] || d->result[0])
		etc_check_failed(c,
		                 "open() with the declared defaults did not return ETCORE_OK%s%s",
		                 d->threw[0] ? "; " : "", d->threw);
	return false;
}

void etc_drive_close(struct etc_drive *d)
{
	struct body b = { .d = d };

	if (d->open && d->c->abi->close) {
		d->taps->what = "its instance";
		call(d, CLOSE, 0, &b);
	}
	d->open = false;
	etc_text_release(&d->record);
	if (d->taps) {
		etc_fence_release(&d->taps->fence);
		etc_fence_pool_release(&d->taps->pool);
		etc_arena_release(&d->taps->arena);
		free(d->taps);
		d->taps = NULL;
	}
}

static void clear_arena(struct etc_drive *d)
{
	etc_arena_release(&d->taps->arena);
	etc_arena_init(&d->taps->arena, ARENA);
}

static void do_event(struct etc_drive *d, struct body *b)
{
	do_parse(d, b);
	do_converts(d, b);
	do_facts(d, b, true);
	do_facts(d, b, false);
	do_map(d, b);
	do_expand(d, b);
}

/* Counts event `index` of the case in d->tried. `before`: the value of d->answers before the hooks
 * were called for the event. */
static void count_event(struct etc_drive *d, const struct etc_case *one, uint32_t index,
                        uint64_t before)
{
	const struct etcore_plugin *p = d->c->abi;
	bool answered = d->answers > before || (!tells(p) && !p->convert_time);

	if (one->call->events[index]->flags & ETCORE_EVENT_DELEGATE_CALL)
		return;
	d->tried.made_up += !one->of_sample;
	d->tried.sampled += one->sampled;
	d->tried.answered += one->sampled && answered;
}

void etc_drive_case(struct etc_drive *d, const struct etc_case *one)
{
	struct body b = { .d = d, .call = one->call };

	d->taps->what = one->what;
	d->taps->of_sample = one->of_sample;
	do_probe(d, &b);
	do_describe(d, &b);
	for (b.index = 0; b.index < one->call->count; b.index++) {
		const uint64_t before = d->answers;

		do_event(d, &b);
		count_event(d, one, b.index, before);
	}
	clear_arena(d);
}

void etc_drive_cases(struct etc_drive *d, unsigned sets)
{
	struct etc_cases all = {
		.c = d->c, .sets = sets, .extra = d->extra, .older = d->older, .sealed = d->sealed
	};
	const struct etc_case *one;

	while ((one = etc_cases_next(&all)))
		etc_drive_case(d, one);
}

bool etc_drive_over(struct etc_drive *d, struct etc_checking *c, unsigned sets)
{
	bool open = etc_drive_open(d, c);

	if (open)
		etc_drive_cases(d, sets);
	etc_drive_close(d);
	return open;
}

bool etc_drive_convert(struct etc_drive *d, const struct etc_case *one,
                       const struct etcore_scales *scales, const uint64_t *raw, uint64_t count,
                       struct etc_converted *out)
{
	struct body b = { .d = d,
		          .call = one->call,
		          .index = one->call->count - 1,
		          .scales = scales,
		          .raw = raw,
		          .count = count };

	d->taps->what = one->what;
	return do_convert(d, &b, out);
}

etcore_result etc_drive_parse(struct etc_drive *d, const struct etc_case *one,
                              struct etc_datum_intake *out)
{
	struct body b = { .d = d, .call = one->call, .index = one->call->count - 1 };

	clear_arena(d);
	d->taps->what = one->what;
	take_parsed(d, &b, out);
	return b.result;
}
