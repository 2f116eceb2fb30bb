/* main.c -- the etcore command: finds the subcommand and turns its status into
 * a message and an exit status. Only cli/ prints, and only this file decides
 * how the program ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/diagnostics.h"

/* A new command is one line here and one file, cmd_<name>.c. */
static const struct etc_command *const commands[] = {
	&etc_cmd_analyze, &etc_cmd_inspector, &etc_cmd_dump,      &etc_cmd_plugins,
	&etc_cmd_config,  &etc_cmd_explain,   &etc_cmd_check_one,
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void usage(FILE *to)
{
	fputs("etcore explains where an ExecuTorch model spends its time.\n\n"
	      "usage: etcore COMMAND [ARGUMENTS]      etcore COMMAND --help\n\n",
	      to);
	for (int i = 0; i < COMMANDS; i++)
		if (!commands[i]->hidden)
			fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
}

static enum etc_status no_command(const char *word, struct etc_error *err)
{
	struct etc_str names[COMMANDS], near;
	uint32_t n = 0;

	for (int i = 0; i < COMMANDS; i++)
		if (!commands[i]->hidden)
			names[n++] = etc_str_of(commands[i]->name);
	near = etc_nearest(etc_str_of(word), names, n);
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
	for (int i = 0; i <= COMMANDS; i++) {
		if (i == COMMANDS)
			st = no_command(argv[1], &err);
		else if (strcmp(argv[1], commands[i]->name) == 0) {
			st = run(commands[i], argc - 1, argv + 1, &json, &err);
			break;
		}
	}
	/* A disk that is full must not look like success. */
	if (st == ETC_OK && (fflush(stdout) != 0 || ferror(stdout)))
		st = etc_fail(&err, E0903, "standard output");
	if (st != ETC_OK)
		etc_print_error(&err, json);
	return (int)st;
}
