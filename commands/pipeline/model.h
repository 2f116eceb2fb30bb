/* model.h -- the program of the model that a run folder names, with which its dumps are compared. */
#ifndef ETC_COMMANDS_PIPELINE_MODEL_H
#define ETC_COMMANDS_PIPELINE_MODEL_H

#include "base/arena.h"
#include "base/error.h"

struct etc_model;
struct etc_trace;

/* Reads the model at `path` if its SHA-256 is `sha256`; each may be NULL. `*out` is NULL if the file
 * is missing, has another hash or is no program. Close it in any case. E0904. */
enum etc_status etc_model_open(struct etc_model **out, const char *path, const char *sha256,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;
void etc_model_close(struct etc_model *m);

/* Does this argument of a runner name a model: does it begin with "--model_path", or end in ".pte"?
 * The model may be another one than that of the configuration. */
bool etc_model_is_named_by(struct etc_str argument);

/* Sets `*why` to a text, which is the arena's, that says why the dump is not of the model; NULL: it
 * may be. `m` may be NULL. E0904. */
enum etc_status etc_model_contradicts(const struct etc_model *m, const struct etc_trace *trace,
                                      struct etc_arena *arena, const char **why,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
