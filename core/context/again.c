/* again.c -- see again.h */
#include "context/again.h"

#include <string.h>

#include "base/shell.h"

static bool is_stdin(const char *value)
{
	return value && strcmp(value, "-") == 0;
}

static bool any_stdin(const struct etc_opt_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (is_stdin(list->v[i]))
			return true;
	return false;
}

/* Is a value of the option "-", which stands for standard input? */
static bool takes_stdin(const struct etc_opt *o, const void *args)
{
	const void *at = (const char *)args + o->target;

	switch (etc_opt_kind(o)) {
	case ETC_OPT_FLAG:
	case ETC_OPT_COUNT:
		return false;
	case ETC_OPT_LIST:
		return any_stdin(at);
	default:
		return is_stdin(*(const char *const *)at);
	}
}

/* Appends an option with its value. A value that begins with '-' is joined to the name with '=',
 * because otherwise it would be read as an option. */
static void put_option(struct etc_text *out, const struct etc_opt *o, const char *value,
                       struct etc_arena *arena)
{
	bool joined = value && (value[0] == '-' || etc_opt_kind(o) == ETC_OPT_OPTIONAL);

	if (o->letter && !joined)
		etc_text_printf(out, " -%c", o->letter);
	else
		etc_text_printf(out, " --%s", o->name);
	if (!value || (joined && !value[0]))
		return;
	etc_text_char(out, joined ? '=' : ' ');
	etc_text_put(out, etc_shell_shown(value, arena));
}

static void put_given(struct etc_text *out, const struct etc_opt *o, const void *args,
                      struct etc_arena *arena)
{
	const void *at = (const char *)args + o->target;
	const struct etc_opt_list *list = at;

	switch (etc_opt_kind(o)) {
	case ETC_OPT_FLAG:
		put_option(out, o, NULL, arena);
		break;
	case ETC_OPT_COUNT:
		for (unsigned i = 0; i < *(const uint8_t *)at; i++)
			put_option(out, o, NULL, arena);
		break;
	case ETC_OPT_LIST:
		for (uint32_t i = 0; i < list->count; i++)
			put_option(out, o, list->v[i], arena);
		break;
	default:
		put_option(out, o, *(const char *const *)at, arena);
	}
}

struct etc_str etc_again(const struct etc_question *question, const struct etc_common_options *args,
                         const char *without, const char *more, struct etc_arena *arena)
{
	struct etc_text out = { 0 };
	struct etc_str command;
	bool again = !any_stdin(&args->operands);

	etc_text_printf(&out, "etcore %s", question->name);
	for (uint32_t i = 0; i < args->operands.count; i++) {
		etc_text_cstr(&out, args->operands.v[i][0] == '-' ? " ./" : " ");
		etc_text_put(&out, etc_shell_shown(args->operands.v[i], arena));
	}
	for (unsigned i = 0; i < question->option_count; i++) {
		const struct etc_opt *o = &question->options[i];

		if ((o->kind & ETC_OPT_HIDDEN) || !etc_opt_given(o, args) ||
		    etc_opt_listed(without, o->name))
			continue;
		put_given(&out, o, args, arena);
		again = again && !takes_stdin(o, args);
	}
	etc_text_cstr(&out, more);
	command = etc_arena_str(arena, again ? etc_text_str(&out) : ETC_STR(""));
	etc_text_release(&out);
	return command;
}
