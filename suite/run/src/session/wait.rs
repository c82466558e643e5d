//! Waiting for an answer: as long as that is worth it. Meanwhile it is seen whether the server answers anything at all.

mod noting;
mod pulse;
mod waiting;

use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use verdict::Transport;
use wire::Limits;

use super::ask::{Posted, Raw};
use super::draft::Patience;
use super::exchange::recorded;
use super::in_flight::RequestOutcome;
use crate::vain::tool_behind;
use waiting::Waiting;

/// How long an answer was waited for at least if it counts as lost.
const LOST: Duration = Duration::from_millis(500);
/// Requests under way over HTTP that are many.
const MANY: usize = 5;

impl Raw<'_> {
    pub(super) async fn wait(self) -> RequestOutcome {
        let session = self.session;
        // Where answers are told apart by their order, one waits for the other. Over HTTP each comes on the channel of its request.
        let by_http = session.transport() == Transport::Http;
        let by_order = !by_http && session.0.in_flight.borrow().is_by_order();
        let _turn = if by_order { Some(session.0.turn.lock().await) } else { None };
        // Without the first message nothing comes of a session.
        let avoided = self.draft.patience != Patience::Start && session.avoids(&self.bytes);
        if session.is_down() || avoided {
            return RequestOutcome::Gone;
        }
        let learned = &session.0.settings.learned;
        let patience = self.draft.patience;
        let hasty = self.is_hasty();
        let parsed = wire::parse(&self.bytes, &Limits::default());
        let tool = tool_behind(&parsed);
        // Nothing that takes time is behind it, wrong as it may be.
        let prompt = tool.is_none() && patience != Patience::Start;
        let limit = self.time(self.draft.limit.unwrap_or(session.limit()), &parsed, tool);
        let rest = |time: Option<Duration>| time.unwrap_or_else(|| self.time(session.limit(), &parsed, None));
        let over = self.draft.over.clone().map(|(over, time)| (over, rest(time)));
        let quick = quick_method(&parsed);
        let next = session.0.in_flight.borrow().next_id();
        let pings = matches!(quick.as_deref(), Some("ping" | "server/discover"));
        // Nobody else notes that these are not answered.
        let sign = pings && self.draft.is_usual() && self.draft.probe.is_some();
        let whole = self.draft.limit.is_none_or(|limit| limit >= session.limit());
        let looks = whole && !pings && !session.is_confirm();
        let haste = (patience != Patience::Start).then(|| session.haste_for(self.bytes.len()));
        let plain = pings_in(&parsed) || self.bytes.is_empty() && self.is_ping();
        let began = Instant::now();
        let length = self.bytes.len();
        let mut waiting = Waiting { session, patience, next, began, limit, over, looks, plain, length, haste };
        // One of many at once may be lost for that.
        let alone = by_http && session.0.in_flight.borrow().under_way() < MANY;
        let usual = by_http.then(|| self.usual(&parsed)).flatten();
        // What is unusual in form may be lost for that.
        let counts = !by_http && self.draft.is_usual();
        let text = self.bytes.clone();
        let method = parsed.messages().iter().find_map(wire::Message::method).unwrap_or_default().to_owned();
        let tool = tool.map(str::to_owned);
        // While it is waited for, what was parsed would take as much room again.
        drop(parsed);
        let Posted { seq, channel, outcome, departure } = self.post();
        let outcome = waiting.outcome(outcome, &departure).await;
        waiting.note_service(&outcome);
        if let RequestOutcome::Answer(_) = &outcome {
            learned.answers(&text);
            session.note_heard_again();
            usual.as_deref().inspect(|usual| learned.note_answered(usual));
            waiting.note_answer(prompt, tool.as_deref(), quick.as_deref(), outcome.result());
        }
        if matches!(outcome, RequestOutcome::Silent) {
            // How long a server takes to start is not known before one did.
            if patience != Patience::Start || !session.slowest_start().is_zero() {
                learned.vain.note(waiting.began);
            }
            if sign && waiting.began.elapsed() >= LOST {
                learned.note_no_sign();
            }
            waiting.give_up(channel);
            if !hasty {
                if alone && usual.is_some_and(|usual| learned.has_answered(&usual)) {
                    waiting.note_missed();
                }
                waiting.note_silence(seq, &method, quick.as_deref().filter(|_| counts));
            }
        }
        outcome
    }

    /// Whether it is waited for less long because answers get lost. The beginning of a session is waited for as long as ever.
    fn is_hasty(&self) -> bool {
        let session = self.session;
        let starts = self.draft.patience == Patience::Start;
        session.0.settings.learned.loses_answers() && !starts
    }

    /// Whether it is a `ping` although it is written in pieces.
    fn is_ping(&self) -> bool {
        pings_in(&wire::parse(&recorded(Bytes::new(), &self.draft.form), &Limits::default()))
    }

    /// What this request has in common with others in which nothing is unusual, and behind which there is no work of unknown length.
    fn usual(&self, parsed: &wire::Parsed) -> Option<String> {
        let wire::Content::One(message) = &parsed.content else { return None };
        let plain = self.draft.is_usual() && self.draft.patience == Patience::Backlog && tool_behind(parsed).is_none();
        question(message).filter(|_| plain)
    }

    /// How long what would be given this limit is waited for, given the tool behind it and what is known of the server.
    fn time(&self, mut limit: Duration, parsed: &wire::Parsed, tool: Option<&str>) -> Duration {
        let session = self.session;
        let learned = &session.0.settings.learned;
        if self.draft.patience == Patience::Start {
            return limit / learned.doubt(&self.bytes);
        }
        limit /= session.haste_for(self.bytes.len());
        match tool {
            Some(tool) if session.gives_no_errors() || self.is_hasty() => {
                let least = session.limit() / session.error_haste().max(session.loss_haste());
                let slowest = learned.vain.slowest_call(tool);
                let known = !slowest.is_zero();
                limit = limit.min(if known { learned.paced(least).max(slowest * 2) } else { least });
            }
            Some(_) => {}
            None => limit /= session.error_haste(),
        }
        if tool.is_none() && self.is_in_the_middle(parsed) {
            limit = learned.paced(limit);
        }
        session.patience(limit / learned.doubt(&self.bytes), session.awaited(tool))
    }

    /// Whether it is a probe in a conversation that is under way: how quick a server is says nothing of how it starts, nor is it lost
    /// because one answer is.
    fn is_in_the_middle(&self, parsed: &wire::Parsed) -> bool {
        let opens =
            parsed.messages().iter().any(|message| matches!(message.method(), Some("initialize" | "server/discover")));
        let under_way = || self.session.0.in_flight.borrow().has_answers();
        let usual = self.draft.probe.is_some() && self.draft.patience == Patience::Backlog;
        usual && !opens && !self.session.is_confirm() && under_way()
    }
}

