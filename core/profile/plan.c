/* plan.c -- see plan.h */
#include "profile/plan.h"

#include "etcore/plugin.h"

enum {
	DEFAULT_TOP = 12,
	NS_PER_S = 1000000000,
	/* Largest numerator of the fraction that gives the nanoseconds per tick. A clock with a
	 * whole number of ticks per second has a numerator of at most NS_PER_S, so its fraction is
	 * exact. */
	NUM_MAX = NS_PER_S
};

/* Returns the best approximation of num / den (a convergent of its continued fraction) whose num is
 * at most NUM_MAX and whose den is below 2^48. Times in ticks are multiplied by num, so 2^34 ticks
 * fit into 64 bits; if the rate is in whole kHz, 2^44 ticks do. */
static struct etc_ratio small_terms(uint64_t num, uint64_t den)
{
	struct etc_ratio last = { 1, 0 }, before = { 0, 1 };

	while (den != 0) {
		etc_u128 whole = num / den;
		struct etc_ratio next = { whole * last.num + before.num,
			                  whole * last.den + before.den };
		uint64_t rest = num % den;

		if (next.num > NUM_MAX || next.den > UINT64_MAX >> 16)
			break;
		before = last;
		last = next;
		num = den;
		den = rest;
	}
	return last;
}

/* Returns nanoseconds per tick as a ratio, such as 5/6 at 1.2 GHz. It is exact if small_terms() can
 * represent it. A numerator of 0 means that the length of a tick is unknown. */
static struct etc_ratio tick_of(double rate)
{
	double ns = NS_PER_S, per_tick = rate > 0 ? ns / rate : 0;

	if (!(rate > 0 && rate < 0x1p63))
		return etc_ratio(0, 1);
	if (per_tick >= 1 && per_tick <= 1e18 && per_tick == (double)(uint64_t)per_tick)
		return etc_ratio((uint64_t)per_tick, 1);
	/* A double is an integer divided by a power of two, so a few doublings of `rate` make it an
	 * integer. `ns` is doubled as often, so the ratio stays the same. */
	for (int i = 0; i < 33 && rate < 0x1p53 && rate != (double)(uint64_t)rate; i++) {
		rate *= 2;
		ns *= 2;
	}
	return rate < 1 ? etc_ratio(0, 1) : small_terms((uint64_t)ns, (uint64_t)rate);
}

/* Returns the runtime's clock as the settings describe it. */
static struct etc_host_clock host_clock(const struct etc_settings *s)
{
	struct etc_host_clock clock = { .unit = ETCORE_UNIT_NS, .scale = 1 };
	double ns = etc_unit_ns(s->source_time_scale);
	struct etc_ratio tick = tick_of(s->ticks_per_second);

	if (ns > 0) {
		clock.scale = (uint64_t)ns;
	} else if (tick.num > 0 && tick.den > 0) {
		clock.scale = (uint64_t)tick.num;
		clock.den = (uint64_t)tick.den;
	} else if (s->source_time_scale != ETC_UNIT_UNKNOWN) {
		clock.unit = s->source_time_scale;
	}
	return clock;
}

/* Returns the clock of dumps that were read from a serial log. Its unit is cycles, because the
 * runners that print such dumps count cycles, unless the configuration sets a unit. */
static struct etc_host_clock log_clock(const struct etc_settings *s)
{
	const struct etc_setting *key =
		etc_settings_find(s, ETC_STR("etcore"), ETC_STR("source_time_scale"));
	struct etc_settings cycles = *s;

	if (!key || key->built_in)
		cycles.source_time_scale = ETC_UNIT_CYCLES;
	return host_clock(&cycles);
}

/* Returns the unit of times on screen. UNKNOWN: no unit was set, or the unit that was set is not a
 * unit of time. */
