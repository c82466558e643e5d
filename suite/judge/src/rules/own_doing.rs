//! What the tester itself did that explains how an exchange ended. Whatever a server says of a request that was cancelled, or whose
//! connection or session the tester ended, is not judged as its answer to the request.

use crate::view::SESSION_ID;
use crate::{Case, Exchange};

/// Whether the tester called the request off, let go of its connection, or ended its session before the exchange was over.
pub(super) fn is_own_doing(case: &Case<'_>) -> bool {
    case.is_called_off() || case.exchange.aborted.is_some() || is_session_ended(case)
}

/// Whether the tester cancelled it by a notification, early or late.
pub(super) fn is_cancelled(case: &Case<'_>) -> bool {
    case.exchange.cancelled.is_some()
}

/// Whether the tester ended the session that a response belongs to before the response had ended.
pub(super) fn is_session_ended(case: &Case<'_>) -> bool {
    let owner = case.sent_header(SESSION_ID).or_else(|| case.header(SESSION_ID));
    let ends = |exchange: &&Exchange<'_>| exchange.seq != case.exchange.seq && exchange.session_id() == owner;
    let over = case.closed().map_or(u32::MAX, |closed| closed.seq);
    deletes(case).filter(ends).any(|exchange| exchange.seq < over)
}

/// Whether the tester had ended the session, or tried to, before this.
pub(super) fn is_after_end(case: &Case<'_>) -> bool {
    deletes(case).any(|exchange| exchange.seq < case.exchange.seq)
}

fn deletes<'v>(case: &Case<'v>) -> impl Iterator<Item = &'v Exchange<'v>> {
    case.session.deletes.iter().map(|at| &case.session.exchanges[*at])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::is_own_doing;
    use crate::testing::Script;

    fn doings(script: &Script, method: &str) -> Vec<bool> {
        script.look(|view| view.calls(method).map(|case| is_own_doing(&case)).collect())
    }

    #[test]
    fn a_cancelled_call_is_the_testers_doing_whatever_it_is_answered() {
        let schema = json!({"type": "object"});
        let tools = json!({"result": {"tools": [{"name": "slow", "inputSchema": schema}]}});
        let mut script = Script::new(Revision::V2025_06_18, json!({"tools": {}})).plain("tools/list", json!({}), tools);
        let valid = verdict::Intent::ValidCall;
        script = script.unanswered(valid, "tools/call", json!({"name": "slow", "arguments": {}}));
        let sent = script.look(|view| {
            let call = view.calls("tools/call").next().expect("a call");
            call.sent().and_then(|message| message.member("id")).cloned()
        });
        let id: Value = sent.expect("an id");
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        let script = script.raw_plain(&cancel.to_string());
        let answer = json!({"jsonrpc": "2.0", "id": id, "error": {"code": 0, "message": "Request cancelled"}});
        let script = script.says_json(&answer);
        assert_eq!(doings(&script, "tools/call"), [true]);
        assert_ne!(script.status_of("tools.error.execution-in-result"), Status::Fail);
        assert_eq!(script.status_of("practice.errors.standard-codes"), Status::NotObserved);
    }
}
