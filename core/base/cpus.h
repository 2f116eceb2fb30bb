/* cpus.h -- a set of processors, to restrict the processors on which a process may run. Only cpus.c
 * calls sched_setaffinity(). */
#ifndef ETC_BASE_CPUS_H
#define ETC_BASE_CPUS_H

#include "base/span.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_CPUS_MAX = 1024 };

struct etc_cpus {
	uint64_t bits[ETC_CPUS_MAX / 64]; /* processor i: bit i % 64 of word i / 64 */
};

/* Parses "0x80", a hexadecimal mask as taskset takes it, or "0,4-7", a list. False: invalid,
 * empty, or a processor number of ETC_CPUS_MAX or more. */
bool etc_cpus_parse(struct etc_str text, struct etc_cpus *out);

/* Writes the set as a mask, "0x80", with a NUL to `to`, which has room for ETC_CPUS_TEXT bytes. */
enum { ETC_CPUS_TEXT = 2 + ETC_CPUS_MAX / 4 + 1 };
void etc_cpus_mask(const struct etc_cpus *c, char to[ETC_CPUS_TEXT]);

uint32_t etc_cpus_count(const struct etc_cpus *c);

/* etc_cpus_get() sets `*c` to the processors that this thread may use. etc_cpus_set() restricts
 * this thread to the processors of `c`; EINVAL if none of them exists. Both return 0 or an
 * errno. */
int etc_cpus_get(struct etc_cpus *c);
int etc_cpus_set(const struct etc_cpus *c);

#ifdef __cplusplus
}
#endif
#endif
