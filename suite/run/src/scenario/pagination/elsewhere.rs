//! 2026-07-28: a cursor on another connection than the one that got it.

use serde_json::json;
use verdict::Intent;

use crate::scenario::{Cx, Running, Scenario, Stage};
use crate::{Opening, RequestOutcome, ServerProfile, Trouble};

const NAME: &str = "pagination/elsewhere";

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["pagination.cursor-on-new-connection"],
    stage: Stage::Alone,
    applies,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

/// In the revisions before, a client must not carry a cursor over into another session.
fn applies(profile: &ServerProfile) -> bool {
    profile.revision.is_stateless() && super::has_pages(profile)
}

async fn run(cx: Cx) {
    let opening = Opening::new(NAME, cx.profile.revision);
    if let Ok(outcome) = ask(&cx, opening.clone()).await
        && outcome.result().is_none()
    {
        // Once more before it counts.
        let _ = ask(&cx, opening.confirm()).await;
    }
}

async fn ask(cx: &Cx, opening: Opening) -> Result<RequestOutcome, Trouble> {
    let session = cx.open(opening).await?;
    let paged = cx.profile.walks.iter().find(|walk| !walk.cursors.is_empty());
    let outcome = match paged {
        Some(walk) => {
            let ask = session.ask(walk.method, json!({"cursor": walk.cursors[0]}));
            ask.probe(NAME, Intent::CursorElsewhere, json!({})).opening().send().await
        }
        None => RequestOutcome::Silent,
    };
    session.kill().await;
    Ok(outcome)
}
