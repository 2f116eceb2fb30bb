/* trace.h -- an ETDump as plain data, in columns.
 *
 * The central data structure: made by formats/etdump/etdump.c, only read by later code. No
 * ownership: memory is the arena's, text and bytes are views into the input file.
 *
 * A run's event list without its times is a *template*. Loops of a benchmark log the same list
 * thousands of times, so a template is stored once and a run is (template, head, first sample):
 * start[] and end[] are two columns, 16 bytes per event. Data that depends on names only is
 * computed per template, not per run.
 *
 *   run r, event e of its template, kind PROFILE:     start[r.first_sample + e.column]
 *                                DEBUG:            values[r.first_value + e.column]
 *                                ALLOCATION:
 *                                       allocation_size[r.first_allocation + e.column]
 *
 * Source: devtools/etdump/etdump_schema_flatcc.fbs of pytorch/executorch; table and field are
 * named at each member. */
#ifndef ETC_MODEL_TRACE_H
#define ETC_MODEL_TRACE_H

#include "base/arena.h"
#include "base/file.h"

enum etc_event_kind {
	ETC_EVENT_PROFILE,    /* Event.profile_event is set (takes precedence over other members) */
	ETC_EVENT_DEBUG,      /* Event.debug_event */
	ETC_EVENT_ALLOCATION, /* Event.allocation_event */
	ETC_EVENT_EMPTY       /* none of the three: valid, but without meaning */
};

/* Names of events that the runtime gives a meaning. */
enum etc_event_word {
	ETC_WORD_NONE,    /* any other name; usually the name of a delegate's event */
	ETC_WORD_EXECUTE, /* Method::execute */
	ETC_WORD_LOAD,    /* Program::load_method */
	ETC_WORD_OPERATOR_CALL,
	ETC_WORD_DELEGATE_CALL,
	ETC_WORD_OTHER_CALL, /* JF_CALL, MOVE_CALL, FREE_CALL */
	ETC_WORD_KERNEL      /* native_call_<kernel> */
};

enum etc_event_word etc_event_word(struct etc_str name);

/* One entry of an event list, without times. Kept small: a large graph has a hundred thousand
 * of them. */
