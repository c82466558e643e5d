//! The size in the list and the size of what is read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use verdict::Intent;

use super::{listings, only, requested_uri};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "resources/size", judges: &["resources.definition.size-matches"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ResourceRead).filter(Case::is_decided) {
        if let Some(uri) = requested_uri(&case) {
            check_sized(&case, uri, collector);
        }
    }
}

fn check_sized(case: &Case<'_>, uri: &str, collector: &mut Collector) {
    let Some(entry) = only(case) else { return };
    let listings = listings(case.view, uri);
    let sizes: Vec<u64> = listings.iter().filter_map(|(_, definition)| definition.get("size")?.as_u64()).collect();
    let Some(size) = sizes.first() else { return };
    let Some(got) = length(entry) else { return };
    if sizes.contains(&got) {
        return collector.witness(ID);
    }
    let after = listings.iter().any(|(at, _)| *at > case.exchange.seq);
    if !after || sizes.iter().any(|other| other != size) {
        return collector.note(ID, "the size of a resource changes during the test");
    }
    let text = entry.get("text").and_then(Value::as_str);
    if text.is_some_and(|text| is_recoded(text, *size, got)) {
        return collector
            .note(ID, "the size of a text is that of its file in another encoding or with other line endings");
    }
    let encoded = entry.get("blob").and_then(Value::as_str).is_some_and(|blob| blob.len() as u64 == *size);
    let message = if encoded {
        "The size of a resource is that of its Base64, not of its bytes: clients use it for estimates."
    } else {
        "The size of a resource does not match what is read: clients use it for estimates."
    };
    let mut finding = case.finding(message, "the number of bytes before any encoding");
    finding.place = Some(uri.to_owned());
    finding.actual = format!("size {size}, but {got} bytes are read");
    collector.fail(ID, finding);
}

fn length(entry: &Value) -> Option<u64> {
    let bytes = match entry.get("text").and_then(Value::as_str) {
        Some(text) => text.len(),
        None => STANDARD.decode(entry.get("blob")?.as_str()?).ok()?.len(),
    };
    u64::try_from(bytes).ok()
}

/// A file that is not in UTF-8, has a mark at its beginning, or other line ends.
fn is_recoded(text: &str, size: u64, got: u64) -> bool {
    let lines = text.bytes().filter(|byte| *byte == b'\n').count() as u64;
    !text.is_ascii() || size == got + 3 || size == got + lines || size == 2 * got || size == 2 * got + 2
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn list(script: Script, size: Value) -> Script {
        let entry = json!({"uri": "note://a", "name": "a", "size": size});
        script.plain("resources/list", json!({}), json!({"result": {"resources": [entry]}}))
    }

    fn read(before: u64, entry: Value, after: u64) -> Script {
        let script = list(Script::new(Revision::V2025_11_25, json!({"resources": {}})), json!(before));
        let mut entry = entry;
        entry["uri"] = json!("note://a");
        let answer = json!({"result": {"contents": [entry]}});
        list(script.probe(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"}), answer), json!(after))
    }

    #[test]
    fn bytes_are_counted() {
        assert_eq!(read(5, json!({"text": "hello"}), 5).status_of(ID), Status::Pass);
        assert_eq!(read(2, json!({"text": "\u{fc}"}), 2).status_of(ID), Status::Pass);
        assert_eq!(read(2, json!({"blob": "aGk="}), 2).status_of(ID), Status::Pass);
        assert_eq!(read(9, json!({"text": "hello"}), 9).fails(), [ID]);
    }

    #[test]
    fn the_length_of_base64_is_the_usual_fault() {
        let verdict = read(4, json!({"blob": "aGk="}), 4).verdict(ID);
        assert!(verdict.findings[0].message.contains("Base64"));
    }

    #[test]
    fn what_changes_or_is_recoded_is_no_fault() {
        for script in [
            read(9, json!({"text": "hello"}), 11),
            read(8, json!({"text": "hello"}), 8),
            read(12, json!({"text": "hello"}), 12),
            read(7, json!({"text": "a\nb\nc"}), 7),
            read(1, json!({"text": "\u{fc}"}), 1),
        ] {
            let verdict = script.verdict(ID);
            assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1));
        }
        assert_eq!(read(0, json!({"blob": "?"}), 0).status_of(ID), Status::NotObserved);
    }
}
