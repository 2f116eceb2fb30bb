/* baseline_read.c -- reads a stored baseline; see baseline_read.h
 *
 * Each kind of JSON object is described by a table of its members: the name, the offset in the
 * struct, and the function that reads the member. */
#include "commands/compare/baseline_read.h"

#include "base/ascii.h"
#include "base/number.h"
#include "commands/compare/baseline_reader.h"
#include "formats/container/json.h"

enum { ROOM = 64 };

struct reader {
	struct etc_arena *arena;
	struct etc_json *doc;
	struct etc_error *err;
};

typedef enum etc_status take_fn(struct reader *r, const struct etc_json_value *v, void *to);

struct field {
	const char *key;
	size_t offset;
	take_fn *take;
	bool needed;
};

static enum etc_status bad(struct reader *r, const char *what)
{
	return etc_fail(r->err, E0176, "%s", what);
}

/* ---- values ---------------------------------------------------------------------------- */

static enum etc_status take_u64(struct reader *r, const struct etc_json_value *v, void *to)
{
	if (etc_json_type(v) != ETC_JSON_INT || !etc_number_parse_u64(v->raw, to))
		return bad(r, "expected a whole number from 0, of 64 bits at most");
	return ETC_OK;
}

static enum etc_status take_i64(struct reader *r, const struct etc_json_value *v, void *to)
{
	if (etc_json_type(v) != ETC_JSON_INT || !etc_json_int(v->raw, to))
		return bad(r, "expected a whole number of 64 bits at most");
	return ETC_OK;
}

static enum etc_status take_flag(struct reader *r, const struct etc_json_value *v, void *to)
{
	enum etc_json_type type = etc_json_type(v);

	if (type != ETC_JSON_TRUE && type != ETC_JSON_FALSE)
		return bad(r, "expected true or false");
	*(bool *)to = type == ETC_JSON_TRUE;
	return ETC_OK;
}

/* Reads a text. A JSON null becomes {NULL, 0}. */
static enum etc_status take_text(struct reader *r, const struct etc_json_value *v, void *to)
{
	bool not_json = false;

	if (etc_json_type(v) == ETC_JSON_NULL)
		return ETC_OK;
	if (etc_json_type(v) != ETC_JSON_STRING)
		return bad(r, "expected a text");
	if (etc_json_unescape(r->arena, etc_json_inside(v->raw), to, &not_json))
		return ETC_OK;
	return not_json ? bad(r, "a text with a broken escape") : etc_no_memory(r->err);
}

/* Reads the member "name_hex": the bytes of the member "name" in hexadecimal. A baseline has this
 * member if these bytes are not valid UTF-8. */
static enum etc_status take_hex(struct reader *r, const struct etc_json_value *v,
                                struct etc_str *to)
{
	struct etc_str digits = { 0 };
	char *bytes;

	ETC_TRY(take_text(r, v, &digits));
	bytes = etc_new(r->arena, char, digits.len / 2);
	ETC_NEED(bytes, r->err);
	for (size_t i = 0; i < digits.len / 2; i++) {
		int high = etc_hex_digit(digits.ptr[2 * i]),
		    low = etc_hex_digit(digits.ptr[2 * i + 1]);

		if (high < 0 || low < 0)
			return bad(r, "expected hexadecimal digits");
		bytes[i] = (char)(high << 4 | low);
	}
	*to = (struct etc_str){ bytes, digits.len / 2 };
	return digits.len % 2 ? bad(r, "expected pairs of hexadecimal digits") : ETC_OK;
}

/* ---- objects and lists ------------------------------------------------------------------ */

static const struct field *find_field(const struct field *f, struct etc_str key, bool *hex)
{
	for (; f->key; f++) {
		struct etc_str name = etc_str_of(f->key);

		*hex = key.len == name.len + 4 && etc_str_ends(key, ETC_STR("_hex")) &&
		       f->take == take_text;
		if (etc_str_eq(*hex ? etc_str_sub(key, 0, name.len) : key, name))
			return f;
	}
	return NULL;
}

static enum etc_status take_object(struct reader *r, const struct etc_json_value *v,
                                   const struct field *fields, void *to)
{
	uint64_t seen = 0;
	struct etc_json_iter it;

	if (etc_json_type(v) != ETC_JSON_OBJECT || !etc_json_enter(v, &it))
		return bad(r, "expected an object");
	while (etc_json_more(&it)) {
		bool hex;
		const struct field *f = find_field(fields, it.key, &hex);
		enum etc_status st;

		if (!f)
			continue;
		seen |= UINT64_C(1) << (f - fields);
		st = hex ? take_hex(r, &it.value, (struct etc_str *)((char *)to + f->offset))
		         : f->take(r, &it.value, (char *)to + f->offset);
		if (st != ETC_OK)
			return etc_context(r->err, st, "%s", f->key);
	}
	for (const struct field *f = fields; f->key; f++)
		if (f->needed && !(seen >> (f - fields) & 1))
			return etc_fail(r->err, E0176, "no member \"%s\"", f->key);
	return ETC_OK;
}

