/* contract.c -- validates a descriptor.
 *
 * The order of the checks matters: a field is read only after sizes and versions have shown that it
 * exists. Every plugin has the fields up to get_extension, which belong to version 1.0 of the ABI.
 * ETCORE_HAS tests whether a field of a later minor version exists. */
#include "base/text.h"
#include "host/internal.h"

#include <math.h>

enum { NAMES_MAX = 256, NAME_MAX_BYTES = 49, TEXT_MAX = 1024, FILE_MOST = 256 << 20 };

struct etcore_option etc_option_now(const struct etcore_option *o)
{
	struct etcore_option now = { 0 };

	memcpy(&now, o, o->size < sizeof now ? o->size : sizeof now);
	return now;
}

uint32_t etc_column_rollup(const struct etcore_column *c)
{
	return ETCORE_HAS(c, struct etcore_column, rollup_1_1) && c->rollup_1_1 ? c->rollup_1_1
	                                                                        : c->rollup;
}

uint32_t etc_contract_least(const struct etcore_plugin *p)
{
	return ETCORE_HAS(p, struct etcore_plugin, abi_least) ? p->abi_least : 0;
}

uint32_t etc_contract_sees(const struct etcore_plugin *p)
{
	return p->sees ? p->sees : ETCORE_SEES_DELEGATE;
}

bool etc_contract_has_instance_extension(const struct etcore_plugin *p)
{
	return ETCORE_HAS(p, struct etcore_plugin, get_instance_extension) &&
	       p->get_instance_extension;
}

bool etc_contract_expands(const struct etcore_plugin *p)
{
	return ETCORE_HAS(p, struct etcore_plugin, expand_event) && p->expand_event;
}

enum etc_code etc_contract_code(const struct etcore_plugin *p)
{
	return p && etc_contract_least(p) > ETCORE_PLUGIN_ABI_MINOR ? E0604 : E0607;
}

/* Does the text end (with a NUL) within its first `room` bytes? */
static bool ends(const char *s, size_t room)
{
	return memchr(s, '\0', room) != NULL;
}

/* Is the text valid as the name of an INI section or key: [a-z][a-z0-9_]*, at most 49 bytes? */
static bool is_name(const char *s)
{
	if (!s || !ends(s, NAME_MAX_BYTES + 1) || *s < 'a' || *s > 'z')
		return false;
	for (; *s; s++)
		if (!(*s >= 'a' && *s <= 'z') && !(*s >= '0' && *s <= '9') && *s != '_')
			return false;
	return true;
}

static bool is_text(const char *s)
{
	return s && ends(s, TEXT_MAX);
}

/* Is `s` a valid title? A title becomes the heading of a column, and can be typed in --columns. */
static bool is_title(const char *s)
{
	struct etc_str t;

	if (!s[0] || !ends(s, NAME_MAX_BYTES + 1))
		return false;
	t = etc_str_of(s);
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f || s[i] == ',')
			return false;
	return etc_utf8_fault(t) == SIZE_MAX;
}

static const char *backends_fault(const struct etcore_plugin *p)
{
	uint32_t n = 0;

	for (; p->backends && p->backends[n]; n++) {
		if (n == NAMES_MAX)
			return "its list of backends has no end";
		if (!ends(p->backends[n], TEXT_MAX) || !p->backends[n][0])
			return "an empty or endless backend id";
		if (!etc_utf8_all_printable(etc_str_of(p->backends[n])))
			return "a backend id that is no text (does NULL end the list of backends?)";
	}
	return NULL;
}

static const char *choices_fault(const struct etcore_option *o)
{
	if (!o->choices)
		return NULL;
	if (o->type != ETCORE_TYPE_STR || o->form != ETCORE_FORM_PLAIN)
		return "choices of an option that is no plain text";
	for (uint32_t n = 0; o->choices[n]; n++) {
		if (n == NAMES_MAX)
			return "an option's list of choices has no end";
		if (!is_text(o->choices[n]) || !o->choices[n][0])
			return "an option with an empty or endless choice";
	}
	return o->choices[0] ? NULL : "an option with an empty list of choices";
}

/* Returns a text about the first fault in the fields that ABI 1.1 added; NULL: these fields have no
 * fault. */
static const char *option_fault_1_1(const struct etcore_option *o)
{
	bool ranged = o->least != 0 || o->most != 0;

	if (o->form > ETCORE_FORM_FILE)
		return "an option of an unknown form";
	if (o->form == ETCORE_FORM_FILE && (o->type != ETCORE_TYPE_STR || o->default_value))
		return "a file whose option is not of type STR, or has a default";
	if (o->most_bytes > FILE_MOST)
		return "a file of more than 256 MiB";
	if (o->unit && !is_text(o->unit))
		return "an option with an endless text";
	if (ranged && o->type != ETCORE_TYPE_I64 && o->type != ETCORE_TYPE_F64)
		return "a range of an option that is no number";
	if (!isfinite(o->least) || !isfinite(o->most) || o->least > o->most)
		return "an option whose range is empty or no range";
	return choices_fault(o);
}

