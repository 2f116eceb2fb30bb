/* etdump_oracle.c -- see etdump_oracle.h */
#include "edge/etdump_oracle.h"

#include <stdlib.h>

enum { MOST_VISITS = 1 << 20, FIELDS_MAX = 8 };
enum table {
	NONE,
	DUMP,
	RUN,
	ALLOCATOR,
	EVENT,
	PROFILE,
	ALLOCATION,
	DEBUG,
	VALUE,
	TENSOR,
	LIST,
	INT,
	FLOAT,
	DOUBLE,
	BOOL,
	TABLES
};
enum kind { BYTE = 1, WORD, LONG, STRING, BYTES, LONGS, SUB, SUBS };

struct field {
	uint8_t kind, table;
};

/* The tables of ExecuTorch's etdump_schema_flatcc.fbs: their fields in the schema's order. */
static const struct field schema[TABLES][FIELDS_MAX] = {
	[DUMP] = { { WORD, NONE }, { SUBS, RUN } },
	[RUN] = { { STRING, NONE }, { WORD, NONE }, { SUBS, ALLOCATOR }, { SUBS, EVENT } },
	[ALLOCATOR] = { { STRING, NONE } },
	[EVENT] = { { SUB, PROFILE }, { SUB, ALLOCATION }, { SUB, DEBUG } },
	[PROFILE] = { { STRING, NONE },
	              { WORD, NONE },
	              { WORD, NONE },
	              { WORD, NONE },
	              { STRING, NONE },
	              { BYTES, NONE },
	              { LONG, NONE },
	              { LONG, NONE } },
	[ALLOCATION] = { { WORD, NONE }, { LONG, NONE } },
	[DEBUG] = { { LONG, NONE },
	            { WORD, NONE },
	            { SUB, VALUE },
	            { WORD, NONE },
	            { STRING, NONE },
	            { STRING, NONE } },
	[VALUE] = { { BYTE, NONE },
	            { SUB, TENSOR },
	            { SUB, LIST },
	            { SUB, INT },
	            { SUB, FLOAT },
	            { SUB, DOUBLE },
	            { SUB, BOOL },
	            { SUB, BOOL } },
	[TENSOR] = { { BYTE, NONE }, { LONGS, NONE }, { LONGS, NONE }, { LONG, NONE } },
	[LIST] = { { SUBS, TENSOR } },
	[INT] = { { LONG, NONE } },
	[FLOAT] = { { WORD, NONE } },
	[DOUBLE] = { { LONG, NONE } },
	[BOOL] = { { BYTE, NONE } },
};

/* The fields of Value in the schema of November 2023, which has no TensorList. */
static const struct field value_2023[FIELDS_MAX] = { { BYTE, NONE }, { SUB, TENSOR }, { SUB, INT },
	                                             { SUB, FLOAT }, { SUB, DOUBLE }, { SUB, BOOL },
	                                             { SUB, BOOL } };

static const uint8_t widths[] = { [BYTE] = 1,  [WORD] = 4,  [LONG] = 8, [STRING] = 4,
	                          [BYTES] = 4, [LONGS] = 4, [SUB] = 4,  [SUBS] = 4 };

static uint64_t load(const struct oracle *o, size_t at, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = width; i-- > 0;)
		v = v << 8 | o->ptr[at + i];
	return v;
}

static bool bad(struct oracle *o, size_t at, const char *why)
{
	if (o->verdict == ORACLE_WHOLE) {
		o->verdict = ORACLE_DAMAGED;
		o->why = why;
		o->at = at;
	}
	return false;
}

/* Checks that `len` bytes from `at` on are in the file, and records their role. Returns false, and
 * judges the file as damaged, if they are not. */
static bool take(struct oracle *o, uint64_t at, uint64_t len, enum oracle_role role)
{
	if (at > o->len || len > o->len - at)
		return bad(o, (size_t)at, "outside the file");
	for (uint64_t i = at; o->roles && i < at + len; i++)
		if (o->roles[i] == ORACLE_UNUSED || (role >= ORACLE_HEAD && role <= ORACLE_TAG))
			o->roles[i] = (uint8_t)role;
	return true;
}

static bool spend(struct oracle *o, uint64_t visits)
{
	if (visits > o->visits) {
		o->verdict = ORACLE_ENDLESS;
		return false;
	}
	o->visits -= visits;
	return true;
}

/* Returns the position of field `f` of the table at `t`, or 0 if the field is absent. The table
 * must have been checked. */
