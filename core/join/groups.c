/* groups.c -- see groups.h */
#include "join/groups.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/text.h"

/* A list of names that is longer than this is truncated. The number of omitted names and a hash of
 * all names follow, so that different sets have different texts. */
enum { LISTED_BYTES = 1 << 16 };

#define UNKNOWN ETC_STR("(unknown)")

/* The distinct names of the modules or source lines of some nodes. */
struct names {
	struct etc_map seen;
	struct etc_str *v;
	uint32_t count, room;
	/* class of the module, or text of the source line; empty if the nodes have different
	 * ones */
	struct etc_str detail;
	struct etc_arena *arena;
};

static void names_init(struct names *n, struct etc_arena *arena)
{
	*n = (struct names){ .arena = arena };
	etc_map_init(&n->seen, arena);
}

static bool add_name(struct names *n, struct etc_str name, struct etc_str detail)
{
	size_t at = etc_map_add(&n->seen, name, n->count);
	struct etc_str *new;

	if (at == ETC_MAP_NONE)
		return false;
	if (n->count && !etc_str_eq(n->detail, detail))
		n->detail = (struct etc_str){ 0 };
	if (at < n->count)
		return true;
	if (n->count == 0)
		n->detail = detail;
	new = ETC_APPEND(n->arena, n->v, n->count, n->room);
	if (new)
		*new = name;
	return new;
}

/* A name and its rank for sorting: "(root)" and "(no module)" come last. */
struct ranked_name {
	struct etc_str name;
	uint64_t rank;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked_name *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return etc_str_cmp(x->name, y->name);
}

/* Returns the line number at the end of a name such as "net.py:12". */
static uint64_t number_at_end(struct etc_str s)
{
	uint64_t n = 0, ten = 1;

	for (size_t i = s.len; i-- > 0 && s.ptr[i] >= '0' && s.ptr[i] <= '9' && ten < 1000000000;
	     ten *= 10)
		n += ten * (uint64_t)(s.ptr[i] - '0');
	return n;
}

/* Sorts modules in the order of the graph, and source lines by number. Equal sets then have equal
 * texts. */
static bool sort_names(struct names *n, const struct etc_map *order)
{
	struct ranked_name *v = etc_new(n->arena, struct ranked_name, n->count);

	if (!v)
		return false;
	for (uint32_t i = 0; i < n->count; i++) {
		size_t at = order ? etc_map_get(order, n->v[i]) : number_at_end(n->v[i]);
		bool last = etc_str_starts(n->v[i], ETC_STR("("));

		v[i] = (struct ranked_name){ n->v[i], last ? UINT64_MAX : at };
	}
	qsort(v, n->count, sizeof *v, by_rank);
	for (uint32_t i = 0; i < n->count; i++)
		n->v[i] = v[i].name;
	return true;
}

/* Returns all names as one text. Equal sets of names have the same text. */
static struct etc_str list_of(const struct names *n, struct etc_arena *arena)
{
	struct etc_text t = { 0 };
	uint64_t hash = 0xcbf29ce484222325u;
	uint32_t listed = 0;

	for (uint32_t i = 0; i < n->count; i++) {
		for (size_t k = 0; k < n->v[i].len; k++)
			hash = (hash ^ (uint8_t)n->v[i].ptr[k]) * 0x100000001b3u;
		hash = (hash ^ 0xff) * 0x100000001b3u;
		if (t.len >= LISTED_BYTES)
			continue;
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_put(&t, n->v[i]);
		listed++;
	}
	if (listed < n->count)
		etc_text_printf(&t, ", and %u more (set %016llx)", n->count - listed,
		                (unsigned long long)hash);
	return etc_text_keep(&t, arena);
}

/* Sets the name of a group and how certain it is. `names` are the names of the nodes' modules or
 * source lines. In `names`, the text `none` stands for a node that has no module or source line. */
static bool settle(struct etc_group *g, struct names *names, struct etc_str none,
                   const struct etc_map *order, struct etc_arena *arena)
{
	g->count = names->count;
	if (names->count == 1 &&
	    (etc_str_eq(names->v[0], none) || etc_str_eq(names->v[0], UNKNOWN)))
		g->count = 0;
	if (names->count == 0 || g->count == 0) {
		g->name = names->count ? names->v[0] : UNKNOWN;
		g->how = ETC_PLACE_UNKNOWN;
		return true;
	}
	g->detail = names->detail;
	if (names->count == 1) {
		g->name = g->members = names->v[0];
		g->how = ETC_PLACE_EXACT; /* all nodes have this name, so the name is certain */
		return true;
	}
	if (g->how == ETC_PLACE_EXACT)
		g->how = ETC_PLACE_FUSED;
	if (!sort_names(names, order))
		return false;
	g->name = g->members = list_of(names, arena);
	return g->name.ptr != NULL;
}

/* ---- relevant nodes -------------------------------------------------------------- */

/* The nodes from which the modules and source lines of an event are taken. Nodes that quantise or
 * dequantise have the same handle as the operator between them, so they are left out if the event
 * has other nodes. For an event that converts types, it is the reverse: if some of its nodes
 * quantise or dequantise, the other nodes are left out. */
