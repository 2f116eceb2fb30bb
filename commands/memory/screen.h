/* screen.h -- the data of `etcore memory` that the output formats show, and parts of the text
 * format.
 *
 * Sizes are in bytes. A step is an instruction of chain 0, so its number is the instruction_id of
 * an ETDump. A group is the set of tensors that share one storage (memory/lifetimes.h). */
#ifndef ETC_COMMANDS_MEMORY_SCREEN_H
#define ETC_COMMANDS_MEMORY_SCREEN_H

#include "base/text.h"
#include "commands/memory/allocated.h"
#include "tensor/program_sizes.h"
#include "memory/timeline.h"

struct etc_memory_method {
	const struct etc_program_method *method;
	struct etc_lifetimes lifetimes;
	struct etc_timeline timeline;
	/* per delegate of the method: the number of instructions that call it */
	const uint32_t *delegate_calls;
};

/* A set of runs: the runs of a method, or all runs that execute no method. */
struct etc_memory_place {
	struct etc_str method; /* empty: not known */
	bool execute, shown;
	uint64_t runs;
	/* the memory plan of the method; NULL: there is no program, or it does not have the
	 * method */
	const struct etc_memory_method *plan;
	/* peak of the sum of planned and allocated bytes; its step is -1 if there is none */
	struct etc_allocated_peak peak;
};

/* What an ETDump says about the allocations of its runs. */
struct etc_memory_runs {
	struct etc_str path;
	size_t run_count;
	/* the sets of runs; allocated.uses[i].place is an index in `places` */
	const struct etc_memory_place *places;
	uint32_t place_count;
	struct etc_allocated allocated;
};

struct etc_memory_plan {
	struct etc_str path;               /* path of the program */
	const struct etc_program *program; /* NULL: no program is known, only the runs of a dump */
	struct etc_program_sizes sizes;
	const struct etc_memory_method *methods;
	uint32_t method_count;
	const struct etc_memory_runs *runs; /* NULL: no dump was given */
	uint32_t top;                       /* number of groups in the picture; UINT32_MAX: all */
	/* maximum number of rows in the lists of blobs and of peaks; UINT32_MAX: all */
	uint32_t largest;
	uint32_t width; /* columns of the terminal; 0: no terminal */
	bool ascii;
};

/* screen_runs.c: writes the part of the screen about runs. */
void etc_view_memory_runs(const struct etc_memory_runs *runs, struct etc_text *out);

/* Writes the display name of a group of values with the same storage: "input 0", "aten::add.out",
 * or the name of a parameter. */
void etc_view_memory_name(const struct etc_program_method *m, const struct etc_lifetime *g,
                          struct etc_text *out);

/* Returns the display name of an instruction: "aten::add.out", "XnnpackBackend", "move". */
struct etc_str etc_view_memory_step(const struct etc_program_method *m, int32_t step);

#endif
