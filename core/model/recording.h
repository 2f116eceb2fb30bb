/* recording.h -- recorded answers of the Python callables of an Inspector session.
 *
 * sdk/python/record_parity.py writes the answers to a JSON file, formats/etdump/recording.c reads
 * the file, and `etcore plugins check --level parity` compares a plugin's answers with the recorded
 * ones. */
#ifndef ETC_MODEL_RECORDING_H
#define ETC_MODEL_RECORDING_H

#include "model/facts.h"
#include "model/settings.h"

/* An event, and what the user's two Python functions (metadata parser, time converter) returned for
 * it. */
struct etc_recorded_event {
	struct etc_str name; /* delegate_debug_id_str; empty: the event is identified by `id` */
	int64_t id;          /* delegate_debug_id_int; -1: none */
	struct etc_str backend;
	uint64_t samples;
	const uint64_t *start, *end;     /* raw ticks of the `samples` samples */
	const struct etc_span *metadata; /* metadata of each sample; NULL: no sample has any */
	/* `parsed`: the metadata parser was called; `raised`: it raised an exception */
	bool parsed, raised;
	/* enum etc_parsed_form of the parser's answer; NONE: the answer was empty */
	uint8_t form;
	/* the values of the parser's answer, all of type JSON, as written in the file */
	const struct etc_datum *values;
	uint32_t value_count;
	const struct etc_datum
		/* converted starts ([0]) and ends ([1]) of the samples, as JSON; NULL: not
		 * recorded */
		*times[2];
};

struct etc_recording {
	uint8_t source, target; /* enum etc_unit */
	const struct etc_recorded_event *events;
	uint32_t count;
};

#endif
