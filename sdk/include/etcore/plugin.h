/* etcore/plugin.h -- the whole contract between etcore and a backend plugin.
 *
 * A plugin is one shared object that exports one constant, etcore_plugin_v1.
 * etcore hands it the events that one delegate call logged; the plugin says
 * what they were: parsed metadata, times in a known unit, operator, kernel,
 * category, the node of the graph. It needs nothing but this header and links
 * to nothing of etcore.
 *
 * Rules that hold throughout
 *   - Text is UTF-8 in general, but comes from untrusted files: any byte, also
 *     NUL, may occur. A struct etcore_text is not NUL-terminated; its ptr may
 *     be NULL when len is 0.
 *   - Every pointer that a hook gets belongs to the host and is valid until
 *     that hook returns. Nothing is ever freed across the border: answers go
 *     through sinks and out-structs, and the host copies them at once.
 *   - An instance (open ... close) is used from one thread at a time. Instances
 *     are independent of each other: no mutable globals.
 *   - Hooks do no input or output, print nothing, start no threads, read no
 *     environment, never exit. A C++ exception that leaves a hook is caught by
 *     the host and counts as ETCORE_FAILED.
 *   - Structs only grow at the end. `size` is sizeof() as its writer compiled
 *     it; a reader touches no field beyond it (ETCORE_HAS). Arrays of structs
 *     cross as arrays of pointers, so elements may grow.
 *   - A hook that fails, declines or is NULL costs nothing but its answer: the
 *     event falls back to the host's generic view.
 *
 * Names of events, ids and fields are those of ExecuTorch's ETDump schema
 * (devtools/etdump/etdump_schema_flatcc.fbs). */
#ifndef ETCORE_PLUGIN_H
#define ETCORE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Major: also in the symbol's name; changes only when an existing plugin would break. Minor:
 * grows with each addition; 1.0 and 1.1 are frozen (docs/plugins/abi.md, "What stays for ever").
 * "Since 1.1" marks additions that a 1.0 host lacks: it reads no such field, refuses a
 * descriptor with such a constant, and drops an answer with one. */
#define ETCORE_PLUGIN_ABI_MAJOR 1u
#define ETCORE_PLUGIN_ABI_MINOR 1u

/* Is `field` inside the struct as its writer compiled it? */
#define ETCORE_HAS(object, type, field) \
	((object)->size >= offsetof(type, field) + sizeof((object)->field))

#if defined(__GNUC__)
#define ETCORE_EXPORT __attribute__((visibility("default")))
#else
#define ETCORE_EXPORT
#endif

/* The result of a hook. */
typedef int32_t etcore_result;
#define ETCORE_OK      0  /* answered */
#define ETCORE_DECLINE 1  /* well-formed data, but the hook has no answer for it */
#define ETCORE_CORRUPT -1 /* damaged data of the plugin's backend: the host reports it once */
#define ETCORE_FAILED  -2 /* any other failure: the host reports it once */
#define ETCORE_NOMEM   -3

struct etcore_text {
	const char *ptr;
	uint64_t len;
};
struct etcore_bytes {
	const uint8_t *ptr;
	uint64_t len;
};

/* ---- what the host hands over ------------------------------------------ */

/* etcore_event.flags */
#define ETCORE_EVENT_DELEGATE      1u /* carries a delegate id */
#define ETCORE_EVENT_DELEGATE_CALL 2u /* the DELEGATE_CALL that encloses the other events */

/* One ProfileEvent of the delegate call with its samples. `etcore inspector` passes the samples of
 * all runs. `etcore analyze` and the comparisons pass those of the typical runs, except to
 * expand_event (see there). Sample i of every event of a call belongs to the same run. */
struct etcore_event {
	uint32_t size, flags;
	int64_t instruction_id;           /* ProfileEvent.instruction_id; -1: none */
	int64_t delegate_id;              /* .delegate_debug_id_int; -1: identified by name */
	struct etcore_text name;          /* .name; empty for delegate events */
	struct etcore_text delegate_name; /* .delegate_debug_id_str; empty: identified by id */
	uint64_t samples;                 /* number of runs whose samples are passed */
	const uint64_t *start, *end;      /* `samples` each: raw ticks of .start_time, .end_time */
	/* .delegate_debug_metadata of each of the `samples`; NULL: no sample has any. */
	const struct etcore_bytes *metadata;
	const struct etcore_facts
		*facts; /* for annotators: the owner's answers; for the owner: NULL */
};

