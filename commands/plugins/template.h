/* template.h -- the files of sdk/template/, embedded when etcore is built. They are projects of
 * plugins that are called acme and are for AcmeBackend. commands/plugins/new.c lists the
 * languages. */
#ifndef ETC_COMMANDS_PLUGINS_TEMPLATE_H
#define ETC_COMMANDS_PLUGINS_TEMPLATE_H

#include <stddef.h>

struct etc_template_file {
	const char *name; /* path below sdk/template, "FOLDER/FILE"; NULL: end of the list */
	const unsigned char *bytes;
	size_t size;
};

extern const struct etc_template_file etc_template_files[];

#endif
