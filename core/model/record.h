/* record.h -- an ETRecord as plain data: what is known from the export.
 *
 * Made by formats/etrecord/etrecord.c, only read by later code. Memory is the arena's; text is
 * a view into the file or the arena. A zeroed member means "unknown", so readers of old
 * generations do not set newer members.
 *
 * Formats and generations: docs/formats.md. */
#ifndef ETC_MODEL_RECORD_H
#define ETC_MODEL_RECORD_H

#include "base/arena.h"
#include "model/facts.h"
#include "model/reference.h"

/* The form of a JSON value where the exporter writes debug handles. */
enum etc_handles_form {
	ETC_HANDLES_ABSENT,
	ETC_HANDLES_NULL, /* null */
	ETC_HANDLES_INT,  /* 7 */
	ETC_HANDLES_LIST, /* [8, 4, 5], in the file's order, duplicates kept */
	ETC_HANDLES_OTHER /* anything else: `raw` has it */
};

/* For a value that no exporter writes (2.0, true, "7", [1, "2"]), `raw` has the JSON text and
 * `v` the handles that Python's == would find: 2.0 equals 2 and true equals 1; other values
 * match nothing. */

struct etc_handles {
	uint8_t form;    /* enum etc_handles_form */
	bool unhashable; /* a LIST that contains a list or object, for which Python's dict.get()
	                  * raises */
	uint32_t count;
	/* INT: one number; LIST: `count` numbers; OTHER: one number if the value equals an integer,
	 * as 2.0 does */
	const int64_t *v;
	struct etc_str raw; /* empty for null, a 64-bit integer, and a list of these */
};

/* A JSON value of another type where an object is expected. It keeps what Python's `in`, `or` and
 * `is None` depend on, so that the Inspector's behaviour can be reproduced. NONE: it is an object,
 * or absent. */
enum etc_odd_kind { ETC_ODD_NONE, ETC_ODD_NULL, ETC_ODD_SCALAR, ETC_ODD_TEXT, ETC_ODD_LIST };

struct etc_odd {
	uint8_t kind; /* enum etc_odd_kind */
	bool truthy;
	uint32_t count;
	const struct etc_str *texts; /* TEXT: the value; LIST: the texts in the list */
};

/* A delegate's name that is neither text nor null. pandas accepts a scalar, and a list with exactly
 * one item, which it shows as that item; it rejects an object and any other list. `is_cell`: pandas
 * accepts the name, and `cell` is the value that it shows. */
struct etc_odd_name {
	struct etc_str raw; /* JSON */
	bool is_cell;
	struct etc_datum cell;
};

/* One "instruction id": handles entry, or one of a delegate's own map. `key` is the text in the
 * file ("12"), also for integer ids. */
struct etc_handle_entry {
	struct etc_str key;
	struct etc_handles handles;
};

/* delegate_map[method][instruction]. */
struct etc_delegate_entry {
	struct etc_str key;     /* instruction id as text */
	struct etc_str backend; /* "name"; empty if absent or null */
	bool has_backend;
	bool backend_is_null;                /* "name": null */
	const struct etc_odd_name *odd_name; /* NULL: a text, null or absent */
	bool map_is_null;                    /* "delegate_map": null; count is then 0 */
	uint32_t count;
	const struct etc_handle_entry *ids; /* `count`, in file order */
	struct etc_odd odd;                 /* the entry itself is not an object */
	struct etc_odd odd_map;
};

/* instruction_id_to_num_outs_map[method][instruction]. */
struct etc_num_outs_entry {
	struct etc_str key;
	int64_t outputs;    /* 1 if the value is not an integer */
	struct etc_str raw; /* JSON text of a value that is not an integer; else empty */
};

