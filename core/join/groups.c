/* groups.c -- see groups.h */
#include "join/groups.h"

#include "base/map.h"
#include "base/text.h"

enum { LISTED = 16 /* names in a list; more are counted */ };

/* Distinct names in the order of the graph. */
struct names {
	struct etc_map seen;
	struct etc_str first[LISTED];
	uint32_t count;
};

static bool add_name(struct names *n, struct etc_str name)
{
	size_t at = etc_map_add(&n->seen, name, n->count);

	if (at == ETC_MAP_NONE)
		return false;
	if (at == n->count) {
		if (n->count < LISTED)
			n->first[n->count] = name;
		n->count++;
	}
	return true;
}

static struct etc_str list_of(const struct names *n, struct etc_arena *arena)
{
	struct etc_text t = { 0 };
	struct etc_str s;

	for (uint32_t i = 0; i < n->count && i < LISTED; i++) {
		etc_text_cstr(&t, i ? ", " : "");
		etc_text_put(&t, n->first[i]);
	}
	if (n->count > LISTED)
		etc_text_printf(&t, ", and %u more", n->count - LISTED);
	s = etc_arena_str(arena, etc_text_str(&t));
	etc_text_release(&t);
	return s;
}

static const struct etc_module *deepest(const struct etc_node *node)
{
	return node->module_count ? &node->modules[node->module_count - 1] : NULL;
}

/* How many levels two stacks of modules have in common, at most `depth`. */
static uint32_t common(const struct etc_node *a, const struct etc_node *b, uint32_t depth)
{
	uint32_t n = 0;

	while (n < depth && n < b->module_count &&
	       etc_str_eq(a->modules[n].path, b->modules[n].path))
		n++;
	return n;
}

/* The class without the module it is defined in. */
static struct etc_str short_class(struct etc_str klass)
{
	for (size_t i = klass.len; i-- > 0;)
		if (klass.ptr[i] == '.')
			return etc_str_sub(klass, i + 1, klass.len);
	return klass;
}

static bool group_modules(const struct etc_place *p, struct etc_group *g, struct etc_arena *arena)
{
	const struct etc_node *first = NULL;
	struct names names = { 0 };
	struct etc_str path = { 0 };
	bool some_without = false;
	uint32_t depth = 0;

	etc_map_init(&names.seen, arena);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct etc_module *m = deepest(p->nodes[i]);

		if (!m) {
			some_without = true;
			continue;
		}
		if (!add_name(&names, m->path))
			return false;
		depth = first ? common(first, p->nodes[i], depth) : p->nodes[i]->module_count;
		first = first ? first : p->nodes[i];
	}
	g->count = names.count;
	if (names.count == 0) {
		g->name = p->count ? ETC_STR("(no module)") : ETC_STR("(unknown)");
		return true;
	}
	if (depth) {
		path = first->modules[depth - 1].path;
		g->detail = short_class(first->modules[depth - 1].klass);
	}
	if (path.len == 0)
		path = ETC_STR("(root)");
	g->name = path;
	if (names.count == 1) {
		if (!some_without)
			g->how = ETC_PLACE_EXACT; /* whichever of the nodes it is */
		return true;
	}
	g->name = etc_arena_printf(arena, "%u modules in " ETC_STR_FMT, names.count,
	                           ETC_STR_ARG(path));
	g->members = list_of(&names, arena);
	return g->name.ptr && g->members.ptr;
}

static struct etc_str line_of(const struct etc_node *n, struct etc_arena *arena)
{
	return etc_arena_printf(arena, ETC_STR_FMT ":%u", ETC_STR_ARG(n->source_file),
	                        n->source_line);
}

static bool group_lines(const struct etc_place *p, struct etc_group *g, struct etc_arena *arena)
{
	const struct etc_node *first = NULL;
	struct names names = { 0 };
	struct names files = { 0 };
	bool some_without = false;

	etc_map_init(&names.seen, arena);
	etc_map_init(&files.seen, arena);
	for (uint32_t i = 0; i < p->count; i++) {
		const struct etc_node *n = p->nodes[i];
		struct etc_str line;

		if (!n->source_file.len) {
			some_without = true;
			continue;
		}
		line = line_of(n, arena);
		if (!line.ptr || !add_name(&names, line) || !add_name(&files, n->source_file))
			return false;
		first = first ? first : n;
	}
	g->count = names.count;
	if (!first) {
		g->name = p->count ? ETC_STR("(no source line)") : ETC_STR("(unknown)");
		return true;
	}
	if (names.count == 1) {
		if (!some_without)
			g->how = ETC_PLACE_EXACT;
		g->name = names.first[0];
		g->detail = first->source_text;
		return true;
	}
	g->name = files.count == 1 ? etc_arena_printf(arena, "%u lines of " ETC_STR_FMT,
	                                              names.count, ETC_STR_ARG(first->source_file))
	                           : etc_arena_printf(arena, "%u lines of %u files", names.count,
	                                              files.count);
	g->members = list_of(&names, arena);
	return g->name.ptr && g->members.ptr;
}

bool etc_groups_make(struct etc_place *place, struct etc_arena *arena)
{
	struct etc_group *g = etc_new(arena, struct etc_group, 2);

	if (!g)
		return false;
	g[0].how = g[1].how = place->how;
	place->module = &g[0];
	place->source = &g[1];
	return group_modules(place, &g[0], arena) && group_lines(place, &g[1], arena);
}
