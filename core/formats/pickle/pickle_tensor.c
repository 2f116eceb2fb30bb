/* pickle_tensor.c -- rebuilds storages and tensors of a pickle: sizes, strides and offsets are
 * checked as in torch; the elements are not copied. */
#include "formats/pickle/pickle_vm.h"

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define CLOSED(...) etc_pickle_fail(vm, ETC_PICKLE_CLOSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

/* --- storages -------------------------------------------------------------------- */

static bool is_storage_tag(const struct etc_ref_value *v)
{
	return (v->kind == ETC_REF_STRING || v->kind == ETC_REF_BYTES ||
	        v->kind == ETC_REF_BYTEARRAY) &&
	       etc_str_eq(v->text, ETC_STR("storage"));
}

/* Is `s` a storage location that torch can restore on some machine? */
static bool is_place(struct etc_str s)
{
	static const struct etc_str devices[] = {
		{ "cuda", 4 }, { "mps", 3 }, { "xpu", 3 }, { "hpu", 3 }, { "privateuse", 10 }
	};

	for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
		if (etc_str_starts(s, devices[i]))
			return true;
	return etc_str_eq(s, ETC_STR("cpu")) || etc_str_eq(s, ETC_STR("meta"));
}

/* Reads a persistent id: ("storage", class, key, location, elements). */
static enum etc_pickle_verdict read_id(struct etc_pickle_vm *vm, const struct etc_ref_value *id,
                                       struct etc_ref_storage *s)
{
	const struct etc_ref_value *key, *where, *count;
	const struct etc_box *cls;

	if (id->kind != ETC_REF_TUPLE || id->count == 0 || !is_storage_tag(id->items[0]))
		return REFUSE("a reference to what is no storage");
	if (id->count != (vm->names == ETC_PICKLE_INSIDE ? 6 : 5))
		return REFUSE("a reference of %u parts, not 5", (unsigned)id->count);
	if (id->count == 6 && id->items[5]->kind != ETC_REF_NONE)
		return CLOSED("a view of a storage");
	cls = etc_box_of(id->items[1]);
	key = id->items[2];
	where = id->items[3];
	count = id->items[4];
	if (cls->name == ETC_NAME_STORAGE)
		s->dtype = cls->dtype;
	else if (cls->name == ETC_NAME_UNTYPED)
		s->dtype = etc_torch_dtype(ETC_STR("uint8"));
	else
		return REFUSE("a storage of no type");
	if (key->kind == ETC_REF_STRING)
		s->key = key->text;
	else if (key->kind == ETC_REF_INT)
		s->key = etc_arena_printf(vm->arena, "%lld", (long long)key->integer);
	else
		return CLOSED("a storage whose key is no text");
	if (!s->key.ptr)
		return etc_pickle_no_memory(vm);
	if (where->kind != ETC_REF_STRING)
		return REFUSE("a storage whose place is no text");
	s->location = where->text;
	if (count->kind != ETC_REF_INT || count->integer < 0 ||
	    (uint64_t)count->integer > INT64_MAX / s->dtype->bytes)
		return REFUSE("a storage of an impossible size");
	s->bytes = (uint64_t)count->integer * s->dtype->bytes;
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_storage(struct etc_pickle_vm *vm, const struct etc_ref_value *id,
                                           struct etc_box **out)
{
	struct etc_ref_storage *s = etc_new(vm->arena, struct etc_ref_storage, 1);
	size_t place;

	if (!s)
		return etc_pickle_no_memory(vm);
	TRY(read_id(vm, id, s));
	/* If several ids have the same key, the storage is that of the first id whose storage is
	 * not empty. */
	place = etc_map_get(&vm->storages, s->key);
	if (place != ETC_MAP_NONE) {
		*out = vm->storage_boxes[place];
		return ETC_PICKLE_READ;
	}
	if (!is_place(s->location))
		return REFUSE("a storage on an unknown device");
	vm->why->at = vm->at;
	TRY(vm->find(vm->arg, s, vm->why));
	TRY(etc_pickle_box(vm, ETC_REF_STORAGE, out));
	(*out)->v.storage = s;
	if (s->bytes == 0)
		return ETC_PICKLE_READ;
	if (etc_map_add(&vm->storages, s->key, vm->storage_count) == ETC_MAP_NONE ||
	    !etc_pickle_grow(vm->arena, &vm->storage_boxes, &vm->storage_count, &vm->storage_room,
	                     *out))
		return etc_pickle_no_memory(vm);
	return ETC_PICKLE_READ;
}

/* --- geometry -------------------------------------------------------------------- */

static enum etc_pickle_verdict integers(struct etc_pickle_vm *vm, const struct etc_ref_value *list,
                                        int64_t **out, uint32_t *count)
{
	int64_t *to;

	*out = NULL;
	*count = 0;
	if (!etc_ref_is_list(list))
		return REFUSE("sizes or strides that are no list");
	TRY(etc_pickle_spend(vm, list->count));
	to = etc_new(vm->arena, int64_t, list->count);
	if (!to)
		return etc_pickle_no_memory(vm);
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->items[i]->kind != ETC_REF_INT)
			return REFUSE("sizes or strides that are no integers");
		to[i] = list->items[i]->integer;
	}
	*out = to;
	*count = list->count;
	return ETC_PICKLE_READ;
}

