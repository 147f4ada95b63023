//! Logs of CauDEr's tracer, in both of its forms.

use reverl_analysis::cauder::import;

fn files(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(n, t)| (n.to_string(), t.to_string())).collect()
}

#[test]
fn both_forms_of_a_log_say_the_same() {
    let new = files(&[
        (
            "trace_result.log",
            "{call,{proxy,main,[]}}.\n{comp,\"x\"}.\n{node,n@h}.\n{pid,71}.\n{return,{value,42}}.\n{tracing,success}.\n",
        ),
        (
            "trace_71.log",
            "{trace_spawn,n@h,73,true}.\n{trace_spawn,n@h,74,true}.\n{trace_send,1}.\n{trace_send,2}.\n{trace_receive,4}.\n",
        ),
        ("trace_73.log", "{trace_receive,3}.\n{trace_receive,2}.\n{trace_send,4}.\n"),
        ("trace_74.log", "{trace_receive,1}.\n{trace_send,3}.\n"),
    ]);
    let old = files(&[
        ("trace_result.log", "call \"proxy:main()\"\nmain_pid 71\nresult 42\n"),
        (
            "trace_71.log",
            "{71,spawn,73}\n{71,spawn,74}\n{71,send,1}\n{71,send,2}\n{71,'receive',4}\n",
        ),
        ("trace_73.log", "{73,'receive',3}\n{73,'receive',2}\n{73,send,4}\n"),
        ("trace_74.log", "{74,'receive',1}\n{74,send,3}\n"),
    ]);
    let (new, old) = (import(&new).expect("read"), import(&old).expect("read"));
    assert_eq!(new.call, "proxy:main()");
    assert_eq!((&new.call, &new.log), (&old.call, &old.log));
    assert_eq!((new.result.as_deref(), old.result.as_deref()), (Some("42"), Some("42")));
    assert_eq!(new.log.0.values().map(Vec::len).sum::<usize>(), 4);
}

#[test]
fn a_log_that_is_none_says_why() {
    assert!(import(&files(&[])).is_err_and(|e| e.contains("trace_result.log")));
    let unsent = files(&[
        ("trace_result.log", "call \"m:f()\"\nmain_pid 1\n"),
        ("trace_1.log", "{1,'receive',9}\n"),
    ]);
    assert!(import(&unsent).is_err_and(|e| e.contains("never sent")));
}
