/* session.c -- see session.h. */
#include "context/session.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/folder.h"
#include "base/memory.h"
#include "context/kept.h"
#include "formats/container/gzip.h"
#include "table/formats.h"

/* The budget of the arena is BUDGET_BASE plus BUDGET_PER_BYTE bytes for each byte of a file, plus
 * BUDGET_MORE bytes for each byte of a dump, which together are at most BUDGET_MORE_MOST. The
 * reason for the last part: an event has at least 36 bytes in the file, but may need 1,400 bytes of
 * memory for its row and lines (`--events`). The budget protects from files that were made to
 * exhaust memory. */
enum { BUDGET_BASE = 64 << 20, BUDGET_PER_BYTE = 8, BUDGET_MORE = 32 };
#define BUDGET_MORE_MOST ((size_t)(SIZE_MAX >> 32 ? UINT64_C(2) << 30 : 0))

static size_t budget_of(struct etc_session *s, struct etc_span file)
{
	size_t n = file.len <= SIZE_MAX / 64 ? file.len : 0, room = BUDGET_MORE_MOST - s->more,
	       more;

	more = n * BUDGET_MORE < room ? n * BUDGET_MORE : room;
	more = etc_file_kind_of(file) == ETC_FILE_ETDUMP ? more : 0;
	s->more += more;
	return n * BUDGET_PER_BYTE + more;
}

void etc_session_init(struct etc_session *s, size_t budget)
{
	*s = (struct etc_session){ 0 };
	etc_arena_init(&s->arena, budget ? budget : BUDGET_BASE);
	etc_notes_init(&s->notes, &s->arena);
	etc_map_init(&s->found, &s->arena);
}

void etc_session_close(struct etc_session *s)
{
	if (s->host_loaded)
		etc_host_release(&s->host);
	for (uint32_t i = 0; i < s->file_count; i++)
		etc_file_release(&s->files[i]);
	free(s->files);
	s->host_loaded = false;
	s->files = NULL;
	s->file_count = s->file_room = 0;
}

void etc_session_release(struct etc_session *s)
{
	etc_session_close(s);
	etc_arena_release(&s->arena);
}

enum etc_status etc_session_run(size_t budget, etc_session_fn *run, const void *options,
                                const struct etc_reply *reply, struct etc_error *err)
{
	struct etc_session s;
	enum etc_status st;

	etc_session_init(&s, budget);
	st = run(&s, options, reply, err);
	etc_session_release(&s);
	return st;
}

enum etc_status etc_session_configure(struct etc_session *s,
                                      const struct etc_common_options *common,
                                      const struct etc_conf_override *overrides, uint32_t count,
                                      unsigned flags, struct etc_error *err)
{
	struct etc_conf_override *all = etc_new(&s->arena, struct etc_conf_override, count + 2);
	struct etc_conf_options o = {
		.file = common->config,
		.set = common->set.v,
		.set_count = common->set.count,
		.overrides = all,
		.override_count = count + 2,
		.only_file = flags & ETC_SESSION_ARGUMENTS_ONLY,
	};

	ETC_NEED(all, err);
	for (uint32_t i = 0; i < count; i++)
		all[i] = overrides[i];
	all[count] = (struct etc_conf_override){ "etcore", "jobs", common->jobs, "--jobs" };
	all[count + 1] =
		(struct etc_conf_override){ "etcore", "color",
		                            common->no_color ? "never" : common->color, "--color" };
	s->given = common->given;
	s->salvage = common->salvage;
	if (!o.only_file)
		o.program_folder = s->program_folder = etc_program_folder(&s->arena);
	ETC_TRY(etc_conf_load(&o, &s->arena, &s->settings, err));
	if (s->settings.limits.max_memory)
		s->arena.budget = s->settings.limits.max_memory;
	etc_memory_budget(s->settings.limits.max_memory);
	if (common->jobs || s->settings.limits.jobs)
		etc_note(&s->notes, N0644, "jobs of [etcore] and ETCORE_JOBS have none either");
	return ETC_OK;
}

