/* pickle.c -- executes the opcodes; see pickle.h. */
#include "formats/pickle/pickle_vm.h"

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

/* --- stack ----------------------------------------------------------------------- */

static enum etc_pickle_verdict push_new(struct etc_pickle_vm *vm, enum etc_ref_kind kind)
{
	struct etc_box *b;

	TRY(etc_pickle_box(vm, kind, &b));
	return etc_pickle_push(vm, b);
}

static enum etc_pickle_verdict push_integer(struct etc_pickle_vm *vm, enum etc_ref_kind kind,
                                            int64_t n)
{
	struct etc_box *b;

	TRY(etc_pickle_box(vm, kind, &b));
	b->v.integer = n;
	return etc_pickle_push(vm, b);
}

/* Checks that there are at least `n` items above the last mark. */
static enum etc_pickle_verdict need(struct etc_pickle_vm *vm, uint32_t n)
{
	return vm->depth - vm->base >= n ? ETC_PICKLE_READ : REFUSE("the stack is empty");
}

static enum etc_pickle_verdict mark(struct etc_pickle_vm *vm)
{
	uint32_t *new = ETC_APPEND(vm->arena, vm->marks, vm->mark_count, vm->mark_room);

	if (!new)
		return etc_pickle_no_memory(vm);
	*new = vm->base;
	vm->base = vm->depth;
	return ETC_PICKLE_READ;
}

/* Pops the items above the last mark, and the mark. `*items` is valid until the next push. */
static enum etc_pickle_verdict pop_mark(struct etc_pickle_vm *vm, struct etc_box ***items,
                                        uint32_t *count)
{
	if (!vm->mark_count)
		return REFUSE("there is no mark");
	*count = vm->depth - vm->base;
	/* the stack is NULL if nothing has been pushed yet */
	*items = vm->stack ? vm->stack + vm->base : NULL;
	vm->depth = vm->base;
	vm->base = vm->marks[--vm->mark_count];
	return ETC_PICKLE_READ;
}

/* --- names ---------------------------------------------------------------------- */

/* May this pickle contain the name? */
static bool is_allowed(const struct etc_pickle_vm *vm, enum etc_pickle_name name)
{
	if (name == ETC_NAME_FAKE)
		return vm->names == ETC_PICKLE_WEIGHTS || vm->names == ETC_PICKLE_WEIGHT_VALUES;
	if (name == ETC_NAME_LOAD_BYTES)
		return vm->names == ETC_PICKLE_LEGACY;
	return name != ETC_NAME_NONE;
}

static enum etc_pickle_verdict push_name(struct etc_pickle_vm *vm, struct etc_str module,
                                         struct etc_str name)
{
	const struct etc_torch_dtype *dtype = NULL;
	enum etc_pickle_name found;
	struct etc_str full;
	struct etc_box *b;

	found = etc_pickle_lookup(module, name, &dtype);
	/* torch accepts classes of torchao if torchao is installed, because torchao registers
	 * them with torch. */
	if (etc_str_starts(module, ETC_STR("torchao.")))
		return etc_pickle_fail(vm, ETC_PICKLE_CLOSED, "a class of torchao");
	if (!is_allowed(vm, found))
		return REFUSE("the name %.*s.%.*s is not allowed",
		              (int)(module.len < 60 ? module.len : 60), module.ptr,
		              (int)(name.len < 60 ? name.len : 60), name.ptr);
	TRY(etc_pickle_spend(vm, module.len + name.len));
	full = etc_arena_printf(vm->arena, ETC_STR_FMT "." ETC_STR_FMT, ETC_STR_ARG(module),
	                        ETC_STR_ARG(name));
	if (!full.ptr)
		return etc_pickle_no_memory(vm);
	TRY(etc_pickle_box(vm, found == ETC_NAME_DTYPE ? ETC_REF_DTYPE : ETC_REF_OTHER, &b));
	b->v.text = found == ETC_NAME_DTYPE ? dtype->name : full;
	b->name = (uint8_t)found;
	b->dtype = dtype;
	return etc_pickle_push(vm, b);
}

static enum etc_pickle_verdict global(struct etc_pickle_vm *vm)
{
	struct etc_str module, name;

