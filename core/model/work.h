/* work.h -- how much an event computes and how many bytes it moves (docs/work.md).
 *
 * One FLOP is one addition, multiplication, comparison or function of one element; a multiply-add
 * counts as two. Bytes are the sizes of the tensors that the event reads and writes. Each tensor
 * counts once, however often the processor fetches it. */
#ifndef ETC_MODEL_WORK_H
#define ETC_MODEL_WORK_H

#include <stddef.h>

#include "base/exact.h"

/* The type of arithmetic of an event. It selects the peak with which the event is compared. */
enum etc_work_type {
	ETC_WORK_FP32,
	ETC_WORK_FP16,
	ETC_WORK_BF16,
	/* matrix products and convolutions of 8-bit integers, also with weights of 4 bits */
	ETC_WORK_INT8,
	ETC_WORK_OTHER, /* doubles, integers of more than 8 bits, bool */
	ETC_WORK_TYPES
};

/* Is the work of an event known, and if not, why? */
enum etc_work_why {
	/* the event has no work of its own: it is an event of the runtime, or a call whose inner
	 * events have the work */
	ETC_WORK_NONE,
	ETC_WORK_KNOWN,
	ETC_WORK_NO_SHAPES,  /* no file has the shapes of the event's tensors */
	ETC_WORK_NO_NODE,    /* it is unknown which node of the delegate the event is */
	ETC_WORK_NO_FORMULA, /* docs/work.md has no formula for the operator */
	/* a shape, or the part of a tensor that is read, changes from run to run */
	ETC_WORK_DYNAMIC,
	ETC_WORK_BEYOND,      /* a number of operations or bytes exceeds 64 bits */
	ETC_WORK_CONTRADICTS, /* the operator cannot have these shapes */
	ETC_WORK_NO_TYPE,     /* the size of an element is not known */
	ETC_WORK_WHYS
};

/* The work of one execution of an event. If `why` is not KNOWN, the numbers are 0. */
struct etc_work {
	/* number of FLOPs; number of bytes read; number of bytes written */
	uint64_t flops, read, written;
	uint8_t type; /* enum etc_work_type: the type of the arithmetic */
	uint8_t why;  /* enum etc_work_why */
};

/* The work of a row's events, summed over its typical runs. */
struct etc_row_work {
	etc_u128 flops[ETC_WORK_TYPES];
	etc_u128 read, written;
	/* the part of `read` and `written` that may be in the cache: the bytes of events that move
	 * at most etc_peaks_cache() bytes */
	etc_u128 cached;
	uint64_t known, unknown; /* number of events with known and with unknown work */
	uint8_t why;             /* enum etc_work_why of the first event with unknown work */
};

/* The peak rates of the processor, from [peaks] of the INI file. A rate that is not given is 0. */
struct etc_peaks {
	/* peak rate of each type of arithmetic, in 10^9 FLOP/s; OTHER has none */
	double gflops[ETC_WORK_TYPES];
	double gbps; /* bandwidth of the memory, in 10^9 bytes/s */
	/* bandwidth of a cache, 10^9 bytes/s, for events that move at most `cache_bytes` */
	double gbps_cache;
	size_t cache_bytes;
	double threads; /* number of threads for which the peaks hold */
};

/* Returns the size in bytes of the cache whose bandwidth is set in [peaks]; 0: no such bandwidth is
 * set. */
uint64_t etc_peaks_cache(const struct etc_peaks *p);

/* Adds to `to` the work of an event that ran `runs` times. If the event moves at most `cache_bytes`
 * bytes, its bytes are also added to to->cached. */
void etc_row_work_add(struct etc_row_work *to, const struct etc_work *work, uint64_t runs,
                      uint64_t cache_bytes);

/* etc_work_type_name() returns the name of an enum etc_work_type, such as "fp32".
 * etc_work_why_text() returns the text for an enum etc_work_why: why the work is unknown. */
const char *etc_work_type_name(uint8_t type);
const char *etc_work_why_text(uint8_t why);

#endif
