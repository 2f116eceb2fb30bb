/* numeric_gap.c -- see numeric_gap.h: pairs values of the graph with values of the run, like the
 * Inspector's map_runtime_aot_intermediate_outputs. */
#include "commands/inspector/numeric_gap.h"

#include "inspector/pyrepr.h"

/* A connected component: values connected by common debug handles. */
struct component {
	/* `runtime`: index of the first runtime value; `runtimes`: number of runtime values */
	uint32_t runtime, runtimes;
	/* a graph value of the component has a handle that its runtime value (`runtime`) lacks */
	bool stranger;
};

struct mapper {
	struct etc_inspector *in;
	const struct etc_reference_method *aot;
	struct etc_gap *gap;
	/* maps a debug handle to the index in aot->values of the value that has only this
	 * handle */
	struct etc_map aot_of;
	/* union-find: parent of each value of the graph, then of each merged runtime value */
	uint32_t *parent;
	struct component *components;
	struct etc_gap_row *rows;
	uint32_t row_room;
	uint8_t distance;
};

/* ---- components: values with common debug handles ----------------------------------- */

static uint32_t root(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

/* Joins the components of `a` and `b`. The root of a component is its smallest number. The
 * Inspector visits the values of the graph first, then those of the runtime. Values are numbered in
 * this order, so the order of the roots is the Inspector's order of components. */
static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = root(parent, a);
	b = root(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

static enum etc_status index_handles(struct mapper *m, struct etc_error *err)
{
	struct etc_gap *g = m->gap;

	etc_map_init(&g->merged_of, m->in->arena);
	etc_map_init(&m->aot_of, m->in->arena);
	for (uint32_t i = 0; i < g->merged_count; i++)
		for (uint32_t k = 0; k < g->merged[i].handle_count; k++)
			if (etc_map_add(&g->merged_of, etc_map_number(&g->merged[i].handle[k]),
			                i) == ETC_MAP_NONE)
				return etc_no_memory(err);
	for (uint32_t i = 0; i < m->aot->count; i++)
		if (m->aot->values[i].handle_count == 1 &&
		    etc_map_add(&m->aot_of, etc_map_number(m->aot->values[i].handle), i) ==
		            ETC_MAP_NONE)
			return etc_no_memory(err);
	return ETC_OK;
}

static enum etc_status connect(struct mapper *m, struct etc_error *err)
{
	uint32_t aot = m->aot->count, all = aot + m->gap->merged_count;

	m->parent = etc_new(m->in->arena, uint32_t, all);
	m->components = etc_new(m->in->arena, struct component, all);
	ETC_NEED(m->parent && m->components, err);
	for (uint32_t i = 0; i < all; i++)
		m->parent[i] = i;
	for (uint32_t i = 0; i < aot; i++)
		for (uint32_t k = 0; k < m->aot->values[i].handle_count; k++) {
			size_t r = etc_map_get(&m->gap->merged_of,
			                       etc_map_number(&m->aot->values[i].handle[k]));

			if (r != ETC_MAP_NONE)
				unite(m->parent, i, aot + (uint32_t)r);
		}
	for (uint32_t i = 0; i < m->gap->merged_count; i++) {
		struct component *c = &m->components[root(m->parent, aot + i)];

		c->runtime = i;
		c->runtimes++;
	}
	/* This is the Inspector's condition
	 * set(aot_combined_debug_handle).issubset(set(runtime_debug_handle)). */
	for (uint32_t i = 0; i < aot; i++) {
		struct component *c = &m->components[root(m->parent, i)];
		const struct etc_reference *v = &m->aot->values[i];

		for (uint32_t k = 0; k < v->handle_count;
		     k++) /* a handle that is missing (ETC_MAP_NONE) differs, too */
			c->stranger |= etc_map_get(&m->gap->merged_of,
			                           etc_map_number(&v->handle[k])) != c->runtime;
	}
	return ETC_OK;
}

/* ---- selecting a value of an event ------------------------------------------------------ */

static enum etc_status index_error(struct etc_error *err, const char *what)
{
	return etc_fail(err, E0825, "IndexError: %s", what);
}

static bool same_shape(const struct etc_safetensor *a, const struct etc_insp_value *v)
{
	const struct etc_tensor_data *t = v->tensors;

	if (v->kind != ETC_INSP_TENSOR || t->rank != a->rank)
		return false;
	for (uint32_t d = 0; d < a->rank; d++)
		if (t->sizes[d] != a->sizes[d])
			return false;
	return true;
}

/* Implements _find_matching_runtime_output_by_shape_and_dtype. Returns the index of the only value
 * that has the shape of `a`. If several values have this shape, returns the index of the only one
 * of them that also has the type of `a`. Otherwise returns the index of the last value. */
static uint32_t by_shape(const struct etc_safetensor *a, const struct etc_gap_runtime *r)
{
	uint32_t shapes = 0, types = 0, shape = 0, type = 0;

	for (uint32_t i = 0; i < r->value_count; i++) {
		if (!same_shape(a, &r->values[i]))
			continue;
		shapes++;
		shape = i;
		if (a->type && r->values[i].tensors->type->code == a->type->code) {
			types++;
			type = i;
		}
	}
	if (shapes == 1)
		return shape;
	return types == 1 ? type : r->value_count - 1;
}

static enum etc_status pick(const struct etc_reference *aot, const struct etc_gap_runtime *r,
                            int64_t output, const struct etc_insp_value **out,
                            struct etc_error *err)
{
	uint32_t at;

	if (output >= r->value_count)
		return index_error(err, "the event has fewer values than outputs");
	at = r->value_count - 1 - (uint32_t)output;
	*out = &r->values[at];
	if (aot->kind == ETC_REFERENCE_LIST) {
		if ((*out)->kind != ETC_INSP_TENSOR && (*out)->kind != ETC_INSP_LIST)
			return etc_fail(err, E0825,
			                "The last element of runtime argument list must be a "
			                "tensor or a list of tensors when aot intermediate output "
			                "is a sequence");
		if ((*out)->kind == ETC_INSP_TENSOR)
			*out = NULL;
		return ETC_OK;
	}
	if (r->num_outputs == 1 && r->value_count > 1 && aot->kind == ETC_REFERENCE_TENSOR)
		*out = &r->values[by_shape(aot->items[0], r)];
	return ETC_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Returns the row for the graph value `aot` of an event. rows[from] is the event's first row. The
 * row is a new one or, if `aot` is a number and the event has a row of an equal number, that row:
 * the Inspector stores the rows in a dict whose keys are the graph values. NULL: out of room. */
static struct etc_gap_row *row_for(struct mapper *m, uint32_t from, const struct etc_reference *aot)
{
	for (uint32_t i = from; aot->kind == ETC_REFERENCE_NUMBER && i < m->gap->row_count; i++) {
		const struct etc_reference *old = m->rows[i].aot;

		if (old->kind == ETC_REFERENCE_NUMBER &&
		    old->items[0]->bytes.len == aot->items[0]->bytes.len &&
		    memcmp(old->items[0]->bytes.ptr, aot->items[0]->bytes.ptr,
		           aot->items[0]->bytes.len) == 0)
			return &m->rows[i];
	}
	if (m->gap->row_count == m->row_room)
		return NULL;
	return &m->rows[m->gap->row_count++];
}

static enum etc_status map_runtime(struct mapper *m, const struct etc_gap_runtime *r,
                                   struct etc_error *err)
{
	uint32_t from = m->gap->row_count;

	for (int64_t i = 0; i < r->num_outputs; i++) {
		const struct etc_insp_value *value = NULL;
		const struct etc_reference *aot;
		struct etc_gap_row *row;
		size_t at;

		if (i >= r->handle_count)
			return index_error(err, "the event has fewer debug handles than outputs");
		at = etc_map_get(&m->aot_of, etc_map_number(&r->handle[r->handle_count - 1 - i]));
		if (at == ETC_MAP_NONE)
			continue;
		aot = &m->aot->values[at];
		ETC_TRY(pick(aot, r, i, &value, err));
		row = row_for(m, from, aot);
		ETC_NEED(row, err);
		*row = (struct etc_gap_row){ .runtime = r, .aot = aot, .value = value };
	}
	return ETC_OK;
}

static enum etc_status map_all(struct mapper *m, struct etc_error *err)
{
	for (uint32_t i = 0; i < m->gap->merged_count; i++)
		m->row_room += m->gap->merged[i].handle_count;
	m->rows = etc_new(m->in->arena, struct etc_gap_row, m->row_room);
	ETC_NEED(m->rows, err);
	for (uint32_t i = 0; i < m->aot->count; i++) {
		const struct component *c = &m->components[i];

		if (m->parent[i] != i || c->runtimes == 0)
			continue;
		if (c->runtimes > 1)
			return etc_fail(err, E0825,
			                "Expected only one runtime debug handle, but found %u",
			                (unsigned)c->runtimes);
		/* As in the Inspector, a graph value with a handle that the runtime value lacks is
		 * skipped before map_runtime() checks the number of outputs. */
		if (c->stranger)
			continue;
		ETC_TRY(map_runtime(m, &m->gap->merged[c->runtime], err));
	}
	return ETC_OK;
}

static enum etc_status measure(struct mapper *m, struct etc_gap_row *row, struct etc_error *err)
{
	const struct etc_insp_value *value = row->value;
	uint32_t count = 1;

	if (row->aot->kind == ETC_REFERENCE_LIST) {
		struct etc_insp_value *one = etc_new(m->in->arena, struct etc_insp_value, 1);

		ETC_NEED(one, err);
		count = value ? value->count : row->runtime->value_count;
		if (count != row->aot->count)
			return etc_fail(err, E0825,
			                "Sequences 'a' and 'b' must have the same length for "
			                "comparison. len(a): %u len(b): %u.",
			                (unsigned)row->aot->count, (unsigned)count);
		*one = value ? ((struct etc_insp_value){ .kind = ETC_INSP_TENSOR,
		                                         .tensors = value->tensors,
		                                         .count = 1 })
		             : row->runtime->values[0];
		row->value = value = one;
	} else if (value->kind == ETC_INSP_LIST) {
		return etc_fail(err, E0825,
		                "Both inputs 'a' and 'b' must be sequences or both must be "
		                "non-sequences.");
	}
	return etc_gap_measure(row->aot->items[0], value, m->distance, &row->gap, err);
}

/* Computes the distance of each row. Drops rows in which one of the values is None, and rows of a
 * node with several outputs. */
static enum etc_status compare(struct mapper *m, struct etc_error *err)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < m->gap->row_count; i++) {
		struct etc_gap_row *row = &m->rows[i];

		if (row->aot->kind == ETC_REFERENCE_NONE ||
		    (row->value && row->value->kind == ETC_INSP_NONE) || row->aot->count != 1)
			continue;
		ETC_TRY(measure(m, row, err));
		m->rows[kept++] = *row;
	}
	m->gap->row_count = kept;
	m->gap->rows = m->rows;
	return ETC_OK;
}

static bool distance_of(struct etc_str text, uint8_t *out)
{
	char upper[4] = "";

	text = etc_py_strip(text);
	for (size_t i = 0; i < text.len && text.len < sizeof upper; i++)
		upper[i] = (char)(text.ptr[i] >= 'a' && text.ptr[i] <= 'z' ? text.ptr[i] - 32
		                                                           : text.ptr[i]);
	for (uint8_t i = 0; i < ETC_GAP_DISTANCES; i++)
		if (strcmp(upper, etc_gap_names[i]) == 0) {
			*out = i;
			return true;
		}
	return false;
}

enum etc_status etc_insp_numeric_gap(struct etc_inspector *in,
                                     const struct etc_reference_method *aot,
                                     struct etc_str distance, struct etc_gap *out,
                                     struct etc_error *err)
{
	struct mapper m = { .in = in, .aot = aot, .gap = out };

	*out = (struct etc_gap){ 0 };
	if (aot->count == 0)
		return etc_fail(err, E0825,
		                "Missing etrecord or missing representative inputs within "
		                "etrecord, both of which are required for calculating numerical "
		                "gap");
	ETC_TRY(etc_gap_runtime(in, out, err));
	ETC_TRY(index_handles(&m, err));
	ETC_TRY(connect(&m, err));
	ETC_TRY(map_all(&m, err));
	if (!distance_of(distance, &m.distance))
		return etc_fail(err, E0825, "Unsupported distance metric '" ETC_STR_FMT "'",
		                ETC_STR_ARG(distance));
	return compare(&m, err);
}
