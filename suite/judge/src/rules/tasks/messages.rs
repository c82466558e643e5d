//! Messages about tasks that the server sends of its own accord: statuses, and requests to the client.

use serde_json::{Value, json};
use verdict::Finding;
use wire::Kind;

use super::ledger::{RELATED, Source, Task, created, related, tasks};
use crate::rules::asks::asks;
use crate::rules::during::{frame_finding, open_at, param, request, told_of};
use crate::{Case, Collector, Exchange, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/messages",
    judges: &[
        "tasks.notification.known-task",
        "tasks.notification.no-related-task",
        "tasks.lifecycle.input-requests-related",
        "tasks.lifecycle.notifications-related",
        "tasks.lifecycle.input-required",
        "tasks.server-as-requestor.capability",
    ],
    judge,
};

const KNOWN: &str = RULE.judges[0];
const BARE: &str = RULE.judges[1];
const ASKS: &str = RULE.judges[2];
const TELLS: &str = RULE.judges[3];
const INPUT: &str = RULE.judges[4];
const OURS: &str = RULE.judges[5];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for session in view.judged() {
        let own: Vec<&Task<'_>> = tasks.iter().filter(|task| task.session.id == session.id).collect();
        for incoming in &session.incoming {
            let Some(message) = incoming.message() else { continue };
            match (message.kind, message.method()) {
                (Kind::Request, Some(method)) if method != "ping" => {
                    check_wants(session, incoming, &own, collector);
                }
                (_, Some("notifications/tasks/status")) => check_status(view, session, incoming, &own, collector),
                (_, Some("notifications/progress")) => check_tells(incoming, &own, collector),
                _ => {}
            }
        }
        for task in own {
            check_waits(task, collector);
        }
    }
    for ask in asks(view) {
        let capability = match ask.method {
            "sampling/createMessage" => "tasks.requests.sampling.createMessage",
            "elicitation/create" => "tasks.requests.elicitation.create",
            _ => continue,
        };
        collector.check(OURS, ask.params.get("task").is_none() || ask.has(capability), || {
            let message =
                "The server asks for one of its own requests to run as a task, which the client did not declare support for.";
            ask.finding(message, "a request without task", "a request with task")
        });
    }
}

fn check_status(
    view: &View<'_>,
    session: &Session<'_>,
    incoming: &Incoming<'_>,
    tasks: &[&Task<'_>],
    collector: &mut Collector,
) {
    let params = incoming.message().and_then(wire::Message::params);
    collector.check(BARE, related(params).is_none(), || {
        let message = format!("A notifications/tasks/status carries {RELATED}, though it already names its task.");
        frame_finding(incoming, &message, "params without it", "params with it")
    });
    let Some(id) = param(incoming, "taskId").and_then(Value::as_str) else { return };
    if tasks.iter().any(|task| task.id == id) {
        return collector.witness(KNOWN);
    }
    // A call whose answer was never seen may have made it.
    let unseen = |exchange: &Exchange<'_>| {
        let case = Case { view, session, exchange };
        let call = case.method() == Some("tools/call") && case.param("task").is_some();
        call && created(&case).is_none() && case.error().is_none()
    };
    if !session.exchanges.iter().any(unseen) {
        let message = "A status notification is about a task that no call in this session returned, so clients cannot know what it refers to.";
        collector.fail(
            KNOWN,
            frame_finding(incoming, message, "statuses of the client's own tasks only", "the status of another task"),
        );
    }
}

/// Whether a call without a task is under way, or a task of which nothing is known yet.
fn is_ambiguous(view: &View<'_>, session: &Session<'_>, seq: u32) -> bool {
    open_at(session, seq).any(|exchange| {
        let method = request(exchange).and_then(wire::Message::method).unwrap_or_default();
        !method.starts_with("tasks/")
            && !created(&Case { view, session, exchange }).is_some_and(Value::is_object)
            && method != "ping"
    })
}

/// The methods that a server may use only on behalf of a call; for the roots it may ask at any time.
const DEPENDENT: [&str; 2] = ["elicitation/create", "sampling/createMessage"];

