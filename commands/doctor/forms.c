/* forms.c -- see doctor.h: the report as text and as JSON. */
#include "commands/doctor/doctor.h"
#include "table/file_text.h"
#include "table/emit.h"

static const char *together(uint8_t how)
{
	static const char *const words[] = { [ETC_TOGETHER_UNKNOWN] = "not known",
		                             [ETC_TOGETHER_YES] = "yes",
		                             [ETC_TOGETHER_NO] = "no",
		                             [ETC_TOGETHER_CONSISTENT] = "consistent" };

	return words[how];
}

static void message(const struct etc_symptom *s, struct etc_text *out)
{
	char text[1400];

	etc_code_message(etc_code_info(s->code), s->text, text, sizeof text);
	etc_view_clean(etc_str_of(text), out);
}

/* ---- text ----------------------------------------------------------------------- */

/* Returns the file's name without folders. If another file has the same name, returns the path. */
static struct etc_str short_name(const struct etc_diagnosis *d, const struct etc_patient *p)
{
	const char *slash = strrchr(p->path, '/');
	struct etc_str name = etc_str_of(slash && slash[1] ? slash + 1 : p->path);

	for (uint32_t i = 0; i < d->patient_count; i++) {
		const char *other = strrchr(d->patients[i].path, '/');

		if (&d->patients[i] != p &&
		    etc_str_eq(name,
		               etc_str_of(other && other[1] ? other + 1 : d->patients[i].path)))
			return etc_str_of(p->path);
	}
	return name;
}

static void label(struct etc_str s, size_t width, struct etc_text *out)
{
	struct etc_text clean = { 0 };
	size_t used;

	etc_view_clean(s, &clean);
	used = etc_utf8_width(etc_text_str(&clean));
	etc_text_put(out, etc_text_str(&clean));
	for (; used < width; used++)
		etc_text_char(out, ' ');
	etc_text_cstr(out, "  ");
	etc_text_release(&clean);
}

static size_t label_width(const struct etc_diagnosis *d)
{
	size_t width = sizeof "belong together" - 1;

	for (uint32_t i = 0; i < d->patient_count; i++) {
		size_t w = etc_utf8_width(short_name(d, &d->patients[i]));

		width = w > width && w <= 40 ? w : width;
	}
	return width;
}

static void put_pairs(const struct etc_diagnosis *d, size_t width, struct etc_text *out)
{
	for (uint32_t i = 0; i < d->pair_count; i++) {
		const struct etc_patient_pair *p = &d->pairs[i];

		label(i ? ETC_STR("") : ETC_STR("belong together"), width, out);
		if (d->pair_count > 1) {
			etc_view_clean(short_name(d, p->a), out);
			etc_text_cstr(out, " and ");
			etc_view_clean(short_name(d, p->b), out);
			etc_text_cstr(out, ": ");
		}
		etc_text_printf(out, "%s: ", together(p->together));
		etc_view_clean(p->evidence, out);
		etc_text_char(out, '\n');
	}
}

static void put_symptom(const struct etc_symptom *s, struct etc_text *out)
{
	const struct etc_code_info *info = etc_code_info(s->code);

	etc_text_char(out, '\n');
	etc_view_clean(s->file, out);
	if (s->line)
		etc_text_printf(out, ":%lu", (unsigned long)s->line);
	if (s->at >= 0)
		etc_text_printf(out, ": byte %lld", (long long)s->at);
	etc_text_printf(out, "%s%s[%s]: ", s->file.len ? ": " : "", etc_code_severity(info),
	                info->name);
	message(s, out);
	etc_text_char(out, '\n');
	if (info->hint[0])
		etc_text_printf(out, "  hint: %s\n", info->hint);
}

static bool is_shown(const struct etc_diagnosis *d, const struct etc_symptom *s)
{
	return etc_code_info(s->code)->letter != 'N' || s->code == N0972 ||
	       d->options->common.verbose > 0;
}

