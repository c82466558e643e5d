//! The number of broken requirements in words.

use verdict::record::ByLevel;

use crate::style::count;

/// Returns the broken requirements by level and what breaks them: `2 causes (2 MUST, 1 SHOULD violations), 3 suggestions`.
pub(crate) fn violations(causes: usize, fails: &ByLevel) -> String {
    let suggestions = suggestions(fails.advice);
    let Some(broken) = broken(fails) else {
        return if fails.advice == 0 { "no violations".to_owned() } else { format!("no violations; {suggestions}") };
    };
    let text = format!("{} ({broken})", count(causes, "cause", "causes"));
    if fails.advice == 0 { text } else { format!("{text}, {suggestions}") }
}

/// Returns the broken musts and shoulds: `2 MUST, 1 SHOULD violations`; none if there is none.
pub(crate) fn broken(fails: &ByLevel) -> Option<String> {
    match (fails.must, fails.should) {
        (0, 0) => None,
        (must, 0) => Some(format!("{must} MUST {}", noun(must))),
        (0, should) => Some(format!("{should} SHOULD {}", noun(should))),
        (must, should) => Some(format!("{must} MUST, {should} SHOULD violations")),
    }
}

/// Returns the number of suggestions, as broken advice is called: the specification does not require it.
pub(crate) fn suggestions(number: u32) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "suggestion", "suggestions")
}

fn noun(number: u32) -> &'static str {
    if number == 1 { "violation" } else { "violations" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_counted() {
        let text = |causes, must, should, advice| violations(causes, &ByLevel { must, should, advice });
        assert_eq!(text(4, 10, 5, 14), "4 causes (10 MUST, 5 SHOULD violations), 14 suggestions");
        assert_eq!(text(1, 1, 0, 1), "1 cause (1 MUST violation), 1 suggestion");
        assert_eq!(text(2, 0, 2, 0), "2 causes (2 SHOULD violations)");
        assert_eq!(text(0, 0, 0, 14), "no violations; 14 suggestions");
        assert_eq!(text(0, 0, 0, 0), "no violations");
    }
}
