//! Faults of Streamable HTTP in 2026-07-28: headers that mirror the body, statuses, and what is gone.

use hyper::{Method, StatusCode};
use serde_json::json;
use wire::mcp::code;

use super::Hook::{HttpAnswer, HttpRequest, Switch};
use super::http_answers::{
    code, edit_body, edit_stream, is_modern, opens, refuse, refuse_params, replace_text, with_status_if,
};
use super::{Fault, carried};
use crate::Revision::V2026_07_28;
use crate::core::Action;
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::http::Asked;
use crate::http::answer::{self, Answer, plain, refusal, with};
use crate::http::check::Posted;
use crate::http::legacy::SESSION;

const ONLY: &[crate::Revision] = &[V2026_07_28];

pub(super) static TABLE: &[Fault] = &[
    carried(
        "http.version-header.required",
        "",
        "a request without the version header is served",
        Switch(&[Deviation::VersionHeaderOptional]),
    )
    .and(HttpRequest(|_, _, message| without_older(message))),
    carried(
        "http.version-header.mismatch",
        "",
        "another version in the body gives -32600",
        Switch(&[Deviation::VersionMismatchIsInvalidRequest]),
    ),
    carried(
        "http.version-header.mismatch-legacy-header",
        "",
        "an older version in the header is let pass",
        Switch(&[Deviation::OlderVersionHeaderAllowed]),
    ),
    carried(
        "http.version-header.unsupported",
        "",
        "an unsupported version is answered with 200",
        HttpAnswer(|_, answer, _, _| {
            with_status_if(code(&answer) == Some(code::UNSUPPORTED_PROTOCOL_VERSION), answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.version-header.unsupported",
        "text",
        "an unsupported version is answered with words",
        HttpAnswer(|_, answer, _, _| {
            if code(&answer) == Some(code::UNSUPPORTED_PROTOCOL_VERSION) {
                plain(StatusCode::BAD_REQUEST, "Unsupported version")
            } else {
                answer
            }
        }),
    ),
    carried(
        "http.headers.method-missing",
        "",
        "a request without Mcp-Method is served",
        Switch(&[Deviation::McpMethodOptional]),
    ),
    carried("http.headers.method-mismatch", "", "any Mcp-Method will do", Switch(&[Deviation::McpMethodUnchecked])),
    carried(
        "http.headers.method-mismatch",
        "code",
        "wrong headers give -32600",
        Switch(&[Deviation::McpMethodUnchecked]),
    )
    .and(HttpAnswer(|_, answer, _, _| {
        if code(&answer) == Some(code::HEADER_MISMATCH) { replace_text(answer, "-32020", "-32600") } else { answer }
    })),
    carried(
        "http.headers.method-mismatch",
        "status",
        "wrong headers are answered with 200",
        Switch(&[Deviation::McpMethodUnchecked]),
    )
    .and(HttpAnswer(|_, answer, _, _| {
        with_status_if(code(&answer) == Some(code::HEADER_MISMATCH), answer, StatusCode::OK)
    })),
    carried(
        "http.headers.method-case-sensitive",
        "",
        "Mcp-Method is compared whatever its letters",
        Switch(&[Deviation::McpMethodAnyCase]),
    ),
    carried(
        "http.headers.name-missing-tool",
        "",
        "a call without Mcp-Name is served",
        Switch(&[Deviation::ToolNameHeaderOptional]),
    ),
    carried(
        "http.headers.name-mismatch-tool",
        "",
        "a call with another Mcp-Name is served",
        Switch(&[Deviation::ToolNameHeaderUnchecked]),
    ),
    carried(
        "http.headers.name-missing-resource",
        "",
        "a resource is read without Mcp-Name",
        Switch(&[Deviation::ResourceNameHeaderOptional]),
    ),
    carried(
        "http.headers.name-mismatch-resource",
        "",
        "a resource is read under another Mcp-Name",
        Switch(&[Deviation::ResourceNameHeaderUnchecked]),
    ),
    carried(
        "http.headers.name-missing-prompt",
        "",
        "a prompt is given without Mcp-Name",
        Switch(&[Deviation::PromptNameHeaderOptional]),
    ),
    carried(
        "http.headers.name-mismatch-prompt",
        "",
        "a prompt is given under another Mcp-Name",
        Switch(&[Deviation::PromptNameHeaderUnchecked]),
    ),
    carried(
        "http.headers.name-only-where-required",
        "",
        "prompts are not listed without Mcp-Name",
        Switch(&[Deviation::McpNameRequiredForPromptsList]),
    ),
    carried(
        "http.headers.name-base64-accepted",
        "",
        "Mcp-Name is never decoded",
        Switch(&[Deviation::NameHeaderNeverDecoded]),
    ),
    carried(
        "http.headers.name-base64-mismatch",
        "",
        "any Mcp-Name in Base64 will do",
        Switch(&[Deviation::EncodedNameHeaderUnchecked]),
    ),
    carried(
        "http.headers.name-base64-invalid",
        "",
        "an Mcp-Name that cannot be decoded is let pass",
        Switch(&[Deviation::UndecodableNameHeaderAllowed]),
    ),
    carried("http.headers.name-marker-case", "", "markers in capitals count", Switch(&[Deviation::MarkerAnyCase])),
    carried(
        "http.headers.mismatch-answers-id",
        "",
        "the error for wrong headers has no id",
        HttpAnswer(|_, answer, _, _| {
            if code(&answer) != Some(code::HEADER_MISMATCH) {
                return answer;
            }
            edit_body(answer, |body| {
                body.as_object_mut().and_then(|members| members.shift_remove("id"));
            })
        }),
    ),
    carried(
        "http.headers.mismatch-answers-id",
        "other",
        "the error for wrong headers has another id",
        HttpAnswer(|_, answer, _, _| {
            if code(&answer) != Some(code::HEADER_MISMATCH) {
                return answer;
            }
            edit_body(answer, |body| body["id"] = json!("another"))
        }),
    ),
    carried(
        "http.headers.invalid-characters",
        "",
        "characters that no header may have are passed over",
        Switch(&[Deviation::HeaderCharactersDropped]),
    ),
    carried(
        "http.headers.duplicates",
        "",
        "the first of two headers counts",
        Switch(&[Deviation::FirstOfDuplicateHeadersCounts]),
    ),
    carried(
        "http.headers.whitespace-trimmed",
        "",
        "blanks around a header value belong to it",
        Switch(&[Deviation::NoticesHeaderBlanks]),
    )
    .and(HttpRequest(|_, asked, message| refuse_loud(asked, message)))
    .only(ONLY),
    carried(
        "http.param.match-accepted",
        "",
        "no Mcp-Param header is right",
        Switch(&[Deviation::ParamHeadersNeverMatch]),
    ),
    carried(
        "http.param.mismatch-rejected",
        "",
        "any Mcp-Param header will do",
        Switch(&[Deviation::ParamHeadersUnchecked]),
    ),
    carried(
        "http.param.missing-rejected",
        "",
        "Mcp-Param headers may be left out",
        Switch(&[Deviation::ParamHeadersOptional]),
    ),
    carried(
        "http.param.null-needs-no-header",
        "",
        "null needs a header too",
        Switch(&[Deviation::NullNeedsParamHeader]),
    ),
    carried(
        "http.param.absent-needs-no-header",
        "",
        "arguments that are not there need a header too",
        Switch(&[Deviation::AbsentArgumentNeedsParamHeader]),
    ),
    carried(
        "http.param.header-without-argument",
        "",
        "headers without an argument are let pass",
        Switch(&[Deviation::StrayParamHeadersAllowed]),
    ),
    carried(
        "http.param.base64-decoded",
        "",
        "Mcp-Param headers are never decoded",
        Switch(&[Deviation::ParamHeadersNeverDecoded]),
    ),
    carried(
        "http.param.base64-invalid",
        "",
        "an Mcp-Param header that cannot be decoded is let pass",
        Switch(&[Deviation::UndecodableParamHeadersAllowed]),
    ),
    carried(
        "http.param.half-marked-is-literal",
        "",
        "one marker is enough to be Base64",
        Switch(&[Deviation::HalfMarkedIsEncoded]),
    ),
    carried(
        "http.param.invalid-characters",
        "",
        "characters that no header may have are passed over",
        Switch(&[Deviation::ParamCharactersDropped]),
    ),
    carried(
        "http.param.integer-numeric",
        "",
        "numbers are compared letter by letter",
        Switch(&[Deviation::NumbersComparedAsText]),
    ),
    carried("http.param.boolean-lower-case", "", "True is true", Switch(&[Deviation::BooleansAnyCase])),
    carried(
        "http.param.nested-path",
        "",
        "nested parameters are not compared",
        Switch(&[Deviation::NestedParametersUnchecked]),
    ),
    carried(
        "http.param.name-case-insensitive",
        "",
        "Mcp-Param headers in capitals are not known",
        Switch(&[Deviation::NoticesHeaderCapitals]),
    )
    .and(HttpRequest(|_, asked, message| refuse_loud(asked, message))),
    carried(
        "http.param.unknown-ignored",
        "",
        "an Mcp-Param header that nothing asks for is refused",
        Switch(&[Deviation::UnknownParamHeadersRefused]),
    ),
    carried(
        "http.status.unknown-method-404",
        "",
        "an unknown method is answered with 200",
        HttpAnswer(|_, answer, _, _| {
            with_status_if(code(&answer) == Some(code::METHOD_NOT_FOUND), answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.status.unknown-method-404",
        "text",
        "an unknown method is answered with words",
        HttpAnswer(|_, answer, _, _| {
            if code(&answer) == Some(code::METHOD_NOT_FOUND) {
                plain(StatusCode::NOT_FOUND, "Not Found")
            } else {
                answer
            }
        }),
    ),
    carried(
        "http.status.missing-meta-400",
        "",
        "missing metadata is answered with 200",
        HttpAnswer(|_, answer, _, _| {
            with_status_if(code(&answer) == Some(code::INVALID_PARAMS), answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.status.missing-capability-400",
        "",
        "a missing capability is answered with 200",
        HttpAnswer(|_, answer, _, _| {
            with_status_if(code(&answer) == Some(code::MISSING_CLIENT_CAPABILITY), answer, StatusCode::OK)
        }),
    ),
    carried(
        "http.session.header-ignored",
        "",
        "an unknown session id is refused",
        HttpRequest(|_, asked, message| {
            let refused =
                message.method().is_some() && asked.headers.contains_key(SESSION) && is_modern(asked, message);
            refused.then(|| refuse(StatusCode::NOT_FOUND, message, "there is no such session"))
        }),
    ),
    carried(
        "http.session.not-minted",
        "",
        "answers have a session id",
        HttpAnswer(
            |_, answer, asked, message| {
                if is_modern(asked, message) { with(answer, SESSION, "0123456789abcdef") } else { answer }
            },
        ),
    ),
    carried(
        "http.post.client-response-refused",
        "",
        "a posted response is answered",
        Switch(&[Deviation::PostedResponsesAreAnswered]),
    ),
    carried(
        "http.get.removed-405",
        "",
        "there is no older revision, and GET gives 404",
        HttpRequest(|_, asked, message| match asked.method {
            Method::GET => Some(plain(StatusCode::NOT_FOUND, "Not Found")),
            _ => without_older(message),
        }),
    ),
    carried(
        "http.delete.removed-405",
        "",
        "there is no older revision, and DELETE gives 200",
        HttpRequest(|_, asked, message| match asked.method {
            Method::DELETE => Some(answer::empty(StatusCode::OK)),
            _ => without_older(message),
        }),
    ),
    carried(
        "http.resume.last-event-id-ignored",
        "",
        "Last-Event-ID is refused",
        HttpRequest(|_, asked, message| {
            let refused = message.method().is_some() && asked.headers.contains_key("last-event-id");
            refused.then(|| refuse_params(message, "streams cannot be resumed"))
        }),
    ),
    carried(
        "http.compat.legacy-initialize-400",
        "",
        "initialize is an unknown method",
        HttpRequest(|_, _, message| {
            let answer = || refusal(StatusCode::NOT_FOUND, message.id(), &RpcError::unknown_method("initialize"));
            opens(message).then(answer)
        }),
    ),
    carried(
        "http.compat.legacy-initialize-400",
        "text",
        "initialize is refused with words",
        HttpRequest(|_, _, message| opens(message).then(|| plain(StatusCode::BAD_REQUEST, "Speak 2026-07-28."))),
    ),
    carried(
        "http.sse.accel-buffering-header",
        "",
        "streams come without X-Accel-Buffering",
        HttpAnswer(|_, mut answer, _, _| {
            answer.headers_mut().remove("x-accel-buffering");
            answer
        }),
    )
    .only(ONLY),
    carried(
        "http.sse.response-arrives-modern",
        "",
        "streams end without the response",
        HttpAnswer(|_, answer, asked, message| {
            if !is_modern(asked, message) {
                return answer;
            }
            edit_stream(answer, |events, at| {
                events.remove(at);
            })
        }),
    ),
    carried(
        "http.sse.response-arrives-modern",
        "late",
        "after the response comes a message more",
        HttpAnswer(|_, answer, asked, message| {
            if !is_modern(asked, message) {
                return answer;
            }
            edit_stream(answer, |events, at| {
                let note = json!({"jsonrpc": "2.0", "method": "notifications/message",
            "params": {"level": "info", "data": "It is over."}});
                events.insert(at + 1, Action::Send(note.to_string()));
            })
        }),
    ),
];

/// The refusal by a server without older revisions of a client that has no other.
fn without_older(message: &Posted) -> Option<Answer> {
    let error = || RpcError::unsupported_version("2025-11-25", &["2026-07-28"]);
    opens(message).then(|| refusal(StatusCode::BAD_REQUEST, message.id(), &error()))
}

/// Refuses headers in capitals or with blanks around their values.
fn refuse_loud(asked: &Asked, message: &Posted) -> Option<Answer> {
    let error = || RpcError::header_mismatch("a header is not what the body says");
    let refused = asked.loud && message.method().is_some();
    refused.then(|| refusal(StatusCode::BAD_REQUEST, message.id(), &error()))
}
