/* session.h -- the inputs of one command. Files are opened once, recognised by their content, and
 * read on demand. A session owns the command's arena, notes, files and plugins. */
#ifndef ETC_CONTEXT_SESSION_H
#define ETC_CONTEXT_SESSION_H

#include "context/common.h"
#include "base/file.h"
#include "base/map.h"
#include "base/notes.h"
#include "host/host.h"
#include "model/record.h"
#include "model/settings.h"
#include "model/trace.h"
#include "formats/config/conf.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/serial_log.h"

enum etc_file_kind {
	ETC_FILE_UNKNOWN,
	ETC_FILE_ETDUMP,
	ETC_FILE_ETRECORD,
	ETC_FILE_PROGRAM,         /* .pte */
	ETC_FILE_BUNDLED_PROGRAM, /* .bpte */
	ETC_FILE_TENSORS          /* .ptd */
};

struct etc_session {
	struct etc_arena arena;
	struct etc_notes notes;
	struct etc_settings settings;
	struct etc_host host;
	bool host_loaded;
	struct etc_file *files; /* open input files */
	uint32_t file_count, file_room;
	/* part of the budget that was added for ETDumps, because their events need more memory than
	 * other inputs */
	size_t more;
	struct etc_map found; /* paths of files that were found, not named by the user */
	/* folder of the running executable; NULL: not searched yet, or unknown */
	const char *program_folder;
	const struct etc_given *given; /* inputs that the caller passes as bytes (common.h); set by
	                                * etc_session_configure */
	bool salvage;                  /* read the complete runs of truncated ETDumps; set by
	                                * etc_session_configure */
};

/* Initialises an empty session, which must be released in any case. `budget` limits its memory, in
 * bytes; 0: the default limit. */
void etc_session_init(struct etc_session *s, size_t budget);
void etc_session_release(struct etc_session *s);

/* Executes a command in session `s`. `options` is the command's struct of options. */
typedef enum etc_status etc_session_fn(struct etc_session *s, const void *options,
                                       const struct etc_reply *reply, struct etc_error *err);

