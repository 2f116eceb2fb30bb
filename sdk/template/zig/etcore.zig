// etcore.zig -- etcore/plugin.h 1.1 in Zig. Made by bindings.py of etcore's SDK: make it anew instead of editing it.
// What each member means stands in etcore/plugin.h. A member that is not set is 0.

pub const etcore_result = i32;
pub const ETCORE_PLUGIN_ABI_MAJOR: u32 = 1;
pub const ETCORE_PLUGIN_ABI_MINOR: u32 = 1;
pub const ETCORE_OK: i32 = 0;
pub const ETCORE_DECLINE: i32 = 1;
pub const ETCORE_CORRUPT: i32 = -1;
pub const ETCORE_FAILED: i32 = -2;
pub const ETCORE_NOMEM: i32 = -3;
pub const ETCORE_EVENT_DELEGATE: u32 = 1;
pub const ETCORE_EVENT_DELEGATE_CALL: u32 = 2;
pub const ETCORE_CALL_DYNAMIC_SHAPES: u32 = 1;
pub const ETCORE_UNIT_UNKNOWN: u32 = 0;
pub const ETCORE_UNIT_NS: u32 = 1;
pub const ETCORE_UNIT_US: u32 = 2;
pub const ETCORE_UNIT_MS: u32 = 3;
pub const ETCORE_UNIT_S: u32 = 4;
pub const ETCORE_UNIT_CYCLES: u32 = 5;
pub const ETCORE_UNIT_TICKS: u32 = 6;
pub const ETCORE_UNIT_BYTES: u32 = 7;
pub const ETCORE_UNIT_COUNT: u32 = 8;
pub const ETCORE_KIND_OP: u32 = 0;
pub const ETCORE_KIND_PHASE: u32 = 1;
pub const ETCORE_KIND_PACKING: u32 = 2;
pub const ETCORE_KIND_OVERHEAD: u32 = 3;
pub const ETCORE_KIND_COUNTER: u32 = 4;
pub const ETCORE_KIND_INVALID: u32 = 5;
pub const ETCORE_CLOCK_UNKNOWN: u32 = 0;
pub const ETCORE_CLOCK_HOST: u32 = 1;
pub const ETCORE_CLOCK_FOREIGN: u32 = 2;
pub const ETCORE_CLOCK_NONE: u32 = 3;
pub const ETCORE_START_MEASURED: u32 = 0;
pub const ETCORE_START_SYNTHETIC: u32 = 1;
pub const ETCORE_START_ABSENT: u32 = 2;
pub const ETCORE_DURATION_MEASURED: u32 = 0;
pub const ETCORE_DURATION_ESTIMATED: u32 = 1;
pub const ETCORE_DURATION_SUM_OVER_THREADS: u32 = 2;
pub const ETCORE_DURATION_CONCURRENT: u32 = 3;
pub const ETCORE_ROUNDING_EXACT: u32 = 0;
pub const ETCORE_ROUNDING_TRUNCATED: u32 = 1;
pub const ETCORE_ROUNDING_NEAREST: u32 = 2;
pub const ETCORE_ROUNDING_UNKNOWN: u32 = 3;
pub const ETCORE_PARENT_CALL: i32 = -1;
pub const ETCORE_PARENT_BY_TIME: i32 = -2;
pub const ETCORE_NAME_DISPLAY: u32 = 1;
pub const ETCORE_NAME_OPERATOR: u32 = 2;
pub const ETCORE_NAME_LAYOUT: u32 = 3;
pub const ETCORE_NAME_TYPES: u32 = 4;
pub const ETCORE_NAME_ORDINAL: u32 = 5;
pub const ETCORE_NAME_KERNEL: u32 = 6;
pub const ETCORE_CLASS_CATEGORY: u32 = 16;
pub const ETCORE_CLASS_COMPUTE_UNIT: u32 = 17;
pub const ETCORE_CLASS_PRECISION: u32 = 18;
pub const ETCORE_CLASS_KERNEL_LIBRARY: u32 = 19;
pub const ETCORE_CLASS_LIBRARY_RAN: u32 = 20;
pub const ETCORE_CLASS_LIBRARY_WHY: u32 = 21;
pub const ETCORE_CLASS_ISA: u32 = 22;
pub const ETCORE_CLASS_CANONICAL: u32 = 23;
pub const ETCORE_CLASS_VARIANT: u32 = 24;
pub const ETCORE_CLASS_IS_MATRIX: u32 = 25;
pub const ETCORE_CLASS_MICROKERNEL: u32 = 26;
pub const ETCORE_RAN_UNKNOWN: i32 = 0;
pub const ETCORE_RAN_NO: i32 = 1;
pub const ETCORE_RAN_YES: i32 = 2;
pub const ETCORE_ROLE_OWNER: u32 = 1;
pub const ETCORE_ROLE_ANNOTATOR: u32 = 2;
pub const ETCORE_SEES_DELEGATE: u32 = 1;
pub const ETCORE_SEES_OPERATOR: u32 = 2;
pub const ETCORE_SEES_FRAMEWORK: u32 = 4;
pub const ETCORE_TYPE_STR: u32 = 1;
pub const ETCORE_TYPE_I64: u32 = 2;
pub const ETCORE_TYPE_F64: u32 = 3;
pub const ETCORE_TYPE_BOOL: u32 = 4;
pub const ETCORE_TYPE_JSON: u32 = 5;
pub const ETCORE_FORM_PLAIN: u32 = 0;
pub const ETCORE_FORM_FILE: u32 = 1;
pub const ETCORE_ROLLUP_NONE: u32 = 0;
pub const ETCORE_ROLLUP_FIRST: u32 = 1;
pub const ETCORE_ROLLUP_SUM: u32 = 2;
pub const ETCORE_ROLLUP_SET: u32 = 3;
pub const ETCORE_ROLLUP_MEAN: u32 = 4;
pub const ETCORE_ROLLUP_MIN: u32 = 5;
pub const ETCORE_ROLLUP_MAX: u32 = 6;
pub const ETCORE_ROLLUP_TIME_MEAN: u32 = 7;
pub const ETCORE_SEVERITY_NOTE: u32 = 0;
pub const ETCORE_SEVERITY_WARNING: u32 = 1;

