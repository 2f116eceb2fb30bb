/* file.h -- the only open() of input and the only rename() of output.
 *
 * Input is mapped read-only and never copied, but for pipes and standard
 * input, which are read into memory up to a limit. Output is written to a
 * temporary name beside its target and renamed when complete, so that nobody
 * ever sees half a file. */
#ifndef ETC_BASE_FILE_H
#define ETC_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

struct etc_file {
	struct etc_span bytes; /* the whole file; may be empty */
	const char *path;      /* as given; "-" is standard input; borrowed */
	bool mapped;           /* else malloc'ed, unless … */
	bool borrowed;         /* … it is somebody else's */
};

/* Maps `path` ("-": standard input, read at most `limit` bytes of it).
 * E0901 cannot open (also a directory), E0902 cannot read, E0906 more than
 * `limit` bytes from a pipe. On failure `*file` is empty and needs no release. */
enum etc_status etc_file_open(struct etc_file *file, const char *path, size_t limit,
                              struct etc_error *err) ETC_MUST_CHECK;

/* The same from a descriptor, which stays open: a file is mapped as a whole, of
 * anything else at most `limit` bytes are read. `name` stands for the path. */
enum etc_status etc_file_open_descriptor(struct etc_file *file, int fd, const char *name,
                                         size_t limit, struct etc_error *err) ETC_MUST_CHECK;
void etc_file_release(struct etc_file *file);

/* Gives the pages of a mapped file back: what is read again comes from the file again. */
void etc_file_rest(const struct etc_file *file);

/* Is `path` there and readable as a file (not a directory)? */
bool etc_file_exists(const char *path);

/* Writes `text` to `path` ("-": standard output), all or nothing: a temporary
 * file in the same folder, then rename. While one is open its name is known to
 * etc_file_abandon(). E0903 with the system's reason. */
enum etc_status etc_file_write(const char *path, struct etc_str text,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Writes to a descriptor that the caller has, as far as it takes it: for talk. */
void etc_descriptor_write(int fd, struct etc_str text);

/* An output file while it is written piece by piece. */
struct etc_output {
	char temporary[4096]; /* its name so far, or empty */
	const char *path;     /* borrowed */
	int fd;
	bool renames; /* a temporary file takes the name of `path` when it is complete */
	int refused;  /* errno of the first piece that could not be written, or 0 */
};

/* Begins writing `path`, all or nothing as etc_file_write does. End it with
 * etc_output_close in any case. On failure (E0903) there is nothing to end. */
enum etc_status etc_output_open(struct etc_output *o, const char *path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* A sink for struct etc_text whose `arg` is the struct etc_output. */
bool etc_output_sink(void *arg, struct etc_str chunk);

/* With `keep` the file gets its name, else it is removed. E0903 with the
 * system's reason, also for a piece that was refused earlier. */
enum etc_status etc_output_close(struct etc_output *o, bool keep,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Removes the temporary output file that was begun last and is being written, if
 * any.
 * Async-signal-safe: called when a plugin crashes. */
void etc_file_abandon(void);

#ifdef __cplusplus
}
#endif
#endif
