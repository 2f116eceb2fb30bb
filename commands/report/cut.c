/* cut.c -- shortens an answer in JSON; see cut.h
 *
 * Members are found by searching for their quoted names, such as `"path": `. Quotes inside JSON
 * strings are escaped, so the search does not find text inside a string. */
#include "commands/report/cut.h"

#include <stdio.h>

#include "base/number.h"

static const char *const summed[ETC_CUT_SUMS] = { "self_ns", "self_raw", "share", "base_ns",
	                                          "difference_ns" };

/* Number of rows of each path that are kept even if they are long. */
enum { LEAST = 8 };

/* Returns the value of a member, up to the comma or bracket that follows. Works only for numbers
 * and literals. */
static struct etc_str value_of(struct etc_str row, const char *name)
{
	char quoted[32];
	size_t at, end;

	snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	at = etc_str_find(row, etc_str_of(quoted), 0);
	if (at == SIZE_MAX)
		return (struct etc_str){ 0 };
	at += strlen(quoted);
	for (end = at; end < row.len && !strchr(",}]", row.ptr[end]);)
		end++;
	return etc_str_sub(row, at, end);
}

/* Returns the value of the member "file" with its quotes; empty: the row has no such member. */
static struct etc_str file_of(struct etc_str row)
{
	size_t at = etc_str_find(row, ETC_STR("\"file\": \""), 0), end;

	if (at == SIZE_MAX)
		return (struct etc_str){ 0 };
	at += strlen("\"file\": ");
	for (end = at + 1; end < row.len && row.ptr[end] != '"';)
		end += row.ptr[end] == '\\' ? 2 : 1;
	return etc_str_sub(row, at, end + 1);
}

/* Returns the part of a row's JSON text that is equal in all rows of a path: the members from
 * "method" to the one before the first member that differs between rows. */
static struct etc_str path_of(struct etc_str row)
{
	size_t at = etc_str_find(row, ETC_STR("\"method\": "), 0);
	const size_t calls = etc_str_find(row, ETC_STR(", \"calls\": "), 0);
	size_t end = etc_str_find(row, ETC_STR(", \"change\": "), 0);

	end = end < calls ? end : calls;
	return at < end && end != SIZE_MAX ? etc_str_sub(row, at, end) : (struct etc_str){ 0 };
}

static void put_left(struct etc_report_cut *c)
{
	if (c->here + c->here_detached) {
		etc_text_cstr(&c->left, c->left.len ? ", {" : "{");
		etc_text_put(&c->left, etc_text_str(&c->of));
		if (c->file.len) {
			etc_text_cstr(&c->left, ", \"file\": ");
			etc_text_put(&c->left, etc_text_str(&c->file));
		}
		etc_text_printf(&c->left, ", \"rows\": %llu, \"detached\": %llu",
		                (unsigned long long)c->here, (unsigned long long)c->here_detached);
		for (unsigned i = 0; i < ETC_CUT_SUMS; i++) {
			if (!c->summed[i])
				continue;
			etc_text_printf(&c->left, ", \"%s\": ", summed[i]);
			etc_text_json_real(&c->left, c->sums[i]);
		}
		etc_text_char(&c->left, '}');
	}
	c->left_rows += c->here + c->here_detached;
	c->here = c->here_detached = 0;
	memset(c->sums, 0, sizeof c->sums);
	memset(c->summed, 0, sizeof c->summed);
}

/* If the row begins another path or file, writes an object about the rows of the last path that
 * were left out, and resets the counts for the new path. */
static void meet(struct etc_report_cut *c, struct etc_str row)
{
	const struct etc_str of = path_of(row), file = file_of(row);

	if (c->rows && etc_str_eq(etc_text_str(&c->of), of) &&
	    etc_str_eq(etc_text_str(&c->file), file))
		return;
	put_left(c);
	c->paths++;
	c->used += c->used_here + c->detached_here;
	c->used_here = c->detached_here = 0;
	c->of.len = c->file.len = 0;
	etc_text_put(&c->of, of);
	etc_text_put(&c->file, file);
}

/* Is there room for the row? The remaining room is divided equally among the current path and the
 * paths that follow. The detached rows of a path may use at most a quarter of the path's share;
 * significant rows of `diff` may use twice the share. */
static bool keeps(struct etc_report_cut *c, struct etc_str row, bool detached)
{
	const uint64_t of = c->listed / c->groups > c->paths ? c->listed / c->groups - c->paths : 0;
	size_t room = c->room > c->used ? (c->room - c->used) / (of + 1) : 0;
	size_t *used = detached ? &c->detached_here : &c->used_here;

	room = detached                                                    ? room / 4
	       : etc_str_eq(value_of(row, "significant"), ETC_STR("true")) ? room * 2
	                                                                   : room;
	room = room > LEAST * row.len ? room : LEAST * row.len;
	if (*used + row.len > room)
		return false;
	*used += row.len;
	return true;
}

