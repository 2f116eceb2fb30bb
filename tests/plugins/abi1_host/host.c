/* host.c -- abi1_host EVENTS PLUGIN [OWNER] [NAME=VALUE]...
 *
 * A host for plugins of ABI 1.0. It is built with the frozen header of 1.0, has its own loader, and
 * shares no code with etcore. It calls every hook of 1.0 for the events of the file EVENTS, which
 * loads.py writes, and rejects what 1.0 does not define. Each struct has the size of 1.0 and is
 * followed by an inaccessible page. NAME=VALUE is an option as from an INI file. An annotator gets
 * the answers of the plugin OWNER.
 *
 * The status is
 *  0   if the plugin answers, and this host understands the answers;
 *  11  if the plugin was rejected, by this host or by its own open();
 *  12  if the plugin gave an answer that 1.0 does not allow;
 *  13  if this program failed. */
#define _GNU_SOURCE
#include "../abi1_frozen/plugin.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REFUSED = 11, WRONG, CANNOT };
enum { REGIONS = 20000, LINE = 1 << 20, SETTINGS = 64, TEXT = 1024, NAME = 49, MANY = 256 };

__attribute__((noreturn, format(printf, 2, 3))) static void leave(int status, const char *form, ...)
{
	va_list list;

	va_start(list, form);
	vprintf(form, list);
	va_end(list);
	putchar('\n');
	exit(status);
}

/* ---- memory that ends at the end of the struct ---------------------------------- */

static struct region {
	void *at;
	size_t bytes;
} regions[REGIONS];
static size_t region_count;

/* Unmaps all regions except the first `kept`. */
static void forget(size_t kept)
{
	while (region_count > kept) {
		region_count--;
		munmap(regions[region_count].at, regions[region_count].bytes);
	}
}

static void *fenced(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
	char *at =
		mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + room, page, PROT_NONE) != 0)
		leave(CANNOT, "no memory");
	if (region_count == REGIONS)
		leave(CANNOT, "too many events in a call");
	regions[region_count++] = (struct region){ at, room + page };
	return at + room - bytes;
}

static struct etcore_text fenced_text(const char *ptr, size_t len)
{
	char *at = len ? fenced(len) : NULL;

	if (len)
		memcpy(at, ptr, len);
	return (struct etcore_text){ at, len };
}

/* ---- checks of a descriptor by a 1.0 host ------------------------------------------ */

static int ends(const char *s, size_t room)
{
	return memchr(s, '\0', room) != NULL;
}

static int is_name(const char *s)
{
	if (!s || !ends(s, NAME + 1) || *s < 'a' || *s > 'z')
		return 0;
	for (; *s; s++)
		if (!(*s >= 'a' && *s <= 'z') && !(*s >= '0' && *s <= '9') && *s != '_')
			return 0;
	return 1;
}

static int is_text(const char *s)
{
	return s && ends(s, TEXT);
}

static void refuse_options(const struct etcore_plugin *p)
{
	for (uint32_t n = 0; p->options && p->options[n]; n++) {
		const struct etcore_option *o = p->options[n];

		if (n == MANY || !ETCORE_HAS(o, struct etcore_option, help) || !is_name(o->name) ||
		    o->type < ETCORE_TYPE_STR || o->type > ETCORE_TYPE_JSON ||
		    (o->default_value && !is_text(o->default_value)) ||
		    (o->help && !is_text(o->help)))
			leave(REFUSED, "refused: its option %u", n);
	}
}

static void refuse_columns(const struct etcore_plugin *p)
{
	for (uint32_t n = 0; p->columns && p->columns[n]; n++) {
		const struct etcore_column *c = p->columns[n];

		if (n == MANY || !ETCORE_HAS(c, struct etcore_column, reserved) ||
		    !is_text(c->name) || !c->name[0] || c->type < ETCORE_TYPE_STR ||
		    c->type > ETCORE_TYPE_JSON || (c->unit && !is_text(c->unit)) ||
		    (c->help && !is_text(c->help)))
			leave(REFUSED, "refused: its column %u", n);
		if (c->rollup > ETCORE_ROLLUP_SET)
			leave(REFUSED, "refused: a column with an unknown roll-up");
	}
}