static enum etc_status take_list(struct reader *r, const struct etc_json_value *v, size_t size,
                                 take_fn *take, struct etc_grow *to)
{
	struct etc_json_iter it;

	*to = (struct etc_grow){ 0 };
	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return bad(r, "expected a list");
	while (etc_json_more(&it)) {
		void *item = etc_grow_add(r->arena, to, size, alignof(max_align_t));

		ETC_NEED(item, r->err);
		ETC_TRY(etc_context(r->err, take(r, &it.value, item), "[%u]", to->count - 1));
	}
	return ETC_OK;
}

static enum etc_status take_numbers(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(uint64_t), take_u64, to);
}

static enum etc_status take_texts(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_str), take_text, to);
}

static enum etc_status take_times(struct reader *r, const struct etc_json_value *v, void *to)
{
	struct etc_stored_times *times = to;
	struct etc_json_iter it;
	unsigned n = 0;

	if (etc_json_type(v) != ETC_JSON_ARRAY || !etc_json_enter(v, &it))
		return bad(r, "expected [step, around, text]");
	for (; etc_json_more(&it); n++) {
		if (n < 2)
			ETC_TRY(take_u64(r, &it.value, n ? &times->around : &times->step));
		else if (n == 2 && etc_json_type(&it.value) == ETC_JSON_STRING)
			times->text = etc_json_inside(it.value.raw);
		else
			return bad(r, "expected [step, around, text]");
	}
	return n == 3 ? ETC_OK : bad(r, "expected [step, around, text]");
}

/* ---- one dump ---------------------------------------------------------------------------- */

#define FIELD(type, member, take, needed) offsetof(struct type, member), take, needed

static enum etc_status take_all_times(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_stored_times), take_times, to);
}

/* clang-format off */
static enum etc_status take_view(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "partitions", FIELD(etc_stored_view, partitions, take_u64, true) },
		{ "delegate_events", FIELD(etc_stored_view, delegate_events, take_u64, true) },
		{ "resolution", FIELD(etc_stored_view, resolution, take_u64, true) },
		{ "rounding", FIELD(etc_stored_view, rests[ETC_VALUES_ROUNDING], take_times, true) },
		{ "unattributed_inside", FIELD(etc_stored_view, rests[ETC_VALUES_INSIDE], take_times, true) },
		{ "unattributed_between", FIELD(etc_stored_view, rests[ETC_VALUES_BETWEEN], take_times, true) },
		{ "events", FIELD(etc_stored_view, columns[ETC_STORED_EVENT], take_numbers, true) },
		{ "order", FIELD(etc_stored_view, columns[ETC_STORED_ORDER], take_numbers, true) },
		{ "calls", FIELD(etc_stored_view, columns[ETC_STORED_CALLS], take_numbers, true) },
		{ "truncated", FIELD(etc_stored_view, columns[ETC_STORED_TRUNCATED], take_numbers, true) },
		{ "first", FIELD(etc_stored_view, columns[ETC_STORED_FIRST], take_numbers, true) },
		{ "times", FIELD(etc_stored_view, times, take_all_times, true) },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}

static enum etc_status take_path(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "method", FIELD(etc_stored_path, method, take_text, false) },
		{ "methods_fit", FIELD(etc_stored_path, methods_fit, take_flag, false) },
		{ "number", FIELD(etc_stored_path, number, take_u64, true) },
		{ "runs", FIELD(etc_stored_path, runs, take_u64, true) },
		{ "warmup", FIELD(etc_stored_path, warmup, take_u64, true) },
		{ "times", FIELD(etc_stored_path, times, take_times, true) },
		{ "event", FIELD(etc_stored_path, views[ETC_BASELINE_EVENT], take_view, true) },
		{ "delegate", FIELD(etc_stored_path, views[ETC_BASELINE_DELEGATE], take_view, true) },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}

static enum etc_status take_file(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "path", FIELD(etc_baseline_file, path, take_text, true) },
		{ "sha256", FIELD(etc_baseline_file, sha256, take_text, true) },
		{ "bytes", FIELD(etc_baseline_file, bytes, take_u64, true) },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}

static enum etc_status take_note(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "code", FIELD(etc_baseline_note, code, take_text, true) },
		{ "file", FIELD(etc_baseline_note, file, take_text, false) },
		{ "text", FIELD(etc_baseline_note, text, take_text, false) },
		{ "count", FIELD(etc_baseline_note, count, take_u64, true) },
		{ "of_profile", FIELD(etc_baseline_note, of_profile, take_flag, false) },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}