fn pings_in(parsed: &wire::Parsed) -> bool {
    parsed.messages().iter().any(|message| message.method() == Some("ping"))
}

/// The method of an ordinary request behind which there is no work of unknown length.
fn quick_method(parsed: &wire::Parsed) -> Option<String> {
    let wire::Content::One(message) = &parsed.content else { return None };
    let method = message.method().filter(|_| message.defects.is_empty())?;
    (matches!(method, "ping" | "server/discover") || method.ends_with("/list")).then(|| method.to_owned())
}

/// What is asked, apart from what names the request. The status of a task may wait for the task, which is a matter of its own.
fn question(message: &wire::Message) -> Option<String> {
    let method = message.method().filter(|method| !method.starts_with("tasks/"))?;
    let mut params = message.params()?.clone();
    if let Some(meta) = params.get_mut("_meta").and_then(Value::as_object_mut) {
        meta.shift_remove("progressToken");
    }
    Some(format!("{method} {params}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::{Content, Limits};

    fn question(method: &str, token: u32) -> Option<String> {
        let params = json!({"name": "a", "_meta": {"progressToken": token}});
        let text = json!({"jsonrpc": "2.0", "id": token, "method": method, "params": params}).to_string();
        match wire::parse(text.as_bytes(), &Limits::default()).content {
            Content::One(message) => super::question(&message),
            _ => None,
        }
    }

    #[test]
    fn what_names_a_request_does_not_make_it_another_question() {
        assert_eq!(question("prompts/get", 1), question("prompts/get", 2));
        assert_ne!(question("prompts/get", 1), question("tools/call", 1));
    }

    #[test]
    fn the_status_of_a_task_that_does_not_come_is_no_lost_answer() {
        assert!(question("prompts/get", 1).is_some());
        assert_eq!(question("tasks/get", 1), None);
    }
}