	TRY(etc_pickle_line(vm, &module));
	TRY(etc_pickle_line(vm, &name));
	return push_name(vm, module, name);
}

/* Executes STACK_GLOBAL: the top two items are the texts of a module and a name in it. */
static enum etc_pickle_verdict stack_global(struct etc_pickle_vm *vm)
{
	const struct etc_ref_value *module, *name;

	TRY(need(vm, 2));
	vm->depth -= 2;
	module = &vm->stack[vm->depth]->v;
	name = &vm->stack[vm->depth + 1]->v;
	if (module->kind != ETC_REF_STRING || name->kind != ETC_REF_STRING)
		return REFUSE("a name that is no text");
	return push_name(vm, module->text, name->text);
}

/* --- memo ------------------------------------------------------------------------ */

/* Is this memo number too large for the memo's array? Writers count from 0, so only in a hostile
 * pickle is a number larger than the pickle is long. Values with such numbers are kept in a map. */
static bool is_far(const struct etc_pickle_vm *vm, uint32_t slot)
{
	return slot > UINT8_MAX && slot >= vm->in.len;
}

static enum etc_pickle_verdict remember(struct etc_pickle_vm *vm, uint32_t to)
{
	if (to >= vm->memo_room) {
		uint32_t room = to < 16 ? 32 : to < UINT32_MAX / 2 ? to * 2 : UINT32_MAX;
		struct etc_box **more = etc_new(vm->arena, struct etc_box *, room);

		if (!more)
			return etc_pickle_no_memory(vm);
		if (vm->memo_room)
			memcpy(more, vm->memo, vm->memo_room * sizeof *more);
		vm->memo = more;
		vm->memo_room = room;
	}
	vm->memo[to] = vm->stack[vm->depth - 1];
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict put(struct etc_pickle_vm *vm, size_t size_bytes)
{
	uint32_t to;
	size_t place;

	TRY(etc_pickle_number(vm, size_bytes, &to));
	TRY(need(vm, 1));
	if (is_far(vm, to)) {
		place = etc_map_add(
			&vm->far_memo,
			(struct etc_str){ (const char *)vm->in.ptr + vm->at - size_bytes, 4 },
			vm->far_count);
		if (place == vm->far_count &&
		    !etc_pickle_grow(vm->arena, &vm->far, &vm->far_count, &vm->far_room, NULL))
			return etc_pickle_no_memory(vm);
		if (place == ETC_MAP_NONE)
			return etc_pickle_no_memory(vm);
		vm->far[place] = vm->stack[vm->depth - 1];
		return ETC_PICKLE_READ;
	}
	return remember(vm, to);
}

/* Executes MEMOIZE: stores the top of the stack in the memo under the next number. A pickle uses
 * either MEMOIZE or PUT. */
static enum etc_pickle_verdict memoize(struct etc_pickle_vm *vm)
{
	TRY(need(vm, 1));
	return remember(vm, vm->memoized++);
}

static enum etc_pickle_verdict get(struct etc_pickle_vm *vm, size_t size_bytes)
{
	struct etc_box *found = NULL;
	uint32_t from;