struct etc_screen etc_session_screen(const struct etc_session *s,
                                     const struct etc_common_options *common)
{
	const struct etc_str color = s->settings.color;

	return (struct etc_screen){
		.width = common->width,
		.color = !common->in_document &&
		         (etc_str_eq(color, ETC_STR("always")) ||
		          (common->terminal && !etc_str_eq(color, ETC_STR("never")))),
		.ascii = common->ascii,
		.terminal = common->terminal,
	};
}

enum etc_status etc_session_plugins(struct etc_session *s, const struct etc_common_options *common,
                                    unsigned flags, struct etc_error *err)
{
	struct etc_host_options o = {
		.settings = &s->settings,
		.named = common->plugins.v,
		.named_count = common->plugins.count,
		.program_folder = s->program_folder,
		.none = common->no_plugins,
		.isolate = common->isolate,
		.here = common->no_isolate,
		.gate = flags & ETC_SESSION_GATE,
		.worker = common->worker,
		.only_named = flags & ETC_SESSION_ARGUMENTS_ONLY,
		.ignore_environment = flags & ETC_SESSION_ARGUMENTS_ONLY,
		.list = flags & ETC_SESSION_LIST,
		.check = flags & ETC_SESSION_CHECK,
		.json_diagnostics = common->diagnostics && strcmp(common->diagnostics, "json") == 0,
	};

	if (common->isolate && common->no_isolate)
		return etc_fail(err, E0501, "--isolate or --no-isolate");
	s->host_loaded = true;
	ETC_TRY(etc_host_load(&s->host, &o, &s->arena, &s->notes, err));
	s->host.files = s->files;
	s->host.file_count = s->file_count;
	return ETC_OK;
}

const struct etc_given *etc_session_given(const struct etc_session *s, const char *path)
{
	const struct etc_given *g = s->given;

	while (g && strcmp(g->name, path) != 0)
		g = g->next;
	return g;
}

void etc_session_rest(const struct etc_session *s, struct etc_span bytes)
{
	for (uint32_t i = 0; i < s->file_count; i++)
		if (!bytes.ptr || s->files[i].bytes.ptr == bytes.ptr)
			etc_file_rest(&s->files[i]);
}

void etc_session_found(struct etc_session *s, const char *path)
{
	/* a failure is ignored here: it means that the arena is exhausted, so the query fails
	 * anyway */
	(void)etc_map_add(&s->found, etc_str_of(path), 0);
}

static enum etc_status open_file(struct etc_session *s, const struct etc_given *given,
                                 const char *path, struct etc_file *file, struct etc_error *err)
{
	size_t limit = s->settings.limits.max_pipe;

	limit = limit ? limit : (size_t)4 << 30;
	if (!given && etc_map_get(&s->found, etc_str_of(path)) != ETC_MAP_NONE)
		return etc_file_open_found(file, path, limit, err);
	if (!given)
		return etc_file_open(file, path, limit, err);
	*file = (struct etc_file){
		.bytes = given->bytes,
		.path = given->name,
		.borrowed = true,
	};
	return ETC_OK;
}

/* If the file is packed with gzip, replaces its bytes by the unpacked content. */
static enum etc_status unpack(struct etc_file *file, struct etc_error *err)
{
	const char *path = file->path;
	struct etc_span content;
	enum etc_status st;

	if (!etc_gzip_is(file->bytes))
		return ETC_OK;
	st = etc_gzip_unpack(file->bytes, &content, err);
	etc_file_release(file);
	*file = (struct etc_file){ .bytes = content, .path = path };
	return etc_in_file(err, st, path);
}

/* Returns the input file that contains `bytes`; NULL for a dump that was decoded from a log. */
static const struct etc_file *file_of(const struct etc_session *s, struct etc_span bytes)
{
	const struct etc_file *from = NULL;

	for (uint32_t i = 0; i < s->file_count; i++) {
		const struct etc_span *file = &s->files[i].bytes;

		if (bytes.ptr && bytes.ptr >= file->ptr && bytes.ptr < file->ptr + file->len)
			from = &s->files[i];
	}
	return from;
}

