/* cmd_help.c -- `etcore help --as FORM [PAGE]`: what the build installs as
 * manual pages and shell completion. Hidden: a person asks for --help. */
#include "cli/commands.h"
#include "cli/manual.h"

struct args {
	struct etc_opt_list operands;
	const char *as;
};

static const struct etc_opt options[] = {
	{ 0, "as", ETC_OPT_CHOICE, offsetof(struct args, as), "FORM", "pages|man|bash|zsh|fish",
	  "names of the manual pages, one page, a script of completion" },
};

/* "etcore.1", "etcore-analyze.1" ..., "etcore.ini.5", a line each. */
static void pages(struct etc_text *out)
{
	const struct etc_command *c;

	etc_text_cstr(out, "etcore.1\n");
	for (unsigned i = 0; (c = etc_command_at(i)); i++)
		if (!c->hidden)
			etc_text_printf(out, "etcore-%s.1\n", c->name);
	etc_text_cstr(out, "etcore.ini.5\n");
}

static enum etc_status man(struct etc_text *out, const char *page, struct etc_error *err)
{
	const struct etc_command *c;

	if (strcmp(page, "etcore.1") == 0) {
		etc_man_program(out);
		return ETC_OK;
	}
	if (strcmp(page, "etcore.ini.5") == 0) {
		etc_man_config(out);
		return ETC_OK;
	}
	for (unsigned i = 0; (c = etc_command_at(i)); i++) {
		size_t n = strlen(c->name);

		if (!c->hidden && strncmp(page, "etcore-", 7) == 0 &&
		    strncmp(page + 7, c->name, n) == 0 && strcmp(page + 7 + n, ".1") == 0) {
			etc_man_command(out, c);
			return ETC_OK;
		}
	}
	return etc_fail(err, E0505, "no manual page has the name '%s'", page);
}

static enum etc_status run(void *args, struct etc_error *err)
{
	static const struct {
		const char *as;
		void (*write)(struct etc_text *out);
	} forms[] = {
		{ "pages", pages },
		{ "bash", etc_complete_bash },
		{ "zsh", etc_complete_zsh },
		{ "fish", etc_complete_fish },
	};
	const struct args *a = args;
	struct etc_text out = { .sink = etc_stdout_sink };
	bool is_man = a->as && strcmp(a->as, "man") == 0;
	enum etc_status st = ETC_OK;

	if (!a->as || a->operands.count != (is_man ? 1u : 0u))
		return etc_fail(err, E0501, "help --as pages|bash|zsh|fish, or --as man PAGE");
	if (is_man)
		st = man(&out, a->operands.v[0], err);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (strcmp(a->as, forms[i].as) == 0)
			forms[i].write(&out);
	return etc_stdout_end(&out, st, err);
}

const struct etc_command etc_cmd_help = {
	.name = "help",
	.summary = "manual pages and shell completion, for the build",
	.usage = "--as FORM [PAGE]",
	.examples = "etcore help --as pages\netcore help --as man etcore-analyze.1\n"
		    "etcore help --as bash",
	.options = options,
	.option_count = sizeof options / sizeof options[0],
	.size = sizeof(struct args),
	.operands = offsetof(struct args, operands),
	.run = run,
	.hidden = true,
};
