/* fed.h -- finds the inputs of a run, if a file contains them.
 *
 * There are three kinds of files. (1) A dump: kernels do not log their inputs, but delegates do, so
 * the inputs of a run are taken from the arguments of its first delegate. The program says which of
 * these arguments are inputs of the model. Without a program, the arguments are used only if no
 * kernel logged a value before the delegate; then each of them is an input of the model, or a
 * constant. (2) A record, which has representative inputs. (3) A bundled program, which has the
 * inputs of each test case. */
#ifndef ETC_COMMANDS_NUMERIC_FED_H
#define ETC_COMMANDS_NUMERIC_FED_H

#include "commands/numeric/operand.h"

struct etc_fed {
	struct etc_operand *v;
	uint32_t count; /* 0: no file contains the inputs */
	/* the method has more inputs than are in `v`, according to the program; false if there is
	 * no program */
	bool partial;
};

/* Finds the inputs of a run. `from` is the index in `list` of the first value that the run
 * logged. E0904. */
enum etc_status etc_fed_run(const struct etc_inputs *in, const struct etc_logged_list *list,
                            size_t from, struct etc_arena *arena, struct etc_fed *out,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Finds the inputs of a method in `inputs`, the representative or example inputs of a record. Finds
 * inputs only if the method has exactly one test case. E0904. */
enum etc_status etc_fed_record(const struct etc_record_blob *inputs, struct etc_str method,
                               struct etc_arena *arena, struct etc_fed *out,
                               struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_fed_case(const struct etc_bundled_case *test, struct etc_arena *arena,
                             struct etc_fed *out, struct etc_error *err) ETC_MUST_CHECK;

enum etc_fed_answer {
	ETC_FED_UNKNOWN,
	/* both sides have the same number of values, and each value of one side equals a value of
	 * the other side */
	ETC_FED_SAME,
	/* as SAME, but some values differ slightly. This happens if both were made from the same
	 * data, such as one picture, by different preprocessing */
	ETC_FED_NEAR,
	/* the inputs differ by more than different preprocessing of the same data would cause */
	ETC_FED_OTHER
};

/* Compares the inputs of two sides, in any order. Returns an enum etc_fed_answer. Without a
 * program, the inputs of a side may include constants. Therefore values of one shape and type are
 * compared only if both sides have the same number of values of this shape and type. */
uint8_t etc_fed_compare(const struct etc_fed *a, const struct etc_fed *b);

/* Returns the largest absolute value in all inputs of floating-point type; infinity if the inputs
 * are unknown. */
double etc_fed_most(const struct etc_fed *f);

#endif