static const struct etcore_plugin *load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct etcore_plugin *p = library ? dlsym(library, "etcore_plugin_v1") : NULL;

	if (!p)
		leave(REFUSED, "refused: %s", library ? "no etcore_plugin_v1" : dlerror());
	if (!ETCORE_HAS(p, struct etcore_plugin, abi_major) ||
	    p->abi_major != ETCORE_PLUGIN_ABI_MAJOR ||
	    !ETCORE_HAS(p, struct etcore_plugin, get_extension))
		leave(REFUSED, "refused: its descriptor");
	if (!is_name(p->name) || !is_text(p->version) || (p->vendor && !is_text(p->vendor)) ||
	    (p->description && !is_text(p->description)))
		leave(REFUSED, "refused: its name or texts");
	if ((p->role != ETCORE_ROLE_OWNER && p->role != ETCORE_ROLE_ANNOTATOR) ||
	    !p->open != !p->close)
		leave(REFUSED, "refused: its role, or open without close");
	for (uint32_t n = 0; p->backends && p->backends[n]; n++)
		if (n == MANY || !is_text(p->backends[n]) || !p->backends[n][0])
			leave(REFUSED, "refused: its backends");
	refuse_options(p);
	refuse_columns(p);
	return p;
}

/* ---- the file of events -------------------------------------------------------------------- */

static FILE *events_file;
static char line[LINE];

static int digit(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

/* Decodes the next word of the line at *at: "-" is an empty text, "0x..." the bytes of a text in
 * hexadecimal. */
static struct etcore_text next_text(char **at)
{
	char *word = strsep(at, " \n");
	size_t n = 0;

	if (!word)
		leave(CANNOT, "a line of events is cut off");
	for (char *hex = *word == '-' ? word + 1 : word + 2; hex[0] && hex[1]; hex += 2)
		word[n++] = (char)(digit(hex[0]) << 4 | digit(hex[1]));
	return fenced_text(word, n);
}

static int64_t next_number(char **at)
{
	char *word = strsep(at, " \n");

	if (!word || !*word)
		leave(CANNOT, "a line of events is cut off");
	return *word == '-' ? (int64_t)strtoll(word, NULL, 10) : (int64_t)strtoull(word, NULL, 10);
}

/* Reads one event from a line FLAGS INSTRUCTION ID NAME DELEGATE-NAME SAMPLES, followed by START
 * END METADATA for each sample. */
static const struct etcore_event *read_event(void)
{
	struct etcore_event *e = fenced(sizeof *e);
	struct etcore_bytes *metadata;
	uint64_t *start, *end;
	char *at = line;
	int any = 0;

	if (!fgets(line, sizeof line, events_file))
		leave(CANNOT, "the file of events is cut off");
	e->size = sizeof *e;
	e->flags = (uint32_t)next_number(&at);
	e->instruction_id = next_number(&at);
	e->delegate_id = next_number(&at);
	e->name = next_text(&at);
	e->delegate_name = next_text(&at);
	e->samples = (uint64_t)next_number(&at);
	e->start = start = fenced(e->samples * sizeof *start);
	e->end = end = fenced(e->samples * sizeof *end);
	metadata = fenced(e->samples * sizeof *metadata);
	for (uint64_t i = 0; i < e->samples; i++) {
		struct etcore_text blob;

		start[i] = (uint64_t)next_number(&at);
		end[i] = (uint64_t)next_number(&at);
		blob = next_text(&at);
		metadata[i] = (struct etcore_bytes){ (const uint8_t *)blob.ptr, blob.len };
		any |= blob.len != 0;
	}
	e->metadata = any ? metadata : NULL;
	return e;
}

/* Reads the number of events of a call and then these events. Returns NULL at the end of the file.
 * The file does not name the backend, so the call gets `backend`; NULL: none. */
static struct etcore_call *read_call(const char *backend)
{
	struct etcore_call *call = fenced(sizeof *call);
	const struct etcore_event **events;

	if (!fgets(line, sizeof line, events_file))
		return NULL;
	call->size = sizeof *call;
	call->count = (uint32_t)strtoul(line, NULL, 10);
	if (backend)
		call->backend = fenced_text(backend, strlen(backend));
	call->method = fenced_text("forward", 7);
	call->block = fenced_text("Execute", 7);
	events = fenced(call->count * sizeof *events);
	for (uint32_t i = 0; i < call->count; i++)
		events[i] = read_event();
	call->events = events;
	return call;
}

/* ---- sinks ------------------------------------------------------------------------------------ */

static const struct etcore_plugin *plugin; /* the plugin whose hook is running */
static const char *hook;
static uint32_t event;
static uint64_t answers;
static int listing, in_columns;
static struct etcore_facts *facts_out; /* gets the answers of the owner; NULL: they are not kept */

__attribute__((noreturn)) static void wrong(const char *what)
{
	leave(WRONG, "wrong: %s of event %u: %s", hook, (unsigned)event, what);
}

static void check_utf8(struct etcore_text t)
{
	const unsigned char *s = (const unsigned char *)t.ptr;

	if (t.len && !t.ptr)
		wrong("a text without a pointer");
	for (uint64_t i = 0; i < t.len;) {
		unsigned more = s[i] < 0x80 ? 0 : s[i] >= 0xf0 ? 3 : s[i] >= 0xe0 ? 2 : 1;
		uint32_t code = more ? s[i] & (0x3fu >> more) : s[i];
		static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };

		if ((s[i] >= 0x80 && s[i] < 0xc0) || s[i] >= 0xf8 || t.len - i <= more)
			wrong("a text that is not UTF-8");
		for (unsigned k = 1; k <= more; k++) {
			if ((s[i + k] & 0xc0) != 0x80)
				wrong("a text that is not UTF-8");
			code = code << 6 | (s[i + k] & 0x3f);
		}
		if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
			wrong("a text that is not UTF-8");
		i += more + 1;
	}
}

