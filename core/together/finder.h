/* finder.h -- finds facts in which a dump, a record and a program contradict each other.
 *
 * etc_conflicts_find() calls the functions etc_conflicts_in_*(), each of which compares one kind of
 * fact. Each function writes the first conflict that it finds to `out` of the finder, and counts
 * what it cannot compare in out->uncompared. The only error is E0904. */
#ifndef ETC_TOGETHER_FINDER_H
#define ETC_TOGETHER_FINDER_H

#include "together/graph_index.h"
#include "together/operands.h"
#include "together/together.h"
#include "formats/etrecord/graph_arguments.h"
#include "formats/program/delegate_graph.h"

struct etc_finder {
	const struct etc_together_files *f;
	struct etc_arena *arena;
	struct etc_conflicts *out;
	struct etc_graph_index *methods; /* for each method of the record, made on demand */
	struct etc_program whole;        /* the program with its values; without methods if it is
	                           * unreadable */
	bool valued;                     /* an attempt to read `whole` was made */
	/* total size of the node texts that etc_finder_arguments() has read so far, in bytes; it is
	 * limited */
	uint64_t read_arguments;
};

/* Sets `*x` to the index of the method's graph, which is made on demand. `*x` is NULL if the record
 * does not have the complete graph. False: out of memory. */
bool etc_finder_index(struct etc_finder *f, const struct etc_method_maps *maps,
                      struct etc_graph_index **x);

/* Reads x->flow, unless it was read before. x->flow has, for each node, the nodes that compute its
 * operands. x->flow.whole is false if these nodes are unknown. */
