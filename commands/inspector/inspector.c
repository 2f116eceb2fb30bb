/* inspector.c -- `etcore inspector`: reads files and plugins and writes the result, in the
 * order of the Inspector's constructor. The output depends only on the arguments. */
#include "commands/inspector/inspector.h"

#include <stdlib.h>

#include "context/output.h"
#include "context/session.h"
#include "base/inside.h"
#include "base/memory.h"
#include "base/opened.h"
#include "commands/inspector/writers.h"
#include "commands/inspector/tables.h"
#include "formats/etdump/debug_buffer.h"
#include "formats/etdump/serial_log.h"
#include "formats/etrecord/etrecord.h"
#include "formats/etrecord/references.h"
#include "inspector/pyrepr.h"

struct files {
	const char *etdump, *etrecord, *debug_buffer, *tsv;
};

/* The functions that write the results in one format of -o. */
struct writers {
	etc_insp_writer *events;
	etc_insp_gap_writer *gap;
};

#define FORMAT(name, ending, events, gap) \
	{ name, ending, false, false, NULL, NULL, &(const struct writers){ events, gap }, false },

static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_INSPECTOR_FORMATS, FORMAT);

static bool yes(const char *word, bool otherwise)
{
	return word ? strcmp(word, "yes") == 0 : otherwise;
}

/* Finds the files of a run as Arm's inspect.py does: next to the program, by its name without the
 * extension. */
static enum etc_status siblings(struct etc_session *s, const char *program, struct files *f,
                                struct etc_error *err)
{
	static const char *const dumps[] = { ".etdump", ".etdp", NULL };
	const char *slash = strrchr(program, '/'), *dot = strrchr(program, '.');
	bool suffix = dot && dot > (slash ? slash + 1 : program);
	int stem = suffix ? (int)(dot - program) : (int)strlen(program);
	struct etc_str found = etc_session_sibling(s, program, dumps);

	f->etdump = found.ptr ? found.ptr
	                      : etc_arena_printf(&s->arena, "%.*s.etdump", stem, program).ptr;
	f->etrecord = etc_arena_printf(&s->arena, "%.*s.etrecord", stem, program).ptr;
	f->tsv = etc_arena_printf(&s->arena, "%.*s.csv", stem, program).ptr;
	ETC_NEED(f->etdump && f->etrecord && f->tsv, err);
	etc_session_found(s, f->etdump);
	etc_session_found(s, f->etrecord);
	return ETC_OK;
}

static enum etc_status read_record(struct etc_session *s, const char *path, struct etc_record *out,
                                   struct etc_error *err)
{
	const uint32_t want = (ETC_RECORD_ALL & ~ETC_RECORD_GRAPHS) | ETC_RECORD_LATER;
	struct etc_span bytes;

	ETC_TRY(etc_session_open(s, path, &bytes, err));
	s->notes.file = etc_str_of(path);
	return etc_in_file(err, etc_etrecord_read(bytes, want, &s->arena, &s->notes, out, err),
	                   path);
}

static enum etc_status read_trace(struct etc_session *s, const struct files *f,
                                  struct etc_inspector *in, struct etc_trace *trace,
                                  struct etc_error *err)
{
	struct etc_serial_log log = { 0 };
	struct etc_span buffer;

	ETC_TRY(etc_session_open(s, f->etdump, &log.dump, err));
	s->notes.file = etc_str_of(f->etdump);
	if (etc_file_kind_of(log.dump) == ETC_FILE_UNKNOWN && etc_serial_log_is(log.dump))
		ETC_TRY(etc_in_file(err, etc_session_log(s, log.dump, &log, err), f->etdump));
	ETC_TRY(etc_in_file(err, etc_session_dump(s, log.dump, trace, err), f->etdump));
	ETC_TRY(etc_in_file(err, etc_insp_check_trace(trace, err), f->etdump));
	buffer = log.debug_buffer;
	if (f->debug_buffer)
		ETC_TRY(etc_session_open(s, f->debug_buffer, &buffer, err));
	in->trace = trace;
	return etc_debug_as_inspector(trace, f->debug_buffer || buffer.len ? &buffer : NULL,
	                              &s->arena, &in->tensors, err);
}

