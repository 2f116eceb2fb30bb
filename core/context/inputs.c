/* inputs.c -- see inputs.h */
#include "context/inputs.h"

#include "together/together.h"
#include "base/folder.h"
#include "base/memory.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etrecord/etrecord.h"
#include "formats/program/bundled.h"
#include "formats/etrecord/graph_flow.h"
#include "formats/program/delegate_graph.h"
#include "formats/program/program.h"
#include "formats/etdump/serial_log.h"

/* A kind of file that is searched next to a dump. The file may have the dump's name, but with an
 * ending of `stem`. If there is no such file, the file is the only one in the folder whose name has
 * an ending of `folder`. */
struct sibling {
	const char *what;
	const char *const *stem;
	const char *const *folder;
};

static const char *const record_stems[] = { ".etrecord", NULL };
static const char *const record_endings[] = { ".etrecord", "etrecord.bin", NULL };
static const char *const buffer_stems[] = { ".bin", ".dbg", NULL };
static const char *const buffer_endings[] = { "debug.bin", "debug_buffer.bin", "debug_output.bin",
	                                      ".dbg", NULL };

static const char *const dump_endings[] = { ".etdump", ".etdp", NULL };
static const char *const program_endings[] = { ".pte", NULL };

static const struct sibling record_sibling = { "ETRecord", record_stems, record_endings };
static const struct sibling buffer_sibling = { "debug buffer", buffer_stems, buffer_endings };
static const struct sibling dump_sibling = { "ETDump", dump_endings, dump_endings };
static const struct sibling program_sibling = { "program", program_endings, program_endings };

/* Finds a file of the kind `kind` next to the dump. Returns its path; NULL: there is none. */
static const char *find(struct etc_session *s, const char *dump, const struct sibling *kind)
{
	const struct etc_given *given = etc_session_given(s, dump);
	struct etc_str by_stem = { 0 };
	struct etc_neighbours found;

	if (given && !given->on_disk)
		return NULL;
	by_stem = etc_session_sibling(s, dump, kind->stem);
	if (by_stem.len)
		return by_stem.ptr;
	found = etc_folder_find(dump, kind->folder, &s->arena);
	if (found.count > 1)
		etc_note_each(&s->notes, N0420,
		              "%s: " ETC_STR_FMT " and " ETC_STR_FMT "%s; none is used", kind->what,
		              ETC_STR_ARG(found.first), ETC_STR_ARG(found.second),
		              found.count > 2 ? " and more" : "");
	if (found.count != 1)
		return NULL;
	etc_session_found(s, found.first.ptr);
	return found.first.ptr;
}

const char *etc_inputs_find_dump(struct etc_session *s, const char *path, bool verbose)
{
	const char *found;

	s->notes.file = etc_str_of(path);
	found = find(s, path, &dump_sibling);
	if (found && verbose)
		etc_note_each(&s->notes, N0421, "%s: %s", dump_sibling.what, found);
	return found;
}

void etc_inputs_beside(struct etc_session *s, const char *dump, struct etc_input_paths *beside)
{
	s->notes.file = etc_str_of(dump);
	beside->etrecord = find(s, dump, &record_sibling);
	beside->debug_buffer = find(s, dump, &buffer_sibling);
	beside->program = find(s, dump, &program_sibling);
}

static enum etc_status open_extra(struct etc_session *s, const struct etc_input_paths *paths,
                                  const char *given, const struct sibling *kind,
                                  struct etc_input_file *file, struct etc_error *err)
{
	bool look = !given && !paths->no_siblings && strcmp(paths->dump, "-") != 0;

	file->path = given ? given : look ? find(s, paths->dump, kind) : NULL;
	if (!file->path)
		return ETC_OK;
	file->found = !given;
	if (file->found && paths->verbose)
		etc_note_each(&s->notes, N0421, "%s: %s", kind->what, file->path);
	return etc_in_file(err, etc_session_open(s, file->path, &file->bytes, err), file->path);
}

/* If the file was not named by the user, but found next to the dump, turns its error into the
 * warning W0422, so that the query does not fail. */
static enum etc_status forgive(struct etc_session *s, struct etc_input_file *file,
                               enum etc_status st, const struct etc_error *err)
{
	if (st == ETC_OK || !file->found || st == ETC_NOMEM)
		return st;
	if (st == ETC_LIMIT && etc_memory_refused().budget)
		etc_memory_forgive((struct etc_refusal){ 0 });
	etc_note(&s->notes, W0422, "%s: %s: %s", file->path, etc_code_info(err->code)->name,
	         err->text);
	file->path = NULL;
	return ETC_OK;
}

/* Does the runtime call an operator outside of delegates in some run? */
static bool has_operators(const struct etc_trace *t)
{
	for (size_t i = 0; i < t->template_count; i++)
		for (uint32_t e = 0; e < t->templates[i].count; e++)
			if (t->templates[i].events[e].word == ETC_WORD_OPERATOR_CALL)
				return true;
	return false;
}

