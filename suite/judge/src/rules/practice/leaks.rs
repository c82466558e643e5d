//! Internals that errors disclose.

use std::collections::BTreeSet;

use super::{finding, some};
use crate::rules::wording::failure_text;
use crate::view::clip;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/leaks",
    judges: &[
        "practice.errors.no-stack-trace",
        "practice.errors.no-file-paths",
        "practice.errors.no-secrets",
        "practice.errors.no-internals",
    ],
    judge,
};

/// A requirement, what gives it away, and what is said of it.
type Leak = (&'static str, fn(&str, &str) -> bool, &'static str, &'static str);

const LEAKS: [Leak; 4] = [
    (
        RULE.judges[0],
        |text, _| has_trace(text),
        "Errors contain a stack trace, which reveals to outsiders how the server is built.",
        "a sentence",
    ),
    (
        RULE.judges[1],
        has_path,
        "Errors expose paths of the server's installation.",
        "no paths other than those asked for",
    ),
    (RULE.judges[2], has_secret, "Errors contain what looks like a credential.", "no credentials"),
    (
        RULE.judges[3],
        |text, _| has_internals(text),
        "Errors reveal the server's internals: queries, drivers or private addresses.",
        "a sentence",
    ),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut found: [BTreeSet<&str>; 4] = Default::default();
    let mut wire: [Vec<String>; 4] = Default::default();
    for case in view.cases().filter(Case::is_decided) {
        let Some(text) = failure_text(&case) else { continue };
        let sent = case.exchange.send.text.as_str();
        if is_dump(&text) {
            collector.note(RULE.judges[3], "errors are raw validator output without a sentence");
        }
        for (at, (id, leaks, ..)) in LEAKS.iter().enumerate() {
            collector.witness(id);
            if leaks(&text, sent) {
                found[at].insert(case.tool().or(case.method()).unwrap_or_default());
                if wire[at].is_empty() && *id != RULE.judges[2] {
                    wire[at] = case.wire();
                }
            }
        }
    }
    for ((id, _, message, expected), (places, wire)) in LEAKS.iter().zip(found.iter().zip(wire)) {
        if !places.is_empty() {
            let mut finding =
                finding((*message).to_owned(), expected, format!("in errors of {}", some(places.iter().copied())));
            finding.wire = wire.iter().map(|line| clip(line)).collect();
            collector.fail(id, finding);
        }
    }
}

fn has_trace(text: &str) -> bool {
    const MARKS: [&str; 4] =
        ["Traceback (most recent call last)", "panicked at ", "Exception in thread", "goroutine 1 ["];
    let frame = |line: &str| {
        let numbered =
            line.rsplit(':').next().is_some_and(|tail| tail.starts_with(|first: char| first.is_ascii_digit()));
        line.trim_start().starts_with("at ") && line.contains(':') && numbered
    };
    MARKS.iter().any(|mark| text.contains(mark)) || text.lines().filter(|line| frame(line)).count() > 1
}

/// Words of an error that the client did not send itself.
fn foreign<'t>(text: &'t str, sent: &'t str) -> impl Iterator<Item = &'t str> {
    let words = text.split(|letter: char| letter.is_whitespace() || "\"'()[]<>,;".contains(letter));
    words.filter(move |word| word.len() > 5 && !sent.contains(word.trim_end_matches(['.', ':'])))
}

fn has_path(text: &str, sent: &str) -> bool {
    const MARKS: [&str; 7] = ["/home/", "/usr/lib", "/var/", "/app/", "node_modules/", "site-packages/", ":\\Users\\"];
    foreign(text, sent).any(|word| !word.contains("://") && MARKS.iter().any(|mark| word.contains(mark)))
}

fn has_secret(text: &str, sent: &str) -> bool {
    let token = |word: &str, mark: &str, least: usize| {
        let tail = word.split_once(mark).map(|(_, tail)| tail).unwrap_or_default();
        tail.chars().take_while(char::is_ascii_alphanumeric).count() >= least
    };
    let login = |word: &str| {
        let host = word.split_once("://").and_then(|(_, rest)| rest.split_once('@')).map(|(login, _)| login);
        host.is_some_and(|login| login.contains(':') && !login.contains('/') && !login.ends_with(":***"))
    };
    foreign(text, sent)
        .any(|word| token(word, "ghp_", 30) || token(word, "AKIA", 16) || token(word, "sk-", 20) || login(word))
}

/// Whether a text is the output of a validator as data. A model can use that, so it is worth no more than a note.
fn is_dump(text: &str) -> bool {
    let bare = text.trim_start().starts_with(['[', '{']);
    bare && (text.contains("\"code\": \"invalid_") || text.contains("\"code\":\"invalid_"))
}

fn has_internals(text: &str) -> bool {
    let upper = text.contains("SELECT ") && text.contains(" FROM ");
    let insert = text.contains("INSERT INTO ") || text.contains("sqlite3.") || text.contains("psycopg");
    upper || insert || text.contains("ECONNREFUSED 10.") || text.contains("ECONNREFUSED 192.168.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    fn error(text: &str) -> Script {
        let answer = json!({"error": {"code": -32603, "message": text}});
        let params = json!({"name": "get_it", "arguments": {"path": "/home/me/notes.txt"}});
        listed(json!([{"name": "get_it"}])).plain("tools/call", params, answer)
    }

    #[test]
    fn each_leak_is_seen() {
        let leaks = [
            "Traceback (most recent call last)\n  File x",
            "cannot open /app/server/main.py",
            "bad login postgres://me:hunter2@db.example.com/x",
            "near line 1: SELECT name FROM users",
        ];
        for (id, text) in RULE.judges.iter().zip(leaks) {
            assert_eq!(error(text).status_of(id), Status::Fail, "{id}");
        }
        let frames = "Error: x\n    at run (file:///srv/a.js:10:5)\n    at main (file:///srv/b.js:2:1)";
        assert_eq!(error(frames).status_of(RULE.judges[0]), Status::Fail);
        let dump = error("[{\"code\": \"invalid_type\"}]").verdict(RULE.judges[3]);
        assert_eq!((dump.status, dump.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn what_the_client_sent_and_plain_words_are_no_leaks() {
        for text in
            ["cannot open /home/me/notes.txt", "See https://example.com/app/help", "Select a file from the list."]
        {
            for id in RULE.judges {
                assert_eq!(error(text).status_of(id), Status::Pass, "{id}");
            }
        }
    }
}
