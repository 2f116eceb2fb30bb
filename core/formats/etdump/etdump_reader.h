/* etdump_reader.h -- what the parts of the ETDump reader share; not for others.
 *
 * Field numbers live in the enums below and nowhere else: positions in
 * etdump_schema_flatcc.fbs, whose tables only ever grow at their end, so that a
 * newer file reads fine with its new fields ignored. */
#ifndef ETC_READ_ETDUMP_READER_H
#define ETC_READ_ETDUMP_READER_H

#include "base/arena.h"
#include "base/notes.h"
#include "model/limits.h"
#include "model/trace.h"
#include "formats/etdump/etdump.h"
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
enum { SCALAR_VALUE }; /* Int, Float, Double, Bool */

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

/* How wide the fields of each are. */
extern const struct etc_fb_type etc_etdump_types[TABLE_TYPES];

/* Runs of a cut file that are whole, in file order. */
struct etc_survey {
	size_t runs;                /* in the file's list; 0: not known */
	size_t own;                 /* whole by the file's own vtables */
	size_t count;               /* of `index`: these, and those with layouts of the runtime */
	const uint32_t *index;      /* place in the file's list */
	const uint8_t *inferred;    /* 0: own */
	struct etc_fb_known *known; /* the lost vtables */
	size_t known_count;
};

struct etc_shape_slot;
struct etc_hint;

/* The shapes met so far, and which one to expect next. */
struct etc_shapes {
	struct etc_shape *list; /* room for one per run */
	size_t count;
	uint32_t *next;               /* shape of the run that followed this one last */
	struct etc_hint **hints;      /* of each, in scratch memory; of a sparse trace kept */
	struct etc_shape_slot *slots; /* by hash; at least twice as many */
	size_t room, filed;           /* shapes before `filed` are there */
	struct etc_event *spare;      /* a list that turned out to be known */
	size_t spare_room;
};

enum { ETC_HEADS_RECENT = 64 };

/* The heads met so far. */
struct etc_run_heads {
	struct etc_run_head *list;
	size_t count, room;
	uint32_t last;                     /* of the run before */
	uint32_t recent[ETC_HEADS_RECENT]; /* by hash */
	struct etc_str *spare;             /* allocators of a head that turned out to be known */
	size_t spare_room;
};

struct etc_etdump_reader {
	struct etc_fb fb;
	struct etc_fb_layouts layouts[TABLE_TYPES];
	const struct etc_file *file; /* NULL: its pages stay */
	size_t since;                /* events read since they went back ... */
	size_t rested;               /* ... of the runs before this one */
	size_t listed;               /* events in the lists of all shapes */
	struct etc_arena *arena;
	struct etc_arena scratch; /* until all is read */
	struct etc_notes *notes;
	struct etc_trace *out;
	struct etc_run_heads heads;
	struct etc_shapes shapes;
	const struct etc_survey *only; /* read these runs; NULL: all */

	struct etc_run *runs;
	uint64_t *start, *end; /* columns; of a sparse trace, of the run that is read */
	uint32_t *metadata_at;
	size_t events;  /* of all runs */
	size_t samples; /* written so far */
	size_t longest; /* events of the longest run */
	/* For a sparse trace: */
	etc_keep_fn *keep;         /* NULL: it is to have columns */
	uint32_t *place;           /* of each shape, what that says */
	struct etc_sparse *sparse; /* what is kept */
	size_t passed;             /* samples of the runs before, which are not */

	bool any_metadata; /* some event has a byte of it */
	bool any_wrap;     /* since etc_etdump_wraps() some event ended before it started */
	/* For the notes: events and values that are odd. */
	size_t empties, doubles, no_entries, no_members, unknown_tags, old_values;
};

/* One entry of an event list: what goes to the shape, and its numbers. */
struct etc_entry {
	struct etc_event event; /* `column` is not set */
	struct etc_fb_table profile;
	uint64_t start, end;
	uint64_t allocation_size;
	uint32_t metadata_at; /* byte of its length, 0: none */
	size_t debug_at;      /* DebugEvent table, or 0 */
};

/* Finds or adds an equal head. E0904. */
enum etc_status etc_heads_match(struct etc_etdump_reader *r, const struct etc_run_head *head,
                                uint32_t *found, struct etc_error *err) ETC_MUST_CHECK;

/* Room for the names of `count` allocators of the next head; NULL: no memory. */
struct etc_str *etc_heads_names(struct etc_etdump_reader *r, size_t count);

/* RunData.events of run `i`. */
static inline struct etc_fb_vec etc_etdump_events(struct etc_etdump_reader *r, size_t i)
{
	struct etc_fb_table t = etc_fb_table_at(&r->fb, &r->layouts[TABLE_RUN], r->runs[i].at);

	return etc_fb_vector(&r->fb, t, RUN_EVENTS, 4);
}

