/* sink.h -- where a plugin's answers arrive.
 *
 * Each function that a plugin calls copies what it is handed into the host's
 * arena and checks it: declared columns and their types, UTF-8, JSON, sizes,
 * counts, one form per answer. The first fault makes the whole answer void
 * (`fault`): half an answer would be worse than none. For host/ and check/. */
#ifndef ETC_HOST_SINK_H
#define ETC_HOST_SINK_H

#include "base/arena.h"
#include "base/map.h"
#include "etcore/plugin.h"
#include "model/facts.h"

/* A text of the plugins' side as one of ours. */
static inline struct etc_str etc_plugin_text(struct etcore_text t)
{
	return (struct etc_str){ t.ptr, (size_t)t.len };
}

/* The other way round. */
static inline struct etcore_text etc_text_of_ours(struct etc_str s)
{
	return (struct etcore_text){ s.ptr, s.len };
}

enum { ETC_FAULT_MAX = 200 };

/* A cache of recently copied texts, since plugins give the same few answers for millions
 * of events. Zeroed means empty; one per arena. It is two-way set-associative, to avoid
 * repeated evictions, and grows, so that a few texts need little memory. */
enum {
	ETC_RECENT_FIRST = 32, /* sets */
	ETC_RECENT_TEXTS = 1024,
	ETC_RECENT_FACTS = 2048,
	ETC_RECENT_PLACES = 512,
	ETC_RECENT_MAX = 128 /* bytes */
};
/* Hash of an address, for tables of known texts. */
static inline size_t etc_hash_where(const void *ptr, uint64_t len)
{
	uint64_t h = (((uint64_t)(uintptr_t)ptr << 8) ^ len) * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 32);
}

struct etc_recent_text {
	struct etc_str text;
	uint64_t head, tail; /* its first and last eight bytes, as far as it has them */
};
struct etc_recent_texts {
	struct etc_recent_text set[2];
};
struct etc_recent_facts {
	const struct etc_facts *set[2];
};
struct etc_recent {
	/* By where the plugin has it: most plugins say the same from the same place. */
	struct etc_str places[ETC_RECENT_PLACES];
	struct etc_recent_texts *texts;
	struct etc_recent_facts *facts;
	uint32_t text_sets, fact_sets; /* 0: no table yet */
	uint32_t texts_put, facts_put; /* into it */
};

/* Common to all sinks. */
struct etc_intake {
	struct etc_arena *arena;
	struct etc_recent *recent; /* NULL: every text is copied */
	const struct etcore_plugin *plugin;
	/* Bytes of the arena's budget that are not for answers: one that would need
	 * them is refused, so that no plugin can cost a user the analysis. 0: none. */
	size_t spare;
	struct etc_map *families; /* names of families' columns so far; NULL: not counted */
	uint32_t calls;
	bool out_of_memory;
	char fault[ETC_FAULT_MAX]; /* what the plugin did wrong; "": nothing */
};

/* Forgets what one answer did: for the next. */
static inline void etc_intake_again(struct etc_intake *in)
{
	in->calls = 0;
	in->out_of_memory = false;
	in->fault[0] = '\0';
}

/* Is there room for `bytes` more? If not, that is the answer's fault. */
bool etc_intake_fits(struct etc_intake *in, size_t bytes);

/* parse_metadata */
struct etc_datum_intake {
	struct etc_intake in;
	uint8_t form;            /* enum etc_parsed_form */
	struct etc_datum *items; /* malloc'ed while it grows */
	uint32_t count, room;
	struct etc_map names; /* of a dict, once it is large */
	bool in_columns;      /* after begin_columns: what follows goes to `columns` */
	struct etc_datum *columns;
	uint32_t column_count, column_room;
};
struct etcore_sink etc_datum_sink(struct etc_datum_intake *to);
/* Frees what was malloc'ed. */
void etc_datum_intake_release(struct etc_datum_intake *to);

/* Has the plugin a column of this name, or a family for it? "*" is none of either. */
bool etc_sink_declares(const struct etcore_plugin *p, struct etc_str name);

/* convert_time: exactly `expected` numbers into `out`. */
struct etc_number_intake {
	struct etc_intake in;
	struct etc_converted *out;
	uint64_t count, expected;
};
struct etcore_number_sink etc_number_sink(struct etc_number_intake *to);

/* name_event (ETCORE_NAME_*) and classify (ETCORE_CLASS_*). */
struct etc_facts_intake {
	struct etc_intake in;
	uint32_t first, last; /* fields that this hook may fill; others are a fault */
	bool only_absent;     /* for annotators: the owner's facts are not replaced */
	struct etc_facts *out;
};
struct etcore_text_sink etc_facts_sink(struct etc_facts_intake *to);

/* The two calls of that sink. `kept`, unless NULL: the same text as it was kept before, or
 * empty: then this one, if it is kept. */
etcore_result etc_facts_put(struct etc_facts_intake *to, uint32_t field, struct etcore_text value,
                            struct etc_str *kept);
etcore_result etc_facts_put_number(struct etc_facts_intake *to, uint32_t field, int64_t value);

/* map_event */
struct etc_map_intake {
	struct etc_intake in;
	struct etc_str key;
	int64_t *handles; /* malloc'ed while it grows */
	uint32_t count, room;
	bool not_edge_handles;
};
struct etcore_map_sink etc_map_sink(struct etc_map_intake *to);

/* Is `s` one JSON value as Python's json.loads accepts it (NaN, Infinity and
 * -Infinity included), nested at most ETC_LIMIT_JSON_DEPTH deep? */
bool etc_json_valid(struct etc_str s);
/* The same, where b"<base64>" may stand for any value. */
bool etc_json_bytes_valid(struct etc_str s);

#endif
