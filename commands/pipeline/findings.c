/* findings.c -- see findings.h */
#include "commands/pipeline/findings.h"

#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = 1024 };

static void add(struct etc_findings *f, enum etc_code code, struct etc_str where, const char *text)
{
	struct etc_finding *to;
	bool fails = code != ETC_CODE_NONE && (f->strict || etc_code_info(code)->letter == 'E');

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
	char text[LONGEST];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	add(f, code, where, text);
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
	char text[LONGEST];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	add(f, ETC_CODE_NONE, (struct etc_str){ 0 }, text);
}

void etc_findings_text(const struct etc_findings *f, struct etc_text *out)
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
