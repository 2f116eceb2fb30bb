/* sha256_text.c -- see sha256_text.h */
#include "base/sha256_text.h"

#include "base/file.h"
#include "base/sha256.h"

const char *etc_hex_sha256(struct etc_span bytes, struct etc_arena *arena)
{
	static const char digits[] = "0123456789abcdef";
	char *hex = etc_arena_alloc(arena, 1, 1, 2 * ETC_SHA256_BYTES + 1);
	uint8_t digest[ETC_SHA256_BYTES];

	etc_sha256_of(bytes, digest);
	for (size_t i = 0; hex && i < ETC_SHA256_BYTES; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	return hex;
}

const char *etc_file_sha256(const char *path, struct etc_arena *arena, uint64_t *bytes)
{
	struct etc_file file;
	const char *hex;

	if (bytes)
		*bytes = 0;
	if (etc_file_open_found(&file, path, 0, NULL) != ETC_OK)
		return NULL;
	if (bytes)
		*bytes = file.bytes.len;
	hex = etc_hex_sha256(file.bytes, arena);
	etc_file_release(&file);
	return hex;
}
