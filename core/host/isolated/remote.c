/* remote.c -- see remote.h: sends requests to isolated plugins in batches, finds the hook at fault
 * if a process does not answer, and passes the answers to the sinks as the hooks would. */
#include "host/isolated/isolate.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/process.h"

enum {
	/* number of restarts after which the plugin is quarantined; it is reached only if batches
	 * of calls fail, but none of their calls fails alone */
	RESTARTS = 8
};

/* ---- requests ahead ------------------------------------------------------------------ */

/* Records where the answers to the calls [from, from + count) are in the message that has just
 * arrived. False: the message is invalid. */
static bool sort_answers(struct etc_remote *x, uint32_t from, uint32_t count, struct etc_unwire *r)
{
	uint64_t slots = x->first[from + count] - x->first[from];

	memset(&x->texts, 0, sizeof x->texts);
	while (r->at < r->len && !r->bad) {
		uint64_t slot = etc_unwire_get(r), result = etc_unwire_get(r),
			 len = etc_unwire_get(r);
		struct etc_answer *a;

		if (slot >= slots || len % sizeof len)
			return false;
		a = &x->answers[x->first[from] + slot];
		if (a->message || (int64_t)result != (int32_t)(int64_t)result)
			return false;
		*a = (struct etc_answer){ (int32_t)(int64_t)result, r->ptr, r->at,
			                  r->at + (size_t)len };
		if (!etc_unwire_words(r, len / sizeof len))
			return false;
	}
	return !r->bad;
}

/* Sends the message in x->out and reads the answers of calls [from, from + count). */
static struct etc_failure exchange(struct etc_remote *x, uint64_t kind, uint32_t from,
                                   uint32_t count, unsigned limit_ms)
{
	struct etc_unwire r;
	struct etc_failure f;

	if (x->out.failed) {
		x->out.failed = false;
		return (struct etc_failure){ .what = ETC_OUTCOME_NO_MEMORY };
	}
	f = etc_isolate_exchange(x, kind, limit_ms, &r);
	if (f.what == ETC_OUTCOME_FINE && !sort_answers(x, from, count, &r))
		f = etc_isolate_failed(x, ETC_OUTCOME_NONSENSE, limit_ms);
	return f;
}

/* Requests calls [from, from + count) of x->calls in one message. */
static struct etc_failure ask(struct etc_plugin *p, uint32_t from, uint32_t count,
                              unsigned limit_ms)
{
	struct etc_remote *x = p->remote;
	const struct etc_wire_files files = { p->host->files, p->host->file_count,
		                              etc_isolate_share, x };

	x->held = 0;
	x->out.len = 0;
	memset(&x->seen, 0, sizeof x->seen);
	if (x->crowded)
		etc_isolate_unshare(x);
	etc_wire_put(&x->out, x->shared_count - x->fresh_count);
	etc_wire_put(&x->out, count);
	for (uint32_t i = from; i < from + count; i++)
		etc_wire_put_call(&x->out, &x->calls[i], &files, &x->seen);
	return exchange(x, ETC_FRAME_ASK, from, count, limit_ms);
}

/* Requests more hooks of calls that the process already has. The message refers to each call by its
 * number in the previous message. */
static struct etc_failure ask_again(struct etc_remote *x)
{
	x->out.len = 0;
	etc_wire_put(&x->out, x->count);
	for (uint32_t i = 0; i < x->count; i++) {
		const struct etc_wire_call *c = &x->calls[i];

		etc_wire_put(&x->out, c->before);
		etc_wire_put(&x->out, c->hooks);
		etc_wire_text(&x->out, c->parse, c->parse ? c->events : 0);
	}
	return exchange(x, ETC_FRAME_AGAIN, 0, x->count, x->limit_ms);
}

/* Moves the message that has just arrived to x->kept, so that the next message does not overwrite
 * its answers. False: out of memory. */
