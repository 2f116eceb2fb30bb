/* stored.c -- makes inputs of a comparison from a stored baseline; see stored.h */
#include "commands/compare/stored.h"

#include "commands/compare/baseline_read.h"
#include "formats/etdump/serial_log.h"

bool etc_stored_is(struct etc_span bytes)
{
	struct etc_str text = { (const char *)bytes.ptr, bytes.len };

	return etc_baseline_is(bytes) &&
	       (etc_str_find(text, ETC_STR(ETC_BASELINE_FORMAT), 0) != SIZE_MAX ||
	        !etc_serial_log_is(bytes));
}

static enum etc_code code_of(struct etc_str name)
{
	unsigned count;
	const struct etc_code_info *all = etc_code_list(&count);

	for (unsigned i = 0; i < count; i++)
		if (etc_str_eq(name, etc_str_of(all[i].name)))
			return all[i].code;
	return ETC_CODE_NONE;
}

static void say(struct etc_notes *notes, const struct etc_baseline_dump *dump, bool of_profile)
{
	for (uint32_t i = 0; i < dump->note_count; i++) {
		const struct etc_baseline_note *n = &dump->notes[i];
		const struct etc_note note = { .code = code_of(n->code),
			                       .file = n->file,
			                       .text = n->text,
			                       .count = n->count };

		if (note.code != ETC_CODE_NONE && n->of_profile == of_profile)
			etc_note_again(notes, &note);
	}
}

void etc_stored_notes(struct etc_notes *notes, const struct etc_baseline_dump *dump)
{
	say(notes, dump, true);
}

enum etc_status etc_stored_input(struct etc_session *s, const struct etc_input_file *file,
                                 const struct etc_baseline_dump *dump, bool first,
                                 struct etc_inputs *out, struct etc_error *err)
{
	struct etc_input_file *const files[ETC_BASELINE_FILES] = {
		[ETC_BASELINE_DUMP] = &out->dump,
		[ETC_BASELINE_RECORD] = &out->etrecord,
		[ETC_BASELINE_BUFFER] = &out->debug_buffer,
		[ETC_BASELINE_PROGRAM] = &out->program,
	};

	*out = (struct etc_inputs){ .stored = dump };
	if (first)
		out->baseline = *file;
	for (int i = 0; i < ETC_BASELINE_FILES; i++) {
		const struct etc_baseline_file *of = &dump->files[i];

		if (!of->path.len)
			continue;
		files[i]->path = etc_arena_cstr(&s->arena, of->path);
		files[i]->sha256 = of->sha256.ptr ? of->sha256 : ETC_STR("");
		files[i]->stored_bytes = of->bytes;
		ETC_NEED(files[i]->path, err);
	}
	say(&s->notes, dump, false);
	return ETC_OK;
}
