/* fx_names.c -- see fx_names.h. */
#include "formats/etrecord/fx_names.h"

#include "base/ascii.h"

/* Names that always get a number, because variables must not have these names: keywords of Python
 * 3.11, those of its builtins that a node's name can equal, and names reserved by torch.fx. */
static const char *const illegal[] = {
	"False",       "True",       "and",        "as",         "assert",
	"async",       "await",      "break",      "class",      "continue",
	"def",         "del",        "elif",       "else",       "except",
	"finally",     "for",        "from",       "global",     "if",
	"import",      "in",         "is",         "lambda",     "nonlocal",
	"not",         "or",         "pass",       "raise",      "return",
	"try",         "while",      "with",       "yield",      "__build_class__",
	"__debug__",   "__doc__",    "__import__", "__loader__", "__name__",
	"__package__", "__spec__",   "abs",        "aiter",      "all",
	"anext",       "any",        "ascii",      "bin",        "bool",
	"breakpoint",  "bytearray",  "bytes",      "callable",   "chr",
	"classmethod", "compile",    "complex",    "copyright",  "credits",
	"delattr",     "dict",       "dir",        "divmod",     "enumerate",
	"eval",        "exec",       "exit",       "filter",     "float",
	"format",      "frozenset",  "getattr",    "globals",    "hasattr",
	"hash",        "help",       "hex",        "id",         "input",
	"int",         "isinstance", "issubclass", "iter",       "len",
	"license",     "list",       "locals",     "map",        "max",
	"memoryview",  "min",        "next",       "object",     "oct",
	"open",        "ord",        "pow",        "print",      "property",
	"quit",        "range",      "repr",       "reversed",   "round",
	"set",         "setattr",    "slice",      "sorted",     "staticmethod",
	"str",         "sum",        "super",      "tuple",      "type",
	"vars",        "zip",        "inf",        "nan",        "NoneType",
	"torch",       "device",     "fx_pytree",  "pytree",
};

static bool is_illegal(struct etc_str s)
{
	for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++)
		if (s.ptr[0] == illegal[i][0] && etc_str_eq(s, etc_str_of(illegal[i])))
			return true;
	return false;
}

void etc_fx_names_init(struct etc_fx_names *n, struct etc_arena *arena)
{
	*n = (struct etc_fx_names){ .arena = arena, .seed = etc_hash(ETC_STR("")) };
	etc_map_init(&n->bases, arena);
}

/* Makes an identifier: replaces each sequence of invalid characters by one '_', and adds a '_'
 * before a leading digit. */
static struct etc_str legalise(struct etc_arena *arena, struct etc_str s)
{
	bool legal = s.len && !etc_is_digit(s.ptr[0]);
	struct etc_str out;
	char *to;
	size_t n = 0;

	for (size_t i = 0; i < s.len && legal; i++)
		legal = etc_is_word(s.ptr[i]);
	if (legal)
		return s;
	if (s.len == 0)
		return ETC_STR("_unnamed");
	to = etc_new(arena, char, s.len + 1);
	if (!to)
		return (struct etc_str){ 0 };
	if (etc_is_digit(s.ptr[0]))
		to[n++] = '_';
	for (size_t i = 0; i < s.len; i++)
		if (etc_is_word(s.ptr[i]))
			to[n++] = s.ptr[i];
		else if (i == 0 || etc_is_word(s.ptr[i - 1]))
			to[n++] = '_';
	out = (struct etc_str){ to, n };
	return out;
}

/* Splits a name such as "add_3" into the base "add" and the number 3. False: the name has no
 * number. */
static bool split(struct etc_str s, struct etc_str *base, uint64_t *num)
{
	size_t at = s.len;
	uint64_t v = 0;

	*base = s;
	*num = 0;
	while (at && etc_is_digit(s.ptr[at - 1]))
		at--;
	if (at == s.len || at < 2 || s.ptr[at - 1] != '_')
		return false;
	for (size_t i = at; i < s.len; i++)
		v = v > (UINT64_MAX - 9) / 10 ? UINT64_MAX - 9
		                              : v * 10 + (uint64_t)(s.ptr[i] - '0');
	base->len = at - 1;
	*num = v;
	return true;
}

