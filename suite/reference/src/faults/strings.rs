//! Faults that only some strings show, among all that prompts, resource templates and completions take.

use super::{Fault, switch};
use crate::Transport::Stdio;
use crate::core::{Action, Call, Connection, Reply};
use crate::error::RpcError;

const ANSWERED: &str = "jsonrpc.response.every-request-answered";
const PROMPTS: &str = "prompts.get.validates-arguments";
const COMPLETION: &str = "completion.inputs-validated";

pub(super) static TABLE: &[Fault] = &[
    falls("empty-argument", "an empty argument of a prompt is not survived"),
    falls("percent", "a percent sign in a variable of a template is not survived"),
    switch(ANSWERED, "apostrophe", "a completion of an apostrophe is never over"),
    switch(PROMPTS, "beyond-16-bits", "a character beyond 16 bits in an argument of a prompt gives -32603"),
    switch(COMPLETION, "quote", "a completion of a quotation mark gives -32603"),
];

/// Over HTTP the server cannot be started again.
const fn falls(variant: &'static str, what: &'static str) -> Fault {
    switch(ANSWERED, variant, what).over(&[Stdio])
}

/// What comes of a request with a string that a fault cannot cope with.
pub(super) fn intercept(connection: &mut Connection, call: &Call, id: &str, variant: &str) -> Option<Reply> {
    let has = |text: &str| call.params["argument"]["value"].as_str().is_some_and(|value| value.contains(text));
    let any = |wanted: fn(&str) -> bool| {
        let mut given = call.params["arguments"].as_object().into_iter().flatten();
        given.any(|(_, value)| value.as_str().is_some_and(wanted))
    };
    let uri =
        call.params["uri"].as_str().filter(|uri| ["weather://", "shout://"].iter().any(|all| uri.starts_with(all)));
    match (id, variant, call.method.as_str()) {
        (ANSWERED, "empty-argument", "prompts/get") if any(str::is_empty) => exit(connection),
        (ANSWERED, "percent", "resources/read") if uri.is_some_and(|uri| uri.contains("%25")) => exit(connection),
        (ANSWERED, "apostrophe", "completion/complete") if has("'") => Some(Reply::Later),
        (PROMPTS, "beyond-16-bits", "prompts/get") if any(is_astral) => broken(),
        (COMPLETION, "quote", "completion/complete") if has("\"") => broken(),
        _ => None,
    }
}

fn is_astral(text: &str) -> bool {
    text.chars().any(|letter| letter > '\u{ffff}')
}

fn exit(connection: &mut Connection) -> Option<Reply> {
    connection.act(Action::Exit(1));
    Some(Reply::Later)
}

fn broken() -> Option<Reply> {
    Some(RpcError::new(-32603, "it went wrong").into())
}