static size_t slot(const struct oracle *o, size_t t, unsigned f)
{
	int64_t vtable = (int64_t)t - (int32_t)load(o, t, 4);
	uint64_t size = vtable == (int64_t)t ? 4 : load(o, (size_t)vtable, 2), at;

	if (size < 6 + 2 * f)
		return 0;
	at = load(o, (size_t)vtable + 4 + 2 * f, 2);
	return at ? t + (size_t)at : 0;
}

static bool table_2023(const struct oracle *o, size_t t)
{
	/* the field for each tag in today's schema: none, int, bool, float, double */
	static const uint8_t fields[] = { 0, 3, 6, 4, 5 };
	size_t tag_at = slot(o, t, 0);
	uint64_t tag = tag_at ? load(o, tag_at, 1) : 0;

	return tag >= 1 && tag <= 4 && !slot(o, t, fields[tag]) && slot(o, t, fields[tag] - 1u);
}

static bool check_vtable(struct oracle *o, size_t t, const struct field *fields)
{
	int64_t vtable = (int64_t)t - (int32_t)load(o, t, 4);
	uint8_t taken[UINT16_MAX + 8];
	uint64_t size, bytes;

	if (vtable == (int64_t)t)
		return true;
	if (vtable < 0 || !take(o, (uint64_t)vtable, 4, ORACLE_VTABLE))
		return bad(o, t, "no vtable");
	size = load(o, (size_t)vtable, 2);
	bytes = load(o, (size_t)vtable + 2, 2);
	if (size < 4 || size % 2 || bytes < 4)
		return bad(o, (size_t)vtable, "impossible sizes");
	memset(taken, 0, bytes);
	if ((uint64_t)vtable + size > o->len || t + bytes > o->len)
		return bad(o, (size_t)vtable, "table or vtable outside the file");
	for (unsigned f = 0; f < FIELDS_MAX && fields[f].kind && size >= 6 + 2 * f; f++) {
		uint64_t at = load(o, (size_t)vtable + 4 + 2 * f, 2);

		take(o, (uint64_t)vtable + 4 + 2 * f, 2, ORACLE_VTABLE);
		if (at && (at < 4 || at + widths[fields[f].kind] > bytes))
			return bad(o, (size_t)vtable, "field outside its table");
		for (unsigned i = 0; at && i < widths[fields[f].kind]; i++)
			if (taken[at + i]++)
				return bad(o, (size_t)vtable, "two fields in one place");
	}
	return true;
}

static bool check_table(struct oracle *o, enum table type, uint64_t t);

/* Returns the position that the offset at `at` points to. Returns 0, and judges the file as
 * damaged, if the offset is 0 or points outside of the file. */
static uint64_t follow(struct oracle *o, size_t at)
{
	uint64_t to = at + load(o, at, 4);

	take(o, at, 4, ORACLE_OFFSET);
	if (to == at || !take(o, to, 4, ORACLE_OFFSET)) {
		bad(o, at, "offset to nowhere");
		return 0;
	}
	return to;
}

static bool check_vector(struct oracle *o, size_t at, unsigned width, enum oracle_role role,
                         enum table elements)
{
	uint64_t to = follow(o, at), count, end;

	if (!to)
		return false;
	count = load(o, (size_t)to, 4);
	end = width == 0; /* width 0: a string, which has a NUL after its bytes */
	take(o, to, 4, end ? ORACLE_LENGTH : ORACLE_COUNT);
	if (!take(o, to + 4, count * (width ? width : 1), role))
		return false;
	if (end && !take(o, to + 4 + count, 1, ORACLE_END))
		return false;
	if (!spend(o, elements ? count : count / 64))
		return false;
	for (uint64_t i = 0; elements && i < count; i++) {
		uint64_t t = follow(o, (size_t)(to + 4 + 4 * i));

		if (!t || !check_table(o, elements, t))
			return false;
	}
	return true;
}

static bool check_field(struct oracle *o, struct field f, size_t at, bool tag)
{
	uint64_t t;

	switch (f.kind) {
	case STRING:
		return check_vector(o, at, 0, ORACLE_TEXT, NONE);
	case BYTES:
		return check_vector(o, at, 1, ORACLE_TEXT, NONE);
	case LONGS:
		return check_vector(o, at, 8, ORACLE_NUMBER, NONE);
	case SUBS:
		return check_vector(o, at, 4, ORACLE_OFFSET, (enum table)f.table);
	case SUB:
		t = follow(o, at);
		return t && check_table(o, (enum table)f.table, t);
	default:
		return take(o, at, widths[f.kind], tag ? ORACLE_TAG : ORACLE_NUMBER);
	}
}

