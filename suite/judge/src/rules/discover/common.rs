//! Helpers shared by the rules of this area.

use serde_json::Value;
use verdict::Revision;
use wire::mcp::code;
use wire::mcp::meta;

use crate::{Case, View};

/// The version that the server does not implement, and the capability that the client did not declare.
pub(super) const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION;
pub(super) const MISSING_CAPABILITY: i64 = code::MISSING_CLIENT_CAPABILITY;

/// The version that the request names.
pub(super) fn version<'v>(case: &Case<'v>) -> Option<&'v str> {
    case.param("_meta")?.get(meta::PROTOCOL_VERSION)?.as_str()
}

/// The capabilities that the request declares.
pub(super) fn declared_capabilities<'v>(case: &Case<'v>) -> Option<&'v Value> {
    case.param("_meta")?.get(meta::CLIENT_CAPABILITIES)
}

/// Requests of server/discover without a probe: what opens sessions and asks for signs of life.
pub(super) fn ordinary<'v>(view: &'v View<'v>) -> impl Iterator<Item = Case<'v>> {
    let named = |case: &Case<'_>| version(case) == Some(case.view.revision.as_str());
    view.calls("server/discover").filter(move |case| case.intent().is_none() && named(case))
}

/// The versions that the server says it supports.
pub(super) fn supported<'v>(view: &'v View<'v>) -> Option<Vec<&'v str>> {
    ordinary(view).find_map(|case| strings(case.result()?.get("supportedVersions")?))
}

/// An array of strings.
pub(super) fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// A version that is opened by a handshake.
pub(super) fn is_legacy(version: &str) -> bool {
    version.parse::<Revision>().is_ok_and(|revision| revision.is_handshake())
}

/// A member of the data of the error.
pub(super) fn data<'v>(case: &Case<'v>, name: &str) -> Option<&'v Value> {
    case.error()?.get("data")?.get(name)
}
