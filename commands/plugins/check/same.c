/* same.c -- checks that a plugin gives equal answers to equal calls: when calls are repeated, in
 * another order, with another instance, on another thread. */
#include <pthread.h>
#include <stdio.h>

#include "base/process.h"
#include "commands/plugins/check/internal.h"

enum { CASES_MOST = 4096, SOME = ETC_CASES_SMALL };

/* Replaces each of the two texts by its part from the first line that differs to the end of this
 * line, shortened for display. */
static void first_difference(struct etc_str *a, struct etc_str *b)
{
	size_t line = 0, i = 0;

	for (; i < a->len && i < b->len && a->ptr[i] == b->ptr[i]; i++)
		if (a->ptr[i] == '\n')
			line = i + 1;
	*a = etc_str_sub(*a, line, etc_str_find(*a, ETC_STR("\n"), line));
	*b = etc_str_sub(*b, line, etc_str_find(*b, ETC_STR("\n"), line));
	*a = etc_str_sub(*a, 0, 120);
	*b = etc_str_sub(*b, 0, 120);
}

static void differ(struct etc_checking *c, const char *how, struct etc_str a, struct etc_str b)
{
	first_difference(&a, &b);
	etc_check_failed(c, "%s '" ETC_STR_FMT "', before '" ETC_STR_FMT "'", how, ETC_STR_ARG(b),
	                 ETC_STR_ARG(a));
}

void etc_check_compare_said(const struct etc_check_board *before, const struct etc_check_board *now,
                            char text[300])
{
	struct etc_str a = etc_str_of(before->said), b = etc_str_of(now->said);

	text[0] = '\0';
	if (before->said_hash == now->said_hash)
		return;
	if (etc_str_eq(a, b)) {
		snprintf(text, 300, "in another process it answered otherwise");
		return;
	}
	first_difference(&a, &b);
	snprintf(text, 300,
	         "in another process it said '" ETC_STR_FMT "', before '" ETC_STR_FMT "'",
	         ETC_STR_ARG(b), ETC_STR_ARG(a));
}

/* Appends answers to the board (check.h). The process that watches the check compares these answers
 * with those of another process. */
static void tell(struct etc_check_board *b, struct etc_str record)
{
	size_t at = strlen(b->said), room = sizeof b->said - 1 - at;

	b->said_hash = b->said_hash ? b->said_hash : 14695981039346656037u;
	for (size_t i = 0; i < record.len; i++)
		b->said_hash = (b->said_hash ^ (unsigned char)record.ptr[i]) * 1099511628211u;
	record = etc_str_sub(record, 0, room);
	memcpy(b->said + at, record.ptr, record.len);
}

static void compare(struct etc_checking *c, const char *how, const struct etc_text *a,
                    const struct etc_text *b)
{
	if (a->failed || b->failed)
		etc_check_failed(c, "out of memory");
	else if (!etc_str_eq(etc_text_str(a), etc_text_str(b)))
		differ(c, how, etc_text_str(a), etc_text_str(b));
}

/* Runs one case twice, and compares the two records of answers. Also writes the first record to the
 * board. */
static void twice(struct etc_checking *c, struct etc_drive *d, const struct etc_case *one)
{
	struct etc_text first = { 0 };

	d->record.len = 0;
	etc_drive_case(d, one);
	etc_text_put(&first, etc_text_str(&d->record));
	tell(c->board, etc_text_str(&d->record));
	d->record.len = 0;
	etc_drive_case(d, one);
	compare(c, "the second time it said", &first, &d->record);
	etc_text_release(&first);
}

void etc_check_repeat(struct etc_checking *c)
{
	struct etc_cases all = { .c = c, .sets = SOME };
	struct etc_drive d = { .c = c };
	const struct etc_case *one;

	if (etc_drive_open(&d, c))
		while ((one = etc_cases_next(&all)))
			twice(c, &d, one);
	etc_drive_close(&d);
}

/* ---- order ------------------------------------------------------------------------ */

/* A case, and the answers to it when all cases ran in order. `at`: index of the case. */
struct kept {
	unsigned at;
	struct etc_text record;
};

static unsigned forward(struct etc_checking *c, struct etc_drive *d, struct kept *kept)
{
	struct etc_cases all = { .c = c, .sets = SOME };
	const struct etc_case *one;
	unsigned n = 0;

	for (; n < CASES_MOST && (one = etc_cases_next(&all)); n++) {
		kept[n].at = all.at - 1;
		d->record.len = 0;
		etc_drive_case(d, one);
		etc_text_put(&kept[n].record, etc_text_str(&d->record));
	}
	etc_cases_end(&all);
	return n;
}

static void backward(struct etc_checking *c, struct etc_drive *d, const struct kept *kept,
                     unsigned n)
{
	struct etc_cases all = { .c = c, .sets = SOME };
	const struct etc_case *one;

	while (n-- > 0) {
		all.at = kept[n].at;
		one = etc_cases_next(&all);
		if (!one)
			break;
		d->record.len = 0;
		etc_drive_case(d, one);
		compare(c, "in reverse order it said", &kept[n].record, &d->record);
	}
	etc_cases_end(&all);
}

