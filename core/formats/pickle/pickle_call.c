/* pickle_call.c -- reimplements the functions that a pickle may call, except those that make
 * tensors; no code is executed. */
#include "formats/pickle/pickle_vm.h"

#include "base/number.h"
#include "base/text.h"

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define CLOSED(...) etc_pickle_fail(vm, ETC_PICKLE_CLOSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

/* Can `args` be unpacked in a call f(*args)? Returns READ for a tuple, a list, or an empty dict or
 * set; CLOSED for other values that Python could unpack; else REFUSED. */
static enum etc_pickle_verdict arguments(struct etc_pickle_vm *vm, const struct etc_ref_value *args)
{
	if (etc_ref_is_list(args) || (etc_ref_is_dict(args) && args->count == 0) ||
	    (args->kind == ETC_REF_SET && args->count == 0))
		return ETC_PICKLE_READ;
	if (etc_ref_is_dict(args) || args->kind == ETC_REF_SET || args->kind == ETC_REF_STRING ||
	    args->kind >= ETC_REF_TENSOR)
		return CLOSED("arguments that are no tuple");
	return REFUSE("arguments that are no tuple");
}

/* Implements dict(), dict(another) and dict(list of pairs). */
static enum etc_pickle_verdict make_dict(struct etc_pickle_vm *vm, enum etc_ref_kind kind,
                                         const struct etc_ref_value *args, struct etc_box **out)
{
	const struct etc_ref_value *from = args->count ? args->items[0] : NULL;

	TRY(etc_pickle_box(vm, kind, out));
	if (args->count > 1)
		return REFUSE("a dict takes one argument");
	if (!from)
		return ETC_PICKLE_READ;
	if (etc_ref_is_dict(from)) {
		TRY(etc_pickle_spend(vm, from->count));
		for (uint32_t i = 0; i < from->count; i += 2)
			TRY(etc_pickle_insert(vm, *out, from->items[i], from->items[i + 1]));
		return ETC_PICKLE_READ;
	}
	if (kind == ETC_REF_COUNTER || !etc_ref_is_list(from))
		return CLOSED("a dict made of something else");
	TRY(etc_pickle_spend(vm, from->count));
	for (uint32_t i = 0; i < from->count; i++) {
		const struct etc_ref_value *pair = from->items[i];

		if (!etc_ref_is_list(pair))
			return CLOSED("a dict made of what are no pairs");
		if (pair->count != 2)
			return REFUSE("a dict made of what are no pairs");
		TRY(etc_pickle_insert(vm, *out, pair->items[0], pair->items[1]));
	}
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict make_set(struct etc_pickle_vm *vm, const struct etc_ref_value *args,
                                        struct etc_box **out)
{
	TRY(etc_pickle_box(vm, ETC_REF_SET, out));
	if (args->count == 0)
		return ETC_PICKLE_READ;
	if (args->count > 1)
		return REFUSE("a set takes one argument");
	if (!etc_ref_is_list(args->items[0]) && args->items[0]->kind != ETC_REF_SET)
		return CLOSED("a set made of something else");
	TRY(etc_pickle_spend(vm, args->items[0]->count));
	for (uint32_t i = 0; i < args->items[0]->count; i++)
		TRY(etc_pickle_insert(vm, *out, args->items[0]->items[i], NULL));
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict make_size(struct etc_pickle_vm *vm, const struct etc_ref_value *args,
                                         struct etc_box **out)
{
	TRY(etc_pickle_box(vm, ETC_REF_SIZE, out));
	if (args->count == 0)
		return ETC_PICKLE_READ;
	if (args->count > 1 || !etc_ref_is_list(args->items[0]))
		return REFUSE("torch.Size takes one list");
	TRY(etc_pickle_spend(vm, args->items[0]->count));
	for (uint32_t i = 0; i < args->items[0]->count; i++) {
		if (args->items[0]->items[i]->kind != ETC_REF_INT)
			return REFUSE("torch.Size takes integers");
		TRY(etc_pickle_append(vm, *out, args->items[0]->items[i]));
	}
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict make_complex(struct etc_pickle_vm *vm,
                                            const struct etc_ref_value *args, struct etc_box **out)
{
	TRY(etc_pickle_box(vm, ETC_REF_COMPLEX, out));
	if (args->count > 2)
		return REFUSE("complex takes two numbers");
	for (uint32_t i = 0; i < args->count; i++) {
		const struct etc_ref_value *v = args->items[i];

		if (v->kind == ETC_REF_FLOAT)
			(*out)->v.real[i] = v->real[0];
		else if (v->kind == ETC_REF_INT || v->kind == ETC_REF_BOOL)
			(*out)->v.real[i] = (double)v->integer;
		else
			return CLOSED("complex of what is no number");
	}
	return ETC_PICKLE_READ;
}

/* Encodes the text as Latin-1: one byte per character. */
static enum etc_pickle_verdict latin1(struct etc_pickle_vm *vm, struct etc_str text,
                                      struct etc_str *out)
{
	char *to;
	size_t n = 0;

	TRY(etc_pickle_spend(vm, text.len));
	to = etc_new(vm->arena, char, text.len + 1);
	if (!to)
		return etc_pickle_no_memory(vm);
	for (size_t at = 0; at < text.len;) {
		int32_t c = etc_utf8_next(text, &at);

		if (c < 0 || c > 0xff)
			return REFUSE("a character that is no byte");
		to[n++] = (char)(uint8_t)c;
	}
	*out = (struct etc_str){ to, n };
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict encode(struct etc_pickle_vm *vm, const struct etc_ref_value *args,
                                      enum etc_ref_kind kind, struct etc_box **out)
{
	struct etc_str how = ETC_STR("utf-8");

	TRY(etc_pickle_box(vm, kind, out));
	if (args->count == 0 || args->count > 2 || args->items[0]->kind != ETC_REF_STRING)
		return args->count > 2 ? CLOSED("bytes by an error rule")
		                       : REFUSE("bytes of no text");
	if (args->count == 2) {
		if (args->items[1]->kind != ETC_REF_STRING)
			return REFUSE("bytes by what is no encoding");
		how = args->items[1]->text;
	}
	if (etc_str_eq(how, ETC_STR("latin1")) || etc_str_eq(how, ETC_STR("latin-1")))
		return latin1(vm, args->items[0]->text, &(*out)->v.text);
	if (!etc_str_eq(how, ETC_STR("utf-8")) && !etc_str_eq(how, ETC_STR("utf8")))
		return CLOSED("bytes in the encoding %.*s", (int)(how.len < 40 ? how.len : 40),
		              how.ptr);
	if (etc_utf8_fault(args->items[0]->text) != SIZE_MAX)
		return REFUSE("a surrogate has no bytes");
	(*out)->v.text = args->items[0]->text;
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict
make_bytearray(struct etc_pickle_vm *vm, const struct etc_ref_value *args, struct etc_box **out)
{
	if (args->count == 2)
		return encode(vm, args, ETC_REF_BYTEARRAY, out);
	TRY(etc_pickle_box(vm, ETC_REF_BYTEARRAY, out));
	if (args->count == 0)
		return ETC_PICKLE_READ;
	if (args->count > 1 ||
	    (args->items[0]->kind != ETC_REF_BYTES && args->items[0]->kind != ETC_REF_BYTEARRAY))
		return CLOSED("a bytearray of what are no bytes");
	(*out)->v.text = args->items[0]->text;
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict make_layout(struct etc_pickle_vm *vm,
                                           const struct etc_ref_value *args, struct etc_box **out)
{
	static const char *const known[] = { "torch.strided",    "torch.sparse_coo",
		                             "torch.sparse_csr", "torch.sparse_csc",
		                             "torch.sparse_bsr", "torch.sparse_bsc",
		                             "torch._mkldnn",    "torch.jagged" };

	TRY(etc_pickle_box(vm, ETC_REF_OTHER, out));
	if (args->count != 1 || args->items[0]->kind != ETC_REF_STRING)
		return REFUSE("a layout takes its name");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (etc_str_eq(args->items[0]->text, etc_str_of(known[i]))) {
			(*out)->v.text = etc_str_of(known[i]);
			return ETC_PICKLE_READ;
		}
	return REFUSE("a layout that torch does not have");
}

/* Implements calls such as torch.device("cuda:0"). */
static enum etc_pickle_verdict make_device(struct etc_pickle_vm *vm,
                                           const struct etc_ref_value *args, struct etc_box **out)
{
	static const char *const known[] = { "cpu",    "cuda",   "ipu",   "xpu",  "mkldnn",
		                             "opengl", "opencl", "ideep", "hip",  "ve",
		                             "fpga",   "maia",   "xla",   "lazy", "vulkan",
		                             "mps",    "meta",   "hpu",   "mtia", "privateuseone" };
	struct etc_str text, index;
	size_t colon;
	uint64_t number;

	TRY(etc_pickle_box(vm, ETC_REF_OTHER, out));
	(*out)->v.text = ETC_STR("torch.device");
	if (args->count != 1 || args->items[0]->kind != ETC_REF_STRING)
		return CLOSED("a device that is no text");
	text = args->items[0]->text;
	colon = etc_str_find(text, ETC_STR(":"), 0);
	index = etc_str_sub(text, colon == SIZE_MAX ? text.len : colon + 1, text.len);
	if (colon != SIZE_MAX && !etc_number_parse_u64(index, &number))
		return REFUSE("a device that torch does not have");
	text = etc_str_sub(text, 0, colon);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (etc_str_eq(text, etc_str_of(known[i])))
			return ETC_PICKLE_READ;
	return REFUSE("a device that torch does not have");
}

/* Returns an opaque value for an object that torch would construct; the value has only the name of
 * the class or function. */
static enum etc_pickle_verdict keep_closed(struct etc_pickle_vm *vm, const struct etc_box *f,
                                           struct etc_box **out)
{
	TRY(etc_pickle_box(vm, ETC_REF_OTHER, out));
	(*out)->v.text = f->v.text;
	return ETC_PICKLE_READ;
}

/* Implements _rebuild_from_type_v2(func, type, args, state): calls func(*args), and ignores the
 * attributes in `state`. CLOSED if func is itself _rebuild_from_type_v2, so that calls do not
 * nest. */
static enum etc_pickle_verdict rebuild_type(struct etc_pickle_vm *vm,
                                            const struct etc_ref_value *args, struct etc_box **out)
{
	if (args->count != 4)
		return REFUSE("_rebuild_from_type_v2 takes 4 arguments, not %u",
		              (unsigned)args->count);
	if (etc_box_of(args->items[0])->name == ETC_NAME_REBUILD_TYPE)
		return CLOSED("_rebuild_from_type_v2 inside itself");
	return etc_pickle_call(vm, etc_box_of(args->items[0]), args->items[2], out);
}

enum etc_pickle_verdict etc_pickle_call(struct etc_pickle_vm *vm, const struct etc_box *f,
                                        const struct etc_ref_value *args, struct etc_box **out)
{
	if (f->name == ETC_NAME_NONE)
		return REFUSE("calls what is no function");
	TRY(arguments(vm, args));
	switch ((enum etc_pickle_name)f->name) {
	case ETC_NAME_ORDERED_DICT:
		return make_dict(vm, ETC_REF_ORDERED_DICT, args, out);
	case ETC_NAME_COUNTER:
		return make_dict(vm, ETC_REF_COUNTER, args, out);
	case ETC_NAME_SET:
		return make_set(vm, args, out);
	case ETC_NAME_SIZE:
		return make_size(vm, args, out);
	case ETC_NAME_COMPLEX:
		return make_complex(vm, args, out);
	case ETC_NAME_BYTEARRAY:
		return make_bytearray(vm, args, out);
	case ETC_NAME_ENCODE:
		return encode(vm, args, ETC_REF_BYTES, out);
	case ETC_NAME_LAYOUT:
		return make_layout(vm, args, out);
	case ETC_NAME_REBUILD_TYPE:
		return rebuild_type(vm, args, out);
	case ETC_NAME_DEVICE:
		return make_device(vm, args, out);
	case ETC_NAME_LOAD_BYTES:
		return etc_pickle_load_bytes(vm, args, out);
	case ETC_NAME_TYPED:
	case ETC_NAME_UNTYPED:
	case ETC_NAME_TENSOR_CLASS:
	case ETC_NAME_REBUILD_CLOSED:
	case ETC_NAME_FAKE:
		return keep_closed(vm, f, out);
	case ETC_NAME_STORAGE:
	case ETC_NAME_DTYPE:
	case ETC_NAME_SCHEME:
		return REFUSE("calls %.*s, which is no function",
		              (int)(f->v.text.len < 60 ? f->v.text.len : 60), f->v.text.ptr);
	default:
		return etc_pickle_rebuild(vm, f, args, out);
	}
}

enum etc_pickle_verdict etc_pickle_new(struct etc_pickle_vm *vm, const struct etc_box *cls,
                                       const struct etc_ref_value *args, struct etc_box **out)
{
	TRY(arguments(vm, args));
	switch ((enum etc_pickle_name)cls->name) {
	/* __new__ of these classes ignores its arguments. */
	case ETC_NAME_ORDERED_DICT:
		return etc_pickle_box(vm, ETC_REF_ORDERED_DICT, out);
	case ETC_NAME_COUNTER:
		return etc_pickle_box(vm, ETC_REF_COUNTER, out);
	case ETC_NAME_SET:
		return etc_pickle_box(vm, ETC_REF_SET, out);
	case ETC_NAME_BYTEARRAY:
		return etc_pickle_box(vm, ETC_REF_BYTEARRAY, out);
	case ETC_NAME_SIZE:
		return make_size(vm, args, out);
	case ETC_NAME_COMPLEX:
		return make_complex(vm, args, out);
	case ETC_NAME_PARAMETER:
		return etc_pickle_rebuild(vm, cls, args, out);
	case ETC_NAME_DEVICE:
		return make_device(vm, args, out);
	case ETC_NAME_TYPED:
	case ETC_NAME_UNTYPED:
	case ETC_NAME_TENSOR_CLASS:
		return keep_closed(vm, cls, out);
	default:
		return REFUSE("makes an object of what is no class");
	}
}

static bool is_empty(const struct etc_ref_value *v)
{
	return v->kind == ETC_REF_NONE ||
	       ((etc_ref_is_list(v) || etc_ref_is_dict(v) || v->kind == ETC_REF_SET) &&
	        v->count == 0);
}

enum etc_pickle_verdict etc_pickle_build(struct etc_pickle_vm *vm, const struct etc_box *object,
                                         const struct etc_ref_value *state)
{
	switch ((enum etc_ref_kind)object->v.kind) {
	case ETC_REF_ORDERED_DICT: /* `state` has attributes, such as the _metadata of a state
	                            * dict */
		if (etc_ref_is_dict(state) || (etc_ref_is_list(state) && state->count == 0))
			return ETC_PICKLE_READ;
		return etc_ref_is_list(state) ? CLOSED("attributes that are no dict")
		                              : REFUSE("attributes that are no dict");
	case ETC_REF_COUNTER:
	case ETC_REF_SET:
	case ETC_REF_SIZE:
	case ETC_REF_COMPLEX:
	case ETC_REF_BYTEARRAY:
		return is_empty(state) ? ETC_PICKLE_READ : CLOSED("attributes of a value");
	case ETC_REF_TENSOR:
	case ETC_REF_STORAGE:
	case ETC_REF_OTHER:
		if (object->name == ETC_NAME_NONE)
			return CLOSED("attributes of a tensor");
		return REFUSE("attributes of what takes none");
	default:
		return REFUSE("attributes of what takes none");
	}
}
