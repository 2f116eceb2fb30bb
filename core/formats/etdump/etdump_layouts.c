/* etdump_layouts.c -- see etdump_layouts.h. */
#include "formats/etdump/etdump_layouts.h"

/* A recipe lists the fields of a table in the order in which the runtime adds them; LAST ends it.
 * MAYBE: the field is omitted if it has its default value. */
enum { MAYBE = 0x80, LAST = 0x7f, STEPS = 6 };

struct recipe {
	uint8_t type; /* enum table_type */
	uint8_t steps[STEPS];
};

#define PROFILE_HEAD                                                             \
	MAYBE | PROFILE_START, MAYBE | PROFILE_END, MAYBE | PROFILE_CHAIN_INDEX, \
		PROFILE_INSTRUCTION_ID
#define DEBUG_HEAD MAYBE | DEBUG_CHAIN_INDEX, DEBUG_INSTRUCTION_ID

/* Instruction ids are not MAYBE: the runtime passes them as unsigned numbers, so they never have
 * the default -1. */
static const struct recipe recipes[] = {
	{ TABLE_RUN,
	  { RUN_NAME, MAYBE | RUN_BUNDLED_INPUT_INDEX, MAYBE | RUN_ALLOCATORS, MAYBE | RUN_EVENTS,
	    LAST } },
	{ TABLE_ALLOCATOR, { ALLOCATOR_NAME, LAST } },
	{ TABLE_EVENT, { EVENT_PROFILE, LAST } },
	{ TABLE_EVENT, { EVENT_ALLOCATION, LAST } },
	{ TABLE_EVENT, { EVENT_DEBUG, LAST } },
	{ TABLE_PROFILE, { PROFILE_HEAD, PROFILE_NAME, LAST } },
	{ TABLE_PROFILE, { PROFILE_HEAD, LAST } },
	{ TABLE_PROFILE, { PROFILE_HEAD, PROFILE_DELEGATE_ID_INT, PROFILE_METADATA } },
	{ TABLE_PROFILE, { PROFILE_HEAD, PROFILE_DELEGATE_ID_STR, PROFILE_METADATA } },
	{ TABLE_ALLOCATION, { MAYBE | ALLOCATION_SIZE, MAYBE | ALLOCATION_ALLOCATOR_ID, LAST } },
	{ TABLE_ALLOCATION, { MAYBE | ALLOCATION_ALLOCATOR_ID, MAYBE | ALLOCATION_SIZE, LAST } },
	{ TABLE_DEBUG, { DEBUG_HEAD, DEBUG_ENTRY, LAST } },
	{ TABLE_DEBUG, { DEBUG_HEAD, DEBUG_DELEGATE_ID_INT, DEBUG_ENTRY, LAST } },
	{ TABLE_DEBUG, { DEBUG_HEAD, DEBUG_DELEGATE_ID_STR, DEBUG_ENTRY, LAST } },
	{ TABLE_VALUE, { VALUE_TAG, VALUE_TENSOR, LAST } },
	{ TABLE_VALUE, { VALUE_TAG, VALUE_TENSOR, VALUE_OUTPUT, LAST } },
	{ TABLE_VALUE, { VALUE_TAG, VALUE_TENSOR_LIST, LAST } },
	{ TABLE_VALUE, { VALUE_TAG, VALUE_TENSOR_LIST, VALUE_OUTPUT, LAST } },
	{ TABLE_VALUE, { VALUE_TAG, VALUE_INT, LAST } },
	{ TABLE_VALUE, { VALUE_DOUBLE, VALUE_TAG, LAST } },
	{ TABLE_VALUE, { VALUE_BOOL, VALUE_TAG, LAST } },
	{ TABLE_TENSOR,
	  { MAYBE | TENSOR_SCALAR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, MAYBE | TENSOR_OFFSET,
	    LAST } },
	{ TABLE_TENSOR_LIST, { TENSOR_LIST_TENSORS, LAST } },
	{ TABLE_INT, { MAYBE | SCALAR_VALUE, LAST } },
	{ TABLE_DOUBLE, { MAYBE | SCALAR_VALUE, LAST } },
	{ TABLE_BOOL, { MAYBE | SCALAR_VALUE, LAST } },
};

#define NUMBER(absent)                       \
	{                                    \
		ETC_MEMBER_NUMBER, 0, absent \
	}
#define TEXT                          \
	{                             \
		ETC_MEMBER_TEXT, 0, 0 \
	}
#define LONGS                          \
	{                              \
		ETC_MEMBER_LONGS, 0, 0 \
	}
#define ONE(type)                         \
	{                                 \
		ETC_MEMBER_TABLE, type, 0 \
	}
#define MANY(type)                         \
	{                                  \
		ETC_MEMBER_TABLES, type, 0 \
	}

