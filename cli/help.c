/* help.c -- `etcore help --as FORM [PAGE]`: writes the manual pages and shell completion that the
 * build installs. The command is hidden, because users call --help. */
#include "cli/help.h"

#include <errno.h>
#include <stdio.h>

#include "base/file.h"
#include "cli/manual.h"
#include "cli/screen.h"

const struct etc_command etc_help_command = {
	.name = "help",
	.summary = "manual pages and shell completion, for the build",
	.usage = "--as FORM [PAGE]",
	.examples = "etcore help --as pages\netcore help --as man etcore-analyze.1\n"
		    "etcore help --as bash",
	.options = { { .kind = ETCORE_OPTION_CHOICE,
	               .name = "as",
	               .argument = "FORM",
	               .choices = "pages|man|bash|zsh|fish",
	               .help = "names of the manual pages, one page, a script of completion" } },
	.option_count = 1,
	.hidden = true,
};

struct args {
	const char *as, *page;
	unsigned operands;
};

static enum etc_status take(void *arg, const char *option, const char *value, struct etc_error *err)
{
	struct args *a = arg;

	(void)err;
	if (option) {
		a->as = value;
	} else {
		a->page = value;
		a->operands++;
	}
	return ETC_OK;
}

/* The manual pages that are not about a single command. */
static const struct {
	const char *page;
	void (*write)(struct etc_text *out);
} own_pages[] = {
	{ "etcore.1", etc_man_program },
	{ "etcore.ini.5", etc_man_config },
	{ "etcore-plugin.7", etc_man_plugin },
};
enum { OWN_PAGES = sizeof own_pages / sizeof own_pages[0] };

/* Lists the manual pages, one per line: "etcore.1", "etcore.ini.5" ..., "etcore-analyze.1" ... */
static void pages(struct etc_text *out)
{
	struct etc_command c;

	for (unsigned i = 0; i < OWN_PAGES; i++)
		etc_text_printf(out, "%s\n", own_pages[i].page);
	for (unsigned i = 0; etc_command_at(i, &c); i++)
		if (!c.hidden)
			etc_text_printf(out, "etcore-%s.1\n", c.name);
}

static enum etc_status man(struct etc_text *out, const char *page, struct etc_error *err)
{
	struct etc_command c;

	for (unsigned i = 0; i < OWN_PAGES; i++)
		if (strcmp(page, own_pages[i].page) == 0) {
			own_pages[i].write(out);
			return ETC_OK;
		}
	for (unsigned i = 0; etc_command_at(i, &c); i++) {
		size_t n = strlen(c.name);

		if (!c.hidden && strncmp(page, "etcore-", 7) == 0 &&
		    strncmp(page + 7, c.name, n) == 0 && strcmp(page + 7 + n, ".1") == 0) {
			etc_man_command(out, &c);
			return ETC_OK;
		}
	}
	return etc_fail(err, E0505, "no manual page has the name '%s'", page);
}

static enum etc_status write(const struct args *a, struct etc_text *out, struct etc_error *err)
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
	bool is_man = a->as && strcmp(a->as, "man") == 0;

	if (!a->as || a->operands != (is_man ? 1u : 0u))
		return etc_fail(err, E0501, "help --as pages|bash|zsh|fish, or --as man PAGE");
	if (is_man)
		return man(out, a->page, err);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (strcmp(a->as, forms[i].as) == 0) {
			forms[i].write(out);
			return ETC_OK;
		}
	return etc_fail(err, E0505, "--as '%s'; expected one of %s", a->as,
	                etc_help_command.options[0].choices);
}

enum etc_status etc_help_print(const struct etc_text *text, struct etc_error *err)
{
	int refused = etc_screen_print(text, stdout);

	if (refused == ENOMEM)
		return etc_no_memory(err);
	return refused ? etc_in_file(err, etc_fail(err, E0903, "%s", strerror(refused)),
	                             "standard output")
	               : ETC_OK;
}

enum etc_status etc_help_run(int argc, char **argv, struct etc_error *err)
{
	struct args a = { 0 };
	const struct etc_taker taker = { take, &a };
	struct etc_text out = { 0 };
	enum etc_status st;
	bool help;

	ETC_TRY(etc_words_parse(&etc_help_command, argc, argv, &taker, &help, err));
	if (help) {
		etc_command_help(&etc_help_command, etc_screen_width(), &out);
		st = etc_help_print(&out, err);
		etc_text_release(&out);
		return st;
	}
	st = write(&a, &out, err);
	if (st == ETC_OK && out.failed)
		st = etc_no_memory(err);
	if (st == ETC_OK)
		st = etc_file_write("-", etc_text_str(&out), err);
	etc_text_release(&out);
	return st;
}
