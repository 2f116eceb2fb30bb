/* trace.h -- an ETDump as plain data, in columns.
 *
 * The central data structure: made by formats/etdump/etdump.c, only read by later code. The structs
 * own nothing: memory is in the arena, text and bytes are views into the input file.
 *
 * A run's event list without its times is a *template*. Loops of a benchmark log the same list
 * thousands of times, so a template is stored once. A run has the index of its template, and the
 * index of its first time in the two columns start[] and end[] (together 16 bytes per event). Data
 * that depends on names only is computed per template, not per run.
 *
 *   run r, event e of its template, kind PROFILE:     start[r.first_sample + e.column]
 *                                DEBUG:            values[r.first_value + e.column]
 *                                ALLOCATION:
 *                                       allocation_size[r.first_allocation + e.column]
 *
 * Source: devtools/etdump/etdump_schema_flatcc.fbs of pytorch/executorch. Comments name the table
 * and field of a member. */
#ifndef ETC_MODEL_TRACE_H
#define ETC_MODEL_TRACE_H

#include "base/arena.h"
#include "base/file.h"

enum etc_event_kind {
	ETC_EVENT_PROFILE,    /* Event.profile_event is set (takes precedence over other members) */
	ETC_EVENT_DEBUG,      /* Event.debug_event is set */
	ETC_EVENT_ALLOCATION, /* Event.allocation_event is set */
	/* none of these three members is set, which is valid, but has no meaning */
	ETC_EVENT_EMPTY
};

/* The names that ExecuTorch's runtime itself gives to events. */
enum etc_event_word {
	ETC_WORD_NONE,    /* any other name; usually the name of a delegate's event */
	ETC_WORD_EXECUTE, /* Method::execute */
	ETC_WORD_LOAD,    /* Program::load_method */
	ETC_WORD_OPERATOR_CALL,
	ETC_WORD_DELEGATE_CALL,
	ETC_WORD_OTHER_CALL, /* JF_CALL (a conditional jump), MOVE_CALL, FREE_CALL */
	ETC_WORD_KERNEL      /* native_call_<kernel> */
};

enum etc_event_word etc_event_word(struct etc_str name);

/* One entry of an event list, without times. Kept small: a large graph has a hundred thousand
 * of them. */
struct etc_event {
	struct etc_sized name; /* {Profile,Debug}Event.name; read by etc_event_name() */
	/* .delegate_debug_id_str; read by etc_event_delegate_name() */
	struct etc_sized delegate_name;
	/* .chain_index: for PROFILE, 32 bits with sign extension; for DEBUG, 64 bits without
	 * sign */
	uint64_t chain;
	int32_t instruction_id; /* .instruction_id; -1: not set. Outside an instruction
	                               * the runtime writes 0 with chain -1. ALLOCATION:
	                               * allocator_id, from 1 */
	int32_t delegate_id;    /* .delegate_debug_id_int; -1: not set */
	uint32_t column;        /* index among the events of its kind in the template */
	uint8_t kind;           /* enum etc_event_kind */
	/* etc_event_word() of the event's name, stored because the names are scattered over the
	 * file */
	uint8_t word;
	bool has_name : 1; /* the name is present; it may be an empty text */
	bool has_delegate_name : 1;
	bool also_debug : 1; /* a PROFILE event; debug_event is set in its Event, too */
	/* a PROFILE or DEBUG event; allocation_event is set in its Event, too */
	bool also_allocation : 1;
	/* the event is not in the file: a plugin split it off (etc_template.expanded) */
	bool expanded : 1;
};

static inline struct etc_str etc_event_name(const struct etc_event *e)
{
	return etc_sized_str(e->name);
}

static inline struct etc_str etc_event_delegate_name(const struct etc_event *e)
{
	return etc_sized_str(e->delegate_name);
}

struct etc_children;
struct etc_part_said;

/* An event that a plugin split off another event. join/expand.h adds such events. */
struct etc_expanded {
	uint32_t site; /* index of this event among the profile events */
	uint32_t of;   /* index, among the profile events, of the event that the plugin expanded */
	/* index of the event that contains this one: event `of`, or another event split off it */
	uint32_t parent;
	bool same_clock; /* its start is in ticks of the clock of event `of` */
	const struct etc_part_said *child;
	const struct etc_children *all; /* the children of event `of` */
};

