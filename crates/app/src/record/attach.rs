//! Recording on a node that runs already: a hidden node of our own asks it to load the tracer,
//! and to forget it again.

use super::{RecordArgs, tracer};
use std::io::BufRead;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A node is recorded by one at a time.
const RECORDED: &str = "it is being recorded already. Stop that recording first; if its recorder is gone, \
     reverl_tracer:finish() on the node ends it";

/// Records until the user has enough. What a node has loaded for an earlier recording keeps its state
/// for as long as it runs, so each one has a library of its own.
pub fn record(args: &RecordArgs, node: &str, parts: &Path) -> Result<(), String> {
    let dir = tracer::copy(&parts.join("tracer"))?;
    let load = format!(
        "case Call(erlang, function_exported, [reverl_tracer, is_finished, 0]) \
                 andalso not Call(reverl_tracer, is_finished, []) of \
             true -> io:put_chars(\"{RECORDED}\"), halt(1); \
             false -> ok end, \
         [Call(code, F, [reverl_tracer]) || F <- [purge, delete, purge]], \
         Call(code, add_patha, [\"{dir}\"]), \
         {{module, reverl_tracer}} = Call(code, ensure_loaded, [reverl_tracer]), \
         Call(code, del_path, [\"{dir}\"]), \
         Call(reverl_tracer, start, [\"{}\"])",
        parts.display(),
        dir = dir.display(),
    );
    ask(args, node, &load)?;
    if let Ok(why) = std::fs::read_to_string(parts.join("refused")) {
        return Err(why.trim_end().to_string());
    }
    eprintln!("reverl: recording on {node}; press Enter to stop");
    wait(args.max_seconds);
    // A node that has ended meanwhile has left what it did before.
    if let Err(why) = ask(args, node, "Call(reverl_tracer, finish, [])") {
        eprintln!("reverl: {why}");
    }
    Ok(())
}

/// Until Enter, or so many seconds.
fn wait(seconds: u64) {
    if seconds > 0 {
        return std::thread::sleep(Duration::from_secs(seconds));
    }
    let _ = std::io::stdin().lock().read_line(&mut String::new());
}

/// Lets the node do something; `Call` calls a function there.
fn ask(args: &RecordArgs, node: &str, what: &str) -> Result<(), String> {
    let host = node.split_once('@').map(|(_, host)| host);
    let host = host.filter(|h| !h.is_empty()).ok_or(format!("'{node}' is not a name@host"))?;
    let names = if host.contains('.') { "-name" } else { "-sname" };
    let own = format!("reverl_{}@{host}", std::process::id());
    let text = format!(
        "Node = '{node}', \
         net_kernel:connect_node(Node) =:= true orelse begin io:put_chars(\"no connection\"), halt(1) end, \
         Call = fun(M, F, A) -> case rpc:call(Node, M, F, A) of {{badrpc, Why}} -> \
             io:format(\"~0p\", [Why]), halt(1); Value -> Value end end, {what}, halt(0)."
    );
    let mut erl = Command::new("erl");
    erl.args(["-noshell", "-hidden", names, &own]);
    if let Some(cookie) = &args.cookie {
        erl.args(["-setcookie", cookie]);
    }
    let done = erl.args(["-eval", &text]).output().map_err(|e| format!("cannot run `erl`: {e}"))?;
    match done.status.success() {
        true => Ok(()),
        false => {
            let why = String::from_utf8_lossy(&done.stdout).trim().to_string();
            let hint = match why == RECORDED {
                true => "",
                false => "\nIs it running, and is its cookie the one given?",
            };
            Err(format!("cannot record on {node}: {why}{hint}"))
        }
    }
}
