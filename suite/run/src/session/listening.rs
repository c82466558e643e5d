//! The URL that a program says it listens on.

use url::{Host, Url};

/// Returns where a client reaches the program, from a line that names a URL of this machine or a port it listens on; `None` for other lines.
/// A path that is not named is the one that most servers have, `/mcp`.
pub(super) fn url(line: &str) -> Option<String> {
    named(line).or_else(|| port(line).map(|port| format!("http://127.0.0.1:{port}/mcp")))
}

fn named(line: &str) -> Option<String> {
    let is_end = |letter: char| letter.is_whitespace() || "\"'`<>,;()\x1b".contains(letter);
    let text = line[line.find("http://")?..].split(is_end).next()?;
    let mut url = Url::parse(text.trim_end_matches(['.', ':', '!'])).ok()?;
    let everywhere = match url.host()? {
        Host::Domain(_) => false,
        Host::Ipv4(address) => address.is_unspecified(),
        Host::Ipv6(address) => address.is_unspecified(),
    };
    if everywhere {
        url.set_host(Some("127.0.0.1")).ok()?;
    }
    if url.path() == "/" {
        url.set_path("mcp");
    }
    (url.port().is_some() && wire::is_loopback(url.host())).then(|| url.into())
}

fn port(line: &str) -> Option<u16> {
    let lower = line.to_ascii_lowercase();
    let listens = ["listening", "running", "started", "serving"].iter().any(|word| lower.contains(word));
    let (_, after) = lower.split_once("port ").filter(|_| listens)?;
    let digits = after.trim_start().split(|letter: char| !letter.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|port| *port > 0)
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn a_url_of_this_machine_and_a_port_are_found() {
        for (line, wanted) in [
            ("Listening on http://localhost:3000", "http://localhost:3000/mcp"),
            ("INFO: Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", "http://127.0.0.1:8000/mcp"),
            ("SSE at \"http://127.0.0.1:3001/sse\".", "http://127.0.0.1:3001/sse"),
            ("MCP server started on port 8080!", "http://127.0.0.1:8080/mcp"),
        ] {
            assert_eq!(url(line).as_deref(), Some(wanted), "{line}");
        }
    }

    #[test]
    fn other_lines_name_none() {
        for line in [
            "Server running on stdio",
            "see http://example.com:80/docs",
            "http://localhost",
            "cannot read port 8080 from the settings",
            "listening on port abc",
            "running on port 99999",
        ] {
            assert_eq!(url(line), None, "{line}");
        }
    }
}