static bool check_table(struct oracle *o, enum table type, uint64_t t)
{
	const struct field *fields = schema[type];

	if (!spend(o, 1) || !take(o, t, 4, ORACLE_OFFSET) || !check_vtable(o, (size_t)t, fields))
		return false;
	if (type == VALUE && table_2023(o, (size_t)t)) {
		o->any_2023 = true;
		fields = value_2023;
	}
	for (unsigned f = 0; f < FIELDS_MAX && fields[f].kind; f++) {
		size_t at = slot(o, (size_t)t, f);

		if (at && !check_field(o, fields[f], at, type == VALUE && f == 0))
			return false;
	}
	return true;
}

/* Checks the first `len` bytes as a dump whose root offset is at `origin`, and sets the verdict. */
static void try_open(struct oracle *o, size_t origin, size_t len)
{
	uint64_t root;

	o->len = len;
	o->verdict = ORACLE_WHOLE;
	o->visits = MOST_VISITS;
	o->runs = o->events = 0;
	o->any_2023 = false;
	if (o->roles)
		memset(o->roles, ORACLE_UNUSED, len);
	take(o, 0, origin + 8, ORACLE_HEAD);
	root = o->verdict == ORACLE_WHOLE ? follow(o, origin) : 0;
	if (root && check_table(o, DUMP, root)) {
		size_t at = slot(o, (size_t)root, 1), version = slot(o, (size_t)root, 0);

		o->version = version ? (uint32_t)load(o, version, 4) : 0;
		o->run_list = at ? (size_t)follow(o, at) + 4 : 0;
		o->runs = at ? (size_t)load(o, o->run_list - 4, 4) : 0;
	}
}

void oracle_open(struct oracle *o, const uint8_t *ptr, size_t len, uint8_t *roles)
{
	uint64_t prefix;

	*o = (struct oracle){ .ptr = ptr, .len = len, .roles = roles };
	if (roles)
		memset(roles, ORACLE_UNUSED, len);
	if (len >= 12 && memcmp(ptr + 8, "ED00", 4) == 0) {
		if (len < 20) { /* no room for the smallest table (4 bytes) and vtable (4 bytes) */
			bad(o, 12, "nothing behind the identifier");
			return;
		}
		prefix = load(o, 0, 4);
		/* The size prefix counts if it is less than the size of the file, and the bytes
		 * that it covers form a valid dump. If the file has up to seven bytes less than the
		 * prefix says, it was truncated. */
		if (prefix < len - 4 && prefix >= 8) {
			try_open(o, 4, (size_t)prefix + 4);
			if (o->verdict == ORACLE_WHOLE)
				return;
		}
		try_open(o, 4, len);
		if (o->verdict == ORACLE_WHOLE && prefix > len - 4 && prefix - (len - 4) < 8)
			bad(o, 0, "cut");
	} else if (len >= 8 && memcmp(ptr + 4, "ED00", 4) == 0) {
		if (len < 16)
			bad(o, 8, "nothing behind the identifier");
		else
			try_open(o, 0, len);
	} else {
		o->verdict = ORACLE_FOREIGN;
	}
}

void oracle_release(struct oracle *o)
{
	free(o->tensors);
	o->tensors = NULL;
	o->room = 0;
}

/* ---- the content of a checked file ------------------------------------------------ */

static uint64_t number(const struct oracle *o, size_t t, unsigned f, unsigned width,
                       uint64_t absent)
{
	size_t at = slot(o, t, f);

	return at ? load(o, at, width) : absent;
}

static size_t target(const struct oracle *o, size_t t, unsigned f)
{
	size_t at = slot(o, t, f);

	return at ? at + (size_t)load(o, at, 4) : 0;
}

static struct etc_span span(const struct oracle *o, size_t t, unsigned f)
{
	size_t at = target(o, t, f);

	return at ? (struct etc_span){ o->ptr + at + 4, (size_t)load(o, at, 4) }
	          : (struct etc_span){ NULL, 0 };
}

static struct etc_str string(const struct oracle *o, size_t t, unsigned f)
{
	struct etc_span s = span(o, t, f);

	return (struct etc_str){ (const char *)s.ptr, s.len };
}

static size_t element(const struct oracle *o, size_t list, size_t i)
{
	return list + 4 * i + (size_t)load(o, list + 4 * i, 4);
}

struct oracle_run oracle_run(struct oracle *o, size_t run)
{
	size_t t = element(o, o->run_list, run), events = target(o, t, 3),
	       allocators = target(o, t, 2);

