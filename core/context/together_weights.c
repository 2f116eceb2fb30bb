/* together_weights.c -- see together.h: searches the bytes of the record's weights in the program.
 *
 * Exporters write weights into a program as they are, or with the dimensions in another order;
 * weights that they round, or fuse with a batch normalisation, are not found. */
#include "context/together_weights.h"

#include <math.h>

#include "base/grow.h"
#include "base/map.h"
#include "formats/container/zip.h"
#include "formats/pickle/torch_save.h"
#include "tensor/hash.h"

/* Limits. WORK: number of elements and candidates that a search may visit. UNPACKED: number of
 * bytes to which a compressed entry may unpack; an uncompressed entry is a view and needs no
 * memory. */
enum { WORK = ETC_WEIGHTS_WORK, UNPACKED = 1 << 24, RANK = 4, PREFIX = 8, STEP = 4 };

static const struct etc_str WEIGHTS = { "_state_dict", 11 };

/* The orders in which a program may store the dimensions of a weight. XNNPACK stores the channels
 * last. */
static const struct order {
	uint8_t rank, from[RANK];
} orders[] = {
	{ 1, { 0 } },       { 2, { 0, 1 } },       { 2, { 1, 0 } },       { 3, { 0, 1, 2 } },
	{ 3, { 0, 2, 1 } }, { 4, { 0, 1, 2, 3 } }, { 4, { 0, 2, 3, 1 } }, { 4, { 1, 2, 3, 0 } },
};

struct weight {
	const struct etc_ref_tensor *t; /* a vector if it has one dimension, else a weight */
	bool found;
};

/* One weight, as an index in `weights`, whose elements are in one order. Candidates that begin with
 * the same PREFIX bytes form a list; `next` is the next one in it. */
struct candidate {
	uint32_t weight, next;
	const struct order *order;
	uint8_t prefix[PREFIX];
};

struct search {
	struct etc_arena *arena;
	struct etc_grow weights, candidates;
	struct etc_map prefixes; /* PREFIX bytes -> first candidate */
	uint64_t filter[1024];   /* a set of hashes of all prefixes, one bit for each */
	uint64_t work;
	bool whole;     /* all weights of the record are in the archive, and could be read */
	bool listed;    /* the record has an entry of weights */
	bool vectors;   /* there are tensors of one dimension */
	bool narrow;    /* there are weights with one byte per element, so the model is quantised */
	bool norms;     /* there are statistics of a batch normalisation */
	uint32_t twins; /* number of layers whose weights equal those of an earlier layer */
};

/* Weights with the same name before the last dot. */
struct layer {
	struct etc_xxh64 hash; /* of all weights of the layer, without the layer's name */
	const uint8_t *first;  /* bytes of the first weight */
};

static struct weight *weight_at(const struct search *s, uint32_t i)
{
	return (struct weight *)s->weights.items + i;
}

static struct candidate *candidate_at(const struct search *s, uint32_t i)
{
	return (struct candidate *)s->candidates.items + i;
}

static uint32_t bit_of(const uint8_t *prefix)
{
	uint64_t v;

	memcpy(&v, prefix, sizeof v);
	return (uint32_t)((v * 0x9e3779b97f4a7c15u) >> 48);
}

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

/* Copies at most `room` bytes of the weight's elements to `to`, in the given order. With `compare`,
 * compares them with the bytes at `to` instead. False: they differ. */
static bool walk(uint64_t *work, const struct etc_ref_tensor *t, const struct order *order,
                 uint8_t *to, size_t room, bool compare)
{
	size_t bytes = t->dtype->bytes;
	struct walk w = { .at = 0 };

	for (uint64_t n = 0; n < t->count && (n + 1) * bytes <= room; n++) {
		const uint8_t *from = t->bytes.ptr + w.at * bytes;

		++*work;
		if (compare && memcmp(to + n * bytes, from, bytes) != 0)
			return false;
		if (!compare)
			memcpy(to + n * bytes, from, bytes);
		step(&w, t, order);
	}
	return true;
}

/* Is the weight distinctive enough to search for? Weights of few bytes, or of one value, also occur
 * by chance. */
