/* recording.h -- reads the recordings that sdk/python/record_parity.py writes;
 * docs/plugins/checking.md describes the format. */
#ifndef ETC_FORMATS_ETDUMP_RECORDING_H
#define ETC_FORMATS_ETDUMP_RECORDING_H

#include "base/arena.h"
#include "model/recording.h"

/* Reads a recording. Texts are views into `bytes` or in the arena. E0634 not a recording, or
 * incomplete; E0904. */
enum etc_status etc_recording_read(struct etc_span bytes, struct etc_arena *arena,
                                   struct etc_recording *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
