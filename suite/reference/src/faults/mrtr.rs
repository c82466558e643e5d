//! Faults of the area mrtr.

use super::Edit::{Remove, Set, Text};
use super::On::{Input, Result};
use super::{Fault, carried, rewrite, switch};

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
    switch("mrtr.elicitation-mode-supported", "", "any mode will do for a client that has one"),
    rewrite(
        "mrtr.sampling-params",
        "",
        "a request for sampling has no maxTokens",
        &[(Input("ask_model"), Remove("/result/inputRequests/answer/params/maxTokens"))],
    ),
    rewrite(
        "mrtr.sampling-include-context",
        "",
        "a request for sampling wants context",
        &[(Input("ask_model"), Set("/result/inputRequests/answer/params/includeContext", "\"allServers\""))],
    ),
    rewrite(
        "mrtr.sampling-tools-declared",
        "",
        "a request for sampling offers tools",
        &[(Input("ask_model"), Set("/result/inputRequests/answer/params/tools", "[]"))],
    ),
    rewrite(
        "mrtr.request-state-string",
        "",
        "a state is a number",
        &[(Input("ask_name"), Set("/result/requestState", "5"))],
    ),
    switch("mrtr.capability-respected", "", "the user is asked whatever the client can do"),
    switch("mrtr.capability-respected", "prompt", "a prompt asks whatever the client can do"),
    switch("mrtr.no-capability-memory", "", "once a client could elicit, all can"),
    switch("mrtr.retry-accepted", "", "what was asked for is refused"),
    switch("mrtr.retry-accepted", "prompt", "what a prompt asked for is refused"),
    switch("mrtr.missing-response-reasked", "", "a missing response is an error"),
    switch("mrtr.missing-response-reasked", "read", "a missing response to a read is an error"),
    switch("mrtr.wrong-key-reasked", "", "a response under another key is an error"),
    switch("mrtr.unexpected-ignored", "", "a response too many is an error"),
    switch("mrtr.responses-validated", "", "any response will do"),
    switch("mrtr.responses-validated", "read", "a read takes any response"),
    switch("mrtr.malformed-responses-error", "", "inputResponses of any type will do"),
    switch("mrtr.declined-handled", "", "what is declined is never answered"),
    switch("mrtr.unsolicited-responses-ignored", "", "responses that nobody asked for are refused"),
    switch("mrtr.abandoned-retry", "", "after many open demands server/discover is not answered"),
    switch("mrtr.state-garbage-handled", "", "a made-up state gives a stack trace"),
    switch("mrtr.state-tampered-rejected", "", "any state will do"),
    carried("mrtr.state-bound-to-principal", "", "the state of one user will do for another"),
    switch("mrtr.state-expires", "", "states are good for ever").in_a_run(),
    switch("mrtr.state-single-use", "", "a state can be used again and again").in_a_run(),
    switch("mrtr.state-bound-to-request", "", "the state of one tool will do for another"),
];
