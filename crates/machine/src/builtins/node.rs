//! The node a program believes to run on: always the same one, so that runs are reproducible.

use super::{Builtin, Value, function};
use crate::program::OtpVersion;
use crate::raise::Raise;
use reverl_term::{Atom, BigInt, Term, View, atoms, num};

/// The rows of this file.
pub const TABLE: &[Builtin] = &[
    function("erlang", "system_info", 1, |c, a| system_info(&a[0], &c.program.otp)),
    function("erlang", "convert_time_unit", 3, |_, a| {
        if !a[0].is_integer() {
            return Err(Raise::badarg());
        }
        let (from, to) = (per_second(&a[1])?, per_second(&a[2])?);
        convert(&a[0], &from, &to)
    }),
    function("reverl", "datetime", 1, |_, a| a[0].as_i64().map(datetime).ok_or_else(Raise::badarg)),
    function("erlang", "posixtime_to_universaltime", 1, |_, a| {
        a[0].as_i64().map(datetime).ok_or_else(Raise::badarg)
    }),
    function("erlang", "universaltime_to_posixtime", 1, |_, a| {
        seconds(&a[0]).ok_or_else(Raise::badarg)
    }),
    // The clock of a run is in UTC, and so is its local time.
    function("erlang", "universaltime_to_localtime", 1, |_, a| same_time(&a[0])),
    function("erlang", "localtime_to_universaltime", 2, |_, a| {
        let is_dst = a[1].as_bool().is_some() || a[1].is_atom_eq(atoms::UNDEFINED);
        if is_dst { same_time(&a[0]) } else { Err(Raise::badarg()) }
    }),
    function("erlang", "garbage_collect", 0, |_, _| Ok(Term::bool(true))),
    function("erlang", "garbage_collect", 1, |_, a| {
        if a[0].as_pid().is_some() { Ok(Term::bool(true)) } else { Err(Raise::badarg()) }
    }),
    function("erlang", "garbage_collect_message_area", 0, |_, _| Ok(Term::bool(true))),
    function("erlang", "bump_reductions", 1, |_, a| {
        a[0].as_small().filter(|n| (0..1 << 59).contains(n)).ok_or_else(Raise::badarg)?;
        Ok(Term::bool(true))
    }),
    function("erlang", "yield", 0, |_, _| Ok(Term::bool(true))),
    function("erts_internal", "time_unit", 0, |_, _| Ok(Term::small(1_000_000_000))),
    function("erts_internal", "perf_counter_unit", 0, |_, _| Ok(Term::small(1_000_000_000))),
    function("os", "type", 0, |_, _| Ok(os_type())),
    function("os", "version", 0, |_, _| Ok(Term::tuple(vec![Term::small(0); 3]))),
    function("os", "getpid", 0, |_, _| Ok(Term::string("1"))),
    function("init", "get_argument", 1, |_, _| Ok(Term::atom(atoms::ERROR))),
    function("init", "get_arguments", 0, |_, _| Ok(Term::nil())),
    function("init", "get_plain_arguments", 0, |_, _| Ok(Term::nil())),
    function("init", "get_status", 0, |_, _| {
        Ok(Term::tuple(vec![Term::atom_named("started"), Term::atom_named("started")]))
    }),
    function("net_kernel", "dflag_unicode_io", 1, |_, _| Ok(Term::bool(true))),
    function("file", "native_name_encoding", 0, |_, _| Ok(Term::atom(atoms::UTF8))),
    function("io", "printable_range", 0, |_, _| Ok(Term::atom(atoms::LATIN1))),
];

fn os_type() -> Term {
    Term::tuple(vec![Term::atom_named("unix"), Term::atom_named("linux")])
}