static enum etc_pickle_verdict read_shape(struct etc_pickle_vm *vm,
                                          const struct etc_ref_value *sizes,
                                          const struct etc_ref_value *strides,
                                          struct etc_ref_tensor *t)
{
	int64_t *size, *stride;
	uint64_t count = 1;
	bool over = false;
	uint32_t n;

	TRY(integers(vm, sizes, &size, &t->rank));
	TRY(integers(vm, strides, &stride, &n));
	if (n != t->rank)
		return REFUSE("%u sizes but %u strides", (unsigned)t->rank, (unsigned)n);
	for (uint32_t i = 0; i < n; i++)
		over |= __builtin_mul_overflow(count, (uint64_t)size[i], &count);
	if (over || count > INT64_MAX)
		return REFUSE("more elements than 63 bits count");
	t->sizes = size;
	t->strides = stride;
	t->count = count;
	return ETC_PICKLE_READ;
}

/* Replaces each negative stride by the stride of a contiguous tensor, like
 * TensorImpl::set_sizes_and_strides() of torch, which allows negative strides that are never
 * used. */
static void mend_strides(struct etc_ref_tensor *t)
{
	int64_t *stride = (int64_t *)(uintptr_t)t->strides;

	for (uint32_t i = t->rank; i-- > 0;) {
		if (stride[i] >= 0)
			continue;
		if (i + 1 == t->rank ||
		    __builtin_mul_overflow(t->sizes[i + 1] > 1 ? t->sizes[i + 1] : 1, stride[i + 1],
		                           &stride[i]))
			stride[i] = 1;
	}
}

/* Checks that every element is inside the storage, and sets t->bytes. Unsigned overflow is an
 * error, as in c10's computeStorageNbytes(). So a negative stride is an error, unless no element
 * uses it; then it is replaced. */
static enum etc_pickle_verdict check_extent(struct etc_pickle_vm *vm, struct etc_ref_tensor *t)
{
	const uint64_t width = t->dtype->bytes;
	uint64_t end = 1, step;
	bool over = false;

	if (t->count == 0) {
		mend_strides(t);
		return ETC_PICKLE_READ;
	}
	for (uint32_t i = 0; i < t->rank; i++) {
		over |= __builtin_mul_overflow((uint64_t)t->strides[i], (uint64_t)(t->sizes[i] - 1),
		                               &step);
		over |= __builtin_add_overflow(end, step, &end);
	}
	over |= __builtin_add_overflow(end, t->offset, &end);
	over |= __builtin_mul_overflow(end, width, &end);
	if (over || end > t->storage->bytes)
		return REFUSE("a tensor outside its storage of %llu bytes",
		              (unsigned long long)t->storage->bytes);
	mend_strides(t);
	if (!t->storage->packed && etc_fits(t->storage->data.len, (size_t)(t->offset * width),
	                                    (size_t)(end - t->offset * width)))
		t->bytes = (struct etc_span){ t->storage->data.ptr + t->offset * width,
			                      (size_t)(end - t->offset * width) };
	return ETC_PICKLE_READ;
}

