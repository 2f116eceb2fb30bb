/* replay.c -- runs a fuzz target without libFuzzer, so that its corpus is a test under any
 * compiler.
 *
 * replay_NAME [--mutations N] FILE-OR-FOLDER...
 *
 * Passes every file to the target unchanged, then N times with damage: bytes flipped, numbers set
 * to extreme values, the end cut off, a piece copied to another place. The damage depends only on
 * the file's bytes and N, so a failure can be repeated. With REPLAY_KEEP=FILE in the environment,
 * each input is written to FILE before it runs. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct replay {
	unsigned long mutations, inputs, files;
	uint64_t state;
	const char *keep;
};

static uint64_t random_word(struct replay *r)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return r->state >> 29;
}

static void keep(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
		perror(path);
		exit(3);
	}
}

/* Copies the bytes to a block of exactly `size` bytes, so that a sanitizer detects a read past the
 * end. */
static void run(struct replay *r, const uint8_t *bytes, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);

	if (!exact)
		exit(3);
	if (size)
		memcpy(exact, bytes, size);
	if (r->keep)
		keep(r->keep, bytes, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	r->inputs++;
}

static size_t damage(struct replay *r, uint8_t *bytes, size_t size)
{
	static const uint8_t extreme[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	size_t at = random_word(r) % size, n = random_word(r) % 8 + 1, to;

	switch (random_word(r) % 6) {
	case 0:
		bytes[at] ^= (uint8_t)(1u << random_word(r) % 8);
		return size;
	case 1:
		bytes[at] = (uint8_t)random_word(r);
		return size;
	case 2:
		for (size_t i = at; i < size && i < at + n; i++)
			bytes[i] = extreme[random_word(r) % sizeof extreme];
		return size;
	case 3:
		return random_word(r) % 4 ? size : at;
	case 4: /* a 32-bit word becomes a small number, as offsets and counts are */
		bytes[at & ~(size_t)3] = (uint8_t)(random_word(r) % 32);
		return size;
	default:
		to = random_word(r) % size;
		n = n < size - at ? n : size - at;
		n = n < size - to ? n : size - to;
		memmove(bytes + to, bytes + at, n);
		return size;
	}
}

static void replay_file(struct replay *r, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes, *worse;
	struct stat st;
	size_t size;

	if (!f || fstat(fileno(f), &st) != 0) {
		perror(path);
		exit(3);
	}
	size = (size_t)st.st_size;
	bytes = malloc(size ? size : 1);
	worse = malloc(size ? size : 1);
	if (!bytes || !worse || fread(bytes, 1, size, f) != size) {
		perror(path);
		exit(3);
	}
	fclose(f);
	run(r, bytes, size);
	r->state = size;
	for (size_t i = 0; i < size; i++)
		r->state = r->state * 31 + bytes[i];
	for (unsigned long i = 0; size && i < r->mutations; i++) {
		size_t now = size;

		memcpy(worse, bytes, size);
		for (uint64_t k = random_word(r) % 4 + 1; k && now; k--)
			now = damage(r, worse, now);
		run(r, worse, now);
	}
	free(bytes);
	free(worse);
	r->files++;
}

static void replay(struct replay *r, const char *path)
{
	struct dirent **names;
	struct stat st;
	int count;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		replay_file(r, path);
		return;
	}
	count = scandir(path, &names, NULL, alphasort);
	if (count < 0) {
		perror(path);
		exit(3);
	}
	for (int i = 0; i < count; i++) {
		char inside[4096];

		snprintf(inside, sizeof inside, "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			replay(r, inside);
		free(names[i]);
	}
	free(names);
}

int main(int argc, char **argv)
{
	struct replay r = { .keep = getenv("REPLAY_KEEP") };
	int at = 1;

	if (argc > 2 && strcmp(argv[1], "--mutations") == 0) {
		r.mutations = strtoul(argv[2], NULL, 10);
		at = 3;
	}
	for (; at < argc; at++)
		replay(&r, argv[at]);
	printf("%lu files, %lu inputs\n", r.files, r.inputs);
	return r.files ? 0 : 1;
}
