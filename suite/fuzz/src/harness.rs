//! Lets a handler answer a conversation in process, and holds what it said against every rule.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge::Criteria;
use serde_json::json;
use verdict::transcript::{Event, Kind, Open, Probe, Receive, Send, Via};
use verdict::{Finding, Intent, Revision, Transport};
use wire::mcp::meta;

use crate::{opening, wrong};

/// Lines of an input that are used.
const LINES: usize = 200;
/// Texts that only requests of the handshake era, or only stateless requests, contain.
const OPENS: &str = "\"initialize\"";

/// How inputs are read, and what is let pass.
#[derive(Clone, Debug)]
pub struct Harness {
    revision: Revision,
    known: Vec<String>,
}

/// The result of a conversation.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Everything that was said.
    pub events: Vec<Event>,
    /// Its violations, by requirement.
    pub findings: Vec<(&'static str, Finding)>,
}

impl Default for Harness {
    fn default() -> Self {
        Self::new(Revision::LATEST_HANDSHAKE)
    }
}

impl Harness {
    /// Inputs that do not begin with `initialize` are put after the handshake of this revision; one whose first line is of
    /// 2026-07-28 is taken as such. Lines of the other era and beyond the 200th are left out.
    #[must_use]
    pub fn new(revision: Revision) -> Self {
        Self { revision, known: Vec::new() }
    }

    /// Creates a harness by the name of the revision.
    ///
    /// # Panics
    /// When there is no such revision.
    #[must_use]
    pub fn named(revision: &str) -> Self {
        match revision.parse() {
            Ok(revision) => Self::new(revision),
            Err(unknown) => panic!("{unknown}"),
        }
    }

    /// Requirements that are known to be broken.
    ///
    /// # Panics
    /// When there is no such requirement.
    #[must_use]
    pub fn knowing(mut self, ids: &[&str]) -> Self {
        for id in ids {
            assert!(verdict::requirement(id).is_some(), "{id} is no requirement");
        }
        self.known.extend(ids.iter().map(|id| (*id).to_owned()));
        self
    }

    /// Lets a handler answer an input.
    ///
    /// # Panics
    /// When an answer breaks a requirement of level must or should; and when the handler does.
    pub fn check<S, A: IntoIterator<Item = impl AsRef<[u8]>>>(
        &self,
        start: impl FnOnce() -> S,
        mut handle: impl FnMut(&mut S, &[u8]) -> A,
        input: &[u8],
    ) {
        let mut server = start();
        let mut said = |line: &[u8]| -> Vec<Vec<u8>> {
            handle(&mut server, line).into_iter().map(|answer| answer.as_ref().to_vec()).collect()
        };
        let report = self.converse(&mut said, input);
        assert!(report.findings.is_empty(), "{report}");
    }

    /// Drives a handler with an input and returns the result.
    pub fn converse(&self, handle: &mut dyn FnMut(&[u8]) -> Vec<Vec<u8>>, input: &[u8]) -> Report {
        let mut talk = Talk { events: Vec::new(), revision: None };
        let lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').take(LINES).collect();
        let first = lines.first().copied().unwrap_or_default();
        let opens = says(first, OPENS);
        let modern = !opens && (!self.revision.is_handshake() || says(first, meta::PROTOCOL_VERSION));
        let revision = modern.then_some(Revision::LATEST);
        let open = Open {
            transport: Transport::Stdio,
            purpose: "fuzz".into(),
            revision,
            confirm: false,
            outside: false,
            continues: None,
        };
        talk.add(Kind::Open(open));
        talk.revision = revision;
        let opening = if opens || modern { Vec::new() } else { opening(self.revision) };
        let own = opening.iter().map(|line| (line.as_bytes(), true));
        let ordinary = unspoilt(&lines);
        let given = lines.into_iter().enumerate().map(|(at, line)| (line, at < ordinary));
        // A client is of one era: what mutation took from the other one is left out.
        let foreign = if modern { OPENS } else { meta::PROTOCOL_VERSION };
        let given = given.filter(|(line, _)| !says(line, foreign));
        // What opens the conversation is ordinary; of all else no rule may think that a good client said it.
        for (line, ordinary) in own.chain(given) {
            let answers = handle(line);
            talk.say(line, ordinary, answers);
        }
        talk.settle();
        let spoken = if modern { Revision::LATEST } else { self.revision };
        let revision = talk.revision.unwrap_or(spoken);
        let mut findings = wrong(&talk.events, &Criteria { revision, transport: Transport::Stdio });
        findings.retain(|(id, _)| !self.known.iter().any(|known| known == id));
        Report { events: talk.events, findings }
    }
}

