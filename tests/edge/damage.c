/* damage.c -- damages real files systematically, and checks what the readers make of the results.
 *
 *   damage [--every K] [--dump ETDUMP] cuts FILE...   truncates each FILE to every shorter length
 *   damage [--every K] [--values] flips FILE...       changes each byte, by XOR with 9 masks
 *   damage random N FILE...                           makes N files from each FILE, with 2 to 5 faults
 *
 * --every K tests only each K-th length or byte. --values tests all 255 other values of a byte
 * instead of the 9 masks. --dump names the dump that is needed to read a FILE that is a debug
 * buffer.
 *
 * The program prints a sentence and ends with a signal on a crash, on a finding of a sanitizer, and
 * if
 * - the oracle of etdump_check.h reads an ETDump differently;
 * - a truncated file is read without an error;
 * - a damaged ETRecord gives another result without a warning, although it has checksums;
 * - a byte to which the oracle gives no meaning changes the result;
 * - another number or letter in an ETDump lets the file be rejected. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "edge/damage_kinds.h"
#include "edge/etdump_check.h"

/* The file was rejected (REFUSED), read as the undamaged file (SAME), or read differently: with a
 * warning (WARNED) or without one (OTHER). */
enum outcome { REFUSED, SAME, WARNED, OTHER, OUTCOMES };

struct campaign {
	size_t every;
	bool values;
	unsigned long inputs, count[OUTCOMES], role[ORACLE_ROLES][OUTCOMES];
	double slowest; /* longest time to read one input, in seconds */
	bool etdump;
};

struct subject {
	const char *path;
	uint8_t *bytes, *copy, *roles;
	size_t len;
	const struct damage_kind *kind;
	uint64_t digest; /* hash of what the reader returns for the undamaged file */
};

