/* tap.h -- private to tap.c and tap_sinks.c. */
#ifndef ETC_HOST_TAP_H
#define ETC_HOST_TAP_H

#include "host/expand.h"
#include "host/isolated/wire.h"

/* The hooks of one call, in sequence. Recording sinks pass answers to the host's sinks, which
 * validate them, and record the accepted ones. */
struct etc_tap {
	struct etc_tapped *to;
	struct etc_arena scratch;
	struct etc_hook_args a;
	struct etc_intake *in; /* intake of the running hook; NULL: the hook has no sink */
	struct etc_datum_intake data;
	struct etc_number_intake numbers;
	struct etc_facts_intake facts;
	struct etc_map_intake map;
	struct etc_child_intake children;
	struct etc_facts said;
	struct etcore_sink to_data, data_sink;
	struct etcore_number_sink to_numbers, number_sink;
	struct etcore_map_sink to_map, map_sink;
	struct etcore_text_sink facts_sink;
	struct etcore_child_sink to_children, child_sink;
};

/* Sets all recording sinks; the host's sinks that they forward to are made for each hook. */
void etc_tap_sinks(struct etc_tap *t);

/* Serializes an etcore_time. */
void etc_tap_time_words(const struct etcore_time *t, uint64_t words[ETC_TIME_WORDS]);

void etc_tap_record(struct etc_tap *t, enum etc_record kind, uint32_t upper);

static inline uint64_t etc_tap_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* etcore_host.diagnose: `handle` is the struct etc_tapped. */
void etc_tap_diagnose(void *handle, uint32_t severity, struct etcore_text message);

#endif
