/* recording.h -- recorded answers of the Python callables of an Inspector session.
 *
 * sdk/python/record_parity.py writes them as JSON, formats/etdump/recording.c reads it, `etcore
 * plugins check --level parity` compares a plugin with them. */
#ifndef ETC_MODEL_RECORDING_H
#define ETC_MODEL_RECORDING_H

#include "model/facts.h"
#include "model/settings.h"

/* One event and the answers about it. */
struct etc_recorded_event {
	struct etc_str name; /* delegate_debug_id_str; empty: `id` identifies it */
	int64_t id;          /* delegate_debug_id_int, or -1 */
	struct etc_str backend;
	uint64_t samples;
	const uint64_t *start, *end;     /* `samples` each: raw ticks */
	const struct etc_span *metadata; /* `samples`; NULL: none has any */
	bool parsed, raised;             /* was the parser called; did it raise */
	uint8_t form;                    /* enum etc_parsed_form; NONE: an empty answer */
	const struct etc_datum *values;  /* all of type JSON, as written in the file */
	uint32_t value_count;
	const struct etc_datum
		*times[2]; /* `samples` each, for start and end: JSON; NULL: not recorded */
};

struct etc_recording {
	uint8_t source, target; /* enum etc_unit */
	const struct etc_recorded_event *events;
	uint32_t count;
};

#endif
