/* run_metrics.c -- writes the statistics of a unit (an experiment with one number of threads) to
 * metrics.json and manifest.json; see run.h.
 * The statistics have every key of the kit's first generation, and the keys that the kit's
 * documentation lists. */
#include <math.h>

#include "commands/pipeline/latency.h"
#include "commands/pipeline/run.h"

bool etc_run_unit_tried(const struct etc_run_unit *u)
{
	for (uint32_t i = 0; i < u->plan->blocks; i++)
		if (u->blocks[i].state != ETC_BLOCK_PENDING &&
		    u->blocks[i].state != ETC_BLOCK_INTERRUPTED)
			return true;
	return false;
}

const char *etc_run_unit_status(const struct etc_run_unit *u)
{
	uint32_t ok = 0, failed = 0, interrupted = 0;

	for (uint32_t i = 0; i < u->plan->blocks; i++) {
		uint8_t s = u->blocks[i].state;

		ok += s == ETC_BLOCK_OK || s == ETC_BLOCK_KEPT;
		failed += s == ETC_BLOCK_FAILED;
		interrupted += s == ETC_BLOCK_INTERRUPTED;
	}
	if (ok == u->plan->blocks)
		return "ok";
	if (ok)
		return "partial";
	if (failed)
		return "failed";
	return interrupted ? "interrupted" : "pending";
}

enum etc_status etc_unit_latencies(const struct etc_run_unit *u, struct etc_arena *arena,
                                   struct etc_unit_latencies *out, struct etc_error *err)
{
	bool timing = u->plan->experiment->mode == ETC_MODE_TIMING;
	uint32_t warmup = u->plan->experiment->warmup;
	size_t room = 0;

	/* Latencies are taken from the first source (such as the log) that has one after the
	 * warm-up. An experiment whose times are not measured has a single execution, which may
	 * count as warm-up, so for such an experiment a latency within the warm-up suffices. */
	*out = (struct etc_unit_latencies){ .source = etc_block_source(u->blocks, u->plan->blocks,
		                                                       timing ? warmup : 0) };
	for (uint32_t i = 0; i < u->plan->blocks; i++)
		room += etc_block_latencies(&u->blocks[i], out->source, warmup, NULL);
	out->v = etc_new(arena, double, room);
	ETC_NEED(out->v, err);
	for (uint32_t i = 0; i < u->plan->blocks; i++)
		out->n += etc_block_latencies(&u->blocks[i], out->source, warmup, out->v + out->n);
	return ETC_OK;
}

static void put_list(struct etc_emit *e, const char *name, const double *v, uint32_t n)
{
	etc_emit_open(e, name, '[');
	for (uint32_t i = 0; i < n; i++)
		etc_emit_real(e, NULL, v[i]);
	etc_emit_close(e);
}

static void put_file(struct etc_emit *e, const struct etc_pipeline_run *run, const char *relative,
                     const char *name, const char *name_rel)
{
	etc_emit_cstr(e, name, relative ? etc_run_path(run, relative) : NULL);
	etc_emit_cstr(e, name_rel, relative);
}

static const char *dump_of(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                           uint32_t block)
{
	if (!u->blocks[block].etdump_sha256)
		return NULL;
	return etc_plan_file(u->plan, block, ".etdump", run->arena);
}

static const char *log_of(const struct etc_pipeline_run *run, const struct etc_run_unit *u,
                          uint32_t block)
{
	if (u->blocks[block].state == ETC_BLOCK_PENDING || !u->blocks[block].started)
		return NULL;
	return etc_plan_file(u->plan, block, ".log", run->arena);
}

static void put_error(struct etc_emit *e, const struct etc_block_result *b)
{
	if (b->code == ETC_CODE_NONE) {
		etc_emit_null(e, "error");
		return;
	}
	etc_emit_open(e, "error", '{');
	etc_emit_cstr(e, "code", etc_code_info(b->code)->name);
	etc_emit_cstr(e, "title", etc_code_info(b->code)->title);
	etc_emit_cstr(e, "text", b->why);
	etc_emit_close(e);
}

static enum etc_status put_block(struct etc_emit *e, const struct etc_pipeline_run *run,
                                 const struct etc_run_unit *u, uint32_t i, uint8_t source,
                                 struct etc_error *err)
{
	const struct etc_block_result *b = &u->blocks[i];
	uint32_t warmup = u->plan->experiment->warmup, n, all;
	double *v;

	all = etc_block_latencies(b, source, 0, NULL);
	n = etc_block_latencies(b, source, warmup, NULL);
	v = etc_new(run->arena, double, n);
	ETC_NEED(v, err);
	etc_block_latencies(b, source, warmup, v);
	etc_emit_open(e, NULL, '{');
	etc_emit_u64(e, "block", i + 1);
	etc_emit_cstr(e, "status", etc_block_state_text(b->state));
	etc_emit_u64(e, "runs", n);
	etc_emit_u64(e, "warmup_dropped", source == ETC_SOURCE_TOTAL ? 0 : all - n);
	etc_emit_cstr(e, "etdump_rel", dump_of(run, u, i));
	etc_emit_cstr(e, "log_rel", log_of(run, u, i));
	etc_emit_cstr(e, "started_at", b->started);
	etc_emit_known(e, "load_ms",
	               b->log.loaded           ? b->log.load_ms
	               : b->times.load_ms >= 0 ? b->times.load_ms
	                                       : NAN);
	put_list(e, "latency_ms", v, n);
	put_error(e, b);
	etc_emit_close(e);
	return ETC_OK;
}

