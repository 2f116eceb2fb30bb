/* gates.h -- the section [gates] of a configuration and its copy in the manifest of a run. */
#ifndef ETC_COMMANDS_PIPELINE_GATES_H
#define ETC_COMMANDS_PIPELINE_GATES_H

struct etc_findings;
struct etc_tree;

struct etc_gates {
	double alpha; /* level of significance */
	double min_effect_pct, cv_max_pct;
	double regression_pct; /* NAN: no gate */
};

extern const struct etc_gates etc_gates_default;

/* The range of alpha: 1 minus alpha is a level of confidence, with the range of --confidence. The
 * others are from 0 to this percentage. */
#define ETC_GATES_ALPHA_LEAST 0.0001
#define ETC_GATES_ALPHA_MOST  0.5
enum { ETC_GATES_PERCENT_MOST = 1000 };

/* Reads the gates of a manifest. One that is missing, or out of its range, has its default.
 * `findings`, unless NULL, receives those that are no number or out of range (E1053). */
void etc_gates_read(const struct etc_tree *manifest, struct etc_gates *out,
                    struct etc_findings *findings);

#endif
