//! Which exchange an answer belongs to: by id, by channel, or by position where ids do not tell.

use verdict::Transport;
use verdict::probes::values::Reading;
use wire::{Content, IdKey, Message};

use super::super::{Exchange, Incoming};
use super::{Builder, has_request, is_ill, keys};

impl<'t> Builder<'t> {
    /// Finds the exchange that an answer belongs to: by id, else (null or absent id) by channel or position.
    pub(super) fn attribute(&mut self, incoming: &mut Incoming<'t>) {
        let at = self.session.incoming.len();
        let Some(message) = incoming.message() else { return };
        let answers = message.is_answer() || message.lacks_outcome();
        if !answers || self.is_page(message, incoming.receive.channel) {
            return;
        }
        let key = message.id.as_ref().and_then(wire::Id::key).filter(|key| !self.is_stray(message, key));
        if self.session.reading == Some(Reading::Order) {
            if let Some(exchange) = self.first_open(incoming.receive.channel) {
                incoming.answers = Some(exchange);
                self.session.exchanges[exchange].answers.push(at);
            }
        } else if let Some(key) = key.map(|key| self.meant(key)) {
            let Some(exchange) = self.asked_by(&key, incoming.receive.channel) else { return };
            if !self.session.exchanges[exchange].answers.is_empty() && self.has_open_id_probe(exchange) {
                return;
            }
            incoming.answers = Some(exchange);
            self.session.exchanges[exchange].answers.push(at);
        } else if let Some(exchange) = self.owed_an_error(message) {
            incoming.answers = Some(exchange);
            self.session.exchanges[exchange].answers.push(at);
        } else if let Some(exchange) = self.malformed(incoming.receive.channel) {
            incoming.answers = Some(exchange);
            self.session.exchanges[exchange].unmatched.push(at);
        }
    }

    /// Where errors do not carry the ids of requests: whether this is one, so that its id says nothing.
    fn is_stray(&self, message: &Message, key: &IdKey) -> bool {
        self.session.reading == Some(Reading::Errors)
            && message.kind == wire::Kind::Error
            && !self.asked.contains_key(key)
    }

    /// The id that the server means.
    fn meant(&self, key: IdKey) -> IdKey {
        let text = self.session.reading == Some(Reading::TextIds) && !self.asked.contains_key(&key);
        key.unquoted().filter(|number| text && self.asked.contains_key(number)).unwrap_or(key)
    }

    /// Where answers can only be told apart by their order: the oldest request on this channel that waits for one. When one was
    /// given up, whatever comes may be its answer.
    fn first_open(&self, channel: u32) -> Option<usize> {
        let http = self.session.open.transport == Transport::Http;
        let waits = |exchange: &Exchange<'_>| {
            has_request(&exchange.parsed.content)
                && exchange.answers.is_empty()
                && (!http || exchange.send.channel == channel)
        };
        (http || self.gave_up.is_empty()).then(|| self.session.exchanges.iter().position(waits)).flatten()
    }

    /// Where errors carry no id of a request: the only request under way, if nothing malformed is.
    fn owed_an_error(&self, message: &Message) -> Option<usize> {
        if self.session.reading != Some(Reading::Errors) || message.kind != wire::Kind::Error {
            return None;
        }
        let since = self.settled.last().copied().unwrap_or(0);
        let open = |exchange: &Exchange<'_>| {
            exchange.seq > since
                && exchange.answers.is_empty()
                && exchange.unmatched.is_empty()
                && !self.gave_up.contains_key(&exchange.seq)
        };
        let exchanges = &self.session.exchanges;
        if exchanges.iter().any(|exchange| open(exchange) && is_ill(&exchange.parsed.content)) {
            return None;
        }
        let mut asked = exchanges
            .iter()
            .enumerate()
            .filter(|(_, exchange)| open(exchange) && has_request(&exchange.parsed.content));
        let (only, _) = asked.next()?;
        asked.next().is_none().then_some(only)
    }

    /// The request with this id on this channel, preferring one that is still open. In the response to a POST an
    /// id that was not posted there answers nothing: it is a wrong id, not a second answer to something else.
    fn asked_by(&self, key: &IdKey, channel: u32) -> Option<usize> {
        let posted = self.by_channel.get(&channel).copied();
        if let Some(at) = posted.filter(|at| self.session.exchanges[*at].send.http.as_deref() == Some("POST")) {
            let own = keys(&self.session.exchanges[at].parsed.content);
            if !own.is_empty() && !own.contains(key) {
                return None;
            }
        }
        let asked = self.asked.get(key)?;
        let exchange = |at: &usize| &self.session.exchanges[*at];
        let same = |at: &&usize| exchange(at).send.channel == channel;
        let open = |at: &&usize| exchange(at).answers.is_empty();
        asked
            .iter()
            .filter(same)
            .find(open)
            .or_else(|| asked.iter().rfind(same))
            .or_else(|| asked.iter().find(open))
            .or(asked.last())
            .copied()
    }

    /// The body of an HTTP error that is no JSON-RPC message: OAuth's `{"error":"invalid_token"}`, a proxy's page.
    fn is_page(&self, message: &Message, channel: u32) -> bool {
        let exchange = self.by_channel.get(&channel).map(|at| &self.session.exchanges[*at]);
        let status = exchange.and_then(|exchange| exchange.status).map(|(status, _)| status);
        message.member("jsonrpc").is_none() && status.is_some_and(|status| status >= 400)
    }

    /// A request with an unusual id has no answer yet: a second answer to something else is rather that one, with its id
    /// made into another number.
    fn has_open_id_probe(&self, after: usize) -> bool {
        let odd = |exchange: &&Exchange<'_>| {
            exchange.answers.is_empty() && exchange.send.probe.as_ref().is_some_and(|probe| probe.intent.varies_id())
        };
        let single = matches!(self.session.exchanges[after].parsed.content, Content::One(_));
        single && self.session.exchanges[after + 1..].iter().any(|exchange| odd(&exchange))
    }

    /// Finds the request that an error without id answers: in the response to a POST what was posted; on stdio (and on the one stream of
    /// HTTP+SSE) the oldest input since the last settling that is malformed and has no answer yet, else the oldest that
    /// is well-formed and asks for none.
    fn malformed(&self, channel: u32) -> Option<usize> {
        let own = self.by_channel.get(&channel).copied();
        if self.session.open.transport == Transport::Http || self.streams() && own != self.stream() {
            return own;
        }
        let since = self.settled.last().copied().unwrap_or(0);
        let open = |exchange: &Exchange<'_>| {
            let room = match &exchange.parsed.content {
                Content::Batch(messages) => messages.len().max(1),
                _ => 1,
            };
            let sent = exchange.send.http.as_deref().is_none_or(|http| http == "POST");
            sent && exchange.seq > since && exchange.unmatched.len() + exchange.answers.len() < room
        };
        let exchanges = &self.session.exchanges;
        exchanges.iter().position(|exchange| open(exchange) && is_ill(&exchange.parsed.content)).or_else(|| {
            // Over HTTP+SSE an ordinary notification was accepted by its status: an error is about something else.
            let done =
                |exchange: &Exchange<'_>| self.streams() && exchange.status.is_some() && exchange.send.probe.is_none();
            let quiet = |exchange: &Exchange<'_>| !has_request(&exchange.parsed.content) && !done(exchange);
            exchanges.iter().position(|exchange| open(exchange) && quiet(exchange))
        })
    }
}
