/* wire.h -- the messages between the process of an isolated plugin (the child) and the process that
 * started it (the host).
 *
 * A message is a sequence of 64-bit words in native byte order. Texts and blobs are stored as their
 * length, followed by their bytes, which are padded to whole words; so all words are aligned, and
 * samples can be read in place. The host checks everything that it reads: a function that would
 * read beyond the end of a message sets `bad` and returns zeros. */
#ifndef ETC_HOST_ISOLATED_WIRE_H
#define ETC_HOST_ISOLATED_WIRE_H

#include "base/arena.h"
#include "host/internal.h"

/* A growing message of at most `most` bytes. */
struct etc_wire {
	/* the message: malloc'ed, aligned for words; before it is room for its header (struct
	 * etc_frame) */
	uint8_t *ptr;
	/* numbers of bytes: `len` in the message, `room` allocated, `most` allowed */
	size_t len, room, most;
	bool failed; /* out of memory, or `most` was exceeded */
};

void etc_wire_release(struct etc_wire *w);
/* Makes room for `bytes` more bytes. False (and `failed`): out of memory, or the message would
 * exceed `most`. */
bool etc_wire_reserve(struct etc_wire *w, size_t bytes);

/* Returns the number of words that `bytes` bytes need. */
static inline uint64_t etc_wire_words_of(uint64_t bytes)
{
	return (bytes + sizeof bytes - 1) / sizeof bytes;
}

/* Appends `count` words, and returns their address; the caller fills them in. NULL (and `failed`):
 * out of memory, or the message would exceed `most`. */
static inline uint64_t *etc_wire_more(struct etc_wire *w, size_t count)
{
	size_t bytes = count * sizeof(uint64_t);
	void *at;

	if ((w->failed || bytes > w->room - w->len) && !etc_wire_reserve(w, bytes))
		return NULL;
	at = w->ptr + w->len;
	w->len += bytes;
	return at;
}

static inline void etc_wire_put(struct etc_wire *w, uint64_t word)
{
	uint64_t *at = etc_wire_more(w, 1);

	if (at)
		*at = word;
}

void etc_wire_words(struct etc_wire *w, const uint64_t *words, uint64_t count);
void etc_wire_text(struct etc_wire *w, const void *ptr, uint64_t len);

struct etc_unwire {
	const uint8_t *ptr;
	size_t len, at;
	bool bad;
};

/* Returns the next `count` words of a message. NULL (and `bad`): the message has fewer. */
static inline const uint64_t *etc_unwire_words(struct etc_unwire *r, uint64_t count)
{
	const void *at = r->ptr + r->at;

	if (r->bad || count > (r->len - r->at) / sizeof(uint64_t)) {
		r->bad = true;
		return NULL;
	}
	r->at += (size_t)count * sizeof(uint64_t);
	return at;
}

static inline uint64_t etc_unwire_get(struct etc_unwire *r)
{
	const uint64_t *word = etc_unwire_words(r, 1);

	return word ? *word : 0;
}

static inline struct etcore_text etc_unwire_text(struct etc_unwire *r)
{
	uint64_t len = etc_unwire_get(r);
	const void *at = len <= r->len ? etc_unwire_words(r, etc_wire_words_of(len)) : NULL;

	if (!at) {
		r->bad = true;
		return (struct etcore_text){ 0 };
	}
	return (struct etcore_text){ at, len };
}

/* ---- frames ------------------------------------------------------------------- */

/* The header of a message: the kind of the message, and the number of bytes after the header. */
struct etc_frame {
	uint64_t kind, len;
};
/* Writes the header into the room before the message in `w`, and returns the header's address,
 * which is the start of the bytes to send. NULL: the message is incomplete (`failed`). */
const struct etc_frame *etc_wire_frame(struct etc_wire *w, uint64_t kind);
enum etc_frame_kind {
	/* the child's first message: which parts of the sandbox are missing, then the plugin's
	 * descriptor, or the reason why the plugin is refused */
	ETC_FRAME_HELLO = 0x65746301,
	/* from the host: the plugin's options; from the child: the answer of open() */
	ETC_FRAME_OPEN,
	ETC_FRAME_ASK, /* from the host: calls; from the child: the answers */
	/* from the host: requests for further hooks of the calls in the last ASK; from the child:
	 * the answers */
	ETC_FRAME_AGAIN,
};
enum {
	ETC_WIRE_ANSWERS = 256 << 20, /* largest size of a message with answers, in bytes */
	ETC_WIRE_CALLS = 1 << 30      /* largest size of a message with calls, in bytes */
};

