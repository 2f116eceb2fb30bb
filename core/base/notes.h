/* notes.h -- warnings and notes: problems that do not end the work.
 *
 * Every function that reads a file, calls plugins or combines inputs takes a struct etc_notes. For
 * each code and file, the first note is kept and the others are counted, so that a hostile file
 * cannot flood the terminal; the list has a limit, too. The program prints the notes, output
 * formats include them, and --strict turns warnings into errors. */
#ifndef ETC_BASE_NOTES_H
#define ETC_BASE_NOTES_H

#include "base/arena.h"
#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ETC_NOTES_MAX = 256 };

struct etc_note {
	struct etc_note *next;
	enum etc_code code;
	struct etc_str file; /* the input that the note is about, or empty */
	struct etc_str text; /* one printable line, numbers included */
	uint64_t count;      /* how many times the code was reported for this file */
};

struct etc_notes {
	struct etc_arena *arena;
	struct etc_str file; /* the current input, set by the caller before it reads that input */
	struct etc_note *first, **last;
	unsigned kinds;   /* number of notes in the list */
	uint64_t dropped; /* number of notes lost to ETC_NOTES_MAX or to lack of memory */
};

void etc_notes_init(struct etc_notes *notes, struct etc_arena *arena);

/* Adds a note about notes->file. If the file has a note with this code already, only counts the
 * note. Does nothing if `notes` is NULL. */
void etc_note(struct etc_notes *notes, enum etc_code code, const char *fmt, ...) ETC_PRINTF(3, 4);

/* Like etc_note(), but each different text is a separate note, even if the code is the same: for
 * codes that are reported per plugin or per method. */
void etc_note_each(struct etc_notes *notes, enum etc_code code, const char *fmt, ...)
	ETC_PRINTF(3, 4);

/* Copies a note from another list, including its file. If the note is in this list already, the
 * larger count is kept. */
void etc_note_again(struct etc_notes *notes, const struct etc_note *note);

/* Do the notes concern several files, so that each must name its file? */
bool etc_notes_several(const struct etc_notes *notes);

/* Returns the first warning (letter W), or NULL. With --strict, the command fails with the code of
 * that warning. */
const struct etc_note *etc_notes_warning(const struct etc_notes *notes);

#ifdef __cplusplus
}
#endif
#endif
