//! Log messages of 2026-07-28: only for requests that asked, at the level they asked for, before the response, on its stream.
//!
//! Over HTTP a message belongs to the request on whose response it comes. On stdio it carries no reference: it is
//! judged by the requests that were under way.

use verdict::{Intent, Transport};
use wire::mcp::{LOG_LEVELS, meta};

use super::{LOG_LEVEL, gravity, logs, rank};
use crate::rules::during::{
    answer, carrier, frame_finding, is_listen, lingering_at, meta, open_at, param, request, told_of,
};
use crate::{Collector, Exchange, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "logging/asked",
    judges: &[
        "logging.per-request.opt-in",
        "logging.per-request.threshold",
        "logging.per-request.before-response",
        "logging.per-request.same-stream",
        "logging.per-request.not-on-listen",
        "logging.per-request.not-sticky",
    ],
    judge,
};

const OPT_IN: &str = "logging.per-request.opt-in";
const THRESHOLD: &str = "logging.per-request.threshold";
const BEFORE: &str = "logging.per-request.before-response";
const STREAM: &str = "logging.per-request.same-stream";
const LISTEN: &str = "logging.per-request.not-on-listen";
const STICKY: &str = "logging.per-request.not-sticky";

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.revision.is_handshake() {
        return;
    }
    for session in view.judged() {
        for log in logs(session) {
            if on_listen(session, log, collector) {
                continue;
            }
            match view.transport {
                Transport::Stdio => on_pipe(session, log, collector),
                _ => on_stream(session, log, collector),
            }
        }
    }
    if view.declares("logging") {
        check_witnesses(view, collector);
    }
}

/// Requests that did not ask, of a server that could have logged.
fn check_witnesses(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| request(case.exchange).is_some() && case.answer().is_some()) {
        if requested_rank(case.exchange).is_none() {
            collector.witness(OPT_IN);
        }
    }
    let after = view.probes(Intent::LogAfter).filter(|case| case.answer().is_some()).count();
    collector.witness_times(STICKY, u32::try_from(after).unwrap_or(u32::MAX));
}

fn requested_rank(exchange: &Exchange<'_>) -> Option<usize> {
    rank(meta(exchange, LOG_LEVEL))
}

fn on_listen(session: &Session<'_>, log: &Incoming<'_>, collector: &mut Collector) -> bool {
    let tagged = param(log, "_meta").is_some_and(|meta| meta.get(meta::SUBSCRIPTION_ID).is_some());
    if tagged || carrier(session, log).is_some_and(is_listen) {
        let message = "A log message arrives on a subscription, which carries only change notifications.";
        let expected = "log messages with the response to the request that asked for them";
        collector.fail(LISTEN, frame_finding(log, message, expected, "a log message on subscriptions/listen"));
        return true;
    }
    let listens =
        |exchange: &Exchange<'_>| is_listen(exchange) && exchange.seq < log.seq && exchange.answers.is_empty();
    if session.exchanges.iter().any(listens) {
        collector.witness(LISTEN);
    }
    false
}

fn on_stream(session: &Session<'_>, log: &Incoming<'_>, collector: &mut Collector) {
    let Some(request) = carrier(session, log) else { return };
    let Some(level) = requested_rank(request) else {
        let other = open_at(session, log.seq).any(|open| open.seq != request.seq && requested_rank(open).is_some());
        return check_unasked(request, log, other, collector);
    };
    collector.witness(STREAM);
    if answer(session, request).is_some_and(|answer| answer.seq < log.seq) {
        return check_late(request, log, collector);
    }
    collector.witness(BEFORE);
    check_threshold(request, log, level, collector);
}

fn on_pipe(session: &Session<'_>, log: &Incoming<'_>, collector: &mut Collector) {
    let open: Vec<&Exchange<'_>> = open_at(session, log.seq).collect();
    let lowest =
        open.iter().copied().filter(|open| requested_rank(open).is_some()).min_by_key(|open| requested_rank(open));
    if let Some((request, level)) = lowest.and_then(|open| Some((open, requested_rank(open)?))) {
        collector.witness(BEFORE);
        return check_threshold(request, log, level, collector);
    }
    // What a cancelled request asked for may still have been on its way.
    if lingering_at(session, log.seq).any(|request| requested_rank(request).is_some()) {
        return;
    }
    let before =
        session.exchanges.iter().rfind(|exchange| exchange.seq < log.seq && requested_rank(exchange).is_some());
    match (open.as_slice(), before) {
        ([], Some(request)) => check_late(request, log, collector),
        ([one], _) => check_unasked(one, log, false, collector),
        _ => {
            let message = "A log message arrives although no request in flight asked for any.";
            collector.fail(
                OPT_IN,
                frame_finding(log, message, "no log messages without a logLevel in the request", "a log message"),
            );
        }
    }
}

