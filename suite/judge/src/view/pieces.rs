//! Servers that take what one read returns for a message. One that is longer than a pipe holds never comes in one read, so that it is
//! lost by the same defect as one that was sent in pieces, and decides nothing else.

use verdict::Intent;

use super::{Exchange, LARGE, Session};

/// Takes the verdict from large messages that had no answer.
pub(super) fn spare_large(sessions: &mut [Session<'_>]) {
    if sessions.iter().any(loses_pieces) {
        let exchanges = sessions.iter_mut().flat_map(|session| &mut session.exchanges);
        exchanges.filter(|exchange| exchange.send.text.len() >= LARGE).for_each(Exchange::note_lost);
    }
}

/// A message that came in pieces was not answered, and one after it was.
fn loses_pieces(session: &Session<'_>) -> bool {
    let split =
        |exchange: &Exchange<'_>| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::SplitWrite);
    let mut later = session.exchanges.iter().skip_while(|exchange| !(split(exchange) && exchange.is_unanswered()));
    later.next().is_some() && later.any(|exchange| !exchange.answers.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    #[test]
    fn a_large_message_that_comes_in_pieces_is_lost_by_the_same_defect() {
        const READ: &str = "resources.read.uri-validated";
        let long = json!({"uri": format!("none://{}", "x".repeat(super::LARGE))});
        let about = |script: Script, uri| script.unanswered(Intent::ResourceMalformedUri, "resources/read", uri);
        let script = || Script::new(Revision::V2025_11_25, json!({"resources": {}}));
        let pinged = |script: Script| script.plain("ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(pinged(about(script(), long.clone())).status_of(READ), Status::Fail, "each piece is read");
        let split = pinged(script().unanswered(Intent::SplitWrite, "ping", json!({})));
        assert_ne!(pinged(about(split, long)).status_of(READ), Status::Fail);
        let split = pinged(script().unanswered(Intent::SplitWrite, "ping", json!({})));
        assert_eq!(pinged(about(split, json!({"uri": "none"}))).status_of(READ), Status::Fail, "it came in one piece");
    }
}
