/* rules_value.c -- evaluates a rule's source for an event: metadata or name, then optionally a
 * JSON pointer, then a pattern. */

#include "base/number.h"
#include "base/text.h"
#include "host/rules/json_pointer.h"
#include "host/rules/ini_rules.h"

enum { SUBJECT_MAX = 1 << 16 /* longest text, in bytes, that a pattern is matched with */ };

/* Returns the metadata of the first sample that has metadata. */
static struct etc_str blob_of(const struct etcore_event *e)
{
	for (uint64_t i = 0; e->metadata && i < e->samples; i++)
		if (e->metadata[i].len)
			return (struct etc_str){ (const char *)e->metadata[i].ptr,
				                 (size_t)e->metadata[i].len };
	return (struct etc_str){ 0 };
}

/* Returns the event's delegate_debug_id_str; if it has none, its delegate_debug_id_int. */
static struct etc_datum name_of(const struct etcore_event *e)
{
	if (e->delegate_name.len)
		return (struct etc_datum){ .kind = ETC_DATUM_STR,
			                   .text = { e->delegate_name.ptr,
			                             (size_t)e->delegate_name.len } };
	if (e->delegate_id != -1)
		return (struct etc_datum){ .kind = ETC_DATUM_I64, .i = e->delegate_id };
	return (struct etc_datum){ .kind = ETC_DATUM_NULL };
}

static bool whole(struct etc_str s, int64_t *out)
{
	bool minus = s.len > 1 && s.ptr[0] == '-';
	uint64_t v;

	if (!etc_number_parse_u64(etc_str_sub(s, minus, s.len), &v) ||
	    v > (uint64_t)INT64_MAX + minus)
		return false;
	*out = (int64_t)(minus ? 0 - v : v);
	return true;
}

