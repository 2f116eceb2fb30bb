//! acme.rs -- explains the events of a backend to etcore.
//!
//! This is a complete plugin. It owns the backend "AcmeBackend", whose runtime logs events such as
//!
//!     acc:conv2d:0        with metadata        cycles=288000 dram=65536
//!
//! with times in ns of the host's clock, or in ticks of its own clock. Replace the parts that a comment calls YOURS,
//! then run the test (README.md). The contract, with every rule, is etcore/plugin.h; etcore.rs has its structs and
//! constants.
//!
//! The host's structs are read through raw pointers, member by member: a reference would claim that the complete
//! struct exists, but structs of an older host are shorter (etcore_has!).
mod etcore;

use etcore::*;
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

// ---- what the plugin declares ----------------------------------------------------

/// A C string; the literal must end with \0.
const fn c(literal: &'static str) -> *const c_char {
    literal.as_ptr() as *const c_char
}

// YOURS: the ids under which the backend is registered in ExecuTorch.
static BACKENDS: Shared<[*const c_char; 2]> = Shared([c("AcmeBackend\0"), ptr::null()]);

// YOURS: keys of the section [plugin.acme] of etcore.ini.
static TICKS_PER_SECOND: etcore_option = etcore_option {
    size: size_of::<etcore_option>() as u32,
    r#type: ETCORE_TYPE_I64,
    name: c("ticks_per_second\0"),
    help: c("rate of the accelerator's clock, in Hz; not set: times are the host's, in ns\0"),
    ..etcore_option::EMPTY
};
static OPTIONS: Shared<[*const etcore_option; 2]> = Shared([&TICKS_PER_SECOND, ptr::null()]);

// YOURS: the columns that parse_metadata fills. The host refuses any other name. If other backends
// measure the same value, use the common name for it (docs/columns.md), else a name of your own.
static CYCLES: etcore_column = etcore_column {
    size: size_of::<etcore_column>() as u32,
    r#type: ETCORE_TYPE_I64,
    name: c("cycles\0"),
    unit: c("cycles\0"),
    help: c("cycles in which the accelerator computed\0"),
    rollup: ETCORE_ROLLUP_SUM,
    ..etcore_column::EMPTY
};
static DRAM: etcore_column = etcore_column {
    size: size_of::<etcore_column>() as u32,
    r#type: ETCORE_TYPE_I64,
    name: c("acme_dram\0"),
    unit: c("bytes\0"),
    help: c("bytes read from and written to memory\0"),
    rollup: ETCORE_ROLLUP_SUM,
    ..etcore_column::EMPTY
};
static COLUMNS: Shared<[*const etcore_column; 3]> = Shared([&CYCLES, &DRAM, ptr::null()]);

// ---- bytes and texts ----------------------------------------------------------------

/// Returns the `len` bytes at `at`, which may have any value. If `len` is 0, `at` may be NULL.
unsafe fn bytes<'a>(at: *const u8, len: u64) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    std::slice::from_raw_parts(at, len as usize)
}

fn text(from: &[u8]) -> etcore_text {
    etcore_text { ptr: from.as_ptr().cast(), len: from.len() as u64 }
}

/// Parses the whole number at the start.
fn number(from: &[u8]) -> Option<i64> {
    let digits = from.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    from[..digits].iter().try_fold(0i64, |v, b| v.checked_mul(10)?.checked_add(i64::from(b - b'0')))
}

/// Runs the body of a hook. No panic may leave a hook, so if the body panics, the hook fails.
fn guarded(hook: impl FnOnce() -> etcore_result) -> etcore_result {
    catch_unwind(AssertUnwindSafe(hook)).unwrap_or(ETCORE_FAILED)
}

// ---- an instance ---------------------------------------------------------------------

/// All state of an instance. There are no mutable statics, because instances run on several
/// threads.
struct Instance {
    ns_per_tick: f64, // 0: times are in ns of the host's clock, not in ticks
}

