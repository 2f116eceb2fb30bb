/* command_compare.c -- see pipeline.h: `etcore pipeline compare`. */
#include "context/output.h"
#include "commands/pipeline/dump.h"
#include "commands/pipeline/pipeline.h"
#include "commands/pipeline/verdict.h"
#include "commands/pipeline/categories.h"
#include "commands/pipeline/compare.h"

/* Is it an event of the framework, which has no category? */
static bool is_framework(const struct etc_event *e)
{
	return !etc_event_is_delegate(e) &&
	       (etc_str_ends(etc_event_name(e), ETC_STR("_CALL")) ||
	        etc_str_starts(etc_event_name(e), ETC_STR("Method::")) ||
	        etc_str_starts(etc_event_name(e), ETC_STR("Program::")));
}

static void add_category(const char *name, struct etc_str *names, uint32_t *count)
{
	for (uint32_t i = 0; i < *count; i++)
		if (etc_str_eq(names[i], etc_str_of(name)))
			return;
	names[(*count)++] = etc_str_of(name);
}

/* Adds the categories of the leaves of one dump. */
static void add_dump(const struct etc_trace *t, struct etc_str *names, uint32_t *count)
{
	for (size_t s = 0; s < t->template_count; s++)
		for (uint32_t e = 0; e < t->templates[s].count; e++) {
			const struct etc_event *event = &t->templates[s].events[e];

			if (event->kind == ETC_EVENT_PROFILE && !is_framework(event))
				add_category(
					etc_category_v1(event->has_delegate_name
				                                ? etc_event_delegate_name(event)
				                                : etc_event_name(event)),
					names, count);
		}
}

/* Computes the categories of a run without analysis; sets `known` if a dump can be read. */
static enum etc_status make_categories(struct etc_session *s, const struct etc_run_folder *f,
                                       struct etc_folder_categories *out, struct etc_error *err)
{
	struct etc_str *names = etc_new(&s->arena, struct etc_str, ETC_KIT_V1_COUNT);

	*out = (struct etc_folder_categories){ .names = names };
	ETC_NEED(names, err);
	for (uint32_t i = 0; i < f->dumps.count && !f->analysis.there; i++) {
		struct etc_dump_work w;
		enum etc_status st;

		if (f->dumps.v[i].kind != ETC_ENTRY_FILE)
			continue;
		st = etc_dump_work_open(&w, f->dumps.v[i].path, &s->settings.limits, NULL);
		if (st == ETC_OK) {
			add_dump(&w.trace, names, &out->count);
			out->known = true;
		}
		etc_dump_work_close(&w);
	}
	return ETC_OK;
}

enum etc_status etc_pipeline_compare(struct etc_session *s, const void *options,
                                     const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	struct etc_findings findings = { .arena = &s->arena, .strict = o->common.strict };
	struct etc_run_folder folder, known_good;
	struct etc_folder_categories made;
	struct etc_targets targets;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	ETC_TRY(etc_targets_parse(&targets, etc_verdict_formats, &o->output, &s->arena, err));
	if (o->known_good) {
		ETC_TRY(etc_run_folder_read(o->known_good, &s->arena, &known_good, err));
		ETC_TRY(etc_compare_usable(&known_good, err));
	}
	ETC_TRY(etc_run_folder_read(o->folder, &s->arena, &folder, err));
	ETC_TRY(make_categories(s, &folder, &made, err));
	etc_compare_folders(&folder, o->known_good ? &known_good : NULL, &made, &findings);
	if (findings.no_memory)
		return etc_no_memory(err);
	return etc_verdict_give(
		&(struct etc_verdict){
			.folder = &folder,
			.known_good = o->known_good ? &known_good : NULL,
			.findings = &findings,
			.schema = "etcore.pipeline.compare/1",
			.code = E1063,
		},
		&targets, s, reply, err);
}
