/* floor.c -- a reference program: does the least work that an analysis of an ETDump needs. The
 * benchmark compares etcore with it on the same file.
 *
 *   floor nop FILE     open the file and exit
 *   floor check FILE   follow and check every offset, vtable, vector and string
 *   floor stats FILE   the same, group events by (run name, instruction, ids,
 *                      name) in a hash table with one growing array per group,
 *                      then min, max, mean and percentiles by qsort
 *   floor read FILE    read(2) the file once, adding up its words
 *   floor write FILE   map the file and write(2) its bytes to a new file beside it
 *
 * The code is straightforward on purpose. It prints numbers that depend on the data, so that the
 * compiler cannot remove the work. It shares no code with core/. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t *file;
static uint64_t length;

struct table {
	uint64_t at, vtable;
	unsigned slots, size;
};

struct group {
	uint64_t hash, name, id_text, run;
	int32_t instruction, id;
	uint32_t count, room;
	double *samples;
};

static struct group *groups;
static uint64_t group_count, group_room;

static void damaged(const char *what)
{
	fprintf(stderr, "floor: damaged: %s\n", what);
	exit(1);
}

static void within(uint64_t at, uint64_t n)
{
	if (at > length || n > length - at)
		damaged("range");
}

static uint16_t load16(uint64_t at)
{
	uint16_t v;

	memcpy(&v, file + at, sizeof v);
	return v;
}

static uint32_t load32(uint64_t at)
{
	uint32_t v;

	memcpy(&v, file + at, sizeof v);
	return v;
}

static uint64_t load64(uint64_t at)
{
	uint64_t v;

	memcpy(&v, file + at, sizeof v);
	return v;
}

static struct table open_table(uint64_t at)
{
	struct table t = { .at = at };
	unsigned bytes;

	within(at, 4);
	t.vtable = at - (uint64_t)(int64_t)(int32_t)load32(at);
	within(t.vtable, 4);
	bytes = load16(t.vtable);
	t.size = load16(t.vtable + 2);
	within(t.vtable, bytes);
	within(at, t.size);
	if (bytes < 4 || bytes % 2)
		damaged("vtable");
	t.slots = (bytes - 4) / 2;
	return t;
}

/* Returns the offset in the file of the table's field number `slot`, which has `width` bytes; 0:
 * absent. */
static uint64_t field(const struct table *t, unsigned slot, unsigned width)
{
	unsigned offset = slot < t->slots ? load16(t->vtable + 4 + 2 * slot) : 0;

	if (!offset)
		return 0;
	if (offset + width > t->size)
		damaged("field");
	return t->at + offset;
}

static uint64_t follow(uint64_t at)
{
	return at ? at + load32(at) : 0;
}

static uint32_t vector(uint64_t at, unsigned width)
{
	uint32_t n;

	within(at, 4);
	n = load32(at);
	within(at + 4, (uint64_t)n * width);
	return n;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t mix_text(uint64_t h, uint64_t at)
{
	uint32_t n = at ? vector(at, 1) : 0;
	uint64_t word = 0, p = at + 4;

	if (!at)
		return mix(h, 1);
	for (; n >= 8; n -= 8, p += 8)
		h = mix(h, load64(p));
	memcpy(&word, file + p, n);
	return mix(h, word + n + 2);
}

static int same_text(uint64_t a, uint64_t b)
{
	if (a == b || !a || !b)
		return a == b;
	return load32(a) == load32(b) && memcmp(file + a + 4, file + b + 4, load32(a)) == 0;
}

static void grow(void)
{
	struct group *old = groups;
	uint64_t n = group_room;

	group_room = n ? n * 2 : 1024;
	groups = calloc(group_room, sizeof *groups);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t k = old[i].hash & (group_room - 1);

		if (!old[i].hash)
			continue;
		while (groups[k].hash)
			k = (k + 1) & (group_room - 1);
		groups[k] = old[i];
	}
	free(old);
}

static struct group *find(const struct group *key)
{
	if (group_count * 2 >= group_room)
		grow();
	for (uint64_t i = key->hash & (group_room - 1);; i = (i + 1) & (group_room - 1)) {
		struct group *g = &groups[i];

		if (!g->hash) {
			*g = *key;
			group_count++;
			return g;
		}
		if (g->hash == key->hash && g->instruction == key->instruction &&
		    g->id == key->id && same_text(g->name, key->name) &&
		    same_text(g->id_text, key->id_text) && same_text(g->run, key->run))
			return g;
	}
}

/* Checks one ProfileEvent and fills `key`. Returns the event's duration in ticks, end - start. */
static uint64_t read_event(uint64_t at, struct group *key)
{
	struct table p = open_table(at);
	uint64_t start = field(&p, 6, 8), end = field(&p, 7, 8), f;

	key->name = follow(field(&p, 0, 4));
	key->id_text = follow(field(&p, 4, 4));
	if (key->name)
		vector(key->name, 1);
	if (key->id_text)
		vector(key->id_text, 1);
	f = follow(field(&p, 5, 4));
	if (f)
		vector(f, 1);
	f = field(&p, 2, 4);
	key->instruction = f ? (int32_t)load32(f) : -1;
	f = field(&p, 3, 4);
	key->id = f ? (int32_t)load32(f) : -1;
	return (end ? load64(end) : 0) - (start ? load64(start) : 0);
}

