//! Faults that only some strings show, among all that prompts, resource templates and completions take.

use super::Hook::Request;
use super::replies::{exit, went_wrong};
use super::{Fault, Hook, fault};
use crate::Transport::Stdio;
use crate::core::{Call, Reply};

const ANSWERED: &str = "jsonrpc.response.every-request-answered";
const PROMPTS: &str = "prompts.get.validates-arguments";
const COMPLETION: &str = "completion.inputs-validated";

pub(super) static TABLE: &[Fault] = &[
    crash(
        "empty-argument",
        "an empty argument of a prompt is not survived",
        Request(|connection, call| is_given(call, str::is_empty).then(|| exit(connection))),
    ),
    crash(
        "percent",
        "a percent sign in a variable of a template is not survived",
        Request(|connection, call| reads_percent(call).then(|| exit(connection))),
    ),
    fault(
        ANSWERED,
        "apostrophe",
        "a completion of an apostrophe is never over",
        Request(|_, call| types(call, "'").then_some(Reply::Later)),
    ),
    fault(
        PROMPTS,
        "beyond-16-bits",
        "a character beyond 16 bits in an argument of a prompt gives -32603",
        Request(|_, call| is_given(call, |text| text.chars().any(|letter| letter > '\u{ffff}')).then(went_wrong)),
    ),
    fault(
        COMPLETION,
        "quote",
        "a completion of a quotation mark gives -32603",
        Request(|_, call| types(call, "\"").then(went_wrong)),
    ),
];

/// Over HTTP the server cannot be started again.
const fn crash(variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(ANSWERED, variant, what, hook).over(&[Stdio])
}

/// Whether an argument of a prompt is of a kind.
fn is_given(call: &Call, wanted: fn(&str) -> bool) -> bool {
    let mut given = call.params["arguments"].as_object().into_iter().flatten();
    call.method == "prompts/get" && given.any(|(_, value)| value.as_str().is_some_and(wanted))
}

/// Whether a text to be completed contains something.
fn types(call: &Call, text: &str) -> bool {
    let value = call.params["argument"]["value"].as_str();
    call.method == "completion/complete" && value.is_some_and(|value| value.contains(text))
}

/// Whether a resource of a template is read whose variable has a percent sign.
fn reads_percent(call: &Call) -> bool {
    let uri = call.params["uri"].as_str().unwrap_or_default();
    let of_template = ["weather://", "shout://"].iter().any(|template| uri.starts_with(template));
    call.method == "resources/read" && of_template && uri.contains("%25")
}
