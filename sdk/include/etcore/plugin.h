/* etcore/plugin.h -- the whole contract between etcore and a backend plugin.
 *
 * A plugin is one shared object that exports one constant, etcore_plugin_v1: a
 * descriptor with pointers to functions, the hooks. The host, which is etcore,
 * passes the events that one delegate call logged to the hooks. The hooks return
 * what is known about the events: parsed metadata, times in a known unit,
 * operator, kernel, category, the nodes of the graph. A plugin needs only this
 * header, and is not linked to etcore.
 *
 * Rules that hold throughout
 *   - Text is UTF-8 in general, but comes from untrusted files: any byte, also
 *     NUL, may occur. A struct etcore_text is not NUL-terminated; its ptr may
 *     be NULL when len is 0.
 *   - Every pointer that a hook gets belongs to the host and is valid until
 *     that hook returns. Neither side frees memory of the other: a hook returns
 *     its answer by calling sinks (functions that it gets as an argument) or by
 *     filling structs of the host, and the host copies the answer at once.
 *   - An instance (open ... close) is used from one thread at a time. Several
 *     instances may be used at the same time, so a plugin has no mutable globals.
 *   - Hooks do no input or output, print nothing, start no threads, do not read
 *     the environment, and never exit. A C++ exception that leaves a hook is caught by
 *     the host and counts as ETCORE_FAILED.
 *   - Later versions add fields only at the end of a struct. The side that fills
 *     a struct sets `size` to sizeof the struct in its own version of this header;
 *     the side that reads it reads no field beyond `size` (ETCORE_HAS). For this
 *     reason, arrays of structs are passed as arrays of pointers.
 *   - If a hook fails, declines or is NULL, only its answer is missing: the host
 *     shows the event as if there were no plugin for it.
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

/* The major version is also in the symbol's name, and changes only if existing plugins would break.
 * The minor version is incremented with each addition; 1.0 and 1.1 are frozen (docs/plugins/abi.md,
 * "What stays for ever"). "Since 1.1" marks the fields and constants that version 1.1 added. A 1.0
 * host does not read these fields. It refuses a descriptor with one of these constants, and drops
 * an answer with one. */
#define ETCORE_PLUGIN_ABI_MAJOR 1u
#define ETCORE_PLUGIN_ABI_MINOR 1u

/* Does the struct have `field` in the version of the header with which the side that filled it was
 * compiled? */
#define ETCORE_HAS(object, type, field) \
	((object)->size >= offsetof(type, field) + sizeof((object)->field))

#if defined(__GNUC__)
#define ETCORE_EXPORT __attribute__((visibility("default")))
#else
#define ETCORE_EXPORT
#endif

/* The result of a hook. */
typedef int32_t etcore_result;
#define ETCORE_OK      0  /* the hook has answered */
#define ETCORE_DECLINE 1  /* the data are well-formed, but the hook has no answer */
#define ETCORE_CORRUPT -1 /* data of the plugin's backend are damaged; the host reports this once */
#define ETCORE_FAILED  -2 /* any other failure; the host reports it once */
#define ETCORE_NOMEM   -3

struct etcore_text {
	const char *ptr;
	uint64_t len;
};
struct etcore_bytes {
	const uint8_t *ptr;
	uint64_t len;
};

/* ---- what the host passes to hooks ------------------------------------------ */

/* etcore_event.flags */
#define ETCORE_EVENT_DELEGATE      1u /* has a delegate id: an integer or a name */
#define ETCORE_EVENT_DELEGATE_CALL 2u /* the DELEGATE_CALL that encloses the other events */

/* One ProfileEvent of the delegate call with its samples. `etcore inspector` passes the samples of
 * all runs. `etcore analyze` and the commands that compare dumps pass the samples of the typical
 * runs, except to expand_event (see there). Sample i of every event of a call belongs to the same
 * run. */
