/* file.h -- reads input files, and writes output files completely or not at all.
 *
 * The etcore program maps input read-only and never copies it; pipes and standard input are read
 * into memory up to a limit. In a program that uses the library, files are read into memory, unless
 * the program requests mapping: if a mapped file is truncated, SIGBUS ends the process. Output is
 * written under a temporary name in the target's folder and renamed when complete, so an incomplete
 * file is never visible. For output below a folder to which others may write, see inside.h. */
#ifndef ETC_BASE_FILE_H
#define ETC_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Identifies a file in the state in which it was read. */
struct etc_file_mark {
	uint64_t device, inode;
	int64_t size, seconds, nanoseconds; /* size, and time of the last change */
};

struct etc_file {
	struct etc_span bytes;     /* content of the whole file; may be empty */
	const char *path;          /* as given; "-" is standard input; borrowed */
	bool mapped;               /* the bytes are mapped; else malloc'ed or `borrowed` */
	bool borrowed;             /* the bytes belong to the caller */
	struct etc_file_mark mark; /* set if it was a regular file that was not empty */
};

/* Makes all threads map files from now on. */
void etc_file_map_always(void);

/* From now on, this process reads files instead of mapping them, because another process may
 * truncate a mapped file. Also undoes etc_file_map(true) for the calling thread; other threads for
 * which etc_file_map(true) was called still map files. */
void etc_file_map_never(void);

/* Sets whether this thread maps files; returns the former setting. */
bool etc_file_map(bool on);

/* Maps or reads `path` ("-": standard input, at most `limit` bytes). If a mapped file is
 * truncated, reading it raises SIGBUS (opened.h, host/crash.c). E0901 cannot open (also a
 * directory), E0902 cannot read, E0904, E0906 more than `limit` bytes from a pipe, E0907 changed
 * while it was read. On failure `*file` is empty and needs no release. */
