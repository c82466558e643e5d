//! logging/setLevel and log messages.

use serde_json::json;
use wire::mcp::code;

use crate::core::{Call, Connection, LEVELS, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;

pub(super) fn set_level(connection: &mut Connection, call: &Call) -> Reply {
    let server = connection.server.clone();
    let level = match super::text(&call.params, "level") {
        Ok(level) => level,
        Err(_) if server.deviates(Deviation::MissingLevelAccepted) => return Reply::Result(json!({})),
        Err(_) if server.deviates(Deviation::MissingLevelIsInternalError) => return not_set(),
        Err(error) => return error.into(),
    };
    let Some(index) = LEVELS.iter().position(|known| *known == level) else {
        return match () {
            () if server.deviates(Deviation::InvalidLevelAccepted) => Reply::Result(json!({})),
            () if server.deviates(Deviation::InvalidLevelIsInternalError) => not_set(),
            () => RpcError::invalid_params("level must be one of the eight log levels").into(),
        };
    };
    if server.deviates(Deviation::NoticeLevelRefused) && level == "notice" {
        return RpcError::invalid_params("this level is not supported").into();
    }
    change(connection, index)
}

fn change(connection: &mut Connection, index: usize) -> Reply {
    let server = connection.server.clone();
    let Some(session) = &mut connection.session else { return Reply::Result(json!({})) };
    let back = session.log_level + 1 == LEVELS.len() && index < session.log_level;
    session.level_changes += 1;
    if back && server.deviates(Deviation::EmergencyLevelIsFinal) {
        return RpcError::new(code::INTERNAL_ERROR, "the level has been set").into();
    }
    if !(back && server.deviates(Deviation::EmergencyLevelSticks)) {
        session.log_level = index;
    }
    if server.deviates(Deviation::LogLevelIsShared) {
        server.state().shared_level = Some(index);
    }
    Reply::Result(json!({}))
}

fn not_set() -> Reply {
    RpcError::new(code::INTERNAL_ERROR, "the level could not be set").into()
}
