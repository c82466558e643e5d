//! Which request an answer is for: by id, by channel, or by order where ids do not tell.

use verdict::Transport;
use verdict::probes::values::Reading;
use wire::IdKey;

use super::{Channel, InFlight, Waiter};

impl InFlight {
    /// Removes and returns who waits for the outcome of the POST on this channel.
    pub(in crate::session) fn take_posted(&mut self, number: u32) -> Option<Waiter> {
        let channel = self.channels.get_mut(&number)?;
        if let Some(waiter) = channel.waiter.take() {
            return Some(waiter);
        }
        let key = channel.key.clone()?;
        self.take_pending(&key)
    }

    /// Removes and returns who waits for an answer that came with this id on this channel.
    pub(in crate::session) fn take_waiter(
        &mut self,
        transport: Transport,
        number: u32,
        key: Option<&IdKey>,
    ) -> Option<Waiter> {
        if transport == Transport::Http && self.reading.is_some() {
            return self.channel_mut(number).and_then(|channel| channel.waiter.take());
        }
        if let Some(key) = self.meant(key).filter(|_| transport != Transport::Http) {
            return self.take_pending(&key);
        }
        match key {
            Some(key) if transport != Transport::Http => self.take_pending(key),
            // Over HTTP+SSE a refusal without id comes in the response to the POST.
            None if transport != Transport::Http => self.take_posted(number),
            key => {
                // On a stream opened by GET, or with a wrong id, nobody waits: rules see it in the transcript.
                let fits = |channel: &&mut Channel| key.is_none() || channel.key.as_ref() == key;
                self.channel_mut(number).filter(fits).and_then(|channel| channel.waiter.take())
            }
        }
    }

    /// The id of the request that is meant, where ids are wrong.
    fn meant(&self, key: Option<&IdKey>) -> Option<IdKey> {
        match self.reading? {
            Reading::TextIds => key.filter(|key| !self.pending.contains_key(key))?.unquoted(),
            Reading::Order => {
                let waiting = self.pending.iter().filter(|(_, pending)| !pending.waiter.is_closed());
                waiting.min_by_key(|(_, pending)| pending.at).map(|(key, _)| key.clone())
            }
            Reading::Errors if self.ill == 0 && key.is_none_or(|key| self.is_stray(key)) => self.only_owed(),
            // The others are not about ids.
            _ => None,
        }
    }

    /// Notes the id of something that was sent.
    pub(in crate::session) fn note_id(&mut self, key: IdKey) {
        self.ids.insert(key);
    }

    /// Whether nothing that was sent had this id.
    pub(in crate::session) fn is_stray(&self, key: &IdKey) -> bool {
        !self.ids.contains(key)
    }

    /// The only request that waits for an answer, if there is just one.
    fn only_owed(&self) -> Option<IdKey> {
        let mut waiting = self.pending.iter().filter(|(_, pending)| !pending.waiter.is_closed());
        let (key, _) = waiting.next()?;
        waiting.next().is_none().then(|| key.clone())
    }

    /// Takes note of an error without the id of a request. If nothing was sent that such an error may be about, it answers a request, and
    /// so do others: they can only be told apart by their order from then on.
    pub(in crate::session) fn note_error_without_id(&mut self, about_request: bool) -> Option<Reading> {
        if self.ill + self.quiet > 0 {
            let spent = if self.ill > 0 { &mut self.ill } else { &mut self.quiet };
            *spent -= 1;
            return None;
        }
        let owed = !self.pending.is_empty() && self.pending.values().all(|pending| pending.owed);
        let learns = self.reading.is_none() && self.answered && owed && about_request;
        self.reading = self.reading.or(learns.then_some(Reading::Errors));
        learns.then_some(Reading::Errors)
    }

    /// Notes that something was sent that is no request.
    pub(in crate::session) fn note_no_request(&mut self, ill: bool) {
        let count = if ill { &mut self.ill } else { &mut self.quiet };
        *count += 1;
    }

    /// Decides how answers are to be told apart, if this one answers the first and only request without bearing its id.
    pub(in crate::session) fn read(
        &mut self,
        transport: Transport,
        channel: u32,
        key: Option<&IdKey>,
    ) -> Option<Reading> {
        if self.reading.is_some() || self.answered || !self.opening {
            return None;
        }
        let asked = match transport {
            Transport::Http => self.channel(channel)?.key.clone()?,
            _ if self.pending.len() == 1 => self.pending.keys().next()?.clone(),
            _ => return None,
        };
        if key == Some(&asked) {
            self.answered = true;
            return None;
        }
        self.reading = match key {
            None => Some(Reading::Order),
            Some(key) if key.unquoted().is_some_and(|number| number == asked) => Some(Reading::TextIds),
            // It may answer nothing, and the answer be on its way.
            Some(_) => None,
        };
        self.reading
    }

    /// Whether something was answered with the id of its request.
    pub(in crate::session) fn is_answered(&self) -> bool {
        self.answered || self.reading == Some(Reading::Errors)
    }

    /// Takes over how answers are told apart from an earlier session.
    pub(in crate::session) fn set_reading(&mut self, reading: Reading) {
        self.reading = Some(reading);
    }

    /// Whether some answers can only be told apart by their order, so that one request is sent after the other.
    pub(in crate::session) fn is_by_order(&self) -> bool {
        matches!(self.reading, Some(Reading::Order | Reading::Errors))
    }

    /// Whether nothing but their order tells answers apart.
    pub(in crate::session) fn tells_by_order(&self) -> bool {
        self.reading == Some(Reading::Order)
    }

    /// Notes that an ordinary opening request is sent.
    pub(in crate::session) fn note_opening(&mut self) {
        self.opening = true;
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn key(raw: &str) -> IdKey {
        wire::Id::from_raw(raw).key().expect("it is one")
    }

    #[test]
    fn an_error_with_an_id_of_its_own_answers_the_only_request() {
        let mut in_flight = InFlight { answered: true, ..InFlight::default() };
        let (waiter, _receiver) = oneshot::channel();
        in_flight.note_id(key("1"));
        in_flight.add_pending(key("1"), waiter, true);
        let stray = key("\"error\"");
        assert!(in_flight.is_stray(&stray) && !in_flight.is_stray(&key("1")));
        assert!(in_flight.take_waiter(Transport::Stdio, 0, Some(&stray)).is_none());
        assert_eq!(in_flight.note_error_without_id(true), Some(Reading::Errors));
        assert!(in_flight.take_waiter(Transport::Stdio, 0, Some(&stray)).is_some());
    }
}
