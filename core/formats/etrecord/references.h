/* references.h -- reads reference values from a safetensors file.
 *
 * Tensors are named METHOD/HANDLE, or METHOD/HANDLE/INDEX where a node has several outputs. The
 * file's metadata has a key "etcore.references": JSON with information that names cannot hold:
 *
 *   {"version": 1, "methods": {"forward": {"graph": "exported_program", "values": [
 *     {"handle": [3], "kind": "tensor", "ops": [["linear", "File ..."], ["relu", null]]}]}}}
 *
 * "kind" is tensor, list, number or none; "count" is the length of a list. "nodes" is a list like
 * "values", with one entry per node of the graph; its tensors are named METHOD/nodes/N or
 * METHOD/nodes/N/INDEX. Without the key "etcore.references", each tensor named METHOD/HANDLE is a
 * value, and all tensors METHOD/HANDLE/0, METHOD/HANDLE/1 … together are one value, in the order of
 * the file. */
#ifndef ETC_FORMATS_ETRECORD_REFERENCES_H
#define ETC_FORMATS_ETRECORD_REFERENCES_H

#include "base/arena.h"
#include "base/error.h"
#include "model/references.h"

/* Fills `*out` with views into `file`, which must stay mapped.
 *
 *   E1182 FORMAT  no reference values   E1183 CORRUPT metadata and tensors disagree
 *   and the errors of etc_safetensors_read() */
enum etc_status etc_references_read(struct etc_span file, struct etc_arena *arena,
                                    struct etc_references *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
