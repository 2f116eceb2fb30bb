/* doctor.c -- runs the steps of `etcore doctor` in order; see doctor.h */
#define _POSIX_C_SOURCE 200809L /* lstat */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <sys/stat.h>

#include "context/output.h"
#include "formats/etdump/etdump.h"
#include "formats/container/zip.h"

/* ---- lists ---------------------------------------------------------------------- */

static enum etc_status add_symptom(struct etc_diagnosis *d, const struct etc_symptom *symptom,
                                   struct etc_error *err)
{
	char letter = etc_code_info(symptom->code)->letter;
	struct etc_symptom *new =
		ETC_APPEND(&d->s->arena, d->symptoms, d->symptom_count, d->symptom_room);

	ETC_NEED(new, err);
	*new = *symptom;
	d->errors += letter == 'E';
	d->warnings += letter == 'W';
	return ETC_OK;
}

enum etc_status etc_doctor_error(struct etc_diagnosis *d, const struct etc_error *cause,
                                 const char *path, struct etc_error *err)
{
	struct etc_symptom s = {
		.code = cause->code,
		.file = etc_str_of(path),
		.at = cause->at,
		.line = cause->line,
		.text = etc_arena_str(&d->s->arena, etc_str_of(cause->text)),
	};

	return add_symptom(d, &s, err);
}

/* May this code be noted twice for one fault: first by a reader or etc_doctor_pair(), then when the
 * profile is made? For such codes the report shows no count, because the count would be too
 * large. */
static bool is_said_twice(enum etc_code code)
{
	return code == W0203 || code == W0424 || code == W0435;
}

/* Reports warnings and notes of all files. If W0974 (event tracing was switched off) was noted,
 * W0203 is left out, because W0974 is its cause. */
static enum etc_status add_notes(struct etc_diagnosis *d, struct etc_error *err)
{
	bool switched_off = false;

	for (const struct etc_note *n = d->s->notes.first; n; n = n->next)
		switched_off |= n->code == W0974;
	for (const struct etc_note *n = d->s->notes.first; n; n = n->next) {
		struct etc_symptom s = {
			.code = n->code, .file = n->file, .at = -1, .text = n->text
		};

		if (n->code == W0203 && switched_off)
			continue;
		if (n->count > 1 && !is_said_twice(n->code))
			s.text = etc_arena_printf(&d->s->arena, ETC_STR_FMT " (and %llu more)",
			                          ETC_STR_ARG(n->text),
			                          (unsigned long long)n->count - 1);
		ETC_TRY(add_symptom(d, &s, err));
	}
	return ETC_OK;
}

/* ---- files ------------------------------------------------------------------------ */

enum etc_code etc_doctor_code_of_nothing(const char *path)
{
	static const struct {
		const char *ending;
		enum etc_code code;
	} exported[] = {
		{ ".pte", E0432 }, { ".bpte", E0432 }, { ".ptd", E0432 }, { ".etrecord", E0403 }
	};

	for (size_t i = 0; i < sizeof exported / sizeof exported[0]; i++)
		if (etc_str_ends(etc_str_of(path), etc_str_of(exported[i].ending)))
			return exported[i].code;
	return E0963;
}

static bool is_known(const struct etc_diagnosis *d, const char *path)
{
	for (uint32_t i = 0; i < d->patient_count; i++)
		if (strcmp(d->patients[i].path, path) == 0)
			return true;
	return false;
}

static bool is_archive(struct etc_diagnosis *d, struct etc_span bytes)
{
	struct etc_zip zip;

	return etc_zip_open(bytes, &d->s->arena, &zip, NULL) == ETC_OK;
}

/* Returns the kind of a file. If the first bytes do not show the kind, tests two more: an archive
 * that begins after other bytes, and an ETDump of a newer version. */
