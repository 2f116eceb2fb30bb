/* kit_kernels.c -- makes the kit's tables of micro-kernels; see kit_kernels.h */
#include "commands/pipeline/kit_kernels.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/map.h"
#include "table/csv.h"

/* If `s` has `word` at *at (in upper or lower case), moves *at past the word and returns true. */
static bool take(struct etc_str s, size_t *at, const char *word)
{
	bool there = etc_starts_word(etc_str_sub(s, *at, s.len), word);

	*at += there ? strlen(word) : 0;
	return there;
}

static bool take_blanks(struct etc_str s, size_t *at)
{
	size_t from = *at;

	while (*at < s.len && etc_is_blank(s.ptr[*at]))
		++*at;
	return *at > from;
}

/* Matches "Using CATEGORY microkernel 'NAME'" at index `at` of `s`. */
static bool match(struct etc_str s, size_t at, struct etc_str *category, struct etc_str *name)
{
	size_t from;

	if (!take(s, &at, "using") || !take_blanks(s, &at))
		return false;
	for (from = at; at < s.len && etc_is_word(s.ptr[at]);)
		at++;
	*category = etc_str_sub(s, from, at);
	if (!category->len || !take_blanks(s, &at) || !take(s, &at, "microkernel") ||
	    !take_blanks(s, &at) || !take(s, &at, "'"))
		return false;
	for (from = at; at < s.len && s.ptr[at] != '\'';)
		at++;
	*name = etc_str_sub(s, from, at);
	return name->len && at < s.len;
}

/* Returns a copy without the bytes that are not valid UTF-8, as Python reads a text with
 * errors="ignore". */
static struct etc_str readable(struct etc_str s, struct etc_arena *arena)
{
	char *to = etc_new(arena, char, s.len + 1);
	size_t n = 0;

	for (size_t at = 0; to && at < s.len;) {
		size_t from = at;

		if (etc_utf8_next(s, &at) >= 0)
			for (; from < at; from++)
				to[n++] = s.ptr[from];
	}
	return (struct etc_str){ to, n };
}

struct reader {
	struct etc_arena *arena;
	struct etc_map known;
	struct etc_kit_kernel *v;
	uint32_t count, room;
};

static bool add(struct reader *r, struct etc_str category, struct etc_str name)
{
	struct etc_kit_kernel *k;
	char *text;
	size_t at;

	name = etc_str_trim(readable(name, r->arena));
	text = etc_arena_cstr(r->arena, category);
	if (!name.ptr || !text)
		return false;
	for (char *c = text; *c; c++)
		*c = etc_lower(*c);
	at = etc_map_add(&r->known, name, r->count);
	if (at == ETC_MAP_NONE)
		return false;
	k = at < r->count ? &r->v[at] : ETC_APPEND(r->arena, r->v, r->count, r->room);
	if (!k)
		return false;
	if (!k->count)
		*k = (struct etc_kit_kernel){ .name = name, .first = (uint32_t)at };
	k->count++;
	k->category = strcmp(text, "transposec") == 0 ? ETC_STR("transpose") : etc_str_of(text);
	return true;
}