static void stop(const struct subject *s, const char *why, size_t at, unsigned with)
{
	fprintf(stderr, "damage: %s: %s (byte %zu, %u)\n", s->path, why, at, with);
	abort();
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void load(struct subject *s, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct damage_answer a;
	long len;

	*s = (struct subject){ .path = path };
	if (!f || fseek(f, 0, SEEK_END) != 0 || (len = ftell(f)) <= 0) {
		perror(path);
		exit(3);
	}
	rewind(f);
	s->len = (size_t)len;
	s->bytes = malloc(s->len);
	s->copy = malloc(s->len);
	s->roles = calloc(1, s->len);
	if (!s->bytes || !s->copy || !s->roles || fread(s->bytes, 1, s->len, f) != s->len)
		exit(3);
	fclose(f);
	memcpy(s->copy, s->bytes, s->len);
	s->kind = damage_kind_of(path, (struct etc_span){ s->bytes, s->len });
	if (!s->kind)
		stop(s, "no kind of file that is known here", 0, 0);
	a = s->kind->read((struct etc_span){ s->bytes, s->len });
	if (!a.read)
		stop(s, "is damaged from the start", a.code, 0);
	s->digest = a.digest;
	if (strcmp(s->kind->name, "etdump") == 0)
		etdump_check(s->bytes, s->len, s->roles);
}

static void unload(struct subject *s)
{
	free(s->bytes);
	free(s->copy);
	free(s->roles);
}

/* Reads a damaged file of `len` bytes and returns the outcome. The bytes are copied to a block of
 * exactly that size, so that a sanitizer detects a read past the end. */
static enum outcome feed(struct campaign *c, const struct subject *s, const uint8_t *bytes,
                         size_t len)
{
	uint8_t *exact = malloc(len ? len : 1);
	double from = now(), took;
	struct damage_answer a;

	if (!exact)
		exit(3);
	memcpy(exact, bytes, len);
	a = s->kind->read((struct etc_span){ exact, len });
	free(exact);
	took = now() - from;
	c->slowest = took > c->slowest ? took : c->slowest;
	c->inputs++;
	if (!a.read)
		return REFUSED;
	return a.digest == s->digest ? SAME : a.code ? WARNED : OTHER;
}

static void cut(struct campaign *c, struct subject *s)
{
	for (size_t n = 0; n < s->len; n += c->every) {
		enum outcome o = feed(c, s, s->bytes, n);
		bool used = !c->etdump;

		for (size_t i = n; c->etdump && i < s->len && !used; i++)
			used = s->roles[i] != ORACLE_UNUSED;
		if (o != REFUSED && s->kind->cut_is_refused && used)
			stop(s, "was read without its end", n, 0);
		c->count[o]++;
	}
}

static void flip(struct campaign *c, struct subject *s, size_t at, uint8_t with)
{
	enum oracle_role role = (enum oracle_role)s->roles[at];
	enum outcome o;

	s->copy[at] = s->bytes[at] ^ with;
	o = feed(c, s, s->copy, s->len);
	s->copy[at] = s->bytes[at];
	if (o == OTHER && s->kind->checked)
		stop(s, "a changed byte changed the answer, whatever the checksums say", at, with);
	if (c->etdump && o != SAME && (role == ORACLE_UNUSED || role == ORACLE_END))
		stop(s, "a byte without a meaning changed the answer", at, with);
	if (c->etdump && o == REFUSED && (role == ORACLE_NUMBER || role == ORACLE_TEXT))
		stop(s, "another number or letter makes no damaged file", at, with);
	c->count[o]++;
	c->role[role][o]++;
}

static void flips(struct campaign *c, struct subject *s)
{
	static const uint8_t masks[] = { 1, 2, 4, 8, 16, 32, 64, 128, 255 };

	for (size_t at = 0; at < s->len; at += c->every)
		for (unsigned i = 0; i < (c->values ? 255 : sizeof masks); i++)
			flip(c, s, at, c->values ? (uint8_t)(i + 1) : masks[i]);
}

static uint64_t random_word(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 29;
}

/* Makes one random fault in the `len` bytes of s->copy, or truncates them. Returns the new
 * length. */
static size_t mistake(struct subject *s, size_t len, uint64_t *state)
{
	static const uint8_t extreme[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	size_t at = random_word(state) % len, to = random_word(state) % len,
	       n = random_word(state) % 8 + 1;
	uint64_t how = random_word(state) % 8, v;

	n = n < len - at ? n : len - at;
	switch (how) {
	case 0:
		s->copy[at] ^= (uint8_t)(1u << random_word(state) % 8);
		break;
	case 1:
		s->copy[at] = (uint8_t)random_word(state);
		break;
	case 2:
		memset(s->copy + at, extreme[random_word(state) % sizeof extreme], n);
		break;
	case 3: /* truncates in one of 8 cases only, since most truncated files are rejected for that alone */
		return random_word(state) % 8 ? len : at;
	case 4: /* a 32-bit word becomes a small number, as offsets and counts are */
		s->copy[at & ~(size_t)3] = (uint8_t)(random_word(state) % 32);
		break;
	case 5: /* copies a piece of the file over another */
		n = n < len - to ? n : len - to;
		memmove(s->copy + to, s->copy + at, n);
		break;
	case 6: /* writes an offset that may be valid: less than the file's length */
		v = random_word(state) % len;
		at &= ~(size_t)3;
		for (size_t i = 0; i < 4 && at + i < len; i++)
			s->copy[at + i] = (uint8_t)(v >> 8 * i);
		break;
	default: /* overwrites up to 8 bytes with random ones */
		for (size_t i = 0; i < n; i++)
			s->copy[at + i] = (uint8_t)random_word(state);
	}
	return len;
}

static void random_files(struct campaign *c, struct subject *s, unsigned long files)
{
	uint64_t state = s->digest ^ s->len;

	for (unsigned long i = 0; i < files; i++) {
		size_t len = s->len;
		enum outcome o;

		memcpy(s->copy, s->bytes, s->len);
		for (uint64_t k = random_word(&state) % 4 + 2; k && len; k--)
			len = mistake(s, len, &state);
		o = feed(c, s, s->copy, len);
		if (o == OTHER && s->kind->checked)
			stop(s, "damage changed the answer, whatever the checksums say", i, 0);
		c->count[o]++;
	}
}

static void report(const char *what, const struct campaign *c, const struct subject *s, double took)
{
	static const char *const roles[] = { "unused",         "head",    "offsets",
		                             "vtables",        "counts",  "lengths of text",
		                             "tags",           "numbers", "text",
		                             "NUL behind text" };

	printf("%-6s %-12s %s (%zu bytes): %lu inputs, %lu refused, %lu read the same, "
	       "%lu in part and said so, %lu otherwise; %.1f s, slowest %.3f s\n",
	       what, s->kind->name, s->path, s->len, c->inputs, c->count[REFUSED], c->count[SAME],
	       c->count[WARNED], c->count[OTHER], took, c->slowest);
	for (int r = 0; c->etdump && strcmp(what, "flips") == 0 && r < ORACLE_ROLES; r++)
		printf("       %-15s %8lu refused %8lu the same %8lu with a warning %8lu "
		       "otherwise\n",
		       roles[r], c->role[r][REFUSED], c->role[r][SAME], c->role[r][WARNED],
		       c->role[r][OTHER]);
	if (c->slowest > 10) {
		fprintf(stderr, "damage: %s: an input took %.1f s\n", s->path, c->slowest);
		exit(1);
	}
	fflush(stdout);
}

int main(int argc, char **argv)
{
	size_t every = 1;
	bool values = false;
	unsigned long files = 0, total = 0;
	const char *what;
	int at = 1;

	for (; at < argc && argv[at][0] == '-'; at++) {
		if (strcmp(argv[at], "--every") == 0 && at + 1 < argc)
			every = strtoul(argv[++at], NULL, 10);
		else if (strcmp(argv[at], "--dump") == 0 && at + 1 < argc)
			damage_set_dump(argv[++at]);
		else
			values = strcmp(argv[at], "--values") == 0;
	}
	what = at < argc ? argv[at++] : "";
	if (strcmp(what, "random") == 0 && at < argc)
		files = strtoul(argv[at++], NULL, 10);
	if (at >= argc || every == 0)
		return 2;
	for (; at < argc; at++) {
		struct campaign c = { .every = every, .values = values };
		double from = now();
		struct subject s;

		load(&s, argv[at]);
		c.etdump = strcmp(s.kind->name, "etdump") == 0;
		if (strcmp(what, "cuts") == 0)
			cut(&c, &s);
		else if (strcmp(what, "flips") == 0)
			flips(&c, &s);
		else
			random_files(&c, &s, files);
		report(what, &c, &s, now() - from);
		total += c.inputs;
		unload(&s);
	}
	printf("%s: %lu inputs\n", what, total);
	return total ? 0 : 1;
}