static const char *options_fault(const struct etcore_plugin *p, uint32_t minor)
{
	for (uint32_t n = 0; p->options && p->options[n]; n++) {
		const struct etcore_option *o = p->options[n];
		struct etcore_option now;
		const char *fault;

		if (n == NAMES_MAX)
			return "its list of options has no end";
		if (!ETCORE_HAS(o, struct etcore_option, help))
			return "an option that is too small";
		if (!is_name(o->name))
			return "an option whose name is not [a-z][a-z0-9_]*, at most 49 bytes";
		if (strcmp(o->name, "library") == 0 || strcmp(o->name, "enabled") == 0 ||
		    strcmp(o->name, "isolate") == 0)
			return "an option called library, enabled or isolate, which are the host's";
		if (o->type < ETCORE_TYPE_STR || o->type > ETCORE_TYPE_JSON)
			return "an option of an unknown type";
		if ((o->default_value && !is_text(o->default_value)) ||
		    (o->help && !is_text(o->help)))
			return "an option with an endless text";
		now = etc_option_now(o);
		fault = minor ? option_fault_1_1(&now) : NULL;
		if (fault)
			return fault;
		for (uint32_t i = 0; i < n; i++)
			if (strcmp(p->options[i]->name, o->name) == 0)
				return "two options of one name";
	}
	return NULL;
}

static const char *columns_fault(const struct etcore_plugin *p, uint32_t minor)
{
	uint32_t most = minor ? ETCORE_ROLLUP_TIME_MEAN : ETCORE_ROLLUP_SET;

	for (uint32_t n = 0; p->columns && p->columns[n]; n++) {
		const struct etcore_column *c = p->columns[n];

		if (n == NAMES_MAX)
			return "its list of columns has no end";
		if (!ETCORE_HAS(c, struct etcore_column, reserved))
			return "a column that is too small";
		if (!is_text(c->name) || !c->name[0])
			return "a column without a name";
		if (c->type < ETCORE_TYPE_STR || c->type > ETCORE_TYPE_JSON)
			return "a column of an unknown type";
		if (c->rollup > most || (minor && etc_column_rollup(c) > most))
			return "a column with an unknown roll-up";
		if (minor && etc_column_rollup(c) > ETCORE_ROLLUP_SET &&
		    c->type != ETCORE_TYPE_I64 && c->type != ETCORE_TYPE_F64)
			return "a column with a roll-up of numbers that is not I64 or F64";
		if ((c->unit && !is_text(c->unit)) || (c->help && !is_text(c->help)))
			return "a column with an endless text";
		for (uint32_t i = 0; i < n; i++)
			if (strcmp(p->columns[i]->name, c->name) == 0)
				return "two columns of one name";
	}
	return NULL;
}

const char *etc_contract_fault(const struct etcore_plugin *p, uint32_t minor)
{
	const char *fault;

	if (!ETCORE_HAS(p, struct etcore_plugin, abi_major))
		return "its descriptor is too small";
	if (p->abi_major != ETCORE_PLUGIN_ABI_MAJOR)
		return "its descriptor is made for another ABI (rebuild with this etcore's SDK)";
	if (!ETCORE_HAS(p, struct etcore_plugin, get_extension))
		return "its descriptor is too small";
	if (minor && etc_contract_least(p) > minor)
		return "it needs a later version of the ABI than this etcore has";
	if (!p->name || !p->name[0])
		return "it has no name";
	if (!is_name(p->name))
		return "its name is not [a-z][a-z0-9_]*, at most 49 bytes";
	if (!p->version)
		return "it has no version";
	if (!is_text(p->version) || (p->vendor && !is_text(p->vendor)) ||
	    (p->description && !is_text(p->description)))
		return "its version, vendor or description has more than 1023 bytes";
	if (ETCORE_HAS(p, struct etcore_plugin, title) && p->title && !is_title(p->title))
		return "its title is not 1 to 49 printable bytes without a comma";
	if (p->role != ETCORE_ROLE_OWNER && p->role != ETCORE_ROLE_ANNOTATOR)
		return "it is neither an owner nor an annotator";
	if (!p->open != !p->close)
		return "open without close, or close without open";
	fault = backends_fault(p);
	if (!fault)
		fault = options_fault(p, minor);
	return fault ? fault : columns_fault(p, minor);
}
