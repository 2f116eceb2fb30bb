/* command.c -- finds commands, and writes the text of --help; see command.h */
#include "cli/command.h"

#include "base/ascii.h"
#include "base/fold.h"
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

/* Words that are not commands but that users try, with the command to suggest: names from other
 * tools, and names of outputs. */
static const struct {
	const char *word, *command;
} synonyms[] = {
	{ "chrome", "trace -o chrome" },
	{ "compare", "diff" },
	{ "flamegraph", "trace -o folded" },
	{ "fallback", "analyze --by fallback" },
	{ "hotspots", "analyze" },
	{ "html", "report" },
	{ "perfetto", "trace -o perfetto" },
	{ "profile", "analyze" },
	{ "record", "pipeline" },
	{ "roofline", "analyze --roofline" },
	{ "speedscope", "trace -o speedscope" },
	{ "timeline", "trace" },
	{ "validate", "doctor" },
	{ "visualize", "report" },
};

/* Returns the command that the user probably meant by `name`: `name` may be the command in another
 * case, a synonym, a misspelling or an abbreviation of it. Empty: there is no such command. */
static struct etc_str meant(const char *name, const struct etc_str *names, size_t count)
{
	enum { LONGEST = 32, SHORTEST = 3 };
	char lower[LONGEST];
	struct etc_str word = { lower, strlen(name) }, near = { 0 };

	if (word.len > LONGEST)
		return near;
	for (size_t i = 0; i < word.len; i++)
		lower[i] = etc_lower(name[i]);
	near = etc_nearest(word, names, count);
	for (size_t i = 0; i < count; i++)
		if (etc_str_eq(names[i], word))
			return names[i];
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (etc_str_eq(word, etc_str_of(synonyms[i].word)))
			return etc_str_of(synonyms[i].command);
	for (size_t i = 0; i < count && !near.len && word.len >= SHORTEST; i++)
		if (etc_str_starts(names[i], word))
			near = names[i];
	return near;
}

enum etc_status etc_command_find(const char *name, struct etc_command *out, struct etc_error *err)
{
	struct etc_str names[NAMES_MAX], near;
	size_t count = 0;

	for (unsigned i = 0; etc_command_at(i, out); i++) {
		if (strcmp(name, out->name) == 0)
			return ETC_OK;
		if (!out->hidden && count + 1 < NAMES_MAX)
			names[count++] = etc_str_of(out->name);
	}
	names[count++] = etc_str_of(etc_help_command.name);
	near = meant(name, names, count);
	if (near.len)
		return etc_fail(err, E0504, "'%s'; did you mean '" ETC_STR_FMT "'?", name,
		                ETC_STR_ARG(near));
	return etc_fail(err, E0504, "'%s'", name);
}

/* Appends the choices "a|b|c" as text: "a, b, c". */
static void put_choices(const char *choices, struct etc_text *out)
{
	for (const char *c = choices; *c; c++)
		etc_text_put(out, *c == '|' ? ETC_STR(", ") : (struct etc_str){ c, 1 });
}

/* Writes the option's name and argument, and its description on the same or the next line. */
static void put_option(const struct etcore_option_info *o, size_t width, struct etc_text *out)
{
	enum { LEFT = 36, NARROW = 70 };
	const char *choices = etc_option_choices(o);
	bool below = width && width < NARROW;
	struct etc_fold fold = { .width = (uint32_t)width, .hang = below ? 8 : LEFT + 3 };
	struct etc_text text = { 0 };
	size_t used;

	etc_text_printf(&text, "  %s%c%s--%s%s%s", o->letter ? "-" : " ",
	                o->letter ? (int)o->letter : ' ', o->letter ? ", " : "  ", o->name,
	                o->argument ? " " : "", o->argument ? o->argument : "");
	used = etc_utf8_width(etc_text_str(&text));
	if (below || used >= LEFT + 2) {
		etc_text_char(&text, '\n');
		etc_text_repeat(&text, " ", fold.hang);
	} else {
		etc_text_repeat(&text, " ", LEFT + 3 - used);
	}
	etc_text_printf(&text, "%s\n", o->help);
	if (choices) {
		etc_text_repeat(&text, " ", fold.hang);
		etc_text_printf(&text, "%.*s: ", (int)strcspn(o->argument, "["), o->argument);
		put_choices(choices, &text);
		etc_text_char(&text, '\n');
	}
	etc_fold_put(&fold, etc_text_str(&text), out);
	etc_fold_end(&fold, out);
	etc_text_release(&text);
}

void etc_command_help(const struct etc_command *cmd, size_t width, struct etc_text *out)
{
	const struct etcore_option_info help = { .letter = 'h',
		                                 .name = "help",
		                                 .help = "this text" };

	etc_text_printf(out, "%s\n\nusage: etcore %s %s\n\nExamples\n", cmd->summary, cmd->name,
	                cmd->usage);
	for (const char *p = cmd->examples; *p;) {
		size_t n = strcspn(p, "\n");

		etc_text_printf(out, "  %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
	etc_text_cstr(out, "\nOptions\n");
	for (unsigned i = 0; i < cmd->option_count; i++)
		put_option(&cmd->options[i], width, out);
	put_option(&help, width, out);
}
