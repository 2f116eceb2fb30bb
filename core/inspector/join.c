/* join.c -- joins events with the ETRecord's method "forward", as the Inspector's
 * _consume_etrecord() does.
 *
 * An event gets the debug handles of its instruction id. An event of a delegate gets the handles
 * that the delegate's map has for its identifier. If no key of this map equals the identifier, it
 * gets the handles of the last key that is a substring of the identifier. The event then gets the
 * nodes of the graph that have these handles. */
#include "inspector/inspector.h"

#include <stdio.h>

#include "base/map.h"

/* The nodes that have one debug handle, in the order of the graph. */
struct node_list {
	const struct etc_node **nodes;
	uint32_t count;
};

/* The entries for one instruction in the record's three maps; NULL: the map has none. */
struct instruction {
	const struct etc_handle_entry *handles;
	const struct etc_delegate_entry *delegate;
	const struct etc_num_outs_entry *outs;
};

/* The smallest range that contains 0 and all numbers that were added. */
struct range {
	int64_t least, most;
};

/* State while events are joined with a record. The record may have many more instructions and
 * nodes than there are events. So the tables contain only keys that the events need; entries of
 * the record with other keys are skipped. */
struct joiner {
	struct etc_inspector *in;
	const struct etc_method_maps *maps;
	struct etc_map by_id; /* maps an instruction id (4 bytes) to an index in `instructions` */
	struct range ids;     /* 0 and all ids in by_id are in this range */
	struct instruction *instructions;
	struct etc_map by_handle; /* maps a debug handle (8 bytes) to an index in `lists` */
	struct range handles;     /* range of the handles in by_handle */
	struct node_list *lists;
	const struct etc_graph *graph;
};

static const struct etc_str forward = { "forward", 7 };

static enum etc_status check_map(const char *name, bool present, bool null, bool odd,
                                 bool has_forward, struct etc_error *err)
{
	if (!present || null)
		return etc_fail(err, E0812, "%s is %s", name,
		                odd       ? "no object"
		                : present ? "null"
		                          : "missing");
	if (!has_forward)
		return etc_fail(err, E0810, "%s has no method 'forward'", name);
	return ETC_OK;
}

static enum etc_status check_maps(const struct etc_record *r, const struct etc_method_maps *maps,
                                  struct etc_error *err)
{
	ETC_TRY(check_map("debug_handle_map", r->handle_map_present, r->handle_map_null,
	                  r->handle_map_odd, maps && maps->in_handle_map, err));
	if (r->delegate_map_present && (!r->delegate_map_null || r->delegate_map_odd))
		ETC_TRY(check_map("delegate_map", true, r->delegate_map_null, r->delegate_map_odd,
		                  maps && maps->in_delegate_map, err));
	return check_map("instruction_id_to_num_outs_map", r->num_outs_map_present,
	                 r->num_outs_map_null, r->num_outs_map_odd, maps && maps->in_num_outs_map,
	                 err);
}

static void widen(struct range *r, int64_t v)
{
	r->least = v < r->least ? v : r->least;
	r->most = v > r->most ? v : r->most;
}

static bool is_in(struct range r, int64_t v)
{
	return r.least <= v && v <= r.most;
}

static struct etc_str id_key(const int32_t *id)
{
	return (struct etc_str){ (const char *)id, sizeof *id };
}

/* Is the key equal to Python's str() of an integer of 32 bits? If so, sets `*id` to this
 * integer. */
static bool read_id(struct etc_str key, int32_t *id)
{
	const size_t sign = key.len && key.ptr[0] == '-';
	int64_t n = 0;

	if (key.len <= sign || key.len > sign + 10 || (key.ptr[sign] == '0' && key.len > 1))
		return false;
	for (size_t i = sign; i < key.len; i++) {
		if (key.ptr[i] < '0' || key.ptr[i] > '9')
			return false;
		n = n * 10 + (key.ptr[i] - '0');
	}
	n = sign ? -n : n;
	*id = (int32_t)n;
	return *id == n;
}

