/* statistics.c -- decodes neural accelerator statistics; see statistics.h.
 *
 * The result is the JSON text of the metadata with decoded blobs; everything else is copied
 * unchanged. */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

#include "../coreml/json.h"

static const char schema[] = "executorch.vgf.neural_statistics";

static const char *const blob_names[VGF_BLOBS] = { "debug_database", "statistics_info",
	                                           "statistics_memory" };

/* A growing text. */
struct writer {
	struct vgf_statistics *out;
	uint64_t room;
	bool failed;
};

static void put(struct writer *w, const char *p, uint64_t len)
{
	struct vgf_statistics *s = w->out;

	if (s->len + len > w->room) {
		uint64_t room = (s->len + len) * 2;
		char *more = w->failed ? NULL : realloc(s->text, (size_t)room);

		w->failed = !more;
		if (!more)
			return;
		s->text = more;
		w->room = room;
	}
	if (len)
		memcpy(s->text + s->len, p, (size_t)len);
	s->len += len;
}

static void put_word(struct writer *w, const char *word)
{
	put(w, word, strlen(word));
}

/* Copies the text between two positions of the input. */
static void put_between(struct writer *w, const char *from, const char *to)
{
	put(w, from, (uint64_t)(to - from));
}

static const char *end_of(struct pyjson_value v)
{
	return v.text.ptr + v.text.len;
}

/* Returns 1 if the string value equals the text, 0 if not, and -1 if out of memory. */
static int is(struct pyjson_value string, const char *text)
{
	struct etcore_text t;
	char *owned;
	int same;

	if (string.kind != PYJSON_STRING)
		return 0;
	if (pyjson_string(string, &t, &owned) != ETCORE_OK)
		return -1;
	same = t.len == strlen(text) && memcmp(t.ptr, text, (size_t)t.len) == 0;
	free(owned);
	return same;
}

/* Sets `*out` to Python's bool(v). */
static etcore_result truth(struct pyjson_value v, bool *out)
{
	double number = 1;
	uint64_t at = 0;
	struct pyjson_value k, e;
	etcore_result r = ETCORE_OK;

	if (v.kind == PYJSON_NUMBER)
		r = pyjson_f64(v, &number);
	*out = v.kind == PYJSON_TRUE || (v.kind == PYJSON_NUMBER && number != 0) ||
	       (v.kind == PYJSON_STRING && v.text.len > 2) ||
	       (v.kind == PYJSON_ARRAY && pyjson_element(v, &at, &e)) ||
	       (v.kind == PYJSON_OBJECT && pyjson_member(v, &at, &k, &e));
	return r;
}

static bool is_digit64(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '+' || c == '/';
}

/* Writes base64.b64decode(t, validate=True) as b"…" and adds the number of decoded bytes to
 * `*bytes`. As in Python, padding after complete groups is allowed. ETCORE_CORRUPT: `t` is not
 * valid base64. */
static etcore_result put_decoded(struct writer *w, struct etcore_text t, uint64_t *bytes)
{
	static const uint64_t wanted[4] = { 0, 0, 2, 1 };
	uint64_t n = 0, pad;

	while (n < t.len && is_digit64(t.ptr[n]))
		n++;
	for (pad = 0; n + pad < t.len; pad++)
		if (t.ptr[n + pad] != '=')
			return ETCORE_CORRUPT;
	if (n % 4 == 1 || (n % 4 ? pad != wanted[n % 4] : n == 0 && pad))
		return ETCORE_CORRUPT;
	*bytes += n / 4 * 3 + (n % 4 ? n % 4 - 1 : 0);
	put_word(w, "b\"");
	put(w, t.ptr, n);
	put(w, "==", wanted[n % 4]);
	put_word(w, "\"");
	return ETCORE_OK;
}

/* Writes the decoded member "data" of a blob whose member "available" is true. ETCORE_CORRUPT: its
 * encoding is not base64, or its data are invalid. */
