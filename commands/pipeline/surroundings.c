/* surroundings.c -- describes the machine of a measurement; see surroundings.h */
#define _GNU_SOURCE /* timegm */
#include "commands/pipeline/surroundings.h"

#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum { SMALL = 64 << 10, ZONES = 64, CORES = 1024 };

const char *etc_time_text(struct etc_arena *arena)
{
	struct timespec t;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &tm);
	return etc_arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d.%06ld+00:00",
	                        tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
	                        tm.tm_sec, t.tv_nsec / 1000)
	        .ptr;
}

/* Does the beginning of `text` have the form `form`? A '0' in `form` stands for any digit. */
static bool is_like(struct etc_str text, const char *form)
{
	size_t i = 0;

	for (; form[i]; i++)
		if (i >= text.len || (form[i] == '0' ? text.ptr[i] < '0' || text.ptr[i] > '9'
		                                     : text.ptr[i] != form[i]))
			return false;
	return true;
}

/* Returns the number that consists of the two digits at `at`. */
static int two_digits(struct etc_str text, size_t at)
{
	return (text.ptr[at] - '0') * 10 + text.ptr[at + 1] - '0';
}

/* Parses the end of a time: a fraction of a second, which is ignored, and the time zone. Sets
 * *seconds to the difference of the time zone from UTC. */