/* Returns the instruction whose id, as text, is `key`; NULL: no event has this instruction. */
static struct instruction *find_instruction(const struct joiner *j, struct etc_str key)
{
	int32_t id = 0;
	size_t at = read_id(key, &id) && is_in(j->ids, id) ? etc_map_get(&j->by_id, id_key(&id))
	                                                   : ETC_MAP_NONE;

	return at == ETC_MAP_NONE ? NULL : &j->instructions[at];
}

/* Makes the table of instructions that have events, with their entries in the record's three maps.
 * If a map has several entries with the same key, the last one is used, as in a Python dict. */
static bool index_maps(struct joiner *j)
{
	const struct etc_method_maps *m = j->maps;
	struct instruction *to;

	etc_map_init(&j->by_id, j->in->arena);
	for (uint32_t b = 0; b < j->in->block_count; b++)
		for (uint32_t i = 0; i < j->in->blocks[b].event_count; i++) {
			const int32_t *id = &j->in->blocks[b].events[i].instruction_id;

			widen(&j->ids, *id);
			if (etc_map_add(&j->by_id, id_key(id), j->by_id.count) == ETC_MAP_NONE)
				return false;
		}
	j->instructions = etc_new(j->in->arena, struct instruction, j->by_id.count);
	if (!j->instructions)
		return false;
	for (uint32_t i = 0; i < m->handle_count; i++)
		if ((to = find_instruction(j, m->handles[i].key)))
			to->handles = &m->handles[i];
	for (uint32_t i = 0; i < m->delegate_count; i++)
		if ((to = find_instruction(j, m->delegates[i].key)))
			to->delegate = &m->delegates[i];
	for (uint32_t i = 0; i < m->num_outs_count; i++)
		if ((to = find_instruction(j, m->num_outs[i].key)))
			to->outs = &m->num_outs[i];
	return true;
}

/* Implements Python's dict.get() for the map of a delegate. NULL: there is no such key, or its
 * value is null. */
static const struct etc_handles *by_key(const struct etc_delegate_entry *d, struct etc_str key)
{
	for (uint32_t i = d->count; i-- > 0;)
		if (etc_str_eq(d->ids[i].key, key))
			return d->ids[i].handles.form == ETC_HANDLES_NULL ? NULL
			                                                  : &d->ids[i].handles;
	return NULL;
}

static const struct etc_handles *delegated(const struct etc_insp_event *e,
                                           const struct etc_delegate_entry *d)
{
	const struct etc_handles *found = e->id_is_int ? NULL : by_key(d, e->name);

	if (found)
		return found;
	found = by_key(d, e->name);
	for (uint32_t i = 0; i < d->count; i++)
		if (etc_str_find(e->name, d->ids[i].key, 0) != SIZE_MAX)
			found = &d->ids[i].handles;
	return found && found->form != ETC_HANDLES_NULL ? found : NULL;
}

/* Does Python raise an exception in `str(id) in value`, or, if this expression is true, in
 * value[str(id)]? */
static bool odd_raises(const struct etc_odd *value, int32_t id)
{
	char text[16];
	struct etc_str key = { text, 0 };

	if (value->count)
		key.len = (size_t)snprintf(text, sizeof text, "%ld", (long)id);
	for (uint32_t i = 0; i < value->count; i++)
		if (value->kind == ETC_ODD_TEXT ? etc_str_find(value->texts[i], key, 0) != SIZE_MAX
		                                : etc_str_eq(value->texts[i], key))
			return true;
	return value->kind == ETC_ODD_NULL || value->kind == ETC_ODD_SCALAR;
}

/* Would Python raise an exception, because it calls get() on a value that is neither a dict nor
 * None? */
static bool no_get(const struct etc_odd *value)
{
	return value->kind != ETC_ODD_NONE && value->kind != ETC_ODD_NULL;
}

