/* run_sizes.h -- the sizes that tensors had in one run.
 *
 * A debug dump has the results of operators, the arguments of delegate calls and the results of the
 * program, each with its sizes. If a value of the program was logged with one size only, this is
 * its size. Sizes of other values, such as the program's inputs, follow from the record: in its
 * graph, two sizes with the same expression are equal. The program only has upper bounds of sizes;
 * they are used to check logged sizes. */
#ifndef ETC_WORK_RUN_SIZES_H
#define ETC_WORK_RUN_SIZES_H

#include "join/site.h"
#include "model/program.h"
#include "model/trace.h"
#include "formats/etrecord/graph_symbols.h"

struct etc_run_sizes {
	struct etc_arena *arena;
	const struct etc_program_method *m; /* NULL: no program, only `symbols` */
	/* for each value of the method, the sizes that it had in the run; NULL: unknown */
	const uint64_t **ran;
	/* for each value: was it logged with several sizes, or with impossible ones? */
	bool *differs;
	struct etc_symbols symbols;
};

/* Finds the sizes that tensors had in run `run`. `m` is the method that ran, of a program that was
 * read completely; NULL: the method is unknown. `nodes` is the result of etc_site_nodes_find();
 * NULL: no nodes are known. E0904. */
enum etc_status etc_run_sizes_read(struct etc_run_sizes *r, const struct etc_program_method *m,
                                   const struct etc_sites *sites,
                                   const struct etc_node *const *nodes,
                                   const struct etc_trace *trace, uint32_t run,
                                   struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;

#endif