static void leave_out(struct etc_report_cut *c, struct etc_str row, bool detached)
{
	c->here += !detached;
	c->here_detached += detached;
	for (unsigned i = 0; i < ETC_CUT_SUMS && !detached; i++) {
		double v;

		if (!etc_number_parse(value_of(row, summed[i]), &v))
			continue;
		c->sums[i] += v;
		c->summed[i] = true;
	}
}

/* Is the line a ranked row? The total, and the sum of the remaining rows, are not ranked rows. */
static bool is_row(struct etc_str line)
{
	return etc_str_starts(line, ETC_STR("  {\"key\": ")) ||
	       etc_str_starts(line, ETC_STR("  {\"level\": \"row\""));
}

/* Searches `hashes`, the JSON objects of the files, for a hash between the texts `begin` and
 * `rest`. Returns it with its quotes; empty: there is none. */
static struct etc_str hash_of(struct etc_str hashes, struct etc_str begin, struct etc_str rest)
{
	enum { QUOTED = 64 + 2 };

	for (size_t at = 0; (at = etc_str_find(hashes, begin, at)) != SIZE_MAX; at += begin.len) {
		const struct etc_str behind = etc_str_sub(hashes, at + begin.len, hashes.len);

		if (etc_str_starts(etc_str_sub(behind, QUOTED, behind.len), rest))
			return etc_str_sub(behind, 0, QUOTED);
	}
	return (struct etc_str){ 0 };
}

/* Returns the number of characters of an unknown hash in JSON: 2 for "", 4 for null. Returns 0 if
 * the hash is known. */
static size_t no_hash(struct etc_str value)
{
	return etc_str_starts(value, ETC_STR("\"\""))   ? 2
	       : etc_str_starts(value, ETC_STR("null")) ? 4
	                                                : 0;
}

/* Copies a line that is not a row. If the line names files without their hashes, inserts the
 * hashes. */
static void put_line(struct etc_report_cut *c, struct etc_str line)
{
	const struct etc_str path = ETC_STR("{\"path\": \""), name = ETC_STR("\"sha256\": ");
	size_t from = 0, at, file;

	while ((file = etc_str_find(line, path, from)) != SIZE_MAX &&
	       (at = etc_str_find(line, name, file)) != SIZE_MAX) {
		const size_t none = no_hash(etc_str_sub(line, at += name.len, line.len));
		const size_t end = etc_str_find(line, ETC_STR("}"), at);
		struct etc_str hash = { 0 };

		etc_text_put(&c->kept, etc_str_sub(line, from, at));
		if (none && end != SIZE_MAX)
			hash = hash_of(c->hashes, etc_str_sub(line, file, at),
			               etc_str_sub(line, at + none, end + 1));
		etc_text_put(&c->kept, hash);
		from = hash.len ? at + none : at;
	}
	etc_text_put(&c->kept, etc_str_sub(line, from, line.len));
}

static void take(struct etc_report_cut *c, struct etc_str line)
{
	struct etc_str row = line;
	bool detached;

	if (!is_row(line)) {
		for (size_t at = 0;
		     (at = etc_str_find(line, ETC_STR("\"samples_ns\": "), at)) != SIZE_MAX; at++)
			c->listed++;
		put_line(c, line);
		return;
	}
	while (row.len && row.ptr[row.len - 1] != '}')
		row.len--;
	detached = etc_str_eq(value_of(row, "detached"), ETC_STR("true"));
	meet(c, row);
	c->rows++;
	if (keeps(c, row, detached)) {
		etc_text_put(&c->kept, line);
		return;
	}
	leave_out(c, row, detached);
	if (etc_str_find(line, ETC_STR("]"), row.len) == SIZE_MAX)
		return;
	/* The end of the list of rows: remove the comma after the last kept row, then copy the
	 * line. */
	while (c->kept.len && strchr(",\n", c->kept.ptr[c->kept.len - 1]))
		c->kept.len--;
	etc_text_put(&c->kept, etc_str_sub(line, row.len, line.len));
}

bool etc_report_cut_sink(void *arg, struct etc_str chunk)
{
	struct etc_report_cut *c = arg;

	for (size_t from = 0; from < chunk.len;) {
		const char *end = memchr(chunk.ptr + from, '\n', chunk.len - from);
		size_t to = end ? (size_t)(end - chunk.ptr) + 1 : chunk.len;
		struct etc_str part = etc_str_sub(chunk, from, to);

		if (end && !c->line.len) {
			take(c, part);
		} else {
			etc_text_put(&c->line, part);
			if (end) {
				take(c, etc_text_str(&c->line));
				c->line.len = 0;
			}
		}
		from = to;
	}
	return !c->kept.failed && !c->left.failed && !c->line.failed && !c->of.failed &&
	       !c->file.failed;
}

bool etc_report_cut_end(struct etc_report_cut *c)
{
	take(c, etc_text_str(&c->line));
	put_left(c);
	return etc_report_cut_sink(c, (struct etc_str){ 0 });
}

void etc_report_cut_release(struct etc_report_cut *c)
{
	struct etc_text *all[] = { &c->kept, &c->left, &c->line, &c->of, &c->file };

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		etc_text_release(all[i]);
}
