//! Connections that several scenarios have one after the other, as the transcript of a run shows them.

use serde_json::Value;

use crate::support::{Bench, record, status};

/// The record of a run over the embedded server as a program, and its transcript.
fn run(how: &[&str], server: &[&str]) -> (Value, Vec<Value>) {
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let bench = Bench::new();
    let run = ["run", "--format", "json", "--seed", "1", "--cases", "0", "--transcript"];
    let server = [&["--", own, "serve", "--transport", "stdio"][..], server].concat();
    let seen = record(&bench.run(&[&run[..], how, &server].concat()));
    let events = bench.transcript().lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect();
    (seen, events)
}

/// The openings of sessions for this purpose.
fn opened<'e>(events: &'e [Value], purpose: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == "open" && event["purpose"] == purpose).collect()
}

/// For which purpose the session was opened that had this one's connection before.
fn before<'e>(events: &'e [Value], opened: &Value) -> Option<&'e str> {
    let before = events.iter().find(|event| event["event"] == "open" && event["session"] == opened["continues"])?;
    before["purpose"].as_str()
}

const CANCELLED: &str = "cancellation.initialize-not-cancelled";
const EARLY: [&str; 2] = ["ping.before-initialize", "robust.out-of-order"];
const AHEAD: [&str; 8] = ["--protocol", "2025-11-25", "--only", CANCELLED, "--only", EARLY[0], "--only", EARLY[1]];

#[test]
fn what_comes_ahead_of_the_handshake_comes_in_one_process() {
    let (seen, events) = run(&AHEAD, &[]);
    for id in [CANCELLED, EARLY[0], EARLY[1]] {
        assert_eq!(status(&seen, id), "pass", "{id}");
    }
    let cancelled = opened(&events, "cancellation/initialize");
    assert_eq!(cancelled.iter().map(|open| before(&events, open)).collect::<Vec<_>>(), [Some("robust")]);
}

/// Whatever was said ahead of it could be why the handshake does not come about.
#[test]
fn where_that_ends_badly_each_is_asked_alone() {
    let (seen, events) = run(&AHEAD, &["--fault", CANCELLED]);
    assert_eq!(status(&seen, CANCELLED), "fail");
    for id in EARLY {
        assert_eq!(status(&seen, id), "pass", "{id}");
    }
    let cancelled = opened(&events, "cancellation/initialize");
    assert_eq!(cancelled.iter().map(|open| before(&events, open)).collect::<Vec<_>>(), [Some("robust"), None]);
}

#[test]
fn a_cancellation_that_looks_wrong_is_repeated_beside_everything_else() {
    const ID: &str = "cancellation.stops-work";
    let (seen, events) = run(&["--protocol", "2025-11-25", "--only", ID], &["--fault", ID]);
    assert_eq!(status(&seen, ID), "fail");
    let at = |wanted: &dyn Fn(&Value) -> bool| events.iter().position(wanted).expect("it is there");
    let again = at(&|event| event["purpose"] == "cancellation" && event["confirm"] == true);
    // What is repeated at the end of a run is so when all that was open before is over.
    let main = opened(&events, "main").last().map(|open| open["session"].clone()).expect("it is opened");
    assert!(again < at(&|event| event["event"] == "exit" && event["session"] == main));
}

/// Where a start takes long, it is repeated on the same connection, and that goes on to whoever calls the same tool.
#[test]
fn a_cancellation_that_looks_wrong_is_repeated_where_it_was_seen() {
    const ID: &str = "cancellation.stops-work";
    let only = ["--protocol", "2025-11-25", "--only", ID, "--only", "ping.while-busy"];
    let (seen, events) = run(&only, &["--fault", ID, "--quirk", "slow-start"]);
    assert_eq!(status(&seen, ID), "fail");
    let again: Vec<_> = events.iter().filter(|event| event["event"] == "open" && event["confirm"] == true).collect();
    assert_eq!(again.iter().map(|open| before(&events, open)).collect::<Vec<_>>(), [Some("cancellation")]);
    let busy = opened(&events, "ping/while-busy");
    assert_eq!(busy.iter().map(|open| before(&events, open)).collect::<Vec<_>>(), [Some("cancellation")]);
    assert!(busy.iter().all(|open| open["confirm"] != true), "that is no repetition");
}

#[test]
fn resources_are_subscribed_on_a_connection_that_others_had() {
    const ID: &str = "subscriptions.resource.subscribe-accepted";
    let only = ["--only", ID, "--only", "stdio.compat.survives-modern-probe"];
    let (seen, events) = run(&only, &["--protocol", "2025-11-25"]);
    assert_eq!(status(&seen, ID), "pass");
    let subscriptions = opened(&events, "subscriptions");
    let had = subscriptions.iter().map(|open| before(&events, open));
    assert_eq!(had.collect::<Vec<_>>(), [Some("stdio/modern-probe")]);
}

#[test]
fn the_process_in_which_tools_were_watched_is_ended_in_the_middle_of_a_message() {
    let only = ["--only", "progress.*", "--only", "robust.truncated"];
    let (seen, events) = run(&[&["--protocol", "2026-07-28"][..], &only].concat(), &[]);
    assert_eq!(status(&seen, "robust.truncated"), "pass");
    let ends =
        |event: &&Value| event["probe"]["about"]["when"] == "mid-message" || event["about"]["when"] == "mid-message";
    let session = &events.iter().find(ends).expect("it is ended")["session"];
    let open = events.iter().find(|event| event["event"] == "open" && event["session"] == *session);
    assert_eq!(open.and_then(|open| before(&events, open)), Some("flow"));
}

#[test]
fn lists_of_two_connections_are_asked_for_on_those_that_are_there() {
    let only = ["--only", "discover.result.connection-independent", "--only", "tools.list.not-per-connection"];
    let only = [&["--protocol", "2026-07-28"][..], &only].concat();
    let (seen, events) = run(&only, &[]);
    assert_eq!(status(&seen, "discover.result.connection-independent"), "pass");
    assert_eq!(status(&seen, "tools.list.not-per-connection"), "pass");
    let before = |events: &[Value], purpose| {
        opened(events, purpose).iter().map(|open| before(events, open).map(str::to_owned)).collect::<Vec<_>>()
    };
    let same = [Some("discover/same".to_owned())];
    assert_eq!(before(&events, "lists here"), same);
    assert!(before(&events, "lists there").is_empty(), "another process has nothing to tell");
    assert_eq!(opened(&events, "discover/same").len(), 1);
    // Where two differ, a third shows whether that is a matter of time.
    let (seen, events) = run(&only, &["--fault", "discover.result.connection-independent"]);
    assert_eq!(status(&seen, "discover.result.connection-independent"), "fail");
    assert_eq!(before(&events, "lists there"), same);
    assert_eq!(opened(&events, "discover/same").len(), 2);
}

/// Nine that end in ways of their own, or are asked as nothing else was before; the others have one another's.
#[test]
fn few_processes_are_started_where_a_start_takes_long() {
    let quirks = ["--quirk", "slow-start", "--quirk", "no-tasks", "--quirk", "bare-capabilities"];
    let (seen, events) = run(&["--protocol", "2026-07-28"], &quirks);
    let processes = events.iter().filter(|event| event["event"] == "open" && event["continues"].is_null()).count();
    assert_eq!(seen["timing"]["spawns"], processes, "each is counted");
    assert!(processes <= 13, "{processes}");
    let sessions = events.iter().filter(|event| event["event"] == "open").count();
    assert!(sessions >= 25, "{sessions}: nothing else was left out");
}
