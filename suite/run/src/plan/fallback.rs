//! The way to older servers, as the compatibility section of the specification describes it: where `initialize` cannot be
//! posted to a URL, the URL is read with GET, and an `endpoint` event tells that HTTP+SSE is spoken there.

use verdict::Revision;

use super::Plan;
use crate::opener::Opening;
use crate::{Choice, Target, Trouble};

impl Plan<'_> {
    /// Goes over to HTTP+SSE if that is spoken at the URL; else gives the trouble that says most.
    pub(super) async fn fall_back(&self, trouble: Trouble) -> Result<(), Trouble> {
        // The revisions disagree: any 4xx up to 2025-06-18, then 400, 404 and 405 alone.
        let refused = matches!(trouble, Trouble::Refused { status: Some(400..500), .. });
        let Target::Url(url) = self.target() else { return Err(trouble) };
        if !refused || self.options.transport != Choice::Auto {
            return Err(trouble);
        }
        self.target.replace(Target::Stream(url.clone()));
        let session = self.opener()?.connect(Opening::new("main", Revision::LATEST_HANDSHAKE))?;
        let announced = session.announced().await;
        session.kill().await;
        match announced {
            Ok(()) => Ok(()),
            Err(other @ Trouble::NoEndpoint { streams: true, .. }) => Err(other),
            Err(_) => {
                self.target.replace(Target::Url(url));
                Err(trouble)
            }
        }
    }
}
