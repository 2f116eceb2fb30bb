/* etdump.c -- see etdump.h.
 *
 *   ETDump ── run_data[] ── RunData ── events[] ── Event ── ProfileEvent
 *                                                        ├─ DebugEvent ── Value
 *                                                        └─ AllocationEvent
 *
 * The file is read in three passes, so that every array is allocated with its final size: 1. the
 * runs: names, allocators, number of events; 2. the events: templates and times, in columns; 3. debug
 * values and allocation sizes, if there are any. */
#include "formats/etdump/etdump.h"

#include "base/text.h"
#include "formats/etdump/etdump_entry.h"
#include "formats/etdump/etdump_hint.h"

enum { PREFIX = ETC_ETDUMP_PREFIX, PADDING = 8 };

const struct etc_fb_type etc_etdump_types[TABLE_TYPES] = {
	[TABLE_ETDUMP] = { "ETDump", 2, { 4, 4 } },
	[TABLE_RUN] = { "RunData", 4, { 4, 4, 4, 4 } },
	[TABLE_ALLOCATOR] = { "Allocator", 1, { 4 } },
	[TABLE_EVENT] = { "Event", 3, { 4, 4, 4 } },
	[TABLE_PROFILE] = { "ProfileEvent", 8, { 4, 4, 4, 4, 4, 4, 8, 8 } },
	[TABLE_ALLOCATION] = { "AllocationEvent", 2, { 4, 8 } },
	[TABLE_DEBUG] = { "DebugEvent", 6, { 8, 4, 4, 4, 4, 4 } },
	[TABLE_VALUE] = { "Value", 8, { 1, 4, 4, 4, 4, 4, 4, 4 } },
	[TABLE_TENSOR] = { "Tensor", 4, { 1, 4, 4, 8 } },
	[TABLE_TENSOR_LIST] = { "TensorList", 1, { 4 } },
	[TABLE_INT] = { "Int", 1, { 8 } },
	[TABLE_FLOAT] = { "Float", 1, { 4 } },
	[TABLE_DOUBLE] = { "Double", 1, { 8 } },
	[TABLE_BOOL] = { "Bool", 1, { 1 } },
};

void etc_etdump_flaw(struct etc_flaw *flaw, size_t at, size_t run, const char *what)
{
	if (!flaw->found || run < flaw->run)
		*flaw = (struct etc_flaw){ true, at, run, what };
}

void etc_etdump_text(struct etc_etdump_reader *r, struct etc_str s)
{
	size_t fault = etc_utf8_fault(s);

	if (fault != SIZE_MAX)
		etc_etdump_flaw(&r->out->bad_utf8,
		                (size_t)((const uint8_t *)s.ptr - r->fb.ptr) + fault, 0, "string");
}

/* Does the dump have the layout of October 2023, which had events where allocators are today?
 * Checks whether the first "allocator" is an Event with a ProfileEvent. */
static bool is_layout_2023(const struct etc_etdump_reader *r, struct etc_fb_vec allocators)
{
	struct etc_fb_layouts events, profiles;
	struct etc_fb fb = r->fb;
	struct etc_fb_table p;

	etc_fb_layouts_init(&events, &etc_etdump_types[TABLE_EVENT]);
	etc_fb_layouts_init(&profiles, &etc_etdump_types[TABLE_PROFILE]);
	p = etc_fb_element(&fb, &events, allocators, 0);
	p = etc_fb_sub(&fb, &profiles, p, EVENT_PROFILE);
	return !fb.fault && etc_fb_has(p, PROFILE_NAME) && etc_fb_has(p, PROFILE_START) &&
	       etc_fb_str(&fb, p, PROFILE_NAME).ptr && !fb.fault;
}

static enum etc_status read_allocators(struct etc_etdump_reader *r, struct etc_fb_vec v, size_t i,
                                       struct etc_run_head *head, struct etc_error *err)
{
	struct etc_fb_layouts *layouts = etc_layouts(r, TABLE_ALLOCATOR);
	struct etc_str *names;

