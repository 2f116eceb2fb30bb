/* pickle_legacy.c -- reads the raw pickles of records before 1.3.1: the result of pickle.dumps()
 * for tensors. Their storages are archives of torch.save's old form inside the pickle:
 *
 *   five pickles: a magic number, the version 1001, facts about the machine, the value (a
 *   storage), and the list of keys; then, for each key, the number of elements (8 bytes) and
 *   the elements
 *
 * Source: _legacy_save and _legacy_load of torch/serialization.py. */
#include "formats/pickle/pickle_vm.h"

#define REFUSE(...) etc_pickle_fail(vm, ETC_PICKLE_REFUSED, __VA_ARGS__)
#define CLOSED(...) etc_pickle_fail(vm, ETC_PICKLE_CLOSED, __VA_ARGS__)
#define TRY         ETC_PICKLE_TRY

enum { VERSION = 1001, MAGIC_BYTES = 10, COUNT_BYTES = 8 };

static const uint8_t magic[MAGIC_BYTES] = { 0x6c, 0xfc, 0x9c, 0x46, 0xf9,
	                                    0x20, 0x6a, 0xa8, 0x50, 0x19 };

/* Marks a storage as not yet readable. attach() sets its bytes after all pickles were read. */
static enum etc_pickle_verdict later(void *arg, struct etc_ref_storage *storage,
                                     struct etc_pickle_fault *why)
{
	(void)arg;
	(void)why;
	storage->packed = true;
	return ETC_PICKLE_READ;
}

/* Reads the next pickle of the archive at `in`. Its values and work count against the limits of
 * `vm`. */
static enum etc_pickle_verdict next(struct etc_pickle_vm *vm, struct etc_pickle_vm *in,
                                    const struct etc_ref_value **out)
{
	enum etc_pickle_verdict verdict;

	in->depth = in->base = in->mark_count = in->memo_room = 0;
	in->values = vm->values;
	in->work = vm->work;
	verdict = etc_pickle_run(in, out);
	vm->values = in->values;
	vm->work = in->work;
	return verdict;
}

/* Gives each storage in `keys` its bytes. The bytes follow the pickles, in the order of `keys`. */
static enum etc_pickle_verdict attach(struct etc_pickle_vm *vm, struct etc_pickle_vm *in,
                                      const struct etc_ref_value *keys)
{
	if (keys->kind != ETC_REF_LIST)
		return REFUSE("the keys of the storages are no list");
	for (uint32_t i = 0; i < keys->count; i++) {
		size_t place = keys->items[i]->kind == ETC_REF_STRING
		                       ? etc_map_get(&in->storages, keys->items[i]->text)
		                       : ETC_MAP_NONE;
		struct etc_ref_storage *s = NULL;
		uint64_t count;

		if (place != ETC_MAP_NONE)
			s = (struct etc_ref_storage *)(uintptr_t)in->storage_boxes[place]
			            ->v.storage;
		if (!etc_fits(in->in.len, in->at, COUNT_BYTES))
			return REFUSE("the storages are cut off");
		memcpy(&count, in->in.ptr + in->at, sizeof count);
		in->at += COUNT_BYTES;
		if (count != (s ? s->bytes / s->dtype->bytes : 0))
			return REFUSE("a storage of another size than its pickle says");
		if (!s)
			continue;
		if (!etc_fits(in->in.len, in->at, s->bytes))
			return REFUSE("the storages are cut off");
		s->data = (struct etc_span){ in->in.ptr + in->at, (size_t)s->bytes };
		s->packed = false;
		in->at += (size_t)s->bytes;
	}
	return ETC_PICKLE_READ;
}

enum etc_pickle_verdict etc_pickle_load_bytes(struct etc_pickle_vm *vm,
                                              const struct etc_ref_value *args,
                                              struct etc_box **out)
{
	const struct etc_ref_value *v, *storage;
	struct etc_pickle_vm in = { .arena = vm->arena, .find = later, .why = vm->why };

	if (args->count != 1 || args->items[0]->kind != ETC_REF_BYTES)
		return REFUSE("_load_from_bytes takes bytes");
	in.names = ETC_PICKLE_INSIDE;
	in.in = etc_span_of(args->items[0]->text);
	etc_map_init(&in.far_memo, vm->arena);
	etc_map_init(&in.storages, vm->arena);
	TRY(next(vm, &in, &v));
	if (v->kind != ETC_REF_BIG || v->text.len != MAGIC_BYTES ||
	    memcmp(v->text.ptr, magic, MAGIC_BYTES) != 0)
		return CLOSED("a storage that torch.save did not write in its old form");
	TRY(next(vm, &in, &v));
	if (v->kind != ETC_REF_INT || v->integer != VERSION)
		return REFUSE("a storage of another version than %d", VERSION);
	/* skip the facts about the machine that wrote the file, such as its byte order: torch
	 * ignores them, too */
	TRY(next(vm, &in, &v));
	TRY(next(vm, &in, &storage));
	if (storage->kind != ETC_REF_STORAGE)
		return CLOSED("what is no storage, in the place of one");
	TRY(next(vm, &in, &v));
	TRY(attach(vm, &in, v));
	if (storage->storage->packed && storage->storage->bytes)
		return REFUSE("a storage without elements");
	/* the storage now has its bytes, if there are any */
	((struct etc_ref_storage *)(uintptr_t)storage->storage)->packed = false;
	*out = etc_box_of(storage);
	return ETC_PICKLE_READ;
}
