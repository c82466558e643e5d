//! Ways out of what is offered.
//!
//! A server that gives the file when asked plainly serves the whole disk, which nothing forbids.

use serde_json::Value;
use verdict::{Intent, Key};

use super::contents;
use crate::rules::common::wants_something;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "resources/traversal", judges: &["resources.security.path-traversal"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let open = view.probes(Intent::ResourceOutside).any(|case| is_canary(&case));
    let mut tried = false;
    for case in view.probes(Intent::ResourceTraversal).filter(Case::is_decided) {
        tried = true;
        if !is_canary(&case) {
            if !wants_something(&case) {
                collector.witness(ID);
            }
        } else if open {
            collector.note(ID, "the server returns /etc/passwd to anyone who asks for it");
            collector.inconclusive(ID, "the server appears to be meant to serve the whole disk");
        } else {
            let message = "With `..` in the path, a client reads files outside what the server offers.";
            let mut finding = case.finding(message, "an error");
            finding.place = case.about_str(Key::Kind).map(str::to_owned);
            finding.actual = "the contents of /etc/passwd".into();
            // What stands in it is nobody's business.
            finding.wire.retain(|line| line.starts_with('>'));
            collector.fail(ID, finding);
        }
    }
    if !tried {
        collector.not_applicable(ID, "no listed resource or template has a path in its URI");
    }
}

/// The first line of `/etc/passwd`, the same on every system that has one.
fn is_canary(case: &Case<'_>) -> bool {
    let text = |entry: &Value| -> Option<String> {
        let text = entry.get("text").and_then(Value::as_str).map(str::to_owned);
        text.or_else(|| {
            use base64::Engine as _;
            let blob = entry.get("blob")?.as_str()?;
            let bytes = base64::engine::general_purpose::STANDARD.decode(blob).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        })
    };
    let has = |text: String| text.lines().any(|line| line.starts_with("root:") && line.contains(":0:0:"));
    contents(case).into_iter().flatten().filter_map(text).any(has)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::{Script, declared};

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"resources": {}}))
    }

    fn read(script: Script, intent: Intent, answer: Value) -> Script {
        let uri = json!({"uri": "file:///a/../etc/passwd"});
        script.probe_about(intent, declared(intent, json!({"kind": "dots"})), "resources/read", uri, answer)
    }

    fn refused() -> Value {
        json!({"error": {"code": -32002, "message": "Resource not found"}})
    }

    fn passwd(member: &str, text: &str) -> Value {
        json!({"result": {"contents": [{"uri": "file:///a/../etc/passwd", (member): text}]}})
    }

    const PASSWD: &str = "# users\nroot:x:0:0:root:/root:/bin/sh\n";
    const BLOB: &str = "cm9vdDp4OjA6MDpyb290Oi9yb290Oi9iaW4vc2gK";

    #[test]
    fn a_detour_that_arrives_fails() {
        for answer in [passwd("text", PASSWD), passwd("blob", BLOB)] {
            let verdict =
                read(read(start(), Intent::ResourceOutside, refused()), Intent::ResourceTraversal, answer).verdict(ID);
            assert_eq!(verdict.status, Status::Fail);
            assert!(!verdict.findings[0].wire.iter().any(|line| line.contains("root:")));
        }
        assert_eq!(read(start(), Intent::ResourceTraversal, refused()).status_of(ID), Status::Pass);
        // What names the file is not the file.
        let echo = passwd("text", "There is no /etc/passwd here.");
        assert_eq!(read(start(), Intent::ResourceTraversal, echo).status_of(ID), Status::Pass);
    }

    #[test]
    fn a_server_of_the_whole_disk_is_not_at_fault() {
        let script = read(start(), Intent::ResourceOutside, passwd("text", PASSWD));
        assert_eq!(read(script, Intent::ResourceTraversal, passwd("text", PASSWD)).status_of(ID), Status::Inconclusive);
    }

    #[test]
    fn without_paths_there_is_nothing_to_leave() {
        assert_eq!(start().status_of(ID), Status::NotApplicable);
    }
}