struct etcore_event {
	uint32_t size, flags;
	int64_t instruction_id; /* ProfileEvent.instruction_id; -1: none */
	/* .delegate_debug_id_int; -1: the event is identified by delegate_name */
	int64_t delegate_id;
	struct etcore_text name; /* .name; empty for delegate events */
	/* .delegate_debug_id_str; empty: the event is identified by delegate_id */
	struct etcore_text delegate_name;
	uint64_t samples; /* number of runs whose samples are passed */
	/* raw ticks of .start_time and .end_time; each array has `samples` elements */
	const uint64_t *start, *end;
	/* .delegate_debug_metadata of each of the `samples`; NULL: no sample has any. */
	const struct etcore_bytes *metadata;
	const struct etcore_facts
		/* in calls of an annotator's hooks: the owner's answers; in calls of the owner's
		 * hooks: NULL */
		*facts;
};

/* etcore_call.flags */
/* according to the .pte, shapes of arguments can change between runs */
#define ETCORE_CALL_DYNAMIC_SHAPES 1u

/* All events of one instruction, which its method, chain and instruction id identify. A hook gets
 * all of them, because for some backends an event's siblings, parent or unit cannot be determined
 * from the event alone. If no event is a DELEGATE_CALL, the events are those of an operator, or
 * were logged outside of instructions; `backend` is then empty, and the owner is found by probe. */
struct etcore_call {
	uint32_t size, count;
	struct etcore_text backend;    /* backend id from ETRecord or program; empty: unknown */
	struct etcore_text method;     /* empty: unknown */
	struct etcore_text block;      /* RunData.name: "Execute", "Default" */
	struct etcore_bytes processed; /* the delegate's blob from the .pte, or empty */
	const struct etcore_event *const *events; /* `count` events, in file order */
	uint32_t flags, reserved;
};

/* ---- what hooks return --------------------------------------------- */

/* Takes the values of an answer, in order, and copies them. If a function returns another result
 * than ETCORE_OK, the hook should stop and return that result. `name` must be a declared column, or
 * belong to a declared family.
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
	/* Any JSON value as text, such as a list or an object. `etcore inspector` prints it as
	 * Python's repr. */
	etcore_result (*json)(void *handle, struct etcore_text name, struct etcore_text value);
	etcore_result (*begin_list)(void *handle);
	/* Call begin_columns once, after the values of the answer. The named values that follow
	 * become columns of etcore's own tables. They are not part of the answer, so `etcore
	 * inspector` does not show them. This is for a parser whose answer in Python is a list, or
	 * contains a value that a table cannot show. */
	etcore_result (*begin_columns)(void *handle);
	/* Any JSON value as text, in which b"<base64>" stands for bytes. `etcore inspector` prints
	 * these as Python's repr, b'...'; other outputs show the base64 as text. Not allowed for
	 * columns. */
	etcore_result (*json_bytes)(void *handle, struct etcore_text name,
	                            struct etcore_text value);
};

/* The scales of an Inspector session, for convert_time. Codes: ETCORE_UNIT_*. */
struct etcore_scales {
	uint32_t size;
	/* the scales that the user set with --source_time_scale and --target_time_scale */
	uint32_t source, target;
	uint32_t reserved;
	/* number of ticks of scale `source` per unit of scale `target`: from ns to ms, 1e6 */
	double factor;
};

/* Receives the converted values of convert_time. The hook makes exactly one call for each of its
 * `count` inputs, in order: of i64 if the converter in Python would return an int, of f64 if it
 * would return a float. */
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
/* etcore_time.kind: what the event measures. A "detached" event is shown in a separate table, and
 * its time is not part of the time of other events. */
#define ETCORE_KIND_OP       0u /* an operator or kernel */
#define ETCORE_KIND_PHASE    1u /* a step of the backend that contains other events */
#define ETCORE_KIND_PACKING  2u /* changing the memory layout of operands */
#define ETCORE_KIND_OVERHEAD 3u /* copies, waiting, dispatch */
#define ETCORE_KIND_COUNTER  4u /* not an interval: detached */
#define ETCORE_KIND_INVALID  5u /* the numbers mean nothing: detached */
/* etcore_time.clock: the clock that start and end were read from */
#define ETCORE_CLOCK_UNKNOWN 0u
/* The clock that the runtime's start_profiling_delegate() and end_profiling_delegate() read. With
 * ETCORE_UNIT_UNKNOWN, the numbers are ticks of this clock, whose unit the user sets
 * (source_time_scale). */
