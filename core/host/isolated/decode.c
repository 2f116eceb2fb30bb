/* decode.c -- decodes the metadata of events as the key `metadata` of [backend.ID] says, without a
 * plugin. The result has one item per sample. */
#include "base/text.h"
#include "host/host.h"
#include "host/internal.h"

static struct etc_str hex(struct etc_str blob, struct etc_arena *arena)
{
	static const char digits[] = "0123456789abcdef";
	char *to = etc_arena_alloc(arena, 2, 1, blob.len + 1);

	if (!to)
		return (struct etc_str){ 0 };
	for (size_t i = 0; i < blob.len; i++) {
		to[2 * i] = digits[(uint8_t)blob.ptr[i] >> 4];
		to[2 * i + 1] = digits[blob.ptr[i] & 15];
	}
	return (struct etc_str){ to, 2 * blob.len };
}

static bool decode_text(enum etc_decoder how, struct etc_str blob, struct etc_arena *arena,
                        struct etc_datum *out)
{
	struct etc_str text = etc_str_without_nul(blob);
	bool utf8 = how != ETC_DECODE_HEX && etc_utf8_fault(text) == SIZE_MAX;

	*out = (struct etc_datum){ .kind = ETC_DATUM_NULL };
	if (blob.len == 0)
		return true;
	if (how == ETC_DECODE_JSON && utf8 && etc_json_valid(text)) {
		*out = (struct etc_datum){ .kind = ETC_DATUM_JSON, .text = text };
		return true;
	}
	*out = (struct etc_datum){ .kind = ETC_DATUM_STR, .text = text };
	if (how == ETC_DECODE_TEXT && utf8)
		return true;
	out->text = hex(blob, arena);
	return out->text.ptr != NULL;
}

/* The decoder `list`: the bytes of the blob become a JSON list of numbers. */
static bool decode_list(struct etc_str blob, struct etc_arena *arena, struct etc_datum *out)
{
	char *to = etc_arena_alloc(arena, 4, 1, blob.len + 1); /* "255," */
	size_t n = 0;

	*out = (struct etc_datum){ .kind = ETC_DATUM_JSON };
	if (!to)
		return false;
	to[n++] = '[';
	for (size_t i = 0; i < blob.len; i++) {
		unsigned v = (uint8_t)blob.ptr[i];

		if (i)
			to[n++] = ',';
		if (v >= 100)
			to[n++] = (char)('0' + v / 100);
		if (v >= 10)
			to[n++] = (char)('0' + v / 10 % 10);
		to[n++] = (char)('0' + v % 10);
	}
	to[n++] = ']';
	out->text = (struct etc_str){ to, n };
	return true;
}

/* clang-format off */
static const struct { uint8_t bytes; bool is_signed, is_float, big; } numbers[ETC_DECODERS] = {
	[ETC_DECODE_U8]    = { 1, false, false, false }, [ETC_DECODE_I8]    = { 1, true,  false, false },
	[ETC_DECODE_U16LE] = { 2, false, false, false }, [ETC_DECODE_U16BE] = { 2, false, false, true },
	[ETC_DECODE_I16LE] = { 2, true,  false, false }, [ETC_DECODE_I16BE] = { 2, true,  false, true },
	[ETC_DECODE_U32LE] = { 4, false, false, false }, [ETC_DECODE_U32BE] = { 4, false, false, true },
	[ETC_DECODE_I32LE] = { 4, true,  false, false }, [ETC_DECODE_I32BE] = { 4, true,  false, true },
	[ETC_DECODE_U64LE] = { 8, false, false, false }, [ETC_DECODE_U64BE] = { 8, false, false, true },
	[ETC_DECODE_I64LE] = { 8, true,  false, false }, [ETC_DECODE_I64BE] = { 8, true,  false, true },
	[ETC_DECODE_F32LE] = { 4, true,  true,  false }, [ETC_DECODE_F32BE] = { 4, true,  true,  true },
	[ETC_DECODE_F64LE] = { 8, true,  true,  false }, [ETC_DECODE_F64BE] = { 8, true,  true,  true },
};
/* clang-format on */

static double float_of(uint64_t bits, uint8_t bytes)
{
	uint32_t half = (uint32_t)bits;
	double d;
	float f;

	if (bytes == 8) {
		memcpy(&d, &bits, sizeof d);
		return d;
	}
	memcpy(&f, &half, sizeof f);
	return (double)f;
}

static bool is_number(enum etc_decoder how)
{
	return how < ETC_DECODERS && numbers[how].bytes > 0;
}

/* Sets `*out` to the number that the blob contains in format `how`. False: the blob does not have
 * the size of such a number. */
static bool decode_number(enum etc_decoder how, struct etc_str blob, struct etc_arena *arena,
                          struct etc_datum *out)
{
	uint8_t n = numbers[how].bytes;
	uint64_t v = 0;

	if (blob.len != n)
		return false;
	for (uint8_t i = 0; i < n; i++)
		v = v << 8 | (uint8_t)blob.ptr[numbers[how].big ? i : n - 1 - i];
	*out = (struct etc_datum){ .kind = ETC_DATUM_I64 };
	if (numbers[how].is_float) {
		out->kind = ETC_DATUM_F64;
		out->f = float_of(v, n);
	} else if (numbers[how].is_signed) {
		out->i = (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n);
	} else if (v > INT64_MAX) {
		out->kind = ETC_DATUM_F64;
		out->f = (double)v;
		out->text = etc_arena_printf(arena, "%llu", (unsigned long long)v);
	} else {
		out->i = (int64_t)v;
	}
	return true;
}

bool etc_decode_at(enum etc_decoder how, struct etc_str blob, size_t offset,
                   struct etc_arena *arena, struct etc_datum *out)
{
	size_t n = is_number(how) ? numbers[how].bytes : 0;

	return n && etc_fits(blob.len, offset, n) &&
	       decode_number(how, etc_str_sub(blob, offset, offset + n), arena, out);
}

bool etc_decode_blob(enum etc_decoder how, struct etc_str blob, struct etc_arena *arena,
                     struct etc_datum *out)
{
	if (how == ETC_DECODE_LIST)
		return decode_list(blob, arena, out);
	if (is_number(how) && decode_number(how, blob, arena, out))
		return true;
	return decode_text(how, blob, arena, out);
}

enum etc_status etc_host_decode(enum etc_decoder how, const struct etcore_bytes *blobs,
                                uint64_t count, struct etc_arena *arena, struct etc_parsed *out,
                                struct etc_error *err)
{
	struct etc_datum *items;
	bool any = false;

	*out = (struct etc_parsed){ 0 };
	for (uint64_t i = 0; blobs && i < count; i++)
		any |= blobs[i].len != 0;
	if (how == ETC_DECODE_NONE || !any || count > UINT32_MAX)
		return ETC_OK;
	items = etc_new(arena, struct etc_datum, count);
	ETC_NEED(items, err);
	for (uint64_t i = 0; i < count; i++) {
		struct etc_str blob = { (const char *)blobs[i].ptr, (size_t)blobs[i].len };

		ETC_NEED(etc_decode_blob(how, blob, arena, &items[i]), err);
	}
	*out = (struct etc_parsed){ .form = ETC_PARSED_LIST,
		                    .items = items,
		                    .count = (uint32_t)count };
	return ETC_OK;
}
