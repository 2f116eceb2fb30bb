/* meta.c -- parses --meta KEY=VALUE and --meta-pattern runs/{device}/x.etdump; see batch.h. The
 * components of the pattern are compared with the last components of a path. */
#include "commands/analyze/batch/batch.h"

#include "base/ascii.h"

static bool is_key(struct etc_str s)
{
	bool is = s.len && s.len < 64 && !etc_is_digit(s.ptr[0]);

	for (size_t i = 0; i < s.len; i++)
		is = is &&
		     (etc_is_digit(s.ptr[i]) || s.ptr[i] == '_' ||
		      (s.ptr[i] >= 'a' && s.ptr[i] <= 'z') || (s.ptr[i] >= 'A' && s.ptr[i] <= 'Z'));
	return is;
}

/* Is `key` the name of a column that the SQL views in share/sql add? Names in SQL are
 * case-insensitive. */
static bool is_of_views(struct etc_str key)
{
	static const char *const names[] = { "part", "filename", "day", "spread_ppm" };
	bool is = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		is = is || (key.len == strlen(names[i]) && etc_starts_word(key, names[i]));
	return is;
}

static enum etc_status add(struct etc_meta *m, struct etc_str key, struct etc_str value,
                           struct etc_arena *arena, struct etc_error *err)
{
	if (!is_key(key) || etc_sheets_own(key) || is_of_views(key))
		return etc_fail(err, E0501,
		                "column '" ETC_STR_FMT
		                "': letters, digits and '_', and no name that the tables or their "
		                "views have",
		                ETC_STR_ARG(key));
	for (uint32_t i = 0; i < m->count; i++)
		if (etc_str_eq(m->names[i], key))
			return etc_fail(err, E0501, "the column '" ETC_STR_FMT "' twice",
			                ETC_STR_ARG(key));
	if (m->count == ETC_META_MOST)
		return etc_fail(err, E0501, "more than %d columns", ETC_META_MOST);
	m->names[m->count] = etc_arena_str(arena, key);
	m->values[m->count] = value;
	ETC_NEED(m->names[m->count].ptr, err);
	m->names[m->count].ptr = etc_arena_cstr(arena, key);
	ETC_NEED(m->names[m->count++].ptr, err);
	return ETC_OK;
}

/* Reads a key of --meta-pattern. `p` points to its '{'. Sets *key to the text between the braces,
 * and returns a pointer to the character after '}'. NULL: the next '{' or '/', or the end, comes
 * before a '}'. */
static const char *key_at(const char *p, struct etc_str *key)
{
	size_t n = strcspn(p + 1, "{}/");

	*key = (struct etc_str){ p + 1, n };
	return p[1 + n] == '}' ? p + n + 2 : NULL;
}

/* Parses --partition-by: names of columns, separated by commas. */
static enum etc_status take_keys(struct etc_meta *m, const char *words, struct etc_error *err)
{
	for (struct etc_str left = etc_str_of(words ? words : ""); left.len;) {
		size_t n = etc_str_find(left, ETC_STR(","), 0);
		const struct etc_str key = etc_str_sub(left, 0, n < left.len ? n : left.len);
		uint32_t i = 0;

		while (i < m->count && !etc_str_eq(m->names[i], key))
			i++;
		if (i == m->count || m->key_count == ETC_META_MOST)
			return etc_fail(
				err, E0501,
				"--partition-by '%s': names of columns of --meta or --meta-pattern",
				words);
		m->keys[m->key_count++] = i;
		left = etc_str_sub(left, key.len + (n < left.len), left.len);
	}
	return ETC_OK;
}

enum etc_status etc_meta_parse(const struct etc_batch_options *o, struct etc_arena *arena,
                               struct etc_meta *out, struct etc_error *err)
{
	*out = (struct etc_meta){ .pattern = o->pattern };
	for (uint32_t i = 0; i < o->meta.count; i++) {
		const char *equals = strchr(o->meta.v[i], '=');

		if (!equals)
			return etc_fail(err, E0501, "--meta '%s': KEY=VALUE", o->meta.v[i]);
		ETC_TRY(add(out, (struct etc_str){ o->meta.v[i], (size_t)(equals - o->meta.v[i]) },
		            etc_str_of(equals + 1), arena, err));
	}
	for (const char *p = o->pattern ? o->pattern : ""; *p;) {
		struct etc_str key;

		if (*p != '{') {
			p++;
			continue;
		}
		p = key_at(p, &key);
		if (!p)
			return etc_fail(err, E0501, "--meta-pattern '%s': '{' without '}'",
			                o->pattern);
		ETC_TRY(add(out, key, ETC_STR_NONE, arena, err));
	}
	return take_keys(out, o->partition, err);
}

