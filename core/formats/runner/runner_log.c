/* runner_log.c -- see runner_log.h */
#include "formats/runner/runner_log.h"

#include "base/ascii.h"
#include "base/number.h"
#include "formats/runner/failures.h"

enum { TEXT_MOST = 300, LINE_MOST = 4096 };

/* Returns the text after `words` in the line; {NULL, 0} if the line does not contain them. */
static struct etc_str after(struct etc_str line, const char *words)
{
	size_t at = etc_str_find(line, etc_str_of(words), 0);

	if (at == SIZE_MAX)
		return (struct etc_str){ NULL, 0 };
	return etc_str_sub(line, at + strlen(words), line.len);
}

/* Parses a number at the start of `*s`, without sign or exponent, and skips it. False: there is
 * none. */
static bool take_number(struct etc_str *s, double *out)
{
	size_t n = 0;

	while (n < s->len && ((s->ptr[n] >= '0' && s->ptr[n] <= '9') || s->ptr[n] == '.'))
		n++;
	if (n == 0 || !etc_number_parse(etc_str_sub(*s, 0, n), out))
		return false;
	*s = etc_str_sub(*s, n, s->len);
	return true;
}

static bool take_words(struct etc_str *s, const char *words)
{
	if (!etc_str_starts(*s, etc_str_of(words)))
		return false;
	*s = etc_str_sub(*s, strlen(words), s->len);
	return true;
}

/* Returns the value of one unit in the last digit of the number at the start of `s`: 0.01 for
 * "0.25". */
static double step_of(struct etc_str s)
{
	double step = 1;
	size_t n = 0;

	while (n < s.len && etc_is_digit(s.ptr[n]))
		n++;
	if (n < s.len && s.ptr[n] == '.')
		for (n++; n < s.len && etc_is_digit(s.ptr[n]); n++)
			step /= 10;
	return step;
}

static void take_iteration(struct etc_runner_log *r, struct etc_str line)
{
	struct etc_str s = after(line, "Iteration ");
	double i, of, ms, step;

	if (!s.ptr || !take_number(&s, &i) || !take_words(&s, " of ") || !take_number(&s, &of) ||
	    !take_words(&s, ": "))
		return;
	step = step_of(s);
	if (!take_number(&s, &ms) || !take_words(&s, " ms")) {
		r->skipped = r->skipped.len ? r->skipped : line;
		return;
	}
	r->iterations_of = of;
	if (i == 1) {
		r->iterations = 0;
		r->skipped = ETC_STR_NONE;
	}
	if (r->iterations == 0 || step < r->step_ms)
		r->step_ms = step;
	if (r->iterations < ETC_ITERATIONS_MAX)
		r->iteration_ms[r->iterations++] = ms;
}

/* ---- totals, as Arm's SME2 profiling kit reads them ------------------------------------- */

/* Skips blanks; false if there is none. */
static bool take_blanks(struct etc_str *s)
{
	size_t n = 0;

	while (n < s->len && etc_is_blank(s->ptr[n]))
		n++;
	*s = etc_str_sub(*s, n, s->len);
	return n > 0;
}

/* Parses digits with an optional fraction: no sign, no exponent. */
static bool take_plain(struct etc_str *s, double *out)
{
	size_t n = 0;

	while (n < s->len && etc_is_digit(s->ptr[n]))
		n++;
	if (n && n + 1 < s->len && s->ptr[n] == '.' && etc_is_digit(s->ptr[n + 1]))
		for (n++; n < s->len && etc_is_digit(s->ptr[n]);)
			n++;
	if (!n || !etc_number_parse(etc_str_sub(*s, 0, n), out))
		return false;
	*s = etc_str_sub(*s, n, s->len);
	return true;
}

/* Skips `words`, ignoring case, at the start of `s`. False: `s` does not start with them. */
static bool take_any_case(struct etc_str *s, const char *words)
{
	if (!etc_starts_word(*s, words))
		return false;
	*s = etc_str_sub(*s, strlen(words), s->len);
	return true;
}

static void take_executed(struct etc_runner_log *r, struct etc_str line)
{
	static const char words[] = "model executed successfully";
	size_t at = etc_find_word(line, words);
	struct etc_str s;
	double n = -1, ms, step;

	if (at == SIZE_MAX)
		return;
	s = etc_str_sub(line, at + sizeof words - 1, line.len);
	if (!take_blanks(&s))
		return;
	if (take_plain(&s, &n) &&
	    !(take_blanks(&s) && take_any_case(&s, "time(s)") && take_blanks(&s)))
		return;
	if (!take_any_case(&s, "in") || !take_blanks(&s))
		return;
	step = step_of(s);
	if (!take_plain(&s, &ms))
		return;
	take_blanks(&s);
	if (!take_any_case(&s, "ms"))
		return;
	r->executed = true;
	r->total_count = n;
	r->total_ms = ms;
	r->total_step_ms = step;
}

