/* numeric_gap.h -- reproduces the Inspector's calculate_numeric_gap(): compares the values that
 * events logged with those of the exported graph. Values are paired as in the Inspector.
 *
 * The Inspector's quirks are kept. All methods are treated as one method. If several events have
 * equal debug handles, the one with the largest instruction id is used. Entries that have a handle
 * in common are merged. If a tensor contains a NaN, its infinities are replaced by the largest
 * numbers. Shapes are broadcast.
 *
 * Evaluating the graph needs torch, so its values come from a file (model/references.h). */
#ifndef ETC_COMMANDS_INSPECTOR_NUMERIC_GAP_H
#define ETC_COMMANDS_INSPECTOR_NUMERIC_GAP_H

#include "base/map.h"
#include "inspector/inspector.h"
#include "model/references.h"

/* One entry of the Inspector's dict of logged values: its key, which is a DebugHandle (merged with
 * others or not), and its values. */
struct etc_gap_runtime {
	const int64_t *handle;
	uint32_t handle_count;
	int32_t instruction_id;
	const struct etc_insp_value *values; /* the event's debug_data in Python */
	uint32_t value_count;
	int64_t num_outputs;
	struct etc_str name; /* name of the event */
};

struct etc_gap_row {
	/* the event whose values are compared. Its debug handle is printed twice: as
	 * runtime_debug_handle and as aot_debug_handle */
	const struct etc_gap_runtime *runtime;
	const struct etc_reference *aot;
	/* one of the values of `runtime`; NULL: the list of all its values */
	const struct etc_insp_value *value;
	double gap;
};

struct etc_gap {
	/* the entries as logged, before handles are merged (the Inspector's runtime_ops) */
	const struct etc_gap_runtime *events;
	uint32_t event_count;
	/* the merged entries, in the order of the Inspector's dict */
	const struct etc_gap_runtime *merged;
	uint32_t merged_count;
	/* maps a debug handle to the index in `merged` of the only entry with this handle */
	struct etc_map merged_of;
	const struct etc_gap_row *rows;
	uint32_t row_count;
};

/* Computes the rows. `distance`: MSE, L1 or SNR, ignoring case and surrounding blanks. E0825: the
 * Inspector would raise an exception. E0904. Must be called after etc_inspector_build(). */
enum etc_status etc_insp_numeric_gap(struct etc_inspector *in,
                                     const struct etc_reference_method *aot,
                                     struct etc_str distance, struct etc_gap *out,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* The frame that calculate_numeric_gap() returns. etc_insp_gap_text() writes it as text (columns
 * separated by tabs, lists as Python prints them, a tensor as type and shape), etc_insp_gap_csv()
 * as the same columns in CSV, etc_insp_gap_json() as the document etcore.inspector.numeric_gap/1.
 * E0904. */
struct etc_gap_frame {
	const struct etc_gap *gap;
	const struct etc_reference_method *aot;
	struct etc_str distance;
};
typedef enum etc_status etc_insp_gap_writer(struct etc_inspector *in,
                                            const struct etc_gap_frame *frame, struct etc_text *out,
                                            struct etc_error *err);
etc_insp_gap_writer etc_insp_gap_text, etc_insp_gap_csv, etc_insp_gap_json;

/* ---- steps of the numeric gap ---------------------------------------------------- */

/* Implements the Inspector's _get_runtime_intermediate_outputs_and_op_names: collects and merges
 * the values that events logged. */
enum etc_status etc_gap_runtime(struct etc_inspector *in, struct etc_gap *out,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The distances between a tensor or number of the graph and a value of the run. etc_gap_measure()
 * computes one of them. E0825: the Inspector would raise an exception. */
enum etc_gap_distance { ETC_GAP_MSE, ETC_GAP_L1, ETC_GAP_SNR, ETC_GAP_DISTANCES };
/* names of the distances: "MSE", "L1", "SNR" */
extern const char *const etc_gap_names[ETC_GAP_DISTANCES];
enum etc_status etc_gap_measure(const struct etc_safetensor *aot, const struct etc_insp_value *run,
                                uint8_t distance, double *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
