/* finder.c -- see finder.h */
#include "together/finder.h"

#include <stdarg.h>
#include <stdio.h>

#include "formats/etrecord/graph_flow.h"
#include "formats/program/delegate_graph.h"
#include "formats/program/program.h"
#include "join/operator_stem.h"
#include "together/operands.h"
#include "together/places.h"

bool etc_finder_index(struct etc_finder *f, const struct etc_method_maps *maps,
                      struct etc_graph_index **x)
{
	const struct etc_record *r = f->f->record;
	const struct etc_graph *g = maps ? etc_graph_of_method(r, maps) : NULL;

	*x = NULL;
	if (!g || g->truncated)
		return true;
	*x = &f->methods[maps - r->methods];
	return (*x)->graph || etc_graph_index_init(*x, maps, g, f->arena);
}

enum etc_status etc_finder_flow(struct etc_finder *f, struct etc_graph_index *x,
                                struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_zip zip;
	enum etc_status st;

	if (x->flow_asked || !f->f->record_bytes.len || x->graph->truncated)
		return ETC_OK;
	x->flow_asked = true;
	st = etc_zip_open(f->f->record_bytes, f->arena, &zip, &why);
	if (st == ETC_OK)
		st = etc_graph_flow_read(&zip, x->graph, f->arena, &x->flow, &why);
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

enum etc_status etc_finder_arguments(struct etc_finder *f, const struct etc_graph_call *call,
                                     struct etc_graph_arguments *args, bool *read,
                                     struct etc_error *err)
{
	enum { MOST = 1 << 24 };

	f->read_arguments += call->json.len;
	*read = call->json.len && f->read_arguments <= MOST;
	return *read ? etc_graph_arguments_read(call->json, f->arena, args, err) : ETC_OK;
}

/* Sets `*largest` to the largest integer to which the node's input is quantised; 0: unknown. */
static enum etc_status read_largest(struct etc_finder *f, const struct etc_graph_call *call,
                                    int64_t *largest, struct etc_error *err)
{
	struct etc_graph_arguments args;
	bool read;

	*largest = 0;
	ETC_TRY(etc_finder_arguments(f, call, &args, &read, err));
	for (uint32_t i = 0; read && i < args.count; i++)
		if (args.v[i].kind == ETC_GRAPH_ARGUMENT_NUMBER && args.v[i].numbers->whole &&
		    etc_str_eq(args.v[i].name, ETC_STR("quant_max")))
			*largest = args.v[i].numbers->integer;
	return ETC_OK;
}

enum etc_status etc_finder_bits(struct etc_finder *f, struct etc_graph_index *x,
                                const struct etc_contents *other, struct etc_error *err)
{
	bool *fours, eights = true;
	int64_t largest;

	if (x->bits_asked || (!other->four && !other->eight))
		return ETC_OK;
	x->bits_asked = true;
	ETC_TRY(etc_finder_flow(f, x, err));
	fours = etc_new(f->arena, bool, x->graph->node_count);
	ETC_NEED(fours, err);
	for (uint32_t i = 0; i < x->graph->node_count && x->flow.whole; i++) {
		const struct etc_node *n = &x->graph->nodes[i];

		if (!etc_node_quantises(n) ||
		    !etc_str_starts(etc_node_stem(n), ETC_STR("dequantize")))
			continue;
		ETC_TRY(read_largest(f, &x->flow.calls[i], &largest, err));
		fours[i] = largest > 0 && largest <= 15;
		eights = eights && largest >= INT8_MAX;
	}
	x->fours = fours;
	x->eights = eights && x->flow.whole;
	return ETC_OK;
}

enum etc_status etc_finder_values(struct etc_finder *f, struct etc_str method,
                                  const struct etc_program_method **m, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	enum etc_status st = ETC_OK;

	if (!f->valued && f->f->program->whole)
		f->whole = *f->f->program;
	else if (!f->valued && f->f->program_bytes.len)
		st = etc_program_read_whole(f->f->program_bytes, NULL, f->arena, &f->whole, &why);
	f->valued = true;
	*m = st == ETC_OK ? etc_program_method(&f->whole, method) : NULL;
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

enum etc_status etc_finder_blob(struct etc_finder *f, struct etc_graph_index *x,
                                const struct etc_program_method *m, uint32_t i,
                                const struct etc_delegate_graph **blob, struct etc_error *err)
{
	const uint32_t at = (uint32_t)m->chains[0].instructions[i].index;
	static const struct etc_delegate_graph unreadable;
	struct etc_delegate_graph *graph;
	bool read;

	if (!x->blobs)
		x->blobs = etc_new(f->arena, const struct etc_delegate_graph *, m->delegate_count);
	ETC_NEED(x->blobs, err);
	*blob = x->blobs[at] == &unreadable ? NULL : x->blobs[at];
	if (x->blobs[at] || !m->delegates[at].processed.len)
		return ETC_OK;
	graph = etc_new(f->arena, struct etc_delegate_graph, 1);
	ETC_NEED(graph, err);
	ETC_TRY(etc_delegate_graph_read_whole(m->delegates[at].processed, f->arena, graph, &read,
	                                      err));
	*blob = read ? graph : NULL;
	x->blobs[at] = read ? graph : &unreadable;
	return ETC_OK;
}

/* Makes x->wires, the origins of the values in each delegate. */
static enum etc_status find_wires(struct etc_finder *f, struct etc_graph_index *x,
                                  struct etc_error *err)
{
	const struct etc_program_chain *chain = &x->method->chains[0];

	x->wires = etc_new(f->arena, struct etc_wires *, chain->count);
	ETC_NEED(x->wires, err);
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct etc_delegate_graph *blob = NULL;

		if (chain->instructions[i].kind == ETC_INSTRUCTION_DELEGATE)
			ETC_TRY(etc_finder_blob(f, x, x->method, i, &blob, err));
		if (!blob)
			continue;
		x->wires[i] = etc_wires_new(x, blob, i, chain->instructions[i].args, f->arena);
		ETC_NEED(x->wires[i], err);
	}
	return ETC_OK;
}

enum etc_status etc_finder_sources(struct etc_finder *f, struct etc_graph_index *x,
                                   struct etc_str method, bool *found, struct etc_error *err)
{
	const struct etc_program_method *m;

	ETC_TRY(etc_finder_values(f, method, &m, err));
	ETC_TRY(etc_finder_flow(f, x, err));
	*found = m && m->value_count && m->chain_count && x->flow.whole;
	if (!*found || x->sources)
		return ETC_OK;
	x->method = m;
	x->inputs_known = m->inputs.count == x->flow.input_count;
	x->sources = etc_sources_find(m, f->arena);
	ETC_NEED(x->sources, err);
	return find_wires(f, x, err);
}

enum etc_status etc_finder_places(struct etc_finder *f, struct etc_graph_index *x,
                                  struct etc_error *err)
{
	ETC_TRY(etc_finder_flow(f, x, err));
	if (x->places_asked || !x->flow.whole)
		return ETC_OK;
	x->places_asked = true;
	return etc_places_open(f->f->record_bytes, x->graph, &x->flow, f->f->weights_in.len != 0,
	                       f->arena, &x->places, err);
}

struct etc_span etc_finder_program(const struct etc_finder *f)
{
	return f->f->program_bytes.len ? f->f->program_bytes : f->f->weights_in;
}

void etc_finder_conflict(struct etc_finder *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(f->out->record_program, sizeof f->out->record_program, format, args);
	va_end(args);
}
