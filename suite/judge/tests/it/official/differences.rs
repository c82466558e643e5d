//! Where the tables differ from the published schemas on purpose, each with the reason.

use mcp_conform_judge::shapes::{Fault, Mismatch};
use verdict::Revision;

/// What a check of ours expects, and why the schema accepts the opposite.
const CHECKS: &[(&str, &str)] = &[
    (
        "a string in standard Base64 (RFC 4648 section 4, with padding)",
        "a format is an annotation to the schema's validators: byte",
    ),
    ("a URI with a scheme (RFC 3986)", "a format is an annotation to the schema's validators: uri"),
    ("a MIME type (type/subtype)", "the page demands a valid MIME type"),
    ("an ISO 8601 timestamp", "the page demands ISO 8601"),
    ("an https URL or a data: URI", "a recommendation"),
    ("entries of the form WIDTHxHEIGHT or the word any", "a recommendation"),
    (
        "a schema (an object) for every property",
        "from 2026-07-28 on the type leaves properties open, JSON Schema does not",
    ),
    ("inputRequests or requestState", "the page demands one of them"),
    ("no members other than _meta", "a ping has no params of its own"),
    ("at least one entry", "an empty list names nothing"),
    ("names with a prefix: labels joined by dots, a slash, a name", "the page demands it of extensions"),
];

/// Requirements of the prose that go beyond the type.
const PROSE: &[(&str, Fault, &str)] = &[
    (
        "prompts.get.embedded-resource-mime-type",
        Fault::Missing,
        "the page demands the MIME type that the schema leaves optional",
    ),
    (
        "tools.input-schema.properties-object",
        Fault::Type,
        "from 2026-07-28 on the type leaves properties open, JSON Schema does not",
    ),
    (
        "tools.input-schema.required-strings",
        Fault::Type,
        "from 2026-07-28 on the type leaves required open, JSON Schema does not",
    ),
    ("mrtr.sampling-params", Fault::Type, "the same of tools offered to a sampling client"),
    ("tools.call.result-type", Fault::Value, "the type of resultType is open, the page names the values"),
    ("prompts.get.result-type", Fault::Value, "the type of resultType is open, the page names the values"),
    ("resources.read.result-type", Fault::Value, "the type of resultType is open, the page names the values"),
    ("discover.result.result-type", Fault::Value, "the type of resultType is open, the page names the values"),
    ("subscriptions.graceful-result-shape", Fault::Value, "the type of resultType is open, the page names the values"),
    ("tools.call.content-array", Fault::Missing, "resultType decides which kind of result it is"),
    ("prompts.get.messages-array", Fault::Missing, "resultType decides which kind of result it is"),
    ("discover.missing-capability.data", Fault::Type, "capabilities that the schema does not know are objects as well"),
];

/// Definition, beginning and end of the place that was changed, why the schema refuses what we accept.
const MILDER: &[(&str, &str, &str, &str)] = &[
    ("", "/params/maxTokens", "", "TypeScript says number: a fraction is only noted"),
    ("", "/inputRequests/c/params/maxTokens", "", "TypeScript says number: a fraction is only noted"),
    ("", "/", "/size", "TypeScript says number: a fraction is only noted"),
    (
        "JSONRPCError",
        "/id",
        "",
        "the id is null or absent where it could not be read; which one is right is another rule's",
    ),
    ("JSONRPCResultResponse", "/result", "", "a result is held to the type of its method"),
    ("", "/tools/", "/properties/a", "2020-12 has boolean schemas: only noted in 2025-11-25"),
    ("", "/params/tools/", "/properties/a", "2020-12 has boolean schemas: only noted in 2025-11-25"),
    (
        "DiscoverResult",
        "/capabilities/",
        "",
        "JSONValue of the schema lacks null and fractions by a fault of its generator",
    ),
    (
        "InputRequiredResult",
        "/inputRequests/c/params/metadata",
        "",
        "JSONValue of the schema lacks null and fractions by a fault of its generator",
    ),
    (
        "MissingRequiredClientCapabilityError",
        "/error/data/requiredCapabilities/",
        "",
        "JSONValue of the schema lacks null and fractions by a fault of its generator",
    ),
];

/// Why we refuse what the schema accepts.
pub(crate) fn stricter(mismatch: &Mismatch) -> Option<&'static str> {
    if mismatch.fault == Fault::Form {
        return CHECKS.iter().find(|(expected, _)| *expected == mismatch.expected).map(|(_, reason)| *reason);
    }
    let told = |(id, fault, _): &&(&str, Fault, &str)| *id == mismatch.id && *fault == mismatch.fault;
    PROSE.iter().find(told).map(|(_, _, reason)| *reason)
}

/// Why the schema refuses what we accept.
pub(crate) fn milder(definition: &str, at: &str, revision: Revision) -> Option<&'static str> {
    let told = |(of, from, to, reason): &&(&str, &str, &str, &str)| {
        let in_time = !reason.contains("2025-11-25") || revision == Revision::V2025_11_25;
        definition.starts_with(of) && at.starts_with(from) && at.ends_with(to) && in_time
    };
    MILDER.iter().find(told).map(|(_, _, _, reason)| *reason)
}

/// Every reason, to find those that have become stale.
pub(crate) fn reasons() -> impl Iterator<Item = &'static str> {
    let checks = CHECKS.iter().map(|(_, reason)| *reason);
    checks.chain(PROSE.iter().map(|(_, _, reason)| *reason)).chain(MILDER.iter().map(|(_, _, _, reason)| *reason))
}
