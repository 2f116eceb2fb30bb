/* taps.c -- the sinks that checks pass to hooks; see taps.h. */
#include "commands/plugins/check/taps.h"

#include <math.h>
#include <stdio.h>

enum { WORDS = 200 }; /* a text of more bytes is recorded as its length and hash */

void etc_taps_say(const struct etc_taps *t, char to[300], const char *text)
{
	if (!to[0])
		snprintf(to, 300, "%s given %s: %s", t->hook, t->what, text);
}

/* Does the sink accept the current call? If the check has set d->refuse_at to n, the sink refuses
 * its n-th call and all later calls. A call after a refusal is a finding (d->insisted). */
static bool admits(struct etc_taps *t)
{
	struct etc_drive *d = t->drive;

	if (t->refused) {
		etc_taps_say(t, d->insisted, "it called the sink again after a refusal");
		return false;
	}
	if (d->refuse_at && ++t->calls >= d->refuse_at) {
		t->refused = true;
		d->refusals++;
		return false;
	}
	d->answers++;
	return true;
}

static void record_text(struct etc_text *to, struct etcore_text s)
{
	uint64_t hash = 14695981039346656037u;

	if (s.len && !s.ptr) {
		etc_text_cstr(to, " (no pointer)");
	} else if (s.len <= WORDS) {
		etc_text_char(to, ' ');
		etc_text_put(to, (struct etc_str){ s.ptr, (size_t)s.len });
	} else if (s.len <= (uint64_t)1 << 24) {
		for (uint64_t i = 0; i < s.len; i++)
			hash = (hash ^ (unsigned char)s.ptr[i]) * 1099511628211u;
		etc_text_printf(to, " (%llu bytes, %016llx)", (unsigned long long)s.len,
		                (unsigned long long)hash);
	}
}

/* Begins the line that records a call of the sink: hook, event, `kind`. Returns false if the sink
 * refuses the call; then nothing is recorded. */
static bool head(struct etc_taps *t, const char *kind)
{
	if (!admits(t))
		return false;
	etc_text_printf(&t->drive->record, "%s %u %s", t->hook, (unsigned)t->index, kind);
	return true;
}

static etcore_result taken(struct etc_taps *t, etcore_result r)
{
	etc_text_char(&t->drive->record, '\n');
	return r;
}

/* ---- parse_metadata ------------------------------------------------------------- */

static bool put_text(struct etc_taps *t, const char *kind, struct etcore_text name,
                     struct etcore_text value)
{
	if (!head(t, kind))
		return false;
	record_text(&t->drive->record, name);
	record_text(&t->drive->record, value);
	return true;
}

static etcore_result data_str(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_taps *t = h;

	if (!put_text(t, "str", name, value))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.str(t->to_data.handle, name, value));
}

static etcore_result data_json(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_taps *t = h;

	if (!put_text(t, "json", name, value))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.json(t->to_data.handle, name, value));
}

static etcore_result data_i64(void *h, struct etcore_text name, int64_t value)
{
	struct etc_taps *t = h;

	if (!put_text(t, "i64", name, (struct etcore_text){ 0 }))
		return ETC_CHECK_REFUSAL;
	etc_text_printf(&t->drive->record, " %lld", (long long)value);
	return taken(t, t->to_data.i64(t->to_data.handle, name, value));
}

/* Records that a column has nan or inf. The host shows such values, but sums with them are useless,
 * and charts and databases reject them. */
static void not_finite(struct etc_taps *t, struct etcore_text name, double value)
{
	char text[120];

	snprintf(text, sizeof text, "%s in column '%.*s', which nothing can be added to",
	         isnan(value) ? "nan" : "inf", (int)(name.len < 50 ? name.len : 50), name.ptr);
	etc_taps_say(t, t->drive->infinite, text);
}

static etcore_result data_f64(void *h, struct etcore_text name, double value)
{
	struct etc_taps *t = h;
	uint64_t bits;

	if (!put_text(t, "f64", name, (struct etcore_text){ 0 }))
		return ETC_CHECK_REFUSAL;
	memcpy(&bits, &value, sizeof bits);
	if (!isfinite(value) && name.len)
		not_finite(t, name, value);
	etc_text_printf(&t->drive->record, " %016llx", (unsigned long long)bits);
	return taken(t, t->to_data.f64(t->to_data.handle, name, value));
}

