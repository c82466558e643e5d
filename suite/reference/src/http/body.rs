//! Bodies: empty, whole, or an event stream that goes on while the core has something for it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::sync::mpsc::UnboundedReceiver;

use super::write::Writer;
use crate::core::Action;

/// The body of an answer.
pub(crate) enum Content {
    Whole(Option<Bytes>),
    Events(Events),
}

/// Events of one stream, and the peer that they come from.
pub(crate) struct Events {
    pub(super) actions: UnboundedReceiver<Action>,
    /// Taken from the channel before it was known that this would be a stream.
    pub(crate) first: VecDeque<Action>,
    /// How they are written.
    pub(super) writer: Writer,
    /// Held for as long as the client reads.
    pub(super) _hold: Hold,
}

/// Runs something when the client has let go of a stream.
pub(super) struct Hold(Option<Box<dyn FnOnce() + Send>>);

impl Hold {
    pub(super) fn new(let_go: impl FnOnce() + Send + 'static) -> Self {
        Self(Some(Box::new(let_go)))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(let_go) = self.0.take() {
            let_go();
        }
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        match &mut *self {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Content::Events(events) => events.next(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Content::Whole(None))
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Content::Whole(bytes) => {
                hyper::body::SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Content::Events(_) => hyper::body::SizeHint::default(),
        }
    }
}

impl Events {
    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(opening) = self.writer.opening() {
            return Poll::Ready(Some(Bytes::from(opening)));
        }
        loop {
            if self.writer.is_done() {
                return Poll::Ready(None);
            }
            let action = match self.first.pop_front() {
                Some(action) => action,
                None => match self.actions.poll_recv(context) {
                    Poll::Ready(Some(action)) => action,
                    Poll::Ready(None) if self.writer.lingers() => return Poll::Pending,
                    Poll::Ready(None) => return Poll::Ready(None),
                    Poll::Pending => return Poll::Pending,
                },
            };
            match action {
                Action::Send(text) => {
                    if let Some(event) = self.writer.event(&text) {
                        return Poll::Ready(Some(Bytes::from(event)));
                    }
                }
                Action::Raw(bytes) => return Poll::Ready(Some(Bytes::from(bytes))),
                // Nobody wakes it: it ends when the client lets go.
                Action::End if self.writer.lingers() => return Poll::Pending,
                Action::End => return Poll::Ready(None),
                _ => {}
            }
        }
    }
}
