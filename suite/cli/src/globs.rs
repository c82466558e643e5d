//! Globs over requirement ids and scenario names, and suggestions for mistyped names.

use crate::coverage;
use crate::failure::Failure;
use crate::similar::did_you_mean;

pub(crate) use run::matches;

/// Rejects globs that match neither a requirement nor a scenario.
pub(crate) fn check(flag: &str, globs: &[String]) -> Result<(), Failure> {
    for glob in globs {
        let mut names =
            verdict::requirements().iter().map(|requirement| requirement.id).chain(coverage::scenario_names());
        if !names.any(|name| matches(glob, name)) {
            let advice = suggestion(glob).unwrap_or_else(|| "run `mcp-conform list` to see all ids".to_owned());
            return Err(Failure::usage(format!("{flag} {glob}: no requirement or scenario matches\n  {advice}")));
        }
    }
    Ok(())
}

/// Returns a `did you mean ...` hint, if there is a similar name.
fn suggestion(glob: &str) -> Option<String> {
    if let Some(area) = verdict::requirements().iter().find(|requirement| requirement.area == glob) {
        return Some(format!("did you mean '{}.*'?", area.area));
    }
    let ids = verdict::requirements().iter().map(|requirement| requirement.id).chain(coverage::scenario_names());
    did_you_mean(glob, ids, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_that_matches_nothing_is_refused_with_a_guess() {
        let refused = |glob: &str| check("--only", &[glob.to_owned()]).expect_err("matches nothing").to_string();
        assert!(refused("tools").ends_with("did you mean 'tools.*'?"));
        assert!(refused("tools.call.unkown-tool").contains("did you mean tools.call.unknown-tool"));
        assert!(check("--only", &["tools.*".to_owned()]).is_ok());
    }
}
