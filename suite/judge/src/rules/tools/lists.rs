//! The results of `tools/list`.

use super::super::lists;
pub(super) use super::super::lists::{Listed, TOOLS, Walk};
use crate::View;

/// Every walk.
pub(super) fn walks<'v>(view: &'v View<'v>) -> Vec<Walk<'v>> {
    lists::walks(view, &TOOLS)
}

/// The complete walks.
pub(super) fn complete<'v>(view: &'v View<'v>) -> Vec<Walk<'v>> {
    lists::complete(view, &TOOLS)
}

/// Every definition of every walk, each once.
pub(super) fn all<'v>(view: &'v View<'v>) -> Vec<Listed<'v>> {
    lists::all(view, &TOOLS)
}
