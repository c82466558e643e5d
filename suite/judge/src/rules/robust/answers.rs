//! Whether the answer to an input is one that the key `expect` of its probe allows.

use serde_json::Value;
use verdict::probes::values::Expect;
use verdict::{Intent, Key};
use wire::Message;

use super::{about, window};
use crate::{Case, Collector, ExchangeEnd, Incoming};

pub(super) fn judge(case: &Case<'_>, of: &'static str, collector: &mut Collector) {
    match case.value() {
        Some(Expect::NoResult) => check_taken(case, of, |message| message.result().is_some(), collector),
        // A server to which any name is right has a finding of its own.
        Some(Expect::NoSuccess) if !case.view.probes(Intent::UnknownTool).any(|other| is_success(&other)) => {
            check_taken(case, of, |message| message.result().is_some_and(|result| !is_failure(result)), collector);
        }
        Some(Expect::One) => count(case, of, false, collector),
        Some(Expect::Once) => count(case, of, true, collector),
        Some(Expect::Exact) => check_exact(case, of, collector),
        Some(Expect::Pair) => check_pair(case, of, collector),
        // Anything will do, or a guard above did not hold; the others are those of `http/modern`.
        Some(Expect::NoSuccess | Expect::Any | Expect::Served | Expect::NoMismatch | Expect::Refused) | None => {}
    }
    if window(case).any(|incoming| is_polluted(incoming)) {
        let message = "A member injected into a request shows up in later answers: what one client sends changes what every other client gets.";
        collector.fail(of, about(case, message, "answers without it", "a member named polluted"));
    }
}

fn is_failure(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

fn is_success(case: &Case<'_>) -> bool {
    case.result().is_some_and(|result| !is_failure(result))
}

fn is_polluted(incoming: &Incoming<'_>) -> bool {
    incoming.message().and_then(Message::result).is_some_and(|result| result.get("polluted").is_some())
}

/// Answers with one of the ids that were sent.
fn answers_to_sent_ids<'v>(case: &Case<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    let ids: Vec<&str> =
        case.about(Key::Ids).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let session = case.session;
    let from = case.exchange.seq;
    session.incoming.iter().filter(move |incoming| {
        let id = incoming.message().and_then(|message| message.member("id")).map(Value::to_string);
        incoming.seq > from && incoming.is_answer() && id.is_some_and(|id| ids.contains(&id.as_str()))
    })
}

fn check_taken(case: &Case<'_>, of: &'static str, is_wrong: impl Fn(&Message) -> bool, collector: &mut Collector) {
    let mut answers = answers_to_sent_ids(case).chain(case.answers());
    if answers.any(|incoming| incoming.message().is_some_and(&is_wrong)) {
        let message = "The input is served as if it were an ordinary request.";
        collector.fail(of, about(case, message, "an error", "a result"));
    }
}

fn count(case: &Case<'_>, of: &'static str, exactly: bool, collector: &mut Collector) {
    let answers = answers_to_sent_ids(case).count();
    if answers > 1 {
        let message = "One message gets more than one answer, so clients mistake the second for something else.";
        collector.fail(of, about(case, message, "one answer", "more than one answer"));
    }
    let known = case.is_followed() && case.status().is_none_or(|status| status < 400);
    if exactly
        && answers == 0
        && known
        && case.answers().next().is_none()
        && matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::GaveUp)
    {
        let message = "A request is never answered although the server keeps running.";
        collector.fail(of, about(case, message, "one answer", "no answer"));
    }
}

/// A result that answers nothing, with another number for an id.
fn check_exact(case: &Case<'_>, of: &'static str, collector: &mut Collector) {
    let rounded = |message: &Message| {
        message.result().is_some() && matches!(message.id, Some(wire::Id::Integer(_) | wire::Id::Number(_)))
    };
    let stray = window(case).find(|incoming| incoming.answers.is_none() && incoming.message().is_some_and(rounded));
    if let Some(incoming) = stray.filter(|_| case.exchange.answers.is_empty()) {
        let message = "The id comes back as a different number, so the answer matches no request, or another one.";
        let mut finding = about(case, message, "the same id, or an error", "a different number");
        finding.wire.push(incoming.wire());
        collector.fail(of, finding);
    }
}

