/* inspector.h -- reproduces the results of ExecuTorch's Inspector bit for bit.
 *
 * All Python-specific behaviour is in this folder: grouping, last-wins, time arithmetic,
 * percentiles, the substring rule, repr, pandas, tabulate. `analyze` shares none of it. If the
 * Inspector raises, an error 08xx (status ETC_RAISES) is reported, in the order of the Inspector's
 * constructor.
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

/* The kinds of values that inflate_runtime_output returns. */
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
	const struct etc_tensor_data *tensors; /* TENSOR: one; LIST: count */
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

/* Members that only some events have: those with data from an ETRecord, from a plugin or of a debug
 * event. */
struct etc_insp_extra {
	const struct etc_event *debug; /* event of the DebugEventSignature; NULL: none */
	const struct etc_insp_value *debug_data;
	uint32_t debug_count;
	/* the raw values of a delegated event, one per run, if a plugin converted its times; NULL:
	 * etc_insp_raw() computes them from the columns */
	const struct etc_converted *converted;
	bool was_parsed;          /* a metadata parser was called for the event */
	struct etc_parsed parsed; /* the result of that parser */
	/* members whose values come from the ETRecord */
	const struct etc_handles *handles;         /* debug_handles; NULL: None */
	const struct etc_num_outs_entry *num_outs; /* num_outputs; NULL: 1 */
	bool has_backend;
	struct etc_str backend;                 /* delegate_backend_name */
	const struct etc_odd_name *odd_backend; /* set if the name is not a string */
	const struct etc_node *const *nodes;    /* nodes for stack_traces and module_hierarchy */
	uint32_t node_count;
	const struct etc_str *op_types;
	uint32_t op_count;
};

/* An event: one EventSignature of a block. Has only members that all events need, since there may
 * be millions. */
struct etc_insp_event {
	struct etc_insp_extra *extra; /* NULL: none; read by etc_insp_extra() */
	struct etc_str name;
	int32_t instruction_id; /* _instruction_id, raw */
	bool has_profile : 1;   /* has a ProfileEventSignature, which etc_insp_profile() returns */
	bool is_delegated : 1;  /* delegate_debug_identifier is not None; `name` is its text */
	bool id_is_int : 1;     /* delegate_debug_identifier is an int */
	bool int_min : 1, int_max : 1; /* the minimum is a Python int; the maximum is one */
	bool int_raw : 1;              /* all raw values are Python ints */
	bool has_metadata : 1;         /* the metadata of some run is not empty */
	bool is_plain : 1;             /* the name is printable ASCII without a blank at an end */
	bool is_call : 1;              /* OPERATOR_CALL is in the name */
};

static inline const struct etc_insp_extra *etc_insp_extra(const struct etc_insp_event *e)
{
	static const struct etc_insp_extra none;

	return e->extra ? e->extra : &none;
}

/* Returns delegate_debug_identifier as text; ptr NULL: None. */
static inline struct etc_str etc_insp_id(const struct etc_insp_event *e)
{
	return e->is_delegated ? e->name : ETC_STR_NONE;
}

/* A template together with a pattern of output flags (which of its debug events are program
 * outputs): the signatures of its events, and the columns of their samples. */
struct etc_insp_variant {
	/* number of the first variant with an equal tuple of EventSignatures */
	uint32_t signature;
	/* `signature` was found by comparing signatures; false: no other variant has this number of
	 * events */
	bool is_numbered;
	uint32_t count; /* number of events */
	const struct etc_template *template;
	/* for each event, the column of its samples; UINT32_MAX: it has none */
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
	bool is_plain; /* as in struct etc_insp_event */
	int32_t bundled_input_index;
	struct etc_insp_event *events;
	double *stats; /* PerfData of each event in the target scale; etc_insp_stat() reads it */
	uint32_t event_count;
	const uint32_t *runs;    /* indices into trace->runs, in file order */
	const uint32_t *variant; /* variant of each run in `runs` */
	uint32_t run_count;
	const struct etc_insp_value *outputs; /* run_output */
	uint32_t output_count;
};

