/* common.h -- the options that all commands have. Each command has a struct of its options, which
 * begins with these; the function that runs the command is in commands/NAME.
 *
 * A command computes its whole report before it outputs the first piece of text. So an error in an
 * input is found before a part of a report is printed. */
#ifndef ETC_CONTEXT_COMMON_H
#define ETC_CONTEXT_COMMON_H

#include "base/error.h"
#include "base/notes.h"
#include "base/text.h"
#include "context/options.h"

struct etc_trace; /* model/trace.h */

/* An input that the caller passes as bytes. Commands open it by its name, which they use like a
 * path. */
struct etc_given {
	const struct etc_given *next;
	const char *name;
	struct etc_span bytes; /* borrowed */
	/* true: a file called `name` also exists on disk, so the ETRecord and other files are
	 * searched next to it */
	bool on_disk;
	/* the trace of the dump, if another command has read the dump already, without a note;
	 * NULL: the command must read the dump */
	const struct etc_trace *trace;
};

/* Options of all commands: operands, configuration, plugins, how the result is shown. Each
 * command's struct of options begins with a member `common` of this type. All zero means the
 * defaults. */
struct etc_common_options {
	struct etc_opt_list operands;
	struct etc_opt_list plugins; /* --plugin NAME|PATH */
	struct etc_opt_list set;     /* --set SECTION.KEY=VALUE */
	const char *config;          /* -c INI, or NULL */
	/* the path of the etcore program, which is started for --isolate; NULL: the path is found
	 * (base/process.h) */
	const char *worker;
	const char *diagnostics; /* --diagnostics text|json; NULL: not given, which means text */
	const char *color;       /* --color auto|always|never; NULL: not given */
	const char *width_text;  /* --width COLUMNS of the terminal; NULL: not a terminal */
	uint32_t width;          /* the parsed `width_text`; 0: not a terminal */
	const char *jobs;        /* --jobs N, or NULL */
	bool no_plugins;
	bool isolate;     /* --isolate: plugins run in processes of their own */
	bool no_isolate;  /* --no-isolate: all plugins run in this process */
	bool strict;      /* --strict: a warning becomes an error */
	bool salvage;     /* --salvage: reads the complete runs of a truncated ETDump */
	bool no_color;    /* --no-color: the same as --color never */
	bool in_document; /* the answer becomes part of a document, so it has no colours */
	bool terminal;    /* stdout is a terminal, and no setting (NO_COLOR) forbids colours */
	bool ascii;       /* the terminal does not show UTF-8 */
	uint8_t verbose;
	const struct etc_given *given; /* inputs passed as bytes, a linked list; NULL: none */
};

/* Returns the i-th operand, or NULL. */
static inline const char *etc_operand(const struct etc_common_options *common, uint32_t i)
{
	return i < common->operands.count ? common->operands.v[i] : NULL;
}

/* Is called for each warning and note of a command, in order, when the command has computed its
 * result. */
typedef void etc_note_fn(void *arg, const struct etc_note *note);

/* Destinations of a result. */
struct etc_reply {
	struct etc_text *out;
	etc_note_fn *on_note; /* NULL: none */
	void *arg;
	/* receives the answer, if the command can keep it (etc_question.keeps); NULL: the answer is
	 * not kept */
	struct etc_kept **kept;
	bool unheard; /* the caller ignores the report, so no text is written to `out` */
};

#endif
