/* run_sizes.c -- see run_sizes.h */
#include "work/run_sizes.h"

#include "work/kernel.h"

/* The values that were logged for one instruction. */
struct logged {
	const struct etc_value **v;
	uint32_t count;
	uint64_t chain;
	int32_t instruction;
};

struct reader {
	struct etc_run_sizes *r;
	const struct etc_sites *sites;
	/* for each site, its node; NULL: the node is unknown. `nodes` itself is NULL if no nodes
	 * are known */
	const struct etc_node *const *nodes;
	const struct etc_template *template;
	const struct etc_value *values; /* the values that were logged in the run */
	struct etc_error *err;
};

static const struct etc_graph_call *call_of(const struct etc_sites *sites,
                                            const struct etc_node *node)
{
	return &sites->graph->tensors->calls[node - sites->graph->nodes];
}

/* ---- values of the program -------------------------------------------------------- */

static const struct etc_evalue_tensor *tensor_of(const struct etc_run_sizes *r, int32_t value)
{
	return value >= 0 && (uint32_t)value < r->m->value_count &&
	                       r->m->values[value].kind == ETC_EVALUE_TENSOR
	               ? r->m->values[value].tensor
	               : NULL;
}

/* Records the sizes that the tensor `value` had in the run, if its shape is dynamic. Sets
 * r->differs for it if other sizes were recorded before, or if the sizes exceed the program's upper
 * bounds. */
static enum etc_status set_sizes(struct reader *x, int32_t value, const uint64_t *sizes,
                                 uint32_t rank)
{
	struct etc_run_sizes *r = x->r;
	const struct etc_evalue_tensor *t = tensor_of(r, value);
	bool fits = t && t->sizes.count == rank;
	uint64_t *copy;

	if (!t || !t->dynamism)
		return ETC_OK;
	for (uint32_t i = 0; i < rank && fits; i++)
		fits = t->dynamism == ETC_SHAPE_DYNAMIC_UNBOUND ||
		       sizes[i] <= (uint64_t)etc_i32_at(t->sizes, i);
	if (!fits || (r->ran[value] && memcmp(r->ran[value], sizes, rank * sizeof *sizes) != 0))
		r->differs[value] = true;
	if (r->ran[value] || r->differs[value])
		return ETC_OK;
	copy = etc_new(r->arena, uint64_t, rank);
	ETC_NEED(copy, x->err);
	if (rank)
		memcpy(copy, sizes, rank * sizeof *sizes);
	r->ran[value] = copy;
	return ETC_OK;
}

static enum etc_status set_logged(struct reader *x, int32_t value, const struct etc_tensor *t)
{
	uint64_t sizes[ETC_OPERAND_RANK];

	if (!t->has_sizes || t->rank > ETC_OPERAND_RANK)
		return ETC_OK;
	for (uint32_t i = 0; i < t->rank; i++)
		sizes[i] = t->sizes[i] < 0 ? UINT64_MAX : (uint64_t)t->sizes[i];
	return set_sizes(x, value, sizes, t->rank);
}

/* Lists the tensors in the logged values, in order, in `to`. Returns their number. */
static uint32_t tensors_in(const struct logged *l, const struct etc_tensor **to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->count; i++)
		for (uint32_t k = 0;
		     (l->v[i]->tag == ETC_VALUE_TENSOR || l->v[i]->tag == ETC_VALUE_TENSOR_LIST) &&
		     k < l->v[i]->count;
		     k++, n++)
			if (to)
				to[n] = &l->v[i]->tensors[k];
	return n;
}

/* Sets the sizes of a kernel's results to those of the logged tensors. */
static enum etc_status take_results(struct reader *x, const struct etc_instruction *n,
                                    const struct etc_tensor **tensors, uint32_t count)
{
	struct etc_kernel_tensors t;

	ETC_NEED(etc_kernel_tensors(x->r->m, n->args, x->r->arena, &t), x->err);
	for (uint32_t i = 0; i < count && count == t.out_count; i++)
		ETC_TRY(set_logged(x, t.out[i], tensors[i]));
	return ETC_OK;
}

/* Sets the sizes of values that were logged one by one: arguments of a delegate, or results of the
 * program. */
static enum etc_status take_values(struct reader *x, struct etc_numbers of, const struct logged *l)
{
	for (uint32_t i = 0; i < of.count && of.count == l->count; i++)
		if (l->v[i]->tag == ETC_VALUE_TENSOR && l->v[i]->count == 1)
			ETC_TRY(set_logged(x, etc_i32_at(of, i), l->v[i]->tensors));
	return ETC_OK;
}

