//! A server that answers no call of a tool any more from some point on, and everything else.

use verdict::Level;

use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "jsonrpc/dry", judges: &[ANSWERED], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(dry) = &view.dry else { return };
    let (Some(served), Some(first)) = (view.case_at(dry.served), view.case_at(dry.first)) else { return };
    let mut finding = first.finding(
        "From one call on no call of a tool is answered any more, although the same tools answered before and other requests are answered still: what a call takes is never given back.",
        "an answer, as before",
    );
    finding.actual = format!("no answer to {} calls of {} tools that had answered before", dry.calls, dry.tools);
    finding.wire.splice(0..0, served.wire());
    // No page says how long a tool may take, or that calls have to be served side by side.
    finding.level = dry.may_work.then_some(Level::Should);
    (finding.place, finding.tool) = (None, None);
    collector.fail(ANSWERED, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::ANSWERED;
    use crate::testing::Script;

    fn call(tool: &str) -> Value {
        json!({"name": tool, "arguments": {}})
    }

    /// Calls of some tools that are served, calls of the same that are not, something else, and a malformed call.
    fn dried(served: &[&str], silent: &[&str]) -> Script {
        let done = || json!({"result": {"content": []}});
        let mut script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        for tool in served {
            script = script.probe(Intent::ValidCall, "tools/call", call(tool), done());
        }
        for tool in silent.iter().cycle().take(16) {
            script = script.unanswered(Intent::ValidCall, "tools/call", call(tool));
        }
        let script = script.unanswered(Intent::CallMissingName, "tools/call", json!({}));
        script.plain("ping", json!({}), json!({"result": {}})).settled()
    }

    #[test]
    fn calls_that_stop_being_answered_are_one_finding() {
        let script = dried(&["a", "b", "c"], &["a", "b", "c"]);
        assert_eq!(script.fails(), [ANSWERED]);
        let levels = |script: &Script| {
            let findings = script.verdict(ANSWERED).findings;
            let own = findings.iter().filter(|finding| finding.message.starts_with("From one call on"));
            own.map(|finding| finding.level).collect::<Vec<_>>()
        };
        assert_eq!(levels(&script), [None]);
        let waiting = dried(&["a", "b", "c"], &["slow", "a", "b", "c"]);
        assert_eq!(levels(&waiting), [Some(Level::Should)], "the first may be at work still");
    }

    #[test]
    fn a_few_tools_that_never_answer_are_not_all() {
        for script in [dried(&["a", "b"], &["a", "b"]), dried(&["a", "b", "c"], &["a", "b", "d"])] {
            let messages = script.verdict(ANSWERED).findings;
            assert!(messages.iter().all(|finding| !finding.message.starts_with("From one call on")), "{messages:?}");
            assert_eq!(script.status_of("tools.call.missing-name"), Status::Fail);
        }
    }
}