/* Returns the pipe that was already opened under this name, because a pipe can be read only once.
 * NULL: there is none. */
static const struct etc_file *open_pipe(const struct etc_session *s, const char *path)
{
	for (uint32_t i = 0; i < s->file_count; i++)
		if (!s->files[i].mapped && strcmp(s->files[i].path, path) == 0)
			return &s->files[i];
	return NULL;
}

enum etc_status etc_session_open(struct etc_session *s, const char *path, struct etc_span *bytes,
                                 struct etc_error *err)
{
	const struct etc_given *given = etc_session_given(s, path);
	const struct etc_limits *limits = &s->settings.limits;
	const struct etc_file *pipe = open_pipe(s, path);
	struct etc_file *file;

	*bytes = pipe ? pipe->bytes : (struct etc_span){ 0 };
	if (pipe)
		return ETC_OK;
	if (s->file_count == s->file_room) {
		uint32_t room = s->file_room ? s->file_room * 2 : 4;
		struct etc_file *more = etc_realloc(s->files, room * sizeof *more);

		ETC_NEED(more, err);
		s->files = more;
		s->file_room = room;
	}
	file = &s->files[s->file_count];
	ETC_TRY(open_file(s, given, path, file, err));
	ETC_TRY(unpack(file, err));
	s->host.files = s->files;
	s->host.file_count = ++s->file_count;
	*bytes = file->bytes;
	if (limits->max_memory == 0) {
		s->arena.budget += budget_of(s, file->bytes);
		etc_memory_budget(etc_arena_whole(&s->arena));
	}
	return ETC_OK;
}

enum etc_file_kind etc_file_kind_of(struct etc_span b)
{
	if (etc_span_has(b, 8, "ED00", 4) || etc_span_has(b, 4, "ED00", 4))
		return ETC_FILE_ETDUMP;
	if (etc_fits(b.len, 4, 4) && b.ptr[4] == 'E' && b.ptr[5] == 'T' &&
	    etc_is_digit((char)b.ptr[6]) && etc_is_digit((char)b.ptr[7]))
		return ETC_FILE_PROGRAM;
	if (etc_span_has(b, 4, "BP08", 4))
		return ETC_FILE_BUNDLED_PROGRAM;
	if (etc_span_has(b, 4, "FT01", 4))
		return ETC_FILE_TENSORS;
	if (etc_span_has(b, 0, "PK\003\004", 4) || etc_span_has(b, 0, "PK\005\006", 4))
		return ETC_FILE_ETRECORD;
	return ETC_FILE_UNKNOWN;
}

/* Lists the dumps that are directly in a folder. With `odd`, also lists entries that are named like
 * a dump but are not regular files. E0533: the folder has none of these. */
static enum etc_status dumps_in(struct etc_session *s, const char *folder, bool odd,
                                const char ***out, uint32_t *count, struct etc_error *err)
{
	static const char *const endings[] = { ".etdump", ".etdp", ".etdump.gz", ".etdp.gz", NULL };

	ETC_TRY(odd ? etc_folder_list_all(folder, endings, &s->arena, out, count, err)
	            : etc_folder_list(folder, endings, &s->arena, out, count, err));
	for (uint32_t i = 0; i < *count; i++)
		etc_session_found(s, (*out)[i]);
	if (*count == 0)
		return etc_in_file(err,
		                   etc_fail(err, E0533, "no file in it ends in .etdump or .etdp"),
		                   folder);
	return ETC_OK;
}

/* Lists the dumps in a folder and appends them to `*out` from index `*n` on. `odd`: see
 * dumps_in(). */
static enum etc_status list_folder(struct etc_session *s, const char *folder, bool odd,
                                   const char ***out, uint32_t *n, uint32_t *room,
                                   struct etc_error *err)
{
	const char **found, **all;
	uint32_t count;

	ETC_TRY(dumps_in(s, folder, odd, &found, &count, err));
	*room += count;
	all = etc_new(&s->arena, const char *, *room);
	ETC_NEED(all, err);
	memcpy(all, *out, *n * sizeof *all);
	memcpy(all + *n, found, count * sizeof *all);
	*out = all;
	*n += count;
	return ETC_OK;
}

