//! How each exchange ended: answered, given up, settled, or with the end of the server.

use std::time::Duration;

use verdict::probes::values::Reading;
use verdict::transcript::Ending;
use verdict::{Intent, Purpose, Transport};
use wire::{Content, Message};

use super::super::{Exchange, ExchangeEnd, Fall, Incoming, Session};
use super::{Builder, has_request};

/// The end of a server that nobody asked for, as far as the exchanges of one session tell.
#[derive(Clone, Copy)]
struct Gone {
    at: u32,
    /// Requests that were outstanding then. Requests for a sign of life are only sent because of what came before, so they count
    /// only when there are no others.
    outstanding: usize,
    /// One input at a time was sent, and it is known that it was this.
    certain: bool,
}

impl<'t> Builder<'t> {
    pub(super) fn finish(mut self) -> Session<'t> {
        let gone = self.gone();
        self.session.fall = gone.map(|gone| self.fall(gone));
        let ends: Vec<ExchangeEnd> = (0..self.session.exchanges.len()).map(|at| self.end(at, gone)).collect();
        let streams = self.streams();
        let errors_lack_ids = self.session.reading == Some(Reading::Errors);
        for (at, (exchange, end)) in self.session.exchanges.iter_mut().zip(ends).enumerate() {
            // It belongs to an answer that came late.
            if !exchange.answers.is_empty() && exchange.status.is_none() {
                exchange.status = self.late.get(&at).copied();
            }
            exchange.gave_up = self.gave_up.get(&exchange.seq).copied();
            // An error without id may have been its answer.
            let may_be_answered = self.unheld.iter().any(|held| held.may_answer(exchange, streams))
                || errors_lack_ids && has_request(&exchange.parsed.content);
            let silent = matches!(end, ExchangeEnd::GaveUp | ExchangeEnd::Settled);
            exchange.end = if silent && may_be_answered { ExchangeEnd::Open } else { end };
        }
        self.session
    }

    /// When the server ended by itself, or closed its output. A server whose output nobody reads any more ends because of that.
    fn ended(&self) -> Option<u32> {
        if self.session.probes.iter().any(|(_, probe)| probe.intent == Intent::ClosedStdout) {
            return None;
        }
        let exit = self.session.exit.filter(|(_, exit)| exit.after == Ending::Nothing).map(|(seq, _)| seq);
        [exit, self.session.closed].into_iter().flatten().min()
    }

    fn fall(&self, gone: Gone) -> Fall {
        let ended = self.ended().is_some();
        let heard = self.session.incoming.last().map(|incoming| incoming.at);
        let at = self.ended_at.filter(|_| ended).map(Duration::from_micros).or(heard);
        Fall { seq: gone.at, ended, at: at.unwrap_or_default() }
    }

    /// When the server went away by itself, or fell silent.
    fn gone(&self) -> Option<Gone> {
        let (ended, wedged) = (self.ended(), self.wedged());
        let at = [ended, wedged].into_iter().flatten().min()?;
        // That a request was called off silences nobody: the request had no answer before.
        let spared = |exchange: &Exchange<'_>| ended.is_none() && is_own_cancellation(exchange);
        let open = |exchange: &&Exchange<'_>| exchange.seq < at && self.is_open(exchange) && !spared(exchange);
        let (liveness, others): (Vec<_>, Vec<_>) =
            self.session.exchanges.iter().filter(open).partition(|exchange| is_liveness(exchange));
        let outstanding = if others.is_empty() { liveness.len() } else { others.len() };
        // Silence is believed only in a repetition, one input at a time: the first time it may be load.
        let alone = ended.is_some_and(|ended| ended <= at) || self.session.open.is_for(Purpose::Careful);
        Some(Gone { at, outstanding, certain: alone && !self.session.is_unrepeated() })
    }

    /// When the server stopped answering for good although it lives on: neither another request nor the sign of life that it was asked
    /// for then had an answer within the time limit, nor anything after it. (One that gives no signs of life only lacks those.)
    fn wedged(&self) -> Option<u32> {
        // Only a program can be started afresh, so that it is seen whether it falls silent again. In a repetition a time limit that
        // passes is no load any more.
        let open = self.session.open;
        if (open.transport != Transport::Stdio || open.confirm) && !open.is_for(Purpose::Careful) {
            return None;
        }
        let asked = self.session.exchanges.iter().filter(|exchange| is_liveness(exchange));
        let asked = asked.rev().take_while(|exchange| exchange.answers.is_empty() && !self.has_status(exchange));
        let given_up = asked.map(|exchange| exchange.seq).filter(|seq| self.gave_up.contains_key(seq)).min()?;
        let mut answered =
            self.session.exchanges.iter().filter(|other| !other.answers.is_empty() || self.has_status(other));
        let last = answered.next_back().map(|exchange| exchange.seq).or(self.sound)?;
        let other = |exchange: &Exchange<'_>| {
            exchange.seq < given_up
                && self.is_open(exchange)
                && has_request(&exchange.parsed.content)
                && !matches!(method(exchange), Some("ping" | "server/discover"))
        };
        let shown = open.is_for(Purpose::Careful) || self.session.exchanges.iter().any(other);
        (last < given_up && shown).then_some(given_up + 1)
    }

    fn is_open(&self, exchange: &Exchange<'_>) -> bool {
        let settled = self.settled.iter().any(|upto| *upto >= exchange.seq);
        // Over HTTP+SSE a status is all that a message gets which asks for no answer.
        let quiet = |message: &Message| !matches!(message.kind, wire::Kind::Request | wire::Kind::Invalid);
        if let Content::One(message) = &exchange.parsed.content
            && self.streams()
            && exchange.status.is_some()
            && quiet(message)
        {
            return false;
        }
        exchange.answers.is_empty() && exchange.unmatched.is_empty() && !self.has_status(exchange) && !settled
    }

    /// It had no answer within the time limit from a server that then answered what was sent later: its end is another matter.
    fn is_passed_over(&self, exchange: &Exchange<'_>) -> bool {
        let answered = self.session.exchanges.iter().filter(|other| !other.answers.is_empty());
        let last = answered.map(|other| other.seq).max();
        self.gave_up.get(&exchange.seq).is_some_and(|given_up| last > Some(*given_up))
    }

    fn end(&self, at: usize, gone: Option<Gone>) -> ExchangeEnd {
        let exchange = &self.session.exchanges[at];
        if !exchange.answers.is_empty() || !exchange.unmatched.is_empty() {
            ExchangeEnd::Answered
        } else if self.has_status(exchange) {
            // A stream may have begun and never held the answer.
            if self.gave_up.contains_key(&exchange.seq) { ExchangeEnd::GaveUp } else { ExchangeEnd::Answered }
        } else if exchange.aborted.is_some() {
            ExchangeEnd::Open
        } else if self.broken.contains(&at) {
            ExchangeEnd::Gone { alone: true }
        } else if self.settled.iter().any(|upto| *upto >= exchange.seq) {
            ExchangeEnd::Settled
        } else if gone.is_some_and(|gone| exchange.seq > gone.at) {
            // Nobody was there any more.
            ExchangeEnd::Open
        } else if self.is_passed_over(exchange) {
            ExchangeEnd::GaveUp
        } else if let Some(Gone { outstanding, certain, .. }) = gone {
            let bystander = is_liveness(exchange)
                && self.session.exchanges.iter().any(|other| self.is_open(other) && !is_liveness(other));
            ExchangeEnd::Gone { alone: certain && outstanding == 1 && !bystander }
        } else if self.gave_up.contains_key(&exchange.seq) {
            ExchangeEnd::GaveUp
        } else {
            ExchangeEnd::Open
        }
    }
}

