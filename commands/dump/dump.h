/* dump.h -- `etcore dump`: its options, and the interface that each kind of file implements. */
#ifndef ETC_COMMANDS_DUMP_DUMP_H
#define ETC_COMMANDS_DUMP_DUMP_H

#include "context/session.h"
#include "model/program.h"
#include "profile/plan.h"
#include "table/emit.h"

struct etc_dump_options {
	struct etc_common_options common;
	const char *file;           /* "-": standard input */
	struct etc_opt_list output; /* values of -o (context/output.h explains them) */
	const char *graph;          /* --graph NAME; "": the edge program; NULL: not given */
	/* --times: the ETDump whose times colour a drawing; NULL: not given */
	const char *times;
	const char *program; /* -m: the program that ran, for --times; NULL: not given */
	/* --diff FILE: the program that the program `file` is compared with; NULL: not given */
	const char *diff;
};

/* Writes every field of the file, but only after the whole file was read without an error. Output
 * is written in pieces, so reply->out must have a sink. E0509: unknown kind of file. */
etc_session_fn etc_dump ETC_MUST_CHECK;

/* State of one `etcore dump`. */
struct etc_dump {
	const struct etc_dump_options *options;
	struct etc_session *session;
	const char *file;      /* the file as given, or the only dump in the given folder */
	struct etc_span bytes; /* contents of the file */
	const struct etc_dump_kind *kind;
	struct etc_plan plan; /* how the times for --times are computed */
	void *content;        /* result of the kind's read() */
};

/* A kind of file. read() does everything that can fail. After it, text() or json() is called once
 * for each -o. */
struct etc_dump_kind {
	enum etc_file_kind kind;
	const char *name; /* member of the JSON document: "etdump" */
	enum etc_status (*read)(struct etc_dump *d, struct etc_error *err);
	void (*text)(struct etc_dump *d, struct etc_text *out);
	/* writes the members of the content into an open JSON object */
	void (*json)(struct etc_dump *d, struct etc_emit *out);
};

extern const struct etc_dump_kind etc_dump_etdump, etc_dump_etrecord, etc_dump_program,
	etc_dump_bundled, etc_dump_tensors;

/* The formats of `dump`; dot and svg need --graph. */
/* clang-format off */
#define ETC_DUMP_FORMATS(X)                                                                        \
	ETC_TEXT_JSON_FORMATS(X) X("dot", "gv", put_dot) X("svg", NULL, put_svg)
/* clang-format on */

/* diff.c: runs `etcore dump A --diff B`, which compares two programs. */
enum etc_status etc_dump_programs(struct etc_session *s, const struct etc_dump_options *o,
                                  const struct etc_reply *reply,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* program.c: writes the members of a program into an open JSON object. The program begins at byte
 * `base` of `file`. */
void etc_dump_program_json(struct etc_emit *e, struct etc_span file, size_t base,
                           const struct etc_program *p);

#endif
