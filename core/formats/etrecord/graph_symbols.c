/* graph_symbols.c -- see graph_symbols.h. Expressions are parsed as Python writes them: integers,
 * names, parentheses, and the operators + - * and //. The size of any other expression is known
 * only if a tensor has exactly this expression as a size. */
#include "formats/etrecord/graph_symbols.h"

#include "base/ascii.h"

static const uint64_t DIFFERENT = UINT64_MAX;

enum { DEEPEST = 32 };

void etc_symbols_init(struct etc_symbols *s, struct etc_arena *arena)
{
	*s = (struct etc_symbols){ 0 };
	etc_map_init(&s->at, arena);
}

bool etc_symbols_bind(struct etc_symbols *s, struct etc_str expression, uint64_t size)
{
	uint32_t count = (uint32_t)s->at.count;
	size_t at = expression.len ? etc_map_add(&s->at, expression, count) : 0;
	uint64_t *to;

	if (!expression.len || at < count) {
		if (expression.len && s->sizes[at] != size)
			s->sizes[at] = DIFFERENT;
		return true;
	}
	to = at == ETC_MAP_NONE ? NULL : ETC_APPEND(s->at.arena, s->sizes, count, s->room);
	if (to)
		*to = size;
	return to != NULL;
}

/* Sets `*size` to the size that tensors have where the graph has exactly this expression. False: no
 * tensor has this expression as a size, or tensors have different sizes for it. */
static bool shown(const struct etc_symbols *s, struct etc_str expression, uint64_t *size)
{
	const size_t at = etc_map_get(&s->at, expression);

	*size = at == ETC_MAP_NONE ? DIFFERENT : s->sizes[at];
	return *size != DIFFERENT;
}

/* ---- expressions ------------------------------------------------------------------ */

struct reader {
	const struct etc_symbols *s;
	struct etc_str left;
	unsigned depth;
	bool failed;
};

/* Skips blanks, then takes `word` if it is next. */
static bool take(struct reader *r, const char *word)
{
	while (r->left.len && *r->left.ptr == ' ')
		r->left = etc_str_sub(r->left, 1, r->left.len);
	if (!etc_str_starts(r->left, etc_str_of(word)))
		return false;
	r->left = etc_str_sub(r->left, etc_str_of(word).len, r->left.len);
	return true;
}

static int64_t read_sum(struct reader *r);

static int64_t read_word(struct reader *r)
{
	struct etc_str word;
	uint64_t size;
	size_t n = 0;
	int64_t value = 0;

	while (n < r->left.len && etc_is_word(r->left.ptr[n]))
		n++;
	word = etc_str_sub(r->left, 0, n);
	r->left = etc_str_sub(r->left, n, r->left.len);
	for (size_t i = 0; i < n && *word.ptr >= '0' && *word.ptr <= '9'; i++)
		r->failed = r->failed || word.ptr[i] < '0' || word.ptr[i] > '9' ||
		            __builtin_mul_overflow(value, 10, &value) ||
		            __builtin_add_overflow(value, word.ptr[i] - '0', &value);
	if (n && *word.ptr >= '0' && *word.ptr <= '9')
		return value;
	r->failed = r->failed || !shown(r->s, word, &size) || size > INT64_MAX;
	return r->failed ? 0 : (int64_t)size;
}

static int64_t read_factor(struct reader *r)
{
	int64_t v;

	if (r->failed || ++r->depth > DEEPEST) {
		r->failed = true;
		return 0;
	}
	if (take(r, "-")) {
		v = read_factor(r);
		r->failed = r->failed || __builtin_sub_overflow(0, v, &v);
	} else if (take(r, "(")) {
		v = read_sum(r);
		r->failed = r->failed || !take(r, ")");
	} else {
		v = read_word(r);
	}
	r->depth--;
	return v;
}

static int64_t read_product(struct reader *r)
{
	int64_t v = read_factor(r), other;

	while (!r->failed) {
		if (take(r, "**")) {
			r->failed = true;
		} else if (take(r, "//")) {
			other = read_factor(r);
			r->failed = r->failed || v < 0 || other <= 0;
			v = r->failed ? 0 : v / other;
		} else if (take(r, "*")) {
			other = read_factor(r);
			r->failed = r->failed || __builtin_mul_overflow(v, other, &v);
		} else {
			break;
		}
	}
	return v;
}

static int64_t read_sum(struct reader *r)
{
	int64_t v = read_product(r), other;

	while (!r->failed) {
		if (take(r, "+")) {
			other = read_product(r);
			r->failed = r->failed || __builtin_add_overflow(v, other, &v);
		} else if (take(r, "-")) {
			other = read_product(r);
			r->failed = r->failed || __builtin_sub_overflow(v, other, &v);
		} else {
			break;
		}
	}
	return v;
}

bool etc_symbols_size(const struct etc_symbols *s, struct etc_str expression, uint64_t *size)
{
	struct reader r = { .s = s, .left = expression };
	int64_t v;

	if (etc_map_get(&s->at, expression) != ETC_MAP_NONE)
		return shown(s, expression, size);
	v = read_sum(&r);
	*size = (uint64_t)v;
	take(&r, "");
	return !r.failed && r.left.len == 0 && v >= 0;
}

bool etc_symbols_of(const struct etc_symbols *s, const struct etc_graph_tensor *t, uint32_t i,
                    uint64_t *size)
{
	if (t->sizes[i] >= 0) {
		*size = (uint64_t)t->sizes[i];
		return true;
	}
	return t->expressions && t->expressions[i].len &&
	       etc_symbols_size(s, t->expressions[i], size);
}
