/* json.cpp -- see json.h
 *
 * Why not simdjson's own accessors: find_field and operator[] take the first
 * of two members and get_string refuses lone surrogates, so only the walk is
 * theirs and every token is judged in json_text.c. Its cursors are plain data;
 * they cross to C as 24 opaque bytes. */
#include "read/json.h"
#include "base/memory.h"
#include "model/limits.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <simdjson.h>
#include <type_traits>

namespace ondemand = simdjson::ondemand;

struct etc_json {
	ondemand::parser parser;
	ondemand::document doc;
	struct etc_str text; /* without blanks around it */
	bool scalar;         /* the root is no container: simdjson is not asked */
	bool failed, deep;
	size_t at;
	char why[96];
};

static_assert(sizeof(ondemand::value) <= sizeof(uint64_t[3]), "a cursor fits");
static_assert(sizeof(ondemand::array_iterator) <= sizeof(uint64_t[3]), "a cursor fits");
static_assert(sizeof(ondemand::object_iterator) <= sizeof(uint64_t[3]), "a cursor fits");
static_assert(std::is_trivially_copyable<ondemand::value>::value, "copied as bytes");
static_assert(std::is_trivially_copyable<ondemand::array_iterator>::value, "copied as bytes");
static_assert(std::is_trivially_copyable<ondemand::object_iterator>::value, "copied as bytes");

template <typename T> static T load(const uint64_t (&state)[3])
{
	T t;

	memcpy(static_cast<void *>(&t), state, sizeof t);
	return t;
}

template <typename T> static void store(uint64_t (&state)[3], const T &t)
{
	memcpy(state, static_cast<const void *>(&t), sizeof t);
}

static void reject(struct etc_json *j, const char *at, const char *why)
{
	if (j->failed)
		return;
	j->failed = true;
	j->at = at >= j->text.ptr && at <= j->text.ptr + j->text.len ? size_t(at - j->text.ptr) : 0;
	snprintf(j->why, sizeof j->why, "%s", why);
}

static const char *place(struct etc_json *j)
{
	const char *at = nullptr;

	return j->doc.current_location().get(at) == simdjson::SUCCESS ? at : j->text.ptr;
}

static void reject(struct etc_json *j, simdjson::error_code e)
{
	reject(j, place(j), simdjson::error_message(e));
}

/* The first time, simdjson finds out what the processor can do. That takes some hundred
 * bytes with `new`, in functions that end the program when they do not get them: so
 * make sure that they are there. */
static bool wake_simdjson(void)
{
	enum { ENOUGH = 4096 };
	void *reserve = etc_malloc(ENOUGH);

	free(reserve);
	return reserve && !simdjson::get_active_implementation()->name().empty();
}

static simdjson::error_code iterate(struct etc_json *j, struct etc_str body)
{
	if (!wake_simdjson())
		return simdjson::MEMALLOC;
	return j->parser.iterate(body.ptr, body.len, body.len + simdjson::SIMDJSON_PADDING)
	        .get(j->doc);
}

enum etc_status etc_json_open(struct etc_str text, size_t room, struct etc_arena *arena,
                              struct etc_json **doc, struct etc_error *err)
{
	struct etc_str body = etc_str_trim(text);
	struct etc_json *j;

	*doc = nullptr;
	room += size_t(text.ptr + text.len - (body.ptr + body.len));
	if (body.len && (body.ptr[0] == '{' || body.ptr[0] == '[') &&
	    room < simdjson::SIMDJSON_PADDING) {
		char *copy = etc_new(arena, char, body.len + simdjson::SIMDJSON_PADDING);

		if (!copy)
			return etc_fail(err, E0904, "%zu bytes of JSON", body.len);
		memcpy(copy, body.ptr, body.len);
		body.ptr = copy;
	}
	j = new (std::nothrow) etc_json();
	if (!j) {
		etc_memory_refuse(sizeof *j, 0);
		return etc_fail(err, E0904, "a JSON reader");
	}
	*doc = j;
	j->text = body;
	j->scalar = body.len == 0 || (body.ptr[0] != '{' && body.ptr[0] != '[');
	if (j->scalar)
		return ETC_OK;
	simdjson::error_code e = iterate(j, body);
	if (e == simdjson::MEMALLOC) {
		etc_memory_refuse(body.len, 0);
		return etc_fail(err, E0904, "a JSON reader for %zu bytes", body.len);
	}
	if (e != simdjson::SUCCESS)
		reject(j, body.ptr, simdjson::error_message(e));
	return ETC_OK;
}

