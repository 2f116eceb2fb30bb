//! acme.zig -- explains the events of a backend to etcore.
//!
//! This is a complete plugin. It owns the backend "AcmeBackend", whose runtime logs events such as
//!
//!     acc:conv2d:0        with metadata        cycles=288000 dram=65536
//!
//! with times in ns of the host's clock, or in ticks of its own clock. Replace the parts that a comment calls YOURS,
//! then run the test (README.md). The contract, with every rule, is etcore/plugin.h; etcore.zig has its structs and
//! constants.
const std = @import("std");
const e = @import("etcore.zig");

// ---- what the plugin declares ----------------------------------------------------

/// YOURS: the ids under which the backend is registered in ExecuTorch.
const backends = [_][*c]const u8{ "AcmeBackend", null };

/// YOURS: keys of the section [plugin.acme] of etcore.ini.
const ticks_per_second = e.etcore_option{
    .size = @sizeOf(e.etcore_option),
    .type = e.ETCORE_TYPE_I64,
    .name = "ticks_per_second",
    .help = "rate of the accelerator's clock, in Hz; not set: times are the host's, in ns",
};
const options = [_][*c]const e.etcore_option{ &ticks_per_second, null };

/// YOURS: the columns that parseMetadata fills. The host refuses any other name. If other backends
/// measure the same value, use the common name for it (docs/columns.md), else a name of your own.
const cycles = e.etcore_column{
    .size = @sizeOf(e.etcore_column),
    .type = e.ETCORE_TYPE_I64,
    .name = "cycles",
    .unit = "cycles",
    .help = "cycles in which the accelerator computed",
    .rollup = e.ETCORE_ROLLUP_SUM,
};
const dram = e.etcore_column{
    .size = @sizeOf(e.etcore_column),
    .type = e.ETCORE_TYPE_I64,
    .name = "acme_dram",
    .unit = "bytes",
    .help = "bytes read from and written to memory",
    .rollup = e.ETCORE_ROLLUP_SUM,
};
const columns = [_][*c]const e.etcore_column{ &cycles, &dram, null };

// ---- bytes and texts ----------------------------------------------------------------

/// Returns the `len` bytes at `at`, which may have any value. If `len` is 0, `at` may be null.
fn bytes(at: [*c]const u8, len: u64) []const u8 {
    return if (len == 0) "" else at[0..@intCast(len)];
}

fn text(from: []const u8) e.etcore_text {
    return .{ .ptr = from.ptr, .len = from.len };
}

fn same(a: []const u8, b: []const u8) bool {
    return std.mem.eql(u8, a, b);
}

/// Parses the whole number at the start.
fn number(from: []const u8) ?i64 {
    var value: i64 = 0;
    var digits: usize = 0;
    while (digits < from.len and from[digits] >= '0' and from[digits] <= '9') : (digits += 1) {
        if (value > (std.math.maxInt(i64) - 9) / 10)
            return null;
        value = value * 10 + (from[digits] - '0');
    }
    return if (digits == 0) null else value;
}

// ---- an instance ---------------------------------------------------------------------

extern "c" fn malloc(size: usize) ?*anyopaque;
extern "c" fn free(at: ?*anyopaque) void;

/// All state of an instance. There are no mutable globals, because instances run on several
/// threads.
const Instance = struct {
    ns_per_tick: f64, // 0: times are in ns of the host's clock, not in ticks
};

/// `settings` has each declared option that the INI file sets or that has a default. The host has checked the types
/// of the values.
fn open(_: [*c]const e.etcore_host, settings: [*c]const [*c]const e.etcore_setting, count: u32, out: [*c]?*anyopaque) callconv(.c) i32 {
    const made: *Instance = @ptrCast(@alignCast(malloc(@sizeOf(Instance)) orelse return e.ETCORE_NOMEM));
    made.ns_per_tick = 0;
    for (0..count) |i| {
        const name = settings[i].*.name;
        const value = settings[i].*.value;
        if (!same(bytes(name.ptr, name.len), "ticks_per_second"))
            continue;
        const rate = number(bytes(value.ptr, value.len)) orelse 0;
        if (rate > 0)
            made.ns_per_tick = 1e9 / @as(f64, @floatFromInt(rate));
    }
    out.* = made;
    return e.ETCORE_OK;
}

fn close(self: ?*anyopaque) callconv(.c) void {
    free(self);
}

// ---- names: "acc:OPERATOR:NUMBER" -----------------------------------------------------

const Name = struct { operator: []const u8, number: i64 };

/// YOURS: parses an event's name. Returns null if the event is not one of this backend.
fn readName(call: [*c]const e.etcore_call, index: usize) ?Name {
    const logged = call.*.events[index].*.delegate_name;
    const all = bytes(logged.ptr, logged.len);
    if (!std.mem.startsWith(u8, all, "acc:"))
        return null;
    const rest = all[4..];
    var colon: usize = 0;
    // Answers must be UTF-8. This backend's names are ASCII; an event with another name is not one of this backend.
    while (colon < rest.len and rest[colon] != ':') : (colon += 1)
        if (rest[colon] < ' ' or rest[colon] > '~')
            return null;
    if (colon == 0 or colon == rest.len)
        return null;
    return .{ .operator = rest[0..colon], .number = number(rest[colon + 1 ..]) orelse return null };
}

