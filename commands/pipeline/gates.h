/* gates.h -- reads the section [gates] of a configuration, which is also stored in the manifest of
 * a run. */
#ifndef ETC_COMMANDS_PIPELINE_GATES_H
#define ETC_COMMANDS_PIPELINE_GATES_H

struct etc_findings;
struct etc_tree;

struct etc_gates {
	double alpha; /* level of significance */
	double min_effect_pct, cv_max_pct;
	double regression_pct; /* limit of slowdowns in percent; NAN: no limit */
};

extern const struct etc_gates etc_gates_default;

/* The ranges of the gates. alpha has the range of --confidence, because 1 minus alpha is a
 * confidence level. The other gates are percentages from 0 to ETC_GATES_PERCENT_MOST. */
#define ETC_GATES_ALPHA_LEAST 0.0001
#define ETC_GATES_ALPHA_MOST  0.5
enum { ETC_GATES_PERCENT_MOST = 1000 };

/* Reads the gates of a manifest. A gate that is missing, not a number, or out of range gets its
 * default. If `findings` is not NULL, E1053 is added for each gate that is not a number or is out
 * of range. */
void etc_gates_read(const struct etc_tree *manifest, struct etc_gates *out,
                    struct etc_findings *findings);

#endif