/* The events of one or more runs without their times, in file order. An event is logged
 * when it ends, so enclosing events follow those they enclose. */
struct etc_template {
	const struct etc_event *events;
	uint32_t count;
	uint32_t profiles, debugs, allocations; /* numbers of events of each kind */
	uint32_t empties;                       /* number of events of kind EMPTY */
	/* number of events with also_debug or also_allocation */
	uint32_t doubles;
	uint32_t first_run; /* index of the first run of this template */
	/* the events that plugins split off others, in the order of their indices */
	const struct etc_expanded *expanded;
	uint32_t expanded_count;
	/* etc_template_learn() sets these members, and etc_template_kind() returns them. `root`:
	 * index of Method::execute or Program::load_method among the profile events. */
	uint32_t root;
	uint8_t kind; /* enum etc_run_kind */
	bool learned;
};

/* Is this a delegate's event? True if it has a delegate's name, or an int id other than -1. */
static inline bool etc_event_is_delegate(const struct etc_event *e)
{
	return e->has_delegate_name || e->delegate_id != -1;
}

/* Values of Value.val: the schema's enum ValueType. */
enum etc_value_tag {
	ETC_VALUE_NULL,
	ETC_VALUE_INT,
	ETC_VALUE_BOOL,
	ETC_VALUE_FLOAT,
	ETC_VALUE_DOUBLE,
	ETC_VALUE_TENSOR,
	ETC_VALUE_TENSOR_LIST,
	ETC_VALUE_STRING
};

/* A tensor in the debug buffer, as described by the schema's table Tensor. */
struct etc_tensor {
	const int64_t *sizes, *strides; /* strides in elements */
	/* number of sizes and of strides; these are equal in an undamaged file */
	uint32_t rank, stride_count;
	/* code of the type: ScalarType of scalar_type.fbs (model/scalar_type.h) */
	int8_t scalar_type;
	/* the vector of sizes, or of strides, is present; the Inspector refuses a tensor that lacks
	 * one */
	bool has_sizes, has_strides;
	/* position of the tensor's first byte in the debug buffer; -1: an empty tensor */
	int64_t offset;
};

/* The value that a DebugEvent logged: the schema's table Value. */
struct etc_value {
	int8_t tag;      /* Value.val: enum etc_value_tag, or an unknown number from a newer file */
	bool present;    /* DebugEvent.debug_entry is set */
	bool has_member; /* the member of the table that `tag` selects is set */
	bool has_output; /* Value.output is set */
	/* Value.output is set and true: the value is an output of the program, not an intermediate
	 * value */
	bool output;
	bool has_tensors; /* TENSOR_LIST: TensorList.tensors is set */
	/* number of tensors. TENSOR: 1; 0 if the tensor is absent. TENSOR_LIST: length of the
	 * list. */
	uint32_t count;
	size_t first_tensor; /* index of tensors[0] among all tensors of the trace */
	union {
		int64_t i; /* the value of an INT; 0 or 1 for a BOOL */
		/* the value of a FLOAT (converted to double) or DOUBLE */
		double d;
		/* the `count` tensors of a TENSOR or TENSOR_LIST */
		const struct etc_tensor *tensors;
	};
	struct etc_str text; /* the value of a STRING */
};

/* The metadata of the samples: which samples have metadata, and, for each of these, the offset
 * in the file at which the length of its blob is stored. */
struct etc_metadata {
	/* one bit for each sample; 1: the sample has metadata. NULL: no sample has metadata */
	const uint64_t *has;
	/* before[i]: of the first 64 * i samples, the number that have metadata */
	const uint32_t *before;
	/* for each sample with metadata, the offset of the metadata in the file */
	const uint32_t *at;
};

/* Returns the offset of the sample's metadata in the file; 0: the sample has no metadata, or they
 * are empty. */
static inline uint32_t etc_metadata_at(const struct etc_metadata *m, size_t sample)
{
	uint64_t bits = m->has ? m->has[sample / 64] : 0, bit = (uint64_t)1 << sample % 64;

	if (!(bits & bit))
		return 0;
	return m->at[m->before[sample / 64] + (unsigned)__builtin_popcountll(bits & (bit - 1))];
}

