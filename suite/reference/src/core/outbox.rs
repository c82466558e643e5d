//! The outgoing messages of a connection, and which of its requests have no answer yet: a stream ends with its last answer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::output::{Action, Output, Stream};

/// A request that has no answer yet.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) key: u64,
    pub(super) id: Value,
    pub(super) payload: u64,
}

/// Outputs, and the requests that they answer.
#[derive(Default)]
pub(super) struct Outbox {
    outputs: Vec<Output>,
    /// The answers to batches, until they are complete.
    batches: BTreeMap<u64, Vec<String>>,
    open: Vec<Open>,
    /// The id of the request that was opened last.
    pub(super) last_id: Value,
    /// The payload being taken in: it may have more in it to answer.
    taking: Option<u64>,
}

impl Outbox {
    /// Begins to take a payload in.
    pub(super) fn begin(&mut self, payload: u64) {
        self.taking = Some(payload);
    }

    /// Ends to take a payload in.
    pub(super) fn end(&mut self, payload: u64) {
        self.taking = None;
        self.close_if_answered(payload);
    }

    /// Adds a request that is to be answered.
    pub(super) fn open(&mut self, request: Open) {
        self.last_id = request.id.clone();
        self.open.push(request);
    }

    /// The requests without an answer.
    pub(super) fn requests(&self) -> &[Open] {
        &self.open
    }

    /// Removes a request, answered or given up.
    pub(super) fn close(&mut self, key: u64) {
        if let Some(index) = self.open.iter().position(|open| open.key == key) {
            let payload = self.open.remove(index).payload;
            self.close_if_answered(payload);
        }
    }

    /// Collects the answers to a payload in an array.
    pub(super) fn collect(&mut self, payload: u64) {
        self.batches.insert(payload, Vec::new());
    }

    /// Whether the answers to a payload are collected.
    pub(super) fn collects(&self, payload: u64) -> bool {
        self.batches.contains_key(&payload)
    }

    /// Adds an action for a stream as it is.
    pub(super) fn push(&mut self, stream: Stream, action: Action) {
        self.outputs.push(Output { stream, action });
    }

    /// Adds an answer, to the array of its batch if there is one.
    pub(super) fn push_answer(&mut self, stream: Stream, action: Action) {
        if let (Stream::Answer(payload), Action::Send(text)) = (stream, &action)
            && let Some(batch) = self.batches.get_mut(&payload)
        {
            batch.push(text.clone());
            return;
        }
        self.push(stream, action);
    }

    /// Takes everything out.
    pub(super) fn take(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }

    fn close_if_answered(&mut self, payload: u64) {
        if self.taking == Some(payload) || self.open.iter().any(|open| open.payload == payload) {
            return;
        }
        let stream = Stream::Answer(payload);
        if let Some(texts) = self.batches.remove(&payload)
            && !texts.is_empty()
        {
            self.push(stream, Action::Send(format!("[{}]", texts.join(","))));
        }
        self.push(stream, Action::End);
    }
}
