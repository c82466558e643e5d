//! Messages that cross a server's own end. A program may end when nothing came for a while; what is sent just then may never have been read, so
//! nobody can say that it felled the server. Only what is sent again without a pause shows that.

use std::time::Duration;

use verdict::transcript::Ending;

use super::{Exchange, ExchangeEnd, Fall, Session};

/// A silence after which a server may take itself for idle.
const QUIET: Duration = Duration::from_millis(500);

/// Clears what was sent after a silence, if the program then ended properly without another word.
pub(super) fn forgive(session: &mut Session<'_>) {
    let Some(since) = last_silence(session).filter(|_| ends_properly(session)) else { return };
    for exchange in session.exchanges.iter_mut().filter(|exchange| exchange.seq >= since) {
        if matches!(exchange.end, ExchangeEnd::Gone { .. }) {
            exchange.end = ExchangeEnd::Gone { alone: false };
        }
    }
}

/// Whether the program ended properly after a silence, so that what was sent last may never have been read.
pub(crate) fn may_have_idled(session: &Session<'_>) -> bool {
    ends_properly(session) && last_silence(session).is_some()
}

/// Whether the program ended properly although nothing was asked of it any more, a silence after the last word.
pub(crate) fn has_idled(session: &Session<'_>) -> bool {
    let owed = |exchange: &Exchange<'_>| exchange.answers.is_empty() && !exchange.asks_for_none();
    let sent = session.exchanges.last().map(|exchange| exchange.at);
    let heard = session.incoming.last().map(|incoming| incoming.at);
    let quiet =
        |fall: Fall| sent.into_iter().chain(heard).max().is_some_and(|last| fall.at.saturating_sub(last) >= QUIET);
    ends_properly(session) && session.fall.is_some_and(quiet) && !session.exchanges.iter().any(owed)
}

pub(crate) fn ends_properly(session: &Session<'_>) -> bool {
    session.exit.is_some_and(|(_, exit)| exit.after == Ending::Nothing && exit.code == Some(0))
}

/// `seq` of the first message after the last silence, if the server says nothing from then on; or of the first after its last word, if
/// it ended a silence later: on a busy machine what is sent is read late.
fn last_silence(session: &Session<'_>) -> Option<u32> {
    let heard = session.incoming.last().map(|incoming| (incoming.seq, incoming.at)).or(session.heard_before);
    let sent = session.exchanges.iter().map(|exchange| (exchange.seq, exchange.at));
    let rest: Vec<_> =
        heard.into_iter().chain(sent.filter(|(seq, _)| Some(*seq) > heard.map(|(seq, _)| seq))).collect();
    let ended = session.fall.filter(|fall| fall.ended).map(|fall| fall.at);
    if let (Some(ended), Some((_, heard)), Some((next, _))) = (ended, heard, rest.get(1))
        && ended.saturating_sub(heard) >= QUIET
    {
        return Some(*next);
    }
    rest.windows(2).find(|pair| pair[1].1.saturating_sub(pair[0].1) >= QUIET).map(|pair| pair[1].0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision};

    use crate::ExchangeEnd;
    use crate::falls::Cause;
    use crate::testing::Script;

    fn ends(script: &Script) -> ExchangeEnd {
        script.look(|view| view.calls("tools/list").last().map(|case| case.exchange.end)).expect("it was sent")
    }

    fn asks(pause: u64, code: i32) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).settled().pauses(pause);
        script.unanswered_plainly("tools/list", json!({})).exits(code)
    }

    #[test]
    fn a_message_after_a_silence_may_have_crossed_the_end() {
        assert_eq!(ends(&asks(800, 0)), ExchangeEnd::Gone { alone: false });
    }

    #[test]
    fn what_nothing_felled_again_may_have_ended_for_want_of_work() {
        let falls = |script: Script| script.means(Intent::Unrepeated, json!({})).examined().falls.len();
        assert_eq!(falls(asks(800, 0)), 0);
        assert_eq!((falls(asks(100, 0)), falls(asks(800, 1))), (1, 1));
    }

    #[test]
    fn a_program_that_was_seen_to_end_for_want_of_work_may_have_done_so_sooner_than_it_seems() {
        let falls = |idles: u64| {
            let script = asks(300, 0).means(Intent::Unrepeated, json!({})).session(true, json!({"tools": {}}));
            let script = script.plain("ping", json!({}), json!({"result": {}})).settled().pauses(idles).exits(0);
            script.examined().falls.len()
        };
        assert_eq!((falls(800), falls(100)), (0, 1));
    }

    #[test]
    fn the_silence_may_lie_before_another_session_went_on_with_the_connection() {
        let ended = |pause: u64| {
            let script =
                Script::new(Revision::V2025_11_25, json!({"tools": {}})).settled().pauses(pause).goes_on("rough");
            ends(&script.unanswered_plainly("tools/list", json!({})).exits(0))
        };
        assert_eq!(ended(800), ExchangeEnd::Gone { alone: false });
        assert_eq!(ended(100), ExchangeEnd::Gone { alone: true });
    }

    #[test]
    fn a_message_may_lie_unread_until_the_end() {
        let ended = |pause: u64| {
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).settled().pauses(100);
            ends(&script.unanswered_plainly("tools/list", json!({})).pauses(pause).exits(0))
        };
        assert_eq!(ended(450), ExchangeEnd::Gone { alone: false });
        assert_eq!(ended(300), ExchangeEnd::Gone { alone: true });
    }

    #[test]
    fn malformed_input_is_sent_again_too_before_it_is_blamed() {
        let cause = |pause: u64| {
            let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).settled().pauses(pause);
            let script = script.unanswered(Intent::LargeMessage, "ping", json!({})).exits(0);
            script.examined().falls.first().map(|fallen| fallen.cause)
        };
        assert_eq!((cause(800), cause(100)), (Some(Cause::Unknown), Some(Cause::Malformed)));
    }

    #[test]
    fn without_a_silence_or_a_proper_end_it_is_what_felled_the_server() {
        assert_eq!(ends(&asks(100, 0)), ExchangeEnd::Gone { alone: true });
        assert_eq!(ends(&asks(800, 1)), ExchangeEnd::Gone { alone: true });
    }

    #[test]
    fn a_server_that_spoke_after_the_silence_had_not_ended_in_it() {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}})).pauses(800);
        let script = script.plain("ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(
            ends(&script.unanswered_plainly("tools/list", json!({})).exits(0)),
            ExchangeEnd::Gone { alone: true }
        );
    }
}
