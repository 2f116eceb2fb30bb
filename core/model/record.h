/* record.h -- an ETRecord as plain data: the information that was recorded at export.
 *
 * Made by formats/etrecord/etrecord.c; later code only reads it. Memory is in the arena; text is a
 * view into the file or the arena. A zeroed member means "unknown", so the readers of old formats
 * need not set members that later formats added.
 *
 * docs/formats.md describes the formats. */
#ifndef ETC_MODEL_RECORD_H
#define ETC_MODEL_RECORD_H

#include "base/arena.h"
#include "model/facts.h"
#include "model/reference.h"

/* The form of a JSON value at a place where the exporter writes debug handles. */
enum etc_handles_form {
	ETC_HANDLES_ABSENT,
	ETC_HANDLES_NULL, /* the JSON value null */
	ETC_HANDLES_INT,  /* an integer, such as 7 */
	/* a list, such as [8, 4, 5]; `v` has it in the order of the file, with duplicates */
	ETC_HANDLES_LIST,
	ETC_HANDLES_OTHER /* another value, which is in `raw` */
};

/* The debug handles in a JSON value. If it is a value that no exporter writes, such as 2.0, true,
 * "7" or [1, "2"], `raw` has its JSON text, and `v` has the handles that the value equals in
 * Python: 2.0 equals 2 and true equals 1; other such values equal no handle. */

struct etc_handles {
	uint8_t form; /* enum etc_handles_form */
	/* a LIST that contains a list or an object, for which Python's dict.get() raises an
	 * exception */
	bool unhashable;
	uint32_t count;
	/* INT: one number; LIST: `count` numbers; OTHER: one number if the value equals an integer,
	 * as 2.0 does */
	const int64_t *v;
	/* JSON text of the value; empty for null, a 64-bit integer, and a list of such integers */
	struct etc_str raw;
};

/* The kind of a JSON value that is not an object although it should be one. NONE: the value is an
 * object, or absent. There is one kind for each different behaviour of Python's `in`, `or` and `is
 * None`, so that the Inspector's result with such a value can be reproduced. */
enum etc_odd_kind { ETC_ODD_NONE, ETC_ODD_NULL, ETC_ODD_SCALAR, ETC_ODD_TEXT, ETC_ODD_LIST };

struct etc_odd {
	uint8_t kind; /* enum etc_odd_kind */
	bool truthy;
	uint32_t count;
	const struct etc_str *texts; /* TEXT: the value; LIST: the texts in the list */
};

/* A delegate's name that is neither text nor null. `is_cell`: pandas accepts the name, and `cell`
 * is the value that pandas shows. pandas accepts a scalar, and a list with exactly one item, which
 * is shown as that item. pandas rejects an object and any other list. */
struct etc_odd_name {
	struct etc_str raw; /* the name as JSON text */
	bool is_cell;
	struct etc_datum cell;
};

/* The debug handles of an instruction, or those of an id in a delegate's own map. `key` is the
 * instruction id or the delegate's id as text in the file ("12"), even if the id is an integer. */
struct etc_handle_entry {
	struct etc_str key;
	struct etc_handles handles;
};

/* A delegate call in the exporter's delegate_map: an instruction of a method, the backend that
 * it calls, and the debug handles of each id that the delegate gives to its events. */
struct etc_delegate_entry {
	struct etc_str key;     /* instruction id as text */
	struct etc_str backend; /* value of "name"; empty if it is absent or null */
	bool has_backend;
	bool backend_is_null; /* the value of "name" is null */
	/* NULL: the value of "name" is a text, null or absent */
	const struct etc_odd_name *odd_name;
	/* the value of "delegate_map" is null; `count` is then 0 */
	bool map_is_null;
	uint32_t count;
	/* the delegate's own ids with their debug handles, in file order; there are `count` */
	const struct etc_handle_entry *ids;
	struct etc_odd odd; /* odd.kind is not NONE if the entry itself is not an object */
	struct etc_odd odd_map;
};

/* An entry of the exporter's instruction_id_to_num_outs_map: the number of outputs of one
 * instruction of a method. */
struct etc_num_outs_entry {
	struct etc_str key;
	int64_t outputs;    /* the number of outputs; 1 if the value is not an integer */
	struct etc_str raw; /* JSON text of a value that is not an integer; else empty */
};

/* The entries of one method in the record's three JSON maps: debug handles, delegates, numbers of
 * outputs. */
struct etc_method_maps {
	struct etc_str method;
	/* which of the three maps have this method as a key */
	bool in_handle_map, in_delegate_map, in_num_outs_map;
	struct etc_odd odd_handle_map, odd_delegate_map, odd_num_outs_map;
	const struct etc_handle_entry *handles;
	uint32_t handle_count;
	const struct etc_delegate_entry *delegates;
	uint32_t delegate_count;
	const struct etc_num_outs_entry *num_outs;
	uint32_t num_outs_count;
};