/* Calls `run` with a new session, and releases the session. */
enum etc_status etc_session_run(size_t budget, etc_session_fn *run, const void *options,
                                const struct etc_reply *reply,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Closes the session's plugins and files. The memory of its arena is not released. */
void etc_session_close(struct etc_session *s);

/* How a command uses the configuration; bits. */
enum {
	/* `etcore inspector`: only the arguments and the INI file of -c are used. Environment
	 * variables, other INI files, and plugins that are not named are ignored. */
	ETC_SESSION_ARGUMENTS_ONLY = 1,
	/* `etcore plugins`: a refused plugin is listed instead of being an error. */
	ETC_SESSION_LIST = 2,
	/* `etcore config`: the sections of disabled plugins are checked too. */
	ETC_SESSION_CHECK = 4,
	/* `etcore check`, `etcore pipeline`: scripts rely on the exit status, so plugins that were
	 * not installed with etcore are isolated, except with --no-isolate. */
	ETC_SESSION_GATE = 8
};

/* Reads the configuration into s->settings. Call it once, before files are opened. `overrides` are
 * `count` options of the command that set keys; the value of an option that was not given is NULL.
 * E05xx, E0901, E0904. */
enum etc_status etc_session_configure(struct etc_session *s,
                                      const struct etc_common_options *common,
                                      const struct etc_conf_override *overrides, uint32_t count,
                                      unsigned flags, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the screen that the command writes to, with colours as configured. */
struct etc_screen etc_session_screen(const struct etc_session *s,
                                     const struct etc_common_options *common);

/* Finds and opens the configured plugins, into s->host. E06xx, E0512, E0515, E0516, E0904. */
enum etc_status etc_session_plugins(struct etc_session *s, const struct etc_common_options *common,
                                    unsigned flags, struct etc_error *err) ETC_MUST_CHECK;

/* Opens an input file, which stays open until the session is released, and sets `*bytes` to its
 * content. If the caller passed an input called `path` as bytes (common.h), returns that input
 * instead. */
enum etc_status etc_session_open(struct etc_session *s, const char *path, struct etc_span *bytes,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Releases the pages of the mapped input file that contains `bytes`; they are read again on demand.
 * If `bytes` is empty, releases the pages of all input files. */
void etc_session_rest(const struct etc_session *s, struct etc_span bytes);

/* Declares that `path` was found, not named by the user: etc_session_open() opens it with
 * etc_file_open_found(). `path` must live as long as the session. */
void etc_session_found(struct etc_session *s, const char *path);

/* Reads an ETDump into `*out` with etc_etdump_read(), or with --salvage etc_etdump_salvage(). */
enum etc_status etc_session_dump(struct etc_session *s, struct etc_span bytes,
                                 struct etc_trace *out, struct etc_error *err) ETC_MUST_CHECK;

/* Like etc_session_dump(), but uses etc_etdump_read_sparse(), which makes no columns of times.
 * There are two exceptions, in which the trace has columns: the dump is salvaged, or another
 * command has read it already. */
enum etc_status etc_session_dump_sparse(struct etc_session *s, struct etc_span bytes,
                                        etc_keep_fn *keep, struct etc_trace *out,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* Reads a serial log with etc_serial_log_read(), or with --salvage etc_serial_log_salvage(). */
enum etc_status etc_session_log(struct etc_session *s, struct etc_span bytes,
                                struct etc_serial_log *out, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the input called `path` that the caller passed as bytes (common.h); NULL: there is none.
 * Files next to such an input are searched only if the input is also on disk
 * (etc_given.on_disk). */
const struct etc_given *etc_session_given(const struct etc_session *s, const char *path);

/* Recognises the kind of a file by its first bytes, never by its name. */
enum etc_file_kind etc_file_kind_of(struct etc_span bytes);

/* Resolves the operands of a command that reads dumps: a folder is replaced by the dumps directly
 * in it, sorted by name. With `odd`, also includes entries of the folder that are named like a dump
 * but are not regular files (a pipe, for example). E0533 for a folder without dumps, E0901,
 * E0904. */
enum etc_status etc_session_operands(struct etc_session *s, const char *const *operands,
                                     uint32_t count, bool odd, const char ***out,
                                     uint32_t *out_count, struct etc_error *err) ETC_MUST_CHECK;

/* Resolves the operand of a command that takes one file: if `*path` is a folder, replaces it by the
 * only dump in the folder. E0533 if the folder has no dump, E0556 if it has several, E0901,
 * E0904. */
enum etc_status etc_session_one(struct etc_session *s, const char **path,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Returns the path of the file next to `path` that has the same stem and one of the endings in
 * `suffixes`, which end with NULL: "model.etrecord" for "model.pte". A ".gz" at the end of `path`
 * is ignored. Empty: there is no such file. */
struct etc_str etc_session_sibling(struct etc_session *s, const char *path,
                                   const char *const *suffixes);

/* A position in the list of notes. etc_session_mark() returns the current position. It must be
 * called before plugins are called. */
struct etc_session_mark {
	struct etc_notes notes;
};
struct etc_session_mark etc_session_mark(const struct etc_session *s);

/* Returns true if an isolated plugin that had answered some calls was quarantined since `mark` (it
 * is not called any more). The results from before and after the quarantine are inconsistent, so
 * the caller must run the query again. The notes after the mark are then removed, except those
 * about the quarantine. */
bool etc_session_again(struct etc_session *s, const struct etc_session_mark *mark);

/* Checks whether the input files have changed since they were opened. E0907 if a file was written
 * to or truncated; adds the note W0908 if a file grew or was replaced. */
enum etc_status etc_session_unchanged(struct etc_session *s, struct etc_error *err) ETC_MUST_CHECK;

/* Passes the warnings and notes to `reply`, in order. Call it before the result is shown. With
 * `strict`, the first warning is not passed on, but becomes the error that the function returns,
 * with the warning's code and status. Without `strict`, the first W0226 (a salvaged dump) is not
 * passed on, because etc_session_end() returns it. E0907 if an input was changed while it was
 * read. */
enum etc_status etc_session_report(struct etc_session *s, bool strict,
                                   const struct etc_reply *reply,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Passes to `reply` the notes that were added after the mark was set, for example while the result
 * was written. */
void etc_session_report_since(const struct etc_session_mark *mark, const struct etc_reply *reply);

/* Returns the status after a result was written: W0226 with status 5 if a dump was salvaged, else
 * OK. */
enum etc_status etc_session_end(const struct etc_session *s, struct etc_error *err) ETC_MUST_CHECK;

/* Ends a command whose answer can be kept. `st` is the status so far. If it is OK and the caller
 * keeps the answer (reply->kept), passes the answer to the caller; otherwise closes the answer.
 * Returns `st` if it is an error, else the status of etc_session_end(). `s` is a member of the
 * answer, so do not use it after the answer is closed. */
enum etc_status etc_session_hand_over(struct etc_session *s, struct etc_kept *answer,
                                      enum etc_status st, const struct etc_reply *reply,
                                      struct etc_error *err) ETC_MUST_CHECK;

#endif
