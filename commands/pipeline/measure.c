/* measure.c -- reads the log and the dump of one process of a runner; see measure.h */
#include "commands/pipeline/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/file.h"
#include "base/sha256_text.h"
#include "commands/pipeline/latency.h"
#include "formats/etdump/etdump.h"

/* a file of at most this many bytes is reported as a stub, since a real dump is larger */
enum { STUB = 64 };

const char *etc_block_state_text(uint8_t state)
{
	static const char *const names[] = { "pending", "ok", "failed", "interrupted", "ok" };

	return names[state];
}

const char *etc_latency_source_text(uint8_t source)
{
	static const char *const names[] = { "none", "iteration_log", "etdump", "total" };

	return names[source];
}

enum { WHY = 512 };

/* Writes the message to `text`, and reports it as a warning about the block. */
static void say(const struct etc_block_place *at, enum etc_code code, const char *fmt, va_list args,
                char text[WHY])
{
	char block[32] = "";

	vsnprintf(text, WHY, fmt, args);
	if (at->unit->blocks > 1)
		snprintf(block, sizeof block, ", block %u", at->block + 1);
	etc_note_each(at->notes, code, "%s with %u thread%s%s: %s", at->unit->experiment->name,
	              at->unit->threads, etc_plural(at->unit->threads), block, text);
}

void etc_block_fails(const struct etc_block_place *at, struct etc_block_result *r,
                     enum etc_code code, const char *fmt, ...)
{
	char text[WHY];
	va_list args;

	va_start(args, fmt);
	say(at, code, fmt, args, text);
	va_end(args);
	if (r->state == ETC_BLOCK_FAILED)
		return;
	r->state = ETC_BLOCK_FAILED;
	r->code = code;
	r->why = etc_arena_cstr(at->notes->arena, etc_str_of(text));
}

void etc_block_warns(const struct etc_block_place *at, enum etc_code code, const char *fmt, ...)
{
	char text[WHY];
	va_list args;

	va_start(args, fmt);
	say(at, code, fmt, args, text);
	va_end(args);
}

static enum etc_status collect_log(const char *path, struct etc_arena *arena,
                                   struct etc_block_result *r, struct etc_error *err)
{
	struct etc_file file;
	enum etc_status st;

	if (etc_file_open_found(&file, path, 0, NULL) != ETC_OK)
		return etc_runner_log_read((struct etc_str){ 0 }, arena, &r->log, err);
	st = etc_runner_log_read((struct etc_str){ (const char *)file.bytes.ptr, file.bytes.len },
	                         arena, &r->log, err);
	r->log_sha256 = etc_hex_sha256(file.bytes, arena);
	etc_file_release(&file);
	return st;
}

/* ---- the dump ---------------------------------------------------------------------- */

static void take_run(const struct etc_trace *t, const struct etc_run *r, struct etc_times *out)
{
	const struct etc_template *template = etc_run_template(t, r);
	bool executes = false;
	double ms = 0;

	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		size_t at = r->first_sample + e->column;
		double took;

		if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e))
			continue;
		out->backwards = out->backwards || t->end[at] < t->start[at];
		took = t->end[at] < t->start[at] ? 0 : (double)(t->end[at] - t->start[at]) / 1e6;
		if (etc_str_eq(etc_event_name(e), ETC_STR("Method::execute"))) {
			executes = true;
			ms += took;
		} else if (etc_str_eq(etc_event_name(e), ETC_STR("Program::load_method"))) {
			out->load_ms = took;
		}
	}
	if (executes)
		out->execute_ms[out->runs++] = ms;
}

static enum etc_status take_runs(const struct etc_trace *t, struct etc_arena *arena,
                                 struct etc_times *out, struct etc_error *err)
{
	out->execute_ms = etc_new(arena, double, t->run_count);
	ETC_NEED(out->execute_ms, err);
	for (size_t i = 0; i < t->run_count; i++)
		take_run(t, &t->runs[i], out);
	return ETC_OK;
}

/* Returns the model that the block ran. NULL: it is unknown, because the model cannot be read, or
 * because arguments of the runner name another model. */
static const struct etc_model *model_of(const struct etc_block_place *at)
{
	const struct etc_words *more = &at->unit->experiment->extra_args;

	for (uint32_t i = 0; i < more->count; i++)
		if (etc_model_is_named_by(etc_str_of(more->v[i])))
			return NULL;
	return at->model;
}

