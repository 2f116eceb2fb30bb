/* etdump_walk.c -- see etdump_walk.h.
 *
 * Every offset is checked as when the file is read. The walk has its own limit for the number of
 * tables that it visits. A shared object is returned once for each offset that leads to it. */
#include "formats/etdump/etdump_walk.h"

#include "formats/etdump/etdump_reader.h"

enum { CHUNK = 256 };

struct etc_etdump_walk {
	const struct etc_trace *trace;
	struct etc_arena *arena;
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	struct etc_fb_vec events; /* events of the current run */
	/* the tensors of the value that is read, if it is a list of tensors */
	struct etc_raw_tensor *tensors;
	size_t room;
	bool nomem;
	struct etc_raw_event event;
};

static struct etc_fb_table sub(struct etc_etdump_walk *w, enum table_type type,
                               struct etc_fb_table t, unsigned field)
{
	return etc_fb_sub(&w->fb, &w->layouts[type], t, field);
}

static struct etc_raw_longs longs(struct etc_etdump_walk *w, struct etc_fb_table t, unsigned field)
{
	struct etc_fb_vec v = etc_fb_vector(&w->fb, t, field, sizeof(int64_t));

	etc_fb_spend(&w->fb, (v.count + 1) / 2);
	return (struct etc_raw_longs){ v.present ? w->fb.ptr + v.at : NULL, (uint32_t)v.count,
		                       v.present };
}

static struct etc_raw_tensor tensor(struct etc_etdump_walk *w, struct etc_fb_table t)
{
	return (struct etc_raw_tensor){
		.present = t.at != 0,
		.scalar_type = (int8_t)etc_fb_u8(&w->fb, t, TENSOR_SCALAR_TYPE, 0),
		.sizes = longs(w, t, TENSOR_SIZES),
		.strides = longs(w, t, TENSOR_STRIDES),
		.offset = (int64_t)etc_fb_u64(&w->fb, t, TENSOR_OFFSET, 0),
	};
}

static bool make_room(struct etc_etdump_walk *w, size_t count)
{
	size_t room = w->room ? w->room : 8;

	if (count <= w->room)
		return true;
	while (room < count)
		room *= 2;
	w->tensors = etc_new(w->arena, struct etc_raw_tensor, room);
	w->room = w->tensors ? room : 0;
	w->nomem |= !w->tensors;
	return w->tensors != NULL;
}

static void tensor_list(struct etc_etdump_walk *w, struct etc_fb_table value,
                        struct etc_raw_value *out)
{
	struct etc_fb_table list = sub(w, TABLE_TENSOR_LIST, value, VALUE_TENSOR_LIST);
	struct etc_fb_vec v = etc_fb_vector(&w->fb, list, TENSOR_LIST_TENSORS, 4);

	out->has_tensor_list = list.at != 0;
	out->has_tensors = v.present;
	etc_fb_spend(&w->fb, v.count);
	if (w->fb.fault || !make_room(w, v.count))
		return;
	for (size_t i = 0; i < v.count; i++)
		w->tensors[i] = tensor(w, etc_fb_element(&w->fb, &w->layouts[TABLE_TENSOR], v, i));
	out->tensors = w->tensors;
	out->tensor_count = (uint32_t)v.count;
}

/* Does the table have the layout of 2023, in which the fields after the tensor had lower numbers
 * because TensorList did not exist? Checks whether the member that the tag `val` names is at its
 * old field. */
static bool is_layout_2023(struct etc_fb_table t, int8_t val)
{
	static const uint8_t members[] = {
		[ETC_VALUE_INT] = VALUE_INT,
		[ETC_VALUE_BOOL] = VALUE_BOOL,
		[ETC_VALUE_FLOAT] = VALUE_FLOAT,
		[ETC_VALUE_DOUBLE] = VALUE_DOUBLE,
	};
	bool scalar = val >= ETC_VALUE_INT && val <= ETC_VALUE_DOUBLE;

	return scalar && !etc_fb_has(t, members[val]) && etc_fb_has(t, members[val] - 1u);
}

static void scalars(struct etc_etdump_walk *w, struct etc_fb_table t, struct etc_raw_value *out)
{
	const unsigned back = out->layout_2023;
	struct etc_fb *fb = &w->fb;
	struct etc_fb_table x;
	uint32_t single;
	uint64_t wide;

	x = sub(w, TABLE_INT, t, VALUE_INT - back);
	out->has_int = x.at != 0;
	out->int_val = (int64_t)etc_fb_u64(fb, x, SCALAR_VALUE, 0);
	x = sub(w, TABLE_FLOAT, t, VALUE_FLOAT - back);
	out->has_float = x.at != 0;
	single = etc_fb_u32(fb, x, SCALAR_VALUE, 0);
	memcpy(&out->float_val, &single, sizeof single);
	x = sub(w, TABLE_DOUBLE, t, VALUE_DOUBLE - back);
	out->has_double = x.at != 0;
	wide = etc_fb_u64(fb, x, SCALAR_VALUE, 0);
	memcpy(&out->double_val, &wide, sizeof wide);
	x = sub(w, TABLE_BOOL, t, VALUE_BOOL - back);
	out->has_bool = x.at != 0;
	out->bool_val = etc_fb_u8(fb, x, SCALAR_VALUE, 0);
	x = sub(w, TABLE_BOOL, t, VALUE_OUTPUT - back);
	out->has_output = x.at != 0;
	out->output = etc_fb_u8(fb, x, SCALAR_VALUE, 0);
}