struct etc_event {
	struct etc_sized name;          /* {Profile,Debug}Event.name; read by etc_event_name() */
	struct etc_sized delegate_name; /* .delegate_debug_id_str; read by
	                                 * etc_event_delegate_name() */
	uint64_t chain;         /* .chain_index: i32 sign-extended for PROFILE, u64 for DEBUG */
	int32_t instruction_id; /* .instruction_id; -1: not set. Outside an instruction
	                               * the runtime writes 0 with chain -1. ALLOCATION:
	                               * allocator_id, from 1 */
	int32_t delegate_id;    /* .delegate_debug_id_int; -1: not set */
	uint32_t column;        /* index among the events of its kind in the template */
	uint8_t kind;           /* enum etc_event_kind */
	uint8_t word; /* etc_event_word() of its name, cached since names are scattered over the file */
	bool has_name : 1; /* distinguishes absent from empty text */
	bool has_delegate_name : 1;
	bool also_debug : 1;      /* PROFILE whose Event sets debug_event too */
	bool also_allocation : 1; /* PROFILE or DEBUG whose Event sets allocation_event too */
	bool expanded : 1;        /* not in the file: etc_template.expanded */
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

/* An event that a plugin split off another event: join/expand.h. */
struct etc_expanded {
	uint32_t site; /* index of this event among the profile events */
	uint32_t of;   /* index of the event that was expanded */
	/* index of the event that was split, or of the expanded child that contains this one */
	uint32_t parent;
	bool same_clock; /* the start is in ticks of the clock of event `of` */
	const struct etc_part_said *child;
	const struct etc_children *all; /* the children of event `of` */
};

/* The events of one or more runs without their times, in file order. An event is logged
 * when it ends, so enclosing events follow those they enclose. */
struct etc_template {
	const struct etc_event *events;
	uint32_t count;
	uint32_t profiles, debugs, allocations; /* events of each kind */
	uint32_t empties;                       /* events of kind EMPTY */
	uint32_t doubles;                       /* events with also_debug or also_allocation */
	uint32_t first_run;                     /* first run of this template */
	const struct etc_expanded *expanded;    /* in the order of their indices */
	uint32_t expanded_count;
	/* Set by etc_template_learn(), for etc_template_kind(). */
	uint32_t root;
	uint8_t kind; /* enum etc_run_kind */
	bool learned;
};

/* Is this a delegate's event? True if it has a delegate's name, or an int id other than -1. */
static inline bool etc_event_is_delegate(const struct etc_event *e)
{
	return e->has_delegate_name || e->delegate_id != -1;
}

/* Value.val: the schema's ValueType. */
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

/* Table Tensor: the position of a tensor's bytes in the debug buffer. */
struct etc_tensor {
	const int64_t *sizes, *strides; /* strides in elements */
	uint32_t rank, stride_count;    /* equal in an undamaged file */
	int8_t scalar_type;             /* ScalarType of scalar_type.fbs: model/scalar_type.h */
	bool has_sizes, has_strides;    /* the Inspector refuses a tensor without these */
	int64_t offset;                 /* first byte in the debug buffer; -1: empty tensor */
};

/* Table Value: what one DebugEvent logged. */
struct etc_value {
	int8_t tag;      /* Value.val: enum etc_value_tag, or an unknown number from a newer file */
	bool present;    /* DebugEvent.debug_entry is set */
	bool has_member; /* the sub-table that `tag` names is set */
	bool has_output; /* Value.output is set … */
	bool output;     /* … and true: an output of the program, not an intermediate value */
	bool has_tensors;    /* TENSOR_LIST: TensorList.tensors is set */
	uint32_t count;      /* TENSOR: 1 (0 if absent); TENSOR_LIST: length */
	size_t first_tensor; /* index of tensors[0] among all tensors of the trace */
	union {
		int64_t i;                        /* INT, BOOL (0, 1) */
		double d;                         /* FLOAT (widened), DOUBLE */
		const struct etc_tensor *tensors; /* TENSOR, TENSOR_LIST */
	};
	struct etc_str text; /* STRING */
};

/* A sparse array: for each sample with metadata, the offset of the blob's length in the file. */
struct etc_metadata {
	const uint64_t *has;    /* a bit per sample: it has metadata. NULL: no sample has */
	const uint32_t *before; /* number of samples with metadata before each group of 64 */
	const uint32_t *at;     /* offsets of the samples with metadata */
};

/* Offset of the sample's metadata in the file; 0: absent or empty. */
static inline uint32_t etc_metadata_at(const struct etc_metadata *m, size_t sample)
{
	uint64_t bits = m->has ? m->has[sample / 64] : 0, bit = (uint64_t)1 << sample % 64;

	if (!(bits & bit))
		return 0;
	return m->at[m->before[sample / 64] + (unsigned)__builtin_popcountll(bits & (bit - 1))];
}

/* Stores the values of `at`, one per sample, that are not 0. False: out of memory. */
bool etc_metadata_pack(const uint32_t *at, size_t count, struct etc_arena *arena,
                       struct etc_metadata *out);

/* Table RunData without its events: stored once for all runs of a loop. */
struct etc_run_head {
	struct etc_str name;
	const struct etc_str *allocators; /* RunData.allocators[].name; ids count from 1 */
	uint32_t allocator_count;
	int32_t bundled_input_index; /* -1: none */
	bool has_name;
	bool has_events, has_allocators; /* the vector is there, even if empty */
};

/* Table RunData. Kept small: a dump of a tiny graph has one for every few events. */
struct etc_run {
	uint32_t template; /* index into etc_trace.templates */
	uint32_t head;     /* index into etc_trace.heads, which may have duplicates */
	uint32_t first_sample, first_value, first_allocation;
	uint32_t at; /* offset of the table in the file, for messages */
};

/* The first occurrence of something that etcore reads but the Inspector refuses. */
struct etc_flaw {
	bool found;
	size_t at;        /* byte offset in the file */
	size_t run;       /* index of the run that contains the flaw */
	const char *what; /* name of the field or value: "debug_entry" */
};

/* The times of a run, one per profile event of its template. */
struct etc_run_times {
	const uint64_t *start, *end;
};

/* Profile events that end before they start. */
struct etc_wraps {
	size_t count;
	uint64_t start, end; /* times of the first such event */
};

/* Replaces the columns of times, which would need more memory than all other data of the trace. It
 * keeps the times of one event per run, and decodes other times again on request. */
struct etc_sparse {
	/* times of the event that etc_keep_fn selected, per run; 0 if it selected none */
	uint64_t *start, *end;
	/* Reads the times of all profile events of a run, or only of those at `places` (ascending;
	 * NULL: all); the times of other events are then undefined. The result is valid until the
	 * next call. */
	struct etc_run_times (*read)(struct etc_sparse *sparse, size_t run, const uint32_t *places,
	                             size_t count);
};

/* Returns the index, among the template's profile events, of the event whose times are kept. An
 * index out of range selects none. */
typedef uint32_t etc_keep_fn(struct etc_template *template);

struct etc_survey; /* formats/etdump/etdump_reader.h */

/* For a truncated file of which the complete runs were read: how much was read, and how much was
 * lost. */
struct etc_salvage {
	size_t runs; /* number of runs in the file's list */
	/* Number of runs read with the file's own vtables; for the others, lost vtables were
	 * replaced by layouts of the runtime. */
	size_t own;
	const uint32_t *index; /* index of each run of the trace in the file's list */
	/* per run of the trace: 0: the file contains its vtables, 1: inferred */
	const uint8_t *inferred;
	const struct etc_survey *survey;
};

struct etc_trace {
	uint32_t version; /* ETDump.version; 0 in every known file */
	bool has_runs;    /* ETDump.run_data is set */
	bool size_prefixed;
	/* used_bytes: size according to the prefix; without a prefix equal to file_bytes */
	size_t file_bytes, used_bytes;