/* Reads (storage, offset, sizes, strides): the first four arguments of most functions by which a
 * pickle rebuilds a tensor. */
static enum etc_pickle_verdict read_place(struct etc_pickle_vm *vm,
                                          const struct etc_ref_value *const *a,
                                          const struct etc_torch_dtype *dtype,
                                          struct etc_ref_tensor *t)
{
	if (a[0]->kind != ETC_REF_STORAGE)
		return REFUSE("a tensor on what is no storage");
	t->storage = a[0]->storage;
	t->dtype = dtype ? dtype : t->storage->dtype;
	if (a[1]->kind != ETC_REF_INT || a[1]->integer < 0)
		return REFUSE("a tensor with an impossible offset");
	t->offset = (uint64_t)a[1]->integer;
	TRY(read_shape(vm, a[2], a[3], t));
	return check_extent(vm, t);
}

static enum etc_pickle_verdict read_gradient(struct etc_pickle_vm *vm,
                                             const struct etc_ref_value *wanted,
                                             struct etc_ref_tensor *t)
{
	if (wanted->kind != ETC_REF_BOOL)
		return REFUSE("requires_grad is no bool");
	if (wanted->integer && !t->dtype->real && !t->dtype->complex)
		return REFUSE("integers that require gradients");
	t->requires_grad = wanted->integer != 0;
	return ETC_PICKLE_READ;
}

/* Reads flags such as {"conj": True}: whether elements must be conjugated or negated when they
 * are read. */
static enum etc_pickle_verdict read_flags(struct etc_pickle_vm *vm, const struct etc_ref_value *v,
                                          struct etc_ref_tensor *t)
{
	const struct etc_ref_value *conj, *neg;

	if (v->kind == ETC_REF_NONE || (v->kind != ETC_REF_TENSOR && !etc_ref_is_dict(v)))
		return v->kind == ETC_REF_NONE || (etc_ref_is_list(v) && v->count == 0)
		               ? ETC_PICKLE_READ
		               : REFUSE("tensor flags that are no dict");
	conj = etc_ref_get(v, ETC_STR("conj"));
	neg = etc_ref_get(v, ETC_STR("neg"));
	t->conj = conj && conj->kind == ETC_REF_BOOL && conj->integer;
	t->neg = neg && neg->kind == ETC_REF_BOOL && neg->integer;
	if (t->conj && !t->dtype->complex)
		return REFUSE("a real tensor that is conjugated");
	return ETC_PICKLE_READ;
}

/* --- functions of torch that make tensors ----------------------------------------- */

static enum etc_pickle_verdict rebuild_strided(struct etc_pickle_vm *vm, enum etc_pickle_name f,
                                               const struct etc_ref_value *args,
                                               struct etc_ref_tensor *t)
{
	const struct etc_ref_value *const *a = args->items;
	const struct etc_torch_dtype *dtype = NULL;
	uint32_t flags = 6;

	if (f == ETC_NAME_REBUILD_V3) {
		if (etc_box_of(a[6])->name != ETC_NAME_DTYPE)
			return REFUSE("a tensor without a type");
		dtype = etc_box_of(a[6])->dtype;
		flags = 7;
	}
	TRY(read_place(vm, a, dtype, t));
	if (f == ETC_NAME_REBUILD)
		return ETC_PICKLE_READ;
	TRY(read_gradient(vm, a[4], t));
	return args->count > flags ? read_flags(vm, a[flags], t) : ETC_PICKLE_READ;
}

static enum etc_pickle_verdict rebuild_quantised(struct etc_pickle_vm *vm,
                                                 const struct etc_ref_value *args,
                                                 struct etc_ref_tensor *t)
{
	const struct etc_ref_value *q = args->items[4];

