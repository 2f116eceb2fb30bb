/* formats.h -- the formats of an answer, by name. */
#ifndef ETC_WRITE_FORMATS_H
#define ETC_WRITE_FORMATS_H

#include "base/error.h"
#include "base/text.h"
#include "table/report.h"

/* How the place looks that a text goes to. */
struct etc_screen {
	uint32_t width; /* columns; 0: not a terminal, any width */
	uint32_t top;   /* rows of a table; 0: all */
	bool color, ascii;
};

struct etc_format {
	const char *name;
	bool machine; /* one document for all files; else one screen each */
	bool hashes;  /* shows the hashes of the files */
	void (*write)(const struct etc_report *report, const struct etc_screen *screen,
	              struct etc_text *out);
};

/* The format called `name`, or NULL. */
const struct etc_format *etc_format_find(struct etc_str name);

/* "text, csv, …": for messages. */
const char *etc_format_names(void);

void etc_write_text(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out);
void etc_write_csv(const struct etc_report *report, const struct etc_screen *screen,
                   struct etc_text *out);
void etc_write_tsv(const struct etc_report *report, const struct etc_screen *screen,
                   struct etc_text *out);
void etc_write_markdown(const struct etc_report *report, const struct etc_screen *screen,
                        struct etc_text *out);
void etc_write_json(const struct etc_report *report, const struct etc_screen *screen,
                    struct etc_text *out);
void etc_write_ndjson(const struct etc_report *report, const struct etc_screen *screen,
                      struct etc_text *out);

/* A cell with all its digits; nothing for blank. Text as it is. */
void etc_write_plain(struct etc_text *out, const struct etc_cell *c);

#endif