void etc_json_close(struct etc_json *j)
{
	delete j;
}

void etc_json_root(struct etc_json *j, struct etc_json_value *v)
{
	ondemand::value root;
	simdjson::error_code e;

	*v = etc_json_value{};
	v->doc = j;
	v->raw = j->text;
	if (j->failed || j->scalar)
		return;
	v->raw.len = 1;
	j->doc.rewind();
	e = j->doc.get_value().get(root);
	if (e != simdjson::SUCCESS)
		return reject(j, e);
	store(v->state, root);
}

enum etc_json_type etc_json_type(const struct etc_json_value *v)
{
	return v->doc->failed ? ETC_JSON_BAD : etc_json_classify(v->raw);
}

bool etc_json_enter(const struct etc_json_value *v, struct etc_json_iter *it)
{
	struct etc_json *j = v->doc;
	ondemand::value value = load<ondemand::value>(v->state);
	const bool object = v->raw.len && v->raw.ptr[0] == '{';
	simdjson::error_code e;

	*it = etc_json_iter{};
	it->doc = j;
	it->object = object;
	if (j->failed)
		return false;
	if (!object && (v->raw.len == 0 || v->raw.ptr[0] != '[')) {
		etc_json_reject(v, "an object or a list");
		return false;
	}
	it->depth = uint32_t(value.current_depth());
	if (it->depth > ETC_LIMIT_JSON_DEPTH) {
		reject(j, v->raw.ptr, "nested too deeply");
		j->deep = true;
		return false;
	}
	if (object) {
		ondemand::object o;
		ondemand::object_iterator begin;

		e = value.get_object().get(o);
		if (e == simdjson::SUCCESS && (e = o.begin().get(begin)) == simdjson::SUCCESS)
			store(it->state, begin);
	} else {
		ondemand::array a;
		ondemand::array_iterator begin;

		e = value.get_array().get(a);
		if (e == simdjson::SUCCESS && (e = a.begin().get(begin)) == simdjson::SUCCESS)
			store(it->state, begin);
	}
	if (e != simdjson::SUCCESS)
		reject(j, e);
	return e == simdjson::SUCCESS;
}

/* The token without the blanks behind it; empty if it lies behind the text:
 * after a missing bracket simdjson reads on in whatever follows there. */
static struct etc_str token_of(const struct etc_json *j, ondemand::value value)
{
	std::string_view t = value.raw_json_token();
	struct etc_str s = { t.data(), t.size() };
	const char *end = j->text.ptr + j->text.len;

	if (s.ptr >= end || s.len > size_t(end - s.ptr))
		s.len = 0;
	while (s.len && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\n' ||
	                 s.ptr[s.len - 1] == '\r' || s.ptr[s.len - 1] == '\t'))
		s.len--;
	return s;
}

/* The inside of the key that starts at `at`, behind its quote. Between its other quote and
 * the value there are blanks and a colon, or simdjson would have complained. */
static struct etc_str key_at(const struct etc_json *j, const char *at, const char *value)
{
	const char *end = j->text.ptr + j->text.len;

	if (value > end)
		value = end;
	while (value > at && value[-1] != '"')
		value--;
	return value > at ? etc_str{ at, size_t(value - 1 - at) } : etc_str{ end, 0 };
}

