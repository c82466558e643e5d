//! Observations of tools while they run: whether they report progress, log, ask the client, or take their time.
//!
//! They are made once, by calling each tool that may be called, one after the other, on a session that declares everything and
//! is used for nothing else, so that whatever comes meanwhile belongs to the call.

mod slowness;
mod tune;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use wire::mcp::meta;

use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard, OnceCell};
use verdict::Intent;
use wire::Message;

use crate::opening::Opening;
use crate::scenario::Cx;
use crate::scenario::tools::is_repeatable;
use crate::{Arguments, Profile, RequestOutcome, ServerProfile, Session, Tool};

pub(crate) use slowness::{SlowCall, slow_call};
pub(crate) use tune::{HALF, LONG, Pace, looks_slow, tuned};

const NAME: &str = "flow/watch";
/// Tools that are watched.
const TOOLS: usize = 48;
/// Pages of the list that are fetched.
const PAGES: usize = 20;
/// Tools that did not end within the time given to them, after which no more are tried.
const UNENDING: usize = 3;
/// A call from which nothing was heard for so long is given up.
const QUIET: Duration = Duration::from_millis(300);
/// The time limit of a call, however much was heard.
const LONGEST: Duration = Duration::from_millis(1_500);
/// How long calls from which nothing is heard are waited for beyond that, all together: one that ends then shows what else
/// the server does meanwhile.
const PATIENCE: Duration = Duration::from_millis(2_400);

/// A session on which one thing happens at a time, and what is known of the tools.
#[derive(Debug)]
pub struct ToolObservations {
    /// The session; in the handshake era it declares everything, in 2026-07-28 each request does.
    pub session: Session,
    /// The tools that were watched.
    pub samples: Vec<Sample>,
    turn: Mutex<()>,
    slow: OnceCell<Option<SlowCall>>,
}

/// A tool that was called, and what it did.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Its name.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// It is no tool, but another request that may ask for input: its method and params.
    pub other: Option<(&'static str, Value)>,
    /// Progress notifications.
    pub progress: usize,
    /// The levels of its log messages.
    pub logs: Vec<String>,
    /// The methods of the requests, or of the input requests, that it made of the client.
    pub asks: Vec<String>,
    /// It ended with an error, or a result with isError.
    pub failed: bool,
    /// It did not end while it was waited for.
    pub unended: bool,
    /// How long it took.
    pub took: Duration,
    /// The result, if there was one.
    pub result: Option<Value>,
}

impl Sample {
    /// The params of a call like it, with this in `_meta`.
    #[must_use]
    pub fn params(&self, meta: Value) -> Value {
        match &self.other {
            Some((_, params)) => {
                let mut params = params.clone();
                params["_meta"] = meta;
                params
            }
            None => json!({"name": self.tool, "arguments": self.arguments, "_meta": meta}),
        }
    }

    /// The method of such a request.
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.other.as_ref().map_or("tools/call", |(method, _)| *method)
    }
}

impl ToolObservations {
    /// Opens the session and watches every tool.
    pub(crate) async fn begin(cx: Cx) -> Option<Rc<Self>> {
        let session = match cx.for_flow.awaited(cx.profile.revision, cx.session.slowest_start()).await {
            Some(session) => session.renewed("flow", Profile::Full),
            None => cx.open_ready(Opening::new("flow", cx.profile.revision).full()).await.ok()?,
        };
        session.mirror(&cx.profile.tools);
        if cx.profile.is_handshake() && cx.profile.declares("logging") {
            let ask = session.ask("logging/setLevel", json!({"level": "debug"}));
            ask.probe(NAME, Intent::FlowLogLevel, json!({})).send().await;
        }
        let samples = watch(&cx, &session).await;
        session.settle().await;
        Some(Rc::new(Self { session, samples, turn: Mutex::default(), slow: OnceCell::new() }))
    }

    /// Waits for the session to be free; while the guard is held nobody else uses it.
    pub async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// The tool that reports most progress and ends well.
    #[must_use]
    pub fn progressing(&self) -> Option<&Sample> {
        self.samples
            .iter()
            .filter(|sample| !sample.unended && !sample.failed)
            .max_by_key(|sample| sample.progress.min(3))
            .filter(|sample| sample.progress > 0)
    }

    /// The tool that logs at the most levels.
    #[must_use]
    pub fn logging(&self) -> Option<&Sample> {
        let levels = |sample: &&Sample| sample.logs.iter().collect::<BTreeSet<_>>().len();
        self.samples.iter().filter(|sample| !sample.unended && !sample.logs.is_empty()).max_by_key(levels)
    }

    /// Tools that asked the client for this.
    pub fn asking<'f>(&'f self, method: &'f str) -> impl Iterator<Item = &'f Sample> {
        self.samples.iter().filter(move |sample| sample.asks.iter().any(|asked| asked == method))
    }
}

