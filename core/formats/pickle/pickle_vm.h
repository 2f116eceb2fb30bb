/* pickle_vm.h -- private to the pickle reader: pickle.c (opcodes), pickle_argument.c,
 * pickle_box.c (values), pickle_names.c (allowed names), pickle_call.c (calls), pickle_tensor.c
 * and pickle_legacy.c. */
#ifndef ETC_FORMATS_PICKLE_PICKLE_VM_H
#define ETC_FORMATS_PICKLE_PICKLE_VM_H

#include "base/map.h"
#include "formats/pickle/pickle.h"

/* The meaning of a global name in the pickle. */
enum etc_pickle_name {
	ETC_NAME_NONE,
	ETC_NAME_STORAGE,      /* torch.FloatStorage */
	ETC_NAME_UNTYPED,      /* torch.storage.UntypedStorage */
	ETC_NAME_TYPED,        /* torch.storage.TypedStorage */
	ETC_NAME_DTYPE,        /* torch.float32 */
	ETC_NAME_SCHEME,       /* torch.per_tensor_affine */
	ETC_NAME_TENSOR_CLASS, /* torch.FloatTensor */
	ETC_NAME_ORDERED_DICT,
	ETC_NAME_COUNTER,
	ETC_NAME_SET,
	ETC_NAME_SIZE,
	ETC_NAME_COMPLEX,
	ETC_NAME_BYTEARRAY,
	ETC_NAME_ENCODE,
	ETC_NAME_DEVICE,
	ETC_NAME_LAYOUT,
	ETC_NAME_PARAMETER,
	ETC_NAME_REBUILD, /* _rebuild_tensor */
	ETC_NAME_REBUILD_V2,
	ETC_NAME_REBUILD_V3,
	ETC_NAME_REBUILD_QUANTISED,
	ETC_NAME_REBUILD_META,
	ETC_NAME_REBUILD_PARAMETER,
	ETC_NAME_REBUILD_STATEFUL, /* _rebuild_parameter_with_state */
	ETC_NAME_REBUILD_TYPE,     /* _rebuild_from_type_v2 */
	ETC_NAME_REBUILD_CLOSED, /* makes a sparse, nested or wrapped tensor; the result is opaque */
	/* _reconstruct_fake_tensor: accepted only with ETC_PICKLE_WEIGHTS or
	 * ETC_PICKLE_WEIGHT_VALUES */
	ETC_NAME_FAKE,
	ETC_NAME_LOAD_BYTES /* torch.storage._load_from_bytes: only with ETC_PICKLE_LEGACY */
};

/* A value under construction. */
struct etc_box {
	struct etc_ref_value v; /* must be the first member: its address is also that of the box */
	/* If the value is a global name, this is its enum etc_pickle_name, and v.kind is DTYPE or
	 * OTHER. For other values it is ETC_NAME_NONE. */
	uint8_t name;
	bool hashable;                       /* may be a dict key */
	uint32_t room;                       /* allocated length of v.items */
	const struct etc_torch_dtype *dtype; /* STORAGE, DTYPE */
	struct etc_map *index; /* maps the keys of a dict or set to indices in v.items */
};

struct etc_pickle_vm {
	struct etc_span in;
	size_t at;
	struct etc_arena *arena;
	etc_pickle_find_storage *find;
	void *arg;
	struct etc_pickle_fault *why;
	enum etc_pickle_names names;

	struct etc_box **stack;
	uint32_t depth, room; /* number of items on the stack; number that fit */
	/* index of the first item above the last mark, which is the lowest item that opcodes may
	 * use */
	uint32_t base;
	uint32_t *marks; /* stack indices of earlier marks: the former values of `base` */
	uint32_t mark_count, mark_room;
	struct etc_box **memo; /* the pickle's memo: values, by their numbers */
	uint32_t memo_room;
	/* The memo for numbers that are too large for the array. The key is the number as its 4
	 * bytes in the pickle, the value an index in `far`. */
	struct etc_map far_memo;
	struct etc_box **far;
	uint32_t far_count, far_room;
	struct etc_map storages; /* maps the key of a storage to its index in storage_boxes */
	struct etc_box **storage_boxes;
	uint32_t storage_count, storage_room;
	uint32_t values;
	uint64_t work;
	uint32_t memoized; /* the next number that MEMOIZE uses */
};

/* etc_pickle_push() pushes an item on the stack. The functions after it (pickle_argument.c) read
 * the argument of an opcode at vm->at. A function without `out` pushes the argument as a value.
 * `n` is the number of bytes to read, for a number at most 4; `size_bytes`, the size of a
 * string's length, is 1, 4 or 8. */
