/* replay.c -- etc_answer_replay() of wire.h: reads an isolated plugin's answer, which is a list of
 * recorded calls of sinks, and makes the same calls. */
#include "host/isolated/wire.h"

#include "base/text.h"

struct replay {
	struct etc_unwire r;
	struct etc_plugin *p;
	enum etc_hook hook;
	struct etc_hook_args *a;
	struct etc_wire_kept *kept;
	uint32_t count; /* number of describe_time's answers so far */
	char *what;
	bool threw;
};

static int64_t get_i64(struct replay *x)
{
	return (int64_t)etc_unwire_get(&x->r);
}

static double get_f64(struct replay *x)
{
	uint64_t bits = etc_unwire_get(&x->r);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* ---- records, by sink -------------------------------------------------------------- */

static bool data(struct replay *x, enum etc_record kind)
{
	const struct etcore_sink *s = x->a->data;
	struct etcore_text name = { 0 };

	if (!s)
		return false;
	if (kind != ETC_RECORD_BEGIN_LIST && kind != ETC_RECORD_BEGIN_COLUMNS)
		name = etc_unwire_text(&x->r);
	if (kind == ETC_RECORD_STR)
		s->str(s->handle, name, etc_unwire_text(&x->r));
	else if (kind == ETC_RECORD_JSON)
		s->json(s->handle, name, etc_unwire_text(&x->r));
	else if (kind == ETC_RECORD_JSON_BYTES)
		s->json_bytes(s->handle, name, etc_unwire_text(&x->r));
	else if (kind == ETC_RECORD_I64)
		s->i64(s->handle, name, get_i64(x));
	else if (kind == ETC_RECORD_F64)
		s->f64(s->handle, name, get_f64(x));
	else if (kind == ETC_RECORD_BOOL)
		s->boolean(s->handle, name, get_i64(x) != 0);
	else if (kind == ETC_RECORD_NULL)
		s->null(s->handle, name);
	else if (kind == ETC_RECORD_BEGIN_COLUMNS)
		s->begin_columns(s->handle);
	else
		s->begin_list(s->handle);
	return true;
}

static bool number(struct replay *x, enum etc_record kind)
{
	const struct etcore_number_sink *s = x->a->numbers;

	if (!s)
		return false;
	if (kind == ETC_RECORD_NUMBER_I64)
		s->i64(s->handle, get_i64(x));
	else
		s->f64(s->handle, get_f64(x));
	return true;
}

/* Returns the text to which a record ETC_RECORD_PUT_AGAIN refers by its offset in the same
 * message. */
static struct etcore_text text_before(struct replay *x)
{
	uint64_t at = etc_unwire_get(&x->r);
	struct etc_unwire before = { x->r.ptr, x->r.at, (size_t)at, x->r.bad };
	struct etcore_text text = { 0 };

	if (at % sizeof at || at > before.len)
		before.bad = true;
	else
		text = etc_unwire_text(&before);
	x->r.bad = before.bad;
	return text;
}

static bool fact(struct replay *x, enum etc_record kind, uint32_t field)
{
	struct etc_facts_intake *to = x->a->facts ? x->a->facts->handle : NULL;
	struct etcore_text text;
	size_t slot;

	if (!to)
		return false;
	if (kind == ETC_RECORD_PUT_NUMBER) {
		etc_facts_put_number(to, field, get_i64(x));
		return true;
	}
	text = kind == ETC_RECORD_PUT ? etc_unwire_text(&x->r) : text_before(x);
	slot = (uintptr_t)text.ptr / sizeof(uint64_t) % ETC_WIRE_KEPT;
	if (x->kept->texts[slot].at != text.ptr) {
		x->kept->texts[slot].at = text.ptr;
		x->kept->texts[slot].kept = ETC_STR_NONE;
	}
	etc_facts_put(to, field, text, &x->kept->texts[slot].kept);
	return true;
}

static bool map(struct replay *x, enum etc_record kind)
{
	const struct etcore_map_sink *s = x->a->map;

	if (!s)
		return false;
	if (kind == ETC_RECORD_KEY)
		s->key(s->handle, etc_unwire_text(&x->r));
	else if (kind == ETC_RECORD_HANDLE)
		s->debug_handle(s->handle, get_i64(x));
	else
		s->not_edge_handles(s->handle);
	return true;
}

/* Reads an etcore_time. False: it is invalid. */
static bool get_time(struct replay *x, struct etcore_time *t)
{
	uint64_t codes = etc_unwire_get(&x->r);
	int64_t parent = get_i64(x);

	if (parent < INT32_MIN || parent > INT32_MAX)
		return false;
	t->kind = codes & 255;
	t->unit = codes >> 8 & 255;
	t->clock = codes >> 16 & 255;
	t->start = codes >> 24 & 255;
	t->duration = codes >> 32 & 255;
	t->rounding = codes >> 40 & 255;
	t->parent = (int32_t)parent;
	t->ns_per_unit = get_f64(x);
	t->resolution = etc_unwire_get(&x->r);
	t->wraps_at = etc_unwire_get(&x->r);
	t->sync_device = etc_unwire_get(&x->r);
	t->sync_host = etc_unwire_get(&x->r);
	return true;
}

static bool child(struct replay *x, uint32_t parent)
{
	const struct etcore_child_sink *s = x->a->children;
	struct etcore_child c = { .size = sizeof c, .parent = (int32_t)parent };
	struct etcore_time time = { .size = sizeof time };
	uint64_t flags;

	if (!s)
		return false;
	c.name = etc_unwire_text(&x->r);
	flags = etc_unwire_get(&x->r);
	c.samples = etc_unwire_get(&x->r);
	c.durations = etc_unwire_words(&x->r, c.samples);
	if (flags & ETC_CHILD_STARTS)
		c.starts = etc_unwire_words(&x->r, c.samples);
	if (flags & ETC_CHILD_TIME) {
		if (!get_time(x, &time))
			return false;
		c.time = &time;
	}
	if (!x->r.bad)
		s->begin(s->handle, &c);
	return true;
}

static bool times(struct replay *x, uint32_t same)
{
	struct etcore_time *t;

	if (!x->a->times || x->count == x->a->call->count)
		return false;
	t = x->a->times[x->count++];
	if (same) {
		if (x->count == 1)
			return false;
		*t = *x->a->times[x->count - 2];
		return true;
	}
	return get_time(x, t);
}

/* ---- all records --------------------------------------------------------------------- */

/* Copies untrusted text into a buffer for a message. The copy ends at the first invalid UTF-8, or
 * after room - 1 bytes. */
static void plain(char *to, size_t room, struct etcore_text text)
{
	size_t n = text.len < room - 1 ? (size_t)text.len : room - 1;

	if (n)
		memcpy(to, text.ptr, n);
	to[n] = '\0';
	if (etc_utf8_fault((struct etc_str){ to, n }) != SIZE_MAX)
		to[etc_utf8_fault((struct etc_str){ to, n })] = '\0';
}

static bool fault(struct replay *x)
{
	struct etcore_text text = etc_unwire_text(&x->r);

	if (x->r.bad || !x->a->in || text.len == 0)
		return false;
	if (!x->a->in->fault[0])
		plain(x->a->in->fault, sizeof x->a->in->fault, text);
	return true;
}

static bool score(struct replay *x)
{
	int64_t score = get_i64(x);

	if (x->hook != ETC_HOOK_PROBE)
		return false;
	x->a->score = score < -1 || score > INT32_MAX ? -1 : (int32_t)score;
	return true;
}

static bool one(struct replay *x)
{
	uint64_t word = etc_unwire_get(&x->r);
	enum etc_record kind = (enum etc_record)(word & UINT32_MAX);
	uint32_t upper = (uint32_t)(word >> 32);

	switch (kind) {
	case ETC_RECORD_PUT:
	case ETC_RECORD_PUT_NUMBER:
	case ETC_RECORD_PUT_AGAIN:
		return fact(x, kind, upper);
	case ETC_RECORD_NUMBER_I64:
	case ETC_RECORD_NUMBER_F64:
		return number(x, kind);
	case ETC_RECORD_KEY:
	case ETC_RECORD_HANDLE:
	case ETC_RECORD_NOT_EDGE:
		return map(x, kind);
	case ETC_RECORD_CHILD:
		return child(x, upper);
	case ETC_RECORD_TIME:
		return times(x, upper);
	case ETC_RECORD_FAULT:
		return fault(x);
	case ETC_RECORD_DIAGNOSE:
		etc_hook_diagnose(x->p, upper, etc_unwire_text(&x->r));
		return true;
	case ETC_RECORD_SCORE:
		return score(x);
	case ETC_RECORD_THREW:
		plain(x->what, ETC_EXCEPTION_MAX, etc_unwire_text(&x->r));
		x->threw = true;
		return true;
	default:
		return kind >= ETC_RECORD_STR && kind <= ETC_RECORD_BEGIN_LIST && data(x, kind);
	}
}

enum etc_replay etc_answer_replay(const struct etc_answer *answer, struct etc_plugin *p,
                                  enum etc_hook hook, struct etc_hook_args *a,
                                  struct etc_wire_kept *kept, char what[ETC_EXCEPTION_MAX])
{
	struct replay x = { .r = { answer->message, answer->end, answer->at, false },
		            .p = p,
		            .hook = hook,
		            .a = a,
		            .kept = kept,
		            .what = what };

	a->result = answer->result;
	while (x.r.at < x.r.len && !x.threw)
		if (!one(&x) || x.r.bad)
			return ETC_REPLAY_NONSENSE;
	if (x.r.at < x.r.len)
		return ETC_REPLAY_NONSENSE;
	if (x.threw)
		return ETC_REPLAY_THREW;
	if (hook == ETC_HOOK_DESCRIBE && a->result == ETCORE_OK && x.count != a->call->count)
		return ETC_REPLAY_NONSENSE;
	return ETC_REPLAY_DONE;
}
