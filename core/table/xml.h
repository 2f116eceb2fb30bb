/* xml.h -- writes text in XML, for reports as JUnit XML. */
#ifndef ETC_TABLE_XML_H
#define ETC_TABLE_XML_H

#include "base/text.h"

/* Writes the text of an element. Mark-up and unprintable characters except line ends are
 * escaped. */
void etc_text_xml(struct etc_text *out, struct etc_str s);

/* Writes an attribute, ` name="s"`, on one line. */
void etc_text_xml_attribute(struct etc_text *out, const char *name, struct etc_str s);

#endif