/* etcore_call.flags */
#define ETCORE_CALL_DYNAMIC_SHAPES 1u /* .pte: a shape of an argument can change from run to run */

/* All events of one (method, chain, instruction), since siblings, nesting and units of some
 * backends cannot be determined from one event alone. If there is no DELEGATE_CALL among them, they
 * are those of an operator, or were logged outside of instructions; `backend` is then empty, and
 * the owner is found by probe. */
struct etcore_call {
	uint32_t size, count;
	struct etcore_text backend;    /* backend id from ETRecord or program; empty: unknown */
	struct etcore_text method;     /* empty: unknown */
	struct etcore_text block;      /* RunData.name: "Execute", "Default" */
	struct etcore_bytes processed; /* the delegate's blob from the .pte, or empty */
	const struct etcore_event *const *events; /* `count`, in file order */
	uint32_t flags, reserved;
};

/* ---- what a plugin answers --------------------------------------------- */

/* Takes typed answers, copies them, keeps their order. Every function returns
 * ETCORE_OK, or another result after which the hook should give up and return
 * it. `name` must be a declared column, or belong to a declared family.
 *
 * parse_metadata answers in one of two forms, as a Python parser does:
 *   named values (a dict): call str/i64/f64/boolean/null/json with a name;
 *   a list of items:       call begin_list once, then the same functions with an
 *                          empty name, once per item.
 * Without begin_list an empty name is a key like any other, for a plugin whose
 * columns are the family "*".
 * If the hook calls nothing, the answer is empty (Python's None or {}). */
struct etcore_sink {
	uint32_t size, reserved;
	void *handle; /* pass it back unchanged */
	etcore_result (*str)(void *handle, struct etcore_text name, struct etcore_text value);
	etcore_result (*i64)(void *handle, struct etcore_text name, int64_t value);
	etcore_result (*f64)(void *handle, struct etcore_text name, double value);
	etcore_result (*boolean)(void *handle, struct etcore_text name, int32_t value);
	etcore_result (*null)(void *handle, struct etcore_text name);
	/* Any JSON text: lists, objects. `inspector` prints Python's repr of it. */
	etcore_result (*json)(void *handle, struct etcore_text name, struct etcore_text value);
	etcore_result (*begin_list)(void *handle);
	/* Call it once, after the answer: the named values that follow become columns of etcore's
	 * own tables. They are not part of the answer, so the Inspector ignores them. For a parser
	 * whose answer in Python is a list, or a value that no table can show. */
	etcore_result (*begin_columns)(void *handle);
	/* JSON in which b"<base64>" stands for bytes, which Python's repr prints as b'...';
	 * elsewhere they are the base64 as text. Not allowed for columns. */
	etcore_result (*json_bytes)(void *handle, struct etcore_text name,
	                            struct etcore_text value);
};

/* The scales of an Inspector session, for convert_time. Codes: ETCORE_UNIT_*. */
struct etcore_scales {
	uint32_t size;
	uint32_t source, target; /* --source_time_scale, --target_time_scale */
	uint32_t reserved;
	double factor; /* ticks of source per one of target: ns -> ms is 1e6 */
};

/* Receives the converted values of convert_time: exactly one call for each of the `count`
 * inputs, in order, integer or double as Python's function would return. */
struct etcore_number_sink {
	uint32_t size, reserved;
	void *handle;
	etcore_result (*i64)(void *handle, int64_t value);
	etcore_result (*f64)(void *handle, double value);
};

/* codes of etcore_time.unit, etcore_scales.source and etcore_scales.target */
#define ETCORE_UNIT_UNKNOWN 0u
#define ETCORE_UNIT_NS      1u
#define ETCORE_UNIT_US      2u
#define ETCORE_UNIT_MS      3u
#define ETCORE_UNIT_S       4u
#define ETCORE_UNIT_CYCLES  5u
#define ETCORE_UNIT_TICKS   6u
#define ETCORE_UNIT_BYTES   7u
#define ETCORE_UNIT_COUNT   8u
/* etcore_time.kind: what the interval is. Here and below, "detached" events are shown in a separate
 * table, and their time is not part of the time of other events. */