	o->event_list = events + 4;
	o->events = events ? (size_t)load(o, events, 4) : 0;
	return (struct oracle_run){
		.name = string(o, t, 0),
		.bundled_input_index = (int32_t)number(o, t, 1, 4, UINT32_MAX),
		.has_events = events != 0,
		.has_allocators = allocators != 0,
		.events = (uint32_t)o->events,
		.allocators = allocators ? (uint32_t)load(o, allocators, 4) : 0,
		.first_allocator = allocators + 4,
		.at = t,
	};
}

struct etc_str oracle_allocator(struct oracle *o, const struct oracle_run *run, uint32_t i)
{
	return string(o, element(o, run->first_allocator, i), 0);
}

static struct etc_raw_longs longs(const struct oracle *o, size_t t, unsigned f)
{
	size_t at = target(o, t, f);

	return at ? (struct etc_raw_longs){ o->ptr + at + 4, (uint32_t)load(o, at, 4), true }
	          : (struct etc_raw_longs){ NULL, 0, false };
}

static struct etc_raw_tensor tensor(const struct oracle *o, size_t t)
{
	if (!t)
		return (struct etc_raw_tensor){ .present = false };
	return (struct etc_raw_tensor){
		.present = true,
		.scalar_type = (int8_t)number(o, t, 0, 1, 0),
		.sizes = longs(o, t, 1),
		.strides = longs(o, t, 2),
		.offset = (int64_t)number(o, t, 3, 8, 0),
	};
}

static void tensor_list(struct oracle *o, size_t value, struct etc_raw_value *v)
{
	size_t list = target(o, value, 2), at = list ? target(o, list, 0) : 0;

	v->has_tensor_list = list != 0;
	v->has_tensors = at != 0;
	v->tensor_count = at ? (uint32_t)load(o, at, 4) : 0;
	if (v->tensor_count > o->room) {
		free(o->tensors);
		o->room = v->tensor_count;
		o->tensors = malloc(o->room * sizeof *o->tensors);
		if (!o->tensors)
			abort();
	}
	for (uint32_t i = 0; i < v->tensor_count; i++)
		o->tensors[i] = tensor(o, element(o, at + 4, i));
	v->tensors = o->tensors;
}

static struct etc_raw_value value(struct oracle *o, size_t t)
{
	struct etc_raw_value v = { .present = t != 0 };
	unsigned back;
	uint64_t bits;
	size_t x;

	if (!t)
		return v;
	v.val = (int8_t)number(o, t, 0, 1, 0);
	v.layout_2023 = table_2023(o, t);
	back = v.layout_2023;
	v.tensor = tensor(o, target(o, t, 1));
	if (!v.layout_2023)
		tensor_list(o, t, &v);
	x = target(o, t, 3 - back);
	v.has_int = x != 0;
	v.int_val = x ? (int64_t)number(o, x, 0, 8, 0) : 0;
	x = target(o, t, 4 - back);
	v.has_float = x != 0;
	bits = x ? number(o, x, 0, 4, 0) : 0;
	memcpy(&v.float_val, &bits, sizeof v.float_val);
	x = target(o, t, 5 - back);
	v.has_double = x != 0;
	bits = x ? number(o, x, 0, 8, 0) : 0;
	memcpy(&v.double_val, &bits, sizeof v.double_val);
	x = target(o, t, 6 - back);
	v.has_bool = x != 0;
	v.bool_val = x ? (uint8_t)number(o, x, 0, 1, 0) : 0;
	x = target(o, t, 7 - back);
	v.has_output = x != 0;
	v.output = x ? (uint8_t)number(o, x, 0, 1, 0) : 0;
	return v;
}

struct etc_raw_event oracle_event(struct oracle *o, size_t i)
{
	size_t t = element(o, o->event_list, i), p = target(o, t, 0), a = target(o, t, 1),
	       d = target(o, t, 2);
	struct etc_raw_event e = { .profile_event.present = p != 0,
		                   .allocation_event.present = a != 0,
		                   .debug_event.present = d != 0 };

