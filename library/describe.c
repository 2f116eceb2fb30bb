/* describe.c -- the functions of etcore/etcore.h that describe versions, commands, options, keys
 * and codes. They copy from etcore's tables to structs of the caller. */
#define _GNU_SOURCE /* locale_t */
#include "commands/config/config.h"
#include "library/public.h"

#include "host/guard.h"

uint32_t etcore_api_version(void)
{
	return ETCORE_API_MAJOR << 16 | ETCORE_API_MINOR;
}

const char *etcore_version(void)
{
	return ETCORE_VERSION;
}

void etcore_own_process(void)
{
	etc_crash_own();
}

int etcore_code(uint32_t i, struct etcore_diagnostic *out)
{
	unsigned count;
	const struct etc_code_info *list = etc_code_list(&count);

	if (i >= count)
		return 0;
	etc_public_diagnostic(out, &list[i], (struct etc_str){ 0 }, (struct etc_str){ 0 }, 1);
	return 1;
}

int etcore_question(uint32_t i, struct etcore_question *out)
{
	const struct etc_question *q = etc_question_at(i);
	struct etcore_question all;

	if (!q)
		return 0;
	all = (struct etcore_question){
		.hidden = q->hidden,
		.name = q->name,
		.summary = q->summary,
		.usage = q->usage,
		.examples = q->examples,
		.groups = q->groups,
	};
	etc_public_copy(out, &all, sizeof all);
	return 1;
}

int etcore_option(const char *question, uint32_t i, struct etcore_option_info *out)
{
	const struct etc_question *q = etc_ask_find(question);
	struct etcore_option_info all;
	const struct etc_opt *o;
	bool choice;

	if (!q || i >= q->option_count)
		return 0;
	o = &q->options[i];
	choice = etc_opt_kind(o) == ETC_OPT_CHOICE;
	all = (struct etcore_option_info){
		.kind = etc_opt_kind(o),
		.hidden = (o->kind & ETC_OPT_HIDDEN) != 0,
		.letter = (unsigned char)o->letter,
		.name = o->name,
		.argument = o->argument,
		.choices = choice ? o->choices : NULL,
		.help = o->help,
		.words = choice ? NULL : o->choices,
	};
	etc_public_copy(out, &all, sizeof all);
	return 1;
}

int etcore_key(uint32_t i, struct etcore_key_info *out)
{
	struct etcore_key_info all;
	struct etc_key k;

	if (!etc_key_at(i, &k))
		return 0;
	all = (struct etcore_key_info){
		.section = k.section,
		.key = k.key,
		.built_in = k.built_in,
		.unit = k.unit,
		.help = k.help,
		.expected = k.expected,
		.environment = k.environment,
	};
	etc_public_copy(out, &all, sizeof all);
	return 1;
}
