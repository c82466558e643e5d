//! The values of `_meta` keys that the specification defines. Passive.

use serde_json::Value;
use verdict::Revision;
use wire::mcp::meta;

use super::common::frame;
use super::meta_walk::{metas, own_meta};
use crate::{Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/meta-value",
    judges: &[
        "jsonrpc.meta.reserved-value-types",
        "jsonrpc.meta.trace-context-format",
        "jsonrpc.meta.subscription-id-only-on-listen",
    ],
    judge,
};

type IsGood<T> = fn(&T) -> bool;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (_, incoming) in view.incoming() {
        for meta in metas(incoming) {
            check_types(view.revision, meta, incoming, collector);
            check_trace(meta, incoming, collector);
        }
        check_subscription(incoming, collector);
    }
}

fn check_types(revision: Revision, meta: &Value, incoming: &Incoming<'_>, collector: &mut Collector) {
    let modern = revision.is_stateless();
    let checks: [(&str, bool, IsGood<Value>, &str); 3] = [
        (
            meta::RELATED_TASK,
            !modern,
            |value| value.get("taskId").is_some_and(Value::is_string),
            "an object with a string taskId",
        ),
        (
            meta::SERVER_INFO,
            modern,
            |value| ["name", "version"].iter().all(|member| value.get(member).is_some_and(Value::is_string)),
            "an object with strings name and version",
        ),
        (
            meta::SUBSCRIPTION_ID,
            modern,
            |value| value.is_string() || value.is_i64() || value.is_u64(),
            "a string or an integer",
        ),
    ];
    for (key, applies, good, expected) in checks {
        if let Some(value) = meta.get(key).filter(|_| applies) {
            collector.check("jsonrpc.meta.reserved-value-types", good(value), || {
                frame(
                    incoming,
                    "The value of a _meta key that the specification defines has the wrong form.",
                    &format!("{key}: {expected}"),
                    key,
                )
            });
        }
    }
}

fn check_trace(meta: &Value, incoming: &Incoming<'_>, collector: &mut Collector) {
    let formats: [(&str, IsGood<str>, &str); 3] = [
        ("traceparent", is_traceparent, "version-traceid-parentid-flags in lowercase hexadecimal, with nonzero ids"),
        ("tracestate", is_tracestate, "up to 32 key=value members, separated by commas"),
        ("baggage", is_baggage, "key=value members with optional properties, separated by commas"),
    ];
    for (key, good, expected) in formats {
        if let Some(value) = meta.get(key) {
            collector.check("jsonrpc.meta.trace-context-format", value.as_str().is_some_and(good), || {
                frame(
                    incoming,
                    "A trace context in _meta is not in the W3C format.",
                    &format!("{key}: {expected}"),
                    key,
                )
            });
        }
    }
}

fn is_traceparent(text: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let parts: Vec<&str> = text.split('-').collect();
    let [version, trace, parent, flags, rest @ ..] = parts.as_slice() else { return false };
    let zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    hex(version, 2)
        && *version != "ff"
        && hex(trace, 32)
        && !zero(trace)
        && hex(parent, 16)
        && !zero(parent)
        && hex(flags, 2)
        // Only later versions may add something.
        && (rest.is_empty() || *version != "00")
}

fn is_tracestate(text: &str) -> bool {
    let members: Vec<&str> = text.split(',').map(str::trim).filter(|member| !member.is_empty()).collect();
    let key = |key: &str| {
        !key.is_empty()
            && key.len() <= 256
            && key
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'*' | b'/' | b'@'))
    };
    let value = |value: &str| {
        !value.is_empty() && value.len() <= 256 && value.bytes().all(|b| matches!(b, 0x20..=0x7e) && b != b'=')
    };
    members.len() <= 32 && members.iter().all(|member| member.split_once('=').is_some_and(|(k, v)| key(k) && value(v)))
}

