//! One message: its kind, its envelope, and what it carries.

use serde_json::Value;
use verdict::{Key, Revision};
use wire::mcp::meta;
use wire::{Content, Kind, Message};

use super::finding;
use super::heard::Heard;
use crate::shapes::{self, Fault, Mismatch, Report};
use crate::{Case, Collector, Exchange, Session};

const ONE_KIND: &str = "jsonrpc.message.one-kind";
const NO_ID: &str = "jsonrpc.notification.no-id";
const RESULT_XOR_ERROR: &str = "jsonrpc.response.result-xor-error";
const SUCCESS_ID: &str = "jsonrpc.response.success-id-not-null";

/// Looks at one message; what is wrong goes to the collector, what is right stays in the report.
pub(super) fn examine(heard: &Heard<'_>, report: &mut Report, collector: &mut Collector) {
    let Some(message) = heard.incoming.message() else { return };
    report.mismatches.clear();
    check_kind(heard, message, collector);
    if let Some(shape) = shapes::envelope(message.kind) {
        shapes::examine(message.but_for_id(), "", shape, collector.revision(), report);
        if report.mismatches.iter().any(|mismatch| mismatch.id == SUCCESS_ID) && is_excused(heard) {
            report.mismatches.retain(|mismatch| mismatch.id != SUCCESS_ID);
        }
    }
    match message.kind {
        Kind::Request | Kind::Notification => check_told(heard, message, report, collector),
        Kind::Response => check_answered(heard, message, report, collector),
        Kind::Error => refused(message, report, collector.revision()),
        Kind::Invalid => {}
    }
    for mismatch in report.mismatches.drain(..).filter(|mismatch| !is_echo(heard, message, mismatch)) {
        finding::tell(heard, message, &mismatch, collector);
    }
}

fn check_kind(heard: &Heard<'_>, message: &Message, collector: &mut Collector) {
    if message.lacks_outcome() {
        let told = "A response has neither a result nor an error, so the caller learns nothing.";
        collector.fail(RESULT_XOR_ERROR, heard.finding(told, "exactly one of result and error", "neither"));
    }
    collector.check(ONE_KIND, message.kind != Kind::Invalid, || {
        let has = |name: &str| message.member(name).is_some();
        let actual = match (message.is_object(), has("method")) {
            (false, _) => "an array entry that is not an object",
            (true, true) => "method together with result or error",
            (true, false) => "none of method, result and error",
        };
        let message =
            "The server sent an object that is not a request, a notification or a response: clients drop it or fail.";
        heard.finding(message, "method, or exactly one of result and error", actual)
    });
}

/// Whether the client itself sent the value: that it is malformed is not the server's doing. Of strings that were made up, and that
/// nobody says are good ones, a part may come back as well.
fn is_echo(heard: &Heard<'_>, message: &Message, mismatch: &Mismatch) -> bool {
    let made_up = |case: Case<'_>| case.about(Key::Subject).is_some();
    if mismatch.fault == Fault::Form && heard.case().is_some_and(made_up) {
        return true;
    }
    let said = message.but_for_id().pointer(&mismatch.pointer).and_then(Value::as_str);
    let said = said.filter(|said| mismatch.fault == Fault::Form && !said.is_empty());
    let given = heard.request().and_then(Message::params);
    said.zip(given).is_some_and(|(said, given)| holds(given, said))
}

fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

fn check_told(heard: &Heard<'_>, message: &Message, report: &mut Report, collector: &mut Collector) {
    let Some(method) = message.method() else { return };
    if method.starts_with("notifications/") {
        collector.check(NO_ID, message.id.is_none(), || {
            let text = format!("{method} has an id, which makes it a request that clients answer or refuse.");
            heard.finding(&text, "a notification without the member id", "a member id")
        });
    }
    if message.params().is_none_or(Value::is_object) {
        shapes::examine(
            message.but_for_id(),
            "",
            shapes::message(method, collector.revision()),
            collector.revision(),
            report,
        );
    }
}

