//! Rules shared by the areas with a list: the capability behind it, walks over its pages, changes and their notifications.
//! The areas name the list and their own ids.

use verdict::Intent;

mod bare;
mod capability;
mod changed;
mod same;
mod unique;
mod walk;

pub(super) use bare::bare;
pub(super) use capability::{CapabilityIds, capability};
pub(super) use changed::{changed, finding, hears, notices};
pub(super) use same::same;
pub(super) use unique::unique;
pub(super) use walk::{Listed, Walk, all, complete, is_ordinary, walks};

/// A list that a server may offer.
#[derive(Debug)]
pub(super) struct List {
    /// The method that gives it.
    pub(super) method: &'static str,
    /// The member of the result that holds the entries; in the plural it also names them.
    pub(super) member: &'static str,
    /// The member that identifies an entry.
    pub(super) key: &'static str,
    /// The capability behind it.
    pub(super) capability: &'static str,
    /// The noun for entries.
    pub(super) things: &'static str,
    /// The notification of a change.
    pub(super) notice: &'static str,
    /// How a subscription of 2026-07-28 asks for it.
    pub(super) filter: &'static str,
    /// The intent of a request without params.
    pub(super) bare: Intent,
    /// The intent of a request though the capability is not declared.
    pub(super) undeclared: Intent,
}

/// `tools/list`.
pub(super) static TOOLS: List = List {
    method: "tools/list",
    member: "tools",
    key: "name",
    capability: "tools",
    things: "tools",
    notice: "notifications/tools/list_changed",
    filter: "toolsListChanged",
    bare: Intent::ToolsListBare,
    undeclared: Intent::ToolsUndeclared,
};
/// `resources/list`.
pub(super) static RESOURCES: List = List {
    method: "resources/list",
    member: "resources",
    key: "uri",
    capability: "resources",
    things: "resources",
    notice: "notifications/resources/list_changed",
    filter: "resourcesListChanged",
    bare: Intent::ResourcesListBare,
    undeclared: Intent::ResourcesUndeclared,
};
/// `resources/templates/list`.
pub(super) static TEMPLATES: List = List {
    method: "resources/templates/list",
    member: "resourceTemplates",
    key: "uriTemplate",
    things: "resource templates",
    bare: Intent::TemplatesListBare,
    ..RESOURCES
};
/// `prompts/list`.
pub(super) static PROMPTS: List = List {
    method: "prompts/list",
    member: "prompts",
    key: "name",
    capability: "prompts",
    things: "prompts",
    notice: "notifications/prompts/list_changed",
    filter: "promptsListChanged",
    bare: Intent::PromptsListBare,
    undeclared: Intent::PromptsUndeclared,
};
