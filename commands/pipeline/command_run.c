/* command_run.c -- `etcore pipeline run`. */
#include "context/session.h"
#include "base/number.h"
#include "host/guard.h"
#include "commands/pipeline/run.h"

/* The warnings are said whatever came of it. */
static enum etc_status finish(struct etc_session *s, bool strict, enum etc_status st,
                              etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_error warning = { .at = -1 };
	/* A failure is the error itself, and no warning becomes it. */
	enum etc_status said =
		etc_session_report(s, strict && st == ETC_OK, on_note, arg, &warning);

	if (st != ETC_OK || said == ETC_OK)
		return st;
	if (err)
		*err = warning;
	return said;
}

enum etc_status etc_pipeline_run(const struct etc_pipeline_options *o, struct etc_text *out,
                                 etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	struct etc_run_options run = {
		.config = o->common.config,
		.set = o->common.set.v,
		.set_count = o->common.set.count,
		.only = o->only.v,
		.only_count = o->only.count,
		.target = o->target,
		.serial = o->serial,
		.dry_run = o->dry_run,
		.resume = o->resume,
		.force = o->force,
		.kernel_trace = o->kernel_trace,
		.verbose = o->common.verbose > 0,
		.owned = etc_crash_owned(),
	};
	struct etc_session s;
	enum etc_status st;
	uint64_t fd = 0;

	if (!run.config)
		return etc_fail(err, E0501, "pipeline run needs --config FILE");
	if (run.resume && run.force)
		return etc_fail(err, E0501, "--resume keeps what --force measures again");
	if (o->progress && etc_number_parse_u64(etc_str_of(o->progress), &fd) && fd < 1024)
		run.progress = (int)fd;
	etc_session_init(&s, 0);
	out->prose = true;
	st = etc_run_pipeline(&run, &s.arena, &s.notes, out, err);
	st = finish(&s, o->common.strict, st, on_note, arg, err);
	etc_session_release(&s);
	return st;
}