/// Something from the server that a limit of ours cut, or that we cannot hold: silence is not certain then.
pub(super) struct Unheld {
    seq: u32,
    channel: u32,
    /// What was sent up to here had been settled before it came.
    settled: u32,
}

impl Unheld {
    pub(super) fn of(incoming: &Incoming<'_>, settled: u32) -> Option<Self> {
        let cut = incoming.receive.dropped > 0;
        let unheld = matches!(&incoming.parsed.content, Content::Unreadable(why) if why.is_limit_of_reader());
        (cut || unheld).then_some(Self { seq: incoming.seq, channel: incoming.receive.channel, settled })
    }

    /// On stdio and on the stream of HTTP+SSE answers to everything come one after the other.
    fn may_answer(&self, exchange: &Exchange<'_>, streams: bool) -> bool {
        (self.settled + 1..self.seq).contains(&exchange.seq)
            && (streams || self.channel == 0 || self.channel == exchange.send.channel)
    }
}

/// The notification with which the tester calls off a request for which it has no time left, not to try what comes of it.
fn is_own_cancellation(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.is_none() && method(exchange) == Some("notifications/cancelled")
}

/// An ordinary request that asks for a sign of life.
fn is_liveness(exchange: &Exchange<'_>) -> bool {
    exchange.send.probe.is_none() && matches!(method(exchange), Some("ping" | "server/discover"))
}

fn method<'e>(exchange: &'e Exchange<'_>) -> Option<&'e str> {
    match &exchange.parsed.content {
        Content::One(message) => message.method(),
        _ => None,
    }
}