	etc_fb_spend(&r->fb, v.count);
	ETC_TRY(etc_fb_check(&r->fb, err));
	names = etc_heads_names(r, v.count);
	ETC_NEED(names, err);
	for (size_t k = 0; k < v.count && !r->fb.fault; k++) {
		struct etc_fb_table t = etc_fb_element(&r->fb, layouts, v, k);

		names[k] = etc_fb_str(&r->fb, t, ALLOCATOR_NAME);
		etc_etdump_text(r, names[k]);
		if (!names[k].ptr)
			etc_etdump_flaw(&r->out->not_decodable, t.at, i, "name");
	}
	head->allocators = names;
	head->allocator_count = (uint32_t)v.count;
	return etc_fb_check(&r->fb, err);
}

static enum etc_status count_events(struct etc_etdump_reader *r, size_t count, size_t *events,
                                    struct etc_error *err)
{
	etc_fb_spend(&r->fb, count + 1);
	*events += count;
	r->longest = count > r->longest ? count : r->longest;
	return etc_fb_check(&r->fb, err);
}

/* First pass, for run `i`: reads the members of the run, but not its events. Adds the run's number
 * of events to `*events`. */
static enum etc_status read_run(struct etc_etdump_reader *r, struct etc_fb_vec all, size_t i,
                                size_t *events, struct etc_error *err)
{
	size_t at = r->only ? r->only->index[i] : i;
	struct etc_fb_table t = etc_fb_element(&r->fb, etc_layouts(r, TABLE_RUN), all, at);
	struct etc_run_head head = { .has_events = false };
	struct etc_fb_vec list = etc_fb_vector(&r->fb, t, RUN_EVENTS, 4);
	struct etc_fb_vec allocators = etc_fb_vector(&r->fb, t, RUN_ALLOCATORS, 4);

	r->runs[i].at = (uint32_t)t.at;
	head.name = etc_fb_str(&r->fb, t, RUN_NAME);
	head.has_name = head.name.ptr != NULL;
	head.bundled_input_index = etc_fb_i32(&r->fb, t, RUN_BUNDLED_INPUT_INDEX, -1);
	head.has_events = list.present;
	head.has_allocators = allocators.present;
	etc_etdump_text(r, head.name);
	if (!head.has_name)
		etc_etdump_flaw(&r->out->not_decodable, t.at, i, "name");
	ETC_TRY(count_events(r, list.count, events, err));
	if (allocators.count && !list.present && is_layout_2023(r, allocators))
		return etc_fail_at(err, E0207, t.at,
		                   "events are where allocators belong since November 2023");
	if (allocators.count)
		ETC_TRY(read_allocators(r, allocators, i, &head, err));
	return etc_heads_match(r, &head, &r->runs[i].head, err);
}

static enum etc_status count_runs(struct etc_etdump_reader *r, struct etc_fb_table root,
                                  size_t *events, struct etc_error *err)
{
	struct etc_fb_vec v = etc_fb_vector(&r->fb, root, ETDUMP_RUN_DATA, 4);
	struct etc_trace *out = r->out;
	size_t count = r->only ? r->only->count : v.count;

	*events = 0;
	out->version = etc_fb_u32(&r->fb, root, ETDUMP_VERSION, 0);
	out->has_runs = v.present;
	if (!r->fb.fault && v.count > r->fb.visits)
		etc_fb_overspent(&r->fb);
	ETC_TRY(etc_fb_check(&r->fb, err));
	if (!v.present)
		etc_etdump_flaw(&out->not_decodable, root.at, 0, "run_data");
	out->runs = r->runs = etc_new(r->arena, struct etc_run, count);
	ETC_NEED(r->runs, err);
	out->run_count = count;
	etc_etdump_fetch(r);
	for (size_t i = 0; i < count; i++) {
		size_t before = *events;

		ETC_TRY(etc_context(err, read_run(r, v, i, events, err), "run %zu", i));
		r->runs[i].first_sample = (uint32_t)before; /* etc_etdump_position() reads it */
		etc_etdump_rest(r, i, 1);
	}
	r->rested = r->since = 0;
	out->heads = r->heads.list;
	out->head_count = r->heads.count;
	return ETC_OK;
}

/* Second pass, for run `i`: reads the run's events. */
static enum etc_status read_run_events(struct etc_etdump_reader *r, size_t i, struct etc_error *err)
{
	struct etc_run *run = &r->runs[i];
	const struct etc_template *template;
	size_t before = r->samples;

