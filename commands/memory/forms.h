/* forms.h -- the output formats of `etcore memory`, and what they show of runs. `what` is a
 * struct etc_memory_plan. */
#ifndef ETC_COMMANDS_MEMORY_FORMS_H
#define ETC_COMMANDS_MEMORY_FORMS_H

#include "context/inputs.h"
#include "commands/memory/screen.h"

/* Writes a screen per method: sizes, the peak, the groups that are alive at the peak, a picture of
 * the lifetimes. */
void etc_memory_put_text(void *what, struct etc_text *out);
void etc_memory_put_json(void *what, struct etc_text *out);
void etc_memory_put_chrome(void *what, struct etc_text *out);
/* Writes a picture for each memory of each method, one below the other: steps to the right, offsets
 * upwards, a box for each group (with a tooltip: name and bytes). The peak is marked. */
void etc_memory_put_svg(void *what, struct etc_text *out);

/* clang-format off */
#define ETC_MEMORY_FORMATS(X)                                                                      \
	X("text",   "txt", etc_memory_put_text)                                                    \
	X("json",   NULL,  etc_memory_put_json)                                                    \
	X("chrome", NULL,  etc_memory_put_chrome)                                                  \
	X("svg",    NULL,  etc_memory_put_svg)
/* clang-format on */

/* runs.c: adds up the allocation events of the dump, and relates them to the methods of `plan`, if
 * any. `only`: one method, or NULL. E0904. */
enum etc_status etc_memory_runs_read(struct etc_session *s, const struct etc_inputs *in,
                                     const char *only, struct etc_memory_plan *plan,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