const struct etc_member etc_etdump_members[TABLE_TYPES][ETC_FB_FIELDS] = {
	[TABLE_ETDUMP] = { NUMBER(0), MANY(TABLE_RUN) },
	[TABLE_RUN] = { TEXT, NUMBER(-1), MANY(TABLE_ALLOCATOR), MANY(TABLE_EVENT) },
	[TABLE_ALLOCATOR] = { TEXT },
	[TABLE_EVENT] = { ONE(TABLE_PROFILE), ONE(TABLE_ALLOCATION), ONE(TABLE_DEBUG) },
	[TABLE_PROFILE] = { TEXT,
	                    NUMBER(0),
	                    NUMBER(-1),
	                    NUMBER(-1),
	                    TEXT,
	                    { ETC_MEMBER_BYTES, 0, 0 },
	                    NUMBER(0),
	                    NUMBER(0) },
	[TABLE_ALLOCATION] = { NUMBER(0), NUMBER(0) },
	[TABLE_DEBUG] = { NUMBER(0), NUMBER(-1), ONE(TABLE_VALUE), NUMBER(-1), TEXT, TEXT },
	[TABLE_VALUE] = { NUMBER(0), ONE(TABLE_TENSOR), ONE(TABLE_TENSOR_LIST), ONE(TABLE_INT),
	                  ONE(TABLE_FLOAT), ONE(TABLE_DOUBLE), ONE(TABLE_BOOL), ONE(TABLE_BOOL) },
	[TABLE_TENSOR] = { NUMBER(0), LONGS, LONGS, NUMBER(0) },
	[TABLE_TENSOR_LIST] = { MANY(TABLE_TENSOR) },
	[TABLE_INT] = { NUMBER(0) },
	[TABLE_FLOAT] = { NUMBER(0) },
	[TABLE_DOUBLE] = { NUMBER(0) },
	[TABLE_BOOL] = { NUMBER(0) },
};

/* Returns the layout of the tables that a recipe describes. Bit i of `choice` says whether its i-th
 * MAYBE field is present. */
static struct etc_runtime_layout make(const struct recipe *r, unsigned choice)
{
	const struct etc_fb_type *type = &etc_etdump_types[r->type];
	struct etc_runtime_layout l = { .align = 4, .vtable_bytes = 4 };
	unsigned end = 4; /* end of the last field; at first, of the offset to the vtable */
	uint64_t used = 0xf;

	for (unsigned i = 0; i < STEPS && r->steps[i] != LAST; i++) {
		unsigned field = r->steps[i] & ~(unsigned)MAYBE, width = type->width[field];
		bool there = true;

		if (r->steps[i] & MAYBE) {
			there = choice & 1;
			choice >>= 1;
		}
		if (!there)
			continue;
		/* Offsets are aligned relative to the first field, at byte 4. */
		end = 4 + ((end - 4 + width - 1) & ~(width - 1));
		l.layout.slot[field] = (uint16_t)end;
		used |= ((UINT64_C(1) << width) - 1) << end;
		end += width;
		l.align = width == 8 ? 8 : l.align;
		if (l.vtable_bytes < 6 + 2 * field)
			l.vtable_bytes = (uint16_t)(6 + 2 * field);
	}
	l.layout.bytes = (uint16_t)end;
	l.gaps = ~used & ((UINT64_C(1) << end) - 1);
	return l;
}

static bool same(const struct etc_runtime_layout *a, const struct etc_runtime_layout *b)
{
	return a->layout.bytes == b->layout.bytes &&
	       memcmp(a->layout.slot, b->layout.slot, sizeof a->layout.slot) == 0;
}

unsigned etc_runtime_layouts(enum table_type type,
                             struct etc_runtime_layout out[ETC_RUNTIME_LAYOUTS])
{
	unsigned count = 0;

	for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
		const struct recipe *r = &recipes[i];
		unsigned maybes = 0;

		if (r->type != (uint8_t)type)
			continue;
		for (unsigned s = 0; s < STEPS && r->steps[s] != LAST; s++)
			maybes += r->steps[s] >> 7;
		for (unsigned choice = 0; choice < 1u << maybes; choice++) {
			struct etc_runtime_layout l = make(r, choice);
			bool known = false;

			for (unsigned k = 0; k < count; k++)
				known = known || same(&l, &out[k]);
			if (!known && count < ETC_RUNTIME_LAYOUTS)
				out[count++] = l;
		}
	}
	return count;
}

size_t etc_runtime_vtable(const struct etc_runtime_layout *l, uint8_t out[4 + 2 * ETC_FB_FIELDS])
{
	memcpy(out, &l->vtable_bytes, 2);
	memcpy(out + 2, &l->layout.bytes, 2);
	memcpy(out + 4, l->layout.slot, l->vtable_bytes - 4u);
	return l->vtable_bytes;
}
