//! Progress comes only for requests that asked for it, under their token as it was sent, on their stream, and in moderation.
//!
//! Passive.

use verdict::{Intent, Transport};

use super::beat::{Beat, beats, beats_of, same, token_of, twins};
use crate::rules::during::{carrier, frame_finding, is_listen, told_of};
use crate::{Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "progress/wanted",
    judges: &[
        "progress.only-when-requested",
        "progress.token-echo",
        "progress.same-stream",
        "progress.rate-limited",
        "subscriptions.notifications.not-request-scoped",
    ],
    judge,
};

/// More than a hundred a second for as long as the tester waits: beyond this nobody can call it limited.
const FLOOD: usize = 600;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for beat in beats(session) {
            check_token(session, &beat, collector);
            if view.transport == Transport::Http && view.revision.is_stateless() {
                check_stream(session, &beat, collector);
            }
        }
        for exchange in session.exchanges.iter().filter(|exchange| token_of(exchange).is_some()) {
            let beats = beats_of(session, exchange);
            let Some(last) = beats.last() else { continue };
            collector.check("progress.rate-limited", beats.len() <= FLOOD, || {
                let message = "One request triggers a flood of progress notifications, which buries everything else.";
                told_of(exchange, last.incoming, message, "some a second", format!("more than {FLOOD} for one request"))
            });
        }
    }
    let unasked = view.probes(Intent::ProgressNone).filter(|case| case.answer().is_some()).count();
    collector.witness_times("progress.only-when-requested", u32::try_from(unasked).unwrap_or(u32::MAX));
}

fn check_token(session: &Session<'_>, beat: &Beat<'_>, collector: &mut Collector) {
    if beat.request.is_some() {
        collector.witness("progress.only-when-requested");
        return collector.witness("progress.token-echo");
    }
    let before = || session.exchanges.iter().filter(|exchange| exchange.seq < beat.incoming.seq);
    if let Some(twin) = before().find(|exchange| token_of(exchange).is_some_and(|sent| twins(sent, beat.token))) {
        let message =
            "A progress notification carries the token with a different type, so the client does not recognise it.";
        let expected = "progressToken with the same type and value as in the request";
        return collector
            .fail("progress.token-echo", told_of(twin, beat.incoming, message, expected, "a different type"));
    }
    // A token whose form is unusual may have been changed on the way: then it is an echo gone wrong all the same.
    let message = "Progress arrives with a token that no request had, so clients cannot tell what it refers to.";
    let expected = "progress only for requests with a progressToken";
    collector.fail(
        "progress.only-when-requested",
        frame_finding(beat.incoming, message, expected, "a token that was never sent"),
    );
}

fn check_stream(session: &Session<'_>, beat: &Beat<'_>, collector: &mut Collector) {
    let (Some(request), Some(carrier)) = (beat.request, carrier(session, beat.incoming)) else { return };
    let own = carrier.seq == request.seq || token_of(carrier).is_some_and(|token| same(token, beat.token));
    collector.check("progress.same-stream", own, || {
        let message = "Progress arrives on a stream other than that of its request, where clients do not look for it.";
        told_of(request, beat.incoming, message, "on the response stream of the request", "on a different stream")
    });
    if is_listen(carrier) {
        let message = "Progress for a request arrives on a subscription stream.";
        let expected = "progress on the response stream of its request only";
        let finding =
            told_of(request, beat.incoming, message, expected, "progress on the stream of subscriptions/listen");
        collector.fail("subscriptions.notifications.not-request-scoped", finding);
    } else if session.exchanges.iter().any(|exchange| is_listen(exchange) && exchange.status.is_some()) {
        collector.witness("subscriptions.notifications.not-request-scoped");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const WANTED: &str = "progress.only-when-requested";
    const ECHO: &str = "progress.token-echo";
    const STREAM: &str = "progress.same-stream";

    fn call(token: Value) -> Script {
        let mut script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.ask(None, "tools/call", json!({"name": "slow", "_meta": {"progressToken": token}}));
        script
    }

    fn beat(script: Script, token: Value, progress: Value) -> Script {
        let params = json!({"progressToken": token, "progress": progress});
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
    }

    #[test]
    fn the_token_as_sent_passes() {
        for token in [json!("a"), json!(7), json!(0), json!("")] {
            let script = beat(call(token.clone()), token, json!(1));
            assert_eq!((script.status_of(WANTED), script.status_of(ECHO)), (Status::Pass, Status::Pass));
        }
    }

    #[test]
    fn another_type_fails_and_so_does_an_unknown_token() {
        assert_eq!(beat(call(json!(7)), json!("7"), json!(1)).fails(), [ECHO]);
        assert_eq!(beat(call(json!("7")), json!(7), json!(1)).fails(), [ECHO]);
        assert_eq!(beat(call(json!("a")), json!("b"), json!(1)).fails(), [WANTED]);
        let none = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        assert_eq!(beat(none, json!("a"), json!(1)).fails(), [WANTED]);
    }

    #[test]
    fn a_flood_is_one_however_large_the_steps() {
        let many = |count: i32| (1..=count).fold(call(json!("a")), |script, at| beat(script, json!("a"), json!(at)));
        assert_eq!(many(700).fails(), ["progress.rate-limited"]);
        assert_eq!(many(100).status_of("progress.rate-limited"), Status::Pass);
    }

    #[test]
    fn in_2026_it_comes_on_the_stream_of_its_request() {
        let beat = json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": "a", "progress": 1}})
        .to_string();
        let call = json!({"jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": {"name": "slow",
            "_meta": {"progressToken": "a", "io.modelcontextprotocol/protocolVersion": "2026-07-28"}}})
        .to_string();
        let listen = json!({"jsonrpc": "2.0", "id": 71, "method": "subscriptions/listen", "params": {}}).to_string();
        let events = [("content-type", "text/event-stream")];
        let start = || {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
            let script = script.request("POST", Intent::Unknown, Value::Null, &[], &listen).head(200, &events);
            let stream = script.last_channel();
            (script.request("POST", Intent::Unknown, Value::Null, &[], &call).head(200, &events), stream)
        };
        let (script, _) = start();
        let good = script.sse(&beat);
        assert_eq!(good.status_of(STREAM), Status::Pass);
        let (script, listen) = start();
        let bad = script.sse_on(listen, None, None, &beat);
        assert_eq!(bad.fails_in("progress"), [STREAM]);
        assert_eq!(bad.status_of("subscriptions.notifications.not-request-scoped"), Status::Fail);
    }
}