fn system_info(key: &Term, otp: &OtpVersion) -> Value {
    let named = |name: &str| Ok(Term::atom(Atom::new(name)));
    let key = match key.view() {
        View::Atom(name) => name.name(),
        View::Tuple([what, _]) if what.is_atom_eq(Atom::new("wordsize")) => "wordsize",
        View::Tuple([what, _]) if what.is_atom_eq(Atom::new("cpu_topology")) => "cpu_topology",
        _ => return Err(Raise::badarg()),
    };
    Ok(match key {
        "otp_release" => Term::string(&otp.release.to_string()),
        "version" => Term::string(&otp.erts),
        "machine" => Term::string("BEAM"),
        "system_architecture" => Term::string("x86_64-pc-linux-gnu"),
        "system_version" => {
            Term::string(&format!("Erlang/OTP {} [erts-{}] [reverl]\n", otp.release, otp.erts))
        }
        "driver_version" => Term::string("3.3"),
        "nif_version" => Term::string("2.16"),
        "wordsize" => Term::small(8),
        "schedulers"
        | "schedulers_online"
        | "logical_processors"
        | "scheduler_id"
        | "logical_processors_online"
        | "logical_processors_available"
        | "dirty_cpu_schedulers"
        | "dirty_cpu_schedulers_online"
        | "dirty_io_schedulers"
        | "thread_pool_size" => Term::small(1),
        "process_limit" => Term::small(262_144),
        "port_limit" => Term::small(65_536),
        "ets_limit" => Term::small(8_192),
        "atom_limit" => Term::small(1_048_576),
        "atom_count" => Term::int(Atom::count() as i64),
        "process_count" => Term::small(1),
        "port_count" | "creation" | "trace_control_word" | "async_threads" => Term::small(0),
        "smp_support" | "threads" | "time_correction" | "kernel_poll" | "eager_check_io" => {
            Term::bool(true)
        }
        "debug_compiled" | "dist_buf_busy_limit" => Term::bool(false),
        "os_type" => os_type(),
        "os_version" => Term::tuple(vec![Term::small(0); 3]),
        "endian" => return named("little"),
        "heap_type" => return named("private"),
        "build_type" | "emu_type" => return named("opt"),
        "emu_flavor" => return named("jit"),
        "multi_scheduling" => return named("enabled"),
        "time_offset" => return named("final"),
        "time_warp_mode" => return named("no_time_warp"),
        "dynamic_trace" => return named("none"),
        "modified_timing_level" => return named("undefined"),
        "compat_rel" => Term::int(i64::from(otp.release)),
        "start_time" => Term::int(-576_460_752_000_000_000),
        "end_time" => Term::int(8_646_911_283_000_000_000),
        "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" => {
            return collector(key).ok_or_else(Raise::badarg);
        }
        "dist_ctrl"
        | "check_io"
        | "multi_scheduling_blockers"
        | "normal_multi_scheduling_blockers"
        | "allocated_areas"
        | "alloc_util_allocators" => Term::nil(),
        "garbage_collection" => Term::list(
            ["max_heap_size", "min_bin_vheap_size", "min_heap_size", "fullsweep_after"]
                .map(|key| collector(key).unwrap_or(Term::nil())),
        ),
        "max_heap_size" => Term::map_from(vec![
            (Term::atom_named("error_logger"), Term::bool(true)),
            (Term::atom_named("kill"), Term::bool(true)),
            (Term::atom_named("size"), Term::small(0)),
        ]),
        "heap_sizes" => heap_sizes(),
        "message_queue_data" => return named("on_heap"),
        "scheduler_bind_type" => return named("unbound"),
        "scheduler_bindings" => Term::tuple(vec![Term::atom_named("unbound")]),
        "tolerant_timeofday" => return named("enabled"),
        "update_cpu_info" => return named("unchanged"),
        "system_logger" => return named("logger"),
        "cpu_topology" | "allocator" => return named("undefined"),
        "c_compiler_used" => {
            let version = Term::tuple(vec![Term::small(0); 3]);
            Term::tuple(vec![Term::atom_named("rustc"), version])
        }
        "dynamic_trace_probes" | "port_parallelism" => Term::bool(false),
        "delayed_node_table_gc" => Term::small(60),
        "outstanding_system_requests_limit" => Term::small(4),
        "ets_count" => Term::small(0),
        "os_monotonic_time_source" | "os_system_time_source" => time_source(),
        // Tables for people.
        "dist" | "info" | "loaded" | "procs" => Term::binary(&[]),
        _ => return Err(Raise::badarg()),
    })
}

/// What a garbage collector would be told at first.
fn collector(key: &str) -> Option<Term> {
    let size = match key {
        "fullsweep_after" => 65_535,
        "min_heap_size" => 233,
        "min_bin_vheap_size" => 46_422,
        "max_heap_size" => 0,
        _ => return None,
    };
    Some(Term::tuple(vec![Term::atom(Atom::new(key)), Term::small(size)]))
}

