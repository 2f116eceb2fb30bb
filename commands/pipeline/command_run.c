/* command_run.c -- runs `etcore pipeline run`, and reports its warnings. */
#include "context/session.h"
#include "base/number.h"
#include "commands/pipeline/run.h"

/* Reports the warnings, even if the run failed (`st`). Returns `st`. If the run succeeded and
 * --strict was given, returns the error of a warning. */
static enum etc_status finish(struct etc_session *s, bool strict, enum etc_status st,
                              const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_error warning = { .at = -1 };
	/* With --strict, the command fails because of a warning, but only if the run succeeded. */
	enum etc_status said = etc_session_report(s, strict && st == ETC_OK, reply, &warning);

	if (st != ETC_OK || said == ETC_OK)
		return st;
	if (err)
		*err = warning;
	return said;
}

enum etc_status etc_pipeline_run(struct etc_session *s, const void *options,
                                 const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	uint64_t fd = 0;
	int progress = 0;

	if (!o->common.config)
		return etc_fail(err, E0501, "pipeline run needs --config FILE");
	if (o->resume && o->force)
		return etc_fail(err, E0501, "--resume keeps what --force measures again");
	if (o->progress && etc_number_parse_u64(etc_str_of(o->progress), &fd) && fd < 1024)
		progress = (int)fd;
	reply->out->prose = true;
	return finish(s, o->common.strict,
	              etc_run_pipeline(o, progress, &s->arena, &s->notes, reply->out, err), reply,
	              err);
}
