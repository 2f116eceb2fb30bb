/* tree.c -- `--tree`: shows the modules of one path as a tree; see tables.h.
 *
 * The exclusive time of a module is the time of its rows. The inclusive time also contains the time
 * of all modules inside it. A row that belongs to several modules (a partition, a fused event) is
 * shown as a line below the innermost module that contains all of them, so that the times add up
 * without an assumption. */
#include "commands/analyze/tables.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "table/cells.h"

enum { NAME, CLASS, TOTAL, SHARE, SELF, HOW, COLUMNS };

static const struct etc_column columns[COLUMNS] = {
	[NAME] = { .name = "name", .title = "module", .style = ETC_STYLE_LIST },
	[CLASS] = { .name = "class", .title = "class", .optional = ETC_COLUMN_OPTIONAL },
	[TOTAL] = { .name = "total_ns", .title = "total", ETC_FORM_TIME },
	[SHARE] = { .name = "share", .title = "share", ETC_FORM_SHARE },
	[SELF] = { .name = "self_ns", .title = "self", ETC_FORM_TIME },
	[HOW] = { .name = "how", .title = "how", .optional = ETC_COLUMN_MINOR },
};

enum {
	/* largest number of levels of the tree; the remaining components of a longer path form one
	 * name */
	DEPTH_MOST = 64,
	INDENT = 2
};

enum { TOP = 0 /* the root, which has no line of its own */ };

struct node {
	struct etc_str name, detail;
	uint32_t parent, index;
	uint32_t first, count; /* range of the node's children in `sorted` */
	etc_u128 self, total;
	bool own; /* rows belong to this node itself, not only to nodes below it */
	/* if the node is a row that belongs to several modules: enum etc_place_how of the row */
	uint8_t how;
};

struct tree {
	struct node *v;
	uint32_t count;
	/* maps the path of a module, or "\n" and the name of a row, to an index in `v` */
	struct etc_map at;
	const struct node **sorted;
};

/* ---- building ------------------------------------------------------------------- */

static uint32_t add_node(struct tree *t, struct etc_str name, uint32_t parent)
{
	t->v[t->count] = (struct node){ .name = name, .parent = parent, .index = t->count };
	return t->count++;
}

/* Returns the offset of the end of the component that starts at `from`. */
static size_t component_end(struct etc_str path, size_t from)
{
	size_t dot = etc_str_find(path, ETC_STR("."), from);

	return dot == SIZE_MAX ? path.len : dot;
}

/* Finds or makes the node of a module, and the nodes of the modules around it. UINT32_MAX: out of
 * memory. */
static uint32_t module_node(struct tree *t, uint32_t root, struct etc_str path)
{
	uint32_t at = root;
	size_t from = 0;

	for (unsigned depth = 0; from < path.len; depth++) {
		size_t end = depth + 1 < DEPTH_MOST ? component_end(path, from) : path.len;
		size_t known = etc_map_add(&t->at, etc_str_sub(path, 0, end), t->count);

		if (known == ETC_MAP_NONE)
			return UINT32_MAX;
		at = known < t->count ? (uint32_t)known
		                      : add_node(t, etc_str_sub(path, from, end), at);
		from = end + 1;
	}
	return at;
}

/* Returns the path of the innermost module that contains all modules of a list: "a.b" for "a.b.c,
 * a.b.d". Empty if no module contains all of them. */
static struct etc_str common_path(struct etc_str list)
{
	size_t end = etc_str_find(list, ETC_STR(", "), 0);
	struct etc_str common = etc_str_sub(list, 0, end);

	while (end != SIZE_MAX) {
		const size_t from = end + 2;
		struct etc_str next;
		size_t same = 0;

		end = etc_str_find(list, ETC_STR(", "), from);
		next = etc_str_sub(list, from, end);
		for (size_t i = 0;; i++) {
			bool of_common = i == common.len || common.ptr[i] == '.',
			     of_next = i == next.len || next.ptr[i] == '.';

			if (of_common && of_next)
				same = i;
			if (i == common.len || i == next.len || common.ptr[i] != next.ptr[i])
				break;
		}
		common.len = same;
	}
	return etc_str_starts(common, ETC_STR("(")) ? ETC_STR("") : common;
}

