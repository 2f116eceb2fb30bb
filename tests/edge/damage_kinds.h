/* damage_kinds.h -- what a reader made of a file, as one number: equal answers, equal
 * numbers. A kind per format. */
#ifndef ETC_EDGE_DAMAGE_KINDS_H
#define ETC_EDGE_DAMAGE_KINDS_H

#include "base/codes.h"
#include "base/span.h"

struct damage_answer {
	bool read;
	enum etc_code code; /* of the error; read: of the first warning, or ETC_CODE_NONE */
	uint64_t digest;
};

struct damage_kind {
	const char *name;
	/* Is it a file of this kind? By its name and its first bytes. */
	bool (*is)(const char *path, struct etc_span file);
	/* Aborts when the answer breaks a promise of the reader. */
	struct damage_answer (*read)(struct etc_span file);
	bool cut_is_refused; /* every shorter file is; text has no end that could miss */
	/* The format has a checksum over all that is read: whatever byte was changed, an
	 * answer is the same, or a warning says what is missing, or there is none. */
	bool checked;
};

/* By path and content; NULL for none of them. */
const struct damage_kind *damage_kind_of(const char *path, struct etc_span file);

/* A debug buffer is read with the tensors of this dump. */
void damage_set_dump(const char *path);

#endif
