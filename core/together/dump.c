/* dump.c -- compares the operators of a dump with a record and a program. */
#include "together/finder.h"

#include <stdio.h>

#include "base/map.h"
#include "formats/container/zip.h"
#include "formats/program/delegate_graph.h"
#include "join/method.h"
#include "model/scalar_type.h"

/* Maximum number of templates that are compared. A few suffice, because templates of one program
 * differ in the number of loop iterations, not in the operators that they call. */
enum { TEMPLATES = 16 };

static void compare_backends(struct etc_finder *f, const struct etc_method *method,
                             const struct etc_delegate_calls *c)
{
	const struct etc_delegate_entry *e = etc_method_entry(method, c->event->instruction_id);
	struct etc_conflicts *to = f->out;

	if (e)
		etc_delegate_calls_backend(c, e->backend, "record", to->dump_record,
		                           sizeof to->dump_record);
	etc_delegate_calls_backend(c, etc_method_delegate(method, c->event).backend, "program",
	                           to->dump_program, sizeof to->dump_program);
}

/* Sets x->halves: may the graph have tensors of float16? Searches the bytes of the record's entry
 * for the type as PyTorch writes it, so the graph need not be read. */
static enum etc_status has_halves(struct etc_finder *f, struct etc_graph_index *x,
                                  struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	const struct etc_zip_entry *entry;
	struct etc_zip_data data;
	struct etc_zip zip;
	enum etc_status st;

	if (x->halves_asked || !f->f->record_bytes.len)
		return ETC_OK;
	x->halves_asked = true;
	st = etc_zip_open(f->f->record_bytes, f->arena, &zip, &why);
	entry = st == ETC_OK ? etc_zip_find(&zip, x->graph->name) : NULL;
	if (entry)
		st = etc_zip_read(&zip, entry, 0, f->arena, &data, &why);
	if (entry && st == ETC_OK)
		x->halves = etc_str_find((struct etc_str){ (const char *)data.bytes.ptr,
		                                           data.bytes.len },
		                         ETC_STR("\"dtype\": 6"), 0) != SIZE_MAX;
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Are all tensors `v` float16? */
static bool are_halves(const struct etc_graph_tensor *v, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct etc_scalar_type *t = v[i].known ? etc_scalar_type(v[i].type) : NULL;

		if (!t || t->kind != ETC_SCALAR_HALF)
			return false;
	}
	return true;
}

/* Are all tensors of the partition's products float16? False: no, or the record does not have their
 * types. */
static bool computes_halves(const struct etc_graph_index *x, const struct etc_handles *h)
{
	bool any = false;

	for (uint32_t i = 0; i < h->count && x->flow.whole; i++)
		for (uint32_t k = etc_graph_index_first(x, &h->v[i]); k != ETC_NO_NODE;
		     k = x->next[k]) {
			const struct etc_graph_call *c = &x->flow.calls[k];

			if (etc_node_delegate_kind(&x->graph->nodes[k]) != ETC_DELEGATE_PRODUCT)
				continue;
			if (!c->inputs.count || !c->outputs.count ||
			    !are_halves(x->flow.tensors + c->inputs.first, c->inputs.count) ||
			    !are_halves(x->flow.tensors + c->outputs.first, c->outputs.count))
				return false;
			any = true;
		}
	return any;
}

/* Writes a conflict if a partition ran in float32, although all its values are float16 according to
 * the record. It is no conflict if XNNPACK added Convert operators where float16 values enter and
 * leave the partition, as it does for a processor without float16 arithmetic. Large graphs are not
 * compared. */
static enum etc_status compare_floats(struct etc_finder *f, const struct etc_delegate_calls *c,
                                      struct etc_graph_index *x, const struct etc_handles *h,
                                      struct etc_error *err)
{
	enum { NODES = 1 << 12 };

	if (!c->has.floats || c->singles != c->products || x->graph->node_count > NODES)
		return ETC_OK;
	ETC_TRY(has_halves(f, x, err));
	if (!x->halves)
		return ETC_OK;
	ETC_TRY(etc_finder_flow(f, x, err));
	if (computes_halves(x, h))
		snprintf(f->out->dump_record, sizeof f->out->dump_record,
		         "the delegate of instruction %d computes in float32, without a "
		         "conversion, in the dump, and in float16 in the record",
		         (int)c->event->instruction_id);
	return ETC_OK;
}

