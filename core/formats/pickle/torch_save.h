/* torch_save.h -- reads the archive that torch.save writes: a zip file with one folder that
 * contains data.pkl (the value), data/<key> (the bytes of storages), byteorder and version. Nothing
 * is copied.
 *
 * Refuses the archives that torch.load(weights_only=True) of torch 2.13 refuses, for the same
 * reasons; the Inspector raises in the same cases. */
#ifndef ETC_FORMATS_PICKLE_TORCH_SAVE_H
#define ETC_FORMATS_PICKLE_TORCH_SAVE_H

#include "formats/pickle/pickle.h"

/* Reads the value that was saved in the archive `file`, which must stay mapped while `*out` is
 * used. `why->at` is an offset in data.pkl; it is 0 for a fault of the archive itself. */
enum etc_pickle_verdict etc_torch_load(struct etc_span file, enum etc_pickle_names names,
                                       struct etc_arena *arena, const struct etc_ref_value **out,
                                       struct etc_pickle_fault *why);

#endif