/// `settings` has each declared option that the INI file sets or that has a default. The host has checked the types
/// of the values.
unsafe extern "C" fn open(
    _host: *const etcore_host,
    settings: *const *const etcore_setting,
    count: u32,
    out: *mut *mut c_void,
) -> etcore_result {
    guarded(|| {
        let mut rate = 0;
        for i in 0..count as usize {
            let (name, value) = ((**settings.add(i)).name, (**settings.add(i)).value);
            if bytes(name.ptr.cast(), name.len) == b"ticks_per_second" {
                rate = number(bytes(value.ptr.cast(), value.len)).unwrap_or(0);
            }
        }
        let ns_per_tick = if rate > 0 { 1e9 / rate as f64 } else { 0.0 };
        *out = Box::into_raw(Box::new(Instance { ns_per_tick })).cast();
        ETCORE_OK
    })
}

unsafe extern "C" fn close(this: *mut c_void) {
    drop(Box::from_raw(this.cast::<Instance>()));
}

// ---- names: "acc:OPERATOR:NUMBER" -----------------------------------------------------

struct Name<'a> {
    operator: &'a [u8],
    number: i64,
}

/// YOURS: parses an event's name. Returns None if the event is not one of this backend.
unsafe fn read_name<'a>(call: *const etcore_call, index: u32) -> Option<Name<'a>> {
    let event = *(*call).events.add(index as usize);
    let logged = (*event).delegate_name;
    let rest = bytes(logged.ptr.cast(), logged.len).strip_prefix(b"acc:")?;
    let colon = rest.iter().position(|b| *b == b':')?;
    let operator = &rest[..colon];
    // Answers must be UTF-8. This backend's names are ASCII; an event with another name is not one of this backend.
    if operator.is_empty() || !operator.iter().all(|b| (b' '..=b'~').contains(b)) {
        return None;
    }
    Some(Name { operator, number: number(&rest[colon + 1..])? })
}

// ---- hooks ------------------------------------------------------------------------------

/// YOURS: returns how certainly this call belongs to the backend, from 0 (it does not) to 100 (certain). Called if
/// neither an ETRecord nor the program names the backend, and to check the backend that they name.
unsafe extern "C" fn probe(_this: *mut c_void, call: *const etcore_call) -> i32 {
    let ours = (0..(*call).count).any(|i| read_name(call, i).is_some());
    if ours { 90 } else { 0 }
}

/// Passes the number after `key` to its column, if the key occurs.
unsafe fn put_number(out: *const etcore_sink, blob: &[u8], key: &[u8], column: &[u8]) -> etcore_result {
    let found = blob.windows(key.len()).enumerate().filter(|(_, w)| *w == key);
    match found.filter_map(|(i, _)| number(&blob[i + key.len()..])).next() {
        Some(value) => (*out).i64.map_or(ETCORE_FAILED, |put| put((*out).handle, text(column), value)),
        None => ETCORE_OK,
    }
}

/// YOURS: the columns of one event, as a delegate_metadata_parser in Python would return them; here from the first
/// run. If the sink returns an error, stop and return that error.
unsafe extern "C" fn parse_metadata(
    _this: *mut c_void,
    call: *const etcore_call,
    index: u32,
    out: *const etcore_sink,
) -> etcore_result {
    guarded(|| {
        let event = *(*call).events.add(index as usize);
        if (*event).metadata.is_null() || (*(*event).metadata).len == 0 {
            return ETCORE_DECLINE;
        }
        let first = *(*event).metadata;
        let blob = bytes(first.ptr, first.len);
        match put_number(out, blob, b"cycles=", b"cycles") {
            ETCORE_OK => put_number(out, blob, b"dram=", b"acme_dram"),
            refused => refused,
        }
    })
}