static int declares(const struct etcore_column *c, struct etcore_text name)
{
	size_t n = strlen(c->name);

	if (strcmp(c->name, "*") == 0)
		return 1;
	if (n > 2 && strcmp(c->name + n - 2, ".*") == 0)
		return name.len >= n - 1 && memcmp(name.ptr, c->name, n - 1) == 0;
	return name.len == n && (n == 0 || memcmp(name.ptr, c->name, n) == 0);
}

/* Checks and counts a value that the plugin returned for the column `name`. `type` is
 * ETCORE_TYPE_*, 0 for null. */
static etcore_result put_value(struct etcore_text name, uint32_t type)
{
	const struct etcore_column *c = NULL;

	check_utf8(name);
	answers++;
	if (listing && !in_columns && name.len == 0)
		return ETCORE_OK;
	for (uint32_t i = 0; !c && plugin->columns && plugin->columns[i]; i++)
		if (declares(plugin->columns[i], name))
			c = plugin->columns[i];
	if (!c)
		wrong("an undeclared column");
	if (type && type != c->type && c->type != ETCORE_TYPE_JSON &&
	    !(type == ETCORE_TYPE_I64 && c->type == ETCORE_TYPE_F64))
		wrong("a value of another type than its column's");
	return ETCORE_OK;
}

static etcore_result put_str(void *h, struct etcore_text name, struct etcore_text value)
{
	(void)h;
	check_utf8(value);
	return put_value(name, ETCORE_TYPE_STR);
}

static etcore_result put_i64(void *h, struct etcore_text name, int64_t value)
{
	(void)h, (void)value;
	return put_value(name, ETCORE_TYPE_I64);
}

static etcore_result put_f64(void *h, struct etcore_text name, double value)
{
	(void)h, (void)value;
	return put_value(name, ETCORE_TYPE_F64);
}

static etcore_result put_boolean(void *h, struct etcore_text name, int32_t value)
{
	(void)h, (void)value;
	return put_value(name, ETCORE_TYPE_BOOL);
}

static etcore_result put_null(void *h, struct etcore_text name)
{
	(void)h;
	return put_value(name, 0);
}

static etcore_result put_json(void *h, struct etcore_text name, struct etcore_text value)
{
	(void)h;
	check_utf8(value);
	return put_value(name, ETCORE_TYPE_JSON);
}

static etcore_result begin_list(void *h)
{
	(void)h;
	if (listing || in_columns)
		wrong("begin_list after something else");
	listing = 1;
	return ETCORE_OK;
}

static etcore_result begin_columns(void *h)
{
	(void)h;
	if (in_columns)
		wrong("begin_columns a second time");
	in_columns = 1;
	return ETCORE_OK;
}