/// How many lines from the first are, unspoilt and in order, what the seeds of one revision open with: of what mutation, or
/// another client, has made of them nobody can say what it is owed.
fn unspoilt(lines: &[&[u8]]) -> usize {
    let alike = |own: Vec<String>| own.iter().zip(lines).take_while(|(own, line)| own.as_bytes() == **line).count();
    Revision::ALL.into_iter().map(|revision| alike(opening(revision))).max().unwrap_or(0)
}

fn says(line: &[u8], word: &str) -> bool {
    line.windows(word.len()).any(|window| window == word.as_bytes())
}

struct Talk {
    events: Vec<Event>,
    revision: Option<Revision>,
}

impl Talk {
    fn add(&mut self, kind: Kind) {
        let seq = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.events.push(Event { seq, at_us: u64::from(seq), session: 0, kind });
    }

    fn say(&mut self, line: &[u8], ordinary: bool, answers: Vec<Vec<u8>>) {
        let text = String::from_utf8_lossy(line).into_owned();
        let probe = (!ordinary).then(|| Probe::new("fuzz", Intent::Fuzz, serde_json::Value::Null));
        let base64 = std::str::from_utf8(line).is_err().then(|| STANDARD.encode(line));
        let send = Send { channel: 0, text, base64, probe, http: None, headers: Vec::new(), path: None };
        self.add(Kind::Send(send));
        for answer in answers {
            let not_utf8 = std::str::from_utf8(&answer).is_err();
            let text = String::from_utf8_lossy(&answer).into_owned();
            let negotiated = self.revision.is_none().then(|| version(&text)).flatten();
            self.add(Kind::Receive(Receive { channel: 0, text, via: Via::Line, dropped: 0, not_utf8 }));
            if let Some(revision) = negotiated {
                self.revision = Some(revision);
                self.add(Kind::Probe(Probe::new(
                    "session",
                    Intent::Negotiated,
                    json!({"revision": revision.as_str()}),
                )));
            }
        }
    }

    /// A handler that has nothing more to say has answered what it is going to.
    fn settle(&mut self) {
        let upto = u32::try_from(self.events.len()).unwrap_or(u32::MAX).saturating_sub(1);
        self.add(Kind::Settled { upto });
    }
}

/// The revision that an answer to `initialize` settles.
fn version(text: &str) -> Option<Revision> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value
        .pointer("/result/protocolVersion")?
        .as_str()?
        .parse()
        .ok()
        .filter(|revision: &Revision| revision.is_handshake())
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (id, finding) in &self.findings {
            writeln!(f, "{id}: {}\n  expected: {}\n  actual: {}", finding.message, finding.expected, finding.actual)?;
            finding.wire.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        }
        Ok(())
    }
}

/// Fuzzes a handler: what starts a server, and what gives its answers (whatever can be iterated over as bytes or text) to
/// one line. Panics, and answers that break the specification, are what libFuzzer finds. It takes the place of
/// `libfuzzer_sys::fuzz_target!` in a folder made by `cargo fuzz init`.
///
/// A revision other than the newest with a handshake, and requirements that are known to be broken, come first:
/// `fuzz_handler!(revision = "2025-06-18", known = ["jsonrpc.batch.accepted"], start, handle)`.
#[macro_export]
macro_rules! fuzz_handler {
    (@ $harness:expr, $start:expr, $handle:expr) => {
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::custom($crate::Shape::Lines, data, size, max_size, seed, ::libfuzzer_sys::fuzzer_mutate)
        });
        ::libfuzzer_sys::fuzz_target!(|input: &[u8]| $harness.check($start, $handle, input));
    };
    (revision = $revision:expr, known = [$($id:expr),* $(,)?], $start:expr, $handle:expr $(,)?) => {
        $crate::fuzz_handler!(@ $crate::Harness::named($revision).knowing(&[$($id),*]), $start, $handle);
    };
    (revision = $revision:expr, $start:expr, $handle:expr $(,)?) => {
        $crate::fuzz_handler!(@ $crate::Harness::named($revision), $start, $handle);
    };
    (known = [$($id:expr),* $(,)?], $start:expr, $handle:expr $(,)?) => {
        $crate::fuzz_handler!(@ $crate::Harness::default().knowing(&[$($id),*]), $start, $handle);
    };
    ($start:expr, $handle:expr $(,)?) => {
        $crate::fuzz_handler!(@ $crate::Harness::default(), $start, $handle);
    };
}
