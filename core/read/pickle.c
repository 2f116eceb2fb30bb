/* pickle.c -- see pickle.h */
#include "read/pickle.h"

#include "base/span.h"

enum { LONGEST = 1 << 20 }; /* bytes of a pickle that we follow */

enum kind { OTHER, MARK, TEXT, LIST, DICT };

struct item {
	uint8_t kind;
	struct etc_str text; /* TEXT */
	uint32_t object;     /* LIST, DICT: in objects */
};

/* A list or dict: items added, and the value under the wanted key. */
struct object {
	uint32_t count;
	bool has_key;
	struct item value;
};

struct machine {
	struct etc_span in;
	size_t at;
	struct etc_str key;
	struct item *stack, *memo; /* one byte pushes and stores at most one item each */
	struct object *objects;
	uint32_t depth, object_count, room;
};

/* Opcodes that only move the stack: argument bytes, items popped, pushed kind. */
/* clang-format off */
static const struct { uint8_t code, argument, pops; bool pushes; uint8_t kind; } plain[] = {
	{ 0x80, 1, 0, false, OTHER }, { '(', 0, 0, true, MARK },  { ')', 0, 0, true, OTHER },
	{ 'N', 0, 0, true, OTHER },   { 'J', 4, 0, true, OTHER }, { 'K', 1, 0, true, OTHER },
	{ 'M', 2, 0, true, OTHER },   { 'G', 8, 0, true, OTHER }, { 0x88, 0, 0, true, OTHER },
	{ 0x89, 0, 0, true, OTHER },  { 0x85, 0, 1, true, OTHER },{ 0x86, 0, 2, true, OTHER },
	{ 0x87, 0, 3, true, OTHER },  { 'Q', 0, 1, true, OTHER }, { 'R', 0, 2, true, OTHER },
	{ 0x81, 0, 2, true, OTHER },  { 'b', 0, 1, false, OTHER },
};
/* clang-format on */

static bool number(struct machine *m, size_t bytes, uint32_t *out)
{
	*out = 0;
	if (!etc_fits(m->in.len, m->at, bytes))
		return false;
	for (size_t i = 0; i < bytes; i++)
		*out |= (uint32_t)m->in.ptr[m->at++] << 8 * i;
	return true;
}

static bool skip(struct machine *m, size_t bytes)
{
	if (!etc_fits(m->in.len, m->at, bytes))
		return false;
	m->at += bytes;
	return true;
}

static bool push(struct machine *m, struct item item)
{
	if (m->depth == m->room)
		return false;
	m->stack[m->depth++] = item;
	return true;
}

static bool push_object(struct machine *m, uint8_t kind)
{
	m->objects[m->object_count] = (struct object){ 0 };
	return push(m, (struct item){ .kind = kind, .object = m->object_count++ });
}

static bool push_text(struct machine *m, size_t bytes)
{
	struct item item = { .kind = TEXT };
	uint32_t len;

	if (!number(m, bytes, &len) || !etc_fits(m->in.len, m->at, len))
		return false;
	item.text = (struct etc_str){ (const char *)m->in.ptr + m->at, len };
	return skip(m, len) && push(m, item);
}

/* Index of the topmost mark, or the stack's depth. */
static uint32_t last_mark(const struct machine *m)
{
	for (uint32_t i = m->depth; i > 0; i--)
		if (m->stack[i - 1].kind == MARK)
			return i - 1;
	return m->depth;
}

/* Items from `first` on go into the list or dict below `below`. */
static bool add_items(struct machine *m, uint32_t below, uint32_t first, uint8_t kind)
{
	struct object *o;

	if (below == 0 || first > m->depth)
		return false;
	if (m->stack[below - 1].kind == kind) {
		o = &m->objects[m->stack[below - 1].object];
		o->count += (m->depth - first) / (kind == DICT ? 2 : 1);
		for (uint32_t i = first; kind == DICT && i + 1 < m->depth; i += 2)
			if (m->stack[i].kind == TEXT && etc_str_eq(m->stack[i].text, m->key)) {
				o->has_key = true;
				o->value = m->stack[i + 1];
			}
	}
	m->depth = below;
	return true;
}

