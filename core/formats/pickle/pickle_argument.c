/* pickle_argument.c -- reads the arguments of a pickle's opcodes: lengths, texts, numbers. */
#include "formats/pickle/pickle_vm.h"

#include "base/text.h"

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

enum etc_pickle_verdict etc_pickle_push(struct etc_pickle_vm *vm, struct etc_box *item)
{
	if (!etc_pickle_grow(vm->arena, &vm->stack, &vm->depth, &vm->room, item))
		return etc_pickle_no_memory(vm);
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_bytes(struct etc_pickle_vm *vm, size_t n, struct etc_str *out)
{
	*out = (struct etc_str){ 0 };
	if (!etc_fits(vm->in.len, vm->at, n))
		return REFUSE("it is cut off");
	*out = (struct etc_str){ (const char *)vm->in.ptr + vm->at, n };
	vm->at += n;
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_number(struct etc_pickle_vm *vm, size_t n, uint32_t *out)
{
	struct etc_str s;

	*out = 0;
	TRY(etc_pickle_bytes(vm, n, &s));
	for (size_t i = 0; i < n; i++)
		*out |= (uint32_t)(uint8_t)s.ptr[i] << 8 * i;
	return ETC_PICKLE_READ;
}

/* Would Python decode `s` as UTF-8? Surrogates are allowed unless `strict` (Python's
 * "surrogatepass"). */
static bool is_text(struct etc_str s, bool strict)
{
	for (;;) {
		size_t at = etc_utf8_fault(s);

		if (at == SIZE_MAX)
			return true;
		if (strict || !etc_fits(s.len, at, 3) || (uint8_t)s.ptr[at] != 0xed ||
		    (uint8_t)s.ptr[at + 1] < 0xa0 || (uint8_t)s.ptr[at + 1] > 0xbf ||
		    ((uint8_t)s.ptr[at + 2] & 0xc0) != 0x80)
			return false;
		s = etc_str_sub(s, at + 3, s.len);
	}
}

/* Reads a length that is stored in 1, 4 or 8 bytes. */
static enum etc_pickle_verdict length(struct etc_pickle_vm *vm, size_t size_bytes, uint32_t *len)
{
	uint32_t high = 0;

	TRY(etc_pickle_number(vm, size_bytes < 4 ? size_bytes : 4, len));
	if (size_bytes == 8)
		TRY(etc_pickle_number(vm, 4, &high));
	return high ? REFUSE("it is cut off") : ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_string(struct etc_pickle_vm *vm, size_t size_bytes, bool strict)
{
	struct etc_box *b;
	uint32_t len;

	TRY(length(vm, size_bytes, &len));
	TRY(etc_pickle_box(vm, ETC_REF_STRING, &b));
	TRY(etc_pickle_bytes(vm, len, &b->v.text));
	if (!is_text(b->v.text, strict))
		return REFUSE("a text is not UTF-8");
	return etc_pickle_push(vm, b);
}

/* Reads the argument of LONG1, an integer in two's complement of any length, and pushes it. */
enum etc_pickle_verdict etc_pickle_integer(struct etc_pickle_vm *vm)
{
	struct etc_box *b;
	struct etc_str s;
	uint64_t n;
	uint32_t len;

	TRY(etc_pickle_number(vm, 1, &len));
	TRY(etc_pickle_bytes(vm, len, &s));
	/* drop the last byte if it only repeats the sign bit of the byte before it */
	while (s.len > 1 && (uint8_t)s.ptr[s.len - 1] == (s.ptr[s.len - 2] & 0x80 ? 0xff : 0))
		s.len--;
	TRY(etc_pickle_box(vm, s.len > 8 ? ETC_REF_BIG : ETC_REF_INT, &b));
	if (s.len > 8) {
		b->v.text = s;
		return etc_pickle_push(vm, b);
	}
	n = s.len && s.ptr[s.len - 1] & 0x80 ? UINT64_MAX : 0;
	for (size_t i = s.len; i-- > 0;)
		n = n << 8 | (uint8_t)s.ptr[i];
	b->v.integer = (int64_t)n;
	return etc_pickle_push(vm, b);
}

enum etc_pickle_verdict etc_pickle_real(struct etc_pickle_vm *vm)
{
	struct etc_box *b;
	struct etc_str s;
	uint64_t bits = 0;

	TRY(etc_pickle_bytes(vm, 8, &s));
	for (size_t i = 0; i < 8; i++)
		bits = bits << 8 | (uint8_t)s.ptr[i];
	TRY(etc_pickle_box(vm, ETC_REF_FLOAT, &b));
	memcpy(b->v.real, &bits, 8);
	return etc_pickle_push(vm, b);
}

enum etc_pickle_verdict etc_pickle_line(struct etc_pickle_vm *vm, struct etc_str *out)
{
	const struct etc_str all = { (const char *)vm->in.ptr, vm->in.len };
	size_t end = etc_str_find(all, ETC_STR("\n"), vm->at);

	if (end == SIZE_MAX)
		return REFUSE("it is cut off");
	*out = etc_str_sub(all, vm->at, end);
	vm->at = end + 1;
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_raw_bytes(struct etc_pickle_vm *vm, size_t size_bytes)
{
	struct etc_box *b;
	uint32_t len;

	TRY(length(vm, size_bytes, &len));
	TRY(etc_pickle_box(vm, ETC_REF_BYTES, &b));
	TRY(etc_pickle_bytes(vm, len, &b->v.text));
	return etc_pickle_push(vm, b);
}
