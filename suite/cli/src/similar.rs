//! The name that somebody may have meant.

/// Returns the most similar names, best first; empty if none is similar.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let scored = known.map(|known| (similarity(name, known), known));
    let mut scored: Vec<(f64, &str)> = scored.filter(|(score, _)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(most).map(|(_, known)| known).collect()
}

/// Asks whether one of the most similar names was meant; none if none is similar.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Option<String> {
    let near = nearest(name, known, most);
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
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
}
