/* dump.h -- reads ETDumps in tests. The bytes are in a block of exactly their size, so that
 * AddressSanitizer detects a read past their end. */
#ifndef ETC_UNIT_DUMP_H
#define ETC_UNIT_DUMP_H

#include "unit.h"

#include "formats/etdump/etdump.h"

struct dump {
	uint8_t *bytes;
	size_t len;
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_trace trace;
	struct etc_error err;
};

/* Copies the bytes to a block of their size, and reads the copy. */
static inline enum etc_status dump_bytes(struct dump *d, const void *bytes, size_t len)
{
	*d = (struct dump){ .len = len };
	d->bytes = malloc(len ? len : 1);
	assert_non_null(d->bytes);
	if (len)
		memcpy(d->bytes, bytes, len);
	etc_arena_init(&d->arena, ((size_t)64 << 20) + 8 * len);
	etc_notes_init(&d->notes, &d->arena);
	return etc_etdump_read((struct etc_span){ d->bytes, len }, NULL, &d->arena, &d->notes,
	                       &d->trace, &d->err);
}

static inline void dump_release(struct dump *d)
{
	etc_arena_release(&d->arena);
	free(d->bytes);
}

/* Returns the bytes of a file, which the caller frees. */
static inline uint8_t *file_bytes(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes;
	long size;

	if (!f)
		fail_msg("cannot open %s", path);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = malloc(size > 0 ? (size_t)size : 1);
	assert_non_null(bytes);
	*len = fread(bytes, 1, (size_t)size, f);
	assert_int_equal(*len, (size_t)size);
	fclose(f);
	return bytes;
}

static inline enum etc_status dump_file(struct dump *d, const char *path)
{
	size_t len;
	uint8_t *bytes = file_bytes(path, &len);
	enum etc_status status = dump_bytes(d, bytes, len);

	free(bytes);
	return status;
}

static inline bool dump_has(const struct dump *d, enum etc_code code)
{
	for (const struct etc_note *n = d->notes.first; n; n = n->next)
		if (n->code == code)
			return true;
	return false;
}

#endif
