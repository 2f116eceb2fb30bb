/* check_subject.c -- see check_subject.h */
#include "api/check_subject.h"

#include "inspector/inspector.h"
#include "inspector/pyrepr.h"
#include "read/etdump.h"
#include "read/recording.h"

/* Takes the delegate events of the dump at `path`, each name once, of every list
 * of events that its runs have. NULL: no sample. */
static enum etc_status read_sample(struct etc_session *s, const char *path,
                                   struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_check_sample *all;
	struct etc_trace trace;
	struct etc_span bytes;

	all = etc_new(&s->arena, struct etc_check_sample, ETC_CHECK_SAMPLES);
	if (!all)
		return etc_fail(err, E0904, "the sample");
	ETC_TRY(etc_session_open(s, path, &bytes, err));
	ETC_TRY(etc_in_file(
		err, etc_etdump_read(bytes, &s->settings.limits, &s->arena, &s->notes, &trace, err),
		path));
	out->samples = all;
	for (size_t i = 0; i < trace.shape_count; i++) {
		const struct etc_shape *shape = &trace.shapes[i];
		size_t first = trace.runs[shape->first_run].first_sample;

		for (uint32_t k = 0; k < shape->count; k++) {
			const struct etc_event *e = &shape->events[k];
			bool known = e->kind != ETC_EVENT_PROFILE || !etc_event_is_delegate(e);

			for (unsigned n = 0; n < out->sample_count && !known; n++)
				known = all[n].delegate_id == e->delegate_id &&
				        etc_str_eq(all[n].delegate_name, e->delegate_name);
			if (known || out->sample_count == ETC_CHECK_SAMPLES)
				continue;
			all[out->sample_count++] = (struct etc_check_sample){
				.delegate_name = e->delegate_name,
				.delegate_id = e->delegate_id,
				.instruction_id = e->instruction_id,
				.start = trace.start[first + e->column],
				.end = trace.end[first + e->column],
				.metadata = etc_trace_metadata(&trace, first + e->column),
			};
		}
	}
	if (out->sample_count == 0)
		return etc_fail(err, E0633, "%s", path);
	return ETC_OK;
}

static enum etc_status read_expected(struct etc_session *s, const char *path,
                                     struct etc_check_subject *out, struct etc_error *err)
{
	struct etc_recording *r = etc_new(&s->arena, struct etc_recording, 1);
	struct etc_span bytes;

	if (!r)
		return etc_fail(err, E0904, "a recording");
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
