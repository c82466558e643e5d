//! Over HTTP+SSE where messages are posted to, and the stream that tells it.

use verdict::Intent;
use verdict::probes::values::Reading;

use super::Session;
use super::state::Endpoint;
use crate::transport::Link;
use crate::transport::sse::Refusal;

impl Session {
    /// Over HTTP+SSE waits until it is known where to post, or that nothing can be.
    pub(crate) async fn located(&self) {
        let Link::Sse(client) = &self.0.link else { return };
        client.announced().await;
        // The transport knows a moment before it is recorded.
        let recorded = async {
            while client.place().is_some() && self.0.endpoint.get() == Endpoint::Awaited {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.limit(), recorded).await;
        if let Some(refusal) = client.refusal()
            && self.0.endpoint.replace(Endpoint::Refused) != Endpoint::Refused
        {
            if matches!(refusal, Refusal::NoEvent(_) | Refusal::Silent(_)) {
                self.0.settings.learned.note_unannounced();
            }
            self.record_probe("session", Intent::NotAnnounced, serde_json::json!({"why": refusal.name()}));
        }
        if let Some(foreign) = client.foreign()
            && self.0.endpoint.replace(Endpoint::Elsewhere) != Endpoint::Elsewhere
        {
            self.record_probe("session", Intent::NotAnnounced, serde_json::json!({"why": foreign.name()}));
            self.0.record_reading(Reading::Origin);
        }
    }

    /// Over HTTP+SSE path and query of the stream.
    #[must_use]
    pub fn stream_path(&self) -> Option<String> {
        if let Link::Sse(client) = &self.0.link { Some(client.path()) } else { None }
    }

    /// Over HTTP+SSE path and query that messages are posted to.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        if let Link::Sse(client) = &self.0.link { client.place() } else { None }
    }

    /// Over HTTP+SSE the channel of the stream.
    #[must_use]
    pub fn stream(&self) -> Option<u32> {
        if let Link::Sse(client) = &self.0.link { client.stream() } else { None }
    }
}
