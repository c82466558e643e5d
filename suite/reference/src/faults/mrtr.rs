//! Faults of the area mrtr.

use super::Edit::{Remove, Set, Text};
use super::Hook::{Request, Switch};
use super::On::{Input, Result};
use super::replies::invalid;
use super::{Fault, carried, fault, rewrite};
use crate::core::Reply;
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "mrtr.only-supported-methods",
        "",
        "a list asks for input",
        &[
            (Result("tools/list"), Set("/result/resultType", "\"input_required\"")),
            (Result("tools/list"), Set("/result/requestState", "\"s\"")),
        ],
    ),
    rewrite(
        "mrtr.result-type",
        "",
        "a demand for input has another resultType",
        &[(Input("ask_name"), Set("/result/resultType", "\"complete\""))],
    ),
    rewrite(
        "mrtr.inputs-or-state",
        "",
        "a demand for input asks for nothing",
        &[(Input("ask_name"), Remove("/result/inputRequests"))],
    ),
    rewrite(
        "mrtr.input-requests-object",
        "",
        "inputRequests is an array",
        &[(Input("ask_name"), Set("/result/inputRequests", "[{\"method\": \"elicitation/create\"}]"))],
    ),
    rewrite(
        "mrtr.input-requests-keys-unique",
        "",
        "a key occurs twice",
        &[(
            Input("ask_name"),
            Text("\"inputRequests\":{", "\"inputRequests\":{\"answer\":{\"method\":\"roots/list\"},"),
        )],
    ),
    rewrite(
        "mrtr.input-requests-methods",
        "",
        "a demand is of a method that there is not",
        &[(Input("ask_name"), Set("/result/inputRequests/answer/method", "\"user/ask\""))],
    ),
    rewrite(
        "mrtr.elicitation-form-params",
        "",
        "a form has no message",
        &[(Input("ask_name"), Remove("/result/inputRequests/answer/params/message"))],
    ),
    rewrite(
        "mrtr.elicitation-form-flat",
        "",
        "a form has an object in it",
        &[(
            Input("ask_name"),
            Set("/result/inputRequests/answer/params/requestedSchema/properties/name", "{\"type\": \"object\"}"),
        )],
    ),
    rewrite(
        "mrtr.elicitation-url-params",
        "",
        "a URL elicitation has no url",
        &[(Input("open_page"), Remove("/result/inputRequests/answer/params/url"))],
    ),
    fault(
        "mrtr.elicitation-mode-supported",
        "",
        "any mode will do for a client that has one",
        Switch(&[Deviation::ElicitationModeUnchecked]),
    ),
    rewrite(
        "mrtr.sampling-params",
        "",
        "a request for sampling has no maxTokens",
        &[(Input("ask_model"), Remove("/result/inputRequests/answer/params/maxTokens"))],
    )
    .and(Switch(&[Deviation::AsksModelsInEveryRevision])),
    rewrite(
        "mrtr.sampling-include-context",
        "",
        "a request for sampling wants context",
        &[(Input("ask_model"), Set("/result/inputRequests/answer/params/includeContext", "\"allServers\""))],
    )
    .and(Switch(&[Deviation::AsksModelsInEveryRevision])),
    rewrite(
        "mrtr.sampling-tools-declared",
        "",
        "a request for sampling offers tools",
        &[(Input("ask_model"), Set("/result/inputRequests/answer/params/tools", "[]"))],
    )
    .and(Switch(&[Deviation::AsksModelsInEveryRevision])),
    rewrite(
        "mrtr.request-state-string",
        "",
        "a state is a number",
        &[(Input("ask_name"), Set("/result/requestState", "5"))],
    ),
    fault(
        "mrtr.capability-respected",
        "",
        "the user is asked whatever the client can do",
        Switch(&[Deviation::AsksWithoutCapability]),
    ),
    fault(
        "mrtr.capability-respected",
        "prompt",
        "a prompt asks whatever the client can do",
        Switch(&[Deviation::PromptAsksWithoutCapability, Deviation::PromptsAskFirst]),
    ),
    fault(
        "mrtr.no-capability-memory",
        "",
        "once a client could elicit, all can",
        Switch(&[Deviation::CapabilitiesRemembered]),
    ),
    fault("mrtr.retry-accepted", "", "what was asked for is refused", Switch(&[Deviation::InputRefused])),
    fault(
        "mrtr.retry-accepted",
        "prompt",
        "what a prompt asked for is refused",
        Switch(&[Deviation::PromptRefusesInput, Deviation::PromptsAskFirst]),
    ),
    fault(
        "mrtr.missing-response-reasked",
        "",
        "a missing response is an error",
        Switch(&[Deviation::MissingInputRefused]),
    ),
    fault(
        "mrtr.missing-response-reasked",
        "read",
        "a missing response to a read is an error",
        Switch(&[Deviation::ReadRefusesMissingInput, Deviation::ReadsAskFirst]),
    ),
    fault(
        "mrtr.wrong-key-reasked",
        "",
        "a response under another key is an error",
        Switch(&[Deviation::WrongInputKeyRefused]),
    ),
    fault("mrtr.unexpected-ignored", "", "a response too many is an error", Switch(&[Deviation::ExtraInputRefused])),
    fault("mrtr.responses-validated", "", "any response will do", Switch(&[Deviation::AnyInputAccepted])),
    fault(
        "mrtr.responses-validated",
        "read",
        "a read takes any response",
        Switch(&[Deviation::ReadAcceptsAnyInput, Deviation::ReadsAskFirst]),
    ),
    fault(
        "mrtr.malformed-responses-error",
        "",
        "inputResponses of any type will do",
        Switch(&[Deviation::MalformedInputAccepted]),
    ),
    fault(
        "mrtr.declined-handled",
        "",
        "what is declined is never answered",
        Switch(&[Deviation::DeclineNeverAnswered]),
    ),
    fault(
        "mrtr.unsolicited-responses-ignored",
        "",
        "responses that nobody asked for are refused",
        Request(|_, call| {
            let unasked = call.tool() == Some("version") || call.tool() == Some("echo");
            let refused = unasked && call.params.get("inputResponses").is_some();
            refused.then(|| invalid("inputResponses was not asked for"))
        }),
    ),
    fault(
        "mrtr.abandoned-retry",
        "",
        "after many open demands server/discover is not answered",
        Request(|connection, call| {
            let stuck = call.method == "server/discover" && connection.server.state().demands > 12;
            stuck.then_some(Reply::Later)
        }),
    ),
    fault(
        "mrtr.state-garbage-handled",
        "",
        "a made-up state gives a stack trace",
        Switch(&[Deviation::ForgedStateTraced]),
    ),
    fault("mrtr.state-tampered-rejected", "", "any state will do", Switch(&[Deviation::AnyStateAccepted])),
    carried(
        "mrtr.state-bound-to-principal",
        "",
        "the state of one user will do for another",
        Switch(&[Deviation::StateOfOtherUserAccepted]),
    ),
    fault("mrtr.state-expires", "", "states are good for ever", Switch(&[Deviation::StateNeverExpires])).in_a_run(),
    fault("mrtr.state-single-use", "", "a state can be used again and again", Switch(&[Deviation::StateReusable]))
        .in_a_run(),
    fault(
        "mrtr.state-bound-to-request",
        "",
        "the state of one tool will do for another",
        Switch(&[Deviation::StateOfOtherToolAccepted]),
    ),
];