/* A module of a node's nn_module_stack. The outermost module comes first. */
struct etc_module {
	struct etc_str key;   /* the module's key in nn_module_stack: "L__self___layers_0" */
	struct etc_str path;  /* the module's path in the model: "layers.0" */
	struct etc_str klass; /* the module's class: "torch.nn.modules.linear.Linear" */
};

/* A node of a graph that calls an operator (FX's call_function). The getitem nodes that read its
 * outputs are parts of it. */
struct etc_node {
	/* index of the node among all nodes in the file; only some of these are in
	 * etc_graph.nodes */
	uint32_t index;
	bool has_stack_trace;
	bool has_modules; /* nn_module_stack is present */
	/* source_fn_stack is present and not empty; needed by inspector/hierarchy.c */
	bool has_source_fn;
	/* the operator is of a library that the Inspector's process does not load. Python then
	 * drops the node's metadata, so the Inspector never shows the node. */
	bool foreign;
	/* the node's name in FX, without the '_' that the Inspector appends */
	struct etc_str name;
	/* the operator's name as the Inspector shows it: "aten.linear.default" */
	struct etc_str op;
	struct etc_str target;           /* the operator's name as it is in the file */
	struct etc_handles debug_handle; /* the node's metadata "debug_handle", normally an INT */
	/* the last item of source_fn_stack, in the form "name,target" */
	struct etc_str source_fn;

	/* Origin of the node; valid after etc_node_origin(). */
	struct etc_str stack_trace; /* the stack trace as text; may be absent */
	/* The node's modules. module_count is 0 if nn_module_stack cannot be split into modules,
	 * because a name in it contains ',', ';' or an unmatched bracket. */
	const struct etc_module *modules;
	uint32_t module_count;
	uint32_t source_line; /* 0: unknown */
	/* The file of the innermost frame of stack_trace that is outside PyTorch's own code; if
	 * there is none, of the innermost frame; empty: no stack trace. */
	struct etc_str source_file;
	/* text of the line `source_line`, without blanks at both ends; may be empty */
	struct etc_str source_text;

	/* private to the reader: stack_trace and nn_module_stack as JSON */
	struct etc_str trace_json, stack_json;
};

/* Does the node only quantise or dequantise? */
static inline bool etc_node_quantises(const struct etc_node *n)
{
	return etc_str_starts(n->op, ETC_STR("quantized_decomposed.")) ||
	       etc_str_starts(n->op, ETC_STR("torchao."));
}

struct etc_graph_flow;

enum etc_graph_kind {
	/* the entry edge_dialect_exported_program or edge_dialect_exported_program/<method> */
	ETC_GRAPH_EDGE,
	ETC_GRAPH_EXPORTED, /* the entry exported_program */
	ETC_GRAPH_EXTRA     /* any other entry <module>/<method> */
};

struct etc_graph {
	struct etc_str name; /* name of the entry in the archive */
	/* the part of `name` after the last '/'; "forward" if `name` has no '/' */
	struct etc_str method;
	uint8_t kind;    /* enum etc_graph_kind */
	bool per_method; /* EDGE: the entry is named "edge_dialect_exported_program/<method>" */
	bool truncated;  /* the graph is damaged after the nodes that were read */
	const struct etc_node *nodes; /* in graph order; nodes of control-flow bodies are not
	                               * included */
	uint32_t node_count;
	/* The first construct for which the Inspector's graph builder raises an exception
	 * ("Unsupported argument encountered ..."), which etcore reports as E0815. Empty: it raises
	 * none. */
	struct etc_str unsupported;
	/* Why Python cannot rebuild the program, as the number of an error: 0406 damaged JSON, 0813
	 * a part is missing, 0814 written before 1.0, 0820 weights unreadable. 0: Python can. Set
	 * only with ETC_RECORD_INSPECTOR. */
	uint32_t python_refuses;
	struct etc_str python_reason;
	bool has_state_dict; /* the archive has the weights of this program */
	/* equal to `tensors` if the shapes of events are taken from this graph; else NULL. If a
	 * program was read, `flow` is NULL, because shapes are then taken from the program. */
	const struct etc_graph_flow *flow;
	/* the tensors of the graph (model/graph_flow.h); NULL: not requested */
	const struct etc_graph_flow *tensors;
	/* loads the origin of a node for etc_node_origin(); NULL: all origins are loaded */
	bool (*read_origin)(struct etc_node *node, struct etc_arena *arena);
};

/* Loads the origin of a node, which most nodes never need. Not thread-safe. False: out of
 * memory. */
static inline bool etc_node_origin(const struct etc_graph *g, const struct etc_node *node,
                                   struct etc_arena *arena)
{
	return !g->read_origin || g->read_origin((struct etc_node *)(uintptr_t)node, arena);
}

