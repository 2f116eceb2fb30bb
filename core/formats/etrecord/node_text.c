/* node_text.c -- see node_text.h. */
#include "formats/etrecord/node_text.h"

#include "base/map.h"

/* Prefixes of a target; the first match counts. `keep` says which part of the target is the
 * operator's name. REST: the part after the prefix; LAST: the part after the last dot; SECOND:
 * the part after the first dot that follows the prefix. */
static const struct {
	struct etc_str prefix;
	enum { REST, LAST, SECOND } keep;
	enum etc_target_kind kind;
} targets[] = {
	{ { "executorch.exir.dialects.edge.ops.", 34 }, REST, ETC_TARGET_EDGE },
	{ { "executorch.exir.dialects.backend.ops.", 37 }, REST, ETC_TARGET_EDGE },
	{ { "torch.ops.higher_order.executorch_call_delegate", 47 }, LAST, ETC_TARGET_DELEGATE },
	{ { "torch.ops.higher_order.", 23 }, LAST, ETC_TARGET_HOP },
	{ { "torch.ops.", 10 }, SECOND, ETC_TARGET_ATEN },
	{ { "_operator.", 10 }, LAST, ETC_TARGET_SYM },
	{ { "torch.", 6 }, LAST, ETC_TARGET_SYM },
	{ { "memory.alloc", 12 }, LAST, ETC_TARGET_ALLOC },
	{ { "executorch.exir.memory.", 23 }, LAST, ETC_TARGET_STRANGE },
};

/* Libraries of operators that exporters use and that importing executorch.devtools registers (1.5.1
 * with torch 2.13). Other libraries are unknown to Python unless the process has imported them. */
static const struct etc_str libraries[] = {
	{ "aten", 4 },
	{ "quantized_decomposed", 20 },
	{ "dim_order_ops", 13 },
	{ "torchao", 7 },
	{ "executorch_prim", 15 },
	{ "export", 6 },
	{ "prims", 5 },
	{ "et_copy", 7 },
	{ "quantized", 9 },
	{ "_quantized", 10 },
	{ "quant_fusion", 12 },
	{ "inductor", 8 },
	{ "inductor_prims", 14 },
	{ "rngprims", 8 },
	{ "sparse", 6 },
	{ "mkldnn", 6 },
	{ "onednn", 6 },
	{ "mkl", 3 },
	{ "_c10d_functional", 16 },
	{ "c10d_functional", 15 },
	{ "flex_lib", 8 },
};

static struct etc_str after(struct etc_str s, char c, bool last)
{
	for (size_t i = 0; i < s.len; i++) {
		size_t at = last ? s.len - 1 - i : i;

		if (s.ptr[at] == c)
			return etc_str_sub(s, at + 1, s.len);
	}
	return s;
}

static bool is_registered(struct etc_str name)
{
	struct etc_str rest = after(name, '.', false);
	struct etc_str library = { name.ptr, name.len - rest.len - (rest.len < name.len) };

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (etc_str_eq(library, libraries[i]))
			return rest.len < name.len;
	return false;
}

enum etc_target_kind etc_node_target(struct etc_str target, struct etc_str *op)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		enum etc_target_kind kind = targets[i].kind;
		struct etc_str rest;

		if (!etc_str_starts(target, targets[i].prefix))
			continue;
		rest = etc_str_sub(target, targets[i].prefix.len, target.len);
		if (kind == ETC_TARGET_EDGE || kind == ETC_TARGET_ATEN)
			kind = is_registered(rest) ? kind : ETC_TARGET_STRANGE;
		*op = targets[i].keep == REST   ? rest
		      : targets[i].keep == LAST ? after(target, '.', true)
		                                : after(rest, '.', false);
		return kind;
	}
	*op = target;
	return ETC_TARGET_STRANGE;
}

/* Parses one "key,path,class"; returns false if it does not have exactly three parts. */
static bool read_module(struct etc_str item, struct etc_module *m, bool *odd)
{
	static const char special[256] = {
		[','] = ',', ['['] = '(', ['('] = '(', [']'] = ')', [')'] = ')'
	};
	struct etc_str *const parts[] = { &m->key, &m->path, &m->klass };
	size_t start = 0, n = 0;
	int depth = 0;

	for (size_t i = 0; i <= item.len; i++) {
		char c = i < item.len ? special[(uint8_t)item.ptr[i]] : ',';

		if (!c)
			continue;
		if (c == '(')
			depth++;
		else if (c == ')' && --depth < 0) {
			*odd = true;
			depth = 0;
		}
		if (i < item.len && (c != ',' || depth != 0))
			continue;
		if (n < 3)
			*parts[n] = etc_str_trim(etc_str_sub(item, start, i));
		n++;
		start = i + 1;
	}
	*odd |= n != 3;
	return n == 3;
}

/* Returns the index of the module with that key among the first `count`; `count` if there is
 * none. */
static uint32_t find_module(const struct etc_module *modules, uint32_t count, struct etc_str key)
{
	uint32_t i = 0;

	while (i < count && !etc_str_eq(modules[i].key, key))
		i++;
	return i;
}

/* Like find_module(), but for deep stacks: searches the key in a hash map. A key that is not in the
 * map is added to it. UINT32_MAX: out of memory. */
static uint32_t find_of_many(struct etc_map *keys, uint32_t count, struct etc_str key)
{
	size_t at = etc_map_add(keys, key, count);

	return at == ETC_MAP_NONE ? UINT32_MAX : (uint32_t)at;
}

