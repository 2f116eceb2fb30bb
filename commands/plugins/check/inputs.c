/* inputs.c -- calls hooks with every kind of input. The hooks must return, and their results and
 * answers must be allowed by the interface. Arguments are in read-only memory that ends at an
 * inaccessible page, so writing to an argument, or reading beyond its end, crashes. */
#include "commands/plugins/check/internal.h"
#include "model/own_columns.h"

static void returns_on(struct etc_checking *c, unsigned sets)
{
	struct etc_drive d = { .c = c, .sealed = true };

	if (etc_drive_over(&d, c, sets) && d.result[0])
		etc_check_failed(c, "%s", d.result);
}

/* Adds a note about the events that were tried. */
static void note_tried(struct etc_checking *c, const struct etc_tried *t)
{
	const char *backend =
		c->abi->backends && c->abi->backends[0] ? c->abi->backends[0] : "its backend";

	if (t->sampled == 0)
		etc_check_note(c, "%u made-up events; none that %s logged (no --sample)",
		               (unsigned)t->made_up, backend);
	else if (t->answered == 0)
		etc_check_note(c,
		               "%u made-up events; it answered nothing for the %u events of the "
		               "sample: are they of %s?",
		               (unsigned)t->made_up, (unsigned)t->sampled, backend);
	else
		etc_check_note(
			c, "%u made-up events; it answered for %u of the %u events of the sample",
			(unsigned)t->made_up, (unsigned)t->answered, (unsigned)t->sampled);
}

/* Checks the results of hooks for ordinary events, and for made-up events of the plugin's backend.
 * A hook without an answer must return ETCORE_DECLINE, not ETCORE_FAILED. parse_metadata may return
 * ETCORE_CORRUPT for made-up metadata. If it does so for an event of the sample, it must accept the
 * metadata of at least one other event of the sample. */
void etc_check_ordinary(struct etc_checking *c)
{
	struct etc_drive d = { .c = c, .sealed = true };

	if (!etc_drive_over(&d, c, ETC_CASES_ORDINARY | ETC_CASES_OWN))
		return;
	if (d.result[0] || d.gave_up[0])
		etc_check_failed(c, "%s", d.result[0] ? d.result : d.gave_up);
	if (d.corrupt[0] && !d.accepted)
		etc_check_failed(c, "%s", d.corrupt);
	c->board->tried = d.tried;
	note_tried(c, &d.tried);
}

void etc_check_numbers(struct etc_checking *c)
{
	returns_on(c, ETC_CASES_NUMBERS);
}

void etc_check_names(struct etc_checking *c)
{
	returns_on(c, ETC_CASES_NAMES | ETC_CASES_LARGE);
}

void etc_check_metadata(struct etc_checking *c)
{
	returns_on(c, ETC_CASES_METADATA | ETC_CASES_LARGE);
}

void etc_check_texts(struct etc_checking *c)
{
	returns_on(c, ETC_CASES_TEXTS | ETC_CASES_LARGE);
}

void etc_check_exceptions(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };

	etc_drive_over(&d, c, ETC_CASES_ALL);
	if (d.threw[0])
		etc_check_failed(c, "%s", d.threw);
}

/* Checks that no column of the plugin has the name of one of etcore's own columns, because such a
 * column would be shown as "metadata.NAME". */
static void check_names(struct etc_checking *c)
{
	for (uint32_t i = 0; c->abi->columns && c->abi->columns[i]; i++) {
		struct etc_str name = etc_str_of(c->abi->columns[i]->name);

		if (name.len && etc_str_eq(etc_column_own(name), name))
			etc_check_failed(c, "the column '%s' has the name of a column of etcore",
			                 c->abi->columns[i]->name);
	}
}

void etc_check_columns(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };

	check_names(c);
	if (!c->abi->parse_metadata)
		etc_check_skip(c, "it has no parse_metadata");
	else if (etc_drive_over(&d, c, ETC_CASES_SMALL) && (d.data_fault[0] || d.infinite[0]))
		etc_check_failed(c, "%s", d.data_fault[0] ? d.data_fault : d.infinite);
}

void etc_check_answers(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };

	struct etc_proposals all = { .len = 0 };
	struct etc_drive usual = { .c = c, .words = &all };

	if (etc_drive_over(&d, c, ETC_CASES_ALL) && d.fault[0])
		etc_check_failed(c, "%s", d.fault);
	else if (etc_drive_over(&usual, c, ETC_CASES_ORDINARY | ETC_CASES_OWN | ETC_CASES_CALLS))
		etc_propose_all(c, "", &all);
}

/* Returns the first failure that `d` recorded, or NULL. */
static const char *finding(const struct etc_drive *d)
{
	const char *const all[] = { d->threw,      d->result,   d->fault,
		                    d->data_fault, d->insisted, d->overran };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i][0])
			return all[i];
	return NULL;
}

/* Makes random calls with read-only arguments. Two instances must give the same answers. A third
 * instance gets every eighth call; its sinks refuse answers from a certain call on. */
