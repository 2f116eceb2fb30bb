/* gap_nodes.c -- finds the node that each instruction computed; see gap_nodes.h.
 *
 * Here, an instruction that the record lists is called a "call" (struct etc_gap_call). At first,
 * the candidates of a node are all calls that have its handle and may run its operator. A candidate
 * is removed if it ran before a call that computes an input of the node, or after a call that reads
 * the node's output. If a kernel is a candidate of only one node, it computes that node. A delegate
 * computes as many nodes of a handle as the record lists. A node with only one candidate is
 * known. */
#include "commands/numeric/gap_nodes.h"

#include "base/map.h"
#include "base/number.h"

enum {
	/* maximum number of candidates of all lines together. (A candidate is a call that may
	 * compute the line.) Only a damaged record has more */
	CANDIDATES_MOST = 1 << 20,
	/* a group of lines with one debug handle is not examined if its number of lines times its
	 * number of calls is larger than this */
	GROUP_MOST = 1 << 16,
	/* limit that is used instead of GROUP_MOST if instructions are in the order of the graph */
	GROUP_IN_ORDER = 1 << 22,
	ROUNDS_MOST = 32, /* maximum number of rounds of narrow() and of try_all() */
	/* try_all() does nothing if the number of candidates of undecided lines times the number of
	 * all candidates is larger than this */
	TRIES_MOST = 1 << 20
};

/* One handle, with the lines that have it and the calls for which the record lists it. */
struct group {
	int64_t handle;
	uint32_t first_line, lines; /* range of the group's lines in finder.by_handle */
	uint32_t first_call, calls; /* range of the group's calls in finder.calls_by_handle */
	/* the group's number of calls is possible for its lines, and the kernels of all its calls
	 * are known; see check_groups() */
	bool sane;
	/* the number of calls equals the number of nodes and getitems. So every node has a call,
	 * even a node that is a view */
	bool whole;
};

struct finder {
	const struct etc_gap_graph *g;
	const struct etc_gap_flow *flow;
	struct etc_gap_nodes *n;
	struct etc_arena *arena;
	struct etc_map groups; /* maps a debug handle to the index of its group in `group` */
	struct group *group;
	uint32_t group_count;
	/* per line: index in `group`; UINT32_MAX: the line has no node with a handle */
	uint32_t *line_group;
	/* per line with a node: 1 + the number of getitems through which other lines use its
	 * outputs; each of these getitems has 0 */
	uint32_t *weight;
	/* per line: for a getitem, the call that it reads; for any other line, the line itself */
	uint32_t *alias;
	uint32_t *by_handle, *calls_by_handle;
	/* first[line]: index in `candidate` of the line's first candidate; has one entry more than
	 * there are lines */
	uint32_t *first;
	uint32_t *candidate;
	bool *gone; /* for each entry of `candidate`: was it removed? */
	/* per call and line of the current group: may the call compute the line? See row_of() */
	bool *may;
	/* per line: the earliest and the latest instruction that may compute the line; see
	 * bound() */
	int64_t *earliest, *latest;
	bool tried; /* try_each() has removed a candidate in this round */
	/* changed: a candidate was removed in this round; in_order: there are no delegates, and
	 * instructions are in the order of the graph; many: there are more than CANDIDATES_MOST
	 * candidates */
	bool changed, in_order, many;
};

static struct etc_str until_dot(struct etc_str s)
{
	size_t dot = etc_str_find(s, ETC_STR("."), 0);

	return dot == SIZE_MAX ? s : etc_str_sub(s, 0, dot);
}

/* Returns the operator in the name of a kernel: "where" for "where.self_out" and for
 * "aten::where.self_out". */
static struct etc_str base_of_kernel(struct etc_str name)
{
	size_t colons = etc_str_find(name, ETC_STR("::"), 0);

	return until_dot(colons == SIZE_MAX ? name : etc_str_sub(name, colons + 2, name.len));
}

/* ---- calls ----------------------------------------------------------------------------- */