/* Must the tensors of the record's graphs be read? Without a program, yes: only these tensors have
 * the types and shapes with which kernels and delegates compute. With a program, they are needed
 * only if some values were logged, to find the sizes of values that were not logged. */
static bool needs_flows(const struct etc_input_paths *given, const struct etc_inputs *in)
{
	if ((!given->values && !given->flows) || (in->program.path && !in->program_foreign.len &&
	                                          (!given->sizes || in->trace.value_count == 0)))
		return false;
	return !given->sizes || given->flows || has_operators(&in->trace);
}

static bool lacks_handles(const struct etc_delegate_graph *g)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->nodes[i].kind == ETC_DELEGATE_PRODUCT && !g->nodes[i].handle)
			return true;
	return false;
}

/* Reads the graph of each delegate of the program, and keeps it if a product (a matrix
 * multiplication or convolution) in it has no debug handle. The node of such a product can only be
 * found from the order of the record's products (join/products.h). Sets `*any` to true if a graph
 * was kept. */
static enum etc_status read_graphs(struct etc_session *s, const struct etc_inputs *in, bool *any,
                                   struct etc_error *err)
{
	const struct etc_program *p = &in->code;
	bool read;

	*any = false;
	for (uint32_t i = 0; i < p->method_count; i++)
		for (uint32_t k = 0; k < p->methods[i].delegate_count; k++) {
			struct etc_program_delegate *d =
				(struct etc_program_delegate *)(uintptr_t)&p->methods[i]
					.delegates[k];
			struct etc_delegate_graph *g =
				etc_new(&s->arena, struct etc_delegate_graph, 1);

			ETC_NEED(g, err);
			ETC_TRY(etc_delegate_graph_read(d->processed, &s->arena, g, &read, err));
			d->graph = read && lacks_handles(g) ? g : NULL;
			*any |= d->graph != NULL;
		}
	return ETC_OK;
}

static enum etc_status read_record(struct etc_session *s, const struct etc_input_paths *given,
                                   struct etc_inputs *in, struct etc_error *err)
{
	uint32_t want = ETC_RECORD_MAPS | ETC_RECORD_EDGE | ETC_RECORD_LATER;
	enum etc_status st;

	if (!in->etrecord.path)
		return ETC_OK;
	if (needs_flows(given, in))
		want |= ETC_RECORD_FLOWS;
	s->notes.file = etc_str_of(in->etrecord.path);
	st = etc_etrecord_read(in->etrecord.bytes, want, &s->arena, &s->notes, &in->record, err);
	s->notes.file = etc_str_of(in->dump.path);
	return forgive(s, &in->etrecord, etc_in_file(err, st, in->etrecord.path), err);
}

/* Sets `*out` to the bytes of the program. If the file is a bundled program, these are the bytes of
 * the program in it. */
static enum etc_status program_bytes(const struct etc_inputs *in, struct etc_span *out,
                                     struct etc_error *err)
{
	*out = in->program.bytes;
	return etc_bundled_is(*out) ? etc_bundled_inner(in->program.bytes, out, err) : ETC_OK;
}

static enum etc_status read_program(struct etc_session *s, struct etc_inputs *in, bool values,
                                    struct etc_error *err)
{
	struct etc_span program;
	enum etc_status st;

	if (!in->program.path)
		return ETC_OK;
	st = program_bytes(in, &program, err);
	if (st == ETC_OK)
		st = (values ? etc_program_read_whole : etc_program_read)(
			program, &s->settings.limits, &s->arena, &in->code, err);
	return forgive(s, &in->program, etc_in_file(err, st, in->program.path), err);
}

/* If the dump's file is a serial log, replaces in->dump.bytes by the dump in the log. If
 * `buffer_given` is false, also takes the debug buffer from the log. */
static enum etc_status read_log(struct etc_session *s, struct etc_inputs *in, bool buffer_given,
                                struct etc_error *err)
{
	struct etc_serial_log log;

	if (etc_file_kind_of(in->dump.bytes) != ETC_FILE_UNKNOWN ||
	    !etc_serial_log_is(in->dump.bytes))
		return ETC_OK;
	ETC_TRY(etc_session_log(s, in->dump.bytes, &log, err));
	in->dump.bytes = log.dump;
	in->from_log = true;
	if (log.debug_buffer.len && !buffer_given) {
		in->debug_buffer.path = in->dump.path;
		in->debug_buffer.bytes = log.debug_buffer;
	}
	return ETC_OK;
}

/* Checks whether the record and the program are of the same export as the dump. */
static enum etc_status relate(struct etc_session *s, struct etc_inputs *in, struct etc_error *err)
{
	struct etc_together_files f = { .trace = &in->trace,
		                        .record = in->etrecord.path ? &in->record : NULL,
		                        .record_bytes = in->etrecord.bytes,
		                        .program = in->program.path ? &in->code : NULL };
	struct etc_relations all;

