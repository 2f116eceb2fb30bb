/* logged.h -- lists every value that the runs of a dump logged, with its place in the
 * program and its elements, for `etcore numeric`. */
#ifndef ETC_API_LOGGED_H
#define ETC_API_LOGGED_H

#include "context/inputs.h"
#include "join/logged.h"
#include "tensor/element.h"

/* One tensor or scalar; each tensor of a list is one. */
struct etc_logged {
	uint32_t run, event;               /* index in the trace, and in the run's events */
	const struct etc_logged_event *of; /* never NULL */
	const struct etc_value *value;     /* never NULL */
	uint8_t what;                      /* enum etc_logged_what */
	/* index in a list, or of an OUTPUT among the outputs of its run; else -1 */
	int32_t item;
	struct etc_str method;           /* or empty: not known */
	const struct etc_tensor *tensor; /* NULL: a scalar, or nothing */
	bool readable;                   /* `elements` is filled */
	/* why there is no content; 0: it is a scalar, or there is no buffer */
	enum etc_code problem;
	struct etc_elements elements;
};

struct etc_logged_list {
	struct etc_logged *v;
	size_t count;
};

/* Lists all values in file order. Without `buffer` no elements can be read. Names come
 * from the record and the program of `in`, if it has them. Memory is the arena's. E0904. */
enum etc_status etc_logged_list(const struct etc_inputs *in, const struct etc_span *buffer,
                                struct etc_arena *arena, struct etc_logged_list *out,
                                struct etc_error *err) ETC_MUST_CHECK;

#endif
