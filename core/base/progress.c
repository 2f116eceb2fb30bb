/* progress.c -- see progress.h */
#define _DEFAULT_SOURCE /* struct winsize, clock_gettime */
#include "base/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/span.h"
#include "base/text.h"

enum {
	WAIT_MS = 1000, /* progress is shown only for work that takes at least this long */
	EACH_MS = 100   /* time between two updates */
};

#define CLEAR "\r\033[K"

bool etc_progress_on;

static struct {
	int fd;
	volatile sig_atomic_t shown;
	uint64_t begun,
		last;      /* times of etc_progress_begin(), and of the last writing of the line */
	const char *doing; /* activity of the last report; borrowed */
	char name[64];     /* beginning of the name of the file in the last report */
	/* offset in the file, and time, when `doing` and `name` were first reported */
	uint64_t from, since;
} line;

/* Writes to the terminal; errors are ignored. */
static void put(struct etc_str s)
{
	ssize_t n = write(line.fd, s.ptr, s.len);

	(void)n;
}

static uint64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void etc_progress_begin(int fd)
{
	memset(&line, 0, sizeof line);
	line.fd = fd;
	line.begun = milliseconds();
	etc_progress_on = true;
}

void etc_progress_clear(void)
{
	if (line.shown)
		put(ETC_STR(CLEAR));
	line.shown = false;
}

void etc_progress_end(void)
{
	etc_progress_clear();
	etc_progress_on = false;
}

/* Writes text such as "1.2 of 4.0 GB", with both sizes in the unit of the larger one. */
static void put_bytes(char *to, size_t room, uint64_t at, uint64_t of)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	uint64_t most = of > at ? of : at;
	double scale = 1;
	unsigned u = 0;

	while ((double)most / scale >= 1000 && u + 1 < sizeof units / sizeof *units) {
		scale *= 1000;
		u++;
	}
	if (of)
		snprintf(to, room, "%.*f of %.*f %s", u > 0, (double)at / scale, u > 0,
		         (double)of / scale, units[u]);
	else
		snprintf(to, room, "%.*f %s", u > 0, (double)at / scale, units[u]);
}

static void put_left(char *to, size_t room, double seconds)
{
	if (seconds < 90)
		snprintf(to, room, ", about %.0f s left", seconds);
	else if (seconds < 5400)
		snprintf(to, room, ", about %.0f min left", seconds / 60);
	else
		snprintf(to, room, ", about %.1f h left", seconds / 3600);
}

/* Does this process run in the background, so that it must not write to the terminal? */
static bool is_in_background(void)
{
	const pid_t group = tcgetpgrp(line.fd);

	return group > 0 && group != getpgrp();
}

static unsigned columns(void)
{
	struct winsize w = { 0 };

	return ioctl(line.fd, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

/* Writes the progress line, truncated to the width of the terminal, because a wrapped line could
 * not be erased. */
static void put_line(const char *bytes, const char *left)
{
	const unsigned width = columns();
	struct etc_text text = { 0 };
	struct etc_str s;
	size_t end = 0, next = 0;

	etc_text_printf(&text, line.name[0] ? "%s " : "%s", line.doing);
	etc_text_shown(&text, etc_str_of(line.name));
	etc_text_printf(&text, ": %s%s", bytes, left);
	s = etc_text_str(&text);
	while (next < s.len) {
		(void)etc_utf8_next(s, &next);
		if (etc_utf8_width(etc_str_sub(s, 0, next)) >= width)
			break;
		end = next;
	}
	if (!text.failed) {
		struct etc_text out = { 0 };

		etc_text_cstr(&out, CLEAR);
		etc_text_put(&out, etc_str_sub(s, 0, end));
		line.shown = true;
		put(etc_text_str(&out));
		etc_text_release(&out);
	}
	etc_text_release(&text);
}

/* Copies the beginning of a name to `to`, in whole characters. */
static void keep_name(char *to, size_t room, const char *name)
{
	size_t n = strlen(name);

	if (n >= room)
		for (n = room - 1; n && ((unsigned char)name[n] & 0xc0) == 0x80;)
			n--;
	memcpy(to, name, n);
	to[n] = '\0';
}

/* Does this report have another file or activity than the last report, so that the speed must be
 * measured anew? */
static bool is_new(const char *doing, const char *name, uint64_t at)
{
	return line.doing != doing || strcmp(line.name, name) != 0 || at < line.from;
}

void etc_progress_tell(const char *doing, const char *path, uint64_t at, uint64_t of)
{
	const uint64_t now = milliseconds();
	const char *name = !path                    ? ""
	                   : strcmp(path, "-") == 0 ? "standard input"
	                                            : etc_file_name(path);
	char bytes[64], left[64] = "", part[sizeof line.name];

	keep_name(part, sizeof part, name);
	if (is_new(doing, part, at)) {
		line.doing = doing;
		memcpy(line.name, part, sizeof part);
		line.from = at;
		line.since = now;
	}
	if (now - line.begun < WAIT_MS || (line.shown && now - line.last < EACH_MS) ||
	    is_in_background())
		return;
	line.last = now;
	put_bytes(bytes, sizeof bytes, at, of);
	if (of > at && at > line.from && now > line.since)
		put_left(left, sizeof left,
		         (double)(of - at) * (double)(now - line.since) /
		                 ((double)(at - line.from) * 1000));
	put_line(bytes, left);
}