static enum etc_status no_object(const char *map, const struct etc_insp_event *e,
                                 struct etc_error *err)
{
	return etc_fail(err, E0812, "%s of instruction %ld, event '" ETC_STR_FMT "', is no object",
	                map, (long)e->instruction_id, ETC_STR_ARG(e->name));
}

/* Sets the backend and the debug handles of `e`, which is a delegate's event or a DELEGATE_CALL,
 * and has an `extra`. `h` are the handles of its instruction, and `d` is the delegate that the
 * instruction calls; both may be NULL. E0812. */
static enum etc_status resolve_delegate(const struct joiner *j, struct etc_insp_event *e,
                                        const struct etc_handles *h,
                                        const struct etc_delegate_entry *d, struct etc_error *err)
{
	struct etc_insp_extra *x = e->extra;

	if (no_get(&j->maps->odd_delegate_map) || (d && no_get(&d->odd)))
		return no_object("delegate_map", e, err);
	if (d && d->odd.kind == ETC_ODD_NULL)
		d = NULL;
	if (d) {
		x->has_backend = !d->backend_is_null && !d->odd_name;
		x->odd_backend = d->odd_name;
		x->backend = d->backend;
	}
	if (!e->is_delegated)
		return ETC_OK;
	if (d && d->odd_map.truthy)
		return no_object("delegate_map", e, err);
	x->handles = d ? delegated(e, d) : h;
	return ETC_OK;
}

static enum etc_status resolve(const struct joiner *j, struct etc_insp_event *e,
                               struct etc_error *err)
{
	const size_t at = etc_map_get(&j->by_id, id_key(&e->instruction_id));
	const struct instruction *known = at == ETC_MAP_NONE ? NULL : &j->instructions[at];
	const struct etc_handles *h;
	struct etc_insp_extra *x;

	if (odd_raises(&j->maps->odd_handle_map, e->instruction_id))
		return no_object("debug_handle_map", e, err);
	if (!known || !known->handles)
		return ETC_OK;
	if (no_get(&j->maps->odd_num_outs_map))
		return no_object("instruction_id_to_num_outs_map", e, err);
	x = etc_insp_extend(j->in, e);
	ETC_NEED(x, err);
	x->num_outs = known->outs;
	h = &known->handles->handles;
	h = h->form == ETC_HANDLES_NULL ? NULL : h;
	if (!e->is_delegated)
		x->handles = h;
	if (e->is_delegated || etc_str_eq(e->name, ETC_STR("DELEGATE_CALL")))
		return resolve_delegate(j, e, h, known->delegate, err);
	return ETC_OK;
}

/* ---- nodes -------------------------------------------------------------------------- */

static const struct etc_graph *reference_graph(const struct etc_inspector *in)
{
	const struct etc_graph *found = NULL;

	if (etc_str_eq(in->reference_graph, ETC_STR("edge_dialect_graph_module")))
		return etc_record_edge(in->record);
	for (uint32_t i = 0; i < in->record->graph_count; i++)
		if (in->record->graphs[i].kind == ETC_GRAPH_EXTRA &&
		    etc_str_eq(in->record->graphs[i].name, in->reference_graph))
			found = &in->record->graphs[i];
	return found;
}

/* Collects in j->by_handle the debug handles of all events. */
static bool index_handles(struct joiner *j)
{
	etc_map_init(&j->by_handle, j->in->arena);
	for (uint32_t b = 0; b < j->in->block_count; b++)
		for (uint32_t i = 0; i < j->in->blocks[b].event_count; i++) {
			const struct etc_insp_extra *x = j->in->blocks[b].events[i].extra;
			const struct etc_handles *h = x ? x->handles : NULL;

			for (uint32_t k = 0; h && k < h->count; k++) {
				widen(&j->handles, h->v[k]);
				if (etc_map_add(&j->by_handle, etc_map_number(&h->v[k]),
				                j->by_handle.count) == ETC_MAP_NONE)
					return false;
			}
		}
	j->lists = etc_new(j->in->arena, struct node_list, j->by_handle.count);
	return j->lists != NULL;
}