#define ETCORE_CLOCK_HOST 1u
/* The time of an event of CLOCK_FOREIGN or CLOCK_NONE is part of its parent's time if the length of
 * its ticks is known and the event fits into the parent; otherwise the event is detached. This is
 * decided for each run. Such children of a parent fit if the sum of their times is at most the part
 * of the parent's time that its children on the parent's clock do not use. */
#define ETCORE_CLOCK_FOREIGN 2u /* another clock; see sync_device and sync_host below */
#define ETCORE_CLOCK_NONE    3u /* none: the event has a duration, but no start time */
/* etcore_time.start: were the starts measured? ABSENT: the events have no starts. */
#define ETCORE_START_MEASURED 0u
/* the starts were not measured; they were made up, so that each event begins where the one before
 * it ends */
#define ETCORE_START_SYNTHETIC 1u
#define ETCORE_START_ABSENT    2u
/* etcore_time.duration: how the durations were measured */
#define ETCORE_DURATION_MEASURED  0u
#define ETCORE_DURATION_ESTIMATED 1u /* a share of a larger measurement: detached */
/* a sum over threads, which may exceed the elapsed time: detached */
#define ETCORE_DURATION_SUM_OVER_THREADS 2u
/* Since 1.1. The event ran in parallel with others, on several engines. This event and all events
 * below it are detached, and shown as a share of the call. A 1.0 host refuses this value: if the
 * etcore_time that it passes has no sync_device (ETCORE_HAS), use SUM_OVER_THREADS. */
#define ETCORE_DURATION_CONCURRENT 3u
/* etcore_time.rounding: how the clock rounds times to multiples of `resolution` */
#define ETCORE_ROUNDING_EXACT 0u
/* rounded down: the true value is less than the measured value + resolution */
#define ETCORE_ROUNDING_TRUNCATED 1u
#define ETCORE_ROUNDING_NEAREST   2u
#define ETCORE_ROUNDING_UNKNOWN   3u /* unknown; etcore shows no bound for the error */
/* etcore_time.parent: an index in etcore_call.events, or one of these two values: */
#define ETCORE_PARENT_CALL (-1) /* the DELEGATE_CALL */
/* the event with the smallest interval that contains this event's; only for CLOCK_HOST */
#define ETCORE_PARENT_BY_TIME (-2)

/* The meaning of an event's start and end. Before describe_time is called, the host sets `parent`
 * to ETCORE_PARENT_CALL and all other members except `size` to 0: kind OP, unknown unit and
 * clock. */
struct etcore_time {
	uint32_t size, kind;
	uint32_t unit;
	uint32_t clock;
	uint32_t start, duration;
	uint32_t rounding;
	int32_t parent;
	/* length of a unit in ns, from 1e-6 to 1e12; 0: unknown. If the number is a rounded
	 * fraction, such as 1e9 / 1.2e9, etcore computes with the exact fraction, 5/6. */
	double ns_per_unit;
	uint64_t resolution; /* the clock's resolution, in units; 0: one unit */
	/* the counter restarts from 0 when it reaches this value; 0: it has 64 bits */
	uint64_t wraps_at;
	/* Since 1.1, for CLOCK_FOREIGN if the length of its ticks is known. The times that two
	 * clocks showed at the same moment: sync_device on the clock of start and end, sync_host on
	 * the runtime's clock, in its ticks. The host uses them to compute the starts of events on
	 * the runtime's clock. Both 0: unknown; the first event is then assumed to start when its
	 * parent starts. */
	uint64_t sync_device, sync_host;
};

/* Receives the answers of name_event and classify. The host copies texts at once. */
struct etcore_text_sink {
	uint32_t size, reserved;
	void *handle;
	etcore_result (*put)(void *handle, uint32_t field, struct etcore_text value);
	etcore_result (*put_number)(void *handle, uint32_t field, int64_t value);
};

