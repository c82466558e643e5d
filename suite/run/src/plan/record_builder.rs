//! From a transcript to the record of a run.

use std::collections::{BTreeSet, HashSet};

use judge::{Cause, Fallen, Judged, examine};
use serde_json::Value;
use tokio::sync::oneshot;
use verdict::property::Tested;
use verdict::record::{Entry, FORMAT, Falls, Named, Record, Summary, Target, Timing, Withheld};
use verdict::transcript::{Event, Kind};
use verdict::{Finding, Intent, Revision, Status, Transport, Verdict};
use wire::mcp::meta;

use super::Plan;
use super::assumed::assumed;
use super::withheld::withheld;
use crate::opener::Opener;
use crate::scenario::{provoking, shown_by_calls};
use crate::session::is_slow_to_start;
use crate::{Options, Protocol, Recorder};

/// Why requirements that are not about outsiders were not judged when the server let nobody in.
const REASON: &str = "needs a credential: --token-env VARIABLE";
/// Areas that can be judged from outside.
const AREAS: [&str; 2] = ["auth", "security"];

/// Whether a requirement is about outsiders.
pub(super) fn is_about_outsiders(id: &str) -> bool {
    AREAS.contains(&id.split('.').next().unwrap_or_default())
}

impl Plan<'_> {
    /// Judges the transcript: while another revision goes on, on a thread of its own.
    pub(super) async fn examined(&self, opener: &Opener, revision: Revision) -> Judged {
        let (criteria, look) = (self.criteria(revision), self.options.look);
        // How they end is in the transcript too.
        opener.farewells().await;
        let events = opener.recorder().shared();
        if self.options.protocol == Protocol::All {
            on_a_thread(move || examine(&events, &criteria, look)).await
        } else {
            // Memory that the run took and gave back serves this thread alone.
            examine(&events, &criteria, look)
        }
    }
}

/// Not on a thread that stays: each that has judged keeps the memory it took, and a transcript is judged up to three times.
async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (over, is_over) = oneshot::channel::<()>();
    let working = std::thread::spawn(move || {
        let _dropped_when_over = over;
        work()
    });
    // Nothing is sent: that it is dropped, in a panic too, says that there is nothing more to wait for.
    let _ = is_over.await;
    working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The record of what was judged.
pub(super) fn record(plan: &Plan<'_>, recorder: &Recorder, revision: Revision, judged: Judged) -> Record {
    let Judged { verdicts, tools, timeline, properties, calls, falls, noticed, .. } = judged;
    let (server, listed) = recorder.with(|events| (server(events), listed_tools(events)));
    let assumed = recorder.with(assumed);
    let withheld = withheld(&listed, &plan.options);
    let told = verdicts.iter().flat_map(|verdict| &verdict.findings).any(|finding| finding.fell);
    // The end of a server that all sessions share is one, and has a finding.
    let ended = recorder.with(|events| events.iter().any(is_end));
    let falls = falls_of(&falls, told || plan.target().transport() != Transport::Stdio).filter(|_| !ended);
    let options = plan.options_in(revision);
    let entries = verdicts.into_iter().map(|verdict| entry(plan, &options, verdict, revision, &listed));
    let requirements: Vec<Entry> = entries.map(|entry| without_calls(entry, &withheld)).collect();
    let mut notes = notes(plan, revision);
    if recorder.with(|events| is_slow_to_start(events, options.timeout)) {
        notes.push(
            "the server took longer than --timeout to start, and was waited for up to --start-timeout".to_owned(),
        );
    }
    notes.extend(few_calls(&options, &listed, &properties));
    Record {
        format: FORMAT,
        tool: Named { name: "mcp-conform".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        target: Target { embedded: plan.options.embedded, ..plan.target().record() },
        server,
        protocol: revision,
        seed: plan.options.seed,
        trouble: None,
        partial: false,
        incomplete: recorder.cut(),
        sdk: plan.sdk(),
        baseline: None,
        assumed,
        recorded: false,
        summary: Summary::of(&requirements),
        requirements,
        causes: Vec::new(),
        hosts: Vec::new(),
        hosts_unseen: Vec::new(),
        noticed,
        not_called: withheld.iter().flat_map(|withheld| withheld.tools.clone()).collect(),
        withheld,
        notes,
        tools,
        timeline,
        properties,
        calls,
        falls,
        timing: recorder.timing(Timing {
            wall_ms: u64::try_from(recorder.elapsed().as_millis()).unwrap_or(u64::MAX),
            requests: recorder.requests(),
            spawns: recorder.spawns(),
            peak_kb: crate::process::peak_kb(),
            ..Timing::default()
        }),
    }
}

/// Counts falls. A process that ends without a word refuses to start, which is no fall; neither is the end of one that may have been
/// idle, until it is seen again. `explained` says that what felled the server
/// is known, or cannot be looked for: otherwise a fall that there was no time to look into counts as one that was not repeated.
pub(crate) fn falls_of(falls: &[Fallen], explained: bool) -> Option<Falls> {
    let mut counts = Falls::default();
    let known = |fallen: &&Fallen| fallen.cause != Cause::Start && !(fallen.cause == Cause::Unknown && fallen.idled);
    for fallen in falls.iter().filter(known) {
        counts.ended += u32::from(fallen.ended);
        counts.silent += u32::from(!fallen.ended);
        counts.malformed += u32::from(fallen.cause == Cause::Malformed);
        let open = fallen.cause == Cause::Unknown && !explained;
        counts.unrepeated += u32::from(fallen.cause == Cause::Unrepeated || open);
    }
    (counts.count() > 0).then_some(counts)
}

/// Whether an event says that a server that cannot be started again has ended.
fn is_end(event: &Event) -> bool {
    matches!(&event.kind, Kind::Probe(probe) if probe.intent == Intent::NobodyListens)
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

/// Says that some tools got few generated calls, since they may reach the world outside.
fn few_calls(options: &Options, listed: &[Value], properties: &[Tested]) -> Option<String> {
    let most = options.cases_outside?;
    let tried = |name: &str| properties.iter().any(|tested| tested.tool == name && tested.cases > 0);
    let limited = listed.iter().filter(|tool| options.is_limited(tool));
    let names: BTreeSet<&str> =
        limited.filter_map(|tool| tool.get("name")?.as_str()).filter(|name| tried(name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} got at most {most} generated calls each: a call that reaches the world outside may cost money, and `openWorldHint` is not false. --cases N tries more",
            tools(names.len())
        )
    })
}