fn is_baggage(text: &str) -> bool {
    let token = |text: &str| {
        let text = text.trim();
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let value =
        |text: &str| text.trim().bytes().all(|b| matches!(b, 0x21..=0x7e) && !matches!(b, b'"' | b',' | b';' | b'\\'));
    let pair = |text: &str| text.split_once('=').is_some_and(|(k, v)| token(k) && value(v));
    text.split(',').all(|member| {
        let mut parts = member.split(';');
        parts.next().is_some_and(pair) && parts.all(|property| pair(property) || token(property))
    })
}

fn check_subscription(incoming: &Incoming<'_>, collector: &mut Collector) {
    if matches!(incoming.method(), Some("notifications/progress" | "notifications/message")) {
        let marked = own_meta(incoming).is_some_and(|meta| meta.get(meta::SUBSCRIPTION_ID).is_some());
        collector.check("jsonrpc.meta.subscription-id-only-on-listen", !marked, || {
            frame(
                incoming,
                "A notification that belongs to a request carries the id of a subscription.",
                "no io.modelcontextprotocol/subscriptionId outside subscriptions/listen",
                "a subscriptionId",
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::{is_baggage, is_traceparent, is_tracestate};
    use crate::testing::Script;

    fn with(revision: Revision, key: &str, value: Value) -> Script {
        let mut meta = serde_json::Map::new();
        meta.insert(key.to_owned(), value);
        let result = json!({"resultType": "complete", "_meta": meta});
        Script::new(revision, json!({})).plain("x/y", json!({}), json!({"result": result}))
    }

    #[test]
    fn defined_keys_have_their_type() {
        const ID: &str = "jsonrpc.meta.reserved-value-types";
        let modern = Revision::V2026_07_28;
        for (revision, key, good, bad) in [
            (Revision::V2025_11_25, "io.modelcontextprotocol/related-task", json!({"taskId": "t"}), json!("t")),
            (modern, "io.modelcontextprotocol/serverInfo", json!({"name": "s", "version": ""}), json!({"name": "s"})),
            (modern, "io.modelcontextprotocol/subscriptionId", json!(7), json!(1.5)),
        ] {
            assert_eq!(with(revision, key, good).status_of(ID), Status::Pass, "{key}");
            assert!(with(revision, key, bad).fails_in("jsonrpc").contains(&ID), "{key}");
        }
    }

    #[test]
    fn traceparent_follows_the_format() {
        assert!(is_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        assert!(is_traceparent("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"));
        for bad in [
            "",
            "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        ] {
            assert!(!is_traceparent(bad), "{bad}");
        }
        assert!(is_tracestate("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE") && is_tracestate("a@b=1, ,c=2"));
        assert!(!is_tracestate("no value") && !is_tracestate("Upper=1"));
        assert!(
            is_baggage("userId=alice, serverNode=DF%2028;p=1;q") && !is_baggage("no value") && !is_baggage("a=\"b\"")
        );
    }

    #[test]
    fn a_malformed_trace_context_fails() {
        const ID: &str = "jsonrpc.meta.trace-context-format";
        assert!(with(Revision::V2026_07_28, "traceparent", json!("garbage")).fails_in("jsonrpc").contains(&ID));
        let good = json!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        assert_eq!(with(Revision::V2026_07_28, "traceparent", good).status_of(ID), Status::Pass);
    }

    #[test]
    fn progress_belongs_to_no_subscription() {
        const ID: &str = "jsonrpc.meta.subscription-id-only-on-listen";
        let says = |meta: Value| {
            let script = Script::new(Revision::V2026_07_28, json!({}));
            let params = json!({"progressToken": 1, "progress": 1, "_meta": meta});
            script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
        };
        assert_eq!(says(json!({})).status_of(ID), Status::Pass);
        assert!(says(json!({"io.modelcontextprotocol/subscriptionId": "s"})).fails_in("jsonrpc").contains(&ID));
    }
}