/* Fields that name_event may set. Set only those that the data contain; do not guess. */
/* text: name of the row; events with the same text are added up in one row */
#define ETCORE_NAME_DISPLAY  1u
#define ETCORE_NAME_OPERATOR 2u /* text: "Fully Connected" */
#define ETCORE_NAME_LAYOUT   3u /* text: "NHWC" */
#define ETCORE_NAME_TYPES    4u /* text: types of the operands, comma-separated: "QD8, F32, QC4W" */
/* number: the event's number among the events of the same name, from 1 */
#define ETCORE_NAME_ORDINAL 5u
#define ETCORE_NAME_KERNEL  6u /* text: micro-kernel type or symbol: "IGEMM" */
/* Fields that classify may set. Those from KERNEL_LIBRARY on are for annotators. "The library" is
 * the library of kernels whose use an annotator detects, such as KleidiAI; etcore_plugin.title is
 * its display name. */
#define ETCORE_CLASS_CATEGORY       16u /* text: a word of docs/columns.md, such as "gemm" */
#define ETCORE_CLASS_COMPUTE_UNIT   17u /* text: "CPU", "GPU", "NPU" ... */
#define ETCORE_CLASS_PRECISION      18u /* text: "fp32", "fp16", "int8", "int4" ... */
#define ETCORE_CLASS_KERNEL_LIBRARY 19u /* text: the library, if it certainly ran: "kleidiai" */
#define ETCORE_CLASS_LIBRARY_RAN    20u /* number: did the library run? ETCORE_RAN_* */
/* text: the word in the event's name that decides LIBRARY_RAN, such as "QP8" */
#define ETCORE_CLASS_LIBRARY_WHY 21u
/* text: instruction sets with which the kernel may have run: "SME2, SME, I8MM or DotProd" */
#define ETCORE_CLASS_ISA 22u
/* text: the event's name if the library had not run, so that runs with and without it can be
 * compared */
#define ETCORE_CLASS_CANONICAL 23u
#define ETCORE_CLASS_VARIANT   24u /* text: kind of the matrix product, such as "gemm int4 block" */
/* number; 1: the event counts in the line "n of m matrix kernels" */
#define ETCORE_CLASS_IS_MATRIX 25u
/* text: the library's micro-kernel, inferred, not observed: "A", or "A or B" */
#define ETCORE_CLASS_MICROKERNEL 26u
#define ETCORE_RAN_UNKNOWN       0
#define ETCORE_RAN_NO            1
#define ETCORE_RAN_YES           2

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

/* The owner's answers about an event, which annotators get. A text that the owner did not set is
 * empty. */
struct etcore_facts {
	uint32_t size, reserved;
	struct etcore_text owner; /* name of the plugin that owns the event */
	/* id of the event's backend, which belongs to the plugin `owner` */
	struct etcore_text backend;
	struct etcore_text display, operator_name, layout, types, kernel;
	int64_t ordinal; /* 0: none */
	struct etcore_text category, compute_unit, precision;
	/* Since 1.1. The description of the event's times, from the owner's describe_time or,
	 * without it, from the host; never NULL. */
	const struct etcore_time *time;
	/* Since 1.1. `column_count` values: one for each column that has a value for this event. A
	 * column whose value is null is not in the list. */
	const struct etcore_value *const *columns;
	uint32_t column_count, reserved_1_1;
};

/* Receives the answer of map_event: the debug handles of the nodes that the event executes. */
struct etcore_map_sink {
	uint32_t size, reserved;
	void *handle;
	/* Sets the key with which the event is looked up in the record's delegate map, instead of
	 * the event's delegate id. */
	etcore_result (*key)(void *handle, struct etcore_text key);
	/* Adds an edge debug handle that the plugin found itself. */
	etcore_result (*debug_handle)(void *handle, int64_t debug_handle);
	/* Call this if the values in the map are not edge debug handles, but for example indices in
	 * the delegate's own graph. The event then gets no handles from the map. */
	etcore_result (*not_edge_handles)(void *handle);
};

