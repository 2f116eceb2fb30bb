/* etrecord_v0.c -- reads the entries of an "ETRECORD_V0" archive, the only version so far.
 *
 * Names of entries changed from release to release, but the marker did not. So the kind of an entry
 * is derived from its name and from other entries, never from the marker. An entry B is a program
 * if its name is one of those below, or if an entry B_state_dict exists. B_state_dict, B_constants
 * and B_example_inputs are parts of the program B. */
#include "formats/etrecord/etrecord_reader.h"
#include "formats/pickle/torch_save.h"

#include <stdalign.h>

#define EDGE     ETC_STR("edge_dialect_exported_program")
#define EDGE_DIR ETC_STR("edge_dialect_exported_program/")
#define EXPORTED ETC_STR("exported_program")

/* Entries that are not programs: those of `reserved` in the reader of ExecuTorch 1.5, and those
 * of `retired`, which only older releases wrote. Some of these releases also wrote, by mistake,
 * names such as "ETRecordReservedFileNames.X", the name of a Python enum. */
static const struct etc_str reserved[] = {
	{ "ETRECORD_V0", 11 },       { "debug_handle_map", 16 },
	{ "delegate_map", 12 },      { "instruction_id_to_num_outs_map", 30 },
	{ "reference_outputs", 17 }, { "representative_inputs", 21 },
	{ "export_graph_id", 15 },
};
static const struct etc_str retired[] = { { "program_buffer", 14 }, { "delegate_info", 13 } };

static const struct etc_str parts[] = {
	{ "_state_dict", 11 },
	{ "_constants", 10 },
	{ "_example_inputs", 15 },
};

/* Returns the entry whose name is `name` followed by `suffix`; NULL: there is none. */
static const struct etc_zip_entry *find_part(struct etc_record_reader *r, struct etc_str name,
                                             struct etc_str suffix)
{
	return etc_zip_find(&r->zip, etc_arena_printf(r->arena, "%.*s%.*s", (int)name.len, name.ptr,
	                                              (int)suffix.len, suffix.ptr));
}

/* Does ExecuTorch 1.5 consider the entry a part of a program? ExecuTorch 1.5 compares only the
 * end of the entry's name, and does not require a '_' before it. */
static bool is_part(struct etc_str name)
{
	return etc_str_ends(name, ETC_STR("state_dict")) ||
	       etc_str_ends(name, ETC_STR("constants")) ||
	       etc_str_ends(name, ETC_STR("example_inputs"));
}

enum entry_kind { ENTRY_KNOWN, ENTRY_UNKNOWN, ENTRY_PROGRAM };

static enum entry_kind classify(struct etc_record_reader *r, struct etc_str name,
                                struct etc_graph *g)
{
	struct etc_str method = name;

	*g = (struct etc_graph){ .name = name, .method = ETC_STR("forward") };
	if (etc_str_is_in(name, reserved, sizeof reserved / sizeof *reserved))
		return ENTRY_KNOWN;
	g->has_state_dict = find_part(r, name, parts[0]) != NULL;
	for (size_t i = name.len; i-- > 0;)
		if (name.ptr[i] == '/') {
			method = etc_str_sub(name, i + 1, name.len);
			g->method = method;
			break;
		}
	if (etc_str_eq(name, EDGE) || etc_str_eq(name, EXPORTED)) {
		g->kind = etc_str_eq(name, EDGE) ? ETC_GRAPH_EDGE : ETC_GRAPH_EXPORTED;
		return ENTRY_PROGRAM;
	}
	if (etc_str_starts(name, EDGE_DIR) && !etc_str_ends(name, parts[0]) &&
	    !etc_str_ends(name, parts[1]) && !etc_str_ends(name, parts[2])) {
		g->kind = ETC_GRAPH_EDGE;
		g->per_method = true;
		g->method = etc_str_sub(name, EDGE_DIR.len, name.len);
		return ENTRY_PROGRAM;
	}
	g->kind = ETC_GRAPH_EXTRA;
	if (g->has_state_dict)
		return ENTRY_PROGRAM;
	if (is_part(name) || etc_str_is_in(name, retired, sizeof retired / sizeof *retired) ||
	    etc_str_starts(name, ETC_STR("ETRecordReservedFileNames.")))
		return ENTRY_KNOWN;
	return ENTRY_UNKNOWN;
}

static enum etc_status list_entries(struct etc_record_reader *r, struct etc_error *err)
{
	struct etc_record *out = r->out;
	struct etc_grow graphs = { 0 }, unknown = { 0 };

