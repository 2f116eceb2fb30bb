/* operand.h -- an operand is one side of a comparison: a value that a run logged, or a reference
 * output of an ETRecord or BundledProgram. */
#ifndef ETC_COMMANDS_NUMERIC_OPERAND_H
#define ETC_COMMANDS_NUMERIC_OPERAND_H

#include "commands/numeric/logged.h"
#include "model/bundled.h"
#include "model/reference.h"
#include "tensor/difference.h"

struct etc_operand {
	struct etc_elements e;
	/* type of the elements, such as "float32"; for a single number "int", "bool" or "float" */
	const char *type;
	const char *why; /* why the value cannot be compared; NULL: it can be compared */
};

/* These functions make an operand from a logged value, from a value of an ETRecord, and from a
 * value of a BundledProgram. The operand is in the arena. E0904. */
enum etc_status etc_operand_of_logged(const struct etc_logged *g, struct etc_arena *arena,
                                      struct etc_operand *out,
                                      struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_operand_of_reference(const struct etc_ref_value *v, struct etc_arena *arena,
                                         struct etc_operand *out,
                                         struct etc_error *err) ETC_MUST_CHECK;
enum etc_status etc_operand_of_bundled(const struct etc_bundled_value *v, struct etc_arena *arena,
                                       struct etc_operand *out,
                                       struct etc_error *err) ETC_MUST_CHECK;

/* Returns the shape as text, such as "[2, 3]". `ptr` is NULL if out of memory. */
struct etc_str etc_operand_shape(const struct etc_operand *o, struct etc_arena *arena);

/* Was the value logged inside a method, so that it is neither an input nor an output of the
 * method? */
static inline bool etc_logged_is_intermediate(const struct etc_logged *l)
{
	return l->what == ETC_LOGGED_OPERATOR || l->what == ETC_LOGGED_ARGUMENT ||
	       l->what == ETC_LOGGED_DELEGATE;
}

#endif
