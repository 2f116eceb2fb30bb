/* json.cpp -- opens a JSON document: simdjson validates its UTF-8 and indexes its tokens.
 *
 * simdjson's functions for reading values are not used: if an object has two members of one name,
 * they return the first; they refuse lone surrogates; and they cost ten times as much per token as
 * reading the index. Instead json_walk.c walks the index, and json_text.c validates tokens. */
#include "base/memory.h"
#include "formats/container/json_document.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

namespace
{

enum { PAGE_TEXT = 256 << 10, PAGE_MOST = PAGE_TEXT + PAGE_TEXT / 2, TRIES = 8 };

using parser = std::unique_ptr<simdjson::internal::dom_parser_implementation>;

/* The start of a page. */
struct page_start {
	size_t at;      /* offset in the text */
	uint32_t first; /* number of its first token */
};

/* The current page is pages[now]; the other one is usually the page before it. */
struct page {
	parser index;
	size_t at;
	uint32_t first, have;
};

struct document : etc_json {
	page pages[2];
	int now;
	/* the starts of the pages found so far and of the next page; empty if one index covers the
	 * whole text */
	page_start *starts;
	uint32_t start_count, start_room;
	uint32_t total; /* number of tokens in the pages indexed so far */
	bool complete;  /* the whole text is indexed */

