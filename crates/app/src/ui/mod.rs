//! `reverl ui`: the debugger in a browser, served on this machine only.

mod exploration;
mod guard;
pub mod interface;
mod page;
mod server;
pub mod session_thread;
mod sessions;
mod shared;
pub mod worker;

use crate::program_args::ProgramArgs;
use clap::Args;
use guard::Framing;
use session_thread::Opening;
use sessions::Sessions;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

/// Open the debugger in a browser.
#[derive(Args, Clone, Debug)]
pub struct UiArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Serve on this port; a free one unless given
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub port: u16,
    /// Only print the address
    #[arg(long)]
    pub no_open: bool,
    /// Stay at the beginning of a program instead of running it to its end
    #[arg(long)]
    pub at_start: bool,
    /// Begin at a place: what follows '#' in an address of the page
    #[arg(long, value_name = "PLACE")]
    pub place: Option<String>,
    /// Let editors attach to the session on this port
    #[arg(long, value_name = "N")]
    pub dap_port: Option<u16>,
}

pub fn run(args: &UiArgs) -> Result<i32, String> {
    if !page::is_there() {
        return Err("this binary was built without the page: install Node (with npm), build it \
                    again with cargo, and 'reverl ui' will be there; 'reverl debug' does the same \
                    in the terminal"
            .into());
    }
    let sessions = Arc::new(Sessions::new(args.program.clone(), opening(args)));
    // A program that does not compile is told here, where it was asked for.
    sessions.open(None)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(address)
        .map_err(|e| format!("cannot serve on port {}: {e}; --port chooses another", args.port))?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let secret = secret();
    let place = args.place.as_deref().map(|p| format!("#{}", p.trim_start_matches('#')));
    let address = format!("http://127.0.0.1:{port}/{secret}/{}", place.unwrap_or_default());
    println!("{address}");
    eprintln!("The address lets whoever has it use this session. Ctrl-C ends it.");
    if !args.no_open {
        open_browser(&address);
    }
    if let Some(port) = args.dap_port {
        let (editors, sessions) = (crate::dap::listen(port)?, sessions.clone());
        std::thread::spawn(move || crate::dap::serve_port(editors, &|| sessions.newest()));
    }
    server::serve(listener, port, &secret, sessions, Framing::Nowhere)?;
    Ok(0)
}

/// Serves the page for a session that another face uses too, and says its address.
pub fn serve_beside(worker: Arc<worker::Worker>) -> Result<String, String> {
    if !page::is_there() {
        return Err(
            "this binary was built without the page: install Node (with npm) and build it \
                    again with cargo"
                .into(),
        );
    }
    let sessions = Arc::new(Sessions::new(worker.program().clone(), Opening::AtStart));
    sessions.add(worker);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|e| e.to_string())?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let secret = secret();
    let address = format!("http://127.0.0.1:{port}/{secret}/");
    let framing = Framing::Editor;
    std::thread::spawn(move || server::serve(listener, port, &secret, sessions, framing));
    Ok(address)
}

fn opening(args: &UiArgs) -> Opening {
    if args.at_start { Opening::AtStart } else { Opening::AtEnd }
}

/// Nobody who was not told the address can guess it.
fn secret() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Tries; the address was printed for those who have no browser here.
fn open_browser(address: &str) {
    let openers: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["explorer"],
        _ => &["xdg-open", "wslview"],
    };
    for opener in openers {
        let mut command = std::process::Command::new(opener);
        let quiet = std::process::Stdio::null;
        if command.arg(address).stdout(quiet()).stderr(quiet()).spawn().is_ok() {
            return;
        }
    }
}
