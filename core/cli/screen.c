/* screen.c -- see screen.h */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/screen.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Columns of the terminal on stdout; 0 when it is none. COLUMNS wins. */
static unsigned terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize w;

	if (columns && atoi(columns) > 0)
		return (unsigned)atoi(columns);
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0)
		return w.ws_col;
	return 0;
}

/* May colours be used if nobody says anything? */
static bool is_color_terminal(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && no[0]);
}

/* Is text on this terminal UTF-8? The first of the variables that is set tells. */
static bool is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *v = getenv(names[i]);

		if (v && v[0])
			return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "utf-8") ||
			       strstr(v, "UTF8");
	}
	return false;
}

/* Does the question have the option? */
static bool has(const char *question, const char *name)
{
	struct etcore_option_info o = { .size = sizeof o };

	for (uint32_t i = 0; etcore_option(question, i, &o); i++)
		if (strcmp(o.name, name) == 0)
			return true;
	return false;
}

int etc_screen_set(struct etcore_query *q, const char *question, bool verbose,
                   struct etcore_diagnostic *err)
{
	char width[16];
	int st = ETCORE_STATUS_OK;

	if (has(question, "progress") && (verbose || isatty(STDERR_FILENO)))
		st = etcore_set(q, "progress", "2", err);
	if (st != ETCORE_STATUS_OK || !has(question, "width"))
		return st;
	snprintf(width, sizeof width, "%u", terminal_width());
	st = etcore_set(q, "width", width, err);
	if (st == ETCORE_STATUS_OK && is_color_terminal())
		st = etcore_set(q, "terminal", NULL, err);
	if (st == ETCORE_STATUS_OK && isatty(STDOUT_FILENO) && !is_utf8())
		st = etcore_set(q, "ascii", NULL, err);
	return st;
}
