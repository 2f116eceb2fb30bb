/* products.h -- finds which node of the record's graph each matrix product of a delegate is, if
 * neither a plugin nor the program identifies it.
 *
 * A backend that makes one event of each product logs them in the order of execution, and a node
 * runs after all nodes that it depends on. So a node may be event k (from 0) of n only if at most k
 * products must run before it and at most n - 1 - k after it. If the program has the products
 * without their handles, the node must also have as many weights as the program's product k. */
#ifndef ETC_JOIN_PRODUCTS_H
#define ETC_JOIN_PRODUCTS_H

#include "join/places.h"

/* Sets the places of those events of delegates that can stand for one node only. Events for which a
 * plugin found nodes keep their places. If the graph's tensors were not read, all events keep their
 * places. All events of a call keep their places in two cases: the call has not as many events as
 * nodes, or a plugin found nodes for the call that contradict the order. E0904. */
enum etc_status etc_products_place(struct etc_sites *sites, struct etc_places *p,
                                   struct etc_error *err) ETC_MUST_CHECK;

#endif
