//! The area `logging`. The members of a message and their types are judged by the shapes of messages.

mod asked;
mod levels;
mod messages;
mod refused;
mod sessions;

use serde_json::Value;
use wire::mcp::{LOG_LEVELS, meta};

use super::during::param;
use crate::{Incoming, Rule, Session};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[asked::RULE, levels::RULE, messages::RULE, refused::RULE, sessions::RULE];

/// The key of 2026-07-28 with which a request asks for log messages.
const LOG_LEVEL: &str = meta::LOG_LEVEL;

/// How grave a level is.
fn rank(level: Option<&Value>) -> Option<usize> {
    let level = level?.as_str()?;
    LOG_LEVELS.iter().position(|known| *known == level)
}

/// The log messages of a session, in the order of arrival.
fn logs<'v>(session: &'v Session<'v>) -> impl Iterator<Item = &'v Incoming<'v>> {
    session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/message"))
}

/// How grave a log message is.
fn gravity(log: &Incoming<'_>) -> Option<usize> {
    rank(param(log, "level"))
}
