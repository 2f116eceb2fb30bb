/* references.h -- reads reference values from a safetensors file.
 *
 * Tensors are named METHOD/HANDLE, or METHOD/HANDLE/INDEX where a node has several outputs. The
 * file's metadata has a key "etcore.references": JSON with information that names cannot hold:
 *
 *   {"version": 1, "methods": {"forward": {"graph": "exported_program", "values": [
 *     {"handle": [3], "kind": "tensor", "ops": [["linear", "File ..."], ["relu", null]]}]}}}
 *
 * "values" has one entry per debug handle. "kind" is tensor, list, number, or none (there is no
 * value); a list has its length in "count". Beside "values" there may be "nodes", a list of the same
 * form with one entry per node of the graph; the tensors of entry N are named METHOD/nodes/N or
 * METHOD/nodes/N/INDEX. If the key "etcore.references" is missing, each tensor METHOD/HANDLE is a
 * value, and the tensors METHOD/HANDLE/0, METHOD/HANDLE/1 … together are one value; the values are in
 * the order in which the file lists the tensors. */
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
