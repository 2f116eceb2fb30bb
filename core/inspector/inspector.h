/* inspector.h -- reproduces the results of ExecuTorch's Inspector bit for bit.
 *
 * Everything that follows Python's behaviour is in this folder: how runs and events are grouped,
 * the arithmetic of times, percentiles, the match of debug handles by substring, repr(). `analyze`
 * uses none of it. Where the Inspector would raise an exception, an error E08xx (status ETC_RAISES)
 * is reported, in the order of the steps of the Inspector's constructor.
 *
 * Source: devtools/inspector/_inspector.py, _inspector_utils.py of ExecuTorch 1.5.1 with numpy
 * 2.4.6, pandas 3.1.1, tabulate 0.10.0. */
#ifndef ETC_INSPECTOR_INSPECTOR_H
#define ETC_INSPECTOR_INSPECTOR_H

#include "base/text.h"
#include "host/host.h"
#include "model/record.h"
#include "model/tensor.h"
#include "model/trace.h"

/* The kinds of values that the Inspector's inflate_runtime_output() returns. */
enum etc_insp_kind {
	ETC_INSP_NONE,
	ETC_INSP_INT,
	ETC_INSP_BOOL,
	ETC_INSP_FLOAT,
	ETC_INSP_TENSOR,
	ETC_INSP_LIST /* a list of tensors */
};

struct etc_insp_value {
	uint8_t kind; /* enum etc_insp_kind */
	union {
		int64_t i;
		double f;
	};
	const struct etc_tensor_data *tensors; /* TENSOR: one tensor; LIST: `count` tensors */
	uint32_t count;
};

enum {
	ETC_INSP_P10,
	ETC_INSP_P50,
	ETC_INSP_P90,
	ETC_INSP_AVG,
	ETC_INSP_MIN,
	ETC_INSP_MAX,
	ETC_INSP_STATS
};

/* The members of an event that only some events have: data of debug events, data from plugins, data
 * from an ETRecord. */
struct etc_insp_extra {
	/* the debug event from which the event's DebugEventSignature was made; NULL: it has none */
	const struct etc_event *debug;
	const struct etc_insp_value *debug_data;
	uint32_t debug_count;
	/* if a plugin converted the times of the event: the raw values, one per run; NULL:
	 * etc_insp_raw() computes these from the columns of times */
	const struct etc_converted *converted;
	bool was_parsed;          /* a metadata parser was called for the event */
	struct etc_parsed parsed; /* the result of that parser */
	/* The members from here on have values from the ETRecord. */
	/* the attribute debug_handles; NULL: it is None */
	const struct etc_handles *handles;
	const struct etc_num_outs_entry *num_outs; /* the attribute num_outputs; NULL: it is 1 */
	bool has_backend;
	struct etc_str backend; /* the attribute delegate_backend_name */
	/* set if the backend's name in the record is not a string; else NULL */
	const struct etc_odd_name *odd_backend;
	/* the nodes from which stack_traces and module_hierarchy are made */
	const struct etc_node *const *nodes;
	uint32_t node_count;
	const struct etc_str *op_types;
	uint32_t op_count;
};

/* An event of the Inspector (its class Event): all events of an event block that have the same
 * signature. There may be millions of them, so members that only some of them have are in struct
 * etc_insp_extra. */
struct etc_insp_event {
	/* further members, read by etc_insp_extra(); NULL: none is set */
	struct etc_insp_extra *extra;
	struct etc_str name;
	int32_t instruction_id; /* the attribute _instruction_id */
	/* the event has a ProfileEventSignature; etc_insp_profile() returns the profile event from
	 * which the signature was made */
	bool has_profile : 1;
	bool is_delegated : 1; /* delegate_debug_identifier is not None; `name` is its text */
	bool id_is_int : 1;    /* delegate_debug_identifier is an int */
	/* the type of the minimum, or of the maximum, is int in Python */
	bool int_min : 1, int_max : 1;
	bool int_raw : 1;      /* all raw values are Python ints */
	bool has_metadata : 1; /* the metadata of some run is not empty */
	/* the name is printable ASCII, and neither begins nor ends with a blank */
	bool is_plain : 1;
	bool is_call : 1; /* OPERATOR_CALL is in the name */
};

static inline const struct etc_insp_extra *etc_insp_extra(const struct etc_insp_event *e)
{
	static const struct etc_insp_extra none;

	return e->extra ? e->extra : &none;
}

/* Returns the Inspector's delegate_debug_identifier as text. If it is None, `ptr` is NULL. */
static inline struct etc_str etc_insp_id(const struct etc_insp_event *e)
{
	return e->is_delegated ? e->name : ETC_STR_NONE;
}

