/* archive.h -- dumps in archives: zip, tar, and tar packed with gzip. A member's path is that of the
 * archive, "!/", and its name: runs.zip!/pixel/1.etdump. Archives in archives are not opened. */
#ifndef ETC_COMMANDS_ANALYZE_BATCH_ARCHIVE_H
#define ETC_COMMANDS_ANALYZE_BATCH_ARCHIVE_H

#include <sys/stat.h>

#include "base/file.h"
#include "formats/container/zip.h"

/* Largest file that is read into memory, in bytes: a dump or an archive. For an archive packed with
 * gzip, the limit applies to its packed and to its unpacked size. */
#define ETC_ARCHIVE_MOST ((size_t)1 << 30)

struct etc_member {
	struct etc_str name;                /* view into the archive */
	struct etc_span bytes;              /* contents of a member of a tar */
	const struct etc_zip_entry *packed; /* entry of a member of a zip; NULL in a tar */
	struct etc_str link; /* tar: name of the member that a link refers to; {NULL, 0}: no link */
	char type; /* type field of tar: '0' and '7' are ordinary files, 'S' is a sparse file */
};

/* An open archive; {0}: no archive is open. */
struct etc_archive {
	struct etc_str path;
	struct etc_file file;
	struct etc_span unpacked; /* contents of a gzip, allocated with malloc() */
	struct etc_zip zip;
	struct etc_member *members;
	uint32_t count, room;
	/* name -> index in `members`; if several members have one name, the index of the last
	 * one */
	struct etc_map index;
	struct etc_arena arena;
};

/* Is it an archive by its name: .zip, .tar, .tar.gz, .tgz? */
bool etc_archive_is(struct etc_str path);

/* Returns the archive's path from a member's path, or all of `path` if it is no member's path. */
struct etc_str etc_archive_part(struct etc_str path);

/* Calls stat() on `path` or, if `path` is that of a member, on the archive. */
int etc_archive_stat(const char *path, struct stat *st);

/* Time of the file's last change in ns since 1970, clamped to the range of int64_t. */
int64_t etc_archive_modified(const struct stat *st);

/* Rejects a file larger than ETC_ARCHIVE_MOST without reading it. E1207. */
enum etc_status etc_archive_fits(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Opens the archive at `path`, and closes the archive that `a` had open before. Does nothing if `a`
 * has the archive at `path` open already. E0404 damaged, E0531, E0532, E0901, E0902, E0904,
 * E1207. */
enum etc_status etc_archive_open(struct etc_archive *a, struct etc_str path,
                                 struct etc_error *err) ETC_MUST_CHECK;
void etc_archive_close(struct etc_archive *a);

/* Reads a member. Its bytes are valid as long as `arena` and the archive. E0404, E0405, E0407,
 * E0901 no such member, or it is no file, E0904. */
enum etc_status etc_archive_read(const struct etc_archive *a, struct etc_str name,
                                 struct etc_arena *arena, struct etc_span *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
