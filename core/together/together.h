/* together.h -- decides whether a dump, an ETRecord and a program belong together, and on what
 * evidence.
 *
 *   together.c          by their instructions; combines the results for the three pairs
 *   conflicts.c         by the facts that are compared by the functions of finder.h, and by join/contents.h
 *                       (numbers and order of operators in a delegate):
 *     dump.c              operators of the dump
 *     kernels.c           arguments of kernels
 *     layers.c            constants, convolutions and limits in a delegate
 *     delegate_weights.c  weights and scales in a delegate
 *     factors.c           numbers among the arguments of a delegate's nodes
 *     wires.c             sources of operands and of the method's outputs
 *   arguments.c         compares numbers and texts among the arguments of operators
 *   operands.c          compares the order of operands
 *   places.c            finds weights at their places, or at those of other weights
 *   weights.c           reads weights, and compares their values
 *   scales.c            compares scales and zero points of quantised values
 *
 * Dump, record and program do not refer to each other by name. Information that one file lacks is
 * no evidence; contradictory information about one instruction is evidence that the files do not
 * belong together. */
#ifndef ETC_TOGETHER_TOGETHER_H
#define ETC_TOGETHER_TOGETHER_H

#include "base/arena.h"
#include "base/error.h"
#include "model/program.h"
#include "model/record.h"
#include "model/trace.h"

enum etc_together {
	ETC_TOGETHER_UNKNOWN,
	ETC_TOGETHER_YES,
	ETC_TOGETHER_NO,
	ETC_TOGETHER_CONSISTENT /* no contradiction, but files of another export could agree as
	                         * well: a dump has neither shapes nor weights */
};

struct etc_together_files {
	/* the dump. Every pointer of this struct is NULL if there is no such file */
	const struct etc_trace *trace;
	const struct etc_record *record;
	struct etc_span record_bytes; /* the record's archive */
	const struct etc_program *program;
	struct etc_span program_bytes; /* bytes of the program's file, to read the values if
	                                * `program` was read without them */
	/* The program's file if weights are to be compared, else empty. If it is empty, no pair of
	 * files gets YES, with one exception: record and program may get it if the dump contradicts
	 * the program. */
	struct etc_span weights_in;
};

struct etc_relation {
	uint8_t together; /* enum etc_together */
	char text[400];   /* the evidence */
};

struct etc_relations {
	struct etc_relation dump_record, dump_program, record_program;
};

/* Finds the relation of each pair of files. If there is a program, its relations to the dump and
 * to the record also decide the relation of dump and record. Uses at most `budget` bytes. E0904. */
enum etc_status etc_relations_find(const struct etc_together_files *f, size_t budget,
                                   struct etc_relations *out, struct etc_error *err) ETC_MUST_CHECK;

/* For each pair of files, the first instruction about which they state conflicting facts, as text;
 * empty: no conflict. */
struct etc_conflicts {
	char dump_record[200], dump_program[200], record_program[200];
	/* the record has calls of delegates instead of the nodes inside the delegates, so these
	 * nodes cannot be compared */
	bool lowered;
	/* number of the record's weights; number of those that the program has at the same place */
	uint32_t weights, weights_found;
	/* number of parts of the program (constants, scales and others) that the record does not
	 * have, or that could not be compared with it */
	uint32_t uncompared;
	/* number of the program's kernel calls that the record does not list: those inside cond,
	 * map and while_loop, and copies to buffers */
	uint32_t unlisted;
};

struct etc_weights {
	/* number of layers all of whose weights equal those of another layer, so that the program
	 * does not show which of the two layers is at which place */
	uint32_t twins;
	bool whole; /* all weights of the record could be read */
};

/* Reads the record's weights. E0904. */
enum etc_status etc_weights_find(const struct etc_together_files *f, struct etc_arena *scratch,
                                 struct etc_weights *out, struct etc_error *err) ETC_MUST_CHECK;

enum etc_status etc_conflicts_find(const struct etc_together_files *f, struct etc_arena *scratch,
                                   struct etc_conflicts *out, struct etc_error *err) ETC_MUST_CHECK;

#endif
