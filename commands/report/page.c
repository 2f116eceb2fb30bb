/* page.c -- writes the HTML page; see page.h */
#include "commands/report/page.h"

#include "base/sha256.h"
#include "table/xml.h"

static struct etc_str text_of(const struct etc_page_file *f)
{
	return (struct etc_str){ (const char *)f->bytes, f->size };
}

static void put_base64(struct etc_text *out, const uint8_t *bytes, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < count; i += 3) {
		uint32_t v = (uint32_t)bytes[i] << 16;

		v |= i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0;
		v |= i + 2 < count ? bytes[i + 2] : 0;
		etc_text_char(out, digits[v >> 18]);
		etc_text_char(out, digits[v >> 12 & 63]);
		etc_text_char(out, i + 1 < count ? digits[v >> 6 & 63] : '=');
		etc_text_char(out, i + 2 < count ? digits[v & 63] : '=');
	}
}

/* Writes 'sha256-…', with single quotes: the hash of a file, by which a Content-Security-Policy
 * allows that file. */
static void put_source(struct etc_text *out, const struct etc_page_file *f)
{
	uint8_t digest[ETC_SHA256_BYTES];

	etc_sha256_of((struct etc_span){ f->bytes, f->size }, digest);
	etc_text_cstr(out, "'sha256-");
	put_base64(out, digest, sizeof digest);
	etc_text_char(out, '\'');
}

/* Writes the page's Content-Security-Policy. It allows only the page's own style and script, which
 * are identified by their hashes. */
static void put_policy(struct etc_text *out)
{
	etc_text_cstr(out, "default-src 'none'; style-src ");
	put_source(out, &etc_page_css);
	etc_text_cstr(out, "; script-src ");
	put_source(out, &etc_page_js);
	etc_text_cstr(out, "; base-uri 'none'; form-action 'none'");
}

/* Writes the title as text of HTML. Unprintable characters are written as code points. A title with
 * more than MOST characters is truncated. */
static void put_title(struct etc_text *out, struct etc_str title)
{
	enum { MOST = 200 };
	struct etc_text text = { 0 };
	size_t at = 0, end = 0;

	for (size_t n = 0; n < MOST && at < title.len; n++, end = at)
		etc_utf8_next(title, &at);
	etc_text_shown(&text, etc_str_sub(title, 0, end));
	etc_text_cstr(&text, end < title.len ? "…" : "");
	etc_text_xml(out, etc_text_str(&text));
	out->failed = out->failed || text.failed;
	etc_text_release(&text);
}

/* Writes JSON as the content of an element <script>. Every '<' is escaped, because '<' may begin
 * the end tag of the element. */
static void put_data(struct etc_text *out, struct etc_str json)
{
	for (size_t from = 0, at; from < json.len; from = at + 1) {
		const char *found = memchr(json.ptr + from, '<', json.len - from);

		at = found ? (size_t)(found - json.ptr) : json.len;
		etc_text_pass(out, etc_str_sub(json, from, at));
		if (found)
			etc_text_cstr(out, "\\u003c");
	}
}

void etc_report_page(struct etc_str title, struct etc_str data, struct etc_text *out)
{
	const struct etc_str page = text_of(&etc_page_html);

	for (size_t at = 0; at < page.len;) {
		size_t mark = etc_str_find(page, ETC_STR("{{"), at), end;
		struct etc_str name;

		end = mark == SIZE_MAX ? SIZE_MAX : etc_str_find(page, ETC_STR("}}"), mark);
		etc_text_put(out, etc_str_sub(page, at, end == SIZE_MAX ? page.len : mark));
		if (end == SIZE_MAX)
			return;
		name = etc_str_sub(page, mark + 2, end);
		at = end + 2;
		if (etc_str_eq(name, ETC_STR("title")))
			put_title(out, title);
		else if (etc_str_eq(name, ETC_STR("policy")))
			put_policy(out);
		else if (etc_str_eq(name, ETC_STR("style")))
			etc_text_put(out, text_of(&etc_page_css));
		else if (etc_str_eq(name, ETC_STR("script")))
			etc_text_put(out, text_of(&etc_page_js));
		else if (etc_str_eq(name, ETC_STR("data")))
			put_data(out, data);
	}
}
