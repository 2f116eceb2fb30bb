/* runs.c -- reads the allocation events of an ETDump; see forms.h. */
#include "commands/memory/forms.h"

#include "join/method.h"

/* Sorts the runs into groups by method (struct etc_memory_place). Group 0 has the runs that execute
 * no method. */
struct sorter {
	struct etc_session *s;
	struct etc_memory_plan *plan;
	const struct etc_trace *trace;
	struct etc_paths paths;
	struct etc_methods methods;
	struct etc_memory_place *places;
	uint32_t *place_of_path, *place_of_run;
	uint32_t count;
};

static const struct etc_memory_method *planned(const struct etc_memory_plan *plan,
                                               struct etc_str method)
{
	for (uint32_t i = 0; i < plan->method_count && method.len; i++)
		if (etc_str_eq(plan->methods[i].method->name, method))
			return &plan->methods[i];
	return NULL;
}

/* Makes a group of runs for each method, and one group for all paths whose method is unknown. */
static enum etc_status place_paths(struct sorter *k, const char *only, struct etc_error *err)
{
	struct etc_map known;

	etc_map_init(&known, &k->s->arena);
	k->places = etc_new(&k->s->arena, struct etc_memory_place, (size_t)k->paths.count + 1);
	k->place_of_path = etc_new(&k->s->arena, uint32_t, k->paths.count);
	ETC_NEED(k->places && k->place_of_path, err);
	k->places[k->count++].shown = only == NULL;
	for (uint32_t p = 0; p < k->paths.count; p++) {
		struct etc_str name = k->methods.of_path[p].name;
		size_t at = etc_map_add(&known, name, k->count);

		if (at == ETC_MAP_NONE)
			return etc_no_memory(err);
		k->place_of_path[p] = (uint32_t)at;
		if (at == k->count)
			k->places[k->count++] = (struct etc_memory_place){
				.method = name,
				.execute = true,
				.plan = planned(k->plan, name),
				.shown = !only || etc_str_eq(name, etc_str_of(only)),
			};
	}
	return ETC_OK;
}

static enum etc_status place_runs(struct sorter *k, struct etc_error *err)
{
	k->place_of_run = etc_new(&k->s->arena, uint32_t, k->trace->run_count);
	ETC_NEED(k->place_of_run, err);
	for (size_t r = 0; r < k->trace->run_count; r++) {
		uint32_t path = k->paths.path[k->trace->runs[r].template];

		k->place_of_run[r] = path < k->paths.count ? k->place_of_path[path] : 0;
		k->places[k->place_of_run[r]].runs++;
	}
	return ETC_OK;
}

static enum etc_status find_peaks(struct sorter *k, const struct etc_allocated *allocated,
                                  struct etc_error *err)
{
	for (uint32_t i = 0; i < k->count; i++) {
		struct etc_memory_place *p = &k->places[i];

		p->peak.step = -1;
		if (p->plan)
			ETC_TRY(etc_allocated_with_plan(allocated, i, &p->plan->timeline,
			                                &k->s->arena, &p->peak, err));
	}
	return ETC_OK;
}

enum etc_status etc_memory_runs_read(struct etc_session *s, const struct etc_inputs *in,
                                     const char *only, struct etc_memory_plan *plan,
                                     struct etc_error *err)
{
	struct etc_memory_runs *runs = etc_new(&s->arena, struct etc_memory_runs, 1);
	const struct etc_trace *trace = &in->trace;
	struct sorter k = { .s = s, .plan = plan, .trace = trace };

	ETC_NEED(runs, err);
	s->notes.file = etc_str_of(in->dump.path);
	ETC_TRY(etc_paths_find(&k.paths, trace, &s->arena, err));
	ETC_TRY(etc_methods_find(&k.methods, &k.paths, trace, plan->program, NULL, &s->arena, err));
	if (k.methods.unfit) {
		s->notes.file = plan->path;
		etc_note(&s->notes, W0435,
		         "%lu of %lu paths of the dump ran instructions that no method of it has",
		         (unsigned long)k.methods.unfit, (unsigned long)k.paths.count);
		s->notes.file = etc_str_of(in->dump.path);
	}
	if (trace->allocation_count == 0)
		etc_note(&s->notes, N0275, "%zu runs, %zu profile events", trace->run_count,
		         trace->sample_count);
	ETC_TRY(place_paths(&k, only, err));
	ETC_TRY(place_runs(&k, err));
	ETC_TRY(etc_allocated_find(trace, k.place_of_run, k.count, &s->arena, &runs->allocated,
	                           err));
	ETC_TRY(find_peaks(&k, &runs->allocated, err));
	runs->path = etc_str_of(in->dump.path);
	runs->run_count = trace->run_count;
	runs->places = k.places;
	runs->place_count = k.count;
	plan->runs = runs;
	return ETC_OK;
}