	TRY(read_place(vm, args->items, NULL, t));
	if (!etc_ref_is_list(q) || q->count == 0 ||
	    etc_box_of(q->items[0])->name != ETC_NAME_SCHEME)
		return REFUSE("a quantised tensor without a scheme");
	if (!t->dtype->quantised)
		return CLOSED("a quantised tensor of a plain type");
	t->quantizer = q;
	return ETC_PICKLE_READ;
}

/* Makes a tensor without values from (dtype, sizes, strides, requires_grad). */
static enum etc_pickle_verdict
rebuild_meta(struct etc_pickle_vm *vm, const struct etc_ref_value *args, struct etc_ref_tensor *t)
{
	if (etc_box_of(args->items[0])->name != ETC_NAME_DTYPE)
		return REFUSE("a tensor without a type");
	t->dtype = etc_box_of(args->items[0])->dtype;
	TRY(read_shape(vm, args->items[1], args->items[2], t));
	return read_gradient(vm, args->items[3], t);
}

/* Rebuilds a Parameter from the arguments (tensor, requires_grad, ...). A pickle calls either
 * torch._utils._rebuild_parameter() or the class Parameter; for the class, only the first argument
 * is required. */
static enum etc_pickle_verdict rebuild_parameter(struct etc_pickle_vm *vm,
                                                 const struct etc_ref_value *args,
                                                 struct etc_ref_tensor *t)
{
	static const struct etc_ref_value yes = { .kind = ETC_REF_BOOL, .integer = 1 };

	if (args->items[0]->kind != ETC_REF_TENSOR)
		return args->items[0]->kind == ETC_REF_OTHER ? CLOSED("a closed parameter")
		                                             : REFUSE("a parameter of no tensor");
	*t = *args->items[0]->tensor;
	t->parameter = true;
	return read_gradient(vm, args->count > 1 ? args->items[1] : &yes, t);
}

enum etc_pickle_verdict etc_pickle_rebuild(struct etc_pickle_vm *vm, const struct etc_box *f,
                                           const struct etc_ref_value *args, struct etc_box **out)
{
	static const struct {
		uint8_t least, most;
	} takes[] = {
		[ETC_NAME_REBUILD] = { 4, 4 },          [ETC_NAME_REBUILD_V2] = { 6, 7 },
		[ETC_NAME_REBUILD_V3] = { 7, 8 },       [ETC_NAME_REBUILD_QUANTISED] = { 7, 7 },
		[ETC_NAME_REBUILD_META] = { 4, 4 },     [ETC_NAME_REBUILD_PARAMETER] = { 3, 3 },
		[ETC_NAME_REBUILD_STATEFUL] = { 4, 4 }, [ETC_NAME_PARAMETER] = { 1, 2 },
	};
	struct etc_ref_tensor *t = etc_new(vm->arena, struct etc_ref_tensor, 1);

	if (!t)
		return etc_pickle_no_memory(vm);
	if (args->count < takes[f->name].least || args->count > takes[f->name].most)
		return REFUSE("%.*s with %u arguments",
		              (int)(f->v.text.len < 60 ? f->v.text.len : 60), f->v.text.ptr,
		              (unsigned)args->count);
	switch ((enum etc_pickle_name)f->name) {
	case ETC_NAME_REBUILD_QUANTISED:
		TRY(rebuild_quantised(vm, args, t));
		break;
	case ETC_NAME_REBUILD_META:
		TRY(rebuild_meta(vm, args, t));
		break;
	case ETC_NAME_PARAMETER:
	case ETC_NAME_REBUILD_PARAMETER:
	case ETC_NAME_REBUILD_STATEFUL:
		TRY(rebuild_parameter(vm, args, t));
		break;
	default:
		TRY(rebuild_strided(vm, (enum etc_pickle_name)f->name, args, t));
	}
	TRY(etc_pickle_box(vm, ETC_REF_TENSOR, out));
	(*out)->v.tensor = t;
	return ETC_PICKLE_READ;
}