/* The three JSON maps of one method. */
struct etc_method_maps {
	struct etc_str method;
	bool in_handle_map, in_delegate_map, in_num_outs_map; /* the method is a key of that map */
	struct etc_odd odd_handle_map, odd_delegate_map, odd_num_outs_map;
	const struct etc_handle_entry *handles;
	uint32_t handle_count;
	const struct etc_delegate_entry *delegates;
	uint32_t delegate_count;
	const struct etc_num_outs_entry *num_outs;
	uint32_t num_outs_count;
};

/* One level of nn_module_stack, outermost first. */
struct etc_module {
	struct etc_str key;   /* "L__self___layers_0" */
	struct etc_str path;  /* "layers.0" */
	struct etc_str klass; /* "torch.nn.modules.linear.Linear" */
};

/* One call_function node of a graph (getitem nodes are folded into it). */
struct etc_node {
	/* index among the nodes in the file, which has more nodes than are listed here */
	uint32_t index;
	bool has_stack_trace;
	bool has_modules; /* nn_module_stack is present */
	/* source_fn_stack is present and not empty: see inspector/hierarchy.c */
	bool has_source_fn;
	/* the operator is of a library that the Inspector's process lacks: Python then drops the
	 * node's metadata, so the Inspector never shows it */
	bool foreign;
	struct etc_str name;             /* FX name, without the Inspector's trailing '_' */
	struct etc_str op;               /* as the Inspector shows it: "aten.linear.default" */
	struct etc_str target;           /* as in the file */
	struct etc_handles debug_handle; /* metadata.debug_handle; normally INT */
	struct etc_str source_fn;        /* last item of source_fn_stack, "name,target" */

	/* Origin of the node; valid after etc_node_origin(). */
	struct etc_str stack_trace; /* raw text, or absent */
	/* module_count is 0 if a name contains ',' or ';' and was split wrongly */
	const struct etc_module *modules;
	uint32_t module_count;
	uint32_t source_line; /* 0: unknown */
	/* Innermost frame of stack_trace outside PyTorch's own code, else the innermost; or
	 * empty. */
	struct etc_str source_file;
	struct etc_str source_text; /* the source line itself, trimmed, or empty */

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
	ETC_GRAPH_EDGE,     /* edge_dialect_exported_program[/method] */
	ETC_GRAPH_EXPORTED, /* exported_program */
	ETC_GRAPH_EXTRA     /* <module>/<method> */
};

struct etc_graph {
	struct etc_str name;   /* entry name in the archive */
	struct etc_str method; /* part after the last '/', "forward" if there is none */
	uint8_t kind;          /* enum etc_graph_kind */
	bool per_method; /* EDGE: the entry is named "edge_dialect_exported_program/<method>" */
	bool truncated;  /* the graph is damaged after the nodes that were read */
	const struct etc_node *nodes; /* in graph order; nodes of control-flow bodies are not
	                               * included */
	uint32_t node_count;
	/* The first construct for which the Inspector's graph builder raises ("Unsupported
	 * argument encountered ..."), or empty: error 0815. */
	struct etc_str unsupported;
	/* The reason why Python cannot rebuild the program: E0406 damaged JSON, 0813 a part is
	 * missing, 0814 written before 1.0, 0820 weights unreadable; 0 if none. Only with
	 * ETC_RECORD_INSPECTOR. */
	uint32_t python_refuses;
	struct etc_str python_reason;
	bool has_state_dict;               /* the entry's weights are in the archive */
	const struct etc_graph_flow *flow; /* model/graph_flow.h; NULL: not requested */
	/* The tensors that `flow` points to. Also set if `flow` is NULL because a program was read,
	 * which has more information. */
	const struct etc_graph_flow *tensors;
	/* for etc_node_origin(); NULL: all origins are loaded */
	bool (*read_origin)(struct etc_node *node, struct etc_arena *arena);
};

/* Loads the origin of a node; most are never needed. Not thread-safe. False: out of memory. */
static inline bool etc_node_origin(const struct etc_graph *g, const struct etc_node *node,
                                   struct etc_arena *arena)
{
	return !g->read_origin || g->read_origin((struct etc_node *)(uintptr_t)node, arena);
}

