/* places.h -- finds the nodes of the exported graph that an event stands for.
 *
 * operators        the record's handles of their instruction
 * DELEGATE_CALL    the same: all nodes of its partition
 * delegate events  the handles that the plugin found, else those of the delegate map
 *   under the event's id, else the partition's
 *
 * Ids are compared exactly; the Inspector's substring rule is not used here. */
#ifndef ETC_JOIN_PLACES_H
#define ETC_JOIN_PLACES_H

#include "base/map.h"
#include "join/groups.h"
#include "join/method.h"
#include "join/site.h"
#include "model/place.h"

struct etc_places {
	struct etc_arena *arena;
	const struct etc_method_maps *maps;
	const struct etc_graph *graph;
	/* maps an instruction id, as text, to an index in maps->handles */
	struct etc_map handles;
	/* maps an instruction id, as text, to an index in maps->delegates */
	struct etc_map delegates;
	/* maps a debug handle, as its 8 bytes, to an index in `list` */
	struct etc_map nodes;
	struct etc_node_list *list; /* the nodes of each debug handle */
	uint32_t list_count;
	/* Places of the record's entries, made on demand. made[0]: exact places; made[1]: places of
	 * partitions. made[2] and made[3]: the same for events that convert types. The index in
	 * each of the four arrays is that of maps->handles. */
	struct etc_place **made[4];
	struct etc_group_names names;
	bool named; /* `names` are computed */
	bool bare;  /* only nodes are made, no modules and source lines: etc_all_places.bare */
	/* for each handle, by its index in `list`: the instruction that contains its nodes; made on
	 * demand by find_owners() in join/products.c */
	uint32_t *owner;
	struct etc_place nowhere;
	/* If a run may be of several methods (etc_method.alike; `maps` is then NULL): the places
	 * of each of these methods. An event gets the module and source line on which all of them
	 * agree, and no nodes. */
	struct etc_places **alike;
	uint32_t alike_count;
};

/* Prepares the maps of `p` for the places of one method; no places are made yet. `maps` and `graph`
 * may be NULL; all places are then unknown. Memory is the arena's. E0904. */
enum etc_status etc_places_init(struct etc_places *p, const struct etc_method_maps *maps,
                                const struct etc_graph *graph, struct etc_arena *arena,
                                struct etc_error *err) ETC_MUST_CHECK;

/* The places of each method of a record, made on demand. */
struct etc_all_places {
	const struct etc_record *record; /* NULL: there is no record */
	struct etc_arena *arena;
	struct etc_places **of; /* one for each method, and a last one for unknown methods */
	bool bare; /* only nodes are needed: `module` and `source` of places stay NULL */
};

/* Prepares `all`; no places are made yet. `record` may be NULL. E0904. */
enum etc_status etc_places_all(struct etc_all_places *all, const struct etc_record *record,
                               struct etc_arena *arena, struct etc_error *err) ETC_MUST_CHECK;
/* Sets `*places` to the places of `method`, which are made at the first request. E0904. */
enum etc_status etc_places_of(struct etc_all_places *all, const struct etc_method *method,
                              struct etc_places **places, struct etc_error *err) ETC_MUST_CHECK;

/* Returns the nodes of an event without a site, such as a logged value; NULL if out of memory.
 * `partition`: the event's instruction calls a delegate. */
const struct etc_place *etc_places_of_event(struct etc_places *p, const struct etc_event *e,
                                            bool partition);
/* Returns the record's handles for an event; NULL: the event has none. */
const struct etc_handles *etc_places_handles(const struct etc_places *p, const struct etc_event *e);

/* Fills sites->place. Call after etc_sites_own(). E0904. */
enum etc_status etc_sites_place(struct etc_sites *sites, struct etc_places *p,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Gives names to operators that are known only by number (`nameless`). Such an operator gets the
 * name of its nodes if all its nodes have one operator. Called after etc_sites_own(). E0904. */
enum etc_status etc_sites_name(struct etc_sites *sites, struct etc_places *p,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Is there a site whose operator is known only by number (`nameless`)? */
bool etc_sites_nameless(const struct etc_sites *sites);

#endif
