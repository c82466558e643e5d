//! `initialize` that lacks a required member.
//!
//! In a session that an earlier one has opened it may be refused for being the second, so it proves a wrong code only
//! if a well-formed second one was served there. Over HTTP a body that is not recognised as initialize is a request
//! without session: not judged.

use verdict::Key;
use wire::mcp::code;

use super::handshake::{Greeting, greetings};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "lifecycle/fields",
    judges: &["lifecycle.initialize.missing-fields-code", "lifecycle.initialize.missing-fields-refused"],
    judge,
};

const CODE: &str = RULE.judges[0];
const REFUSED: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let all = greetings(view);
    for greeting in all.iter().filter(|greeting| greeting.is_ill_formed()) {
        let unrecognised = greeting.case.status().is_some_and(|status| (400..500).contains(&status));
        if greeting.case.result().is_some() {
            collector.fail(
                REFUSED,
                placed_finding(greeting, "initialize without a required member is accepted.", "an error"),
            );
        } else if greeting.case.error().is_some() {
            collector.witness(REFUSED);
            match greeting.case.error_code() {
                Some(code::INVALID_PARAMS) => collector.witness(CODE),
                Some(code::INVALID_REQUEST) => {
                    collector.note(CODE, "malformed initialize params are refused with -32600")
                }
                _ if unrecognised => {}
                _ => wrong_code(greeting, &all, collector),
            }
        }
    }
}

fn wrong_code(greeting: &Greeting<'_>, all: &[Greeting<'_>], collector: &mut Collector) {
    let (session, at) = (greeting.case.session.id, greeting.case.exchange.seq);
    let served = |other: &&Greeting<'_>| other.case.session.id == session && other.case.result().is_some();
    let open = all.iter().filter(served).any(|other| other.case.exchange.seq < at);
    let reopens = all.iter().filter(served).any(|other| !other.first && !other.is_ill_formed());
    if !open || reopens {
        let message = "Malformed initialize params are refused with a code other than -32602.";
        collector.fail(CODE, greeting.case.finding(message, "error -32602 (invalid params)"));
    } else {
        collector.not_observed(CODE, "a second initialize is refused, regardless of its params");
    }
}

fn placed_finding(greeting: &Greeting<'_>, message: &str, expected: &str) -> verdict::Finding {
    let place = match greeting.case.about_str(Key::Kind) {
        Some("no-version") => "protocolVersion missing",
        Some("no-capabilities") => "capabilities missing",
        Some("no-client-info") => "clientInfo missing",
        Some("no-params") => "params missing",
        Some("version-number") => "protocolVersion a number",
        _ => "initialize",
    };
    verdict::Finding { place: Some(place.to_owned()), ..greeting.case.finding(message, expected) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{CODE, REFUSED};
    use crate::testing::Script;

    fn ill(script: Script, answer: Value) -> Script {
        let about = json!({"kind": "no-client-info"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
        script.probe_about(Intent::InitializeIllFormed, about, "initialize", params, answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({})).bare()
    }

    #[test]
    fn invalid_params_pass_and_invalid_request_is_noted() {
        let script = ill(start(), error(-32602));
        assert_eq!((script.status_of(CODE), script.status_of(REFUSED)), (Status::Pass, Status::Pass));
        let script = ill(start(), error(-32600));
        assert_eq!((script.status_of(CODE), script.verdict(CODE).notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn another_code_fails() {
        assert_eq!(ill(start(), error(-32603)).fails(), [CODE]);
    }

    #[test]
    fn a_second_initialize_may_be_refused_for_being_the_second() {
        let script = Script::new(Revision::V2025_11_25, json!({}));
        assert_eq!(ill(script, error(-32000)).status_of(CODE), Status::NotObserved);
    }

    #[test]
    fn a_second_initialize_counts_where_a_second_one_is_served() {
        let script = Script::new(Revision::V2025_11_25, json!({}));
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let result = json!({"result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}});
        assert_eq!(ill(script.plain("initialize", params, result), error(-32603)).fails(), [CODE]);
    }

    #[test]
    fn a_result_is_leniency() {
        let result = json!({"result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}});
        assert_eq!(ill(start(), result).fails(), [REFUSED]);
    }

    #[test]
    fn over_http_a_refusal_of_an_unrecognised_body_is_not_judged() {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({})).bare();
        let script = ill(script, error(-32000)).status(400);
        assert_eq!(script.status_of(CODE), Status::NotObserved);
    }
}