static etcore_result data_boolean(void *h, struct etcore_text name, int32_t value)
{
	struct etc_taps *t = h;

	if (!put_text(t, value ? "true" : "false", name, (struct etcore_text){ 0 }))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.boolean(t->to_data.handle, name, value));
}

static etcore_result data_null(void *h, struct etcore_text name)
{
	struct etc_taps *t = h;

	if (!put_text(t, "null", name, (struct etcore_text){ 0 }))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.null(t->to_data.handle, name));
}

static etcore_result data_begin_list(void *h)
{
	struct etc_taps *t = h;

	if (!head(t, "list"))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.begin_list(t->to_data.handle));
}

static etcore_result data_begin_columns(void *h)
{
	struct etc_taps *t = h;

	if (!head(t, "columns"))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.begin_columns(t->to_data.handle));
}

static etcore_result data_json_bytes(void *h, struct etcore_text name, struct etcore_text value)
{
	struct etc_taps *t = h;

	if (!put_text(t, "json_bytes", name, value))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_data.json_bytes(t->to_data.handle, name, value));
}

/* ---- all other sinks -------------------------------------------------------------- */

static etcore_result numbers_i64(void *h, int64_t value)
{
	struct etc_taps *t = h;

	if (!head(t, "i64"))
		return ETC_CHECK_REFUSAL;
	etc_text_printf(&t->drive->record, " %lld", (long long)value);
	return taken(t, t->to_numbers.i64(t->to_numbers.handle, value));
}

static etcore_result numbers_f64(void *h, double value)
{
	struct etc_taps *t = h;
	uint64_t bits;

	if (!head(t, "f64"))
		return ETC_CHECK_REFUSAL;
	memcpy(&bits, &value, sizeof bits);
	etc_text_printf(&t->drive->record, " %016llx", (unsigned long long)bits);
	return taken(t, t->to_numbers.f64(t->to_numbers.handle, value));
}

static etcore_result facts_put(void *h, uint32_t field, struct etcore_text value)
{
	struct etc_taps *t = h;

	if (!head(t, "put"))
		return ETC_CHECK_REFUSAL;
	etc_text_printf(&t->drive->record, " %u", (unsigned)field);
	record_text(&t->drive->record, value);
	if (t->drive->words)
		etc_propose_for(t->drive->words, field, value);
	return taken(t, t->to_facts.put(t->to_facts.handle, field, value));
}

static etcore_result facts_put_number(void *h, uint32_t field, int64_t value)
{
	struct etc_taps *t = h;

	if (!head(t, "put_number"))
		return ETC_CHECK_REFUSAL;
	etc_text_printf(&t->drive->record, " %u %lld", (unsigned)field, (long long)value);
	return taken(t, t->to_facts.put_number(t->to_facts.handle, field, value));
}

static etcore_result map_key(void *h, struct etcore_text key)
{
	struct etc_taps *t = h;

	if (!put_text(t, "key", key, (struct etcore_text){ 0 }))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_map.key(t->to_map.handle, key));
}

static etcore_result map_debug_handle(void *h, int64_t debug_handle)
{
	struct etc_taps *t = h;

	if (!head(t, "debug_handle"))
		return ETC_CHECK_REFUSAL;
	etc_text_printf(&t->drive->record, " %lld", (long long)debug_handle);
	return taken(t, t->to_map.debug_handle(t->to_map.handle, debug_handle));
}

static etcore_result map_not_edge(void *h)
{
	struct etc_taps *t = h;

	if (!head(t, "not_edge_handles"))
		return ETC_CHECK_REFUSAL;
	return taken(t, t->to_map.not_edge_handles(t->to_map.handle));
}

static void record_samples(struct etc_text *to, const uint64_t *v, uint64_t count)
{
	uint64_t hash = 14695981039346656037u;

	for (uint64_t i = 0; v && i < count; i++)
		hash = (hash ^ v[i]) * 1099511628211u;
	etc_text_printf(to, v ? " %016llx" : " -", (unsigned long long)hash);
}

/* Records a child. If the host's sink refused the child, the memory of `c` may be unreadable, and
 * is not accessed. */
