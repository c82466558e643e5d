//! A server over HTTP that fails requests now and then with a status alone.

use verdict::{Finding, Level};

use super::failing::closing_cancels;
use crate::view::Faltering;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "jsonrpc/faltering", judges: &[ANSWERED], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

const ALONE: &str = "A request that the server answers at other times fails with an HTTP status and no answer.";
const DROPPED: &str =
    "When a client closes the stream of one request, the next request fails, also that of another client.";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(faltering) = view.faltering.as_ref().filter(|faltering| !is_by_drop(view, faltering)) else { return };
    if let Some(finding) = finding(view, faltering) {
        collector.fail(ANSWERED, finding);
    }
}

/// Whether that is because the tester closed streams.
pub(in crate::rules) fn is_by_drop(view: &View<'_>, faltering: &Faltering) -> bool {
    faltering.dropped.is_some() && closing_cancels(view)
}

/// Shows the first that failed, after the stream that was closed before it, and the same request when it was served.
pub(in crate::rules) fn finding(view: &View<'_>, faltering: &Faltering) -> Option<Finding> {
    let failed = view.case_at(faltering.failed)?;
    let message = if is_by_drop(view, faltering) { DROPPED } else { ALONE };
    let mut finding = failed.finding(message, "an answer, as at other times");
    let (status, _) = failed.exchange.status?;
    finding.actual = format!("HTTP status {status} and no answer");
    let shown = [faltering.dropped, Some(faltering.failed), Some(faltering.served)];
    let shown: Vec<Case<'_>> = shown.into_iter().flatten().filter_map(|seq| view.case_at(seq)).collect();
    finding.wire = shown.iter().flat_map(Case::wire).collect();
    (finding.place, finding.tool) = (None, None);
    // Once may be a moment's trouble of what is between.
    if faltering.times == 1 {
        finding.level = Some(Level::Should);
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Probe};
    use verdict::{Intent, Level, Revision, Transport};

    use super::ANSWERED;
    use crate::testing::Script;

    const DROPPED: &str = "cancellation.http-disconnect-harmless";
    const KNOWN: &str = "prompts.get.unknown-name";

    fn start(revision: Revision) -> Script {
        Script::over(Transport::Http, revision, json!({"prompts": {}}))
    }

    fn ask(script: Script, id: u32, intent: Intent, status: u16, members: &Value) -> Script {
        let text = json!({"jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": {"name": "x"}}).to_string();
        let mut answer = json!({"jsonrpc": "2.0", "id": id});
        if let (Some(answer), Some(members)) = (answer.as_object_mut(), members.as_object()) {
            answer.extend(members.clone());
        }
        let script = script.request("POST", intent, Value::Null, &[], &text);
        match status {
            200 => script.respond(200, &[("content-type", "application/json")], &answer.to_string()),
            _ => script.respond(status, &[], "Bad Gateway"),
        }
    }

    /// The same request again and again, with these statuses.
    fn often(script: Script, statuses: &[u16]) -> Script {
        let result = json!({"result": {"messages": []}});
        let each = statuses.iter().zip(70..);
        each.fold(script, |script, (status, id)| ask(script, id, Intent::Unknown, *status, &result))
    }

    fn level(script: &Script) -> Option<Level> {
        script.verdict(ANSWERED).findings.first().map(|finding| finding.level.unwrap_or(Level::Must))
    }

    #[test]
    fn what_is_served_at_other_times_is_to_be_served_always() {
        let script = |statuses: &[u16]| often(start(Revision::V2025_11_25), statuses);
        assert_eq!(level(&script(&[200, 502, 200, 502, 200])), Some(Level::Must));
        assert_eq!(level(&script(&[200, 502, 200])), Some(Level::Should), "a moment's trouble");
        assert_eq!(level(&script(&[200, 503, 200])), None, "it says that it is busy");
        assert_eq!(level(&script(&[200, 404, 200])), None, "it says something");
        assert_eq!(level(&script(&[502, 200, 502])), None, "it fails more often than not");
    }

    #[test]
    fn it_says_nothing_of_what_was_asked() {
        let unknown = |script, id, status| {
            ask(script, id, Intent::PromptUnknown, status, &json!({"error": {"code": -32602, "message": "no"}}))
        };
        let once = unknown(start(Revision::V2025_11_25), 80, 502);
        assert_eq!(once.fails_in("prompts"), [KNOWN], "that is all that is known of it");
        let served = unknown(once, 81, 200);
        assert!(served.fails_in("prompts").is_empty());
    }

    #[test]
    fn what_was_asked_only_once_may_have_failed_for_the_same_reason() {
        let script = |statuses: &[u16], status| {
            let script = often(start(Revision::V2025_11_25), statuses);
            ask(script, 90, Intent::PromptUnknown, status, &Value::Null)
        };
        let unclear = script(&[200, 502, 200, 502, 200], 502);
        assert!(unclear.fails_in("prompts").is_empty());
        assert_eq!(script(&[200, 502, 200, 502, 200], 500).fails_in("prompts"), [KNOWN], "another status");
        assert_eq!(script(&[200, 502, 200], 502).fails_in("prompts"), [KNOWN], "a moment's trouble");
    }

    fn closes(script: Script, id: u32) -> Script {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "a"}}).to_string();
        let script = script.request("POST", Intent::StreamDropped, Value::Null, &[], &call);
        let channel = script.last_channel();
        script.add(Kind::Probe(Probe::new("session", Intent::HungUp, json!({"channel": channel}))))
    }

    #[test]
    fn the_next_request_after_a_closed_stream_is_told_apart() {
        let once = |revision| often(closes(often(start(revision), &[200, 200]), 60), &[502, 200]);
        assert_eq!(level(&once(Revision::V2026_07_28)), Some(Level::Should), "it may be chance");
        let twice = |revision| often(closes(once(revision), 61), &[502, 200]);
        let modern = twice(Revision::V2026_07_28);
        assert_eq!((modern.fails_in("cancellation").as_slice(), level(&modern)), (&[DROPPED][..], None));
        assert_eq!(level(&twice(Revision::V2025_11_25)), Some(Level::Must));
        let cleared = often(closes(start(Revision::V2026_07_28), 60), &[200, 502]);
        assert_eq!(level(&cleared), Some(Level::Should), "one was served between");
    }
}