/* Returns the node for a row: the node of its module. If the row belongs to several modules, it is
 * a node of its own below the innermost module that contains all of them; if it has no module, a
 * node of its own at the top of the tree. */
static uint32_t row_node(struct tree *t, uint32_t root, const struct etc_profile_row *r)
{
	const struct etc_group *g = r->group;
	uint32_t parent = TOP;
	size_t known;

	if (g && g->count == 1)
		return etc_str_eq(g->name, ETC_STR("(root)")) ? root
		                                              : module_node(t, root, g->name);
	if (g && g->count > 1)
		parent = module_node(t, root, common_path(g->name));
	if (parent == UINT32_MAX)
		return parent;
	/* The newline makes the key differ from every path of a module. Rows with the same name
	 * share a node. */
	known = etc_map_intern(
		&t->at, etc_arena_printf(t->at.arena, "\n" ETC_STR_FMT, ETC_STR_ARG(r->name)),
		t->count);
	if (known == ETC_MAP_NONE)
		return UINT32_MAX;
	return known < t->count ? (uint32_t)known : add_node(t, r->name, parent);
}

static size_t nodes_at_most(const struct etc_profile *profile, const struct etc_row_range *range)
{
	size_t n = 2;

	for (size_t i = range->from; i < range->to; i++) {
		const struct etc_group *g = profile->rows[i].group;
		unsigned depth = 1;

		for (size_t k = 0; g && k < g->name.len && depth < DEPTH_MOST; k++)
			depth += g->name.ptr[k] == '.';
		n += depth + 1;
	}
	return n;
}

