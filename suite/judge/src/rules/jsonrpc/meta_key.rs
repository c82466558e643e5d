//! The names of the keys in `_meta` objects that a server sends. Passive.

use std::collections::BTreeSet;
use wire::mcp::meta;

use serde_json::Value;
use verdict::{Finding, Revision};

use super::common::frame;
use super::meta_walk::metas;
use crate::{Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/meta-key",
    judges: &[
        "jsonrpc.meta.key-prefix",
        "jsonrpc.meta.key-name",
        "jsonrpc.meta.reserved-prefix",
        "jsonrpc.meta.reverse-dns",
    ],
    judge,
};

/// Last labels by which people write their domain forwards.
const TOP_LEVEL: [&str; 12] = ["com", "org", "net", "io", "dev", "ai", "app", "co", "edu", "gov", "uk", "de"];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let extended = extends(view);
    let mut seen = BTreeSet::new();
    for (_, incoming) in view.incoming() {
        for meta in metas(incoming) {
            for key in meta.as_object().into_iter().flatten().map(|(key, _)| key) {
                if seen.insert(key.clone()) {
                    key_of(view.revision, key, incoming, extended, collector);
                }
            }
        }
    }
}

/// The server advertises an extension, which may define keys of its own.
fn extends(view: &View<'_>) -> bool {
    let some = |name: &str| {
        view.capabilities().get(name).and_then(Value::as_object).is_some_and(|members| !members.is_empty())
    };
    some("extensions") || some("experimental")
}

fn key_of(revision: Revision, key: &str, incoming: &Incoming<'_>, extended: bool, collector: &mut Collector) {
    let told = |message: &str, expected: &str| -> Finding {
        let mut finding =
            frame(incoming, message, expected, format!("{:?}", key.chars().take(120).collect::<String>()));
        finding.place = None;
        finding
    };
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    collector.check("jsonrpc.meta.key-name", is_name(name), || {
        told(
            "The name of a _meta key begins with, ends with or contains a character that is not allowed there.",
            "letters, digits, '-', '_' and '.', with a letter or digit at both ends",
        )
    });
    let Some(prefix) = prefix else { return };
    let labels: Vec<&str> = prefix.split('.').collect();
    let well_formed = labels.iter().all(|label| is_label(label));
    collector.check("jsonrpc.meta.key-prefix", well_formed, || {
        told(
            "The prefix of a _meta key is not a series of labels.",
            "labels separated by dots, then a slash; each label starts with a letter, ends with a letter or digit, and otherwise has only letters, digits or hyphens",
        )
    });
    if !well_formed {
        return;
    }
    check_reserved(revision, key, &labels, extended, collector, told);
    let first_top = labels.first().is_some_and(|label| TOP_LEVEL.contains(label));
    let last_top = labels.len() > 1 && labels.last().is_some_and(|label| TOP_LEVEL.contains(label));
    collector.check("jsonrpc.meta.reverse-dns", first_top || !last_top, || {
        told(
            "The prefix of a _meta key is a domain name that is not reversed.",
            "reverse DNS notation, as in com.example/",
        )
    });
}

fn check_reserved(
    revision: Revision,
    key: &str,
    labels: &[&str],
    extended: bool,
    collector: &mut Collector,
    told: impl Fn(&str, &str) -> Finding,
) {
    const ID: &str = "jsonrpc.meta.reserved-prefix";
    if !is_reserved(revision, labels) || DEFINED.contains(&key) {
        return collector.witness(ID);
    }
    if extended {
        return collector
            .note(ID, "a _meta key with a reserved prefix may belong to an extension that the server advertises");
    }
    collector.fail(
        ID,
        told(
            "A _meta key uses a prefix that is reserved for the specification, which does not define the key.",
            "a prefix of your own",
        ),
    );
}

/// Where the reserved label stands changed between 2025-06-18 and 2025-11-25.
fn is_reserved(revision: Revision, labels: &[&str]) -> bool {
    let at = if revision.traits().meta_prefix_by_second_label { Some(1) } else { labels.len().checked_sub(2) };
    at.and_then(|at| labels.get(at)).is_some_and(|label| matches!(*label, "modelcontextprotocol" | "mcp"))
}

/// Keys for servers that some revision defines: a server of both eras answers server/discover in the form of the later one.
const DEFINED: [&str; 4] =
    [meta::RELATED_TASK, meta::MODEL_IMMEDIATE_RESPONSE, meta::SERVER_INFO, meta::SUBSCRIPTION_ID];

