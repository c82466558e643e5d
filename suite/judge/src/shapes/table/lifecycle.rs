//! Declarations of a server about itself: initialize and server/discover.

use verdict::Revision::{V2025_03_26, V2025_11_25, V2026_07_28};

use super::checks::EXTENSION_NAMES;
use super::common::{IMPLEMENTATION, RESULT, SCOPE};
use crate::shapes::row::{Object, Shape, object, opt, req};

pub(in crate::shapes) static INITIALIZE: Object = Object {
    rows: &[
        req("protocolVersion", Shape::String, &["lifecycle.initialize.protocol-version"]),
        req("capabilities", Shape::Struct(&CAPABILITIES), &["lifecycle.initialize.capabilities"]),
        req("serverInfo", Shape::Struct(&IMPLEMENTATION), &["lifecycle.initialize.server-info"]),
        opt("instructions", Shape::String, &["lifecycle.instructions.type"]),
    ],
    with: &[&RESULT],
};

pub(in crate::shapes) static DISCOVER: Object = Object {
    rows: &[
        req("supportedVersions", Shape::Array(&Shape::String), &["discover.result.supported-versions"]),
        req("capabilities", Shape::Struct(&CAPABILITIES), &["discover.result.capabilities"]),
        opt("instructions", Shape::String, &["discover.result.instructions"]),
        req("resultType", Shape::Const("complete"), &["discover.result.result-type"]),
        req("ttlMs", Shape::Any, &["caching.hints.server-discover"]),
        req("ttlMs", Shape::Any, &["discover.result.ttl-ms"]).mute(),
        req("cacheScope", Shape::Any, &["caching.hints.server-discover"]),
        req("cacheScope", Shape::Any, &["discover.result.cache-scope"]).mute(),
    ],
    with: &[&RESULT, &DISCOVER_CACHE],
};
static DISCOVER_CACHE: Object = object(&[
    opt("ttlMs", Shape::Integer, &["discover.result.ttl-ms", "caching.ttl-integer"]),
    opt("ttlMs", Shape::Is(&super::checks::NOT_NEGATIVE), &["discover.result.ttl-ms", "caching.ttl-non-negative"]),
    opt("cacheScope", SCOPE, &["discover.result.cache-scope", "caching.scope-enum"]),
]);

static OBJECTS: Shape = Shape::Map(&Shape::Object);
static CAPABILITIES: Object = object(&[
    opt(
        "tools",
        Shape::Struct(&TOOLS),
        &["tools.capability.is-object", "lifecycle.capabilities.objects", "discover.result.capability-types"],
    ),
    opt(
        "resources",
        Shape::Struct(&RESOURCES),
        &["resources.capability.is-object", "lifecycle.capabilities.objects", "discover.result.capability-types"],
    ),
    opt(
        "prompts",
        Shape::Struct(&PROMPTS),
        &["prompts.capability.is-object", "lifecycle.capabilities.objects", "discover.result.capability-types"],
    ),
    opt("logging", Shape::Object, &["lifecycle.capabilities.objects", "discover.result.capability-types"]),
    opt("completions", Shape::Object, &["lifecycle.capabilities.objects", "discover.result.capability-types"])
        .from(V2025_03_26),
    opt("tasks", Shape::Struct(&TASKS), &["lifecycle.capabilities.objects", "tasks.capability.shape"])
        .only(V2025_11_25),
    opt("experimental", OBJECTS, &["lifecycle.capabilities.experimental", "discover.result.capability-types"]),
    opt("extensions", OBJECTS, &["discover.result.capability-types"]).from(V2026_07_28),
    opt("extensions", Shape::Is(&EXTENSION_NAMES), &["discover.result.extension-identifiers"]).from(V2026_07_28),
]);
static TOOLS: Object = object(&[opt(
    "listChanged",
    Shape::Boolean,
    &[
        "tools.capability.list-changed-boolean",
        "lifecycle.capabilities.list-changed-boolean",
        "discover.result.capability-types",
    ],
)]);
static PROMPTS: Object = object(&[opt(
    "listChanged",
    Shape::Boolean,
    &[
        "prompts.capability.list-changed-boolean",
        "lifecycle.capabilities.list-changed-boolean",
        "discover.result.capability-types",
    ],
)]);
static RESOURCES: Object = object(&[
    opt(
        "listChanged",
        Shape::Boolean,
        &[
            "resources.capability.list-changed-boolean",
            "lifecycle.capabilities.list-changed-boolean",
            "discover.result.capability-types",
        ],
    ),
    opt(
        "subscribe",
        Shape::Boolean,
        &[
            "resources.capability.subscribe-boolean",
            "lifecycle.capabilities.subscribe-boolean",
            "discover.result.capability-types",
        ],
    ),
]);
static TASKS: Object = object(&[
    opt("list", Shape::Object, &["tasks.capability.shape"]),
    opt("cancel", Shape::Object, &["tasks.capability.shape"]),
    opt("requests", Shape::Struct(&TASK_REQUESTS), &["tasks.capability.shape"]),
]);
static TASK_REQUESTS: Object = object(&[opt("tools", Shape::Struct(&TASK_TOOLS), &["tasks.capability.shape"])]);
static TASK_TOOLS: Object = object(&[opt("call", Shape::Object, &["tasks.capability.shape"])]);