static uint8_t second_look(struct etc_diagnosis *d, const struct etc_patient *p)
{
	struct etc_error cause = { .at = -1 };
	struct etc_trace ignored;

	if (p->kind != ETC_PATIENT_UNKNOWN && p->kind != ETC_PATIENT_HTML)
		return p->kind;
	if (is_archive(d, p->bytes))
		return ETC_PATIENT_ETRECORD;
	if (p->kind == ETC_PATIENT_UNKNOWN &&
	    etc_etdump_read(p->bytes, NULL, &d->s->arena, NULL, &ignored, &cause) != ETC_OK &&
	    cause.code == E0204)
		return ETC_PATIENT_ETDUMP;
	return p->kind;
}

/* Returns why there can be no file with that name. NULL if there may be one (a pipe, or a file in a
 * folder without permission). */
static const char *missing(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return NULL;
	return lstat(path, &st) == 0 ? "it is a link to nowhere" : "there is no such file";
}

/* Opens a file and finds its kind. A file that cannot be opened is listed, too. */
static enum etc_status add_file(struct etc_diagnosis *d, const char *path, bool found,
                                struct etc_error *err)
{
	struct etc_error cause = { .at = -1 };
	struct etc_patient *p;

	if (is_known(d, path))
		return ETC_OK;
	if (d->patient_count == d->patient_room)
		return etc_no_memory(err);
	p = &d->patients[d->patient_count++];
	*p = (struct etc_patient){ .path = path, .found = found };
	p->what = ETC_STR("cannot be opened");
	if (etc_session_open(d->s, path, &p->bytes, &cause) != ETC_OK) {
		const char *why = missing(path);

		if (why && etc_doctor_code_of_nothing(path) == E0963) {
			p->what = ETC_STR("missing");
			(void)etc_fail(&cause, E0963, "%s", why);
		}
		return etc_doctor_error(d, &cause, path, err);
	}
	p->opened = true;
	p->what = (struct etc_str){ 0 };
	p->kind = (uint8_t)etc_patient_kind_of(p->bytes);
	p->kind = second_look(d, p);
	return ETC_OK;
}

static enum etc_status read_all(struct etc_diagnosis *d, uint32_t from, struct etc_error *err)
{
	for (uint32_t i = from; i < d->patient_count; i++)
		if (d->patients[i].opened && d->patients[i].kind != ETC_PATIENT_UNKNOWN)
			ETC_TRY(etc_patient_read(d, &d->patients[i], err));
	return ETC_OK;
}

/* Decides which files of unknown kind are debug buffers, which have no identifier. A file of
 * unknown kind counts as a debug buffer if a dump has debug values. It also counts as one if there
 * is a dump and the name of the file ends with .bin or .dbg. Reads the other files of unknown
 * kind. */
static enum etc_status read_rest(struct etc_diagnosis *d, struct etc_error *err)
{
	bool wanted = false, dump = false;

	for (uint32_t i = 0; i < d->patient_count; i++) {
		dump |= d->patients[i].trace != NULL;
		wanted |= d->patients[i].trace && d->patients[i].trace->tensor_count;
	}
	for (uint32_t i = 0; i < d->patient_count; i++) {
		struct etc_patient *p = &d->patients[i];
		bool named = etc_str_ends(etc_str_of(p->path), ETC_STR(".bin")) ||
		             etc_str_ends(etc_str_of(p->path), ETC_STR(".dbg"));

		if (!p->opened || p->kind != ETC_PATIENT_UNKNOWN)
			continue;
		if (!wanted && !(dump && named)) {
			ETC_TRY(etc_patient_read(d, p, err));
			continue;
		}
		p->kind = ETC_PATIENT_BUFFER;
		p->whole = true;
		p->what = etc_arena_printf(&d->s->arena, "debug buffer, %zu bytes", p->bytes.len);
	}
	return ETC_OK;
}

/* For each kind of file that was not given, adds the file of that kind next to a dump. */
static enum etc_status add_siblings(struct etc_diagnosis *d, uint32_t operands,
                                    struct etc_error *err)
{
	bool record = false, program = false, buffer = false;

