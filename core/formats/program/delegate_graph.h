/* delegate_graph.h -- reads the nodes and constants of a delegate from its blob, if the blob has
 * the format of XNNPACK (xnnpack_graph.c).
 *
 * A blob has "XH00" at byte 4, and the u32 offset and size of a FlatBuffer at bytes 10 and 14.
 * Older blobs are the FlatBuffer itself. Its identifier is "XN00" or "XN01"; its root is table
 * XNNGraph of runtime_schema.fbs. To match events with nodes, the XNNPACK plugin reads more fields
 * of the blob than this file. */
#ifndef ETC_FORMATS_PROGRAM_DELEGATE_GRAPH_H
#define ETC_FORMATS_PROGRAM_DELEGATE_GRAPH_H

#include "base/arena.h"
#include "base/error.h"
#include "model/delegate_graph.h"

/* Reads the graph in the blob of an XNNPACK delegate, but not its `operators` and `values`. Sets
 * `*read` if the blob is one of XNNPACK's and is not damaged. E0904. */
enum etc_status etc_delegate_graph_read(struct etc_span blob, struct etc_arena *arena,
                                        struct etc_delegate_graph *out, bool *read,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_delegate_graph_read(), but also fills `operators` and `values`. E0904. */
enum etc_status etc_delegate_graph_read_whole(struct etc_span blob, struct etc_arena *arena,
                                              struct etc_delegate_graph *out, bool *read,
                                              struct etc_error *err) ETC_MUST_CHECK;

#endif