/* Were the values of a blob read, and if not, why? */
enum etc_record_values {
	ETC_VALUES_UNREAD,  /* not requested, or the archive has no such entry */
	ETC_VALUES_READ,    /* the values are in the member `value` */
	ETC_VALUES_REFUSED, /* the blob is damaged or hostile; torch refuses it, too */
	/* torch might read the blob, but etcore does not support its contents */
	ETC_VALUES_CLOSED
};

/* The values of one test case of one method: tensors, numbers and nested lists, in the order in
 * which the exporter wrote them. */
struct etc_record_case {
	const struct etc_ref_value *const *values;
	uint32_t count;
};

struct etc_record_method {
	struct etc_str method;
	const struct etc_record_case *cases;
	uint32_t count;
};

/* reference_outputs or representative_inputs. reference_outputs has the form {method: [[value, ...]
 * per test case]}, or is a plain list for `forward`. representative_inputs has the form [value,
 * ...], one case of `forward`. */
struct etc_record_blob {
	bool present;
	/* the blob is a pickle without an archive, as releases before 1.3.1 wrote it */
	bool is_pickle;
	/* Number of test cases of the method `forward`. -1: unknown; -2: there is no such method.
	 * Set only for reference outputs whose values are read. */
	int64_t forward_cases;
	size_t bytes;

	/* These members are set only with ETC_RECORD_VALUES: */
	uint8_t state; /* enum etc_record_values */
	/* if the state is READ: the whole value, which may have any structure */
	const struct etc_ref_value *value;
	/* the test cases of each method; set if the state is READ and the value has the form that
	 * is described above this struct */
	const struct etc_record_method *methods;
	uint32_t method_count;
	/* for the states REFUSED and CLOSED: the reason, with the position in the blob */
	struct etc_str why;
};

struct etc_record {
	struct etc_str version; /* name of the archive's marker entry: "ETRECORD_V0" */

	/* For each map: `..._present`: the archive has the entry. `..._null`: the entry contains
	 * JSON null. */
	bool handle_map_present, delegate_map_present, num_outs_map_present;
	bool handle_map_null, delegate_map_null, num_outs_map_null;
	/* For each map: its entry in the archive contains another JSON value than an object or
	 * null, which is an error. Set only with ETC_RECORD_INSPECTOR. If this member is true, the
	 * map's member `..._null` is true, too. */
	bool handle_map_odd, delegate_map_odd, num_outs_map_odd;
	/* one for each method that is a key of one of the three maps, in order of first
	 * appearance */
	const struct etc_method_maps *methods;
	uint32_t method_count;

	const struct etc_graph *graphs; /* in the order of the archive */
	uint32_t graph_count;
	/* edge programs have entries of the form "edge_dialect_exported_program/<method>" */
	bool edge_is_per_method;

	bool has_export_graph_id;
	uint64_t export_graph_id;

	struct etc_record_blob reference_outputs, representative_inputs;
	/* Set only with ETC_RECORD_VALUES: the arguments with which each edge program was exported,
	 * one case per method. Only `methods` is filled; methods with nested or keyword arguments
	 * are left out. */
	struct etc_record_blob example_inputs;

	const struct etc_str *unknown; /* names of entries that no known format of ETRecords has */
	uint32_t unknown_count;
	/* Why the Inspector refuses this record, although etcore can read it: code and text. The
	 * code is 0 if the Inspector accepts the record. Set only with ETC_RECORD_INSPECTOR. The
	 * Inspector fails in this order: 1. while it opens the file (E0822, E0813, E0814, E0816,
	 * E0820, E0406); 2. because of the maps of `forward` (E0812, E0810), which the caller
	 * checks; 3. while it builds its graphs (E0811, E0815); 4. when an edge program under the
	 * default name is requested, but is absent (E0813). */
	uint32_t inspector_refuses; /* code of the refusal in step 1 of the list above; 0: none */
	struct etc_str inspector_reason;
	uint32_t graphs_refuse; /* code of the refusal in step 3 above; 0: none */
	struct etc_str graphs_reason;
};

/* Returns the graph in which the Inspector looks up nodes by default: the only edge program. NULL:
 * there is none, or there are several that are named by their methods. */
static inline const struct etc_graph *etc_record_edge(const struct etc_record *r)
{
	const struct etc_graph *one = NULL;
	uint32_t per_method = 0;

	for (uint32_t i = 0; i < r->graph_count; i++) {
		const struct etc_graph *g = &r->graphs[i];

		if (g->kind != ETC_GRAPH_EDGE)
			continue;
		if (g->per_method && ++per_method > 1)
			return NULL;
		if (!one || g->per_method)
			one = g;
	}
	return one;
}

/* Returns the record's maps of `method`; NULL: it has none. */
static inline const struct etc_method_maps *etc_record_method(const struct etc_record *r,
                                                              struct etc_str method)
{
	for (uint32_t i = 0; i < r->method_count; i++)
		if (etc_str_eq(r->methods[i].method, method))
			return &r->methods[i];
	return NULL;
}

#endif