static bool parse_instruction(struct etc_str key, int32_t *out)
{
	uint64_t v;

	if (!etc_number_parse_u64(key, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

static uint32_t outputs_of(const struct etc_method_maps *maps, struct etc_str key)
{
	for (uint32_t i = 0; i < maps->num_outs_count; i++)
		if (etc_str_eq(maps->num_outs[i].key, key))
			return maps->num_outs[i].outputs > 0 &&
			                       maps->num_outs[i].outputs <= ETC_GAP_OUTPUTS_MOST
			               ? (uint32_t)maps->num_outs[i].outputs
			               : 0;
	return 1;
}

static const struct etc_delegate_entry *delegate_of(const struct etc_method_maps *maps,
                                                    struct etc_str key)
{
	for (uint32_t i = 0; i < maps->delegate_count; i++)
		if (etc_str_eq(maps->delegates[i].key, key))
			return &maps->delegates[i];
	return NULL;
}

static bool list_calls(struct finder *f, const struct etc_method_maps *maps)
{
	struct etc_gap_nodes *n = f->n;

	n->calls = etc_new(f->arena, struct etc_gap_call, maps->handle_count);
	if (!n->calls)
		return false;
	for (uint32_t i = 0; i < maps->handle_count; i++) {
		const struct etc_handle_entry *e = &maps->handles[i];
		const struct etc_delegate_entry *delegate = delegate_of(maps, e->key);
		struct etc_gap_call *c = &n->calls[n->call_count];

		if (!e->handles.count || !parse_instruction(e->key, &c->instruction))
			continue;
		c->handles = e->handles.v;
		c->handle_count = e->handles.count;
		c->calls_delegate = delegate != NULL;
		c->backend = delegate ? delegate->backend : ETC_STR_NONE;
		c->is_delegate = c->calls_delegate || c->handle_count > 1;
		c->output_count = outputs_of(maps, e->key);
		c->outputs = etc_new(f->arena, uint32_t, c->output_count);
		if (!c->outputs || etc_map_add(&n->of_instruction,
		                               (struct etc_str){ (const char *)&c->instruction,
		                                                 sizeof c->instruction },
		                               n->call_count) == ETC_MAP_NONE)
			return false;
		for (uint32_t k = 0; k < c->output_count; k++)
			c->outputs[k] = UINT32_MAX;
		/* Without delegates, instructions are in the order of the graph. */
		f->in_order &= !c->is_delegate &&
		               (n->call_count == 0 || c[-1].instruction < c->instruction);
		n->call_count++;
	}
	return true;
}

/* Sets the kernel name and the first output of each call that the dump logged. Sets `foreign` if
 * dump and record contradict each other about which instructions are delegate calls. */
static void name_calls(struct finder *f, const struct etc_logged_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct etc_logged_event *of = list->v[i].of;
		struct etc_gap_call *c;

		if (!etc_str_eq(list->v[i].method, f->g->method) && list->v[i].method.len)
			continue;
		if (of->what != ETC_LOGGED_OPERATOR && of->what != ETC_LOGGED_ARGUMENT)
			continue;
		c = (struct etc_gap_call *)(uintptr_t)etc_gap_call_of(f->n,
		                                                      of->event->instruction_id);
		if (!c)
			continue;
		if (of->what == ETC_LOGGED_ARGUMENT)
			f->n->foreign |= !c->is_delegate;
		else if (c->calls_delegate)
			f->n->foreign = true;
		else if (!c->base.len) {
			c->base = base_of_kernel(of->name);
			c->first = list->v[i].tensor;
		}
	}
}

/* ---- lines ----------------------------------------------------------------------------- */

static bool is_item(const struct finder *f, uint32_t i)
{
	return f->alias[i] != i;
}

static struct group *group_of(struct finder *f, const int64_t *handle)
{
	size_t at = etc_map_add(&f->groups, etc_map_number(handle), f->group_count);

	if (at == ETC_MAP_NONE)
		return NULL;
	if (at == f->group_count)
		f->group[f->group_count++].handle = *handle;
	return &f->group[at];
}

static bool describe_lines(struct finder *f)
{
	uint32_t n = f->g->lines.count;

	for (uint32_t i = 0; i < n; i++) {
		const struct etc_graph_line *line = &f->g->lines.v[i];
		const uint32_t *first = f->flow->first_input;
		bool item = line->op == ETC_LINE_CALL &&
		            etc_str_eq(line->target, ETC_STR("_operator.getitem"));
		const struct etc_node *node = etc_gap_called_node(line);
		struct group *g;

		f->alias[i] = item && first[i] < first[i + 1] ? f->flow->inputs[first[i]] : i;
		f->line_group[i] = UINT32_MAX;
		f->weight[i] = 1;
		f->n->owner[i] = ETC_GAP_NOBODY;
		for (uint32_t k = first[i]; k < first[i + 1]; k++) {
			uint32_t from = f->flow->inputs[k];

			/* counts a getitem when it is used for the first time */
			if (is_item(f, from) && f->weight[from]) {
				f->weight[from] = 0;
				f->weight[f->alias[from]]++;
			}
		}
		if (!node)
			continue;
		g = group_of(f, node->debug_handle.v);
		if (!g)
			return false;
		f->line_group[i] = (uint32_t)(g - f->group);
		g->lines++;
	}
	return true;
}

/* Lists the lines and the calls of each group in by_handle and calls_by_handle. */
static bool fill_groups(struct finder *f)
{
	uint32_t lines = 0, entries = 0, total = 0;

	for (uint32_t c = 0; c < f->n->call_count; c++)
		total += f->n->calls[c].handle_count;
	f->by_handle = etc_new(f->arena, uint32_t, f->g->lines.count);
	f->calls_by_handle = etc_new(f->arena, uint32_t, total);
	if (!f->by_handle || !f->calls_by_handle)
		return false;
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < f->n->call_count; c++)
			for (uint32_t k = 0; k < f->n->calls[c].handle_count; k++) {
				size_t at = etc_map_get(&f->groups,
				                        etc_map_number(&f->n->calls[c].handles[k]));
				struct group *g = at == ETC_MAP_NONE ? NULL : &f->group[at];

				if (g && pass)
					f->calls_by_handle[g->first_call + g->calls] = c;
				if (g)
					g->calls++;
			}
		for (uint32_t i = 0; i < f->group_count && !pass; i++) {
			f->group[i].first_line = lines;
			f->group[i].first_call = entries;
			lines += f->group[i].lines;
			entries += f->group[i].calls;
			f->group[i].lines = f->group[i].calls = 0;
		}
	}
	for (uint32_t i = 0; i < f->g->lines.count; i++)
		if (f->line_group[i] != UINT32_MAX) {
			struct group *g = &f->group[f->line_group[i]];

			f->by_handle[g->first_line + g->lines++] = i;
		}
	return true;
}