/* Appends the partition folder NAME=VALUE/. If the value is empty, or NAME=VALUE has more than 255
 * bytes (the limit of file names), appends the folder for unknown values instead. */
static void put_folder(struct etc_text *out, struct etc_str name, struct etc_str value)
{
	const size_t from = out->len;

	etc_text_put(out, name);
	etc_text_char(out, '=');
	for (size_t i = 0; i < value.len; i++) {
		const char c = value.ptr[i];
		const bool plain = etc_is_digit(c) || (c >= 'a' && c <= 'z') ||
		                   (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';

		if (plain)
			etc_text_char(out, c);
		else
			etc_text_printf(out, "%%%02X", (unsigned)(unsigned char)c);
	}
	if (!value.len || out->len - from > 255) {
		out->len = from;
		etc_text_put(out, name);
		etc_text_cstr(out, "=__HIVE_DEFAULT_PARTITION__");
	}
	etc_text_char(out, '/');
}

struct etc_str etc_meta_folder(const struct etc_meta *m, const char *path, struct etc_arena *arena)
{
	struct etc_str values[ETC_META_MOST];
	struct etc_text out = { 0 };
	const char *kept;

	if (!m->key_count)
		return ETC_STR("");
	etc_meta_of(m, path, values);
	for (uint32_t i = 0; i < m->key_count; i++)
		put_folder(&out, m->names[m->keys[i]], values[m->keys[i]]);
	kept = out.failed ? NULL : etc_arena_cstr(arena, etc_text_str(&out));
	etc_text_release(&out);
	return kept ? etc_str_of(kept) : ETC_STR_NONE;
}

static void set(const struct etc_meta *m, struct etc_str key, struct etc_str value,
                struct etc_str *values)
{
	for (uint32_t i = 0; i < m->count; i++)
		if (etc_str_eq(m->names[i], key))
			values[i] = value;
}

/* Matches the pattern [p, end) with `name`, the name of a folder or file. `*` and keys match as few
 * characters as possible. *steps is the number of steps that are left; it limits the time. */
static bool match(const struct etc_meta *m, const char *p, const char *end, struct etc_str name,
                  struct etc_str *values, unsigned *steps)
{
	struct etc_str key = ETC_STR_NONE;
	size_t least = 0;

	while (p < end && *p != '*' && *p != '{') {
		if (!name.len || *name.ptr != *p++)
			return false;
		name = etc_str_sub(name, 1, name.len);
	}
	if (p == end)
		return name.len == 0;
	if (*p == '{') {
		p = key_at(p, &key);
		least = 1;
	} else {
		p++;
	}
	for (size_t n = least; n <= name.len && *steps; n++) {
		--*steps;
		if (!match(m, p, end, etc_str_sub(name, n, name.len), values, steps))
			continue;
		if (least)
			set(m, key, etc_str_sub(name, 0, n), values);
		return true;
	}
	return false;
}

/* Returns a pointer to the start of the path component that ends at `end`. */
static const char *component(const char *begin, const char *end)
{
	while (end > begin && end[-1] != '/')
		end--;
	return end;
}

void etc_meta_of(const struct etc_meta *m, const char *path, struct etc_str values[ETC_META_MOST])
{
	const char *p_end, *s_end = path + strlen(path);
	struct etc_str found[ETC_META_MOST];
	unsigned steps = 10000;

	memcpy(values, m->values, sizeof m->values);
	if (!m->pattern)
		return;
	memcpy(found, values, sizeof found);
	for (p_end = m->pattern + strlen(m->pattern);; p_end--, s_end--) {
		const char *p = component(m->pattern, p_end), *s = component(path, s_end);

		if (!match(m, p, p_end, (struct etc_str){ s, (size_t)(s_end - s) }, found, &steps))
			return;
		p_end = p;
		s_end = s;
		if (p == m->pattern)
			break;
		if (s == path)
			return;
	}
	memcpy(values, found, sizeof found);
}
