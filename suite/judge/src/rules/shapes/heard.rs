//! One message of the server with its surroundings.

use wire::{Id, Kind, Message};

use crate::{Case, Exchange, Incoming, Session, View};

/// A message with its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Heard<'v> {
    pub(super) view: &'v View<'v>,
    pub(super) session: &'v Session<'v>,
    pub(super) incoming: &'v Incoming<'v>,
    /// See [`super::message::turns`].
    pub(super) turns: Option<u32>,
}

impl<'v> Heard<'v> {
    /// The exchange it answers.
    pub(super) fn exchange(&self) -> Option<&'v Exchange<'v>> {
        self.incoming.answers.and_then(|at| self.session.exchanges.get(at))
    }

    /// Returns the message as a case.
    pub(super) fn case(&self) -> Option<Case<'v>> {
        self.exchange().map(|exchange| Case { view: self.view, session: self.session, exchange })
    }

    /// The request it answers, also where that was one of a batch.
    pub(super) fn request(&self) -> Option<&'v Message> {
        let key = self.incoming.message()?.id.as_ref()?.key()?;
        let asks = |message: &&Message| {
            message.kind == Kind::Request && message.id.as_ref().and_then(Id::key) == Some(key.clone())
        };
        self.exchange()?.parsed.messages().iter().find(asks)
    }
}