static int more_lines(const void *x, const void *y)
{
	const struct etc_kit_kernel *a = x, *b = y;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

enum etc_status etc_kit_kernels_read(struct etc_str log, struct etc_str id, struct etc_arena *arena,
                                     struct etc_kit_kernels *out, struct etc_error *err)
{
	struct reader r = { .arena = arena };
	bool ok = true;

	etc_map_init(&r.known, arena);
	for (size_t from = 0; from < log.len && ok;) {
		const char *end = memchr(log.ptr + from, '\n', log.len - from);
		size_t to = end ? (size_t)(end - log.ptr) : log.len;
		struct etc_str line = etc_str_sub(log, from, to), category, name;

		for (size_t at = 0; at < line.len; at++)
			if (etc_lower(line.ptr[at]) == 'u' && match(line, at, &category, &name)) {
				ok = add(&r, category, name);
				break;
			}
		from = to + 1;
	}
	ETC_NEED(ok, err);
	if (r.count)
		qsort(r.v, r.count, sizeof *r.v, more_lines);
	*out = (struct etc_kit_kernels){ id, r.v, r.count };
	return ETC_OK;
}

/* ---- CSV --------------------------------------------------------------------------------- */

/* Returns word number `n`, from 0, of a text in which '_' separates words; empty: there are fewer
 * words. */
static struct etc_str word(struct etc_str s, size_t n)
{
	size_t from = 0;

	for (;;) {
		size_t to = etc_str_find(s, ETC_STR("_"), from);

		to = to == SIZE_MAX ? s.len : to;
		if (!n--)
			return etc_str_sub(s, from, to);
		if (to == s.len)
			return (struct etc_str){ 0 };
		from = to + 1;
	}
}

static size_t count_words(struct etc_str s)
{
	size_t n = 1;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == '_';
	return n;
}

static bool has(struct etc_str s, const char *what)
{
	for (size_t at = 0; at < s.len; at++) {
		size_t i = at;

		if (take(s, &i, what))
			return true;
	}
	return false;
}

static void put_kernel(const struct etc_kit_kernels *k, const struct etc_kit_kernel *one,
                       struct etc_text *out)
{
	size_t cut = etc_str_find(one->name, ETC_STR("__"), 0), words, ukernel = 0;
	struct etc_str base = etc_str_sub(one->name, 0, cut), cells[5] = { { 0 } };

	if (cut != SIZE_MAX)
		cells[4] = etc_str_sub(one->name, cut + 2, one->name.len);
	words = count_words(base);
	while (ukernel < words && !etc_str_eq(word(base, ukernel), ETC_STR("ukernel")))
		ukernel++;
	if (words >= 3) {
		cells[0] = word(base, 1);
		cells[1] = word(base, 2);
	}
	if (ukernel < words && ukernel >= 4)
		cells[2] = word(base, 3);
	if (ukernel + 1 < words)
		cells[3] = word(base, ukernel + 1);
	etc_csv_field(out, k->id, ',');
	etc_text_char(out, ',');
	etc_csv_field(out, one->name, ',');
	etc_text_char(out, ',');
	etc_csv_field(out, one->category, ',');
	etc_text_printf(out, ",%lu", (unsigned long)one->count);
	for (int i = 0; i < 5; i++) {
		etc_text_char(out, ',');
		etc_csv_field(out, cells[i], ',');
	}
	etc_text_printf(out, ",%d,%d\r\n", has(cells[4], "sme"), has(cells[4], "sme2"));
}

void etc_kit_kernels_csv(const void *kernels, struct etc_text *out)
{
	const struct etc_kit_kernels *k = kernels;

	etc_text_cstr(out, "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,"
	                   "arch_chain,has_sme,has_sme2\r\n");
	for (uint32_t i = 0; i < k->count; i++)
		put_kernel(k, &k->v[i], out);
}

/* ---- the kernel view ------------------------------------------------------------------------ */

static int by_name(const void *x, const void *y)
{
	return etc_str_cmp(*(const struct etc_str *)x, *(const struct etc_str *)y);
}

static bool holds(const struct etc_kit_kernels *k, struct etc_str name)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (etc_str_eq(k->v[i].name, name))
			return true;
	return false;
}

static const char *architecture(struct etc_str name)
{
	return has(name, "sme2")                           ? "SME2"
	       : has(name, "sme")                          ? "SME"
	       : has(name, "neon") || has(name, "aarch64") ? "NEON"
	                                                   : "Other";
}

void etc_kit_kernels_view_put(const void *view, struct etc_text *out)
{
	static const char *const marks[] = { "❌ **Absent**", "✅ **Present**" };
	const struct etc_kit_kernels_view *v = view;
	const struct etc_kit_kernels *on = v->on, *off = v->off;
	struct etc_str *names = etc_new(v->arena, struct etc_str, (size_t)on->count + off->count);
	size_t n = 0;

	for (uint32_t i = 0; names && i < on->count; i++)
		if (has(on->v[i].name, "gemm"))
			names[n++] = on->v[i].name;
	for (uint32_t i = 0; names && i < off->count; i++)
		if (has(off->v[i].name, "gemm") && !holds(on, off->v[i].name))
			names[n++] = off->v[i].name;
	out->failed = out->failed || !names;
	if (n)
		qsort(names, n, sizeof *names, by_name);
	etc_text_cstr(out, "#### **");
	etc_text_markdown_name(out, v->title);
	etc_text_cstr(out, "**\n\n");
	if (!n)
		etc_text_cstr(out, "No kernels found matching the filter criteria.\n");
	else
		etc_text_cstr(out,
		              "| Kernel Name | SME2-On | SME2-Off | Architecture | Delegation |\n"
		              "|-------------|----------|----------|-------------|------------|\n");
	for (size_t i = 0; i < n; i++) {
		etc_text_cstr(out, "| ");
		etc_text_markdown_code(out, names[i]);
		etc_text_printf(out, " | %s | %s | %s | XNNPACK Delegated |\n",
		                marks[holds(on, names[i])], marks[holds(off, names[i])],
		                architecture(names[i]));
	}
}