static struct etc_insp_switches switches_of(const struct etc_inspector_options *o)
{
	return (struct etc_insp_switches){ yes(o->include_units, o->program == NULL),
		                           yes(o->include_delegate_debug_data,
		                               o->program != NULL) };
}

/* A result that has been computed but not written. */
struct answer {
	const struct etc_inspector_options *options;
	struct etc_inspector *in;
	struct etc_insp_switches switches;
	const struct etc_gap_frame *gap; /* the result of --numeric_gap */
};

static enum etc_status put(const struct etc_format *format, bool for_file, void *what,
                           struct etc_text *out, struct etc_error *err)
{
	const struct answer *a = what;
	const struct writers *writers = format->own;

	(void)for_file;
	if (a->gap)
		return writers->gap(a->in, a->gap, out, err);
	if (!a->options->module)
		return writers->events(a->in, &a->switches, out, err);
	etc_py_float(out, etc_insp_module_total(a->in, etc_str_of(a->options->module)));
	etc_text_char(out, '\n');
	return ETC_OK;
}

/* Runs --numeric_gap: compares the values of `forward`, the only method that the Inspector
 * supports, and writes the result. */
static enum etc_status gap(struct etc_session *s, const struct answer *a,
                           const struct etc_targets *targets, struct etc_text *out,
                           struct etc_error *err)
{
	const struct etc_inspector_options *o = a->options;
	const struct etc_reference_method none = { .method = ETC_STR("forward") };
	struct etc_gap_frame frame = { .aot = &none, .distance = etc_str_of(o->numeric_gap) };
	struct etc_references references;
	struct etc_span bytes;
	struct etc_gap found;
	struct answer full = *a;

	if (!a->in->record)
		return etc_fail(err, E0825,
		                "AttributeError: 'NoneType' object has no attribute "
		                "'exported_program': there is no ETRecord");
	if (!o->reference_values)
		return etc_fail(err, E0501, "--numeric_gap needs --reference_values FILE");
	ETC_TRY(etc_session_open(s, o->reference_values, &bytes, err));
	ETC_TRY(etc_in_file(err, etc_references_read(bytes, &s->arena, &references, err),
	                    o->reference_values));
	for (uint32_t i = 0; i < references.count; i++)
		if (etc_str_eq(references.methods[i].method, none.method))
			frame.aot = &references.methods[i];
	frame.gap = &found;
	ETC_TRY(etc_insp_numeric_gap(a->in, frame.aot, frame.distance, &found, err));
	full.gap = &frame;
	return etc_targets_write(targets, put, &full, out, err);
}

/* Writes the table to the file of --tsv_path or, if a program was given, next to the program. */
static enum etc_status write_tsv(const struct answer *a, const char *path, struct etc_error *err)
{
	static const struct etc_insp_switches switches = { true, false };
	struct etc_text tsv = { 0 };
	enum etc_status st = etc_opened_spare(path, err);

	if (st == ETC_OK)
		st = etc_insp_tsv(a->in, &switches, &tsv, err);
	if (st == ETC_OK)
		st = a->options->program ? etc_inside_write_beside(path, etc_text_str(&tsv), err)
		                         : etc_file_write(path, etc_text_str(&tsv), err);
	etc_text_release(&tsv);
	return st;
}

static enum etc_status answer(struct etc_session *s, const struct etc_inspector_options *o,
                              const struct files *f, struct etc_inspector *in,
                              const struct etc_targets *targets, struct etc_text *out,
                              struct etc_error *err)
{
	struct answer a = { o, in, switches_of(o), NULL };
	enum etc_status st;