/* Since 1.1. A child of an event: a layer, an engine or a step that a table in the event's metadata
 * lists. */
struct etcore_child {
	uint32_t size;
	/* number of an earlier child in this answer, from 0; or ETCORE_PARENT_CALL: the parent is
	 * the event itself */
	int32_t parent;
	struct etcore_text name; /* the child gets it as its delegate_name; must not be empty */
	/* number of elements of `durations` and `starts`; must be that of the event */
	uint64_t samples;
	const uint64_t *durations;
	/* Start times relative to the start of the event. NULL: not measured; the host places the
	 * children of a parent one after the other from the parent's start. */
	const uint64_t *starts;
	/* Description of the child's durations and starts; NULL: that of the event's times applies.
	 * The members `parent`, `start`, `wraps_at`, `sync_device` and `sync_host` of `time` are
	 * ignored; the parent is the member `parent` above. */
	const struct etcore_time *time;
};

/* Receives the children of an event; a parent must come before its children. */
struct etcore_child_sink {
	uint32_t size, reserved;
	void *handle;
	etcore_result (*begin)(void *handle, const struct etcore_child *child);
	/* Sinks for the child that was begun last: `facts` takes fields ETCORE_NAME_* and
	 * ETCORE_CLASS_*, `columns` takes named values of declared columns. */
	const struct etcore_text_sink *facts;
	const struct etcore_sink *columns;
};

/* ---- the descriptor ----------------------------------------------------- */

#define ETCORE_ROLE_OWNER 1u /* explains the events of its backends; an event has one owner */
/* adds facts to events that another plugin owns; never changes times */
#define ETCORE_ROLE_ANNOTATOR 2u

/* etcore_plugin.sees: the kinds of events that the host passes to an owner. 0 is the same as
 * SEES_DELEGATE. For an event without a delegate id, the host uses the owner's answers only if
 * name_event or classify has set a field of this event. */
#define ETCORE_SEES_DELEGATE 1u /* delegate calls and events with a delegate id */
/* events native_call_*, each passed as a struct etcore_call of its own */
#define ETCORE_SEES_OPERATOR 2u
/* all other events: those of scopes, and of the loading of a method */
#define ETCORE_SEES_FRAMEWORK 4u

/* Types of options and columns. */
#define ETCORE_TYPE_STR  1u
#define ETCORE_TYPE_I64  2u
#define ETCORE_TYPE_F64  3u
#define ETCORE_TYPE_BOOL 4u
#define ETCORE_TYPE_JSON 5u

/* etcore_option.form: the form of the option's value. PLAIN: a value of the option's type. */
#define ETCORE_FORM_PLAIN 0u
/* FILE: the path of a regular file, relative to the folder of the INI file. The host reads
 * the file before open() (etcore_setting.content). Only an option of type STR without a
 * default may have this form. */
#define ETCORE_FORM_FILE 1u

/* A key of the plugin's INI section [plugin.NAME]. The host checks the values before it calls
 * open(), so that a plugin gets only values which its declaration allows. */
struct etcore_option {
	uint32_t size, type;
	const char *name;          /* the key, of the form [a-z][a-z0-9_]*, at most 49 bytes */
	const char *default_value; /* as it would be written in the INI file; NULL: none */
	const char *help;          /* a description in one line, with the unit */
	/* The members that follow exist since 1.1. */
	uint32_t form, reserved;
	const char *unit; /* the unit of the value, for people: "ns", "bytes"; NULL: none */
	/* for STR: the allowed values, ended by NULL; NULL: any value */
	const char *const *choices;
	/* for I64 and F64: smallest and largest allowed value; both 0: any value */
	double least, most;
	/* for FORM_FILE: largest size of the file in bytes, at most 256 MiB; 0: 16 MiB */
	uint64_t most_bytes;
};

