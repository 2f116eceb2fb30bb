/* debug_buffer.h -- reads the tensors of debug events from the debug buffer: the file that
 * FileDataSink or BufferDataSink wrote next to the ETDump.
 *
 * Nothing is copied: views point into the buffer, which must stay mapped. The dump is not trusted:
 * checks of its offsets, sizes and strides cannot overflow, and no allocation has a size that the
 * dump alone decides. */
#ifndef ETC_FORMATS_ETDUMP_DEBUG_BUFFER_H
#define ETC_FORMATS_ETDUMP_DEBUG_BUFFER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/notes.h"
#include "model/tensor.h"
#include "model/trace.h"

/* Sets `*out` to a view of the elements of `t` in `buffer`, with strides.
 *
 *   E0701 unknown scalar type              E0702 sizes missing, negative, too many
 *   E0703 elements outside the buffer     E0704 strides: negative, huge, not one per size */
enum etc_status etc_debug_tensor(const struct etc_tensor *t, struct etc_span buffer,
                                 struct etc_tensor_view *out, struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*out` to the elements in row-major order: the view's bytes if they are in that order
 * already, else a copy in the arena. E0904 if memory is exhausted (a stride of 0 makes many
 * elements of few bytes). */
enum etc_status etc_debug_contiguous(const struct etc_tensor_view *view, struct etc_arena *arena,
                                     struct etc_span *out, struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*out` to an array with the value that the Inspector reads for each tensor of the trace; the
 * index of a value is the ordinal of its tensor (etc_value.first_tensor). If `buffer` is NULL,
 * every tensor is zeros, as in the Inspector. For a tensor at which the Inspector raises an
 * exception, the state is not READ, but the function succeeds. E0904. */
enum etc_status etc_debug_as_inspector(const struct etc_trace *trace, const struct etc_span *buffer,
                                       struct etc_arena *arena, const struct etc_tensor_data **out,
                                       struct etc_error *err) ETC_MUST_CHECK;

/* Reports debug values that cannot be shown. If `buffer` is NULL, reports only values that no
 * buffer could make readable. W0705: outside the buffer. W0706: unknown type. W0707: invalid sizes
 * or strides. */
void etc_debug_check(const struct etc_trace *trace, const struct etc_span *buffer,
                     struct etc_notes *notes);

#endif
