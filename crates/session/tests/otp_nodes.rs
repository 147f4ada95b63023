//! Several nodes: programs run on a cluster of real nodes on this machine and in Reverl, and what they
//! answer must be the same.

mod both;

use both::Folders;
use reverl_machine::Program;
use std::process::{Command, Stdio};

static NODES: Folders = Folders::new(&["nodes"]);

/// What a call prints on real nodes, which find each other by `epmd`. The server of global names is
/// not to part more nodes than the program does.
fn on_real_nodes(call: &str) -> String {
    let _ = Command::new("epmd").arg("-daemon").stdout(Stdio::null()).status();
    // Into a file: nodes that were started would keep a pipe open.
    let printed = NODES.compiled().join("printed");
    let file = std::fs::File::create(&printed).expect("a file for what is printed");
    // Nodes that are started have the same environment.
    let ebin = NODES.compiled().display();
    let flags = format!("-pa {ebin} -kernel prevent_overlapping_partitions false");
    let ran = Command::new("timeout")
        .args(["60", "erl", "-noshell", "-eval", &format!("{call}, halt().")])
        .env("ERL_AFLAGS", flags)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .status();
    ran.expect("this test needs OTP's erl");
    std::fs::read_to_string(&printed).unwrap_or_default()
}

fn in_reverl(call: &str) -> String {
    both::in_reverl(Program::new(), Box::new(NODES.modules()), call)
}

// papers: 001 | 4 (nodes) | programs of several nodes, started and stopped by the debugger | run --node, kill-node, info nodes
/// One after the other: their nodes have the same names.
#[test]
fn programs_on_several_nodes_answer_as_on_real_ones() {
    for module in ["node_sum", "node_ring", "node_registry", "node_parting"] {
        let call = format!("io:format(\"~0p~n\", [{module}:main()])");
        let (real, simulated) = (on_real_nodes(&call), in_reverl(&call));
        assert!(!real.is_empty(), "{module} has printed nothing");
        assert_eq!(simulated, real, "{module}");
    }
    let (real, simulated) = (on_real_nodes("node_calls:main()"), in_reverl("node_calls:main()"));
    let (real, simulated): (Vec<&str>, Vec<&str>) =
        (real.lines().collect(), simulated.lines().collect());
    both::compare(&real, &simulated, 17);
}
