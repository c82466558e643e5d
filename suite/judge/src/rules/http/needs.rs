//! Features that a server does not offer over HTTP, so that requirements about them do not apply: session ids, streams, event ids.

use super::common::{events, is_listening, is_stream};
use super::session::are_kept;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "http/needs", judges: &[], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.cases().all(|case| case.status().is_none()) {
        return;
    }
    let posted = |case: &crate::Case<'_>| case.http() == Some("POST") && is_stream(case);
    let streams = view.cases().any(|case| posted(&case));
    let ids = view.cases().any(|case| events(&case).any(|event| event.id.is_some()));
    let listened: Vec<_> = view.cases().filter(is_listening).filter_map(|case| case.status()).collect();
    let refused = !listened.is_empty() && listened.iter().all(|status| *status == 405);
    let lacks = [
        ("session", !are_kept(view), "the server assigns no session ids"),
        ("sse-reply", !streams, "no request was answered with a stream: the server answers with JSON"),
        ("event-ids", !ids, "the server's events have no ids"),
        ("get-stream", refused, "the server offers no GET stream: it answers GET with 405"),
    ];
    for requirement in verdict::requirements() {
        let missing = lacks.iter().find(|(need, lacking, _)| *lacking && requirement.needs.contains(need));
        if let Some((_, _, why)) = missing {
            collector.not_applicable(requirement.id, *why);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use verdict::{Revision, Status};

    use super::super::scripts::{OWN, open, opened, result};

    #[test]
    fn what_is_not_offered_does_not_apply() {
        let plain = opened(Revision::V2025_11_25, None).ping(7, None, Value::Null, (200, &result(7)));
        let plain = plain.request("GET", None, Value::Null, OWN, "").respond(405, &[], "");
        let lacking = [
            "http.session.terminated-404",
            "http.sse.priming-event",
            "http.resume.event-id-unique",
            "http.get.no-responses",
        ];
        assert!(lacking.iter().all(|id| plain.status_of(id) == Status::NotApplicable));
        let rich = open(Revision::V2025_11_25).streamed(7, &[&result(7)]);
        assert_eq!(rich.status_of("http.session.terminated-404"), Status::NotObserved);
    }
}