	if (p)
		e.profile_event = (struct etc_raw_profile){
			.present = true,
			.name = string(o, p, 0),
			.chain_index = (int32_t)number(o, p, 1, 4, 0),
			.instruction_id = (int32_t)number(o, p, 2, 4, UINT32_MAX),
			.delegate_debug_id_int = (int32_t)number(o, p, 3, 4, UINT32_MAX),
			.delegate_debug_id_str = string(o, p, 4),
			.delegate_debug_metadata = span(o, p, 5),
			.start_time = number(o, p, 6, 8, 0),
			.end_time = number(o, p, 7, 8, 0),
		};
	if (a)
		e.allocation_event =
			(struct etc_raw_allocation){ true, (int32_t)number(o, a, 0, 4, 0),
			                             number(o, a, 1, 8, 0) };
	if (d)
		e.debug_event = (struct etc_raw_debug){
			.present = true,
			.chain_index = number(o, d, 0, 8, 0),
			.instruction_id = (int32_t)number(o, d, 1, 4, UINT32_MAX),
			.debug_entry = value(o, target(o, d, 2)),
			.delegate_debug_id_int = (int32_t)number(o, d, 3, 4, UINT32_MAX),
			.delegate_debug_id_str = string(o, d, 4),
			.name = string(o, d, 5),
		};
	return e;
}

/* ---- hash of the whole content (FNV-1a) -------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		h = (h ^ (v >> 8 * i & 0xff)) * 1099511628211u;
	return h;
}

static uint64_t mix_bytes(uint64_t h, const void *ptr, size_t len)
{
	const uint8_t *p = ptr;

	h = mix(h, ptr ? len + 1 : 0);
	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h;
}

static uint64_t mix_tensor(uint64_t h, const struct etc_raw_tensor *t)
{
	h = mix(mix(mix(h, t->present), (uint64_t)t->scalar_type), (uint64_t)t->offset);
	h = mix_bytes(h, t->sizes.present ? t->sizes.at : NULL, (size_t)t->sizes.count * 8);
	return mix_bytes(h, t->strides.present ? t->strides.at : NULL,
	                 (size_t)t->strides.count * 8);
}

static uint64_t mix_value(uint64_t h, const struct etc_raw_value *v)
{
	uint32_t single;
	uint64_t wide;

	memcpy(&single, &v->float_val, sizeof single);
	memcpy(&wide, &v->double_val, sizeof wide);
	h = mix(mix(mix(h, v->present), (uint64_t)v->val), v->layout_2023);
	h = mix_tensor(h, &v->tensor);
	h = mix(mix(mix(h, v->has_tensor_list), v->has_tensors), v->tensor_count);
	for (uint32_t i = 0; i < v->tensor_count; i++)
		h = mix_tensor(h, &v->tensors[i]);
	h = mix(mix(mix(mix(h, v->has_int), (uint64_t)v->int_val), v->has_float), single);
	h = mix(mix(mix(mix(h, v->has_double), wide), v->has_bool), v->bool_val);
	return mix(mix(h, v->has_output), v->output);
}

static uint64_t mix_event(uint64_t h, const struct etc_raw_event *e)
{
	const struct etc_raw_profile *p = &e->profile_event;
	const struct etc_raw_debug *d = &e->debug_event;

	h = mix_bytes(mix(h, p->present), p->name.ptr, p->name.len);
	h = mix(mix(h, (uint64_t)p->chain_index), (uint64_t)p->instruction_id);
	h = mix(h, (uint64_t)p->delegate_debug_id_int);
	h = mix_bytes(h, p->delegate_debug_id_str.ptr, p->delegate_debug_id_str.len);
	h = mix_bytes(h, p->delegate_debug_metadata.ptr, p->delegate_debug_metadata.len);
	h = mix(mix(h, p->start_time), p->end_time);
	h = mix(mix(h, e->allocation_event.present), (uint64_t)e->allocation_event.allocator_id);
	h = mix(h, e->allocation_event.allocation_size);
	h = mix(mix(mix(h, d->present), d->chain_index), (uint64_t)d->instruction_id);
	h = mix_value(mix(h, (uint64_t)d->delegate_debug_id_int), &d->debug_entry);
	h = mix_bytes(h, d->delegate_debug_id_str.ptr, d->delegate_debug_id_str.len);
	return mix_bytes(h, d->name.ptr, d->name.len);
}

uint64_t oracle_digest(struct oracle *o)
{
	uint64_t h = mix(mix(14695981039346656037u, o->version), o->runs);

	for (size_t r = 0; r < o->runs; r++) {
		struct oracle_run run = oracle_run(o, r);

		h = mix_bytes(h, run.name.ptr, run.name.len);
		h = mix(mix(h, (uint64_t)run.bundled_input_index), run.has_events);
		h = mix(mix(mix(h, run.has_allocators), run.allocators), run.events);
		for (uint32_t i = 0; i < run.allocators; i++) {
			struct etc_str s = oracle_allocator(o, &run, i);

			h = mix_bytes(h, s.ptr, s.len);
		}
		for (size_t i = 0; i < run.events; i++) {
			struct etc_raw_event e = oracle_event(o, i);

			h = mix_event(h, &e);
		}
	}
	return h;
}
