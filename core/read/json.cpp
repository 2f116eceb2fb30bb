/* json.cpp -- opens a JSON document: simdjson checks its UTF-8 and finds its tokens.
 *
 * Why no more of simdjson: its accessors take the first of two members and refuse lone
 * surrogates, and a token of the walk costs ten times what it takes to read the index
 * oneself. So the walk is in json_walk.c and tokens are judged in json_text.c. */
#include "base/memory.h"
#include "read/json_document.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

namespace
{

struct document : etc_json {
	std::unique_ptr<simdjson::internal::dom_parser_implementation> parser; /* has the index */
};

/* The first time, simdjson finds out what the processor can do. That takes some hundred
 * bytes with `new`, in functions that end the program when they do not get them: so
 * make sure that they are there. */
bool wake_simdjson()
{
	enum { ENOUGH = 4096 };
	void *reserve = etc_malloc(ENOUGH);

	free(reserve);
	return reserve && !simdjson::get_active_implementation()->name().empty();
}

/* simdjson makes room for a token in each byte, of which it fills the beginning. */
void wish_huge_pages(const uint32_t *index, size_t room)
{
	const size_t most = size_t(16) << 20;

	etc_memory_wish_huge(index, (room < most ? room : most) * sizeof *index);
}

simdjson::error_code make_index(document *d)
{
	const uint8_t *bytes = reinterpret_cast<const uint8_t *>(d->text.ptr);
	simdjson::error_code e;

	if (!wake_simdjson())
		return simdjson::MEMALLOC;
	e = simdjson::get_active_implementation()->create_dom_parser_implementation(
		d->text.len, simdjson::DEFAULT_MAX_DEPTH, d->parser);
	if (e != simdjson::SUCCESS)
		return e;
	d->index = d->parser->structural_indexes.get();
	wish_huge_pages(d->index, d->text.len);
	e = d->parser->stage1(bytes, d->text.len, simdjson::stage1_mode::regular);
	if (e != simdjson::SUCCESS)
		return e;
	d->count = d->parser->n_structural_indexes;
	return e;
}

} // namespace

enum etc_status etc_json_open(struct etc_str text, size_t room, struct etc_arena *arena,
                              struct etc_json **doc, struct etc_error *err)
{
	struct etc_str body = etc_str_trim(text);
	document *d;

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
	d = new (std::nothrow) document();
	if (!d) {
		etc_memory_refuse(sizeof *d, 0);
		return etc_fail(err, E0904, "a JSON reader");
	}
	*doc = d;
	d->text = body;
	d->scalar = body.len == 0 || (body.ptr[0] != '{' && body.ptr[0] != '[');
	if (d->scalar)
		return ETC_OK;
	simdjson::error_code e = make_index(d);
	if (e == simdjson::MEMALLOC) {
		etc_memory_refuse(body.len, 0);
		return etc_fail(err, E0904, "a JSON reader for %zu bytes", body.len);
	}
	if (e != simdjson::SUCCESS)
		etc_json_fail(d, body.ptr, simdjson::error_message(e));
	return ETC_OK;
}

void etc_json_close(struct etc_json *j)
{
	delete static_cast<document *>(j);
}

const char *etc_json_improper(void)
{
	return simdjson::error_message(simdjson::TAPE_ERROR);
}
