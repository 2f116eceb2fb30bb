/* query.h -- runs queries through etcore/etcore.h in tests; an error fails the test. */
#ifndef ETC_TEST_QUERY_H
#define ETC_TEST_QUERY_H

#include "etcore/etcore.h"
#include "unit.h"

/* The output of a query that take() received. take() stops the output after `stop_after` bytes; 0:
 * never. */
struct answer {
	char *text;
	size_t size, stop_after;
	uint32_t notes; /* number of notes when the first piece arrived */
	const struct etcore_query *query;
};

static inline int take(void *arg, const char *bytes, size_t size)
{
	struct answer *a = arg;
	struct etcore_diagnostic note = ETCORE_DIAGNOSTIC;

	if (a->query && !a->size)
		while (etcore_note(a->query, a->notes, &note))
			a->notes++;
	a->text = realloc(a->text, a->size + size + 1);
	assert_non_null(a->text);
	memcpy(a->text + a->size, bytes, size);
	a->size += size;
	a->text[a->size] = '\0';
	return a->stop_after && a->size >= a->stop_after;
}

static inline struct etcore_query *query(const char *question)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct etcore_query *q = NULL;

	assert_int_equal(etcore_query_new(question, &q, &err), ETCORE_STATUS_OK);
	assert_non_null(q);
	return q;
}

static inline void set(struct etcore_query *q, const char *option, const char *value)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;

	if (etcore_set(q, option, value, &err) != ETCORE_STATUS_OK)
		fail_msg("%s %s", err.code, err.message);
}

static inline void add(struct etcore_query *q, const char *operand)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;

	if (etcore_add(q, operand, &err) != ETCORE_STATUS_OK)
		fail_msg("%s %s", err.code, err.message);
}

/* Runs the query. Returns its output, which the caller frees. */
static inline char *run(struct etcore_query *q)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct answer a = { 0 };

	if (etcore_run(q, take, &a, &err) != ETCORE_STATUS_OK)
		fail_msg("%s %s %s", err.code, err.file, err.message);
	assert_non_null(a.text);
	return a.text;
}

#endif
