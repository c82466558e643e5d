//! Faults of the area logging.

use serde_json::{Value, json};
use wire::mcp::code;
use wire::mcp::meta;

use super::Edit::{Remove, Set};
use super::Hook::{Request, Result, Switch};
use super::On::Notification;
use super::replies::{error, invalid, undeclare};
use super::{Fault, fault, rewrite};
use crate::core::{Call, LEVELS};
use crate::deviation::Deviation;

const MESSAGE: &str = "notifications/message";

pub(super) static TABLE: &[Fault] = &[
    fault(
        "logging.capability-declared",
        "",
        "there are log messages, but the capability is not declared",
        Result(|_, call, result| undeclare(call, result, "logging")),
    ),
    rewrite(
        "logging.message.level",
        "",
        "a level is warn",
        &[(Notification(MESSAGE), Set("/params/level", "\"warn\""))],
    ),
    rewrite(
        "logging.message.level",
        "case",
        "a level is in capitals",
        &[(Notification(MESSAGE), Set("/params/level", "\"ERROR\""))],
    ),
    rewrite(
        "logging.message.data-present",
        "",
        "the text stands in params.message",
        &[(Notification(MESSAGE), Remove("/params/data")), (Notification(MESSAGE), Set("/params/message", "\"text\""))],
    ),
    rewrite(
        "logging.message.logger-string",
        "",
        "a logger is null",
        &[(Notification(MESSAGE), Set("/params/logger", "null"))],
    ),
    rewrite(
        "logging.message.is-notification",
        "",
        "log messages have an id",
        &[(Notification(MESSAGE), Set("/id", "4711"))],
    ),
    fault("logging.rate-limited", "", "one call logs more than a thousand messages", Switch(&[Deviation::LogsFlood])),
    fault("logging.no-credentials", "", "a password is logged", Switch(&[Deviation::LogsPassword])),
    fault(
        "logging.set-level.accepted",
        "",
        "logging/setLevel is unknown",
        Request(|_, call| {
            (call.method == "logging/setLevel").then(|| error(code::METHOD_NOT_FOUND, "Method not found"))
        }),
    ),
    fault("logging.set-level.every-level", "", "the level notice is refused", Switch(&[Deviation::NoticeLevelRefused])),
    fault("logging.set-level.invalid-level", "", "any level is accepted", Switch(&[Deviation::InvalidLevelAccepted])),
    fault(
        "logging.set-level.invalid-level",
        "code",
        "a level that does not exist gives -32603",
        Switch(&[Deviation::InvalidLevelIsInternalError]),
    ),
    fault(
        "logging.set-level.missing-level",
        "",
        "a missing level is accepted",
        Switch(&[Deviation::MissingLevelAccepted]),
    ),
    fault(
        "logging.set-level.missing-level",
        "code",
        "a missing level gives -32603",
        Switch(&[Deviation::MissingLevelIsInternalError]),
    ),
    fault(
        "logging.set-level.threshold",
        "",
        "messages below the level are sent",
        Switch(&[Deviation::LogsBelowSessionLevel]),
    ),
    fault(
        "logging.set-level.higher-still-sent",
        "",
        "once the level was set twice, nothing is logged any more",
        Switch(&[Deviation::MuteAfterTwoLevels]),
    ),
    fault(
        "logging.set-level.changeable",
        "",
        "from emergency there is no way back",
        Switch(&[Deviation::EmergencyLevelIsFinal]),
    ),
    fault(
        "logging.set-level.changeable",
        "ignored",
        "from emergency the level does not go back, though it is said to",
        Switch(&[Deviation::EmergencyLevelSticks]),
    ),
    fault(
        "logging.set-level.session-scope",
        "",
        "there is one log level for all sessions",
        Switch(&[Deviation::LogLevelIsShared]),
    )
    .over(&[crate::Transport::Http, crate::Transport::Sse])
    .in_a_run(),
    fault(
        "logging.set-level.undeclared",
        "",
        "logging/setLevel is served without the capability",
        Result(|_, call, result| undeclare(call, result, "logging")),
    ),
    fault(
        "logging.set-level.undeclared",
        "code",
        "logging/setLevel without the capability gives -32602",
        Request(|_, call| (call.method == "logging/setLevel").then(|| invalid("logging is not available"))),
    )
    .and(Result(|_, call, result| undeclare(call, result, "logging"))),
    fault(
        "logging.per-request.opt-in",
        "",
        "everything is logged, asked for or not",
        Switch(&[Deviation::LogsUnasked]),
    ),
    fault(
        "logging.per-request.threshold",
        "",
        "the level asked for does not matter",
        Switch(&[Deviation::LogsBelowRequestedLevel]),
    ),
    fault(
        "logging.per-request.before-response",
        "",
        "log messages come after the response",
        Switch(&[Deviation::LogsAfterResponse]),
    )
    .over(&[crate::Transport::Stdio]),
    fault(
        "logging.per-request.not-on-listen",
        "",
        "log messages come on subscriptions",
        Switch(&[Deviation::LogsOnSubscriptions]),
    ),
    fault(
        "logging.per-request.not-sticky",
        "",
        "a request without a level is given that of the last one",
        Switch(&[Deviation::LogLevelSticks]),
    ),
    fault(
        "logging.per-request.invalid-level",
        "",
        "a level that does not exist is let pass",
        Request(|_, call| {
            if !is_legal(call) {
                call.params["_meta"][meta::LOG_LEVEL] = json!("info");
            }
            None
        }),
    ),
    fault(
        "logging.per-request.invalid-level",
        "code",
        "a level that does not exist gives -32603",
        Request(|_, call| (!is_legal(call)).then(|| error(code::INTERNAL_ERROR, "the log level could not be read"))),
    ),
    fault(
        "logging.per-request.every-level",
        "",
        "a request with the level notice is refused",
        Request(|_, call| (level(call) == Some(&json!("notice"))).then(|| invalid("unknown log level"))),
    ),
];

/// The log level that a request asks for.
fn level(call: &Call) -> Option<&Value> {
    call.params.get("_meta")?.get(meta::LOG_LEVEL)
}

fn is_legal(call: &Call) -> bool {
    level(call).is_none_or(|level| level.as_str().is_some_and(|level| LEVELS.contains(&level)))
}