/* The signatures of the events of some runs, and the columns of their samples. These runs have the
 * same template, and the same debug events are program outputs in all of them. */
struct etc_insp_variant {
	/* number of the first variant with an equal tuple of EventSignatures */
	uint32_t signature;
	/* true: `signature` is set. false: it was not needed, because no other variant has this
	 * number of events */
	bool is_numbered;
	uint32_t count; /* number of events */
	const struct etc_template *template;
	/* for each event, the column of its samples; UINT32_MAX: the event has none */
	const uint32_t *profile;
	/* for each event, the index in the template of its profile event. If both `profile` and
	 * `profile_at` are NULL, index and column of event i are i. */
	const uint32_t *profile_at;
	/* for each event, the index in the template of its debug event; UINT32_MAX: it has none.
	 * NULL: the template has no debug events. */
	const uint32_t *debug_at;
	/* Event i has debug_count[i] debug values; their columns are in debug_list from
	 * debug_first[i] on. NULL if debug_at is NULL. */
	const uint32_t *debug_first;
	const uint32_t *debug_count;
	const uint32_t *debug_list;
};

struct etc_insp_block {
	struct etc_str name;
	/* as in struct etc_insp_event: the name is printable ASCII, without a blank at either
	 * end */
	bool is_plain;
	int32_t bundled_input_index;
	struct etc_insp_event *events;
	/* statistics (PerfData) of each event in the target scale; etc_insp_stat() reads them */
	double *stats;
	uint32_t event_count;
	const uint32_t *runs; /* the block's runs: indices into trace->runs, in file order */
	/* for each of `runs`, the index of its variant in etc_inspector.variants */
	const uint32_t *variant;
	uint32_t run_count;
	/* the attribute run_output: the outputs of the program */
	const struct etc_insp_value *outputs;
	uint32_t output_count;
};

struct etc_inspector {
	/* The caller sets the members from here to `arena`. */
	const struct etc_trace *trace;
	const struct etc_record *record; /* NULL: none */
	/* the tensors of the logged values, as the Inspector reads them; made by
	 * etc_debug_as_inspector() */
	const struct etc_tensor_data *tensors;
	/* the plugins, which take the place of the two functions that a user can pass to the
	 * Inspector (delegate_time_scale_converter, delegate_metadata_parser); NULL: none */
	struct etc_host *host;
	/* for each section [backend.ID] in the settings of `host`: whether it was used for events
	 * (enum etc_insp_section) */
	uint8_t *sections;
	uint8_t source, target; /* enum etc_unit */
	struct etc_str reference_graph;
	bool module_hierarchy; /* the Inspector's option enable_module_hierarchy */
	struct etc_arena *arena;
	/* etc_inspector_build() sets the members from here on. */
	double factor; /* number of ticks of the scale `source` per unit of the scale `target` */
	struct etc_insp_variant *variants;
	uint32_t variant_count;
	struct etc_insp_block *blocks;
	uint32_t block_count;
};

/* Sets `*factor` to the number of ticks of scale `source` per unit of scale `target`. E0806:
 * exactly one of the two scales is cycles. */
