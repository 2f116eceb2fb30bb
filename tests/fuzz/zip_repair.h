/* zip_repair.h -- corrects the checksums of a damaged zip archive, so that the CRC does not reject
 * it and the damage reaches the readers of its entries. */
#ifndef ETC_FUZZ_ZIP_REPAIR_H
#define ETC_FUZZ_ZIP_REPAIR_H

#include <string.h>
#include <zlib.h>

#include "base/span.h"

static inline uint32_t little(const uint8_t *p, int bytes)
{
	uint32_t v = 0;

	for (int i = bytes - 1; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

/* For each stored entry, writes the correct CRC into its header in the central directory and into
 * its local header, if both are found. */
static inline void repair(uint8_t *zip, size_t size)
{
	for (size_t at = 0; size >= 46 && at <= size - 46; at++) {
		uint8_t *d = zip + at, *local;
		size_t from, len, begin;
		uint32_t crc;

		if (memcmp(d, "PK\1\2", 4) != 0 || little(d + 10, 2) != 0)
			continue;
		from = little(d + 42, 4);
		len = little(d + 20, 4);
		if (!etc_fits(size, from, 30))
			continue;
		local = zip + from;
		begin = from + 30 + little(local + 26, 2) + little(local + 28, 2);
		if (!etc_fits(size, begin, len))
			continue;
		crc = (uint32_t)crc32(0, zip + begin, (uInt)len);
		for (int i = 0; i < 4; i++)
			d[16 + i] = local[14 + i] = (uint8_t)(crc >> 8 * i);
	}
}

#endif
