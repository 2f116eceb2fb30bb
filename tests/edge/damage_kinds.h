/* damage_kinds.h -- reads a file and hashes the result, for each format. Equal results have equal
 * hashes. */
#ifndef ETC_EDGE_DAMAGE_KINDS_H
#define ETC_EDGE_DAMAGE_KINDS_H

#include "base/codes.h"
#include "base/span.h"

struct damage_answer {
	bool read;
	/* code of the error; if the file was read: of the first warning, or ETC_CODE_NONE */
	enum etc_code code;
	uint64_t digest;
};

struct damage_kind {
	const char *name;
	/* Does the file's name and beginning show that it is of this kind? */
	bool (*is)(const char *path, struct etc_span file);
	/* Aborts if the result breaks a guarantee of the reader. */
	struct damage_answer (*read)(struct etc_span file);
	/* every truncated file is rejected; false for text, whose end cannot be detected */
	bool cut_is_refused;
	/* A checksum covers everything that is read. So after a change of any byte the result is
	 * the same, a warning says what is missing, or the file is rejected. */
	bool checked;
};

/* Finds the kind by path and content; NULL if none fits. */
const struct damage_kind *damage_kind_of(const char *path, struct etc_span file);

/* Sets the dump whose tensors are read from a debug buffer. */
void damage_set_dump(const char *path);

#endif
