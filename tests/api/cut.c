/* cut.c [map] -- truncates the input file at a random moment of each of 1,000 queries of libetcore
 * (200 if ETCORE_SHARE is larger than 1, see tests/share.py). Each query must return a result for
 * the complete file, a result for the truncated file, or E0907. Results must stay readable when
 * their file is truncated later. Without "map", no signal may be raised. With "map", the queries
 * map their files, and the program may end with a signal. */
#define _GNU_SOURCE /* memmem, mkdtemp */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "etcore/etcore.h"
#include "take.h"

#define DUMP "tests/data/cases/conv_net_xnnpack/run.etdump"

enum { QUERIES = 1000, FEW = 200, KINDS = 4 };

static const struct kind {
	const char *question, *option, *value;
	int descriptor; /* 1: the query gets the file as an open descriptor */
} kinds[KINDS] = {
	{ "analyze", "output", "json", 0 },
	{ "dump", "output", "json", 0 },
	{ "analyze", "events", NULL, 1 },
	{ "doctor", "output", "json", 0 },
};

static char folder[] = "/tmp/etcore-cut-XXXXXX", path[64];
static char *whole;
static size_t whole_size;
static int maps;

static void stop(const char *what)
{
	perror(what);
	exit(1);
}

static int same(const struct text *a, const struct text *b)
{
	return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static void put_file(void)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(whole, 1, whole_size, f) != whole_size || fclose(f) != 0)
		stop(path);
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int ask(const struct kind *k, struct text *out, struct etcore_diagnostic *err,
               struct etcore_query **kept)
{
	struct etcore_query *q;
	int st = etcore_query_new(k->question, &q, err), fd = -1;

	if (st != ETCORE_STATUS_OK)
		return st;
	etcore_map_files(q, maps);
	if (k->descriptor) {
		fd = open(path, O_RDONLY);
		if (fd < 0)
			stop(path);
		st = etcore_add_descriptor(q, NULL, path, fd, err);
		close(fd);
	} else {
		st = etcore_add(q, path, err);
	}
	if (st == ETCORE_STATUS_OK)
		st = etcore_set(q, k->option, k->value, err);
	if (st == ETCORE_STATUS_OK)
		st = etcore_run(q, take, out, err);
	if (kept)
		*kept = q;
	else
		etcore_query_free(q);
	return st;
}

struct cut {
	uint64_t after_us;
	off_t size;
};

static void *cut_file(void *arg)
{
	const struct cut *c = arg;
	uint64_t until = now_us() + c->after_us;

	while (now_us() < until)
		;
	if (truncate(path, c->size) != 0)
		stop(path);
	return NULL;
}

struct tally {
	unsigned wholes, changed, damaged, wrong;
};

/* Did the query report E0907, "file changed while it was read"? `doctor` returns the status FINDING
 * instead of an error, and has the code in its report. */
static int is_changed(const struct text *out, int status, const struct etcore_diagnostic *err)
{
	if (status == ETCORE_STATUS_FINDING && out->size)
		return memmem(out->bytes, out->size, "\"E0907\"", 7) != NULL;
	return status == ETCORE_STATUS_IO && strcmp(err->code, "E0907") == 0 && out->size == 0;
}

/* Runs the query `k` while another thread truncates its file, and counts the outcome in `n`. `want`
 * is the result for the complete file; `took` is the time of the query in µs. */
static void try_one(const struct kind *k, const struct text *want, uint64_t took, struct tally *n)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC, after = ETCORE_DIAGNOSTIC;
	struct cut c = { (uint64_t)rand() % (took + 1), 0 };
	struct text out = { 0 }, of_cut = { 0 };
	pthread_t thread;
	int st, again;

	if (rand() % 2)
		c.size = (off_t)((size_t)rand() % whole_size);
	put_file();
	if (pthread_create(&thread, NULL, cut_file, &c) != 0)
		stop("pthread_create");
	st = ask(k, &out, &err, NULL);
	pthread_join(thread, NULL);
	again = ask(k, &of_cut, &after, NULL);
	if (st == ETCORE_STATUS_OK && same(&out, want))
		n->wholes++;
	else if (is_changed(&out, st, &err))
		n->changed++;
	else if (st == again && strcmp(err.code, after.code) == 0 && same(&out, &of_cut))
		n->damaged++;
	else if (n->wrong++ < 10)
		fprintf(stderr, "%s, cut to %ld after %lu us: status %d %s %s\n", k->question,
		        (long)c.size, (unsigned long)c.after_us, st, err.code, err.message);
	free(out.bytes);
	free(of_cut.bytes);
}

/* Truncates the file of a query after the query ran: its result must stay as it was. */
static void read_on(struct tally *n)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct text out = { 0 }, first = { 0 }, second = { 0 };
	struct etcore_query *q;
	uint64_t rows = 0;
	uint32_t columns = 0;
	unsigned before = n->wrong;

	put_file();
	if (ask(&kinds[0], &out, &err, &q) != ETCORE_STATUS_OK ||
	    etcore_write(q, "ndjson", take, &first, &err) != ETCORE_STATUS_OK)
		n->wrong++;
	if (truncate(path, 0) != 0)
		stop(path);
	if (etcore_write(q, "ndjson", take, &second, &err) != ETCORE_STATUS_OK ||
	    !same(&first, &second) ||
	    etcore_table(q, ETCORE_TABLE_EVENTS, &rows, &columns, &err) != ETCORE_STATUS_OK ||
	    rows == 0)
		n->wrong++;
	if (n->wrong > before)
		fprintf(stderr, "reading on: %s %s\n", err.code, err.message);
	etcore_query_free(q);
	free(out.bytes);
	free(first.bytes);
	free(second.bytes);
}

static void load(void)
{
	FILE *f = fopen(DUMP, "rb");

	whole = malloc(1 << 24);
	if (!f || !whole)
		stop(DUMP);
	whole_size = fread(whole, 1, 1 << 24, f);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct etcore_diagnostic err = ETCORE_DIAGNOSTIC;
	struct tally n = { 0, 0, 0, 0 };
	struct text want[KINDS];
	uint64_t took[KINDS];
	const char *share = getenv("ETCORE_SHARE");
	const int queries = share && atoi(share) > 1 ? FEW : QUERIES;

	maps = argc > 1 && strcmp(argv[1], "map") == 0;
	load();
	if (!mkdtemp(folder))
		stop(folder);
	snprintf(path, sizeof path, "%s/run.etdump", folder);
	put_file();
	for (int i = 0; i < KINDS; i++) {
		uint64_t began = now_us();

		want[i] = (struct text){ NULL, 0 };
		if (ask(&kinds[i], &want[i], &err, NULL) != ETCORE_STATUS_OK) {
			fprintf(stderr, "%s: %s %s\n", kinds[i].question, err.code, err.message);
			return 1;
		}
		took[i] = now_us() - began;
	}
	for (int i = 0; i < queries; i++)
		try_one(&kinds[i % KINDS], &want[i % KINDS], took[i % KINDS], &n);
	read_on(&n);
	for (int i = 0; i < KINDS; i++)
		free(want[i].bytes);
	free(whole);
	unlink(path);
	rmdir(folder);
	printf("%d queries: %u whole answers, %u E0907, %u of the cut file, %u wrong; no signal\n",
	       queries, n.wholes, n.changed, n.damaged, n.wrong);
	return n.wrong != 0 || n.wholes == 0;
}
