/* check_subject.c -- see check_subject.h */
#include "commands/plugins/check_subject.h"

#include "inspector/inspector.h"
#include "inspector/pyrepr.h"
#include "join/site.h"
#include "formats/etdump/recording.h"

/* The DELEGATE_CALL that contains event `k`; it is logged after that event. */
static const struct etc_event *call_around(const struct etc_template *template, uint32_t k)
{
	const struct etc_event *e = &template->events[k], *at;

	for (uint32_t i = k + 1; i < template->count; i++) {
		at = &template->events[i];
		if (at->kind == ETC_EVENT_PROFILE && at->chain == e->chain &&
		    at->instruction_id == e->instruction_id && etc_event_is_instruction(at))
			return at->word == ETC_WORD_DELEGATE_CALL ? at : NULL;
	}
	return NULL;
}

/* Adds event `k`, each name once, while there is room. */
static void add(struct etc_check_sample *all, unsigned *count, const struct etc_trace *trace,
                const struct etc_template *template, uint32_t k)
{
	const struct etc_event *e = &template->events[k], *call;
	size_t first = trace->runs[template->first_run].first_sample, sample = first + e->column;
	bool delegate = etc_event_is_delegate(e);
	struct etc_check_sample one = {
		.delegate_name = etc_event_delegate_name(e),
		.delegate_id = e->delegate_id,
		.instruction_id = e->instruction_id,
		.start = trace->start[sample],
		.end = trace->end[sample],
		.metadata = etc_trace_metadata(trace, sample),
		.name = delegate ? ETC_STR_NONE : etc_event_name(e),
	};

	for (unsigned n = 0; n < *count; n++)
		if (all[n].delegate_id == one.delegate_id &&
		    etc_str_eq(all[n].delegate_name, one.delegate_name) &&
		    etc_str_eq(all[n].name, one.name))
			return;
	if (*count == ETC_CHECK_SAMPLES)
		return;
	call = delegate ? call_around(template, k) : NULL;
	one.in_call = call != NULL;
	one.call_start = call ? trace->start[first + call->column] : 0;
	one.call_end = call ? trace->end[first + call->column] : 0;
	all[(*count)++] = one;
}

/* Is it a scope opened by a backend rather than by the runtime? */
static bool is_scope(const struct etc_event *e)
{
	static const struct etc_str own[] = { { "Method::", 8 },
		                              { "Program::", 9 },
		                              { "native_call_", 12 } };

	if (etc_event_is_delegate(e) || etc_event_name(e).len == 0 ||
	    etc_str_ends(etc_event_name(e), ETC_STR("_CALL")))
		return false;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (etc_str_starts(etc_event_name(e), own[i]))
			return false;
	return true;
}

/* Adds the delegate events of every event list of the runs, or the scopes. */
static void add_all(struct etc_check_sample *all, unsigned *count, const struct etc_trace *trace,
                    bool delegate)
{
	for (size_t i = 0; i < trace->template_count; i++) {
		const struct etc_template *template = &trace->templates[i];

		for (uint32_t k = 0; k < template->count; k++) {
			const struct etc_event *e = &template->events[k];

			if (e->kind == ETC_EVENT_PROFILE &&
			    (delegate ? etc_event_is_delegate(e) : is_scope(e)))
				add(all, count, trace, template, k);
		}
	}
}

/* Reads the events of the dump at `path`: those of delegates, or, if there are none, scopes
 * that some backends log instead. */
static enum etc_status read_sample(struct etc_session *s, const char *path,
                                   struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_check_sample *all;
	struct etc_trace trace;
	struct etc_span bytes;

	all = etc_new(&s->arena, struct etc_check_sample, ETC_CHECK_SAMPLES);
	ETC_NEED(all, err);
	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(err, etc_session_dump(s, bytes, &trace, err), path));
	out->samples = all;
	add_all(all, &out->sample_count, &trace, true);
	if (out->sample_count == 0)
		add_all(all, &out->sample_count, &trace, false);
	if (out->sample_count == 0)
		return etc_fail(err, E0633, "%s", path);
	return ETC_OK;
}

static enum etc_status read_expected(struct etc_session *s, const char *path,
                                     struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_recording *r = etc_new(&s->arena, struct etc_recording, 1);
	struct etc_span bytes;

	ETC_NEED(r, err);
	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(err, etc_recording_read(bytes, &s->arena, r, err), path));
	ETC_TRY(etc_in_file(err, etc_inspector_scales(r->source, r->target, &out->factor, err),
	                    path));
	out->recording = r;
	out->repr = etc_py_datum;
	return ETC_OK;
}

enum etc_status etc_check_subject_read(struct etc_session *s, const char *sample,
                                       const char *expected, struct etc_check_subject *out,
                                       struct etc_error *err)
{
	if (sample && sample[0])
		ETC_TRY(read_sample(s, sample, out, err));
	if (expected && expected[0])
		ETC_TRY(read_expected(s, expected, out, err));
	return ETC_OK;
}