pub const etcore_text = extern struct {
    ptr: [*c]const u8 = null,
    len: u64 = 0,
};

pub const etcore_bytes = extern struct {
    ptr: [*c]const u8 = null,
    len: u64 = 0,
};

pub const etcore_event = extern struct {
    size: u32 = 0,
    flags: u32 = 0,
    instruction_id: i64 = 0,
    delegate_id: i64 = 0,
    name: etcore_text = .{},
    delegate_name: etcore_text = .{},
    samples: u64 = 0,
    start: [*c]const u64 = null,
    end: [*c]const u64 = null,
    metadata: [*c]const etcore_bytes = null,
    facts: [*c]const etcore_facts = null,
};

pub const etcore_call = extern struct {
    size: u32 = 0,
    count: u32 = 0,
    backend: etcore_text = .{},
    method: etcore_text = .{},
    block: etcore_text = .{},
    processed: etcore_bytes = .{},
    events: [*c]const [*c]const etcore_event = null,
    flags: u32 = 0,
    reserved: u32 = 0,
};

pub const etcore_sink = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    handle: ?*anyopaque = null,
    str: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: etcore_text) callconv(.c) i32 = null,
    i64: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: i64) callconv(.c) i32 = null,
    f64: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: f64) callconv(.c) i32 = null,
    boolean: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: i32) callconv(.c) i32 = null,
    @"null": ?*const fn (handle: ?*anyopaque, name: etcore_text) callconv(.c) i32 = null,
    json: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: etcore_text) callconv(.c) i32 = null,
    begin_list: ?*const fn (handle: ?*anyopaque) callconv(.c) i32 = null,
    begin_columns: ?*const fn (handle: ?*anyopaque) callconv(.c) i32 = null,
    json_bytes: ?*const fn (handle: ?*anyopaque, name: etcore_text, value: etcore_text) callconv(.c) i32 = null,
};

pub const etcore_scales = extern struct {
    size: u32 = 0,
    source: u32 = 0,
    target: u32 = 0,
    reserved: u32 = 0,
    factor: f64 = 0,
};

pub const etcore_number_sink = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    handle: ?*anyopaque = null,
    i64: ?*const fn (handle: ?*anyopaque, value: i64) callconv(.c) i32 = null,
    f64: ?*const fn (handle: ?*anyopaque, value: f64) callconv(.c) i32 = null,
};

pub const etcore_time = extern struct {
    size: u32 = 0,
    kind: u32 = 0,
    unit: u32 = 0,
    clock: u32 = 0,
    start: u32 = 0,
    duration: u32 = 0,
    rounding: u32 = 0,
    parent: i32 = 0,
    ns_per_unit: f64 = 0,
    resolution: u64 = 0,
    wraps_at: u64 = 0,
    sync_device: u64 = 0,
    sync_host: u64 = 0,
};

pub const etcore_text_sink = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    handle: ?*anyopaque = null,
    put: ?*const fn (handle: ?*anyopaque, field: u32, value: etcore_text) callconv(.c) i32 = null,
    put_number: ?*const fn (handle: ?*anyopaque, field: u32, value: i64) callconv(.c) i32 = null,
};

pub const etcore_value = extern struct {
    size: u32 = 0,
    @"type": u32 = 0,
    name: etcore_text = .{},
    text: etcore_text = .{},
    i64: i64 = 0,
    f64: f64 = 0,
};

pub const etcore_facts = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    owner: etcore_text = .{},
    backend: etcore_text = .{},
    display: etcore_text = .{},
    operator_name: etcore_text = .{},
    layout: etcore_text = .{},
    types: etcore_text = .{},
    kernel: etcore_text = .{},
    ordinal: i64 = 0,
    category: etcore_text = .{},
    compute_unit: etcore_text = .{},
    precision: etcore_text = .{},
    time: [*c]const etcore_time = null,
    columns: [*c]const [*c]const etcore_value = null,
    column_count: u32 = 0,
    reserved_1_1: u32 = 0,
};

