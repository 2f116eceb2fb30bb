/* options.c -- see options.h */
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/nearest.h"

enum { NAMES_MAX = 64 };

static char fold(char c)
{
	return c == '_' ? '-' : c;
}

/* Does `name` begin with the `n` bytes of `word`, '-' and '_' being equal? */
static bool begins(const char *name, const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[i] == '\0' || fold(name[i]) != fold(word[i]))
			return false;
	return true;
}

static enum etc_status unknown(const struct etc_command *cmd, const char *word, size_t n,
                               struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	unsigned count = 0;

	for (unsigned i = 0; i < cmd->option_count && count < NAMES_MAX; i++)
		names[count++] = etc_str_of(cmd->options[i].name);
	near = etc_nearest((struct etc_str){ word, n }, names, count);
	if (near.len)
		return etc_fail(err, E0502, "--%.*s; did you mean --" ETC_STR_FMT "?", (int)n, word,
		                ETC_STR_ARG(near));
	return etc_fail(err, E0502, "--%.*s", (int)n, word);
}

/* The option that `word` names, in full or by a unique prefix. */
static enum etc_status find_long(const struct etc_command *cmd, const char *word, size_t n,
                                 const struct etc_opt **out, struct etc_error *err)
{
	const struct etc_opt *hit = NULL;

	for (unsigned i = 0; i < cmd->option_count; i++) {
		const struct etc_opt *o = &cmd->options[i];

		if (!begins(o->name, word, n))
			continue;
		if (o->name[n] == '\0') {
			*out = o;
			return ETC_OK;
		}
		if (hit)
			return etc_fail(err, E0502, "--%.*s is short for --%s and for --%s", (int)n,
			                word, hit->name, o->name);
		hit = o;
	}
	*out = hit;
	return hit ? ETC_OK : unknown(cmd, word, n, err);
}

static enum etc_status find_short(const struct etc_command *cmd, char letter,
                                  const struct etc_opt **out, struct etc_error *err)
{
	for (unsigned i = 0; i < cmd->option_count; i++)
		if (cmd->options[i].letter == letter) {
			*out = &cmd->options[i];
			return ETC_OK;
		}
	*out = NULL;
	return etc_fail(err, E0502, "-%c", letter);
}

static bool chosen(const char *choices, const char *value)
{
	size_t n = strlen(value);

	for (const char *c = choices;; c++) {
		size_t word = strcspn(c, "|");

		if (word == n && memcmp(c, value, n) == 0)
			return true;
		c += word;
		if (*c == '\0')
			return false;
	}
}

static enum etc_status add(struct etc_opt_list *list, const char *value, struct etc_error *err)
{
	const char **more = realloc(list->v, (list->count + 1) * sizeof *more);

	if (!more)
		return etc_fail(err, E0904, "arguments");
	list->v = more;
	list->v[list->count++] = value;
	return ETC_OK;
}

static enum etc_status store(const struct etc_opt *o, const char *value, void *args,
                             struct etc_error *err)
{
	char *at = (char *)args + o->target;

	switch (o->kind) {
	case ETC_OPT_FLAG:
		*(bool *)at = true;
		return ETC_OK;
	case ETC_OPT_COUNT:
		++*(uint8_t *)at;
		return ETC_OK;
	case ETC_OPT_CHOICE:
		if (!chosen(o->choices, value))
			return etc_fail(err, E0505, "--%s '%s'; expected one of %s", o->name, value,
			                o->choices);
		*(const char **)at = value;
		return ETC_OK;
	case ETC_OPT_TEXT:
	case ETC_OPT_OPTIONAL:
		*(const char **)at = value;
		return ETC_OK;
	case ETC_OPT_LIST:
		return add((struct etc_opt_list *)at, value, err);
	}
	return ETC_OK;
}

bool etc_opt_takes_value(const struct etc_opt *o)
{
	return o->kind != ETC_OPT_FLAG && o->kind != ETC_OPT_COUNT;
}

