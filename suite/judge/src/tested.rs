//! Subjects of generated arguments, one entry for each tool, prompt, template or completion: read from the transcript like
//! everything else.
//!
//! Requests with a `case` are counted, but not those that made a failing one simpler or repeated one. A probe of no message
//! names each tool, and each prompt, template or completion, once.

use std::collections::BTreeSet;

use serde_json::Value;
use verdict::property::Tested;
use verdict::record::Calls;
use verdict::transcript::Probe;
use verdict::{Intent, Key};

use crate::{Case, View};

/// The methods that take generated arguments.
const METHODS: [&str; 4] = ["tools/call", "prompts/get", "resources/read", "completion/complete"];

/// Returns the subjects that were tried, in the order of their first calls.
pub(crate) fn tested(view: &View<'_>) -> Vec<Tested> {
    let probes = view.judged().flat_map(|session| &session.probes).map(|(_, probe)| probe);
    let named = |intent: Intent| matches!(intent, Intent::GeneratedTool | Intent::GeneratedSubject);
    let mut all: Vec<Tested> = probes.filter(|probe| named(probe.intent)).map(|probe| subject_of(probe)).collect();
    let mut keywords: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); all.len()];
    for case in METHODS.iter().flat_map(|method| view.calls(method)).filter(is_counted) {
        let (kind, name) = (case.about_str(Key::Kind), case.about_str(Key::Tool).or(case.about_str(Key::Subject)));
        let is_of = |tested: &Tested| tested.kind.as_deref() == kind && Some(tested.tool.as_str()) == name;
        let Some(at) = all.iter().position(is_of) else { continue };
        keywords[at].extend(case.about_str(Key::Keyword).or(case.about_str(Key::Boundary)));
        count(&mut all[at], &case);
    }
    for (tested, keywords) in all.iter_mut().zip(keywords) {
        tested.unreached.retain(|one| !keywords.contains(one.keyword.as_str()) || !one.schema.is_empty());
        tested.reached = keywords.into_iter().map(str::to_owned).collect();
    }
    all
}

/// Counts the calls of listed tools with valid arguments, generated or not.
pub(crate) fn valid_calls(view: &View<'_>) -> Option<Calls> {
    let mut calls = Calls::default();
    let listed = |case: &Case<'_>| case.tool().is_some_and(|name| view.tool(name).is_some());
    for case in
        view.probes(Intent::ValidCall).filter(|case| case.is_decided() && case.reply().is_some() && listed(case))
    {
        calls.answered += 1;
        calls.succeeded += u32::from(case.error().is_none() && !case.is_tool_error());
    }
    (calls.answered > 0).then_some(calls)
}

fn subject_of(probe: &Probe) -> Tested {
    let text = |key: Key| probe.get(key).and_then(Value::as_str).map(str::to_owned);
    Tested {
        tool: text(Key::Tool).or_else(|| text(Key::Subject)).unwrap_or_default(),
        kind: text(Key::Kind),
        unreached: probe
            .get(Key::Unreached)
            .and_then(|all| serde_json::from_value(all.clone()).ok())
            .unwrap_or_default(),
        stopped: text(Key::Stopped),
        ..Tested::default()
    }
}

fn is_counted(case: &Case<'_>) -> bool {
    let first = [Key::Step, Key::Minimal, Key::Again].iter().all(|mark| case.about(*mark).is_none());
    first && case.about(Key::Case).is_some() && case.answer().is_some()
}

fn count(tested: &mut Tested, case: &Case<'_>) {
    let failed = case.error().is_some() || case.is_tool_error();
    tested.cases += 1;
    if case.about(Key::Keyword).is_some() {
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
    use verdict::{Intent, Revision};

    use crate::testing::{Script, declared};

    #[test]
    fn calls_are_counted_by_kind_and_what_came_of_them() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let call = |script: Script, intent: Intent, about, answer| {
            script.probe_about(intent, about, "tools/call", json!({"name": "add", "arguments": {}}), answer)
        };
        let plain = || json!({"result": {"content": []}});
        let refusal = || json!({"result": {"content": [], "isError": true}});
        let script = call(script, Intent::ValidCall, json!({"tool": "add", "case": 0, "boundary": "maximum"}), plain());
        let script = call(script, Intent::InvalidCall, json!({"tool": "add", "case": 1, "keyword": "type"}), refusal());
        let script = call(script, Intent::InvalidCall, json!({"tool": "add", "case": 2, "keyword": "enum"}), plain());
        let script = call(
            script,
            Intent::InvalidCall,
            json!({"tool": "add", "case": 2, "keyword": "enum", "minimal": true}),
            plain(),
        );
        let unreached = json!([{"keyword": "pattern", "schema": "/properties/p", "reason": "why"}]);
        let script =
            script.means(Intent::GeneratedTool, json!({"tool": "add", "unreached": unreached, "stopped": null}));
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
            let about = json!({"kind": "prompt", "subject": "add", "case": 0, (mark): 1});
            let about = declared(Intent::GeneratedPrompt, about);
            script.probe_about(Intent::GeneratedPrompt, about, "prompts/get", json!({"name": "add"}), answer)
        };
        let error = || json!({"error": {"code": -32603, "message": "x"}});
        let script = get(get(script, "first", error()), "again", error());
        let script = script.means(Intent::GeneratedTool, json!({"tool": "add", "unreached": []}));
        let script =
            script.means(Intent::GeneratedSubject, json!({"kind": "prompt", "subject": "add", "unreached": []}));
        let all = script.examined().properties;
        let of = |kind: Option<&str>| all.iter().find(|tested| tested.kind.as_deref() == kind).expect("a line");
        assert_eq!((of(Some("prompt")).cases, of(Some("prompt")).failed, of(None).cases), (1, 1, 0));
    }
}