/// A request of the server's own belongs to a task if it says so, or if it is of a kind that belongs to a call and there is none.
fn check_wants(session: &Session<'_>, incoming: &Incoming<'_>, tasks: &[&Task<'_>], collector: &mut Collector) {
    let named = related(incoming.message().and_then(wire::Message::params)).and_then(|related| related.get("taskId"));
    let dependent = incoming.method().is_some_and(|method| DEPENDENT.contains(&method));
    let working = tasks.iter().any(|task| task.born() < incoming.seq && !was_over(task, incoming.seq));
    match named {
        Some(id) if tasks.iter().any(|task| *id == json!(task.id)) => collector.witness(ASKS),
        Some(_) => collector.fail(ASKS, wrong_finding(incoming, "another taskId")),
        None if dependent && working && !is_ambiguous(tasks[0].made.view, session, incoming.seq) => {
            collector.fail(ASKS, wrong_finding(incoming, "no related-task"));
        }
        None => {}
    }
}

fn wrong_finding(incoming: &Incoming<'_>, actual: &str) -> Finding {
    let message = "The server sends the client a request on behalf of a task without naming the task, so the client cannot tell which one it is about.";
    frame_finding(incoming, message, &format!("params._meta[\"{RELATED}\"] with the taskId"), actual)
}

fn was_over(task: &Task<'_>, seq: u32) -> bool {
    task.seen.iter().any(|seen| seen.came < seq && seen.is_over())
}

/// Progress under the token of a task belongs to the task. That it says so is not beyond doubt a duty; that it says something else
/// is wrong.
fn check_tells(incoming: &Incoming<'_>, tasks: &[&Task<'_>], collector: &mut Collector) {
    let token = param(incoming, "progressToken");
    let of = |task: &&&Task<'_>| {
        let given = crate::rules::during::meta(task.made.exchange, "progressToken");
        given.is_some() && given == token
    };
    let Some(task) = tasks.iter().find(of) else { return };
    let named = related(incoming.message().and_then(wire::Message::params)).and_then(|related| related.get("taskId"));
    let Some(named) = named else {
        return collector.note(TELLS, "the progress of a task does not name the task, which messages about a task must do; the specification's own examples leave open whether that includes progress");
    };
    collector.check(TELLS, *named == json!(task.id), || {
        let message = "The progress of a task names another task, so clients show it in the wrong place.";
        let expected = format!("params._meta[\"{RELATED}\"] with the taskId");
        told_of(task.made.exchange, incoming, message, &expected, "another taskId")
    });
}

