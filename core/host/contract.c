/* contract.c -- what a descriptor must keep to before any of it is believed.
 *
 * Order matters: no field is read before the ones that say it exists. Fields
 * up to get_extension belong to version 1.0, so every plugin has them; what a
 * later minor version appends is looked at with ETCORE_HAS. */
#include "host/internal.h"

enum { NAMES_MAX = 256, NAME_MAX_BYTES = 49, TEXT_MAX = 1024 };

/* Is there a NUL within `room` bytes? */
static bool ends(const char *s, size_t room)
{
	return memchr(s, '\0', room) != NULL;
}

/* [a-z][a-z0-9_]*, at most 49 bytes: what a section or key can be called. */
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

static const char *backends_fault(const struct etcore_plugin *p)
{
	uint32_t n = 0;

	for (; p->backends && p->backends[n]; n++) {
		if (n == NAMES_MAX)
			return "its list of backends has no end";
		if (!ends(p->backends[n], TEXT_MAX) || !p->backends[n][0])
			return "an empty or endless backend id";
	}
	return NULL;
}

static const char *options_fault(const struct etcore_plugin *p)
{
	for (uint32_t n = 0; p->options && p->options[n]; n++) {
		const struct etcore_option *o = p->options[n];

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
		for (uint32_t i = 0; i < n; i++)
			if (strcmp(p->options[i]->name, o->name) == 0)
				return "two options of one name";
	}
	return NULL;
}

static const char *columns_fault(const struct etcore_plugin *p)
{
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
		if (c->rollup > ETCORE_ROLLUP_SET)
			return "a column with an unknown roll-up";
		if ((c->unit && !is_text(c->unit)) || (c->help && !is_text(c->help)))
			return "a column with an endless text";
		for (uint32_t i = 0; i < n; i++)
			if (strcmp(p->columns[i]->name, c->name) == 0)
				return "two columns of one name";
	}
	return NULL;
}

const char *etc_contract_fault(const struct etcore_plugin *p)
{
	const char *fault;

	if (!ETCORE_HAS(p, struct etcore_plugin, abi_major))
		return "its descriptor is too small";
	if (p->abi_major != ETCORE_PLUGIN_ABI_MAJOR)
		return "its descriptor is made for another ABI (rebuild with this etcore's SDK)";
	if (!ETCORE_HAS(p, struct etcore_plugin, get_extension))
		return "its descriptor is too small";
	if (!p->name || !p->name[0])
		return "it has no name";
	if (!is_name(p->name))
		return "its name is not [a-z][a-z0-9_]*, at most 49 bytes";
	if (!is_text(p->version))
		return "it has no version";
	if ((p->vendor && !is_text(p->vendor)) || (p->description && !is_text(p->description)))
		return "its vendor or description has no end";
	if (p->role != ETCORE_ROLE_OWNER && p->role != ETCORE_ROLE_ANNOTATOR)
		return "it is neither an owner nor an annotator";
	if (!p->open != !p->close)
		return "open without close, or close without open";
	fault = backends_fault(p);
	if (!fault)
		fault = options_fault(p);
	return fault ? fault : columns_fault(p);
}
