/* command_new.c -- `etcore pipeline new KIND [FILE]`. */
#define _DEFAULT_SOURCE /* lstat */
#include <stdio.h>
#include <sys/stat.h>

#include "commands/pipeline/pipeline.h"
#include "base/inside.h"
#include "commands/pipeline/template.h"

/* Does the file exist? At the default path a link counts as well: someone else may have placed it,
 * and nothing is written through it. */
static bool is_taken(const char *path, bool chosen)
{
	struct stat st;

	return chosen ? etc_file_exists(path) : lstat(path, &st) == 0;
}

static enum etc_status write_new(const char *path, bool chosen, struct etc_str text,
                                 struct etc_text *out, struct etc_error *err)
{
	if (is_taken(path, chosen))
		return etc_fail(err, E0632, "'%s'", path);
	ETC_TRY(chosen ? etc_file_write(path, text, err)
	               : etc_inside_write_beside(path, text, err));
	etc_text_tell(out, "%s: set the model and the runners, then\n", path);
	etc_text_tell(out, "etcore pipeline run --config %s --dry-run\n", path);
	return ETC_OK;
}

enum etc_status etc_pipeline_new(struct etc_session *s, const void *options,
                                 const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_pipeline_options *o = options;
	const char *kind = etc_operand(&o->common, 1), *path = etc_operand(&o->common, 2);
	struct etc_text text = { 0 };
	enum etc_status st;
	char name[64];

	(void)s;
	if (o->output.count + (path != NULL) > 1)
		return etc_fail(err, E0501, "pipeline new writes one file; which of them?");
	path = o->output.count ? o->output.v[0] : path;
	st = etc_pipeline_template(kind, &text, err);
	snprintf(name, sizeof name, "%s.ini", kind);
	if (st == ETC_OK && text.failed)
		st = etc_no_memory(err);
	if (st == ETC_OK && path && strcmp(path, "-") == 0)
		etc_text_put(reply->out, etc_text_str(&text));
	else if (st == ETC_OK)
		st = write_new(path ? path : name, path != NULL, etc_text_str(&text), reply->out,
		               err);
	etc_text_release(&text);
	return st;
}
