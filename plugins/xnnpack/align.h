/* align.h -- which node of the blob each event is.
 *
 * Events come in the order of the nodes, but not every node has an event (fused,
 * removed) and XNNPACK adds conversions of its own. So events are aligned with
 * nodes of a kind that fits, in order, as many as possible; an event is a node
 * only if all such alignments give it the same debug handle. */
#ifndef PLUGINS_XNNPACK_ALIGN_H
#define PLUGINS_XNNPACK_ALIGN_H

#include "blob.h"
#include "names.h"

/* May an event of this name be that node? */
bool xnnpack_fits(const struct xnnpack_name *name, const struct xnnpack_node *node);

/* handles[i] becomes the debug handle of event i, 0: cannot be told. `names[i]`
 * with an empty operator_name is no XNNPACK event. False: the events are not of
 * this blob, there are too many, or no memory. */
bool xnnpack_align(const struct xnnpack_name *names, uint32_t count,
                   const struct xnnpack_blob *blob, uint32_t *handles);

#endif
