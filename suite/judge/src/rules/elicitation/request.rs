//! Elicitations use a mode that the client declared, do not ask for secrets in forms, and complete only what was asked. Passive.

use std::collections::HashSet;

use serde_json::Value;
use url::Url;
use wire::mcp::code;

use crate::rules::asks::{Ask, asks, mode};
use crate::rules::during::{frame_finding, param};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "elicitation/request",
    judges: &[
        "elicitation.request.mode-supported",
        "mrtr.elicitation-mode-supported",
        "elicitation.request.no-secrets",
        "mrtr.elicitation-no-secrets-in-form",
        "elicitation.request.url-https",
        "elicitation.complete.known-id",
    ],
    judge,
};

/// Words of what forms must not ask for, in names without signs between the words.
const SECRETS: [&str; 8] =
    ["password", "passwd", "apikey", "accesstoken", "secretkey", "creditcard", "cardnumber", "cvv"];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut known: HashSet<&str> = HashSet::new();
    let asks = asks(view);
    for ask in asks.iter().filter(|ask| ask.method == "elicitation/create") {
        check_supported(ask, collector);
        if mode(ask.params) == "url" {
            known.extend(ask.params.get("elicitationId").and_then(Value::as_str));
            check_https(ask.params.get("url"), collector);
        } else {
            check_secrets(ask, collector);
        }
    }
    for (_, incoming) in view.incoming() {
        let message = incoming.message().filter(|message| message.error_code() == Some(code::URL_ELICITATION_REQUIRED));
        let entries = message.and_then(|message| message.error_data()?.get("elicitations")?.as_array());
        for entry in entries.into_iter().flatten() {
            known.extend(entry.get("elicitationId").and_then(Value::as_str));
            check_https(entry.get("url"), collector);
        }
    }
    check_completed(view, &known, collector);
}

/// An empty object means forms alone.
fn check_supported(ask: &Ask<'_>, collector: &mut Collector) {
    let wanted = mode(ask.params);
    let forms = ask.has("elicitation.form") || (ask.has("elicitation") && !ask.has("elicitation.url"));
    let good = match wanted {
        "form" => forms,
        "url" => ask.has("elicitation.url"),
        _ => return,
    };
    for id in ["elicitation.request.mode-supported", "mrtr.elicitation-mode-supported"] {
        collector.check(id, good, || {
            let message =
                "The server elicits input in a mode that the client did not declare, so the user is never asked.";
            ask.finding(message, "a mode that the client declared", &format!("mode {wanted}"))
        });
    }
}

/// Words only hint at what is asked for: a note.
fn check_secrets(ask: &Ask<'_>, collector: &mut Collector) {
    let properties =
        ask.params.get("requestedSchema").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let names: Vec<String> = properties.into_iter().flatten().map(|(name, _)| normalized_name(name)).collect();
    let found = SECRETS.iter().find(|word| names.iter().any(|name| name.contains(**word)));
    for id in ["elicitation.request.no-secrets", "mrtr.elicitation-no-secrets-in-form"] {
        collector.witness(id);
        if let Some(word) = found {
            collector.note(id, format!("a form asks for something named {word}: secrets belong in URL mode"));
        }
    }
}