/* How far the values of a blob were read. */
enum etc_record_values {
	ETC_VALUES_UNREAD,  /* not requested, or no such entry */
	ETC_VALUES_READ,    /* `value` */
	ETC_VALUES_REFUSED, /* damaged or hostile: torch refuses it too */
	ETC_VALUES_CLOSED   /* torch might read it, etcore does not */
};

/* The values of one test case of one method: tensors and numbers. A list of values is stored as
 * the exporter writes it: flattened, except that nested lists stay nested. */
struct etc_record_case {
	const struct etc_ref_value *const *values;
	uint32_t count;
};

struct etc_record_method {
	struct etc_str method;
	const struct etc_record_case *cases;
	uint32_t count;
};

/* reference_outputs: {method: [[value, ...] per test case]}, or a plain list for
 * `forward`. representative_inputs: [value, ...], one case of `forward`. */
struct etc_record_blob {
	bool present;
	bool is_pickle; /* raw pickle of releases before 1.3.1 */
	/* Number of test cases of the method `forward`: -1 unknown, -2 no such method. Set only for
	 * reference outputs that are read with their values. */
	int64_t forward_cases;
	size_t bytes;

	/* Set only with ETC_RECORD_VALUES: */
	uint8_t state;                     /* enum etc_record_values */
	const struct etc_ref_value *value; /* if READ: the whole value, of any structure */
	/* if READ, and the value is a list of test cases per method: these */
	const struct etc_record_method *methods;
	uint32_t method_count;
	struct etc_str why; /* REFUSED, CLOSED: the reason, with position */
};

struct etc_record {
	struct etc_str version; /* marker entry: "ETRECORD_V0" */

	/* For each map: `present`: the entry exists; `null`: the entry contains JSON null. */
	bool handle_map_present, delegate_map_present, num_outs_map_present;
	bool handle_map_null, delegate_map_null, num_outs_map_null;
	/* Neither object nor null: an error, recorded only with ETC_RECORD_INSPECTOR (which
	 * sets `null` too). */
	bool handle_map_odd, delegate_map_odd, num_outs_map_odd;
	const struct etc_method_maps *methods; /* union of the three maps' keys, first appearance */
	uint32_t method_count;

	const struct etc_graph *graphs; /* order of the archive */
	uint32_t graph_count;
	bool edge_is_per_method; /* entries "edge_dialect_exported_program/<method>" */

	bool has_export_graph_id;
	uint64_t export_graph_id;

	struct etc_record_blob reference_outputs, representative_inputs;
	/* Set only with ETC_RECORD_VALUES: the arguments with which each edge program was exported,
	 * one case per method. Only `methods` is filled; methods with nested or keyword arguments
	 * are left out. */
	struct etc_record_blob example_inputs;

	const struct etc_str *unknown; /* entries of no known generation */
	uint32_t unknown_count;
	/* Why the Inspector refuses this record although it can be read here: code and text; 0
	 * if it does not. Only with ETC_RECORD_INSPECTOR. In the Inspector's order:
	 *   1. while opening the file: 0822, 0813, 0814, 0816, 0820, 0406;
	 *   2. (checked by the caller) maps of `forward`: 0812, 0810;
	 *   3. while building its graphs: 0811, 0815;
	 *   4. when requested, no edge program under the default name: 0813. */
	uint32_t inspector_refuses; /* 1 */
	struct etc_str inspector_reason;
	uint32_t graphs_refuse; /* 3 */
	struct etc_str graphs_reason;
};

/* The graph in which the Inspector looks up nodes by default: the only edge program. NULL if
 * there is none, or several with names by method. */
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

/* The maps of `method`, or NULL. */
static inline const struct etc_method_maps *etc_record_method(const struct etc_record *r,
                                                              struct etc_str method)
{
	for (uint32_t i = 0; i < r->method_count; i++)
		if (etc_str_eq(r->methods[i].method, method))
			return &r->methods[i];
	return NULL;
}

#endif