// ---- hooks ------------------------------------------------------------------------------

/// YOURS: returns how certainly this call belongs to the backend, from 0 (it does not) to 100 (certain). Called if
/// neither an ETRecord nor the program names the backend, and to check the backend that they name.
fn probe(_: ?*anyopaque, call: [*c]const e.etcore_call) callconv(.c) i32 {
    for (0..call.*.count) |i|
        if (readName(call, i) != null)
            return 90;
    return 0;
}

/// Passes the number after `key` to its column, if the key occurs.
fn putNumber(out: [*c]const e.etcore_sink, blob: []const u8, key: []const u8, column: []const u8) e.etcore_result {
    for (0..blob.len) |i|
        if (std.mem.startsWith(u8, blob[i..], key))
            if (number(blob[i + key.len ..])) |value|
                return out.*.i64.?(out.*.handle, text(column), value);
    return e.ETCORE_OK;
}

/// YOURS: the columns of one event, as a delegate_metadata_parser in Python would return them; here from the first
/// run. If the sink returns an error, stop and return that error.
fn parseMetadata(_: ?*anyopaque, call: [*c]const e.etcore_call, index: u32, out: [*c]const e.etcore_sink) callconv(.c) i32 {
    const event = call.*.events[index];
    if (event.*.metadata == null or event.*.metadata[0].len == 0)
        return e.ETCORE_DECLINE;
    const blob = bytes(event.*.metadata[0].ptr, event.*.metadata[0].len);
    const refused = putNumber(out, blob, "cycles=", "cycles");
    return if (refused != e.ETCORE_OK) refused else putNumber(out, blob, "dram=", "acme_dram");
}

/// YOURS: describes the unit and clock of each event's times. Without this hook the unit is unknown: the host then
/// shows raw numbers, and no sums.
fn describeTime(self: ?*anyopaque, call: [*c]const e.etcore_call, times: [*c]const [*c]e.etcore_time) callconv(.c) i32 {
    const mine: *const Instance = @ptrCast(@alignCast(self.?));
    const ticks = mine.ns_per_tick > 0;
    for (0..call.*.count) |i| {
        const name = readName(call, i) orelse continue; // the host has filled in the description of unknown times
        const time = times[i];
        time.*.unit = if (ticks) e.ETCORE_UNIT_TICKS else e.ETCORE_UNIT_NS;
        time.*.ns_per_unit = mine.ns_per_tick;
        // CLOCK_HOST is only for times that were read from the runtime's clock.
        time.*.clock = if (ticks) e.ETCORE_CLOCK_FOREIGN else e.ETCORE_CLOCK_HOST;
        time.*.kind = if (same(name.operator, "copy")) e.ETCORE_KIND_OVERHEAD else e.ETCORE_KIND_OP;
    }
    return e.ETCORE_OK;
}

/// YOURS: passes the names of an event. Events with the same display name are added up in one row.
fn nameEvent(_: ?*anyopaque, call: [*c]const e.etcore_call, index: u32, out: [*c]const e.etcore_text_sink) callconv(.c) i32 {
    const name = readName(call, index) orelse return e.ETCORE_DECLINE;
    for ([_]u32{ e.ETCORE_NAME_DISPLAY, e.ETCORE_NAME_OPERATOR }) |field| {
        const refused = out.*.put.?(out.*.handle, field, text(name.operator));
        if (refused != e.ETCORE_OK)
            return refused;
    }
    return out.*.put_number.?(out.*.handle, e.ETCORE_NAME_ORDINAL, name.number + 1);
}

/// YOURS: passes words of docs/columns.md, so that --by category has the same categories for all backends. Do not
/// guess: leave out what the data do not show.
fn classify(_: ?*anyopaque, call: [*c]const e.etcore_call, index: u32, out: [*c]const e.etcore_text_sink) callconv(.c) i32 {
    const words = [_][2][]const u8{
        .{ "conv2d", "convolution" },
        .{ "matmul", "gemm" },
        .{ "copy", "data movement" },
    };
    const name = readName(call, index) orelse return e.ETCORE_DECLINE;
    const refused = out.*.put.?(out.*.handle, e.ETCORE_CLASS_COMPUTE_UNIT, text("NPU"));
    if (refused != e.ETCORE_OK)
        return refused;
    for (words) |word|
        if (same(name.operator, word[0]))
            return out.*.put.?(out.*.handle, e.ETCORE_CLASS_CATEGORY, text(word[1]));
    return e.ETCORE_OK;
}

// ---- the one symbol that is exported ------------------------------------------------------

export const etcore_plugin_v1 = e.etcore_plugin{
    .size = @sizeOf(e.etcore_plugin),
    .abi_major = e.ETCORE_PLUGIN_ABI_MAJOR,
    .abi_minor = e.ETCORE_PLUGIN_ABI_MINOR,
    .role = e.ETCORE_ROLE_OWNER,
    .sees = e.ETCORE_SEES_DELEGATE,
    .name = "acme",
    .version = "0.1.0",
    .vendor = "YOURS: who maintains it",
    .description = "events of AcmeBackend",
    .backends = &backends,
    .options = &options,
    .columns = &columns,
    .open = open,
    .close = close,
    .probe = probe,
    .parse_metadata = parseMetadata,
    .describe_time = describeTime,
    .name_event = nameEvent,
    .classify = classify,
};
