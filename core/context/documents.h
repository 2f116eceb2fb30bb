/* documents.h -- `-o FORM[=PATH]` for questions whose answer is a document of
 * its own forms, not a table (output.h). */
#ifndef ETC_API_DOCUMENTS_H
#define ETC_API_DOCUMENTS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/* A form: writes all of `what`, which is complete and cannot fail any more. */
struct etc_form {
	const char *name;
	void (*write)(void *what, struct etc_text *out);
};

/* One -o FORM[=PATH]. */
struct etc_document {
	const struct etc_form *form;
	const char *path; /* NULL: standard output */
};

struct etc_documents {
	struct etc_document *v;
	uint32_t count;
};

/* E0501 when two of the options -o FORM=PATH name one file: each would replace what the other
 * wrote. Devices may be named as often as one likes. */
enum etc_status etc_outputs_apart(const char *const *options, uint32_t count,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Parses the options; none: the first form to standard output. `forms` ends with
 * a zeroed one. Unknown forms are E0505, two for standard output E0501. E0904. */
enum etc_status etc_documents_parse(struct etc_documents *d, const struct etc_form *forms,
                                    const char *const *options, uint32_t count,
                                    struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

/* Files first, then standard output into `out`: nothing is printed when a file
 * cannot be written. Text flows through a small buffer, so an answer may be
 * larger than memory. E0902, E0903, E0904. */
enum etc_status etc_documents_write(const struct etc_documents *d, void *what, struct etc_text *out,
                                    struct etc_error *err) ETC_MUST_CHECK;

#endif
