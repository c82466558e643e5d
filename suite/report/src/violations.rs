//! The number of broken requirements in words.

use verdict::record::ByLevel;

use crate::style::count;

/// Returns the broken requirements by level: `2 MUST and 1 SHOULD violations, 3 suggestions`.
pub(crate) fn violations(fails: &ByLevel) -> String {
    let text = match (fails.must, fails.should) {
        (0, 0) => "no violations".to_owned(),
        (must, 0) => format!("{must} MUST {}", noun(must)),
        (0, should) => format!("{should} SHOULD {}", noun(should)),
        (must, should) => format!("{must} MUST and {should} SHOULD violations"),
    };
    let suggestions = suggestions(fails.advice);
    match (fails.advice, fails.must + fails.should) {
        (0, _) => text,
        (_, 0) => format!("{text}; {suggestions}"),
        _ => format!("{text}, {suggestions}"),
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
        let text = |must, should, advice| violations(&ByLevel { must, should, advice });
        assert_eq!(text(10, 5, 14), "10 MUST and 5 SHOULD violations, 14 suggestions");
        assert_eq!(text(1, 0, 1), "1 MUST violation, 1 suggestion");
        assert_eq!(text(0, 2, 0), "2 SHOULD violations");
        assert_eq!(text(0, 0, 14), "no violations; 14 suggestions");
        assert_eq!(text(0, 0, 0), "no violations");
    }
}
