/* acme.cpp -- explains the events of a backend to etcore.
 *
 * This is a complete plugin. It owns the backend "AcmeBackend", whose runtime logs events such as
 *
 *     acc:conv2d:0        with metadata        cycles=288000 dram=65536
 *
 * with times in ns of the host's clock, or in ticks of its own clock. Replace
 * the parts that a comment calls YOURS, then run the test (README.md). The
 * contract, with every rule, is etcore/plugin.h. C++17. */
#include <etcore/plugin.h>

#include <charconv>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

namespace
{

using std::string_view;

/* ---- what the plugin declares -------------------------------------------------- */

/* YOURS: the ids under which the backend is registered in ExecuTorch. */
constexpr const char *backends[] = { "AcmeBackend", nullptr };

/* YOURS: keys of the section [plugin.acme] of etcore.ini. */
constexpr etcore_option number_option(const char *name, const char *help)
{
	etcore_option o{};
	o.size = sizeof o;
	o.type = ETCORE_TYPE_I64;
	o.name = name;
	o.help = help;
	return o;
}
constexpr etcore_option ticks_per_second = number_option(
	"ticks_per_second",
	"rate of the accelerator's clock, in Hz; not set: times are the host's, in ns");
constexpr const etcore_option *options[] = { &ticks_per_second, nullptr };

/* YOURS: the columns that parse_metadata fills. The host refuses any other name. If other backends
 * measure the same value, use the common name for it (docs/columns.md), else a name of your own. */
constexpr etcore_column number_column(const char *name, const char *unit, const char *help)
{
	etcore_column c{};
	c.size = sizeof c;
	c.type = ETCORE_TYPE_I64;
	c.name = name;
	c.unit = unit;
	c.help = help;
	c.rollup = ETCORE_ROLLUP_SUM;
	return c;
}
constexpr etcore_column cycles =
	number_column("cycles", "cycles", "cycles in which the accelerator computed");
constexpr etcore_column dram =
	number_column("acme_dram", "bytes", "bytes read from and written to memory");
constexpr const etcore_column *columns[] = { &cycles, &dram, nullptr };

/* ---- bytes and texts ------------------------------------------------------------- */

/* Returns a view of the host's text, which is not NUL-terminated and may contain any byte. */
string_view view(const etcore_text &t)
{
	return { t.ptr, static_cast<size_t>(t.len) };
}

etcore_text text(string_view s)
{
	return { s.data(), s.size() };
}

/* Parses the whole number at the start of `s`. Returns nullopt if there is none. */
std::optional<int64_t> number(string_view s)
{
	int64_t value = 0;
	auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);

	if (s.empty() || s[0] == '-' || error != std::errc())
		return std::nullopt;
	return value;
}

/* Runs the body of a hook. No exception may leave a hook, so if the body throws one, the hook
 * fails. */
template <typename Hook> etcore_result guarded(Hook hook)
{
	try {
		return hook();
	} catch (const std::bad_alloc &) {
		return ETCORE_NOMEM;
	} catch (...) {
		return ETCORE_FAILED;
	}
}

/* ---- an instance ------------------------------------------------------------------ */

/* All state of an instance. Do not use mutable globals, because several instances may be used by
 * several threads. */
struct instance {
	double ns_per_tick = 0; /* 0: times are not ticks, but ns of the runtime's clock */
};

/* Makes an instance. `settings` has each declared option that the INI file sets or that has a
 * default. The host has checked that the values have the declared types. */
etcore_result open_instance(const etcore_host *, const etcore_setting *const *settings,
                            uint32_t count, void **self)
{
	return guarded([&] {
		auto made = std::make_unique<instance>();
		int64_t rate = 0;

		for (uint32_t i = 0; i < count; i++)
			if (view(settings[i]->name) == "ticks_per_second")
				rate = number(view(settings[i]->value)).value_or(0);
		if (rate > 0)
			made->ns_per_tick = 1e9 / static_cast<double>(rate);
		*self = made.release();
		return ETCORE_OK;
	});
}

void close_instance(void *self)
{
	delete static_cast<instance *>(self);
}

/* ---- names: "acc:OPERATOR:NUMBER" ------------------------------------------------------ */

struct name {
	string_view operator_name;
	int64_t number;
};

/* YOURS: reads an event's name. Returns nullopt if the event is not one of this backend. */
std::optional<name> read_name(const etcore_event *e)
{
	string_view all = view(e->delegate_name);

	if (all.substr(0, 4) != "acc:")
		return std::nullopt;
	all.remove_prefix(4);
	size_t colon = all.find(':');
	if (colon == 0 || colon == string_view::npos)
		return std::nullopt;
	/* Answers must be UTF-8. This backend's names are ASCII; an event with another name is not
	 * one of this backend. */
	for (char c : all.substr(0, colon))
		if (c < ' ' || c > '~')
			return std::nullopt;
	auto n = number(all.substr(colon + 1));
	return n ? std::optional<name>({ all.substr(0, colon), *n }) : std::nullopt;
}

/* ---- hooks ----------------------------------------------------------------------------- */

/* Returns how certainly this call belongs to the backend, from 0 (it does not) to 100 (certain).
 * Called if neither an ETRecord nor the program names the backend, and to check the backend that
 * they name. */