static bool keep_message(struct etc_remote *x)
{
	if (x->kept_count == x->kept_room) {
		size_t room = x->kept_room ? x->kept_room * 2 : 16;
		uint64_t **more = etc_realloc(x->kept, room * sizeof *more);

		if (!more)
			return false;
		x->kept = more;
		x->kept_room = room;
	}
	x->kept[x->kept_count++] = x->message;
	x->message = NULL;
	x->room = 0;
	return true;
}

/* Must be called after a call failed. Repeats its hooks one by one, in the same order, until one
 * fails or until the time limit of one message has passed. Returns true if a hook failed, which was
 * reported. False: no hook failed in time; the caller then reports that the call as a whole
 * failed. */
static bool blame_hook(struct etc_plugin *p, const struct etc_wire_call *c)
{
	static const enum etc_hook phases[][2] = {
		{ ETC_HOOK_PROBE, ETC_HOOKS },        { ETC_HOOK_DESCRIBE, ETC_HOOKS },
		{ ETC_HOOK_NAME, ETC_HOOK_CLASSIFY }, { ETC_HOOK_MAP, ETC_HOOKS },
		{ ETC_HOOK_PARSE, ETC_HOOKS },        { ETC_HOOK_EXPAND, ETC_HOOKS },
		{ ETC_HOOK_CONVERT, ETC_HOOKS },
	};
	struct etc_remote *x = p->remote;
	uint64_t until = etc_process_now() + x->limit_ms;

	for (size_t k = 0; k < sizeof phases / sizeof phases[0]; k++) {
		bool each = etc_hook_of_event(phases[k][0]) && phases[k][0] != ETC_HOOK_CONVERT;
		uint32_t n = each ? c->call->count : 1;

		for (uint32_t i = 0; i < n; i++) {
			for (int h = 0; h < 2 && phases[k][h] != ETC_HOOKS; h++) {
				enum etc_hook hook = phases[k][h];
				int64_t index = each ? (int64_t)i : c->only;
				struct etc_failure f;

				if (!(c->hooks & 1u << hook) ||
				    (c->only >= 0 && each && c->only != index))
					continue;
				if (etc_process_now() >= until)
					return false;
				x->calls[0] = *c;
				x->calls[0].hooks = 1u << hook;
				x->calls[0].only = each ? index : c->only;
				x->first[0] = 0;
				x->first[1] = etc_slot_count(1u << hook, c->call->count);
				memset(x->answers, 0, (size_t)x->first[1] * sizeof *x->answers);
				f = ask(p, 0, 1, x->limit_ms);
				if (f.what == ETC_OUTCOME_FINE)
					continue;
				if (hook == ETC_HOOK_CONVERT)
					index = c->only >= 0 ? c->only : 0;
				etc_isolate_quarantine(p, hook, c->call, index, &f);
				return true;
			}
		}
	}
	return false;
}

/* Returns the first of the hooks that are requested for a call, for a note that concerns the whole
 * call. */
static enum etc_hook first_hook(uint32_t hooks)
{
	for (int h = 0; h < ETC_HOOKS; h++)
		if (hooks & 1u << h)
			return (enum etc_hook)h;
	return ETC_HOOK_OPEN;
}

static void blame(struct etc_plugin *p, const struct etc_wire_call *c,
                  const struct etc_failure *first)
{
	struct etc_wire_call call = *c;
	struct etc_failure f = etc_isolate_restart(p);

	if (f.what != ETC_OUTCOME_FINE)
		etc_isolate_quarantine(p, ETC_HOOK_OPEN, NULL, -1, &f);
	else if (!blame_hook(p, &call))
		etc_isolate_quarantine(p, first_hook(call.hooks), call.call, -1, first);
}

