/* etdump_reader.h -- private to the parts of the ETDump reader.
 *
 * Field numbers are defined only in the enums below. They are positions in
 * etdump_schema_flatcc.fbs. New fields are only appended to the schema's tables, so a newer file
 * can be read, and its new fields are ignored. */
#ifndef ETC_FORMATS_ETDUMP_ETDUMP_READER_H
#define ETC_FORMATS_ETDUMP_ETDUMP_READER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/notes.h"
#include "model/limits.h"
#include "model/trace.h"
#include "formats/container/flatbuf.h"

enum { ETDUMP_VERSION, ETDUMP_RUN_DATA };
enum { RUN_NAME, RUN_BUNDLED_INPUT_INDEX, RUN_ALLOCATORS, RUN_EVENTS };
enum { ALLOCATOR_NAME };
enum { EVENT_PROFILE, EVENT_ALLOCATION, EVENT_DEBUG };
enum {
	PROFILE_NAME,
	PROFILE_CHAIN_INDEX,
	PROFILE_INSTRUCTION_ID,
	PROFILE_DELEGATE_ID_INT,
	PROFILE_DELEGATE_ID_STR,
	PROFILE_METADATA,
	PROFILE_START,
	PROFILE_END
};
enum { ALLOCATION_ALLOCATOR_ID, ALLOCATION_SIZE };
enum {
	DEBUG_CHAIN_INDEX,
	DEBUG_INSTRUCTION_ID,
	DEBUG_ENTRY,
	DEBUG_DELEGATE_ID_INT,
	DEBUG_DELEGATE_ID_STR,
	DEBUG_NAME
};
enum {
	VALUE_TAG,
	VALUE_TENSOR,
	VALUE_TENSOR_LIST,
	VALUE_INT,
	VALUE_FLOAT,
	VALUE_DOUBLE,
	VALUE_BOOL,
	VALUE_OUTPUT
};
enum { TENSOR_SCALAR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_OFFSET };
enum { TENSOR_LIST_TENSORS };
enum { SCALAR_VALUE }; /* the only field of the tables Int, Float, Double and Bool */

enum table_type {
	TABLE_ETDUMP,
	TABLE_RUN,
	TABLE_ALLOCATOR,
	TABLE_EVENT,
	TABLE_PROFILE,
	TABLE_ALLOCATION,
	TABLE_DEBUG,
	TABLE_VALUE,
	TABLE_TENSOR,
	TABLE_TENSOR_LIST,
	TABLE_INT,
	TABLE_FLOAT,
	TABLE_DOUBLE,
	TABLE_BOOL,
	TABLE_TYPES
};

/* Sizes of the fields of each table; the index is the enum table_type of the table. */
extern const struct etc_fb_type etc_etdump_types[TABLE_TYPES];

/* The complete runs of a truncated file, in file order. */
struct etc_survey {
	size_t runs; /* length of the file's list of runs; 0: unknown */
	size_t own;  /* number of complete runs whose vtables are all in the file */
	/* length of `index` and `inferred`: `own`, plus the number of runs that are complete only
	 * if missing vtables are inferred from the layouts that the runtime writes */
	size_t count;
	const uint32_t *index; /* positions of the `count` runs in the file's list of runs */
	/* for each of the `count` runs: 1 if it needs inferred vtables */
	const uint8_t *inferred;
	struct etc_fb_known *known; /* the inferred vtables */
	size_t known_count;
};

struct etc_template_slot;
struct etc_hint;

/* The templates found so far, with a prediction of the next one. */
struct etc_templates {
	struct etc_template *list; /* has room for one template per run */
	size_t count;
	/* next[i]: the template of the run that followed the last run with template i */
	uint32_t *next;
	/* hints[i] are the hints of template i. They are in scratch memory. For a sparse trace they
	 * are in the arena, because a sparse trace uses them after reading, too. */
	struct etc_hint **hints;
	/* hash table with at least twice as many slots as templates */
	struct etc_template_slot *slots;
	/* `room`: number of slots; `filed`: number of templates, from the first on, that are in the
	 * hash table */
	size_t room, filed;
	/* memory that is free again: a decoded event list was in it, which equals that of an
	 * earlier template. The next event list is decoded into it */
	struct etc_event *spare;
	size_t spare_room;
};

