//! Tries the reference server by hand: `serve [http PORT] [--protocol REV]... [--fault ID]... [--quirk NAME]...`.

use mcp_conform_reference::{self as reference, Options, Revision};

fn main() -> std::io::Result<std::process::ExitCode> {
    let mut options = Options::default();
    let mut port = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| std::io::Error::other(format!("{word} needs a value")));
        match word.as_str() {
            "http" => port = Some(next()?.parse::<u16>().map_err(std::io::Error::other)?),
            "--protocol" => options.revisions.push(next()?.parse::<Revision>().map_err(std::io::Error::other)?),
            "--fault" => options.faults.push(next()?),
            "--quirk" => options.quirks.push(next()?),
            _ => return Err(std::io::Error::other(format!("what is {word}?"))),
        }
    }
    let Some(port) = port else { return reference::serve_stdio(options) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(reference::serve_http(options, port, |url| eprintln!("listening on {url}")))?;
    Ok(std::process::ExitCode::SUCCESS)
}
