/* ask_explain.c -- `etcore explain CODE`: what one diagnostic means. */
#include <ctype.h>

#include "api/question.h"

struct args {
	struct etc_common_args common;
};

static const struct etc_opt options[] = { ETC_DIAGNOSTICS_ROW(struct args) };

static void explain(const struct etc_code_info *info, struct etc_text *out)
{
	etc_text_printf(out, "%s  %s\n", info->name, info->title);
	if (info->hint[0])
		etc_text_printf(out, "  hint    %s\n", info->hint);
	etc_text_printf(out, "  status  %d (%s)%s\n", info->status,
	                etc_status_text((enum etc_status)info->status),
	                info->letter == 'E' ? "" : ", with --strict");
}

static enum etc_status run(void *args, const struct etc_reply *r, struct etc_error *err)
{
	const struct args *a = args;
	const struct etc_code_info *list;
	unsigned count;
	const char *word;

	list = etc_code_list(&count);
	if (a->common.operands.count == 0) {
		for (unsigned i = 0; i < count; i++)
			etc_text_printf(r->out, "%s  %s\n", list[i].name, list[i].title);
		return ETC_OK;
	}
	if (a->common.operands.count > 1)
		return etc_fail(err, E0501, "explain takes one code");
	word = a->common.operands.v[0];
	/* E0203, W0203 and 0203 all find W0203: numbers are unique. */
	for (unsigned i = 0; i < count; i++)
		if (strcmp(list[i].name + 1, isdigit((unsigned char)word[0]) ? word : word + 1) ==
		    0) {
			explain(&list[i], r->out);
			return ETC_OK;
		}
	return etc_fail(err, E0505, "no diagnostic has the code '%s'", word);
}

const struct etc_question etc_ask_explain = {
	.name = "explain",
	.summary = "what a diagnostic code means",
	.usage = "[CODE]",
	.examples = "etcore explain W0203\netcore explain 0301\netcore explain",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.run = run,
};
