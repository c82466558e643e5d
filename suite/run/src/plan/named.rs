//! Tools that the user names must exist: with a mistyped name under `never`, that tool would be called after all.

use crate::survey::WalkEnd;
use crate::{Options, ServerProfile, Trouble, UnknownTool};

/// Checks that the server lists each tool that the user names, if it listed all that it has.
///
/// # Errors
/// With each name that is not listed, and where the user gave it.
pub(super) fn check(options: &Options, profile: &ServerProfile) -> Result<(), Trouble> {
    let complete = profile.walks.iter().any(|walk| walk.method == "tools/list" && walk.end == WalkEnd::Complete);
    if !complete || profile.tools.is_empty() {
        return Ok(());
    }
    let named = [
        ("--tool or `tools`", options.tools.iter().collect::<Vec<_>>()),
        ("`never`", options.never.iter().collect()),
        ("`[arguments]`", options.arguments.keys().collect()),
    ];
    let named = named.into_iter().flat_map(|(place, names)| names.into_iter().map(move |name| (place, name)));
    let unknown: Vec<UnknownTool> = named
        .filter(|(_, name)| !profile.tools.iter().any(|tool| tool.name == **name))
        .map(|(place, name)| UnknownTool { place, name: name.clone() })
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Trouble::UnknownTools { unknown, listed: profile.tools.iter().map(|tool| tool.name.clone()).collect() })
}