/* Packs the array `at` into `*out`. at[i] is the position in the file of the metadata of sample i;
 * 0: the sample has none. `count` is the number of samples. False: out of memory. */
bool etc_metadata_pack(const uint32_t *at, size_t count, struct etc_arena *arena,
                       struct etc_metadata *out);

/* The part of a run (the schema's table RunData) that usually is the same for all runs of a loop:
 * name, allocators, index of the bundled input. It is stored once for these runs. */
struct etc_run_head {
	struct etc_str name;
	/* names of the run's allocators, RunData.allocators[].name; allocator ids count from 1 */
	const struct etc_str *allocators;
	uint32_t allocator_count;
	/* index of the bundled input (BundledProgram) of the run; -1: none */
	int32_t bundled_input_index;
	bool has_name;
	bool has_events, has_allocators; /* the vector is in the file, even if it is empty */
};

/* A run: the schema's table RunData. The struct is kept small, because in a dump of a tiny graph
 * there are only a few events per run. */
struct etc_run {
	uint32_t template; /* index into etc_trace.templates */
	/* index into etc_trace.heads, in which equal heads may occur more than once */
	uint32_t head;
	uint32_t first_sample, first_value, first_allocation;
	uint32_t at; /* offset of the run's table in the file, for messages */
};

/* A flaw of the file that etcore accepts but the Inspector does not. Its first occurrence is
 * recorded. */
struct etc_flaw {
	bool found;
	size_t at;        /* byte offset of the flaw in the file */
	size_t run;       /* index of the run that contains the flaw */
	const char *what; /* name of the field or value: "debug_entry" */
};

/* The times of a run, one per profile event of its template. */
struct etc_run_times {
	const uint64_t *start, *end;
};

/* The profile events that end before they start: their number, and the times of the first one. */
struct etc_wraps {
	size_t count;
	uint64_t start, end; /* times of the first of these events */
};

/* Replaces the columns of times if they would need more memory than all other data of the trace.
 * Only the times of one event per run are stored; read() decodes those of the other events from the
 * file again. */
struct etc_sparse {
	/* for each run, the times of the event that etc_keep_fn selected; 0 if it selected none */
	uint64_t *start, *end;
	/* Reads the times of all profile events of a run into columns. If `places` is not NULL,
	 * reads only those at these `count` indices, which ascend; the times of other events are
	 * then undefined. The result is valid until the next call. */
	struct etc_run_times (*read)(struct etc_sparse *sparse, size_t run, const uint32_t *places,
	                             size_t count);
};

/* Selects the event whose times a sparse trace stores for each run (struct etc_sparse). Returns the
 * event's index among the template's profile events. An index out of range selects no event. */
typedef uint32_t etc_keep_fn(struct etc_template *template);

struct etc_survey; /* declared in formats/etdump/etdump_reader.h */

/* Set for a truncated file of which only the complete runs were read: how much was read, and how
 * much was lost. */
struct etc_salvage {
	size_t runs; /* number of runs in the file's list of runs */
	/* Number of runs that were read with the file's own vtables. For the other runs, lost
	 * vtables were replaced by layouts that the runtime writes. */
	size_t own;
	const uint32_t *index; /* for each run of the trace, its index in the file's list of runs */
	/* for each run of the trace, 0 if the file contains the run's vtables, 1 if a vtable was
	 * inferred */
	const uint8_t *inferred;
	const struct etc_survey *survey;
};

struct etc_trace {
	uint32_t version; /* ETDump.version; 0 in every known file */
	bool has_runs;    /* ETDump.run_data is set */
	bool size_prefixed;
	/* `used_bytes`: size of the dump according to the size prefix; without a prefix it equals
	 * file_bytes */
	size_t file_bytes, used_bytes;

	const struct etc_run *runs;
	size_t run_count;
	const struct etc_run_head *heads;
	size_t head_count;
	const struct etc_template *templates;
	size_t template_count;

