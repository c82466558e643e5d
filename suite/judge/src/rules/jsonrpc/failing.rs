//! A server over HTTP that fails every request from some point on, also those that it answered before, or ends.

use verdict::{Finding, Level, Revision, Transport};

use super::common::is_plain_request;
use crate::view::Failing;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "jsonrpc/failing", judges: &[ANSWERED], judge };

const ANSWERED: &str = "jsonrpc.response.every-request-answered";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(failing) = view.failing.as_ref().filter(|failing| !failing.ended) else { return };
    if let Some(finding) = finding(view, failing) {
        collector.fail(ANSWERED, with_suspects(finding, failing).fells());
    }
}

/// After all rules: a server that ended during a run is not in order, whichever message did it. Nothing more is said where a rule has
/// found that out of the only ones that can have done it.
pub(in crate::rules) fn conclude(view: &View<'_>, collector: &mut Collector) {
    let Some(failing) = view.failing.as_ref().filter(|failing| failing.ended) else { return };
    let suspects = || failing.suspects.iter().filter_map(|seq| view.case_at(*seq));
    let told = |case: Case<'_>| {
        let wire = case.wire();
        wire.iter().rfind(|line| line.starts_with("> ")).is_some_and(|line| collector.has_shown(line))
    };
    if collector.knows_fall() || failing.alike && suspects().any(told) {
        return;
    }
    let Some(mut finding) = finding(view, failing) else { return };
    // What only a tester sends may do more harm than what every client sends.
    if failing.alike && !suspects().any(|case| is_plain_request(&case)) {
        finding.level = Some(Level::Should);
    }
    // Where nothing was under way, no message is to blame.
    let finding = if failing.suspects.is_empty() { finding } else { with_suspects(finding, failing).fells() };
    collector.fail(ANSWERED, finding);
}

fn with_suspects(finding: Finding, failing: &Failing) -> Finding {
    Finding { under_way: u32::try_from(failing.suspects.len()).unwrap_or(u32::MAX), ..finding }
}

/// Whether it begins where the tester closed a stream.
pub(in crate::rules) fn is_by_drop(view: &View<'_>, failing: &Failing) -> bool {
    failing.dropped && closing_cancels(view)
}

/// 2026-07-28 has closing the stream of a request as the way to cancel it: what that does to others is a requirement of its own.
pub(super) fn closing_cancels(view: &View<'_>) -> bool {
    view.transport == Transport::Http && view.revision >= Revision::V2026_07_28
}

/// Where it fails with a status, and where it says nothing any more.
const CLOSED: [&str; 2] = [
    "Once a client closes the stream of one request, every later request fails, also those of other clients.",
    "Once a client closes the stream of one request, no later request is answered, also of other clients.",
];
const AT_ALL: [&str; 2] = [
    "From one request on every request fails, also those that were answered before: whatever broke the server then breaks it for all clients.",
    "From one request on none is answered, also what was answered before, on no connection: whatever stopped the server then stops it for all clients.",
];

const ENDED: &str = "The server ended, or accepts no connection any more: whatever ended it makes everything that it offers unavailable to all clients.";

/// Requests that are shown of those that may have broken it.
const SHOWN: usize = 4;

