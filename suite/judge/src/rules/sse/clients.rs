//! Several clients, at the same time and one after the other.
//!
//! Sessions with the purpose `sse/clients` were opened side by side while the main session was open; those with the
//! purpose `sse/after` once another one had been closed.

use verdict::probes::values::After;
use verdict::{Finding, Intent, Key};

use super::common::{AFTER, CLIENTS, posted, refusal, stream};
use crate::{Case, Collector, Rule, Session, View};

const MANY: &str = "sse.multi.concurrent-clients";
const OWN: &str = "sse.multi.responses-to-own-stream";
const LEAVE: &str = "sse.shutdown.disconnect-ends-session";

pub(super) const RULE: Rule = Rule { name: "sse/clients", judges: &[MANY, OWN, LEAVE], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    let purpose = |session: &&Session<'_>, purpose: &str| session.open.purpose == purpose;
    for session in view.sessions.iter().filter(|session| purpose(session, CLIENTS)) {
        let told = "A client that connects while another one is connected is not served.";
        check_greeted(view, session, MANY, told, "several clients are served at the same time", collector);
    }
    for session in view.sessions.iter().filter(|session| purpose(session, AFTER)) {
        let told = "After a client closes its stream, the server does not serve a new one.";
        check_greeted(view, session, LEAVE, told, "only the session of that client ends", collector);
    }
    for case in view.probes(Intent::OwnStream).filter(Case::is_decided) {
        check_own(&case, collector);
    }
    for case in view.probes(Intent::Bystander).filter(Case::is_decided) {
        check_bystander(&case, collector);
    }
    for session in view.judged() {
        check_gone(view, session, collector);
    }
}

/// Whether a new client got its stream and its handshake.
fn check_greeted(
    view: &View<'_>,
    session: &Session<'_>,
    id: &'static str,
    told: &str,
    expected: &str,
    collector: &mut Collector,
) {
    if session.revision.is_some() {
        return collector.witness(id);
    }
    let Some(stream) = stream(view, session) else { return };
    let finding = |actual: String| {
        let mut finding = stream.finding(told, expected);
        finding.actual = actual;
        finding
    };
    if let Some(status) = posted(&stream).filter(|status| !(200..300).contains(status)) {
        // A limit on connections is a matter of configuration.
        return if status == 429 {
            collector.not_observed(id, "the server limits how often a client may connect");
        } else {
            collector.fail(id, finding(format!("the stream is refused with HTTP status {status}")));
        };
    }
    if matches!(refusal(session), Some("no-event" | "no-stream")) {
        return collector.suspect(id, &stream, finding("its stream never announces where to post".to_owned()));
    }
    if session.probes.iter().any(|(_, probe)| probe.intent == Intent::NotGreeted) {
        return collector.suspect(id, &stream, finding("no handshake within the time limit".to_owned()));
    }
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let Some(initialize) = cases.into_iter().find(|case| case.method() == Some("initialize")) else { return };
    if initialize.is_decided() && initialize.result().is_none() {
        collector.suspect(id, &stream, finding(format!("initialize gets {}", initialize.outcome())));
    }
}

fn check_own(case: &Case<'_>, collector: &mut Collector) {
    let finding = |actual: &str| -> Finding {
        let mut finding = case.finding(
            "A response goes to a client other than the one that asked: clients get the wrong response, or wait forever.",
            "the response on the stream of the client that asked, and on no other",
        );
        finding.actual = actual.to_owned();
        finding
    };
    let member = case.about_str(Key::Member);
    let fits = |result: &serde_json::Value| match member {
        Some(member) => result.get(member).is_some(),
        None => result.as_object().is_some_and(|members| members.keys().all(|key| key == "_meta")),
    };
    let answers = case.answers().filter_map(|answer| answer.message()?.result());
    let (good, foreign): (Vec<_>, Vec<_>) = answers.partition(|result| fits(result));
    let unknown = |member: &str| !case.view.gives(case.method().unwrap_or_default(), member);
    if !foreign.is_empty() && member.is_some_and(unknown) {
        // No list of this server can be told from something else.
    } else if !foreign.is_empty() {
        collector.fail(OWN, finding("the response to another client's request with the same id"));
    } else if !good.is_empty() {
        collector.witness(OWN);
    } else if case.reply().is_none() && strayed(case) {
        collector.fail(OWN, finding("the response is on another client's stream"));
    }
}

/// An answer with this id came in another session that had not asked with it, or came there once more.
fn strayed(case: &Case<'_>) -> bool {
    let key = case.sent().and_then(|message| message.id.as_ref()).and_then(wire::Id::key);
    let others = case.view.sessions.iter().filter(|session| session.id != case.session.id);
    others.into_iter().any(|session| {
        let came = session.incoming.iter().filter(|incoming| incoming.is_answer() && incoming.seq > case.exchange.seq);
        let same = |incoming: &&crate::Incoming<'_>| {
            incoming.message().and_then(|message| message.id.as_ref()).and_then(wire::Id::key) == key
        };
        let asked = session.exchanges.iter().filter(|exchange| {
            exchange.parsed.messages().iter().any(|message| message.id.as_ref().and_then(wire::Id::key) == key)
        });
        came.filter(same).count() > asked.count()
    })
}