static bool index_nodes(struct joiner *j, const struct etc_graph *g)
{
	struct etc_arena *arena = j->in->arena;
	const struct etc_node **order = etc_insp_order(g, j->in->module_hierarchy, arena);

	if (!order || !index_handles(j))
		return false;
	for (int fill = 0; fill < 2; fill++) {
		for (size_t i = 0; i < j->by_handle.count && fill; i++) {
			j->lists[i].nodes =
				etc_new(arena, const struct etc_node *, j->lists[i].count);
			if (!j->lists[i].nodes)
				return false;
			j->lists[i].count = 0;
		}
		for (uint32_t i = 0; i < g->node_count; i++) {
			const struct etc_handles *h = &order[i]->debug_handle;
			size_t at;

			if (h->count == 0 || h->form == ETC_HANDLES_LIST || order[i]->foreign ||
			    !is_in(j->handles, *h->v))
				continue;
			at = etc_map_get(&j->by_handle, etc_map_number(h->v));
			if (at == ETC_MAP_NONE)
				continue;
			if (fill)
				j->lists[at].nodes[j->lists[at].count] = order[i];
			j->lists[at].count++;
		}
	}
	return true;
}

static bool is_framework(struct etc_str name)
{
	return etc_str_eq(name, ETC_STR("Method::init")) ||
	       etc_str_eq(name, ETC_STR("Program::load_method")) ||
	       etc_str_eq(name, ETC_STR("Method::execute"));
}

/* Sets the nodes of an event, as the Inspector's _associate_with_op_graph_nodes() does. */
static bool associate(const struct joiner *j, struct etc_insp_event *e)
{
	struct etc_insp_extra *x = e->extra;
	const struct etc_node **nodes;
	struct etc_str *ops;
	struct etc_map seen;
	size_t all = 0;

	if (is_framework(e->name) || !x || !x->handles)
		return true;
	for (uint32_t i = 0; i < x->handles->count; i++) {
		size_t at = etc_map_get(&j->by_handle, etc_map_number(&x->handles->v[i]));

		all += at == ETC_MAP_NONE ? 0 : j->lists[at].count;
	}
	if (!all)
		return true;
	x->nodes = nodes = etc_new(j->in->arena, const struct etc_node *, all);
	x->op_types = ops = etc_new(j->in->arena, struct etc_str, all);
	if (!nodes || !ops)
		return false;
	etc_map_init(&seen, j->in->arena);
	for (uint32_t i = 0; i < x->handles->count; i++) {
		size_t at = etc_map_get(&j->by_handle, etc_map_number(&x->handles->v[i]));

		for (uint32_t k = 0; at != ETC_MAP_NONE && k < j->lists[at].count; k++) {
			const struct etc_node *n = j->lists[at].nodes[k];

			if (!etc_node_origin(j->graph, n, j->in->arena))
				return false;
			if (etc_map_add(&seen, n->name, x->node_count) == x->node_count &&
			    seen.count > x->node_count)
				nodes[x->node_count++] = n;
			if (n->op.len)
				ops[x->op_count++] = n->op;
		}
	}
	return true;
}

/* Would Python raise an exception in "for handle in debug_handles: map.get(handle)"? It would if
 * debug_handles is a number other than an int (not iterable), or a list that contains a list or
 * object (not hashable). An int beyond 64 bits raises nothing, and equals no handle. */
static bool python_raises(const struct etc_insp_event *e)
{
	const struct etc_handles *h = etc_insp_extra(e)->handles;

	if (is_framework(e->name) || !h)
		return false;
	if (h->unhashable)
		return true;
	if (h->form != ETC_HANDLES_OTHER || !h->raw.len ||
	    !memchr("-0123456789NI", h->raw.ptr[0], 13))
		return false;
	for (size_t i = 0; i < h->raw.len; i++)
		if (memchr(".eENI", h->raw.ptr[i], 5))
			return true;
	return false;
}

