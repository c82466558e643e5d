//! A server that answers no call of a tool any more from some point on, and everything else.

use verdict::Level;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "jsonrpc/dry", judges: &[ANSWERED, SAYS_SO], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";
const SAYS_SO: &str = "practice.rate-limit.says-so";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(dry) = &view.dry else { return };
    if let Some(failure) = &dry.failure {
        let reason = format!("from one call on every call fails, of whatever tool, in the same words: {failure}");
        return collector.not_observed(SAYS_SO, reason);
    }
    let at = |seq: u32| {
        let mut cases = view
            .sessions
            .iter()
            .flat_map(|session| session.exchanges.iter().map(move |exchange| Case { view, session, exchange }));
        cases.find(|case| case.exchange.seq == seq)
    };
    let (Some(served), Some(first)) = (at(dry.served), at(dry.first)) else { return };
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

    fn failing(words: impl Fn(usize) -> String, tools: &[&str]) -> Script {
        let mut script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let result = |text: &str, failed: bool| json!({"result": {"content": [{"type": "text", "text": text}], "isError": failed}});
        for tool in tools {
            script = script.probe(Intent::ValidCall, "tools/call", call(tool), result("done", false));
        }
        for (at, tool) in tools.iter().cycle().take(12).enumerate() {
            script = script.probe(Intent::ValidCall, "tools/call", call(tool), result(&words(at), true));
        }
        let script = script.probe(Intent::CallMissingName, "tools/call", json!({}), result(&words(0), true));
        script.plain("ping", json!({}), json!({"result": {}})).settled()
    }

    #[test]
    fn calls_that_fail_in_the_same_words_say_nothing_of_themselves() {
        let script = failing(|at| format!("Quota used up, {at} calls too many."), &["a", "b", "c"]);
        assert_eq!(script.fails(), [""; 0]);
        let reason = script.verdict(super::SAYS_SO).reason.expect("a reason");
        assert!(reason.contains("Quota used up, # calls too many."), "{reason}");
        for script in [failing(|_| "Quota".to_owned(), &["a", "b"]), failing(|at| "no ".repeat(at), &["a", "b", "c"])] {
            assert_eq!(script.status_of("tools.call.missing-name"), Status::Fail);
        }
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
