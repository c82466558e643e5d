//! Queries on the streams of a session so far: scenarios look here before they go on.

use std::time::Duration;

use verdict::transcript::{Event, Kind, Receive, Via};

use super::Session;

/// Where a stream can be asked for again.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The channel of the stream.
    pub(crate) channel: u32,
    /// The id of its first event, rather of the first that has data.
    pub(crate) id: String,
    /// The events with data that came after that one.
    pub(crate) rest: usize,
}

/// One event of a stream.
struct Seen {
    channel: u32,
    at_us: u64,
    id: Option<String>,
    text: String,
}

impl Session {
    /// The events of streams since a position of the run.
    fn streamed(&self, from: usize) -> Vec<Seen> {
        let own = |event: &&Event| event.session == self.0.id.get();
        let seen = |event: &Event| match &event.kind {
            Kind::Receive(Receive { channel, text, via: Via::Sse { id, .. }, .. }) => {
                Some(Seen { channel: *channel, at_us: event.at_us, id: id.clone(), text: text.clone() })
            }
            _ => None,
        };
        self.0
            .recorder
            .with(|events| events.get(from..).unwrap_or_default().iter().filter(own).filter_map(seen).collect())
    }

    /// The channels on which a POST sent since then is answered with a stream that holds its response.
    pub(crate) fn answered_streams(&self, from: usize) -> Vec<u32> {
        let posted = self.posted_since(from);
        let mut channels: Vec<u32> =
            self.streamed(from).iter().filter(|seen| responds(&seen.text)).map(|seen| seen.channel).collect();
        channels.retain(|channel| posted.contains(channel));
        channels.dedup();
        channels
    }

    fn posted_since(&self, from: usize) -> Vec<u32> {
        let posted = |event: &Event| match &event.kind {
            Kind::Send(send) if event.session == self.0.id.get() && send.http.as_deref() == Some("POST") => {
                Some(send.channel)
            }
            _ => None,
        };
        self.0.recorder.with(|events| events.get(from..).unwrap_or_default().iter().filter_map(posted).collect())
    }

    /// Streams that answer a POST sent since then and have ended, from their first event on.
    pub(crate) fn places(&self, from: usize) -> Vec<Place> {
        let seen = self.streamed(from);
        let from_first = |channel: u32, with_data: bool| {
            let first = |seen: &&Seen| seen.id.is_none() || with_data && seen.text.is_empty();
            let mut on = seen.iter().filter(|seen| seen.channel == channel).skip_while(first);
            let id = on.next()?.id.clone().filter(|id| !id.is_empty())?;
            let rest = on.filter(|seen| !seen.text.is_empty()).count();
            (rest > 0).then_some(Place { channel, id, rest })
        };
        // Where only the response has data, the event before it will do.
        let place = |channel: u32| from_first(channel, true).or_else(|| from_first(channel, false));
        let mut places: Vec<Place> = self.answered_streams(from).into_iter().filter_map(place).collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.rest));
        places
    }

    /// Of the streams that have their response, the one with the most time between its first event id and that: what its
    /// request was, as text.
    pub(crate) fn slowest(&self, from: usize) -> Option<String> {
        let seen = self.streamed(from);
        let slowness = |channel: u32| {
            let named = seen.iter().find(|seen| seen.channel == channel && seen.id.is_some())?;
            let answered = seen.iter().find(|seen| seen.channel == channel && responds(&seen.text))?;
            // One that asks the client goes on only when it is answered, so its time is ours.
            let asks = seen.iter().any(|seen| seen.channel == channel && requests(&seen.text));
            (!asks).then_some((answered.at_us.saturating_sub(named.at_us), channel))
        };
        let (_, slowest) = self.answered_streams(from).into_iter().filter_map(slowness).max()?;
        let sent = |event: &Event| match &event.kind {
            Kind::Send(send) if event.session == self.0.id.get() && send.channel == slowest => Some(send.text.clone()),
            _ => None,
        };
        self.0.recorder.with(|events| events.get(from..).unwrap_or_default().iter().find_map(sent))
    }

    /// The first event id on a channel.
    pub(crate) fn event_id(&self, from: usize, channel: u32) -> Option<String> {
        self.streamed(from).into_iter().find_map(|seen| seen.id.filter(|id| seen.channel == channel && !id.is_empty()))
    }

    /// Waits until a stream has brought so many messages, or one that holds this text, or has ended; false when the time is
    /// over.
    pub(crate) async fn brings(
        &self,
        from: usize,
        channel: u32,
        count: usize,
        text: Option<&str>,
        limit: Duration,
    ) -> bool {
        let enough = || {
            let seen = self.streamed(from);
            let on = || seen.iter().filter(|seen| seen.channel == channel && !seen.text.is_empty());
            on().count() >= count || text.is_some_and(|text| on().any(|seen| seen.text.contains(text)))
        };
        let over = || self.0.in_flight.borrow().is_closed(channel);
        let coming = async {
            while !enough() && !over() {
                self.0.heard.notified().await;
            }
        };
        tokio::time::timeout(limit, coming).await.is_ok()
    }
}

fn responds(text: &str) -> bool {
    let parsed = wire::parse(text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().any(wire::Message::is_answer)
}

fn requests(text: &str) -> bool {
    let parsed = wire::parse(text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().any(|message| message.kind == wire::Kind::Request)
}