static etcore_result number_i64(void *h, int64_t value)
{
	(void)value;
	++*(uint64_t *)h;
	answers++;
	return ETCORE_OK;
}

static etcore_result number_f64(void *h, double value)
{
	(void)value;
	return number_i64(h, 0);
}

/* Checks and counts a text that the plugin returned for `field`, and keeps it if facts_out is set.
 * Fields that 1.0 does not define are ignored. */
static etcore_result put_fact(void *h, uint32_t field, struct etcore_text value)
{
	int naming = strcmp(hook, "name_event") == 0;
	uint32_t first = naming ? ETCORE_NAME_DISPLAY : ETCORE_CLASS_CATEGORY;
	struct etcore_facts *f = facts_out;
	struct etcore_text *to = NULL;

	(void)h;
	check_utf8(value);
	answers++;
	if (field == ETCORE_NAME_ORDINAL || field == ETCORE_CLASS_LIBRARY_RAN ||
	    field == ETCORE_CLASS_IS_MATRIX || (field < first && field >= ETCORE_NAME_DISPLAY) ||
	    (naming && field >= ETCORE_CLASS_CATEGORY && field <= ETCORE_CLASS_MICROKERNEL))
		wrong("a text for a field of another hook or type");
	if (!f || !value.len)
		return ETCORE_OK;
	to = field == ETCORE_NAME_DISPLAY         ? &f->display
	     : field == ETCORE_NAME_OPERATOR      ? &f->operator_name
	     : field == ETCORE_NAME_LAYOUT        ? &f->layout
	     : field == ETCORE_NAME_TYPES         ? &f->types
	     : field == ETCORE_NAME_KERNEL        ? &f->kernel
	     : field == ETCORE_CLASS_CATEGORY     ? &f->category
	     : field == ETCORE_CLASS_COMPUTE_UNIT ? &f->compute_unit
	     : field == ETCORE_CLASS_PRECISION    ? &f->precision
	                                          : NULL;
	if (to)
		*to = fenced_text(value.ptr, value.len);
	return ETCORE_OK;
}

static etcore_result put_fact_number(void *h, uint32_t field, int64_t value)
{
	int naming = strcmp(hook, "name_event") == 0;

	(void)h;
	answers++;
	if (naming ? field >= ETCORE_NAME_DISPLAY && field <= ETCORE_CLASS_MICROKERNEL &&
	                     field != ETCORE_NAME_ORDINAL
	           : field <= ETCORE_CLASS_MICROKERNEL && field != ETCORE_CLASS_LIBRARY_RAN &&
	                     field != ETCORE_CLASS_IS_MATRIX && field > 0)
		wrong("a number for a field of another hook or type");
	if (field == ETCORE_NAME_ORDINAL && value < 1)
		wrong("an ordinal below 1");
	if (field == ETCORE_CLASS_LIBRARY_RAN &&
	    (value < ETCORE_RAN_UNKNOWN || value > ETCORE_RAN_YES))
		wrong("an unknown ETCORE_RAN_ code");
	if (facts_out && field == ETCORE_NAME_ORDINAL)
		facts_out->ordinal = value;
	return ETCORE_OK;
}

static etcore_result map_key(void *h, struct etcore_text key)
{
	(void)h;
	check_utf8(key);
	answers++;
	return ETCORE_OK;
}

static etcore_result map_handle(void *h, int64_t handle)
{
	(void)h, (void)handle;
	answers++;
	return ETCORE_OK;
}

static etcore_result map_not_edge(void *h)
{
	(void)h;
	answers++;
	return ETCORE_OK;
}

static void *handed(const void *what, size_t bytes)
{
	return memcpy(fenced(bytes), what, bytes);
}

static void *data_sink(void)
{
	const struct etcore_sink s = { .size = sizeof s,
		                       .str = put_str,
		                       .i64 = put_i64,
		                       .f64 = put_f64,
		                       .boolean = put_boolean,
		                       .null = put_null,
		                       .json = put_json,
		                       .begin_list = begin_list,
		                       .begin_columns = begin_columns,
		                       .json_bytes = put_json };

	return handed(&s, sizeof s);
}

/* ---- hooks -------------------------------------------------------------------------------------- */

