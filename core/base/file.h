/* file.h -- the only open() of input and the only rename() of output.
 *
 * In a process that is the program's own input is mapped read-only and never copied, but for
 * pipes and standard input, which are read into memory up to a limit. A program that uses the
 * library has files read as well, unless it asks for maps: a map of a file that somebody cuts would
 * end it. Output is written to a
 * temporary name beside its target and renamed when complete, so that nobody
 * ever sees half a file. Output below a folder that somebody else filled: inside.h. */
#ifndef ETC_BASE_FILE_H
#define ETC_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which file it was, and as of when. */
struct etc_file_mark {
	uint64_t device, inode;
	int64_t size, seconds, nanoseconds; /* of its last change */
};

struct etc_file {
	struct etc_span bytes;     /* the whole file; may be empty */
	const char *path;          /* as given; "-" is standard input; borrowed */
	bool mapped;               /* else malloc'ed, unless … */
	bool borrowed;             /* … it is somebody else's */
	struct etc_file_mark mark; /* when it is mapped */
};

/* Files are mapped from now on, by every thread. */
void etc_file_map_always(void);

/* The same for this thread, or no longer; what it was before. */
bool etc_file_map(bool on);

/* Maps or reads `path` ("-": standard input, read at most `limit` bytes of it).
 * Whoever cuts a mapped file makes reading it a SIGBUS (opened.h, host/crash.c).
 * E0901 cannot open (also a directory), E0902 cannot read, E0904, E0906 more than
 * `limit` bytes from a pipe, E0907 changed while it was read. On failure `*file` is empty and needs no release. */
enum etc_status etc_file_open(struct etc_file *file, const char *path, size_t limit,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The same for a path that the user did not name: it was found in a folder, or another file names
 * it. Another process may have replaced it since: opening never waits, anything but a regular file
 * is E0901, and "-" is a file of that name. */
enum etc_status etc_file_open_found(struct etc_file *file, const char *path, size_t limit,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* The same from a descriptor, which stays open: a file is mapped or read as a whole, of
 * anything else at most `limit` bytes are read. `name` stands for the path. */
enum etc_status etc_file_open_descriptor(struct etc_file *file, int fd, const char *name,
                                         size_t limit, struct etc_error *err) ETC_MUST_CHECK;
void etc_file_release(struct etc_file *file);

/* What became of a mapped file while it was read. */
enum etc_file_fate {
	ETC_FILE_SAME,     /* also: not mapped, or no longer there */
	ETC_FILE_REPLACED, /* another file has its name; what was read is the former */
	ETC_FILE_GREW,     /* it is longer; what was read is its beginning */
	ETC_FILE_CHANGED   /* it was written to or cut: what was read may be of both */
};
enum etc_file_fate etc_file_fate(const struct etc_file *file);

/* A descriptor of a mapped file for somebody else, to read only; -1 when it cannot be opened once
 * more or its name is another file's now. */
int etc_file_again(const struct etc_file *file);

/* Gives the pages of a mapped file back: what is read again comes from the file again. */
void etc_file_rest(const struct etc_file *file);

/* The same of those pages that bytes [from, to) lie in. */
void etc_file_rest_part(const struct etc_file *file, size_t from, size_t to);

/* Has bytes [from, to) of a mapped file in memory before they are read one page after the
 * other: reads a few of them, which takes half as long as MADV_POPULATE_READ does. */
void etc_file_fetch(const struct etc_file *file, size_t from, size_t to);

/* Is `path` there, and a regular file? Whoever looks for files beside a file must not wait
 * for a pipe. */
bool etc_file_exists(const char *path);

/* Writes `text` to `path` ("-": standard output), all or nothing: a temporary
 * file in the same folder under a name that nobody can guess, then rename. Links are followed; a
 * device or pipe is written to as it is; the mode is that of the file that is replaced,
 * else what umask leaves. Until then the file is one of temporary.h. E0903 with the system's reason. */
enum etc_status etc_file_write(const char *path, struct etc_str text,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Once, in a program's own process: what of standard input, output and error is closed (>&-)
 * becomes something that can be neither read nor written. Else the first file that is
 * opened gets its number, and the answer with it. */
void etc_descriptors_hold(void);

/* Where the links of `path` lead to, into `to`; it need not be there. errno or 0. */
int etc_output_place(const char *path, char *to, size_t room);

/* open() with O_CLOEXEC and O_NOCTTY, again when a signal interrupts it; -1 and errno. */
int etc_descriptor_open(const char *path, int flags, unsigned mode);

/* openat() likewise. */
int etc_descriptor_open_at(int folder, const char *name, int flags, unsigned mode);

/* 16 hex digits that nobody can guess, for the name of a file. errno or 0. */
int etc_file_random(char to[17]);

/* Writes all of it to a descriptor that the caller has; errno of what stopped it, or 0. */
int etc_descriptor_put(int fd, struct etc_str text);

/* The same, as far as it takes it: for talk. */
void etc_descriptor_write(int fd, struct etc_str text);

/* An output file while it is written piece by piece. */
struct etc_output {
	char temporary[4096]; /* its name so far, or empty */
	char target[4096];    /* the name that it gets: what the links of `path` lead to */
	const char *path;     /* borrowed */
	int fd;
	int noted;  /* in temporary.h */
	int folder; /* open, or AT_FDCWD: what both names begin from, `skip` bytes left out */
	size_t skip;
	bool renames;  /* a temporary file takes the name of `path` when it is complete */
	bool replaces; /* ... and there is one of that name */
	int refused;   /* errno of the first piece that could not be written, or 0 */
};

/* Begins writing `path`, all or nothing as etc_file_write does. End it with
 * etc_output_close in any case. On failure (E0903) there is nothing to end. */
enum etc_status etc_output_open(struct etc_output *o, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The same in an open folder, which is closed at the end (and on failure): `path` without its
 * first `skip` bytes is a name in it. Whatever is there but a folder is replaced, and no link
 * followed. For inside.h. */
enum etc_status etc_output_open_at(struct etc_output *o, int folder, const char *path, size_t skip,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* A sink for struct etc_text whose `arg` is the struct etc_output. */
bool etc_output_sink(void *arg, struct etc_str chunk);

/* With `keep` the file gets its name, else it is removed. E0903 with the
 * system's reason, also for a piece that was refused earlier; E0904 when memory was
 * refused on the way (memory.h): the file may lack something. */
enum etc_status etc_output_close(struct etc_output *o, bool keep,
                                 struct etc_error *err) ETC_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