static void keep(struct group *key, uint64_t run_hash, uint64_t ticks)
{
	uint64_t ids = (uint64_t)(uint32_t)key->instruction << 32 | (uint32_t)key->id;
	struct group *g;

	key->hash = mix_text(mix_text(mix(run_hash, ids), key->name), key->id_text) | 1;
	g = find(key);
	if (g->count == g->room) {
		g->room = g->room ? g->room * 2 : 4;
		g->samples = realloc(g->samples, g->room * sizeof *g->samples);
	}
	g->samples[g->count++] = (double)ticks / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double percentile(const double *v, uint32_t n, double q)
{
	double at = (n - 1) * q, low = floor(at);
	uint32_t i = (uint32_t)low;

	return i + 1 < n ? v[i] + (v[i + 1] - v[i]) * (at - low) : v[n - 1];
}

static double statistics(void)
{
	double check = 0;

	for (uint64_t i = 0; i < group_room; i++) {
		struct group *g = &groups[i];
		double sum = 0;

		if (!g->hash)
			continue;
		for (uint32_t k = 0; k < g->count; k++)
			sum += g->samples[k];
		qsort(g->samples, g->count, sizeof *g->samples, by_value);
		check += g->samples[0] + g->samples[g->count - 1] + sum / g->count +
		         percentile(g->samples, g->count, .1) +
		         percentile(g->samples, g->count, .5) +
		         percentile(g->samples, g->count, .9);
	}
	return check;
}

static void read_all(int stats)
{
	uint64_t events = 0, ticks = 0, runs;
	struct table root;
	uint32_t run_count;

	within(0, 12);
	if (memcmp(file + 8, "ED00", 4) != 0 || load32(0) > length - 4)
		damaged("header");
	root = open_table(4 + load32(4));
	runs = follow(field(&root, 1, 4));
	run_count = runs ? vector(runs, 4) : 0;
	for (uint32_t r = 0; r < run_count; r++) {
		struct table run = open_table(follow(runs + 4 + 4 * (uint64_t)r));
		uint64_t list = follow(field(&run, 3, 4)), name = follow(field(&run, 0, 4));
		uint32_t n = list ? vector(list, 4) : 0;
		uint64_t run_hash = stats ? mix_text(7, name) : 0;

		for (uint32_t e = 0; e < n; e++) {
			struct table event = open_table(follow(list + 4 + 4 * (uint64_t)e));
			uint64_t at = follow(field(&event, 0, 4));
			struct group key = { .run = name };
			uint64_t took;

			if (!at)
				continue;
			took = read_event(at, &key);
			events++;
			ticks += took + (uint64_t)key.instruction;
			if (stats)
				keep(&key, run_hash, took);
		}
	}
	printf("%llu events, %llu, %llu groups, %.6f\n", (unsigned long long)events,
	       (unsigned long long)ticks, (unsigned long long)group_count, statistics());
}

/* Reads the file a megabyte at a time, and prints the sum of its 64-bit words. Returns 1 if reading
 * failed, else 0. */
static int add_up(int fd)
{
	static uint64_t block[1 << 17];
	uint64_t sum[4] = { 0 };
	ssize_t n;

	while ((n = read(fd, block, sizeof block)) > 0)
		for (size_t i = 0; i + 4 <= (size_t)n / 8; i += 4)
			for (int k = 0; k < 4; k++)
				sum[k] += block[i + (size_t)k];
	printf("%llx\n", (unsigned long long)(sum[0] + sum[1] + sum[2] + sum[3]));
	return n < 0;
}

static int write_all(const char *path)
{
	char to[4096];
	int fd;

	snprintf(to, sizeof to, "%s.copy", path);
	fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (uint64_t at = 0; at < length;) {
		uint64_t n = length - at < 1 << 20 ? length - at : 1 << 20;
		ssize_t wrote = write(fd, file + at, n);

		if (wrote <= 0) {
			perror(to);
			return 1;
		}
		at += (uint64_t)wrote;
	}
	close(fd);
	return unlink(to) != 0;
}

int main(int argc, char **argv)
{
	struct stat st;
	int fd;

	if (argc != 3)
		return 2;
	fd = open(argv[2], O_RDONLY);
	if (fd < 0 || fstat(fd, &st) != 0) {
		perror(argv[2]);
		return 1;
	}
	if (strcmp(argv[1], "nop") == 0)
		return 0;
	if (strcmp(argv[1], "read") == 0)
		return add_up(fd);
	length = (uint64_t)st.st_size;
	file = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	if (strcmp(argv[1], "write") == 0)
		return write_all(argv[2]);
	read_all(strcmp(argv[1], "stats") == 0);
	return 0;
}
