//! The area `jsonrpc`.

mod batch;
mod ids;
mod invalid;
mod malformed;
mod methods;
mod notifications;
mod own_requests;
mod params;
mod request_meta;
mod robustness;
mod variations;

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use serde_json::{Value, json};
use wire::write;

pub(super) use own_requests::seems_to_ask;

use super::{Cx, Scenario, Stage};
use crate::survey::LISTS;
use crate::{Opening, ServerProfile};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[
    ids::LEGAL,
    own_requests::SCENARIO,
    ids::REUSE,
    ids::SHARED,
    methods::UNKNOWN,
    methods::BURST,
    params::INVALID,
    params::CODES,
    variations::ADDED,
    request_meta::SERVED,
    request_meta::REFUSED_HTTP,
    notifications::QUIET,
    notifications::AFTERMATH,
    request_meta::REFUSED_STDIO,
    request_meta::UNVERSIONED_STDIO,
    invalid::PARAMS,
    batch::SERVED,
    batch::SINGLE,
    batch::INITIALIZE,
    ids::ODD,
    invalid::OBJECTS,
    malformed::JSON,
    robustness::ODD,
];

/// All at once, until each has come to something.
pub(super) async fn all<F: Future>(futures: impl IntoIterator<Item = F>) {
    let mut open: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
    poll_fn(|context| {
        open.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if open.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// A list that the server offers, and the member of its results that only they have: one that was walked, if any was.
pub(super) fn list(profile: &ServerProfile) -> Option<(&'static str, &'static str)> {
    let walked = profile.walks.first().map(|walk| (walk.method, walk.member));
    let declared = LISTS.iter().find(|(_, _, capability)| profile.declares(capability));
    walked.or(declared.map(|(method, member, _)| (*method, *member)))
}

/// Params as an ordinary request has them, `_meta` of 2026-07-28 included.
fn params(cx: &Cx, mut params: Value) -> Value {
    if !cx.profile.is_handshake() {
        params["_meta"] = cx.session.meta();
    }
    params
}

/// The text of an ordinary request but for its id, whose JSON text is given.
fn request(cx: &Cx, id: &str, method: &str) -> String {
    write::request(write::IdText::raw(id), method, Some(&params(cx, json!({}))))
}

/// The text of a liveness request with an extra member in params, whose JSON text is given.
fn with_unknown(cx: &Cx, text: &str) -> String {
    const MARK: &str = "mcp-conform-mark";
    let params = params(cx, json!({"x-unknown": MARK}));
    let request = write::request(cx.session.fresh_id(), &cx.session.sign(), Some(&params));
    request.replacen(&format!("\"{MARK}\""), text, 1)
}

/// Any server.
fn always(_: &ServerProfile) -> bool {
    true
}
