/* fuzz_gate_rules.c -- reads any bytes as rules of `etcore check`: the result is an error with a
 * code, a file and a line, or valid rules. */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/profile.h"
#include "commands/compare/gate_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct etc_gate_rules *rules)
{
	struct etc_str word;

	require(rules->count <= ETC_GATE_RULES_MAX);
	for (uint32_t i = 0; i < rules->count; i++) {
		const struct etc_gate_rule *r = &rules->v[i];
		uint8_t stat;

		require(r->limit >= 0 && r->limit <= 10);
		word = etc_str_of(etc_stat_name(r->stat));
		require(etc_gate_rule_metric(word, &stat) && stat == r->stat);
		for (uint32_t k = 0; k < i; k++)
			require(!etc_str_eq(rules->v[k].name, r->name));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct etc_gate_rule usual = { .stat = ETC_STAT_TYPICAL, .limit = 0.05 };
	struct etc_error err = { 0 };
	struct etc_gate_rules rules = { 0 };
	struct etc_arena arena;
	enum etc_status st;
	char path[64];
	int fd = memfd_create("rules", 0);

	require(fd >= 0 && (size == 0 || write(fd, data, size) == (ssize_t)size));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	etc_arena_init(&arena, 16 << 20);
	st = etc_gate_rules_read(path, &usual, &arena, &rules, &err);
	if (st == ETC_OK)
		check(&rules);
	else
		require(err.code != ETC_CODE_NONE && err.file[0] && err.text[0]);
	etc_arena_release(&arena);
	close(fd);
	return 0;
}