static uint8_t shown_unit(const struct etc_settings *s)
{
	const struct etc_setting *key =
		etc_settings_find(s, ETC_STR("etcore"), ETC_STR("target_time_scale"));

	if (!key || key->built_in || etc_unit_ns(s->target_time_scale) <= 0)
		return ETC_UNIT_UNKNOWN;
	return s->target_time_scale;
}

/* Appends to `to` the keys in a text of --peak, "KEY=VALUE,…". */
static enum etc_status add_peaks(const char *text, struct etc_conf_override *to, uint32_t *count,
                                 struct etc_arena *arena, struct etc_error *err)
{
	struct etc_str rest = etc_str_of(text);

	do {
		const char *comma = memchr(rest.ptr, ',', rest.len);
		const size_t n = comma ? (size_t)(comma - rest.ptr) : rest.len;
		const struct etc_str one = etc_str_trim(etc_str_sub(rest, 0, n));
		const char *equal = one.len ? memchr(one.ptr, '=', one.len) : NULL;
		const size_t at = equal ? (size_t)(equal - one.ptr) : 0;
		struct etc_str key, value;

		rest = etc_str_sub(rest, n + (comma != NULL), rest.len);
		if (!at || at + 1 == one.len)
			return etc_fail(err, E0501, "--peak '%s': KEY=VALUE,... such as gbps=12",
			                text);
		key = etc_arena_str(arena, etc_str_trim(etc_str_sub(one, 0, at)));
		value = etc_arena_str(arena, etc_str_trim(etc_str_sub(one, at + 1, one.len)));
		ETC_NEED(key.ptr && value.ptr, err);
		for (uint32_t i = 0; i < *count; i++)
			if (strcmp(to[i].section, "peaks") == 0 && strcmp(to[i].key, key.ptr) == 0)
				return etc_fail(err, E0501, "--peak gives %s twice", key.ptr);
		to[(*count)++] =
			(struct etc_conf_override){ "peaks", key.ptr, value.ptr, "--peak" };
	} while (rest.len);
	return ETC_OK;
}

static enum etc_status configure(struct etc_session *s, const struct etc_common_options *common,
                                 const struct etc_plan_options *o, struct etc_error *err)
{
	const struct etc_conf_override scales[] = {
		{ "etcore", "source_time_scale", o->source_time_scale, "--source-time-scale" },
		{ "etcore", "target_time_scale", o->target_time_scale, "--target-time-scale" },
		{ "etcore", "ticks_per_second", o->ticks_per_second, "--ticks-per-second" },
	};
	uint32_t count = sizeof scales / sizeof scales[0];
	struct etc_conf_override *all;
	size_t room = count;

	for (uint32_t i = 0; i < o->peak.count; i++)
		room += strlen(o->peak.v[i]) / 2 + 1;
	all = etc_new(&s->arena, struct etc_conf_override, room);
	ETC_NEED(all, err);
	memcpy(all, scales, sizeof scales);
	for (uint32_t i = 0; i < o->peak.count; i++)
		ETC_TRY(add_peaks(o->peak.v[i], all, &count, &s->arena, err));
	return etc_session_configure(s, common, all, count, 0, err);
}

/* Warns if a tick rate was given but is not used for this dump. */
static void check_rate(const struct etc_plan *plan, const struct etc_inputs *in,
                       struct etc_session *s)
{
	const struct etc_host_clock *clock = in->from_log ? &plan->log_clock : &plan->profile.clock;
	uint8_t unit = s->settings.source_time_scale;

	if (plan->options->ticks_per_second && s->settings.ticks_per_second > 0 &&
	    etc_unit_ns(unit) > 0 && clock->unit == ETCORE_UNIT_NS &&
	    clock->scale == (uint64_t)etc_unit_ns(unit) && clock->den == 0)
		etc_note_each(&s->notes, W0648, "its ticks are %s", etc_unit_name(unit));
}

/* Refuses --roofline together with --tree, and for rows that are runs, because such rows have no
 * work. */
