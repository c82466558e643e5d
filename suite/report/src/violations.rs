//! The number of broken requirements in words.

use verdict::record::{ByLevel, Origin};

use crate::style::count;
use crate::whose::Shares;

/// Returns the broken requirements by level and what breaks them: `2 causes (2 MUST, 1 SHOULD violations), 3 pieces of advice`.
pub(crate) fn violations(causes: usize, fails: &ByLevel) -> String {
    let advice = advice(fails.advice);
    let Some(broken) = broken(fails) else {
        return if fails.advice == 0 { "no violations".to_owned() } else { format!("no violations; {advice}") };
    };
    let text = format!("{} ({broken})", count(causes, "cause", "causes"));
    if fails.advice == 0 { text } else { format!("{text}, {advice}") }
}

/// Returns the broken requirements by whose they are:
/// `yours 1 (1 SHOULD); example-sdk 1.2.3: 2 causes (2 MUST, 1 SHOULD), 3 pieces of advice`.
pub(crate) fn shared(shares: &Shares, fails: &ByLevel) -> String {
    let levels = |origin| {
        let ByLevel { must, should, .. } = shares.of(origin).broken;
        let all = [(must, "MUST"), (should, "SHOULD")];
        let some = all.iter().filter(|(number, _)| *number > 0);
        some.map(|(number, level)| format!("{number} {level}")).collect::<Vec<_>>().join(", ")
    };
    let causes = |origin| shares.of(origin).causes;
    let mut parts = vec![match causes(Origin::Own) {
        0 => "nothing of yours".to_owned(),
        number => format!("yours {number} ({})", levels(Origin::Own)),
    }];
    if causes(Origin::Unknown) > 0 {
        parts.push(format!("unclear {} ({})", causes(Origin::Unknown), levels(Origin::Unknown)));
    }
    if causes(Origin::Sdk) > 0 {
        let number = count(causes(Origin::Sdk), "cause", "causes");
        parts.push(format!("{}: {number} ({})", shares.sdk, levels(Origin::Sdk)));
    }
    let text = parts.join("; ");
    if fails.advice == 0 { text } else { format!("{text}, {}", advice(fails.advice)) }
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

/// Returns how much advice there is: what the specification does not require, and no violation.
pub(crate) fn advice(number: u32) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "piece of advice", "pieces of advice")
}

fn noun(number: u32) -> &'static str {
    if number == 1 { "violation" } else { "violations" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_counted_by_whose_they_are() {
        let record = crate::testing::with_origins();
        let mut shares = Shares::in_records([&record]).expect("an SDK");
        let fails = ByLevel { must: 2, should: 1, advice: 3 };
        let text = "yours 1 (1 SHOULD); example-sdk 1.2.3: 1 cause (2 MUST), 3 pieces of advice";
        assert_eq!(shared(&shares, &fails), text);
        std::mem::swap(&mut shares.own, &mut shares.unknown);
        assert!(shared(&shares, &fails).starts_with("nothing of yours; unclear 1 (1 SHOULD); example-sdk"));
        assert_eq!(Shares::in_records([&crate::testing::with_causes()]), None, "nothing is known of an SDK");
    }

    #[test]
    fn each_level_is_counted() {
        let text = |causes, must, should, advice| violations(causes, &ByLevel { must, should, advice });
        assert_eq!(text(4, 10, 5, 14), "4 causes (10 MUST, 5 SHOULD violations), 14 pieces of advice");
        assert_eq!(text(1, 1, 0, 1), "1 cause (1 MUST violation), 1 piece of advice");
        assert_eq!(text(2, 0, 2, 0), "2 causes (2 SHOULD violations)");
        assert_eq!(text(0, 0, 0, 14), "no violations; 14 pieces of advice");
        assert_eq!(text(0, 0, 0, 0), "no violations");
    }
}
