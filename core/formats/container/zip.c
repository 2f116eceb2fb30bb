/* zip.c -- see zip.h
 *
 * Reads from the end of the file: the end record (perhaps with a zip64 end record before it), then
 * the directory. When an entry is requested, its local header is read, but only to find the start
 * of the data; sizes always come from the directory. The format: APPNOTE.TXT of PKWARE. */
#include "formats/container/zip.h"

#include "base/progress.h"
#include "formats/container/crc32.h"

#include <stdio.h>
#include <zlib.h>

enum {
	END_BYTES = 22,
	END64_BYTES = 56,
	LOCATOR_BYTES = 20,
	CENTRAL_BYTES = 46,
	LOCAL_BYTES = 30,
	VERSION_MAX = 63, /* zipfile.MAX_EXTRACT_VERSION */
	FLAG_ENCRYPTED = 0x0001,
	FLAG_PATCHED = 0x0020,
	FLAG_STRONG = 0x0040,
	STORED = 0,
	DEFLATED = 8,
	EXTRA_ZIP64 = 0x0001
};

/* An entry may inflate to 16 MiB, or to 64 times its packed size if that is more. Packing reduces
 * JSON to between a fifth and a thirtieth of its size, and the content of a zip bomb to a
 * thousandth. */
enum { INFLATE_FREE = 16 << 20, INFLATE_RATIO = 64 };

#define ALL32 0xffffffffU

