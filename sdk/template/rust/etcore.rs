// etcore.rs -- etcore/plugin.h 1.1 in Rust. Made by bindings.py of etcore's SDK: make it anew instead of editing it.
// What each member means stands in etcore/plugin.h.
#![allow(non_camel_case_types, dead_code, clippy::all)]
use std::os::raw::{c_char, c_void};

pub type etcore_result = i32;
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

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_text {
    pub ptr: *const c_char,
    pub len: u64,
}
unsafe impl Sync for etcore_text {}
impl etcore_text {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        ptr: core::ptr::null(),
        len: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_bytes {
    pub ptr: *const u8,
    pub len: u64,
}
unsafe impl Sync for etcore_bytes {}
impl etcore_bytes {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        ptr: core::ptr::null(),
        len: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_event {
    pub size: u32,
    pub flags: u32,
    pub instruction_id: i64,
    pub delegate_id: i64,
    pub name: etcore_text,
    pub delegate_name: etcore_text,
    pub samples: u64,
    pub start: *const u64,
    pub end: *const u64,
    pub metadata: *const etcore_bytes,
    pub facts: *const etcore_facts,
}
unsafe impl Sync for etcore_event {}
impl etcore_event {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        flags: 0,
        instruction_id: 0,
        delegate_id: 0,
        name: etcore_text::EMPTY,
        delegate_name: etcore_text::EMPTY,
        samples: 0,
        start: core::ptr::null(),
        end: core::ptr::null(),
        metadata: core::ptr::null(),
        facts: core::ptr::null(),
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_call {
    pub size: u32,
    pub count: u32,
    pub backend: etcore_text,
    pub method: etcore_text,
    pub block: etcore_text,
    pub processed: etcore_bytes,
    pub events: *const *const etcore_event,
    pub flags: u32,
    pub reserved: u32,
}
unsafe impl Sync for etcore_call {}
impl etcore_call {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        count: 0,
        backend: etcore_text::EMPTY,
        method: etcore_text::EMPTY,
        block: etcore_text::EMPTY,
        processed: etcore_bytes::EMPTY,
        events: core::ptr::null(),
        flags: 0,
        reserved: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_sink {
    pub size: u32,
    pub reserved: u32,
    pub handle: *mut c_void,
    pub str: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: etcore_text) -> i32>,
    pub i64: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: i64) -> i32>,
    pub f64: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: f64) -> i32>,
    pub boolean: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: i32) -> i32>,
    pub null: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text) -> i32>,
    pub json: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: etcore_text) -> i32>,
    pub begin_list: Option<unsafe extern "C" fn(handle: *mut c_void) -> i32>,
    pub begin_columns: Option<unsafe extern "C" fn(handle: *mut c_void) -> i32>,
    pub json_bytes: Option<unsafe extern "C" fn(handle: *mut c_void, name: etcore_text, value: etcore_text) -> i32>,
}
unsafe impl Sync for etcore_sink {}
impl etcore_sink {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        handle: core::ptr::null_mut(),
        str: None,
        i64: None,
        f64: None,
        boolean: None,
        null: None,
        json: None,
        begin_list: None,
        begin_columns: None,
        json_bytes: None,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_scales {
    pub size: u32,
    pub source: u32,
    pub target: u32,
    pub reserved: u32,
    pub factor: f64,
}
unsafe impl Sync for etcore_scales {}
impl etcore_scales {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        source: 0,
        target: 0,
        reserved: 0,
        factor: 0.0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_number_sink {
    pub size: u32,
    pub reserved: u32,
    pub handle: *mut c_void,
    pub i64: Option<unsafe extern "C" fn(handle: *mut c_void, value: i64) -> i32>,
    pub f64: Option<unsafe extern "C" fn(handle: *mut c_void, value: f64) -> i32>,
}
unsafe impl Sync for etcore_number_sink {}
impl etcore_number_sink {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        handle: core::ptr::null_mut(),
        i64: None,
        f64: None,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_time {
    pub size: u32,
    pub kind: u32,
    pub unit: u32,
    pub clock: u32,
    pub start: u32,
    pub duration: u32,
    pub rounding: u32,
    pub parent: i32,
    pub ns_per_unit: f64,
    pub resolution: u64,
    pub wraps_at: u64,
    pub sync_device: u64,
    pub sync_host: u64,
}
unsafe impl Sync for etcore_time {}
impl etcore_time {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        kind: 0,
        unit: 0,
        clock: 0,
        start: 0,
        duration: 0,
        rounding: 0,
        parent: 0,
        ns_per_unit: 0.0,
        resolution: 0,
        wraps_at: 0,
        sync_device: 0,
        sync_host: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_text_sink {
    pub size: u32,
    pub reserved: u32,
    pub handle: *mut c_void,
    pub put: Option<unsafe extern "C" fn(handle: *mut c_void, field: u32, value: etcore_text) -> i32>,
    pub put_number: Option<unsafe extern "C" fn(handle: *mut c_void, field: u32, value: i64) -> i32>,
}
unsafe impl Sync for etcore_text_sink {}
impl etcore_text_sink {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        handle: core::ptr::null_mut(),
        put: None,
        put_number: None,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_value {
    pub size: u32,
    pub r#type: u32,
    pub name: etcore_text,
    pub text: etcore_text,
    pub i64: i64,
    pub f64: f64,
}
unsafe impl Sync for etcore_value {}
impl etcore_value {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        r#type: 0,
        name: etcore_text::EMPTY,
        text: etcore_text::EMPTY,
        i64: 0,
        f64: 0.0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_facts {
    pub size: u32,
    pub reserved: u32,
    pub owner: etcore_text,
    pub backend: etcore_text,
    pub display: etcore_text,
    pub operator_name: etcore_text,
    pub layout: etcore_text,
    pub types: etcore_text,
    pub kernel: etcore_text,
    pub ordinal: i64,
    pub category: etcore_text,
    pub compute_unit: etcore_text,
    pub precision: etcore_text,
    pub time: *const etcore_time,
    pub columns: *const *const etcore_value,
    pub column_count: u32,
    pub reserved_1_1: u32,
}
unsafe impl Sync for etcore_facts {}
impl etcore_facts {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        owner: etcore_text::EMPTY,
        backend: etcore_text::EMPTY,
        display: etcore_text::EMPTY,
        operator_name: etcore_text::EMPTY,
        layout: etcore_text::EMPTY,
        types: etcore_text::EMPTY,
        kernel: etcore_text::EMPTY,
        ordinal: 0,
        category: etcore_text::EMPTY,
        compute_unit: etcore_text::EMPTY,
        precision: etcore_text::EMPTY,
        time: core::ptr::null(),
        columns: core::ptr::null(),
        column_count: 0,
        reserved_1_1: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_map_sink {
    pub size: u32,
    pub reserved: u32,
    pub handle: *mut c_void,
    pub key: Option<unsafe extern "C" fn(handle: *mut c_void, key: etcore_text) -> i32>,
    pub debug_handle: Option<unsafe extern "C" fn(handle: *mut c_void, debug_handle: i64) -> i32>,
    pub not_edge_handles: Option<unsafe extern "C" fn(handle: *mut c_void) -> i32>,
}
unsafe impl Sync for etcore_map_sink {}
impl etcore_map_sink {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        handle: core::ptr::null_mut(),
        key: None,
        debug_handle: None,
        not_edge_handles: None,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_child {
    pub size: u32,
    pub parent: i32,
    pub name: etcore_text,
    pub samples: u64,
    pub durations: *const u64,
    pub starts: *const u64,
    pub time: *const etcore_time,
}
unsafe impl Sync for etcore_child {}
impl etcore_child {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        parent: 0,
        name: etcore_text::EMPTY,
        samples: 0,
        durations: core::ptr::null(),
        starts: core::ptr::null(),
        time: core::ptr::null(),
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_child_sink {
    pub size: u32,
    pub reserved: u32,
    pub handle: *mut c_void,
    pub begin: Option<unsafe extern "C" fn(handle: *mut c_void, child: *const etcore_child) -> i32>,
    pub facts: *const etcore_text_sink,
    pub columns: *const etcore_sink,
}
unsafe impl Sync for etcore_child_sink {}
impl etcore_child_sink {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        handle: core::ptr::null_mut(),
        begin: None,
        facts: core::ptr::null(),
        columns: core::ptr::null(),
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_option {
    pub size: u32,
    pub r#type: u32,
    pub name: *const c_char,
    pub default_value: *const c_char,
    pub help: *const c_char,
    pub form: u32,
    pub reserved: u32,
    pub unit: *const c_char,
    pub choices: *const *const c_char,
    pub least: f64,
    pub most: f64,
    pub most_bytes: u64,
}
unsafe impl Sync for etcore_option {}
impl etcore_option {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        r#type: 0,
        name: core::ptr::null(),
        default_value: core::ptr::null(),
        help: core::ptr::null(),
        form: 0,
        reserved: 0,
        unit: core::ptr::null(),
        choices: core::ptr::null(),
        least: 0.0,
        most: 0.0,
        most_bytes: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_column {
    pub size: u32,
    pub r#type: u32,
    pub name: *const c_char,
    pub unit: *const c_char,
    pub help: *const c_char,
    pub rollup: u32,
    pub reserved: u32,
    pub rollup_1_1: u32,
    pub reserved_1_1: u32,
}
unsafe impl Sync for etcore_column {}
impl etcore_column {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        r#type: 0,
        name: core::ptr::null(),
        unit: core::ptr::null(),
        help: core::ptr::null(),
        rollup: 0,
        reserved: 0,
        rollup_1_1: 0,
        reserved_1_1: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_host {
    pub size: u32,
    pub abi_minor: u32,
    pub handle: *mut c_void,
    pub diagnose: Option<unsafe extern "C" fn(handle: *mut c_void, severity: u32, message: etcore_text)>,
    pub get_service: Option<unsafe extern "C" fn(handle: *mut c_void, id: *const c_char) -> *const c_void>,
}
unsafe impl Sync for etcore_host {}
impl etcore_host {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        abi_minor: 0,
        handle: core::ptr::null_mut(),
        diagnose: None,
        get_service: None,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_setting {
    pub size: u32,
    pub reserved: u32,
    pub name: etcore_text,
    pub value: etcore_text,
    pub content: etcore_bytes,
}
unsafe impl Sync for etcore_setting {}
impl etcore_setting {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        reserved: 0,
        name: etcore_text::EMPTY,
        value: etcore_text::EMPTY,
        content: etcore_bytes::EMPTY,
    };
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct etcore_plugin {
    pub size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub role: u32,
    pub sees: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub version: *const c_char,
    pub vendor: *const c_char,
    pub description: *const c_char,
    pub backends: *const *const c_char,
    pub options: *const *const etcore_option,
    pub columns: *const *const etcore_column,
    pub open: Option<unsafe extern "C" fn(host: *const etcore_host, settings: *const *const etcore_setting, count: u32, this: *mut *mut c_void) -> i32>,
    pub close: Option<unsafe extern "C" fn(this: *mut c_void)>,
    pub probe: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call) -> i32>,
    pub parse_metadata: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, out: *const etcore_sink) -> i32>,
    pub convert_time: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, scales: *const etcore_scales, raw: *const u64, count: u64, out: *const etcore_number_sink) -> i32>,
    pub describe_time: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, times: *const *mut etcore_time) -> i32>,
    pub name_event: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, out: *const etcore_text_sink) -> i32>,
    pub classify: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, out: *const etcore_text_sink) -> i32>,
    pub map_event: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, out: *const etcore_map_sink) -> i32>,
    pub get_extension: Option<unsafe extern "C" fn(id: *const c_char) -> *const c_void>,
    pub abi_least: u32,
    pub reserved_1_1: u32,
    pub get_instance_extension: Option<unsafe extern "C" fn(this: *mut c_void, id: *const c_char) -> *const c_void>,
    pub title: *const c_char,
    pub expand_event: Option<unsafe extern "C" fn(this: *mut c_void, call: *const etcore_call, index: u32, out: *const etcore_child_sink) -> i32>,
}
unsafe impl Sync for etcore_plugin {}
impl etcore_plugin {
    /// Every member 0: for those that are not set.
    pub const EMPTY: Self = Self {
        size: 0,
        abi_major: 0,
        abi_minor: 0,
        role: 0,
        sees: 0,
        reserved: 0,
        name: core::ptr::null(),
        version: core::ptr::null(),
        vendor: core::ptr::null(),
        description: core::ptr::null(),
        backends: core::ptr::null(),
        options: core::ptr::null(),
        columns: core::ptr::null(),
        open: None,
        close: None,
        probe: None,
        parse_metadata: None,
        convert_time: None,
        describe_time: None,
        name_event: None,
        classify: None,
        map_event: None,
        get_extension: None,
        abi_least: 0,
        reserved_1_1: 0,
        get_instance_extension: None,
        title: core::ptr::null(),
        expand_event: None,
    };
}

/// Statics with pointers to constants, which the host only reads.
#[repr(transparent)]
pub struct Shared<T>(pub T);
unsafe impl<T> Sync for Shared<T> {}
impl<T, const N: usize> Shared<[T; N]> {
    pub const fn first(&'static self) -> *const T {
        self as *const Self as *const T
    }
}

pub const fn size_behind<T>(_: *const T) -> usize {
    core::mem::size_of::<T>()
}

/// ETCORE_HAS: is this member inside the struct as its writer compiled it? The object is a raw pointer.
#[macro_export]
macro_rules! etcore_has {
    ($object:expr, $member:ident) => {{
        let object = $object;
        let member = core::ptr::addr_of!((*object).$member);
        (*object).size as usize >= member as usize - object as usize + $crate::etcore::size_behind(member)
    }};
}
