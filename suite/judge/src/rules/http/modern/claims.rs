//! The requirements that requests with one varied header test.

/// A requirement and what is varied, as the object of a sentence.
pub(super) struct Claim {
    pub(super) id: &'static str,
    pub(super) what: &'static str,
}

const fn claim(id: &'static str, what: &'static str) -> Claim {
    Claim { id, what }
}

pub(super) static CLAIMS: &[Claim] = &[
    claim("http.version-header.required", "a request without MCP-Protocol-Version"),
    claim(
        "http.version-header.mismatch",
        "a request whose _meta has a version other than the one in MCP-Protocol-Version",
    ),
    claim(
        "http.version-header.mismatch-legacy-header",
        "a request of 2026-07-28 whose MCP-Protocol-Version is an older version",
    ),
    claim("http.headers.method-missing", "a request without Mcp-Method"),
    claim("http.headers.method-mismatch", "a request whose Mcp-Method differs from the method in its body"),
    claim("http.headers.method-case-sensitive", "a request whose Mcp-Method is its method in a different letter case"),
    claim("http.headers.name-missing-tool", "a tools/call without Mcp-Name"),
    claim("http.headers.name-mismatch-tool", "a tools/call whose Mcp-Name is not the called tool"),
    claim("http.headers.name-missing-resource", "a resources/read without Mcp-Name"),
    claim("http.headers.name-mismatch-resource", "a resources/read whose Mcp-Name is not the requested resource"),
    claim("http.headers.name-missing-prompt", "a prompts/get without Mcp-Name"),
    claim("http.headers.name-mismatch-prompt", "a prompts/get whose Mcp-Name is not the requested prompt"),
    claim("http.headers.name-only-where-required", "a request without Mcp-Name whose method needs none"),
    claim("http.headers.name-base64-accepted", "a tools/call whose Mcp-Name is encoded in Base64"),
    claim("http.headers.name-base64-mismatch", "a tools/call whose Mcp-Name is a different name encoded in Base64"),
    claim("http.headers.name-base64-invalid", "a tools/call whose Mcp-Name claims to be Base64 but is not"),
    claim("http.headers.name-marker-case", "a tools/call whose Mcp-Name is encoded in Base64 with uppercase markers"),
    claim("http.headers.whitespace-trimmed", "a request with whitespace around the value of Mcp-Method"),
    claim("http.headers.invalid-characters", "a request with a header that contains characters not allowed in headers"),
    claim("http.headers.duplicates", "a request with two different Mcp-Method headers"),
    claim("http.param.match-accepted", "a call whose Mcp-Param headers match the arguments"),
    claim("http.param.mismatch-rejected", "a call whose Mcp-Param header does not match the argument"),
    claim("http.param.missing-rejected", "a call without the Mcp-Param header for an argument that it has"),
    claim("http.param.null-needs-no-header", "a call without an Mcp-Param header for an argument that is null"),
    claim("http.param.absent-needs-no-header", "a call without an Mcp-Param header for an argument that is absent"),
    claim("http.param.header-without-argument", "a call with an Mcp-Param header for an argument that is absent"),
    claim("http.param.base64-decoded", "a call whose Mcp-Param header is the argument encoded in Base64"),
    claim("http.param.base64-invalid", "a call whose Mcp-Param header claims to be Base64 but is not"),
    claim(
        "http.param.half-marked-is-literal",
        "a call whose Mcp-Param header and argument only partly look like Base64",
    ),
    claim("http.param.invalid-characters", "a call whose Mcp-Param header contains characters not allowed in headers"),
    claim("http.param.integer-numeric", "a call whose Mcp-Param header is the same number in a different notation"),
    claim(
        "http.param.boolean-lower-case",
        "a call whose Mcp-Param header is a capitalized boolean, such as True for true",
    ),
    claim("http.param.nested-path", "a call whose Mcp-Param header does not match the nested argument"),
    claim("http.param.name-case-insensitive", "a call whose Mcp-Param header name is uppercase"),
    claim("http.param.unknown-ignored", "a call with an Mcp-Param header that no parameter declares"),
    claim("http.session.header-ignored", "a request with an Mcp-Session-Id"),
    claim("http.resume.last-event-id-ignored", "a request with a Last-Event-ID"),
];
