/* weights.c -- see together.h and weights.h. */
#include "together/weights.h"

#include <math.h>

#include "base/map.h"
#include "formats/container/zip.h"
#include "formats/pickle/torch_save.h"
#include "tensor/hash.h"

/* UNPACKED: largest size in bytes of a compressed entry after unpacking; an uncompressed entry is a
 * view and needs no memory. RANK: largest number of dimensions of a weight. ELEMENT: size in bytes
 * of the largest element. */
enum { UNPACKED = 1 << 24, RANK = 4, ELEMENT = 8 };

static const struct etc_str WEIGHTS = { "_state_dict", 11 };

/* The orders in which a program may store the dimensions of a weight. XNNPACK stores the channels
 * last. */
static const struct order {
	uint8_t rank, from[RANK];
} orders[] = {
	{ 0, { 0 } },          { 1, { 0 } },          { 2, { 0, 1 } },
	{ 2, { 1, 0 } },       { 3, { 0, 1, 2 } },    { 3, { 0, 2, 1 } },
	{ 4, { 0, 1, 2, 3 } }, { 4, { 0, 2, 3, 1 } }, { 4, { 1, 2, 3, 0 } },
};

/* Weights with the same name before the last dot. */
struct layer {
	struct etc_xxh64 hash; /* hash of all weights of the layer, without the layer's name */
	const uint8_t *first;  /* bytes of the first weight */
};

/* A position in a weight whose dimensions are in another order. */
struct walk {
	uint64_t index[RANK], at;
};

static void step(struct walk *w, const struct etc_ref_tensor *t, const struct order *order)
{
	for (uint32_t d = order->rank; d-- > 0;) {
		uint64_t stride = (uint64_t)t->strides[order->from[d]];

		w->at += stride;
		if (++w->index[d] < (uint64_t)t->sizes[order->from[d]])
			break;
		w->at -= stride * w->index[d];
		w->index[d] = 0;
	}
}

/* Do `bytes` begin with the weight's elements, in the given order of dimensions? Compares at most
 * `room` bytes. */
static bool is_in_order(uint64_t *work, const struct etc_ref_tensor *t, const struct order *order,
                        struct etc_span bytes, size_t room)
{
	const size_t size = t->dtype->bytes;
	struct walk w = { .at = 0 };

	for (uint64_t n = 0; n < t->count && (n + 1) * size <= room; n++) {
		++*work;
		if (memcmp(bytes.ptr + n * size, t->bytes.ptr + w.at * size, size) != 0)
			return false;
		step(&w, t, order);
	}
	return true;
}

/* Is the weight distinctive enough to search for? Weights of few bytes, or of one value, also occur
 * by chance. */
bool etc_weight_tells(const struct etc_ref_tensor *t, uint64_t *work)
{
	const size_t size = t->dtype->bytes;
	bool same = true;

	if (t->rank < 1 || t->rank > RANK || !size || size > ELEMENT || t->count < 4 ||
	    t->count * size < (uint64_t)2 * ELEMENT || !t->bytes.len)
		return false;
	for (size_t i = 0; i + size <= t->bytes.len && same && *work < ETC_WEIGHTS_WORK;
	     i += size, ++*work)
		same = memcmp(t->bytes.ptr + i, t->bytes.ptr, size) == 0;
	return !same;
}

bool etc_weight_is(const struct etc_ref_tensor *t, struct etc_span bytes, size_t room,
                   uint64_t *work)
{
	if (t->rank > RANK || !t->dtype->bytes || t->dtype->bytes > ELEMENT || !t->bytes.len ||
	    t->count > bytes.len / t->dtype->bytes)
		return false;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (orders[i].rank == t->rank && is_in_order(work, t, &orders[i], bytes, room))
			return true;
	return false;
}

float etc_weight_float(struct etc_span bytes, uint64_t i)
{
	float v;

	memcpy(&v, bytes.ptr + i * sizeof v, sizeof v);
	return v;
}

bool etc_weight_near(float a, float b, float tolerance)
{
	return fabsf(a - b) <= tolerance * fabsf(b);
}

static bool is_scaled(const struct etc_ref_tensor *t, const struct order *order, uint32_t dimension,
                      const float *factors, struct etc_span bytes, uint64_t *work)
{
	struct walk w = { .at = 0 };
	uint32_t d = 0;

	while (order->from[d] != dimension)
		d++;
	for (uint64_t n = 0; n < t->count; n++, ++*work) {
		if (!etc_weight_near(etc_weight_float(bytes, n),
		                     etc_weight_float(t->bytes, w.at) * factors[w.index[d]], 1e-4f))
			return false;
		step(&w, t, order);
	}
	return true;
}

bool etc_weight_is_scaled(const struct etc_ref_tensor *t, uint32_t dimension, const float *factors,
                          struct etc_span bytes, uint64_t *work)
{
	if (t->rank < 1 || t->rank > RANK || !etc_weight_is_float(t) ||
	    t->count > bytes.len / sizeof(float))
		return false;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (orders[i].rank == t->rank &&
		    is_scaled(t, &orders[i], dimension, factors, bytes, work))
			return true;
	return false;
}

bool etc_weight_is_float(const struct etc_ref_tensor *t)
{
	return etc_str_eq(t->dtype->name, ETC_STR("float32")) && t->bytes.len;
}

