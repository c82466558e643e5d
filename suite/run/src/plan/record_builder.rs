//! From a transcript to the record of a run.

use judge::{Criteria, Judged, examine};
use serde_json::Value;
use tokio::task::spawn_blocking;
use verdict::record::{Entry, FORMAT, Named, Record, Summary, Timing};
use verdict::transcript::{Event, Kind};
use verdict::{Finding, Revision, Status, Transport, Verdict};
use wire::mcp::meta;

use super::Plan;
use crate::scenario::provoking;
use crate::{Calls, Options, Protocol, Recorder};

/// Why requirements that are not about outsiders were not judged when the server let nobody in.
const REASON: &str = "needs a credential: --token-env VARIABLE";
/// Areas that can be judged from outside.
const AREAS: [&str; 2] = ["auth", "security"];

/// Whether a requirement is about outsiders.
pub(super) fn is_about_outsiders(id: &str) -> bool {
    AREAS.contains(&id.split('.').next().unwrap_or_default())
}

/// Judges the transcript, on a thread of its own: meanwhile another revision goes on.
pub(super) async fn examined(recorder: &Recorder, criteria: Criteria) -> Judged {
    let events = recorder.shared();
    match spawn_blocking(move || examine(&events, &criteria)).await {
        Ok(judged) => judged,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// The record of what was judged.
pub(super) fn record(plan: &Plan<'_>, recorder: &Recorder, revision: Revision, judged: Judged) -> Record {
    let Judged { verdicts, tools, timeline, properties } = judged;
    let requirements: Vec<Entry> = verdicts.into_iter().map(|verdict| entry(plan, verdict, revision)).collect();
    let (server, not_called) = recorder.with(|events| (server(events), not_called(events, &plan.options)));
    Record {
        format: FORMAT,
        tool: Named { name: "mcp-conform".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        target: plan.target().record(),
        server,
        protocol: revision,
        seed: plan.options.seed,
        trouble: None,
        partial: false,
        recorded: false,
        summary: Summary::of(&requirements),
        requirements,
        not_called,
        notes: notes(plan, revision),
        tools,
        timeline,
        properties,
        timing: Timing {
            wall_ms: u64::try_from(recorder.elapsed().as_millis()).unwrap_or(u64::MAX),
            requests: recorder.requests(),
            spawns: recorder.spawns(),
            peak_kb: crate::process::peak_kb(),
            ..Timing::default()
        },
    }
}

/// Returns notes for the reader beside the verdicts.
fn notes(plan: &Plan<'_>, revision: Revision) -> Vec<String> {
    let own = plan.state.borrow_mut().notes.extract_if(.., |(of, _)| *of == revision).map(|(_, note)| note).collect();
    let mut notes: Vec<String> = own;
    if plan.target().transport() == Transport::Sse && !revision.is_spoken_over(Transport::Sse) {
        notes.push("HTTP+SSE itself is judged by 2024-11-05, which defines it: --protocol 2024-11-05".to_owned());
    }
    notes
}

/// Limits a record to what outsiders can observe: of a server that let nobody in, only its refusals were seen.
pub(super) fn from_outside(record: &mut Record) {
    for entry in record.requirements.iter_mut().filter(|entry| !is_about_outsiders(&entry.id)) {
        if !matches!(entry.status, Status::Skipped | Status::NotApplicable) {
            entry.status = Status::NotObserved;
            entry.reason = Some(REASON.to_owned());
            entry.findings.clear();
            entry.notes.clear();
        }
    }
    record.summary = Summary::of(&record.requirements);
}

fn entry(plan: &Plan<'_>, verdict: Verdict, revision: Revision) -> Entry {
    let scenario = provoking(verdict.id).next();
    let mut entry = Entry {
        id: verdict.id.to_owned(),
        level: verdict.level,
        status: verdict.status,
        reason: verdict.reason,
        scenario: scenario.map(|scenario| scenario.name.to_owned()),
        findings: verdict.findings,
        notes: verdict.notes,
        subjects: verdict.subjects,
    };
    let skipped =
        scenario.is_some_and(|scenario| plan.options.skip.iter().any(|glob| crate::matches(glob, scenario.name)));
    let named =
        provoking(verdict.id).any(|scenario| plan.options.only.iter().any(|glob| crate::matches(glob, scenario.name)));
    if (!plan.options.wants(verdict.id) && !named) || (skipped && entry.status == Status::NotObserved) {
        entry.status = Status::Skipped;
        entry.reason = Some("left out by --only or --skip".to_owned());
        entry.findings.clear();
        entry.notes.clear();
    }
    for finding in &mut entry.findings {
        if let Some(generated) = &mut finding.generated {
            (generated.seed, generated.cases) = (plan.options.seed, plan.cases(revision));
        }
        finding.reproduce = reproduce(plan, verdict.id, finding, revision);
    }
    entry
}

/// The command that repeats just this.
fn reproduce(plan: &Plan<'_>, id: &str, finding: &Finding, revision: Revision) -> String {
    let mut words = vec!["mcp-conform run".to_owned()];
    let options = &plan.options;
    if options.protocol != Protocol::Latest || plan.options.protocol == Protocol::All {
        words.push(format!("--protocol {revision}"));
    }
    words.push(format!("--only {id}"));
    match options.calls {
        Calls::All => words.push("--calls all".to_owned()),
        Calls::None => words.push("--calls none".to_owned()),
        Calls::Safe => {}
    }
    let generated = finding.generated.as_ref();
    if let Some(tool) = finding.tool.as_ref().filter(|tool| generated.is_some() || options.tools.contains(tool)) {
        words.push(format!("--tool {}", shell_words::quote(tool)));
    }
    words.extend(generated.map(|generated| format!("--seed {} --cases {}", generated.seed, generated.cases)));
    words.extend(options.credentials.flag.clone());
    words.push(plan.target().command_line());
    words.join(" ")
}

/// Every message that the server sent in a frame with this word, in order.
fn messages<'e>(events: &'e [Event], word: &'static str) -> impl Iterator<Item = wire::Message> + 'e {
    let text = |event: &'e Event| if let Kind::Receive(receive) = &event.kind { Some(&receive.text) } else { None };
    events
        .iter()
        .filter_map(text)
        .filter(move |text| text.contains(word))
        .flat_map(|text| wire::parse(text.as_bytes(), &wire::Limits::default()).messages().to_vec())
}

/// Who the server says it is.
pub(crate) fn server(events: &[Event]) -> Named {
    let info = |message: &wire::Message| {
        let result = message.result()?;
        let meta = result.get("_meta").and_then(|meta| meta.get(meta::SERVER_INFO));
        let info = result.get("serverInfo").or(meta)?;
        let member = |name: &str| info.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Named { name: member("name"), version: member("version") })
    };
    messages(events, "erverInfo").find_map(|message| info(&message)).unwrap_or_default()
}

/// Listed tools that the safety policy held back.
fn not_called(events: &[Event], options: &Options) -> Vec<String> {
    let mut held: Vec<String> = Vec::new();
    for message in messages(events, "inputSchema") {
        let tools = message.result().and_then(|result| result.get("tools")).and_then(Value::as_array);
        for tool in tools.into_iter().flatten() {
            let Some(name) = tool.get("name").and_then(Value::as_str).filter(|_| tool.get("inputSchema").is_some())
            else {
                continue;
            };
            if !options.may_call(name, tool) && !held.iter().any(|held| held == name) {
                held.push(name.to_owned());
            }
        }
    }
    held
}