/* Initialisers (C99, C++20) that set all members, also when later versions add some. */
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
#define ETCORE_ROLLUP_NONE  0u /* the value, if it is the same for all events; else blank */
#define ETCORE_ROLLUP_FIRST 1u
#define ETCORE_ROLLUP_SUM   2u
#define ETCORE_ROLLUP_SET   3u /* the distinct values */
/* Since 1.1, for I64 and F64 only. A 1.0 host refuses these roll-ups in `rollup`: use
 * `rollup_1_1`. */
#define ETCORE_ROLLUP_MEAN      4u /* the result is a double, also for I64 */
#define ETCORE_ROLLUP_MIN       5u
#define ETCORE_ROLLUP_MAX       6u
#define ETCORE_ROLLUP_TIME_MEAN 7u /* the mean, weighted by the events' durations */

/* A column that parse_metadata may fill for an event, and expand_event for a child. A name that
 * ends in ".*" ("acme.*") or is "*" declares a family: all columns whose names begin with the part
 * before the '*'. A family is for parsers that take keys from the data. */
struct etcore_column {
	uint32_t size, type;
	const char *name;
	const char *unit; /* unit of the values: "ns", "bytes", ""; NULL: none */
	const char *help;
	uint32_t rollup, reserved;
	/* Since 1.1: a roll-up that 1.0 hosts do not have; newer hosts use it instead of `rollup`.
	 * 0: newer hosts use `rollup`, too. */
	uint32_t rollup_1_1, reserved_1_1;
};

/* Severity of etcore_host.diagnose */
#define ETCORE_SEVERITY_NOTE    0u
#define ETCORE_SEVERITY_WARNING 1u

/* Functions of the host for the plugin. The struct is valid from open() until close() returns. */
struct etcore_host {
	uint32_t size;
	uint32_t abi_minor; /* the host's ETCORE_PLUGIN_ABI_MINOR */
	void *handle;
	/* Reports a message of the plugin to the user; the host adds the names of the plugin and of
	 * the event. Call it only while a hook is running. */
	void (*diagnose)(void *handle, uint32_t severity, struct etcore_text message);
	/* Since 1.1. Returns the service with this id, for services that later versions may add;
	 * NULL: the host does not have it. No service exists yet. The host owns the result, which
	 * is valid until close() returns. */
	const void *(*get_service)(void *handle, const char *id);
};

/* A declared option with its value: the one in the INI file, else the default. An option without
 * either is left out. */
struct etcore_setting {
	uint32_t size, reserved;
	/* the host has checked that `value` is of the declared type */
	struct etcore_text name, value;
	/* Since 1.1. The content of the file that `value` names (ETCORE_FORM_FILE); else empty.
	 * Valid until close() returns. */
	struct etcore_bytes content;
};

struct etcore_plugin {
	uint32_t size;
	uint32_t abi_major; /* ETCORE_PLUGIN_ABI_MAJOR; the host checks it first */
	/* ETCORE_PLUGIN_ABI_MINOR of the header with which the plugin was compiled */
	uint32_t abi_minor;
	uint32_t role; /* ETCORE_ROLE_* */
	uint32_t sees; /* ETCORE_SEES_*, combined by | */
	uint32_t reserved;
	/* "xnnpack"; also the NAME of its INI section [plugin.NAME]; [a-z][a-z0-9_]* */
	const char *name;
	const char *version; /* version of the plugin, for display */
	const char *vendor;
	const char *description; /* one line */
	/* Ids of the backends that the plugin owns or annotates ("XnnpackBackend"), ended by
	 * NULL. */
	const char *const *backends;
	/* The declared options, and the declared columns. Each is an array of pointers, ended by
	 * NULL; or it is NULL if nothing is declared. */
	const struct etcore_option *const *options;
	const struct etcore_column *const *columns;

	/* Makes an instance, and sets `*self` to it. If open fails, the host ignores `*self` and
	 * does not call close. open and close may both be NULL; `self` is then NULL in every
	 * hook. */
	etcore_result (*open)(const struct etcore_host *host,
	                      const struct etcore_setting *const *settings, uint32_t count,
	                      void **self);
	void (*close)(void *self);

