//! resources/list, resources/templates/list and resources/read.

use serde_json::{Value, json};
use wire::mcp::code;

use super::samples;
use crate::Revision;
use crate::core::{Call, Reply, Server, page};
use crate::error::{RpcError, shorten};

pub(super) fn list(server: &Server, call: &Call) -> Reply {
    list_reply(page(server, call, "resources", samples::resources(server, call.revision, call.caller.as_deref())))
}

pub(super) fn templates(server: &Server, call: &Call) -> Reply {
    list_reply(page(server, call, "resourceTemplates", samples::templates(server, call.revision)))
}

fn list_reply(page: Result<Value, RpcError>) -> Reply {
    page.map_or_else(Reply::Error, Reply::Result)
}

pub(super) fn read(server: &Server, call: &Call) -> Reply {
    let uri = match super::text(&call.params, "uri") {
        Ok(uri) => uri,
        Err(error) => return error.into(),
    };
    match samples::contents_for(server, uri, call.caller.as_deref()) {
        Some(contents) => Reply::Result(json!({"contents": [contents]})),
        None if uri == samples::FOLDER && server.quirk("unusual-resources") => {
            Reply::Result(json!({"contents": samples::folder()}))
        }
        None => not_found(call.revision, uri).into(),
    }
}

pub(crate) fn not_found(revision: Revision, uri: &str) -> RpcError {
    let code = if revision.is_stateless() { code::INVALID_PARAMS } else { code::RESOURCE_NOT_FOUND };
    RpcError::new(code, format!("Resource not found: {}", shorten(uri))).with_data(json!({"uri": uri}))
}
