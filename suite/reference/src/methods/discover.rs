//! server/discover, 2026-07-28.

use serde_json::json;

use super::initialize::{capabilities, instructions};
use crate::Revision;
use crate::core::{Reply, Server};

pub(super) fn discover(server: &Server) -> Reply {
    Reply::Result(json!({
        "supportedVersions": server.modern_versions(),
        "capabilities": capabilities(server, Revision::V2026_07_28),
        "instructions": instructions(),
    }))
}
