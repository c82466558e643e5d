//! Internals of a server in its errors: stack traces and places in its code.

use serde_json::Value;

use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule { name: "robust/internals", judges: &["security.errors.no-internals"], judge };

const ID: &str = RULE.judges[0];
/// Ways in which languages begin a trace, or name a place in code, as the text of a frame has them: with what JSON escapes
/// escaped. A path alone may be the user's own.
const TRACES: [&str; 7] = [
    "Traceback (most recent call last)",
    "panicked at ",
    "stack backtrace:",
    "goroutine ",
    "Exception in thread",
    "\\n    at ",
    "\\tat java.",
];
/// Where the packages of Python are installed.
const INSTALLED: &str = "site-packages/";
const TRACE: &str = "An error contains a stack trace, which reveals how the server is built and where its files are.";
const PLACE: &str =
    "An error names a file of an installed package, which reveals how the server is built and where its files are.";
/// Characters of an error that are looked at.
const LOOKED: usize = 64 << 10;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged().chain(view.robust()) {
        for exchange in &session.exchanges {
            let case = Case { view, session, exchange };
            for incoming in case.answers().filter(|incoming| is_error(incoming)) {
                let found = internal(&incoming.receive.text);
                collector.check(ID, found.is_none(), || {
                    let (message, text) = found.unwrap_or_default();
                    let mut finding = case.finding(message, "a short message for the user, with details in the log");
                    finding.actual = format!("text with {:?}", text.trim());
                    finding.place = case.method().map(|method| method.chars().take(80).collect());
                    finding
                });
            }
        }
    }
}

/// A JSON-RPC error, or the result of a tool that failed.
fn is_error(incoming: &Incoming<'_>) -> bool {
    incoming.message().is_some_and(|message| {
        message.error().is_some()
            || message.result().and_then(|result| result.get("isError")) == Some(&Value::Bool(true))
    })
}

/// What an error reveals, and the text that shows it.
fn internal(text: &str) -> Option<(&'static str, &'static str)> {
    let end = (0..=text.len().min(LOOKED)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let text = &text[..end];
    let trace = TRACES.into_iter().find(|trace| text.contains(trace)).map(|trace| (TRACE, trace));
    trace.or_else(|| text.contains(INSTALLED).then_some((PLACE, INSTALLED)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn refused(message: &str) -> Script {
        let error = json!({"error": {"code": -32603, "message": message}});
        Script::new(Revision::V2025_11_25, json!({})).plain("x/y", json!({}), error)
    }

    #[test]
    fn traces_fail_and_plain_messages_pass() {
        for text in [
            "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3",
            "TypeError: x\n    at Object.<anonymous> (/app/index.js:3:1)",
            "thread 'main' panicked at src/main.rs:3:5",
            "boom\n\tat java.base/java.lang.Thread.run(Thread.java:833)",
            "no module in /srv/venv/lib/python3.13/site-packages/app",
        ] {
            assert_eq!(refused(text).fails_in("security"), [ID], "{text}");
        }
        assert_eq!(refused("no such file: /home/me/notes.txt").status_of(ID), Status::Pass);
    }

    #[test]
    fn a_result_may_say_what_it_likes() {
        let result = json!({"result": {"content": [{"type": "text", "text": "Traceback (most recent call last)"}]}});
        let script =
            Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain("tools/call", json!({"name": "x"}), result);
        assert_eq!(script.status_of(ID), Status::NotObserved);
    }
}
