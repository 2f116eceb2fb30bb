/* archive.h -- reads dumps in archives: zip, tar, and tar packed with gzip. The path of a member is
 * the path of the archive, "!/" and the name of the member: runs.zip!/pixel/1.etdump. An archive
 * inside an archive is not opened. */
#ifndef ETC_COMMANDS_ANALYZE_BATCH_ARCHIVE_H
#define ETC_COMMANDS_ANALYZE_BATCH_ARCHIVE_H

#include <sys/stat.h>

#include "base/file.h"
#include "formats/container/zip.h"

/* Largest dump or archive that is read into memory, in bytes. For an archive packed with gzip, the
 * limit applies to its packed and to its unpacked size. */
#define ETC_ARCHIVE_MOST ((size_t)1 << 30)

struct etc_member {
	struct etc_str name;                /* view into the archive */
	struct etc_span bytes;              /* tar: contents of the member */
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
	/* maps a name to its index in `members`; if several members have the same name, to the
	 * index of the last of them */
	struct etc_map index;
	struct etc_arena arena;
};

/* Is the file an archive, judged by its extension: .zip, .tar, .tar.gz, .tgz? */
bool etc_archive_is(struct etc_str path);

/* Returns the part of `path` before "!/", which is the path of the archive; all of `path` if it has
 * no "!/". */
struct etc_str etc_archive_part(struct etc_str path);

/* Calls stat() on the file at `path`. If it is the path of a member of an archive, calls stat() on
 * the archive. */
int etc_archive_stat(const char *path, struct stat *st);

/* Returns the time of the file's last change in ns since 1970, clamped to the range of int64_t. */
int64_t etc_archive_modified(const struct stat *st);

/* Checks that the file is at most ETC_ARCHIVE_MOST bytes, without reading it. E1207: it is
 * larger. */
enum etc_status etc_archive_fits(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Opens the archive at `path`. If `a` already has this archive open, does nothing. If `a` has
 * another archive open, closes that one first. E0404: the archive is damaged. E0531, E0532, E0901,
 * E0902, E0904, E1207. */
enum etc_status etc_archive_open(struct etc_archive *a, struct etc_str path,
                                 struct etc_error *err) ETC_MUST_CHECK;
void etc_archive_close(struct etc_archive *a);

/* Reads a member. *out is valid until the archive is closed or `arena` is released. E0901: there is
 * no such member, or it is not a file. E0404, E0405, E0407, E0904. */
enum etc_status etc_archive_read(const struct etc_archive *a, struct etc_str name,
                                 struct etc_arena *arena, struct etc_span *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