enum etc_status etc_inspector_scales(uint8_t source, uint8_t target, double *factor,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Groups the runs, computes the times and joins the ETRecord. E0801 to E0822: the Inspector would
 * raise an exception. E0904. */
enum etc_status etc_inspector_build(struct etc_inspector *in, struct etc_error *err) ETC_MUST_CHECK;

/* Returns e->extra; allocates it if it is NULL. NULL: out of memory. */
struct etc_insp_extra *etc_insp_extend(struct etc_inspector *in, struct etc_insp_event *e);

/* The functions below are the steps of etc_inspector_build(), and fail with its errors.
 * etc_insp_group() calls etc_insp_outputs() for each run. */
enum etc_status etc_insp_check_trace(const struct etc_trace *t, struct etc_error *err);
enum etc_status etc_insp_group(struct etc_inspector *in, struct etc_error *err);
enum etc_status etc_insp_times(struct etc_inspector *in, struct etc_insp_block *b,
                               struct etc_error *err);
enum etc_status etc_insp_debug(struct etc_inspector *in, struct etc_insp_block *b,
                               struct etc_error *err);
enum etc_status etc_insp_outputs(struct etc_inspector *in, struct etc_insp_block *b,
                                 const struct etc_run *run, struct etc_error *err);
enum etc_status etc_insp_join(struct etc_inspector *in, struct etc_error *err);
enum etc_status etc_insp_parse_metadata(struct etc_inspector *in, struct etc_error *err);

/* Returns the g->node_count nodes of the graph in the order in which the Inspector visits them.
 * `hierarchy`: the Inspector's option enable_module_hierarchy. NULL: out of memory. */
const struct etc_node **etc_insp_order(const struct etc_graph *g, bool hierarchy,
                                       struct etc_arena *arena);

/* Both functions write the raw values (PerfData.raw) of an event to `raw`: etc_insp_raw_of() those
 * of the runs [from, from + count) of the block, etc_insp_raw() those of all runs. Call them only
 * if no plugin has converted the event's times (extra->converted is NULL). */
void etc_insp_raw_of(const struct etc_inspector *in, const struct etc_insp_block *b,
                     const struct etc_insp_event *e, uint32_t from, uint32_t count, double *raw);
static inline void etc_insp_raw(const struct etc_inspector *in, const struct etc_insp_block *b,
                                const struct etc_insp_event *e, double *raw)
{
	etc_insp_raw_of(in, b, e, 0, b->run_count, raw);
}

/* Computes the SHA-256 of a tensor's bytes, which are contiguous. */
void etc_insp_digest(const struct etc_tensor_data *t, uint8_t digest[32]);

/* Returns the column of an event's sample within a run; UINT32_MAX: the event has no samples. */
static inline uint32_t etc_insp_column(const struct etc_insp_variant *v, uint32_t event)
{
	return v->profile ? v->profile[event] : event;
}

/* Returns a profile event of the block's first run: the one from which the ProfileEventSignature of
 * the block's event `event` was made. NULL: that event of the block has no profile event. */
static inline const struct etc_event *
etc_insp_profile(const struct etc_inspector *in, const struct etc_insp_block *b, uint32_t event)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[0]];
	uint32_t at = v->profile_at ? v->profile_at[event] : event;

	return at == UINT32_MAX ? NULL : &v->template->events[at];
}

/* Returns the index in trace->start and trace->end of the times of the event in run number `i` of
 * the block. SIZE_MAX: the event has no times in this run. */
static inline size_t etc_insp_sample(const struct etc_inspector *in, const struct etc_insp_block *b,
                                     uint32_t event, uint32_t i)
{
	uint32_t column = etc_insp_column(&in->variants[b->variant[i]], event);

	return column == UINT32_MAX ? SIZE_MAX : in->trace->runs[b->runs[i]].first_sample + column;
}

/* Prefetches the times, in a later run than `i`, of `count` events with adjacent columns, because
 * the times of successive runs are far apart in memory. `ends`: also the end times. */
static inline void etc_insp_ahead(const struct etc_inspector *in, const struct etc_insp_block *b,
                                  uint32_t event, uint32_t count, uint32_t i, bool ends)
{
	enum { AHEAD = 24, LINE = 64 / sizeof(uint64_t) };
	size_t at = i + AHEAD < b->run_count ? etc_insp_sample(in, b, event, i + AHEAD) : SIZE_MAX;

	for (size_t k = 0; at != SIZE_MAX && k < count; k += LINE) {
		__builtin_prefetch(&in->trace->start[at + k]);
		if (ends)
			__builtin_prefetch(&in->trace->end[at + k]);
	}
}

/* Returns the number of statistics that are stored per event. If the block has a single run, only
 * the value itself is stored. */
static inline uint32_t etc_insp_stats_kept(const struct etc_insp_block *b)
{
	return b->run_count > 1 ? ETC_INSP_STATS : 1;
}

/* Returns the statistic ETC_INSP_P10 … of an event that has a ProfileEvent. */
static inline double etc_insp_stat(const struct etc_insp_block *b, uint32_t event, unsigned stat)
{
	if (b->run_count > 1)
		return b->stats[(size_t)event * ETC_INSP_STATS + stat];
	/* numpy adds up a mean from 0.0 on, so the mean of -0.0 is 0.0. */
	return stat == ETC_INSP_AVG ? 0.0 + b->stats[event] : b->stats[event];
}

/* Use of a section [backend.ID]. UNMET: no event is of its backend. MET: some events are of its
 * backend, but it changes no value of them. SERVED: it determines values of at least one event. */
enum etc_insp_section { ETC_SECTION_UNMET, ETC_SECTION_MET, ETC_SECTION_SERVED };

/* Writes the result of a parser as JSON: a list, an object or null. */
void etc_insp_put_parsed(struct etc_text *t, const struct etc_parsed *p);

/* Returns the result of Inspector.find_total_for_module(name). */
double etc_insp_module_total(const struct etc_inspector *in, struct etc_str name);

#endif