static enum etc_status no_graph(const struct etc_inspector *in, struct etc_error *err)
{
	struct etc_text names = { 0 };
	enum etc_status st;

	if (etc_record_edge(in->record))
		etc_text_cstr(&names, "edge_dialect_graph_module");
	for (uint32_t i = 0; i < in->record->graph_count; i++)
		if (in->record->graphs[i].kind == ETC_GRAPH_EXTRA)
			etc_text_printf(&names, "%s" ETC_STR_FMT, names.len ? ", " : "",
			                ETC_STR_ARG(in->record->graphs[i].name));
	st = etc_fail(err, E0896, "'" ETC_STR_FMT "'; %s" ETC_STR_FMT,
	              ETC_STR_ARG(in->reference_graph), names.len ? "there are: " : "there is none",
	              ETC_STR_ARG(etc_text_str(&names)));
	etc_text_release(&names);
	return st;
}

static enum etc_status find_nodes(struct joiner *j, struct etc_error *err)
{
	struct etc_inspector *in = j->in;
	const struct etc_graph *g;

	/* The Inspector's gen_graphs_from_etrecord() builds all graphs of the record. So it fails
	 * even if the only graph that cannot be built is one that the Inspector does not use. */
	if (in->record->graphs_refuse)
		return etc_fail(err, (enum etc_code)in->record->graphs_refuse, ETC_STR_FMT,
		                ETC_STR_ARG(in->record->graphs_reason));
	g = reference_graph(in);
	if (!g)
		return no_graph(in, err);
	j->graph = g;
	ETC_NEED(index_nodes(j, g), err);
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t i = 0; i < in->blocks[b].event_count; i++) {
			if (python_raises(&in->blocks[b].events[i]))
				return etc_fail(err, E0812,
				                "debug handles of '" ETC_STR_FMT
				                "' are neither int nor list of them",
				                ETC_STR_ARG(in->blocks[b].events[i].name));
			ETC_NEED(associate(j, &in->blocks[b].events[i]), err);
		}
	return ETC_OK;
}

/* Checks that the reference output of each block exists: the element with index bundled_input_index
 * of the test cases of `forward`. As in Python, index -1, which the runtime writes, is the last
 * element. */
static enum etc_status check_references(const struct etc_inspector *in, struct etc_error *err)
{
	int64_t cases = in->record->reference_outputs.forward_cases;

	if (!in->record->reference_outputs.present || cases == -1)
		return ETC_OK;
	for (uint32_t b = 0; b < in->block_count; b++) {
		int64_t index = in->blocks[b].bundled_input_index;

		if (cases == -2)
			return etc_fail(err, E0810, "reference_outputs has no method 'forward'");
		if (index >= cases || index < -cases)
			return etc_fail(err, E0816,
			                "reference output %lld of %lld: list index out of range",
			                (long long)index, (long long)cases);
	}
	return ETC_OK;
}

enum etc_status etc_insp_join(struct etc_inspector *in, struct etc_error *err)
{
	struct joiner j = { .in = in };
	const struct etc_method_maps none = { 0 }, *m;

	if (!in->record)
		return ETC_OK;
	m = etc_record_method(in->record, forward);
	j.maps = m ? m : &none;
	/* The Inspector reads the maps once for each block. So without a block, it raises no
	 * exception because of them. */
	if (in->block_count)
		ETC_TRY(check_maps(in->record, m, err));
	ETC_NEED(index_maps(&j), err);
	for (uint32_t b = 0; b < in->block_count; b++)
		for (uint32_t i = 0; i < in->blocks[b].event_count; i++)
			ETC_TRY(resolve(&j, &in->blocks[b].events[i], err));
	ETC_TRY(find_nodes(&j, err));
	return check_references(in, err);
}