/* Parses a time such as "12.5 ms", "400us" or "3 s" at `at`. The unit must be a complete word, and
 * the number must not be part of a word or of another number. */
static bool take_time(struct etc_str line, size_t at, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = { { "ms", 1 }, { "us", 1e-3 }, { "s", 1e3 } };
	struct etc_str s = etc_str_sub(line, at, line.len);
	double v;

	if (at && (etc_is_word(line.ptr[at - 1]) || strchr(".+-", line.ptr[at - 1])))
		return false;
	/* "1,500 us" and "2,5 ms": a comma inside a number may separate thousands or decimals */
	if (at > 1 && line.ptr[at - 1] == ',' && etc_is_digit(line.ptr[at - 2]))
		return false;
	if (!take_plain(&s, &v))
		return false;
	take_blanks(&s);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		struct etc_str rest = s;

		if (take_any_case(&rest, units[i].name) &&
		    (!rest.len || !etc_is_word(rest.ptr[0]))) {
			*ms = v * units[i].ms;
			return true;
		}
	}
	return false;
}

/* Stores the first time in the line if the line has a word for a total or an average. */
static void take_told(struct etc_runner_log *r, struct etc_str line)
{
	bool total =
		etc_find_word(line, "total") != SIZE_MAX || etc_find_word(line, "sum") != SIZE_MAX;
	bool average = etc_find_word(line, "avg") != SIZE_MAX ||
	               etc_find_word(line, "average") != SIZE_MAX;
	double ms;

	for (size_t at = 0; (total || average) && at < line.len; at++)
		if (etc_is_digit(line.ptr[at]) && take_time(line, at, &ms)) {
			r->told_total_ms = total ? ms : r->told_total_ms;
			r->told_average_ms = average ? ms : r->told_average_ms;
			return;
		}
}

static void take_rest(struct etc_runner_log *r, struct etc_str line)
{
	struct etc_str s = after(line, "Model loaded in ");
	double v;

	if (s.ptr && take_number(&s, &v) && take_words(&s, " ms")) {
		r->loaded = true;
		r->load_ms = v;
	}
	s = after(line, "Resetting threadpool with num threads = ");
	if (s.ptr && take_number(&s, &v))
		r->threads = v < INT32_MAX ? (int32_t)v : INT32_MAX;
	s = after(line, "unknown command line flag '");
	if (s.ptr && !r->unknown_flag.ptr)
		r->unknown_flag = etc_str_sub(s, 0, etc_str_find(s, ETC_STR("'"), 0));
}

enum etc_status etc_runner_log_read(struct etc_str log, struct etc_arena *arena,
                                    struct etc_runner_log *out, struct etc_error *err)
{
	bool in_output = false;
	size_t most = 0;

	*out = (struct etc_runner_log){ .threads = -1 };
	for (size_t at = 0; (at = etc_str_find(log, ETC_STR("Iteration "), at)) != SIZE_MAX; at++)
		most++;
	most = most < ETC_ITERATIONS_MAX ? most : ETC_ITERATIONS_MAX;
	out->iteration_ms = etc_new(arena, double, most);
	ETC_NEED(out->iteration_ms, err);
	for (size_t at = 0; at < log.len;) {
		const char *end = memchr(log.ptr + at, '\n', log.len - at);
		size_t next = end ? (size_t)(end - log.ptr) : log.len;
		struct etc_str line = etc_str_trim(etc_str_sub(log, at, next));

		take_iteration(out, line);
		take_executed(out, line);
		take_told(out, etc_str_sub(line, 0, LINE_MOST));
		take_rest(out, line);
		if (etc_log_nan(etc_str_sub(log, at, next), &in_output))
			out->not_a_number = true;
		if (line.len)
			out->last = line;
		at = next + 1;
	}
	out->last = etc_arena_str(arena, etc_str_sub(out->last, 0, TEXT_MOST));
	out->skipped = etc_arena_str(arena, etc_str_sub(out->skipped, 0, TEXT_MOST));
	out->unknown_flag = etc_arena_str(arena, etc_str_sub(out->unknown_flag, 0, TEXT_MOST));
	return ETC_OK;
}

bool etc_runner_log_contradicts(const struct etc_runner_log *log, double *sum_ms)
{
	const double n = log->iterations, part = 0.01, much = 0.2, much_ms = 0.2;
	double rounding;

	*sum_ms = 0;
	for (uint32_t i = 0; i < log->iterations; i++)
		*sum_ms += log->iteration_ms[i];
	if (!log->executed || n == 0 || log->skipped.len ||
	    (log->total_count >= 0 && log->total_count != n))
		return false;
	rounding = part * *sum_ms + (n * log->step_ms + log->total_step_ms) / 2;
	return log->total_ms < *sum_ms - rounding ||
	       log->total_ms > *sum_ms * (1 + much) + n * much_ms + rounding;
}