/* Does the record's entry contain the weights of a graph of the Edge dialect? Only these weights
 * are compared: in graphs of later stages, lowering has replaced the weights. */
static bool has_weights(struct etc_str entry)
{
	return etc_str_starts(entry, ETC_STR("edge_dialect_exported_program")) &&
	       (etc_str_ends(entry, WEIGHTS) || etc_str_ends(entry, ETC_STR("_constants")));
}

enum etc_status etc_weights_load(const struct etc_zip *zip, const struct etc_zip_entry *e,
                                 bool check, struct etc_arena *arena,
                                 const struct etc_ref_value **dict, struct etc_error *err)
{
	struct etc_pickle_fault fault;
	struct etc_error why = { .at = -1 };
	struct etc_zip_data data;
	enum etc_pickle_verdict verdict = ETC_PICKLE_CLOSED;

	*dict = NULL;
	if (e->method == 0 || e->size <= UNPACKED) {
		if (etc_zip_read(zip, e, check ? 0 : (size_t)e->size, arena, &data, &why) == ETC_OK)
			verdict = etc_torch_load(data.bytes, ETC_PICKLE_WEIGHT_VALUES, arena, dict,
			                         &fault);
		if (why.code == E0904 || verdict == ETC_PICKLE_MEMORY)
			return etc_no_memory(err);
	}
	if (verdict != ETC_PICKLE_READ || !etc_ref_is_dict(*dict))
		*dict = NULL;
	return ETC_OK;
}

/* Returns the name of the layer of a weight; empty: it has none. */
static struct etc_str layer_of(struct etc_str weight)
{
	size_t end = etc_str_find(weight, ETC_STR(".parametrizations."), 0);

	if (end != SIZE_MAX)
		return etc_str_sub(weight, 0, end);
	for (end = weight.len; end && weight.ptr[end - 1] != '.';)
		end--;
	return etc_str_sub(weight, 0, end ? end - 1 : 0);
}

static void hash_weight(struct layer *l, struct etc_str name, const struct etc_ref_tensor *t)
{
	const struct etc_span parts[] = {
		{ (const uint8_t *)name.ptr, name.len },
		{ (const uint8_t *)t->dtype->name.ptr, t->dtype->name.len },
		{ (const uint8_t *)t->sizes, t->rank * sizeof *t->sizes },
		{ (const uint8_t *)t->strides, t->rank * sizeof *t->strides },
		t->bytes,
	};

	if (!l->first) {
		etc_xxh64_begin(&l->hash);
		l->first = t->bytes.ptr;
	}
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		etc_xxh64_add(&l->hash, parts[i]);
}

/* Counts the layers whose weights equal those of another layer, but are stored separately. False:
 * out of memory. */
static bool find_twins(const struct etc_ref_value *dict, struct etc_arena *arena, uint32_t *twins)
{
	struct layer *layers = etc_new(arena, struct layer, dict->count / 2);
	struct etc_map names, hashes;

	etc_map_init(&names, arena);
	etc_map_init(&hashes, arena);
	for (uint32_t i = 0; layers && i + 1 < dict->count; i += 2) {
		const struct etc_ref_value *name = dict->items[i], *v = dict->items[i + 1];
		struct etc_str layer;
		size_t at;

		if (name->kind != ETC_REF_STRING || v->kind != ETC_REF_TENSOR ||
		    !v->tensor->bytes.len)
			continue;
		layer = layer_of(name->text);
		at = layer.len ? etc_map_add(&names, layer, names.count) : ETC_MAP_NONE;
		if (layer.len && at == ETC_MAP_NONE)
			return false;
		if (layer.len)
			hash_weight(&layers[at], etc_str_sub(name->text, layer.len, name->text.len),
			            v->tensor);
	}
	for (uint32_t i = 0; layers && i < names.count; i++) {
		const int64_t hash = (int64_t)etc_xxh64_end(&layers[i].hash);
		size_t at = etc_map_intern(&hashes, etc_map_number(&hash), i);

		if (at == ETC_MAP_NONE)
			return false;
		*twins += layers[at].first != layers[i].first;
	}
	return layers != NULL;
}

static enum etc_status read_entry(struct etc_weights *w, const struct etc_zip *zip,
                                  const struct etc_zip_entry *e, struct etc_arena *arena,
                                  struct etc_error *err)
{
	const struct etc_ref_value *dict;

	ETC_TRY(etc_weights_load(zip, e, true, arena, &dict, err));
	w->whole &= dict != NULL;
	if (dict)
		ETC_NEED(find_twins(dict, arena, &w->twins), err);
	return ETC_OK;
}

enum etc_status etc_weights_find(const struct etc_together_files *f, struct etc_arena *scratch,
                                 struct etc_weights *out, struct etc_error *err)
{
	struct etc_error why = { .at = -1 };
	struct etc_zip zip;
	enum etc_status st = etc_zip_open(f->record_bytes, scratch, &zip, &why);
	bool listed = false;

	*out = (struct etc_weights){ .whole = st == ETC_OK };
	if (st != ETC_OK)
		return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
	for (uint32_t i = 0; i < zip.count; i++) {
		if (!has_weights(zip.entries[i].name))
			continue;
		listed |= etc_str_ends(zip.entries[i].name, WEIGHTS);
		ETC_TRY(read_entry(out, &zip, &zip.entries[i], scratch, err));
	}
	out->whole &= listed;
	return ETC_OK;
}