static enum etc_status take_notes(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_baseline_note), take_note, to);
}

static enum etc_status take_paths(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_stored_path), take_path, to);
}

static enum etc_status take_load_time(struct reader *r, const struct etc_json_value *v, void *to)
{
	struct etc_stored_dump *d = to;

	d->has_load_time = true;
	return take_u64(r, v, &d->load_time);
}

static enum etc_status take_dump(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "dump", FIELD(etc_stored_dump, dump.files[ETC_BASELINE_DUMP], take_file, true) },
		{ "etrecord", FIELD(etc_stored_dump, dump.files[ETC_BASELINE_RECORD], take_file, false) },
		{ "debug_buffer", FIELD(etc_stored_dump, dump.files[ETC_BASELINE_BUFFER], take_file, false) },
		{ "program", FIELD(etc_stored_dump, dump.files[ETC_BASELINE_PROGRAM], take_file, false) },
		{ "etcore", FIELD(etc_stored_dump, dump.etcore, take_text, false) },
		{ "plugins", FIELD(etc_stored_dump, plugins, take_texts, false) },
		{ "typical", FIELD(etc_stored_dump, dump.typical, take_text, false) },
		{ "warmup", FIELD(etc_stored_dump, dump.warmup, take_u64, true) },
		{ "unit", FIELD(etc_stored_dump, unit, take_text, true) },
		{ "parts", FIELD(etc_stored_dump, parts, take_u64, true) },
		{ "loads", FIELD(etc_stored_dump, loads, take_u64, true) },
		{ "load_time", 0, take_load_time, false },
		{ "debug_values", FIELD(etc_stored_dump, debug_values, take_u64, true) },
		{ "load_events", FIELD(etc_stored_dump, load_rows[ETC_BASELINE_EVENT], take_u64, false) },
		{ "load_delegates", FIELD(etc_stored_dump, load_rows[ETC_BASELINE_DELEGATE], take_u64, false) },
		{ "notes", FIELD(etc_stored_dump, notes, take_notes, false) },
		{ "paths", FIELD(etc_stored_dump, paths, take_paths, true) },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}

/* ---- one event --------------------------------------------------------------------------- */

static enum etc_status take_facts(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "display", FIELD(etc_stored_event, facts.display, take_text, false) },
		{ "operator", FIELD(etc_stored_event, facts.operator_name, take_text, false) },
		{ "kernel", FIELD(etc_stored_event, facts.kernel, take_text, false) },
		{ "canonical", FIELD(etc_stored_event, facts.canonical, take_text, false) },
		{ "annotator", FIELD(etc_stored_event, facts.annotator, take_text, false) },
		{ "library", FIELD(etc_stored_event, facts.library, take_text, false) },
		{ "library_ran", FIELD(etc_stored_event, library_ran, take_text, false) },
		{ "library_why", FIELD(etc_stored_event, facts.library_why, take_text, false) },
		{ "isa", FIELD(etc_stored_event, facts.isa, take_text, false) },
		{ "is_matrix", FIELD(etc_stored_event, facts.is_matrix, take_flag, false) },
		{ 0 },
	};
	struct etc_stored_event *e = to;

	/* A pointer that is not NULL means that the event has facts. settle_event() sets the
	 * pointer again, because the event is moved when the list of events grows. */
	e->row.facts = &e->facts;
	return take_object(r, v, fields, to);
}

static enum etc_status take_instruction(struct reader *r, const struct etc_json_value *v, void *to)
{
	struct etc_stored_event *e = to;

	e->has_event = true;
	return take_i64(r, v, &e->instruction);
}