/* ---- calls -------------------------------------------------------------------- */

/* A delegate call, and the hooks to run on it. */
struct etc_wire_call {
	const struct etcore_call *call;
	uint32_t hooks;  /* the hooks to run: bits 1 << enum etc_hook */
	uint32_t events; /* call->count at the time of the request; used by remote.c */
	/* index of the only event for which hooks of single events are run; -1: they are run for
	 * all events */
	int64_t only;
	/* for PARSE and EXPAND: for each event, whether the hook is run; NULL: it is run for all
	 * events */
	const bool *parse;
	bool unchanged;  /* the caller has not changed the call since the last message that
	                    * contained it */
	uint32_t before; /* number of the call in that message; used by remote.c */
	/* For CONVERT: convert_time is called for event `only` (event 0 if `only` is -1), first
	 * with `starts`. If this call succeeds, convert_time is called again with `ends`. Both
	 * arrays have `count` numbers. */
	const struct etcore_scales *scales;
	const uint64_t *starts, *ends;
	uint64_t count;
};

/* Files that the child maps itself: their descriptors are sent instead of their bytes. */
struct etc_wire_files {
	const struct etc_file *files;
	uint32_t count;
	/* Returns the number by which the child knows the file; negative: the child cannot map
	 * it. */
	int (*number)(void *arg, const struct etc_file *file);
	void *arg;
};

/* Cache of the blobs and texts that are already in the message, found by their address, so that
 * data which several events share are sent once. `at` is the offset of the data in the message. */
enum { ETC_WIRE_SEEN = 1024 };
struct etc_wire_seen {
	const uint8_t *ptr[ETC_WIRE_SEEN];
	uint64_t len[ETC_WIRE_SEEN];
	uint64_t at[ETC_WIRE_SEEN];
};

void etc_wire_put_call(struct etc_wire *w, const struct etc_wire_call *c,
                       const struct etc_wire_files *files, struct etc_wire_seen *seen);

/* Reads a call from a message, in the child. The call and its arrays are allocated in `arena`;
 * texts are views into the message. `blob` returns bytes of files that the child has mapped. False:
 * the message is invalid, or out of memory. */
typedef bool etc_wire_blob_fn(void *arg, uint64_t file, uint64_t at, uint64_t len,
                              struct etcore_bytes *out);
bool etc_wire_get_call(struct etc_unwire *r, struct etc_wire_call *out, struct etc_arena *arena,
                       etc_wire_blob_fn *blob, void *arg);

/* ---- answers ------------------------------------------------------------------ */

/* An answer in a message consists of its slot, the result of the hook, the number of bytes of its
 * records, and the records. The slot is the number of the answer among all answers to the calls of
 * one message. */

/* Returns the number of slots, and so of answers, for a call with `events` events on which the
 * hooks in the set `hooks` are run. */