	for (uint32_t i = 0; i < r->zip.count; i++) {
		struct etc_graph g, *graph;
		struct etc_str *name;

		/* Most entries are not read, so each entry is checked here: otherwise an entry with
		 * a damaged name would be taken for missing. */
		ETC_TRY(etc_zip_check(&r->zip, &r->zip.entries[i], err));
		switch (classify(r, r->zip.entries[i].name, &g)) {
		case ENTRY_KNOWN:
			break;
		case ENTRY_PROGRAM:
			graph = ETC_GROW(r->arena, &graphs, struct etc_graph);
			ETC_NEED(graph, err);
			*graph = g;
			out->edge_is_per_method |= g.per_method;
			break;
		case ENTRY_UNKNOWN:
			name = ETC_GROW(r->arena, &unknown, struct etc_str);
			ETC_NEED(name, err);
			*name = g.name;
			break;
		}
	}
	out->graphs = graphs.items;
	out->graph_count = graphs.count;
	out->unknown = unknown.items;
	out->unknown_count = unknown.count;
	return ETC_OK;
}

/* Reads the export graph id. Damage to it is only a warning, because no result depends on it. */
static enum etc_status read_export_graph_id(struct etc_record_reader *r, struct etc_error *err)
{
	const struct etc_zip_entry *e = etc_zip_find(&r->zip, ETC_STR("export_graph_id"));
	struct etc_error why = { 0 };
	struct etc_zip_data data;
	enum etc_status st;
	struct etc_str s;
	int64_t id;

	if (!e)
		return ETC_OK;
	st = etc_zip_read(&r->zip, e, 0, r->arena, &data, &why);
	if (st == ETC_NOMEM)
		return etc_fail(err, why.code, "%s", why.text);
	if (st != ETC_OK) {
		etc_note(r->notes, W0437, "%s", why.text);
		return ETC_OK;
	}
	s = etc_str_trim((struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len });
	if (r->want & ETC_RECORD_INSPECTOR && etc_json_long_number(s))
		etc_record_refuse(r, E0812, "export_graph_id: a number of more than 4300 digits");
	r->out->has_export_graph_id = etc_json_classify(s) == ETC_JSON_INT && etc_json_int(s, &id);
	r->out->export_graph_id = r->out->has_export_graph_id ? (uint64_t)id : 0;
	if (!r->out->has_export_graph_id)
		etc_note(r->notes, W0437, "it is no whole number of 64 bits");
	return ETC_OK;
}

/* Does the entry start with "PK", like a torch archive? An empty entry counts as an archive, and
 * sets `*empty`. If the entry cannot be unpacked, `*why` gets the reason. */
static bool is_archive(struct etc_record_reader *r, const struct etc_zip_entry *e, bool *empty,
                       struct etc_error *why)
{
	struct etc_zip_data data;
	enum etc_status st;

	*empty = e->size == 0;
	*why = (struct etc_error){ 0 };
	if (*empty)
		return true;
	st = etc_zip_read(&r->zip, e, 2, r->arena, &data, why);
	/* Python can unpack more compression methods than etcore, such as 12 (bzip2) and 14 (LZMA),
	 * so an entry with one of these may be an archive. */
	if (st == ETC_UNSUPPORTED && (e->method == 12 || e->method == 14))
		return true;
	return st == ETC_OK && data.bytes.len == 2 && memcmp(data.bytes.ptr, "PK", 2) == 0;
}

static void read_blob(struct etc_record_reader *r, struct etc_str name,
                      struct etc_record_blob *blob)
{
	const struct etc_zip_entry *e = etc_zip_find(&r->zip, name);
	struct etc_error why;
	bool empty;

	if (!e)
		return;
	blob->present = true;
	blob->forward_cases = -1;
	blob->bytes = e->size <= SIZE_MAX ? (size_t)e->size : SIZE_MAX;
	blob->is_pickle = !is_archive(r, e, &empty, &why) || empty;
	/* If values are requested, etc_record_read_values() reports the raw pickle. */
	if (blob->is_pickle && !(r->want & ETC_RECORD_VALUES))
		etc_note_each(r->notes, W0417, ETC_STR_FMT ": %s", ETC_STR_ARG(name),
		              why.code ? why.text
		                       : "no torch archive; pickled by ExecuTorch before 1.3");
}

/* --- faults for which the Inspector raises an exception ------------------------- */