static bool is_of(const struct finder *f, uint32_t line, struct etc_str base)
{
	return etc_str_eq(etc_gap_operator_of(f->g->lines.v[line].node), base);
}

/* Does every call of the group have a kernel for the operator of one of the group's nodes? If not,
 * an export pass added a kernel after the record was made. */
static bool all_kernels_known(const struct finder *f, const struct group *g)
{
	for (uint32_t k = 0; k < g->calls; k++) {
		const struct etc_gap_call *c = &f->n->calls[f->calls_by_handle[g->first_call + k]];
		bool known = c->is_delegate || (g->lines == 1 && g->calls == 1);

		for (uint32_t j = 0; j < g->lines && !known; j++)
			known = is_of(f, f->by_handle[g->first_line + j], c->base);
		if (!known)
			return false;
	}
	return true;
}

/* May the line be a view that no instruction computed? No, if the group of the line has as many
 * calls as nodes and used getitems (`whole`). */
static bool may_vanish(const struct finder *f, uint32_t line)
{
	return !f->group[f->line_group[line]].whole && etc_gap_may_vanish(f->g->lines.v[line].node);
}

/* Sets `sane` and `whole` of each group that is not too large to be examined. A group is sane if
 * two conditions hold. (1) The number of calls is at least the number of nodes that always run a
 * kernel (see etc_gap_may_vanish()), and at most the number of all nodes and their used getitems.
 * (2) The kernels of all calls are known (all_kernels_known()). */
static void check_groups(struct finder *f)
{
	for (uint32_t i = 0; i < f->group_count; i++) {
		struct group *g = &f->group[i];
		uint32_t least = 0, most = 0;

		/* Large groups occur in decomposed LSTMs. Searching a large group takes too long if
		 * instructions are not in the order of the graph. */
		if ((uint64_t)g->lines * g->calls > (f->in_order ? GROUP_IN_ORDER : GROUP_MOST))
			continue;

		for (uint32_t k = 0; k < g->lines; k++) {
			uint32_t line = f->by_handle[g->first_line + k];

			least += !etc_gap_may_vanish(f->g->lines.v[line].node);
			most += f->weight[line];
		}
		g->sane = g->calls >= least && g->calls <= most && all_kernels_known(f, g);
		g->whole = g->calls == most;
	}
}

/* ---- candidates ---------------------------------------------------------------------- */

/* May a logged tensor be the output that is described by `exported`? Its rank and the sizes that
 * are fixed must be equal. */
static bool may_be(const struct etc_tensor *t, const struct etc_graph_tensor *exported)
{
	if (!t || !exported)
		return true;
	if (t->rank != exported->rank)
		return false;
	for (uint32_t d = 0; d < t->rank; d++)
		if (exported->sizes[d] >= 0 && exported->sizes[d] != t->sizes[d])
			return false;
	return true;
}

static bool may_compute(const struct finder *f, const struct group *g, const struct etc_gap_call *c,
                        uint32_t line)
{
	if (c->is_delegate)
		return true;
	/* if a handle has one call and one node, the call computes the node, whatever the name of
	 * the kernel is */
	if (g->lines == 1 && g->calls == 1)
		return true;
	return is_of(f, line, c->base) &&
	       (f->in_order || may_be(c->first, etc_gap_output_of(f->g, f->g->lines.v[line].node)));
}

static bool make_candidates(struct finder *f)
{
	uint32_t n = f->g->lines.count, total = 0;

	f->first = etc_new(f->arena, uint32_t, (size_t)n + 1);
	if (!f->first)
		return false;
	for (int pass = 0; pass < 2; pass++) {
		total = 0;
		for (uint32_t i = 0; i < n; i++) {
			const struct group *g =
				f->line_group[i] == UINT32_MAX ? NULL : &f->group[f->line_group[i]];

			f->first[i] = total;
			for (uint32_t k = 0; g && g->sane && k < g->calls; k++) {
				uint32_t c = f->calls_by_handle[g->first_call + k];
				bool again = k && c == f->calls_by_handle[g->first_call + k - 1];

				if (again || !may_compute(f, g, &f->n->calls[c], i))
					continue;
				if (pass)
					f->candidate[total] = c;
				f->many = ++total > CANDIDATES_MOST;
				if (f->many)
					return true;
			}
		}
		f->first[n] = total;
		if (pass)
			continue;
		f->candidate = etc_new(f->arena, uint32_t, total);
		f->gone = etc_new(f->arena, bool, total);
		if (!f->candidate || !f->gone)
			return false;
	}
	return true;
}

static void drop(struct finder *f, uint32_t at)
{
	f->changed |= !f->gone[at];
	f->gone[at] = true;
}

/* Returns the number of calls that may still compute the line. Sets *one to one of them. */
static uint32_t left(const struct finder *f, uint32_t line, uint32_t *one)
{
	uint32_t n = 0;

	for (uint32_t k = f->first[line]; k < f->first[line + 1]; k++)
		if (!f->gone[k]) {
			*one = f->candidate[k];
			n++;
		}
	return n;
}