struct voters {
	const struct etc_place *place;
	bool any; /* the event has no node of the preferred kind, so all of its nodes are used */
	bool quantising;
};

static struct voters voters_of(const struct etc_place *p, bool converts)
{
	struct voters v = { .place = p, .any = true, .quantising = converts };

	for (uint32_t i = 0; i < p->count && v.any; i++)
		v.any = etc_node_quantises(p->nodes[i]) != converts;
	return v;
}

static bool votes(const struct voters *v, const struct etc_node *n)
{
	return v->any || etc_node_quantises(n) == v->quantising;
}

/* ---- modules --------------------------------------------------------------------- */

/* Returns the name of a class without its Python module. */
static struct etc_str short_class(struct etc_str klass)
{
	for (size_t i = klass.len; i-- > 0;)
		if (klass.ptr[i] == '.')
			return etc_str_sub(klass, i + 1, klass.len);
	return klass;
}

/* Is `klass` a class that the exporter puts around the model? */
static bool is_wrapper(struct etc_str klass)
{
	return etc_str_starts(klass, ETC_STR("torch.export.")) ||
	       etc_str_starts(klass, ETC_STR("torch.fx."));
}

struct etc_str etc_group_root_class(const struct etc_node *n)
{
	for (uint32_t i = n->module_count; i-- > 0;)
		if (n->modules[i].path.len == 0 && !is_wrapper(n->modules[i].klass))
			return short_class(n->modules[i].klass);
	return (struct etc_str){ 0 };
}

/* Was the node's list of modules probably split in the wrong place, because a module's name
 * contains ',' or ';'? If so, a module of the list has no key, or has a class without a Python
 * module. */
static bool is_split(const struct etc_node *n)
{
	for (uint32_t i = 0; i < n->module_count; i++) {
		const struct etc_module *m = &n->modules[i];

		if (m->key.len == 0 || etc_str_find(m->klass, ETC_STR("."), 0) == SIZE_MAX)
			return true;
	}
	return false;
}

static bool group_modules(const struct voters *v, const struct etc_group_names *in,
                          struct etc_group *g, struct etc_arena *arena)
{
	const struct etc_place *p = v->place;
	struct names names;

	names_init(&names, arena);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct etc_node *n = p->nodes[i];
		const struct etc_module *m =
			n->module_count && !is_split(n) ? &n->modules[n->module_count - 1] : NULL;
		bool ok;

		if (!votes(v, n))
			continue;
		if (m && m->path.len)
			ok = add_name(&names, m->path, short_class(m->klass));
		else if (m)
			ok = add_name(&names, ETC_STR("(root)"), in->root);
		else
			ok = add_name(&names, n->has_modules ? UNKNOWN : ETC_STR("(no module)"),
			              ETC_STR_NONE);
		if (!ok)
			return false;
	}
	return settle(g, &names, ETC_STR("(no module)"), &in->order, arena);
}

/* ---- lines of source ------------------------------------------------------------- */

static struct etc_str line_of(const struct etc_node *n, struct etc_str folder,
                              struct etc_arena *arena)
{
	struct etc_str file = n->source_file;
	size_t packages = etc_group_packages(file);

	if (packages)
		file = etc_str_sub(file, packages, file.len);
	else if (etc_str_starts(file, folder))
		file = etc_str_sub(file, folder.len, file.len);
	return etc_arena_printf(arena, ETC_STR_FMT ":%u", ETC_STR_ARG(file), n->source_line);
}

size_t etc_group_packages(struct etc_str file)
{
	static const struct etc_str folders[] = { { "/site-packages/", 15 },
		                                  { "/dist-packages/", 15 },
		                                  { "\\site-packages\\", 15 } };
	size_t end = 0, at;

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		while ((at = etc_str_find(file, folders[i], end ? end - 1 : 0)) != SIZE_MAX)
			end = at + folders[i].len;
	return end;
}

static bool group_lines(const struct voters *v, struct etc_str folder, struct etc_group *g,
                        struct etc_arena *arena)
{
	const struct etc_place *p = v->place;
	struct names names;

	names_init(&names, arena);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct etc_node *n = p->nodes[i];
		struct etc_str line = ETC_STR("(no source line)");

		if (!votes(v, n))
			continue;
		if (n->source_file.len)
			line = line_of(n, folder, arena);
		if (!line.ptr || !add_name(&names, line, n->source_text))
			return false;
	}
	return settle(g, &names, ETC_STR("(no source line)"), NULL, arena);
}

bool etc_groups_make(struct etc_place *place, const struct etc_group_names *in, bool converts,
                     struct etc_arena *arena)
{
	struct etc_group *g = etc_new(arena, struct etc_group, 2);
	struct voters v = voters_of(place, converts);

	if (!g)
		return false;
	g[0].how = g[1].how = place->how;
	place->module = &g[0];
	place->source = &g[1];
	return group_modules(&v, in, &g[0], arena) && group_lines(&v, in->folder, &g[1], arena);
}