	~document() { free(starts); }
};

/* Returns etcore's own text for an error of simdjson, because simdjson's texts differ from release
 * to release. */
const char *text_of(simdjson::error_code e)
{
	switch (e) {
	case simdjson::TAPE_ERROR:
		return "a comma, colon, bracket, key or value is missing or superfluous";
	case simdjson::UNCLOSED_STRING:
		return "a string is opened, but never closed";
	case simdjson::UNESCAPED_CHARS:
		return "a control character in a string";
	case simdjson::UTF8_ERROR:
		return "not valid UTF-8";
	case simdjson::EMPTY:
		return "there is no text";
	case simdjson::CAPACITY:
		return "longer than a JSON text may be";
	default:
		return "not valid JSON";
	}
}

/* At first use simdjson detects the processor's features and allocates some hundred bytes with
 * `new`, in functions that end the program if the allocation fails. This function first allocates
 * and frees the same amount with etc_malloc(). If that fails, it returns false, and simdjson must
 * not be called. */
bool wake_simdjson()
{
	enum { ENOUGH = 4096 };
	void *reserve = etc_malloc(ENOUGH);

	free(reserve);
	return reserve && !simdjson::get_active_implementation()->name().empty();
}

/* Requests huge pages for the part of the index that will be written. simdjson allocates room for
 * one token per byte of the text, but fills only the beginning. */
void wish_huge_pages(const uint32_t *index, size_t room)
{
	const size_t most = size_t(16) << 20;

	etc_memory_wish_huge(index, (room < most ? room : most) * sizeof *index);
}

simdjson::error_code make_parser(size_t room, parser *to)
{
	simdjson::error_code e;

	if (!wake_simdjson())
		return simdjson::MEMALLOC;
	e = simdjson::get_active_implementation()->create_dom_parser_implementation(
		room, simdjson::DEFAULT_MAX_DEPTH, *to);
	if (e == simdjson::SUCCESS)
		wish_huge_pages((*to)->structural_indexes.get(), room);
	return e;
}

void take(document *d, int which)
{
	const page *p = &d->pages[which];

	d->now = which;
	d->index = p->index->structural_indexes.get();
	d->base = d->text.ptr + p->at;
	d->first = p->first;
	d->have = p->have;
}

/* Indexes the text from start.at to `end` as page `p`. Succeeds only if `end` is outside of
 * strings. */
simdjson::error_code fill(document *d, page *p, page_start start, size_t end)
{
	const uint8_t *bytes = reinterpret_cast<const uint8_t *>(d->text.ptr + start.at);
	simdjson::error_code e =
		p->index->stage1(bytes, end - start.at, simdjson::stage1_mode::regular);

	p->at = start.at;
	p->first = start.first;
	p->have = e == simdjson::SUCCESS ? p->index->n_structural_indexes : 0;
	return e;
}

/* Indexes the whole text as a single page. If that fails, the error replaces one that was recorded
 * earlier, and the document is unreadable. */
simdjson::error_code index_all(document *d)
{
	page *p = &d->pages[0];
	simdjson::error_code e = make_parser(d->text.len, &p->index);

	if (e == simdjson::SUCCESS)
		e = fill(d, p, page_start{ 0, 0 }, d->text.len);
	d->complete = true;
	d->start_count = 0;
	d->first = d->have = 0;
	if (e == simdjson::SUCCESS) {
		take(d, 0);
		return e;
	}
	if (e == simdjson::MEMALLOC)
		etc_memory_refuse(d->text.len, 0);
	d->failed = d->deep = false;
	etc_json_fail(d, d->text.ptr, text_of(e));
	d->unreadable = true;
	return e;
}

/* Returns the next position from `at` on at which a page can start: that of the "{" in "}, {".
 * These characters may also be inside a string; fill() then fails. SIZE_MAX: there is no such
 * position before `end`. */
size_t find_cut(struct etc_str text, size_t at, size_t end)
{
	while (at < end) {
		const void *found = memchr(text.ptr + at, '{', end - at);
		struct etc_str before;

		if (!found)
			break;
		at = static_cast<size_t>(static_cast<const char *>(found) - text.ptr);
		before = etc_str_trim(etc_str_sub(text, at < 64 ? 0 : at - 64, at));
		if (etc_str_ends(before, ETC_STR(","))) {
			before.len--;
			if (etc_str_ends(etc_str_trim(before), ETC_STR("}")))
				return at;
		}
		at++;
	}
	return SIZE_MAX;
}

bool add_start(document *d, page_start start)
{
	if (d->start_count == d->start_room) {
		const uint32_t room = d->start_room ? d->start_room * 2 : 64;
		void *more = etc_realloc(d->starts, room * sizeof *d->starts);

		if (!more)
			return false;
		d->starts = static_cast<page_start *>(more);
		d->start_room = room;
	}
	d->starts[d->start_count++] = start;
	return true;
}

/* Indexes the page at the last known start, and adds the start of the page after it. If that fails,
 * the text becomes a single page. */
void read_next(document *d, page *p)
{
	const page_start start = d->starts[d->start_count - 1];
	const size_t rest = d->text.len - start.at;
	size_t end = start.at + PAGE_TEXT - 1;

	for (int i = 0; i < TRIES; i++) {
		simdjson::error_code e;

		end = rest <= PAGE_MOST ? d->text.len
		                        : find_cut(d->text, end + 1, start.at + PAGE_MOST);
		e = end == SIZE_MAX ? simdjson::CAPACITY : fill(d, p, start, end);
		if (e == simdjson::SUCCESS) {
			d->complete = end == d->text.len;
			d->total = start.first + p->have;
			if (d->complete || add_start(d, page_start{ end, d->total }))
				return;
			break;
		}
		if (e != simdjson::UNCLOSED_STRING || rest <= PAGE_MOST)
			break;
	}
	index_all(d);
}

/* Indexes again the page that contains `token`. The start of this page is known. */
void read_again(document *d, page *p, uint32_t token)
{
	uint32_t from = 0, to = d->start_count;

	while (to - from > 1) {
		const uint32_t middle = from + (to - from) / 2;

		if (d->starts[middle].first <= token)
			from = middle;
		else
			to = middle;
	}
	if (fill(d, p, d->starts[from],
	         from + 1 < d->start_count ? d->starts[from + 1].at : d->text.len) !=
	    simdjson::SUCCESS)
		index_all(d);
}

} // namespace

