//! Hosts of URLs: which of them are this machine.

use url::Host;

/// Whether the host of a URL is this machine: a loopback address, or a name that resolves to one wherever it is looked up
/// ([RFC 6761, section 6.3](https://www.rfc-editor.org/rfc/rfc6761#section-6.3)).
///
/// An IPv4 address inside an IPv6 address counts as the IPv4 address; the unspecified addresses are not loopback.
#[must_use]
pub fn is_loopback(host: Option<Host<&str>>) -> bool {
    match host {
        Some(Host::Domain(name)) => {
            let last = name.strip_suffix('.').unwrap_or(name).rsplit('.').next();
            last.is_some_and(|label| label.eq_ignore_ascii_case("localhost"))
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::is_loopback;

    fn of_url(text: &str) -> bool {
        is_loopback(Url::parse(text).expect("a URL").host())
    }

    #[test]
    fn addresses_and_names_of_this_machine() {
        let hosts = ["127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST", "a.localhost"];
        for host in hosts.iter().chain(&["localhost.", "127.1"]) {
            assert!(of_url(&format!("http://{host}:3000/mcp")), "{host}");
        }
    }

    #[test]
    fn other_machines() {
        for host in ["[2001:db8::1]", "[::]", "[::ffff:10.0.0.1]", "[fe80::1]", "0.0.0.0", "10.0.0.1", "128.0.0.1"] {
            assert!(!of_url(&format!("http://{host}/")), "{host}");
        }
        for host in ["example.com", "localhost.example.com", "notlocalhost", "127.0.0.1.example.com"] {
            assert!(!of_url(&format!("http://{host}/")), "{host}");
        }
        assert!(!of_url("file:///tmp"));
    }
}
