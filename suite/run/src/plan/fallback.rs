//! The way to older servers, as the compatibility section of the specification describes it: where `initialize` cannot be
//! posted to a URL, the URL is read with GET, and an `endpoint` event tells that HTTP+SSE is spoken there.

use verdict::{Purpose, Revision};

use super::Plan;
use crate::opening::Opening;
use crate::{Choice, Target, Trouble};

impl Plan<'_> {
    /// Whether the server may be one that only speaks HTTP+SSE.
    pub(super) fn may_fall_back(&self, trouble: &Trouble) -> bool {
        // The revisions disagree: any 4xx up to 2025-06-18, then 400, 404 and 405 alone.
        let refused = matches!(trouble, Trouble::Refused { status: Some(400..500), .. });
        refused && matches!(self.target(), Target::Url(_)) && self.options.transport == Choice::Auto
    }

    /// Goes over to HTTP+SSE if that is spoken at the URL; else gives the trouble that says most.
    pub(super) async fn fall_back(&self, trouble: Trouble) -> Result<(), Trouble> {
        let Target::Url(url) = self.target() else { return Err(trouble) };
        if !self.may_fall_back(&trouble) {
            return Err(trouble);
        }
        self.target.replace(Target::Stream(url.clone()));
        let opener = self.opener()?;
        let recorder = opener.recorder();
        let session = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE))?;
        let announced = session.announced().await;
        session.kill().await;
        match announced {
            Ok(()) => Ok(()),
            // It should announce where to post: rules say what it does instead.
            Err(Trouble::NoEndpoint { streams: true, .. })
                if is_path_of_streams(&url) || recorder.with(super::said::has_spoken) =>
            {
                Ok(())
            }
            Err(other @ Trouble::NoEndpoint { streams: true, .. }) => Err(other),
            Err(_) => {
                self.target.replace(Target::Url(url));
                Err(trouble)
            }
        }
    }
}

/// Whether it is the path at which servers of HTTP+SSE have their streams by convention.
fn is_path_of_streams(url: &url::Url) -> bool {
    url.path().trim_end_matches('/').ends_with("/sse")
}