static enum etc_status compare_call(struct etc_finder *f, const struct etc_method *method,
                                    const struct etc_delegate_calls *c, struct etc_error *err)
{
	struct etc_program_delegate d = etc_method_delegate(method, c->event);
	const struct etc_handles *h;
	struct etc_delegate_graph blob;
	struct etc_contents other;
	struct etc_graph_index *x;
	const char *what;
	char text[120];
	bool read;

	if (d.processed.len && !f->out->dump_program[0]) {
		ETC_TRY(etc_delegate_graph_read_whole(d.processed, f->arena, &blob, &read, err));
		if (read)
			other = etc_contents_of_blob(&blob);
		what = read ? etc_contents_differ(&c->has, &other, text, sizeof text) : NULL;
		if (read && !what && !c->has.attention && !etc_delegate_calls_in_order(c, &blob))
			what = "another order of operators";
		if (what)
			snprintf(f->out->dump_program, sizeof f->out->dump_program,
			         "the delegate of instruction %d has %s in dump and program",
			         (int)c->event->instruction_id, what);
	}
	ETC_NEED(etc_finder_index(f, method->maps, &x), err);
	h = x && x->whole ? etc_graph_index_handles(x, c->event->instruction_id) : NULL;
	if (!h || f->out->dump_record[0])
		return ETC_OK;
	ETC_TRY(etc_finder_bits(f, x, &c->has, err));
	ETC_NEED(etc_contents_of_handles(x, h, &other, f->arena), err);
	what = etc_contents_differ(&c->has, &other, text, sizeof text);
	if (!what)
		return compare_floats(f, c, x, h, err);
	snprintf(f->out->dump_record, sizeof f->out->dump_record,
	         "the delegate of instruction %d has %s in dump and record",
	         (int)c->event->instruction_id, what);
	return ETC_OK;
}

/* Compares the kernels that ran with the operators of the record, instruction by instruction. A
 * kernel may call other kernels, so one of the kernels of an instruction must match. */
static enum etc_status compare_kernels(struct etc_finder *f, const struct etc_template *template,
                                       const struct etc_method_maps *maps, struct etc_error *err)
{
	struct etc_map good;
	struct etc_graph_index *x;

	ETC_NEED(etc_finder_index(f, maps, &x), err);
	etc_map_init(&good, f->arena);
	for (uint32_t pass = 0; pass < 2 && x && !f->out->dump_record[0]; pass++)
		for (uint32_t i = 0; i < template->count; i++) {
			const struct etc_event *e = &template->events[i];
			struct etc_str key = { (const char *)&e->instruction_id,
				               sizeof e->instruction_id };
			char text[sizeof f->out->dump_record] = "";

			if (e->kind != ETC_EVENT_PROFILE || etc_event_is_delegate(e) ||
			    e->chain != 0 ||
			    !etc_str_starts(etc_event_name(e), ETC_STR("native_call_")))
				continue;
			if (pass == 1 && etc_map_get(&good, key) != ETC_MAP_NONE)
				continue;
			etc_graph_index_compare(x, e->instruction_id, etc_event_name(e),
			                        "in the dump", text, sizeof text);
			if (!text[0] && etc_map_intern(&good, key, 0) == ETC_MAP_NONE)
				return etc_no_memory(err);
			if (text[0] && pass == 1 && !f->out->dump_record[0])
				memcpy(f->out->dump_record, text, sizeof text);
		}
	return ETC_OK;
}

enum etc_status etc_conflicts_in_dump(struct etc_finder *f, struct etc_error *err)
{
	const struct etc_trace *trace = f->f->trace;
	struct etc_methods methods;
	struct etc_paths paths;
	uint32_t templates = 0, root, count;

	ETC_TRY(etc_paths_find(&paths, trace, f->arena, err));
	ETC_TRY(etc_methods_find(&methods, &paths, trace, f->f->program, f->f->record, f->arena,
	                         err));
	for (uint32_t s = 0; s < trace->template_count && templates < TEMPLATES; s++) {
		const struct etc_method *m = etc_methods_of(&methods, &paths, s);
		struct etc_delegate_calls *calls;

		if (etc_template_kind(&trace->templates[s], &root) != ETC_RUN_EXECUTE)
			continue;
		templates++;
		calls = etc_delegate_calls_find(&trace->templates[s], f->arena, &count);
		ETC_NEED(calls, err);
		for (uint32_t i = 0; i < count; i++) {
			compare_backends(f, m, &calls[i]);
			if (etc_delegate_calls_divide(&calls[i]))
				ETC_TRY(compare_call(f, m, &calls[i], err));
		}
		if (m->maps)
			ETC_TRY(compare_kernels(f, &trace->templates[s], m->maps, err));
	}
	return ETC_OK;
}