#define ETCORE_KIND_OP       0u /* an operator or kernel */
#define ETCORE_KIND_PHASE    1u /* a step of the backend that contains others */
#define ETCORE_KIND_PACKING  2u /* laying out operands */
#define ETCORE_KIND_OVERHEAD 3u /* copies, waiting, dispatch */
#define ETCORE_KIND_COUNTER  4u /* not an interval: detached */
#define ETCORE_KIND_INVALID  5u /* the numbers mean nothing: detached */
/* etcore_time.clock: the clock that start and end were read from */
#define ETCORE_CLOCK_UNKNOWN 0u
/* The clock that the runtime's start_profiling_delegate() and end_profiling_delegate() read. With
 * ETCORE_UNIT_UNKNOWN the numbers are its ticks, in the unit that the user sets
 * (source_time_scale). */
#define ETCORE_CLOCK_HOST 1u
/* Events of CLOCK_FOREIGN and CLOCK_NONE count as part of their parent's time if the length of
 * their ticks is known and they fit into the parent. They fit in a run if all of them together are
 * not longer than the time that the parent's children on its own clock leave free. Else they are
 * detached in this run. */
#define ETCORE_CLOCK_FOREIGN 2u /* another clock: starts are placed by sync_device and sync_host */
#define ETCORE_CLOCK_NONE    3u /* a duration without start time */
/* etcore_time.start: were the starts measured? ABSENT: the events have no starts. */
#define ETCORE_START_MEASURED  0u
#define ETCORE_START_SYNTHETIC 1u /* the starts were not measured: the events are laid end to end */
#define ETCORE_START_ABSENT    2u
/* etcore_time.duration: how the durations were measured */
#define ETCORE_DURATION_MEASURED         0u
#define ETCORE_DURATION_ESTIMATED        1u /* a share of a larger measurement: detached */
#define ETCORE_DURATION_SUM_OVER_THREADS 2u /* may exceed wall time: detached */
/* Since 1.1. Engines that run in parallel: the event and all events below it are detached and shown
 * as a share of the call. A 1.0 host, whose etcore_time ends before sync_device, refuses this
 * value: use SUM_OVER_THREADS there. */
#define ETCORE_DURATION_CONCURRENT 3u
/* etcore_time.rounding: how the clock rounds times to multiples of `resolution` */
#define ETCORE_ROUNDING_EXACT     0u
#define ETCORE_ROUNDING_TRUNCATED 1u /* lower bound: true value < measured + resolution */
#define ETCORE_ROUNDING_NEAREST   2u
#define ETCORE_ROUNDING_UNKNOWN   3u /* not known; no bound is shown */
/* etcore_time.parent: an index in etcore_call.events, or one of these two values: */
#define ETCORE_PARENT_CALL    (-1) /* the DELEGATE_CALL */
#define ETCORE_PARENT_BY_TIME (-2) /* the smallest interval around it; CLOCK_HOST only */

/* The meaning of an event's numbers. Before describe_time is called, the host sets `parent` to
 * ETCORE_PARENT_CALL and all other members except `size` to 0: kind OP, unknown unit and clock. */
struct etcore_time {
	uint32_t size, kind;
	uint32_t unit;
	uint32_t clock;
	uint32_t start, duration;
	uint32_t rounding;
	int32_t parent;
	/* length of a unit in ns; 0: unknown; else 1e-6 to 1e12. A rounded fraction such as
	 * 1e9 / 1.2e9 is taken as the exact one, 5/6. */
	double ns_per_unit;
	uint64_t resolution; /* in units; 0: one unit */
	uint64_t wraps_at;   /* the counter restarts at this value; 0: 64 bit */
	/* Since 1.1, for CLOCK_FOREIGN with a known length of tick. The times that two clocks
	 * showed at the same moment: sync_device is on the clock of start and end, sync_host is in
	 * ticks of the runtime's clock. From them the host computes starts of events on the
	 * runtime's clock. Both 0: not known; the first event is then assumed to start with its
	 * parent. */
	uint64_t sync_device, sync_host;
};

