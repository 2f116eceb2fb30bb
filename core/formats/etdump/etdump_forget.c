/* etdump_forget.c -- see etdump.h: finds the pages of an ETDump to which its trace points, and
 * releases the others. */
#include "formats/etdump/etdump.h"

#include <stdlib.h>

#include "base/memory.h"

/* The pages of the file that are not released: one bit per page. */
struct pages {
	const struct etc_file *file;
	size_t size;
	uint8_t *stay;
};

static void keep(struct pages *p, const void *from, size_t len)
{
	uintptr_t base = (uintptr_t)p->file->bytes.ptr, at = (uintptr_t)from;

	/* Texts outside the file, such as constants, need no page of it. */
	if (at < base || at - base >= p->file->bytes.len)
		return;
	for (size_t i = at / p->size; i <= (at + len) / p->size; i++)
		p->stay[(i - base / p->size) / 8] |= (uint8_t)(1u << (i - base / p->size) % 8);
}

static void keep_sized(struct pages *p, struct etc_sized text)
{
	if (text.ptr)
		keep(p, text.ptr - sizeof(uint32_t), sizeof(uint32_t) + etc_sized_str(text).len);
}

static void keep_names(struct pages *p, const struct etc_trace *t)
{
	for (size_t i = 0; i < t->template_count; i++)
		for (uint32_t k = 0; k < t->templates[i].count; k++) {
			keep_sized(p, t->templates[i].events[k].name);
			keep_sized(p, t->templates[i].events[k].delegate_name);
		}
	for (size_t i = 0; i < t->head_count; i++) {
		const struct etc_run_head *h = &t->heads[i];

		keep(p, h->name.ptr, h->name.len);
		for (uint32_t k = 0; k < h->allocator_count; k++)
			keep(p, h->allocators[k].ptr, h->allocators[k].len);
	}
}

static void keep_values(struct pages *p, const struct etc_trace *t)
{
	for (size_t i = 0; i < t->value_count; i++)
		keep(p, t->values[i].text.ptr, t->values[i].text.len);
}

static void keep_metadata(struct pages *p, const struct etc_trace *t)
{
	for (size_t i = 0; t->metadata.has && i < t->sample_count; i++) {
		struct etc_span m = etc_trace_metadata(t, i);

		if (m.ptr)
			keep(p, m.ptr - sizeof(uint32_t), sizeof(uint32_t) + m.len);
	}
}

static void forget(const struct pages *p, size_t count)
{
	size_t before = (uintptr_t)p->file->bytes.ptr % p->size;

	for (size_t i = 0, to; i < count; i = to + 1) {
		for (to = i; to < count && !(p->stay[to / 8] >> to % 8 & 1); to++)
			;
		if (to > i)
			etc_file_forget(p->file, i ? i * p->size - before : 0,
			                to * p->size - before);
	}
}

void etc_etdump_forget(const struct etc_trace *t, const struct etc_file *file)
{
	enum { LARGE = 1 << 20 };
	struct pages p = { .file = file, .size = etc_file_page() };
	size_t count = file->bytes.len / p.size + 2;

	if (t->salvage || t->sparse || t->used_bytes < LARGE)
		return;
	p.stay = etc_calloc(count / 8 + 1, 1);
	if (!p.stay)
		return;
	keep_names(&p, t);
	keep_values(&p, t);
	keep_metadata(&p, t);
	forget(&p, count);
	free(p.stay);
}
