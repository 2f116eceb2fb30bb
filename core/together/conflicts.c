/* conflicts.c -- see together.h */
#include "together/finder.h"

#include "together/places.h"

/* Compares, for each kind of operator, the number of operators in the delegate with that in the
 * record. */
static enum etc_status compare_contents(struct etc_finder *f, const struct etc_compared_delegate *d,
                                        struct etc_error *err)
{
	struct etc_contents a = etc_contents_of_blob(d->blob), b;
	const char *what;
	char text[120];

	ETC_TRY(etc_finder_bits(f, d->x, &a, err));
	ETC_NEED(etc_contents_of_handles(d->x, d->handles, &b, f->arena), err);
	what = etc_contents_differ(&a, &b, text, sizeof text);
	if (what)
		etc_finder_conflict(f,
		                    "the delegate of instruction %u has %s in program and record",
		                    d->instruction, what);
	return ETC_OK;
}

/* Compares the blob of the delegate that instruction `i` calls with the record's nodes. */
static enum etc_status compare_delegate(struct etc_finder *f, struct etc_graph_index *x,
                                        const struct etc_handles *h,
                                        const struct etc_program_method *m, uint32_t i,
                                        struct etc_error *err)
{
	static etc_delegate_search *const searches[] = {
		etc_conflicts_in_nodes,    compare_contents,        etc_conflicts_in_constants,
		etc_conflicts_in_layers,   etc_conflicts_in_limits, etc_conflicts_in_places,
		etc_conflicts_in_products, etc_conflicts_in_scales, etc_conflicts_in_factors,
		etc_conflicts_in_wires,
	};
	struct etc_compared_delegate d = { NULL, x, h, m->name, i };

	if (h && x->whole)
		ETC_TRY(etc_finder_blob(f, x, m, i, &d.blob, err));
	f->out->uncompared += !d.blob;
	for (size_t k = 0; d.blob && k < sizeof searches / sizeof *searches; k++)
		if (!f->out->record_program[0])
			ETC_TRY(searches[k](f, &d, err));
	return ETC_OK;
}

static enum etc_status compare_method(struct etc_finder *f, const struct etc_method_maps *maps,
                                      const struct etc_program_method *m, struct etc_error *err)
{
	struct etc_graph_index *x;
	char *to = f->out->record_program;
	uint32_t here;

	ETC_NEED(etc_finder_index(f, maps, &x), err);
	f->out->uncompared += !x || x->crowded || m->chain_count != 1;
	for (uint32_t i = 0; x && m->chain_count && i < m->chains[0].count && !to[0]; i++) {
		const struct etc_instruction *n = &m->chains[0].instructions[i];
		const bool kernel = n->kind == ETC_INSTRUCTION_KERNEL;
		const struct etc_handles *h = etc_graph_index_handles(x, i);

		if (!kernel && n->kind != ETC_INSTRUCTION_DELEGATE)
			continue;
		if (h && kernel)
			etc_graph_index_compare(x, i, m->operators[n->index].text, "in the program",
			                        to, sizeof f->out->record_program);
		if (h && kernel && !to[0])
			ETC_TRY(etc_conflicts_in_arguments(f, x, h, m->name, i, err));
		if (kernel && !to[0])
			ETC_TRY(etc_conflicts_in_argument_places(f, x, h, m->name, n, i, err));
		f->out->unlisted +=
			kernel && !h && !x->crowded &&
			!etc_str_starts(m->operators[n->index].text, ETC_STR("executorch_prim::"));
		f->out->lowered |= x->lowered && !kernel;
		if (!kernel && !to[0])
			ETC_TRY(compare_delegate(f, x, h, m, i, err));
	}
	if (x && !to[0])
		ETC_TRY(etc_conflicts_in_inputs(f, x, m->name, err));
	if (x && !to[0])
		ETC_TRY(etc_conflicts_in_outputs(f, x, m->name, err));
	if (x)
		ETC_TRY(etc_finder_places(f, x, err));
	f->out->uncompared += x && !x->flow.whole;
	if (x && x->places) {
		f->out->weights += etc_places_count(x->places, &here);
		f->out->weights_found += here;
	}
	return ETC_OK;
}

enum etc_status etc_conflicts_find(const struct etc_together_files *files,
                                   struct etc_arena *scratch, struct etc_conflicts *out,
                                   struct etc_error *err)
{
	const struct etc_record *r = files->record;
	struct etc_finder f = { .f = files, .arena = scratch, .out = out };

	*out = (struct etc_conflicts){ 0 };
	if (r) {
		f.methods = etc_new(scratch, struct etc_graph_index, r->method_count);
		ETC_NEED(f.methods, err);
	}
	if (files->trace)
		ETC_TRY(etc_conflicts_in_dump(&f, err));
	for (uint32_t i = 0; r && files->program && i < r->method_count; i++) {
		const struct etc_program_method *m =
			etc_program_method(files->program, r->methods[i].method);

		if (m)
			ETC_TRY(compare_method(&f, &r->methods[i], m, err));
	}
	return ETC_OK;
}
