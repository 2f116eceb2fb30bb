/* as_file.h -- compares reading a dump from a mapped file, whose pages may be released meanwhile,
 * with reading it from memory. */
#ifndef ETC_UNIT_AS_FILE_H
#define ETC_UNIT_AS_FILE_H

#include "dump.h"

/* Reads a dump from `bytes` into `d`. `file` is the file that the bytes are mapped from; NULL: the
 * bytes are only in memory. `visits` is the reader's limit for visited tables, 0: its default. */
static inline enum etc_status read_from(struct dump *d, const struct etc_file *file,
                                        const void *bytes, size_t len, size_t visits)
{
	const struct etc_limits limits = { .max_visits = visits };

	/* No copy is made: expect_the_same() reads the same bytes twice and compares texts by
	 * address. */
	*d = (struct dump){ .len = len };
	etc_arena_init(&d->arena, ((size_t)64 << 20) + 8 * len);
	etc_notes_init(&d->notes, &d->arena);
	return etc_etdump_read_file(file, (struct etc_span){ bytes, len }, &limits, &d->arena,
	                            &d->notes, &d->trace, &d->err);
}

static inline bool same_list(const struct etc_template *a, const struct etc_template *b)
{
	if (a->count != b->count || a->profiles != b->profiles || a->debugs != b->debugs ||
	    a->allocations != b->allocations || a->empties != b->empties ||
	    a->doubles != b->doubles || a->first_run != b->first_run)
		return false;
	for (uint32_t i = 0; i < a->count; i++) {
		const struct etc_event *x = &a->events[i], *y = &b->events[i];

		if (x->name.ptr != y->name.ptr || x->delegate_name.ptr != y->delegate_name.ptr ||
		    x->chain != y->chain || x->instruction_id != y->instruction_id ||
		    x->delegate_id != y->delegate_id || x->column != y->column ||
		    x->kind != y->kind)
			return false;
	}
	return true;
}

static inline bool same_flaw(const struct etc_flaw *a, const struct etc_flaw *b)
{
	return a->found == b->found && a->at == b->at && a->run == b->run;
}

static inline bool same_bytes(const void *a, const void *b, size_t n)
{
	return n == 0 || memcmp(a, b, n) == 0;
}

/* Are run `i` of both traces equal? The contents of their heads are compared, not their indices: a
 * trace may store equal heads once or twice, depending on the seed of its hash. */
static inline bool same_run(const struct etc_trace *a, const struct etc_trace *b, size_t i)
{
	const struct etc_run_head *x = etc_run_head(a, &a->runs[i]);
	const struct etc_run_head *y = etc_run_head(b, &b->runs[i]);
	struct etc_run run = a->runs[i];

	run.head = b->runs[i].head;
	return same_bytes(&run, &b->runs[i], sizeof run) && etc_str_eq(x->name, y->name) &&
	       x->has_name == y->has_name && x->has_events == y->has_events &&
	       x->has_allocators == y->has_allocators && x->allocator_count == y->allocator_count &&
	       x->bundled_input_index == y->bundled_input_index;
}

static inline const char *difference(const struct etc_trace *a, const struct etc_trace *b)
{
	size_t n = a->sample_count;

	if (a->run_count != b->run_count || a->template_count != b->template_count ||
	    a->sample_count != b->sample_count || a->value_count != b->value_count ||
	    a->allocation_count != b->allocation_count)
		return "a count";
	for (size_t i = 0; i < a->run_count; i++)
		if (!same_run(a, b, i))
			return "a run";
	for (size_t i = 0; i < a->template_count; i++)
		if (!same_list(&a->templates[i], &b->templates[i]))
			return "a template";
	if (!same_bytes(a->start, b->start, n * sizeof *a->start) ||
	    !same_bytes(a->end, b->end, n * sizeof *a->end))
		return "a time";
	if (a->wraps.count != b->wraps.count || a->wraps.start != b->wraps.start ||
	    a->wraps.end != b->wraps.end)
		return "an event that ends before it starts";
	if ((a->metadata.has != NULL) != (b->metadata.has != NULL))
		return "metadata";
	for (size_t i = 0; i < n; i++) {
		struct etc_span x = etc_trace_metadata(a, i), y = etc_trace_metadata(b, i);

		/* compares bytes, not addresses: runs with equal metadata share a view of one of
		 * them */
		if (x.len != y.len || !same_bytes(x.ptr, y.ptr, x.len))
			return "metadata";
	}
	if (!same_bytes(a->allocation_size, b->allocation_size,
	                a->allocation_count * sizeof *a->allocation_size))
		return "an allocation";
	for (size_t i = 0; i < a->value_count; i++)
		if (a->values[i].tag != b->values[i].tag ||
		    a->values[i].count != b->values[i].count)
			return "a value";
	if (!same_flaw(&a->bad_utf8, &b->bad_utf8) || !same_flaw(&a->not_finite, &b->not_finite) ||
	    !same_flaw(&a->not_decodable, &b->not_decodable))
		return "a flaw";
	return NULL;
}

static inline const char *other_words(const struct dump *a, const struct dump *b)
{
	const struct etc_note *x = a->notes.first, *y = b->notes.first;

	for (; x && y; x = x->next, y = y->next)
		if (x->code != y->code || !etc_str_eq(x->text, y->text))
			return "a note";
	return x || y ? "a note" : NULL;
}

static inline void expect_the_same(const char *what, const struct etc_file *file)
{
	const void *bytes = file->bytes.ptr;
	struct dump one, other;
	enum etc_status status = read_from(&one, NULL, bytes, file->bytes.len, 0);
	const char *wrong = NULL;

	if (read_from(&other, file, bytes, file->bytes.len, 0) != status)
		wrong = "the status";
	else if (status == ETC_OK)
		wrong = difference(&one.trace, &other.trace);
	else if (one.err.code != other.err.code || one.err.at != other.err.at ||
	         strcmp(one.err.text, other.err.text) != 0)
		wrong = "the error";
	wrong = wrong ? wrong : other_words(&one, &other);
	if (wrong)
		fail_msg("%s: %s is another one: %s / %s", what, wrong, one.err.text,
		         other.err.text);
	etc_arena_release(&other.arena);
	etc_arena_release(&one.arena);
}

#endif