static etcore_result put_data(struct writer *w, struct pyjson_value blob, uint64_t *bytes)
{
	struct pyjson_value encoding, data;
	struct etcore_text text = { "", 0 };
	etcore_result r = pyjson_get(blob, "encoding", &encoding);
	char *owned = NULL;
	int base64;

	if (r != ETCORE_OK)
		return r == ETCORE_DECLINE ? ETCORE_CORRUPT : r;
	base64 = is(encoding, "base64");
	if (base64 != 1)
		return base64 < 0 ? ETCORE_NOMEM : ETCORE_CORRUPT;
	r = pyjson_get(blob, "data", &data);
	if (r == ETCORE_OK && data.kind != PYJSON_STRING)
		return ETCORE_CORRUPT;
	if (r == ETCORE_OK)
		r = pyjson_string(data, &text, &owned);
	if (r == ETCORE_OK || r == ETCORE_DECLINE)
		r = put_decoded(w, text, bytes);
	free(owned);
	return r;
}

/* Writes a blob with a member "raw_data", whose value is the decoded bytes. If the blob already has
 * this member, its value is replaced; otherwise the member is added at the end. If the blob's
 * member "available" is missing or false, nothing is decoded: an existing "raw_data" does not
 * change, and an added one is empty. */
static etcore_result put_blob(struct writer *w, struct pyjson_value blob, uint64_t *bytes)
{
	struct pyjson_value available, raw;
	bool there = false;
	etcore_result has = pyjson_get(blob, "raw_data", &raw);
	etcore_result r = pyjson_get(blob, "available", &available);

	if (r == ETCORE_OK)
		r = truth(available, &there);
	if ((r != ETCORE_OK && r != ETCORE_DECLINE) || has == ETCORE_NOMEM)
		return ETCORE_NOMEM;
	if (has == ETCORE_OK && !there) {
		put(w, blob.text.ptr, blob.text.len);
		return ETCORE_OK;
	}
	if (has == ETCORE_OK) {
		put_between(w, blob.text.ptr, raw.text.ptr);
	} else {
		uint64_t at = 0;
		struct pyjson_value k, v;

		put_between(w, blob.text.ptr, end_of(blob) - 1);
		put_word(w, pyjson_member(blob, &at, &k, &v) ? ",\"raw_data\":" : "\"raw_data\":");
	}
	if (there)
		r = put_data(w, blob, bytes);
	else
		put_word(w, "b\"\"");
	put_between(w, has == ETCORE_OK ? end_of(raw) : end_of(blob) - 1, end_of(blob));
	return there ? r : ETCORE_OK;
}

/* Writes the segment, an object, with decoded blobs. Python's dict(segment) would also accept a
 * non-empty list of pairs, but this function returns ETCORE_CORRUPT for it. */
static etcore_result put_segment(struct writer *w, struct pyjson_value segment)
{
	const char *done = segment.text.ptr;
	struct pyjson_value key, value;
	uint64_t at = 0;

	if (segment.kind != PYJSON_OBJECT) {
		if ((segment.kind != PYJSON_ARRAY || pyjson_element(segment, &at, &value)) &&
		    (segment.kind != PYJSON_STRING || segment.text.len > 2))
			return ETCORE_CORRUPT;
		put_word(w, "{}");
		return ETCORE_OK;
	}
	while (pyjson_member(segment, &at, &key, &value)) {
		for (int b = 0; b < VGF_BLOBS && value.kind == PYJSON_OBJECT; b++) {
			int mine = is(key, blob_names[b]);
			etcore_result r;

			if (mine < 0)
				return ETCORE_NOMEM;
			if (!mine)
				continue;
			put_between(w, done, value.text.ptr);
			r = put_blob(w, value, &w->out->bytes[b]);
			if (r != ETCORE_OK)
				return r;
			done = end_of(value);
		}
	}
	put_between(w, done, end_of(segment));
	return ETCORE_OK;
}

/* Writes the segments as a Python list of their decoded bytes. */
static etcore_result put_segments(struct writer *w, struct pyjson_value segments)
{
	struct pyjson_value k, v;
	uint64_t at = 0;
	etcore_result r = ETCORE_OK;

	put_word(w, "[");
	if (segments.kind == PYJSON_ARRAY) {
		while (r == ETCORE_OK && pyjson_element(segments, &at, &v)) {
			if (w->out->segments++)
				put_word(w, ", ");
			r = put_segment(w, v);
		}
	} else if ((segments.kind != PYJSON_OBJECT || pyjson_member(segments, &at, &k, &v)) &&
	           (segments.kind != PYJSON_STRING || segments.text.len > 2)) {
		r = ETCORE_CORRUPT; /* Python raises an exception for such a value */
	}
	put_word(w, "]");
	return r;
}

