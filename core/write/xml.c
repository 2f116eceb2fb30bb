/* xml.c -- see xml.h */
#include "write/xml.h"

void etc_text_xml(struct etc_text *out, struct etc_str s)
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
		else if (cp < 0x20 || cp == 0x7f || cp == 0xfffe || cp == 0xffff)
			etc_text_cstr(out, "\xef\xbf\xbd");
		else
			etc_text_put(out, etc_str_sub(s, from, at));
	}
}

void etc_text_xml_attribute(struct etc_text *out, const char *name, struct etc_str s)
{
	etc_text_printf(out, " %s=\"", name);
	etc_text_xml(out, s);
	etc_text_char(out, '"');
}
