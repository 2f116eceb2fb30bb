/* sink_facts.c -- see sink.h: the sinks of convert_time, name_event, classify and
 * map_event. */
#include <string.h>

#include "host/sink_intake.h"

/* ---- convert_time --------------------------------------------------------- */

static etcore_result number(struct etc_number_intake *to, struct etc_converted v)
{
	if (to->in.fault[0])
		return ETCORE_FAILED;
	if (to->count == to->expected)
		return etc_intake_fault(&to->in, "more times than it was given",
		                        (struct etc_str){ 0 });
	to->out[to->count++] = v;
	return ETCORE_OK;
}

static etcore_result number_i64(void *handle, int64_t value)
{
	return number(handle, (struct etc_converted){ .is_integer = true, .i = value });
}

static etcore_result number_f64(void *handle, double value)
{
	return number(handle, (struct etc_converted){ .f = value });
}

struct etcore_number_sink etc_number_sink(struct etc_number_intake *to)
{
	return (struct etcore_number_sink){
		.size = sizeof(struct etcore_number_sink),
		.handle = to,
		.i64 = number_i64,
		.f64 = number_f64,
	};
}

/* ---- name_event, classify -------------------------------------------------- */

/* clang-format off */
#define TEXT(member) { offsetof(struct etc_facts, member), true, true }
static const struct { size_t at; bool known, text; } fields[] = {
	[ETCORE_NAME_DISPLAY] = TEXT(display),
	[ETCORE_NAME_OPERATOR] = TEXT(operator_name),
	[ETCORE_NAME_LAYOUT] = TEXT(layout),
	[ETCORE_NAME_TYPES] = TEXT(types),
	[ETCORE_NAME_ORDINAL] = { offsetof(struct etc_facts, ordinal), true, false },
	[ETCORE_NAME_KERNEL] = TEXT(kernel),
	[ETCORE_CLASS_CATEGORY] = TEXT(category),
	[ETCORE_CLASS_COMPUTE_UNIT] = TEXT(compute_unit),
	[ETCORE_CLASS_PRECISION] = TEXT(precision),
	[ETCORE_CLASS_KERNEL_LIBRARY] = TEXT(kernel_library),
	[ETCORE_CLASS_LIBRARY_RAN] = { offsetof(struct etc_facts, library_ran), true, false },
	[ETCORE_CLASS_LIBRARY_WHY] = TEXT(library_why),
	[ETCORE_CLASS_ISA] = TEXT(isa),
	[ETCORE_CLASS_CANONICAL] = TEXT(canonical),
	[ETCORE_CLASS_VARIANT] = TEXT(variant),
	[ETCORE_CLASS_MICROKERNEL] = TEXT(microkernel),
	[ETCORE_CLASS_IS_MATRIX] = { offsetof(struct etc_facts, is_matrix), true, false },
};
#undef TEXT
/* clang-format on */

/* Returns the member of struct etc_facts for `field`. NULL: the field has another type, belongs to
 * another hook, or is unknown. An unknown field may be from a later minor version of the ABI;
 * `*later` is then set to true. */
static inline void *member(struct etc_facts_intake *to, uint32_t field, bool text, bool *later)
{
	*later = field >= sizeof fields / sizeof fields[0] || !fields[field].known;
	if (*later || fields[field].text != text || field < to->first || field > to->last)
		return NULL;
	return (char *)to->out + fields[field].at;
}

etcore_result etc_facts_put(struct etc_facts_intake *to, uint32_t field, struct etcore_text value,
                            struct etc_str *kept)
{
	etcore_result r = etc_intake_admit(&to->in);
	struct etc_str *at;
	bool later;

	if (r != ETCORE_OK)
		return r;
	at = member(to, field, true, &later);
	if (later)
		return ETCORE_OK;
	if (!at)
		return etc_intake_fault(&to->in, "a text for a field of another hook or type",
		                        (struct etc_str){ 0 });
	if (value.len == 0 || (to->only_absent && at->len))
		return etc_intake_check(&to->in, value, (struct etc_str){ 0 });
	if (!kept)
		return etc_intake_keep(&to->in, value, at);
	if (kept->len == 0)
		r = etc_intake_keep(&to->in, value, kept);
	if (r == ETCORE_OK)
		*at = *kept;
	return r;
}

etcore_result etc_facts_put_number(struct etc_facts_intake *to, uint32_t field, int64_t value)
{
	etcore_result r = etc_intake_admit(&to->in);
	bool later;

	if (r != ETCORE_OK)
		return r;
	if (!member(to, field, false, &later))
		return later ? ETCORE_OK
		             : etc_intake_fault(&to->in,
		                                "a number for a field of another hook or type",
		                                (struct etc_str){ 0 });
	if (field == ETCORE_NAME_ORDINAL) {
		if (value < 1)
			return etc_intake_fault(&to->in, "an ordinal below 1",
			                        (struct etc_str){ 0 });
		to->out->ordinal = value;
	} else if (field == ETCORE_CLASS_LIBRARY_RAN) {
		if (value < ETCORE_RAN_UNKNOWN || value > ETCORE_RAN_YES)
			return etc_intake_fault(&to->in, "an unknown ETCORE_RAN_ code",
			                        (struct etc_str){ 0 });
		to->out->library_ran = (uint8_t)value;
	} else {
		to->out->is_matrix = value != 0;
	}
	return ETCORE_OK;
}

static etcore_result facts_put(void *handle, uint32_t field, struct etcore_text value)
{
	return etc_facts_put(handle, field, value, NULL);
}

static etcore_result facts_put_number(void *handle, uint32_t field, int64_t value)
{
	return etc_facts_put_number(handle, field, value);
}

struct etcore_text_sink etc_facts_sink(struct etc_facts_intake *to)
{
	return (struct etcore_text_sink){
		.size = sizeof(struct etcore_text_sink),
		.handle = to,
		.put = facts_put,
		.put_number = facts_put_number,
	};
}

/* ---- map_event -------------------------------------------------------------- */

static etcore_result map_key(void *handle, struct etcore_text key)
{
	struct etc_map_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	if (r == ETCORE_OK)
		r = etc_intake_check(&to->in, key, (struct etc_str){ 0 });
	return r == ETCORE_OK ? etc_intake_copy(&to->in, key, &to->key) : r;
}

static etcore_result map_debug_handle(void *handle, int64_t debug_handle)
{
	struct etc_map_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	if (r != ETCORE_OK)
		return r;
	if (!etc_intake_grow((void **)&to->handles, to->count, &to->room, sizeof *to->handles))
		return etc_intake_no_memory(&to->in);
	to->handles[to->count++] = debug_handle;
	return ETCORE_OK;
}

static etcore_result map_not_edge_handles(void *handle)
{
	struct etc_map_intake *to = handle;
	etcore_result r = etc_intake_admit(&to->in);

	if (r == ETCORE_OK)
		to->not_edge_handles = true;
	return r;
}

struct etcore_map_sink etc_map_sink(struct etc_map_intake *to)
{
	return (struct etcore_map_sink){
		.size = sizeof(struct etcore_map_sink),
		.handle = to,
		.key = map_key,
		.debug_handle = map_debug_handle,
		.not_edge_handles = map_not_edge_handles,
	};
}
