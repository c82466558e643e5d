//! Calls with everything asked for that could come before the result, so that there are streams to look at.

use serde_json::{Value, json};
use verdict::Intent;
use wire::mcp::meta;

use super::{call, is_modern, tools};
use crate::scenario::tools::{Call, send};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/modern-streams";
/// Tools that are called.
const TOOLS: usize = 24;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["http.sse.accel-buffering-header", "http.sse.response-arrives-modern", "http.resume.no-event-ids"],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_streams(cx)),
};

async fn provoke_streams(cx: Cx) {
    let calls = tools(&cx).take(TOOLS).enumerate().map(|(at, (tool, arguments))| {
        let mut params: Value = call(tool, &arguments);
        params["_meta"] = json!({
            "progressToken": format!("stream-{at}"),
            (meta::LOG_LEVEL): "debug",
        });
        Call { intent: Intent::StreamedCall, about: json!({"tool": tool.name}), params }
    });
    send(&cx.session, NAME, calls.collect()).await;
}
