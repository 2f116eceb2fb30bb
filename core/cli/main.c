/* main.c -- the etcore command: finds the subcommand and turns its status into
 * a message and an exit status. Only cli/ prints, and only this file decides
 * how the program ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/diagnostics.h"

enum { NAMES_MAX = 32 };

static void usage(FILE *to)
{
	const struct etc_command *c;

	fputs("etcore explains where an ExecuTorch model spends its time.\n\n"
	      "usage: etcore COMMAND [ARGUMENTS]      etcore COMMAND --help\n\n",
	      to);
	for (unsigned i = 0; (c = etc_command_at(i)); i++)
		if (!c->hidden)
			fprintf(to, "  %-10s %s\n", c->name, c->summary);
}

static enum etc_status no_command(const char *word, struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	const struct etc_command *c;
	size_t count = 0;

	for (unsigned i = 0; (c = etc_command_at(i)); i++)
		if (!c->hidden && count < NAMES_MAX)
			names[count++] = etc_str_of(c->name);
	near = etc_nearest(etc_str_of(word), names, count);
	if (near.len)
		return etc_fail(err, E0504, "'%s'; did you mean '" ETC_STR_FMT "'?", word,
		                ETC_STR_ARG(near));
	return etc_fail(err, E0504, "'%s'", word);
}

static enum etc_status run(const struct etc_command *cmd, int argc, char **argv, bool *json,
                           struct etc_error *err)
{
	void *args = calloc(1, cmd->size);
	enum etc_status st;
	bool help;

	if (!args)
		return etc_fail(err, E0904, "arguments");
	st = etc_opt_parse(cmd, argc, argv, args, &help, err);
	if (st == ETC_OK && help)
		etc_opt_help(cmd);
	else if (st == ETC_OK)
		st = cmd->run(args, err);
	*json = etc_diagnostics_json(argc, argv);
	etc_opt_release(cmd, args);
	free(args);
	return st;
}

int main(int argc, char **argv)
{
	const struct etc_command *cmd;
	struct etc_error err = { 0 };
	enum etc_status st = ETC_OK;
	bool json = false;

	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		usage(argc < 2 ? stderr : stdout);
		return argc < 2 ? ETC_USAGE : ETC_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("etcore %s\n", ETCORE_VERSION);
		return ETC_OK;
	}
	for (unsigned i = 0; (cmd = etc_command_at(i)); i++)
		if (strcmp(argv[1], cmd->name) == 0)
			break;
	st = cmd ? run(cmd, argc - 1, argv + 1, &json, &err) : no_command(argv[1], &err);
	/* A disk that is full must not look like success. */
	if (st == ETC_OK && (fflush(stdout) != 0 || ferror(stdout)))
		st = etc_fail(&err, E0903, "standard output");
	if (st != ETC_OK)
		etc_print_error(&err, json);
	return (int)st;
}
