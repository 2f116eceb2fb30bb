/* fuzz_pickle.c -- reads any bytes as a pickle: as the one in an archive of torch.save, and as one
 * without an archive. */
#include <stdlib.h>

#include "formats/pickle/pickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sum; /* stores results, so that no read is optimised away */

static uint8_t storage[64];
static size_t most; /* largest size of a tensor in bytes */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static enum etc_pickle_verdict find(void *arg, struct etc_ref_storage *s,
                                    struct etc_pickle_fault *why)
{
	(void)arg;
	(void)why;
	if (s->bytes > sizeof storage)
		return ETC_PICKLE_REFUSED;
	s->data = (struct etc_span){ storage, (size_t)s->bytes };
	return ETC_PICKLE_READ;
}

static void tensor(const struct etc_ref_tensor *t)
{
	for (uint32_t i = 0; i < t->rank; i++) {
		sum += (uint64_t)t->sizes[i] + (uint64_t)t->strides[i];
		require(t->strides[i] >= 0 && (t->sizes[i] >= 0 || t->count == 0));
	}
	for (size_t i = 0; i < t->bytes.len; i++)
		sum += t->bytes.ptr[i];
	require(t->bytes.len <= most);
}

static void value(const struct etc_ref_value *v, unsigned depth, unsigned *budget)
{
	if (depth > 100 || *budget == 0)
		return;
	--*budget;
	sum += v->kind;
	if (v->kind == ETC_REF_TENSOR)
		tensor(v->tensor);
	if (v->kind == ETC_REF_STRING || v->kind == ETC_REF_BYTES || v->kind == ETC_REF_BIG)
		for (size_t i = 0; i < v->text.len; i++)
			sum += (uint8_t)v->text.ptr[i];
	if (etc_ref_is_dict(v))
		require(v->count % 2 == 0);
	if (etc_ref_is_dict(v) || etc_ref_is_list(v) || v->kind == ETC_REF_SET)
		for (uint32_t i = 0; i < v->count; i++)
			value(v->items[i], depth + 1, budget);
}

static void look(struct etc_span pickle, bool raw)
{
	const struct etc_ref_value *v;
	struct etc_pickle_fault why;
	struct etc_arena arena;
	unsigned budget = 10000;
	enum etc_pickle_verdict verdict;

	etc_arena_init(&arena, 16 << 20);
	most = raw ? pickle.len : sizeof storage;
	verdict = raw ? etc_pickle_read_legacy(pickle, &arena, &v, &why)
	              : etc_pickle_read(pickle, ETC_PICKLE_WEIGHTS, find, NULL, &arena, &v, &why);
	if (verdict == ETC_PICKLE_READ)
		value(v, 0, &budget);
	else
		require(why.at <= pickle.len);
	etc_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	look((struct etc_span){ data, size }, false);
	look((struct etc_span){ data, size }, true);
	return 0;
}
