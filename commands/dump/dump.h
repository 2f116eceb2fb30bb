/* dump.h -- `etcore dump`, shared by its kinds of file. */
#ifndef ETC_API_DUMP_H
#define ETC_API_DUMP_H

#include "context/session.h"
#include "model/program.h"
#include "table/emit.h"

struct etc_dump_options {
	struct etc_common_options common;
	const char *file;           /* "-": standard input */
	struct etc_opt_list output; /* -o, as in output.h */
	const char *graph;          /* --graph NAME; "": the default one; NULL: not given */
	const char *diff;           /* --diff FILE: both are programs; NULL: not given */
};

/* Every field of the file. Only when all of it is known to be readable does
 * anything go to `out`, piece by piece: give it a sink. E0509 no such kind. */
enum etc_status etc_dump(const struct etc_dump_options *options, const struct etc_reply *reply,
                         struct etc_error *err) ETC_MUST_CHECK;

/* One dump under way. */
struct etc_dump {
	const struct etc_dump_options *options;
	struct etc_session *session;
	const char *file;      /* as given, or the only dump of a folder that was */
	struct etc_span bytes; /* of the file */
	const struct etc_dump_kind *kind;
	void *content; /* what the kind's read() made of it */
};

/* A kind of file: read() does all that can fail, then the content is written
 * once per -o, in whatever form, piece by piece. */
struct etc_dump_kind {
	enum etc_file_kind kind;
	const char *name; /* member of the JSON document: "etdump" */
	enum etc_status (*read)(struct etc_dump *d, struct etc_error *err);
	void (*text)(struct etc_dump *d, struct etc_text *out);
	void (*json)(struct etc_dump *d, struct etc_emit *out); /* members of an open object */
};

extern const struct etc_dump_kind etc_dump_etdump, etc_dump_etrecord, etc_dump_program,
	etc_dump_bundled, etc_dump_tensors;

/* diff.c: two programs side by side. */
enum etc_status etc_dump_programs(struct etc_session *s, const struct etc_dump_options *o,
                                  const struct etc_reply *reply,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* program.c: the members of a program that lies at byte `base` of `file`. */
void etc_dump_program_json(struct etc_emit *e, struct etc_span file, size_t base,
                           const struct etc_program *p);

#endif
