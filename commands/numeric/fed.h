/* fed.h -- what a run was given, as far as files tell.
 *
 * Kernels log nothing of what they take; a delegate that is the first to log anything in a
 * run logs what it was given: inputs of the model, and perhaps constants. Records have
 * representative inputs, bundled programs those of each test case. */
#ifndef ETC_API_FED_H
#define ETC_API_FED_H

#include "commands/numeric/operand.h"

struct etc_fed {
	struct etc_operand *v;
	uint32_t count; /* 0: nothing tells */
};

/* Of the run whose values begin at `from` in the list. E0904. */
enum etc_status etc_fed_run(const struct etc_inputs *in, const struct etc_logged_list *list,
                            size_t from, struct etc_arena *arena, struct etc_fed *out,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Representative inputs of the method in a record that was read with its values. E0904. */
enum etc_status etc_fed_record(const struct etc_record *record, struct etc_str method,
                               struct etc_arena *arena, struct etc_fed *out,
                               struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_fed_case(const struct etc_bundled_case *test, struct etc_arena *arena,
                             struct etc_fed *out, struct etc_error *err) ETC_MUST_CHECK;

enum etc_fed_answer {
	ETC_FED_UNKNOWN,
	ETC_FED_SAME, /* all values that either side has */
	ETC_FED_OTHER /* more than preparing one sample twice makes */
};

/* One may have more than inputs, so values of one shape and type count only where both have
 * as many; in any order. */
uint8_t etc_fed_compare(const struct etc_fed *a, const struct etc_fed *b);

#endif
