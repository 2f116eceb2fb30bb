/* xml.c -- see xml.h */
#include "table/xml.h"

/* Writes `s` with escapes. `kept` is an unprintable character that is not escaped; 0: there is
 * none. */
static void put(struct etc_text *out, struct etc_str s, int32_t kept)
{
	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		int32_t cp = etc_utf8_next(s, &at);

		if (cp == '<')
			etc_text_cstr(out, "&lt;");
		else if (cp == '>')
			etc_text_cstr(out, "&gt;");
		else if (cp == '&')
			etc_text_cstr(out, "&amp;");
		else if (cp == '"')
			etc_text_cstr(out, "&quot;");
		else if ((cp != kept || !kept) && (cp < 0 || !etc_utf8_printable(cp)))
			etc_text_clean(out, etc_str_sub(s, from, at), "");
		else
			etc_text_put(out, etc_str_sub(s, from, at));
	}
}

void etc_text_xml(struct etc_text *out, struct etc_str s)
{
	put(out, s, '\n');
}

void etc_text_xml_attribute(struct etc_text *out, const char *name, struct etc_str s)
{
	etc_text_printf(out, " %s=\"", name);
	put(out, s, 0);
	etc_text_char(out, '"');
}
