/* pickle.h -- reads the pickle of a torch.save archive without executing code from it.
 *
 * Builds plain data. Accepts the opcodes and names that torch.load(weights_only=True) of torch 2.13
 * accepts, and those that enum etc_pickle_names adds, but no others. Some arguments that torch
 * accepts are refused (ETC_PICKLE_CLOSED). Names are looked up in a table and never imported.
 * Functions that rebuild plain and quantised tensors and containers are reimplemented here; the
 * result of other such functions (for sparse, nested, wrapper and device tensors) is an opaque
 * value. Any other name is refused with a message that names it. Nested values do not cause
 * recursion, so their depth needs no limit.
 *
 * Source: torch/_weights_only_unpickler.py, torch/_utils.py. */
#ifndef ETC_FORMATS_PICKLE_PICKLE_H
#define ETC_FORMATS_PICKLE_PICKLE_H

#include "base/arena.h"
#include "model/reference.h"

enum etc_pickle_verdict {
	ETC_PICKLE_READ,
	ETC_PICKLE_REFUSED, /* torch refuses the pickle too: it is damaged, or has a name or opcode
	                     * that torch does not allow */
	ETC_PICKLE_CLOSED,  /* torch might read the pickle, but this reader does not: it is
	                     * unsupported, or exceeds a limit */
	ETC_PICKLE_MEMORY   /* out of memory */
};

/* Evaluates an expression that is a verdict. If the verdict is not READ, the function that contains
 * the macro returns it. */
#define ETC_PICKLE_TRY(expr)                               \
	do {                                               \
		enum etc_pickle_verdict verdict_ = (expr); \
		if (verdict_ != ETC_PICKLE_READ)           \
			return verdict_;                   \
	} while (0)

enum {
	ETC_PICKLE_VALUES = 1 << 22, /* maximum number of values that one pickle creates */
	ETC_PICKLE_WORK = 1 << 24 /* maximum number of items and bytes that the calls in one pickle
	                              * copy */
};

struct etc_pickle_fault {
	size_t at; /* offset in the pickle */
	char why[200];
};

/* Finds the contents of `*storage`, whose members `key`, `dtype` and `bytes` (the size) are set.
 * Sets the members `big_endian` and either `data` or `packed` (see model/reference.h). If the
 * result is not READ, sets `*why`. */
typedef enum etc_pickle_verdict etc_pickle_find_storage(void *arg, struct etc_ref_storage *storage,
                                                        struct etc_pickle_fault *why);

/* The names that a pickle may contain in addition to those in torch's own table. */
enum etc_pickle_names {
	ETC_PICKLE_TORCH,
	/* As ETC_PICKLE_TORCH, but ExecuTorch's _reconstruct_fake_tensor, which occurs in weights
	 * and constants, is also allowed. The result of this function is an opaque value. Storages
	 * are checked, but their bytes are not read. */
	ETC_PICKLE_WEIGHTS,
	ETC_PICKLE_WEIGHT_VALUES, /* as ETC_PICKLE_WEIGHTS, but the bytes of storages are read */
	/* For a raw pickle. Also allows torch.storage._load_from_bytes, and the opcodes of protocol
	 * 4, which torch.save does not use. */
	ETC_PICKLE_LEGACY,
	/* For the pickle of a storage inside a raw pickle. Its persistent ids have 6 parts. */
	ETC_PICKLE_INSIDE
};

/* Reads the value of a raw pickle without executing code from it. Records before 1.3.1 have raw
 * pickles. */
enum etc_pickle_verdict etc_pickle_read_legacy(struct etc_span pickle, struct etc_arena *arena,
                                               const struct etc_ref_value **out,
                                               struct etc_pickle_fault *why);

/* Reads the value of the pickle. Texts point into `pickle`, and the bytes of tensors into the
 * storages that `find` returned; everything else is in the arena. */
enum etc_pickle_verdict etc_pickle_read(struct etc_span pickle, enum etc_pickle_names names,
                                        etc_pickle_find_storage *find, void *arg,
                                        struct etc_arena *arena, const struct etc_ref_value **out,
                                        struct etc_pickle_fault *why);

#endif
