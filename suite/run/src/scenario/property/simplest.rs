//! The simplest arguments with which a call of a tool does something: of the same kind, valid ones or such that break the same keyword.

use std::time::Instant;

use serde_json::Value;
use tokio::task::spawn_blocking;

use super::set::{Order, Set};
use super::subject::Subject;
use crate::Tool;
use crate::scenario::Cx;

/// Calls that may do it while they get simpler.
const CALLS: usize = 40;

/// The simplest of them, and the keyword of the inputSchema that they violate, if they violate one.
pub(crate) async fn simplest(
    cx: &Cx,
    tool: &Tool,
    arguments: Value,
    deadline: Instant,
    does: impl AsyncFn(&Value) -> bool,
) -> Option<(Value, Option<String>)> {
    let revision = cx.profile.revision;
    let order = Order {
        subject: Subject::tool(tool),
        revision,
        cases: 0,
        seed: 0,
        first: vec![arguments.clone()],
        sample: None,
    };
    let set = spawn_blocking(move || Set::make(&order)).await.ok()?;
    let made = set.cases.first()?;
    let keyword = made.broken.map(|at| set.breaks[at].keyword.clone());
    let mut shrinking = set.kind(made)?.shrink(arguments.clone());
    let (mut best, mut done, mut left) = (arguments, true, CALLS);
    while left > 0 && Instant::now() < deadline {
        let Some(simpler) = shrinking.next(done) else { break };
        done = set.is_like(made, &simpler) && {
            left -= 1;
            does(&simpler).await
        };
        if done {
            best = simpler;
        }
    }
    Some((best, keyword))
}