static enum etc_status parse_long(const struct etc_command *cmd, int argc, char **argv, int *i,
                                  void *args, struct etc_error *err)
{
	const char *word = argv[*i] + 2, *eq = strchr(word, '=');
	const struct etc_opt *o;

	ETC_TRY(find_long(cmd, word, eq ? (size_t)(eq - word) : strlen(word), &o, err));
	if (!etc_opt_takes_value(o))
		return eq ? etc_fail(err, E0505, "--%s takes no argument", o->name)
		          : store(o, NULL, args, err);
	if (eq)
		return store(o, eq + 1, args, err);
	if (o->kind == ETC_OPT_OPTIONAL && (*i + 1 >= argc || argv[*i + 1][0] == '-'))
		return store(o, "", args, err);
	if (*i + 1 >= argc)
		return etc_fail(err, E0503, "--%s %s", o->name, o->argument);
	return store(o, argv[++*i], args, err);
}

static enum etc_status parse_short(const struct etc_command *cmd, int argc, char **argv, int *i,
                                   void *args, struct etc_error *err)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct etc_opt *o;

		ETC_TRY(find_short(cmd, *p, &o, err));
		if (!etc_opt_takes_value(o)) {
			ETC_TRY(store(o, NULL, args, err));
			continue;
		}
		if (p[1])
			return store(o, p + 1, args, err);
		if (*i + 1 >= argc)
			return etc_fail(err, E0503, "-%c %s", o->letter, o->argument);
		return store(o, argv[++*i], args, err);
	}
	return ETC_OK;
}

enum etc_status etc_opt_parse(const struct etc_command *cmd, int argc, char **argv, void *args,
                              bool *help, struct etc_error *err)
{
	struct etc_opt_list *operands = (struct etc_opt_list *)((char *)args + cmd->operands);
	bool options_end = false;

	*help = false;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			*help = true;
		else if (strcmp(argv[i], "--") == 0)
			break;
	if (*help)
		return ETC_OK;
	for (int i = 1; i < argc; i++) {
		const char *a = argv[i];

		if (options_end || a[0] != '-' || a[1] == '\0')
			ETC_TRY(add(operands, a, err));
		else if (strcmp(a, "--") == 0)
			options_end = true;
		else if (a[1] == '-')
			ETC_TRY(parse_long(cmd, argc, argv, &i, args, err));
		else
			ETC_TRY(parse_short(cmd, argc, argv, &i, args, err));
	}
	return ETC_OK;
}

void etc_opt_release(const struct etc_command *cmd, void *args)
{
	for (unsigned i = 0; i < cmd->option_count; i++)
		if (cmd->options[i].kind == ETC_OPT_LIST)
			free(((struct etc_opt_list *)((char *)args + cmd->options[i].target))->v);
	free(((struct etc_opt_list *)((char *)args + cmd->operands))->v);
}

void etc_opt_help(const struct etc_command *cmd)
{
	static const char next_line[] = "\n                                       ";

	printf("%s\n\nusage: etcore %s %s\n\nExamples\n", cmd->summary, cmd->name, cmd->usage);
	for (const char *p = cmd->examples; *p;) {
		size_t n = strcspn(p, "\n");

		printf("  %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
	printf("\nOptions\n");
	for (unsigned i = 0; i < cmd->option_count; i++) {
		const struct etc_opt *o = &cmd->options[i];
		char left[80];
		bool words = o->choices && strcmp(o->choices, o->argument) != 0;

		snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ",
		         o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
		         o->argument ? " " : "", o->argument ? o->argument : "");
		printf("  %-36s%s%s\n", left, strlen(left) < 36 ? " " : next_line, o->help);
		if (words)
			printf("%s%s: %s\n", next_line + 1, o->argument, o->choices);
	}
	printf("  -h, --help                           this text\n");
}
