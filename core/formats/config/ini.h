/* ini.h -- parses an INI file for conf.c and gate_rules.c; wraps the library inih, and refuses
 * lines that inih would truncate or misread. */
#ifndef ETC_FORMATS_CONFIG_INI_H
#define ETC_FORMATS_CONFIG_INI_H

#include "base/error.h"

/* Callbacks for sections and keys, in file order. An error that they return gets the file's name
 * and line. Texts are valid during the call only. */
struct etc_ini_taker {
	void *arg;
	enum etc_status (*section)(void *arg, struct etc_str name, struct etc_error *err);
	/* `more` is true for an indented line, which continues the value of the previous key. */
	enum etc_status (*key)(void *arg, struct etc_str section, struct etc_str key,
	                       struct etc_str value, uint32_t line, bool more,
	                       struct etc_error *err);
	enum etc_code no_section; /* error for a key before any section */
};

/* Reads the file at `path`. E0510, E0511, E0517, E0520, E0901, E0902, and errors of the
 * functions of `taker`. */
enum etc_status etc_ini_read(const char *path, const struct etc_ini_taker *taker,
                             struct etc_error *err) ETC_MUST_CHECK;

#endif