enum etc_pickle_verdict etc_pickle_push(struct etc_pickle_vm *vm, struct etc_box *item);
enum etc_pickle_verdict etc_pickle_bytes(struct etc_pickle_vm *vm, size_t n, struct etc_str *out);
enum etc_pickle_verdict etc_pickle_number(struct etc_pickle_vm *vm, size_t n, uint32_t *out);
enum etc_pickle_verdict etc_pickle_line(struct etc_pickle_vm *vm, struct etc_str *out);
enum etc_pickle_verdict etc_pickle_string(struct etc_pickle_vm *vm, size_t size_bytes, bool strict);
enum etc_pickle_verdict etc_pickle_raw_bytes(struct etc_pickle_vm *vm, size_t size_bytes);
enum etc_pickle_verdict etc_pickle_integer(struct etc_pickle_vm *vm); /* LONG1 */
enum etc_pickle_verdict etc_pickle_real(struct etc_pickle_vm *vm);

/* Executes opcodes from vm->at up to and including STOP, and sets `*out` to the value that STOP
 * returns. */
enum etc_pickle_verdict etc_pickle_run(struct etc_pickle_vm *vm, const struct etc_ref_value **out);

/* Implements torch.storage._load_from_bytes(bytes): returns the storage in the bytes
 * (pickle_legacy.c). */
enum etc_pickle_verdict etc_pickle_load_bytes(struct etc_pickle_vm *vm,
                                              const struct etc_ref_value *args,
                                              struct etc_box **out);

/* Stores the message, and the current position in the pickle, in vm->why. Returns `verdict`. */
enum etc_pickle_verdict etc_pickle_fail(struct etc_pickle_vm *vm, enum etc_pickle_verdict verdict,
                                        const char *fmt, ...) ETC_PRINTF(3, 4);

/* Creates a value of the kind `kind`; a container is empty at first. */
enum etc_pickle_verdict etc_pickle_box(struct etc_pickle_vm *vm, enum etc_ref_kind kind,
                                       struct etc_box **out);

/* Adds `n` to vm->work. CLOSED if the sum exceeds ETC_PICKLE_WORK. */
enum etc_pickle_verdict etc_pickle_spend(struct etc_pickle_vm *vm, uint64_t n);

/* Appends to a list or tuple; inserts into a dict (the last value of a key counts) or, with
 * `value` NULL, into a set. */
enum etc_pickle_verdict etc_pickle_append(struct etc_pickle_vm *vm, struct etc_box *to,
                                          const struct etc_ref_value *item);
enum etc_pickle_verdict etc_pickle_insert(struct etc_pickle_vm *vm, struct etc_box *to,
                                          const struct etc_ref_value *key,
                                          const struct etc_ref_value *value);

static inline struct etc_box *etc_box_of(const struct etc_ref_value *v)
{
	return (struct etc_box *)(uintptr_t)v;
}

/* Looks up `module`.`name`; sets `*dtype` for STORAGE and DTYPE (pickle_names.c). */
enum etc_pickle_name etc_pickle_lookup(struct etc_str module, struct etc_str name,
                                       const struct etc_torch_dtype **dtype);

/* etc_pickle_call() implements f(*args), etc_pickle_new() cls.__new__(cls, *args), and
 * etc_pickle_build() object.__setstate__(state). All are in pickle_call.c. */
enum etc_pickle_verdict etc_pickle_call(struct etc_pickle_vm *vm, const struct etc_box *f,
                                        const struct etc_ref_value *args, struct etc_box **out);
enum etc_pickle_verdict etc_pickle_new(struct etc_pickle_vm *vm, const struct etc_box *cls,
                                       const struct etc_ref_value *args, struct etc_box **out);
enum etc_pickle_verdict etc_pickle_build(struct etc_pickle_vm *vm, const struct etc_box *object,
                                         const struct etc_ref_value *state);

/* Implements the _rebuild_* functions that make a tensor, and the class Parameter
 * (pickle_tensor.c). */
enum etc_pickle_verdict etc_pickle_rebuild(struct etc_pickle_vm *vm, const struct etc_box *f,
                                           const struct etc_ref_value *args, struct etc_box **out);

/* Sets `*out` to the storage that a persistent id names (pickle_tensor.c). */
enum etc_pickle_verdict etc_pickle_storage(struct etc_pickle_vm *vm, const struct etc_ref_value *id,
                                           struct etc_box **out);

/* Adds one pointer to a growing array in the arena. False: out of memory. */
bool etc_pickle_grow(struct etc_arena *arena, struct etc_box ***items, uint32_t *count,
                     uint32_t *room, struct etc_box *item);

static inline enum etc_pickle_verdict etc_pickle_no_memory(struct etc_pickle_vm *vm)
{
	return etc_pickle_fail(vm, ETC_PICKLE_MEMORY, "memory is exhausted");
}

#endif
