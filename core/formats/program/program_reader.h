/* program_reader.h -- private to the program reader. program.c finds the parts, program_method.c
 * reads methods, program_values.c and program_data.c read the parts that only
 * etc_program_read_whole() returns. The readers of other files of the exporter (bundled.c,
 * tensor_file.c) use etc_program_check() and etc_program_list(). */
#ifndef ETC_FORMATS_PROGRAM_PROGRAM_READER_H
#define ETC_FORMATS_PROGRAM_PROGRAM_READER_H

#include "formats/container/flatbuf.h"
#include "formats/program/program.h"

enum etc_program_table {
	TABLE_PROGRAM,
	TABLE_PLAN,
	TABLE_CHAIN,
	TABLE_INSTRUCTION,
	TABLE_ARGS,
	TABLE_OPERATOR,
	TABLE_DELEGATE,
	TABLE_REFERENCE,
	TABLE_INLINE,
	TABLE_SEGMENT,
	TABLE_VALUE,
	TABLE_VALUE1, /* tables of the union EValue that have one field, of 1, 4 or 8 bytes */
	TABLE_VALUE4,
	TABLE_VALUE8,
	TABLE_TENSOR,
	TABLE_ALLOCATION,
	TABLE_EXTRA,
	TABLE_CONTAINER,
	TABLE_DEVICE,
	TABLE_SPEC,
	TABLE_FRAMES,
	TABLE_FRAME,
	TABLE_SUBSEGMENTS,
	TABLE_NAMED,
	TABLE_TYPES
};

struct etc_program_reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	struct etc_arena *arena;
	struct etc_program *out;
	struct etc_span file;
	struct etc_fb_vec inlines, segments;
	/* The remaining members are those of the method that is read now. */
	struct etc_fb_vec values;
	struct etc_program_delegate *delegates;
	bool whole;
};

/* Fails with the first fault of the FlatBuffer: E0433, E0434. */
enum etc_status etc_program_check(const struct etc_fb *fb, struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*v` to the vector of tables in a field. Counts one visit per table; the number of visits is
 * limited (flatbuf.h). */
enum etc_status etc_program_list(struct etc_fb *fb, struct etc_fb_table t, unsigned field,
                                 struct etc_fb_vec *v, struct etc_error *err) ETC_MUST_CHECK;

/* etc_program_numbers() sets `*out` to a vector of numbers of `width` bytes. etc_program_indices()
 * sets it to a vector of indices of the method's values, and checks that each value exists; with
 * `or_none`, the index -1 is also allowed. */
enum etc_status etc_program_numbers(struct etc_program_reader *r, struct etc_fb_table t,
                                    unsigned field, size_t width, struct etc_numbers *out,
                                    struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_program_indices(struct etc_program_reader *r, struct etc_fb_table t,
                                    unsigned field, bool or_none, struct etc_numbers *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

static inline struct etc_fb_table etc_program_element(struct etc_program_reader *r,
                                                      enum etc_program_table type,
                                                      struct etc_fb_vec v, size_t i)
{
	return etc_fb_element(&r->fb, &r->layouts[type], v, i);
}

static inline struct etc_fb_table etc_program_sub(struct etc_program_reader *r,
                                                  enum etc_program_table type,
                                                  struct etc_fb_table t, unsigned field)
{
	return etc_fb_sub(&r->fb, &r->layouts[type], t, field);
}

/* Reads an ExecutionPlan into `*m` (program_method.c). */
enum etc_status etc_program_read_method(struct etc_program_reader *r, struct etc_fb_table t,
                                        struct etc_program_method *m,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Both functions are in program_values.c. etc_program_read_values() reads values, outputs and
 * planned memory. etc_program_read_dynamism() sets `*dynamic` to true if a tensor of dynamic shape
 * is among `args`; else leaves it unchanged. */
enum etc_status etc_program_read_dynamism(struct etc_program_reader *r, struct etc_numbers args,
                                          bool *dynamic, struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_program_read_values(struct etc_program_reader *r, struct etc_fb_table plan,
                                        struct etc_program_method *m,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Reads constants, mutable segments, named and inline data (program_data.c). */
enum etc_status etc_program_read_data(struct etc_program_reader *r, struct etc_fb_table root,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