/* Orders nodes by parent, then by inclusive time (the largest first), then by first appearance. */
static int by_place(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Computes the inclusive times from the last node to the first, because children come after their
 * parents in `v`. Then sorts the nodes, and sets each node's range of children. */
static void settle(struct tree *t)
{
	for (uint32_t i = t->count; i-- > 0;) {
		t->v[i].total += t->v[i].self;
		if (i != TOP)
			t->v[t->v[i].parent].total += t->v[i].total;
		t->sorted[i] = &t->v[i];
	}
	qsort(t->sorted + 1, t->count - 1, sizeof *t->sorted, by_place);
	for (uint32_t i = 1; i < t->count; i++) {
		struct node *parent = &t->v[t->sorted[i]->parent];

		parent->first = parent->count++ ? parent->first : i;
	}
}

static bool build(struct tree *t, const struct etc_profile *profile,
                  const struct etc_row_range *range, struct etc_arena *arena)
{
	size_t most = nodes_at_most(profile, range);
	uint32_t root;

	*t = (struct tree){ .v = etc_new(arena, struct node, most),
		            .sorted = etc_new(arena, const struct node *, most) };
	etc_map_init(&t->at, arena);
	if (!t->v || !t->sorted)
		return false;
	add_node(t, ETC_STR(""), TOP);
	root = add_node(t, ETC_STR("(root)"), TOP);
	for (size_t i = range->from; i < range->to; i++) {
		const struct etc_profile_row *r = &profile->rows[i];
		uint32_t at = row_node(t, root, r);

		if (at == UINT32_MAX)
			return false;
		t->v[at].self += r->self;
		t->v[at].own = true;
		if (r->group && r->group->count)
			t->v[at].detail = r->group->detail;
		if (r->group && r->group->count > 1)
			t->v[at].how = r->group->how;
	}
	settle(t);
	return true;
}

/* ---- lines ---------------------------------------------------------------------- */

struct maker {
	struct etc_table *table;
	struct etc_arena *arena;
	size_t per;
	etc_u128 whole;
};

static struct etc_cell *put(struct maker *m, uint8_t kind, struct etc_str name, etc_u128 total)
{
	struct etc_cell *c = &m->table->cells[(size_t)m->table->row_count * COLUMNS];

	m->table->row_kinds[m->table->row_count++] = kind;
	c[NAME] = etc_cell_text(name);
	c[TOTAL] = etc_cell_real(etc_ratio(total, m->per));
	c[SHARE] = etc_cell_real(etc_ratio(total, m->whole));
	return c;
}

static void put_line(void *maker, struct etc_str what, etc_u128 time)
{
	put(maker, ETC_ROW_FOOT, what, time);
}

static struct etc_str indented(const struct maker *m, unsigned depth, struct etc_str name)
{
	return etc_arena_printf(m->arena, "%*s" ETC_STR_FMT, (int)(INDENT * depth), "",
	                        ETC_STR_ARG(name));
}

/* Writes the line of a module. If a module contains nothing but one other module, both share a
 * line: "blocks.0". */
static const struct node *put_node(struct maker *m, const struct tree *t, const struct node *n,
                                   unsigned depth)
{
	static const char *const words[] = { "", "", "the partition", "fused" };
	struct etc_str name = n->name;
	struct etc_cell *c;

	while (depth && !n->own && !n->how && n->count == 1 && !t->sorted[n->first]->how) {
		n = t->sorted[n->first];
		name = etc_arena_printf(m->arena, ETC_STR_FMT "." ETC_STR_FMT, ETC_STR_ARG(name),
		                        ETC_STR_ARG(n->name));
	}
	c = put(m, ETC_ROW_BODY, indented(m, depth, name), n->total);
	c[CLASS] = etc_cell_text(n->detail);
	c[HOW] = etc_cell_word(words[n->how]);
	if (n->own)
		c[SELF] = etc_cell_real(etc_ratio(n->self, m->per));
	return n;
}

/* The children of a node that are not written yet. The children [next, shown) get a line each; the
 * children [shown, end) share one line with their sum. */
struct level {
	uint32_t next, shown, end;
};

static struct level level_of(const struct node *n, uint32_t top)
{
	const bool all = top == 0 || n->count <= top + 1;

	return (struct level){ n->first, n->first + (all ? n->count : top), n->first + n->count };
}

static void put_rest(struct maker *m, const struct tree *t, const struct level *l, unsigned depth)
{
	etc_u128 rest = 0;
	char name[32];

	if (l->shown == l->end)
		return;
	for (uint32_t i = l->shown; i < l->end; i++)
		rest += t->sorted[i]->total;
	snprintf(name, sizeof name, "%u more", l->end - l->shown);
	put(m, ETC_ROW_FOOT, indented(m, depth, etc_str_of(name)), rest);
}

static void put_tree(struct maker *m, const struct tree *t, uint32_t top)
{
	struct level levels[DEPTH_MOST + 4] = { level_of(&t->v[TOP], top) };
	unsigned depth = 0;

	for (;;) {
		struct level *l = &levels[depth];

		if (l->next < l->shown) {
			const struct node *n = t->sorted[l->next++];

			/* skips the root if it stands for no events: no event belongs to a
			 * module */
			if (!n->own && n->count == 0)
				continue;
			levels[depth + 1] = level_of(put_node(m, t, n, depth), top);
			depth++;
			continue;
		}
		put_rest(m, t, l, depth);
		if (depth-- == 0)
			return;
	}
}

enum etc_status etc_view_tree(const struct etc_profile *profile, const struct etc_row_range *range,
                              const struct etc_hidden_rows *hidden, uint32_t top,
                              struct etc_arena *arena, struct etc_table *table,
                              struct etc_error *err)
{
	const bool load = range->path == ETC_PROFILE_LOAD;
	struct maker m = {
		.table = table,
		.arena = arena,
		.per = load ? profile->den : profile->paths[range->path].per,
		.whole = load ? profile->loads[0].time : profile->paths[range->path].time,
	};
	struct etc_column *own = etc_new(arena, struct etc_column, COLUMNS);
	struct tree t;
	size_t rows;

	ETC_NEED(own && build(&t, profile, range, arena), err);
	memcpy(own, columns, sizeof columns);
	if (profile->unit != ETC_UNIT_NS)
		own[SELF].style = own[TOTAL].style = ETC_STYLE_PLAIN;
	rows = 2 * (size_t)t.count + 6;
	*table = (struct etc_table){ .columns = own,
		                     .column_count = COLUMNS,
		                     .cells = etc_new(arena, struct etc_cell, rows * COLUMNS),
		                     .row_kinds = etc_new(arena, uint8_t, rows) };
	ETC_NEED(table->cells && table->row_kinds, err);
	put_tree(&m, &t, top);
	if (hidden->count)
		put_line(&m, etc_view_hidden(hidden, arena), hidden->self);
	if (!load)
		etc_view_foot(profile, &profile->paths[range->path], arena, put_line, &m);
	return ETC_OK;
}
