/* fed.h -- finds the inputs of a run, as far as files contain them.
 *
 * Kernels do not log their inputs, but delegates do. So the inputs of a run are taken from the
 * arguments of its first delegate. The program says which of these arguments are inputs of the
 * model. Without a program, the arguments are used only if no kernel logged a value before the
 * delegate. Then each input of the delegate is an input of the model or a constant.
 * Records have representative inputs, and bundled programs have the inputs of each test case. */
#ifndef ETC_COMMANDS_NUMERIC_FED_H
#define ETC_COMMANDS_NUMERIC_FED_H

#include "commands/numeric/operand.h"

struct etc_fed {
	struct etc_operand *v;
	uint32_t count; /* 0: no file contains the inputs */
	/* the program says that the method has more inputs than are in `v`; false also if no
	 * program says so */
	bool partial;
};

/* Finds the inputs of the run whose values begin at index `from` of the list. E0904. */
enum etc_status etc_fed_run(const struct etc_inputs *in, const struct etc_logged_list *list,
                            size_t from, struct etc_arena *arena, struct etc_fed *out,
                            struct etc_error *err) ETC_MUST_CHECK;

/* Finds the inputs of a method in `inputs`, the representative or example inputs of a record. Finds
 * none unless the method has exactly one test case. E0904. */
enum etc_status etc_fed_record(const struct etc_record_blob *inputs, struct etc_str method,
                               struct etc_arena *arena, struct etc_fed *out,
                               struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_fed_case(const struct etc_bundled_case *test, struct etc_arena *arena,
                             struct etc_fed *out, struct etc_error *err) ETC_MUST_CHECK;

enum etc_fed_answer {
	ETC_FED_UNKNOWN,
	/* both sides have equally many values, and each value equals a value of the other side */
	ETC_FED_SAME,
	/* as SAME, but some values differ slightly, as they do if one sample was preprocessed in
	 * two different ways */
	ETC_FED_NEAR,
	/* the inputs differ by more than different preprocessing of one sample explains */
	ETC_FED_OTHER
};

/* Compares the inputs of two sides, in any order. Returns an enum etc_fed_answer. Without a
 * program, the list of a side may contain constants, too. Therefore values of one shape and type
 * are compared only if both sides have equally many of them. */
uint8_t etc_fed_compare(const struct etc_fed *a, const struct etc_fed *b);

/* Returns the largest absolute value in all inputs of floating-point type; infinity if no input is
 * known. */
double etc_fed_most(const struct etc_fed *f);

#endif
