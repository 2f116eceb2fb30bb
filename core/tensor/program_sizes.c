/* program_sizes.c -- see program_sizes.h */
#include "tensor/program_sizes.h"

#include "base/map.h"
#include "tensor/program_tensor.h"

struct counter {
	struct etc_arena *arena;
	/* data that were counted already: their positions in the file, or the names of external
	 * data */
	struct etc_map seen;
	bool failed;
};

/* Adds the position of data to the set `seen`, so that the data are counted only once. Returns true
 * if the position is new. False: the set has it already, or out of memory. */
static bool is_new(struct counter *c, struct etc_span place)
{
	const uint8_t **key = etc_new(c->arena, const uint8_t *, 1);
	size_t before = c->seen.count;

	if (!key) {
		c->failed = true;
		return false;
	}
	*key = place.ptr;
	c->failed |= etc_map_add(&c->seen, (struct etc_str){ (const char *)key, sizeof *key }, 0) ==
	             ETC_MAP_NONE;
	return c->seen.count > before;
}

static void add(struct counter *c, struct etc_span place, uint64_t *bytes, uint32_t *count)
{
	if (place.len == 0 || !is_new(c, place))
		return;
	*bytes += place.len;
	++*count;
}

static void count_tensor(struct counter *c, const struct etc_program *p, struct etc_span file,
                         const struct etc_evalue_tensor *t, struct etc_program_sizes *out)
{
	struct etc_tensor_data_place place;
	size_t before = c->seen.count;
	uint64_t bytes;

	if (t->external) {
		c->failed |= etc_map_add(&c->seen, t->name, 0) == ETC_MAP_NONE;
		if (c->seen.count == before || !etc_tensor_bytes(t, &bytes))
			return;
		out->external += bytes;
		out->external_count++;
	} else if (etc_tensor_data_place(p, file, t, &place)) {
		if (t->planned)
			add(c, place.bytes, &out->initial, &out->initial_count);
		else
			add(c, place.bytes, &out->constants, &out->constant_count);
	}
}

struct etc_span etc_named_data_bytes(const struct etc_program *p, struct etc_span file, uint32_t i)
{
	const struct etc_segment *s = &p->segments[p->named_data[i].segment];

	return s->size ? (struct etc_span){ file.ptr + p->segments_at + s->offset, (size_t)s->size }
	               : (struct etc_span){ 0 };
}

enum etc_status etc_program_sizes(const struct etc_program *p, struct etc_span file,
                                  struct etc_arena *arena, struct etc_program_sizes *out,
                                  struct etc_error *err)
{
	struct counter c = { .arena = arena };
	uint64_t known;

	*out = (struct etc_program_sizes){ .file = file.len };
	etc_map_init(&c.seen, arena);
	for (uint32_t i = 0; i < p->method_count; i++)
		for (uint32_t k = 0; k < p->methods[i].delegate_count; k++)
			add(&c, p->methods[i].delegates[k].processed, &out->delegates,
			    &out->delegate_count);
	for (uint32_t i = 0; i < p->named_count; i++) {
		struct etc_span data = etc_named_data_bytes(p, file, i);

		if (data.len)
			add(&c, data, &out->named, &out->named_count);
	}
	for (uint32_t i = 0; i < p->method_count; i++)
		for (uint32_t k = 0; k < p->methods[i].value_count; k++)
			if (p->methods[i].values[k].kind == ETC_EVALUE_TENSOR)
				count_tensor(&c, p, file, p->methods[i].values[k].tensor, out);
	known = out->constants + out->initial + out->delegates + out->named;
	out->rest = known < out->file ? out->file - known : 0;
	return c.failed ? etc_no_memory(err) : ETC_OK;
}
