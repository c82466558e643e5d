//! Frames: which hold messages at all, and that each holds one.

use std::collections::HashMap;

use verdict::Revision;
use verdict::transcript::Via;
use wire::{Content, Id, Message};

use super::heard::Heard;
use crate::{Collector, Exchange, Incoming, Session};

const SINGLE: &str = "jsonrpc.message.single-object";

/// The exchanges of a session by channel.
pub(super) struct Frames<'v> {
    by_channel: HashMap<u32, &'v Exchange<'v>>,
    /// What is a message was found apart from the lines.
    by_objects: bool,
}

impl<'v> Frames<'v> {
    pub(super) fn new(session: &'v Session<'v>) -> Self {
        let http = session.exchanges.iter().filter(|exchange| exchange.send.channel != 0);
        let by_channel = http.map(|exchange| (exchange.send.channel, exchange)).collect();
        Self { by_channel, by_objects: session.by_objects }
    }

    /// Whether what is in the frame is meant as messages: not the body of a refusal, not another kind of event.
    pub(super) fn are_messages(&self, incoming: &Incoming<'_>) -> bool {
        match &incoming.receive.via {
            Via::Line | Via::Tail => !self.by_objects,
            Via::Object => true,
            Via::Sse { event, .. } => event.as_deref().is_none_or(|event| event.is_empty() || event == "message"),
            Via::Body => {
                incoming.message().is_some_and(|message| message.member("jsonrpc").is_some())
                    || self.by_channel.get(&incoming.receive.channel).is_none_or(|exchange| owes_a_message(exchange))
            }
        }
    }
}

/// A request that was served.
fn owes_a_message(exchange: &Exchange<'_>) -> bool {
    let served = exchange.status.is_none_or(|(status, _)| (200..300).contains(&status));
    let posted = exchange.send.http.as_deref().is_none_or(|method| method == "POST");
    served && posted && exchange.parsed.messages().iter().any(is_request)
}

fn is_request(message: &Message) -> bool {
    message.kind == wire::Kind::Request && message.id.as_ref().and_then(Id::key).is_some()
}

/// Says whether the frame is one object, and whether there is a message to look into.
pub(super) fn is_single(heard: &Heard<'_>, collector: &mut Collector) -> bool {
    let incoming = heard.incoming;
    match &incoming.parsed.content {
        Content::Unreadable(_) => return false,
        Content::Batch(_) => {
            if matches!(incoming.element, None | Some(0)) {
                check_array(heard, collector);
            }
            return incoming.element.is_some();
        }
        Content::One(message) if message.is_object() => collector.witness(SINGLE),
        Content::One(_) => {
            let finding = heard.finding(
                "The server sent a JSON value that is not an object, which clients cannot read as a message.",
                "one JSON object",
                "another JSON value",
            );
            collector.fail(SINGLE, finding);
            return false;
        }
    }
    true
}

/// Arrays are legal in 2025-03-26 alone; 2024-11-05 leaves open how a batch is answered. Later an array that answers an
/// array of the tester is its fault too: `jsonrpc.batch.not-served` says what there is to say.
fn check_array(heard: &Heard<'_>, collector: &mut Collector) {
    let empty = heard.incoming.element.is_none();
    let answers_one = heard.exchange().is_some_and(|exchange| matches!(exchange.parsed.content, Content::Batch(_)));
    match collector.revision() {
        Revision::V2025_03_26 if !empty => collector.witness(SINGLE),
        Revision::V2025_03_26 => {
            let message = "The server sent an empty array, which is neither a message nor a batch.";
            collector
                .fail(SINGLE, heard.finding(message, "one JSON object, or an array of at least one", "an empty array"));
        }
        _ if answers_one && !empty => {}
        _ => {
            let message = "The server sent an array; clients of this revision read one message at a time and drop it.";
            collector.fail(SINGLE, heard.finding(message, "one JSON object", "an array"));
        }
    }
}
