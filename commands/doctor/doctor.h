/* doctor.h -- `etcore doctor`: reports the kind of each file, whether it is complete, which files
 * belong together, and what is missing.
 *
 *   doctor.c  runs the steps in order
 *   read.c    reads and describes a file
 *   kind.c    finds the kind of a file
 *   pair.c    decides whether two files belong together
 *   causes.c  explains what is missing in a dump
 *   forms.c   writes the report as text and as JSON */
#ifndef ETC_COMMANDS_DOCTOR_DOCTOR_H
#define ETC_COMMANDS_DOCTOR_DOCTOR_H

#include "context/inputs.h"
#include "together/together.h"
#include "model/tensor_file.h"

enum etc_patient_kind {
	ETC_PATIENT_UNKNOWN,
	ETC_PATIENT_ETDUMP,
	ETC_PATIENT_LOG, /* the log of a bare-metal runner, in which a dump is printed */
	ETC_PATIENT_ETRECORD,
	ETC_PATIENT_PROGRAM,
	ETC_PATIENT_BUNDLED,
	ETC_PATIENT_TENSORS,
	ETC_PATIENT_BUFFER,
	/* The kinds from here on are not input files. */
	ETC_PATIENT_EMPTY,
	ETC_PATIENT_HTML,
	ETC_PATIENT_LFS,
	ETC_PATIENT_TEXT,
	ETC_PATIENT_COMPRESSED,
	ETC_PATIENT_CHROME,
	ETC_PATIENT_ARCHIVE,
	ETC_PATIENT_ANSWER, /* JSON that etcore wrote, including a stored baseline */
	ETC_PATIENT_KINDS
};

/* One examined file. */
struct etc_patient {
	const char *path;
	struct etc_span bytes;
	uint8_t kind; /* enum etc_patient_kind */
	/* opened: the file could be opened; found: the user did not give the file, it is next to
	 * an operand */
	bool opened, found;
	bool whole;          /* the whole file could be read */
	struct etc_str what; /* description of the file in one line */
	/* depending on `kind`, one of the next four members is set, or none: */
	const struct etc_trace *trace;
	const struct etc_record *record;
	const struct etc_program *program;
	const struct etc_tensor_file *tensors;
	struct etc_span program_bytes; /* bytes of the program's file; for a bundled program, of the
	                                * part that contains the program */
};

struct etc_patient_pair {
	const struct etc_patient *a, *b;
	uint8_t together; /* enum etc_together */
	struct etc_str evidence;
};

/* A finding: an error, a warning or a note. */
struct etc_symptom {
	enum etc_code code;
	struct etc_str file;
	int64_t at; /* byte offset in the file; -1: none */
	uint32_t line;
	struct etc_str text;
};

struct etc_diagnosis {
	struct etc_session *s;
	const struct etc_doctor_options *options;
	struct etc_patient *patients;
	uint32_t patient_count, patient_room;
	struct etc_patient_pair *pairs;
	uint32_t pair_count, pair_room;
	struct etc_symptom *symptoms;
	uint32_t symptom_count, symptom_room;
	uint32_t errors, warnings;
	bool explains; /* a requested format shows notes, too: explains() in doctor.c */
};

/* Adds a finding: the error `cause`, which is about the file `path`. */
enum etc_status etc_doctor_error(struct etc_diagnosis *d, const struct etc_error *cause,
                                 const char *path, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the code for an empty file. It depends on the file's name: either a runner did not write
 * its output, or the output of an exporter was truncated. */
enum etc_code etc_doctor_code_of_nothing(const char *path);

/* Finds the kind of a file from its bytes. Debug buffers are not recognised, since any bytes may be
 * a debug buffer. */
enum etc_patient_kind etc_patient_kind_of(struct etc_span bytes);
const char *etc_patient_kind_name(uint8_t kind);

/* For a file that is not an input (kind UNKNOWN, or a kind from EMPTY on): etc_patient_kind_words()
 * describes the kind in words; etc_patient_fail() stores an error with a hint, and returns the
 * status of that error. */
const char *etc_patient_kind_words(uint8_t kind);
enum etc_status etc_patient_fail(uint8_t kind, struct etc_span bytes, const char *path,
                                 struct etc_error *err);

/* Must be called after a reader rejected the file err->file with `status`. If the file is of
 * another kind, replaces the error by one about that kind, and returns its status. Otherwise
 * returns `status`. `given`: the files that are in memory. */
enum etc_status etc_patient_cause(enum etc_status status, const struct etc_given *given,
                                  struct etc_error *err);

/* Reads an open file according to its kind, and describes it. Faults of the file become findings,
 * not errors. E0904. */
enum etc_status etc_patient_read(struct etc_diagnosis *d, struct etc_patient *p,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Compares all pairs of files whose kinds can belong together. E0904. */
enum etc_status etc_doctor_pairs(struct etc_diagnosis *d, struct etc_error *err) ETC_MUST_CHECK;

/* Adds the pair of files `a` and `b`: whether they belong together (enum etc_together), and the
 * evidence for it. If they do not match, also adds a finding. E0904. */
enum etc_status etc_doctor_pair(struct etc_diagnosis *d, const struct etc_patient *a,
                                const struct etc_patient *b, uint8_t together, const char *evidence,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Makes a profile of the dump, together with the files that belong to it. Adds a finding for each
 * thing that is missing. E0904, and the errors of making a profile. */
enum etc_status etc_doctor_causes(struct etc_diagnosis *d, struct etc_patient *dump,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Writers of the formats. `what` is a struct etc_diagnosis. */
void etc_doctor_put_text(void *what, struct etc_text *out);
void etc_doctor_put_json(void *what, struct etc_text *out);
#define ETC_DOCTOR_FORMATS(X) \
	X("text", "txt", etc_doctor_put_text) X("json", NULL, etc_doctor_put_json)

struct etc_doctor_options {
	struct etc_common_options common; /* operands: files of any kind */
	struct etc_opt_list output;       /* values of -o (context/output.h explains them) */
	bool no_siblings;
};

/* Reports the kind of each file, whether it is complete, whether files belong together, and what is
 * missing. E0960: an error or a warning was found; reply->out has the report in any case. */
etc_session_fn etc_doctor ETC_MUST_CHECK;

#endif