static enum etc_status take_event(struct reader *r, const struct etc_json_value *v, void *to)
{
	static const struct field fields[] = {
		{ "name", FIELD(etc_stored_event, row.name, take_text, true) },
#define ETC_EVENT_KEY(id, word, title, detail, offered, places, stored, function) \
		{ stored, FIELD(etc_stored_event, keys.key[ETC_BY_##id], take_text, false) },
#include "model/keys.def"
		{ "nodes", FIELD(etc_stored_event, nodes, take_texts, false) },
		{ "delegate_name", FIELD(etc_stored_event, delegate_name, take_text, false) },
		{ "delegate_id", FIELD(etc_stored_event, id, take_i64, false) },
		{ "chain", FIELD(etc_stored_event, chain, take_i64, false) },
		{ "instruction", 0, take_instruction, false },
		{ "category", FIELD(etc_stored_event, row.category, take_text, false) },
		{ "backend", FIELD(etc_stored_event, row.backend, take_text, false) },
		{ "delegate", FIELD(etc_stored_event, row.delegate, take_flag, false) },
		{ "native", FIELD(etc_stored_event, row.native, take_flag, false) },
		{ "detached", FIELD(etc_stored_event, row.detached, take_flag, false) },
		{ "unit", FIELD(etc_stored_event, unit, take_text, true) },
		{ "facts", 0, take_facts, false },
		{ 0 },
	};

	return take_object(r, v, fields, to);
}
/* clang-format on */

/* ---- the document -------------------------------------------------------------------------- */

static enum etc_status take_dumps(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_stored_dump), take_dump, to);
}

static enum etc_status take_events(struct reader *r, const struct etc_json_value *v, void *to)
{
	return take_list(r, v, sizeof(struct etc_stored_event), take_event, to);
}

static enum etc_status take_schema(struct reader *r, const struct etc_json_value *v, void *to)
{
	struct etc_str s = { 0 }, prefix = ETC_STR(ETC_BASELINE_FORMAT);
	uint64_t version;

	(void)to;
	ETC_TRY(take_text(r, v, &s));
	if (!etc_str_starts(s, prefix) ||
	    !etc_number_parse_u64(etc_str_sub(s, prefix.len, s.len), &version) || version == 0)
		return etc_fail(r->err, E0176, "it is '" ETC_STR_FMT "', not '%s%d'",
		                ETC_STR_ARG(etc_str_sub(s, 0, 60)), ETC_BASELINE_FORMAT,
		                ETC_BASELINE_VERSION);
	if (version > ETC_BASELINE_VERSION)
		return etc_fail(r->err, E0178, "'" ETC_STR_FMT "'; this etcore knows '%s%d'",
		                ETC_STR_ARG(s), ETC_BASELINE_FORMAT, ETC_BASELINE_VERSION);
	return ETC_OK;
}

/* A newer version may have different members, so the version is checked before anything else is
 * read. */
static const struct field only_schema[] = { { "schema", 0, take_schema, true }, { 0 } };

static const struct field document[] = {
	{ "dumps", FIELD(etc_stored, dumps, take_dumps, true) },
	{ "events", FIELD(etc_stored, events, take_events, true) },
	{ 0 },
};

static enum etc_status walk(struct reader *r, struct etc_str json, const struct field *fields,
                            struct etc_stored *to)
{
	struct etc_error why = { 0 };
	struct etc_json_value root;
	enum etc_status st;

	ETC_TRY(etc_json_open(json, ROOM, r->arena, &r->doc, r->err));
	etc_json_root(r->doc, &root);
	st = take_object(r, &root, fields, to);
	/* Damaged JSON ends the reading early, so that members seem to be missing. In that case the
	 * damage is reported, not the missing members. */
	if (st != ETC_NOMEM && st != ETC_UNSUPPORTED &&
	    (st == ETC_OK ? etc_json_check_end(r->doc, &why) : etc_json_check(r->doc, &why)) !=
	            ETC_OK)
		st = etc_fail(r->err, E0176, "%s", why.text);
	etc_json_close(r->doc);
	return st;
}

bool etc_baseline_is(struct etc_span bytes)
{
	struct etc_str s = etc_str_trim(
		(struct etc_str){ (const char *)bytes.ptr, bytes.len < 256 ? bytes.len : 256 });

	return etc_str_starts(s, ETC_STR("\xef\xbb\xbf{")) || etc_str_starts(s, ETC_STR("{"));
}

/* Copies the text, because the JSON parser needs padding after the end of the text. */
static enum etc_status pad(struct reader *r, struct etc_str *json)
{
	char *copy = etc_new(r->arena, char, json->len + ROOM);

	ETC_NEED(copy, r->err);
	memcpy(copy, json->ptr, json->len);
	json->ptr = copy;
	return ETC_OK;
}

enum etc_status etc_baseline_read(struct etc_span bytes, struct etc_arena *arena,
                                  struct etc_baseline *out, struct etc_error *err)
{
	struct etc_str json = { (const char *)bytes.ptr, bytes.len };
	struct reader r = { .arena = arena, .err = err };
	struct etc_stored stored = { 0 };
	bool moved;

	*out = (struct etc_baseline){ 0 };
	if (!etc_baseline_is(bytes))
		return etc_fail(err, E0176, "it does not begin as a JSON object");
	ETC_TRY(etc_json_utf8_as(arena, &json, &moved, E0176, err));
	if (!moved)
		ETC_TRY(pad(&r, &json));
	ETC_TRY(walk(&r, json, only_schema, &stored));
	ETC_TRY(walk(&r, json, document, &stored));
	return etc_stored_settle(&stored, arena, out, err);
}
