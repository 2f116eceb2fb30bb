/* align.c -- matches the events of two programs in stages; see align.h */
#include "commands/compare/align.h"

#include "base/map.h"
#include "base/text.h"
#include "model/builtin.h"

const char *etc_match_name(uint8_t match)
{
	static const char *const names[ETC_MATCH_COUNT] = {
		[ETC_MATCH_NONE] = "",
		[ETC_MATCH_NAME] = "name",
		[ETC_MATCH_CANONICAL] = "canonical",
		[ETC_MATCH_NODE] = "node",
		[ETC_MATCH_POSITION] = "position",
	};

	return match < ETC_MATCH_COUNT ? names[match] : "";
}

/* ---- keys of events -------------------------------------------------------------- */

/* Returns alternative number `which` (0 or 1) of a name "X or Y". If the name has no alternatives,
 * alternative 0 is the whole name, and alternative 1 is empty. */
static struct etc_str alternative(struct etc_str s, unsigned which)
{
	size_t at = etc_str_find(s, ETC_STR(" or "), 0);

	if (which == 0)
		return at == SIZE_MAX ? s : etc_str_sub(s, 0, at);
	return at == SIZE_MAX ? ETC_STR_NONE : etc_str_sub(s, at + 4, s.len);
}

/* The parts of an item that make up its key in a stage, as bits. An item that lacks one of the
 * parts has no key in that stage. */
enum part {
	WHERE = 1, /* chain and instruction */
	KIND = 2,  /* delegate event, kernel, … */
	NAME = 4,  /* the whole name with its number, and the delegate's id */
	OP = 8,    /* the name without its number */
	/* the canonical name, or the first one of two alternatives; if there is none, the name
	 * without its number */
	CANONICAL = 16,
	SECOND = 32, /* second alternative of the canonical name "X or Y" */
	/* module of the nodes; there is no key if the nodes are not known exactly */
	MODULE = 64,
	NODE_OP = 128, /* operators of the nodes */
	/* the operator's name that the plugin gives; without one, the event's name without its
	 * types */
	OPERATOR = 256,
	KERNEL = 512,
	CATEGORY = 1024
};

struct key {
	struct etc_text text;
	bool none;
};

static void put_number(struct key *k, int64_t v)
{
	etc_text_i64(&k->text, v);
	etc_text_char(&k->text, ' ');
}

static void put(struct key *k, struct etc_str part)
{
	k->none = k->none || part.len == 0;
	etc_text_put(&k->text, part);
	etc_text_char(&k->text, '\0');
}

static void put_node_ops(struct key *k, const struct etc_place *place)
{
	for (uint32_t i = 0; i < place->count; i++)
		put(k, place->nodes[i]->op);
}

static struct etc_str operator_of(const struct etc_align_item *item)
{
	size_t open = etc_str_find(item->op, ETC_STR(" ("), 0);

	if (item->operator_name.len)
		return item->operator_name;
	return open == SIZE_MAX ? ETC_STR_NONE : etc_str_sub(item->op, 0, open);
}

static struct etc_str canonical_of(const struct etc_align_item *item, unsigned parts,
                                   struct etc_arena *scratch)
{
	struct etc_str s = alternative(item->canonical, parts & SECOND ? 1 : 0);

	if (!s.len && parts & CANONICAL)
		s = item->op;
	return etc_builtin_fold(s, scratch);
}

static void make_key(struct key *k, const struct etc_align_item *item, unsigned parts,
                     struct etc_arena *scratch)
{
	bool exact = item->place && item->place->how == ETC_PLACE_EXACT && item->place->count;

	k->text.len = 0;
	k->none = parts & (MODULE | NODE_OP) && !exact;
	put_number(k, item->unit);
	put_number(k, parts & KIND ? item->kind : item->kind & ETC_ALIGN_DETACHED);
	if (parts & WHERE) {
		put_number(k, item->chain);
		put_number(k, item->instruction);
	}
	if (parts & NAME) {
		put_number(k, item->id);
		put(k, item->name);
	}
	if (parts & OP)
		put(k, item->op);
	if (parts & (CANONICAL | SECOND))
		put(k, canonical_of(item, parts, scratch));
	if (parts & MODULE && !k->none)
		put(k, item->place->module->name);
	if (parts & NODE_OP && !k->none)
		put_node_ops(k, item->place);
	if (parts & OPERATOR)
		put(k, operator_of(item));
	if (parts & KERNEL)
		put(k, item->kernel);
	if (parts & CATEGORY)
		put(k, item->category);
}

/* ---- stages of the matching -------------------------------------------------------- */

struct stage {
	/* of_a: the properties (WHERE, KIND, NAME, ...) of which the keys of the items of `a`
	 * consist; of_b: the same for `b` */
	unsigned of_a, of_b;
	uint8_t match;
};