/* Computes the earliest and the latest instruction that may compute each line, and removes
 * candidates of the line outside of this range. A line that perhaps no instruction computes has no
 * range of its own: the lines that read it get the limits of its inputs, and its inputs get the
 * limits of the lines that read it. */
static void bound(struct finder *f)
{
	int64_t *earliest = f->earliest, *latest = f->latest;
	uint32_t n = f->g->lines.count;
	const uint32_t *first = f->flow->first_input, *inputs = f->flow->inputs;

	for (uint32_t i = 0; i < n; i++) {
		int64_t from = -1, least = INT64_MAX;

		for (uint32_t k = first[i]; k < first[i + 1]; k++)
			if (earliest[inputs[k]] > from)
				from = earliest[inputs[k]];
		for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++) {
			const struct etc_gap_call *c = &f->n->calls[f->candidate[k]];

			if (c->instruction < from || (c->instruction == from && !c->is_delegate))
				drop(f, k);
			else if (!f->gone[k] && c->instruction < least && !may_vanish(f, i))
				least = c->instruction;
		}
		earliest[i] = least == INT64_MAX ? from : least;
		latest[i] = INT64_MAX;
	}
	for (uint32_t i = n; i-- > 0;) {
		int64_t most = -1;

		for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++) {
			const struct etc_gap_call *c = &f->n->calls[f->candidate[k]];

			if (c->instruction > latest[i] ||
			    (c->instruction == latest[i] && !c->is_delegate))
				drop(f, k);
			else if (!f->gone[k] && c->instruction > most && !may_vanish(f, i))
				most = c->instruction;
		}
		if (most >= 0)
			latest[i] = most;
		for (uint32_t k = first[i]; k < first[i + 1]; k++)
			if (latest[i] < latest[inputs[k]])
				latest[inputs[k]] = latest[i];
	}
}

/* Returns the index in f->candidate of `call` as a candidate of `line`. UINT32_MAX: `call` is not a
 * candidate of the line, or was removed. */
static uint32_t candidate_at(const struct finder *f, uint32_t line, uint32_t call)
{
	for (uint32_t k = f->first[line]; k < f->first[line + 1]; k++)
		if (f->candidate[k] == call && !f->gone[k])
			return k;
	return UINT32_MAX;
}

static void keep_only(struct finder *f, uint32_t line, uint32_t call)
{
	for (uint32_t k = f->first[line]; k < f->first[line + 1]; k++)
		if (f->candidate[k] != call)
			drop(f, k);
}

static void drop_call(struct finder *f, uint32_t line, uint32_t call)
{
	uint32_t at = candidate_at(f, line, call);

	if (at != UINT32_MAX)
		drop(f, at);
}

static bool is_kernel(const struct finder *f, const struct group *g, uint32_t k)
{
	return !f->n->calls[f->calls_by_handle[g->first_call + k]].is_delegate;
}

/* Returns the number of nodes of the group that instruction n->calls[c] computes. This is how often
 * the record lists the group's handle for the instruction. */
static uint32_t room_of(const struct finder *f, const struct group *g, uint32_t c)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < g->calls; k++)
		n += f->calls_by_handle[g->first_call + k] == c;
	return n;
}

/* Returns the number of nodes that `line` stands for if n->calls[c] computes it: for a delegate, 1
 * plus the number of the line's getitems that are used; for any other call, 1. */
static uint32_t weight_of(const struct finder *f, uint32_t c, uint32_t line)
{
	return f->n->calls[c].is_delegate ? f->weight[line] : 1;
}

/* Returns the number of nodes of the group that n->calls[c] may compute. */
static uint32_t choice_of(const struct finder *f, const struct group *g, uint32_t c)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k];

		n += candidate_at(f, line, c) == UINT32_MAX ? 0 : weight_of(f, c, line);
	}
	return n;
}

/* Returns the number of nodes of the group, with their used getitems, that n->calls[c] certainly
 * computes. The call is the only candidate of these nodes, and none of these nodes is a view that
 * may have no call. */
static uint32_t sure_of(const struct finder *f, const struct group *g, uint32_t c)
{
	uint32_t n = 0, one;

	for (uint32_t k = 0; k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k];

		if (candidate_at(f, line, c) != UINT32_MAX && left(f, line, &one) == 1 &&
		    !may_vanish(f, line))
			n += weight_of(f, c, line);
	}
	return n;
}

/* Decides which nodes of the group the call n->calls[c] computes. The record says how many nodes
 * these are. If the call is a candidate of exactly that many nodes, it computes all of them. If it
 * is certain for that many nodes that the call computes them, the call is removed from the
 * candidates of all other nodes. */
static void fit(struct finder *f, const struct group *g, uint32_t c)
{
	uint32_t room = room_of(f, g, c), may = choice_of(f, g, c), does = sure_of(f, g, c), one;

	if (may != room && does != room)
		return;
	for (uint32_t k = 0; k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k];
		uint32_t at = candidate_at(f, line, c);

		if (at == UINT32_MAX)
			continue;
		if (may == room)
			keep_only(f, line, c);
		else if (left(f, line, &one) > 1 || may_vanish(f, line))
			drop(f, at);
	}
}

/* Returns row `k` of f->may. It has a value for each line of the group: may call `k` of the group
 * compute the line? */
static bool *row_of(const struct finder *f, const struct group *g, uint32_t k)
{
	return f->may + (size_t)k * g->lines;
}