/// Empty, or letters and digits at both ends and a few other characters between.
fn is_name(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ends(name, u8::is_ascii_alphanumeric) && name.bytes().all(inner)
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label.as_bytes()[0].is_ascii_alphabetic()
        && ends(label, u8::is_ascii_alphanumeric)
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn ends(text: &str, good: fn(&u8) -> bool) -> bool {
    text.as_bytes().first().is_none_or(good) && text.as_bytes().last().is_none_or(good)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use crate::testing::Script;

    fn keyed(revision: Revision, key: &str) -> Script {
        let mut meta = serde_json::Map::new();
        meta.insert(key.to_owned(), json!({"any key/ here": 1}));
        let result = json!({"resultType": "complete", "tools": [{"name": "a", "inputSchema": {"type": "object"}, "_meta": meta}]});
        Script::new(revision, json!({"tools": {}})).plain("tools/list", json!({}), json!({"result": result}))
    }

    fn broken(revision: Revision, key: &str) -> Vec<&'static str> {
        keyed(revision, key).fails_in("jsonrpc").into_iter().filter_map(|id| id.strip_prefix("jsonrpc.meta.")).collect()
    }

    #[test]
    fn well_named_keys_pass() {
        for key in ["plain", "a.b_c-d", "com.example/x", "com.example/", "ui", "x1/y"] {
            assert!(broken(Revision::V2025_11_25, key).is_empty(), "{key}");
        }
        assert_eq!(keyed(Revision::V2025_06_18, "com.example/x").status_of("jsonrpc.meta.key-prefix"), Status::Pass);
        assert_eq!(keyed(Revision::V2025_06_18, "x").status_of("jsonrpc.meta.key-name"), Status::Pass);
        assert!(broken(Revision::V2025_03_26, "_x").is_empty());
    }

    #[test]
    fn badly_formed_prefixes_and_names_fail_apart() {
        for key in ["a/b/c", "/x", "a..b/x", "1a.b/x", "a_b/x", "a-/x"] {
            assert_eq!(broken(Revision::V2025_06_18, key), ["key-prefix"], "{key}");
        }
        for key in ["_x", "x_", "a b", "com.example/-x", "é"] {
            assert_eq!(broken(Revision::V2025_06_18, key), ["key-name"], "{key}");
        }
    }

    #[test]
    fn the_reserved_label_stands_before_the_last_in_2025_06_18_and_second_afterwards() {
        for (key, june, november) in [
            ("mcp.dev/x", true, false),
            ("api.modelcontextprotocol.org/x", true, true),
            ("dev.mcp/x", false, true),
            ("com.mcp.tools/x", true, true),
            ("com.example.mcp/x", false, false),
            ("io.modelcontextprotocol/x", false, true),
        ] {
            let has = |revision| broken(revision, key).contains(&"reserved-prefix");
            assert_eq!((has(Revision::V2025_06_18), has(Revision::V2025_11_25)), (june, november), "{key}");
        }
    }

    #[test]
    fn a_key_that_another_revision_defines_is_no_finding() {
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let found = broken(revision, "io.modelcontextprotocol/serverInfo");
            assert!(!found.contains(&"reserved-prefix"), "{revision}");
        }
    }

    #[test]
    fn an_advertised_extension_may_have_keys() {
        let script = Script::new(Revision::V2026_07_28, json!({"extensions": {"io.modelcontextprotocol/ui": {}}}));
        let result = json!({"resultType": "complete", "_meta": {"io.modelcontextprotocol/ui": {}}});
        let script = script.plain("tools/list", json!({}), json!({"result": result}));
        assert!(!script.fails_in("jsonrpc").contains(&"jsonrpc.meta.reserved-prefix"));
    }

    #[test]
    fn a_domain_written_forwards_is_told() {
        assert_eq!(broken(Revision::V2025_11_25, "example.com/x"), ["reverse-dns"]);
        assert!(broken(Revision::V2025_06_18, "example.com/x").is_empty());
    }

    #[test]
    fn data_is_not_searched() {
        let result = json!({"content": [], "structuredContent": {"_meta": {"_bad_": 1}}});
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let script = script.plain("tools/call", json!({"name": "x"}), json!({"result": result}));
        assert!(!script.fails_in("jsonrpc").contains(&"jsonrpc.meta.key-name"));
    }
}