/* clang-format off */
static const struct stage stages[] = {
	{ WHERE | KIND | NAME,              WHERE | KIND | NAME,              ETC_MATCH_NAME },
	{ WHERE | KIND | OP,                WHERE | KIND | OP,                ETC_MATCH_NAME },
	{ WHERE | KIND | CANONICAL,         WHERE | KIND | CANONICAL,         ETC_MATCH_CANONICAL },
	{ WHERE | KIND | SECOND,            WHERE | KIND | CANONICAL,         ETC_MATCH_CANONICAL },
	{ WHERE | KIND | CANONICAL,         WHERE | KIND | SECOND,            ETC_MATCH_CANONICAL },
	{ MODULE | OPERATOR | KERNEL,       MODULE | OPERATOR | KERNEL,       ETC_MATCH_NODE },
	{ MODULE | NODE_OP,                 MODULE | NODE_OP,                 ETC_MATCH_NODE },
	{ MODULE | CATEGORY,                MODULE | CATEGORY,                ETC_MATCH_NODE },
	{ KIND | OP,                        KIND | OP,                        ETC_MATCH_NAME },
	{ KIND | CANONICAL,                 KIND | CANONICAL,                 ETC_MATCH_CANONICAL },
	{ KIND | SECOND,                    KIND | CANONICAL,                 ETC_MATCH_CANONICAL },
	{ KIND | CANONICAL,                 KIND | SECOND,                    ETC_MATCH_CANONICAL },
	{ WHERE | KIND | OPERATOR | KERNEL, WHERE | KIND | OPERATOR | KERNEL, ETC_MATCH_POSITION },
	{ WHERE | KIND | OPERATOR,          WHERE | KIND | OPERATOR,          ETC_MATCH_POSITION },
	{ KIND | OPERATOR | KERNEL,         KIND | OPERATOR | KERNEL,         ETC_MATCH_POSITION },
	{ KIND | OPERATOR,                  KIND | OPERATOR,                  ETC_MATCH_POSITION },
};
/* clang-format on */

struct aligner {
	const struct etc_align_item *a, *b;
	uint32_t n, m;
	uint32_t *to;
	uint8_t *how;
	bool *taken;
};

/* The items of `a` that are not matched yet, by key. Each key has one queue, in file order. */
struct queues {
	struct etc_map map;
	uint32_t *head, *tail; /* first and last item of each key */
	uint32_t *next;        /* the next item with the same key */
};

static bool queue_up(const struct aligner *al, unsigned parts, struct queues *q, struct key *key,
                     struct etc_arena *scratch)
{
	for (uint32_t i = 0; i < al->n; i++) {
		struct etc_str copy;
		size_t at;

		if (al->taken[i])
			continue;
		make_key(key, &al->a[i], parts, scratch);
		if (key->none)
			continue;
		at = etc_map_get(&q->map, etc_text_str(&key->text));
		q->next[i] = ETC_NO_ITEM;
		if (at != ETC_MAP_NONE) {
			q->next[q->tail[at]] = i;
			q->tail[at] = i;
			continue;
		}
		at = q->map.count;
		copy = etc_arena_str(scratch, etc_text_str(&key->text));
		if (key->text.failed || !copy.ptr || etc_map_add(&q->map, copy, at) == ETC_MAP_NONE)
			return false;
		q->head[at] = q->tail[at] = i;
	}
	return true;
}

static bool run_stage(const struct aligner *al, const struct stage *stage,
                      struct etc_arena *scratch)
{
	struct queues q = {
		.head = etc_new(scratch, uint32_t, al->n),
		.tail = etc_new(scratch, uint32_t, al->n),
		.next = etc_new(scratch, uint32_t, al->n),
	};
	struct key key = { 0 };
	bool ok = q.head && q.tail && q.next;

	etc_map_init(&q.map, scratch);
	ok = ok && queue_up(al, stage->of_a, &q, &key, scratch);
	for (uint32_t i = 0; i < al->m && ok && q.map.count; i++) {
		size_t at;

		if (al->to[i] != ETC_NO_ITEM)
			continue;
		make_key(&key, &al->b[i], stage->of_b, scratch);
		ok = !key.text.failed;
		at = key.none ? ETC_MAP_NONE : etc_map_get(&q.map, etc_text_str(&key.text));
		if (at == ETC_MAP_NONE || q.head[at] == ETC_NO_ITEM)
			continue;
		al->to[i] = q.head[at];
		al->how[i] = stage->match;
		al->taken[q.head[at]] = true;
		q.head[at] = q.next[q.head[at]];
	}
	etc_text_release(&key.text);
	return ok;
}

/* ---- renamed operators ------------------------------------------------------------ */

/* The unmatched events with the same name, kind and unit. */
struct left {
	struct etc_str op;
	uint32_t first, count;
	uint64_t places; /* hash of the instructions of these events, independent of their order */
	uint8_t kind, unit;
	bool vague; /* the name does not identify the operator */
};