struct etc_inspector {
	/* set by the caller */
	const struct etc_trace *trace;
	const struct etc_record *record;       /* NULL: none */
	const struct etc_tensor_data *tensors; /* made by etc_debug_as_inspector */
	/* plugins that replace the two callables of the Inspector; NULL: none */
	struct etc_host *host;
	/* for each [backend.ID] of the host's settings, an enum etc_insp_section */
	uint8_t *sections;
	uint8_t source, target; /* enum etc_unit */
	struct etc_str reference_graph;
	bool module_hierarchy; /* enable_module_hierarchy */
	struct etc_arena *arena;
	/* filled by etc_inspector_build */
	double factor; /* source ticks per target unit */
	struct etc_insp_variant *variants;
	uint32_t variant_count;
	struct etc_insp_block *blocks;
	uint32_t block_count;
};

/* Sets `*factor` to the source ticks per target unit. E0806: only one of the scales is cycles. */
enum etc_status etc_inspector_scales(uint8_t source, uint8_t target, double *factor,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Groups the runs, computes the times and joins the ETRecord. E0801 to E0822 where the Inspector
 * raises, E0904. */
enum etc_status etc_inspector_build(struct etc_inspector *in, struct etc_error *err) ETC_MUST_CHECK;

/* Returns e->extra, which is allocated first if it is NULL. NULL: out of memory. */
struct etc_insp_extra *etc_insp_extend(struct etc_inspector *in, struct etc_insp_event *e);

/* Each of these functions runs one step of etc_inspector_build(), and fails with errors listed
 * there. etc_insp_outputs() handles one run, and is called by etc_insp_group(). */
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
 * `hierarchy`: with enable_module_hierarchy. NULL: out of memory. */
const struct etc_node **etc_insp_order(const struct etc_graph *g, bool hierarchy,
                                       struct etc_arena *arena);

/* These functions write PerfData.raw of an event to `raw`. No plugin may have converted the event's
 * times (extra->converted is NULL). etc_insp_raw_of() writes the values of `count` runs of the
 * block, from number `from` on; etc_insp_raw() those of all runs. */
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

/* Returns the event of the ProfileEventSignature, or NULL. */
static inline const struct etc_event *
etc_insp_profile(const struct etc_inspector *in, const struct etc_insp_block *b, uint32_t event)
{
	const struct etc_insp_variant *v = &in->variants[b->variant[0]];
	uint32_t at = v->profile_at ? v->profile_at[event] : event;

	return at == UINT32_MAX ? NULL : &v->template->events[at];
}

/* Returns the index in trace->start and trace->end at which the times of the event in run `i` of
 * the block are. SIZE_MAX: that run does not have the event. */
static inline size_t etc_insp_sample(const struct etc_inspector *in, const struct etc_insp_block *b,
                                     uint32_t event, uint32_t i)
{
	uint32_t column = etc_insp_column(&in->variants[b->variant[i]], event);

	return column == UINT32_MAX ? SIZE_MAX : in->trace->runs[b->runs[i]].first_sample + column;
}

/* Prefetches the times of a later run, for `count` events with adjacent columns, because the
 * runs of an event are far apart in memory. */
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

/* Returns the number of statistics that are stored per event. With one run, only the value itself
 * is stored. */
static inline uint32_t etc_insp_stats_kept(const struct etc_insp_block *b)
{
	return b->run_count > 1 ? ETC_INSP_STATS : 1;
}

/* Returns the statistic ETC_INSP_P10 … of an event that has a profile. */
static inline double etc_insp_stat(const struct etc_insp_block *b, uint32_t event, unsigned stat)
{
	if (b->run_count > 1)
		return b->stats[(size_t)event * ETC_INSP_STATS + stat];
	/* The sum of a mean starts at 0.0, so the mean of -0.0 is 0.0. */
	return stat == ETC_INSP_AVG ? 0.0 + b->stats[event] : b->stats[event];
}

/* Use of a section [backend.ID]. UNMET: it was used for no event. MET: only for events to which it
 * adds nothing. SERVED: for at least one event whose values it determines. */
enum etc_insp_section { ETC_SECTION_UNMET, ETC_SECTION_MET, ETC_SECTION_SERVED };

/* Writes the result of a parser as JSON: a list, an object or null. */
void etc_insp_put_parsed(struct etc_text *t, const struct etc_parsed *p);

/* Computes find_total_for_module(name). */
double etc_insp_module_total(const struct etc_inspector *in, struct etc_str name);

#endif
