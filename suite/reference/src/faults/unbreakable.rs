//! Requirements that no fault can break on the wire, with the reason.

/// Requirements of the areas with faults that have none, and why.
pub fn unbreakable() -> &'static [(&'static str, &'static str)] {
    TABLE
}

static TABLE: &[(&str, &str)] = &[
    ("tools.input-schema.prefers-2020-12", "other dialects are allowed: they are noted, never a finding"),
    ("jsonrpc.schema.dialect-recommended", "other dialects are allowed: they are noted, never a finding"),
    (
        "jsonrpc.meta.subscription-id-only-on-listen",
        "it shows in progress and log messages of 2026-07-28, which no scenario asks for yet",
    ),
];