enum { ETC_HEADS_RECENT = 64 };

/* The run headers found so far. */
struct etc_run_heads {
	struct etc_run_head *list;
	uint32_t count, room;
	uint32_t last;                     /* index of the previous run's header */
	uint32_t recent[ETC_HEADS_RECENT]; /* indices of recent headers, by hash */
	/* memory for the list of allocators of a header. It is used for the next header if the
	 * header is equal to an earlier one, so that its own list is not kept */
	struct etc_str *spare;
	size_t spare_room;
};

struct etc_etdump_reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	/* the mapped file, whose pages are released after they were read; NULL: not released */
	const struct etc_file *file;
	size_t since;  /* number of events read since pages were last released */
	size_t rested; /* number of the first run whose pages were not released yet */
	size_t listed; /* number of events of all templates */
	struct etc_arena *arena;
	struct etc_arena scratch; /* freed after reading */
	struct etc_trace *out;
	struct etc_run_heads heads;
	struct etc_templates templates;
	const struct etc_survey *only; /* the runs to read; NULL: all runs */

	struct etc_run *runs;
	/* columns of times: those of all runs, or, for a sparse trace, those of the current run */
	uint64_t *start, *end;
	uint32_t *metadata_at;
	size_t events;  /* number of events of all runs */
	size_t samples; /* number of samples in `start` and `end` so far */
	size_t longest; /* number of events of the longest run */
	/* The members that follow are only used for a sparse trace (etc_etdump_read_sparse()). */
	etc_keep_fn *keep; /* selects the event whose times are kept; NULL: the trace has
	                            * columns */
	/* for each template, the index of the selected event among its profile events */
	uint32_t *place;
	struct etc_sparse *sparse; /* receives the times that are kept */
	/* number of samples of all runs before the current one; their times are not in `start` and
	 * `end` any more */
	size_t passed;

	bool any_metadata; /* an event has metadata */
	/* since the last call of etc_etdump_wraps(), an event was read that ends before it
	 * starts */
	bool any_wrap;
	/* Counters of unusual events and values, for the notes. */
	size_t empties, doubles, no_entries, no_members, unknown_tags, old_values;
};

/* One entry of an event list: the part that goes to the template, and its times, size and
 * offsets. */
struct etc_entry {
	struct etc_event event; /* `column` is not set */
	struct etc_fb_table profile;
	uint64_t start, end;
	uint64_t allocation_size;
	/* offset of the length of the metadata; 0: the event has no metadata */
	uint32_t metadata_at;
	size_t debug_at; /* offset of the DebugEvent table; 0: none */
};

/* Sets `*found` to the index of the run header that equals `head`. If no run header equals `head`,
 * adds `head` to them. E0904. */
enum etc_status etc_heads_match(struct etc_etdump_reader *r, const struct etc_run_head *head,
                                uint32_t *found, struct etc_error *err) ETC_MUST_CHECK;

/* Returns memory for the names of `count` allocators of the next header; NULL: out of memory. */
struct etc_str *etc_heads_names(struct etc_etdump_reader *r, size_t count);

/* Returns RunData.events of run `i`. */
static inline struct etc_fb_vec etc_etdump_events(struct etc_etdump_reader *r, size_t i)
{
	struct etc_fb_table t = etc_fb_table_at(&r->fb, &r->layouts[TABLE_RUN], r->runs[i].at);

	return etc_fb_vector(&r->fb, t, RUN_EVENTS, 4);
}

/* Returns the number of events of all runs before run `i`. */
static inline size_t etc_etdump_position(const struct etc_etdump_reader *r, size_t i)
{
	return i < r->out->run_count ? r->runs[i].first_sample : r->events;
}

/* ---- etdump_pages.c: reading ahead and releasing pages -------------------------------- */

/* Loads the whole file before it is read, if its runs are spread all over the file, and if its
 * pages will not be released during reading. */
void etc_etdump_fetch(struct etc_etdump_reader *r);

/* Loads the events of a long run before they are read, because one page fault for each page costs
 * more. */
void etc_etdump_fetch_events(const struct etc_etdump_reader *r, struct etc_fb_vec events);

