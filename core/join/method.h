/* method.h -- which method of the program, and of the record, a path ran.
 *
 * An ETDump does not name the method of a run, but it has the sequence of instructions, and a
 * program (.pte) has the instructions of each method. A path fits a method if it starts at the
 * method's first instruction and ends at its last one, if the kinds of its events and its kernels
 * match the instructions, and if each instruction is followed by the next one or by its jump
 * target. A path that stops before the last instruction fits, too, if another path reached the end
 * of that method. If several methods fit, their delegates' operators decide: those in the blobs of
 * the program must be those of the events (contents.h).
 *
 * Without a program, the maps of a record with several methods decide: which instructions are
 * delegate calls, and which exist at all. */
#ifndef ETC_JOIN_METHOD_H
#define ETC_JOIN_METHOD_H

#include "base/map.h"
#include "join/paths.h"
#include "model/program.h"
#include "model/record.h"

/* The method of a path. */
struct etc_method {
	struct etc_str name;                /* empty: unknown */
	const struct etc_method_maps *maps; /* the method's maps in the record; NULL: there are
	                                     * none, or they are unknown */
	/* maps an instruction, as text, to an index in maps->delegates */
	const struct etc_map *entries;
	/* The methods of the program that fit the path. There are several if they cannot be
	 * distinguished; then only facts on which all of them agree are used. */
	const struct etc_program_method *const *fits;
	uint32_t fit_count;
	/* several methods of the program, or of the record, fit; `fits` is empty if more than 64
	 * fit */
	bool ambiguous;
	/* if `ambiguous`: the record's maps of all methods that fit; empty if the record lacks the
	 * maps of one of these methods */
	const struct etc_method_maps **alike;
	uint32_t alike_count;
	/* no method of the program fits this path; so the program is not the one that ran, and is
	 * used for no path */
	bool unfit;
	/* number of delegate calls for which record and program name different backends */
	uint32_t disputed;
	int32_t disputed_first; /* instruction of the first disputed call */
};

struct etc_methods {
	const struct etc_method *of_path; /* one per path */
	uint32_t count;
	/* the method of event lists that have no path, such as the list of a load */
	struct etc_method other;
	uint32_t unfit; /* number of paths that fit no method of the program */
	bool several;   /* the program that ran, or the record, has several methods */
	/* some of the paths that fit no method have the instructions of one, but other operators in
	 * the delegates */
	bool operators;
};

/* Matches paths with the methods of `program` and `record`; both may be NULL. If several methods
 * fit a path, its runs are divided by their sets of delegate events, since the runs may be of
 * different methods. Memory is the arena's. E0904. */
enum etc_status etc_methods_find(struct etc_methods *methods, struct etc_paths *paths,
                                 const struct etc_trace *trace, const struct etc_program *program,
                                 const struct etc_record *record, struct etc_arena *arena,
                                 struct etc_error *err) ETC_MUST_CHECK;

/* Returns the method of an event list's path. */
static inline const struct etc_method *
etc_methods_of(const struct etc_methods *m, const struct etc_paths *paths, uint32_t template)
{
	uint32_t path = paths->path[template];

	return path < m->count ? &m->of_path[path] : &m->other;
}

/* Returns the delegate of an event's DELEGATE_CALL; fields that are unknown, or differ between the
 * methods that fit, are empty. */
struct etc_program_delegate etc_method_delegate(const struct etc_method *m,
                                                const struct etc_event *e);

/* Returns the operator that an event's OPERATOR_CALL runs, or NULL. */
const struct etc_operator *etc_method_operator(const struct etc_method *m,
                                               const struct etc_event *e);

/* Returns the record's entry for a DELEGATE_CALL; NULL: there is none. */
const struct etc_delegate_entry *etc_method_entry(const struct etc_method *m, int32_t instruction);

#endif