fn tools(count: usize) -> String {
    if count == 1 { "1 tool".to_owned() } else { format!("{count} tools") }
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

fn entry(plan: &Plan<'_>, options: &Options, verdict: Verdict, revision: Revision, listed: &[Value]) -> Entry {
    let scenario = provoking(verdict.id).next();
    let mut entry = Entry {
        id: verdict.id.to_owned(),
        level: verdict.level,
        status: verdict.status,
        reason: verdict.reason,
        scenario: scenario.map(|scenario| scenario.name.to_owned()),
        findings: verdict.findings,
        notes: verdict.notes,
        unlocked_by: None,
        subjects: verdict.subjects,
        known: None,
        origin: None,
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
            let named = |tool: &&Value| tool.get("name").and_then(Value::as_str) == finding.tool.as_deref();
            let cases = listed.iter().find(named).map_or(options.cases, |tool| options.cases_of(tool));
            (generated.seed, generated.cases) = (options.seed, cases);
        }
        finding.reproduce = reproduce(plan, verdict.id, finding, revision);
    }
    entry
}

/// Says of a requirement that calls of tools would have shown that tools were left out.
fn without_calls(mut entry: Entry, withheld: &[Withheld]) -> Entry {
    if entry.status != Status::NotObserved || !shown_by_calls(&entry.id) {
        return entry;
    }
    for held in withheld {
        let reason = entry.reason.get_or_insert_default();
        let flag = held.flag.as_ref().map_or(String::new(), |flag| format!(": {flag}"));
        entry.unlocked_by = entry.unlocked_by.or_else(|| held.flag.clone());
        let separator = if reason.is_empty() { "" } else { "; " };
        *reason += &format!("{separator}{} not called ({}){flag}", tools(held.tools.len()), held.why);
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
    let shown_by: String = finding.shown_by.iter().map(|name| format!(",{name}")).collect();
    words.push(format!("--only {id}{shown_by}"));
    if options.calls != Options::default().calls {
        words.push(format!("--calls {}", options.calls.name()));
    }
    let generated = finding.generated.as_ref();
    if let Some(tool) = finding.tool.as_ref().filter(|tool| generated.is_some() || options.tools.contains(tool)) {
        words.push(format!("--tool {}", shell_words::quote(tool)));
    }
    words.extend(generated.map(|generated| format!("--seed {} --cases {}", generated.seed, generated.cases)));
    words.extend(options.repeat_reports.as_ref().map(|folder| {
        let folder = folder.to_string_lossy();
        format!("--reports {}", shell_words::quote(&folder))
    }));
    words.extend(options.credentials.flag.clone());
    words.push(plan.target().command_line());
    words.join(" ")
}

/// Every message that the server sent in a frame with this word, in order; of answers that differ in their ids alone the first.
fn messages<'e>(events: &'e [Event], word: &'static str) -> impl Iterator<Item = wire::Message> + 'e {
    let text = |event: &'e Event| if let Kind::Receive(receive) = &event.kind { Some(&receive.text) } else { None };
    let mut seen = HashSet::new();
    events
        .iter()
        .filter_map(text)
        .filter(move |text| text.contains(word))
        .filter(move |text| wire::Alike::of(text).is_none_or(|(alike, _)| seen.insert(alike)))
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

/// Every tool on every page of every list, each state of it once.
fn listed_tools(events: &[Event]) -> Vec<Value> {
    let (mut listed, mut seen) = (Vec::new(), HashSet::new());
    for message in messages(events, "inputSchema") {
        let tools = message.result().and_then(|result| result.get("tools")?.as_array());
        for tool in tools.into_iter().flatten().filter(|tool| tool.get("inputSchema").is_some()) {
            if seen.insert(tool.to_string()) {
                listed.push(tool.clone());
            }
        }
    }
    listed
}
