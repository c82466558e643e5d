//! Transcript builders for HTTP: heads, bodies, event streams, connections.

use verdict::Intent;

use super::*;

impl Script {
    /// The headers of what was sent last.
    pub(crate) fn headers(mut self, headers: &[(&str, &str)]) -> Self {
        let last = self.events.iter_mut().rev().find_map(|event| match &mut event.kind {
            Kind::Send(send) => Some(send),
            _ => None,
        });
        if let Some(send) = last {
            send.headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        }
        self
    }

    /// An HTTP status for what was sent last.
    pub(crate) fn status(mut self, status: u16) -> Self {
        let channel = self.next_channel - 1;
        self.event(Kind::Status { channel, status, headers: vec![] });
        self
    }

    /// An HTTP request of any method, on a channel of its own.
    pub(crate) fn request(
        mut self,
        method: &str,
        intent: impl Into<Option<Intent>>,
        about: Value,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Self {
        let channel = self.channel();
        let probe = intent.into().map(|intent| super::probe(intent, about));
        let (http, headers) = (Some(method.to_owned()), owned(headers));
        self.event(Kind::Send(Send { channel, text: body.to_owned(), base64: None, probe, http, headers, path: None }));
        self
    }

    /// The whole response to what was sent last: status, headers, a body unless it is empty, and its end.
    pub(crate) fn respond(self, status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let script = self.head(status, headers);
        let script = if body.is_empty() { script } else { script.body(body) };
        script.ends()
    }

    /// The body of the response to what was sent last.
    pub(crate) fn body(mut self, text: &str) -> Self {
        let channel = self.next_channel - 1;
        let text = text.to_owned();
        self.event(Kind::Receive(Receive { channel, text, via: Via::Body, dropped: 0, not_utf8: false }));
        self
    }

    /// The head of the response to what was sent last.
    pub(crate) fn head(mut self, status: u16, headers: &[(&str, &str)]) -> Self {
        let channel = self.next_channel - 1;
        self.event(Kind::Status { channel, status, headers: owned(headers) });
        self
    }

    /// An SSE event in the response to what was sent last.
    pub(crate) fn sse(self, data: &str) -> Self {
        let last = self.next_channel - 1;
        self.sse_on(last, None, None, data)
    }

    /// An SSE event on a channel, with type and id.
    pub(crate) fn sse_on(mut self, channel: u32, event: Option<&str>, id: Option<&str>, data: &str) -> Self {
        let via = Via::Sse { event: event.map(Into::into), id: id.map(Into::into), retry: None, oddities: vec![] };
        self.event(Kind::Receive(Receive { channel, text: data.to_owned(), via, dropped: 0, not_utf8: false }));
        self
    }

    /// The channel of what was sent last over HTTP.
    pub(crate) fn last_channel(&self) -> u32 {
        self.next_channel - 1
    }

    /// The end of the response to what was sent last.
    pub(crate) fn ends(self) -> Self {
        let last = self.next_channel - 1;
        self.ends_on(last, None)
    }

    /// The end of the response on a channel, and why if it is no proper one.
    pub(crate) fn ends_on(mut self, channel: u32, fault: Option<&str>) -> Self {
        self.event(Kind::Closed { channel, fault: fault.map(Into::into) });
        self
    }
}
