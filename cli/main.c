/* main.c -- the etcore program, a client of libetcore. The words after the command become options
 * and operands of a query. The query's report is printed on standard output, its diagnostics on
 * standard error, and its status is the exit status. Only cli/ prints, and only this file exits. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/opened.h"
#include "base/roomy_stack.h"
#include "base/process.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cli/command.h"
#include "cli/diagnostics.h"
#include "cli/help.h"
#include "cli/screen.h"

/* A query that is running. */
struct asking {
	struct etcore_query *query;
	struct etcore_diagnostic *err;
	bool json, verbose; /* the options --diagnostics=json and -v */
	uint32_t noted;     /* number of notes that have been printed */
	/* value of an option --color before the command; NULL: there was none */
	const char *color;
	struct etc_screen_tail tail;
	bool begun;          /* some part of the report has been printed */
	uint64_t printed;    /* number of bytes printed */
	int refused;         /* errno of the last failed write to standard output; 0: none failed */
	struct etc_error is; /* set to E0909 if standard output is an input file */
};

static int usage(FILE *to)
{
	struct etc_command c;
	struct etc_text text = { 0 };
	int refused;

	etc_text_cstr(
		&text,
		"etcore explains where an ExecuTorch model spends its time.\n\n"
		"usage: etcore COMMAND [ARGUMENTS]      etcore help COMMAND\n"
		"       etcore FILE\xe2\x80\xa6 (as etcore analyze FILE\xe2\x80\xa6)\n"
		"       etcore -V, --version\n"
		"       --color auto|always|never, --no-color: before or behind the COMMAND\n\n");
	for (unsigned i = 0; etc_command_at(i, &c); i++)
		if (!c.hidden)
			etc_text_printf(&text, "  %-10s %s\n", c.name, c.summary);
	refused = etc_screen_print(&text, to);
	etc_text_release(&text);
	return refused;
}

/* Passes a word of the command line to the query. `arg` is the struct asking; if the query refuses
 * the word, the diagnostic is in its member `err`. */
static enum etc_status take(void *arg, const char *option, const char *value, struct etc_error *err)
{
	struct asking *a = arg;

	(void)err;
	if (!option)
		return (enum etc_status)etcore_add(a->query, value, a->err);
	a->json = strcmp(option, "diagnostics") == 0 ? strcmp(value, "json") == 0 : a->json;
	a->verbose = a->verbose || strcmp(option, "verbose") == 0;
	return (enum etc_status)etcore_set(a->query, option, value, a->err);
}

/* Prints the warnings that were not printed yet; with -v or --diagnostics=json, also the notes.
 * (The report lists the notes, too.) */
static void print_notes(struct asking *a)
{
	struct etcore_diagnostic note = ETCORE_DIAGNOSTIC;

	for (; etcore_note(a->query, a->noted, &note); a->noted++)
		if (a->json || a->verbose || note.severity != ETCORE_SEVERITY_NOTE)
			etc_print_diagnostic(&note, a->json);
}

/* Writes a piece of the report to standard output; on a terminal, control characters are escaped.
 * An empty piece means the end of the report. */
static void put(struct asking *a, struct etc_str piece)
{
	struct etc_text shown = { 0 };

	if (!etc_screen_is()) {
		a->refused = etc_descriptor_put(STDOUT_FILENO, piece);
		return;
	}
	etc_screen_clean(&shown, piece, &a->tail);
	a->refused =
		shown.failed ? ENOMEM : etc_descriptor_put(STDOUT_FILENO, etc_text_str(&shown));
	etc_text_release(&shown);
}

static int print(void *arg, const char *bytes, size_t size)
{
	struct asking *a = arg;

	if (etc_screen_is())
		etc_progress_end();
	etc_progress_clear();
	print_notes(a);
	if (!a->begun && etc_opened_spare("-", &a->is) != ETC_OK)
		return 1;
	a->begun = true;
	put(a, (struct etc_str){ bytes, size });
	a->printed += size;
	etc_progress("writing", "standard output", a->printed, 0);
	return a->refused != 0;
}

/* Stores `err`, an error that etcore's executable found without the library, in a->err, as if the
 * query had found the error. Returns `st` as exit status. */
static int own(struct asking *a, enum etc_status st, const struct etc_error *err)
{
	if (err->code != ETC_CODE_NONE)
		etc_own_diagnostic(err, a->err);
	return (int)st;
}

static enum etc_status print_help(const struct etc_command *cmd, struct etc_error *err)
{
	struct etc_text text = { 0 };
	enum etc_status st;

	etc_command_help(cmd, etc_screen_width(), &text);
	st = etc_help_print(&text, err);
	etc_text_release(&text);
	return st;
}

static int answer(struct asking *a, const struct etc_command *cmd, int argc, char **argv)
{
	const struct etc_taker taker = { take, a };
	struct etc_error err = { 0 };
	enum etc_status st;
	bool help;
	int status;

	st = etc_words_parse(cmd, argc, argv, &taker, &help, &err);
	if (st != ETC_OK)
		return own(a, st, &err);
	if (help)
		return own(a, print_help(cmd, &err), &err);
	status = etc_screen_set(a->query, cmd->name, a->verbose, a->err);
	if (status != ETCORE_STATUS_OK)
		return status;
	etc_screen_progress(cmd->name);
	status = etcore_run(a->query, print, a, a->err);
	etc_progress_end();
	if (a->tail.len && !a->refused)
		put(a, (struct etc_str){ 0 });
	print_notes(a);
	if (a->is.code != ETC_CODE_NONE)
		return own(a, ETC_USAGE, &a->is);
	if (!a->refused)
		return status;
	return own(a,
	           etc_in_file(&err, etc_fail(&err, E0903, "%s", strerror(a->refused)),
	                       "standard output"),
	           &err);
}

