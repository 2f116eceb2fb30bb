/* profile.c -- see profile.h */
#include "model/profile.h"

#include "base/bisect.h"

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

static const struct etc_row_key keys[ETC_BY_COUNT] = {
#define ETC_EVENT_KEY(id, word, title, detail, offered, places, stored, function) \
	[ETC_BY_##id] = { word, title, detail, stored, places },
#define ETC_KEY(id, word, title, detail, offered, places, function) \
	[ETC_BY_##id] = { word, title, detail, NULL, places },
#include "model/keys.def"
};

#define ANALYZE_ANALYZE(word) "|" word
#define ANALYZE_COMPARE(word)
#define ANALYZE_BOTH(word) "|" word
const char etc_by_analyze[] =
#define ETC_KEY(id, word, title, detail, offered, places, function) ANALYZE_##offered(word)
#include "model/keys.def"
	;

const char etc_by_what_if[] =
#define ETC_RUN_KEY(id, word, title, detail, offered)
#define ETC_KEY(id, word, title, detail, offered, places, function) ANALYZE_##offered(word)
#include "model/keys.def"
	;

#define COMPARE_ANALYZE(word)
#define COMPARE_COMPARE(word) "|" word
#define COMPARE_BOTH(word)    "|" word
const char etc_by_compare[] =
#define ETC_KEY(id, word, title, detail, offered, places, function) COMPARE_##offered(word)
#include "model/keys.def"
	;

const struct etc_row_key *etc_row_key(uint8_t by)
{
	return &keys[by];
}

uint8_t etc_by_parse(struct etc_str word)
{
	uint8_t i = 0;

	while (i < ETC_BY_COUNT && !etc_str_eq(word, etc_str_of(keys[i].word)))
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

bool etc_profile_beyond(const struct etc_profile *profile)
{
	bool beyond = profile->beyond;

	for (uint32_t n = 0; n < profile->path_count; n++)
		beyond = beyond || profile->paths[n].beyond;
	return beyond;
}

/* Returns the index of the first row of path `path` or of a later path. */
static size_t first_row(const struct etc_profile *profile, uint32_t path)
{
	size_t at;

	ETC_BISECT(at, profile->row_count, profile->rows[at].path >= path);
	return at;
}

void etc_profile_rows(const struct etc_profile *profile, uint32_t path, size_t *from, size_t *to)
{
	*from = first_row(profile, path);
	*to = path == UINT32_MAX ? profile->row_count : first_row(profile, path + 1);
}