static enum etc_status check_roofline(const struct etc_plan *plan, struct etc_error *err)
{
	const struct etc_plan_options *o = plan->options;

	if (o->tree)
		return etc_fail(err, E0501, "--roofline and --tree: one table at a time");
	if (etc_plan_of_runs(plan))
		return etc_fail(err, E0501, "--roofline is of operators, not --by %s", o->by);
	return ETC_OK;
}

/* Refuses --tree together with a --by other than module, with --events, --sort or --columns, and
 * with --stat median, because medians do not add up. */
static enum etc_status check_tree(const struct etc_plan *plan, struct etc_error *err)
{
	const struct etc_plan_options *o = plan->options;

	if (plan->by != ETC_BY_MODULE)
		return etc_fail(err, E0501, "--tree is of modules, not --by %s", o->by);
	if (o->events || o->sort || o->columns)
		return etc_fail(err, E0501, "--tree and --%s: one table at a time",
		                o->events ? "events"
		                : o->sort ? "sort"
		                          : "columns");
	if (plan->profile.stat == ETC_STAT_MEDIAN)
		return etc_fail(err, E0501, "--tree and --stat median: medians do not add up");
	return ETC_OK;
}

enum etc_status etc_plan_make(struct etc_plan *plan, const struct etc_common_options *common,
                              const struct etc_plan_options *o, struct etc_session *s,
                              struct etc_error *err)
{
	uint64_t warmup = 1, top = DEFAULT_TOP;

	*plan = (struct etc_plan){ .options = o };
	ETC_TRY(configure(s, common, o, err));
	plan->by = o->by     ? etc_by_parse(etc_str_of(o->by))
	           : o->tree ? (uint8_t)ETC_BY_MODULE
	                     : (uint8_t)ETC_BY_OP;
	if (plan->by == ETC_BY_COUNT)
		return etc_fail(err, E0505, "--by '%s'", o->by);
	if (o->events && o->by && plan->by != ETC_BY_OP)
		return etc_fail(err, E0501, "--events and --by %s: one table at a time", o->by);
	ETC_TRY(etc_opt_count("warmup", o->warmup, UINT32_MAX, &warmup, err));
	ETC_TRY(etc_opt_count("top", o->top, UINT32_MAX - 1, &top, err));
	plan->top = (uint32_t)top;
	plan->shown_unit = shown_unit(&s->settings);
	plan->log_clock = log_clock(&s->settings);
	plan->profile = (struct etc_profile_options){
		.clock = host_clock(&s->settings),
		.warmup = (size_t)warmup,
		.stat = o->stat ? etc_stat_parse(etc_str_of(o->stat)) : (uint8_t)ETC_STAT_TYPICAL,
		.no_rows = o->brief && plan->by == ETC_BY_RUN,
	};
	if (plan->profile.stat == ETC_STAT_COUNT)
		return etc_fail(err, E0505, "--stat '%s'", o->stat);
	if (o->tree)
		ETC_TRY(check_tree(plan, err));
	plan->roofline = o->roofline || o->peak.count;
	if (plan->roofline)
		ETC_TRY(check_roofline(plan, err));
	return etc_selection_parse(o->where.v, o->where.count,
	                           o->sort || !plan->roofline ? o->sort : "saved_ns:desc",
	                           o->columns, &s->arena, &plan->selection, err);
}

struct etc_profile_options etc_plan_profile(const struct etc_plan *plan,
                                            const struct etc_inputs *in, struct etc_session *s)
{
	struct etc_profile_options po = plan->profile;

	check_rate(plan, in, s);
	if (in->from_log)
		po.clock = plan->log_clock;
	po.record = etc_inputs_record(in);
	po.program = etc_inputs_program(in);
	po.host = &s->host;
	po.peaks = plan->roofline ? &s->settings.peaks : NULL;
	return po;
}

void etc_plan_release(struct etc_plan *plan)
{
	etc_selection_release(&plan->selection);
}
