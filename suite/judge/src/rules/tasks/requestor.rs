//! Tasks that the server has its client work on: how often it asks after them, and how it gives them up. Passive; the scenario
//! `tasks/requestor` plays a client that can.

use std::time::Duration;

use serde_json::Value;
use wire::{Kind, Message};

use super::ledger::{is_over, status};
use crate::rules::during::{frame_finding, param};
use crate::{Collector, Exchange, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/requestor",
    judges: &["tasks.server-as-requestor.polling", "cancellation.sent.task-by-tasks-cancel"],
    judge,
};

const POLLING: &str = RULE.judges[0];
const CANCEL: &str = RULE.judges[1];
/// Of the interval; clocks and timers are not that exact.
const LEEWAY: f64 = 0.8;
/// Questions that may come at any time: the first one, and one more for good measure.
const FREE: usize = 2;
/// An answer takes no longer to arrive.
const UNDER_WAY: Duration = Duration::from_millis(500);

/// A request of the server that the client has made a task.
struct ClientTask<'v> {
    session: &'v Session<'v>,
    request: &'v Incoming<'v>,
    /// The client's answer to it.
    told: &'v Exchange<'v>,
    id: &'v str,
    /// Everything the client has said of the task.
    seen: Vec<(u32, &'v Value)>,
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for client_task in session.incoming.iter().filter_map(|incoming| client_task(session, incoming)) {
            check_polling(&client_task, collector);
            check_cancelling(&client_task, collector);
        }
    }
    let needs = "needs a tool that sends a task-augmented request to a client that supports tasks";
    collector.not_observed(POLLING, needs);
    collector.not_observed(
        CANCEL,
        format!("{needs}, and the time after which it gives up: server_waits = SECONDS in mcp-conform.toml"),
    );
}

/// Returns the messages that the client sent.
fn sent_messages<'v>(session: &'v Session<'v>) -> impl Iterator<Item = (&'v Exchange<'v>, &'v Message)> {
    session
        .exchanges
        .iter()
        .flat_map(|exchange| exchange.parsed.messages().iter().map(move |message| (exchange, message)))
}

fn client_task<'v>(session: &'v Session<'v>, request: &'v Incoming<'v>) -> Option<ClientTask<'v>> {
    let message = request.message().filter(|message| message.kind == Kind::Request)?;
    param(request, "task")?;
    let key = message.id.as_ref().and_then(wire::Id::key)?;
    let answers = |message: &Message| message.id.as_ref().and_then(wire::Id::key).as_ref() == Some(&key);
    let mut later = sent_messages(session).filter(|(exchange, _)| exchange.seq > request.seq);
    let (told, answer) = later.find(|(_, message)| message.is_answer() && answers(message))?;
    let id = answer.result()?.get("task")?.get("taskId")?.as_str()?;
    let tasks = sent_messages(session).filter_map(|(exchange, message)| {
        let result = message.result()?;
        Some((exchange.seq, result.get("task").unwrap_or(result)))
    });
    let seen = tasks.filter(|(_, task)| task.get("taskId").and_then(Value::as_str) == Some(id)).collect();
    Some(ClientTask { session, request, told, id, seen })
}

impl<'v> ClientTask<'v> {
    /// Requests about the task.
    fn asked(&self) -> impl Iterator<Item = &'v Incoming<'v>> {
        let (id, since) = (self.id, self.told.seq);
        self.session.incoming.iter().filter(move |incoming| {
            let about = incoming.method().is_some_and(|method| method.starts_with("tasks/"));
            incoming.seq > since && about && param(incoming, "taskId").and_then(Value::as_str) == Some(id)
        })
    }

    /// The client has told of it unasked: that is a reason to ask at once.
    fn is_announced(&self) -> bool {
        sent_messages(self.session).any(|(_, message)| {
            let params = message.params().filter(|_| message.method() == Some("notifications/tasks/status"));
            params.and_then(|params| params.get("taskId")).and_then(Value::as_str) == Some(self.id)
        })
    }

    /// When the client said that it is over.
    fn end(&self) -> u32 {
        let over = self.seen.iter().find(|(_, task)| is_over(status(task)));
        over.map_or(u32::MAX, |(seq, _)| *seq)
    }

    /// The shortest interval that the client ever named.
    fn interval(&self) -> Option<Duration> {
        let named = self.seen.iter().filter_map(|(_, task)| task.get("pollInterval").and_then(Value::as_u64));
        named.min().filter(|interval| *interval > 0).map(Duration::from_millis)
    }
}

