/* zip.h -- reads the zip archive of an ETRecord in place.
 *
 * Python's zipfile writes these files. This reader treats zip64, bytes before the archive, data
 * descriptors, and entries of equal names (the last one counts) as zipfile does. It is stricter in
 * one point: an end record is accepted only if its comment ends at the end of the file. Otherwise
 * the end record of an archive inside of the ETRecord would be accepted as that of a truncated
 * ETRecord. Opening reads only the directory; the pages of unused entries are not touched. The
 * content of entries is not interpreted. */
#ifndef ETC_FORMATS_CONTAINER_ZIP_H
#define ETC_FORMATS_CONTAINER_ZIP_H

#include "base/map.h"
#include "base/error.h"

struct etc_zip_entry {
	struct etc_str name; /* `raw_name` up to its first NUL, as in Python */
	uint64_t packed;     /* size of the entry's data in the file, in bytes */
	uint64_t size;       /* bytes when unpacked, according to the directory */
	uint64_t at;         /* byte offset of the local header in the file */
	uint32_t crc;
	uint16_t flags, method;
	struct etc_str raw_name; /* the name as stored, a view into the file */
};

struct etc_zip {
	struct etc_span file;
	struct etc_zip_entry
		/* one entry per name, in the order in which the names first occur. If several
		 * entries have one name, this is the last of them (with first_wins: the first). */
		*entries;
	uint32_t count;
	uint32_t duplicates;      /* number of entries with the name of an earlier one */
	struct etc_str duplicate; /* the first name that two entries have */
	struct etc_map index;     /* maps a name to the index of its entry in `entries` */
	bool first_wins;          /* if several entries have the same name, the first counts */
	/* why Python's zipfile would refuse the file; NULL: zipfile accepts it */
	const char *python_refuses;
};

/* The bytes of an entry. A stored entry is a view into the mapped file. */
struct etc_zip_data {
	struct etc_span bytes;
	size_t room; /* number of readable bytes after the data */
};

/* Reads the directory. `file` must stay mapped while the zip is used. E0401 not a zip archive,
 * E0403 truncated, E0404 damaged directory, E0904. */
enum etc_status etc_zip_open(struct etc_span file, struct etc_arena *arena, struct etc_zip *zip,
                             struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_zip_open(), but if several entries have the same name, the first counts, as for
 * torch.load(). */
enum etc_status etc_zip_open_first(struct etc_span file, struct etc_arena *arena,
                                   struct etc_zip *zip, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the entry of that name, or NULL. */
const struct etc_zip_entry *etc_zip_find(const struct etc_zip *zip, struct etc_str name);

/* Is the entry inside the file, with a local header of the same name? E0404 if not. */
enum etc_status etc_zip_check(const struct etc_zip *zip, const struct etc_zip_entry *entry,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Unpacks an entry and checks its CRC. If `limit` is not 0, unpacks at most `limit` bytes, and does
 * not check the CRC. E0404 damaged entry, E0405 encrypted or an unsupported compression, E0407
 * inflates beyond the allowed ratio, E0904 out of memory, E0905 the arena's budget is exhausted. */
enum etc_status etc_zip_read(const struct etc_zip *zip, const struct etc_zip_entry *entry,
                             size_t limit, struct etc_arena *arena, struct etc_zip_data *out,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
