/* vlq.c -- see vlq.h */
#include "base/vlq.h"

#include "base/ascii.h"

enum { BITS = 5, MORE = 1 << BITS, LAST_SHIFT = 60 };

void etc_vlq_put(struct etc_text *t, uint64_t d)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint64_t z = d << 1 ^ (d >> 63 ? UINT64_MAX : 0);

	for (; z >= MORE; z >>= BITS)
		etc_text_char(t, letters[(z & (MORE - 1)) | MORE]);
	etc_text_char(t, letters[z]);
}

bool etc_vlq_take(struct etc_str *rest, uint64_t *d)
{
	uint64_t z = 0;

	for (unsigned shift = 0; rest->len && shift <= LAST_SHIFT; shift += BITS) {
		int digit = etc_base64_digit(*rest->ptr);

		rest->ptr++;
		rest->len--;
		if (digit < 0 || (shift == LAST_SHIFT && digit >= 16))
			return false;
		z |= (uint64_t)(digit & (MORE - 1)) << shift;
		if (digit & MORE)
			continue;
		*d = z >> 1 ^ (z & 1 ? UINT64_MAX : 0);
		return true;
	}
	return false;
}
