/* time.c -- checks the times that a plugin converts, and measures how long its hooks take. */
#include <math.h>

#include "base/process.h"
#include "commands/plugins/check/internal.h"

/* clang-format off */
static const uint64_t edges[] = {
	0, 1, 2, 999, 1000, 1001, 999999, 1000000, (1u << 31) - 1, 1u << 31, UINT32_MAX, (uint64_t)UINT32_MAX + 1,
	(1ull << 52) + 1, (1ull << 53) - 1, 1ull << 53, (1ull << 53) + 1, (1ull << 53) + 2, 1ull << 62,
	(1ull << 63) - 1, 1ull << 63, (1ull << 63) + 1, UINT64_MAX - 2048, UINT64_MAX - 1, UINT64_MAX,
};
static const struct { const char *what; uint32_t source, target; double factor; } scales[] = {
	{ "ns to ms", ETCORE_UNIT_NS, ETCORE_UNIT_MS, 1e6 },
	{ "ns to ns", ETCORE_UNIT_NS, ETCORE_UNIT_NS, 1 },
	{ "us to s", ETCORE_UNIT_US, ETCORE_UNIT_S, 1e6 },
	{ "s to ns", ETCORE_UNIT_S, ETCORE_UNIT_NS, 1e-9 },
	{ "cycles to cycles", ETCORE_UNIT_CYCLES, ETCORE_UNIT_CYCLES, 1 },
};
/* clang-format on */
enum { EDGES = sizeof edges / sizeof edges[0], SCALES = sizeof scales / sizeof scales[0] };

static long double value(const struct etc_converted *v)
{
	return v->is_integer ? (long double)v->i : (long double)v->f;
}

/* Fails the check if the converted value of an edge is not finite, or is smaller than that of the
 * previous edge. */
static void judge(struct etc_checking *c, const char *what, const struct etc_converted *out)
{
	for (unsigned i = 0; i < EDGES; i++) {
		if (!out[i].is_integer && !isfinite(out[i].f))
			etc_check_failed(c, "%s: %llu became %f", what,
			                 (unsigned long long)edges[i], out[i].f);
		else if (i > 0 && value(&out[i]) < value(&out[i - 1]))
			etc_check_failed(c, "%s: %llu became %.17Lg, but %llu became %.17Lg", what,
			                 (unsigned long long)edges[i - 1], value(&out[i - 1]),
			                 (unsigned long long)edges[i], value(&out[i]));
	}
}

/* Checks that converting times one by one gives the same values as converting them in one call,
 * because the host may pass any number of times per call. */
static void judge_alone(struct etc_drive *d, const struct etc_case *one, const char *what,
                        const struct etcore_scales *s, const struct etc_converted *all)
{
	for (unsigned i = 0; i < EDGES; i++) {
		struct etc_converted v = { 0 };

		if (!etc_drive_convert(d, one, s, &edges[i], 1, &v) ||
		    v.is_integer != all[i].is_integer || value(&v) != value(&all[i]))
			etc_check_failed(d->c,
			                 "%s: %llu alone is converted otherwise than among others",
			                 what, (unsigned long long)edges[i]);
	}
}

static bool convert_case(struct etc_drive *d, const struct etc_case *one)
{
	struct etc_fence f = { 0 };
	uint64_t *raw = etc_fence_new(&f, sizeof edges);
	struct etcore_scales *s = etc_case_struct(&f, sizeof *s, 0);
	bool any = false;

	for (unsigned k = 0; raw && s && k < SCALES && !etc_check_has_failed(d->c); k++) {
		struct etc_converted out[EDGES] = { { 0 } };

		memcpy(raw, edges, sizeof edges);
		*s = (struct etcore_scales){ .size = sizeof *s,
			                     .source = scales[k].source,
			                     .target = scales[k].target,
			                     .factor = scales[k].factor };
		if (!etc_drive_convert(d, one, s, raw, EDGES, out))
			continue;
		any = true;
		judge(d->c, scales[k].what, out);
		judge_alone(d, one, scales[k].what, s, out);
	}
	etc_fence_release(&f);
	return any;
}

void etc_check_convert_time(struct etc_checking *c)
{
	struct etc_cases all = { .c = c, .sets = ETC_CASES_ORDINARY | ETC_CASES_OWN };
	struct etc_drive d = { .c = c };
	const struct etc_case *one;
	bool any = false;

	if (!c->abi->convert_time) {
		etc_check_skip(c, "it has no convert_time");
		return;
	}
	if (etc_drive_open(&d, c))
		while ((one = etc_cases_next(&all)))
			any |= convert_case(&d, one);
	if (d.fault[0])
		etc_check_failed(c, "%s", d.fault);
	if (!any)
		etc_check_skip(c, "it declined every time");
	etc_drive_close(&d);
}

void etc_check_clocks(struct etc_checking *c)
{
	const struct etc_check_subject *s = c->subject;
	struct etc_drive d = { .c = c };
	bool any = false;

	for (unsigned i = 0; i < s->sample_count; i++)
		any = any || s->samples[i].in_call;
	if (!c->abi->describe_time || !any) {
		etc_check_skip(c, "%s",
		               c->abi->describe_time ? "no sample with events in a DELEGATE_CALL"
		                                     : "it has no describe_time");
		return;
	}
	if (etc_drive_over(&d, c, ETC_CASES_CALLS) && d.outside[0])
		etc_check_failed(c, "%s", d.outside);
}

/* ---- speed ------------------------------------------------------------------------- */

void etc_check_speed(struct etc_checking *c)
{
	const unsigned most_us = etc_process_sanitized() ? 10000000 : 1000000;
	struct etc_drive usual = { .c = c, .timed = true }, large = usual;

	if (etc_drive_open(&usual, c) && etc_drive_open(&large, c)) {
		etc_drive_cases(&usual, ETC_CASES_ORDINARY);
		etc_drive_cases(&large, ETC_CASES_ALL & ~(unsigned)ETC_CASES_ORDINARY);
	}
	if (large.slowest_us >= most_us)
		etc_check_failed(c, "%s took %u ms given %s", large.slowest,
		                 large.slowest_us / 1000, large.slow_case);
	else if (large.slowest)
		etc_check_note(c, "slowest: %s, %u us given %s; %u us on an ordinary event",
		               large.slowest, large.slowest_us, large.slow_case, usual.slowest_us);
	etc_drive_close(&usual);
	etc_drive_close(&large);
}