	run->first_sample = (uint32_t)(r->passed + r->samples);
	run->first_value = (uint32_t)r->out->value_count;
	run->first_allocation = (uint32_t)r->out->allocation_count;
	ETC_TRY(etc_context(err, etc_templates_match(r, i, etc_etdump_events(r, i), err), "run %zu",
	                    i));
	template = &r->templates.list[run->template];
	etc_etdump_rest(r, i, template->count);
	etc_etdump_wraps(r, before, &r->out->wraps);
	r->out->value_count += template->debugs;
	r->out->allocation_count += template->allocations;
	if (r->keep)
		etc_sparse_keep(r, i);
	return ETC_OK;
}

/* Second pass, for all runs: reads their events. The columns have room for all events, although
 * debug and allocation events have no times: the unused end of a column is never written, so it
 * uses no memory. */
static enum etc_status read_events(struct etc_etdump_reader *r, size_t events,
                                   struct etc_error *err)
{
	struct etc_trace *out = r->out;
	struct etc_templates *s = &r->templates;
	size_t room = r->keep ? 0 : events; /* etc_sparse_init() allocates what a sparse trace
	                                     * keeps */

	if (events > UINT32_MAX) /* a run counts its events in 32 bits */
		return etc_fail(err, E0904, "%zu events in %zu runs", events, out->run_count);
	r->start = etc_new(r->arena, uint64_t, room);
	r->end = etc_new(r->arena, uint64_t, room);
	out->templates = s->list = etc_new(r->arena, struct etc_template, out->run_count);
	s->next = etc_new(&r->scratch, uint32_t, out->run_count);
	s->hints = etc_new(r->keep ? r->arena : &r->scratch, struct etc_hint *, out->run_count);
	/* Allocated after the small arrays, because after a large block the arena's next block is
	 * large, too. */
	r->metadata_at = etc_new(&r->scratch, uint32_t, room);
	ETC_NEED(r->start && r->end && r->metadata_at && s->list && s->next && s->hints, err);
	if (r->keep)
		ETC_TRY(etc_sparse_init(r, err));
	r->events = events;
	for (size_t i = 0; i < out->run_count; i++)
		ETC_TRY(read_run_events(r, i, err));
	out->template_count = s->count;
	out->sample_count = r->passed + r->samples;
	out->sparse = r->sparse;
	if (r->keep)
		return ETC_OK;
	out->start = r->start;
	out->end = r->end;
	if (r->any_metadata &&
	    !etc_metadata_pack(r->metadata_at, r->samples, r->arena, &out->metadata))
		return etc_no_memory(err);
	return ETC_OK;
}

struct columns {
	struct etc_value *values;
	uint64_t *sizes;
};

static enum etc_status read_more_of(struct etc_etdump_reader *r, size_t index,
                                    const struct columns *c, struct etc_error *err)
{
	const struct etc_run *run = &r->runs[index];
	struct etc_fb_vec events = etc_etdump_events(r, index);
	const struct etc_template *template = &r->templates.list[run->template];
	struct etc_entry x = { 0 };

	for (uint32_t i = 0; i < template->count; i++) {
		const struct etc_event *e = &template->events[i];
		struct etc_value hidden, *value = &hidden;

		x.debug_at = 0;
		etc_etdump_entry(r, etc_fb_element(&r->fb, etc_layouts(r, TABLE_EVENT), events, i),
		                 &x);
		if (e->kind == ETC_EVENT_ALLOCATION)
			c->sizes[run->first_allocation + e->column] = x.allocation_size;
		else if (e->kind == ETC_EVENT_DEBUG)
			value = &c->values[run->first_value + e->column];
		if (!x.debug_at)
			continue;
		ETC_TRY(etc_context(err, etc_etdump_value(r, x.debug_at, index, value, err),
		                    "event %zu", (size_t)i));
		value->first_tensor = r->out->tensor_count;
		if (e->kind == ETC_EVENT_DEBUG)
			r->out->tensor_count += value->count;
	}
	return etc_fb_check(&r->fb, err);
}

/* Third pass: reads the debug values and the sizes of allocations. */
static enum etc_status read_more(struct etc_etdump_reader *r, struct etc_error *err)
{
	struct etc_trace *out = r->out;
	struct columns c = { NULL, NULL };

