/* pickle_box.c -- creates the values and containers of a pickle. */
#include "formats/pickle/pickle_vm.h"

#include <stdarg.h>
#include <stdio.h>

enum etc_pickle_verdict etc_pickle_fail(struct etc_pickle_vm *vm, enum etc_pickle_verdict verdict,
                                        const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vm->why->at = vm->at;
	vsnprintf(vm->why->why, sizeof vm->why->why, fmt, args);
	va_end(args);
	return verdict;
}

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

bool etc_pickle_grow(struct etc_arena *arena, struct etc_box ***items, uint32_t *count,
                     uint32_t *room, struct etc_box *item)
{
	struct etc_box **new = ETC_APPEND(arena, *items, *count, *room);

	if (new)
		*new = item;
	return new;
}

enum etc_pickle_verdict etc_pickle_spend(struct etc_pickle_vm *vm, uint64_t n)
{
	vm->work += n < ETC_PICKLE_WORK ? n : ETC_PICKLE_WORK;
	if (vm->work > ETC_PICKLE_WORK)
		return etc_pickle_fail(vm, ETC_PICKLE_CLOSED, "its calls copy more than %d items",
		                       ETC_PICKLE_WORK);
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_box(struct etc_pickle_vm *vm, enum etc_ref_kind kind,
                                       struct etc_box **out)
{
	if (vm->values++ == ETC_PICKLE_VALUES)
		return etc_pickle_fail(vm, ETC_PICKLE_CLOSED, "it makes more than %d values",
		                       ETC_PICKLE_VALUES);
	*out = etc_new(vm->arena, struct etc_box, 1);
	if (!*out)
		return etc_pickle_no_memory(vm);
	(*out)->v.kind = (uint8_t)kind;
	(*out)->hashable = kind != ETC_REF_LIST && kind != ETC_REF_DICT &&
	                   kind != ETC_REF_ORDERED_DICT && kind != ETC_REF_COUNTER &&
	                   kind != ETC_REF_SET && kind != ETC_REF_BYTEARRAY;
	return ETC_PICKLE_READ;
}

/* --- containers ------------------------------------------------------------------ */

enum etc_pickle_verdict etc_pickle_append(struct etc_pickle_vm *vm, struct etc_box *to,
                                          const struct etc_ref_value *item)
{
	/* The array is writable until the pickle ends; it is const only for those who read the
	 * result. */
	struct etc_box **items = (struct etc_box **)(uintptr_t)to->v.items;

	if (!etc_pickle_grow(vm->arena, &items, &to->v.count, &to->room, etc_box_of(item)))
		return etc_pickle_no_memory(vm);
	to->v.items = (const struct etc_ref_value *const *)(uintptr_t)items;
	return ETC_PICKLE_READ;
}

/* Makes a text from a dict's key. Keys that Python treats as equal get equal texts. For a string,
 * the text is the string itself; for other keys, it starts with the byte 0xff, which UTF-8 does not
 * contain. Tuples, large integers and objects are treated as equal only to themselves. */
static enum etc_pickle_verdict canonical(struct etc_pickle_vm *vm, const struct etc_ref_value *key,
                                         struct etc_str *out)
{
	switch ((enum etc_ref_kind)key->kind) {
	case ETC_REF_STRING:
		*out = key->text;
		return ETC_PICKLE_READ;
	case ETC_REF_NONE:
		*out = ETC_STR("\xff");
		return ETC_PICKLE_READ;
	case ETC_REF_BOOL:
	case ETC_REF_INT:
		*out = etc_arena_printf(vm->arena, "\xffi%lld", (long long)key->integer);
		break;
	case ETC_REF_FLOAT:
		if (key->real[0] >= -9e18 && key->real[0] <= 9e18 &&
		    key->real[0] == (double)(int64_t)key->real[0])
			*out = etc_arena_printf(vm->arena, "\xffi%lld", (long long)key->real[0]);
		else
			*out = etc_arena_printf(vm->arena, "\xff%a", key->real[0]);
		break;
	default:
		*out = etc_arena_printf(vm->arena, "\xffo%p", (const void *)key);
	}
	return out->ptr ? ETC_PICKLE_READ : etc_pickle_no_memory(vm);
}

enum etc_pickle_verdict etc_pickle_insert(struct etc_pickle_vm *vm, struct etc_box *to,
                                          const struct etc_ref_value *key,
                                          const struct etc_ref_value *value)
{
	struct etc_str text;
	size_t place;

	if (!etc_box_of(key)->hashable)
		return REFUSE("a key that cannot be one");
	TRY(canonical(vm, key, &text));
	if (!to->index) {
		to->index = etc_new(vm->arena, struct etc_map, 1);
		if (!to->index)
			return etc_pickle_no_memory(vm);
		etc_map_init(to->index, vm->arena);
	}
	place = etc_map_add(to->index, text, to->v.count);
	if (place == ETC_MAP_NONE)
		return etc_pickle_no_memory(vm);
	if (place != to->v.count) {
		if (value)
			((const struct etc_ref_value **)(uintptr_t)to->v.items)[place + 1] = value;
		return ETC_PICKLE_READ;
	}
	TRY(etc_pickle_append(vm, to, key));
	return value ? etc_pickle_append(vm, to, value) : ETC_PICKLE_READ;
}
