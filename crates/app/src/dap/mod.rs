//! `reverl dap`: the debugger in an editor, by the Debug Adapter Protocol. It is one more face of a
//! session: what an editor asks is a query or a command, and what it is told is their answer.
//!
//! Here is the only code that knows the protocol. It does not know how anything is debugged.

mod adapter;
mod debugging;
mod launch;
mod log_points;
mod protocol;
mod references;
mod requests;
mod stopped;
#[cfg(test)]
mod tests;
mod transport;

use crate::ui::worker::Worker;
use clap::Args;
use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

/// Debug in an editor: a server of the Debug Adapter Protocol.
#[derive(Args, Clone, Debug)]
pub struct DapArgs {
    /// Serve editors that connect to this port of this machine, instead of standard input and output
    #[arg(long, value_name = "N", conflicts_with = "connect")]
    pub port: Option<u16>,
    /// Hand standard input and output on to a session that serves this port
    #[arg(long, value_name = "N")]
    pub connect: Option<u16>,
}

pub fn run(args: &DapArgs) -> Result<i32, String> {
    match (args.port, args.connect) {
        (_, Some(port)) => connect(port),
        (Some(port), None) => serve_port(listen(port)?, &|| None),
        (None, None) => {
            adapter::serve(BufReader::new(std::io::stdin()), Box::new(std::io::stdout()), None);
            Ok(0)
        }
    }
}

/// A port of this machine for editors, which is told on standard error.
pub fn listen(port: u16) -> Result<TcpListener, String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|e| format!("cannot serve editors on port {port}: {e}; choose another"))?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    eprintln!("editors can connect to 127.0.0.1:{port}");
    Ok(listener)
}

/// Serves every editor that connects; `offered` is the session that they can attach to.
pub fn serve_port(
    listener: TcpListener,
    offered: &dyn Fn() -> Option<Arc<Worker>>,
) -> Result<i32, String> {
    for stream in listener.incoming() {
        let stream = stream.map_err(|e| format!("cannot serve editors: {e}"))?;
        let offered = offered();
        std::thread::spawn(move || {
            let _ = stream.set_nodelay(true);
            let (Ok(input), Ok(out)) = (stream.try_clone(), stream.try_clone()) else { return };
            adapter::serve(BufReader::new(input), Box::new(out), offered);
            let _ = stream.shutdown(Shutdown::Both);
        });
    }
    Ok(0)
}

/// For editors that can only start a program: bytes go to and fro.
fn connect(port: u16) -> Result<i32, String> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
        format!("nothing serves editors on port {port} ({e}); 'reverl ui --dap-port N' does")
    })?;
    let mut from = stream.try_clone().map_err(|e| e.to_string())?;
    std::thread::spawn(move || {
        let mut to = stream;
        let _ = std::io::copy(&mut std::io::stdin(), &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let mut out = std::io::stdout();
    // Whoever reads may have had enough.
    let _ = std::io::copy(&mut from, &mut out);
    let _ = out.flush();
    Ok(0)
}
