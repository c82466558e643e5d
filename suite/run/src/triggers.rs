//! Tool calls that bring about a change, as the user configures them.

use serde_json::Value;

/// Calls that bring about the changes a run waits for.
#[derive(Clone, Debug, Default)]
pub struct Triggers {
    /// Changes the list of tools.
    pub tools_list_changed: Option<Trigger>,
    /// Changes the list of prompts.
    pub prompts_list_changed: Option<Trigger>,
    /// Changes the list of resources.
    pub resources_list_changed: Option<Trigger>,
    /// Changes a resource that can be watched.
    pub resource_updated: Option<Trigger>,
    /// Takes a second or so.
    pub slow: Option<Trigger>,
    /// Takes a second or so, and changes something when it is done.
    pub slow_effect: Option<Trigger>,
    /// Shows what that changes.
    pub effect_shown_by: Option<Trigger>,
    /// Has the server end the subscriptions of its clients.
    pub ends_subscriptions: Option<Trigger>,
    /// Waits for something for longer than the tool's own time limit.
    pub times_out: Option<Trigger>,
}

/// A tool call that brings about a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// The tool.
    pub call: String,
    /// Its arguments.
    pub arguments: Value,
}