static enum etc_status read_times(struct etc_span file, const struct etc_model *model,
                                  struct etc_arena *arena, struct etc_block_result *r,
                                  struct etc_error *err)
{
	struct etc_arena scratch;
	struct etc_trace t;
	enum etc_status st;

	r->times = (struct etc_times){ .load_ms = -1 };
	etc_arena_init(&scratch, arena->budget);
	st = etc_etdump_read(file, NULL, &scratch, NULL, &t, err);
	if (st == ETC_OK)
		st = take_runs(&t, arena, &r->times, err);
	if (st == ETC_OK)
		st = etc_model_contradicts(model, &t, arena, &r->foreign, err);
	etc_arena_release(&scratch);
	return st;
}

/* Reads the times of a dump into r->times. If the dump cannot be used, the block fails: with W1016
 * for a stub or a file that is not an ETDump, with W1017 for a damaged dump or one without
 * Method::execute. */
static enum etc_status judge_dump(const struct etc_block_place *at, struct etc_span bytes,
                                  struct etc_arena *arena, struct etc_block_result *r,
                                  struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	enum etc_status st = read_times(bytes, model_of(at), arena, r, &why);

	if (st == ETC_NOMEM) {
		*err = why;
		return st;
	}
	if (st == ETC_OK && r->times.runs > 0) {
		r->etdump_sha256 = etc_hex_sha256(bytes, arena);
		return ETC_OK;
	}
	if (st == ETC_OK)
		etc_block_fails(at, r, W1017, "it has no Method::execute");
	else if (bytes.len <= STUB || why.code == E0201)
		etc_block_fails(at, r, W1016, "%zu bytes, %s", bytes.len,
		                bytes.len <= STUB ? "a stub" : why.text);
	else
		etc_block_fails(at, r, W1017, "%s %s: %s", etc_code_info(why.code)->name,
		                etc_code_info(why.code)->title, why.text);
	r->times = (struct etc_times){ .load_ms = -1 };
	return ETC_OK;
}

static enum etc_status collect_dump(const struct etc_block_place *at, const char *path,
                                    struct etc_arena *arena, struct etc_block_result *r,
                                    struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_file file;
	enum etc_status st;

	if (!etc_file_exists(path)) {
		if (r->state != ETC_BLOCK_FAILED)
			etc_block_fails(at, r, W1015, "it ended well%s",
			                r->log.executed ? " and executed the model" : "");
		return ETC_OK;
	}
	if (etc_file_open_found(&file, path, 0, &why) != ETC_OK) {
		etc_block_fails(at, r, W1017, "%s", why.text);
		return ETC_OK;
	}
	st = judge_dump(at, file.bytes, arena, r, err);
	etc_file_release(&file);
	return st;
}

/* Statistics over executions, in ms except for `ratio`. `log` is about the times in the log,
 * `dump` about the times of Method::execute in the dump, `beyond` about the differences log
 * minus dump, `ratio` about the quotients log divided by dump. */
struct executions {
	struct etc_latency log, dump, beyond, ratio;
};

/* Pairs the executions in the log with those in the dump, and computes the statistics of their
 * times. Sets out->log.n to 0 if they cannot be paired. The reasons: the log or the dump has no
 * executions, their numbers differ, or a time in the dump is not positive. */
static enum etc_status pair_executions(const struct etc_block_result *r, struct etc_arena *arena,
                                       struct executions *out, struct etc_error *err)
{
	const double *log = r->log.iteration_ms, *dump = r->times.execute_ms;
	uint32_t n = r->log.iterations == r->times.runs ? r->times.runs : 0;
	double *beyond = etc_new(arena, double, n), *ratio = etc_new(arena, double, n);

	*out = (struct executions){ .log.n = 0 };
	ETC_NEED(beyond && ratio, err);
	for (uint32_t i = 0; i < n; i++) {
		if (!(dump[i] > 0))
			return ETC_OK;
		beyond[i] = log[i] - dump[i];
		ratio[i] = log[i] / dump[i];
	}
	if (n == 0)
		return ETC_OK;
	ETC_TRY(etc_latency_of(dump, n, arena, &out->dump, err));
	ETC_TRY(etc_latency_of(beyond, n, arena, &out->beyond, err));
	ETC_TRY(etc_latency_of(ratio, n, arena, &out->ratio, err));
	return etc_latency_of(log, n, arena, &out->log, err);
}