static void diagnose(void *handle, uint32_t severity, struct etcore_text message)
{
	(void)handle, (void)severity, (void)message;
}

static etcore_result begin(const char *name, uint32_t index)
{
	hook = name;
	event = index;
	listing = in_columns = 0;
	return ETCORE_OK;
}

static int fine(etcore_result r)
{
	if (r > ETCORE_DECLINE || r < ETCORE_NOMEM)
		wrong("a result that is no ETCORE_ one");
	return r == ETCORE_OK;
}

struct instance {
	const struct etcore_plugin *p;
	void *self;
};

static struct instance open_instance(const struct etcore_plugin *p, char **set, int count)
{
	const struct etcore_host services = { .size = sizeof services,
		                              .abi_minor = ETCORE_PLUGIN_ABI_MINOR,
		                              .diagnose = diagnose };
	struct etcore_setting **list = fenced((SETTINGS + 1) * sizeof *list);
	struct instance i = { .p = p };
	uint32_t n = 0;

	for (uint32_t k = 0; p->options && p->options[k] && n < SETTINGS; k++) {
		const struct etcore_option *o = p->options[k];
		const char *value = o->default_value;

		for (int s = 0; s < count; s++)
			if (strncmp(set[s], o->name, strlen(o->name)) == 0 &&
			    set[s][strlen(o->name)] == '=')
				value = set[s] + strlen(o->name) + 1;
		if (!value || (!*value && !o->default_value))
			continue;
		if (o->type == ETCORE_TYPE_BOOL)
			value = strchr("ty1", *value) || strcmp(value, "on") == 0 ? "yes" : "no";
		list[n] = fenced(sizeof *list[n]);
		list[n]->size = sizeof *list[n];
		list[n]->name = fenced_text(o->name, strlen(o->name));
		list[n++]->value = fenced_text(value, strlen(value));
	}
	begin("open", 0);
	if (p->open && p->open(handed(&services, sizeof services),
	                       (const struct etcore_setting *const *)list, n, &i.self))
		leave(REFUSED, "refused: by its open()");
	return i;
}

static void probe(const struct instance *i, const struct etcore_call *call)
{
	int32_t score;

	begin("probe", 0);
	score = i->p->probe ? i->p->probe(i->self, call) : 0;
	if (score < 0 || score > 100)
		wrong("a score that is not 0 to 100");
	answers += score > 0;
}

static void check_time(const struct etcore_time *t, uint32_t index, uint32_t count)
{
	if (t->size != sizeof *t)
		wrong("it changed etcore_time.size");
	if (t->kind > ETCORE_KIND_INVALID || t->unit > ETCORE_UNIT_COUNT ||
	    t->clock > ETCORE_CLOCK_NONE || t->start > ETCORE_START_ABSENT ||
	    t->duration > ETCORE_DURATION_SUM_OVER_THREADS || t->rounding > ETCORE_ROUNDING_UNKNOWN)
		wrong("an unknown code in etcore_time");
	if (t->parent < ETCORE_PARENT_BY_TIME || t->parent >= (int64_t)count ||
	    t->parent == (int64_t)index)
		wrong("a parent that is not in the call");
	if (t->parent == ETCORE_PARENT_BY_TIME && t->clock != ETCORE_CLOCK_HOST)
		wrong("a parent by time without the host's clock");
	if (!(t->ns_per_unit >= 0) || !isfinite(t->ns_per_unit))
		wrong("ns_per_unit that is not a number from 0");
}

static void describe(const struct instance *i, const struct etcore_call *call)
{
	struct etcore_time **times = fenced(call->count * sizeof *times);
	const struct etcore_time unsaid = { .size = sizeof unsaid, .parent = ETCORE_PARENT_CALL };

	for (uint32_t k = 0; k < call->count; k++)
		times[k] = handed(&unsaid, sizeof unsaid);
	begin("describe_time", 0);
	if (!i->p->describe_time || !fine(i->p->describe_time(i->self, call, times)))
		return;
	for (uint32_t k = 0; k < call->count; k++) {
		event = k;
		check_time(times[k], k, call->count);
		answers++;
	}
}

