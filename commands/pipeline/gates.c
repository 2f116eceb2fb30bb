/* gates.c -- reads the gates in the manifest of a run; see gates.h */
#include "commands/pipeline/gates.h"

#include <math.h>

#include "commands/pipeline/findings.h"

const struct etc_gates etc_gates_default = {
	.alpha = 0.05,
	.min_effect_pct = 2,
	.cv_max_pct = 10,
	.regression_pct = (double)NAN,
};

void etc_gates_read(const struct etc_tree *manifest, struct etc_gates *out,
                    struct etc_findings *findings)
{
	const struct {
		const char *key;
		double *to, least, most;
	} rows[] = {
		{ "alpha", &out->alpha, ETC_GATES_ALPHA_LEAST, ETC_GATES_ALPHA_MOST },
		{ "min_effect_pct", &out->min_effect_pct, 0, ETC_GATES_PERCENT_MOST },
		{ "cv_max_pct", &out->cv_max_pct, 0, ETC_GATES_PERCENT_MOST },
		{ "regression_pct", &out->regression_pct, 0, ETC_GATES_PERCENT_MOST },
	};
	const struct etc_tree *gates = etc_tree_get(manifest, "gates");

	*out = etc_gates_default;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct etc_tree *t = etc_tree_get(gates, rows[i].key);
		bool none = !t || (t->type == ETC_JSON_NULL && isnan(*rows[i].to));
		double v;

		if (etc_tree_number(t, &v) && v >= rows[i].least && v <= rows[i].most)
			*rows[i].to = v;
		else if (findings && !none)
			etc_finding(findings, E1053, ETC_STR("manifest.json"),
			            "gates: '%s' is " ETC_STR_FMT "; no gate can be that",
			            rows[i].key, ETC_STR_ARG(etc_tree_shown(t)));
	}
}