	TRY(etc_pickle_number(vm, size_bytes, &from));
	if (!is_far(vm, from)) {
		found = from < vm->memo_room ? vm->memo[from] : NULL;
	} else {
		size_t place =
			etc_map_get(&vm->far_memo,
		                    (struct etc_str){ (const char *)vm->in.ptr + vm->at - 4, 4 });

		found = place == ETC_MAP_NONE ? NULL : vm->far[place];
	}
	return found ? etc_pickle_push(vm, found)
	             : REFUSE("value %u was never stored", (unsigned)from);
}

/* --- opcodes that use the stack --------------------------------------------------- */

static enum etc_pickle_verdict tuple_of(struct etc_pickle_vm *vm, struct etc_box *const *items,
                                        uint32_t count)
{
	struct etc_box *b;

	TRY(etc_pickle_box(vm, ETC_REF_TUPLE, &b));
	for (uint32_t i = 0; i < count; i++) {
		b->hashable &= items[i]->hashable;
		TRY(etc_pickle_append(vm, b, &items[i]->v));
	}
	return etc_pickle_push(vm, b);
}

static enum etc_pickle_verdict tuple(struct etc_pickle_vm *vm, uint32_t count)
{
	TRY(need(vm, count));
	vm->depth -= count;
	return tuple_of(vm, vm->stack + vm->depth, count);
}

static enum etc_pickle_verdict append(struct etc_pickle_vm *vm, struct etc_box *const *items,
                                      uint32_t count)
{
	struct etc_box *list;

	TRY(need(vm, 1));
	list = vm->stack[vm->depth - 1];
	if (list->v.kind != ETC_REF_LIST)
		return REFUSE("appends to what is no list");
	for (uint32_t i = 0; i < count; i++)
		TRY(etc_pickle_append(vm, list, &items[i]->v));
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict set_items(struct etc_pickle_vm *vm, struct etc_box *const *items,
                                         uint32_t count)
{
	struct etc_box *dict;

	TRY(need(vm, 1));
	dict = vm->stack[vm->depth - 1];
	if (!etc_ref_is_dict(&dict->v))
		return REFUSE("sets items of what is no dict");
	if (count % 2)
		return REFUSE("a key without a value");
	for (uint32_t i = 0; i < count; i += 2)
		TRY(etc_pickle_insert(vm, dict, &items[i]->v, &items[i + 1]->v));
	return ETC_PICKLE_READ;
}

/* Executes REDUCE, NEWOBJ, BUILD or BINPERSID: replaces the top one or two items by the result. */
static enum etc_pickle_verdict act(struct etc_pickle_vm *vm, uint8_t code)
{
	struct etc_box *top, *below, *made = NULL;

	TRY(need(vm, code == 'Q' ? 1 : 2));
	top = vm->stack[--vm->depth];
	if (code == 'Q') {
		TRY(etc_pickle_storage(vm, &top->v, &made));
		return etc_pickle_push(vm, made);
	}
	below = vm->stack[vm->depth - 1];
	if (code == 'b')
		return etc_pickle_build(vm, below, &top->v);
	TRY(code == 'R' ? etc_pickle_call(vm, below, &top->v, &made)
	                : etc_pickle_new(vm, below, &top->v, &made));
	vm->stack[vm->depth - 1] = made;
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict collect(struct etc_pickle_vm *vm, uint8_t code)
{
	struct etc_box **items = NULL;
	uint32_t count = 0;

	TRY(pop_mark(vm, &items, &count));
	return code == 't'   ? tuple_of(vm, items, count)
	       : code == 'e' ? append(vm, items, count)
	                     : set_items(vm, items, count);
}

static enum etc_pickle_verdict add_one(struct etc_pickle_vm *vm, uint8_t code)
{
	const uint32_t n = code == 'a' ? 1 : 2;

	TRY(need(vm, n));
	vm->depth -= n;
	return code == 'a' ? append(vm, vm->stack + vm->depth, 1)
	                   : set_items(vm, vm->stack + vm->depth, 2);
}

/* Executes ADDITEMS. */
static enum etc_pickle_verdict add_items(struct etc_pickle_vm *vm)
{
	struct etc_box **items = NULL, *set;
	uint32_t count = 0;

	TRY(pop_mark(vm, &items, &count));
	TRY(need(vm, 1));
	set = vm->stack[vm->depth - 1];
	if (set->v.kind != ETC_REF_SET)
		return REFUSE("adds items to what is no set");
	for (uint32_t i = 0; i < count; i++)
		TRY(etc_pickle_insert(vm, set, &items[i]->v, NULL));
	return ETC_PICKLE_READ;
}

/* Executes an opcode of protocols 3 to 5 that pickle.dumps() uses for tensors and plain values. */
static enum etc_pickle_verdict legacy_step(struct etc_pickle_vm *vm, uint8_t code)
{
	struct etc_str skipped;

	switch (code) {
	case 0x95: /* FRAME: a length, which only readers of streams need */
		return etc_pickle_bytes(vm, 8, &skipped);
	case 0x94:
		return memoize(vm);
	case 0x93:
		return stack_global(vm);
	case 0x8c:
		return etc_pickle_string(vm, 1, false);
	case 0x8d:
		return etc_pickle_string(vm, 8, false);
	case 'C':
		return etc_pickle_raw_bytes(vm, 1);
	case 'B':
		return etc_pickle_raw_bytes(vm, 4);
	case 0x8e:
		return etc_pickle_raw_bytes(vm, 8);
	case 0x90:
		return add_items(vm);
	default:
		return REFUSE("opcode 0x%02x is not allowed", code);
	}
}

/* Executes one opcode: one of those in torch/_weights_only_unpickler.py, except STOP, or one of a
 * raw pickle (legacy_step()). */
static enum etc_pickle_verdict step(struct etc_pickle_vm *vm, uint8_t code)
{
	uint32_t n = 0;

	switch (code) {
	case 0x80: /* PROTO: any version */
		return etc_pickle_number(vm, 1, &n);
	case '(':
		return mark(vm);
	case 'N':
		return push_new(vm, ETC_REF_NONE);
	case 0x88:
	case 0x89:
		return push_integer(vm, ETC_REF_BOOL, code == 0x88);
	case ')':
		return push_new(vm, ETC_REF_TUPLE);
	case ']':
		return push_new(vm, ETC_REF_LIST);
	case '}':
		return push_new(vm, ETC_REF_DICT);
	case 0x8f:
		return push_new(vm, ETC_REF_SET);
	case 'J':
	case 'K':
	case 'M':
		TRY(etc_pickle_number(vm, code == 'J' ? 4 : code == 'K' ? 1 : 2, &n));
		return push_integer(vm, ETC_REF_INT, code == 'J' ? (int32_t)n : (int64_t)n);
	case 'G':
		return etc_pickle_real(vm);
	case 0x8a:
		return etc_pickle_integer(vm);
	case 'X':
		return etc_pickle_string(vm, 4, false);
	case 'U':
		return etc_pickle_string(vm, 1, true);
	case 'c':
		return global(vm);
	case 'q':
	case 'r':
		return put(vm, code == 'q' ? 1 : 4);
	case 'h':
	case 'j':
		return get(vm, code == 'h' ? 1 : 4);
	case 0x85:
	case 0x86:
	case 0x87:
		return tuple(vm, code - 0x84U);
	case 't':
	case 'e':
	case 'u':
		return collect(vm, code);
	case 'a':
	case 's':
		return add_one(vm, code);
	case 'R':
	case 0x81:
	case 'b':
	case 'Q':
		return act(vm, code);
	default:
		return vm->names == ETC_PICKLE_LEGACY
		               ? legacy_step(vm, code)
		               : REFUSE("opcode 0x%02x is not allowed", code);
	}
}

enum etc_pickle_verdict etc_pickle_run(struct etc_pickle_vm *vm, const struct etc_ref_value **out)
{
	for (;;) {
		uint8_t code;

		if (vm->at >= vm->in.len)
			return REFUSE("it is cut off");
		code = vm->in.ptr[vm->at++];
		if (code == '.')
			break;
		TRY(step(vm, code));
	}
	TRY(need(vm, 1));
	*out = &vm->stack[vm->depth - 1]->v;
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_read(struct etc_span pickle, enum etc_pickle_names names,
                                        etc_pickle_find_storage *find, void *arg,
                                        struct etc_arena *arena, const struct etc_ref_value **out,
                                        struct etc_pickle_fault *why)
{
	struct etc_pickle_vm machine = {
		.in = pickle, .arena = arena, .find = find, .arg = arg, .why = why, .names = names
	};
	struct etc_pickle_vm *vm = &machine;

	*why = (struct etc_pickle_fault){ 0 };
	*out = NULL;
	etc_map_init(&vm->far_memo, arena);
	etc_map_init(&vm->storages, arena);
	return etc_pickle_run(vm, out);
}

static enum etc_pickle_verdict no_storage(void *arg, struct etc_ref_storage *storage,
                                          struct etc_pickle_fault *why)
{
	struct etc_pickle_vm nothing = { .why = why };

	(void)arg;
	(void)storage;
	return etc_pickle_fail(&nothing, ETC_PICKLE_REFUSED, "a reference in a raw pickle");
}

enum etc_pickle_verdict etc_pickle_read_legacy(struct etc_span pickle, struct etc_arena *arena,
                                               const struct etc_ref_value **out,
                                               struct etc_pickle_fault *why)
{
	return etc_pickle_read(pickle, ETC_PICKLE_LEGACY, no_storage, NULL, arena, out, why);
}
