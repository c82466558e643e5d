//! Progress notifications and the requests they belong to.

use serde_json::Value;

use crate::rules::during::{meta, param};
use crate::{Exchange, Incoming, Session};

/// One `notifications/progress` with a token that can be one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beat<'v> {
    pub(super) incoming: &'v Incoming<'v>,
    pub(super) token: &'v Value,
    /// The last request before it that carried the token.
    pub(super) request: Option<&'v Exchange<'v>>,
}

impl<'v> Beat<'v> {
    pub(super) fn progress(&self) -> Option<&'v Value> {
        param(self.incoming, "progress").filter(|value| value.is_number())
    }
}

/// All of a session, in the order of arrival.
pub(super) fn beats<'v>(session: &'v Session<'v>) -> impl Iterator<Item = Beat<'v>> {
    let progress = session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/progress"));
    progress.filter_map(move |incoming| {
        let token = param(incoming, "progressToken").filter(|token| token.is_string() || token.is_number())?;
        let mut before = session.exchanges.iter().rev().filter(|exchange| exchange.seq < incoming.seq);
        let request = before.find(|exchange| token_of(exchange).is_some_and(|sent| same(sent, token)));
        Some(Beat { incoming, token, request })
    })
}

/// Those of one request.
pub(super) fn beats_of<'v>(session: &'v Session<'v>, exchange: &'v Exchange<'v>) -> Vec<Beat<'v>> {
    beats(session).filter(|beat| beat.request.is_some_and(|request| request.seq == exchange.seq)).collect()
}

pub(super) fn token_of<'v>(exchange: &'v Exchange<'_>) -> Option<&'v Value> {
    meta(exchange, "progressToken")
}

/// Whether two values are equal and of one type; how a number is spelled does not matter.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && b.is_number() && a.as_f64() == b.as_f64())
}

/// Whether two values have equal text but different types: `7` and `"7"`.
pub(super) fn twins(a: &Value, b: &Value) -> bool {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    a.is_string() != b.is_string() && text(a) == text(b)
}