bool etc_weight_tells(const struct etc_ref_tensor *t, uint64_t *work)
{
	uint8_t first[PREFIX];
	bool same = true;

	if (t->rank < 1 || t->rank > RANK || !t->dtype->bytes || t->dtype->bytes > PREFIX ||
	    t->count < 4 || t->count * t->dtype->bytes < (uint64_t)2 * PREFIX || !t->bytes.len)
		return false;
	memcpy(first, t->bytes.ptr, t->dtype->bytes);
	for (size_t i = 0; i + t->dtype->bytes <= t->bytes.len && same && *work < WORK;
	     i += t->dtype->bytes, ++*work)
		same = memcmp(t->bytes.ptr + i, first, t->dtype->bytes) == 0;
	return !same;
}

bool etc_weight_is(const struct etc_ref_tensor *t, struct etc_span bytes, size_t room,
                   uint64_t *work)
{
	if (t->rank < 1 || t->rank > RANK || !t->dtype->bytes || t->dtype->bytes > PREFIX ||
	    !t->bytes.len || t->count > bytes.len / t->dtype->bytes)
		return false;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (orders[i].rank == t->rank &&
		    walk(work, t, &orders[i], (uint8_t *)(uintptr_t)bytes.ptr, room, true))
			return true;
	return false;
}

static float float_at(struct etc_span bytes, uint64_t i)
{
	float v;

	memcpy(&v, bytes.ptr + i * sizeof v, sizeof v);
	return v;
}

/* Are the numbers equal but for rounding? */
static bool are_near(float a, float b)
{
	return fabsf(a - b) <= 1e-4f * fabsf(b);
}