/* Is every time in the log the same multiple of the time in the dump, although the times vary much
 * more than the quotients? If the difference were the time that a runner takes outside of
 * Method::execute, the quotients would vary, too. False for fewer than 8 executions. */
static bool is_multiple(const struct executions *e)
{
	const double few = 8, same = 0.005, vary = 0.05;

	return e->ratio.n >= few && fabs(e->ratio.median - 1) > 4 * same &&
	       e->ratio.max - e->ratio.min < same * e->ratio.median &&
	       e->dump.max - e->dump.min > vary * e->dump.median;
}

enum etc_status etc_block_contradiction(const struct etc_block_result *r, struct etc_arena *arena,
                                        const char **why, struct etc_error *err)
{
	const double rounding = 0.01, digit_ms = 0.001, much = 0.2, much_ms = 0.2;
	const char *how = NULL;
	struct executions e;

	*why = NULL;
	ETC_TRY(pair_executions(r, arena, &e, err));
	if (!e.log.n)
		return ETC_OK;
	if (e.beyond.median < -(rounding * e.dump.median + digit_ms))
		how = "but an execution encloses Method::execute";
	else if (is_multiple(&e))
		how = "always by the same factor: one of their clocks is wrong";
	else if (e.beyond.median > much * e.dump.median && e.beyond.median > much_ms)
		how = "so the rest is outside of Method::execute, or one of their clocks is wrong";
	if (!how)
		return ETC_OK;
	*why = etc_arena_printf(
		       arena,
		       "an execution takes %.4g ms in the log, and Method::execute %.4g ms "
		       "in the ETDump (medians), %s",
		       e.log.median, e.dump.median, how)
	               .ptr;
	ETC_NEED(*why, err);
	return ETC_OK;
}

static enum etc_status judge_times(const struct etc_block_place *at, struct etc_arena *arena,
                                   struct etc_block_result *r, struct etc_error *err)
{
	const char *contradiction;
	double sum = 0, told;

	ETC_TRY(etc_block_contradiction(r, arena, &contradiction, err));
	for (uint32_t i = 0; i < r->times.runs; i++)
		sum += r->times.execute_ms[i];
	if (contradiction)
		etc_block_warns(at, W1020, "%s", contradiction);
	if (etc_runner_log_contradicts(&r->log, &told))
		etc_block_warns(at, W1020,
		                "the log has executions of %g ms, and says %g ms for all", told,
		                r->log.total_ms);
	if (r->times.backwards)
		etc_block_warns(at, W1020, "an event of the ETDump ends before it begins");
	if (r->wall_ms > 0 && sum > r->wall_ms * 1.01 + 1)
		etc_block_warns(at, W1020,
		                "the ETDump has %.3f ms of executions, the process took %.3f ms",
		                sum, r->wall_ms);
	else if (r->wall_ms > 0 && told > r->wall_ms * 1.01 + 1)
		etc_block_warns(at, W1020,
		                "the log has %.3f ms of executions, the process took %.3f ms", told,
		                r->wall_ms);
	return ETC_OK;
}

static void judge_counts(const struct etc_block_place *at, uint32_t executions,
                         struct etc_block_result *r)
{
	uint32_t threads = at->unit->threads;

	if (r->log.skipped.len)
		etc_block_warns(at, W1018, "the log has %u, not %u; no time in ms: " ETC_STR_FMT,
		                r->log.iterations, executions, ETC_STR_ARG(r->log.skipped));
	else if (r->log.iterations && r->log.iterations != executions)
		etc_block_warns(at, W1018, "the log has %u, not %u", r->log.iterations, executions);
	else if (r->log.executed && r->log.total_count >= 0 && r->log.total_count != executions)
		etc_block_warns(at, W1018, "the log says %g, not %u", r->log.total_count,
		                executions);
	else if (r->times.runs && r->times.runs != executions)
		etc_block_warns(at, W1018, "the ETDump has %u, not %u", r->times.runs, executions);
	if (r->log.threads >= 0 && (uint32_t)r->log.threads != threads)
		etc_block_warns(at, W1024, "%d, not %u", r->log.threads, threads);
	if (r->foreign)
		etc_block_warns(at, W1079, "%s", r->foreign);
	if (r->log.not_a_number)
		etc_block_warns(at, W1022, "'nan' stands in the log");
}

