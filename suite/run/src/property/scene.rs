//! One tool's calls as a transcript of their own, judged by the rules that judge everything: which requirements they break,
//! and whether a simpler call breaks the same.

use judge::{Bar, judge_only};
use serde_json::{Value, json};
use verdict::property::Generated;
use verdict::transcript::{Event, Kind, Receive, Send, Via};
use verdict::{Finding, Status, Transport, Verdict};

use crate::Tool;

/// A channel that nothing else has.
const CHANNEL: u32 = 4_000_000_000;
/// Areas whose findings are about single calls.
const AREAS: [&str; 3] = ["tools", "jsonrpc", "content"];

/// One internal error is doubted, several are a habit.
const INTERNAL: &str = "tools.error.execution-in-result";

/// What a tool's calls are judged beside: the opening of the session, and a list that names this tool alone.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    before: Vec<Event>,
    bar: Bar,
}

/// A requirement that generated calls broke, in one way.
#[derive(Clone, Debug)]
pub(super) struct Breach {
    pub(super) id: &'static str,
    pub(super) message: String,
    pub(super) generated: Generated,
}

impl Scene {
    pub(super) fn new(opening: Vec<Event>, tool: &Tool, bar: Bar) -> Self {
        let mut before = opening;
        let (seq, at_us, session) = before.last().map_or((0, 0, 0), |last| (last.seq, last.at_us, last.session));
        for kind in listed(tool, &bar) {
            before.push(Event { seq, at_us, session, kind });
        }
        Self { before, bar }
    }

    fn judged(&self, calls: Vec<Event>, wanted: &dyn Fn(&str) -> bool) -> Vec<Verdict> {
        let events = [self.before.clone(), calls].concat();
        judge_only(&events, &self.bar, wanted)
    }

    /// What the calls broke.
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

/// A list with one tool, as it would have crossed the wire.
fn listed(tool: &Tool, bar: &Bar) -> [Kind; 2] {
    let http = bar.transport != Transport::Stdio;
    let channel = if http { CHANNEL } else { 0 };
    let request = json!({"jsonrpc": "2.0", "id": "mcp-conform-list", "method": "tools/list", "params": {}});
    let result = json!({"tools": [tool.definition], "resultType": "complete"});
    let answer: Value = json!({"jsonrpc": "2.0", "id": "mcp-conform-list", "result": result});
    let send = Send {
        channel,
        text: request.to_string(),
        base64: None,
        probe: None,
        http: http.then(|| "POST".to_owned()),
        headers: Vec::new(),
        path: None,
    };
    let via = match bar.transport {
        Transport::Stdio => Via::Line,
        Transport::Http => Via::Body,
        Transport::Sse => Via::Sse { event: None, id: None, retry: None, oddities: Vec::new() },
    };
    let receive = Receive { channel, text: answer.to_string(), via, dropped: 0, not_utf8: false };
    [Kind::Send(send), Kind::Receive(receive)]
}
