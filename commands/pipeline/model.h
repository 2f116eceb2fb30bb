/* model.h -- opens the model that a run folder names, and compares dumps with it. */
#ifndef ETC_COMMANDS_PIPELINE_MODEL_H
#define ETC_COMMANDS_PIPELINE_MODEL_H

#include "base/arena.h"
#include "base/error.h"

struct etc_model;
struct etc_trace;

/* Reads the model at `path` if its SHA-256 is `sha256`. `*out` is NULL if `path` or `sha256` is
 * NULL, or if the file is missing, has another hash, or is not a program. The caller must call
 * etc_model_close(), even after an error. E0904. */
enum etc_status etc_model_open(struct etc_model **out, const char *path, const char *sha256,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;
void etc_model_close(struct etc_model *m);

/* Does the argument of a runner name a model, because it begins with "--model_path" or ends with
 * ".pte"? That model may be another one than the configuration's. */
bool etc_model_is_named_by(struct etc_str argument);

/* If the dump cannot be a dump of the model, sets `*why` to a text that says why; the text is in
 * the arena. If it may be one, or `m` is NULL, sets `*why` to NULL. E0904. */
enum etc_status etc_model_contradicts(const struct etc_model *m, const struct etc_trace *trace,
                                      struct etc_arena *arena, const char **why,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
