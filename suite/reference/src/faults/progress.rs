//! Faults of the area progress.

use super::Edit::{Remove, Set};
use super::On::Notification;
use super::jsonrpc::HANDSHAKE;
use super::{Fault, rewrite, switch};
use crate::Transport::{Http, Stdio};

const PROGRESS: &str = "notifications/progress";

pub(super) static TABLE: &[Fault] = &[
    switch("progress.only-when-requested", "", "progress comes without a token to ask for it"),
    switch("progress.token-echo", "", "a token that is a number comes back as a string"),
    switch("progress.token-echo", "number", "a token of digits comes back as a number"),
    switch("progress.token-string-and-integer", "", "the token 0 is refused"),
    switch("progress.token-string-and-integer", "falsy", "the tokens 0 and \"\" are taken for none"),
    rewrite(
        "progress.token-required",
        "",
        "progress has no token",
        &[(Notification(PROGRESS), Remove("/params/progressToken"))],
    ),
    rewrite(
        "progress.value-number",
        "",
        "progress is a string",
        &[(Notification(PROGRESS), Set("/params/progress", "\"1\""))],
    ),
    rewrite("progress.total-number", "", "a total is null", &[(Notification(PROGRESS), Set("/params/total", "null"))]),
    rewrite(
        "progress.message-string",
        "",
        "a message is a number",
        &[(Notification(PROGRESS), Set("/params/message", "1"))],
    ),
    rewrite(
        "progress.message-useful",
        "",
        "a message is empty",
        &[(Notification(PROGRESS), Set("/params/message", "\"\""))],
    ),
    rewrite("progress.method-and-no-id", "", "progress has an id", &[(Notification(PROGRESS), Set("/id", "4711"))]),
    switch("progress.value-increases", "", "progress stays the same"),
    switch("progress.value-increases", "back", "progress goes down"),
    // Over HTTP the response ends the stream.
    switch("progress.stops-after-response", "", "there is progress after the response").over(&[Stdio]),
    switch("progress.before-error-response", "", "there is progress after the error").over(&[Stdio]),
    switch("progress.concurrent-tokens", "", "all progress goes to the newest token"),
    switch("progress.rate-limited", "", "one call reports progress 800 times"),
    switch("progress.client-progress-tolerated", "", "progress with an unknown token ends the process")
        .only(HANDSHAKE)
        .over(&[Stdio])
        .in_a_run(),
    switch("progress.same-stream", "", "progress comes on the response of another request").over(&[Http]),
];
