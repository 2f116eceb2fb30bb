/* zip_maker.h -- makes small zip archives in memory, which are valid, or invalid on purpose. */
#ifndef ETC_ZIP_MAKER_H
#define ETC_ZIP_MAKER_H

#include <zlib.h>

#include "base/text.h"

struct zip_maker {
	struct etc_text file, directory;
	unsigned count;
};

static inline void zip_put(struct etc_text *t, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		etc_text_char(t, (char)(i < 8 ? v >> 8 * i & 0xff : 0));
}

/* Adds an entry whose bytes are `packed` as they are, and whose headers have the given fields. */
static inline void zip_raw(struct zip_maker *z, const char *name, struct etc_str packed,
                           unsigned method, unsigned flags, uint32_t crc, uint32_t size)
{
	const size_t at = z->file.len, name_len = strlen(name);
	struct etc_text common = { 0 };

	zip_put(&common, 20, 2);
	zip_put(&common, flags, 2);
	zip_put(&common, method, 2);
	zip_put(&common, 0, 4);
	zip_put(&common, crc, 4);
	zip_put(&common, packed.len, 4);
	zip_put(&common, size, 4);
	zip_put(&common, name_len, 2);
	zip_put(&common, 0, 2);
	etc_text_put(&z->file, ETC_STR("PK\003\004"));
	etc_text_put(&z->file, etc_text_str(&common));
	etc_text_cstr(&z->file, name);
	etc_text_put(&z->file, packed);
	etc_text_put(&z->directory, ETC_STR("PK\001\002"));
	zip_put(&z->directory, 20, 2);
	etc_text_put(&z->directory, etc_text_str(&common));
	zip_put(&z->directory, 0, 10);
	zip_put(&z->directory, at, 4);
	etc_text_cstr(&z->directory, name);
	etc_text_release(&common);
	z->count++;
}

static inline void zip_stored(struct zip_maker *z, const char *name, const char *content)
{
	struct etc_str s = etc_str_of(content);

	zip_raw(z, name, s, 0, 0, (uint32_t)crc32_z(0, (const Bytef *)s.ptr, s.len),
	        (uint32_t)s.len);
}

/* Adds a deflated entry that contains `content` as often as `times` says. */
static inline void zip_deflated(struct zip_maker *z, const char *name, struct etc_str content,
                                size_t times)
{
	struct etc_text packed = { 0 };
	z_stream s = { 0 };
	uint32_t crc = 0;

	deflateInit2(&s, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
	for (size_t i = 0; i < times; i++) {
		crc = (uint32_t)crc32_z(crc, (const Bytef *)content.ptr, content.len);
		s.next_in = (z_const Bytef *)(uintptr_t)content.ptr;
		s.avail_in = (uInt)content.len;
		do {
			s.next_out = (Bytef *)etc_text_reserve(&packed, 65536);
			s.avail_out = 65536;
			deflate(&s, i + 1 == times ? Z_FINISH : Z_NO_FLUSH);
			packed.len += 65536 - s.avail_out;
		} while (s.avail_out == 0);
	}
	deflateEnd(&s);
	zip_raw(z, name, etc_text_str(&packed), 8, 0, crc, (uint32_t)(content.len * times));
	etc_text_release(&packed);
}

/* Adds the central directory and the end record, and returns the file. It is valid until
 * zip_release(). */
static inline struct etc_span zip_finish(struct zip_maker *z, const char *comment)
{
	const size_t at = z->file.len;

	etc_text_put(&z->file, etc_text_str(&z->directory));
	etc_text_put(&z->file, ETC_STR("PK\005\006"));
	zip_put(&z->file, 0, 4);
	zip_put(&z->file, z->count, 2);
	zip_put(&z->file, z->count, 2);
	zip_put(&z->file, z->directory.len, 4);
	zip_put(&z->file, at, 4);
	zip_put(&z->file, strlen(comment), 2);
	etc_text_cstr(&z->file, comment);
	return etc_span_of(etc_text_str(&z->file));
}

static inline void zip_release(struct zip_maker *z)
{
	etc_text_release(&z->file);
	etc_text_release(&z->directory);
	*z = (struct zip_maker){ 0 };
}

#endif
