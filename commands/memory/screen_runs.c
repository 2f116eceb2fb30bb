/* screen_runs.c -- writes the part of the text report about runs' allocations; see screen.h. */
#include "table/file_text.h"
#include "commands/memory/screen.h"

enum { STEPS = 5, NAME_WIDTH = 24 };

static void padded(struct etc_str name, struct etc_text *out)
{
	struct etc_text clean = { 0 };
	size_t width;

	etc_view_clean(name, &clean);
	width = etc_utf8_width(etc_text_str(&clean));
	etc_text_put(out, etc_text_str(&clean));
	for (; width < NAME_WIDTH; width++)
		etc_text_char(out, ' ');
	etc_text_release(&clean);
}

static void step_name(const struct etc_memory_place *place, int32_t step, struct etc_text *out)
{
	if (step < 0) {
		etc_text_cstr(out, "outside of instructions");
		return;
	}
	etc_text_printf(out, "step %ld", (long)step);
	if (place->plan) {
		etc_text_cstr(out, ", ");
		etc_view_clean(etc_view_memory_step(place->plan->method, step), out);
	}
}

/* Lists the steps that allocate the most bytes. Of steps that allocate the same number of bytes,
 * the earlier ones come first. */
static void steps(const struct etc_memory_place *place, const struct etc_allocator_use *u,
                  struct etc_text *out)
{
	uint64_t below = UINT64_MAX;
	uint32_t after = 0;

	for (uint32_t shown = 0; shown < STEPS; shown++) {
		uint32_t best = UINT32_MAX;

		for (uint32_t i = 0; i < u->step_count; i++)
			if ((u->steps[i].most < below ||
			     (u->steps[i].most == below && i >= after)) &&
			    (best == UINT32_MAX || u->steps[i].most > u->steps[best].most))
				best = i;
		if (best == UINT32_MAX)
			return;
		below = u->steps[best].most;
		after = best + 1;
		etc_text_printf(out, "    %14llu at most ", (unsigned long long)below);
		etc_text_cstr(out, u->steps[best].step < 0 ? "in a run " : "in ");
		step_name(place, u->steps[best].step, out);
		etc_text_char(out, '\n');
	}
	if (u->step_count > STEPS)
		etc_text_printf(out, "    and %lu more\n", (unsigned long)(u->step_count - STEPS));
}

static void use(const struct etc_memory_place *place, const struct etc_allocator_use *u,
                struct etc_text *out)
{
	struct etc_ratio count = etc_ratio(u->count, u->runs), bytes = etc_ratio(u->bytes, u->runs);

	etc_text_cstr(out, "  ");
	if (u->name.len) {
		padded(u->name, out);
	} else {
		struct etc_text name = { 0 };

		etc_text_printf(&name, "allocator %ld", (long)u->id);
		padded(etc_text_str(&name), out);
		etc_text_release(&name);
	}
	etc_text_printf(out, " %10.1f %16.1f %16llu %16llu\n", etc_ratio_double(count),
	                etc_ratio_double(bytes), (unsigned long long)u->most,
	                (unsigned long long)u->largest);
	steps(place, u, out);
}

static bool has_any(const struct etc_memory_runs *r, uint32_t place)
{
	for (uint32_t i = 0; i < r->allocated.use_count; i++)
		if (r->allocated.uses[i].place == place)
			return true;
	return false;
}

static void one_place(const struct etc_memory_runs *r, uint32_t index, struct etc_text *out)
{
	const struct etc_memory_place *p = &r->places[index];

	etc_text_char(out, '\n');
	if (p->method.len)
		etc_view_clean(p->method, out);
	else
		etc_text_cstr(out, p->execute ? "execute" : "outside of execute runs");
	etc_text_printf(out, "   %llu runs\n", (unsigned long long)p->runs);
	etc_text_cstr(out, "  allocations by              per run    bytes per run      largest run"
	                   "      largest one\n");
	for (uint32_t i = 0; i < r->allocated.use_count && !out->failed; i++)
		if (r->allocated.uses[i].place == index)
			use(p, &r->allocated.uses[i], out);
	if (!p->plan || p->peak.step < 0)
		return;
	etc_text_printf(out,
	                "  with the plan at most %llu: %llu planned and alive, %llu allocated "
	                "while it runs: ",
	                (unsigned long long)(p->peak.planned + p->peak.allocated),
	                (unsigned long long)p->peak.planned, (unsigned long long)p->peak.allocated);
	step_name(p, p->peak.step, out);
	etc_text_char(out, '\n');
}

void etc_view_memory_runs(const struct etc_memory_runs *r, struct etc_text *out)
{
	bool any = false;

	etc_view_clean(r->path, out);
	etc_text_printf(out, "   %zu runs\n", r->run_count);
	for (uint32_t i = 0; i < r->place_count && !out->failed; i++)
		if (r->places[i].shown && has_any(r, i)) {
			one_place(r, i, out);
			any = true;
		}
	if (!any)
		etc_text_cstr(out, "  no allocation events\n");
}
