//! Faults of the area prompts.

use super::Edit::{Drop, Remove, Set};
use super::On::{Entry, Notification, Of, Result};
use super::{Fault, rewrite, switch};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};

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
    switch(
        "prompts.capability.undeclared-method-not-found",
        "",
        "prompts are neither declared nor served, but with -32602",
    ),
    switch("prompts.capability.list-answered", "", "prompts/list is answered with an error"),
    rewrite("prompts.capability.list-answered", "silent", "prompts/list is not answered", &[(Result(LIST), Drop)]),
    rewrite("prompts.list.result-array", "", "prompts is an object", &[(Result(LIST), Set("/result/prompts", "{}"))]),
    rewrite(
        "prompts.list.result-array",
        "missing",
        "there is no prompts",
        &[(Result(LIST), Remove("/result/prompts"))],
    ),
    switch("prompts.list.accepts-missing-params", "", "prompts/list without params is refused"),
    switch("prompts.list.not-per-connection", "", "every connection has a prompt of its own").over(&[Stdio]),
    switch("prompts.list.not-side-effect", "", "after a read this connection has a prompt less").over(&[Stdio]),
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
    switch("prompts.get.listed-gettable", "", "a listed prompt is unknown"),
    switch("prompts.get.internal-error-code", "", "a prompt fails with -32000"),
    switch("prompts.get.arguments-optional", "", "a request without arguments is refused"),
    switch("prompts.get.unknown-name", "", "an unknown prompt gives -32603"),
    switch("prompts.get.unknown-name", "given", "an unknown prompt is given"),
    switch("prompts.get.missing-required-argument", "", "a missing argument gives -32603"),
    switch("prompts.get.missing-required-argument", "given", "a prompt is given without a required argument"),
    switch("prompts.get.missing-name", "", "a request without name gives -32603"),
    switch("prompts.get.name-not-string", "", "a name that is no string gives -32603"),
    switch("prompts.get.argument-not-string", "", "an argument that is no string gives -32603"),
    switch("prompts.get.argument-not-string", "given", "an argument of any type is taken"),
    switch("prompts.get.arguments-not-object", "", "arguments of another type give -32603"),
    switch("prompts.get.validates-arguments", "", "arguments are not looked at"),
    switch("prompts.get.validates-arguments", "long", "a long argument is not answered"),
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
