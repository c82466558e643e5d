//! Property tests: every tool that may be called, with arguments made from its inputSchema, valid ones and ones that break one
//! keyword. What fails is made as simple as it gets. The same server and seed give the same calls.
//!
//! Each call carries its intent (`valid-call` or `invalid-call`) and `about.case`, so the rules of the area judge it as any
//! other. After each tool a probe `generated-tool` tells which keywords were not reached and why it stopped early, if it did.

mod drive;
mod falls;
mod minimal;
mod scene;
mod set;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::{JoinHandle, JoinSet, spawn_blocking};

use crate::flow::looks_slow;
use crate::opener::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Options, Session, Tool};
use drive::Drive;
use set::{Order, Set};

const NAME: &str = "tools/generated-calls";
const CHANGING: &str = "tools/generated-changing-calls";
/// All tools together get so many times what one may take.
const TOOLS: u32 = 20;

/// Tools that are called at the same time.
const LANES: usize = 3;
/// Tools whose arguments are made before their turn.
const AHEAD: usize = 3;

const PROVOKES: &[&str] = &[
    "tools.call.valid-arguments-accepted",
    "tools.call.invalid-arguments-rejected",
    "tools.call.invalid-arguments-as-execution-error",
    "tools.call.invalid-arguments-code",
    "tools.error.execution-in-result",
    "tools.structured.present",
    "tools.structured.conforms",
    "tools.structured.text-twin",
];

/// Tools that say that they change nothing: beside everything else where each session has a process. The others come after
/// everything: they may change what others look at.
pub(crate) static SCENARIOS: &[Scenario] = &[
    Scenario {
        name: NAME,
        provokes: PROVOKES,
        stage: Stage::Generated,
        applies: |offer| offer.may_disrupt && !offer.outside && !offer.tools.is_empty(),
        run: |cx| Box::pin(run(cx, true)),
    },
    Scenario {
        name: CHANGING,
        provokes: PROVOKES,
        stage: Stage::Changing,
        applies: |offer| offer.may_disrupt && !offer.outside && offer.callable().any(|tool| !is_steady(tool)),
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
    let Ok(session) = open(&cx, false).await else { return };
    for tool in cx.offer.tools.iter().filter(|tool| steady && !tool.callable) {
        let why = "nothing says that it is harmless: --tool or --calls all";
        session.mean(NAME, "generated-tool", json!({"tool": tool.name, "stopped": why}));
    }
    let tools: Vec<Tool> = cx.offer.callable().filter(|tool| is_steady(tool) == steady).cloned().collect();
    // What may change something is called one tool after the other.
    let further = if steady { LANES.min(tools.len()).saturating_sub(1) } else { 0 };
    let line = Rc::new(Line::of(&cx, tools));
    let mut lanes = JoinSet::new();
    for _ in 0..further {
        let (cx, line) = (cx.clone(), Rc::clone(&line));
        lanes.spawn_local(async move {
            if let Ok(session) = open(&cx, false).await {
                lane(&cx, &line, session).await;
            }
        });
    }
    lane(&cx, &line, session).await;
    lanes.join_all().await;
}

/// One tool after the other on a session of its own, as long as there are any.
async fn lane(cx: &Cx, line: &Line, mut session: Session) {
    while !session.is_down()
        && let Some((tool, made)) = line.next(cx)
    {
        let Ok(set) = made.await else { continue };
        session = one(cx, &tool, Rc::new(set), session, line.left().min(cx.options.time)).await;
    }
    session.kill().await;
}

/// The tools that are still to be called; the arguments of some are made ahead.
struct Line {
    waiting: RefCell<VecDeque<Tool>>,
    made: RefCell<VecDeque<(Tool, JoinHandle<Set>)>>,
    deadline: Instant,
}

impl Line {
    /// Those that look slow first: then nobody waits for them at the end.
    fn of(cx: &Cx, mut tools: Vec<Tool>) -> Self {
        tools.sort_by_key(|tool| !looks_slow(tool));
        let (waiting, made) = (RefCell::new(tools.into()), RefCell::default());
        Self { waiting, made, deadline: Instant::now() + cx.options.time * TOOLS }
    }

    fn next(&self, cx: &Cx) -> Option<(Tool, JoinHandle<Set>)> {
        let mut made = self.made.borrow_mut();
        while made.len() < AHEAD {
            let Some(tool) = self.waiting.borrow_mut().pop_front() else { break };
            let making = making(cx, &tool);
            made.push_back((tool, making));
        }
        made.pop_front()
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// Calls one tool; the session to go on with.
async fn one(cx: &Cx, tool: &Tool, set: Rc<Set>, session: Session, time: Duration) -> Session {
    if let Some(why) = &set.declined {
        session.mean(NAME, "generated-tool", json!({"tool": tool.name, "stopped": why}));
        return session;
    }
    let mut drive = Drive::new(cx, tool, Rc::clone(&set), session, time);
    let stopped = drive.all().await;
    let stopped = drive.simplify().await.or(stopped);
    let about = json!({"tool": tool.name, "unreached": set.unreached, "stopped": stopped});
    drive.session.mean(NAME, "generated-tool", about);
    drive.session
}

fn making(cx: &Cx, tool: &Tool) -> JoinHandle<Set> {
    let order = Order {
        schema: tool.input_schema().cloned(),
        revision: cx.offer.revision,
        cases: usize::try_from(cx.options.cases).unwrap_or(usize::MAX),
        seed: seed(&cx.options, &tool.name),
        first: cx.options.counterexamples.get(&tool.name).cloned().unwrap_or_default(),
    };
    spawn_blocking(move || Set::make(&order))
}

/// Tools with the same schema are called with different arguments.
fn seed(options: &Options, name: &str) -> u64 {
    let mixed = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |mixed, byte| (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    mixed ^ options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A session for generated calls; `alone` for those that are sent one by one, to find what felled the server.
async fn open(cx: &Cx, alone: bool) -> Result<Session, crate::Trouble> {
    let era = cx.offer.revision.era();
    let opening = if alone { Opening::new("careful", era).confirm() } else { Opening::new("generated", era) };
    let session = cx.open_ready(opening).await?;
    session.mirror(&cx.offer.tools);
    if alone {
        session.settle().await;
    }
    Ok(session)
}
