//! Messages as any client sends them, told from those with which a tester tries how much a server bears.

use serde_json::Value;
use verdict::transcript::Probe;
use verdict::{Intent, Key};
use wire::{Kind, Message};

use super::Exchange;

/// Input larger than this is a probe of size, for other rules.
pub const LARGE: usize = 64 << 10;

/// Intents of messages that break the schema of MCP, or JSON-RPC, on purpose: what comes of them is at the level that the text gives
/// to each.
const MALFORMED: [Intent; 41] = [
    Intent::CallArgumentsNotObject,
    Intent::CallMissingName,
    Intent::CallMissingParams,
    Intent::CallNameNotString,
    Intent::CancelMalformed,
    Intent::CompleteArgumentMissing,
    Intent::CompleteArgumentWrongType,
    Intent::CompleteUnknownType,
    Intent::CursorType,
    Intent::DeepNesting,
    Intent::IdFractional,
    Intent::IdNull,
    Intent::IdWrongType,
    Intent::InitializeIllFormed,
    Intent::InvalidParams,
    Intent::InvalidRequest,
    Intent::InvalidUtf8,
    Intent::LargeMessage,
    Intent::ListenIll,
    Intent::ListenMissing,
    Intent::LogLevelInvalid,
    Intent::LogLevelMissing,
    Intent::LogRequestInvalid,
    Intent::MalformedJson,
    Intent::MissingParams,
    Intent::MrtrIllResponse,
    Intent::MrtrIllResponses,
    Intent::NotificationWithId,
    Intent::ParamsNotObject,
    Intent::ProgressInvalid,
    Intent::PromptArgumentNotString,
    Intent::PromptArgumentsNotObject,
    Intent::PromptMissingName,
    Intent::PromptNameNotString,
    Intent::RequestMeta,
    Intent::ResourceMalformedUri,
    Intent::ResourceMissingUri,
    Intent::ResourceUriNotString,
    Intent::StrayResponse,
    Intent::SubscribeIll,
    Intent::UnsubscribeIll,
];

/// Whether a message breaks the schema of MCP, or JSON-RPC, on purpose, or is nested deeper than JSON readers have to bear.
#[must_use]
pub fn is_malformed(probe: &Probe) -> bool {
    let nested = probe.get(Key::Of).and_then(Value::as_str) == Some("practice.input.deep-nesting");
    MALFORMED.contains(&probe.intent) || nested
}

impl Exchange<'_> {
    /// A well-formed request of ordinary size that is no probe of robustness.
    pub(crate) fn is_plain_request(&self) -> bool {
        let [message] = self.parsed.messages() else { return false };
        self.is_ordinary()
            && self.send.text.len() < LARGE
            && message.kind == Kind::Request
            && message.defects.is_empty()
            && self.parsed.duplicates.is_empty()
    }

    /// A well-formed notification or response.
    pub(crate) fn asks_for_none(&self) -> bool {
        let none = |message: &Message| message.kind != Kind::Request && message.defects.is_empty();
        matches!(self.parsed.messages(), [message] if none(message))
    }

    /// No part of a probe of robustness.
    fn is_ordinary(&self) -> bool {
        let hostile = [
            Intent::DeepNesting,
            Intent::LargeMessage,
            Intent::IdInFlight,
            Intent::InvalidUtf8,
            Intent::OneWrite,
            Intent::ModernProbe,
            Intent::Robust,
        ];
        !self.send.probe.as_ref().is_some_and(|probe| hostile.contains(&probe.intent))
    }
}