static etcore_result put_payload(struct writer *w, struct pyjson_value payload)
{
	struct pyjson_value segments, data;
	etcore_result r = pyjson_get(payload, "segments", &segments);

	if (r == ETCORE_DECLINE) {
		put_between(w, payload.text.ptr, end_of(payload) - 1);
		put_word(w, ",\"segments\":[]}");
		r = ETCORE_OK;
	} else if (r == ETCORE_OK) {
		put_between(w, payload.text.ptr, segments.text.ptr);
		r = put_segments(w, segments);
		put_between(w, end_of(segments), end_of(payload));
	}
	if (r != ETCORE_OK)
		return r;
	r = pyjson_get(payload, "data_available", &data);
	w->out->has_data = r == ETCORE_OK;
	if (r == ETCORE_OK)
		r = truth(data, &w->out->data_available);
	return r == ETCORE_DECLINE ? ETCORE_OK : r;
}

/* Does payload.get("schema_version") == 1 hold in Python? (It also does for the values True and
 * 1.0.) Returns ETCORE_OK if so, ETCORE_CORRUPT if not, or ETCORE_NOMEM. */
static etcore_result check_version(struct pyjson_value payload)
{
	struct pyjson_value version;
	double number = 0;
	etcore_result r = pyjson_get(payload, "schema_version", &version);

	if (r == ETCORE_OK && version.kind == PYJSON_NUMBER)
		r = pyjson_f64(version, &number);
	if (r == ETCORE_OK && version.kind != PYJSON_TRUE && number != 1)
		r = ETCORE_CORRUPT;
	return r == ETCORE_DECLINE ? ETCORE_CORRUPT : r;
}

/* Returns false for a text in another encoding than UTF-8, with a byte order mark, or with
 * surrogates. Python's json.loads would accept such bytes, but ExecuTorch's reader raises an
 * exception, because it calls bytes.decode("utf-8") first. */
static bool is_plain_text(struct etcore_bytes b)
{
	if (b.len >= 3 && memcmp(b.ptr, "\xef\xbb\xbf", 3) == 0)
		return false;
	for (uint64_t i = 0; i < b.len; i++)
		if (b.ptr[i] == 0 || (b.ptr[i] == 0xed && i + 1 < b.len && b.ptr[i + 1] >= 0xa0))
			return false;
	return true;
}

static bool contains_schema(struct etcore_bytes b)
{
	for (uint64_t i = 0; i + sizeof schema - 1 <= b.len; i++)
		if (memcmp(b.ptr + i, schema, sizeof schema - 1) == 0)
			return true;
	return false;
}

static etcore_result read_payload(struct pyjson_value payload, struct vgf_statistics *out)
{
	struct writer w = { .out = out };
	struct pyjson_value name = { 0 };
	etcore_result r = ETCORE_DECLINE;

	if (payload.kind == PYJSON_OBJECT)
		r = pyjson_get(payload, "schema", &name);
	if (r == ETCORE_OK) {
		int mine = is(name, schema);

		r = mine < 0 ? ETCORE_NOMEM : mine ? ETCORE_OK : ETCORE_DECLINE;
	}
	if (r == ETCORE_OK)
		r = check_version(payload);
	if (r == ETCORE_OK)
		r = put_payload(&w, payload);
	return w.failed ? ETCORE_NOMEM : r;
}

etcore_result vgf_statistics_read(struct etcore_bytes blob, struct vgf_statistics *out)
{
	enum pyjson_status st = PYJSON_VALUE_ERROR;
	struct pyjson doc;
	etcore_result r;

	memset(out, 0, sizeof *out);
	if (is_plain_text(blob))
		st = pyjson_load(&doc, blob);
	if (st == PYJSON_VALUE_ERROR)
		return contains_schema(blob) ? ETCORE_CORRUPT : ETCORE_DECLINE;
	if (st != PYJSON_OK)
		return st == PYJSON_NOMEM ? ETCORE_NOMEM : ETCORE_CORRUPT;
	r = read_payload(doc.root, out);
	pyjson_release(&doc);
	if (r != ETCORE_OK)
		vgf_statistics_release(out);
	return r;
}

void vgf_statistics_release(struct vgf_statistics *s)
{
	free(s->text);
	s->text = NULL;
}
