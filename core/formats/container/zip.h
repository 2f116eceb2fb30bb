/* zip.h -- the archive around an ETRecord, read where it lies in the map.
 *
 * Knows exactly as much of the format as Python's zipfile, which writes these
 * files, and decides as it does: zip64, bytes in front of the archive, data
 * descriptors, the last of two entries with one name. In one point it is
 * stricter: an end record counts only if its comment reaches the end of the
 * file, because a truncated ETRecord ends in the end record of a nested
 * archive. Opening reads the directory only; an entry that nobody asks for
 * costs nothing, not even a page. Must not know what the entries mean. */
#ifndef ETC_READ_ZIP_H
#define ETC_READ_ZIP_H

#include "base/map.h"
#include "base/error.h"

struct etc_zip_entry {
	struct etc_str name; /* view into the file; bytes as they are there */
	uint64_t packed;     /* bytes in the file */
	uint64_t size;       /* bytes when unpacked, as the directory says */
	uint64_t at;         /* byte offset of the local header in the file */
	uint32_t crc;
	uint16_t flags, method;
	struct etc_str raw_name; /* before Python cuts it at a NUL */
};

struct etc_zip {
	struct etc_span file;
	struct etc_zip_entry
		*entries; /* each name once: place of the first, content of the last (or first) */
	uint32_t count;
	uint32_t duplicates;        /* entries whose name came up again */
	struct etc_str duplicate;   /* the first such name */
	struct etc_map index;       /* name -> entry */
	bool first_wins;            /* of two entries with one name */
	const char *python_refuses; /* why zipfile would refuse the file, or NULL */
};

/* The bytes of an entry. A stored entry is a view into the map. */
struct etc_zip_data {
	struct etc_span bytes;
	size_t room; /* readable bytes behind them */
};

/* Reads the directory. `file` must stay mapped while the zip is used.
 * E0401 not a zip archive, E0403 cut off, E0404 damaged directory, E0904. */
enum etc_status etc_zip_open(struct etc_span file, struct etc_arena *arena, struct etc_zip *zip,
                             struct etc_error *err) ETC_MUST_CHECK;

/* The same, but the first of two entries with one name counts: torch's rule for
 * the archives of torch.save. */
enum etc_status etc_zip_open_first(struct etc_span file, struct etc_arena *arena,
                                   struct etc_zip *zip, struct etc_error *err) ETC_MUST_CHECK;

/* The entry of that name, or NULL. */
const struct etc_zip_entry *etc_zip_find(const struct etc_zip *zip, struct etc_str name);

/* Does an entry lie in the file, with a local header of the same name? E0404 if not. */
enum etc_status etc_zip_check(const struct etc_zip *zip, const struct etc_zip_entry *entry,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Unpacks an entry and checks its CRC, or with `limit` != 0 only up to that
 * many bytes, unchecked. E0404 damaged entry, E0405 encrypted or compressed in
 * a way we do not know, E0407 inflates beyond what its size justifies, E0904. */
enum etc_status etc_zip_read(const struct etc_zip *zip, const struct etc_zip_entry *entry,
                             size_t limit, struct etc_arena *arena, struct etc_zip_data *out,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
