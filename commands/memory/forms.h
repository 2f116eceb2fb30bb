/* forms.h -- the writers of the output formats of `etcore memory`, and the function that reads the
 * runs. `what` is a struct etc_memory_plan. */
#ifndef ETC_COMMANDS_MEMORY_FORMS_H
#define ETC_COMMANDS_MEMORY_FORMS_H

#include "context/inputs.h"
#include "commands/memory/screen.h"

/* Writes one screen per method, with the sizes, the peak, the groups that are alive at the peak,
 * and a picture of the lifetimes. */
void etc_memory_put_text(void *what, struct etc_text *out);
void etc_memory_put_json(void *what, struct etc_text *out);
void etc_memory_put_chrome(void *what, struct etc_text *out);
/* Writes one picture for each memory of each method, one below the other. The x axis shows the
 * steps, the y axis the offsets in the memory. Each group is a box with a tooltip (its name and
 * bytes). The peak is marked. */
void etc_memory_put_svg(void *what, struct etc_text *out);

/* clang-format off */
#define ETC_MEMORY_FORMATS(X)                                                                      \
	X("text",   "txt", etc_memory_put_text)                                                    \
	X("json",   NULL,  etc_memory_put_json)                                                    \
	X("chrome", NULL,  etc_memory_put_chrome)                                                  \
	X("svg",    NULL,  etc_memory_put_svg)
/* clang-format on */

/* runs.c: adds up the allocation events of the dump. If `plan` has methods, relates the runs to
 * these methods. `only`: name of the only method to show; NULL: all. E0904. */
enum etc_status etc_memory_runs_read(struct etc_session *s, const struct etc_inputs *in,
                                     const char *only, struct etc_memory_plan *plan,
                                     struct etc_error *err) ETC_MUST_CHECK;

#endif