/* Is each element that is true in row `a` also true in row `b`? */
static bool is_part(const bool *a, const bool *b, uint32_t count)
{
	for (uint32_t j = 0; j < count; j++)
		if (a[j] && !b[j])
			return false;
	return true;
}

/* Each kernel computes one node. If n kernels together are candidates of only n nodes, they compute
 * these nodes; so all other calls are removed from the candidates of these nodes. */
static void share(struct finder *f, const struct group *g)
{
	for (uint32_t k = 0; k < g->calls; k++)
		for (uint32_t j = 0; j < g->lines; j++)
			row_of(f, g, k)[j] =
				candidate_at(f, f->by_handle[g->first_line + j],
			                     f->calls_by_handle[g->first_call + k]) != UINT32_MAX;
	for (uint32_t k = 0; k < g->calls; k++) {
		const bool *mine = row_of(f, g, k);
		uint32_t kernels = 0, nodes = 0;

		for (uint32_t j = 0; j < g->lines; j++)
			nodes += mine[j];
		for (uint32_t i = 0; i < g->calls; i++)
			kernels += is_kernel(f, g, i) && is_part(row_of(f, g, i), mine, g->lines);
		if (!is_kernel(f, g, k) || kernels != nodes)
			continue;
		for (uint32_t i = 0; i < g->calls; i++)
			if (!is_kernel(f, g, i) || !is_part(row_of(f, g, i), mine, g->lines))
				for (uint32_t j = 0; j < g->lines; j++)
					if (mine[j])
						drop_call(f, f->by_handle[g->first_line + j],
						          f->calls_by_handle[g->first_call + i]);
	}
}

static void pair_in_order(struct finder *f, const struct group *g)
{
	for (uint32_t k = 0; k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k], before = 0, alike = 0, seen = 0;
		struct etc_str base = etc_gap_operator_of(f->g->lines.v[line].node);

		for (uint32_t j = 0; j < g->lines; j++) {
			bool same = is_of(f, f->by_handle[g->first_line + j], base);

			before += same && j < k;
			alike += same;
		}
		if (f->first[line + 1] - f->first[line] != alike)
			continue;
		for (uint32_t j = f->first[line]; j < f->first[line + 1]; j++, seen++)
			if (seen == before)
				keep_only(f, line, f->candidate[j]);
	}
}

/* Removes from the candidates of each node the calls that cannot compute it: by the order of
 * instructions (bound()), by the number of nodes that each call computes (fit()) and, if `all` is
 * true, also by what several kernels compute together (share()). Repeats this until a round removes
 * no candidate, at most ROUNDS_MOST times. */
static void narrow(struct finder *f, bool all)
{
	for (int round = 0; round < ROUNDS_MOST && !f->in_order; round++) {
		f->changed = false;
		bound(f);
		for (uint32_t i = 0; i < f->group_count; i++) {
			const struct group *g = &f->group[i];

			for (uint32_t k = 0; g->sane && k < g->calls; k++)
				fit(f, g, f->calls_by_handle[g->first_call + k]);
			if (g->sane && all)
				share(f, g);
		}
		if (!f->changed)
			break;
	}
}

/* Is it still possible that each call of the group computes as many of the group's nodes as the
 * record lists, and that each node is computed by some call? */
static bool is_possible(const struct finder *f, const struct group *g)
{
	uint32_t one;

	for (uint32_t k = 0; k < g->calls; k++) {
		uint32_t c = f->calls_by_handle[g->first_call + k];

		if (choice_of(f, g, c) < room_of(f, g, c) || sure_of(f, g, c) > room_of(f, g, c))
			return false;
	}
	for (uint32_t k = 0; k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k];

		if (f->first[line] < f->first[line + 1] && !may_vanish(f, line) &&
		    !left(f, line, &one))
			return false;
	}
	return true;
}

static bool all_possible(const struct finder *f)
{
	for (uint32_t i = 0; i < f->group_count; i++)
		if (f->group[i].sane && !is_possible(f, &f->group[i]))
			return false;
	return true;
}

/* For each candidate of a line, assumes that this candidate computes the line. If no instruction
 * could then compute some other node, removes the candidate. `kept`: scratch for a copy of
 * f->gone. */
static void try_each(struct finder *f, uint32_t line, bool *kept)
{
	uint32_t one, total = f->first[f->g->lines.count];

	for (uint32_t k = f->first[line]; k < f->first[line + 1] && left(f, line, &one) > 1; k++) {
		bool good;

		if (f->gone[k])
			continue;
		memcpy(kept, f->gone, total * sizeof *kept);
		keep_only(f, line, f->candidate[k]);
		narrow(f, false);
		good = all_possible(f);
		memcpy(f->gone, kept, total * sizeof *kept);
		if (!good) {
			drop(f, k);
			f->tried = true;
		}
	}
}

/* Tests the candidates of all lines with try_each(), unless that would take too long. Returns false
 * if out of memory. */