static bool next_member(struct etc_json_iter *it, struct etc_str *key, ondemand::value *value)
{
	ondemand::object_iterator at = load<ondemand::object_iterator>(it->state);
	ondemand::field field;
	simdjson::error_code e;

	if (it->started)
		++at;
	store(it->state, at);
	if (!(at != at))
		return false;
	e = (*at).get(field);
	if (e != simdjson::SUCCESS) {
		reject(it->doc, e);
		return false;
	}
	*value = field.value();
	*key = key_at(it->doc, field.key().raw(), value->raw_json_token().data());
	store(it->state, at);
	return true;
}

static bool next_element(struct etc_json_iter *it, ondemand::value *value)
{
	ondemand::array_iterator at = load<ondemand::array_iterator>(it->state);
	simdjson::error_code e;

	if (it->started)
		++at;
	store(it->state, at);
	if (!(at != at))
		return false;
	e = (*at).get(*value);
	if (e != simdjson::SUCCESS) {
		reject(it->doc, e);
		return false;
	}
	return true;
}

bool etc_json_next(struct etc_json_iter *it, struct etc_str *key, struct etc_json_value *v)
{
	struct etc_json *j = it->doc;
	ondemand::value value;
	bool more;

	*key = etc_str{};
	if (j->failed)
		return false;
	more = it->object ? next_member(it, key, &value) : next_element(it, &value);
	it->started = true;
	if (!more)
		return false;
	v->doc = j;
	store(v->state, value);
	v->raw = token_of(j, value);
	if (v->raw.len == 0)
		reject(j, j->text.ptr + j->text.len, "the text ends inside of a list or an object");
	return v->raw.len != 0;
}

void etc_json_verify(const struct etc_json_value *v)
{
	struct etc_json_iter it;
	struct etc_json_value child;
	struct etc_str key;
	enum etc_json_type type = etc_json_type(v);

	if (type == ETC_JSON_BAD)
		return etc_json_reject(v, "a value");
	if (type != ETC_JSON_OBJECT && type != ETC_JSON_ARRAY)
		return;
	if (!etc_json_enter(v, &it))
		return;
	while (etc_json_next(&it, &key, &child))
		etc_json_verify(&child);
}

struct etc_str etc_json_through(const struct etc_json_value *v)
{
	struct etc_json *j = v->doc;
	const char *at = nullptr;
	struct etc_str s = v->raw;

	if (j->failed || s.len == 0 || (s.ptr[0] != '{' && s.ptr[0] != '['))
		return s;
	if (j->doc.current_location().get(at) != simdjson::SUCCESS || at < s.ptr)
		at = j->text.ptr + j->text.len;
	s.len = size_t(at - s.ptr);
	return etc_str_trim(s);
}

void etc_json_reject(const struct etc_json_value *v, const char *expected)
{
	char why[sizeof v->doc->why];

	snprintf(why, sizeof why, "expected %s, found '%.*s'", expected,
	         int(v->raw.len < 24 ? v->raw.len : 24), v->raw.len ? v->raw.ptr : "");
	reject(v->doc, v->raw.ptr, why);
}

bool etc_json_failed(const struct etc_json *j)
{
	return j->failed;
}

enum etc_status etc_json_check(const struct etc_json *j, struct etc_error *err)
{
	if (!j->failed)
		return ETC_OK;
	if (j->deep)
		return etc_fail_at(err, E0408, j->at, "lists and objects nest deeper than %d",
		                   int(ETC_LIMIT_JSON_DEPTH));
	return etc_fail_at(err, E0406, j->at, "byte %zu of %zu: %s", j->at, j->text.len, j->why);
}

enum etc_status etc_json_check_end(const struct etc_json *j, struct etc_error *err)
{
	struct etc_json *doc = const_cast<struct etc_json *>(j);
	const char *at = nullptr;

	if (!j->failed && !j->scalar && doc->doc.current_location().get(at) == simdjson::SUCCESS)
		reject(doc, at, "something follows the end of the document");
	return etc_json_check(j, err);
}