bool etc_json_turn(struct etc_json *j, uint32_t token)
{
	document *d = static_cast<document *>(j);

	while (token - d->first >= d->have) {
		const int other = !d->now;
		page *p = &d->pages[other];

		if (d->start_count == 0 || (d->complete && token >= d->total))
			return false;
		if (token - p->first >= p->have) {
			if (token < d->total)
				read_again(d, p, token);
			else
				read_next(d, p);
		}
		if (d->start_count)
			take(d, other);
	}
	return true;
}

void etc_json_complete(struct etc_json *j)
{
	document *d = static_cast<document *>(j);

	while (!d->complete)
		etc_json_turn(d, d->total);
}

/* Creates a document without an index, which is added later. A scalar needs no index. */
static enum etc_status open(struct etc_str text, size_t room, struct etc_arena *arena,
                            document **doc, struct etc_error *err)
{
	struct etc_str body = etc_str_trim(text);
	document *d;

	room += size_t(text.ptr + text.len - (body.ptr + body.len));
	if (body.len && (body.ptr[0] == '{' || body.ptr[0] == '[') &&
	    room < simdjson::SIMDJSON_PADDING) {
		char *copy = etc_new(arena, char, body.len + simdjson::SIMDJSON_PADDING);

		ETC_NEED(copy, err);
		memcpy(copy, body.ptr, body.len);
		body.ptr = copy;
	}
	*doc = d = new (std::nothrow) document();
	if (!d) {
		etc_memory_refuse(sizeof *d, 0);
		return etc_no_memory(err);
	}
	d->text = body;
	d->scalar = body.len == 0 || (body.ptr[0] != '{' && body.ptr[0] != '[');
	d->complete = d->scalar;
	return ETC_OK;
}

/* Checks a text that starts and ends with a quote: it must consist of one token, a string. */
static simdjson::error_code check_string(document *d)
{
	page *p = &d->pages[0];
	simdjson::error_code e = make_parser(d->text.len, &p->index);

	if (e == simdjson::SUCCESS)
		e = fill(d, p, page_start{ 0, 0 }, d->text.len);
	if (e == simdjson::MEMALLOC)
		etc_memory_refuse(d->text.len, 0);
	else if (e != simdjson::SUCCESS)
		etc_json_fail(d, d->text.ptr, text_of(e));
	else if (p->have > 1)
		etc_json_fail(d, d->text.ptr + p->index->structural_indexes[1],
		              "something follows the end of the document");
	return e;
}

static enum etc_status index_now(document *d, struct etc_error *err)
{
	const bool string = d->scalar && etc_json_classify(d->text) == ETC_JSON_STRING;

	if ((string && check_string(d) == simdjson::MEMALLOC) ||
	    (!d->scalar && index_all(d) == simdjson::MEMALLOC))
		return etc_no_memory(err);
	return ETC_OK;
}

enum etc_status etc_json_open(struct etc_str text, size_t room, struct etc_arena *arena,
                              struct etc_json **doc, struct etc_error *err)
{
	document *d = nullptr;
	enum etc_status st = open(text, room, arena, &d, err);

	*doc = d;
	return st == ETC_OK ? index_now(d, err) : st;
}

enum etc_status etc_json_open_long(struct etc_str text, size_t room, struct etc_arena *arena,
                                   struct etc_json **doc, struct etc_error *err)
{
	document *d = nullptr;
	enum etc_status st = open(text, room, arena, &d, err);

	*doc = d;
	if (st != ETC_OK)
		return st;
	if (d->scalar || d->text.len <= PAGE_MOST || d->text.len > UINT32_MAX)
		return index_now(d, err);
	for (page &p : d->pages)
		if (make_parser(PAGE_MOST, &p.index) != simdjson::SUCCESS)
			return index_now(d, err);
	return add_start(d, page_start{ 0, 0 }) ? ETC_OK : index_now(d, err);
}

void etc_json_close(struct etc_json *j)
{
	delete static_cast<document *>(j);
}

const char *etc_json_improper(void)
{
	return text_of(simdjson::TAPE_ERROR);
}