static bool try_all(struct finder *f)
{
	uint32_t total = f->first[f->g->lines.count], open = 0, one;
	bool *kept = etc_new(f->arena, bool, total);

	if (!kept)
		return false;
	for (uint32_t i = 0; i < f->g->lines.count; i++)
		open += left(f, i, &one) > 1 ? f->first[i + 1] - f->first[i] : 0;
	f->tried = (uint64_t)open * total <= TRIES_MOST && !f->in_order && all_possible(f);
	for (int round = 0; round < ROUNDS_MOST && f->tried; round++) {
		f->tried = false;
		for (uint32_t i = 0; i < f->g->lines.count; i++)
			if (left(f, i, &one) > 1 && !may_vanish(f, i))
				try_each(f, i, kept);
		narrow(f, true);
	}
	return true;
}

static bool settle(struct finder *f)
{
	f->earliest = etc_new(f->arena, int64_t, f->g->lines.count);
	f->latest = etc_new(f->arena, int64_t, f->g->lines.count);
	f->may = etc_new(f->arena, bool, GROUP_MOST);
	if (!f->earliest || !f->latest || !f->may)
		return false;
	for (uint32_t i = 0; i < f->group_count && f->in_order; i++)
		if (f->group[i].sane)
			pair_in_order(f, &f->group[i]);
	narrow(f, true);
	return try_all(f);
}

/* ---- the answer ------------------------------------------------------------------------- */

/* Does the line run other graphs (cond, map, while_loop, scan)? The instructions of those graphs
 * compute the value of the line, and the record lists none of them. */
static bool runs_graphs(const struct etc_graph_line *line)
{
	return etc_str_find(line->target, ETC_STR("higher_order."), 0) != SIZE_MAX;
}

static void own(struct finder *f)
{
	for (uint32_t i = 0; i < f->g->lines.count; i++) {
		const struct group *g;
		uint32_t one;

		if (f->line_group[i] == UINT32_MAX)
			continue;
		g = &f->group[f->line_group[i]];
		if (left(f, i, &one) == 1 &&
		    (!may_vanish(f, i) || choice_of(f, g, one) == room_of(f, g, one)))
			f->n->owner[i] = f->n->calls[one].instruction;
		else if (g->calls ? !(f->first[i] == f->first[i + 1] && g->sane &&
		                      etc_gap_may_vanish(f->g->lines.v[i].node))
		                  : runs_graphs(&f->g->lines.v[i]))
			f->n->owner[i] = ETC_GAP_UNSURE;
	}
}

static bool takes_first_item(const struct finder *f, uint32_t item)
{
	const struct etc_graph_line *line = &f->g->lines.v[item];

	return line->argument_count > 1 && etc_str_eq(line->arguments[1].text, ETC_STR("0"));
}

/* Sets exits[line] for each line of delegate `c` that is read outside of the delegate. Returns
 * false if a line outside reads an output of a node that is not the node's first output. */
static bool exits_of(const struct finder *f, const struct etc_gap_call *c, bool *exits)
{
	const uint32_t *first = f->flow->first_input, *inputs = f->flow->inputs;
	bool good = true;

	for (uint32_t i = 0; i < f->g->lines.count; i++) {
		exits[i] = false;
		if (is_item(f, i) || f->n->owner[i] == c->instruction)
			continue;
		for (uint32_t k = first[i]; k < first[i + 1]; k++) {
			uint32_t from = f->alias[inputs[k]];

			if (f->n->owner[from] != c->instruction)
				continue;
			exits[from] = true;
			good &= from == inputs[k] || takes_first_item(f, inputs[k]);
		}
	}
	return good;
}

/* Delegate `c` computes some nodes with handle `h`. Are all of these nodes known? */
static bool has_all(struct finder *f, const struct etc_gap_call *c, int64_t h)
{
	size_t at = etc_map_get(&f->groups, etc_map_number(&h));
	const struct group *g = at == ETC_MAP_NONE ? NULL : &f->group[at];
	uint32_t room = 0, has = 0;

	for (uint32_t k = 0; k < c->handle_count; k++)
		room += c->handles[k] == h;
	for (uint32_t k = 0; g && k < g->lines; k++) {
		uint32_t line = f->by_handle[g->first_line + k];

		has += f->n->owner[line] == c->instruction ? f->weight[line] : 0;
	}
	return has == room;
}

static bool depends(const struct finder *f, uint32_t line, uint32_t on, bool *seen)
{
	const uint32_t *first = f->flow->first_input;

	memset(seen, 0, f->g->lines.count * sizeof *seen);
	seen[line] = true;
	for (uint32_t i = line; i > on; i--)
		for (uint32_t k = first[i]; seen[i] && k < first[i + 1]; k++)
			seen[f->flow->inputs[k]] = true;
	return seen[on];
}

/* Returns which of two nodes comes first in delegate `c`: 1 for the node on line `a`, -1 for the
 * node on line `b`, 0 if it is unknown. A record lists the handles and the outputs of a delegate in
 * the order of its nodes. `seen`: scratch. */
static int order_of(const struct finder *f, const struct etc_gap_call *c, uint32_t a, uint32_t b,
                    bool *seen)
{
	int64_t x = f->g->lines.v[a].node->debug_handle.v[0];
	int64_t y = f->g->lines.v[b].node->debug_handle.v[0];
	uint32_t first[2] = { UINT32_MAX, UINT32_MAX }, last[2] = { 0, 0 };

	for (uint32_t k = 0; k < c->handle_count; k++)
		for (int s = 0; s < 2; s++)
			if (c->handles[k] == (s ? y : x)) {
				first[s] = first[s] == UINT32_MAX ? k : first[s];
				last[s] = k;
			}
	if (x != y && last[0] < first[1])
		return 1;
	if (x != y && last[1] < first[0])
		return -1;
	return depends(f, b, a, seen) ? 1 : depends(f, a, b, seen) ? -1 : 0;
}