	for (uint32_t i = 0; i < operands; i++) {
		record |= d->patients[i].kind == ETC_PATIENT_ETRECORD;
		program |= d->patients[i].kind == ETC_PATIENT_PROGRAM ||
		           d->patients[i].kind == ETC_PATIENT_BUNDLED;
		buffer |= d->patients[i].kind == ETC_PATIENT_UNKNOWN;
	}
	for (uint32_t i = 0; i < operands; i++) {
		const struct etc_patient *p = &d->patients[i];
		struct etc_input_paths beside = { 0 };

		if (!p->trace || strcmp(p->path, "-") == 0)
			continue;
		etc_inputs_beside(d->s, p->path, &beside);
		if (beside.etrecord && !record)
			ETC_TRY(add_file(d, beside.etrecord, true, err));
		if (beside.program && !program)
			ETC_TRY(add_file(d, beside.program, true, err));
		if (beside.debug_buffer && !buffer && p->trace->tensor_count)
			ETC_TRY(add_file(d, beside.debug_buffer, true, err));
	}
	return read_all(d, operands, err);
}

/* ---- the answer ------------------------------------------------------------------------ */

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_DOCTOR_FORMATS, ETC_DOCUMENT_FORMAT);

/* Does a requested format (JSON, or text with --verbose) show notes? If not, most of the work for
 * the dump's profile can be skipped, since that work only gives notes. */
static bool explains(const struct etc_diagnosis *d, const struct etc_targets *targets)
{
	bool json = false;

	for (uint32_t i = 0; i < targets->count; i++)
		json = json || targets->v[i].format->document == etc_doctor_put_json;
	return d->options->common.verbose > 0 || json;
}

static enum etc_status examine(struct etc_diagnosis *d, const struct etc_doctor_options *o,
                               struct etc_error *err)
{
	const char **files;
	uint32_t count;

	ETC_TRY(etc_session_operands(d->s, o->common.operands.v, o->common.operands.count, true,
	                             &files, &count, err));
	d->patient_room = count * 4;
	d->patients = etc_new(&d->s->arena, struct etc_patient, d->patient_room);
	ETC_NEED(d->patients, err);
	for (uint32_t i = 0; i < count; i++)
		ETC_TRY(add_file(d, files[i], false, err));
	ETC_TRY(read_all(d, 0, err));
	if (!o->no_siblings)
		ETC_TRY(add_siblings(d, d->patient_count, err));
	ETC_TRY(read_rest(d, err));
	ETC_TRY(etc_doctor_pairs(d, err));
	for (uint32_t i = 0; i < d->patient_count; i++)
		if (d->patients[i].trace)
			ETC_TRY(etc_doctor_causes(d, &d->patients[i], err));
	etc_host_note_unasked(&d->s->host);
	return add_notes(d, err);
}

enum etc_status etc_doctor(struct etc_session *s, const void *options,
                           const struct etc_reply *reply, struct etc_error *err)
{
	const struct etc_doctor_options *o = options;
	struct etc_diagnosis d = { .s = s, .options = o };
	struct etc_targets targets;

	ETC_TRY(etc_session_configure(s, &o->common, NULL, 0, 0, err));
	if (o->common.operands.count == 0)
		return etc_fail(err, E0501,
		                "doctor takes files: an ETDump, and what belongs to it");
	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	d.explains = explains(&d, &targets);
	ETC_TRY(examine(&d, o, err));
	/* not etc_session_report(): the report contains all notes already */
	ETC_TRY(etc_session_unchanged(s, err));
	ETC_TRY(etc_targets_document(&targets, &d, reply->out, err));
	if (d.errors + d.warnings == 0)
		return ETC_OK;
	return etc_fail(err, E0960, "%u error%s, %u warning%s", d.errors, etc_plural(d.errors),
	                d.warnings, etc_plural(d.warnings));
}