	c.values = etc_new(r->arena, struct etc_value, out->value_count);
	c.sizes = etc_new(r->arena, uint64_t, out->allocation_count);
	ETC_NEED(c.values && c.sizes, err);
	for (size_t i = 0; i < out->run_count; i++) {
		const struct etc_template *template = &r->templates.list[r->runs[i].template];

		r->empties += template->empties;
		r->doubles += template->doubles;
		if (template->debugs || template->allocations || template->doubles)
			ETC_TRY(etc_context(err, read_more_of(r, i, &c, err), "run %zu", i));
	}
	out->values = c.values;
	out->allocation_size = c.sizes;
	return ETC_OK;
}

static enum etc_status read_from(struct etc_etdump_reader *r, size_t origin, struct etc_error *err)
{
	struct etc_fb_table root = { 0, &etc_fb_no_layout };
	size_t events;

	if (etc_fits(r->fb.len, origin, PREFIX))
		root = etc_fb_table_at(&r->fb, etc_layouts(r, TABLE_ETDUMP),
		                       etc_fb_follow(&r->fb, origin));
	else /* The size prefix says 0 to 3 bytes. It is wrong, because no dump is that small. */
		etc_fb_fault(&r->fb, origin, "no offset of the root");
	ETC_TRY(count_runs(r, root, &events, err));
	ETC_TRY(read_events(r, events, err));
	return read_more(r, err);
}

void etc_etdump_note(const struct etc_etdump_reader *r, struct etc_notes *notes)
{
	const struct etc_trace *t = r->out;

	if (t->version != 0)
		etc_note(notes, W0210, "version %lu, known is 0", (unsigned long)t->version);
	if (t->sample_count == 0)
		etc_note(notes, W0203, "the file is valid: %zu run%s, %zu debug event%s",
		         t->run_count, etc_plural(t->run_count), t->value_count,
		         etc_plural(t->value_count));
	if (t->bad_utf8.found)
		etc_note(notes, W0211, "the first is at byte %zu", t->bad_utf8.at);
	if (r->fb.no_nul != SIZE_MAX)
		etc_note(notes, W0212, "no NUL behind the text at byte %zu", r->fb.no_nul);
	if (r->empties)
		etc_note(notes, W0213, "%zu event%s nothing", r->empties,
		         r->empties == 1 ? " says" : "s say");
	if (r->doubles)
		etc_note(notes, W0214, "%zu events have two members", r->doubles);
	if (r->no_entries)
		etc_note(notes, W0215, "%zu debug events have no value", r->no_entries);
	if (r->no_members || r->unknown_tags)
		etc_note(notes, W0216,
		         "%zu values of an unknown kind, %zu without what their kind names",
		         r->unknown_tags, r->no_members);
	if (r->old_values)
		etc_note(notes, W0217, "%zu values where they were before December 2023",
		         r->old_values);
}

static void note_size(const struct etc_trace *t, uint32_t prefix, struct etc_span file,
                      struct etc_notes *notes)
{
	size_t left = file.len - t->used_bytes;
	bool second = etc_fits(left, 2 * PREFIX, 4) &&
	              memcmp(file.ptr + t->used_bytes + 2 * PREFIX, "ED00", 4) == 0;

	if (!t->size_prefixed)
		return;
	if (prefix != t->used_bytes - PREFIX)
		etc_note(notes, W0209, "prefix says %lu bytes, the file has %zu after it",
		         (unsigned long)prefix, file.len - PREFIX);
	else if (left)
		etc_note(notes, W0208, "%zu bytes from byte %zu on were ignored%s", left,
		         t->used_bytes, second ? ": another ETDump" : "");
}

enum etc_status etc_etdump_try(struct etc_etdump_reader *r, struct etc_span file, size_t len,
                               const struct etc_limits *limits, struct etc_error *err)
{
	size_t visits = etc_fb_visits(len, limits ? limits->max_visits : 0);
	struct etc_trace *out = r->out;
	enum etc_status status;

	*r = (struct etc_etdump_reader){
		.arena = r->arena, .out = out, .only = r->only, .file = r->file, .keep = r->keep
	};
	*out = (struct etc_trace){ .size_prefixed = out->size_prefixed };
	out->bytes = file.ptr;
	out->file_bytes = file.len;
	out->used_bytes = len;
	/* Offsets have 32 bits, so data after the first 4 GiB cannot be reached. (A valid
	 * FlatBuffer has less than 2 GiB.) */
	etc_fb_init(&r->fb, (struct etc_span){ file.ptr, len < UINT32_MAX ? len : UINT32_MAX },
	            visits);
	if (r->only) {
		r->fb.known = r->only->known;
		r->fb.known_count = r->only->known_count;
	}
	for (size_t i = 0; i < TABLE_TYPES; i++)
		etc_fb_layouts_init(&r->layouts[i], &etc_etdump_types[i]);
	etc_arena_init(&r->scratch, r->arena->budget);
	status = read_from(r, out->size_prefixed ? PREFIX : 0, err);
	etc_arena_release(&r->scratch);
	return status;
}