/// Between the client's answer and a question lies at least the time that the server has known of the task, however long either was
/// under way: more questions than intervals fit into that were sent too fast for certain.
fn check_polling(client_task: &ClientTask<'_>, collector: &mut Collector) {
    let Some(interval) = client_task.interval().filter(|_| !client_task.is_announced()) else {
        return collector
            .not_observed(POLLING, "the client set no pollInterval, or sent the status of its tasks itself");
    };
    let end = client_task.end();
    let polls: Vec<&Incoming<'_>> =
        client_task.asked().filter(|asked| asked.method() == Some("tasks/get") && asked.seq < end).collect();
    let hasty = polls.iter().enumerate().skip(FREE).find(|(before, poll)| {
        let passed = poll.at.saturating_sub(client_task.told.at).as_secs_f64() / interval.as_secs_f64();
        *before as f64 > passed / LEEWAY
    });
    if let Some((_, poll)) = hasty {
        let message = "The server polls a client's task more often than the client's pollInterval asks for.";
        collector.fail(POLLING, frame_finding(poll, message, "one tasks/get per pollInterval", "several in that time"));
    } else if polls.len() >= FREE {
        collector.witness(POLLING);
    } else {
        collector.not_observed(POLLING, "the server did not poll its task more than once");
    }
}

fn check_cancelling(client_task: &ClientTask<'_>, collector: &mut Collector) {
    let first = client_task.asked().next();
    if client_task.asked().any(|asked| asked.method() == Some("tasks/cancel")) {
        collector.witness(CANCEL);
    }
    let id = client_task.request.message().and_then(|message| message.member("id"));
    let cancelled = client_task.session.incoming.iter().find(|incoming| {
        let names = incoming.method() == Some("notifications/cancelled") && param(incoming, "requestId") == id;
        // Until the client's answer has arrived the server knows of no task.
        let known = first.is_some_and(|first| first.seq < incoming.seq)
            || incoming.at.saturating_sub(client_task.told.at) >= UNDER_WAY;
        names && incoming.seq > client_task.told.seq && incoming.seq < client_task.end() && known
    });
    if let Some(cancelled) = cancelled {
        let message = "To cancel a request that its client runs as a task, the server sends a notification about the request, which is already answered: the task continues.";
        collector
            .fail(CANCEL, frame_finding(cancelled, message, "tasks/cancel with the taskId", "notifications/cancelled"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::*;
    use crate::testing::Script;

    /// A request that the client made a task. In scripts a microsecond passes between events, and the interval is a millisecond.
    fn asked() -> Script {
        let params = json!({"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}, "task": {}});
        let ask = json!({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": params});
        let made = json!({"jsonrpc": "2.0", "id": "s1", "result": {"task": task("working")}});
        Script::new(Revision::V2025_11_25, json!({"tools": {}})).says_json(&ask).raw_plain(&made.to_string())
    }

    fn task(status: &str) -> Value {
        json!({"taskId": "t", "status": status, "pollInterval": 1})
    }

    fn about(script: Script, method: &str, id: &str) -> Script {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"taskId": "t"}});
        script.says_json(&request)
    }

    fn polled(script: Script, id: &str, status: &str) -> Script {
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": task(status)});
        about(script, "tasks/get", id).raw_plain(&answer.to_string())
    }

    fn cancelled(script: Script) -> Script {
        script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s1"}}))
    }

    #[test]
    fn questions_in_quick_succession_are_too_many() {
        let twice = || polled(polled(asked(), "g1", "working"), "g2", "working");
        assert_eq!(twice().status_of(POLLING), Status::Pass);
        assert!(polled(twice(), "g3", "working").fails().contains(&POLLING));
        // What comes after the end is no polling, and neither is a single question.
        let over = polled(polled(asked(), "g1", "working"), "g2", "completed");
        assert_eq!(polled(over, "g3", "completed").status_of(POLLING), Status::Pass);
        assert_eq!(polled(asked(), "g1", "completed").status_of(POLLING), Status::NotObserved);
        assert_eq!(asked().status_of(POLLING), Status::NotObserved);
        // Whom the client tells something may ask at once.
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/tasks/status", "params": {"taskId": "t"}});
        let told = polled(twice().raw_plain(&notice.to_string()), "g3", "working");
        assert_eq!(told.status_of(POLLING), Status::NotObserved);
    }

    #[test]
    fn questions_at_the_interval_are_right() {
        let mut script = polled(asked(), "g1", "working");
        for poll in 2..6 {
            // A thousand events are a millisecond.
            for _ in 0..1_000 {
                script = script.means(Intent::Unknown, Value::Null);
            }
            script = polled(script, &format!("g{poll}"), "working");
        }
        assert_eq!(script.status_of(POLLING), Status::Pass);
    }

    #[test]
    fn a_task_is_cancelled_by_its_id() {
        assert_eq!(about(asked(), "tasks/cancel", "c").status_of(CANCEL), Status::Pass);
        let known = polled(asked(), "g1", "working");
        assert_eq!(cancelled(known).fails_in("cancellation"), [CANCEL]);
        // The two may have crossed; and what is over is not cancelled.
        assert_eq!(cancelled(asked()).status_of(CANCEL), Status::NotObserved);
        assert_eq!(cancelled(polled(asked(), "g1", "completed")).status_of(CANCEL), Status::NotObserved);
    }
}