/* Receives the answers of name_event and classify. The host copies texts at once. */
struct etcore_text_sink {
	uint32_t size, reserved;
	void *handle;
	etcore_result (*put)(void *handle, uint32_t field, struct etcore_text value);
	etcore_result (*put_number)(void *handle, uint32_t field, int64_t value);
};

/* Fields that name_event answers. Answer only facts that the data contain, no guesses. */
#define ETCORE_NAME_DISPLAY  1u /* text: name of the row: events with equal text are summed up */
#define ETCORE_NAME_OPERATOR 2u /* text: "Fully Connected" */
#define ETCORE_NAME_LAYOUT   3u /* text: "NHWC" */
#define ETCORE_NAME_TYPES    4u /* text: types of the operands, comma-separated: "QD8, F32, QC4W" */
#define ETCORE_NAME_ORDINAL  5u /* number: the event's number among those of its name, from 1 */
#define ETCORE_NAME_KERNEL   6u /* text: micro-kernel type or symbol: "IGEMM" */
/* Fields that classify answers. "The library" is the library of kernels that an annotator looks
 * for, such as KleidiAI; etcore_plugin.title is its display name. The fields from KERNEL_LIBRARY on
 * are for annotators. */
#define ETCORE_CLASS_CATEGORY       16u /* text: a word of docs/columns.md: "convolution", "gemm" ... */
#define ETCORE_CLASS_COMPUTE_UNIT   17u /* text: "CPU", "GPU", "NPU" ... */
#define ETCORE_CLASS_PRECISION      18u /* text: "fp32", "fp16", "int8", "int4" ... */
#define ETCORE_CLASS_KERNEL_LIBRARY 19u /* text: the library, if it certainly ran: "kleidiai" */
#define ETCORE_CLASS_LIBRARY_RAN    20u /* number: did the library run? ETCORE_RAN_* */
#define ETCORE_CLASS_LIBRARY_WHY    21u /* text: the word that decides LIBRARY_RAN, such as "QP8" */
#define ETCORE_CLASS_ISA            22u /* text: instruction sets that fit: "SME2, SME, I8MM or DotProd" */
#define ETCORE_CLASS_CANONICAL      23u /* text: name of the same work done without the library */
#define ETCORE_CLASS_VARIANT        24u /* text: "gemm int4 block" */
#define ETCORE_CLASS_IS_MATRIX      25u /* number: 1: counts in the line "n of m matrix kernels" */
#define ETCORE_CLASS_MICROKERNEL    26u /* text: micro-kernel of the library, inferred; "A or B" */
#define ETCORE_RAN_UNKNOWN          0
#define ETCORE_RAN_NO               1
#define ETCORE_RAN_YES              2

/* Since 1.1. The value of a column, from the owner's parse_metadata or a section [backend.ID] of
 * the INI file. */
struct etcore_value {
	uint32_t size;
	/* ETCORE_TYPE_* of the column; for a column of type JSON, the type of the value */
	uint32_t type;
	struct etcore_text name; /* name of the column; for a family, the full name */
	struct etcore_text text; /* the value, if the type is STR or JSON */
	int64_t i64;             /* the value, if the type is I64; 0 or 1 if it is BOOL */
	double f64;              /* the value, if the type is F64 */
};

/* The owner's answers, handed to annotators. Absent text is empty. */
struct etcore_facts {
	uint32_t size, reserved;
	struct etcore_text owner;   /* name of the owning plugin */
	struct etcore_text backend; /* backend id that it owns */
	struct etcore_text display, operator_name, layout, types, kernel;
	int64_t ordinal; /* 0: none */
	struct etcore_text category, compute_unit, precision;
	/* Since 1.1. The owner's description of the event's numbers, or the host's own; never
	 * NULL. */
	const struct etcore_time *time;
	/* Since 1.1. `column_count` values, one for each column that the event fills. A column
	 * whose value is null is not in the list. */
	const struct etcore_value *const *columns;
	uint32_t column_count, reserved_1_1;
};