	if (!f.record && !f.program)
		return ETC_OK;
	if (f.program)
		ETC_TRY(program_bytes(in, &f.program_bytes, err));
	ETC_TRY(etc_relations_find(&f, s->arena.budget, &all, err));
	if (all.dump_record.together == ETC_TOGETHER_NO)
		in->record_foreign = etc_arena_str(&s->arena, etc_str_of(all.dump_record.text));
	if (all.dump_program.together == ETC_TOGETHER_NO)
		in->program_foreign = etc_arena_str(&s->arena, etc_str_of(all.dump_program.text));
	return ETC_OK;
}

/* Reads the tensors of the record's graphs, unless read_record() has read them. */
static enum etc_status read_flows(struct etc_session *s, struct etc_inputs *in,
                                  struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_zip zip;
	enum etc_status st = etc_zip_open(in->etrecord.bytes, &s->arena, &zip, &why);

	for (uint32_t i = 0; st == ETC_OK && i < in->record.graph_count; i++) {
		struct etc_graph *g = (struct etc_graph *)(uintptr_t)&in->record.graphs[i];
		struct etc_graph_flow *flow;

		if (g->kind != ETC_GRAPH_EDGE || g->truncated)
			continue;
		if (!g->tensors) {
			g->tensors = flow = etc_new(&s->arena, struct etc_graph_flow, 1);
			ETC_NEED(flow, err);
			st = etc_graph_flow_read(&zip, g, &s->arena, flow, &why);
		}
		if (!in->program.path || in->program_foreign.len)
			g->flow = g->tensors;
	}
	return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
}

/* Refuses a file of another kind that was given as debug buffer. A debug buffer has no header, so
 * only other kinds of file can be recognised. */
static enum etc_status check_buffer(const struct etc_input_file *buffer, struct etc_error *err)
{
	static const char *const kinds[] = {
		[ETC_FILE_ETDUMP] = "an ETDump",
		[ETC_FILE_ETRECORD] = "an ETRecord",
		[ETC_FILE_PROGRAM] = "a program",
		[ETC_FILE_BUNDLED_PROGRAM] = "a bundled program",
		[ETC_FILE_TENSORS] = "a file of tensors (.ptd)",
	};
	enum etc_file_kind kind = etc_file_kind_of(buffer->bytes);

	if (kind == ETC_FILE_UNKNOWN)
		return ETC_OK;
	return etc_in_file(err, etc_fail(err, E0708, "it is %s", kinds[kind]), buffer->path);
}

/* Opens the debug buffer that the user named. If the user named none, opens the one next to the
 * dump, but only if the dump has debug values. */
static enum etc_status open_buffer(struct etc_session *s, const struct etc_input_paths *paths,
                                   struct etc_inputs *in, struct etc_error *err)
{
	enum etc_status st;

	if (in->trace.value_count == 0 && !paths->debug_buffer)
		return ETC_OK;
	if (!in->debug_buffer.path) {
		st = open_extra(s, paths, paths->debug_buffer, &buffer_sibling, &in->debug_buffer,
		                err);
		if (st == ETC_OK && in->debug_buffer.path)
			st = check_buffer(&in->debug_buffer, err);
		ETC_TRY(forgive(s, &in->debug_buffer, st, err));
	}
	if (in->trace.tensor_count == 0 && paths->debug_buffer)
		etc_note(&s->notes, W0709, "the dump has no logged tensors");
	etc_debug_check(&in->trace, in->debug_buffer.path ? &in->debug_buffer.bytes : NULL,
	                &s->notes);
	return ETC_OK;
}

enum etc_status etc_inputs_open(struct etc_session *s, const struct etc_input_paths *given,
                                struct etc_inputs *in, struct etc_error *err)
{
	struct etc_input_paths resolved = *given;
	const struct etc_input_paths *paths = &resolved;
	enum etc_status st;
	bool flows;

	ETC_TRY(etc_session_one(s, &resolved.dump, err));
	*in = (struct etc_inputs){ .dump = { .path = paths->dump } };
	s->notes.file = etc_str_of(paths->dump);
	ETC_TRY(etc_in_file(err, etc_session_open(s, paths->dump, &in->dump.bytes, err),
	                    paths->dump));
	st = read_log(s, in, paths->debug_buffer != NULL, err);
	ETC_TRY(etc_in_file(err, st, paths->dump));
	st = etc_session_dump(s, in->dump.bytes, &in->trace, err);
	ETC_TRY(etc_in_file(err, st, paths->dump));
	st = open_extra(s, paths, paths->etrecord, &record_sibling, &in->etrecord, err);
	ETC_TRY(forgive(s, &in->etrecord, st, err));
	st = open_extra(s, paths, paths->program, &program_sibling, &in->program, err);
	ETC_TRY(forgive(s, &in->program, st, err));
	ETC_TRY(read_record(s, paths, in, err));
	ETC_TRY(read_program(s, in, paths->values, err));
	ETC_TRY(relate(s, in, err));
	flows = needs_flows(paths, in);
	if (!flows && paths->flows && in->etrecord.path)
		ETC_TRY(read_graphs(s, in, &flows, err));
	if (flows && in->etrecord.path && !in->record_foreign.len)
		ETC_TRY(read_flows(s, in, err));
	return open_buffer(s, paths, in, err);
}