/// While the client is asked, the task says so.
fn check_waits(task: &Task<'_>, collector: &mut Collector) {
    let session = task.session;
    for incoming in &session.incoming {
        let Some(message) = incoming.message().filter(|message| message.kind == Kind::Request) else { continue };
        let named = related(message.params()).and_then(|related| related.get("taskId"));
        if named != Some(&json!(task.id)) {
            continue;
        }
        let answered = |exchange: &&Exchange<'_>| {
            let sent = exchange.parsed.messages().iter();
            exchange.seq > incoming.seq
                && sent.filter(|sent| sent.is_answer()).any(|sent| sent.member("id") == message.member("id"))
        };
        let until = session.exchanges.iter().find(answered).map_or(u32::MAX, |exchange| exchange.seq);
        let asked =
            task.seen.iter().filter(|seen| seen.from == Source::Get && seen.sent > incoming.seq && seen.came < until);
        for seen in asked {
            collector.check(INPUT, seen.status() == "input_required", || {
                let message = "A task waits for an answer from the client without status input_required, so clients that poll never learn that they are asked.";
                let mut finding = frame_finding(incoming, message, "status input_required", format!("status {}", seen.status()));
                finding.tool = task.tool().map(str::to_owned);
                finding.wire.extend(seen.case.map(|case| case.wire()).unwrap_or_default());
                finding
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use verdict::{Intent, Revision, Status};

    use super::super::tale::{self, ID, get, made, params, start, task, tell};
    use super::*;
    use crate::testing::Script;

    const STATUS: &str = "notifications/tasks/status";

    #[test]
    fn statuses_are_of_tasks_that_the_client_made() {
        assert_eq!(tell(made(start(), ID, false), STATUS, task(ID, "working")).status_of(KNOWN), Status::Pass);
        assert_eq!(made(tell(start(), STATUS, task(ID, "working")), ID, false).status_of(KNOWN), Status::Pass);
        assert_eq!(tell(made(start(), ID, false), STATUS, task("other", "working")).fails(), [KNOWN]);
        // The answer to a call may be lost.
        let lost = start().unanswered(Intent::TaskCreate, "tools/call", params()).settled();
        assert!(!tell(lost, STATUS, task("other", "working")).fails().contains(&KNOWN));
    }

    #[test]
    fn statuses_name_their_task_once() {
        let mut marked = task(ID, "working");
        marked["_meta"] = tale::related(ID);
        assert_eq!(tell(made(start(), ID, false), STATUS, marked).fails(), [BARE]);
        assert_eq!(tell(made(start(), ID, false), STATUS, task(ID, "working")).status_of(BARE), Status::Pass);
    }

    /// A client that can be asked.
    fn full() -> Script {
        let initialize = json!({"jsonrpc": "2.0", "id": 90, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"form": {}}}, "clientInfo": {"name": "t", "version": "1"}}});
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": tale::capabilities(), "serverInfo": {"name": "s", "version": "1"}});
        let script = Script::empty(Revision::V2025_11_25).undecided().raw_plain(&initialize.to_string());
        let script = script.says_json(&json!({"jsonrpc": "2.0", "id": 90, "result": result}));
        tale::list(script.means(Intent::Negotiated, json!({"revision": "2025-11-25"})))
    }

    fn elicit(script: Script, meta: Value) -> Script {
        let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let params = json!({"message": "Who?", "requestedSchema": schema, "_meta": meta});
        script.says_json(&json!({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": params}))
    }

    #[test]
    fn what_a_task_asks_names_it() {
        let run = |meta: Value| elicit(made(full(), ID, false), meta);
        assert_eq!(run(tale::related(ID)).status_of(ASKS), Status::Pass);
        assert!(run(json!({})).fails().contains(&ASKS));
        assert!(run(tale::related("other")).fails().contains(&ASKS));
        // A call without a task may be what asks.
        let mut plain = made(full(), ID, false);
        plain.ask(None, "tools/call", json!({"name": "may", "arguments": {}}));
        assert!(!elicit(plain, json!({})).fails().contains(&ASKS));
        assert!(!elicit(get(made(full(), ID, false), "completed"), json!({})).fails().contains(&ASKS));
        let roots = json!({"jsonrpc": "2.0", "id": "s2", "method": "roots/list"});
        assert!(!made(full(), ID, false).says_json(&roots).fails().contains(&ASKS));
    }

    #[test]
    fn progress_of_a_task_names_no_other() {
        let run = |meta: Value| {
            let params = json!({"progressToken": "p", "progress": 1, "_meta": meta});
            tell(made(start(), ID, false), "notifications/progress", params)
        };
        assert_eq!(run(tale::related(ID)).status_of(TELLS), Status::Pass);
        assert_eq!(run(tale::related("other")).fails(), [TELLS]);
        let mute = run(json!({})).verdict(TELLS);
        assert_eq!((mute.status, mute.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_task_that_asks_says_so() {
        let asking = || elicit(made(full(), ID, false), tale::related(ID));
        assert_eq!(get(asking(), "input_required").status_of(INPUT), Status::Pass);
        assert_eq!(get(asking(), "working").fails_in("tasks"), [INPUT]);
        let answer = json!({"jsonrpc": "2.0", "id": "s1", "result": {"action": "decline"}}).to_string();
        let answered = get(asking().raw_plain(&answer), "working");
        assert_eq!(answered.status_of(INPUT), Status::NotObserved);
    }

    #[test]
    fn a_client_that_has_no_tasks_is_asked_without() {
        let run = |task: bool| {
            let mut params = json!({"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}});
            if task {
                params["task"] = json!({});
            }
            full().says_json(&json!({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": params}))
        };
        assert_eq!(run(false).status_of(OURS), Status::Pass);
        assert!(run(true).fails().contains(&OURS));
    }
}
