/* xml.h -- text inside of XML, for reports in JUnit's form. */
#ifndef ETC_WRITE_XML_H
#define ETC_WRITE_XML_H

#include "base/text.h"

/* As an element's text; what does not print is escaped as for people, but the
 * end of a line. */
void etc_text_xml(struct etc_text *out, struct etc_str s);

/* ` name="s"`, of one line. */
void etc_text_xml_attribute(struct etc_text *out, const char *name, struct etc_str s);

#endif
