//! Names on the command line: globs over requirement ids and scenario names, and what a mistyped one was meant to be.

use crate::failure::Failure;
use crate::known;

pub(crate) use run::matches;

/// Refuses globs that match neither a requirement nor a scenario.
pub(crate) fn check(flag: &str, globs: &[String]) -> Result<(), Failure> {
    for glob in globs {
        let mut names = verdict::requirements().iter().map(|requirement| requirement.id).chain(known::scenarios());
        if !names.any(|name| matches(glob, name)) {
            let advice = suggestion(glob).unwrap_or_else(|| "`mcp-conform list` shows all ids".to_owned());
            return Err(Failure::usage(format!("{flag} {glob}: no requirement or scenario has this name\n  {advice}")));
        }
    }
    Ok(())
}

/// `did you mean ...`, if something is near.
fn suggestion(glob: &str) -> Option<String> {
    if let Some(area) = verdict::requirements().iter().find(|requirement| requirement.area == glob) {
        return Some(format!("did you mean '{}.*'?", area.area));
    }
    let ids = verdict::requirements().iter().map(|requirement| requirement.id).chain(known::scenarios());
    let near = nearest(glob, ids, 3);
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

/// The names most like this one, the best first; nothing if all are far off.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let scored = known.map(|known| (likeness(name, known), known));
    let mut scored: Vec<(f64, &str)> = scored.filter(|(score, _)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(most).map(|(_, known)| known).collect()
}

/// People remember the end of an id as well as its beginning.
fn likeness(name: &str, known: &str) -> f64 {
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
