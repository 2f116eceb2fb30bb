/* meta.c -- see batch.h: --meta KEY=VALUE, and --meta-pattern runs/{device}/x.etdump, whose folders
 * are compared with the last ones of a path. */
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

static enum etc_status add(struct etc_meta *m, struct etc_str key, struct etc_str value,
                           struct etc_arena *arena, struct etc_error *err)
{
	if (!is_key(key) || etc_sheets_own(key))
		return etc_fail(err, E0501,
		                "column '" ETC_STR_FMT
		                "': letters, digits and '_', and no name that the tables have",
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

/* The key in braces at `p`; NULL behind it: no closing brace in this folder. */
static const char *key_at(const char *p, struct etc_str *key)
{
	size_t n = strcspn(p + 1, "{}/");

	*key = (struct etc_str){ p + 1, n };
	return p[1 + n] == '}' ? p + n + 2 : NULL;
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
	return ETC_OK;
}

static void set(const struct etc_meta *m, struct etc_str key, struct etc_str value,
                struct etc_str *values)
{
	for (uint32_t i = 0; i < m->count; i++)
		if (etc_str_eq(m->names[i], key))
			values[i] = value;
}

/* Matches the pattern [p, end) with a folder's or file's name; `*` and keys take as little as fits.
 * `steps` bounds the time. */
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

/* The start of the last component before `end`. */
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
