/* threads.c PLUGIN... -- runs queries on many threads at once, in the locale of the environment:
 * analyses with the plugins, the Inspector's tables, dumps, and reading samples through Arrow. The
 * results must equal those of a single thread in the locale "C". In build-tsan (./dev check
 * threads) the program runs under ThreadSanitizer. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "etcore/arrow.h"
#include "etcore/etcore.h"
#include "take.h"

enum { THREADS = 8, ROUNDS = 3, TASKS = 7 };

struct task {
	const char *question, *operand, *option, *value;
};

static const struct task tasks[TASKS] = {
	{ "analyze", "tests/data/cases/mlp_xnnpack/run.etdump", "output", "json" },
	{ "analyze", "tests/data/cases/conv_net_xnnpack/run.etdump", "events", NULL },
	{ "analyze", "tests/data/backends/cases/coreml_basic/run.etdump", "output", "csv" },
	{ "inspector", NULL, "etdump_path", "tests/data/cases/mlp_xnnpack/run.etdump" },
	{ "dump", "tests/data/cases/mlp_xnnpack/model.etrecord", "output", "json" },
	{ "dump", "tests/data/cases/debug_scalars/run.etdump", "output", "json" },
	{ "config", NULL, "output", "json" },
};

static char **plugins;
static char *expected[TASKS];
static char folder[] = "/tmp/etcore-threads-XXXXXX";

static void stop(const struct task *t, const struct etcore_diagnostic *err)
{
	fprintf(stderr, "threads: %s: %s %s\n", t->question, err->code, err->message);
	exit(1);
}

/* Reads the table of samples as an Arrow array and frees `q`. Then sums up the samples, which must
 * still be valid. */
static void read_samples(const struct task *t, struct etcore_query *q,
                         struct etcore_diagnostic *err)
{
	struct ArrowArrayStream s;
	struct ArrowArray a;
	uint64_t sum = 0;

	if (etcore_arrow(q, ETCORE_TABLE_SAMPLES, &s, err) != ETCORE_STATUS_OK)
		stop(t, err);
	s.get_next(&s, &a);
	s.release(&s);
	etcore_query_free(q);
	for (int64_t i = 0; i < a.length; i++)
		sum += ((const uint64_t *)a.children[3]->buffers[1])[i];
	if (sum == 0)
		exit(1);
	a.release(&a);
}

static char *answer(const struct task *t)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct text text = { NULL, 0 };
	struct etcore_query *q;
	int st = etcore_query_new(t->question, &q, &err);

	for (char **p = plugins; *p && st == 0 && strcmp(t->question, "dump") != 0; p++)
		st = etcore_set(q, "plugin", *p, &err);
	if (st == 0 && t->operand)
		st = etcore_add(q, t->operand, &err);
	if (st == 0)
		st = etcore_set(q, t->option, t->value, &err);
	if (st == 0)
		st = etcore_run(q, take, &text, &err);
	if (st != 0)
		stop(t, &err);
	if (strcmp(t->question, "analyze") == 0)
		read_samples(t, q, &err);
	else
		etcore_query_free(q);
	return text.bytes;
}

/* Lets the library write a CSV file that only this thread uses, and checks that it is complete. */
static void check_file(size_t thread)
{
	struct task t = { "analyze", tasks[2].operand, "output", NULL };
	char option[64], bytes[1 << 16];
	size_t size;
	FILE *f;

	snprintf(option, sizeof option, "csv=%s/%zu", folder, thread);
	t.value = option;
	free(answer(&t));
	f = fopen(option + 4, "rb");
	size = f ? fread(bytes, 1, sizeof bytes - 1, f) : 0;
	bytes[size] = '\0';
	if (strcmp(bytes, expected[2]) != 0) {
		fprintf(stderr, "threads: another file %s\n", option);
		exit(1);
	}
	fclose(f);
	unlink(option + 4);
}

static void *work(void *arg)
{
	size_t first = (size_t)arg;

	for (size_t i = 0; i < (size_t)ROUNDS * TASKS; i++) {
		size_t which = (first + i) % TASKS;
		char *text = answer(&tasks[which]);

		if (strcmp(text, expected[which]) != 0) {
			fprintf(stderr, "threads: another answer of %s:\n%s\n",
			        tasks[which].question, text);
			exit(1);
		}
		free(text);
		check_file(first);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	(void)argc;
	if (!mkdtemp(folder))
		return 3;
	plugins = argv + 1;
	for (int i = 0; i < TASKS; i++)
		expected[i] = answer(&tasks[i]);
	if (!setlocale(LC_ALL, ""))
		return 2;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TASKS; i++)
		free(expected[i]);
	if (rmdir(folder) != 0) { /* temporary files must have been removed */
		fprintf(stderr, "threads: %s is not empty\n", folder);
		return 1;
	}
	printf("%d threads, %d answers each: all as on one; %s says %.1f\n", THREADS,
	       ROUNDS * TASKS, setlocale(LC_NUMERIC, NULL), 0.5);
	return 0;
}
