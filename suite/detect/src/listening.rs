//! Which process listens on a port of this machine, as `/proc` tells it.

use std::fs;

/// The state of a socket that listens, in `/proc/net/tcp`.
const LISTENS: &str = "0A";

/// The processes that listen on this port.
pub(crate) fn on(port: u16) -> Vec<u32> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<String> = tables.iter().flat_map(|table| sockets(table, port)).collect();
    let processes = fs::read_dir("/proc").into_iter().flatten();
    let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    if sockets.is_empty() { Vec::new() } else { ids.filter(|id| holds(*id, &sockets)).collect() }
}

/// What a table links the sockets with that listen on a port.
fn sockets(table: &str, port: u16) -> Vec<String> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let own = u16::from_str_radix(fields.get(1)?.rsplit_once(':')?.1, 16).ok()?;
        (own == port && fields.get(3) == Some(&LISTENS)).then(|| format!("socket:[{}]", fields.get(9).unwrap_or(&"")))
    };
    table.lines().filter_map(line).collect()
}

fn holds(id: u32, sockets: &[String]) -> bool {
    let open = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten();
    let mut targets = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_behind_a_port_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        assert_eq!(on(port), [std::process::id()]);
        drop(listener);
        assert!(!on(port).contains(&std::process::id()));
    }
}
