/* torch_save.h -- the archive that torch.save writes: a zip with one folder,
 * in it data.pkl (the value), data/<key> (the bytes below the tensors),
 * byteorder and version. Read where it lies; nothing is copied.
 *
 * Refuses what torch.load(weights_only=True) of torch 2.13 refuses, for its
 * reasons; that is at the same time what the Inspector raises for. */
#ifndef ETC_READ_TORCH_SAVE_H
#define ETC_READ_TORCH_SAVE_H

#include "formats/pickle/pickle.h"

/* `file` must stay mapped while `*out` is used. `why->at` counts from the start
 * of data.pkl, or is 0 for what is wrong with the archive around it. */
enum etc_pickle_verdict etc_torch_load(struct etc_span file, enum etc_pickle_names names,
                                       struct etc_arena *arena, const struct etc_ref_value **out,
                                       struct etc_pickle_fault *why);

#endif