static int ask(const struct etc_command *cmd, int argc, char **argv, const char *color,
               struct etcore_diagnostic *err)
{
	struct asking a = { .err = err };
	struct etc_error own_err = { 0 };
	int status;

	if (strcmp(cmd->name, etc_help_command.name) == 0)
		return own(&a, etc_help_run(argc, argv, &own_err), &own_err);
	status = etcore_query_new(cmd->name, &a.query, err);
	if (status == ETCORE_STATUS_OK && color)
		status = etcore_set(a.query, "color", color, err);
	if (status == ETCORE_STATUS_OK)
		status = answer(&a, cmd, argc, argv);
	etcore_query_free(a.query);
	return status;
}

/* Flushes standard output. Returns `status`; if a write to standard output failed, such as on a
 * full disk, the status of E0903. */
static int flushed(struct asking *a, int status)
{
	struct etc_error err = { 0 };

	if (status != ETCORE_STATUS_OK || (fflush(stdout) == 0 && !ferror(stdout)))
		return status;
	return own(
		a,
		etc_in_file(&err, etc_fail(&err, E0903, "%s", strerror(errno)), "standard output"),
		&err);
}

/* Handles calls without a command: --help, --version, or no argument at all. Returns false if argv
 * has a command. */
static bool about_itself(int argc, char **argv, int *status)
{
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    (strcmp(argv[1], etc_help_command.name) == 0 &&
	     (argc == 2 || strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0))) {
		/* a failed write is reported by flushed() */
		(void)usage(argc < 2 ? stderr : stdout);
		*status = argc < 2 ? ETCORE_STATUS_USAGE : ETCORE_STATUS_OK;
		return true;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		printf("etcore %s\n", etcore_version());
		*status = ETCORE_STATUS_OK;
		return true;
	}
	return false;
}

/* Does a word in the command's position name an input file? True for "-", for an existing file, and
 * for a word with '.' or '/' that does not begin with '-'. */
static bool is_input(const char *word)
{
	return strcmp(word, "-") == 0 || access(word, F_OK) == 0 ||
	       (word[0] != '-' && strpbrk(word, "./"));
}

/* Returns the error for an option before the command. Only options that take_color() accepts may
 * stand there. */
static enum etc_status misplaced(const char *word, struct etc_error *err)
{
	if (strcmp(word, "--color") == 0)
		return etc_fail(err, E0503, "--color WHEN");
	return etc_fail(err, E0502, "%s before the command; options follow the command", word);
}

static int command(int argc, char **argv, struct asking *a)
{
	struct etc_error err = { 0 };
	struct etc_command cmd;
	enum etc_status found;
	char *help[] = { argv[0], argc > 2 ? argv[2] : NULL, (char[]){ "--help" }, NULL };

	etcore_own_process();
	etc_program_own();
	if (argc >= 3 && argv[2][0] != '-' && strcmp(argv[1], etc_help_command.name) == 0) {
		argc = 3; /* `help COMMAND [SUBCOMMAND]` is `COMMAND --help` */
		argv = help;
	}
	found = argv[1][0] == '-' && argv[1][1] ? misplaced(argv[1], &err)
	                                        : etc_command_find(argv[1], &cmd, &err);
	/* without a command, `etcore FILE...` means `etcore analyze FILE...` */
	if (found != ETC_OK && is_input(argv[1])) {
		found = etc_command_find("analyze", &cmd, &err);
		argc++;
		argv--;
	}
	if (found != ETC_OK)
		return own(a, found, &err);
	a->json = etc_diagnostics_json(argc - 1, argv + 1);
	return ask(&cmd, argc - 1, argv + 1, a->color, a->err);
}

/* Handles the options --color WHEN, --color=WHEN and --no-color that precede the command. Returns
 * the number of elements of argv that these options take. */
static int take_color(int argc, char **argv, struct asking *a)
{
	int n = 1;

	for (; n < argc; n++)
		if (strcmp(argv[n], "--no-color") == 0)
			a->color = "never";
		else if (strncmp(argv[n], "--color=", 8) == 0)
			a->color = argv[n] + 8;
		else if (strcmp(argv[n], "--color") == 0 && n + 1 < argc)
			a->color = argv[++n];
		else
			break;
	return n - 1;
}

struct program {
	int argc, status;
	char **argv;
};

static void run(void *program)
{
	struct program *p = program;
	struct etcore_diagnostic d = ETCORE_DIAGNOSTIC;
	struct asking a = { .err = &d };
	int taken = take_color(p->argc, p->argv, &a), argc = p->argc - taken, status;
	char **argv = p->argv + taken;

	etc_descriptors_hold();
	if (!about_itself(argc, argv, &status))
		status = command(argc, argv, &a);
	status = flushed(&a, status);
	if (d.code && d.code[0] && status != ETCORE_STATUS_OK)
		etc_print_diagnostic(&d, a.json);
	p->status = etc_stop_signal() ? 128 + etc_stop_signal() : status;
}

int main(int argc, char **argv)
{
	struct program p = { .argc = argc, .argv = argv };

	etc_on_roomy_stack(run, &p);
	return p.status;
}