/* Sends the calls of a failed message again, one by one. */
static void repeat(struct etc_plugin *p)
{
	struct etc_remote *x = p->remote;
	struct etc_failure f = etc_isolate_restart(p);

	if (f.what != ETC_OUTCOME_FINE) {
		etc_isolate_quarantine(p, ETC_HOOK_OPEN, NULL, -1, &f);
		return;
	}
	memset(x->answers, 0, (size_t)x->first[x->count] * sizeof *x->answers);
	for (uint32_t i = 0; i < x->count; i++) {
		f = ask(p, i, 1, x->limit_ms);
		if (f.what != ETC_OUTCOME_FINE) {
			blame(p, &x->calls[i], &f);
			return;
		}
		if (!keep_message(x)) {
			f.what = ETC_OUTCOME_NO_MEMORY;
			etc_isolate_quarantine(p, first_hook(x->calls[i].hooks), x->calls[i].call,
			                       -1, &f);
			return;
		}
	}
}

/* Does the process still have all these calls, unchanged, from the last message? If so, sets
 * `before` of each call to its number in that message. */
static bool are_held(const struct etc_remote *x, struct etc_wire_call *calls, uint32_t count)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++) {
		while (at < x->held && x->calls[at].call != calls[i].call)
			at++;
		if (at == x->held || !calls[i].unchanged || calls[i].only >= 0)
			return false;
		calls[i].before = at++;
	}
	return true;
}

static bool reserve(struct etc_remote *x, const struct etc_wire_call *calls, uint32_t count)
{
	struct etc_wire_call *copies = etc_calloc(count, sizeof *copies);
	uint64_t slots = 0;

	if (copies) {
		memcpy(copies, calls, count * sizeof *copies);
		x->again = are_held(x, copies, count);
	}
	x->held = 0;
	free(x->calls);
	free(x->first);
	free(x->answers);
	x->calls = copies;
	x->first = etc_calloc((size_t)count + 1, sizeof *x->first);
	x->answers = NULL;
	if (!x->calls || !x->first)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		x->first[i] = slots;
		x->calls[i].events = calls[i].call->count;
		slots += etc_slot_count(calls[i].hooks, calls[i].call->count);
	}
	x->first[count] = slots;
	x->answers = etc_calloc((size_t)slots + 2, sizeof *x->answers);
	return x->answers != NULL;
}

enum etc_status etc_remote_ahead(struct etc_plugin *p, const struct etc_wire_call *calls,
                                 uint32_t count, struct etc_error *err)
{
	struct etc_remote *x = p->remote;
	struct etc_failure f;

	if (!x || p->broken)
		return ETC_OK;
	/* The old answers are dropped, because their calls may have been freed: a new call at the
	 * same address would get the answers to an old one. */
	etc_isolate_forget(x);
	if (count == 0 || !etc_hook_ready(p))
		return ETC_OK;
	ETC_NEED(reserve(x, calls, count), err);
	x->count = count;
	f = x->again ? ask_again(x) : ask(p, 0, count, x->limit_ms);
	if (f.what == ETC_OUTCOME_FINE) {
		x->held = x->again ? 0 : count;
		return ETC_OK;
	}
	if (x->child.pid)
		return etc_no_memory(err);
	if (++x->restarts > RESTARTS)
		etc_isolate_quarantine(p, first_hook(calls[0].hooks), calls[0].call, -1, &f);
	else if (count == 1)
		blame(p, &x->calls[0], &f);
	else
		repeat(p);
	return ETC_OK;
}

/* ---- answers -------------------------------------------------------------------------- */

/* Did the request `c` already contain this call of the hook, with the arguments `a`? */
static bool was_asked(const struct etc_wire_call *c, enum etc_hook hook,
                      const struct etc_hook_args *a)
{
	if (c->call != a->call || !(c->hooks & 1u << hook) || c->events != a->call->count)
		return false;
	if (etc_hook_of_event(hook) && c->only >= 0 && c->only != (int64_t)a->index)
		return false;
	if (hook == ETC_HOOK_PARSE || hook == ETC_HOOK_EXPAND)
		return !c->parse || c->parse[a->index];
	if (hook == ETC_HOOK_CONVERT)
		return (a->raw == c->starts || a->raw == c->ends) && a->count == c->count &&
		       (c->only < 0 ? a->index == 0 : (int64_t)a->index == c->only);
	return true;
}

