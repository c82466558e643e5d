//! The area `stdio`.

mod compat;
mod ending;
mod input;
mod lines;
mod process;
mod unprompted;

use verdict::Finding;

use crate::{Rule, Session};

/// The rules of this area.
pub(super) static RULES: &[Rule] =
    &[process::RULE, lines::RULE, input::RULE, unprompted::RULE, ending::RULE, compat::RULE];

/// A finding about a session, with evidence of its own.
fn finding(session: &Session<'_>, message: &str, expected: &str, actual: &str, wire: Vec<String>) -> Finding {
    let stderr = session.stderr.iter().rev().take(5).rev().map(|(_, line)| crate::view::clip(line)).collect();
    Finding { stderr, ..Finding::new(message, expected, actual, wire) }
}

/// The last thing sent, and what came back, as evidence.
fn last_exchange(session: &Session<'_>) -> Vec<String> {
    let Some(exchange) = session.exchanges.last() else { return Vec::new() };
    let answers = exchange.answers.iter().filter_map(|at| session.incoming.get(*at));
    let sent = std::iter::once(format!("> {}", crate::view::clip(&exchange.send.text)));
    sent.chain(answers.map(crate::Incoming::wire)).collect()
}