/* ---- expressions of the record ---------------------------------------------------- */

static bool bind(struct etc_run_sizes *r, const struct etc_graph_tensor *t, const uint64_t *sizes)
{
	for (uint32_t i = 0; i < t->rank; i++)
		if (t->sizes[i] < 0 && t->expressions &&
		    !etc_symbols_bind(&r->symbols, t->expressions[i], sizes[i]))
			return false;
	return true;
}

/* Sets the expressions in the sizes of a node's results to the sizes that were logged in the run.
 * Called if there is no program. */
static enum etc_status bind_results(struct reader *x, const struct etc_node *node,
                                    const struct etc_tensor **tensors, uint32_t count)
{
	const struct etc_graph_tensors out = call_of(x->sites, node)->outputs;

	for (uint32_t i = 0; i < count && count == out.count; i++) {
		const struct etc_graph_tensor *t =
			&x->sites->graph->tensors->tensors[out.first + i];
		bool fits = t->known && tensors[i]->has_sizes && t->rank == tensors[i]->rank;
		uint64_t sizes[ETC_OPERAND_RANK];

		fits = fits && t->rank <= ETC_OPERAND_RANK;
		for (uint32_t k = 0; fits && k < t->rank; k++) {
			sizes[k] = (uint64_t)tensors[i]->sizes[k];
			fits = tensors[i]->sizes[k] >= 0 &&
			       (t->sizes[k] < 0 || t->sizes[k] == tensors[i]->sizes[k]);
		}
		ETC_NEED(!fits || bind(x->r, t, sizes), x->err);
	}
	return ETC_OK;
}

/* Can the program's value and the graph's tensor be the same one? Both must have the same type and
 * rank, and the same size in each dimension that is not symbolic in the graph. */
static bool is_alike(const struct etc_evalue_tensor *v, const struct etc_graph_tensor *t)
{
	bool alike = t->known && v->sizes.count == t->rank && v->scalar_type == t->type;

	for (uint32_t i = 0; i < t->rank && alike; i++)
		alike = t->sizes[i] < 0 || etc_i32_at(v->sizes, i) == t->sizes[i];
	return alike && t->rank <= ETC_OPERAND_RANK;
}

/* Relates the values of an instruction to the tensors of its node, which are in the same order. If
 * `read` is true, finds the values of the expressions in the tensors' sizes from the known sizes of
 * the program's values. Otherwise sets the sizes of the program's values from the known
 * expressions. Does nothing if some value and tensor do not match (is_alike()). */
static enum etc_status relate(struct reader *x, const int32_t *values, uint32_t count,
                              struct etc_graph_tensors tensors, bool read)
{
	const struct etc_graph_tensor *t = x->sites->graph->tensors->tensors + tensors.first;
	struct etc_run_sizes *r = x->r;
	bool alike = count == tensors.count;

	for (uint32_t i = 0; i < count && alike; i++)
		alike = is_alike(r->m->values[values[i]].tensor, &t[i]);
	for (uint32_t i = 0; i < count && alike; i++) {
		uint64_t sizes[ETC_OPERAND_RANK];
		bool known = true;

		if (read && r->ran[values[i]] && !r->differs[values[i]])
			ETC_NEED(bind(r, &t[i], r->ran[values[i]]), x->err);
		for (uint32_t k = 0; k < t[i].rank && known && !read; k++)
			known = etc_symbols_of(&r->symbols, &t[i], k, &sizes[k]);
		if (known && !read)
			ETC_TRY(set_sizes(x, values[i], sizes, t[i].rank));
	}
	return ETC_OK;
}

static const struct etc_instruction *instruction_of(const struct reader *x, uint32_t site,
                                                    uint8_t kind)
{
	const struct etc_event *e = etc_site_event(x->sites, &x->sites->v[site]);
	const struct etc_instruction *n =
		x->r->m && x->sites->v[site].instruction
			? etc_program_instruction(x->r->m, e->chain, e->instruction_id)
			: NULL;

	return n && n->kind == kind ? n : NULL;
}