pub const etcore_map_sink = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    handle: ?*anyopaque = null,
    key: ?*const fn (handle: ?*anyopaque, key: etcore_text) callconv(.c) i32 = null,
    debug_handle: ?*const fn (handle: ?*anyopaque, debug_handle: i64) callconv(.c) i32 = null,
    not_edge_handles: ?*const fn (handle: ?*anyopaque) callconv(.c) i32 = null,
};

pub const etcore_child = extern struct {
    size: u32 = 0,
    parent: i32 = 0,
    name: etcore_text = .{},
    samples: u64 = 0,
    durations: [*c]const u64 = null,
    starts: [*c]const u64 = null,
    time: [*c]const etcore_time = null,
};

pub const etcore_child_sink = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    handle: ?*anyopaque = null,
    begin: ?*const fn (handle: ?*anyopaque, child: [*c]const etcore_child) callconv(.c) i32 = null,
    facts: [*c]const etcore_text_sink = null,
    columns: [*c]const etcore_sink = null,
};

pub const etcore_option = extern struct {
    size: u32 = 0,
    @"type": u32 = 0,
    name: [*c]const u8 = null,
    default_value: [*c]const u8 = null,
    help: [*c]const u8 = null,
    form: u32 = 0,
    reserved: u32 = 0,
    unit: [*c]const u8 = null,
    choices: [*c]const [*c]const u8 = null,
    least: f64 = 0,
    most: f64 = 0,
    most_bytes: u64 = 0,
};

pub const etcore_column = extern struct {
    size: u32 = 0,
    @"type": u32 = 0,
    name: [*c]const u8 = null,
    unit: [*c]const u8 = null,
    help: [*c]const u8 = null,
    rollup: u32 = 0,
    reserved: u32 = 0,
    rollup_1_1: u32 = 0,
    reserved_1_1: u32 = 0,
};

pub const etcore_host = extern struct {
    size: u32 = 0,
    abi_minor: u32 = 0,
    handle: ?*anyopaque = null,
    diagnose: ?*const fn (handle: ?*anyopaque, severity: u32, message: etcore_text) callconv(.c) void = null,
    get_service: ?*const fn (handle: ?*anyopaque, id: [*c]const u8) callconv(.c) ?*const anyopaque = null,
};

pub const etcore_setting = extern struct {
    size: u32 = 0,
    reserved: u32 = 0,
    name: etcore_text = .{},
    value: etcore_text = .{},
    content: etcore_bytes = .{},
};

pub const etcore_plugin = extern struct {
    size: u32 = 0,
    abi_major: u32 = 0,
    abi_minor: u32 = 0,
    role: u32 = 0,
    sees: u32 = 0,
    reserved: u32 = 0,
    name: [*c]const u8 = null,
    version: [*c]const u8 = null,
    vendor: [*c]const u8 = null,
    description: [*c]const u8 = null,
    backends: [*c]const [*c]const u8 = null,
    options: [*c]const [*c]const etcore_option = null,
    columns: [*c]const [*c]const etcore_column = null,
    open: ?*const fn (host: [*c]const etcore_host, settings: [*c]const [*c]const etcore_setting, count: u32, self: [*c]?*anyopaque) callconv(.c) i32 = null,
    close: ?*const fn (self: ?*anyopaque) callconv(.c) void = null,
    probe: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call) callconv(.c) i32 = null,
    parse_metadata: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, out: [*c]const etcore_sink) callconv(.c) i32 = null,
    convert_time: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, scales: [*c]const etcore_scales, raw: [*c]const u64, count: u64, out: [*c]const etcore_number_sink) callconv(.c) i32 = null,
    describe_time: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, times: [*c]const [*c]etcore_time) callconv(.c) i32 = null,
    name_event: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, out: [*c]const etcore_text_sink) callconv(.c) i32 = null,
    classify: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, out: [*c]const etcore_text_sink) callconv(.c) i32 = null,
    map_event: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, out: [*c]const etcore_map_sink) callconv(.c) i32 = null,
    get_extension: ?*const fn (id: [*c]const u8) callconv(.c) ?*const anyopaque = null,
    abi_least: u32 = 0,
    reserved_1_1: u32 = 0,
    get_instance_extension: ?*const fn (self: ?*anyopaque, id: [*c]const u8) callconv(.c) ?*const anyopaque = null,
    title: [*c]const u8 = null,
    expand_event: ?*const fn (self: ?*anyopaque, call: [*c]const etcore_call, index: u32, out: [*c]const etcore_child_sink) callconv(.c) i32 = null,
};

/// ETCORE_HAS: is this member inside the struct as its writer compiled it?
pub fn has(object: anytype, comptime member: []const u8) bool {
    const T = @TypeOf(object.*);
    const behind = @offsetOf(T, member) + @sizeOf(@TypeOf(@field(object.*, member)));
    return object.size >= behind;
}
