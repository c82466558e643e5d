//! Faults of the area prompts.

use serde_json::{Map, Value, json};
use wire::mcp::code;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Error, Request, Switch};
use super::On::{Entry, Notification, Of, Result};
use super::replies::{error, invalid, recode, unavailable, undeclare};
use super::resources::note_read;
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};
use crate::core::{Call, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;

const LIST: &str = "prompts/list";
const GET: &str = "prompts/get";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "prompts.capability.declared",
        "",
        "prompts are served but not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/prompts")),
            (Result("server/discover"), Remove("/result/capabilities/prompts")),
        ],
    ),
    rewrite(
        "prompts.capability.is-object",
        "",
        "the capability is true",
        &[
            (Result("initialize"), Set("/result/capabilities/prompts", "true")),
            (Result("server/discover"), Set("/result/capabilities/prompts", "true")),
        ],
    ),
    rewrite(
        "prompts.capability.list-changed-boolean",
        "",
        "listChanged is a string",
        &[
            (Result("initialize"), Set("/result/capabilities/prompts/listChanged", "\"true\"")),
            (Result("server/discover"), Set("/result/capabilities/prompts/listChanged", "\"true\"")),
        ],
    ),
    fault(
        "prompts.capability.undeclared-method-not-found",
        "",
        "prompts are neither declared nor served, but with -32602",
        Request(|_, call| call.method.starts_with("prompts/").then(unavailable)),
    )
    .and(Hook::Result(|_, call, result| undeclare(call, result, "prompts"))),
    fault(
        "prompts.capability.list-answered",
        "",
        "prompts/list is answered with an error",
        Request(|_, call| (call.method == LIST).then(|| error(code::INTERNAL_ERROR, "The list could not be made"))),
    ),
    rewrite("prompts.capability.list-answered", "silent", "prompts/list is not answered", &[(Result(LIST), Drop)]).and(
        Request(|_, call| (call.method == LIST).then(|| error(code::INTERNAL_ERROR, "The list could not be made"))),
    ),
    rewrite("prompts.list.result-array", "", "prompts is an object", &[(Result(LIST), Set("/result/prompts", "{}"))]),
    rewrite(
        "prompts.list.result-array",
        "missing",
        "there is no prompts",
        &[(Result(LIST), Remove("/result/prompts"))],
    ),
    fault(
        "prompts.list.accepts-missing-params",
        "",
        "prompts/list without params is refused",
        Request(|_, call| (call.method == LIST && call.params.is_null()).then(|| invalid("params is missing"))),
    ),
    fault(
        "prompts.list.not-per-connection",
        "",
        "every connection has a prompt of its own",
        Switch(&[Deviation::OwnPromptPerServer]),
    )
    .over(&[Stdio]),
    fault(
        "prompts.list.not-side-effect",
        "",
        "after a read this connection has a prompt less",
        Switch(&[Deviation::ReadsHidePrompt]),
    )
    .and(Request(note_read))
    .over(&[Stdio]),
    rewrite("prompts.definition.name-string", "", "a name is a number", &[(Entry(LIST, "wish"), Set("/name", "42"))]),
    rewrite(
        "prompts.definition.name-string",
        "missing",
        "a name is missing",
        &[(Entry(LIST, "wish"), Remove("/name"))],
    ),
    rewrite(
        "prompts.definition.name-unique",
        "",
        "two prompts have one name",
        &[(Entry(LIST, "picture"), Set("/name", "\"postcard\""))],
    ),
    rewrite(
        "prompts.definition.title-string",
        "",
        "a title is null",
        &[(Entry(LIST, "greeting"), Set("/title", "null"))],
    ),
    rewrite(
        "prompts.definition.description-string",
        "",
        "a description is null",
        &[(Entry(LIST, "greeting"), Set("/description", "null"))],
    ),
    rewrite(
        "prompts.definition.icons-valid",
        "",
        "an icon has no src",
        &[(Entry(LIST, "greeting"), Set("/icons", "[{}]"))],
    ),
    rewrite(
        "prompts.definition.meta-object",
        "",
        "_meta of a prompt is an array",
        &[(Entry(LIST, "greeting"), Set("/_meta", "[]"))],
    ),
    rewrite(
        "prompts.definition.arguments-array",
        "",
        "arguments is a JSON Schema",
        &[(Entry(LIST, "postcard"), Set("/arguments", "{\"type\": \"object\"}"))],
    ),
    rewrite(
        "prompts.definition.argument-name",
        "",
        "an argument has no name",
        &[(Entry(LIST, "postcard"), Remove("/arguments/1/name"))],
    ),
    rewrite(
        "prompts.definition.argument-field-types",
        "",
        "required is a string",
        &[(Entry(LIST, "postcard"), Set("/arguments/1/required", "\"no\""))],
    ),
    rewrite(
        "prompts.definition.argument-names-unique",
        "",
        "two arguments have one name",
        &[(Entry(LIST, "postcard"), Set("/arguments/1/name", "\"city\""))],
    ),
    rewrite("prompts.get.messages-array", "", "messages is an object", &[(Result(GET), Set("/result/messages", "{}"))]),
    rewrite(
        "prompts.get.messages-array",
        "missing",
        "there is no messages",
        &[(Result(GET), Remove("/result/messages"))],
    ),
    rewrite(
        "prompts.get.description-string",
        "",
        "description is null",
        &[(Result(GET), Set("/result/description", "null"))],
    ),
    rewrite(
        "prompts.get.message-role",
        "",
        "a message is the system's",
        &[(Of(GET, "greeting"), Set("/result/messages/0/role", "\"system\""))],
    ),
    rewrite(
        "prompts.get.message-content-object",
        "",
        "content is an array",
        &[(Of(GET, "greeting"), Set("/result/messages/0/content", "[{\"type\": \"text\", \"text\": \"Hello!\"}]"))],
    ),
    rewrite(
        "prompts.get.message-content-object",
        "string",
        "content is a string",
        &[(Of(GET, "greeting"), Set("/result/messages/0/content", "\"Hello!\""))],
    ),
    rewrite(
        "prompts.get.content-known-type",
        "",
        "content is a video",
        &[(Of(GET, "greeting"), Set("/result/messages/0/content/type", "\"video\""))],
    ),
    rewrite(
        "prompts.get.text-string",
        "",
        "a text is a number",
        &[(Of(GET, "greeting"), Set("/result/messages/0/content/text", "5"))],
    ),
    rewrite(
        "prompts.get.image-encoded",
        "",
        "an image is in the URL-safe alphabet",
        &[(Of(GET, "picture"), Set("/result/messages/0/content/data", "\"_-8=\""))],
    ),
    rewrite(
        "prompts.get.image-encoded",
        "type",
        "an image has no MIME type",
        &[(Of(GET, "picture"), Remove("/result/messages/0/content/mimeType"))],
    ),
    rewrite(
        "prompts.get.audio-encoded",
        "",
        "a sound is not Base64",
        &[(Of(GET, "sound"), Set("/result/messages/0/content/data", "\"*\""))],
    ),
    rewrite(
        "prompts.get.embedded-resource-uri",
        "",
        "the uri of an embedded resource is a word",
        &[(Of(GET, "summary"), Set("/result/messages/0/content/resource/uri", "\"readme\""))],
    ),
    rewrite(
        "prompts.get.embedded-resource-mime-type",
        "",
        "an embedded resource has no MIME type",
        &[(Of(GET, "summary"), Remove("/result/messages/0/content/resource/mimeType"))],
    ),
    rewrite(
        "prompts.get.embedded-resource-body",
        "",
        "an embedded resource has neither text nor blob",
        &[(Of(GET, "summary"), Remove("/result/messages/0/content/resource/text"))],
    ),
    rewrite(
        "prompts.get.resource-link-valid",
        "",
        "a link has no name",
        &[(Of(GET, "pointer"), Remove("/result/messages/0/content/name"))],
    ),
    rewrite(
        "prompts.get.annotations-valid",
        "",
        "a priority is 2",
        &[(Of(GET, "greeting"), Set("/result/messages/0/content/annotations", "{\"priority\": 2}"))],
    ),
    rewrite(
        "prompts.get.result-type",
        "",
        "a prompt has no resultType",
        &[(Result(GET), Remove("/result/resultType"))],
    ),
    fault(
        "prompts.get.listed-gettable",
        "",
        "a listed prompt is unknown",
        Request(|_, call| (name(call) == Some("greeting")).then(|| invalid("unknown prompt greeting"))),
    ),
    fault(
        "prompts.get.internal-error-code",
        "",
        "a prompt fails with -32000",
        Request(|_, call| (name(call) == Some("greeting")).then(|| error(code::SERVER_ERROR, "The disk is gone"))),
    ),
    fault(
        "prompts.get.arguments-optional",
        "",
        "a request without arguments is refused",
        Request(|_, call| {
            (call.method == GET && call.params["arguments"].is_null()).then(|| invalid("arguments is missing"))
        }),
    ),
    fault(
        "prompts.get.unknown-name",
        "",
        "an unknown prompt gives -32603",
        Error(|call, error| spoil(call, error, |why| why.starts_with("unknown prompt"))),
    ),
    fault(
        "prompts.get.unknown-name",
        "given",
        "an unknown prompt is given",
        Error(|call, error| {
            let is_unknown = call.method == GET && error.message.starts_with("Invalid params: unknown prompt");
            is_unknown.then(|| Reply::Result(json!({"messages": []})))
        }),
    ),
    fault(
        "prompts.get.missing-required-argument",
        "",
        "a missing argument gives -32603",
        Error(|call, error| spoil(call, error, |why| why.ends_with("is required"))),
    ),
    fault(
        "prompts.get.missing-required-argument",
        "given",
        "a prompt is given without a required argument",
        Request(|_, call| complete(call, false)),
    ),
    fault(
        "prompts.get.missing-name",
        "",
        "a request without name gives -32603",
        Error(|call, error| spoil(call, error, |why| why == "name is missing")),
    ),
    fault(
        "prompts.get.name-not-string",
        "",
        "a name that is no string gives -32603",
        Error(|call, error| spoil(call, error, |why| why == "name must be a string")),
    ),
    fault(
        "prompts.get.argument-not-string",
        "",
        "an argument that is no string gives -32603",
        Error(|call, error| {
            spoil(call, error, |why| why.starts_with("the argument") && why.ends_with("must be a string"))
        }),
    ),
    fault(
        "prompts.get.argument-not-string",
        "given",
        "an argument of any type is taken",
        Request(|_, call| {
            if call.method == GET
                && let Some(members) = call.params["arguments"].as_object_mut()
            {
                replace_non_strings(members);
            }
            None
        }),
    ),
    fault(
        "prompts.get.arguments-not-object",
        "",
        "arguments of another type give -32603",
        Error(|call, error| spoil(call, error, |why| why == "arguments must be an object")),
    ),
    fault(
        "prompts.get.validates-arguments",
        "",
        "arguments are not looked at",
        Request(|_, call| complete(call, true)),
    ),
    fault(
        "prompts.get.validates-arguments",
        "long",
        "a long argument is not answered",
        Request(|_, call| {
            (call.method == GET && call.params["arguments"].to_string().len() > 10_000).then_some(Reply::Later)
        }),
    ),
    rewrite(
        "prompts.list-changed.sent",
        "",
        "a change of the prompts is not announced",
        &[(Notification("notifications/prompts/list_changed"), Drop)],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "prompts.list-changed.sent",
        "subscribed",
        "a change of the prompts is not announced to subscribers",
        &[(Notification("notifications/prompts/list_changed"), Drop)],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
    rewrite(
        "prompts.list-changed.shape",
        "",
        "a list change has an id",
        &[(Notification("notifications/prompts/list_changed"), Set("/id", "1"))],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "prompts.list-changed.shape",
        "subscribed",
        "a list change for subscribers has an id",
        &[(Notification("notifications/prompts/list_changed"), Set("/id", "1"))],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
    rewrite(
        "prompts.list-changed.only-if-declared",
        "",
        "list changes are sent but not declared",
        &[(Result("initialize"), Set("/result/capabilities/prompts/listChanged", "false"))],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "prompts.list-changed.only-if-declared",
        "subscribed",
        "list changes are sent to subscribers but not declared",
        &[(Result("server/discover"), Set("/result/capabilities/prompts/listChanged", "false"))],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
];

/// The prompt that a request is for.
fn name(call: &Call) -> Option<&str> {
    call.params["name"].as_str().filter(|_| call.method == GET)
}

/// Makes an internal error of one for invalid params.
fn spoil(call: &Call, error: &mut RpcError, applies: fn(&str) -> bool) -> Option<Reply> {
    let why = error.message.strip_prefix("Invalid params: ").unwrap_or_default();
    recode(call.method == GET && applies(why), error, code::INTERNAL_ERROR)
}

/// Puts something in place of the arguments that are missing, and if `all` of those that are wrong.
fn complete(call: &mut Call, all: bool) -> Option<Reply> {
    if call.method != GET {
        return None;
    }
    let postcard = name(call) == Some("postcard");
    let given = &mut call.params["arguments"];
    if given.is_null() || (all && !given.is_object()) {
        *given = json!({});
    }
    let members = given.as_object_mut()?;
    if all {
        replace_non_strings(members);
    }
    if postcard {
        members.entry("city").or_insert_with(|| json!(""));
    }
    None
}

fn replace_non_strings(members: &mut Map<String, Value>) {
    members.values_mut().filter(|value| !value.is_string()).for_each(|value| *value = json!("x"));
}