static bool skip_lines(struct machine *m, unsigned lines)
{
	for (; lines && m->at < m->in.len; m->at++)
		lines -= m->in.ptr[m->at] == '\n';
	return lines == 0;
}

static bool put(struct machine *m, size_t bytes)
{
	uint32_t to;

	if (!number(m, bytes, &to) || to >= m->room || m->depth == 0)
		return false;
	m->memo[to] = m->stack[m->depth - 1];
	return true;
}

static bool get(struct machine *m, size_t bytes)
{
	uint32_t from;

	return number(m, bytes, &from) && from < m->room && push(m, m->memo[from]);
}

static bool step(struct machine *m, uint8_t code)
{
	uint32_t mark, n;

	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		if (plain[i].code == code) {
			if (!skip(m, plain[i].argument) || m->depth < plain[i].pops)
				return false;
			m->depth -= plain[i].pops;
			return !plain[i].pushes || push(m, (struct item){ .kind = plain[i].kind });
		}
	switch (code) {
	case '}':
		return push_object(m, DICT);
	case ']':
		return push_object(m, LIST);
	case 'X':
		return push_text(m, 4);
	case 0x8c:
		return push_text(m, 1);
	case 0x8a:
		return number(m, 1, &n) && skip(m, n) && push(m, (struct item){ .kind = OTHER });
	case 'c':
		return skip_lines(m, 2) && push(m, (struct item){ .kind = OTHER });
	case 'q':
		return put(m, 1);
	case 'r':
		return put(m, 4);
	case 'h':
		return get(m, 1);
	case 'j':
		return get(m, 4);
	case 't':
		mark = last_mark(m);
		if (mark == m->depth)
			return false;
		m->depth = mark;
		return push(m, (struct item){ .kind = OTHER });
	case 'a':
		return m->depth >= 2 && add_items(m, m->depth - 1, m->depth - 1, LIST);
	case 's':
		return m->depth >= 3 && add_items(m, m->depth - 2, m->depth - 2, DICT);
	case 'e':
		mark = last_mark(m);
		return add_items(m, mark, mark + 1, LIST);
	case 'u':
		mark = last_mark(m);
		return add_items(m, mark, mark + 1, DICT);
	default:
		return false;
	}
}

enum etc_pickle_found etc_pickle_list(struct etc_span pickle, struct etc_str key,
                                      struct etc_arena *arena, uint32_t *count)
{
	struct machine m = { .in = pickle, .key = key };
	const struct object *top;

	*count = 0;
	if (pickle.len > LONGEST)
		return ETC_PICKLE_UNKNOWN;
	m.room = (uint32_t)pickle.len;
	m.stack = etc_new(arena, struct item, m.room);
	m.memo = etc_new(arena, struct item, m.room);
	m.objects = etc_new(arena, struct object, m.room);
	if (!m.stack || !m.memo || !m.objects)
		return ETC_PICKLE_UNKNOWN;
	while (m.at < pickle.len && pickle.ptr[m.at] != '.') {
		uint8_t code = pickle.ptr[m.at++];

		if (!step(&m, code))
			return ETC_PICKLE_UNKNOWN;
	}
	if (m.at == pickle.len || m.depth != 1 || m.stack[0].kind != DICT)
		return ETC_PICKLE_UNKNOWN;
	top = &m.objects[m.stack[0].object];
	if (!top->has_key)
		return ETC_PICKLE_NO_KEY;
	if (top->value.kind != LIST)
		return ETC_PICKLE_UNKNOWN;
	*count = m.objects[top->value.object].count;
	return ETC_PICKLE_LIST;
}