void etc_check_order(struct etc_checking *c)
{
	struct kept *kept = etc_new(c->arena, struct kept, CASES_MOST);
	struct etc_drive first = { .c = c }, fresh = { .c = c };
	unsigned n = 0;

	if (!kept) {
		etc_check_failed(c, "out of memory");
		return;
	}
	if (etc_drive_open(&first, c)) {
		n = forward(c, &first, kept);
		backward(c, &first, kept, n);
	}
	if (etc_drive_open(&fresh, c))
		backward(c, &fresh, kept, n);
	etc_drive_close(&first);
	etc_drive_close(&fresh);
	for (unsigned i = 0; i < n; i++)
		etc_text_release(&kept[i].record);
}

/* ---- several instances ---------------------------------------------------------------- */

void etc_check_instances(struct etc_checking *c)
{
	struct etc_drive alone = { .c = c }, a = { .c = c }, b = { .c = c };
	struct etc_cases all = { .c = c, .sets = SOME };
	const struct etc_case *one;

	if (etc_drive_open(&alone, c))
		etc_drive_cases(&alone, SOME);
	/* Two more instances get the same calls, one call each in turn. Their answers must be those
	 * of the first instance. */
	if (etc_drive_open(&a, c) && etc_drive_open(&b, c)) {
		while ((one = etc_cases_next(&all))) {
			etc_drive_case(&a, one);
			etc_drive_case(&b, one);
		}
		compare(c, "one of two instances said", &alone.record, &a.record);
		compare(c, "one of two instances said", &alone.record, &b.record);
	}
	etc_drive_close(&alone);
	etc_drive_close(&a);
	etc_drive_close(&b);
}

static void *on_thread(void *arg)
{
	etc_drive_cases(arg, SOME);
	return NULL;
}

void etc_check_threads(struct etc_checking *c)
{
	struct etc_drive alone = { .c = c }, d[2] = { { .quiet = true }, { .quiet = true } };
	pthread_t thread[2];

	if (etc_drive_open(&alone, c))
		etc_drive_cases(&alone, SOME);
	snprintf(c->board->doing, sizeof c->board->doing, "two instances on two threads");
	for (int round = 0; round < 3 && !etc_check_has_failed(c); round++) {
		bool started[2] = { false, false };

		d[0] = d[1] = (struct etc_drive){ .quiet = true };
		for (int i = 0; i < 2; i++)
			started[i] = etc_drive_open(&d[i], c) &&
			             pthread_create(&thread[i], NULL, on_thread, &d[i]) == 0;
		for (int i = 0; i < 2; i++)
			if (started[i])
				pthread_join(thread[i], NULL);
		for (int i = 0; i < 2; i++) {
			if (started[i])
				compare(c, "on a thread it said", &alone.record, &d[i].record);
			else
				etc_check_failed(c, "an instance or a thread could not be made");
			etc_drive_close(&d[i]);
		}
	}
	etc_drive_close(&alone);
}

/* ---- globals -------------------------------------------------------------------------- */

enum { PARTS = 8 };

/* The writable data of the library, and a copy of its earlier contents. */
struct variables {
	struct etc_span now[PARTS];
	uint8_t *then[PARTS];
	uint32_t count;
};

static bool find_variables(struct etc_checking *c, struct variables *v)
{
	v->count = etc_plugin_variables(c->abi, v->now, PARTS);
	for (uint32_t i = 0; i < v->count; i++) {
		v->then[i] = etc_new(c->arena, uint8_t, v->now[i].len);
		if (!v->then[i])
			return false;
	}
	return true;
}

static void keep_variables(struct variables *v)
{
	for (uint32_t i = 0; i < v->count; i++)
		memcpy(v->then[i], v->now[i].ptr, v->now[i].len);
}

static void compare_variables(struct etc_checking *c, const struct variables *v, const char *when)
{
	for (uint32_t i = 0; i < v->count; i++)
		for (size_t k = 0; k < v->now[i].len; k++)
			if (v->now[i].ptr[k] != v->then[i][k]) {
				etc_check_failed(c,
				                 "a variable %zu bytes into its writable data "
				                 "changed %s",
				                 k, when);
				return;
			}
}

/* Checks after every case that the writable data of the library are as they were after open().
 * close() may change them, since it may undo what open() counted. */
static void watch_variables(struct etc_checking *c, struct variables *inside)
{
	struct etc_cases all = { .c = c,
		                 .sets = ETC_CASES_ORDINARY | ETC_CASES_NUMBERS | ETC_CASES_OWN };
	struct etc_drive d = { .c = c };
	const struct etc_case *one;

	if (etc_drive_open(&d, c)) {
		keep_variables(inside);
		while ((one = etc_cases_next(&all))) {
			etc_drive_case(&d, one);
			compare_variables(c, inside, "in a hook");
		}
	}
	etc_drive_close(&d);
}

void etc_check_globals(struct etc_checking *c)
{
	struct variables inside, around;

	if (etc_process_sanitized()) {
		etc_check_skip(c, "variables have red zones under a sanitizer");
		return;
	}
	if (etc_check_counts(c)) {
		etc_check_skip(c, "built to measure coverage: its counters change in every hook");
		return;
	}
	/* All hooks run once before the variables are watched, because a plugin may build tables at
	 * first use. */
	etc_drive_over(&(struct etc_drive){ .c = c }, c,
	               ETC_CASES_ORDINARY | ETC_CASES_NUMBERS | ETC_CASES_OWN);
	if (!find_variables(c, &inside) || !find_variables(c, &around)) {
		etc_check_skip(c, "its variables are too large to be watched");
		return;
	}
	keep_variables(&around);
	watch_variables(c, &inside);
	compare_variables(c, &around, "while another instance ran");
}
