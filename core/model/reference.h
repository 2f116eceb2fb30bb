/* reference.h -- values that torch.save wrote into an ETRecord, as plain data: reference
 * outputs and representative inputs.
 *
 * Made by formats/pickle/pickle.c; later code only reads them. A value may be reached by
 * several paths and may even contain itself, so code that walks the tree must count its steps.
 * A hostile file can ask for 2^50 elements of 4 stored bytes (strides of 0) and for thousands
 * of dimensions: never allocate by `count`. */
#ifndef ETC_MODEL_REFERENCE_H
#define ETC_MODEL_REFERENCE_H

#include "model/torch_dtype.h"

enum etc_ref_kind {
	ETC_REF_NONE,
	ETC_REF_BOOL,      /* integer: 0 or 1 */
	ETC_REF_INT,       /* integer */
	ETC_REF_BIG,       /* text: two's complement, little-endian, more than 8 bytes */
	ETC_REF_FLOAT,     /* real[0] */
	ETC_REF_COMPLEX,   /* real[0], real[1] */
	ETC_REF_STRING,    /* text: UTF-8; may contain encoded surrogates, as Python's str */
	ETC_REF_BYTES,     /* text */
	ETC_REF_BYTEARRAY, /* text */
	ETC_REF_LIST,
	ETC_REF_TUPLE,
	ETC_REF_SIZE,         /* torch.Size: a tuple of INT */
	ETC_REF_DICT,         /* items: key, value, key, value ... in order of insertion */
	ETC_REF_ORDERED_DICT, /* items, as of DICT */
	ETC_REF_COUNTER,      /* items, as of DICT */
	ETC_REF_SET,
	ETC_REF_TENSOR,
	ETC_REF_STORAGE,
	ETC_REF_DTYPE, /* text: "float16" */
	ETC_REF_OTHER  /* text: name of an unsupported type ("torch.device") */
};

/* The bytes of one or more tensors: one entry of the archive. */
struct etc_ref_storage {
	struct etc_str key;      /* entry data/<key> */
	struct etc_str location; /* "cpu", "cuda:0" */
	const struct etc_torch_dtype
		*dtype; /* element type of the storage class; uint8 if untyped */
	uint64_t bytes;
	struct etc_span data; /* view into the file; empty if `packed` */
	bool packed;          /* the bytes are compressed in the archive, or were not requested */
	bool big_endian;      /* elements are byte-swapped */
};

struct etc_ref_tensor {
	const struct etc_torch_dtype *dtype;
	const struct etc_ref_storage *storage; /* NULL: a meta tensor, without values */
	const int64_t *sizes;                  /* non-negative unless `count` is 0 */
	const int64_t *strides;                /* in elements, non-negative */
	uint32_t rank;
	uint64_t count;  /* number of elements */
	uint64_t offset; /* offset of the first element, in elements */
	/* From the first element to the last; contains every element. Empty for a meta tensor, a
	 * tensor without elements, and a packed storage. */
	struct etc_span bytes;
	bool conj, neg; /* the elements are to be conjugated, negated */
	bool parameter; /* torch.nn.Parameter */
	bool requires_grad;
	const struct etc_ref_value *quantizer; /* tuple (scheme, scale, zero point ...), or NULL */
};

struct etc_ref_value {
	uint8_t kind; /* enum etc_ref_kind */
	union {
		int64_t integer;
		double real[2];
		struct etc_str text;
		struct {
			const struct etc_ref_value *const *items;
			uint32_t count; /* number of items: for a dict, twice the pairs */
		};
		const struct etc_ref_tensor *tensor;
		const struct etc_ref_storage *storage;
	};
};

static inline bool etc_ref_is_dict(const struct etc_ref_value *v)
{
	return v->kind >= ETC_REF_DICT && v->kind <= ETC_REF_COUNTER;
}

static inline bool etc_ref_is_list(const struct etc_ref_value *v)
{
	return v->kind >= ETC_REF_LIST && v->kind <= ETC_REF_SIZE;
}

/* The value under a text key of a dict, or NULL. */
static inline const struct etc_ref_value *etc_ref_get(const struct etc_ref_value *dict,
                                                      struct etc_str key)
{
	for (uint32_t i = 0; etc_ref_is_dict(dict) && i < dict->count; i += 2)
		if (dict->items[i]->kind == ETC_REF_STRING && etc_str_eq(dict->items[i]->text, key))
			return dict->items[i + 1];
	return NULL;
}

#endif