void etc_doctor_put_text(void *what, struct etc_text *out)
{
	const struct etc_diagnosis *d = what;
	size_t width = label_width(d);

	for (uint32_t i = 0; i < d->patient_count; i++) {
		label(short_name(d, &d->patients[i]), width, out);
		etc_view_clean(d->patients[i].what, out);
		etc_text_cstr(out, d->patients[i].found ? " (lies beside it)\n" : "\n");
	}
	put_pairs(d, width, out);
	if (d->errors) {
		label(ETC_STR("errors"), width, out);
		etc_text_printf(out, "%u\n", d->errors);
	}
	label(ETC_STR("warnings"), width, out);
	if (d->warnings)
		etc_text_printf(out, "%u\n", d->warnings);
	else
		etc_text_cstr(out, "none\n");
	for (uint32_t i = 0; i < d->symptom_count && !out->failed; i++)
		if (is_shown(d, &d->symptoms[i]))
			put_symptom(&d->symptoms[i], out);
}

/* ---- JSON ------------------------------------------------------------------------- */

static void emit_patient(struct etc_emit *e, const struct etc_patient *p)
{
	struct etc_text what = { 0 };

	etc_view_clean(p->what, &what);
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "path", etc_str_of(p->path));
	if (p->opened)
		etc_emit_u64(e, "bytes", p->bytes.len);
	else
		etc_emit_null(e, "bytes");
	etc_emit_text(e, "kind",
	              p->opened ? etc_str_of(etc_patient_kind_name(p->kind)) : ETC_STR("missing"));
	etc_emit_bool(e, "picked_up", p->found);
	etc_emit_bool(e, "whole", p->whole);
	etc_emit_text(e, "what", etc_text_str(&what));
	etc_emit_close(e);
	etc_text_release(&what);
}

static void emit_pair(struct etc_emit *e, const struct etc_patient_pair *p)
{
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "a", etc_str_of(p->a->path));
	etc_emit_text(e, "b", etc_str_of(p->b->path));
	if (p->together == ETC_TOGETHER_YES || p->together == ETC_TOGETHER_NO)
		etc_emit_bool(e, "together", p->together == ETC_TOGETHER_YES);
	else
		etc_emit_null(e, "together");
	etc_emit_bool(e, "consistent",
	              p->together == ETC_TOGETHER_YES || p->together == ETC_TOGETHER_CONSISTENT);
	etc_emit_text(e, "evidence", p->evidence);
	etc_emit_close(e);
}

static void emit_symptom(struct etc_emit *e, const struct etc_symptom *s)
{
	const struct etc_code_info *info = etc_code_info(s->code);
	struct etc_text text = { 0 };

	message(s, &text);
	etc_emit_open(e, NULL, '{');
	etc_emit_text(e, "code", etc_str_of(info->name));
	etc_emit_text(e, "severity", etc_str_of(etc_code_severity(info)));
	etc_emit_text(e, "file", s->file);
	if (s->at >= 0)
		etc_emit_i64(e, "offset", s->at);
	else
		etc_emit_null(e, "offset");
	if (s->line)
		etc_emit_u64(e, "line", s->line);
	else
		etc_emit_null(e, "line");
	etc_emit_text(e, "message", etc_text_str(&text));
	etc_emit_text(e, "hint", etc_str_of(info->hint));
	etc_emit_close(e);
	etc_text_release(&text);
}

void etc_doctor_put_json(void *what, struct etc_text *out)
{
	const struct etc_diagnosis *d = what;
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_emit_text(&e, "schema", ETC_STR("etcore.doctor/1"));
	etc_emit_bool(&e, "ok", d->errors + d->warnings == 0);
	etc_emit_block(&e, "files", '[');
	for (uint32_t i = 0; i < d->patient_count && !out->failed; i++)
		emit_patient(&e, &d->patients[i]);
	etc_emit_close(&e);
	etc_emit_block(&e, "pairs", '[');
	for (uint32_t i = 0; i < d->pair_count && !out->failed; i++)
		emit_pair(&e, &d->pairs[i]);
	etc_emit_close(&e);
	etc_emit_block(&e, "findings", '[');
	for (uint32_t i = 0; i < d->symptom_count && !out->failed; i++)
		emit_symptom(&e, &d->symptoms[i]);
	etc_emit_close(&e);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}
