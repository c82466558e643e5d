//! Globs over requirement ids and scenario names, and suggestions for mistyped names.

use crate::coverage;
use crate::failure::Failure;

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
    let near = nearest(glob, ids, 3);
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

/// Returns the most similar names, best first; empty if none is similar.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let scored = known.map(|known| (similarity(name, known), known));
    let mut scored: Vec<(f64, &str)> = scored.filter(|(score, _)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(most).map(|(_, known)| known).collect()
}

/// Returns the similarity of two names. A part of an id counts too: people remember its end as well as its beginning.
fn similarity(name: &str, known: &str) -> f64 {
    if name.len() >= 4 && known.contains(name) {
        return 0.95;
    }
    strsim::jaro_winkler(name, known).max(strsim::normalized_damerau_levenshtein(name, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_id_is_guessed() {
        let ids = || verdict::requirements().iter().map(|requirement| requirement.id);
        assert_eq!(nearest("tools.call.unkown-tool", ids(), 1), ["tools.call.unknown-tool"]);
        assert_eq!(nearest("zzzz", ids(), 3), [""; 0]);
        assert!(nearest("unknown-tool-code", ids(), 3).contains(&"tools.call.unknown-tool-code"));
    }

    #[test]
    fn a_glob_that_matches_nothing_is_refused_with_a_guess() {
        let refused = |glob: &str| check("--only", &[glob.to_owned()]).expect_err("matches nothing").to_string();
        assert!(refused("tools").ends_with("did you mean 'tools.*'?"));
        assert!(refused("tools.call.unkown-tool").contains("did you mean tools.call.unknown-tool"));
        assert!(check("--only", &["tools.*".to_owned()]).is_ok());
    }
}