static void place_outputs(const struct finder *f, struct etc_gap_call *c, const uint32_t *exits,
                          uint32_t count, bool *seen)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t before = 0;
		bool known = true;

		for (uint32_t k = 0; k < count; k++) {
			int order = k == i ? 1 : order_of(f, c, exits[k], exits[i], seen);

			before += k != i && order > 0;
			known &= order != 0;
		}
		if (known)
			c->outputs[before] = exits[i];
	}
}

/* For a delegate with only one output: sets this output to the last node of the delegate, because
 * the last node is always an output. Does nothing if that node is unknown. */
static void place_last(struct finder *f, struct etc_gap_call *c, const bool *exits)
{
	int64_t last = c->handles[c->handle_count - 1];
	uint32_t found = UINT32_MAX, n = 0;

	if (!has_all(f, c, last))
		return;
	for (uint32_t i = 0; i < f->g->lines.count; i++)
		if (exits[i] && f->g->lines.v[i].node->debug_handle.v[0] == last) {
			found = i;
			n++;
		}
	if (n == 1)
		c->outputs[0] = found;
}

/* Sets c->may to the lines that are outputs of the delegate, if it is unknown which output each of
 * these lines is. False: out of memory. */
static bool list_unplaced(const struct finder *f, struct etc_gap_call *c, const uint32_t *exits,
                          uint32_t count)
{
	uint32_t *may = etc_new(f->arena, uint32_t, count);

	c->may = may;
	for (uint32_t i = 0; may && i < count; i++) {
		bool placed = false;

		for (uint32_t k = 0; k < c->output_count; k++)
			placed |= c->outputs[k] == exits[i];
		if (!placed)
			may[c->may_count++] = exits[i];
	}
	return may != NULL;
}

static bool find_outputs(struct finder *f, struct etc_gap_call *c)
{
	bool *exits = etc_new(f->arena, bool, f->g->lines.count);
	bool *seen = etc_new(f->arena, bool, f->g->lines.count);
	uint32_t list[ETC_GAP_OUTPUTS_MOST], n = 0;
	bool whole = true;

	if (!exits || !seen)
		return false;
	if (!exits_of(f, c, exits))
		return true;
	for (uint32_t k = 0; k < c->handle_count; k++)
		whole &= has_all(f, c, c->handles[k]);
	for (uint32_t i = 0; i < f->g->lines.count; i++)
		if (exits[i]) {
			if (n < ETC_GAP_OUTPUTS_MOST)
				list[n] = i;
			n++;
		}
	if (whole && n == c->output_count) {
		place_outputs(f, c, list, n, seen);
		return list_unplaced(f, c, list, n);
	}
	if (c->output_count == 1)
		place_last(f, c, exits);
	return true;
}

static bool answer(struct finder *f)
{
	uint32_t *owned = etc_new(f->arena, uint32_t, f->n->call_count);

	if (!owned)
		return false;
	own(f);
	for (uint32_t i = 0; i < f->g->lines.count; i++) {
		const struct etc_gap_call *c = etc_gap_call_of(f->n, f->n->owner[i]);

		if (!c || c->is_delegate)
			continue;
		owned[c - f->n->calls]++;
		if (c->output_count)
			c->outputs[0] = i;
	}
	for (uint32_t i = 0; i < f->g->lines.count; i++) {
		const struct etc_gap_call *c = etc_gap_call_of(f->n, f->n->owner[i]);

		if (c && !c->is_delegate && owned[c - f->n->calls] > 1) {
			f->n->owner[i] = ETC_GAP_UNSURE;
			c->outputs[0] = UINT32_MAX;
		}
	}
	for (uint32_t c = 0; c < f->n->call_count; c++)
		if (f->n->calls[c].is_delegate && !find_outputs(f, &f->n->calls[c]))
			return false;
	return true;
}

/* Does instruction `c` compute exactly one node, and log nothing but the value of that node? */
static bool is_single(const struct etc_gap_call *c)
{
	return !c->is_delegate || (c->handle_count == 1 && c->output_count == 1);
}

/* For each line, lists the calls that may compute it. The list is empty for a line that may be a
 * view without a call (may_vanish()). For each call that computes exactly one node, if it is
 * unknown which node, lists the nodes that it may compute. */
static bool list_choices(struct finder *f)
{
	uint32_t n = f->g->lines.count, total = f->first[n];
	uint32_t *first = etc_new(f->arena, uint32_t, (size_t)n + 1);
	uint32_t *calls = etc_new(f->arena, uint32_t, (size_t)total + 1);
	uint32_t *may = etc_new(f->arena, uint32_t, (size_t)total + 1), at = 0;

	if (!first || !calls || !may)
		return false;
	f->n->first_call = first;
	f->n->may_call = calls;
	for (uint32_t i = 0, count = 0; i < n; first[++i] = count)
		for (uint32_t k = f->first[i]; k < f->first[i + 1]; k++)
			if (!f->gone[k] && !may_vanish(f, i))
				calls[count++] = f->candidate[k];
	for (uint32_t c = 0; c < f->n->call_count; c++) {
		struct etc_gap_call *of = &f->n->calls[c];
		uint32_t only = 0, one;

		if (!is_single(of) || !of->output_count || of->outputs[0] != UINT32_MAX)
			continue;
		of->may = may + at;
		for (uint32_t i = 0; i < n; i++)
			if (f->n->owner[i] == ETC_GAP_UNSURE &&
			    candidate_at(f, i, c) != UINT32_MAX) {
				may[at++] = i;
				only += left(f, i, &one) == 1;
			}
		/* This call is the only candidate of two nodes, but computes just one node. So the
		 * record belongs to another program. */
		of->may_count = only > 1 ? 0 : (uint32_t)(may + at - of->may);
	}
	return true;
}