static bool is_scaled(const struct etc_ref_tensor *t, const struct order *order, uint32_t dimension,
                      const float *factors, struct etc_span bytes, uint64_t *work)
{
	struct walk w = { .at = 0 };
	uint32_t d = 0;

	while (order->from[d] != dimension)
		d++;
	for (uint64_t n = 0; n < t->count; n++, ++*work) {
		if (!are_near(float_at(bytes, n), float_at(t->bytes, w.at) * factors[w.index[d]]))
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

/* Adds a weight and its candidates, if it is distinctive enough. False: out of memory. */
static bool add_weight(struct search *s, const struct etc_ref_tensor *t)
{
	struct weight *w;
	uint32_t number = s->weights.count;

	s->vectors |= t->rank == 1;
	s->narrow |= t->rank > 1 && t->dtype->bytes == 1;
	s->whole &= t->rank <= RANK && t->dtype->bytes <= PREFIX;
	if (!etc_weight_tells(t, &s->work))
		return true;
	w = ETC_GROW(s->arena, &s->weights, struct weight);
	if (!w)
		return false;
	*w = (struct weight){ .t = t };
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct candidate *c;

		if (orders[i].rank != t->rank)
			continue;
		c = ETC_GROW(s->arena, &s->candidates, struct candidate);
		if (!c)
			return false;
		*c = (struct candidate){ number, UINT32_MAX, &orders[i], { 0 } };
		walk(&s->work, t, c->order, c->prefix, PREFIX, false);
	}
	return true;
}

static bool index_candidates(struct search *s)
{
	etc_map_init(&s->prefixes, s->arena);
	for (uint32_t i = 0; i < s->candidates.count; i++) {
		struct candidate *c = candidate_at(s, i);
		struct etc_str key = { (const char *)c->prefix, PREFIX };
		size_t first = etc_map_add(&s->prefixes, key, i);

		if (first == ETC_MAP_NONE)
			return false;
		if (first != i) {
			c->next = candidate_at(s, (uint32_t)first)->next;
			candidate_at(s, (uint32_t)first)->next = i;
		}
		s->filter[bit_of(c->prefix) / 64] |= (uint64_t)1 << bit_of(c->prefix) % 64;
	}
	return true;
}

static void look_at(struct search *s, struct etc_span rest)
{
	size_t i = etc_map_get(&s->prefixes, (struct etc_str){ (const char *)rest.ptr, PREFIX });

	for (; i < s->candidates.count; i = candidate_at(s, (uint32_t)i)->next) {
		const struct candidate *c = candidate_at(s, (uint32_t)i);
		struct weight *w = weight_at(s, c->weight);

		s->work++;
		if (w->found || w->t->count > rest.len / w->t->dtype->bytes || s->work > WORK)
			continue;
		w->found = walk(&s->work, w->t, c->order, (uint8_t *)(uintptr_t)rest.ptr, rest.len,
		                true);
	}
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
static bool find_twins(struct search *s, const struct etc_ref_value *dict)
{
	struct layer *layers = etc_new(s->arena, struct layer, dict->count / 2);
	struct etc_map names, hashes;

	etc_map_init(&names, s->arena);
	etc_map_init(&hashes, s->arena);
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
		s->twins += layers[at].first != layers[i].first;
	}
	return layers != NULL;
}

static enum etc_status read_entry(struct search *s, const struct etc_zip *zip,
                                  const struct etc_zip_entry *e, struct etc_error *err)
{
	const struct etc_ref_value *dict;

	ETC_TRY(etc_weights_load(zip, e, true, s->arena, &dict, err));
	s->listed |= etc_str_ends(e->name, WEIGHTS);
	s->whole &= dict != NULL;
	for (uint32_t i = 0; s->whole && i < dict->count; i += 2) {
		const struct etc_ref_value *name = dict->items[i], *v = dict->items[i + 1];

		s->norms |= name->kind == ETC_REF_STRING &&
		            etc_str_ends(name->text, ETC_STR("running_var"));
		if (v->kind != ETC_REF_TENSOR || !v->tensor->storage)
			s->whole &= v->kind == ETC_REF_NONE;
		else if (v->tensor->storage->packed || v->tensor->storage->big_endian)
			s->whole = false;
		else
			ETC_NEED(add_weight(s, v->tensor), err);
	}
	if (s->whole)
		ETC_NEED(find_twins(s, dict), err);
	return ETC_OK;
}

static bool has_delegates(const struct etc_program *p)
{
	uint32_t delegates = 0;

	for (uint32_t i = 0; i < p->method_count; i++)
		delegates += p->methods[i].delegate_count;
	return delegates != 0;
}

static void count_found(const struct search *s, struct etc_weights *out)
{
	for (uint32_t i = 0; i < s->weights.count; i++) {
		const struct weight *w = weight_at(s, i);

		if (w->t->rank == 1) {
			out->vectors++;
			out->vectors_found += w->found;
		} else {
			out->count++;
			out->found += w->found;
		}
	}
}

enum etc_status etc_weights_find(const struct etc_together_files *f, struct etc_arena *scratch,
                                 struct etc_weights *out, struct etc_error *err)
{
	struct search s = { .arena = scratch, .whole = true };
	struct etc_span program = f->weights_in;
	struct etc_error why = { .at = -1 };
	struct etc_zip zip;
	bool changed;
	enum etc_status st = etc_zip_open(f->record_bytes, scratch, &zip, &why);

	*out = (struct etc_weights){ 0 };
	if (st != ETC_OK)
		return st == ETC_NOMEM ? etc_no_memory(err) : ETC_OK;
	for (uint32_t i = 0; i < zip.count; i++)
		if (has_weights(zip.entries[i].name))
			ETC_TRY(read_entry(&s, &zip, &zip.entries[i], err));
	ETC_NEED(index_candidates(&s), err);
	for (size_t at = 0; s.candidates.count && at + PREFIX <= program.len && s.work < WORK;
	     at += STEP) {
		uint32_t bit = bit_of(program.ptr + at);

		if (s.filter[bit / 64] >> bit % 64 & 1)
			look_at(&s, (struct etc_span){ program.ptr + at, program.len - at });
	}
	count_found(&s, out);
	out->twins = s.twins;
	/* Delegates change the vectors (biases, scales, statistics) of quantised layers and of
	 * batch normalisations. */
	changed = has_delegates(f->program) && (s.narrow || s.norms);
	if (changed) {
		out->uncompared = out->vectors;
		out->vectors = out->vectors_found = 0;
	}
	out->whole = s.whole && s.listed && s.work < WORK && (out->count || !s.vectors) &&
	             !(changed && s.norms);
	return ETC_OK;
}