/// The sizes that heaps would have, the smaller ones: each is as large as the two before it.
fn heap_sizes() -> Term {
    let mut sizes = vec![12, 38];
    while let [.., a, b] = sizes[..] {
        if b > 1_000_000 {
            break;
        }
        sizes.push(a + b + 1);
    }
    Term::list(sizes.into_iter().map(Term::small).collect::<Vec<Term>>())
}

fn time_source() -> Term {
    let pair = |key: &str, value| Term::tuple(vec![Term::atom_named(key), value]);
    Term::list([
        pair("function", Term::atom_named("clock_gettime")),
        pair("resolution", Term::small(1_000_000_000)),
        pair("parallel", Term::atom_named("yes")),
    ])
}

/// Nanoseconds in a time unit.
pub fn time_in_unit(nanoseconds: i64, unit: &Term) -> Value {
    convert(&Term::int(nanoseconds), &Term::small(1_000_000_000), &per_second(unit)?)
}

/// How many of a time unit make a second.
fn per_second(unit: &Term) -> Result<Term, Raise> {
    Ok(Term::int(match unit.view() {
        View::Atom(name) => match name.name() {
            "second" | "seconds" => 1,
            "millisecond" | "milli_seconds" => 1_000,
            "microsecond" | "micro_seconds" => 1_000_000,
            "nanosecond" | "nano_seconds" | "native" | "perf_counter" => 1_000_000_000,
            _ => return Err(Raise::badarg()),
        },
        View::Int(n) if n > 0 => n,
        View::Big(n) if *n > BigInt::from(0) => return Ok(unit.clone()),
        _ => return Err(Raise::badarg()),
    }))
}

/// Rounds down, below zero too.
fn convert(time: &Term, from: &Term, to: &Term) -> Value {
    let product = num::mul(time, to)?;
    let quotient = num::int_div(&product, from)?;
    let back = num::mul(&quotient, from)?;
    match reverl_term::compare(&product, &back).is_lt() {
        true => Ok(num::sub(&quotient, &Term::small(1))?),
        false => Ok(quotient),
    }
}

/// `{{Y,M,D},{H,M,S}}` of seconds since 1970, by the civil calendar.
fn datetime(seconds: i64) -> Term {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days from the first of March of year 0, in eras of 400 years.
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let mp = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let triple = |a, b, c| Term::tuple(vec![Term::int(a), Term::int(b), Term::int(c)]);
    let time = triple(second / 3_600, second / 60 % 60, second % 60);
    Term::tuple(vec![triple(year, month, day), time])
}

/// The years that the C library knows local times of, and those that OTP counts seconds of.
const FIRST_LOCAL_YEAR: i64 = 1902;
const FIRST_YEAR: i64 = 1600;
const LAST_YEAR: i64 = i32::MAX as i64 - 1;

fn same_time(t: &Term) -> Value {
    let year = |t: &Term| t.as_tuple()?.first()?.as_tuple()?.first()?.as_small();
    let is_known = year(t).is_some_and(|year| year >= FIRST_LOCAL_YEAR);
    seconds(t).filter(|_| is_known).map(|_| t.clone()).ok_or_else(Raise::badarg)
}

/// The inverse of `datetime`.
fn seconds(t: &Term) -> Option<Term> {
    let [date, time] = t.as_tuple()? else { return None };
    let ([y, m, d], [h, mi, s]) = (date.as_tuple()?, time.as_tuple()?) else { return None };
    let (year, month, day) = (y.as_small()?, m.as_small()?, d.as_small()?);
    let (h, mi, s) = (h.as_small()?, mi.as_small()?, s.as_small()?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let in_range = (FIRST_YEAR..=LAST_YEAR).contains(&year)
        && (1..=last).contains(&day)
        && (0..24).contains(&h)
        && (0..60).contains(&mi)
        && (0..60).contains(&s);
    if !in_range {
        return None;
    }
    let y = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (y.div_euclid(400), y.rem_euclid(400));
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    Some(Term::int(days * 86_400 + h * 3_600 + mi * 60 + s))
}
