/* npz.c -- writes a zip archive of .npy files, as numpy.savez does; see tensor_files.h.
 *
 * Entries are not compressed. The CRC of an entry is written before its data, so every tensor is
 * read twice. Sizes and offsets above 4 GiB are written to zip64 fields (APPNOTE.TXT 4.5.3). */
#include "commands/numeric/tensor_files.h"

#include <zlib.h>

enum {
	LOCAL = 0x04034b50,
	CENTRAL = 0x02014b50,
	END64 = 0x06064b50,
	LOCATOR64 = 0x07064b50,
	END = 0x06054b50,
	DATE = 0x0021 /* 1 January 1980: with a fixed date, equal tensors give equal files */
};

static const uint64_t most32 = UINT32_MAX;

/* Length and CRC-32 of the data that were written. */
struct sum {
	uint32_t crc;
	uint64_t total;
};

static bool add_sum(void *arg, struct etc_str chunk)
{
	struct sum *s = arg;

	s->crc = (uint32_t)crc32_z(s->crc, (const Bytef *)chunk.ptr, chunk.len);
	s->total += chunk.len;
	return true;
}

/* ---- fields --------------------------------------------------------------------------- */

static void put(struct etc_text *out, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		etc_text_char(out, (char)(v >> (8 * i) & 255));
}

static uint64_t clip(uint64_t v)
{
	return v < most32 ? v : most32;
}

struct entry {
	struct etc_str name; /* without ".npy" */
	uint64_t size, at;
	uint32_t crc;
};

/* Writes the fields from "version needed" to the lengths of name and extra field. These fields are
 * the same in the local header and in the central directory. */
static void put_common(struct etc_text *out, const struct entry *e, size_t extra)
{
	put(out, extra ? 45 : 20, 2);
	put(out, 0x0800, 2); /* names are UTF-8 */
	put(out, 0, 2);      /* method "stored": not compressed */
	put(out, 0, 2);
	put(out, DATE, 2);
	put(out, e->crc, 4);
	put(out, clip(e->size), 4);
	put(out, clip(e->size), 4);
	put(out, e->name.len + sizeof ".npy" - 1, 2);
	put(out, extra, 2);
}

static void put_name(struct etc_text *out, const struct entry *e)
{
	etc_text_put(out, e->name);
	etc_text_cstr(out, ".npy");
}

static void put_local(struct etc_text *out, const struct entry *e)
{
	bool large = e->size >= most32;

	put(out, LOCAL, 4);
	put_common(out, e, large ? 20 : 0);
	put_name(out, e);
	if (large) {
		put(out, 1, 2);
		put(out, 16, 2);
		put(out, e->size, 8);
		put(out, e->size, 8);
	}
}

static void put_central(struct etc_text *out, const struct entry *e)
{
	size_t fields = (e->size >= most32 ? 16u : 0u) + (e->at >= most32 ? 8u : 0u);

	put(out, CENTRAL, 4);
	put(out, 45 | 3 << 8, 2); /* made by Unix */
	put_common(out, e, fields ? fields + 4 : 0);
	put(out, 0, 2); /* length of the comment */
	put(out, 0, 2); /* number of the disk */
	put(out, 0, 2); /* internal attributes */
	put(out, (uint64_t)0100644 << 16, 4);
	put(out, clip(e->at), 4);
	put_name(out, e);
	if (fields) {
		put(out, 1, 2);
		put(out, fields, 2);
		if (e->size >= most32) {
			put(out, e->size, 8);
			put(out, e->size, 8);
		}
		if (e->at >= most32)
			put(out, e->at, 8);
	}
}

static void put_end(struct etc_text *out, uint64_t count, uint64_t from, uint64_t bytes)
{
	if (count >= UINT16_MAX || from >= most32 || bytes >= most32) {
		put(out, END64, 4);
		put(out, 44, 8);
		put(out, 45 | 3 << 8, 2);
		put(out, 45, 2);
		put(out, 0, 4);
		put(out, 0, 4);
		put(out, count, 8);
		put(out, count, 8);
		put(out, bytes, 8);
		put(out, from, 8);
		put(out, LOCATOR64, 4);
		put(out, 0, 4);
		put(out, from + bytes, 8);
		put(out, 1, 4);
	}
	put(out, END, 4);
	put(out, 0, 4);
	put(out, count < UINT16_MAX ? count : UINT16_MAX, 2);
	put(out, count < UINT16_MAX ? count : UINT16_MAX, 2);
	put(out, clip(bytes), 4);
	put(out, clip(from), 4);
	put(out, 0, 2);
}

/* ---- the archive ------------------------------------------------------------------------ */

/* Computes size and CRC of a tensor's .npy file, which the header of its entry in the archive
 * contains. Reads all data of the tensor. */
static struct entry measure(const struct etc_export *t, uint64_t at)
{
	struct sum sum = { 0 };
	struct etc_text npy = { .sink = add_sum, .arg = &sum };

	etc_write_npy(t, &npy);
	etc_text_flush(&npy);
	etc_text_release(&npy);
	return (struct entry){ .name = t->name, .size = sum.total, .at = at, .crc = sum.crc };
}

void etc_write_npz(const struct etc_export *tensors, size_t count, struct etc_text *out)
{
	struct etc_text directory = { 0 };
	uint64_t at = 0;

	for (size_t i = 0; i < count && !out->failed; i++) {
		struct entry e = measure(&tensors[i], at);
		uint64_t head = 30 + e.name.len + 4 + (e.size >= most32 ? 20 : 0);

		put_local(out, &e);
		etc_write_npy(&tensors[i], out);
		put_central(&directory, &e);
		at += head + e.size;
	}
	etc_text_put(out, etc_text_str(&directory));
	put_end(out, count, at, directory.len);
	out->failed = out->failed || directory.failed;
	etc_text_release(&directory);
}