/// Shows what came before, and unless that is known to have done it, what may have broken it.
pub(in crate::rules) fn finding(view: &View<'_>, failing: &Failing) -> Option<Finding> {
    let at = |seq| view.case_at(seq);
    let known = at(failing.known)?;
    let method = known.method().or(known.http()).unwrap_or_default();
    let gave_up = known.exchange.gave_up.is_some();
    let messages = if is_by_drop(view, failing) { CLOSED } else { AT_ALL };
    let message = if failing.ended { ENDED } else { messages[usize::from(gave_up)] };
    let mut finding = known.finding(message.to_owned(), "an answer, as before");
    finding.actual = match known.exchange.status.filter(|_| !gave_up) {
        Some((status, _)) => format!("HTTP status {status} to `{method}` and to every later request"),
        None if failing.ended => {
            let under_way = match failing.suspects.len() {
                0 => "no message was".to_owned(),
                1 => "this message alone was".to_owned(),
                several => format!("{several} messages were"),
            };
            format!(
                "no connection, for `{method}` and every later request; {under_way} under way when the server ended"
            )
        }
        None => format!("no answer to `{method}`, and none to any later request"),
    };
    let after = failing.after.filter(|_| failing.dropped || failing.suspects.len() == 1);
    let suspects = failing.suspects.iter().copied().take(if failing.dropped { 0 } else { SHOWN });
    let mut shown: Vec<Case<'_>> = after.into_iter().chain(suspects).filter_map(at).collect();
    if shown.is_empty() {
        shown.push(known);
    }
    finding.wire = shown.iter().flat_map(Case::wire).collect();
    finding.shown_by =
        shown.iter().filter_map(|case| Some(case.exchange.send.probe.as_ref()?.scenario.clone())).collect();
    (finding.place, finding.tool) = (None, None);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Probe};
    use verdict::{Intent, Revision, Transport};

    use super::ANSWERED;
    use crate::testing::Script;

    fn list(script: Script, id: u32, status: u16) -> Script {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        let result = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[]}}}}"#);
        let body = if status == 200 { result.as_str() } else { "Internal Server Error" };
        let headers: &[_] = if status == 200 { &[("content-type", "application/json")] } else { &[] };
        let script = script.request("POST", Intent::BesideDropped, json!({"when": "afterwards"}), &[], &text);
        script.respond(status, headers, body)
    }

    /// A list, something that ends badly, and the list again and again.
    fn broken(revision: Revision, left: Option<Intent>) -> Script {
        let script = list(Script::over(Transport::Http, revision, json!({"tools": {}})), 70, 200);
        let call = r#"{"jsonrpc":"2.0","id":71,"method":"tools/call","params":{"name":"a"}}"#;
        let script = script.request("POST", Intent::StreamDropped, Value::Null, &[], call);
        let channel = script.last_channel();
        let script = match left {
            Some(how) => script.add(Kind::Probe(Probe::new("session", how, json!({"channel": channel})))),
            None => script.respond(500, &[], "Internal Server Error"),
        };
        list((72..75).fold(script, |script, id| list(script, id, 500)).bare(), 75, 500)
    }

    #[test]
    fn a_server_that_fails_everything_from_some_point_on_breaks_one_requirement() {
        let script = broken(Revision::V2025_11_25, None);
        assert_eq!(script.fails(), [ANSWERED]);
        let verdict = script.verdict(ANSWERED);
        let finding = &verdict.findings[0];
        assert!(
            finding.fell && finding.actual == "HTTP status 500 to `tools/list` and to every later request",
            "{finding:?}"
        );
        assert!(finding.wire.iter().any(|line| line.contains("tools/call")), "{:?}", finding.wire);
    }

    #[test]
    fn where_a_closed_stream_broke_it_that_is_said() {
        for how in [Intent::Forsaken, Intent::HungUp] {
            assert_eq!(
                broken(Revision::V2026_07_28, Some(how)).fails(),
                ["cancellation.http-disconnect-harmless", ANSWERED]
            );
            assert_eq!(broken(Revision::V2025_11_25, Some(how)).fails(), [ANSWERED]);
        }
    }

    /// Requests that are under way when the server ends, and some that reach nobody.
    fn ended(under_way: &[&str]) -> Script {
        let ask = |script: Script, id: usize, method: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
            script.request("POST", Intent::Walk, Value::Null, &[], &text)
        };
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
        let mut script = list(script, 70, 200);
        for (at, method) in under_way.iter().enumerate() {
            script = ask(script, 80 + at, method);
        }
        let last = script.last_channel();
        for channel in (0..under_way.len()).map(|at| last - u32::try_from(at).expect("few")) {
            script = script.ends_on(channel, Some("the connection was reset"));
        }
        for id in 90..94 {
            script = ask(script, id, "tools/list");
            let channel = script.last_channel();
            script = script.ends_on(channel, Some("no connection: Connection refused"));
        }
        script
    }

    #[test]
    fn a_server_that_ended_is_never_in_order() {
        let several = ended(&["tools/list", "ping"]);
        assert_eq!(several.fails(), [ANSWERED]);
        let finding = &several.verdict(ANSWERED).findings[0];
        assert!(finding.fell && finding.under_way == 2, "{finding:?}");
        assert_eq!(ended(&["tools/list"]).verdict(ANSWERED).findings[0].under_way, 1);
        let idle = ended(&[]);
        assert_eq!(idle.fails(), [ANSWERED]);
        assert!(!idle.verdict(ANSWERED).findings[0].fell);
    }
}
