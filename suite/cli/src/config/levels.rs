//! `[[level]]`: requirements with a level other than the specification's, and the reason.

use toml::Spanned;
use toml::de::DeValue;
use verdict::Level;
use verdict::record::{Report, Summary};

use super::diagnostic::Diagnostic;
use super::value::{string, table};
use crate::globs::matches;
use crate::similar::nearest;

/// A changed level for requirements that match a glob.
#[derive(Debug)]
pub(crate) struct LevelOverride {
    requirement: String,
    level: Level,
    reason: String,
}

pub(super) fn overrides(value: &Spanned<DeValue<'_>>) -> Result<Vec<LevelOverride>, Diagnostic> {
    let wrong = || Diagnostic::new(value.span(), "wrong value", "[[level]], with requirement, level and reason");
    value.get_ref().as_array().ok_or_else(wrong)?.iter().map(level_override).collect()
}

fn level_override(value: &Spanned<DeValue<'_>>) -> Result<LevelOverride, Diagnostic> {
    let (mut requirement, mut level, mut reason) = (None, None, None);
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "requirement" => requirement = Some(requirement_glob(value)?),
            "level" => level = Some(parse_level(value)?),
            "reason" => reason = Some(string(value)?.to_owned()).filter(|reason| !reason.trim().is_empty()),
            other => return Err(Diagnostic::unknown(key.span(), other, &["requirement", "level", "reason"])),
        }
    }
    let missing = |name: &str, expected: &str| Diagnostic::new(value.span(), &format!("`{name}` is missing"), expected);
    Ok(LevelOverride {
        requirement: requirement.ok_or_else(|| missing("requirement", "a requirement id; `*` matches any text"))?,
        level: level.ok_or_else(|| missing("level", "\"must\", \"should\" or \"advice\""))?,
        reason: reason.ok_or_else(|| missing("reason", "why the level differs here"))?,
    })
}

fn requirement_glob(value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
    let glob = string(value)?;
    let ids = || verdict::requirements().iter().map(|requirement| requirement.id);
    if ids().any(|id| matches(glob, id)) {
        return Ok(glob.to_owned());
    }
    let expected = match nearest(glob, ids(), 1).first() {
        Some(near) => format!("a requirement id: did you mean `{near}`?"),
        None => "a requirement id: run `mcp-conform list` to see all".to_owned(),
    };
    Err(Diagnostic::new(value.span(), "no requirement matches", &expected))
}

fn parse_level(value: &Spanned<DeValue<'_>>) -> Result<Level, Diagnostic> {
    match string(value)? {
        "must" => Ok(Level::Must),
        "should" => Ok(Level::Should),
        "advice" => Ok(Level::Advice),
        _ => Err(Diagnostic::new(value.span(), "wrong value", "one of \"must\", \"should\", \"advice\"")),
    }
}

/// Applies the level overrides to a report, with a note on each changed requirement. The last matching entry wins.
pub(crate) fn apply_levels(levels: &[LevelOverride], report: &mut Report) {
    for record in report.records_mut() {
        for entry in &mut record.requirements {
            let wanted = levels.iter().rfind(|wanted| matches(&wanted.requirement, &entry.id));
            let Some(wanted) = wanted.filter(|wanted| wanted.level != entry.level) else { continue };
            let (was, is) = (entry.level.as_str(), wanted.level.as_str());
            entry.notes.push(format!("level changed from {was} to {is} by the configuration: {}", wanted.reason));
            entry.level = wanted.level;
            entry.findings.iter_mut().for_each(|finding| finding.level = None);
        }
        record.summary = Summary::of(&record.requirements);
    }
}
