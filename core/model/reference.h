/* reference.h -- values that torch.save wrote into an ETRecord, as plain data: reference outputs
 * and representative inputs.
 *
 * Made by formats/pickle/pickle.c; later code only reads them. A value may be part of several
 * others, and may even contain itself, so code that walks the values must count its steps. A
 * hostile file can declare a tensor of 2^50 elements that are all the same 4 bytes (strides of 0),
 * or of thousands of dimensions: never allocate by `count`. */
#ifndef ETC_MODEL_REFERENCE_H
#define ETC_MODEL_REFERENCE_H

#include "model/torch_dtype.h"

enum etc_ref_kind {
	ETC_REF_NONE,
	ETC_REF_BOOL, /* the value is in `integer`: 0 or 1 */
	ETC_REF_INT,  /* the value is in `integer` */
	/* an integer of more than 8 bytes; `text` has its bytes in two's complement,
	 * little-endian */
	ETC_REF_BIG,
	ETC_REF_FLOAT,     /* the value is in real[0] */
	ETC_REF_COMPLEX,   /* real[0] is the real part, real[1] the imaginary part */
	ETC_REF_STRING,    /* `text` is UTF-8, but may contain surrogates, as a str of Python may */
	ETC_REF_BYTES,     /* text */
	ETC_REF_BYTEARRAY, /* text */
	ETC_REF_LIST,
	ETC_REF_TUPLE,
	ETC_REF_SIZE,         /* torch.Size: a tuple of INT */
	ETC_REF_DICT,         /* `items` are key, value, key, value ... in the order of insertion */
	ETC_REF_ORDERED_DICT, /* `items` as for DICT */
	ETC_REF_COUNTER,      /* `items` as for DICT */
	ETC_REF_SET,
	ETC_REF_TENSOR,
	ETC_REF_STORAGE,
	ETC_REF_DTYPE, /* `text` is the name of the dtype: "float16" */
	/* a type that is not supported; `text` is its name ("torch.device") */
	ETC_REF_OTHER
};

/* The bytes of one or more tensors. They are one entry of the archive. */
struct etc_ref_storage {
	struct etc_str key;      /* the bytes are in the entry data/<key> of the archive */
	struct etc_str location; /* the device of the storage: "cpu", "cuda:0" */
	const struct etc_torch_dtype
		/* element type according to the name of the storage's class; uint8 if the
		 * storage is untyped */
		*dtype;
	uint64_t bytes;
	struct etc_span data; /* view into the file; empty if `packed` */
	bool packed;          /* the bytes are compressed in the archive, or were not requested */
	bool big_endian;      /* elements are stored in big-endian byte order */
};

struct etc_ref_tensor {
	const struct etc_torch_dtype *dtype;
	/* the bytes of the tensor; NULL: a meta tensor, which has no values */
	const struct etc_ref_storage *storage;
	/* sizes; a size may be negative only if the tensor has no elements (`count` is 0) */
	const int64_t *sizes;
	const int64_t *strides; /* in elements, non-negative */
	uint32_t rank;
	uint64_t count;  /* number of elements */
	uint64_t offset; /* offset of the first element, in elements */
	/* The bytes from the first element to the last, which contain every element. Empty for a
	 * meta tensor, for a tensor without elements, and if the storage is packed. */
	struct etc_span bytes;
	bool conj, neg; /* the elements must be conjugated, or negated, when they are read */
	bool parameter; /* the tensor is a torch.nn.Parameter */
	bool requires_grad;
	const struct etc_ref_value
		/* for a quantised tensor, the tuple (scheme, scale, zero point ...); else NULL */
		*quantizer;
};

struct etc_ref_value {
	uint8_t kind; /* enum etc_ref_kind */
	union {
		int64_t integer;
		double real[2];
		struct etc_str text;
		struct {
			const struct etc_ref_value *const *items;
			uint32_t count; /* number of items; in a dict each pair is two items */
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

/* Returns the value that the dict has for the text `key`; NULL: it has none, or `dict` is not a
 * dict. */
static inline const struct etc_ref_value *etc_ref_get(const struct etc_ref_value *dict,
                                                      struct etc_str key)
{
	for (uint32_t i = 0; etc_ref_is_dict(dict) && i < dict->count; i += 2)
		if (dict->items[i]->kind == ETC_REF_STRING && etc_str_eq(dict->items[i]->text, key))
			return dict->items[i + 1];
	return NULL;
}

#endif