	/* Columns of ProfileEvent.start_time and end_time: raw ticks. The file does not say their
	 * unit; by default it is nanoseconds. */
	const uint64_t *start, *end;
	struct etc_sparse *sparse; /* replaces the columns of times; NULL: the columns exist */
	size_t sample_count;
	/* number of samples of events that plugins split off from other events; they are not in the
	 * file */
	size_t expanded;
	struct etc_wraps wraps; /* events that end before they start, in file order */
	/* ProfileEvent.delegate_debug_metadata of each sample; read by etc_trace_metadata(). */
	struct etc_metadata metadata;
	const uint8_t *bytes; /* the bytes of the file, in which metadata are read */
	/* the mapped file, whose pages etc_trace_rest() releases; empty: no pages are released */
	struct etc_file from;

	const struct etc_value *values;
	size_t value_count;

	size_t tensor_count; /* number of tensors in all values */

	const uint64_t *allocation_size; /* AllocationEvent.allocation_size, bytes */
	size_t allocation_count;

	/* Flaws for which the Inspector's conversion through JSON fails, in the order of its steps
	 * (flatc, json.loads, dataclasses). All stored data are searched for flaws, including data
	 * that the trace leaves out: members of a Value that its tag does not name, and further
	 * members of an Event. */
	struct etc_flaw bad_utf8; /* the first string that is not UTF-8 */
	/* the first value of type Float or Double that is inf or nan */
	struct etc_flaw not_finite;
	/* the first flaw of one of these two kinds: a required field is missing (`what`: its name);
	 * a scalar type has no name in Python's enum (`what`: "scalar_type") */
	struct etc_flaw not_decodable;

	/* how much was read of a truncated file; NULL: the file is complete */
	const struct etc_salvage *salvage;
};

/* Returns the times of a run's profile events. With `places`, only those of the `count` events at
 * these indices, which ascend. For a sparse trace, the result is valid until the next call. */
static inline struct etc_run_times etc_trace_times_of(const struct etc_trace *t, size_t run,
                                                      const uint32_t *places, size_t count)
{
	size_t first = t->runs[run].first_sample;

	if (t->sparse)
		return t->sparse->read(t->sparse, run, places, count);
	return (struct etc_run_times){ t->start + first, t->end + first };
}

static inline struct etc_run_times etc_trace_times(const struct etc_trace *t, size_t run)
{
	return etc_trace_times_of(t, run, NULL, 0);
}

/* Adds to `w` the events that end before they start. The `count` events have the times `start` and
 * `end`, and come after the events that `w` counts already. */
static inline void etc_wraps_add(struct etc_wraps *w, const uint64_t *start, const uint64_t *end,
                                 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (end[i] >= start[i])
			continue;
		if (w->count++ == 0) {
			w->start = start[i];
			w->end = end[i];
		}
	}
}

/* Adds the count of `after` to `w`, to pool several files; the file of `after` comes after the
 * files of `w`. If `w` counts no events yet, it gets the times of `after`. */
static inline void etc_wraps_join(struct etc_wraps *w, const struct etc_wraps *after)
{
	size_t count = w->count + after->count;

	if (w->count == 0)
		*w = *after;
	w->count = count;
}

/* If the file is large and mapped, tells the system that its pages are not needed for now, so that
 * they do not count as memory of the process. Call it after a pass over the whole file. */
static inline void etc_trace_rest(const struct etc_trace *t)
{
	enum { LARGE = 16 << 20 };

	if (t->from.mapped && t->used_bytes >= LARGE)
		etc_file_rest(&t->from);
}

/* Returns the metadata of a sample; empty if it has none. */
static inline struct etc_span etc_trace_metadata(const struct etc_trace *t, size_t sample)
{
	uint32_t at = etc_metadata_at(&t->metadata, sample), len = 0;

	if (at)
		memcpy(&len, t->bytes + at, sizeof len);
	return (struct etc_span){ at ? t->bytes + at + sizeof len : NULL, len };
}

/* Returns the name of the allocator `id`. Ids are positions in the run's list of allocators, from
 * 1. {NULL}: out of memory. */
struct etc_str etc_run_allocator(const struct etc_run_head *run, int32_t id,
                                 struct etc_arena *arena);

static inline const struct etc_run_head *etc_run_head(const struct etc_trace *t,
                                                      const struct etc_run *r)
{
	return &t->heads[r->head];
}

static inline const struct etc_template *etc_run_template(const struct etc_trace *t,
                                                          const struct etc_run *r)
{
	return &t->templates[r->template];
}

#endif
