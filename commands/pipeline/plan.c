/* plan.c -- plans the processes of a run; see plan.h */
#include "commands/pipeline/plan.h"

#include "base/nearest.h"

static uint32_t count_units(const struct etc_pipeline_config *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->experiment_count; i++)
		n += c->experiments[i].threads.count;
	return n;
}

uint32_t etc_plan_blocks(const struct etc_pipeline_config *c)
{
	return c->schedule.order == ETC_ORDER_SEQUENTIAL ? 1 : c->schedule.blocks;
}

/* Returns the number of blocks in which an experiment is measured. It is 1 for a trace of kernels,
 * in which no time is measured. */
static uint32_t blocks_of(const struct etc_pipeline_config *c, const struct etc_experiment *e)
{
	uint32_t most = etc_plan_blocks(c);

	if (e->mode != ETC_MODE_TIMING)
		return 1;
	return most < e->runs ? most : e->runs;
}

uint32_t etc_plan_runs(const struct etc_plan_unit *u, uint32_t block)
{
	uint32_t runs = u->experiment->runs;

	return runs / u->blocks + (block < runs % u->blocks);
}

static void add_job(struct etc_run_plan *p, uint32_t unit, uint32_t block)
{
	p->jobs[p->job_count++] = (struct etc_plan_job){
		.unit = unit,
		.block = block,
		.runs = etc_plan_runs(&p->units[unit], block),
	};
}

static void order_jobs(const struct etc_pipeline_config *c, struct etc_run_plan *p)
{
	bool abba = c->schedule.order == ETC_ORDER_ABBA;

	for (uint32_t block = 0; block < p->blocks; block++)
		for (uint32_t i = 0; i < p->unit_count; i++) {
			uint32_t unit = abba && block % 2 ? p->unit_count - 1 - i : i;
			const struct etc_plan_unit *u = &p->units[unit];

			if (u->selected && u->experiment->mode == ETC_MODE_TIMING &&
			    block < u->blocks)
				add_job(p, unit, block);
		}
	for (uint32_t i = 0; i < p->unit_count; i++)
		if (p->units[i].selected && p->units[i].experiment->mode != ETC_MODE_TIMING)
			add_job(p, i, 0);
}

static bool select_name(struct etc_run_plan *p, struct etc_str name)
{
	bool found = false;

	for (uint32_t i = 0; i < p->unit_count; i++)
		if (etc_str_eq(name, etc_str_of(p->units[i].experiment->name)))
			found = p->units[i].selected = true;
	return found;
}

static enum etc_status no_such(const struct etc_pipeline_config *c, struct etc_str name,
                               struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str *names = etc_new(arena, struct etc_str, c->experiment_count + 1), near;

	ETC_NEED(names, err);
	for (uint32_t i = 0; i < c->experiment_count; i++)
		names[i] = etc_str_of(c->experiments[i].name);
	near = etc_nearest(name, names, c->experiment_count);
	if (near.len)
		return etc_fail(err, E1004,
		                "no experiment is called '" ETC_STR_FMT
		                "'; did you mean '" ETC_STR_FMT "'?",
		                ETC_STR_ARG(name), ETC_STR_ARG(near));
	return etc_fail(err, E1004, "no experiment is called '" ETC_STR_FMT "'", ETC_STR_ARG(name));
}

static enum etc_status select_units(const struct etc_pipeline_config *c, struct etc_run_plan *p,
                                    const char *const *only, uint32_t only_count,
                                    struct etc_arena *arena, struct etc_error *err)
{
	for (uint32_t i = 0; i < only_count; i++) {
		struct etc_str rest = etc_str_of(only[i]);

		/* the whole text is the name of one experiment, even if it contains a comma */
		if (select_name(p, rest))
			continue;
		while (rest.len) {
			size_t end = etc_str_find(rest, ETC_STR(","), 0);
			struct etc_str name = etc_str_trim(etc_str_sub(rest, 0, end));

			if (name.len && !select_name(p, name))
				return no_such(c, name, arena, err);
			rest = etc_str_sub(rest, end == SIZE_MAX ? rest.len : end + 1, rest.len);
		}
	}
	return ETC_OK;
}

enum etc_status etc_run_plan_make(const struct etc_pipeline_config *c, const char *const *only,
                                  uint32_t only_count, struct etc_arena *arena,
                                  struct etc_run_plan *out, struct etc_error *err)
{
	uint32_t units = count_units(c);
	size_t jobs = 0;

	*out = (struct etc_run_plan){ .units = etc_new(arena, struct etc_plan_unit, units) };
	ETC_NEED(out->units, err);
	for (uint32_t i = 0; i < c->experiment_count; i++)
		for (uint32_t k = 0; k < c->experiments[i].threads.count; k++) {
			struct etc_plan_unit *u = &out->units[out->unit_count++];

			u->experiment = &c->experiments[i];
			u->threads = u->experiment->threads.v[k];
			u->blocks = blocks_of(c, u->experiment);
			u->selected = only_count == 0;
			out->blocks = u->blocks > out->blocks ? u->blocks : out->blocks;
			jobs += u->blocks;
		}
	ETC_TRY(select_units(c, out, only, only_count, arena, err));
	if (!out->unit_count)
		return etc_fail(err, E1004, "the configuration has no experiments");
	out->jobs = etc_new(arena, struct etc_plan_job, jobs);
	ETC_NEED(out->jobs, err);
	order_jobs(c, out);
	return ETC_OK;
}

const char *etc_plan_file(const struct etc_plan_unit *u, uint32_t block, const char *suffix,
                          struct etc_arena *arena)
{
	const char *name = u->experiment->name;
	const char *trace = u->experiment->mode == ETC_MODE_TIMING ? "" : "_xnntrace";

	if (block == 0)
		return etc_arena_printf(arena, "%s/%s_t%u%s%s", name, name, u->threads, trace,
		                        suffix)
		        .ptr;
	return etc_arena_printf(arena, "%s/%s_t%u_b%u%s", name, name, u->threads, block + 1, suffix)
	        .ptr;
}