/// Tools that may be called again and again, those that look slow last.
fn candidates(cx: &Cx, tools: Vec<Tool>) -> Vec<Tool> {
    let (slow, quick): (Vec<Tool>, Vec<Tool>) =
        tools.into_iter().filter(|tool| is_repeatable(tool, &cx.options)).partition(looks_slow);
    let room = TOOLS.saturating_sub(slow.len().min(8));
    quick.into_iter().take(room).chain(slow.into_iter().take(8)).collect()
}

/// A client that declares everything may be shown more tools than one that declares nothing.
pub(crate) async fn listed(cx: &Cx, session: &Session) -> Vec<Tool> {
    if !cx.profile.is_handshake() {
        return cx.profile.tools.clone();
    }
    let (mut tools, mut params) = (Vec::new(), json!({}));
    for _ in 0..PAGES {
        let outcome = session.ask("tools/list", params).probe(NAME, Intent::FlowList, json!({})).send().await;
        let Some(result) = outcome.result() else { break };
        tools.extend(result.get("tools").and_then(Value::as_array).into_iter().flatten().cloned());
        let Some(cursor) = result.get("nextCursor").and_then(Value::as_str) else { break };
        params = json!({"cursor": cursor});
    }
    tools.iter().filter_map(|definition| ServerProfile::tool(definition, &cx.options)).collect()
}

async fn watch(cx: &Cx, session: &Session) -> Vec<Sample> {
    if !cx.profile.declares("tools") {
        return Vec::new();
    }
    let tools = listed(cx, session).await;
    let mut samples = Vec::new();
    let mut patience = PATIENCE;
    for tool in candidates(cx, tools) {
        let unended = samples.iter().filter(|sample: &&Sample| sample.unended).count();
        if session.is_down() || unended >= UNENDING {
            break;
        }
        let Ok(valid) = Arguments::of(&tool, cx.profile.revision, &cx.options).valid else { continue };
        let arguments = tuned(&tool, &valid, cx.profile.revision, tune::SHORT).unwrap_or(valid);
        let sample = one(session, &tool, arguments, unended == 0, QUIET + patience.min(LONGEST - QUIET)).await;
        patience = patience.saturating_sub(sample.took.saturating_sub(QUIET));
        samples.push(sample);
    }
    samples
}

/// Calls one tool and listens. `alone`: nothing that was called before can still be at work. It is given up when nothing was
/// heard for so long as `quiet`.
async fn one(session: &Session, tool: &Tool, arguments: Value, alone: bool, quiet: Duration) -> Sample {
    let mut sample = Sample { tool: tool.name.clone(), arguments, ..Sample::default() };
    let (id, from) = (session.fresh_id(), session.mark());
    let token = format!("watch-{id}");
    let params = sample.params(meta(session, json!({"progressToken": token})));
    let about = json!({"tool": tool.name, "alone": alone});
    let ask = session.ask("tools/call", params).id(id.to_string()).probe(NAME, Intent::FlowCall, about);
    let call = ask.send();
    tokio::pin!(call);
    let began = tokio::time::Instant::now();
    let outcome = loop {
        let heard = session.mark();
        match tokio::time::timeout(quiet, &mut call).await {
            Ok(outcome) => break Some(outcome),
            Err(_) if session.heard(heard).is_empty() || began.elapsed() > LONGEST => break None,
            Err(_) => {}
        }
    };
    sample.took = began.elapsed();
    sample.take(&session.heard(from), outcome.as_ref(), &token);
    if outcome.is_none() {
        session.cancel(id).await;
        session.settle().await;
    }
    sample
}

/// `_meta` for a call that wants to hear everything.
pub(crate) fn meta(session: &Session, mut meta: Value) -> Value {
    if session.era() == verdict::Era::Stateless {
        meta[meta::LOG_LEVEL] = json!("debug");
    }
    meta
}

impl Sample {
    fn take(&mut self, heard: &[(u32, Message)], outcome: Option<&RequestOutcome>, token: &str) {
        for (_, message) in heard {
            let param = |name: &str| message.params().and_then(|params| params.get(name));
            match (message.kind, message.method()) {
                (_, Some("notifications/progress")) if param("progressToken") == Some(&json!(token)) => {
                    self.progress += 1;
                }
                (_, Some("notifications/message")) => {
                    self.logs.extend(param("level").and_then(Value::as_str).map(str::to_owned));
                }
                (wire::Kind::Request, Some(method)) if method != "ping" => self.asks.push(method.to_owned()),
                _ => {}
            }
        }
        let Some(outcome) = outcome else {
            self.unended = true;
            return;
        };
        let result = outcome.result();
        self.failed = result.is_none_or(|result| result.get("isError") == Some(&Value::Bool(true)));
        self.result = result.cloned();
        let inputs = result.and_then(|result| result.get("inputRequests")).and_then(Value::as_object);
        let methods = inputs.into_iter().flatten().filter_map(|(_, input)| input.get("method")?.as_str());
        self.asks.extend(methods.map(str::to_owned));
    }
}
