//! How each exchange ended: answered, given up, settled, or with the end of the server.

use verdict::Intent;
use verdict::probes::values::Reading;
use verdict::transcript::Ending;
use wire::{Content, Message};

use super::super::{Exchange, ExchangeEnd, Incoming, Session};
use super::{Builder, has_request};

impl<'t> Builder<'t> {
    pub(super) fn finish(mut self) -> Session<'t> {
        let gone = self.gone();
        let ends: Vec<ExchangeEnd> = (0..self.session.exchanges.len()).map(|at| self.end(at, gone)).collect();
        let streams = self.streams();
        let errors_lack_ids = self.session.reading == Some(Reading::Errors);
        for (at, (exchange, end)) in self.session.exchanges.iter_mut().zip(ends).enumerate() {
            // It belongs to an answer that came late.
            if !exchange.answers.is_empty() && exchange.status.is_none() {
                exchange.status = self.late.get(&at).copied();
            }
            exchange.gave_up = self.gave_up.contains(&exchange.seq);
            // An error without id may have been its answer.
            let may_be_answered = self.unheld.iter().any(|held| held.may_answer(exchange, streams))
                || errors_lack_ids && has_request(&exchange.parsed.content);
            let silent = matches!(end, ExchangeEnd::GaveUp | ExchangeEnd::Settled);
            exchange.end = if silent && may_be_answered { ExchangeEnd::Open } else { end };
        }
        self.session
    }

    /// When the server went away by itself, and how many requests were outstanding then. A request for a sign of life is
    /// only sent because of what came before, so it counts only when it is the only one. A server whose output nobody reads any
    /// more ends because of that.
    fn gone(&self) -> Option<(u32, usize)> {
        if self.session.probes.iter().any(|(_, probe)| probe.intent == Intent::ClosedStdout) {
            return None;
        }
        let exit = self.session.exit.filter(|(_, exit)| exit.after == Ending::Nothing).map(|(seq, _)| seq);
        let at = [exit, self.session.closed, self.wedged()].into_iter().flatten().min()?;
        let open = |exchange: &&Exchange<'_>| exchange.seq < at && self.is_open(exchange);
        let (liveness, others): (Vec<_>, Vec<_>) =
            self.session.exchanges.iter().filter(open).partition(|exchange| is_liveness(exchange));
        Some((at, if others.is_empty() { liveness.len() } else { others.len() }))
    }

    /// When the server stopped answering for good although it lives on: a sign of life was not given within the time
    /// limit, and nothing after it was answered. Believed only in a repetition, one input at a time: the first time it
    /// may be load.
    fn wedged(&self) -> Option<u32> {
        if self.session.open.purpose != "careful" {
            return None;
        }
        let asked = self.session.exchanges.iter().filter(|exchange| is_liveness(exchange));
        let asked = asked.rev().take_while(|exchange| exchange.answers.is_empty() && !self.has_status(exchange));
        let given_up = asked.map(|exchange| exchange.seq).filter(|seq| self.gave_up.contains(seq)).min()?;
        let later = self.session.exchanges.iter().any(|other| other.seq > given_up && !other.answers.is_empty());
        (!later).then_some(given_up + 1)
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

    fn end(&self, at: usize, gone: Option<(u32, usize)>) -> ExchangeEnd {
        let exchange = &self.session.exchanges[at];
        if !exchange.answers.is_empty() || !exchange.unmatched.is_empty() {
            ExchangeEnd::Answered
        } else if self.has_status(exchange) {
            // A stream may have begun and never held the answer.
            if self.gave_up.contains(&exchange.seq) { ExchangeEnd::GaveUp } else { ExchangeEnd::Answered }
        } else if exchange.aborted.is_some() {
            ExchangeEnd::Open
        } else if self.broken.contains(&at) {
            ExchangeEnd::Gone { alone: true }
        } else if self.settled.iter().any(|upto| *upto >= exchange.seq) {
            ExchangeEnd::Settled
        } else if gone.is_some_and(|(at, _)| exchange.seq > at) {
            // Nobody was there any more.
            ExchangeEnd::Open
        } else if let Some((_, outstanding)) = gone {
            let bystander = is_liveness(exchange)
                && self.session.exchanges.iter().any(|other| self.is_open(other) && !is_liveness(other));
            ExchangeEnd::Gone { alone: outstanding == 1 && !bystander }
        } else if self.gave_up.contains(&exchange.seq) {
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

/// An ordinary request that asks for a sign of life.
fn is_liveness(exchange: &Exchange<'_>) -> bool {
    let method = match &exchange.parsed.content {
        Content::One(message) => message.method(),
        _ => None,
    };
    exchange.send.probe.is_none() && matches!(method, Some("ping" | "server/discover"))
}
