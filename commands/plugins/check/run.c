/* run.c -- runs one check and writes its verdict to the board. */
#include <stdarg.h>
#include <stdio.h>

#include "commands/plugins/check/internal.h"
#include "host/guard.h"

enum { ARENA = 64 << 20 };

static void say(struct etc_checking *c, uint32_t verdict, const char *fmt, va_list args)
{
	struct etc_check_board *b = c->board;

	if (b->verdict == ETC_VERDICT_FAILED)
		return;
	vsnprintf(b->text, sizeof b->text, fmt, args);
	for (char *p = b->text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	b->verdict = verdict;
}

void etc_check_failed(struct etc_checking *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, ETC_VERDICT_FAILED, fmt, args);
	va_end(args);
}

void etc_check_skip(struct etc_checking *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, ETC_VERDICT_SKIPPED, fmt, args);
	va_end(args);
}

void etc_check_note(struct etc_checking *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(c, c->board->verdict, fmt, args);
	va_end(args);
}

bool etc_check_has_failed(const struct etc_checking *c)
{
	return c->board->verdict == ETC_VERDICT_FAILED;
}

/* Opens the plugin as the host does. Then restores the default signal handlers. */
static enum etc_status open_plugin(struct etc_checking *c, struct etc_plugin *p,
                                   struct etc_error *err)
{
	static const struct etc_settings none;

	c->before = etc_surroundings_now(c->arena);
	snprintf(c->board->doing, sizeof c->board->doing, "its constructors or descriptor");
	ETC_TRY(etc_plugin_open(p, c->arena, err));
	etc_crash_uninstall();
	c->plugin = p;
	c->abi = p->abi;
	if (p->state == ETC_PLUGIN_REFUSED)
		return ETC_OK;
	return etc_plugin_configure(p, &none, c->arena, err);
}

static enum etc_status run(const struct etc_check *check, struct etc_checking *c,
                           struct etc_error *err)
{
	struct etc_plugin p = { .path = etc_str_of(c->path), .name = etc_str_of(c->path) };
	unsigned count;

	if (!check->of_file) {
		ETC_TRY(open_plugin(c, &p, err));
		c->board->doing[0] = '\0';
		if (p.state != ETC_PLUGIN_REFUSED)
			ETC_TRY(etc_own_words(c, err));
		/* Only the first check reports that the plugin was refused; the other checks are
		 * skipped. */
		if (p.state == ETC_PLUGIN_REFUSED && check != &etc_check_list(&count)[0]) {
			etc_check_skip(c, "the plugin cannot be opened");
			return ETC_OK;
		}
	}
	check->run(c);
	if (c->board->verdict == ETC_VERDICT_NONE)
		c->board->verdict = ETC_VERDICT_OK;
	return ETC_OK;
}

enum etc_status etc_check_run(const char *name, const struct etc_check_subject *subject,
                              struct etc_check_board *board, struct etc_error *err)
{
	const struct etc_check *check = etc_check_find(name);
	struct etc_checking c = { .path = subject->path, .subject = subject, .board = board };
	struct etc_arena arena;
	enum etc_status st;

	if (!check)
		return etc_fail(err, E0504, "the check '%s'", name);
	etc_arena_init(&arena, ARENA);
	c.arena = &arena;
	st = run(check, &c, err);
	etc_arena_release(&arena);
	return st;
}
