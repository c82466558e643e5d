//! What hosts do not take, as notes: they fail no check.

use serde_json::{Value, json};
use verdict::record::{HostFact, HostPlace, Record};

/// The rules of a record's facts.
pub(super) fn rules(record: &Record) -> impl Iterator<Item = Value> {
    record.hosts.iter().map(|fact| {
        let help = format!("Run `mcp-conform hosts {}` for details.", fact.id);
        json!({
            "id": rule(fact),
            "shortDescription": {"text": fact.what},
            "fullDescription": {"text": fact.what},
            "help": {"text": help, "markdown": help},
            "defaultConfiguration": {"level": "note"},
            "properties": {"tags": ["mcp", "hosts"], "problem.severity": "recommendation"},
        })
    })
}

/// The results of a record's facts, one each, whose rules begin at `from`.
pub(super) fn results(record: &Record, from: usize, anchor: &str) -> impl Iterator<Item = Value> {
    record.hosts.iter().enumerate().map(move |(at, fact)| {
        let only_if = fact.only_if.as_ref().map(|only_if| format!(", if {only_if}")).unwrap_or_default();
        let mend = fact.mend.as_ref().map(|mend| format!(" Mend: {mend}")).unwrap_or_default();
        let hosts = fact.hosts_with_effects();
        let place = |place: &HostPlace| json!({"fullyQualifiedName": place.in_words(), "kind": "member"});
        json!({
            "ruleId": rule(fact),
            "ruleIndex": from + at,
            "level": "note",
            "message": {"text": format!("{}{only_if} ({hosts}): {}{mend}", fact.effect, fact.what)},
            "locations": [{
                "physicalLocation": {"artifactLocation": {"uri": anchor}, "region": {"startLine": 1}},
                "logicalLocations": fact.places.iter().map(place).collect::<Vec<_>>(),
            }],
            "partialFingerprints": {"mcpConformHost/v1": fact.id},
            "occurrenceCount": fact.places.len().max(1),
        })
    })
}

fn rule(fact: &HostFact) -> String {
    format!("hosts/{}", fact.id)
}
