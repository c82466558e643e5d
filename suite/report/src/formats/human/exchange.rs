//! The lines of an exchange that people are shown: over HTTP without the headers that say nothing.

/// Lines of an exchange that are shown.
const LINES: usize = 10;
/// Headers that every request or response has, and that tell nothing unless they are odd.
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

/// The lines worth showing; of what is still too long the middle is left out. A short exchange is shown as it is.
pub(super) fn shown(wire: &[String]) -> Vec<String> {
    if wire.len() <= LINES {
        return wire.to_vec();
    }
    let mut telling: Vec<String> = wire.iter().filter(|line| !is_usual(line)).cloned().collect();
    if telling.len() > LINES {
        let half = LINES / 2;
        let between = half..telling.len() - half;
        let rest = format!("  ... {} lines more ...", between.len());
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
        assert_eq!(shown(&lines(2)).len(), 8);
    }

    #[test]
    fn a_long_one_loses_what_tells_nothing() {
        let long = lines(5);
        let lines = shown(&long);
        assert_eq!(lines.len(), 9);
        assert!(!lines.iter().any(|line| line.contains("Content-Type") || line.contains("< date")));
        assert_eq!(lines.last().expect("the body"), "< {\"date\":1}");
    }

    #[test]
    fn beginning_and_end_of_a_very_long_one_are_kept() {
        let lines = shown(&lines(30));
        assert_eq!((lines.len(), lines[0].as_str(), lines[5].as_str()), (11, "> POST", "  ... 24 lines more ..."));
    }
}