static bool parse_zone(struct etc_str text, int64_t *seconds)
{
	size_t at = 0;
	bool colon;

	*seconds = 0;
	if (is_like(text, ".0"))
		for (at = 1; at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9';)
			at++;
	text = etc_str_sub(text, at, text.len);
	if (!text.len || etc_str_eq(text, ETC_STR("Z")))
		return true;
	colon = is_like(etc_str_sub(text, 1, text.len), "00:00");
	if ((text.ptr[0] != '+' && text.ptr[0] != '-') || text.len != (colon ? 6 : 5) ||
	    (!colon && !is_like(etc_str_sub(text, 1, text.len), "0000")) ||
	    two_digits(text, 1) > 23 || two_digits(text, text.len - 2) > 59)
		return false;
	*seconds = (two_digits(text, 1) * 60 + two_digits(text, text.len - 2)) * 60;
	*seconds = text.ptr[0] == '-' ? -*seconds : *seconds;
	return true;
}

bool etc_time_parse(struct etc_str text, int64_t *seconds)
{
	struct tm tm = { 0 }, given;
	int64_t zone;

	if (!is_like(text, "0000-00-00T00:00:00") ||
	    !parse_zone(etc_str_sub(text, 19, text.len), &zone))
		return false;
	tm.tm_year = two_digits(text, 0) * 100 + two_digits(text, 2) - 1900;
	tm.tm_mon = two_digits(text, 5) - 1;
	tm.tm_mday = two_digits(text, 8);
	tm.tm_hour = two_digits(text, 11);
	tm.tm_min = two_digits(text, 14);
	tm.tm_sec = two_digits(text, 17);
	given = tm;
	*seconds = (int64_t)timegm(&tm) - zone;
	/* timegm() changes 31 February to 3 March, so the fields are compared */
	return tm.tm_mon == given.tm_mon && tm.tm_mday == given.tm_mday &&
	       tm.tm_hour == given.tm_hour && tm.tm_min == given.tm_min &&
	       tm.tm_sec == given.tm_sec;
}

int64_t etc_time_now(void)
{
	return (int64_t)time(NULL);
}

/* Returns the content of a small file of the system, without surrounding blanks; empty if the file
 * does not exist. */
static struct etc_str small_file(const char *path, struct etc_arena *arena)
{
	struct etc_str s = { 0 };
	char buffer[SMALL];
	FILE *f = fopen(path, "re");

	if (!f)
		return s;
	s.len = fread(buffer, 1, sizeof buffer, f);
	fclose(f);
	s.ptr = buffer;
	return etc_arena_str(arena, etc_str_trim(s));
}

static double number_file(const char *path)
{
	FILE *f = fopen(path, "re");
	double v = NAN;

	if (f && fscanf(f, "%lf", &v) != 1)
		v = NAN;
	if (f)
		fclose(f);
	return v;
}

double etc_temperature(void)
{
	double most = NAN, v;
	char path[96];

	for (int i = 0; i < ZONES; i++) {
		snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", i);
		v = number_file(path) / 1000;
		if (v > -100 && v < 300 && !(v <= most))
			most = v;
	}
	return most;
}

double etc_frequency_mhz(void)
{
	double most = NAN, v;
	char path[96];

	for (int i = 0; i < CORES; i++) {
		snprintf(path, sizeof path,
		         "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", i);
		if (!etc_file_exists(path))
			break;
		v = number_file(path) / 1000;
		if (!(v <= most))
			most = v;
	}
	return most;
}

struct etc_str etc_line_value(struct etc_str text, const char *key)
{
	size_t n = strlen(key);

	for (size_t at = 0; at < text.len;) {
		size_t end = etc_str_find(text, ETC_STR("\n"), at), colon;
		struct etc_str line = etc_str_sub(text, at, end);

		colon = etc_str_find(line, ETC_STR(":"), 0);
		if (colon != SIZE_MAX && etc_str_starts(line, etc_str_of(key)) &&
		    etc_str_trim(etc_str_sub(line, 0, colon)).len == n)
			return etc_str_trim(etc_str_sub(line, colon + 1, line.len));
		if (end == SIZE_MAX)
			break;
		at = end + 1;
	}
	return (struct etc_str){ 0 };
}

static void emit_words(struct etc_emit *e, const char *name, struct etc_str words)
{
	etc_emit_open(e, name, '[');
	for (size_t at = 0; at < words.len;) {
		size_t end = etc_str_find(words, ETC_STR(" "), at);

		if (end == SIZE_MAX)
			end = words.len;
		if (end > at)
			etc_emit_text(e, NULL, etc_str_sub(words, at, end));
		at = end + 1;
	}
	etc_emit_close(e);
}

static struct etc_str or_null(struct etc_str s)
{
	return s.len ? s : ETC_STR_NONE;
}

static void emit_processor(struct etc_emit *e, struct etc_arena *arena)
{
	struct etc_str info = small_file("/proc/cpuinfo", arena);
	struct etc_str model = etc_line_value(info, "model name"),
		       flags = etc_line_value(info, "flags");
	struct etc_str no_turbo =
		small_file("/sys/devices/system/cpu/intel_pstate/no_turbo", arena);

	if (!model.len)
		model = etc_line_value(info, "CPU part");
	if (!flags.len)
		flags = etc_line_value(info, "Features");
	etc_emit_open(e, "cpu", '{');
	etc_emit_text(e, "model", or_null(model));
	etc_emit_i64(e, "online", sysconf(_SC_NPROCESSORS_ONLN));
	etc_emit_text(e, "governor",
	              or_null(small_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	                                 arena)));
	etc_emit_known(e, "max_mhz",
	               number_file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") / 1000);
	etc_emit_known(e, "mhz", etc_frequency_mhz());
	etc_emit_text(e, "no_turbo", or_null(no_turbo));
	etc_emit_text(e, "boost",
	              or_null(small_file("/sys/devices/system/cpu/cpufreq/boost", arena)));
	etc_emit_known(e, "temperature_c", etc_temperature());
	emit_words(e, "features", flags);
	etc_emit_close(e);
}

/* Does the entry NAME=VALUE set an environment variable that affects a runner? The beginning of the
 * name decides. */
static bool tells(const char *entry)
{
	static const char *const heads[] = {
		"LD_",         "OMP_",     "XNN_",    "ET_",
		"EXECUTORCH_", "KAI_",     "MALLOC_", "GLIBC_TUNABLES=",
		"PYTHON",      "CPUINFO_", "QEMU_",   "LANG=",
		"LC_ALL="
	};

	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
		if (strncmp(entry, heads[i], strlen(heads[i])) == 0)
			return true;
	return false;
}

static void emit_variables(struct etc_emit *e)
{
	etc_emit_open(e, "variables", '{');
	for (char **v = environ; v && *v; v++) {
		const char *eq = strchr(*v, '=');

		if (!eq || !tells(*v))
			continue;
		etc_emit_key(e, (struct etc_str){ *v, (size_t)(eq - *v) });
		etc_text_char(e->out, '"');
		etc_text_json(e->out, etc_str_of(eq + 1));
		etc_text_char(e->out, '"');
	}
	etc_emit_close(e);
}

void etc_surroundings_emit(struct etc_emit *e, struct etc_arena *arena)
{
	struct etc_str memory = etc_line_value(small_file("/proc/meminfo", arena), "MemTotal");
	struct utsname u = { .sysname = "" };

	uname(&u);
	etc_emit_block(e, "environment", '{');
	etc_emit_text(e, "system", etc_str_of(u.sysname));
	etc_emit_text(e, "release", etc_str_of(u.release));
	etc_emit_text(e, "machine", etc_str_of(u.machine));
	etc_emit_text(e, "host", etc_str_of(u.nodename));
	etc_emit_text(e, "memory", or_null(memory));
	etc_emit_text(e, "load", or_null(small_file("/proc/loadavg", arena)));
	emit_processor(e, arena);
	emit_variables(e);
	etc_emit_close(e);
}
