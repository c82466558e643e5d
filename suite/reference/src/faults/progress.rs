//! Faults of the area progress.

use serde_json::json;

use super::Edit::{Remove, Set};
use super::Hook::{Request, Switch};
use super::On::Notification;
use super::jsonrpc::HANDSHAKE;
use super::replies::invalid;
use super::{Fault, fault, rewrite};
use crate::Transport::{Http, Stdio};
use crate::deviation::Deviation;

const PROGRESS: &str = "notifications/progress";

pub(super) static TABLE: &[Fault] = &[
    fault(
        "progress.only-when-requested",
        "",
        "progress comes without a token to ask for it",
        Switch(&[Deviation::ProgressUnasked]),
    ),
    fault(
        "progress.token-echo",
        "",
        "a token that is a number comes back as a string",
        Switch(&[Deviation::ProgressTokensBecomeStrings]),
    ),
    fault(
        "progress.token-echo",
        "number",
        "a token of digits comes back as a number",
        Switch(&[Deviation::ProgressTokensBecomeNumbers]),
    ),
    fault(
        "progress.token-string-and-integer",
        "",
        "the token 0 is refused",
        Request(|_, call| {
            let token = call.params.get("_meta").and_then(|meta| meta.get("progressToken"));
            (token == Some(&json!(0))).then(|| invalid("progressToken is missing"))
        }),
    ),
    fault(
        "progress.token-string-and-integer",
        "falsy",
        "the tokens 0 and \"\" are taken for none",
        Switch(&[Deviation::FalsyProgressTokensIgnored]),
    ),
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
    fault("progress.value-increases", "", "progress stays the same", Switch(&[Deviation::ProgressStandsStill])),
    fault("progress.value-increases", "back", "progress goes down", Switch(&[Deviation::ProgressGoesDown])),
    // Over HTTP the response ends the stream.
    fault(
        "progress.stops-after-response",
        "",
        "there is progress after the response",
        Switch(&[Deviation::ProgressAfterResponse]),
    )
    .over(&[Stdio]),
    fault(
        "progress.before-error-response",
        "",
        "there is progress after the error",
        Switch(&[Deviation::ProgressAfterError]),
    )
    .over(&[Stdio]),
    fault(
        "progress.concurrent-tokens",
        "",
        "all progress goes to the newest token",
        Switch(&[Deviation::ProgressGoesToNewestToken]),
    ),
    fault("progress.rate-limited", "", "one call reports progress 800 times", Switch(&[Deviation::ProgressFloods])),
    fault(
        "progress.client-progress-tolerated",
        "",
        "progress with an unknown token ends the process",
        Switch(&[Deviation::ClientProgressIsFatal]),
    )
    .only(HANDSHAKE)
    .over(&[Stdio])
    .in_a_run(),
    fault(
        "progress.same-stream",
        "",
        "progress comes on the response of another request",
        Switch(&[Deviation::ProgressOnOtherResponse]),
    )
    .over(&[Http]),
];
