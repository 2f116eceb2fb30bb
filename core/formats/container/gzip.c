/* gzip.c -- see gzip.h */
#include "formats/container/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/memory.h"

enum { FREE = 16 << 20, RATIO = 64, PIECE = 1 << 30, PACKED = 64 << 10, GZIP = 15 + 16 };

bool etc_gzip_is(struct etc_span b)
{
	return b.len > 2 && b.ptr[0] == 0x1f && b.ptr[1] == 0x8b && b.ptr[2] == 8;
}

const char *etc_packed_kind(struct etc_span b)
{
	static const struct {
		size_t at, len;
		const char *magic, *kind;
	} kinds[] = {
		{ 0, 2, "\x1f\x8b", "gzip" },
		{ 0, 6,
		  "\xfd"
		  "7zXZ\0",
		  "xz" },
		{ 0, 4, "\x28\xb5\x2f\xfd", "zstd" },
		{ 0, 3, "BZh", "bzip2" },
		{ 0, 4, "\x04\x22\x4d\x18", "lz4" },
		{ 0, 6, "7z\xbc\xaf\x27\x1c", "7z" },
		{ 257, 5, "ustar", "tar" },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (etc_span_has(b, kinds[i].at, kinds[i].magic, kinds[i].len))
			return kinds[i].kind;
	return NULL;
}

/* State of the decompression of one file. */
struct unpacking {
	z_stream z;
	struct etc_span in;
	/* read: number of bytes of `in` that were read; most: largest size of the content */
	size_t read, most;
	uint8_t *bytes;
	size_t room, used;
};

static enum etc_status grow(struct unpacking *u, struct etc_error *err)
{
	size_t room = u->room ? u->room * 2 : 1 << 16;
	uint8_t *more;

	/* allow one byte more than the limit, to detect content that exceeds it */
	room = room > u->most ? u->most + 1 : room;
	more = etc_realloc(u->bytes, room);
	ETC_NEED(more, err);
	u->bytes = more;
	u->room = room;
	return ETC_OK;
}

/* Calls inflate() once, with at most 1 GiB of input and of output, because zlib's counters have 32
 * bits. */
static int step(struct unpacking *u)
{
	size_t in = u->in.len - u->read, out = u->room - u->used;
	uInt n = (uInt)(in < PIECE ? in : PIECE), m = (uInt)(out < PIECE ? out : PIECE);
	int r;

	u->z.next_in = (z_const Bytef *)(uintptr_t)(u->in.ptr + u->read);
	u->z.avail_in = n;
	u->z.next_out = u->bytes + u->used;
	u->z.avail_out = m;
	r = inflate(&u->z, Z_NO_FLUSH);
	u->read += n - u->z.avail_in;
	u->used += m - u->z.avail_out;
	return r;
}

/* Are all bytes zero? Zeros after the compressed data are padding, such as that of a tape's last
 * block. */
static bool only_zeros(struct etc_span b)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.ptr[i])
			return false;
	return true;
}

static enum etc_status unpack(struct unpacking *u, struct etc_error *err)
{
	for (;;) {
		int r;

		if (u->used == u->room)
			ETC_TRY(grow(u, err));
		r = step(u);
		if (u->used > u->most)
			return etc_fail(err, E0531, "%zu bytes inflate to more than %zu", u->in.len,
			                u->most);
		if (r == Z_STREAM_END) {
			struct etc_span rest = { u->in.ptr + u->read, u->in.len - u->read };

			if (only_zeros(rest))
				return ETC_OK;
			if (!etc_gzip_is(rest))
				return etc_fail_at(err, E0532, u->read,
				                   "%zu bytes follow that are not gzip's",
				                   rest.len);
			r = inflateReset(&u->z);
		}
		if (r == Z_BUF_ERROR && u->read == u->in.len)
			return etc_fail_at(err, E0532, u->read, "it is cut off: %zu bytes came out",
			                   u->used);
		if (r == Z_MEM_ERROR)
			return etc_no_memory(err);
		if (r != Z_OK && r != Z_BUF_ERROR)
			return etc_fail_at(err, E0532, u->read, "%s",
			                   u->z.msg ? u->z.msg : "damaged deflate data");
	}
}

enum etc_status etc_gzip_unpack(struct etc_span packed, struct etc_span *out, struct etc_error *err)
{
	struct unpacking u = {
		.in = packed,
		.most = packed.len > FREE / RATIO ? packed.len * RATIO : FREE,
	};
	enum etc_status st;

	*out = (struct etc_span){ 0 };
	if (inflateInit2(&u.z, GZIP) != Z_OK)
		return etc_no_memory(err);
	st = unpack(&u, err);
	inflateEnd(&u.z);
	if (st != ETC_OK)
		free(u.bytes);
	else
		*out = (struct etc_span){ u.bytes, u.used };
	return st;
}

enum etc_status etc_gzip_pack(struct etc_span bytes, struct etc_text *out, struct etc_error *err)
{
	z_stream z = { 0 };
	size_t read = 0;
	int r = Z_OK;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return etc_no_memory(err);
	while (r == Z_OK) {
		size_t in = bytes.len - read;
		uInt n = (uInt)(in < PIECE ? in : PIECE);
		char *to = etc_text_reserve(out, PACKED);

		if (!to)
			break;
		z.next_in = (z_const Bytef *)(uintptr_t)(bytes.ptr + read);
		z.avail_in = n;
		z.next_out = (Bytef *)to;
		z.avail_out = PACKED;
		r = deflate(&z, n == in ? Z_FINISH : Z_NO_FLUSH);
		read += n - z.avail_in;
		out->len += PACKED - z.avail_out;
	}
	deflateEnd(&z);
	return r == Z_STREAM_END ? ETC_OK : etc_no_memory(err);
}
