/* bundled.h -- a BundledProgram (.bpte): a program with test inputs and the eager model's
 * outputs for them.
 *
 * formats/program/bundled.c makes it; text, numbers and data are views into the mapped file.
 * Source: devtools/bundled_program/schema/bundled_program_schema.fbs of pytorch/executorch. */
#ifndef ETC_MODEL_BUNDLED_H
#define ETC_MODEL_BUNDLED_H

#include "model/evalue.h"

/* The kinds of values: the numbers of the members of the schema's union ValueUnion (Value.val). */
enum etc_bundled_kind {
	ETC_BUNDLED_NONE, /* no value, or one of a kind that only a newer schema has */
	ETC_BUNDLED_TENSOR,
	ETC_BUNDLED_INT,
	ETC_BUNDLED_BOOL,
	ETC_BUNDLED_DOUBLE,
	ETC_BUNDLED_KINDS
};

/* The schema's table Value. The elements of a tensor are stored without gaps; `dim_order` lists its
 * dimensions from the outermost to the innermost. */
struct etc_bundled_value {
	uint8_t kind; /* enum etc_bundled_kind */
	int8_t scalar_type;
	struct etc_numbers sizes; /* sizes of a tensor: non-negative integers of 32 bits */
	struct etc_span dim_order, data;
	int64_t integer; /* the value of an INT or BOOL */
	double number;
};

/* A test case: the schema's table BundledMethodTestCase. */
struct etc_bundled_case {
	/* `outputs`: the field expected_outputs of that table */
	const struct etc_bundled_value *inputs, *outputs;
	uint32_t input_count, output_count;
};

/* The test cases of one method: the schema's table BundledMethodTestSuite. */
struct etc_bundled_suite {
	struct etc_str method;
	const struct etc_bundled_case *cases;
	uint32_t case_count;
};

/* The file: the schema's table BundledProgram. */
struct etc_bundled_program {
	uint32_t version;
	const struct etc_bundled_suite *suites;
	uint32_t suite_count;
	struct etc_span program; /* the program itself: the bytes of a .pte file */
};

#endif
