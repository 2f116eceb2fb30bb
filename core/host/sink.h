/* sink.h -- the sinks: callbacks that take a plugin's answer.
 *
 * The sinks copy the answer into etcore's arena and check it: are columns declared, with these
 * types; is text UTF-8 and JSON valid; do sizes and counts keep the limits; is the answer either a
 * list or a dict? The first fault (`fault`) makes the whole answer invalid, because a part of it
 * would mislead. For core/host and `etcore plugins check`. */
#ifndef ETC_HOST_SINK_H
#define ETC_HOST_SINK_H

#include "base/arena.h"
#include "base/map.h"
#include "etcore/plugin.h"
#include "model/facts.h"

/* Converts a plugin's text to struct etc_str, as a view of the same bytes. */
static inline struct etc_str etc_plugin_text(struct etcore_text t)
{
	return (struct etc_str){ t.ptr, (size_t)t.len };
}

/* Converts a struct etc_str to the text of a plugin, as a view of the same bytes. */
static inline struct etcore_text etc_text_of_ours(struct etc_str s)
{
	return (struct etcore_text){ s.ptr, s.len };
}

enum { ETC_FAULT_MAX = 200 };

/* A cache of recently copied texts, since plugins return the same few texts for millions of events.
 * There is one cache per arena; a zeroed struct is an empty cache. It is two-way set-associative,
 * so that two texts of the same set do not evict each other. It begins small and grows. */
enum {
	ETC_RECENT_FIRST = 32, /* number of sets that a cache has at first */
	ETC_RECENT_TEXTS = 1024,
	ETC_RECENT_FACTS = 2048,
	ETC_RECENT_PLACES = 512,
	ETC_RECENT_MAX = 128 /* longest text that is cached, in bytes */
};
/* Returns a hash of the address and length of a text, for caches that find texts by address. */
static inline size_t etc_hash_where(const void *ptr, uint64_t len)
{
	uint64_t h = (((uint64_t)(uintptr_t)ptr << 8) ^ len) * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 32);
}

struct etc_recent_text {
	struct etc_str text;
	/* the first and the last eight bytes of the text, as numbers (ends_of() in sink.c) */
	uint64_t head, tail;
};
struct etc_recent_texts {
	struct etc_recent_text set[2];
};
struct etc_recent_facts {
	const struct etc_facts *set[2];
};
struct etc_recent {
	/* Recently copied texts, indexed by a hash of their address in the plugin. Most plugins
	 * return a text from the same address each time, so the text's copy is found without
	 * comparing the text with others. */
	struct etc_str places[ETC_RECENT_PLACES];
	struct etc_recent_texts *texts;
	struct etc_recent_facts *facts;
	uint32_t text_sets, fact_sets; /* 0: no table yet */
	/* numbers of texts and of facts that were added since the table was allocated */
	uint32_t texts_put, facts_put;
};

/* The members that the intakes of all sinks have. An intake collects one answer. */
struct etc_intake {
	struct etc_arena *arena;
	struct etc_recent *recent; /* cache of copied texts; NULL: every text is copied */
	const struct etcore_plugin *plugin;
	/* Number of bytes of the arena's budget that must stay free. An answer that needs them is
	 * refused, so that a plugin cannot use up the memory of the whole query. 0: the whole
	 * budget may be used. */
	size_t spare;
	struct etc_map
		/* names of the columns that the plugin has returned so far for its declared
		 * families, such as "acme.*"; NULL: these columns are not counted */
		*families;
	uint32_t calls;
	bool out_of_memory;
	/* a text about the first fault of the answer; "": there is none */
	char fault[ETC_FAULT_MAX];
};

/* Resets `in`, which collects the answer of a hook, for the next answer. */
static inline void etc_intake_again(struct etc_intake *in)
{
	in->calls = 0;
	in->out_of_memory = false;
	in->fault[0] = '\0';
}

/* May the answer use `bytes` more bytes of the arena? If not, sets the fault. */
bool etc_intake_fits(struct etc_intake *in, size_t bytes);

/* Collects the answer of the hook parse_metadata. */
struct etc_datum_intake {
	struct etc_intake in;
	uint8_t form;            /* enum etc_parsed_form */
	struct etc_datum *items; /* from malloc(); etc_datum_intake_release() frees it */
	uint32_t count, room;
	struct etc_map names;      /* for a large dict, a hash map of its keys */
	bool in_columns;           /* begin_columns was called: further values go to `columns` */
	struct etc_datum *columns; /* from malloc(), like `items` */
	uint32_t column_count, column_room;
};
struct etcore_sink etc_datum_sink(struct etc_datum_intake *to);
/* Frees `items` and `columns`. */
void etc_datum_intake_release(struct etc_datum_intake *to);

/* Does the plugin declare a column of this name, or a family that contains it? The family "*",
 * which contains every name, does not count. */
bool etc_sink_declares(const struct etcore_plugin *p, struct etc_str name);

/* Collects the answer of the hook convert_time: exactly `expected` numbers, in `out`. */
struct etc_number_intake {
	struct etc_intake in;
	struct etc_converted *out;
	uint64_t count, expected;
};
struct etcore_number_sink etc_number_sink(struct etc_number_intake *to);

/* Collects the answers of name_event (fields ETCORE_NAME_*) and classify (fields
 * ETCORE_CLASS_*). */
struct etc_facts_intake {
	struct etc_intake in;
	uint32_t first, last; /* range of fields that this hook may set; other fields are a fault */
	/* fields that are already set are not replaced; true for annotators */
	bool only_absent;
	struct etc_facts *out;
};
struct etcore_text_sink etc_facts_sink(struct etc_facts_intake *to);

/* The two functions of the sink for facts. If `*kept` is not empty, it is a copy of `value` that
 * exists already, and is used instead of a new copy. If `*kept` is empty, it is set to the new
 * copy. If `kept` is NULL, there is no such copy, and the caller does not want the new one. */
etcore_result etc_facts_put(struct etc_facts_intake *to, uint32_t field, struct etcore_text value,
                            struct etc_str *kept);
etcore_result etc_facts_put_number(struct etc_facts_intake *to, uint32_t field, int64_t value);

/* Collects the answer of the hook map_event. */
struct etc_map_intake {
	struct etc_intake in;
	struct etc_str key;
	int64_t *handles; /* malloc'ed; etc_host_map_event() copies it to the arena and frees it */
	uint32_t count, room;
	bool not_edge_handles;
};
struct etcore_map_sink etc_map_sink(struct etc_map_intake *to);

/* Is `s` one JSON value as Python's json.loads accepts it (NaN, Infinity and
 * -Infinity included), nested at most ETC_LIMIT_JSON_DEPTH deep? */
bool etc_json_valid(struct etc_str s);
/* Like etc_json_valid(), but any value may also have the form b"<base64>". */
bool etc_json_bytes_valid(struct etc_str s);

#endif