/* Receives the answers of map_event: the debug handles of the nodes that an event stands for. */
struct etcore_map_sink {
	uint32_t size, reserved;
	void *handle;
	/* Looks the event up in the record's delegate map under `key`, not under its own id. */
	etcore_result (*key)(void *handle, struct etcore_text key);
	/* Adds an edge debug handle that the plugin found itself. */
	etcore_result (*debug_handle)(void *handle, int64_t debug_handle);
	/* Says that the map's values are not edge debug handles (but, for example, indices in the
	 * delegate's own graph): the map then gives the event no handles. */
	etcore_result (*not_edge_handles)(void *handle);
};

/* Since 1.1. A child of an event: a layer, an engine, a step, from a table in its metadata. */
struct etcore_child {
	uint32_t size;
	int32_t parent; /* number of an earlier child of this answer, from 0; or ETCORE_PARENT_CALL:
	                 * the event itself */
	struct etcore_text name; /* not empty; as etcore_event.delegate_name */
	uint64_t samples;        /* number of items in each list below: as the event's */
	const uint64_t *durations;
	/* Start times relative to the start of the event. NULL: not measured; the host places the
	 * children of a parent one after the other from the parent's start. */
	const uint64_t *starts;
	/* How the child's durations and starts are to be read; NULL: like the times of the event.
	 * The member `parent` above counts, not that of `time`; `start`, `wraps_at`, sync_device
	 * and sync_host of `time` are ignored. */
	const struct etcore_time *time;
};

/* Receives children in order, each parent before its children. */
struct etcore_child_sink {
	uint32_t size, reserved;
	void *handle;
	etcore_result (*begin)(void *handle, const struct etcore_child *child);
	/* For the child begun last: ETCORE_NAME_* and ETCORE_CLASS_*, and named values of
	 * declared columns. */
	const struct etcore_text_sink *facts;
	const struct etcore_sink *columns;
};

/* ---- the descriptor ----------------------------------------------------- */

#define ETCORE_ROLE_OWNER     1u /* explains the events of its backends; an event has one owner */
#define ETCORE_ROLE_ANNOTATOR 2u /* adds facts after the owner; never changes time */

/* etcore_plugin.sees: the kinds of events that the host passes to an owner. 0: as SEES_DELEGATE.
 * For an event without a delegate id, the host uses the owner's answers only if name_event or
 * classify answered for this event. */
#define ETCORE_SEES_DELEGATE  1u /* delegate calls and events with a delegate id */
#define ETCORE_SEES_OPERATOR  2u /* native_call_* events, in calls of their own */
#define ETCORE_SEES_FRAMEWORK 4u /* all other events: scopes, and those of loading a method */

/* Types of options and columns. */
#define ETCORE_TYPE_STR  1u
#define ETCORE_TYPE_I64  2u
#define ETCORE_TYPE_F64  3u
#define ETCORE_TYPE_BOOL 4u
#define ETCORE_TYPE_JSON 5u

/* etcore_option.form: what the value of the option is. PLAIN: a value of the option's type. */
#define ETCORE_FORM_PLAIN 0u
/* For type STR, without default: the path of a regular file, relative to the folder of
 * the INI file. The host reads it before open(): etcore_setting.content. */
#define ETCORE_FORM_FILE 1u

/* A key that the plugin reads from its INI section [plugin.NAME]. The host checks
 * values before open(): a plugin sees none that its declaration excludes. */
struct etcore_option {
	uint32_t size, type;
	const char *name;          /* [a-z][a-z0-9_]*, at most 49 bytes */
	const char *default_value; /* in the form that the file would have; NULL: none */
	const char *help;          /* one line with the unit */
	/* The members that follow exist since 1.1. */
	uint32_t form, reserved;
	const char *unit;           /* "ns", "bytes", for people; NULL: none */
	const char *const *choices; /* of STR: the allowed values, NULL at the end; NULL: any
	                             * value */
	double least, most;         /* of I64 and F64: allowed range, ends included; both 0: any
	                             * value */
	uint64_t most_bytes;        /* largest file, in bytes; 0: 16 MiB; at most 256 MiB */
};