static bool find(struct finder *f, const struct etc_method_maps *maps,
                 const struct etc_logged_list *list)
{
	uint32_t n = f->g->lines.count;

	etc_map_init(&f->groups, f->arena);
	etc_map_init(&f->n->of_instruction, f->arena);
	f->n->owner = etc_new(f->arena, int32_t, n);
	f->line_group = etc_new(f->arena, uint32_t, n);
	f->weight = etc_new(f->arena, uint32_t, n);
	f->alias = etc_new(f->arena, uint32_t, n);
	f->group = etc_new(f->arena, struct group, n);
	if (!f->n->owner || !f->line_group || !f->weight || !f->alias || !f->group)
		return false;
	if (!list_calls(f, maps))
		return false;
	name_calls(f, list);
	if (!describe_lines(f) || !fill_groups(f))
		return false;
	check_groups(f);
	if (!make_candidates(f))
		return false;
	for (uint32_t i = 0; i < n && f->many; i++)
		f->n->owner[i] = ETC_GAP_UNSURE;
	return f->many || (settle(f) && answer(f) && list_choices(f));
}

enum etc_status etc_gap_nodes_find(const struct etc_gap_graph *graph,
                                   const struct etc_method_maps *maps,
                                   const struct etc_logged_list *list, struct etc_arena *arena,
                                   struct etc_gap_nodes *out, struct etc_error *err)
{
	struct finder f = {
		.g = graph, .flow = &graph->flow, .n = out, .arena = arena, .in_order = true
	};

	*out = (struct etc_gap_nodes){ .graph = graph };
	return find(&f, maps, list) ? ETC_OK : etc_no_memory(err);
}

const struct etc_gap_call *etc_gap_call_of(const struct etc_gap_nodes *n, int32_t instruction)
{
	struct etc_str key = { (const char *)&instruction, sizeof instruction };
	size_t at = etc_map_get(&n->of_instruction, key);

	return at == ETC_MAP_NONE ? NULL : &n->calls[at];
}

static bool is_view(const struct etc_gap_nodes *n, uint32_t line)
{
	const struct etc_node *node = etc_gap_called_node(&n->graph->lines.v[line]);

	return node && n->owner[line] == ETC_GAP_NOBODY && etc_gap_may_vanish(node);
}

uint32_t etc_gap_viewed(const struct etc_gap_nodes *n, uint32_t line)
{
	const struct etc_gap_flow *f = &n->graph->flow;

	while (is_view(n, line) && f->first_input[line] < f->first_input[line + 1])
		line = f->inputs[f->first_input[line]];
	return line;
}

uint32_t etc_gap_view_of(const struct etc_gap_nodes *n, uint32_t line)
{
	const struct etc_gap_flow *f = &n->graph->flow;
	uint32_t found = UINT32_MAX;

	for (uint32_t i = line + 1; i < n->graph->lines.count; i++) {
		if (!is_view(n, i) || f->first_input[i] == f->first_input[i + 1] ||
		    f->inputs[f->first_input[i]] != line)
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = i;
	}
	return found;
}

static bool is_one_of(const struct etc_graph_line *line, const int64_t *handles, uint32_t count)
{
	for (uint32_t k = 0; line->node && k < count && line->op == ETC_LINE_CALL; k++)
		if (line->node->debug_handle.count && line->node->debug_handle.v[0] == handles[k])
			return true;
	return false;
}

uint32_t etc_gap_exit_of(const struct etc_gap_graph *g, const int64_t *handles, uint32_t count)
{
	const uint32_t *first = g->flow.first_input, *inputs = g->flow.inputs;
	uint32_t found = UINT32_MAX, one = UINT32_MAX, nodes = 0;

	if (count == 1)
		return etc_gap_flow_exit(&g->flow, handles[0]);
	for (uint32_t i = 0; i < g->lines.count; i++) {
		if (is_one_of(&g->lines.v[i], handles, count)) {
			one = etc_gap_called_node(&g->lines.v[i]) ? i : one;
			nodes += etc_gap_called_node(&g->lines.v[i]) != NULL;
			continue;
		}
		for (uint32_t k = first[i]; k < first[i + 1]; k++) {
			uint32_t from = inputs[k];

			if (!is_one_of(&g->lines.v[from], handles, count))
				continue;
			if (!etc_gap_called_node(&g->lines.v[from]) &&
			    first[from] < first[from + 1])
				from = inputs[first[from]];
			if (found != UINT32_MAX && found != from)
				return UINT32_MAX;
			found = from;
		}
	}
	return nodes == 1 ? one : found;
}
