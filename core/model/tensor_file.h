/* tensor_file.h -- a file of external data (.ptd): blobs and tensors by name.
 *
 * Made by formats/program/tensor_file.c; everything is a view into the mapped file. Source:
 * extension/flat_tensor/serialize/flat_tensor.fbs of pytorch/executorch. */
#ifndef ETC_MODEL_TENSOR_FILE_H
#define ETC_MODEL_TENSOR_FILE_H

#include "model/program.h"

/* A tensor or blob with a name: the schema's table NamedData. */
struct etc_external_data {
	struct etc_str key; /* name of the tensor or blob; for a tensor, its fully qualified name */
	uint32_t segment;
	struct etc_span bytes;
	bool is_tensor; /* the data are a tensor, because the field tensor_layout is present */
	int8_t scalar_type;
	struct etc_numbers sizes; /* integers of 32 bits */
	struct etc_span dim_order;
};

/* The file: the schema's table FlatTensor, and the header "FH01" before it. */
struct etc_tensor_file {
	uint32_t version;
	uint32_t header_length;
	uint64_t flatbuffer_at, flatbuffer_bytes, segments_at, segments_bytes;
	const struct etc_segment *segments;
	uint32_t segment_count;
	const struct etc_external_data *data;
	uint32_t data_count;
};

#endif