/* Initializers that stay complete when the structs grow (C99, C++20). */
#define ETCORE_OPTION(type_, name_, default_, help_)                                    \
	{                                                                               \
		.size = sizeof(struct etcore_option), .type = (type_), .name = (name_), \
		.default_value = (default_), .help = (help_), .form = 0, .reserved = 0, \
		.unit = NULL, .choices = NULL, .least = 0, .most = 0, .most_bytes = 0   \
	}
#define ETCORE_COLUMN(type_, name_, unit_, help_, rollup_)                              \
	{                                                                               \
		.size = sizeof(struct etcore_column), .type = (type_), .name = (name_), \
		.unit = (unit_), .help = (help_), .rollup = (rollup_), .reserved = 0,   \
		.rollup_1_1 = 0, .reserved_1_1 = 0                                      \
	}

/* The rule by which the values of a column for several events become the value of their row. */
#define ETCORE_ROLLUP_NONE  0u /* the value, if all events have the same; else blank */
#define ETCORE_ROLLUP_FIRST 1u
#define ETCORE_ROLLUP_SUM   2u
#define ETCORE_ROLLUP_SET   3u /* the distinct values */
/* Since 1.1, for I64 and F64 only. A 1.0 host refuses them in `rollup`: use `rollup_1_1`. */
#define ETCORE_ROLLUP_MEAN      4u /* a double, also of I64 */
#define ETCORE_ROLLUP_MIN       5u
#define ETCORE_ROLLUP_MAX       6u
#define ETCORE_ROLLUP_TIME_MEAN 7u /* weighted by the events' durations */

/* A column that parse_metadata may fill for an event, and expand_event for a child. A name that
 * ends in ".*" or is "*" declares a family, for parsers whose keys come from the data. */
struct etcore_column {
	uint32_t size, type;
	const char *name;
	const char *unit; /* "ns", "bytes", ""; NULL: none */
	const char *help;
	uint32_t rollup, reserved;
	/* Since 1.1: a roll-up that 1.0 hosts lack. Newer hosts use it instead of `rollup`, 1.0
	 * hosts use `rollup`. 0: none. */
	uint32_t rollup_1_1, reserved_1_1;
};

/* Severity of etcore_host.diagnose */
#define ETCORE_SEVERITY_NOTE    0u
#define ETCORE_SEVERITY_WARNING 1u

/* Services of the host. Valid from open() until close() returns. */
struct etcore_host {
	uint32_t size;
	uint32_t abi_minor; /* the host's ETCORE_PLUGIN_ABI_MINOR */
	void *handle;
	/* Shows a message with the plugin's and the event's name; only inside hooks. */
	void (*diagnose)(void *handle, uint32_t severity, struct etcore_text message);
	/* Since 1.1. Returns a service that a later version adds, by its id; NULL: the host does
	 * not know the id. No service exists yet. The host owns the result, which is valid until
	 * close() returns. */
	const void *(*get_service)(void *handle, const char *id);
};

/* A declared option with its value: that of the INI file, else the default. An option that has
 * neither is left out. */
struct etcore_setting {
	uint32_t size, reserved;
	struct etcore_text name, value; /* value already has the declared type */
	/* Since 1.1. The content of the file that `value` names (ETCORE_FORM_FILE); else empty.
	 * Valid until close() returns. */
	struct etcore_bytes content;
};

struct etcore_plugin {
	uint32_t size;
	uint32_t abi_major; /* ETCORE_PLUGIN_ABI_MAJOR; checked before anything else */
	uint32_t abi_minor; /* ETCORE_PLUGIN_ABI_MINOR it was compiled with */
	uint32_t role;      /* ETCORE_ROLE_* */
	uint32_t sees;      /* ETCORE_SEES_*, or-ed */
	uint32_t reserved;
	const char *name;    /* "xnnpack": also its section in the INI file; [a-z][a-z0-9_]* */
	const char *version; /* version of the plugin, for display */
	const char *vendor;
	const char *description; /* one line */
	/* Backend ids that it owns or annotates ("XnnpackBackend"), NULL at the end. */
	const char *const *backends;
	/* NULL-terminated arrays of pointers; NULL: none. */
	const struct etcore_option *const *options;
	const struct etcore_column *const *columns;

