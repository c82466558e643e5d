//! Faults of the area logging.

use super::Edit::{Remove, Set};
use super::On::Notification;
use super::{Fault, rewrite, switch};

const MESSAGE: &str = "notifications/message";

pub(super) static TABLE: &[Fault] = &[
    switch("logging.capability-declared", "", "there are log messages, but the capability is not declared"),
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
    switch("logging.rate-limited", "", "one call logs more than a thousand messages"),
    switch("logging.no-credentials", "", "a password is logged"),
    switch("logging.set-level.accepted", "", "logging/setLevel is unknown"),
    switch("logging.set-level.every-level", "", "the level notice is refused"),
    switch("logging.set-level.invalid-level", "", "any level is accepted"),
    switch("logging.set-level.invalid-level", "code", "a level that does not exist gives -32603"),
    switch("logging.set-level.missing-level", "", "a missing level is accepted"),
    switch("logging.set-level.missing-level", "code", "a missing level gives -32603"),
    switch("logging.set-level.threshold", "", "messages below the level are sent"),
    switch("logging.set-level.higher-still-sent", "", "once the level was set twice, nothing is logged any more"),
    switch("logging.set-level.changeable", "", "from emergency there is no way back"),
    switch(
        "logging.set-level.changeable",
        "ignored",
        "from emergency the level does not go back, though it is said to",
    ),
    switch("logging.set-level.session-scope", "", "there is one log level for all sessions")
        .over(&[crate::Transport::Http, crate::Transport::Sse])
        .in_a_run(),
    switch("logging.set-level.undeclared", "", "logging/setLevel is served without the capability"),
    switch("logging.set-level.undeclared", "code", "logging/setLevel without the capability gives -32602"),
    switch("logging.per-request.opt-in", "", "everything is logged, asked for or not"),
    switch("logging.per-request.threshold", "", "the level asked for does not matter"),
    switch("logging.per-request.before-response", "", "log messages come after the response")
        .over(&[crate::Transport::Stdio]),
    switch("logging.per-request.not-on-listen", "", "log messages come on subscriptions"),
    switch("logging.per-request.not-sticky", "", "a request without a level is given that of the last one"),
    switch("logging.per-request.invalid-level", "", "a level that does not exist is let pass"),
    switch("logging.per-request.invalid-level", "code", "a level that does not exist gives -32603"),
    switch("logging.per-request.every-level", "", "a request with the level notice is refused"),
];