static uint64_t place_hash(const struct etc_align_item *item)
{
	uint64_t h = (uint64_t)item->chain * 0x9e3779b97f4a7c15u ^ (uint64_t)item->instruction;

	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
	return (h ^ h >> 32) * 0x94d049bb133111ebu;
}

/* Groups the unmatched events by name, kind and unit, and sets *count. NULL: out of memory. */
static struct left *list_left(const struct etc_align_item *items, uint32_t n, const bool *taken,
                              const uint32_t *to, uint32_t *count, struct etc_arena *scratch)
{
	struct left *v = etc_new(scratch, struct left, n);
	struct key key = { 0 };
	struct etc_map map;
	bool ok = v != NULL;

	*count = 0;
	etc_map_init(&map, scratch);
	for (uint32_t i = 0; i < n && ok; i++) {
		size_t at;

		if (taken ? taken[i] : to && to[i] != ETC_NO_ITEM)
			continue;
		make_key(&key, &items[i], KIND | OP, scratch);
		at = key.none ? *count : etc_map_intern(&map, etc_text_str(&key.text), *count);
		ok = at != ETC_MAP_NONE && !key.text.failed;
		if (key.none || !ok)
			continue;
		if (at == *count)
			v[(*count)++] = (struct left){ .op = items[i].op,
				                       .first = i,
				                       .kind = items[i].kind,
				                       .unit = items[i].unit,
				                       .vague = etc_builtin_is_vague(items[i].op) };
		v[at].count++;
		v[at].places += place_hash(&items[i]);
	}
	etc_text_release(&key.text);
	return ok ? v : NULL;
}

static bool may_be_renamed(const struct left *x, const struct left *y)
{
	return (x->vague || y->vague) && x->count == y->count && x->places == y->places &&
	       x->kind == y->kind && x->unit == y->unit;
}

/* Returns the group in `v` whose events may be those of `x` under another name; NULL if there is no
 * such group, or if there are several. */
static const struct left *only_other(const struct left *x, const struct left *v, uint32_t count)
{
	const struct left *found = NULL;

	for (uint32_t i = 0; i < count; i++)
		if (may_be_renamed(x, &v[i])) {
			if (found)
				return NULL;
			found = &v[i];
		}
	return found;
}

static void pair_left(const struct aligner *al, const struct left *x, const struct left *y)
{
	uint32_t i = x->first;

	for (uint32_t k = y->first; k < al->m && i < al->n; k++) {
		if (al->to[k] != ETC_NO_ITEM || !etc_str_eq(al->b[k].op, y->op) ||
		    al->b[k].kind != y->kind || al->b[k].unit != y->unit)
			continue;
		while (i < al->n && (al->taken[i] || !etc_str_eq(al->a[i].op, x->op) ||
		                     al->a[i].kind != x->kind || al->a[i].unit != x->unit))
			i++;
		if (i == al->n)
			return;
		al->to[k] = i;
		al->how[k] = ETC_MATCH_POSITION;
		al->taken[i] = true;
	}
}

/* Matches events whose names differ between the two programs, if these names do not identify the
 * operator. A group of events with one name is matched with a group of the other program if both
 * have the same number of events in the same instructions, and if only one such group exists. */
static bool match_renamed(const struct aligner *al, struct etc_arena *scratch)
{
	enum { NAMES_MOST = 1 << 10 };
	uint32_t n, m;
	struct left *x = list_left(al->a, al->n, al->taken, NULL, &n, scratch);
	struct left *y = list_left(al->b, al->m, NULL, al->to, &m, scratch);

	if (!x || !y)
		return false;
	for (uint32_t i = 0; i < m && n <= NAMES_MOST && m <= NAMES_MOST; i++) {
		const struct left *other = only_other(&y[i], x, n);

		if (other && only_other(other, y, m) == &y[i])
			pair_left(al, other, &y[i]);
	}
	return true;
}

enum etc_status etc_align(const struct etc_align_item *a, uint32_t n,
                          const struct etc_align_item *b, uint32_t m, uint32_t *to, uint8_t *how,
                          bool *taken, struct etc_arena *scratch, struct etc_error *err)
{
	struct aligner al = { a, b, n, m, to, how, taken };
	uint32_t left = m;

	for (uint32_t i = 0; i < m; i++) {
		to[i] = ETC_NO_ITEM;
		how[i] = ETC_MATCH_NONE;
	}
	for (uint32_t i = 0; i < n; i++)
		taken[i] = false;
	for (size_t s = 0; s < sizeof stages / sizeof stages[0] && left; s++) {
		ETC_NEED(run_stage(&al, &stages[s], scratch), err);
		left = 0;
		for (uint32_t i = 0; i < m; i++)
			left += to[i] == ETC_NO_ITEM;
	}
	if (left && !match_renamed(&al, scratch))
		return etc_no_memory(err);
	return ETC_OK;
}