enum etc_status etc_block_collect(const struct etc_block_place *at, const char *log,
                                  const char *etdump, uint32_t executions, struct etc_arena *arena,
                                  struct etc_block_result *r, struct etc_error *err)
{
	r->times.load_ms = -1;
	r->executions = executions;
	ETC_TRY(collect_log(log, arena, r, err));
	if (etdump)
		ETC_TRY(collect_dump(at, etdump, arena, r, err));
	if (at->unit->experiment->mode != ETC_MODE_TIMING)
		return ETC_OK;
	if (r->state != ETC_BLOCK_FAILED &&
	    etc_block_source(r, 1, at->unit->experiment->warmup) == ETC_SOURCE_NONE)
		etc_block_fails(at, r, W1019, "the log has %s",
		                r->log.iterations || r->times.runs
		                        ? "no execution after the warm-up"
		                : r->log.last.len ? "other lines"
		                                  : "nothing");
	if (r->state != ETC_BLOCK_FAILED) {
		ETC_TRY(judge_times(at, arena, r, err));
		judge_counts(at, executions, r);
	}
	return ETC_OK;
}

/* Returns the mean time of the block's executions in ms, from the most precise source in the log;
 * -1: there is none. */
static double mean_of(const struct etc_block_result *r)
{
	const struct etc_runner_log *l = &r->log;
	double n = l->executed && l->total_count >= 0 ? l->total_count : r->executions;

	if (l->executed)
		return n > 0 ? l->total_ms / n : -1;
	if (l->told_average_ms > 0)
		return l->told_average_ms;
	return l->told_total_ms > 0 && n > 0 ? l->told_total_ms / n : -1;
}

/* Does the block have a latency from this source? ETC_SOURCE_TOTAL has only one latency, the mean
 * of all executions, which counts in any case. From the other sources, only latencies of executions
 * after the first `warmup` count. */
static bool has_source(const struct etc_block_result *r, uint8_t source, uint32_t warmup)
{
	switch (source) {
	case ETC_SOURCE_ITERATIONS:
		return r->log.iterations > warmup;
	case ETC_SOURCE_ETDUMP:
		return r->times.runs > warmup;
	default:
		return mean_of(r) >= 0;
	}
}

/* Returns the first enum etc_latency_source that has a latency (has_source()) for every block.
 * Blocks that have no latency in any source are ignored. */
uint8_t etc_block_source(const struct etc_block_result *blocks, uint32_t count, uint32_t warmup)
{
	for (uint8_t s = ETC_SOURCE_ITERATIONS; s <= ETC_SOURCE_TOTAL; s++) {
		uint32_t have = 0, lack = 0;

		for (uint32_t i = 0; i < count; i++) {
			bool any = has_source(&blocks[i], ETC_SOURCE_ITERATIONS, warmup) ||
			           has_source(&blocks[i], ETC_SOURCE_ETDUMP, warmup) ||
			           has_source(&blocks[i], ETC_SOURCE_TOTAL, warmup);

			have += has_source(&blocks[i], s, warmup);
			lack += any && !has_source(&blocks[i], s, warmup);
		}
		if (have && !lack)
			return s;
	}
	return ETC_SOURCE_NONE;
}

uint32_t etc_block_latencies(const struct etc_block_result *r, uint8_t source, uint32_t warmup,
                             double *out)
{
	const double *from =
		source == ETC_SOURCE_ITERATIONS ? r->log.iteration_ms : r->times.execute_ms;
	uint32_t n = source == ETC_SOURCE_ITERATIONS ? r->log.iterations : r->times.runs;

	if (source == ETC_SOURCE_NONE || !has_source(r, source, 0))
		return 0;
	if (source == ETC_SOURCE_TOTAL) {
		if (out)
			out[0] = mean_of(r);
		return 1;
	}
	if (n <= warmup)
		return 0;
	if (out)
		memcpy(out, from + warmup, (n - warmup) * sizeof *out);
	return n - warmup;
}