/// YOURS: describes the unit and clock of each event's times. Without this hook the unit is unknown: the host then
/// shows raw numbers, and no sums.
unsafe extern "C" fn describe_time(
    this: *mut c_void,
    call: *const etcore_call,
    times: *const *mut etcore_time,
) -> etcore_result {
    guarded(|| {
        let ns_per_tick = (*this.cast::<Instance>()).ns_per_tick;
        for i in 0..(*call).count {
            let time = *times.add(i as usize);
            let name = match read_name(call, i) {
                Some(name) => name,
                None => continue, // the host has filled in the description of unknown times
            };
            let ticks = ns_per_tick > 0.0;
            (*time).unit = if ticks { ETCORE_UNIT_TICKS } else { ETCORE_UNIT_NS };
            (*time).ns_per_unit = ns_per_tick;
            // CLOCK_HOST is only for times that were read from the runtime's clock.
            (*time).clock = if ticks { ETCORE_CLOCK_FOREIGN } else { ETCORE_CLOCK_HOST };
            (*time).kind = if name.operator == b"copy" { ETCORE_KIND_OVERHEAD } else { ETCORE_KIND_OP };
        }
        ETCORE_OK
    })
}

unsafe fn put(out: *const etcore_text_sink, field: u32, value: &[u8]) -> etcore_result {
    (*out).put.map_or(ETCORE_FAILED, |put| put((*out).handle, field, text(value)))
}

/// YOURS: passes the names of an event. Events with the same display name are added up in one row.
unsafe extern "C" fn name_event(
    _this: *mut c_void,
    call: *const etcore_call,
    index: u32,
    out: *const etcore_text_sink,
) -> etcore_result {
    guarded(|| {
        let name = match read_name(call, index) {
            Some(name) => name,
            None => return ETCORE_DECLINE,
        };
        for field in [ETCORE_NAME_DISPLAY, ETCORE_NAME_OPERATOR] {
            let refused = put(out, field, name.operator);
            if refused != ETCORE_OK {
                return refused;
            }
        }
        let ordinal = name.number.saturating_add(1);
        (*out).put_number.map_or(ETCORE_FAILED, |put| put((*out).handle, ETCORE_NAME_ORDINAL, ordinal))
    })
}

/// YOURS: passes words of docs/columns.md, so that --by category has the same categories for all backends. Do not
/// guess: leave out what the data do not show.
unsafe extern "C" fn classify(
    _this: *mut c_void,
    call: *const etcore_call,
    index: u32,
    out: *const etcore_text_sink,
) -> etcore_result {
    guarded(|| {
        let name = match read_name(call, index) {
            Some(name) => name,
            None => return ETCORE_DECLINE,
        };
        let refused = put(out, ETCORE_CLASS_COMPUTE_UNIT, b"NPU");
        let category: &[u8] = match name.operator {
            b"conv2d" => b"convolution",
            b"matmul" => b"gemm",
            b"copy" => b"data movement",
            _ => return refused,
        };
        if refused != ETCORE_OK {
            return refused;
        }
        put(out, ETCORE_CLASS_CATEGORY, category)
    })
}

// ---- the one symbol that is exported ------------------------------------------------------

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static etcore_plugin_v1: etcore_plugin = etcore_plugin {
    size: size_of::<etcore_plugin>() as u32,
    abi_major: ETCORE_PLUGIN_ABI_MAJOR,
    abi_minor: ETCORE_PLUGIN_ABI_MINOR,
    role: ETCORE_ROLE_OWNER,
    sees: ETCORE_SEES_DELEGATE,
    name: c("acme\0"),
    version: c("0.1.0\0"),
    vendor: c("YOURS: who maintains it\0"),
    description: c("events of AcmeBackend\0"),
    backends: BACKENDS.first(),
    options: OPTIONS.first(),
    columns: COLUMNS.first(),
    open: Some(open),
    close: Some(close),
    probe: Some(probe),
    parse_metadata: Some(parse_metadata),
    describe_time: Some(describe_time),
    name_event: Some(name_event),
    classify: Some(classify),
    ..etcore_plugin::EMPTY
};