static void refuse_graph(struct etc_record_reader *r, struct etc_graph *g, enum etc_code code,
                         struct etc_str part, const char *why)
{
	if (g->python_refuses)
		return;
	g->python_refuses = (uint32_t)code;
	g->python_reason = etc_arena_printf(r->arena, ETC_STR_FMT ETC_STR_FMT " %s",
	                                    ETC_STR_ARG(g->name), ETC_STR_ARG(part), why);
}

/* Looks for missing parts of a graph. This is done first, because Python finds missing parts before
 * other faults of the program. */
static void check_parts(struct etc_record_reader *r, struct etc_graph *g)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!find_part(r, g->name, parts[i]))
			refuse_graph(r, g, E0813, parts[i], "is missing");
}

/* Checks the entry `e`, which contains weights, as torch.load does: its pickle, and that every
 * storage exists. The bytes of the storages are not read. */
static void load_weights(struct etc_record_reader *r, struct etc_graph *g,
                         const struct etc_zip_entry *e, struct etc_str part)
{
	const struct etc_ref_value *value;
	struct etc_pickle_fault fault;
	struct etc_zip_data data;

	if (e->method != 0 || e->size > SIZE_MAX || e->size == 0 ||
	    etc_zip_read(&r->zip, e, (size_t)e->size, r->arena, &data, NULL) != ETC_OK)
		return;
	switch (etc_torch_load(data.bytes, ETC_PICKLE_WEIGHTS, r->arena, &value, &fault)) {
	case ETC_PICKLE_READ:
		if (!etc_ref_is_dict(value) && value->kind != ETC_REF_TUPLE &&
		    value->kind != ETC_REF_SIZE)
			refuse_graph(r, g, E0820, part, "is no dict and no tuple");
		break;
	case ETC_PICKLE_REFUSED:
		refuse_graph(r, g, E0820, part, fault.why);
		break;
	case ETC_PICKLE_CLOSED:
	case ETC_PICKLE_MEMORY:
		break;
	}
}

static void check_weights(struct etc_record_reader *r, struct etc_graph *g)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct etc_zip_entry *e = find_part(r, g->name, parts[i]);
		struct etc_error why;
		bool empty;

		if (e && is_archive(r, e, &empty, &why)) {
			load_weights(r, g, e, parts[i]);
			continue;
		}
		if (!e)
			continue;
		if (why.code)
			refuse_graph(r, g, E0822, parts[i], why.text);
		refuse_graph(r, g, E0820, parts[i], "is no torch archive");
	}
}

static void take_over(struct etc_record_reader *r, const struct etc_graph *g)
{
	if (g->python_refuses)
		etc_record_refuse(r, (enum etc_code)g->python_refuses, ETC_STR_FMT,
		                  ETC_STR_ARG(g->python_reason));
}

static void refuse_values(struct etc_record_reader *r, struct etc_str name,
                          const struct etc_record_blob *blob)
{
	if (blob->is_pickle)
		etc_record_refuse(r, E0816, "Failed to load " ETC_STR_FMT " from ETRecord",
		                  ETC_STR_ARG(name));
	else if (blob->state == ETC_VALUES_REFUSED)
		etc_record_refuse(r, E0816,
		                  "Failed to load " ETC_STR_FMT " from ETRecord: " ETC_STR_FMT,
		                  ETC_STR_ARG(name), ETC_STR_ARG(blob->why));
}

/* Keeps the fault that Python would find first. Python finds faults of some entries while it reads
 * the archive, then those of the edge programs by method, then all others. */
static void order_refusals(struct etc_record_reader *r)
{
	struct etc_record *out = r->out;
	const struct etc_str reference = ETC_STR("reference_outputs");
	const struct etc_str inputs = ETC_STR("representative_inputs");

	for (uint32_t i = 0, g = 0; i < r->zip.count; i++) {
		struct etc_str name = r->zip.entries[i].name;
		bool at_graph = g < out->graph_count && etc_str_eq(out->graphs[g].name, name);

		if (at_graph && !out->graphs[g].per_method &&
		    out->graphs[g].kind != ETC_GRAPH_EXTRA)
			take_over(r, &out->graphs[g]);
		g += at_graph;
		if (etc_str_eq(name, reference))
			refuse_values(r, name, &out->reference_outputs);
		if (etc_str_eq(name, inputs))
			refuse_values(r, name, &out->representative_inputs);
	}
	for (uint32_t g = 0; g < out->graph_count; g++)
		if (out->graphs[g].per_method)
			take_over(r, &out->graphs[g]);
	for (uint32_t i = 0; i < out->unknown_count; i++)
		etc_record_refuse(r, E0813,
		                  "Could not find corresponding state dict file for " ETC_STR_FMT,
		                  ETC_STR_ARG(out->unknown[i]));
	for (uint32_t g = 0; g < out->graph_count; g++)
		take_over(r, &out->graphs[g]);
}