fn check_answered(heard: &Heard<'_>, message: &Message, report: &mut Report, collector: &mut Collector) {
    let (Some(request), Some(result)) = (heard.request(), message.result()) else { return };
    let (Some(method), true) = (request.method(), result.is_object()) else { return };
    let revision = collector.revision();
    if !is_of(heard, request, revision) || heard.case().is_some_and(|case| is_about_ids(case.exchange)) {
        return;
    }
    if has_turned(heard, result, revision) {
        let note = "after a request that names no revision, results have the form of older revisions";
        return collector.note("jsonrpc.result-type.present", note);
    }
    let Some(shape) = shapes::result(method, request.params(), result, revision) else { return };
    if revision.is_handshake() || is_core(heard, method, result, collector) {
        shapes::examine(result, "/result", shape, revision, report);
    }
}

/// A request that asks for another revision than the judged one, or for none on purpose, says nothing of the result's shape.
fn is_of(heard: &Heard<'_>, request: &Message, revision: Revision) -> bool {
    if revision.is_handshake() {
        return true;
    }
    match version(request) {
        Some(version) => version.as_str() == Some(revision.as_str()),
        None => heard.case().is_none_or(|case| case.intent().is_none()),
    }
}

/// A server of both eras may take the whole connection for one of older revisions once it heard a request of those: what
/// it says in their form from then on is no evidence.
fn has_turned(heard: &Heard<'_>, result: &Value, revision: Revision) -> bool {
    let turned = heard.turns.is_some_and(|seq| seq < heard.incoming.seq);
    !revision.is_handshake() && turned && result.get("resultType").is_none()
}

/// When a probe first sent a request that does not name this revision.
pub(super) fn turns(session: &Session<'_>, revision: Revision) -> Option<u32> {
    let other = |message: &Message| {
        message.kind == Kind::Request && version(message).and_then(Value::as_str) != Some(revision.as_str())
    };
    let probes = session.exchanges.iter().filter(|exchange| exchange.send.probe.is_some());
    probes.filter(|exchange| exchange.parsed.messages().iter().any(other)).map(|exchange| exchange.seq).min()
}

/// The revision that a request of 2026-07-28 names.
fn version(request: &Message) -> Option<&Value> {
    request.params()?.get("_meta")?.get(meta::PROTOCOL_VERSION)
}

/// Whether the core protocol says what kind of result it is, so that it can be looked into. (What is wrong with another
/// `resultType` is for a rule of its own to say.)
fn is_core(heard: &Heard<'_>, method: &str, result: &Value, collector: &mut Collector) -> bool {
    let kind = result.get("resultType").and_then(Value::as_str);
    if result.get("inputRequests").is_some() && kind != Some("input_required") {
        let text = format!(
            "The result of {method} has inputRequests, but its resultType is not input_required, so clients treat it as final."
        );
        let finding = heard.finding(&text, "resultType \"input_required\"", "another resultType or none");
        collector.fail("mrtr.result-type", finding);
    }
    kind.is_none_or(|kind| matches!(kind, "complete" | "input_required")) || !has_extensions(heard)
}

fn has_extensions(heard: &Heard<'_>) -> bool {
    let extensions = heard.view.capabilities().get("extensions").and_then(Value::as_object);
    extensions.is_some_and(|extensions| !extensions.is_empty())
}

fn refused(message: &Message, report: &mut Report, revision: Revision) {
    if let (Some(code), Some(error)) = (message.error_code(), message.error())
        && let Some(shape) = shapes::error(code, revision)
    {
        shapes::examine(error, "/error", shape, revision, report);
    }
}

/// The answer to a message whose own id was odd cannot have a proper one.
fn is_excused(heard: &Heard<'_>) -> bool {
    // On standard output the position of an answer without a readable id proves little.
    let by_channel = heard.exchange().filter(|exchange| exchange.send.channel != 0);
    let odd = |exchange: &Exchange<'_>| has_odd_id(exchange);
    match by_channel {
        Some(exchange) => odd(exchange),
        None => heard.session.exchanges.iter().any(odd),
    }
}

/// The answer may be that of another request.
fn is_about_ids(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.as_ref().is_some_and(|probe| probe.intent.varies_id())
}

fn has_odd_id(exchange: &Exchange<'_>) -> bool {
    match &exchange.parsed.content {
        Content::One(message) => message.method().is_some() && message.id.as_ref().is_some_and(|id| id.key().is_none()),
        _ => false,
    }
}
