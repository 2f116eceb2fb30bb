/* unique.cpp -- a plugin in C++17 that keeps its contract. Although all its symbols are hidden, the
 * compiler exports some of the C++ library: GNU_UNIQUE variables and type information. With
 * CXX_unique_own the plugin also exports such a variable of its own. */
#include <etcore/plugin.h>

#include <regex>
#include <string>

namespace
{

etcore_result name_event(void *, const etcore_call *call, uint32_t index,
                         const etcore_text_sink *out)
{
	try {
		const etcore_text &t = call->events[index]->delegate_name;
		const std::string name(t.len && t.len < 100
		                               ? std::string(t.ptr, static_cast<size_t>(t.len))
		                               : std::string());

		if (!std::regex_match(name, std::regex("[a-z]+_[0-9]+")))
			return ETCORE_DECLINE;
		return out->put(out->handle, ETCORE_NAME_DISPLAY, { name.data(), name.size() });
	} catch (...) {
		return ETCORE_FAILED;
	}
}

constexpr const char *backends[] = { "UniqueBackend", nullptr };

constexpr etcore_plugin made()
{
	etcore_plugin p{};
	p.size = sizeof p;
	p.abi_major = ETCORE_PLUGIN_ABI_MAJOR;
	p.abi_minor = ETCORE_PLUGIN_ABI_MINOR;
	p.role = ETCORE_ROLE_OWNER;
	p.sees = ETCORE_SEES_DELEGATE;
	p.name = "unique";
	p.version = "1";
	p.vendor = "tests";
	p.description = "a plugin in C++17";
	p.backends = backends;
	p.name_event = name_event;
	return p;
}
constexpr etcore_plugin plugin = made();

} // namespace

#ifdef CXX_unique_own
template <typename T> struct __attribute__((visibility("default"))) shared {
	static inline T value{};
};
template struct shared<int>;
#endif

extern "C" ETCORE_EXPORT const etcore_plugin etcore_plugin_v1 = plugin;