	const struct etc_run *runs;
	size_t run_count;
	const struct etc_run_head *heads;
	size_t head_count;
	const struct etc_template *templates;
	size_t template_count;

	/* ProfileEvent.start_time, end_time: raw ticks. Their unit is not in the file;
	 * nanoseconds by default. */
	const uint64_t *start, *end;
	struct etc_sparse *sparse; /* replaces the columns of times; NULL: the columns exist */
	size_t sample_count;
	size_t expanded; /* number of samples of expanded events, which are not in the file */
	struct etc_wraps wraps; /* events that end before they start, in file order */
	/* ProfileEvent.delegate_debug_metadata per sample, for etc_trace_metadata(). */
	struct etc_metadata metadata;
	const uint8_t *bytes; /* bytes of the file */
	/* the mapped file, whose pages etc_trace_rest() releases; empty: it releases none */
	struct etc_file from;

	const struct etc_value *values;
	size_t value_count;

	size_t tensor_count; /* number of tensors in all values */

	const uint64_t *allocation_size; /* AllocationEvent.allocation_size, bytes */
	size_t allocation_count;

	/* Flaws for which the Inspector's conversion through JSON fails, in its order: flatc,
	 * json.loads, dataclasses. Searched in everything that is stored, including members
	 * hidden by a tag or a second member. */
	struct etc_flaw bad_utf8;      /* a string that is not UTF-8 */
	struct etc_flaw not_finite;    /* a Float or Double that is inf or nan */
	struct etc_flaw not_decodable; /* the first in file order of: a missing required field
	                                * (`what`: its name), a scalar type without a name in
	                                * Python's enum (`what`: "scalar_type") */

	const struct etc_salvage *salvage; /* NULL: the file is complete */
};

/* The times of some events of a run, at `places` (ascending) among its profile events; NULL: of
 * all. For a sparse trace valid until the next call. */
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

/* Counts the events that end before they start among `count` more events. */
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

/* Adds the count `after` of events that are later in the file. */
static inline void etc_wraps_join(struct etc_wraps *w, const struct etc_wraps *after)
{
	size_t count = w->count + after->count;

	if (w->count == 0)
		*w = *after;
	w->count = count;
}

/* Releases the pages of a large file; call it after a pass over all of it. */
static inline void etc_trace_rest(const struct etc_trace *t)
{
	enum { LARGE = 16 << 20 };

	if (t->from.mapped && t->used_bytes >= LARGE)
		etc_file_rest(&t->from);
}

/* The metadata of a sample; empty if it has none. */
static inline struct etc_span etc_trace_metadata(const struct etc_trace *t, size_t sample)
{
	uint32_t at = etc_metadata_at(&t->metadata, sample), len = 0;

	if (at)
		memcpy(&len, t->bytes + at, sizeof len);
	return (struct etc_span){ at ? t->bytes + at + sizeof len : NULL, len };
}

/* The name of the allocator with this id. Ids are positions, from 1, in the run's list of
 * allocators. {NULL}: out of memory. */
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