static bool is_folder(const struct etc_session *s, const char *path)
{
	return !etc_session_given(s, path) && etc_folder_exists(path);
}

enum etc_status etc_session_one(struct etc_session *s, const char **path, struct etc_error *err)
{
	enum { NAMED = 3 };
	struct etc_text names = { 0 };
	const char **found;
	enum etc_status st;
	uint32_t count;

	if (!is_folder(s, *path))
		return ETC_OK;
	ETC_TRY(dumps_in(s, *path, false, &found, &count, err));
	if (count == 1) {
		*path = found[0];
		return ETC_OK;
	}
	for (uint32_t i = 0; i < count && i < NAMED; i++)
		etc_text_printf(&names, "%s%s", i ? ", " : "", strrchr(found[i], '/') + 1);
	st = etc_fail(err, E0556, "%u: " ETC_STR_FMT "%s", (unsigned)count,
	              ETC_STR_ARG(etc_text_str(&names)), count > NAMED ? ", ..." : "");
	etc_text_release(&names);
	return etc_in_file(err, st, *path);
}

enum etc_status etc_session_operands(struct etc_session *s, const char *const *operands,
                                     uint32_t count, bool odd, const char ***out,
                                     uint32_t *out_count, struct etc_error *err)
{
	uint32_t room = count, n = 0;

	*out = etc_new(&s->arena, const char *, room);
	ETC_NEED(*out, err);
	for (uint32_t i = 0; i < count; i++)
		if (is_folder(s, operands[i]))
			ETC_TRY(list_folder(s, operands[i], odd, out, &n, &room, err));
		else
			(*out)[n++] = operands[i];
	*out_count = n;
	return ETC_OK;
}

struct etc_str etc_session_sibling(struct etc_session *s, const char *path,
                                   const char *const *suffixes)
{
	const char *slash, *dot;
	size_t stem;

	if (etc_str_ends(etc_str_of(path), ETC_STR(".gz"))) /* for example run.etdump.gz */
		path = etc_arena_printf(&s->arena, "%.*s", (int)(strlen(path) - 3), path).ptr;
	if (!path)
		return (struct etc_str){ 0 };
	slash = strrchr(path, '/');
	dot = strrchr(path, '.');
	stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);

	for (; *suffixes; suffixes++) {
		struct etc_str p =
			etc_arena_printf(&s->arena, "%.*s%s", (int)stem, path, *suffixes);

		if (p.ptr && strcmp(p.ptr, path) != 0 && etc_file_exists(p.ptr)) {
			etc_session_found(s, p.ptr);
			return p;
		}
	}
	return (struct etc_str){ 0 };
}

struct etc_session_mark etc_session_mark(const struct etc_session *s)
{
	return (struct etc_session_mark){ s->notes };
}

bool etc_session_again(struct etc_session *s, const struct etc_session_mark *mark)
{
	struct etc_note *since;

	if (!s->host.regrets)
		return false;
	s->host.regrets = false;
	since = *mark->notes.last;
	*mark->notes.last = NULL;
	s->notes = mark->notes;
	for (; since; since = since->next) {
		if (since->code != W0640)
			continue;
		s->notes.file = since->file;
		etc_note_each(&s->notes, W0640, ETC_STR_FMT, ETC_STR_ARG(since->text));
	}
	s->notes.file = mark->notes.file;
	return true;
}

/* Returns the trace of `bytes` if another command has read this input already (etc_given.trace);
 * else NULL. */
static const struct etc_trace *read_before(const struct etc_session *s, struct etc_span bytes)
{
	for (const struct etc_given *g = s->given; g; g = g->next)
		if (g->trace && g->bytes.ptr == bytes.ptr && g->bytes.len == bytes.len)
			return g->trace;
	return NULL;
}

enum etc_status etc_session_dump(struct etc_session *s, struct etc_span bytes,
                                 struct etc_trace *out, struct etc_error *err)
{
	const struct etc_limits *limits = &s->settings.limits;
	const struct etc_trace *before = read_before(s, bytes);