	/* Makes an instance. On failure *self is not used and close is not called.
	 * May be NULL together with close: self is then NULL in every hook. */
	etcore_result (*open)(const struct etcore_host *host,
	                      const struct etcore_setting *const *settings, uint32_t count,
	                      void **self);
	void (*close)(void *self);

	/* All hooks below may be NULL. `index` is the index of the event in call->events. */

	/* Returns how certainly a whole call belongs to a backend of this plugin, from 0 (it does
	 * not) to 100 (certain). Called only when no file names the backend. It is an error if two
	 * owners have the same highest score. */
	int32_t (*probe)(void *self, const struct etcore_call *call);

	/* Parses metadata, as the Inspector's delegate_metadata_parser does. Gets the metadata of
	 * all samples of one event, `call->events[index]->metadata` (NULL: all are empty), and
	 * gives one answer. Also called for events without metadata, because a backend may write
	 * its values into the event's id; `etcore analyze` then uses only the named values of the
	 * answer.
	 * CORRUPT: where a parser in Python would raise an exception; `etcore inspector` then has
	 * no answer with delegate data, as the Inspector has none. */
	etcore_result (*parse_metadata)(void *self, const struct etcore_call *call, uint32_t index,
	                                const struct etcore_sink *out);

	/* Converts `count` times of one event, as the Inspector's delegate_time_scale_converter
	 * does for one time. Called with all starts, then with all ends. DECLINE or NULL: the host
	 * divides by scales->factor. */
	etcore_result (*convert_time)(void *self, const struct etcore_call *call, uint32_t index,
	                              const struct etcore_scales *scales, const uint64_t *raw,
	                              uint64_t count, const struct etcore_number_sink *out);

	/* Describes the numbers of every event: fills times[0 .. call->count). */
	etcore_result (*describe_time)(void *self, const struct etcore_call *call,
	                               struct etcore_time *const *times);

	/* Answers fields ETCORE_NAME_* of one event. */
	etcore_result (*name_event)(void *self, const struct etcore_call *call, uint32_t index,
	                            const struct etcore_text_sink *out);

	/* Answers fields ETCORE_CLASS_* of one event. */
	etcore_result (*classify)(void *self, const struct etcore_call *call, uint32_t index,
	                          const struct etcore_text_sink *out);

	/* Answers which nodes of the graph the event stands for. */
	etcore_result (*map_event)(void *self, const struct etcore_call *call, uint32_t index,
	                           const struct etcore_map_sink *out);

	/* Returns an interface that a later version adds, by its id ("etcore.roofline/1"); NULL:
	 * the plugin does not know the id. */
	const void *(*get_extension)(const char *id);

	/* Since 1.1. The lowest minor version of a host that the plugin works with; a host with an
	 * older version refuses the plugin. A 1.0 host does not know this field: there, open() can
	 * check etcore_host.abi_minor and return ETCORE_FAILED. */
	uint32_t abi_least, reserved_1_1;
	/* Since 1.1. As get_extension, for interfaces that work on an instance. The result is valid
	 * until close(). */
	const void *(*get_instance_extension)(void *self, const char *id);
	/* Since 1.1. For annotators: display name of the library that ETCORE_CLASS_LIBRARY_RAN is
	 * about, such as "KleidiAI". 1 to 49 printable bytes, no comma; NULL: `name`. */
	const char *title;
	/* Since 1.1. Passes the children of an owner's event, from a table in the event's metadata;
	 * each child is then an event like all others. `etcore analyze` and the comparisons call
	 * the hook for events with a delegate id, with the samples of all runs; the Inspector does
	 * not call it. If the hook filled columns, it is called once more with the samples of the
	 * typical runs: columns must be computed from the given samples, as in parse_metadata, and
	 * all other answers must be as in the first call. Other hooks do not get children. */
	etcore_result (*expand_event)(void *self, const struct etcore_call *call, uint32_t index,
	                              const struct etcore_child_sink *out);
};

/* The one symbol that a plugin exports. It is a constant, so that plugins can be listed without
 * running their code. */
extern ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1;

#ifdef __cplusplus
}
#endif
#endif
