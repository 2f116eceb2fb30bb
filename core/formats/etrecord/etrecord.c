/* etrecord.c -- see etrecord.h: opens the archive and selects the reader for its version. */
#include "formats/etrecord/etrecord_reader.h"

#include <stdarg.h>
#include <stdio.h>

/* The readers, selected by the marker entry of the archive. A new version of the ETRecord needs a
 * row here and a reader in a separate file. */
static const struct generation {
	struct etc_str marker;
	enum etc_status (*read)(struct etc_record_reader *r, struct etc_error *err);
} generations[] = {
	{ { "ETRECORD_V0", 11 }, etc_record_read_v0 },
};

uint32_t etc_grow_estimate(const struct etc_json_value *container, const struct etc_json_value *now,
                           uint32_t count, size_t most)
{
	const size_t rest = etc_json_rest(now), each = (etc_json_rest(container) - rest) / count;
	const size_t estimate = each ? count + rest / each : 0;

	most = most < UINT32_MAX ? most : UINT32_MAX;
	return (uint32_t)(estimate < most ? estimate : most);
}

void etc_record_refuse(struct etc_record_reader *r, enum etc_code code, const char *fmt, ...)
{
	char text[256];
	va_list args;

	if (r->out->inspector_refuses)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	r->out->inspector_refuses = (uint32_t)code;
	r->out->inspector_reason = etc_arena_str(r->arena, etc_str_of(text));
}

enum etc_status etc_record_text(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_str *text, size_t *room, struct etc_error *err)
{
	struct etc_zip_data data;
	bool moved;

	ETC_TRY(etc_zip_read(&r->zip, e, 0, r->arena, &data, err));
	*text = (struct etc_str){ (const char *)data.bytes.ptr, data.bytes.len };
	ETC_TRY(etc_json_utf8(r->arena, text, &moved, err));
	*room = moved ? 64 : data.room;
	return ETC_OK;
}

enum etc_status etc_record_json(struct etc_record_reader *r, const struct etc_zip_entry *e,
                                struct etc_json **doc, struct etc_error *err)
{
	struct etc_str text;
	size_t room;

	*doc = NULL;
	ETC_TRY(etc_record_text(r, e, &text, &room, err));
	if (r->want & ETC_RECORD_INSPECTOR && etc_json_long_number(text))
		etc_record_refuse(r, E0812, ETC_STR_FMT ": a number of more than 4300 digits",
		                  ETC_STR_ARG(e->name));
	return etc_json_open(text, room, r->arena, doc, err);
}

static const struct generation *find_generation(const struct etc_zip *zip, struct etc_str *marker)
{
	*marker = (struct etc_str){ 0 };
	for (size_t g = 0; g < sizeof generations / sizeof *generations; g++)
		if (etc_zip_find(zip, generations[g].marker)) {
			*marker = generations[g].marker;
			return &generations[g];
		}
	for (uint32_t i = 0; i < zip->count && marker->len == 0; i++)
		if (etc_str_starts(zip->entries[i].name, ETC_STR("ETRECORD_V")))
			*marker = zip->entries[i].name;
	return NULL;
}

enum etc_status etc_etrecord_read(struct etc_span file, uint32_t want, struct etc_arena *arena,
                                  struct etc_notes *notes, struct etc_record *out,
                                  struct etc_error *err)
{
	struct etc_record_reader r = { .arena = arena, .notes = notes, .out = out, .want = want };
	const struct generation *g;

	*out = (struct etc_record){ 0 };
	ETC_TRY(etc_zip_open(file, arena, &r.zip, err));
	g = find_generation(&r.zip, &out->version);
	if (!g && out->version.len)
		return etc_fail(err, E0402, "marker '" ETC_STR_FMT "', known is " ETC_STR_FMT,
		                ETC_STR_ARG(out->version), ETC_STR_ARG(generations[0].marker));
	if (!g)
		return etc_fail(err, E0401,
		                "a zip archive of %u %s without the marker " ETC_STR_FMT,
		                r.zip.count, r.zip.count == 1 ? "entry" : "entries",
		                ETC_STR_ARG(generations[0].marker));
	if (r.zip.duplicates)
		etc_note(notes, W0410, "'" ETC_STR_FMT "'%s: the last one counts, as in Python",
		         ETC_STR_ARG(r.zip.duplicate), r.zip.duplicates > 1 ? " and others" : "");
	if (r.zip.python_refuses)
		etc_record_refuse(&r, E0822, "%s", r.zip.python_refuses);
	return g->read(&r, err);
}