	if (before) {
		*out = *before;
		return ETC_OK;
	}
	return s->salvage ? etc_etdump_salvage(bytes, limits, &s->arena, &s->notes, out, err)
	                  : etc_etdump_read_file(file_of(s, bytes), bytes, limits, &s->arena,
	                                         &s->notes, out, err);
}

enum etc_status etc_session_dump_sparse(struct etc_session *s, struct etc_span bytes,
                                        etc_keep_fn *keep, struct etc_trace *out,
                                        struct etc_error *err)
{
	if (s->salvage || read_before(s, bytes))
		return etc_session_dump(s, bytes, out, err);
	return etc_etdump_read_sparse(file_of(s, bytes), bytes, &s->settings.limits, keep,
	                              &s->arena, &s->notes, out, err);
}

enum etc_status etc_session_log(struct etc_session *s, struct etc_span bytes,
                                struct etc_serial_log *out, struct etc_error *err)
{
	return s->salvage ? etc_serial_log_salvage(bytes, &s->arena, &s->notes, out, err)
	                  : etc_serial_log_read(bytes, &s->arena, &s->notes, out, err);
}

static enum etc_status fail_with(const struct etc_note *note, struct etc_error *err)
{
	return etc_in_file(err, etc_fail(err, note->code, ETC_STR_FMT, ETC_STR_ARG(note->text)),
	                   note->file.len ? note->file.ptr : "");
}

/* Returns the first note about a dump of which only a part was read (W0226), or NULL. */
static const struct etc_note *salvaged(const struct etc_session *s)
{
	const struct etc_note *n = s->notes.first;

	while (n && n->code != W0226)
		n = n->next;
	return n;
}

enum etc_status etc_session_unchanged(struct etc_session *s, struct etc_error *err)
{
	const struct etc_str before = s->notes.file;

	for (uint32_t i = 0; i < s->file_count; i++) {
		enum etc_file_fate fate = etc_file_fate(&s->files[i]);

		s->notes.file = etc_str_of(s->files[i].path);
		if (fate == ETC_FILE_CHANGED)
			return etc_in_file(err, etc_fail(err, E0907, "it was written to or cut"),
			                   s->files[i].path);
		if (fate != ETC_FILE_SAME)
			etc_note(&s->notes, W0908, "%s",
			         fate == ETC_FILE_GREW
			                 ? "it is longer now; this is of its beginning"
			                 : "another file has its name now; this is of the former");
	}
	s->notes.file = before;
	return ETC_OK;
}

enum etc_status etc_session_report(struct etc_session *s, bool strict,
                                   const struct etc_reply *reply, struct etc_error *err)
{
	enum etc_status changed = etc_session_unchanged(s, err);
	const struct etc_note *warning, *last;

	if (changed != ETC_OK)
		return changed;
	etc_host_note_unasked(&s->host);
	warning = strict ? etc_notes_warning(&s->notes) : NULL;
	last = strict ? warning : salvaged(s);
	for (const struct etc_note *n = s->notes.first; n; n = n->next)
		if (reply->on_note && n != last)
			reply->on_note(reply->arg, n);
	return warning ? fail_with(warning, err) : ETC_OK;
}

void etc_session_report_since(const struct etc_session_mark *mark, const struct etc_reply *reply)
{
	for (const struct etc_note *n = *mark->notes.last; n && reply->on_note; n = n->next)
		reply->on_note(reply->arg, n);
}

enum etc_status etc_session_end(const struct etc_session *s, struct etc_error *err)
{
	const struct etc_note *n = salvaged(s);

	return n ? fail_with(n, err) : ETC_OK;
}

enum etc_status etc_session_hand_over(struct etc_session *s, struct etc_kept *answer,
                                      enum etc_status st, const struct etc_reply *reply,
                                      struct etc_error *err)
{
	const bool keep = st == ETC_OK && reply->kept;

	if (st == ETC_OK)
		st = etc_session_end(s, err);
	if (keep)
		*reply->kept = answer;
	else
		etc_kept_close(answer);
	return st;
}
