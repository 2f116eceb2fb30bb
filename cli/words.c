/* words.c -- parses the words of a command line; see command.h. */
#include "cli/command.h"

#include "base/ascii.h"
#include "base/nearest.h"

enum { NAMES_MAX = 64 };

/* Does `name` begin with the `n` bytes of `word`, if '-' and '_' count as equal? */
static bool begins(const char *name, const char *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[i] == '\0' || etc_dash(name[i]) != etc_dash(word[i]))
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

/* Finds the option that `word` names, in full or by a unique prefix. E0502: there is none, or
 * several options begin with `word`. */
static enum etc_status find_long(const struct etc_command *cmd, const char *word, size_t n,
                                 const struct etcore_option_info **out, struct etc_error *err)
{
	const struct etcore_option_info *hit[2] = { NULL };
	unsigned hits = 0;

	for (unsigned i = 0; i < cmd->option_count; i++) {
		const struct etcore_option_info *o = &cmd->options[i];

		if (!begins(o->name, word, n))
			continue;
		if (o->name[n] == '\0') {
			*out = o;
			return ETC_OK;
		}
		if (hits < 2)
			hit[hits++] = o;
	}
	*out = hit[0];
	if (hits > 1)
		return etc_fail(err, E0502, "--%.*s is short for --%s and for --%s", (int)n, word,
		                hit[0]->name, hit[1]->name);
	return hits ? ETC_OK : unknown(cmd, word, n, err);
}

static enum etc_status find_short(const struct etc_command *cmd, char letter,
                                  const struct etcore_option_info **out, struct etc_error *err)
{
	for (unsigned i = 0; i < cmd->option_count; i++)
		if (cmd->options[i].letter == (unsigned char)letter) {
			*out = &cmd->options[i];
			return ETC_OK;
		}
	*out = NULL;
	return etc_fail(err, E0502, "-%c", letter);
}

/* Reports an error for the full name of an option after a single dash, such as "-config". Otherwise
 * it would be parsed as the option -c with the value "onfig". */
static enum etc_status check_short(const struct etc_command *cmd, const char *word,
                                   struct etc_error *err)
{
	size_t n = strcspn(word, "=");

	for (unsigned i = 0; i < cmd->option_count && n > 2; i++)
		if (begins(cmd->options[i].name, word, n) && cmd->options[i].name[n] == '\0')
			return etc_fail(err, E0502, "-%.*s; did you mean --%s?", (int)n, word,
			                cmd->options[i].name);
	return ETC_OK;
}

static enum etc_status take(const struct etc_taker *taker, const struct etcore_option_info *o,
                            const char *value, struct etc_error *err)
{
	return taker->take(taker->arg, o->name, value, err);
}

bool etc_option_is_output(const struct etcore_option_info *o)
{
	return o->words && strncmp(o->argument, "FORMAT", 6) == 0;
}

const char *etc_option_choices(const struct etcore_option_info *o)
{
	if (etc_option_is_output(o))
		return o->words;
	return o->choices && strcmp(o->choices, o->argument) != 0 ? o->choices : NULL;
}

bool etc_option_takes_value(const struct etcore_option_info *o)
{
	return o->kind != ETCORE_OPTION_FLAG && o->kind != ETCORE_OPTION_COUNT;
}

static enum etc_status parse_long(const struct etc_command *cmd, int argc, char **argv, int *i,
                                  const struct etc_taker *taker, struct etc_error *err)
{
	const char *word = argv[*i] + 2, *eq = strchr(word, '=');
	const struct etcore_option_info *o;

	ETC_TRY(find_long(cmd, word, eq ? (size_t)(eq - word) : strlen(word), &o, err));
	if (!etc_option_takes_value(o))
		return eq ? etc_fail(err, E0505, "--%s takes no argument", o->name)
		          : take(taker, o, NULL, err);
	if (eq)
		return take(taker, o, eq + 1, err);
	if (o->kind == ETCORE_OPTION_OPTIONAL && (*i + 1 >= argc || argv[*i + 1][0] == '-'))
		return take(taker, o, "", err);
	if (*i + 1 >= argc)
		return etc_fail(err, E0503, "--%s %s", o->name, o->argument);
	return take(taker, o, argv[++*i], err);
}

static enum etc_status parse_short(const struct etc_command *cmd, int argc, char **argv, int *i,
                                   const struct etc_taker *taker, struct etc_error *err)
{
	ETC_TRY(check_short(cmd, argv[*i] + 1, err));
	for (const char *p = argv[*i] + 1; *p; p++) {
		const struct etcore_option_info *o;

		ETC_TRY(find_short(cmd, *p, &o, err));
		if (!etc_option_takes_value(o)) {
			ETC_TRY(take(taker, o, NULL, err));
			continue;
		}
		if (p[1])
			return take(taker, o, p + 1, err);
		if (*i + 1 >= argc)
			return etc_fail(err, E0503, "-%c %s", (int)o->letter, o->argument);
		return take(taker, o, argv[++*i], err);
	}
	return ETC_OK;
}

enum etc_status etc_words_parse(const struct etc_command *cmd, int argc, char **argv,
                                const struct etc_taker *taker, bool *help, struct etc_error *err)
{
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

		if (options_end || (cmd->groups && strcmp(a, "--") == 0) || a[0] != '-' ||
		    a[1] == '\0')
			ETC_TRY(taker->take(taker->arg, NULL, a, err));
		else if (strcmp(a, "--") == 0)
			options_end = true;
		else if (a[1] == '-')
			ETC_TRY(parse_long(cmd, argc, argv, &i, taker, err));
		else
			ETC_TRY(parse_short(cmd, argc, argv, &i, taker, err));
	}
	return ETC_OK;
}