/* Returns the answer of a hook that was requested ahead. NULL: it was not requested, or its answer
 * was used already. */
static struct etc_answer *find(struct etc_remote *x, enum etc_hook hook,
                               const struct etc_hook_args *a)
{
	for (uint32_t k = 0, i = x->cursor; k < x->count; k++, i = i + 1 < x->count ? i + 1 : 0) {
		const struct etc_wire_call *c = &x->calls[i];
		uint32_t index = hook == ETC_HOOK_CONVERT ? a->raw != c->starts : a->index;
		struct etc_answer *answer;

		if (!was_asked(c, hook, a))
			continue;
		x->cursor = i;
		answer = &x->answers[x->first[i] + etc_slot_of(c->hooks, c->events, hook, index)];
		return answer->message ? answer : NULL;
	}
	return NULL;
}

/* Sends a message that requests a single hook, whose answer etc_remote_ahead() has not requested.
 * Returns the answer; NULL: there is none. */
static struct etc_answer *ask_alone(struct etc_plugin *p, enum etc_hook hook,
                                    const struct etc_hook_args *a)
{
	const struct etc_wire_call one = {
		.call = a->call,
		.hooks = 1u << hook,
		.only = etc_hook_of_event(hook) ? (int64_t)a->index : -1,
		.scales = a->scales,
		.starts = a->raw,
		.count = a->count,
	};
	struct etc_error err;

	if (etc_remote_ahead(p, &one, 1, &err) != ETC_OK || p->broken)
		return NULL;
	return find(p->remote, hook, a);
}

static enum etc_replay opened(struct etc_plugin *p, struct etc_hook_args *a,
                              char what[ETC_EXCEPTION_MAX])
{
	struct etc_unwire r;
	struct etc_failure f = etc_isolate_open(p, &r);
	struct etc_answer answer;
	uint64_t len;

	if (f.what == ETC_OUTCOME_FINE) {
		(void)etc_unwire_get(&r); /* skip the slot, which is the only one */
		answer.result = (int32_t)(int64_t)etc_unwire_get(&r);
		len = etc_unwire_get(&r);
		answer.message = r.ptr;
		answer.at = r.at;
		answer.end = r.len;
		if (!r.bad && len == r.len - r.at) {
			enum etc_replay how =
				etc_answer_replay(&answer, p, ETC_HOOK_OPEN, a, NULL, what);

			if (how != ETC_REPLAY_NONSENSE)
				return how;
		}
		f = etc_isolate_failed(p->remote, ETC_OUTCOME_NONSENSE, 0);
	}
	etc_isolate_quarantine(p, ETC_HOOK_OPEN, NULL, -1, &f);
	return ETC_REPLAY_NONSENSE;
}

enum etc_replay etc_remote_answer(struct etc_plugin *p, enum etc_hook hook, struct etc_hook_args *a,
                                  char what[ETC_EXCEPTION_MAX])
{
	const struct etc_failure nonsense = { .what = ETC_OUTCOME_NONSENSE };
	struct etc_answer *answer;
	enum etc_replay how;

	if (hook == ETC_HOOK_OPEN)
		return opened(p, a, what);
	if (p->broken)
		return ETC_REPLAY_NONSENSE;
	answer = find(p->remote, hook, a);
	if (!answer)
		answer = ask_alone(p, hook, a);
	if (p->broken)
		return ETC_REPLAY_NONSENSE;
	how = answer ? etc_answer_replay(answer, p, hook, a, &p->remote->texts, what)
	             : ETC_REPLAY_NONSENSE;
	if (answer)
		answer->message = NULL;
	p->answered |= hook != ETC_HOOK_PROBE;
	if (how == ETC_REPLAY_NONSENSE)
		etc_isolate_quarantine(p, hook, a->call,
		                       etc_hook_of_event(hook) ? (int64_t)a->index : -1, &nonsense);
	return how;
}
