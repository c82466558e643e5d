//! Shortens an exchange for people: over HTTP, uninformative headers are omitted.

/// Lines of an exchange that are shown.
const LINES: usize = 10;
/// Common headers that carry no information unless they are unusual.
const USUAL: [&str; 14] = [
    "accept",
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "date",
    "etag",
    "keep-alive",
    "mcp-protocol-version",
    "mcp-session-id",
    "server",
    "transfer-encoding",
    "vary",
    "x-powered-by",
];

/// Returns the lines worth showing; the middle of a long exchange is omitted. A short exchange is shown in full.
pub(super) fn shortened(wire: &[String]) -> Vec<String> {
    if wire.len() <= LINES {
        return wire.to_vec();
    }
    let mut telling: Vec<String> = wire.iter().filter(|line| !is_usual(line)).cloned().collect();
    if telling.len() > LINES {
        let half = LINES / 2;
        let between = half..telling.len() - half;
        let rest = format!("  ... {} more lines ...", between.len());
        telling.splice(between, [rest]);
    }
    telling
}

fn is_usual(line: &str) -> bool {
    let text = line.trim_start_matches(['<', '>']).trim_start();
    text.split_once(':').is_some_and(|(name, _)| USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(headers: usize) -> Vec<String> {
        let mut lines = vec!["> POST".to_owned(), "> Content-Type: application/json".to_owned()];
        lines.extend((0..headers).map(|at| format!("> X-{at}: y")));
        lines.extend(["> {}", "< HTTP 200", "< date: today", "< {\"date\":1}"].map(str::to_owned));
        lines
    }

    #[test]
    fn a_short_exchange_is_shown_whole() {
        assert_eq!(shortened(&lines(2)).len(), 8);
    }

    #[test]
    fn a_long_one_loses_what_tells_nothing() {
        let long = lines(5);
        let lines = shortened(&long);
        assert_eq!(lines.len(), 9);
        assert!(!lines.iter().any(|line| line.contains("Content-Type") || line.contains("< date")));
        assert_eq!(lines.last().expect("the body"), "< {\"date\":1}");
    }

    #[test]
    fn beginning_and_end_of_a_very_long_one_are_kept() {
        let lines = shortened(&lines(30));
        assert_eq!((lines.len(), lines[0].as_str(), lines[5].as_str()), (11, "> POST", "  ... 24 more lines ..."));
    }
}