/* Lists the methods of the record's edge programs, as in "of the methods decode, prefill". */
static struct etc_str edge_programs(const struct etc_record *out, struct etc_arena *arena)
{
	struct etc_str all = ETC_STR("of the methods ");

	for (uint32_t g = 0, n = 0; g < out->graph_count && all.ptr; g++)
		if (out->graphs[g].kind == ETC_GRAPH_EDGE)
			all = etc_arena_printf(arena, ETC_STR_FMT "%s" ETC_STR_FMT,
			                       ETC_STR_ARG(all), n++ ? ", " : "",
			                       ETC_STR_ARG(out->graphs[g].method));
	return all.ptr ? all : ETC_STR("of several methods");
}

static void refuse_graphs(struct etc_record *out, enum etc_code code, struct etc_str reason)
{
	if (out->graphs_refuse)
		return;
	out->graphs_refuse = (uint32_t)code;
	out->graphs_reason = reason;
}

/* Keeps the fault at which the Inspector raises first when it builds its own graphs. The Inspector
 * first builds the graphs of the extra programs, then the graph of the edge program. There must be
 * exactly one edge program. */
static void order_graph_refusals(struct etc_record *out, struct etc_arena *arena)
{
	const struct etc_graph *edge = etc_record_edge(out);

	for (uint32_t g = 0; g < out->graph_count; g++)
		if (out->graphs[g].kind == ETC_GRAPH_EXTRA && out->graphs[g].unsupported.len)
			refuse_graphs(out, E0815, out->graphs[g].unsupported);
	if (!edge && out->edge_is_per_method)
		refuse_graphs(out, E0811, edge_programs(out, arena));
	if (edge && edge->unsupported.len)
		refuse_graphs(out, E0815, edge->unsupported);
}

/* --- reading the parts that are requested ---------------------------------------- */

static enum etc_status read_graphs(struct etc_record_reader *r, struct etc_error *err)
{
	struct etc_record *out = r->out;
	const bool all = r->want & (ETC_RECORD_GRAPHS | ETC_RECORD_INSPECTOR);
	struct etc_graph *graphs = (struct etc_graph *)(uintptr_t)out->graphs;

	for (uint32_t i = 0; i < out->graph_count; i++) {
		struct etc_graph *g = &graphs[i];

		if (!all && !(g->kind == ETC_GRAPH_EDGE && r->want & ETC_RECORD_EDGE))
			continue;
		if (r->want & ETC_RECORD_INSPECTOR)
			check_parts(r, g);
		ETC_TRY(etc_record_read_graph(r, etc_zip_find(&r->zip, g->name), g, err));
		if (r->want & ETC_RECORD_INSPECTOR)
			check_weights(r, g);
		if (!g->has_state_dict)
			etc_note_each(r->notes, W0418, ETC_STR_FMT, ETC_STR_ARG(g->name));
	}
	return ETC_OK;
}

enum etc_status etc_record_read_v0(struct etc_record_reader *r, struct etc_error *err)
{
	bool edge = false;

	ETC_TRY(list_entries(r, err));
	ETC_TRY(etc_record_read_maps(r, err));
	ETC_TRY(read_export_graph_id(r, err));
	read_blob(r, ETC_STR("reference_outputs"), &r->out->reference_outputs);
	read_blob(r, ETC_STR("representative_inputs"), &r->out->representative_inputs);
	ETC_TRY(read_graphs(r, err));
	for (uint32_t i = 0; i < r->out->graph_count; i++)
		edge |= r->out->graphs[i].kind == ETC_GRAPH_EDGE;
	if (!edge && r->want & ETC_RECORD_EDGE)
		etc_note(r->notes, W0419, "the record has no edge dialect program");
	if (r->want & (ETC_RECORD_VALUES | ETC_RECORD_INSPECTOR))
		ETC_TRY(etc_record_read_values(r, err));
	if (r->want & ETC_RECORD_INSPECTOR) {
		order_refusals(r);
		order_graph_refusals(r->out, r->arena);
	}
	return ETC_OK;
}