/* Returns the counter of `base`, which is 0 if the base is new. NULL: out of memory. */
static uint64_t *counter(struct etc_fx_names *n, struct etc_str base)
{
	size_t at = etc_map_add(&n->bases, base, n->count);

	if (at == ETC_MAP_NONE)
		return NULL;
	if (at != n->count)
		return &n->counts[at];
	return ETC_APPEND(n->arena, n->counts, n->count, n->room);
}

/* Returns the slot of the name; if the name is not in the table, the free slot where it belongs.
 * `half` is the upper half of the name's hash. */
static uint64_t *find(const struct etc_fx_names *n, struct etc_str s, uint32_t half)
{
	for (size_t i = half & (n->slot_room - 1);; i = (i + 1) & (n->slot_room - 1)) {
		const uint64_t slot = n->slots[i];

		if (!slot || (slot >> 32 == half && etc_str_eq(n->taken[(uint32_t)slot - 1], s)))
			return &n->slots[i];
	}
}

static bool grow(struct etc_fx_names *n, size_t room)
{
	struct etc_fx_names old = *n;
	uint64_t *slots = etc_new(n->arena, uint64_t, room);
	struct etc_str *taken = etc_new(n->arena, struct etc_str, room / 4 * 3);

	if (!slots || !taken)
		return false;
	n->slots = slots;
	n->taken = taken;
	n->slot_room = room;
	if (old.taken_count)
		memcpy(taken, old.taken, old.taken_count * sizeof *taken);
	for (size_t i = 0; i < old.slot_room; i++)
		if (old.slots[i])
			*find(n, taken[(uint32_t)old.slots[i] - 1],
			      (uint32_t)(old.slots[i] >> 32)) = old.slots[i];
	return true;
}

bool etc_fx_names_reserve(struct etc_fx_names *n, size_t count)
{
	size_t room = n->slot_room ? n->slot_room : 16;

	if (count > UINT32_MAX / 4)
		return false;
	while (room / 4 * 3 < count)
		room *= 2;
	return room == n->slot_room || grow(n, room);
}

/* Marks the name as used, if it is free. Returns whether it was free. Sets `*nomem` if out of
 * memory. */
static bool take(struct etc_fx_names *n, struct etc_str s, bool *nomem)
{
	const uint32_t half = (uint32_t)(etc_hash_text(n->seed, s) >> 32);
	uint64_t *slot;

	*nomem = n->taken_count == n->slot_room / 4 * 3 &&
	         !etc_fx_names_reserve(n, (size_t)n->taken_count + 1);
	if (*nomem)
		return false;
	slot = find(n, s, half);
	if (*slot)
		return false;
	n->taken[n->taken_count++] = s;
	*slot = (uint64_t)half << 32 | n->taken_count;
	return true;
}

struct etc_str etc_fx_name(struct etc_fx_names *n, struct etc_str candidate)
{
	const struct etc_str none = { 0 };
	struct etc_str s = legalise(n->arena, candidate), base;
	uint64_t num, *last;
	bool numbered, taken, nomem = false;

	if (!s.len)
		return none;
	numbered = split(s, &base, &num);
	last = counter(n, base);
	if (!last)
		return none;
	taken = numbered && take(n, s, &nomem);
	if (!taken && !nomem) {
		num = *last;
		if (is_illegal(s))
			s = etc_arena_printf(n->arena, ETC_STR_FMT "_%llu", ETC_STR_ARG(base),
			                     (unsigned long long)++num);
	}
	while (!taken && !nomem && s.len) {
		taken = take(n, s, &nomem);
		if (!taken)
			s = etc_arena_printf(n->arena, ETC_STR_FMT "_%llu", ETC_STR_ARG(base),
			                     (unsigned long long)++num);
	}
	if (!taken)
		return none;
	*last = num;
	return s;
}

struct etc_str etc_fx_snake_case(struct etc_arena *arena, struct etc_str s)
{
	char *to = etc_new(arena, char, s.len * 2);
	size_t n = 0;

	if (!to)
		return (struct etc_str){ 0 };
	for (size_t i = 0; i < s.len; i++) {
		bool upper = s.ptr[i] >= 'A' && s.ptr[i] <= 'Z';

		if (upper && i && s.ptr[i - 1] >= 'a' && s.ptr[i - 1] <= 'z')
			to[n++] = '_';
		to[n++] = upper ? (char)(s.ptr[i] | 0x20) : s.ptr[i];
	}
	return (struct etc_str){ to, n };
}
