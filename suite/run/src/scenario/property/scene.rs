//! One subject's requests as a transcript of their own, judged by the rules that judge everything: which requirements they break,
//! and whether a simpler call breaks the same.

use judge::{Criteria, judge_only};
use serde_json::{Value, json};
use verdict::property::Generated;
use verdict::transcript::{Event, Kind, Probe, Receive, Send, Via};
use verdict::{Finding, Status, Transport, Verdict};

use super::subject::Subject;

/// A channel that nothing else has.
const CHANNEL: u32 = 4_000_000_000;
/// Areas whose findings are about single calls.
const AREAS: [&str; 6] = ["tools", "jsonrpc", "content", "prompts", "resources", "completion"];

/// One internal error is doubted, several are a habit.
const INTERNAL: &str = "tools.error.execution-in-result";

/// The transcript that is put before a subject's requests when they are judged.
///
/// It has the opening of the session, a list that names this subject alone, and if need be a request that was served.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    before: Vec<Event>,
    criteria: Criteria,
}

/// A requirement that generated calls broke, in one way.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    pub(super) id: &'static str,
    pub(super) message: String,
    pub(super) generated: Generated,
}

impl Scene {
    pub(super) fn new(opening: Vec<Event>, subject: &Subject, criteria: Criteria) -> Self {
        let mut scene = Self { before: opening, criteria };
        if let Some((method, result)) = subject.listed() {
            scene.add("mcp-conform-list", method, json!({}), None, result);
        }
        scene
    }

    /// A request that was served: what others are is told by comparing them with it.
    pub(super) fn served(&mut self, subject: &Subject, arguments: &Value, result: Value) {
        let probe = Probe {
            scenario: subject.scenario().to_owned(),
            intent: subject.intent(true),
            about: Value::Object(subject.about()),
        };
        self.add("mcp-conform-served", subject.method(), subject.params(arguments), Some(probe), result);
    }

    /// An exchange as it would have crossed the wire.
    fn add(&mut self, id: &str, method: &str, params: Value, probe: Option<Probe>, result: Value) {
        let (seq, at_us, session) = self.before.last().map_or((0, 0, 0), |last| (last.seq, last.at_us, last.session));
        for kind in exchange(id, method, params, probe, result, self.criteria.transport) {
            self.before.push(Event { seq, at_us, session, kind });
        }
    }

    fn judged(&self, calls: Vec<Event>, wanted: &dyn Fn(&str) -> bool) -> Vec<Verdict> {
        let events = [self.before.clone(), calls].concat();
        judge_only(&events, &self.criteria, wanted)
    }

    /// Returns the requirements that the calls broke.
    pub(super) fn breaches(&self, calls: Vec<Event>, wanted: &dyn Fn(&str) -> bool) -> Vec<Breach> {
        let area = |id: &str| AREAS.contains(&id.split('.').next().unwrap_or_default());
        let mut found: Vec<Breach> = Vec::new();
        for verdict in self.judged(calls, &|id| area(id) && wanted(id)) {
            for Finding { message, generated, .. } in verdict.findings {
                let Some(generated) = generated else { continue };
                let same = |other: &Breach| {
                    other.id == verdict.id && other.message == message && other.generated.schema == generated.schema
                };
                if !found.iter().any(same) {
                    found.push(Breach { id: verdict.id, message, generated });
                }
            }
        }
        found
    }

    /// Whether a call breaks the same in the same way.
    pub(super) fn shows(&self, breach: &Breach, call: Vec<Event>) -> bool {
        let verdicts = self.judged(call, &|id| id == breach.id);
        verdicts.iter().any(|verdict| match verdict.status {
            Status::Fail => verdict.findings.iter().any(|finding| finding.message == breach.message),
            // One internal error alone is doubted.
            Status::Inconclusive => breach.id == INTERNAL && !breach.message.contains("unusual"),
            _ => false,
        })
    }
}

fn exchange(
    id: &str,
    method: &str,
    params: Value,
    probe: Option<Probe>,
    mut result: Value,
    transport: Transport,
) -> [Kind; 2] {
    let http = transport != Transport::Stdio;
    let channel = if http { CHANNEL + u32::from(probe.is_some()) } else { 0 };
    let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    if let Some(members) = result.as_object_mut() {
        members.entry("resultType").or_insert_with(|| json!("complete"));
    }
    let answer: Value = json!({"jsonrpc": "2.0", "id": id, "result": result});
    let send = Send {
        channel,
        text: request.to_string(),
        base64: None,
        probe,
        http: http.then(|| "POST".to_owned()),
        headers: Vec::new(),
        path: None,
    };
    let via = match transport {
        Transport::Stdio => Via::Line,
        Transport::Http => Via::Body,
        Transport::Sse => Via::Sse { event: None, id: None, retry: None, oddities: Vec::new() },
    };
    let receive = Receive { channel, text: answer.to_string(), via, dropped: 0, not_utf8: false };
    [Kind::Send(send), Kind::Receive(receive)]
}
