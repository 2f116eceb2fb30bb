// fails.cpp -- claims calls with a score of 60. Each of its other hooks fails in another way.
#include <etcore/plugin.h>

#include <stdexcept>

static int32_t probe(void *, const struct etcore_call *)
{
	return 60;
}

static etcore_result times(void *, const struct etcore_call *, struct etcore_time *const *)
{
	return ETCORE_CORRUPT;
}

static etcore_result name(void *, const struct etcore_call *, uint32_t,
                          const struct etcore_text_sink *)
{
	throw std::out_of_range("no such kernel");
}

static etcore_result classify(void *, const struct etcore_call *, uint32_t,
                              const struct etcore_text_sink *out)
{
	return out->put(out->handle, ETCORE_CLASS_CATEGORY, etcore_text{ "\xff\xfe", 2 });
}

static const char *const backends[] = { "FailsBackend", nullptr };

static struct etcore_plugin describe()
{
	struct etcore_plugin p = {};

	p.size = sizeof p;
	p.abi_major = ETCORE_PLUGIN_ABI_MAJOR;
	p.role = ETCORE_ROLE_OWNER;
	p.sees = ETCORE_SEES_DELEGATE;
	p.name = "fails";
	p.version = "1.0";
	p.backends = backends;
	p.probe = probe;
	p.describe_time = times;
	p.name_event = name;
	p.classify = classify;
	return p;
}

const struct etcore_plugin etcore_plugin_v1 = describe();