/* Call after `events` more events were read; `run` is the last run read. Releases pages of the file
 * if enough events were read since the last release. */
void etc_etdump_rest(struct etc_etdump_reader *r, size_t run, size_t events);

/* Does a trace with `samples` samples need much memory in addition to the file? Then pages of the
 * file are released after they were read, because only names and metadata are read again later. For
 * a small trace, releasing pages would cost time and save little. */
bool etc_etdump_is_heavy(const struct etc_etdump_reader *r, size_t samples);

/* ---- templates.c and others -------------------------------------------------------------- */

/* Decodes the event list of a run into `list` and `template`, makes a hint per event in `hints`
 * (unless NULL), and stores the run's times at r->start[r->samples] and after. On damage r->fb has
 * a fault, and template->count is the index of the damaged event. False: a text is not plain
 * ASCII. */
bool etc_etdump_list(struct etc_etdump_reader *r, struct etc_fb_vec events, struct etc_event *list,
                     struct etc_hint *hints, struct etc_template *template);

/* Finds or creates the template of run `index`, whose event list is `events`, and stores the times
 * of its events at r->start[r->samples] and after. */
enum etc_status etc_templates_match(struct etc_etdump_reader *r, size_t index,
                                    struct etc_fb_vec events, struct etc_error *err) ETC_MUST_CHECK;

/* Allocates columns for one run, and memory for the times that are kept (etdump_sparse.c).
 * E0904. */
enum etc_status etc_sparse_init(struct etc_etdump_reader *r, struct etc_error *err) ETC_MUST_CHECK;

/* Keeps the start and the end of one event of run `i`, which was read last: the event that
 * r->keep() chooses. The other times of the run are not kept. */
void etc_sparse_keep(struct etc_etdump_reader *r, size_t i);

/* If any_wrap is set, adds to `wraps` those events of the run read last that end before they start.
 * `first` is the first sample of that run. Clears any_wrap. */
static inline void etc_etdump_wraps(struct etc_etdump_reader *r, size_t first,
                                    struct etc_wraps *wraps)
{
	if (r->any_wrap)
		etc_wraps_add(wraps, r->start + first, r->end + first, r->samples - first);
	r->any_wrap = false;
}

/* Reads the DebugEvent.debug_entry of the table at `debug_at` into `*value`. `run` is the index of
 * the event's run. If the value is invalid, etc_etdump_flaw() records the flaw with the index of
 * the run. */
enum etc_status etc_etdump_value(struct etc_etdump_reader *r, size_t debug_at, size_t run,
                                 struct etc_value *value, struct etc_error *err) ETC_MUST_CHECK;

/* Records the position of `s` if it is the first text that is not UTF-8. */
void etc_etdump_text(struct etc_etdump_reader *r, struct etc_str s);

/* Records a reason for which the Inspector refuses the file: `what`, at byte `at`, in run `run`.
 * Does nothing if `*flaw` is set already. */
void etc_etdump_flaw(struct etc_flaw *flaw, size_t at, size_t run, const char *what);

enum { ETC_ETDUMP_PREFIX = 4 }; /* size prefix before the FlatBuffer */

/* Checks that the file is an ETDump, and whether it has a size prefix. E0201, E0202, E0204. */
enum etc_status etc_etdump_identify(struct etc_span file, bool *prefixed,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* Tries to read the first `len` bytes of the file as an ETDump. The caller must have set
 * out->size_prefixed. */
enum etc_status etc_etdump_try(struct etc_etdump_reader *r, struct etc_span file, size_t len,
                               const struct etc_limits *limits,
                               struct etc_error *err) ETC_MUST_CHECK;

/* Reads the whole file like etc_etdump_read(), but without the number of complete runs in the text
 * of an error. */
enum etc_status etc_etdump_file(struct etc_etdump_reader *r, struct etc_span file,
                                const struct etc_limits *limits, struct etc_notes *notes,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Adds the notes about anomalies of the file. */
void etc_etdump_note(const struct etc_etdump_reader *r, struct etc_notes *notes);

static inline struct etc_fb_layouts *etc_layouts(struct etc_etdump_reader *r, enum table_type type)
{
	return &r->layouts[type];
}

#endif