int32_t probe(void *, const etcore_call *call)
{
	for (uint32_t i = 0; i < call->count; i++)
		if (read_name(call->events[i]))
			return 90;
	return 0;
}

/* Passes the number after `key` to its column, if the key occurs. */
etcore_result put_number(const etcore_sink *out, string_view blob, string_view key,
                         string_view column)
{
	for (size_t at = blob.find(key); at != string_view::npos; at = blob.find(key, at + 1))
		if (auto value = number(blob.substr(at + key.size())))
			return out->i64(out->handle, text(column), *value);
	return ETCORE_OK;
}

/* YOURS: passes the columns of one event to the sink, as a delegate_metadata_parser in Python would
 * return them. Here the values are those of the first run. If the sink returns an error, stop and
 * return that error. */
etcore_result parse_metadata(void *, const etcore_call *call, uint32_t index,
                             const etcore_sink *out)
{
	return guarded([&]() -> etcore_result {
		const etcore_event *e = call->events[index];

		if (!e->metadata || e->metadata[0].len == 0)
			return ETCORE_DECLINE;
		string_view blob{ reinterpret_cast<const char *>(e->metadata[0].ptr),
			          static_cast<size_t>(e->metadata[0].len) };
		etcore_result r = put_number(out, blob, "cycles=", cycles.name);
		return r ? r : put_number(out, blob, "dram=", dram.name);
	});
}

/* YOURS: describes the unit and clock of each event's start and end. Without this hook the unit is
 * unknown: the host then shows raw numbers, and no sums. */
etcore_result describe_time(void *self, const etcore_call *call, etcore_time *const *times)
{
	const double ns_per_tick = static_cast<const instance *>(self)->ns_per_tick;
	const bool ticks = ns_per_tick > 0;

	for (uint32_t i = 0; i < call->count; i++) {
		auto name = read_name(call->events[i]);

		if (!name)
			continue; /* the host has filled in the description of unknown times */
		times[i]->unit = ticks ? ETCORE_UNIT_TICKS : ETCORE_UNIT_NS;
		times[i]->ns_per_unit = ns_per_tick;
		/* CLOCK_HOST is only for times that were read from the runtime's clock. */
		times[i]->clock = ticks ? ETCORE_CLOCK_FOREIGN : ETCORE_CLOCK_HOST;
		times[i]->kind =
			name->operator_name == "copy" ? ETCORE_KIND_OVERHEAD : ETCORE_KIND_OP;
	}
	return ETCORE_OK;
}

/* YOURS: passes the names of an event to the sink. Events with the same display name are added up
 * in one row. */
etcore_result name_event(void *, const etcore_call *call, uint32_t index,
                         const etcore_text_sink *out)
{
	auto name = read_name(call->events[index]);

	if (!name)
		return ETCORE_DECLINE;
	for (uint32_t field : { ETCORE_NAME_DISPLAY, ETCORE_NAME_OPERATOR })
		if (etcore_result r = out->put(out->handle, field, text(name->operator_name)))
			return r;
	return out->put_number(out->handle, ETCORE_NAME_ORDINAL,
	                       name->number < INT64_MAX ? name->number + 1 : INT64_MAX);
}

/* YOURS: passes category and compute unit of an event to the sink. Use the words of
 * docs/columns.md, so that all backends have the same categories in --by category. Do not guess:
 * leave out what the data do not show. */
etcore_result classify(void *, const etcore_call *call, uint32_t index, const etcore_text_sink *out)
{
	static constexpr struct {
		string_view operator_name, category;
	} words[] = {
		{ "conv2d", "convolution" },
		{ "matmul", "gemm" },
		{ "copy", "data movement" },
	};
	auto name = read_name(call->events[index]);

	if (!name)
		return ETCORE_DECLINE;
	if (etcore_result r = out->put(out->handle, ETCORE_CLASS_COMPUTE_UNIT, text("NPU")))
		return r;
	for (const auto &word : words)
		if (word.operator_name == name->operator_name)
			return out->put(out->handle, ETCORE_CLASS_CATEGORY, text(word.category));
	return ETCORE_OK;
}

/* ---- the one symbol that is exported ------------------------------------------------------ */

constexpr etcore_plugin describe_plugin()
{
	etcore_plugin p{};
	p.size = sizeof p;
	p.abi_major = ETCORE_PLUGIN_ABI_MAJOR;
	p.abi_minor = ETCORE_PLUGIN_ABI_MINOR;
	p.role = ETCORE_ROLE_OWNER;
	p.sees = ETCORE_SEES_DELEGATE;
	p.name = "acme";
	p.version = "0.1.0";
	p.vendor = "YOURS: who maintains it";
	p.description = "events of AcmeBackend";
	p.backends = backends;
	p.options = options;
	p.columns = columns;
	p.open = open_instance;
	p.close = close_instance;
	p.probe = probe;
	p.parse_metadata = parse_metadata;
	p.describe_time = describe_time;
	p.name_event = name_event;
	p.classify = classify;
	return p;
}

/* The descriptor is a constant, so that etcore can list the plugin without calling its
 * functions. */
constexpr etcore_plugin plugin = describe_plugin();

} // namespace

extern "C" ETCORE_EXPORT const etcore_plugin etcore_plugin_v1 = plugin;