	if (o->numeric_gap)
		return gap(s, &a, targets, out, err);
	/* The file of --tsv_path is written first: if that fails, standard output stays empty. */
	if (f->tsv && !o->module)
		ETC_TRY(write_tsv(&a, f->tsv, err));
	ETC_TRY(etc_targets_write(targets, put, &a, out, err));
	if (o->module || !o->compare_results)
		return ETC_OK;
	/* As with inspector_cli, the text that was printed before the exception stays. */
	st = etc_insp_compare_results(in, out, err);
	return st == ETC_RAISES && !etc_text_flush(out) ? etc_no_memory(err) : st;
}

/* Checks that the Inspector has the scale: "ticks" exists only in etcore. */
static enum etc_status scale_of(const struct etc_session *s, const char *key, uint8_t unit,
                                uint8_t *out, struct etc_error *err)
{
	const struct etc_setting *set =
		etc_settings_find(&s->settings, ETC_STR("etcore"), etc_str_of(key));
	enum etc_status st;

	*out = unit;
	if (unit != ETC_UNIT_TICKS)
		return ETC_OK;
	st = etc_fail(err, E0515, "'ticks' for '%s'; the Inspector has ns, us, ms, s and cycles",
	              key);
	if (set)
		etc_settings_place(set->origin, err);
	return st;
}

/* Sets the configuration and the arguments of the Inspector's constructor. */
static enum etc_status configure(struct etc_session *s, const struct etc_inspector_options *o,
                                 struct etc_inspector *in, struct etc_error *err)
{
	const struct etc_conf_override scales[] = {
		{ "etcore", "source_time_scale", o->source_time_scale, "--source_time_scale" },
		{ "etcore", "target_time_scale", o->target_time_scale, "--target_time_scale" },
	};
	const struct etc_settings *settings = &s->settings;

	ETC_TRY(etc_session_configure(s, &o->common, scales, 2, ETC_SESSION_ARGUMENTS_ONLY, err));
	ETC_TRY(scale_of(s, "source_time_scale", settings->source_time_scale, &in->source, err));
	ETC_TRY(scale_of(s, "target_time_scale", settings->target_time_scale, &in->target, err));
	in->reference_graph =
		etc_str_of(o->reference_graph ? o->reference_graph : "edge_dialect_graph_module");
	in->module_hierarchy = o->enable_module_hierarchy;
	return etc_inspector_scales(in->source, in->target, &in->factor, err);
}

static enum etc_status build(struct etc_session *s, const struct files *f, struct etc_inspector *in,
                             struct etc_error *err)
{
	const struct etc_session_mark mark = etc_session_mark(s);
	const struct etc_inspector before = *in;

	do {
		enum etc_status st;

		*in = before;
		st = etc_inspector_build(in, err);
		if (err->at >= 0) /* an offset in the dump, the only file that the Inspector reads
		                   * here */
			st = etc_in_file(err, st, f->etdump);
		ETC_TRY(st);
	} while (etc_session_again(s, &mark));
	return ETC_OK;
}

/* Reports (W0555) a section [backend.ID] of the configuration that only sets a parser of metadata,
 * if no event of that backend has metadata. */
static void note_sections(struct etc_session *s, const struct etc_inspector *in)
{
	for (uint32_t i = 0; i < s->settings.backend_count; i++)
		if (in->sections[i] == ETC_SECTION_MET)
			etc_note(&s->notes, W0555,
			         "[backend." ETC_STR_FMT "]: its events have no metadata",
			         ETC_STR_ARG(s->settings.backends[i].id));
}

/* Releases the pages of the dump, since only a few names in the dump are still needed. Does nothing
 * if the same file is also another input. */
static void forget(const struct etc_insp_kept *k, const struct files *f)
{
	const char *others[] = { f->etrecord, f->debug_buffer, k->options.reference_values };
	const struct etc_session *s = &k->session;

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (others[i] && strcmp(others[i], f->etdump) == 0)
			return;
	for (uint32_t i = 0; i < s->file_count; i++)
		if (k->trace.bytes == s->files[i].bytes.ptr)
			etc_etdump_forget(&k->trace, &s->files[i]);
}

