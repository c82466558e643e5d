//! Progress ends with the response, also when that is an error. Passive; judged on the channel that the response came on, for
//! streams may overtake each other.

use super::beat::{Beat, beats_of, token_of};
use crate::rules::during::{answer, request, told_of};
use crate::{Collector, Exchange, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "progress/after",
    judges: &["progress.stops-after-response", "progress.before-error-response"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for exchange in session.exchanges.iter().filter(|exchange| token_of(exchange).is_some() && !is_task(exchange)) {
            let Some(answer) = answer(session, exchange) else { continue };
            check_ends(session, exchange, answer, collector);
        }
    }
}

/// The progress of a task goes on after the response to the request that made it.
fn is_task(exchange: &Exchange<'_>) -> bool {
    request(exchange).and_then(|message| message.params()).is_some_and(|params| params.get("task").is_some())
}

fn check_ends(session: &Session<'_>, exchange: &Exchange<'_>, answer: &Incoming<'_>, collector: &mut Collector) {
    let beats = beats_of(session, exchange);
    let failed = answer.message().is_some_and(|message| {
        message.result().is_none_or(|result| result.get("isError").is_some_and(|error| error == true))
    });
    let id = if failed { "progress.before-error-response" } else { "progress.stops-after-response" };
    if beats.is_empty() {
        return;
    }
    let late =
        |beat: &&Beat<'_>| beat.incoming.seq > answer.seq && beat.incoming.receive.channel == answer.receive.channel;
    let Some(beat) = beats.iter().find(late) else { return collector.witness(id) };
    let message = if failed {
        "Progress arrives for a request that was already answered with an error."
    } else {
        "Progress arrives for a request that was already answered, so clients show finished work as running."
    };
    let mut finding =
        told_of(exchange, beat.incoming, message, "nothing after the response", "progress after the response");
    finding.wire.insert(1, answer.wire());
    collector.fail(id, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const STOPS: &str = "progress.stops-after-response";
    const ERROR: &str = "progress.before-error-response";

    fn beat(script: Script, progress: i32) -> Script {
        let params = json!({"progressToken": "a", "progress": progress});
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
    }

    fn call(params: Value, answer: Value, late: bool) -> Script {
        let mut script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.ask(None, "tools/call", params);
        let mut script = beat(script, 1);
        script.answer(answer);
        if late { beat(script, 2) } else { script }
    }

    fn params() -> Value {
        json!({"name": "slow", "_meta": {"progressToken": "a"}})
    }

    #[test]
    fn progress_before_the_response_passes_and_after_it_fails() {
        let result = json!({"result": {"content": []}});
        assert_eq!(call(params(), result.clone(), false).status_of(STOPS), Status::Pass);
        assert_eq!(call(params(), result, true).fails(), [STOPS]);
    }

    #[test]
    fn the_same_holds_for_errors() {
        for answer in [
            json!({"error": {"code": -32603, "message": "no"}}),
            json!({"result": {"content": [{"type": "text", "text": "It failed."}], "isError": true}}),
        ] {
            assert_eq!(call(params(), answer.clone(), false).status_of(ERROR), Status::Pass);
            assert_eq!(call(params(), answer, true).fails_in("progress"), [ERROR]);
        }
    }

    #[test]
    fn a_task_may_go_on() {
        let params = json!({"name": "slow", "task": {}, "_meta": {"progressToken": "a"}});
        let task = json!({"taskId": "t", "status": "working", "createdAt": "2026-01-01T00:00:00Z",
            "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": null});
        let script = call(params, json!({"result": {"task": task}}), true);
        assert!(script.fails_in("progress").is_empty());
    }
}
