/* config.c -- see analysis.h */
#include "api/analysis.h"

enum etc_status etc_config(const struct etc_config_options *options, struct etc_text *out,
                       etc_note_fn *on_note, void *arg, struct etc_error *err)
{
	(void)options, (void)out, (void)on_note, (void)arg;
	return etc_fail(err, E0501, "not built yet");
}
