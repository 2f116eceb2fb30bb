/* profile.c -- see profile.h */
#include "model/profile.h"

static const char *const stats[ETC_STAT_COUNT] = {
	[ETC_STAT_TYPICAL] = "typical", [ETC_STAT_MEAN] = "mean",   [ETC_STAT_MEDIAN] = "median",
	[ETC_STAT_MIN] = "min",         [ETC_STAT_TOTAL] = "total", [ETC_STAT_P90] = "p90",
	[ETC_STAT_P95] = "p95",         [ETC_STAT_P99] = "p99",
};

const char *etc_stat_name(uint8_t stat)
{
	return stat < ETC_STAT_COUNT ? stats[stat] : "";
}

uint8_t etc_stat_parse(struct etc_str word)
{
	uint8_t i = 0;

	while (i < ETC_STAT_COUNT && !etc_str_eq(word, etc_str_of(stats[i])))
		i++;
	return i;
}

static const char *const keys[ETC_BY_COUNT] = {
	[ETC_BY_OP] = "op",
	[ETC_BY_KERNEL] = "kernel",
	[ETC_BY_MODULE] = "module",
	[ETC_BY_SOURCE] = "source",
	[ETC_BY_CATEGORY] = "category",
	[ETC_BY_BACKEND] = "backend",
	[ETC_BY_DELEGATE] = "delegate",
	[ETC_BY_EVENT] = "event",
	[ETC_BY_FALLBACK] = "fallback",
	[ETC_BY_METHOD] = "method",
	[ETC_BY_FILE] = "file",
	[ETC_BY_RUN] = "run",
};

const char *etc_by_name(uint8_t by)
{
	return by < ETC_BY_COUNT ? keys[by] : "";
}

uint8_t etc_by_parse(struct etc_str word)
{
	uint8_t i = 0;

	while (i < ETC_BY_COUNT && !etc_str_eq(word, etc_str_of(keys[i])))
		i++;
	return i;
}

const char *etc_detach_text(uint8_t why)
{
	static const char *const texts[ETC_DETACH_COUNT] = {
		[ETC_ATTACHED] = "",
		[ETC_DETACH_BELOW] = "below a detached event",
		[ETC_DETACH_PARENT] = "no parent",
		[ETC_DETACH_EXCEED] = "children exceed parent",
		[ETC_DETACH_INVALID] = "invalid",
		[ETC_DETACH_UNIT] = "unknown or another unit or clock",
		[ETC_DETACH_COUNTER] = "a counter, not a time",
		[ETC_DETACH_ESTIMATE] = "estimated",
		[ETC_DETACH_THREADS] = "a sum over threads",
		[ETC_DETACH_PARALLEL] = "in parallel",
	};

	return why < ETC_DETACH_COUNT ? texts[why] : "";
}

/* The first row of a path not below `path`. */
static size_t first_row(const struct etc_profile *profile, uint32_t path)
{
	size_t low = 0, high = profile->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (profile->rows[middle].path < path)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void etc_profile_rows(const struct etc_profile *profile, uint32_t path, size_t *from, size_t *to)
{
	*from = first_row(profile, path);
	*to = path == UINT32_MAX ? profile->row_count : first_row(profile, path + 1);
}
