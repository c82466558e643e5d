//! Property tests: every tool that may be called, with arguments made from its inputSchema, valid ones and ones that break one
//! keyword; prompts, resource templates and completions with strings ([`strings`]). What fails is made as simple as it gets. The
//! same server and seed give the same calls.
//!
//! Each request carries its intent (see [`subject`]) and a `case`, so the rules of the
//! area judge it as any other. After each subject a probe tells which keywords were not
//! reached and why it stopped early, if it did.

mod crashes;
mod drive;
mod line;
mod minimal;
mod sample;
mod scene;
mod set;
mod simplest;
pub(crate) mod strings;
mod subject;
mod twice;

use std::rc::Rc;

use serde_json::json;
use tokio::task::JoinSet;

use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Lease, Session, Tool, Wear};
use line::{Line, lane};
pub(crate) use simplest::simplest;
use subject::Subject;
use verdict::{Intent, Purpose, Transport};

const CHANGING: &str = "tools/generated-changing-calls";
/// All tools together get so many times what one may take.
const TOOLS: u32 = 20;

/// Tools that are called at the same time where a session costs no process.
const LANES: usize = 3;

const PROVOKES: &[&str] = &[
    "tools.call.valid-arguments-accepted",
    "tools.call.invalid-arguments-rejected",
    "tools.call.invalid-arguments-as-execution-error",
    "tools.call.invalid-arguments-code",
    "tools.error.execution-in-result",
    "tools.structured.present",
    "tools.structured.conforms",
    "tools.structured.text-twin",
    "practice.annotations.read-only-has-no-effect",
    "practice.annotations.idempotent-truthful",
];

/// Tools that say that they change nothing: beside everything else where each session has a process. The others come after
/// everything: they may change what others look at.
pub(crate) static SCENARIOS: &[Scenario] = &[
    Scenario {
        name: subject::TOOLS,
        provokes: PROVOKES,
        stage: Stage::Generated,
        applies: |profile| profile.may_disrupt && !profile.outside && !profile.tools.is_empty(),
        run: |cx| Box::pin(run(cx, true)),
    },
    Scenario {
        name: CHANGING,
        provokes: PROVOKES,
        stage: Stage::Changing,
        applies: |profile| profile.may_disrupt && !profile.outside && profile.callable().any(|tool| !is_steady(tool)),
        run: |cx| Box::pin(run(cx, false)),
    },
];

fn is_steady(tool: &Tool) -> bool {
    tool.hints("readOnlyHint")
}

async fn run(cx: Cx, steady: bool) {
    if cx.options.cases == 0 {
        return;
    }
    let Ok(session) = lease(&cx).await else { return };
    for tool in cx.profile.tools.iter().filter(|tool| steady && !tool.callable) {
        let why = cx.options.withheld(&tool.name);
        session.record_probe(subject::TOOLS, Intent::GeneratedTool, json!({"tool": tool.name, "stopped": why}));
    }
    let tools: Vec<Subject> =
        cx.profile.callable().filter(|tool| is_steady(tool) == steady).map(Subject::tool).collect();
    // What may change something is called one tool after the other.
    let one = cx.profile.transport == Transport::Stdio || cx.opener.learned().one_client.get();
    let lanes = if one { 1 } else { LANES };
    let further = if steady && !cx.is_alone() { lanes.min(tools.len()).saturating_sub(1) } else { 0 };
    let line = Rc::new(Line::of(tools, cx.options.time * TOOLS, further + 1));
    let mut lanes = JoinSet::new();
    for _ in 0..further {
        let (cx, line) = (cx.clone(), Rc::clone(&line));
        lanes.spawn_local(async move {
            if let Ok(session) = lease(&cx).await {
                lane(&cx, &line, session).await;
            }
        });
    }
    lane(&cx, &line, session).await;
    lanes.join_all().await;
}

/// A session for generated calls.
async fn lease(cx: &Cx) -> Result<Lease, crate::Trouble> {
    let session = cx.lease(Opening::new("generated", cx.profile.revision), Wear::Ordinary).await?;
    session.mirror(&cx.profile.tools);
    Ok(session)
}

/// A further session for generated calls; `alone` for those that are sent one by one, to find what felled the server.
async fn open(cx: &Cx, alone: bool) -> Result<Session, crate::Trouble> {
    let revision = cx.profile.revision;
    let opening =
        if alone { Opening::new(Purpose::Careful, revision).confirm() } else { Opening::new("generated", revision) };
    let session = cx.open_ready(opening).await?;
    session.mirror(&cx.profile.tools);
    if alone {
        session.settle().await;
    }
    Ok(session)
}