/// Said once, at the first of the two.
fn check_pair(case: &Case<'_>, of: &'static str, collector: &mut Collector) {
    let Some(member) = case.about_str(Key::Member) else { return };
    let twin = case.session.exchanges.iter().any(|later| {
        later.seq > case.exchange.seq
            && later
                .send
                .probe
                .as_ref()
                .is_some_and(|probe| Some(&probe.about) == case.exchange.send.probe.as_ref().map(|own| &own.about))
    });
    if !twin {
        return;
    }
    let answers: Vec<&Incoming<'_>> = answers_to_sent_ids(case).collect();
    let results = || answers.iter().filter_map(|incoming| incoming.message().and_then(Message::result));
    let lists = results().filter(|result| result.get(member).is_some()).count();
    let told = case.view.gives(case.method().unwrap_or_default(), member);
    if answers.len() > 2 || lists > 1 || told && results().count() - lists > 1 {
        let message = "Two requests in flight with the same id get answers that belong to only one of them.";
        collector
            .fail(of, about(case, message, "an answer to each, or an error for the second", "answers of one kind"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::Open;
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const OF: &str = "robust.numbers";

    fn script() -> Script {
        let open = Open {
            transport: Transport::Stdio,
            purpose: "robust".into(),
            revision: Some(Revision::V2026_07_28),
            confirm: false,
            outside: false,
            continues: None,
        };
        Script::new(Revision::V2026_07_28, json!({})).bare_as(open)
    }

    fn sent(expect: &str, id: &str) -> Script {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"server/discover\"}}");
        script().raw(
            Intent::Robust,
            json!({"of": OF, "kind": "k", "expect": expect, "ids": [id], "member": "tools"}),
            &text,
        )
    }

    fn alive(script: Script) -> Script {
        script.plain("server/discover", json!({}), json!({"result": {"supportedVersions": []}}))
    }

    fn result(id: &str, result: &str) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
    }

    fn error(id: &str) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32600,\"message\":\"x\"}}}}")
    }

    #[test]
    fn an_input_that_is_served_fails_and_one_that_is_refused_passes() {
        assert_eq!(alive(sent("no-result", "70").says(&result("70", "{}"))).fails_in("robust"), [OF]);
        assert_eq!(alive(sent("no-result", "70").says(&error("70"))).status_of(OF), Status::Pass);
        assert_eq!(
            alive(sent("no-success", "70").says(&result("70", "{\"isError\":true}"))).status_of(OF),
            Status::Pass
        );
        assert_eq!(alive(sent("no-success", "70").says(&result("70", "{}"))).fails_in("robust"), [OF]);
        assert_eq!(alive(sent("any", "70").says(&result("70", "{}"))).status_of(OF), Status::Pass);
    }

    #[test]
    fn two_answers_fail_and_none_where_one_is_owed() {
        let twice = alive(sent("one", "70").says(&result("70", "{}")).says(&error("70")));
        assert_eq!(twice.fails_in("robust"), [OF]);
        assert_eq!(alive(sent("one", "70")).status_of(OF), Status::Pass);
        assert_eq!(alive(sent("once", "70").says(&result("70", "{}"))).status_of(OF), Status::Pass);
        assert_eq!(alive(sent("once", "70").gave_up()).fails_in("robust"), [OF]);
    }

    #[test]
    fn a_rounded_id_fails() {
        let rounded = alive(sent("exact", "9007199254740993").says(&result("9007199254740992", "{}")));
        assert_eq!(rounded.fails_in("robust"), [OF]);
        assert_eq!(
            alive(sent("exact", "9007199254740993").says(&result("9007199254740993", "{}"))).status_of(OF),
            Status::Pass
        );
        assert_eq!(alive(sent("exact", "9007199254740993").says(&error("null"))).status_of(OF), Status::Pass);
    }

    #[test]
    fn two_lists_for_a_list_and_a_ping_fail() {
        let about = || json!({"of": OF, "kind": "k", "expect": "pair", "ids": ["70"], "member": "tools"});
        let both = |first: &str, second: &str| {
            let text = "{\"jsonrpc\":\"2.0\",\"id\":70,\"method\":\"server/discover\"}";
            let script = sent("pair", "70").raw(Intent::Robust, about(), text);
            alive(script.says(&result("70", first)).says(&result("70", second)))
        };
        assert_eq!(both("{\"tools\":[]}", "{\"tools\":[]}").fails_in("robust"), [OF]);
        assert_eq!(both("{\"tools\":[]}", "{}").status_of(OF), Status::Pass);
    }

    #[test]
    fn what_was_put_in_must_not_come_out_elsewhere() {
        let later = json!({"result": {"supportedVersions": [], "polluted": true}});
        assert_eq!(sent("any", "70").plain("server/discover", json!({}), later).fails_in("robust"), [OF]);
    }
}
