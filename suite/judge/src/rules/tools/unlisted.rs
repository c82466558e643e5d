//! Whether an answer says that there is no such tool. A tool may say "not found" of its own subject: what means the tool itself
//! resembles what a name gets that the server does not have, and differs from what the tool says of other arguments.

use std::collections::{BTreeMap, BTreeSet};

use verdict::Intent;
use wire::mcp::code;

use super::came::{Came, came};
use crate::rules::wording::{failure_text, pattern};
use crate::{Case, View};

/// What an answer says of the tool that was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// It is there.
    Known,
    /// There is none.
    Unknown,
    /// It speaks of something that is not there, and nothing tells whether that is the tool.
    Either,
}

/// What the server answers to names that it does not have, and the tools that were seen to be there.
pub(super) struct Unlisted<'v> {
    refusals: BTreeSet<(Option<i64>, String)>,
    /// Whether a tool answered something else than that something is not there.
    there: BTreeMap<&'v str, bool>,
}

impl<'v> Unlisted<'v> {
    pub(super) fn new(view: &'v View<'v>) -> Self {
        let unknown = view.probes(Intent::UnknownTool).filter(Case::is_decided);
        let mut there: BTreeMap<&str, bool> = BTreeMap::new();
        for intent in [Intent::ValidCall, Intent::InvalidCall] {
            for case in view.probes(intent).filter(|case| case.is_decided() && came(case) != Came::Nothing) {
                let Some(name) = case.tool() else { continue };
                *there.entry(name).or_default() |= !speaks_of_missing(&case);
            }
        }
        Self { refusals: unknown.filter_map(|case| refusal(&case)).collect(), there }
    }

    /// What an answer says of the tool.
    pub(super) fn says(&self, case: &Case<'_>) -> Says {
        let is_there = case.tool().and_then(|name| self.there.get(name)).copied().unwrap_or_default();
        let Some(refusal) = refusal(case).filter(|_| speaks_of_missing(case) && !is_there) else { return Says::Known };
        match () {
            () if self.refusals.contains(&refusal) => Says::Unknown,
            () if self.refusals.is_empty() => Says::Either,
            () => Says::Known,
        }
    }
}

/// Returns the code and the words of a refusal, without the name of the tool.
fn refusal(case: &Case<'_>) -> Option<(Option<i64>, String)> {
    let text = failure_text(case)?.to_lowercase();
    let name = case.tool().unwrap_or_default().to_lowercase();
    let text = if name.is_empty() { text } else { text.replace(&name, "\u{0}") };
    Some((case.error_code(), pattern(&text)))
}

/// Whether a refusal says that something is not there, and may mean the tool.
fn speaks_of_missing(case: &Case<'_>) -> bool {
    let says = |text: &str| {
        let missing = ["not found", "not exist", "no such tool", "not available", "not registered"];
        text.contains("unknown tool") || (text.contains("tool") && missing.iter().any(|word| text.contains(word)))
    };
    let Some(text) = failure_text(case).map(|text| text.to_lowercase()) else { return false };
    if case.error().is_some() {
        let code = matches!(case.error_code(), Some(code::INVALID_PARAMS | code::METHOD_NOT_FOUND));
        return code && says(&text);
    }
    // A tool may itself look for tools: its text must name this one.
    let name = case.tool().unwrap_or_default().to_lowercase();
    says(&text) && text.contains(&name)
}