static void convert(const struct instance *i, const struct etcore_call *call, uint32_t index)
{
	const struct etcore_scales scales = { .size = sizeof scales,
		                              .source = ETCORE_UNIT_NS,
		                              .target = ETCORE_UNIT_MS,
		                              .factor = 1e6 };
	const struct etcore_event *e = call->events[index];
	uint64_t got = 0;
	const struct etcore_number_sink sink = {
		.size = sizeof sink, .handle = &got, .i64 = number_i64, .f64 = number_f64
	};

	begin("convert_time", index);
	if (i->p->convert_time &&
	    fine(i->p->convert_time(i->self, call, index, handed(&scales, sizeof scales), e->start,
	                            e->samples, handed(&sink, sizeof sink))) &&
	    got != e->samples)
		wrong("another number of times than it was given");
}

static void name_and_classify(const struct instance *i, const struct etcore_call *call,
                              uint32_t index)
{
	const struct etcore_text_sink sink = { .size = sizeof sink,
		                               .put = put_fact,
		                               .put_number = put_fact_number };

	begin("name_event", index);
	if (i->p->name_event)
		fine(i->p->name_event(i->self, call, index, handed(&sink, sizeof sink)));
	begin("classify", index);
	if (i->p->classify)
		fine(i->p->classify(i->self, call, index, handed(&sink, sizeof sink)));
}

static void drive(const struct instance *i, const struct etcore_call *call)
{
	const struct etcore_map_sink map = { .size = sizeof map,
		                             .key = map_key,
		                             .debug_handle = map_handle,
		                             .not_edge_handles = map_not_edge };

	plugin = i->p;
	probe(i, call);
	describe(i, call);
	for (uint32_t k = 0; k < call->count; k++) {
		begin("parse_metadata", k);
		if (i->p->parse_metadata)
			fine(i->p->parse_metadata(i->self, call, k, data_sink()));
		convert(i, call, k);
		name_and_classify(i, call, k);
		begin("map_event", k);
		if (i->p->map_event)
			fine(i->p->map_event(i->self, call, k, handed(&map, sizeof map)));
	}
}

/* Returns the call as an annotator gets it: with the answers of `owner` about its events. If
 * `owner` is NULL, only an owner's name and the backend are filled in. */
static const struct etcore_call *annotated(const struct instance *owner,
                                           const struct etcore_call *call, const char *backend)
{
	const struct etcore_event **events = fenced(call->count * sizeof *events);
	struct etcore_call *out = handed(call, sizeof *call);
	uint64_t before = answers;

	for (uint32_t k = 0; k < call->count; k++) {
		struct etcore_event *e = handed(call->events[k], sizeof *e);
		struct etcore_facts f = { .size = sizeof f };

		f.owner = fenced_text("host", 4);
		f.backend = fenced_text(backend, backend ? strlen(backend) : 0);
		if (owner) {
			plugin = owner->p;
			facts_out = &f;
			name_and_classify(owner, call, k);
			facts_out = NULL;
		}
		e->facts = handed(&f, sizeof f);
		events[k] = e;
	}
	out->events = events;
	answers = before;
	return out;
}

int main(int argc, char **argv)
{
	struct instance i, owner = { .p = NULL };
	const struct etcore_call *call;
	const char *backend;
	size_t kept;
	int set = 3;

	if (argc < 3)
		leave(CANNOT, "abi1_host EVENTS PLUGIN [OWNER] [NAME=VALUE]...");
	events_file = fopen(argv[1], "r");
	if (!events_file)
		leave(CANNOT, "no file of events");
	set += argc > 3 && !strchr(argv[3], '=');
	plugin = load(argv[2]);
	i = open_instance(plugin, argv + set, argc - set);
	if (set == 4)
		owner = open_instance(load(argv[3]), NULL, 0);
	backend = i.p->backends ? i.p->backends[0] : NULL;
	if (i.p->get_extension && i.p->get_extension("abi1_host/none"))
		leave(WRONG, "wrong: an extension that it cannot know");
	for (kept = region_count; (call = read_call(backend)) != NULL; forget(kept))
		drive(&i, i.p->role == ETCORE_ROLE_OWNER
		                  ? call
		                  : annotated(owner.p ? &owner : NULL, call, backend));
	if (owner.p && owner.p->close)
		owner.p->close(owner.self);
	if (i.p->close)
		i.p->close(i.self);
	leave(0, "%llu answers", (unsigned long long)answers);
}
