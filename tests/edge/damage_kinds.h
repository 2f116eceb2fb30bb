/* damage_kinds.h -- a reader for each format of file, which hashes what it read. Equal contents
 * have equal hashes. */
#ifndef ETC_EDGE_DAMAGE_KINDS_H
#define ETC_EDGE_DAMAGE_KINDS_H

#include "base/codes.h"
#include "base/span.h"

struct damage_answer {
	bool read;
	/* the code of the error; if the file was read, of the first warning, or ETC_CODE_NONE */
	enum etc_code code;
	uint64_t digest;
};

struct damage_kind {
	const char *name;
	/* Returns whether the file's name and first bytes show that it is of this kind. */
	bool (*is)(const char *path, struct etc_span file);
	/* Reads the file and hashes the result. Aborts if the result breaks a guarantee of the
	 * reader. */
	struct damage_answer (*read)(struct etc_span file);
	/* true: a truncated file must be rejected. False for INI files and debug buffers, since
	 * they do not contain their own length. */
	bool cut_is_refused;
	/* true: checksums cover everything that is read. So a file with a changed byte must give
	 * the same result, a warning about what is missing, or an error. */
	bool checked;
};

/* Returns the kind of a file, found by its path and content; NULL if it is of no kind. */
const struct damage_kind *damage_kind_of(const char *path, struct etc_span file);

/* Opens the dump that tells which tensors are in a debug buffer; needed before one is read. */
void damage_set_dump(const char *path);

#endif
