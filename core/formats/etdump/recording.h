/* recording.h -- reads what sdk/python/record_parity.py wrote; docs/plugins/checking.md
 * describes the format. */
#ifndef ETC_READ_RECORDING_H
#define ETC_READ_RECORDING_H

#include "base/arena.h"
#include "model/recording.h"

/* Texts are views into `bytes` or in the arena. E0634 not a recording, or not a
 * complete one; E0904. */
enum etc_status etc_recording_read(struct etc_span bytes, struct etc_arena *arena,
                                   struct etc_recording *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
