//! Faults of the areas elicitation and sampling.

use super::Edit::{Remove, Set};
use super::Hook::Switch;
use super::On::{Notification, Request};
use super::jsonrpc::HANDSHAKE;
use super::{Fault, fault, rewrite};
use crate::Revision::V2025_11_25;
use crate::deviation::Deviation;

const SAMPLE: &str = "sampling/createMessage";
const ELICIT: &str = "elicitation/create";
const COMPLETE: &str = "notifications/elicitation/complete";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "sampling.request.params",
        "",
        "a request for sampling has no maxTokens",
        &[(Request(SAMPLE), Remove("/params/maxTokens"))],
    ),
    rewrite(
        "sampling.request.message-shape",
        "",
        "a request for sampling has a message of the system",
        &[(Request(SAMPLE), Set("/params/messages/0/role", "\"system\""))],
    )
    .only(HANDSHAKE),
    rewrite(
        "sampling.request.tools-declared",
        "",
        "a request for sampling offers tools",
        &[(Request(SAMPLE), Set("/params/tools", "[]"))],
    ),
    fault(
        "sampling.request.tool-results-only",
        "",
        "the result of a tool has words beside it",
        Switch(&[Deviation::ToolResultsMixed, Deviation::AsksModelsInEveryRevision]),
    ),
    fault(
        "sampling.request.tool-uses-answered",
        "",
        "the use of a tool has no result",
        Switch(&[Deviation::ToolUsesUnanswered, Deviation::AsksModelsInEveryRevision]),
    ),
    rewrite(
        "sampling.request.include-context",
        "",
        "a request for sampling wants context",
        &[(Request(SAMPLE), Set("/params/includeContext", "\"allServers\""))],
    ),
    rewrite(
        "elicitation.request.form-params",
        "",
        "a form has no message",
        &[(Request(ELICIT), Remove("/params/message"))],
    ),
    rewrite(
        "elicitation.request.form-flat",
        "",
        "a form has an object in it",
        &[(Request(ELICIT), Set("/params/requestedSchema/properties/name", "{\"type\": \"object\"}"))],
    ),
    rewrite(
        "elicitation.request.url-params",
        "",
        "a URL elicitation has no elicitationId",
        &[(Request(ELICIT), Remove("/params/elicitationId"))],
    )
    .only(&[V2025_11_25]),
    fault(
        "elicitation.request.mode-supported",
        "",
        "any mode will do for a client that has one",
        Switch(&[Deviation::ElicitationModeUnchecked]),
    ),
    fault(
        "elicitation.url-required.error-data",
        "",
        "error -32042 names no elicitations",
        Switch(&[Deviation::UrlErrorWithoutData]),
    ),
    rewrite(
        "elicitation.complete.shape",
        "",
        "what is complete has no id",
        &[(Notification(COMPLETE), Remove("/params/elicitationId"))],
    ),
    rewrite(
        "elicitation.complete.known-id",
        "",
        "something else is complete",
        &[(Notification(COMPLETE), Set("/params/elicitationId", "\"another\""))],
    ),
];
