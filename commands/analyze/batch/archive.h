/* archive.h -- dumps in archives: zip, tar, and tar packed with gzip. A member's path is that of the
 * archive, "!/", and its name: runs.zip!/pixel/1.etdump. Archives in archives are not opened. */
#ifndef ETC_ANALYZE_BATCH_ARCHIVE_H
#define ETC_ANALYZE_BATCH_ARCHIVE_H

#include <sys/stat.h>

#include "base/file.h"
#include "formats/container/zip.h"

/* Dumps and archives are read into memory, up to this size; archives packed and unpacked. */
#define ETC_ARCHIVE_MOST ((size_t)1 << 30)

struct etc_member {
	struct etc_str name;                /* view into the archive */
	struct etc_span bytes;              /* of a tar */
	const struct etc_zip_entry *packed; /* of a zip; else NULL */
	struct etc_str link; /* tar hard link: name of the member that it refers to, or {NULL, 0} */
	char type;           /* as of a tar: '0' and '7' a file, 'S' a sparse one */
};

/* An archive that is open; {0}: none. */
struct etc_archive {
	struct etc_str path;
	struct etc_file file;
	struct etc_span unpacked; /* of a gzip, in memory of malloc() */
	struct etc_zip zip;
	struct etc_member *members;
	uint32_t count, room;
	struct etc_map index; /* name -> member; the last of two of one name */
	struct etc_arena arena;
};

/* Is it an archive by its name: .zip, .tar, .tar.gz, .tgz? */
bool etc_archive_is(struct etc_str path);

/* Returns the archive's path from a member's path, or all of `path` if it is no member's path. */
struct etc_str etc_archive_part(struct etc_str path);

/* stat(); for a member it describes the archive. */
int etc_archive_stat(const char *path, struct stat *st);

/* Time of the file's last change in ns since 1970, clamped to the range of int64_t. */
int64_t etc_archive_modified(const struct stat *st);

/* Refuses a file that is larger than ETC_ARCHIVE_MOST before anything of it is read. E1207. */
enum etc_status etc_archive_fits(const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Opens the archive and closes the previous one, unless both are the same. E0404 damaged, E0531,
 * E0532, E0901, E0902, E0904, E1207. */
enum etc_status etc_archive_open(struct etc_archive *a, struct etc_str path,
                                 struct etc_error *err) ETC_MUST_CHECK;
void etc_archive_close(struct etc_archive *a);

/* The bytes of a member, valid as long as `arena` and the archive. E0404, E0405, E0407, E0901 no
 * such member, or no file, E0904. */
enum etc_status etc_archive_read(const struct etc_archive *a, struct etc_str name,
                                 struct etc_arena *arena, struct etc_span *out,
                                 struct etc_error *err) ETC_MUST_CHECK;

#endif
