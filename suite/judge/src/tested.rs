//! What was tried with generated arguments, a line a tool, prompt, template or completion: read from the transcript like
//! everything else.
//!
//! Requests with `about.case` are counted, those that made a failing one simpler (`about.step`, `about.minimal`) or repeated one
//! (`about.again`) are not. A probe `generated-tool` names each tool once: `about.tool`, `about.unreached`, `about.stopped`; a probe
//! `generated-subject` all else: `about.kind` and `about.subject`.

use std::collections::BTreeSet;

use serde_json::Value;
use verdict::property::Tested;

use crate::{Case, View};

/// What takes generated arguments.
const METHODS: [&str; 4] = ["tools/call", "prompts/get", "resources/read", "completion/complete"];

/// What was tried, in the order in which tools were called.
pub(crate) fn tested(view: &View<'_>) -> Vec<Tested> {
    let probes = view.judged().flat_map(|session| &session.probes).map(|(_, probe)| probe);
    let named = |intent: &str| matches!(intent, "generated-tool" | "generated-subject");
    let mut all: Vec<Tested> = probes.filter(|probe| named(&probe.intent)).map(|probe| told(&probe.about)).collect();
    let mut keywords: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); all.len()];
    for case in METHODS.iter().flat_map(|method| view.calls(method)).filter(is_counted) {
        let (kind, name) = (case.about_str("kind"), case.about_str("tool").or(case.about_str("subject")));
        let is_of = |tested: &Tested| tested.kind.as_deref() == kind && Some(tested.tool.as_str()) == name;
        let Some(at) = all.iter().position(is_of) else { continue };
        keywords[at].extend(case.about_str("keyword").or(case.about_str("boundary")));
        count(&mut all[at], &case);
    }
    for (tested, keywords) in all.iter_mut().zip(keywords) {
        tested.unreached.retain(|one| !keywords.contains(one.keyword.as_str()) || !one.schema.is_empty());
        tested.reached = keywords.into_iter().map(str::to_owned).collect();
    }
    all
}

fn told(about: &Value) -> Tested {
    Tested {
        tool: about["tool"].as_str().or(about["subject"].as_str()).unwrap_or_default().to_owned(),
        kind: about["kind"].as_str().map(str::to_owned),
        unreached: serde_json::from_value(about["unreached"].clone()).unwrap_or_default(),
        stopped: about["stopped"].as_str().map(str::to_owned),
        ..Tested::default()
    }
}

fn is_counted(case: &Case<'_>) -> bool {
    let first = ["step", "minimal", "again"].iter().all(|mark| case.about(mark).is_none());
    first && case.about("case").is_some() && case.answer().is_some()
}

fn count(tested: &mut Tested, case: &Case<'_>) {
    let failed = case.error().is_some() || case.is_tool_error();
    tested.cases += 1;
    if case.about("keyword").is_some() {
        tested.invalid += 1;
        tested.refused += u32::from(failed);
    } else {
        tested.valid += 1;
        tested.failed += u32::from(failed);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Revision;

    use crate::testing::Script;

    #[test]
    fn calls_are_counted_by_kind_and_what_came_of_them() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let call = |script: Script, intent: &str, about, answer| {
            script.probe_about(intent, about, "tools/call", json!({"name": "add", "arguments": {}}), answer)
        };
        let plain = || json!({"result": {"content": []}});
        let refusal = || json!({"result": {"content": [], "isError": true}});
        let script = call(script, "valid-call", json!({"tool": "add", "case": 0, "boundary": "maximum"}), plain());
        let script = call(script, "invalid-call", json!({"tool": "add", "case": 1, "keyword": "type"}), refusal());
        let script = call(script, "invalid-call", json!({"tool": "add", "case": 2, "keyword": "enum"}), plain());
        let script = call(
            script,
            "invalid-call",
            json!({"tool": "add", "case": 2, "keyword": "enum", "minimal": true}),
            plain(),
        );
        let unreached = json!([{"keyword": "pattern", "schema": "/properties/p", "reason": "why"}]);
        let script = script.means("generated-tool", json!({"tool": "add", "unreached": unreached, "stopped": null}));
        let all = script.examined().properties;
        let add = &all[0];
        assert_eq!((add.cases, add.valid, add.invalid, add.refused, add.failed), (3, 1, 2, 1, 0));
        assert_eq!(add.reached, ["enum", "maximum", "type"]);
        assert_eq!((add.unreached.len(), all.len()), (1, 1));
    }

    #[test]
    fn a_prompt_has_a_line_of_its_own_beside_a_tool_of_the_same_name() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}, "prompts": {}}));
        let get = |script: Script, mark: &str, answer| {
            let about = json!({"kind": "prompt", "subject": "add", "case": 0, (mark): true});
            script.probe_about("generated-prompt", about, "prompts/get", json!({"name": "add"}), answer)
        };
        let error = || json!({"error": {"code": -32603, "message": "x"}});
        let script = get(get(script, "first", error()), "again", error());
        let script = script.means("generated-tool", json!({"tool": "add", "unreached": []}));
        let script = script.means("generated-subject", json!({"kind": "prompt", "subject": "add", "unreached": []}));
        let all = script.examined().properties;
        let of = |kind: Option<&str>| all.iter().find(|tested| tested.kind.as_deref() == kind).expect("a line");
        assert_eq!((of(Some("prompt")).cases, of(Some("prompt")).failed, of(None).cases), (1, 1, 0));
    }
}
