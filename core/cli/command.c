/* command.c -- see command.h */
#include "cli/command.h"

#include <stdio.h>

#include "base/nearest.h"
#include "cli/help.h"

enum { NAMES_MAX = 32 };

static bool is_own(unsigned i, struct etc_command *out)
{
	if (i)
		return false;
	*out = etc_help_command;
	return true;
}

bool etc_command_at(unsigned i, struct etc_command *out)
{
	struct etcore_question q = { .size = sizeof q };
	struct etcore_option_info o = { .size = sizeof o };
	unsigned questions = 0;

	if (!etcore_question(i, &q)) {
		while (etcore_question(questions, &q))
			questions++;
		return is_own(i - questions, out);
	}
	*out = (struct etc_command){
		.name = q.name,
		.summary = q.summary,
		.usage = q.usage,
		.examples = q.examples,
		.hidden = q.hidden,
		.groups = q.groups,
	};
	for (uint32_t k = 0; etcore_option(q.name, k, &o); k++)
		if (!o.hidden && out->option_count < ETC_OPTIONS_MAX)
			out->options[out->option_count++] = o;
	return true;
}

enum etc_status etc_command_find(const char *name, struct etc_command *out, struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	size_t count = 0;

	for (unsigned i = 0; etc_command_at(i, out); i++) {
		if (strcmp(name, out->name) == 0)
			return ETC_OK;
		if (!out->hidden && count < NAMES_MAX)
			names[count++] = etc_str_of(out->name);
	}
	near = etc_nearest(etc_str_of(name), names, count);
	if (near.len)
		return etc_fail(err, E0504, "'%s'; did you mean '" ETC_STR_FMT "'?", name,
		                ETC_STR_ARG(near));
	return etc_fail(err, E0504, "'%s'", name);
}

void etc_command_help(const struct etc_command *cmd)
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
		const struct etcore_option_info *o = &cmd->options[i];
		bool words = o->choices && strcmp(o->choices, o->argument) != 0;
		char left[80];

		snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ",
		         o->letter ? (int)o->letter : ' ', o->letter ? ", " : "  ", o->name,
		         o->argument ? " " : "", o->argument ? o->argument : "");
		printf("  %-36s%s%s\n", left, strlen(left) < 36 ? " " : next_line, o->help);
		if (words)
			printf("%s%s: %s\n", next_line + 1, o->argument, o->choices);
	}
	printf("  -h, --help                           this text\n");
}