fn check_unasked(request: &Exchange<'_>, log: &Incoming<'_>, other: bool, collector: &mut Collector) {
    let sticky = request.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::LogAfter);
    let expected = "no log messages for a request without io.modelcontextprotocol/logLevel";
    let mut tell = |id, message| collector.fail(id, told_of(request, log, message, expected, "a log message"));
    if other {
        let message =
            "A log message arrives on the response to a request that did not ask for any, while another request did.";
        return tell(STREAM, message);
    }
    if sticky {
        tell(STICKY, "The log level of one request is applied to the next.");
    }
    tell(OPT_IN, "A log message arrives for a request that did not ask for any.");
}

fn check_late(request: &Exchange<'_>, log: &Incoming<'_>, collector: &mut Collector) {
    let message = "A log message for a request arrives after its response.";
    collector.fail(BEFORE, told_of(request, log, message, "log messages before the response", "one after it"));
}

fn check_threshold(request: &Exchange<'_>, log: &Incoming<'_>, level: usize, collector: &mut Collector) {
    let Some(found) = gravity(log) else { return };
    if level == 0 {
        return;
    }
    collector.check(THRESHOLD, found >= level, || {
        let message = "A log message is below the level that the request asked for.";
        let expected = format!("messages of level {} and above", LOG_LEVELS[level]);
        told_of(request, log, message, &expected, "a message of a lower level")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{BEFORE, LISTEN, OPT_IN, STICKY, STREAM, THRESHOLD};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}, "logging": {}}))
    }

    fn params(level: Option<&str>) -> Value {
        let mut params = json!({"name": "x", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
        if let Some(level) = level {
            params["_meta"][super::LOG_LEVEL] = json!(level);
        }
        params
    }

    fn message(level: &str) -> Value {
        json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": level, "data": 1}})
    }

    fn log(script: Script, level: &str) -> Script {
        script.says_json(&message(level))
    }

    fn call(mut script: Script, intent: Intent, level: Option<&str>, logs: &[&str]) -> Script {
        script.ask(Some((intent, Value::Null)), "tools/call", params(level));
        let mut script = logs.iter().fold(script, |script, level| log(script, level));
        script.answer(json!({"result": {"resultType": "complete", "content": []}}));
        script
    }

    #[test]
    fn messages_come_for_who_asked_and_at_their_level() {
        let script = call(start(), Intent::LogRequestCall, Some("error"), &["error", "alert"]);
        assert!(script.fails_in("logging").is_empty());
        assert_eq!((script.status_of(THRESHOLD), script.status_of(BEFORE)), (Status::Pass, Status::Pass));
        assert_eq!(call(start(), Intent::LogRequestCall, Some("error"), &["info"]).fails_in("logging"), [THRESHOLD]);
    }

    #[test]
    fn nobody_else_gets_any() {
        assert_eq!(call(start(), Intent::Unknown, None, &["error"]).fails_in("logging"), [OPT_IN]);
        assert_eq!(call(start(), Intent::Unknown, None, &[]).status_of(OPT_IN), Status::Pass);
        let first = call(start(), Intent::LogRequestCall, Some("debug"), &["error"]);
        assert_eq!(call(first, Intent::LogAfter, None, &["error"]).fails_in("logging"), [OPT_IN, STICKY]);
    }

    #[test]
    fn none_comes_late() {
        let script = log(call(start(), Intent::LogRequestCall, Some("debug"), &[]), "info");
        assert_eq!(script.fails_in("logging"), [BEFORE]);
    }

    #[test]
    fn what_a_cancelled_request_asked_for_may_be_on_its_way() {
        let params = params(Some("debug"));
        let script = start().raw(Intent::LogRequestCall, Value::Null, &asks(70, &params));
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 70}});
        let script = script.raw_plain(&cancel.to_string()).raw_plain(&asks(71, &self::params(None)));
        let crossed = log(script, "info");
        assert!(crossed.fails_in("logging").is_empty());
        let answer = json!({"jsonrpc": "2.0", "id": 71, "result": {"content": [], "resultType": "complete"}});
        let after = crossed.says_json(&answer).raw_plain(&asks(72, &self::params(None)));
        assert_eq!(log(after, "info").fails_in("logging"), [OPT_IN]);
    }

    fn asks(id: u32, params: &Value) -> String {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    }

    #[test]
    fn none_comes_on_a_subscription() {
        let mut tagged = message("info");
        tagged["params"]["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": 9});
        assert_eq!(start().says_json(&tagged).fails_in("logging"), [LISTEN]);
    }

    #[test]
    fn over_http_each_stays_on_its_stream() {
        let post = |script: Script, id: u32, level: Option<&str>| {
            let text = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params(level)}).to_string();
            let script = script.request("POST", Intent::LogPair, Value::Null, &[], &text);
            script.head(200, &[("content-type", "text/event-stream")])
        };
        let start = || Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}, "logging": {}}));
        let pair = || {
            let asking = post(start(), 70, Some("debug"));
            let channel = asking.last_channel();
            (post(asking, 71, None), channel)
        };
        let text = message("info").to_string();
        let (script, asking) = pair();
        assert_eq!(script.sse_on(asking, None, None, &text).status_of(STREAM), Status::Pass);
        let (script, _) = pair();
        assert_eq!(script.sse(&text).fails_in("logging"), [STREAM]);
    }
}
