/* dump.c -- finds the kind of the file, and writes the formats; see dump.h.
 *
 * The file is read and checked before anything is written. The output is written through a small
 * buffer, so it may be larger than memory. */
#include "commands/dump/dump.h"

#include "commands/dump/drawing.h"

#include "context/output.h"
#include "formats/etdump/etdump.h"
#include "formats/etdump/serial_log.h"
#include "formats/container/zip.h"

/* The kinds of files. A new kind of file needs a row here, and a source file. */
static const struct etc_dump_kind *const kinds[] = {
	&etc_dump_etdump,  &etc_dump_etrecord, &etc_dump_program,
	&etc_dump_bundled, &etc_dump_tensors,
};

/* ---- finding the kind of a file ------------------------------------------ */

static bool is_archive(const struct etc_dump *d)
{
	struct etc_zip zip;

	return etc_zip_open(d->bytes, &d->session->arena, &zip, NULL) == ETC_OK;
}

/* Finds the kind of the file. This includes two kinds that the first bytes do not show: an archive
 * that begins after other bytes, and a serial log that contains a dump (d->bytes is then set to the
 * dump). For an empty file or a newer ETDump, returns the error of the ETDump reader. The kind of
 * any other file stays unknown. */
static enum etc_status recognise(struct etc_dump *d, enum etc_file_kind *kind,
                                 struct etc_error *err)
{
	struct etc_trace ignored;
	enum etc_status st;

	*kind = etc_file_kind_of(d->bytes);
	if (*kind != ETC_FILE_UNKNOWN)
		return ETC_OK;
	if (is_archive(d)) {
		*kind = ETC_FILE_ETRECORD;
		return ETC_OK;
	}
	if (etc_serial_log_is(d->bytes)) {
		struct etc_serial_log log;

		ETC_TRY(etc_session_log(d->session, d->bytes, &log, err));
		d->bytes = log.dump;
		*kind = ETC_FILE_ETDUMP;
		return ETC_OK;
	}
	st = etc_etdump_read(d->bytes, NULL, &d->session->arena, NULL, &ignored, err);
	return st == ETC_FORMAT && d->bytes.len ? ETC_OK : st;
}

static enum etc_status find_kind(struct etc_dump *d, const struct etc_dump_kind **out,
                                 struct etc_error *err)
{
	enum etc_file_kind kind;

	ETC_TRY(recognise(d, &kind, err));
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i]->kind == kind) {
			*out = kinds[i];
			return ETC_OK;
		}
	return etc_fail(err, E0509, "its first bytes are those of no kind that etcore knows");
}

/* ---- writing ------------------------------------------------------------- */

static void put_text(void *dump, struct etc_text *out)
{
	struct etc_dump *d = dump;

	d->kind->text(d, out);
}

static void put_json(void *dump, struct etc_text *out)
{
	struct etc_dump *d = dump;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.dump/1"));
	etc_emit_open(&e, "file", '{');
	etc_emit_text(&e, "path", etc_str_of(d->file));
	etc_emit_u64(&e, "bytes", d->bytes.len);
	etc_emit_text(&e, "kind", etc_str_of(d->kind->name));
	etc_emit_close(&e);
	d->kind->json(d, &e);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}

static void put_dot(void *dump, struct etc_text *out)
{
	const struct etc_dump *d = dump;

	etc_drawing_dot(d->content, out);
}

static void put_svg(void *dump, struct etc_text *out)
{
	const struct etc_dump *d = dump;
	const struct etc_dump_record *c = d->content;

	etc_text_put(out, etc_text_str(&c->drawing->svg));
}

static const struct etc_format formats[] = ETC_FORMAT_ARRAY(ETC_DUMP_FORMATS, ETC_DOCUMENT_FORMAT);

/* If -o dot or -o svg was given, prepares the drawing. E0501: no graph was chosen (--graph), or
 * --times was given without a drawing. */
static enum etc_status prepare_drawing(struct etc_dump *d, const struct etc_targets *targets,
                                       struct etc_error *err)
{
	bool dot = false, svg = false;

	for (uint32_t i = 0; i < targets->count; i++) {
		dot = dot || targets->v[i].format->document == put_dot;
		svg = svg || targets->v[i].format->document == put_svg;
	}
	if ((dot || svg) && !d->options->graph)
		return etc_fail(err, E0501, "-o %s is of one graph: dump model.etrecord --graph",
		                svg ? "svg" : "dot");
	if (!dot && !svg)
		return d->options->times ? etc_fail(err, E0501, "--times colours -o dot and svg")
		                         : ETC_OK;
	return etc_drawing_make(d, d->content, svg, err);
}

/* Prepares the drawing. If this fails because no event has a node, reports the warnings as well,
 * since a missing plugin may be the cause. */
static enum etc_status draw(struct etc_dump *d, const struct etc_targets *targets,
                            const struct etc_reply *reply, struct etc_error *err)
{
	enum etc_status st = prepare_drawing(d, targets, err);
	struct etc_error other = { 0 };

	if (st != ETC_OK && err->code == E0580) {
		enum etc_status reported = etc_session_report(d->session, false, reply, &other);

		if (reported != ETC_OK) {
			*err = other;
			st = reported;
		}
	}
	return st;
}

/* Releases the memory that --times and -o svg used. */
static void release_drawing(struct etc_dump *d)
{
	struct etc_dump_record *c = d->options->graph ? d->content : NULL;

	if (c && c->drawing)
		etc_text_release(&c->drawing->svg);
	etc_plan_release(&d->plan);
}

static enum etc_status run(struct etc_dump *d, const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_dump_options *o = d->options;
	static const struct etc_plan_options usual;
	struct etc_session *s = d->session;
	struct etc_targets targets;

	ETC_TRY(o->times ? etc_plan_make(&d->plan, &o->common, &usual, s, err)
	                 : etc_session_configure(s, &o->common, NULL, 0, 0, err));
	if (o->program && !o->times)
		return etc_fail(err, E0501, "--pte is for --times");
	if (o->diff && o->graph)
		return etc_fail(err, E0501, "--diff and --graph: one of them");
	if (o->diff)
		return etc_dump_programs(s, o, reply, err);
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	d->file = o->file;
	ETC_TRY(etc_session_one(s, &d->file, err));
	ETC_TRY(etc_session_open(s, d->file, &d->bytes, err));
	s->notes.file = etc_str_of(d->file);
	ETC_TRY(etc_in_file(err, find_kind(d, &d->kind, err), d->file));
	if (o->graph && d->kind->kind != ETC_FILE_ETRECORD)
		return etc_fail(err, E0501, "--graph: only an ETRecord has graphs");
	ETC_TRY(etc_in_file(err, d->kind->read(d, err), d->file));
	ETC_TRY(draw(d, &targets, reply, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	ETC_TRY(etc_targets_document(&targets, d, reply->out, err));
	return etc_session_end(s, err);
}

enum etc_status etc_dump(struct etc_session *s, const void *options, const struct etc_reply *reply,
                         struct etc_error *err)
{
	struct etc_dump d = { .options = options, .session = s };
	enum etc_status st = run(&d, reply, err);

	release_drawing(&d);
	return st;
}
