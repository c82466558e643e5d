//! Requirements that no fault can break on the wire, with the reason.

/// Requirements of the areas with faults that have none, and why.
pub fn unbreakable() -> &'static [(&'static str, &'static str)] {
    TABLE
}

static TABLE: &[(&str, &str)] = &[
    (
        "stdio.process.works-over-pipes",
        "a server that does not answer over pipes cannot be judged: an exit code says so",
    ),
    ("tools.input-schema.prefers-2020-12", "other dialects are allowed: they are noted, never a finding"),
    ("jsonrpc.schema.dialect-recommended", "other dialects are allowed: they are noted, never a finding"),
    ("sse.deprecated.not-newly-adopted", "a note for the author, never a finding: the transport is still allowed"),
    ("auth.token.stored-securely", "the log of a server behind a URL is not seen"),
    (
        "security.auth.connections-authenticated",
        "it is about servers on other machines, and this one listens on this machine",
    ),
    ("logging.deprecated", "it is noted, never a finding: the feature works"),
    ("elicitation.request.no-secrets", "words only hint at what is asked for: they are noted, never a finding"),
    ("mrtr.elicitation-no-secrets-in-form", "words only hint at what is asked for: they are noted, never a finding"),
    ("elicitation.request.url-https", "development is exempt, and the wire does not show what is: it is noted"),
    ("mrtr.deprecated-features", "it is noted, never a finding: the features work"),
    ("mrtr.retry-on-new-connection", "over HTTP every request may be a new connection, on stdio it is noted"),
    (
        "logging.per-request.same-stream",
        "it shows only while another request is under way, and no scenario holds one open for long enough to be sure",
    ),
    ("tasks.list.pagination", "how many tasks are too many for one page is not said: it is noted, never a finding"),
    ("tasks.resources.limits", "which limits a server has is its own affair: it is noted, never a finding"),
    ("tasks.resources.cleanup", "what has expired may be kept: it is noted, never a finding"),
    ("practice.errors.in-result", "judged as tools.error.execution-in-result"),
    ("practice.input.schema-enforced", "judged as tools.call.invalid-arguments-rejected"),
    ("practice.stdio.exits-on-disconnect", "judged as stdio.shutdown.exits-on-eof"),
    ("practice.transport.malformed-survived", "judged as jsonrpc.parse-error.survives"),
    ("practice.transport.dns-rebinding", "judged as security.origin.foreign-rejected"),
    ("practice.transport.tls", "judged as security.tls.remote"),
    ("practice.auth.token-required", "judged as auth.challenge.401-without-token"),
    ("practice.auth.audience-checked", "judged as auth.token.wrong-audience"),
    ("practice.load.concurrent", "judged as jsonrpc.response.pipelined-all-answered"),
    ("tools.execution.required-plain-call", "judged as tasks.tool-support.required-without-task"),
    ("tools.execution.forbidden-task-call", "judged as tasks.tool-support.forbidden-with-task"),
    ("tools.execution.optional-both-ways", "judged as tasks.tool-support.optional-both"),
    ("tools.execution.undeclared-task-ignored", "judged as tasks.undeclared-ignored"),
];
