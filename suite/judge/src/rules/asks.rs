//! Requests that a server makes of its client: its own until 2025-11-25, input requests in results from 2026-07-28 on. Shared by
//! the areas `sampling`, `elicitation` and `mrtr`.

use serde_json::Value;
use verdict::Finding;
use wire::Kind;
use wire::mcp::meta;

use super::during::{frame_finding, meta};
use crate::{Case, Exchange, Incoming, Session, View};

/// One thing asked for.
pub(super) struct Ask<'v> {
    pub(super) incoming: &'v Incoming<'v>,
    pub(super) method: &'v str,
    pub(super) params: &'v Value,
    /// The capabilities that the client declared: in the handshake, or in the request that is being answered.
    pub(super) declared: Value,
    /// In 2026-07-28 the request that is answered so.
    pub(super) exchange: Option<&'v Exchange<'v>>,
}

impl Ask<'_> {
    /// Whether a dotted capability is declared.
    pub(super) fn has(&self, capability: &str) -> bool {
        capability
            .split('.')
            .try_fold(&self.declared, |value, part| value.get(part))
            .is_some_and(|value| !value.is_null())
    }

    pub(super) fn finding(&self, message: &str, expected: &str, actual: &str) -> Finding {
        frame_finding(self.incoming, message, expected, actual)
    }
}

static NOTHING: Value = Value::Null;

/// Everything asked for in the judged sessions.
pub(super) fn asks<'v>(view: &'v View<'v>) -> Vec<Ask<'v>> {
    let mut all = Vec::new();
    for session in view.judged() {
        for incoming in &session.incoming {
            let Some(message) = incoming.message() else { continue };
            if let (Kind::Request, Some(method)) = (message.kind, message.method()) {
                // In 2026-07-28 a request of the server's own is the fault, and which request's capabilities it goes by is not known.
                if !view.revision.is_handshake() {
                    continue;
                }
                let params = message.params().unwrap_or(&NOTHING);
                all.push(Ask { incoming, method, params, declared: greeted(view, session), exchange: None });
            } else if let Some(exchange) = incoming.answers.and_then(|at| session.exchanges.get(at)) {
                all.extend(inputs(message.result()).map(|(method, params)| {
                    let declared = meta(exchange, meta::CLIENT_CAPABILITIES).cloned().unwrap_or_default();
                    Ask { incoming, method, params, declared, exchange: Some(exchange) }
                }));
            }
        }
    }
    all
}

/// The input requests of a result: method and params.
pub(super) fn inputs(result: Option<&Value>) -> impl Iterator<Item = (&str, &Value)> {
    let entries = result.filter(|result| is_input_required(result)).and_then(|result| result.get("inputRequests"));
    let entries = entries.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(_, entry)| Some((entry.get("method")?.as_str()?, entry.get("params").unwrap_or(&NOTHING))))
}

/// A result of 2026-07-28 that asks for something first.
pub(super) fn is_input_required(result: &Value) -> bool {
    result.get("resultType").and_then(Value::as_str) == Some("input_required")
}

/// Whether a case is answered with a request for input.
pub(super) fn asks_again(case: &Case<'_>) -> bool {
    case.result().is_some_and(is_input_required)
}

/// Returns the capabilities that the client declared in the handshake of a connection.
fn greeted(view: &View<'_>, session: &Session<'_>) -> Value {
    let initializes = |session: &Session<'_>| {
        let mut messages = session.exchanges.iter().flat_map(|exchange| exchange.parsed.messages());
        messages.find(|message| message.method() == Some("initialize")).cloned()
    };
    let initialize = view.connection(session).filter_map(initializes).last();
    let capabilities = initialize.and_then(|message| message.params()?.get("capabilities").cloned());
    capabilities.unwrap_or_default()
}

/// The mode of an elicitation: form unless it says otherwise.
pub(super) fn mode(params: &Value) -> &str {
    params.get("mode").and_then(Value::as_str).unwrap_or("form")
}