void etc_check_stress(struct etc_checking *c)
{
	struct etc_cases all = { .c = c, .sets = ETC_CASES_RANDOM, .sealed = true };
	struct etc_drive one = { .c = c }, other = { .c = c }, refused = { .c = c };
	const struct etc_case *random;
	uint64_t events = 0;
	bool open =
		etc_drive_open(&one, c) && etc_drive_open(&other, c) && etc_drive_open(&refused, c);

	for (unsigned n = 0; open && (random = etc_cases_next(&all)); n++) {
		one.record.len = other.record.len = refused.record.len = 0;
		etc_drive_case(&one, random);
		etc_drive_case(&other, random);
		refused.refuse_at = n / 8 % 6 + 1;
		if (n % 8 == 0)
			etc_drive_case(&refused, random);
		if (finding(&one) || finding(&refused))
			etc_check_failed(c, "%s",
			                 finding(&one) ? finding(&one) : finding(&refused));
		else if (!etc_str_eq(etc_text_str(&one.record), etc_text_str(&other.record)))
			etc_check_failed(c, "two instances answer otherwise given %s",
			                 random->what);
		events += random->call->count;
	}
	etc_drive_close(&one);
	etc_drive_close(&other);
	etc_drive_close(&refused);
	etc_check_note(c, "%llu events, seed %llu", (unsigned long long)events,
	               (unsigned long long)c->subject->seed);
}

/* Calls probe for events of many backends and of no backend, without passing the backend's name. */
void etc_check_probe(struct etc_checking *c)
{
	struct etc_drive d = { .c = c };

	if (!c->abi->probe)
		etc_check_skip(c, "it has no probe");
	else if (etc_drive_over(&d, c, ETC_CASES_SMALL) && !d.declined)
		etc_check_failed(c,
		                 "it is 50 or more for every call, also of names that no backend "
		                 "logs: events of other backends would become the plugin's");
}

void etc_check_sinks(struct etc_checking *c)
{
	uint64_t refusals = 0;

	/* For n = 1, 2, … 16, the sinks refuse answers from their n-th call on. The loop also ends
	 * after the first n for which no hook calls a sink n times. */
	for (uint32_t n = 1; n <= 16 && !etc_check_has_failed(c); n++) {
		struct etc_drive d = { .c = c, .refuse_at = n };

		if (!etc_drive_over(&d, c, ETC_CASES_ORDINARY | ETC_CASES_OWN))
			return;
		if (d.insisted[0])
			etc_check_failed(c, "%s", d.insisted);
		refusals += d.refusals;
		if (d.refusals == 0)
			break;
	}
	if (refusals == 0)
		etc_check_skip(c, "its hooks answered nothing on the events that were tried");
}

/* `then` has the findings about hook calls by a host of ABI 1.0, `now` those about hook calls by
 * the current host, with the same case. Returns a finding that only `then` has; NULL: there is
 * none. (Another check reports findings that both have.) */
static const char *only_then(const struct etc_drive *then, const struct etc_drive *now)
{
	const char *const before[] = { then->threw, then->result, then->fault, then->data_fault },
			  *const after[] = { now->threw, now->result, now->fault, now->data_fault };

	for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
		if (before[i][0] && strcmp(before[i], after[i]) != 0)
			return before[i];
	return NULL;
}

static void forget(struct etc_drive *d)
{
	d->threw[0] = d->result[0] = d->fault[0] = d->data_fault[0] = '\0';
}

/* Runs each case with a host of ABI 1.0 and with the current host. Returns the first finding of
 * only_then(). */
static const char *drive_both(struct etc_checking *c, struct etc_drive *then, struct etc_drive *now)
{
	struct etc_cases old = { .c = c, .sets = ETC_CASES_SMALL, .older = true },
			 new = { .c = c, .sets = ETC_CASES_SMALL };
	const struct etc_case *one, *same;
	const char *found = NULL;

	while (!found && (same = etc_cases_next(&new)) && (one = etc_cases_next(&old))) {
		forget(now);
		forget(then);
		etc_drive_case(now, same);
		etc_drive_case(then, one);
		found = only_then(then, now);
	}
	etc_cases_end(&old);
	etc_cases_end(&new);
	return found;
}

/* Checks that the plugin works with a host of ABI 1.0. Such a host ignores abi_least, so a plugin
 * that needs a later ABI must work nevertheless, or its open() must refuse. */
void etc_check_older(struct etc_checking *c)
{
	unsigned least = etc_contract_least(c->abi);
	struct etc_drive then = { .c = c, .older = true, .may_refuse = least > 0 },
			 now = { .c = c };
	const char *fault = etc_contract_fault(c->abi, 0), *found = NULL;

	if (fault && least == 0)
		etc_check_failed(c, "a host of ABI 1.0 refuses it: %s", fault);
	else if (!fault && etc_drive_open(&then, c) && etc_drive_open(&now, c))
		found = drive_both(c, &then, &now);
	if (found && least)
		etc_check_failed(
			c, "it needs ABI 1.%u, but open() does not refuse a host of ABI 1.0: %s",
			least, found);
	else if (found)
		etc_check_failed(c, "given to a host of ABI 1.0: %s", found);
	else if (least && !etc_check_has_failed(c))
		etc_check_skip(c, "it says that it needs ABI 1.%u", least);
	etc_drive_close(&then);
	etc_drive_close(&now);
}

void etc_check_sizes(struct etc_checking *c)
{
	enum { APPENDED = 64 };
	struct etc_drive now = { .c = c }, later = { .c = c, .extra = APPENDED };

	if (etc_drive_open(&now, c) && etc_drive_open(&later, c)) {
		etc_drive_cases(&now, ETC_CASES_SMALL);
		etc_drive_cases(&later, ETC_CASES_SMALL);
		if (later.overran[0])
			etc_check_failed(c, "%s", later.overran);
		else if (!etc_str_eq(etc_text_str(&now.record), etc_text_str(&later.record)))
			etc_check_failed(c, "its answers change when structs have more fields");
	}
	etc_drive_close(&now);
	etc_drive_close(&later);
}