	/* All hooks below may be NULL. `index` is the index of the event in call->events. */

	/* Returns how certainly the call belongs to a backend of this plugin, from 0 (it does not)
	 * to 100 (certain). Called if no file names the backend, and to check the backend that a
	 * file names (W0636). If two owners return the same highest score, this is an error. */
	int32_t (*probe)(void *self, const struct etcore_call *call);

	/* Parses metadata, as the Inspector's delegate_metadata_parser does. The metadata of all
	 * samples of one event are in `call->events[index]->metadata` (NULL: all are empty); the
	 * hook returns one answer for all of them. Also called for events without metadata, because
	 * a backend may write its values into the event's id; `etcore analyze` then uses only the
	 * named values of the answer. Return ETCORE_CORRUPT where a parser in Python would raise an
	 * exception; `etcore inspector` then shows no data of delegates at all, like the
	 * Inspector. */
	etcore_result (*parse_metadata)(void *self, const struct etcore_call *call, uint32_t index,
	                                const struct etcore_sink *out);

	/* Converts `count` times of one event, as the Inspector's delegate_time_scale_converter
	 * does for one time. Called with all starts, then with all ends. If the hook declines or is
	 * NULL, the host divides the times by scales->factor. */
	etcore_result (*convert_time)(void *self, const struct etcore_call *call, uint32_t index,
	                              const struct etcore_scales *scales, const uint64_t *raw,
	                              uint64_t count, const struct etcore_number_sink *out);

	/* Describes the start and end of every event: fills times[0 .. call->count). */
	etcore_result (*describe_time)(void *self, const struct etcore_call *call,
	                               struct etcore_time *const *times);

	/* Sets fields ETCORE_NAME_* of one event. */
	etcore_result (*name_event)(void *self, const struct etcore_call *call, uint32_t index,
	                            const struct etcore_text_sink *out);

	/* Sets fields ETCORE_CLASS_* of one event. */
	etcore_result (*classify)(void *self, const struct etcore_call *call, uint32_t index,
	                          const struct etcore_text_sink *out);

	/* Passes the debug handles of the nodes of the graph that the event executes. */
	etcore_result (*map_event)(void *self, const struct etcore_call *call, uint32_t index,
	                           const struct etcore_map_sink *out);

	/* Returns the plugin's interface with this id ("etcore.roofline/1"), for interfaces that
	 * later versions may add; NULL: the plugin does not have it. */
	const void *(*get_extension)(const char *id);

	/* Since 1.1. The lowest minor version of a host that the plugin works with; a host with a
	 * lower version refuses the plugin. A 1.0 host does not read this field, but open() can
	 * check etcore_host.abi_minor and return ETCORE_FAILED. */
	uint32_t abi_least, reserved_1_1;
	/* Since 1.1. Like get_extension, for interfaces that need an instance. The result is valid
	 * until close() is called. */
	const void *(*get_instance_extension)(void *self, const char *id);
	/* Since 1.1. For annotators: display name of the library whose use the annotator detects
	 * (ETCORE_CLASS_LIBRARY_RAN), such as "KleidiAI". It has 1 to 49 printable bytes without a
	 * comma; NULL: `name` is used. */
	const char *title;
	/* Since 1.1, for owners. Splits an event into children, which a table in the event's
	 * metadata lists. The host then treats each child like any other event. `etcore analyze`
	 * and the commands that compare dumps call the hook for events with a delegate id, with the
	 * samples of all runs; `etcore inspector` does not call it. If the hook has set columns, it
	 * is called a second time, with the samples of the typical runs: it must compute the
	 * columns from the samples of the call, as in parse_metadata, and all other answers must be
	 * the same as in the first call. Other hooks are not called for children. */
	etcore_result (*expand_event)(void *self, const struct etcore_call *call, uint32_t index,
	                              const struct etcore_child_sink *out);
};

/* The only symbol that a plugin exports. It is a constant, so that plugins can be listed without
 * calling any of their functions. */
extern ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1;

#ifdef __cplusplus
}
#endif
#endif
