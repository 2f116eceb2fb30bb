/* notes.c -- see notes.h */
#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

void etc_notes_init(struct etc_notes *notes, struct etc_arena *arena)
{
	*notes = (struct etc_notes){ .arena = arena };
	notes->last = &notes->first;
}

static void add(struct etc_notes *notes, enum etc_code code, bool same_text_only, const char *text)
{
	struct etc_str s = etc_str_of(text);
	struct etc_note *n;

	for (n = notes->first; n; n = n->next) {
		if (n->code != code || !etc_str_eq(n->file, notes->file))
			continue;
		if (same_text_only && !etc_str_eq(n->text, s))
			continue;
		n->count++;
		return;
	}
	n = notes->kinds < ETC_NOTES_MAX ? etc_new(notes->arena, struct etc_note, 1) : NULL;
	if (n)
		s = etc_arena_str(notes->arena, s);
	if (!n || (!s.ptr && text[0])) {
		notes->dropped++;
		return;
	}
	*n = (struct etc_note){ .code = code, .file = notes->file, .text = s, .count = 1 };
	*notes->last = n;
	notes->last = &n->next;
	notes->kinds++;
}

static void format(struct etc_notes *notes, enum etc_code code, bool each, const char *fmt,
                   va_list args)
{
	char raw[1024], text[1024];

	vsnprintf(raw, sizeof raw, fmt, args);
	etc_clean(text, sizeof text, etc_str_of(raw));
	add(notes, code, each, text);
}

void etc_note(struct etc_notes *notes, enum etc_code code, const char *fmt, ...)
{
	va_list args;

	if (!notes)
		return;
	va_start(args, fmt);
	format(notes, code, false, fmt, args);
	va_end(args);
}

void etc_note_each(struct etc_notes *notes, enum etc_code code, const char *fmt, ...)
{
	va_list args;

	if (!notes)
		return;
	va_start(args, fmt);
	format(notes, code, true, fmt, args);
	va_end(args);
}

void etc_note_again(struct etc_notes *notes, const struct etc_note *note)
{
	struct etc_note *n;

	for (n = notes->first; n; n = n->next)
		if (n->code == note->code && etc_str_eq(n->file, note->file) &&
		    etc_str_eq(n->text, note->text)) {
			n->count = note->count > n->count ? note->count : n->count;
			return;
		}
	n = notes->kinds < ETC_NOTES_MAX ? etc_new(notes->arena, struct etc_note, 1) : NULL;
	if (!n) {
		notes->dropped++;
		return;
	}
	*n = *note;
	n->next = NULL;
	*notes->last = n;
	notes->last = &n->next;
	notes->kinds++;
}

bool etc_notes_several(const struct etc_notes *notes)
{
	struct etc_str first = { 0 };

	for (const struct etc_note *n = notes->first; n; n = n->next) {
		if (n->file.len && first.len && !etc_str_eq(n->file, first))
			return true;
		first = first.len ? first : n->file;
	}
	return false;
}

const struct etc_note *etc_notes_warning(const struct etc_notes *notes)
{
	for (const struct etc_note *n = notes->first; n; n = n->next)
		if (etc_code_info(n->code)->letter == 'W')
			return n;
	return NULL;
}
