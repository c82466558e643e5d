//! Responses of a server over HTTP+SSE in the body of the POST in place of the stream. Where something else that the server had to say
//! took that place, the response is lost by the same defect, and its absence decides nothing else.

use std::collections::HashSet;

use verdict::Transport;
use wire::Message;

use super::{Exchange, Session};

/// Takes the verdict from unanswered requests whose POST was answered with another message.
pub(super) fn spare_displaced(session: &mut Session<'_>) {
    if session.open.transport != Transport::Sse {
        return;
    }
    let talks = |message: &&Message| message.method().is_some();
    let came = session.incoming.iter().filter(|incoming| incoming.message().as_ref().is_some_and(talks));
    let channels: HashSet<u32> = came.map(|incoming| incoming.receive.channel).collect();
    let own = |channel| channel != 0 && channels.contains(&channel);
    session.exchanges.iter_mut().filter(|exchange| own(exchange.send.channel)).for_each(Exchange::note_lost);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Transport};

    use crate::testing::Script;

    fn is_decided(body: &str) -> bool {
        let script = Script::over(Transport::Sse, Revision::V2024_11_05, json!({}));
        let text = json!({"jsonrpc": "2.0", "id": 70, "method": "ping"}).to_string();
        let script = script.request("POST", Intent::PromptUnknown, Value::Null, &[], &text);
        let script = script.respond(200, &[("content-type", "application/json")], body).gave_up();
        script.look(|view| view.probes(Intent::PromptUnknown).all(|case| case.is_decided()))
    }

    #[test]
    fn what_took_the_place_of_a_response_is_not_held_against_it() {
        assert!(is_decided("Accepted"));
        assert!(!is_decided(r#"{"jsonrpc":"2.0","id":"server-1","method":"roots/list"}"#));
    }
}
