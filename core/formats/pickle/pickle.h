/* pickle.h -- reads the pickle of a torch.save archive, running nothing.
 *
 * A machine for exactly the opcodes and names that torch.load(weights_only=
 * True) of torch 2.13 takes. It builds plain data: names are looked up in a
 * table and never imported, calls are done by hand for the few functions that
 * rebuild tensors and containers, everything else is refused by name. It does
 * not recurse, so nesting costs no stack.
 *
 * Source: torch/_weights_only_unpickler.py, torch/_utils.py. */
#ifndef ETC_READ_PICKLE_H
#define ETC_READ_PICKLE_H

#include "base/arena.h"
#include "model/reference.h"

enum etc_pickle_verdict {
	ETC_PICKLE_READ,
	ETC_PICKLE_REFUSED, /* torch refuses it, too: damaged, or not in its table */
	ETC_PICKLE_CLOSED,  /* torch might read it: more than we can follow or allow */
	ETC_PICKLE_MEMORY   /* the arena is exhausted */
};

/* Return early unless the verdict is READ. */
#define ETC_PICKLE_TRY(expr)                               \
	do {                                               \
		enum etc_pickle_verdict verdict_ = (expr); \
		if (verdict_ != ETC_PICKLE_READ)           \
			return verdict_;                   \
	} while (0)

enum {
	ETC_PICKLE_VALUES = 1 << 22, /* values that one pickle may make */
	ETC_PICKLE_WORK = 1 << 24    /* items and bytes that its calls may copy */
};

struct etc_pickle_fault {
	size_t at; /* byte in the pickle */
	char why[200];
};

/* Says where the bytes of a storage lie: fills `data` or `packed`, and
 * `big_endian`; `key`, `dtype` and `bytes` are set. Not READ: `why`. */
typedef enum etc_pickle_verdict etc_pickle_find_storage(void *arg, struct etc_ref_storage *storage,
                                                        struct etc_pickle_fault *why);

/* Names beyond torch's own table. */
enum etc_pickle_names {
	ETC_PICKLE_TORCH,
	/* ExecuTorch's _reconstruct_fake_tensor, in weights and constants; kept closed. */
	ETC_PICKLE_WEIGHTS,
	/* for a raw pickle: torch.storage._load_from_bytes, and the opcodes of protocol
	 * 4, which torch.save does not use */
	ETC_PICKLE_LEGACY,
	/* for the storages in it: references of 6 parts */
	ETC_PICKLE_INSIDE
};

/* The value of a raw pickle, as records before 1.3.1 have them: nothing is imported or
 * run for it, either. */
enum etc_pickle_verdict etc_pickle_read_legacy(struct etc_span pickle, struct etc_arena *arena,
                                               const struct etc_ref_value **out,
                                               struct etc_pickle_fault *why);

/* The value of the pickle. Text and the bytes of tensors point into `pickle`
 * and what `find` says; all else is the arena's. */
enum etc_pickle_verdict etc_pickle_read(struct etc_span pickle, enum etc_pickle_names names,
                                        etc_pickle_find_storage *find, void *arg,
                                        struct etc_arena *arena, const struct etc_ref_value **out,
                                        struct etc_pickle_fault *why);

#endif
