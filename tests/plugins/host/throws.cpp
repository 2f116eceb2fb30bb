// throws.cpp -- a plugin whose hooks throw exceptions.
#include <etcore/plugin.h>

#include <stdexcept>
#include <string>

static etcore_result parse(void *, const struct etcore_call *call, uint32_t index,
                           const struct etcore_sink *out)
{
	std::string held(100, 'x'); // must be destroyed when the exception unwinds the stack

	out->begin_list(out->handle);
	if (call->events[index]->delegate_id == 1)
		throw std::runtime_error("no such table");
	throw 42;
}

static int32_t probe(void *, const struct etcore_call *)
{
	throw std::runtime_error("cannot say");
}

static const char *const backends[] = { "ThrowsBackend", nullptr };

static struct etcore_plugin describe()
{
	struct etcore_plugin p = {};

	p.size = sizeof p;
	p.abi_major = ETCORE_PLUGIN_ABI_MAJOR;
	p.role = ETCORE_ROLE_OWNER;
	p.name = "throws";
	p.version = "1.0";
	p.backends = backends;
	p.probe = probe;
	p.parse_metadata = parse;
	return p;
}

const struct etcore_plugin etcore_plugin_v1 = describe();