enum etc_status etc_finder_flow(struct etc_finder *f, struct etc_graph_index *x,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Reads the arguments of a node. `*read` is false if the node has no text, or if too many bytes
 * were read already (many nodes of a delegate may have the same handle). */
enum etc_status etc_finder_arguments(struct etc_finder *f, const struct etc_graph_call *call,
                                     struct etc_graph_arguments *args, bool *read,
                                     struct etc_error *err) ETC_MUST_CHECK;

/* Sets x->fours and x->eights, which tell how many bits the graph's weights have. Does nothing if
 * `other`, with which the graph is to be compared, has neither weights of 4 bits nor weights of 8
 * bits. */
enum etc_status etc_finder_bits(struct etc_finder *f, struct etc_graph_index *x,
                                const struct etc_contents *other,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Sets `*m` to the program's method with the name `method`, read with its values; NULL: the method
 * is unknown. */
enum etc_status etc_finder_values(struct etc_finder *f, struct etc_str method,
                                  const struct etc_program_method **m,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Reads the graph of the delegate that instruction `i` calls, if it was not read before. `*blob` is
 * NULL if the format of the blob is unknown. */
enum etc_status etc_finder_blob(struct etc_finder *f, struct etc_graph_index *x,
                                const struct etc_program_method *m, uint32_t i,
                                const struct etc_delegate_graph **blob,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Reads x->flow, and finds x->sources and x->wires, if this was not done before. `*found` is false
 * if the values of the method or the record's graph are unreadable. */
enum etc_status etc_finder_sources(struct etc_finder *f, struct etc_graph_index *x,
                                   struct etc_str method, bool *found,
                                   struct etc_error *err) ETC_MUST_CHECK;

/* Reads x->flow and opens x->places, if this was not done before. x->places is NULL if the graph or
 * the weights are unreadable. */
enum etc_status etc_finder_places(struct etc_finder *f, struct etc_graph_index *x,
                                  struct etc_error *err) ETC_MUST_CHECK;

/* Records a conflict between record and program. Its text is made from `format`. */
void etc_finder_conflict(struct etc_finder *f, const char *format, ...) ETC_PRINTF(2, 3);

/* Returns the bytes of the program's file. */
struct etc_span etc_finder_program(const struct etc_finder *f);

/* ---- dump.c ---- */

/* Compares the operators of the dump with the record and the program. */
enum etc_status etc_conflicts_in_dump(struct etc_finder *f, struct etc_error *err) ETC_MUST_CHECK;

/* ---- kernels.c ---- */

/* Compares the arguments of a kernel call with those of the record's nodes that have a debug handle
 * of the call: one of these nodes must match. */
enum etc_status etc_conflicts_in_arguments(struct etc_finder *f, struct etc_graph_index *x,
                                           const struct etc_handles *h, struct etc_str method,
                                           uint32_t instruction,
                                           struct etc_error *err) ETC_MUST_CHECK;

/* Compares the constants that a kernel takes as arguments with weights of the record, namely
 * those that the nodes with the instruction's debug handles take. `h` is NULL if the record does
 * not list the instruction. */
enum etc_status etc_conflicts_in_argument_places(struct etc_finder *f, struct etc_graph_index *x,
                                                 const struct etc_handles *h, struct etc_str method,
                                                 const struct etc_instruction *call,
                                                 uint32_t number,
                                                 struct etc_error *err) ETC_MUST_CHECK;

/* ---- a delegate ---- */

/* A delegate that is compared. */
struct etc_compared_delegate {
	/* the delegate's graph, read from its blob in the program */
	const struct etc_delegate_graph *blob;
	struct etc_graph_index *x;         /* the nodes of the method in the record */
	const struct etc_handles *handles; /* the debug handles that the record lists for
	                                        * `instruction` */
	struct etc_str method;
	uint32_t instruction; /* index of the DELEGATE_CALL in chain 0 */
};

/* A function that compares one kind of fact about a delegate. */
typedef enum etc_status etc_delegate_search(struct etc_finder *f,
                                            const struct etc_compared_delegate *d,
                                            struct etc_error *err);

/* layers.c: these functions compare, in this order: the debug handle and kind of each node; the
 * numbers of elements of constants; the parameters of layers, such as bias and stride; and the
 * ranges [low, high] to which nodes limit values. */
etc_delegate_search etc_conflicts_in_nodes, etc_conflicts_in_constants, etc_conflicts_in_layers,
	etc_conflicts_in_limits;

/* delegate_weights.c: compares the constants of the nodes with the weights that the record has at
 * the nodes' debug handles. */
etc_delegate_search etc_conflicts_in_places;

/* delegate_weights.c: compares products without a debug handle. If XNNPACK's exporter made such a
 * product of quantised weights or of a normalisation, its weights show which product of the record
 * it is. It is a conflict if this product is in another delegate of the record, or if the program
 * runs it before a product that it depends on in the record, as in a net whose layers are
 * exchanged. */
etc_delegate_search etc_conflicts_in_products;

/* delegate_weights.c: compares scales and zero points. factors.c: compares numbers among the
 * arguments of the nodes. */
etc_delegate_search etc_conflicts_in_scales, etc_conflicts_in_factors;

/* wires.c: compares from which nodes the operands of the delegate's nodes come. An operand that may
 * come from another node than in the record, as in an exchanged subtraction, is no conflict, but
 * counts as not compared. */
etc_delegate_search etc_conflicts_in_wires;

/* wires.c: checks for each output of the method whether it comes from the same node in the
 * program as in the record. */
enum etc_status etc_conflicts_in_outputs(struct etc_finder *f, struct etc_graph_index *x,
                                         struct etc_str method,
                                         struct etc_error *err) ETC_MUST_CHECK;

/* inputs.c: compares the sizes of the method's inputs in the program with those in the record. */
enum etc_status etc_conflicts_in_inputs(struct etc_finder *f, struct etc_graph_index *x,
                                        struct etc_str method,
                                        struct etc_error *err) ETC_MUST_CHECK;

/* wires.c: makes the element of etc_graph_index.wires for one delegate, which has the source of
 * each value of the delegate. NULL: out of memory. */
struct etc_wires *etc_wires_new(struct etc_graph_index *x, const struct etc_delegate_graph *blob,
                                uint32_t instruction, struct etc_numbers args,
                                struct etc_arena *arena);

/* wires.c: compares two sources: where `value`, a value of the record's graph, comes from, and `s`,
 * where a value of the program comes from. `index` is the struct etc_graph_index of the record's
 * graph; its members `flow` and `wires` must be set. */
enum etc_sources etc_sources_compare(void *index, uint32_t value, const struct etc_source *s);

/* Do two convolutions differ in a parameter that is known of both? */
bool etc_convolutions_differ(const struct etc_convolution *a, const struct etc_convolution *b);

/* Adds the weights of all nodes with these handles to the current place of x->places. */
void etc_add_all_places(struct etc_graph_index *x, const struct etc_handles *h);

#endif