static void put_numbers(struct etc_emit *e, const struct etc_latency *l)
{
	etc_emit_known(e, "median_ms", l->median);
	etc_emit_known(e, "mean_ms", l->mean);
	etc_emit_known(e, "min_ms", l->min);
	etc_emit_known(e, "max_ms", l->max);
	etc_emit_known(e, "p50_ms", l->p50);
	etc_emit_known(e, "p90_ms", l->p90);
	etc_emit_known(e, "p95_ms", l->p95);
	etc_emit_known(e, "p99_ms", l->p99);
	etc_emit_known(e, "stdev_ms", l->stdev);
	etc_emit_known(e, "cv_percent", l->cv_percent);
}

static void put_kernels(struct etc_emit *e, const struct etc_kernel_evidence *k)
{
	if (!k->tried)
		return;
	etc_emit_open(e, "kernel_evidence", '{');
	etc_emit_cstr(e, "log_rel", k->log);
	etc_emit_cstr(e, "log_sha256", k->log_sha256);
	etc_emit_cstr(e, "why_none", k->why);
	etc_emit_u64(e, "bound_at_load", k->kernels.at_load);
	etc_emit_block(e, "kernels", '[');
	for (uint32_t i = 0; i < k->kernels.count; i++) {
		const struct etc_seen_kernel *s = &k->kernels.v[i];

		etc_emit_open(e, NULL, '{');
		etc_emit_text(e, "kernel", s->name);
		etc_emit_cstr(e, "source", s->bound ? "ld_debug_bindings" : "xnnpack_log");
		etc_emit_u64(e, "count", s->count);
		etc_emit_text(e, "cat", s->category);
		etc_emit_text(e, "dtype", s->dtype);
		etc_emit_text(e, "op", s->op);
		etc_emit_text(e, "tile", s->tile);
		etc_emit_text(e, "arch", s->arch);
		etc_emit_close(e);
	}
	etc_emit_close(e);
	etc_emit_close(e);
}

/* Writes the times of Method::execute in the dumps. (The latencies may come from the log
 * instead.) */
static enum etc_status put_execute(struct etc_emit *e, const struct etc_pipeline_run *run,
                                   const struct etc_run_unit *u, struct etc_error *err)
{
	uint32_t warmup = u->plan->experiment->warmup, n = 0;
	struct etc_latency l;
	double *v;

	for (uint32_t i = 0; i < u->plan->blocks; i++)
		n += etc_block_latencies(&u->blocks[i], ETC_SOURCE_ETDUMP, warmup, NULL);
	v = etc_new(run->arena, double, n);
	ETC_NEED(v, err);
	n = 0;
	for (uint32_t i = 0; i < u->plan->blocks; i++)
		n += etc_block_latencies(&u->blocks[i], ETC_SOURCE_ETDUMP, warmup, v + n);
	ETC_TRY(etc_latency_of(v, n, run->arena, &l, err));
	put_list(e, "execute_ms", v, n);
	etc_emit_known(e, "execute_median_ms", l.median);
	return ETC_OK;
}

static void put_files(struct etc_emit *e, const struct etc_pipeline_run *run,
                      const struct etc_run_unit *u)
{
	const char *dump = NULL, *log = NULL;

	for (uint32_t i = 0; i < u->plan->blocks; i++) {
		dump = dump ? dump : dump_of(run, u, i);
		log = log ? log : log_of(run, u, i);
	}
	put_file(e, run, dump, "etdump", "etdump_rel");
	put_file(e, run, log, "log", "log_rel");
}

enum etc_status etc_metrics_emit(struct etc_emit *e, const struct etc_pipeline_run *run,
                                 const struct etc_run_unit *u, struct etc_error *err)
{
	const struct etc_experiment *x = u->plan->experiment;
	struct etc_unit_latencies times;
	struct etc_latency l;

	ETC_TRY(etc_unit_latencies(u, run->arena, &times, err));
	ETC_TRY(etc_latency_of(times.v, times.n, run->arena, &l, err));
	etc_emit_open(e, NULL, '{');
	etc_emit_cstr(e, "experiment", x->name);
	etc_emit_block(e, "metrics", '{');
	etc_emit_u64(e, "runs", x->mode == ETC_MODE_TIMING ? x->runs : 1);
	etc_emit_u64(e, "threads", u->plan->threads);
	etc_emit_cstr(e, "mode", etc_mode_text(x->mode));
	etc_emit_cstr(e, "role", etc_role_text(x->role));
	etc_emit_cstr(e, "status", etc_run_unit_status(u));
	etc_emit_u64(e, "measured", times.n);
	put_list(e, "latency_ms", times.v, times.n);
	put_numbers(e, &l);
	etc_emit_cstr(e, "unit", "ms");
	etc_emit_cstr(e, "latency_source", etc_latency_source_text(times.source));
	etc_emit_u64(e, "warmup_dropped",
	             times.source == ETC_SOURCE_TOTAL || times.source == ETC_SOURCE_NONE
	                     ? 0
	                     : x->warmup);
	ETC_TRY(put_execute(e, run, u, err));
	put_files(e, run, u);
	etc_emit_block(e, "blocks", '[');
	for (uint32_t i = 0; i < u->plan->blocks; i++)
		ETC_TRY(put_block(e, run, u, i, times.source, err));
	etc_emit_close(e);
	put_kernels(e, &u->evidence);
	etc_emit_close(e);
	etc_emit_close(e);
	return ETC_OK;
}