static enum etc_status run(struct etc_insp_kept *k, const struct etc_reply *reply,
                           struct etc_error *err)
{
	const struct etc_inspector_options *o = &k->options;
	struct files f = { o->etdump, o->etrecord, o->debug_buffer, o->tsv };
	struct etc_session *s = &k->session;
	struct etc_inspector *in = &k->in;
	struct etc_targets targets;

	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	if (o->reference_values && !o->numeric_gap)
		return etc_fail(err, E0501, "--reference_values is for --numeric_gap");
	if (reply->unheard)
		etc_targets_only_files(&targets);
	ETC_TRY(configure(s, o, in, err));
	ETC_TRY(etc_session_plugins(s, &o->common, ETC_SESSION_ARGUMENTS_ONLY, err));
	in->host = s->host.count || s->settings.backend_count ? &s->host : NULL;
	in->sections = etc_new(&s->arena, uint8_t, s->settings.backend_count);
	ETC_NEED(in->sections, err);
	if (o->program)
		ETC_TRY(siblings(s, o->program, &f, err));
	if (f.etrecord) {
		ETC_TRY(read_record(s, f.etrecord, &k->record, err));
		in->record = &k->record;
		if (k->record.inspector_refuses)
			return etc_in_file(err,
			                   etc_fail(err, (enum etc_code)k->record.inspector_refuses,
			                            ETC_STR_FMT,
			                            ETC_STR_ARG(k->record.inspector_reason)),
			                   f.etrecord);
	}
	ETC_TRY(etc_session_one(s, &f.etdump, err));
	ETC_TRY(read_trace(s, &f, in, &k->trace, err));
	ETC_TRY(build(s, &f, in, err));
	note_sections(s, in);
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	ETC_TRY(answer(s, o, &f, in, &targets, reply->out, err));
	if (reply->kept)
		forget(k, &f);
	return ETC_OK;
}

/* ---- an answer that is kept ------------------------------------------------------ */

static enum etc_status write_kept(struct etc_kept *kept, const char *format, struct etc_text *out,
                                  struct etc_error *err)
{
	struct etc_insp_kept *k = (struct etc_insp_kept *)kept;
	struct etc_target target = { .format = etc_format_find(formats, etc_str_of(format)) };
	struct answer a = { .options = &k->options, .in = &k->in };

	if (!target.format)
		return etc_format_unknown(formats, "", etc_str_of(format), err);
	a.switches = switches_of(&k->options);
	return put(target.format, false, &a, out, err);
}

static void close_files(struct etc_kept *kept)
{
	etc_session_close(&((struct etc_insp_kept *)kept)->session);
}

static void release(struct etc_kept *kept)
{
	struct etc_insp_kept *k = (struct etc_insp_kept *)kept;

	etc_arena_release(&k->session.arena);
	free(k);
}

enum etc_status etc_inspector(const struct etc_inspector_options *options,
                              const struct etc_reply *reply, struct etc_error *err)
{
	static const char *const names[ETC_INSP_TABLES] = { "blocks", "inspected",
		                                            "inspected_samples", "values" };
	static const struct etc_kept_kind kind = {
		.first = ETC_INSP_BLOCKS,
		.count = ETC_INSP_TABLES,
		.names = names,
		.make = etc_insp_make_table,
		.write = write_kept,
		.close = close_files,
		.release = release,
	};
	struct etc_insp_kept *k;

	if (options->program && options->etdump)
		return etc_fail(err, E0501, "either a program or --etdump_path, not both");
	k = etc_calloc(1, sizeof *k);
	ETC_NEED(k, err);
	etc_kept_init(&k->kept, &kind, k->tables);
	k->options = *options;
	etc_session_init(&k->session, 0);
	k->in.arena = &k->session.arena;
	return etc_session_hand_over(&k->session, &k->kept, run(k, reply, err), reply, err);
}