fn claim(after: Option<After>) -> (&'static str, &'static str) {
    match after {
        Some(After::Leaving) => (LEAVE, "After one client closes its stream, another one is no longer served."),
        Some(After::Clients) | None => (MANY, "After more clients connect, the first one is no longer served."),
    }
}

/// The server has ended the stream of the client that was there before.
fn check_gone(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    for (_, probe) in session.probes.iter().filter(|(_, probe)| probe.intent == Intent::BystanderGone) {
        let (id, told) = claim(probe.value());
        let Some(stream) = stream(view, session) else { continue };
        let mut finding = stream.finding(told, "the other clients are not affected");
        finding.actual = "its stream has ended".to_owned();
        collector.fail(id, finding);
    }
}

/// The client that was there before.
fn check_bystander(case: &Case<'_>, collector: &mut Collector) {
    let (id, told) = claim(case.value());
    if case.reply().is_some() {
        return collector.witness(id);
    }
    let finding = case.finding(told, "the other clients are not affected");
    collector.fail_or_suspect(id, case, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{LEAVE, MANY, OWN};
    use crate::testing::Script;

    const V: Revision = Revision::V2024_11_05;

    fn script() -> Script {
        Script::over(Transport::Sse, V, json!({"tools": {}}))
    }

    fn another(script: Script, purpose: &str) -> Script {
        let uri = format!("/m?s={purpose}-{}", script.last_channel());
        script.and_streaming(purpose).streams().tells("endpoint", &uri).greets(json!({"tools": {}}))
    }

    fn asked(script: Script, member: Value, method: &str) -> Script {
        let text = json!({"jsonrpc": "2.0", "id": "same", "method": method}).to_string();
        script.raw(Intent::OwnStream, json!({"member": member}), &text)
    }

    const PONG: &str = r#"{"jsonrpc":"2.0","id":"same","result":{}}"#;
    const LIST: &str = r#"{"jsonrpc":"2.0","id":"same","result":{"tools":[]}}"#;

    #[test]
    fn clients_beside_each_other_and_after_one_another_pass() {
        let script = another(another(script(), "sse/clients"), "sse/after").resume(0);
        let script = script.probe_about(
            Intent::Bystander,
            json!({"after": "clients"}),
            "ping",
            json!({}),
            json!({"result": {}}),
        );
        assert!(script.fails().is_empty(), "{:?}", script.fails());
        assert_eq!((script.status_of(MANY), script.status_of(LEAVE)), (Status::Pass, Status::Pass));
    }

    #[test]
    fn a_stream_that_is_refused_fails_and_a_rate_limit_does_not() {
        for (purpose, id) in [("sse/clients", MANY), ("sse/after", LEAVE)] {
            let refused = |status| script().and_streaming(purpose).head(status, &[]);
            assert_eq!(refused(503).fails_in("sse"), [id]);
            assert_eq!(refused(429).status_of(id), Status::NotObserved);
        }
    }

    #[test]
    fn a_handshake_without_answer_fails_when_it_happens_again() {
        let silent = |script: Script, purpose| {
            let script = script.and_streaming(purpose).streams().tells("endpoint", &format!("/m?s={purpose}"));
            script.unanswered_plainly("initialize", json!({})).gave_up()
        };
        assert_eq!(silent(script(), "sse/clients").status_of(MANY), Status::Inconclusive);
        let late = |script: Script, purpose| {
            let script = script.and_streaming(purpose).streams().tells("endpoint", "/m?s=late");
            script.means(Intent::NotGreeted, json!({}))
        };
        assert_eq!(late(script(), "sse/clients").status_of(MANY), Status::Inconclusive);
    }

    #[test]
    fn a_bystander_that_is_cut_off_fails() {
        let cut = |after: &str| {
            let script = script().raw(
                Intent::Bystander,
                json!({"after": after}),
                r#"{"jsonrpc":"2.0","id":80,"method":"ping"}"#,
            );
            script.ends_on(1, None).fails_in("sse")
        };
        assert_eq!(cut("clients"), [MANY]);
        assert_eq!(cut("leaving"), [LEAVE]);
        let gone = |after: &str| {
            script().ends_on(1, None).means(Intent::BystanderGone, json!({"after": after})).fails_in("sse")
        };
        assert_eq!((gone("clients"), gone("leaving")), (vec![MANY], vec![LEAVE]));
    }

    #[test]
    fn the_same_id_in_two_sessions_is_answered_to_each() {
        let one = asked(another(script(), "sse/clients"), Value::Null, "ping").says(PONG);
        let both = asked(another(one, "sse/clients"), json!("tools"), "tools/list").says(LIST);
        assert_eq!(both.status_of(OWN), Status::Pass);
    }

    #[test]
    fn answers_that_change_places_fail() {
        let one = asked(another(script(), "sse/clients"), Value::Null, "ping").says(LIST);
        let both = asked(another(one, "sse/clients"), json!("tools"), "tools/list").says(PONG);
        assert_eq!(both.fails_in("sse"), [OWN]);
    }

    #[test]
    fn an_answer_on_a_third_clients_stream_fails() {
        let asked = asked(another(script(), "sse/clients"), json!("tools"), "tools/list");
        let astray = asked.gave_up().resume(0).says(LIST);
        assert_eq!(astray.fails_in("sse"), [OWN]);
    }
}