static inline uint64_t etc_slot_count(uint32_t hooks, uint32_t events)
{
	static const uint8_t bits[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

	_Static_assert(ETC_HOOK_NAME == 4 && ETC_HOOK_EXPAND == 8 && ETC_HOOK_CONVERT == 9,
	               "once for a call, once for each event, twice");
	return bits[hooks & 15] +
	       (uint64_t)(bits[hooks >> 4 & 15] + (hooks >> ETC_HOOK_EXPAND & 1)) * events +
	       (hooks >> ETC_HOOK_CONVERT & 1) * 2;
}

/* Returns the slot of a hook's answer, counted from the call's first slot. For CONVERT, `index` is
 * 0 for the starts and 1 for the ends; for another hook of a single event, it is the event's
 * index. */
static inline uint64_t etc_slot_of(uint32_t hooks, uint32_t events, enum etc_hook hook,
                                   uint32_t index)
{
	return etc_slot_count(hooks & ((1u << hook) - 1), events) +
	       (hook >= ETC_HOOK_NAME ? index : 0);
}

/* The kinds of records in a message with answers. (They have nothing to do with ETRecords.) Each
 * time the plugin calls a sink, one record is written. The lower half of its first word is its
 * kind. The comments below say which words follow, and what the upper half of the first word has,
 * if it is used. */
enum etc_record {
	ETC_RECORD_STR = 1,       /* name and text follow */
	ETC_RECORD_I64,           /* name and word follow */
	ETC_RECORD_F64,           /* name and word follow */
	ETC_RECORD_BOOL,          /* name and word follow */
	ETC_RECORD_NULL,          /* name follows */
	ETC_RECORD_JSON,          /* name and text follow */
	ETC_RECORD_JSON_BYTES,    /* name and text follow */
	ETC_RECORD_BEGIN_COLUMNS, /* no words follow */
	ETC_RECORD_BEGIN_LIST,    /* no words follow */
	ETC_RECORD_NUMBER_I64,    /* one word follows */
	ETC_RECORD_NUMBER_F64,    /* one word follows */
	ETC_RECORD_PUT,           /* field in the upper half; text follows */
	ETC_RECORD_PUT_NUMBER,    /* field in the upper half; one word follows */
	ETC_RECORD_KEY,           /* text follows */
	ETC_RECORD_HANDLE,        /* one word follows */
	ETC_RECORD_NOT_EDGE,      /* no words follow */
	ETC_RECORD_DIAGNOSE,      /* severity in the upper half; text follows */
	ETC_RECORD_SCORE,         /* one word follows */
	/* ETC_TIME_WORDS words. If the upper half is 1, no words follow: the time equals that of
	 * the previous TIME record */
	ETC_RECORD_TIME,
	ETC_RECORD_FAULT, /* text: the fault for which a sink in the child refused the answer */
	/* the text of the exception that the hook threw; always the last record */
	ETC_RECORD_THREW,
	ETC_RECORD_PUT_AGAIN, /* field in the upper half; offset of an earlier text in the
	                       * message */
	/* parent in the upper half; then the name, flags ETC_CHILD_*, number of samples, durations;
	 * then starts and time, if the flags say that these follow */
	ETC_RECORD_CHILD
};

/* number of words in which a struct etcore_time is written: one word with all its codes, then one
 * word for each number */
enum { ETC_TIME_WORDS = 7 };
enum { ETC_CHILD_STARTS = 1, ETC_CHILD_TIME = 2 };

struct etc_answer {
	int32_t result;
	const uint8_t *message; /* the message that has the answer; NULL: there is no answer */
	/* the recorded calls of sinks (enum etc_record) that are the answer: the bytes [at, end) of
	 * `message` */
	size_t at, end;
};

/* Cache of the copies of texts of one message, found by the position of a text in the message. A
 * zeroed struct is an empty cache. Clear it for each message. */
enum { ETC_WIRE_KEPT = 256 };
struct etc_wire_kept {
	struct {
		const char *at;
		struct etc_str kept;
	} texts[ETC_WIRE_KEPT];
};

/* replay.c: calls the sinks in `a` as the plugin's hook did, according to the records of the
 * answer, and sets a->result. Every byte is checked. */
enum etc_replay { ETC_REPLAY_DONE, ETC_REPLAY_THREW /* `what` is set */, ETC_REPLAY_NONSENSE };
enum etc_replay etc_answer_replay(const struct etc_answer *answer, struct etc_plugin *p,
                                  enum etc_hook hook, struct etc_hook_args *a,
                                  struct etc_wire_kept *kept, char what[ETC_EXCEPTION_MAX]);

/* tap.c, in the plugin's process: state for running hooks and writing their answers. */
enum { ETC_TAP_SAID = 512 };
struct etc_tapped {
	struct etc_plugin *p; /* p->services.handle is this struct */
	struct etc_wire *out;
	bool asking; /* a hook is running */
	/* cache of the texts that are in the message `out` already: their offsets in it. The index
	 * is a hash of the text's address and length; 0: no text */
	uint32_t said[ETC_TAP_SAID];
};
void etc_tap_call(struct etc_tapped *t, const struct etc_wire_call *c, uint64_t first_slot);
/* Calls the plugin's open(), and writes its result as the answer of slot 0. False: open()
 * failed. */
bool etc_tap_open(struct etc_tapped *t);

/* descriptor.c: the child writes the plugin's descriptor to a message; the host makes a copy of it,
 * in `arena`. In the copy, a hook that the plugin has is not NULL, but must not be called. False:
 * the message is invalid, or out of memory. */
void etc_wire_put_descriptor(struct etc_wire *w, const struct etcore_plugin *abi);
bool etc_wire_get_descriptor(struct etc_unwire *r, struct etc_arena *arena,
                             const struct etcore_plugin **out);

#endif
