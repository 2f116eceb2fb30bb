/* debug_buffer.h -- tensors of debug events, decoded out of the debug buffer:
 * the file that FileDataSink or BufferDataSink filled beside the ETDump.
 *
 * Nothing is copied: views point into the buffer, which must stay mapped. The
 * dump is not trusted: offsets, sizes and strides are checked without computing
 * anything that could overflow, and nothing is allocated in proportion to them. */
#ifndef ETC_READ_DEBUG_BUFFER_H
#define ETC_READ_DEBUG_BUFFER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/notes.h"
#include "model/tensor.h"
#include "model/trace.h"

/* Where the elements of `t` lie in `buffer`, its strides honoured. `at` of the
 * error is the offset in the debug buffer.
 *
 *   E0701 scalar type without a meaning   E0702 sizes missing, negative, too many
 *   E0703 elements outside the buffer     E0704 strides that fit no memory */
enum etc_status etc_debug_tensor(const struct etc_tensor *t, struct etc_span buffer,
                                 struct etc_tensor_view *out, struct etc_error *err) ETC_MUST_CHECK;

/* The elements in row-major order: the view's bytes if they are, else a copy in
 * the arena. E0904 when it is exhausted (a stride of 0 makes few bytes many). */
enum etc_status etc_debug_contiguous(const struct etc_tensor_view *view, struct etc_arena *arena,
                                     struct etc_span *out, struct etc_error *err) ETC_MUST_CHECK;

/* All tensors of the trace as the Inspector reads them, in the order of their
 * ordinals (etc_value.first_tensor). `buffer` is NULL when there is none: every
 * tensor is zeros then, as there. A tensor that stops the Inspector has another
 * state than READ; no error is raised for it here. E0904 memory. */
enum etc_status etc_debug_as_inspector(const struct etc_trace *trace, const struct etc_span *buffer,
                                       struct etc_arena *arena, const struct etc_tensor_data **out,
                                       struct etc_error *err) ETC_MUST_CHECK;

/* Notes what of the debug values cannot be shown; without a buffer (NULL) what
 * could not be shown with any. W0705 outside, W0706 type, W0707 sizes or strides. */
void etc_debug_check(const struct etc_trace *trace, const struct etc_span *buffer,
                     struct etc_notes *notes);

#endif
