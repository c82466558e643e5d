//! What the core leaves to the layer above it: the methods, and with them the tools.

use serde_json::Value;

use super::call::{Call, Reply};
use super::connection::Connection;
use super::server::Server;
use crate::error::RpcError;
use crate::settings::Settings;

/// Serves what the core has read. The core calls nothing else of the methods.
pub(crate) trait Service: Send + Sync {
    /// Called when a connection begins.
    fn connection_opened(&self, connection: &mut Connection);
    fn initialize(&self, connection: &mut Connection, call: &mut Call) -> Reply;
    /// The error for a handshake where there is none.
    fn refuse_initialize(&self, server: &Server, call: &Call) -> RpcError;
    /// Serves a request on a connection of the handshake era.
    fn legacy(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Serves a request of 2026-07-28 whose `_meta` was found good.
    fn modern(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Does what a task stands for.
    fn work(&self, connection: &mut Connection, call: &Call) -> Reply;
    /// Takes a notification.
    fn notification(&self, connection: &mut Connection, payload: u64, method: &str, params: Value);
    /// Takes the client's answer to a request of the server.
    fn response(&self, connection: &mut Connection, id: &Value, outcome: Result<Value, Value>);
    /// Announces what has changed since this was last called.
    fn announce_changes(&self, connection: &mut Connection);
    /// Called before a call is answered.
    fn before_answer(&self, connection: &mut Connection, call: &Call);
    /// Ends a call that adds one to the counter.
    fn bump(&self, connection: &mut Connection, call: &Call);
    /// A final result with what every result of its revision has.
    fn envelope(&self, server: &Server, call: &Call, result: Value) -> Value;
    /// A result that asks for input, with what every result has.
    fn input_envelope(&self, result: Value) -> Value;
    /// The name under which the server keeps a tool that clients call otherwise.
    fn inner_tool_name<'n>(&self, settings: &Settings, name: &'n str) -> &'n str;
    /// The name by which clients call a tool.
    fn public_tool_name(&self, settings: &Settings, name: &str) -> String;
}