/* Is `s` a decimal integer that does not fit into an int64_t? */
static bool is_beyond(struct etc_str s)
{
	size_t minus = s.len > 1 && s.ptr[0] == '-', at = minus;
	int64_t v;

	while (at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9')
		at++;
	return at > minus && at == s.len && !whole(s, &v);
}

bool etc_rule_beyond(const struct etc_datum *d)
{
	if (d->kind == ETC_DATUM_F64)
		return d->f >= 9223372036854775808.0 || d->f < -9223372036854775808.0; /* 2^63 */
	return d->kind == ETC_DATUM_STR && is_beyond(d->text);
}

/* Converts the text of a JSON value to a datum; an object or list stays JSON text. */
static bool from_json(struct etc_str json, struct etc_arena *arena, struct etc_datum *out)
{
	char c = json.len ? json.ptr[0] : 'n';
	int64_t v;

	*out = (struct etc_datum){ .kind = ETC_DATUM_JSON, .text = json };
	if (c == '"') {
		out->kind = ETC_DATUM_STR;
		return etc_json_string(json, arena, &out->text);
	}
	if (c == '{' || c == '[')
		return true;
	if (c == 'n')
		out->kind = ETC_DATUM_NULL;
	else if (c == 't' || c == 'f')
		*out = (struct etc_datum){ .kind = ETC_DATUM_BOOL, .i = c == 't' };
	else if (whole(json, &v))
		*out = (struct etc_datum){ .kind = ETC_DATUM_I64, .i = v };
	else if (etc_number_parse(json, &out->f))
		*out = (struct etc_datum){ .kind = ETC_DATUM_F64,
			                   .f = out->f,
			                   .text = is_beyond(json) ? json : ETC_STR_NONE };
	return true;
}

/* Converts a value to text; objects and lists keep the form that they have in the metadata. False:
 * out of memory. */
static bool to_text(const struct etc_datum *d, struct etc_arena *arena, struct etc_str *out)
{
	char number[ETC_NUMBER_MAX];

	switch (d->kind) {
	case ETC_DATUM_BOOL:
		*out = d->i ? ETC_STR("true") : ETC_STR("false");
		return true;
	case ETC_DATUM_I64:
		*out = etc_arena_printf(arena, "%lld", (long long)d->i);
		return out->ptr != NULL;
	case ETC_DATUM_F64:
		*out = d->text.len ? d->text
		                   : etc_arena_str(arena,
		                                   (struct etc_str){
							   number, etc_number_repr(number, d->f) });
		return out->ptr != NULL;
	default:
		*out = d->text;
		return true;
	}
}

/* Decodes the event's metadata to `out`. If the source has an offset, the result is the number at
 * that offset. If it has a JSON pointer, the result is the text or list in which the pointer is
 * looked up later. Otherwise it is the result of the section's decoder. */
static enum etc_rule_result metadata(const struct etc_ruled *r, const struct etc_rule_source *s,
                                     const struct etcore_event *event, struct etc_arena *arena,
                                     struct etc_datum *out)
{
	enum etc_decoder how = (enum etc_decoder)r->backend->metadata;
	struct etc_str blob = blob_of(event), text = etc_str_without_nul(blob);

	*out = (struct etc_datum){ .kind = ETC_DATUM_NULL };
	if (blob.len == 0)
		return ETC_RULE_ABSENT;
	if (s->form)
		return etc_decode_at((enum etc_decoder)s->form, blob, s->offset, arena, out)
		               ? ETC_RULE_FOUND
		               : ETC_RULE_ABSENT;
	if (s->has_pointer && how != ETC_DECODE_LIST) {
		if (etc_utf8_fault(text) != SIZE_MAX || !etc_json_valid(text))
			return ETC_RULE_ABSENT;
		*out = (struct etc_datum){ .kind = ETC_DATUM_JSON, .text = text };
		return ETC_RULE_FOUND;
	}
	if (!etc_decode_blob(how, blob, arena, out))
		return ETC_RULE_NOMEM;
	/* A decoder for numbers returns text (hex digits) if the metadata does not have the size of
	 * the number. Then there is no value. */
	if (how >= ETC_DECODE_U8 && out->kind == ETC_DATUM_STR)
		return ETC_RULE_ABSENT;
	return ETC_RULE_FOUND;
}

static enum etc_rule_result point(const struct etc_rule_source *s, struct etc_arena *arena,
                                  struct etc_datum *value)
{
	struct etc_str json = etc_str_without_nul(value->text);

	if (value->kind != ETC_DATUM_JSON &&
	    (value->kind != ETC_DATUM_STR || etc_utf8_fault(json) != SIZE_MAX ||
	     !etc_json_valid(json)))
		return ETC_RULE_ABSENT;
	if (!etc_json_point(json, s->pointer, arena, &json))
		return ETC_RULE_ABSENT;
	return from_json(json, arena, value) ? ETC_RULE_FOUND : ETC_RULE_NOMEM;
}

/* Replaces "\0" to "\9" in a template such as "conv of \1" by the texts in `found`, which the
 * groups of a pattern captured. */
static bool make(struct etc_str made, const struct etc_str *found, struct etc_arena *arena,
                 struct etc_str *out)
{
	struct etc_text t = { 0 };

	for (size_t i = 0; i < made.len; i++) {
		char next = i + 1 < made.len ? made.ptr[i + 1] : '\0';

		if (made.ptr[i] != '\\' || next < '0' || next > '9') {
			etc_text_char(&t, made.ptr[i]);
			continue;
		}
		etc_text_put(&t, found[next - '0']);
		i++;
	}
	*out = etc_text_keep(&t, arena);
	return out->ptr != NULL;
}

static enum etc_rule_result search(const struct etc_rule_source *s, const struct etc_pattern *p,
                                   struct etc_arena *arena, struct etc_datum *value)
{
	struct etc_str found[ETC_PATTERN_GROUPS], text;

	if (!to_text(value, arena, &text))
		return ETC_RULE_NOMEM;
	if (value->kind == ETC_DATUM_NULL || text.len > SUBJECT_MAX ||
	    !etc_pattern_find(p, text, found))
		return ETC_RULE_ABSENT;
	*value = (struct etc_datum){ .kind = ETC_DATUM_STR, .text = found[s->group] };
	if (s->made.len && !make(s->made, found, arena, &value->text))
		return ETC_RULE_NOMEM;
	return ETC_RULE_FOUND;
}

static enum etc_rule_result value_of(const struct etc_ruled *r, const struct etc_rule_source *s,
                                     const struct etc_pattern *p, const struct etcore_event *event,
                                     struct etc_arena *arena, struct etc_datum *out)
{
	enum etc_rule_result result = ETC_RULE_FOUND;

	if (s->of_name)
		*out = name_of(event);
	else
		result = metadata(r, s, event, arena, out);
	if (result == ETC_RULE_FOUND && s->has_pointer)
		result = point(s, arena, out);
	if (result == ETC_RULE_FOUND && p)
		result = search(s, p, arena, out);
	return result == ETC_RULE_FOUND && out->kind == ETC_DATUM_NULL ? ETC_RULE_ABSENT : result;
}

enum etc_rule_result etc_rule_value(const struct etc_ruled *r, uint32_t rule,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    struct etc_datum *out)
{
	struct etc_pattern *const *p = &r->patterns[r->first[rule]];
	enum etc_rule_result result = ETC_RULE_ABSENT;

	for (const struct etc_rule_source *s = &r->backend->rules[rule].source;
	     s && result == ETC_RULE_ABSENT; s = s->next, p++)
		result = value_of(r, s, *p, event, arena, out);
	return result;
}

enum etc_rule_result etc_rule_text(const struct etc_ruled *r, uint32_t rule,
                                   const struct etcore_event *event, struct etc_arena *arena,
                                   struct etc_str *out)
{
	struct etc_datum value;
	enum etc_rule_result result = etc_rule_value(r, rule, event, arena, &value);

	if (result == ETC_RULE_FOUND)
		result = etc_rule_typed(value, ETCORE_TYPE_STR, arena, &value);
	*out = value.text;
	return result;
}

static bool truth(struct etc_str s, int64_t *out)
{
	*out = etc_str_eq(s, ETC_STR("true")) || etc_str_eq(s, ETC_STR("1"));
	return *out || etc_str_eq(s, ETC_STR("false")) || etc_str_eq(s, ETC_STR("0"));
}

enum etc_rule_result etc_rule_typed(struct etc_datum v, uint32_t type, struct etc_arena *arena,
                                    struct etc_datum *out)
{
	bool ok = true;

	*out = v;
	switch (type) {
	case ETCORE_TYPE_STR:
		if (v.kind == ETC_DATUM_JSON && v.text.len && !from_json(v.text, arena, &v))
			return ETC_RULE_NOMEM;
		ok = v.kind != ETC_DATUM_JSON && v.kind != ETC_DATUM_NULL;
		*out = (struct etc_datum){ .kind = ETC_DATUM_STR };
		if (ok && !to_text(&v, arena, &out->text))
			return ETC_RULE_NOMEM;
		ok = ok && etc_utf8_fault(out->text) == SIZE_MAX;
		break;
	case ETCORE_TYPE_I64:
		out->kind = ETC_DATUM_I64;
		ok = v.kind == ETC_DATUM_I64 || (v.kind == ETC_DATUM_STR && whole(v.text, &out->i));
		break;
	case ETCORE_TYPE_F64:
		if (v.kind != ETC_DATUM_STR || whole(v.text, &out->i)) {
			/* an integer is accepted for a column of doubles and stays an integer, as
			 * in Python */
			out->kind = v.kind == ETC_DATUM_STR ? (uint8_t)ETC_DATUM_I64 : v.kind;
			ok = out->kind == ETC_DATUM_I64 || out->kind == ETC_DATUM_F64;
			break;
		}
		out->kind = ETC_DATUM_F64;
		ok = etc_number_parse(v.text, &out->f);
		break;
	case ETCORE_TYPE_BOOL:
		out->kind = ETC_DATUM_BOOL;
		ok = v.kind == ETC_DATUM_BOOL ||
		     (v.kind == ETC_DATUM_STR && truth(v.text, &out->i));
		break;
	default:
		if (v.kind == ETC_DATUM_F64 && v.text.len)
			out->kind = ETC_DATUM_JSON;
		ok = v.kind != ETC_DATUM_STR || etc_utf8_fault(v.text) == SIZE_MAX;
		break;
	}
	return ok ? ETC_RULE_FOUND : ETC_RULE_ABSENT;
}

enum etc_rule_result etc_rule_match(const struct etc_ruled *r, uint8_t kind,
                                    const struct etcore_event *event, struct etc_arena *arena,
                                    uint32_t *rule, struct etc_str *text)
{
	*rule = UINT32_MAX;
	for (uint32_t i = 0; i < r->backend->rule_count; i++) {
		struct etc_datum value;
		enum etc_rule_result result;

		if (r->backend->rules[i].kind != kind)
			continue;
		result = etc_rule_value(r, i, event, arena, &value);
		if (result == ETC_RULE_ABSENT)
			continue;
		*rule = i;
		if (text)
			*text = r->backend->rules[i].source.group ? value.text : ETC_STR_NONE;
		return result;
	}
	return ETC_RULE_ABSENT;
}
