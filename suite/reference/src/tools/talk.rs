//! Tools that say something while they run: progress and log messages, in good order unless a fault has it otherwise.

use std::time::Duration;

use serde_json::{Value, json};

use super::content;
use crate::Revision;
use crate::core::{Call, Connection, LEVELS, Reply, What, failure};
use crate::deviation::Deviation;

const PROGRESS: &str = "notifications/progress";

pub(super) fn log_all_levels(connection: &mut Connection, call: &Call) -> Reply {
    for (level, name) in LEVELS.iter().enumerate() {
        connection.log(call, level, json!(format!("A message of level {name}.")));
    }
    if connection.server.deviates(Deviation::LogsFlood) {
        (0..1_001).for_each(|at| connection.log(call, 7, json!(at)));
    }
    Reply::Result(json!({"content": [content::text("Logged.")]}))
}

pub(super) fn sign_in(connection: &mut Connection, call: &Call, arguments: &Value) -> Reply {
    let leaks = connection.server.deviates(Deviation::LogsPassword);
    let data = if leaks { arguments.clone() } else { json!({"user": arguments["user"]}) };
    connection.log(call, 2, data);
    Reply::Result(failure("Nobody is known here. Call another tool."))
}

pub(super) fn work_slowly(connection: &mut Connection, call: &Call, arguments: &Value) -> Reply {
    let given = |name: &str, default| arguments[name].as_f64().map_or(default, |number| number as u32);
    let (steps, mut each) = (given("steps", 3), Duration::from_millis(given("milliseconds", 40).into()));
    if connection.server.deviates(Deviation::DisconnectsCancel) {
        // So that there is something left to cancel once the loss of a connection is noticed.
        each *= 5;
    }
    report(connection, call, steps, each);
    let result = json!({"content": [content::text(format!("{steps} steps are done."))]});
    end(connection, call, each * steps, Reply::Result(result));
    beyond(connection, call, each * steps + each / 2, Deviation::ProgressAfterResponse);
    Reply::Later
}

/// Something that is seen to be done, or not, after the client is gone.
pub(super) fn bump_slowly(connection: &mut Connection, call: &Call) -> Reply {
    connection.later(Duration::from_millis(400), Some(call.key), What::Bump(Box::new(call.clone())));
    Reply::Later
}

pub(crate) fn finish_bump(connection: &mut Connection, call: &Call) {
    let server = connection.server.clone();
    {
        let mut state = server.state();
        state.counter = state.counter.saturating_add(1);
        state.generations.counter += 1;
    }
    connection.finish(call, Reply::Result(json!({"content": [content::text("The counter is one more.")]})));
}

pub(super) fn fail_slowly(connection: &mut Connection, call: &Call) -> Reply {
    let each = Duration::from_millis(10);
    report(connection, call, 2, each);
    let mut result = failure("This tool always fails. Call another one.");
    if connection.server.deviates(Deviation::TimeoutsLookFine) {
        result = json!({"content": [content::text("Nothing came of it in time.")]});
    }
    end(connection, call, each * 3, Reply::Result(result));
    beyond(connection, call, each * 4, Deviation::ProgressAfterError);
    Reply::Later
}

/// Only ever a task: nobody waits for it.
pub(super) fn research(connection: &mut Connection, call: &Call, arguments: &Value) -> Reply {
    if arguments["ambiguous"] == true {
        return super::clients::ask_name(connection, call);
    }
    let each = Duration::from_millis(60);
    report(connection, call, 5, each);
    let topic = arguments["topic"].as_str().unwrap_or_default();
    let result = json!({"content": [content::text(format!("All is known about {topic}."))]});
    end(connection, call, each * 5, Reply::Result(result));
    Reply::Later
}

fn end(connection: &mut Connection, call: &Call, after: Duration, reply: Reply) {
    connection.later(after, Some(call.key), What::Finish(Box::new(call.clone()), reply));
}

fn report(connection: &mut Connection, call: &Call, steps: u32, each: Duration) {
    let Some(token) = token(connection, call) else { return };
    connection.server.state().newest_token = token.clone();
    let flood = connection.server.deviates(Deviation::ProgressFloods);
    let (count, pause) = if flood { (800, each / 400) } else { (steps, each) };
    for step in 1..=count {
        let mut params = json!({"progressToken": token, "progress": step, "total": count});
        if call.revision >= Revision::V2025_03_26 {
            params["message"] = json!(format!("Step {step} of {count} is done."));
        }
        misreport(connection, &mut params, (step, count));
        connection.later(pause * step, Some(call.key), What::Notify(Box::new(call.clone()), PROGRESS, params));
    }
}

/// The token that progress is reported under, if any.
fn token(connection: &Connection, call: &Call) -> Option<Value> {
    let server = &connection.server;
    let token = call.progress_token().cloned();
    match token {
        None if server.deviates(Deviation::ProgressUnasked) => Some(json!("nobody")),
        Some(Value::Number(number)) if server.deviates(Deviation::ProgressTokensBecomeStrings) => {
            Some(json!(number.to_string()))
        }
        Some(Value::String(text)) if server.deviates(Deviation::ProgressTokensBecomeNumbers) => {
            Some(text.parse::<i64>().map_or(json!(text), Value::from))
        }
        Some(token) if server.deviates(Deviation::FalsyProgressTokensIgnored) => {
            Some(token).filter(|token| *token != 0 && *token != "")
        }
        token => token,
    }
}

/// Progress as faults report it.
fn misreport(connection: &Connection, params: &mut Value, (step, count): (u32, u32)) {
    let server = &connection.server;
    if server.deviates(Deviation::ProgressStandsStill) {
        params["progress"] = json!(1);
    } else if server.deviates(Deviation::ProgressGoesDown) {
        params["progress"] = json!(count - step);
    }
}

/// Reports progress after the end, if a deviation wants it.
fn beyond(connection: &mut Connection, call: &Call, after: Duration, deviation: Deviation) {
    let Some(token) = call.progress_token().filter(|_| connection.server.deviates(deviation)) else { return };
    let params = json!({"progressToken": token, "progress": 100, "total": 100});
    connection.later(after, None, What::Notify(Box::new(call.clone()), PROGRESS, params));
}