fn normalized_name(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// Development is exempt, and the wire does not show what is development: a note.
fn check_https(url: Option<&Value>, collector: &mut Collector) {
    let Some(url) = url.and_then(Value::as_str) else { return };
    collector.witness("elicitation.request.url-https");
    // The format of the URL is a requirement of its own.
    let Ok(url) = Url::parse(url) else { return };
    let here = wire::is_loopback(url.host());
    if url.scheme() == "http" && !here {
        collector.note("elicitation.request.url-https", "a URL for the user to visit is http, not https");
    }
}

fn check_completed(view: &View<'_>, known: &HashSet<&str>, collector: &mut Collector) {
    for (_, incoming) in view.incoming().filter(|(_, i)| i.method() == Some("notifications/elicitation/complete")) {
        let Some(id) = param(incoming, "elicitationId").and_then(Value::as_str) else { continue };
        collector.check("elicitation.complete.known-id", known.contains(id), || {
            let message = "The server reports the completion of an elicitation that it never requested.";
            frame_finding(
                incoming,
                message,
                "the elicitationId of a URL elicitation sent earlier",
                "an unknown elicitationId",
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const MODE: &str = "elicitation.request.mode-supported";
    const KNOWN: &str = "elicitation.complete.known-id";

    /// A session whose client declared this, and an elicitation in it.
    fn ask(declared: &Value, params: &Value) -> Script {
        let script = Script::empty(Revision::V2025_11_25).undecided();
        let greet = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": declared, "clientInfo": {"name": "t", "version": "1"}}});
        let script = script.raw(Intent::Unknown, Value::Null, &greet.to_string());
        let result =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
        let script = script.says_json(&json!({"jsonrpc": "2.0", "id": 1, "result": result}));
        let script = script.means(Intent::Negotiated, json!({"revision": "2025-11-25"}));
        script.says_json(&json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": params}))
    }

    fn form(name: &str) -> Value {
        json!({"message": "m", "requestedSchema": {"type": "object", "properties": {name: {"type": "string"}}}})
    }

    fn page() -> Value {
        page_at("https://example.com/")
    }

    fn page_at(url: &str) -> Value {
        json!({"mode": "url", "message": "m", "url": url, "elicitationId": "e1"})
    }

    #[test]
    fn a_request_of_a_stateless_session_is_another_matter_than_its_mode() {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
        let params = form("name");
        let asked = json!({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": params});
        let script = script.says_json(&asked);
        assert_ne!(script.status_of("mrtr.elicitation-mode-supported"), Status::Fail);
        assert!(script.fails().contains(&"jsonrpc.server-request.none"), "{:?}", script.fails());
    }

    #[test]
    fn the_mode_is_one_that_was_declared() {
        for (declared, params, good) in [
            (json!({"elicitation": {}}), form("a"), true),
            (json!({"elicitation": {"form": {}}}), form("a"), true),
            (json!({"elicitation": {"url": {}}}), page(), true),
            (json!({"elicitation": {"url": {}}}), form("a"), false),
            (json!({"elicitation": {}}), page(), false),
        ] {
            let expected = if good { Status::Pass } else { Status::Fail };
            assert_eq!(ask(&declared, &params).status_of(MODE), expected, "{declared} {params}");
        }
    }

    #[test]
    fn secrets_in_forms_are_noted() {
        let verdict = ask(&json!({"elicitation": {}}), &form("api_key")).verdict("elicitation.request.no-secrets");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
        let verdict = ask(&json!({"elicitation": {}}), &form("name")).verdict("elicitation.request.no-secrets");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 0));
    }

    #[test]
    fn http_is_noted_unless_it_is_this_machine() {
        for (url, notes) in [
            ("https://example.com/", 0),
            ("http://example.com/", 1),
            ("HTTP://example.com/", 1),
            ("http://[2001:db8::1]/", 1),
            ("http://localhost.example.com/", 1),
            ("http://[::1]:3000/", 0),
            ("http://127.0.0.2/", 0),
            ("http://localhost:3000/", 0),
        ] {
            let verdict =
                ask(&json!({"elicitation": {"url": {}}}), &page_at(url)).verdict("elicitation.request.url-https");
            assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, notes), "{url}");
        }
    }

    #[test]
    fn only_what_was_asked_is_completed() {
        let complete = |id: &str| {
            let script = ask(&json!({"elicitation": {"url": {}}}), &page());
            let params = json!({"elicitationId": id});
            script
                .says_json(&json!({"jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": params}))
        };
        assert_eq!(complete("e1").status_of(KNOWN), Status::Pass);
        assert_eq!(complete("e2").fails_in("elicitation"), [KNOWN]);
    }
}