enum etc_status etc_etdump_identify(struct etc_span file, bool *prefixed, struct etc_error *err)
{
	if (file.len == 0)
		return etc_fail(err, E0201, "the file is empty: the runtime recorded nothing");
	for (size_t at = 8; at >= 4; at -= 4) {
		*prefixed = at == 8;
		if (!etc_span_has(file, at, "ED00", 4))
			continue;
		/* The smallest dump has a root table without fields, and its vtable: 8 bytes. */
		if (!etc_fits(file.len, at + 4, 8))
			return etc_fail_at(err, E0202, at, "the file ends behind its identifier");
		return ETC_OK;
	}
	for (size_t at = 8; at >= 4; at -= 4)
		if (etc_span_has_version(file, at, "ED"))
			return etc_fail_at(err, E0204, at, "identifier %.4s, known is ED00",
			                   (const char *)file.ptr + at);
	if (etc_span_has(file, 0, "PK\3\4", 4))
		return etc_fail_at(
			err, E0201, 0,
			"it is a ZIP archive, as ETRecords are (--etrecord_path of `etcore "
			"inspector`, -r of others)");
	if (etc_span_has(file, 4, "ET12", 4))
		return etc_fail_at(err, E0201, 4, "it is a program (.pte)");
	return etc_fail_at(err, E0201, 4, "no identifier 'ED00' at byte 4 or 8 of %zu", file.len);
}

/* Reads a file with a size prefix. A wrong prefix is accepted, because the Inspector ignores the
 * prefix. If the prefix is smaller than the file, the bytes after the dump are ignored; but if the
 * dump is damaged without these bytes, the whole file is read. If the prefix is larger than the
 * file, the file is probably truncated: the result is E0202 if offsets lead outside the file, or if
 * so few bytes are missing that they can be padding. In other cases the prefix must be wrong, and
 * the file is read. */
static enum etc_status read_prefixed(struct etc_etdump_reader *r, struct etc_span file,
                                     uint32_t prefix, const struct etc_limits *limits,
                                     struct etc_error *err)
{
	size_t behind = file.len - PREFIX;
	enum etc_status status;

	if (prefix <= behind) {
		status = etc_etdump_try(r, file, PREFIX + (size_t)prefix, limits, err);
		if (status != ETC_CORRUPT || prefix == behind)
			return status;
		return etc_etdump_try(r, file, file.len, limits, err);
	}
	status = etc_etdump_try(r, file, file.len, limits, NULL);
	if (status == ETC_CORRUPT || (status == ETC_OK && prefix - behind < PADDING))
		return etc_fail_at(err, E0202, 0, "the size prefix says %lu bytes, %zu are there",
		                   (unsigned long)prefix, behind);
	return status == ETC_OK ? ETC_OK : etc_etdump_try(r, file, file.len, limits, err);
}

enum etc_status etc_etdump_file(struct etc_etdump_reader *r, struct etc_span file,
                                const struct etc_limits *limits, struct etc_notes *notes,
                                struct etc_error *err)
{
	struct etc_trace *out = r->out;
	enum etc_status status;
	uint32_t prefix = 0;

	*out = (struct etc_trace){ 0 };
	ETC_TRY(etc_etdump_identify(file, &out->size_prefixed, err));
	if (out->size_prefixed) {
		memcpy(&prefix, file.ptr, sizeof prefix);
		status = read_prefixed(r, file, prefix, limits, err);
	} else {
		status = etc_etdump_try(r, file, file.len, limits, err);
	}
	if (status != ETC_OK) {
		*out = (struct etc_trace){ 0 };
		return status;
	}
	if (r->file && etc_etdump_is_heavy(r, r->samples))
		out->from = *r->file;
	etc_trace_rest(out);
	etc_etdump_note(r, notes);
	note_size(out, prefix, file, notes);
	return ETC_OK;
}
