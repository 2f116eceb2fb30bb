/* own.h -- finds events with a unique signature without a hash table (nearly all are), and
 * defines the equality of signatures for signature.c. */
#ifndef ETC_INSPECTOR_OWN_H
#define ETC_INSPECTOR_OWN_H

#include "inspector/inspector.h"

/* Is the chain negative? -1 in a profile event and 2^64 - 1 in a debug event, where it is
 * unsigned, have the same bits. */
static inline bool etc_insp_has_negative_chain(const struct etc_event *e)
{
	return e->kind == ETC_EVENT_PROFILE && e->chain >> 63;
}

/* Equal InstructionEventSignatures; an empty text differs from an absent one. */
static inline bool etc_insp_same_site(const struct etc_event *a, const struct etc_event *b)
{
	return a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       a->chain == b->chain &&
	       etc_insp_has_negative_chain(a) == etc_insp_has_negative_chain(b) &&
	       a->has_delegate_name == b->has_delegate_name &&
	       (!a->has_delegate_name ||
	        etc_str_eq(etc_event_delegate_name(a), etc_event_delegate_name(b)));
}

static inline struct etc_str etc_insp_name_of(const struct etc_event *e)
{
	return e->has_name ? etc_event_name(e) : ETC_STR_NONE;
}

static inline struct etc_str etc_insp_delegate_name_of(const struct etc_event *e)
{
	return e->has_delegate_name ? etc_event_delegate_name(e) : ETC_STR_NONE;
}

/* Equal ProfileEventSignatures or DebugEventSignatures: name or "", id or None, text or
 * None if empty. */
static inline bool etc_insp_same_half(const struct etc_event *a, const struct etc_event *b)
{
	if (!a || !b)
		return a == b;
	return a->instruction_id == b->instruction_id && a->delegate_id == b->delegate_id &&
	       etc_str_eq(etc_insp_name_of(a), etc_insp_name_of(b)) &&
	       etc_str_eq(etc_insp_delegate_name_of(a), etc_insp_delegate_name_of(b));
}

/* Does each event of the template have a signature of its own? This is detected if nearly
 * all events of an instruction are adjacent and have names. `order` is the order of
 * events, in the arena; NULL: that of the list. Returns false if out of memory. */
bool etc_insp_look_for_own(const struct etc_template *template, struct etc_arena *arena,
                           struct etc_arena *scratch, bool *own, const uint32_t **order);

#endif
