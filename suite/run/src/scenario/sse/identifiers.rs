//! Many streams at the same time: what tells them apart?

use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "sse/identifiers";
const STREAMS: usize = 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["sse.multi.distinct-endpoints", "security.sse.endpoint-unguessable"],
    stage: Stage::Alone,
    applies: super::defined,
    run: |cx| Box::pin(provoke_identifiers(cx)),
};

async fn provoke_identifiers(cx: Cx) {
    let mut sessions: Vec<Session> = Vec::new();
    for _ in 0..STREAMS {
        let Ok(session) = cx.open(Opening::new(NAME, cx.profile.revision)).await else { break };
        sessions.push(session);
    }
    for session in &sessions {
        if session.announced().await.is_err() {
            break;
        }
    }
    for session in sessions {
        session.kill().await;
    }
}