static size_t find_item_end(struct etc_str stack, size_t from)
{
	const char *end = from < stack.len ? memchr(stack.ptr + from, ';', stack.len - from) : NULL;

	return end ? (size_t)(end - stack.ptr) : stack.len;
}

const struct etc_module *etc_node_modules(struct etc_arena *arena, struct etc_str stack,
                                          uint32_t *count, bool *odd)
{
	enum { FEW = 32 };
	struct etc_module *modules;
	struct etc_map keys;
	size_t items = 1, start = 0, end;

	*count = 0;
	*odd = false;
	for (size_t i = 0; (i = find_item_end(stack, i)) < stack.len; i++)
		items++;
	etc_map_init(&keys, arena);
	modules = etc_new(arena, struct etc_module, items);
	for (; modules && start <= stack.len; start = end + 1) {
		struct etc_module m = { 0 };
		uint32_t at;

		end = find_item_end(stack, start);
		if (!read_module(etc_str_sub(stack, start, end), &m, odd))
			continue;
		at = items <= FEW ? find_module(modules, *count, m.key)
		                  : find_of_many(&keys, *count, m.key);
		if (at == UINT32_MAX)
			return NULL;
		modules[at] = m;
		*count += at == *count;
	}
	return modules;
}

bool etc_node_plain_modules(struct etc_str stack)
{
	enum { COMMA = 1, SEMICOLON, OTHER };
	static const uint8_t special[256] = {
		[','] = COMMA, [';'] = SEMICOLON, ['['] = OTHER, ['('] = OTHER,
		[']'] = OTHER, [')'] = OTHER,     ['\\'] = OTHER
	};
	static const uint8_t wanted[] = { COMMA, COMMA, SEMICOLON };
	const uint8_t *p = (const uint8_t *)stack.ptr, *end = p + stack.len;
	uint32_t n = 0;

	for (;; p++) {
		while (end - p >= 4 &&
		       !(special[p[0]] | special[p[1]] | special[p[2]] | special[p[3]]))
			p += 4;
		while (p < end && !special[*p])
			p++;
		if (p == end)
			break;
		if (special[*p] != wanted[n])
			return false;
		n = n == 2 ? 0 : n + 1;
	}
	return n == 2;
}

bool etc_node_odd_modules(struct etc_str stack)
{
	struct etc_module m;
	bool odd = false;

	for (size_t start = 0, end; start <= stack.len; start = end + 1) {
		end = find_item_end(stack, start);
		read_module(etc_str_sub(stack, start, end), &m, &odd);
	}
	return odd;
}

/* Returns the last position of `needle` before `end`, or SIZE_MAX. */
static size_t find_last(struct etc_str s, struct etc_str needle, size_t end)
{
	while (end-- > 0)
		if (s.ptr[end] == needle.ptr[0] &&
		    etc_str_starts(etc_str_sub(s, end, s.len), needle))
			return end;
	return SIZE_MAX;
}

/* Is `file` PyTorch's own code, or generated code like `<eval_with_key>.5`? */
static bool is_torch(struct etc_str file)
{
	return etc_str_starts(file, ETC_STR("torch/")) ||
	       etc_str_find(file, ETC_STR("-packages/torch/"), 0) != SIZE_MAX ||
	       etc_str_find(file, ETC_STR("/torch/nn/"), 0) != SIZE_MAX ||
	       etc_str_starts(file, ETC_STR("<eval_with_key>"));
}

/* Parses the last frame of a stack trace that begins before `*end`, and sets `*end` to the frame's
 * start. False: there is no such frame. A frame is
 *   `  File "model.py", line 18, in forward\n    return x` */
static bool last_frame(struct etc_str trace, size_t *end, struct etc_str *file, uint32_t *line,
                       struct etc_str *text)
{
	const struct etc_str open = ETC_STR("File \""), close = ETC_STR("\", line ");
	size_t closed = find_last(trace, close, *end), name, i;
	uint64_t n = 0;

	name = closed == SIZE_MAX ? SIZE_MAX : find_last(trace, open, closed);
	if (name == SIZE_MAX)
		return false;
	*end = name;
	for (i = closed + close.len; i < trace.len && trace.ptr[i] >= '0' && trace.ptr[i] <= '9';
	     i++)
		n = n < UINT32_MAX ? n * 10 + (uint64_t)(trace.ptr[i] - '0') : n;
	*file = etc_str_sub(trace, name + open.len, closed);
	*line = n <= UINT32_MAX ? (uint32_t)n : 0;
	*text = (struct etc_str){ 0 };
	i = etc_str_find(trace, ETC_STR("\n"), i);
	if (i == SIZE_MAX)
		return true;
	closed = etc_str_find(trace, ETC_STR("\n"), i + 1);
	*text = etc_str_trim(etc_str_sub(trace, i + 1, closed == SIZE_MAX ? trace.len : closed));
	return true;
}

void etc_node_source(struct etc_str trace, struct etc_str *file, uint32_t *line,
                     struct etc_str *text)
{
	size_t end = trace.len;
	struct etc_str f, t;
	uint32_t l;

	*file = *text = (struct etc_str){ 0 };
	*line = 0;
	while (last_frame(trace, &end, &f, &l, &t)) {
		if (file->len && is_torch(f))
			continue;
		*file = f;
		*line = l;
		*text = t;
		if (!is_torch(f))
			return;
	}
}

struct etc_str etc_node_last_item(struct etc_str list)
{
	return after(list, ';', true);
}