/* How many events all runs before run `i` have. */
static inline size_t etc_etdump_position(const struct etc_etdump_reader *r, size_t i)
{
	return i < r->out->run_count ? r->runs[i].first_sample : r->events;
}

/* ---- etdump_pages.c ------------------------------------------------------------------- */

/* Has the file in memory where the runs that are about to be counted are all over it, and its
 * pages stay. */
void etc_etdump_fetch(struct etc_etdump_reader *r);

/* Has the events of a long run in memory before they are read: while one is read, a page
 * that is not yet mapped costs more than ahead of them all. */
void etc_etdump_fetch_events(const struct etc_etdump_reader *r, struct etc_fb_vec events);

/* After `events` more were read, of runs up to `run`: pages of the file go back now and
 * then. */
void etc_etdump_rest(struct etc_etdump_reader *r, size_t run, size_t events);

/* Does what is made of the file, with so many samples, take much beside it? Then pages go
 * back: of what was read, only names and metadata are looked at again. Where memory is no
 * matter, to read them again would only take time. */
bool etc_etdump_is_heavy(const struct etc_etdump_reader *r, size_t samples);

/* ---- shapes.c and others -------------------------------------------------------------- */

/* Makes the list of a run in `list` and `shape`, with `hints` one for each event, and stores its
 * times at r->start[r->samples] and after. On damage shape->count is the event that has it.
 * False: some text is not plain ASCII. */
bool etc_etdump_list(struct etc_etdump_reader *r, struct etc_fb_vec events, struct etc_event *list,
                     struct etc_hint *hints, struct etc_shape *shape);

/* Finds or makes the shape of run `index` with `events`, and stores its times
 * at r->start[r->samples] and after. */
enum etc_status etc_shapes_match(struct etc_etdump_reader *r, size_t index,
                                 struct etc_fb_vec events, struct etc_error *err) ETC_MUST_CHECK;

/* etdump_sparse.c: columns of one run, and room for what is kept of times; E0904. */
enum etc_status etc_sparse_init(struct etc_etdump_reader *r, struct etc_error *err) ETC_MUST_CHECK;

/* Keeps of the times of run `i`, which was read last, what is to be kept. */
void etc_sparse_keep(struct etc_etdump_reader *r, size_t i);

/* Counts those of a run, whose samples are those from `first` on, that end before they start. */
static inline void etc_etdump_wraps(struct etc_etdump_reader *r, size_t first,
                                    struct etc_wraps *wraps)
{
	if (r->any_wrap)
		etc_wraps_add(wraps, r->start + first, r->end + first, r->samples - first);
	r->any_wrap = false;
}

/* The DebugEvent.debug_entry of the table at `debug_at`, or with `discard` only
 * a look at it. `run`: its index. */
enum etc_status etc_etdump_value(struct etc_etdump_reader *r, size_t debug_at, size_t run,
                                 struct etc_value *value, struct etc_error *err) ETC_MUST_CHECK;

/* Remembers the first text that is not UTF-8. */
void etc_etdump_text(struct etc_etdump_reader *r, struct etc_str s);

/* Remembers the first thing of its kind that makes the Inspector refuse. */
void etc_etdump_flaw(struct etc_flaw *flaw, size_t at, size_t run, const char *what);

enum { ETC_ETDUMP_PREFIX = 4 }; /* bytes of the size before the FlatBuffer */

/* Is this an ETDump, and has it a size prefix? E0201, E0202, E0204. */
enum etc_status etc_etdump_identify(struct etc_span file, bool *prefixed,
                                    struct etc_error *err) ETC_MUST_CHECK;

/* One try: the dump is the first `len` bytes of the file, out->size_prefixed is set. */
enum etc_status etc_etdump_try(struct etc_etdump_reader *r, struct etc_span file, size_t len,
                               const struct etc_limits *limits,
                               struct etc_error *err) ETC_MUST_CHECK;

/* All of it: as etc_etdump_read(), without what it says of whole runs. */
enum etc_status etc_etdump_file(struct etc_etdump_reader *r, struct etc_span file,
                                const struct etc_limits *limits, struct etc_notes *notes,
                                struct etc_error *err) ETC_MUST_CHECK;

/* Notes what is odd in what was read. */
void etc_etdump_note(const struct etc_etdump_reader *r, struct etc_notes *notes);

static inline struct etc_fb_layouts *etc_layouts(struct etc_etdump_reader *r, enum table_type type)
{
	return &r->layouts[type];
}

#endif
