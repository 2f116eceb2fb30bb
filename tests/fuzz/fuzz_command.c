/* fuzz_command.c -- parses any bytes as a command line, with words separated by NUL or line feed.
 * No query is run but `explain`, which opens no file and must write something. Each error must have
 * a code. */
#include <string.h>

#include "cli/command.h"
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS_MAX = 64 };

struct asking {
	struct etcore_query *query;
	struct etcore_diagnostic *err;
	bool writes; /* --output may name a file: the query is not run, so that none is created */
};

static enum etc_status take(void *arg, const char *option, const char *value, struct etc_error *err)
{
	struct asking *a = arg;

	(void)err;
	a->writes |= option && strcmp(option, "output") == 0 && strpbrk(value, "=./");
	return (enum etc_status)(option ? etcore_set(a->query, option, value, a->err)
	                                : etcore_add(a->query, value, a->err));
}

static int forget(void *arg, const char *text, size_t len)
{
	*(size_t *)arg += len;
	bytes((struct etc_span){ (const uint8_t *)text, len });
	return 0;
}

static void ask(const struct etc_command *cmd, int argc, char **argv)
{
	struct etcore_diagnostic d = ETCORE_DIAGNOSTIC;
	struct asking a = { .err = &d };
	const struct etc_taker taker = { take, &a };
	struct etc_error err = { 0 };
	size_t written = 0;
	bool help = false;
	enum etc_status st;

	if (etcore_query_new(cmd->name, &a.query, &d) != ETCORE_STATUS_OK)
		return; /* `help` is a command, but not a query of the library */
	st = etc_words_parse(cmd, argc, argv, &taker, &help, &err);
	if (st != ETC_OK)
		require(err.code != ETC_CODE_NONE || (d.code[0] && d.message[0]));
	else if (!help && !a.writes && strcmp(cmd->name, "explain") == 0 &&
	         etcore_run(a.query, forget, &written, &d) == ETCORE_STATUS_OK)
		require(written > 0);
	etcore_query_free(a.query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *argv[WORDS_MAX + 1];
	struct etc_error err = { 0 };
	struct etc_command cmd;
	int argc = 0;

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	for (size_t at = 0; at <= size && argc < WORDS_MAX; at += strlen(text + at) + 1) {
		char *end = strchr(text + at, '\n');

		if (end)
			*end = '\0';
		argv[argc++] = text + at;
	}
	argv[argc] = NULL;
	if (etc_command_find(argv[0], &cmd, &err) == ETC_OK)
		ask(&cmd, argc, argv);
	else
		require(err.code == E0504 && err.text[0]);
	free(text);
	return 0;
}
