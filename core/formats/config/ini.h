/* ini.h -- the lines of an INI file, none of them cut or misread: what stands
 * between inih and those who take keys (conf.c, gate_rules.c). */
#ifndef ETC_READ_INI_H
#define ETC_READ_INI_H

#include "base/error.h"

/* Who takes what the file says, in its order. Whatever they refuse gets the
 * file's name and line. Texts are theirs for the call only. */
struct etc_ini_taker {
	void *arg;
	enum etc_status (*section)(void *arg, struct etc_str name, struct etc_error *err);
	/* `more`: a further, indented line of the value of the key before it. */
	enum etc_status (*key)(void *arg, struct etc_str section, struct etc_str key,
	                       struct etc_str value, uint32_t line, bool more,
	                       struct etc_error *err);
	enum etc_code no_section; /* of a key before any section */
};

/* Reads the file at `path`. E0510, E0511, E0517, E0520, E0901, E0902, and what the taker returns. */
enum etc_status etc_ini_read(const char *path, const struct etc_ini_taker *taker,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