static uint64_t load(const uint8_t *p, int bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

static uint16_t load16(const uint8_t *p)
{
	return (uint16_t)load(p, 2);
}

static uint32_t load32(const uint8_t *p)
{
	return (uint32_t)load(p, 4);
}

/* Returns the position of the last end record whose comment reaches the end of the file, or
 * SIZE_MAX. Sets `*python` to the position that Python's zipfile would choose: that of an end
 * record without comment at the very end of the file, or, if there is none, the last place where
 * the record's signature occurs. */
static size_t find_end(struct etc_span f, size_t *python)
{
	size_t lowest, at;
	size_t found = SIZE_MAX;

	*python = SIZE_MAX;
	if (f.len < END_BYTES)
		return SIZE_MAX;
	lowest = f.len > END_BYTES + 0x10000 ? f.len - END_BYTES - 0x10000 : 0;
	for (at = f.len - 3; at-- > lowest;) {
		if (f.ptr[at] != 'P' || !etc_span_has(f, at, "PK\005\006", 4))
			continue;
		if (*python == SIZE_MAX)
			*python = at;
		if (etc_fits(f.len, at, END_BYTES) &&
		    load16(f.ptr + at + 20) == f.len - at - END_BYTES) {
			found = at;
			break;
		}
	}
	if (found == f.len - END_BYTES)
		*python = found;
	return found;
}

struct directory {
	uint64_t at, bytes; /* position and size in the file */
	uint64_t shift;     /* bytes in front of the archive */
};

/* Locates the directory, which ends where the end record (or zip64 end record) starts. The end
 * record has the directory's position relative to the start of the archive. If this is smaller than
 * the real position, the difference is the number of bytes before the archive. */
static enum etc_status locate(struct etc_span f, size_t end, struct directory *dir,
                              struct etc_error *err)
{
	uint64_t bytes = load32(f.ptr + end + 12), offset = load32(f.ptr + end + 16);
	size_t top = end;

	if (end >= LOCATOR_BYTES && etc_span_has(f, end - LOCATOR_BYTES, "PK\006\007", 4)) {
		if (load32(f.ptr + end - 16) != 0 || load32(f.ptr + end - 4) > 1)
			return etc_fail_at(err, E0404, end - LOCATOR_BYTES,
			                   "the archive is one part of several");
		if (end >= LOCATOR_BYTES + END64_BYTES &&
		    etc_span_has(f, end - LOCATOR_BYTES - END64_BYTES, "PK\006\006", 4)) {
			top = end - LOCATOR_BYTES - END64_BYTES;
			bytes = load(f.ptr + top + 40, 8);
			offset = load(f.ptr + top + 48, 8);
		}
	}
	if (bytes > top || offset > top - bytes)
		return etc_fail_at(
			err, E0404, end,
			"the end record places a directory of %llu bytes at %llu, before "
			"it are %zu bytes",
			(unsigned long long)bytes, (unsigned long long)offset, top);
	dir->bytes = bytes;
	dir->at = top - bytes;
	dir->shift = dir->at - offset;
	return ETC_OK;
}

/* Replaces size, packed size and offset, in this order, by the 64-bit values of the extra field
 * where the directory has 0xffffffff. False: the extra field is damaged. */
static bool widen(struct etc_zip_entry *e, const uint8_t *extra, size_t len)
{
	uint64_t *const fields[] = { &e->size, &e->packed, &e->at };

	while (len >= 4) {
		size_t n = load16(extra + 2), used = 0;

		if (n > len - 4)
			return false;
		if (load16(extra) == EXTRA_ZIP64)
			for (size_t i = 0; i < 3; i++) {
				if (*fields[i] != ALL32)
					continue;
				if (!etc_fits(n, used, 8))
					return false;
				*fields[i] = load(extra + 4 + used, 8);
				used += 8;
			}
		extra += n + 4;
		len -= n + 4;
	}
	return true;
}

/* Reads the entry of the zip's directory at `at`, and sets `*next` to the position after it. */
static enum etc_status read_central(struct etc_zip *zip, const struct directory *dir, size_t at,
                                    struct etc_zip_entry *e, size_t *next, struct etc_error *err)
{
	const uint8_t *p = zip->file.ptr + at;
	size_t left = (size_t)(dir->at + dir->bytes) - at, name, extra, comment;
	const void *nul;

	if (left < CENTRAL_BYTES || memcmp(p, "PK\001\002", 4) != 0)
		return etc_fail_at(err, E0404, at, "no directory record here");
	name = load16(p + 28);
	extra = load16(p + 30);
	comment = load16(p + 32);
	if (left - CENTRAL_BYTES < name + extra + comment)
		return etc_fail_at(err, E0404, at, "a directory record passes the directory's end");
	if (load16(p + 6) > VERSION_MAX)
		zip->python_refuses = "an entry needs a later zip version";
	e->flags = load16(p + 8);
	e->method = load16(p + 10);
	e->crc = load32(p + 16);
	e->packed = load32(p + 20);
	e->size = load32(p + 24);
	e->at = load32(p + 42);
	e->raw_name = (struct etc_str){ (const char *)p + CENTRAL_BYTES, name };
	e->name = e->raw_name;
	nul = memchr(p + CENTRAL_BYTES, 0, name);
	if (nul)
		e->name.len = (size_t)((const uint8_t *)nul - p) - CENTRAL_BYTES;
	if (!widen(e, p + CENTRAL_BYTES + name, extra))
		return etc_fail_at(err, E0404, at, "entry '" ETC_STR_FMT "': damaged extra field",
		                   ETC_STR_ARG(e->name));
	e->at = e->at > UINT64_MAX - dir->shift ? UINT64_MAX : e->at + dir->shift;
	*next = at + CENTRAL_BYTES + name + extra + comment;
	return ETC_OK;
}

static enum etc_status add(struct etc_zip *zip, struct etc_zip_entry e, struct etc_error *err)
{
	size_t place = etc_map_add(&zip->index, e.name, zip->count);

	if (place == ETC_MAP_NONE)
		return etc_no_memory(err);
	if (place != zip->count) {
		if (zip->duplicates++ == 0)
			zip->duplicate = e.name;
		if (zip->first_wins)
			return ETC_OK;
	} else {
		zip->count++;
	}
	zip->entries[place] = e;
	return ETC_OK;
}

static enum etc_status read_directory(struct etc_zip *zip, const struct directory *dir,
                                      struct etc_arena *arena, struct etc_error *err)
{
	const size_t end = (size_t)(dir->at + dir->bytes);
	struct etc_zip_entry e = { 0 };
	size_t count = 0;

	for (size_t at = (size_t)dir->at; at < end; count++)
		ETC_TRY(read_central(zip, dir, at, &e, &at, err));
	zip->entries = etc_new(arena, struct etc_zip_entry, count);
	ETC_NEED(zip->entries, err);
	for (size_t at = (size_t)dir->at; at < end;) {
		ETC_TRY(read_central(zip, dir, at, &e, &at, err));
		ETC_TRY(add(zip, e, err));
	}
	return ETC_OK;
}

static enum etc_status open_zip(struct etc_span file, bool first_wins, struct etc_arena *arena,
                                struct etc_zip *zip, struct etc_error *err)
{
	struct directory dir = { 0 };
	size_t end, python;

	*zip = (struct etc_zip){ .file = file, .first_wins = first_wins };
	etc_map_init(&zip->index, arena);
	end = find_end(file, &python);
	if (end == SIZE_MAX && etc_span_has(file, 0, "PK\003\004", 4))
		return etc_fail_at(err, E0403, file.len,
		                   "the archive has no end record; it was cut off at %zu bytes",
		                   file.len);
	if (end == SIZE_MAX)
		return etc_fail(err, E0401, "expected a zip archive, found %s",
		                file.len ? "other bytes" : "an empty file");
	if (python != end)
		zip->python_refuses = "its comment holds the signature of an end record";
	ETC_TRY(locate(file, end, &dir, err));
	return read_directory(zip, &dir, arena, err);
}

enum etc_status etc_zip_open(struct etc_span file, struct etc_arena *arena, struct etc_zip *zip,
                             struct etc_error *err)
{
	return open_zip(file, false, arena, zip, err);
}

enum etc_status etc_zip_open_first(struct etc_span file, struct etc_arena *arena,
                                   struct etc_zip *zip, struct etc_error *err)
{
	return open_zip(file, true, arena, zip, err);
}

const struct etc_zip_entry *etc_zip_find(const struct etc_zip *zip, struct etc_str name)
{
	size_t i = etc_map_get(&zip->index, name);

	return i == ETC_MAP_NONE ? NULL : &zip->entries[i];
}

/* Checks the local header against the directory and finds the packed bytes. */
static enum etc_status find_data(const struct etc_zip *zip, const struct etc_zip_entry *e,
                                 struct etc_span *packed, struct etc_error *err)
{
	const struct etc_span f = zip->file;
	size_t at = e->at < f.len ? (size_t)e->at : f.len, skip;

	if (!etc_fits(f.len, at, LOCAL_BYTES))
		return etc_fail_at(err, E0404, at,
		                   "entry '" ETC_STR_FMT "' starts at %llu, the file has %zu bytes",
		                   ETC_STR_ARG(e->name), (unsigned long long)e->at, f.len);
	if (!etc_span_has(f, at, "PK\003\004", 4))
		return etc_fail_at(err, E0404, at, "entry '" ETC_STR_FMT "': no local header here",
		                   ETC_STR_ARG(e->name));
	skip = LOCAL_BYTES + (size_t)load16(f.ptr + at + 26) + load16(f.ptr + at + 28);
	if (load16(f.ptr + at + 26) != e->raw_name.len ||
	    !etc_fits(f.len, at + LOCAL_BYTES, e->raw_name.len) ||
	    memcmp(f.ptr + at + LOCAL_BYTES, e->raw_name.ptr, e->raw_name.len) != 0)
		return etc_fail_at(err, E0404, at,
		                   "entry '" ETC_STR_FMT "' has another name in its local header",
		                   ETC_STR_ARG(e->name));
	if (!etc_fits(f.len, at, skip) || e->packed > f.len - at - skip)
		return etc_fail_at(err, E0404, at,
		                   "entry '" ETC_STR_FMT
		                   "' has %llu bytes and passes the file's end",
		                   ETC_STR_ARG(e->name), (unsigned long long)e->packed);
	packed->ptr = f.ptr + at + skip;
	packed->len = (size_t)e->packed;
	return ETC_OK;
}

enum etc_status etc_zip_check(const struct etc_zip *zip, const struct etc_zip_entry *e,
                              struct etc_error *err)
{
	struct etc_span packed;

	return find_data(zip, e, &packed, err);
}

/* Decompresses `in` piece by piece, since zlib's uInt counts only to 4 GiB. */
static int inflate_all(z_stream *z, struct etc_str name, struct etc_span in, uint8_t *to,
                       size_t room, size_t *got)
{
	const size_t piece = etc_progress_on ? (size_t)1 << 24 : (size_t)1 << 30;
	char shown[64];
	size_t read = 0, wrote = 0;
	int r = Z_OK;

	snprintf(shown, sizeof shown, ETC_STR_FMT, ETC_STR_ARG(name));
	while (r == Z_OK && wrote < room) {
		uInt n = (uInt)(in.len - read < piece ? in.len - read : piece);
		uInt m = (uInt)(room - wrote < piece ? room - wrote : piece);

		z->next_in = (z_const Bytef *)(uintptr_t)(in.ptr + read);
		z->avail_in = n;
		z->next_out = to + wrote;
		z->avail_out = m;
		r = inflate(z, Z_NO_FLUSH);
		read += n - z->avail_in;
		wrote += m - z->avail_out;
		etc_progress("unpacking", shown, read, in.len);
	}
	*got = wrote;
	return r;
}

static enum etc_status unpack(const struct etc_zip_entry *e, struct etc_span packed, size_t limit,
                              struct etc_arena *arena, struct etc_zip_data *out,
                              struct etc_error *err)
{
	enum { ROOM = 64 }; /* zeroed bytes after the data, for readers that look ahead */
	uint64_t allowed =
		packed.len < UINT64_MAX / INFLATE_RATIO ? packed.len * INFLATE_RATIO : UINT64_MAX;
	size_t size = limit && limit < e->size ? limit : (size_t)e->size;
	z_stream z = { 0 };
	uint8_t *to;
	int r;

	if (size > INFLATE_FREE && size > allowed)
		return etc_fail_at(err, E0407, (size_t)e->at,
		                   "entry '" ETC_STR_FMT
		                   "' would inflate from %zu to %zu bytes, more than %d times",
		                   ETC_STR_ARG(e->name), packed.len, size, INFLATE_RATIO);
	to = size <= SIZE_MAX - ROOM ? etc_new(arena, uint8_t, size + ROOM) : NULL;
	if (!to)
		return etc_fail_at(err, E0905, (size_t)e->at,
		                   "entry '" ETC_STR_FMT "' needs %zu bytes", ETC_STR_ARG(e->name),
		                   size);
	if (inflateInit2(&z, -15) != Z_OK)
		return etc_no_memory(err);
	r = inflate_all(&z, e->name, packed, to, size, &out->bytes.len);
	inflateEnd(&z);
	if (r == Z_MEM_ERROR)
		return etc_no_memory(err);
	if (r != Z_OK && r != Z_STREAM_END)
		return etc_fail_at(err, E0404, (size_t)e->at,
		                   "entry '" ETC_STR_FMT "': damaged deflate data after %zu bytes",
		                   ETC_STR_ARG(e->name), out->bytes.len);
	out->bytes.ptr = to;
	out->room = size + ROOM - out->bytes.len;
	return ETC_OK;
}

static uint32_t crc_of(struct etc_span b)
{
	uint32_t crc = 0;
	size_t done = etc_crc32_most(&crc, b);

	return (uint32_t)crc32_z(crc, b.ptr + done, b.len - done);
}

enum etc_status etc_zip_read(const struct etc_zip *zip, const struct etc_zip_entry *e, size_t limit,
                             struct etc_arena *arena, struct etc_zip_data *out,
                             struct etc_error *err)
{
	struct etc_span packed;

	*out = (struct etc_zip_data){ 0 };
	ETC_TRY(find_data(zip, e, &packed, err));
	if (e->flags & (FLAG_ENCRYPTED | FLAG_PATCHED | FLAG_STRONG))
		return etc_fail_at(err, E0405, (size_t)e->at, "entry '" ETC_STR_FMT "' is %s",
		                   ETC_STR_ARG(e->name),
		                   e->flags & FLAG_PATCHED ? "patched data" : "encrypted");
	if (e->method == STORED) {
		out->bytes = packed;
		if (out->bytes.len > e->size)
			out->bytes.len = (size_t)e->size;
		if (limit && out->bytes.len > limit)
			out->bytes.len = limit;
		out->room =
			zip->file.len - (size_t)(out->bytes.ptr - zip->file.ptr) - out->bytes.len;
	} else if (e->method == DEFLATED) {
		ETC_TRY(unpack(e, packed, limit, arena, out, err));
	} else {
		return etc_fail_at(err, E0405, (size_t)e->at,
		                   "entry '" ETC_STR_FMT "' is compressed with method %u",
		                   ETC_STR_ARG(e->name), e->method);
	}
	if (limit == 0 && crc_of(out->bytes) != e->crc)
		return etc_fail_at(
			err, E0404, (size_t)e->at,
			"entry '" ETC_STR_FMT "': the CRC is %08x, the directory says %08x",
			ETC_STR_ARG(e->name), (unsigned)crc_of(out->bytes), (unsigned)e->crc);
	return ETC_OK;
}