enum etc_status etc_file_open(struct etc_file *file, const char *path, size_t limit,
                              struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_file_open(), for a path that the user did not name, but that was found in a folder or in
 * another file. Another process may have replaced the file. So opening never blocks, anything but a
 * regular file is E0901, and "-" is a file of that name, not standard input. */
enum etc_status etc_file_open_found(struct etc_file *file, const char *path, size_t limit,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_file_open() for a descriptor, which stays open: a regular file is mapped or read
 * completely; from anything else at most `limit` bytes are read. `name` replaces the path in
 * messages. */
enum etc_status etc_file_open_descriptor(struct etc_file *file, int fd, const char *name,
                                         size_t limit, struct etc_error *err) ETC_MUST_CHECK;
void etc_file_release(struct etc_file *file);

/* Changes of a mapped file while it was read. */
enum etc_file_fate {
	ETC_FILE_SAME,     /* unchanged or deleted, or the file was not mapped */
	ETC_FILE_REPLACED, /* another file now has the name; the original file was read */
	ETC_FILE_GREW,     /* the file grew; the part up to its former size was read */
	ETC_FILE_CHANGED /* the file was written to or truncated: the bytes read may be a mixture */
};
enum etc_file_fate etc_file_fate(const struct etc_file *file);

/* Opens a mapped file again, so that the descriptor can be sent to another process. Returns a
 * read-only descriptor; -1 if the file is not mapped, cannot be opened again, was changed, or
 * another file has its name now. */
int etc_file_again(const struct etc_file *file);

/* Releases the pages of a mapped file; later reads load them from the file again. */
void etc_file_rest(const struct etc_file *file);

/* Like etc_file_rest(), for the pages of bytes [from, to). */
void etc_file_rest_part(const struct etc_file *file, size_t from, size_t to);

/* Permanently releases the pages of bytes [from, to) of a file that was read into memory; these
 * bytes read as 0 afterwards. Does nothing if the memory is mapped or does not belong to the
 * file. */
void etc_file_forget(const struct etc_file *file, size_t from, size_t to);

/* Returns the size of a page of memory, in bytes. */
size_t etc_file_page(void);

/* Loads bytes [from, to) of a mapped file before they are read in sequence. Only one byte of every
 * 64 KB is read, since Linux also maps the pages around this byte; this takes half as long as
 * MADV_POPULATE_READ. */
void etc_file_fetch(const struct etc_file *file, size_t from, size_t to);

/* Is `path` a regular file? Callers that search a folder skip other files, since opening a pipe
 * would block. */
bool etc_file_exists(const char *path);

/* Writes `text` to `path` ("-": standard output), completely or not at all: writes a temporary file
 * with an unguessable name in the same folder, then renames it. Links are followed; a device or
 * pipe is written to directly. The file gets the mode of the file that it replaces; a new file gets
 * its mode from umask. Until the rename the file is registered in temporary.h. E0903 with the
 * system's error. */
enum etc_status etc_file_write(const char *path, struct etc_str text,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Call it once when the process starts. If descriptor 0, 1 or 2 is closed (>&-), opens it in a mode
 * in which reading and writing fail. Otherwise the first file that is opened could get the number
 * 1, and the report would be written to this file. */
void etc_descriptors_hold(void);

/* Resolves the links of `path` into `to`; the target need not exist. Returns errno or 0. */
int etc_output_place(const char *path, char *to, size_t room);

/* Returns the open descriptor that a name such as "/dev/stdout" or "/dev/fd/1" stands for, or -1.
 * Opening the name again would truncate or overwrite its file. */
int etc_descriptor_named(const char *path);

/* Calls open() with O_CLOEXEC and O_NOCTTY, again if a signal interrupts it. Returns the
 * descriptor, or -1 with errno set. */
int etc_descriptor_open(const char *path, int flags, unsigned mode);

/* Like etc_descriptor_open(), but calls openat(). */
int etc_descriptor_open_at(int folder, const char *name, int flags, unsigned mode);

/* Writes 16 random hex digits and a NUL, for the name of a file. Returns 0 or an errno. */
int etc_file_random(char to[17]);

/* Writes the whole text to the caller's descriptor; returns errno or 0. */
int etc_descriptor_put(int fd, struct etc_str text);

/* Like etc_descriptor_put(), but ignores errors; for messages. */
void etc_descriptor_write(int fd, struct etc_str text);

/* Is `name` (without folder) a name that etc_output_open() gives to temporary files? */
bool etc_output_is_temporary(const char *name);

/* An output file that is being written. */
struct etc_output {
	char temporary[4096]; /* its temporary name, or empty */
	char target[4096];    /* the file's final name: `path` with links resolved */
	const char *path;     /* borrowed */
	int fd;
	int noted; /* handle of the temporary file in temporary.h */
	/* The open folder that contains both files. System calls then get `temporary` and `target`
	 * without their first `skip` bytes, which are the folder's path. AT_FDCWD: no folder is
	 * open, and system calls get the whole paths. */
	int folder;
	size_t skip;
	bool renames;  /* a temporary file takes the name of `path` when it is complete */
	bool replaces; /* `renames` is set, and the file that is replaced exists already */
	uint64_t written;
	int refused; /* errno of the first write that failed; 0: none */
};

/* Starts writing `path`, completely or not at all, like etc_file_write(). If this function
 * succeeds, the caller must call etc_output_close(), also after a failed write. E0903. */
enum etc_status etc_output_open(struct etc_output *o, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_output_open(), but in the open folder `folder`. The folder is closed by
 * etc_output_close(), or by this function if it fails. The file's name in the folder is `path`
 * without its first `skip` bytes. Anything with that name except a folder is replaced, and no link
 * is followed. For inside.h. */
enum etc_status etc_output_open_at(struct etc_output *o, int folder, const char *path, size_t skip,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Writes `chunk` to the output. For use as the sink of a struct etc_text; `arg` is the struct
 * etc_output. */
bool etc_output_sink(void *arg, struct etc_str chunk);

/* Ends writing. With `keep` the file gets its final name, else it is removed. E0903 with the
 * system's error, also if an earlier write failed; E0904 if an allocation has failed (memory.h),
 * since the file may be incomplete. */
enum etc_status etc_output_close(struct etc_output *o, bool keep,
                                 struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
