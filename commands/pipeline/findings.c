/* findings.c -- collects the problems of a run folder; see findings.h */
#include "commands/pipeline/findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "table/emit.h"

enum { LONGEST = 1024 };

static void add(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                va_list args)
{
	char text[LONGEST];
	struct etc_finding *to;
	bool fails = code != ETC_CODE_NONE && (f->strict || etc_code_info(code)->letter == 'E');

	vsnprintf(text, sizeof text, fmt, args);
	f->failed += fails;
	f->warned += code != ETC_CODE_NONE && !fails;
	if (f->count >= ETC_FINDINGS_SHOWN)
		return;
	to = ETC_APPEND(f->arena, f->v, f->count, f->room);
	if (to)
		*to = (struct etc_finding){ code, etc_arena_str(f->arena, where),
			                    etc_arena_str(f->arena, etc_str_of(text)), fails };
	f->no_memory = f->no_memory || !to || !to->text.ptr;
}

void etc_finding(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *fmt,
                 ...)
{
	va_list args;

	va_start(args, fmt);
	add(f, code, where, fmt, args);
	va_end(args);
}

void etc_finding_error(struct etc_findings *f, enum etc_code code, struct etc_str where,
                       const struct etc_error *why)
{
	const struct etc_code_info *info = etc_code_info(why->code);

	if (why->code == code)
		etc_finding(f, code, where, "%s", why->text);
	else
		etc_finding(f, code, where, "%s %s: %s", info->name, info->title, why->text);
}

void etc_finding_passed(struct etc_findings *f, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(f, ETC_CODE_NONE, (struct etc_str){ 0 }, fmt, args);
	va_end(args);
}

/* ---- the report -------------------------------------------------------------------------- */

/* Writes one line per finding, such as "ok     manifest.json" or "E1054  …". */
static void put_findings(const struct etc_findings *f, struct etc_text *out)
{
	for (uint32_t i = 0; i < f->count; i++) {
		const struct etc_finding *one = &f->v[i];

		if (one->code == ETC_CODE_NONE) {
			etc_text_tell(out, "ok     " ETC_STR_FMT "\n", ETC_STR_ARG(one->text));
			continue;
		}
		etc_text_tell(out, "%s  ", etc_code_info(one->code)->name);
		if (one->where.len)
			etc_text_tell(out, ETC_STR_FMT ": ", ETC_STR_ARG(one->where));
		etc_text_tell(out, ETC_STR_FMT "\n", ETC_STR_ARG(one->text));
	}
}

/* Returns the result of `validate` in words, for a folder without failures. */
static const char *valid_word(const struct etc_verdict *v)
{
	if (v->only_layout)
		return "valid layout, contents not checked";
	return v->findings->sealed
	               ? "valid"
	               : "valid, but without a seal: a consistent change cannot be noticed";
}

static void put_text(void *what, struct etc_text *out)
{
	const struct etc_verdict *v = what;
	const struct etc_findings *f = v->findings;
	uint32_t experiments = etc_run_folder_experiments(v->folder);

	put_findings(f, out);
	if (f->failed + f->warned > ETC_FINDINGS_SHOWN)
		etc_text_printf(out, "       … and more: %llu findings, %llu warnings\n",
		                (unsigned long long)f->failed, (unsigned long long)f->warned);
	etc_text_tell(out, "%s: %s", v->folder->path, f->failed ? "not " : "");
	if (v->known_good)
		etc_text_tell(out, "like %s", v->known_good->path);
	else
		etc_text_cstr(out, f->failed ? "valid" : valid_word(v));
	etc_text_printf(out, "  (%s%s%s, %lu experiment%s, %lu dump%s)\n",
	                etc_folder_kind_name(v->folder->kind), v->level ? ", " : "",
	                v->level ? v->level : "", (unsigned long)experiments,
	                etc_plural(experiments), (unsigned long)v->folder->dumps.count,
	                etc_plural(v->folder->dumps.count));
}

static void emit_finding(struct etc_emit *e, const struct etc_finding *f)
{
	const struct etc_code_info *info = etc_code_info(f->code);

	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "code", etc_str_of(info->name));
	etc_emit_bool(e, "fails", f->fails);
	etc_emit_text(e, "what", etc_str_of(info->title));
	etc_emit_text(e, "where", f->where.len ? f->where : ETC_STR_NONE);
	etc_emit_text(e, "text", f->text);
	etc_emit_text(e, "hint", etc_str_of(info->hint));
	etc_emit_close(e);
}

static void put_json(void *what, struct etc_text *out)
{
	const struct etc_verdict *v = what;
	const struct etc_findings *f = v->findings;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", etc_str_of(v->schema));
	etc_emit_text(&e, "folder", etc_str_of(v->folder->path));
	if (v->known_good)
		etc_emit_text(&e, "known_good", etc_str_of(v->known_good->path));
	etc_emit_text(&e, "generation", etc_str_of(etc_folder_kind_name(v->folder->kind)));
	if (v->level)
		etc_emit_text(&e, "level", etc_str_of(v->level));
	etc_emit_bool(&e, "valid", f->failed == 0);
	if (v->level)
		etc_emit_bool(&e, "sealed", f->sealed);
	etc_emit_u64(&e, "experiments", etc_run_folder_experiments(v->folder));
	etc_emit_u64(&e, "etdumps", v->folder->dumps.count);
	etc_emit_u64(&e, "failed", f->failed);
	etc_emit_u64(&e, "warned", f->warned);
	etc_emit_block(&e, "passed", '[');
	for (uint32_t i = 0; i < f->count; i++)
		if (f->v[i].code == ETC_CODE_NONE)
			etc_emit_text(&e, NULL, f->v[i].text);
	etc_emit_close(&e);
	etc_emit_block(&e, "findings", '[');
	for (uint32_t i = 0; i < f->count; i++)
		if (f->v[i].code != ETC_CODE_NONE)
			emit_finding(&e, &f->v[i]);
	etc_emit_close(&e);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
}

const struct etc_format etc_verdict_formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_DOCUMENT_FORMAT);

enum etc_status etc_verdict_give(const struct etc_verdict *v, const struct etc_targets *targets,
                                 struct etc_session *s, const struct etc_reply *reply,
                                 struct etc_error *err)
{
	struct etc_verdict copy = *v;

	ETC_TRY(etc_session_report(s, false, reply, err));
	ETC_TRY(etc_targets_document(targets, &copy, reply->out, err));
	if (!v->findings->failed)
		return ETC_OK;
	return etc_fail(err, v->code, "%s: %llu finding%s", v->folder->path,
	                (unsigned long long)v->findings->failed, etc_plural(v->findings->failed));
}