/* Calls relate(), with the argument `read`, for the values of all kernel instructions. */
static enum etc_status relate_all(struct reader *x, bool read)
{
	for (uint32_t i = 0; i < x->sites->count; i++) {
		const struct etc_instruction *n = instruction_of(x, i, ETC_INSTRUCTION_KERNEL);
		const struct etc_node *node = x->nodes[i];
		struct etc_kernel_tensors t;

		if (!n || !node)
			continue;
		ETC_NEED(etc_kernel_tensors(x->r->m, n->args, x->r->arena, &t), x->err);
		ETC_TRY(relate(x, t.out, t.out_count, call_of(x->sites, node)->outputs, read));
		ETC_TRY(relate(x, t.in, t.in_count, call_of(x->sites, node)->inputs, read));
	}
	return ETC_OK;
}

/* ---- the events of a run ---------------------------------------------------------- */

/* Records the sizes of the tensors that were logged for the instruction of a site. */
static enum etc_status take(struct reader *x, uint32_t site, const struct logged *l)
{
	const struct etc_instruction *kernel = instruction_of(x, site, ETC_INSTRUCTION_KERNEL);
	const struct etc_instruction *delegate = instruction_of(x, site, ETC_INSTRUCTION_DELEGATE);
	const uint32_t count = tensors_in(l, NULL);
	const struct etc_tensor **tensors = etc_new(x->r->arena, const struct etc_tensor *, count);
	const struct etc_node *node;

	ETC_NEED(tensors, x->err);
	tensors_in(l, tensors);
	if (kernel)
		return take_results(x, kernel, tensors, count);
	if (delegate)
		return take_values(x, delegate->args, l);
	node = x->r->m || !x->nodes ? NULL : x->nodes[site];
	return node ? bind_results(x, node, tensors, count) : ETC_OK;
}

/* Adds a logged value to `results` if it is a result of the program. Otherwise adds it to `l`, the
 * values of the current instruction; if the value is of another instruction, `l` is emptied
 * first. */
static void add(struct reader *x, const struct etc_event *e, struct logged *l,
                struct logged *results)
{
	const struct etc_value *v = &x->values[e->column];

	if (etc_event_is_delegate(e) || !v->present)
		return;
	if (e->chain == UINT64_MAX) {
		if (v->output)
			results->v[results->count++] = v;
		return;
	}
	if (l->chain != e->chain || l->instruction != e->instruction_id)
		l->count = 0;
	l->chain = e->chain;
	l->instruction = e->instruction_id;
	l->v[l->count++] = v;
}

static enum etc_status walk(struct reader *x, struct etc_arena *arena)
{
	const uint32_t debugs = x->template->debugs;
	struct logged l = { .v = etc_new(arena, const struct etc_value *, debugs) };
	struct logged results = { .v = etc_new(arena, const struct etc_value *, debugs) };
	uint32_t site = 0;

	ETC_NEED(l.v && results.v, x->err);
	for (uint32_t i = 0; i < x->template->count; i++) {
		const struct etc_event *e = &x->template->events[i];

		if (e->kind == ETC_EVENT_DEBUG)
			add(x, e, &l, &results);
		if (e->kind != ETC_EVENT_PROFILE)
			continue;
		if (x->sites->v[site].instruction && l.count && e->chain == l.chain &&
		    e->instruction_id == l.instruction) {
			ETC_TRY(take(x, site, &l));
			l.count = 0;
		}
		site++;
	}
	return x->r->m ? take_values(x, x->r->m->outputs, &results) : ETC_OK;
}

enum etc_status etc_run_sizes_read(struct etc_run_sizes *r, const struct etc_program_method *m,
                                   const struct etc_sites *sites,
                                   const struct etc_node *const *nodes,
                                   const struct etc_trace *trace, uint32_t run,
                                   struct etc_arena *arena, struct etc_error *err)
{
	struct reader x = { .r = r,
		            .sites = sites,
		            .nodes = nodes,
		            .template = etc_run_template(trace, &trace->runs[run]),
		            .values = trace->values + trace->runs[run].first_value,
		            .err = err };

	*r = (struct etc_run_sizes){ .arena = arena, .m = m && m->value_count ? m : NULL };
	etc_symbols_init(&r->symbols, arena);
	if (r->m) {
		r->ran = etc_new(arena, const uint64_t *, m->value_count);
		r->differs = etc_new(arena, bool, m->value_count);
		ETC_NEED(r->ran && r->differs, err);
	}
	ETC_TRY(walk(&x, arena));
	if (r->m && nodes) {
		ETC_TRY(relate_all(&x, true));
		ETC_TRY(relate_all(&x, false));
	}
	for (uint32_t i = 0; r->m && i < m->value_count; i++)
		if (r->differs[i])
			r->ran[i] = NULL;
	return ETC_OK;
}