static etcore_result children_begin(void *h, const struct etcore_child *c)
{
	struct etc_taps *t = h;
	struct etc_text *to = &t->drive->record;
	etcore_result r;

	if (!head(t, "child"))
		return ETC_CHECK_REFUSAL;
	r = t->to_children.begin(t->to_children.handle, c);
	if (r != ETCORE_OK)
		return taken(t, r);
	etc_text_printf(to, " in %d", (int)c->parent);
	record_text(to, c->name);
	if (t->drive->words)
		etc_propose_for(t->drive->words, ETCORE_NAME_DISPLAY, c->name);
	record_samples(to, c->durations, c->samples);
	record_samples(to, c->starts, c->samples);
	if (c->time)
		etc_text_printf(to, " %u %u %u %u %u %a %llu", c->time->kind, c->time->unit,
		                c->time->clock, c->time->duration, c->time->rounding,
		                c->time->ns_per_unit, (unsigned long long)c->time->resolution);
	return taken(t, r);
}

/* Receives a message. Only its memory and its severity are checked; any text is allowed. */
static void diagnose(void *h, uint32_t severity, struct etcore_text message)
{
	struct etc_taps *t = h;
	volatile char last = 0;

	if (message.len && message.ptr)
		last = message.ptr[message.len - 1];
	(void)last;
	if (message.len && !message.ptr)
		etc_taps_say(t, t->drive->fault, "a message without a pointer");
	if (severity > ETCORE_SEVERITY_WARNING)
		etc_taps_say(t, t->drive->fault, "a message of an unknown severity");
}

static const void *get_service(void *handle, const char *id)
{
	(void)handle, (void)id;
	return NULL;
}

static bool make_children(struct etc_taps *t, size_t extra)
{
	const struct etcore_child_sink children = { .size = (uint32_t)(sizeof children + extra),
		                                    .handle = t,
		                                    .begin = children_begin,
		                                    .facts = t->facts,
		                                    .columns = t->data };
	struct etcore_child_sink *at = etc_case_struct(&t->fence, sizeof children, extra);

	if (at)
		memcpy(at, &children, sizeof children);
	t->children = at;
	return at != NULL;
}

bool etc_taps_make(struct etc_taps *t, size_t extra, uint32_t minor)
{
	const size_t host_bytes =
		minor ? sizeof(struct etcore_host) : offsetof(struct etcore_host, get_service);
	const struct etcore_host host = { (uint32_t)(host_bytes + extra), minor, t, diagnose,
		                          get_service };
	const struct etcore_scales scales = { .size = (uint32_t)(sizeof scales + extra),
		                              .source = ETCORE_UNIT_NS,
		                              .target = ETCORE_UNIT_MS,
		                              .factor = 1e6 };
	const struct etcore_sink data = { (uint32_t)(sizeof data + extra),
		                          0,
		                          t,
		                          data_str,
		                          data_i64,
		                          data_f64,
		                          data_boolean,
		                          data_null,
		                          data_json,
		                          data_begin_list,
		                          data_begin_columns,
		                          data_json_bytes };
	const struct etcore_number_sink numbers = { (uint32_t)(sizeof numbers + extra), 0, t,
		                                    numbers_i64, numbers_f64 };
	const struct etcore_text_sink facts = { (uint32_t)(sizeof facts + extra), 0, t, facts_put,
		                                facts_put_number };
	const struct etcore_map_sink map = {
		(uint32_t)(sizeof map + extra), 0, t, map_key, map_debug_handle, map_not_edge
	};
	const struct {
		const void *from;
		size_t size;
		const void **to;
	} all[] = {
		{ &host, host_bytes, (const void **)&t->host },
		{ &scales, sizeof scales, (const void **)&t->scales },
		{ &data, sizeof data, (const void **)&t->data },
		{ &numbers, sizeof numbers, (const void **)&t->numbers },
		{ &facts, sizeof facts, (const void **)&t->facts },
		{ &map, sizeof map, (const void **)&t->map },
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		void *at = etc_case_struct(&t->fence, all[i].size, extra);

		if (!at)
			return false;
		memcpy(at, all[i].from, all[i].size);
		*all[i].to = at;
	}
	return make_children(t, extra) && etc_fence_seal(&t->fence);
}