static void read_value(struct etc_etdump_walk *w, struct etc_fb_table t, struct etc_raw_value *out)
{
	*out = (struct etc_raw_value){ .present = t.at != 0 };
	if (!t.at)
		return;
	out->val = (int8_t)etc_fb_u8(&w->fb, t, VALUE_TAG, ETC_VALUE_NULL);
	out->layout_2023 = is_layout_2023(t, out->val);
	out->tensor = tensor(w, sub(w, TABLE_TENSOR, t, VALUE_TENSOR));
	if (!out->layout_2023)
		tensor_list(w, t, out);
	scalars(w, t, out);
}

static void read_debug(struct etc_etdump_walk *w, struct etc_fb_table t, struct etc_raw_debug *out)
{
	struct etc_fb *fb = &w->fb;

	out->present = t.at != 0;
	if (!t.at)
		return;
	out->chain_index = etc_fb_u64(fb, t, DEBUG_CHAIN_INDEX, 0);
	out->instruction_id = etc_fb_i32(fb, t, DEBUG_INSTRUCTION_ID, -1);
	out->delegate_debug_id_int = etc_fb_i32(fb, t, DEBUG_DELEGATE_ID_INT, -1);
	out->delegate_debug_id_str = etc_fb_str(fb, t, DEBUG_DELEGATE_ID_STR);
	out->name = etc_fb_str(fb, t, DEBUG_NAME);
	read_value(w, sub(w, TABLE_VALUE, t, DEBUG_ENTRY), &out->debug_entry);
}

static void read_profile(struct etc_etdump_walk *w, struct etc_fb_table t,
                         struct etc_raw_profile *out)
{
	struct etc_fb *fb = &w->fb;

	*out = (struct etc_raw_profile){
		.present = t.at != 0,
		.name = etc_fb_str(fb, t, PROFILE_NAME),
		.chain_index = etc_fb_i32(fb, t, PROFILE_CHAIN_INDEX, 0),
		.instruction_id = etc_fb_i32(fb, t, PROFILE_INSTRUCTION_ID, -1),
		.delegate_debug_id_int = etc_fb_i32(fb, t, PROFILE_DELEGATE_ID_INT, -1),
		.delegate_debug_id_str = etc_fb_str(fb, t, PROFILE_DELEGATE_ID_STR),
		.delegate_debug_metadata = etc_fb_bytes(fb, t, PROFILE_METADATA),
		.start_time = etc_fb_u64(fb, t, PROFILE_START, 0),
		.end_time = etc_fb_u64(fb, t, PROFILE_END, 0),
	};
	etc_fb_spend(fb, out->delegate_debug_metadata.len / CHUNK);
}

size_t etc_etdump_walk_run(struct etc_etdump_walk *w, size_t run)
{
	struct etc_fb_table t =
		etc_fb_table_at(&w->fb, &w->layouts[TABLE_RUN], w->trace->runs[run].at);

	w->events = etc_fb_vector(&w->fb, t, RUN_EVENTS, 4);
	return w->events.count;
}

const struct etc_raw_event *etc_etdump_walk_event(struct etc_etdump_walk *w, size_t i)
{
	struct etc_raw_event *e = &w->event;
	struct etc_fb_table t = etc_fb_element(&w->fb, &w->layouts[TABLE_EVENT], w->events, i), a;

	e->allocation_event.present = e->debug_event.present = false;
	read_profile(w, sub(w, TABLE_PROFILE, t, EVENT_PROFILE), &e->profile_event);
	if (etc_fb_has(t, EVENT_ALLOCATION)) {
		a = sub(w, TABLE_ALLOCATION, t, EVENT_ALLOCATION);
		e->allocation_event = (struct etc_raw_allocation){
			a.at != 0,
			etc_fb_i32(&w->fb, a, ALLOCATION_ALLOCATOR_ID, 0),
			etc_fb_u64(&w->fb, a, ALLOCATION_SIZE, 0),
		};
	}
	if (etc_fb_has(t, EVENT_DEBUG))
		read_debug(w, sub(w, TABLE_DEBUG, t, EVENT_DEBUG), &e->debug_event);
	return e;
}

static enum etc_status check(struct etc_etdump_walk *w, struct etc_error *err)
{
	for (size_t r = 0; r < w->trace->run_count; r++) {
		size_t n = etc_etdump_walk_run(w, r);

		etc_fb_spend(&w->fb, n);
		for (size_t i = 0; i < n && !w->fb.fault && !w->nomem; i++)
			etc_etdump_walk_event(w, i);
		ETC_TRY(etc_context(err, etc_fb_check(&w->fb, err), "run %zu", r));
		if (w->nomem)
			return etc_no_memory(err);
	}
	return ETC_OK;
}

enum etc_status etc_etdump_walk_open(const struct etc_trace *trace, const struct etc_limits *limits,
                                     struct etc_arena *arena, struct etc_etdump_walk **out,
                                     struct etc_error *err)
{
	struct etc_etdump_walk *w = etc_new(arena, struct etc_etdump_walk, 1);
	size_t len = trace->used_bytes < UINT32_MAX ? trace->used_bytes : UINT32_MAX;
	size_t visits = etc_fb_visits(len, limits ? limits->max_visits : 0);

	*out = w;
	ETC_NEED(w, err);
	w->trace = trace;
	w->arena = arena;
	etc_fb_init(&w->fb, (struct etc_span){ trace->bytes, len }, visits);
	if (trace->salvage) {
		w->fb.known = trace->salvage->survey->known;
		w->fb.known_count = trace->salvage->survey->known_count;
	}
	for (size_t i = 0; i < TABLE_TYPES; i++)
		etc_fb_layouts_init(&w->layouts[i], &etc_etdump_types[i]);
	ETC_TRY(check(w, err));
	w->fb.visits = SIZE_MAX;
	return ETC_OK;
}
