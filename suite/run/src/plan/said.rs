//! A server with which no session came about, judged by what it said until then.

use std::rc::Rc;

use verdict::transcript::{Event, Kind, Receive, Via};
use verdict::{Level, Revision, Status};
use wire::Limits;

use super::{Finished, Plan, record_builder};
use crate::Trouble;
use crate::opener::Opener;
use crate::opening::Opening;

impl Plan<'_> {
    /// A record with what is wrong in what the server said; the trouble itself if nothing is, or if it said nothing.
    pub(super) async fn by_what_was_said(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        trouble: Trouble,
        finished: &mut Finished,
    ) -> Result<(), Trouble> {
        let spoke = trouble.is_of_the_server() || matches!(trouble, Trouble::NoEndpoint { .. });
        let recorder = opener.recorder();
        // Of a URL that was only tried, such a stream is not looked at any further: see `fall_back`.
        let streams = matches!(trouble, Trouble::NoEndpoint { streams: true, .. });
        if !spoke || !(streams || recorder.with(has_spoken)) {
            return Err(trouble);
        }
        if matches!(trouble, Trouble::NoEndpoint { .. }) {
            // A busy server may be late once.
            let again = opener.connect(Opening::new("confirm", revision).confirm())?;
            let _ = again.announced().await;
            again.kill().await;
        }
        let examined = self.examined(opener, revision).await;
        let broken = |verdict: &verdict::Verdict| verdict.status == Status::Fail && verdict.level != Level::Advice;
        if !examined.verdicts.iter().any(broken) {
            return Err(trouble);
        }
        let mut record = record_builder::record(self, recorder, revision, examined);
        record
            .notes
            .push(format!("no session came about, and the server was judged by what it said until then: {trouble}"));
        finished.records.push(record);
        finished.transcripts.push(recorder.take());
        Ok(())
    }
}

/// Whether it is the event that HTTP+SSE begins with, or one in its place.
fn announces(receive: &Receive) -> bool {
    let Via::Sse { event, .. } = &receive.via else { return false };
    event.as_deref() == Some("endpoint")
        || ["/", "?", "http://", "https://"].iter().any(|start| receive.text.starts_with(start))
}

/// Whether the server is there: over HTTP what answers without a JSON-RPC message may be anything.
pub(super) fn has_spoken(events: &[Event]) -> bool {
    let is_message = |text: &str| wire::parse(text.as_bytes(), &Limits::default()).has_message();
    events.iter().any(|event| match &event.kind {
        Kind::Receive(Receive { via: Via::Line | Via::Tail | Via::Object, .. }) => true,
        Kind::Receive(receive) if announces(receive) => true,
        Kind::Receive(receive) => is_message(&receive.text),
        _ => false,
    })
}
