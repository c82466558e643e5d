//! A badge as endpoint JSON for shields.io, to be served from a public URL.

use serde_json::json;
use verdict::record::{ByLevel, Origin, Report};

use crate::outcome::{Conclusion, Outcome};
use crate::violations::broken;
use crate::whose::Shares;

/// Renders the badge.
#[must_use]
pub(super) fn badge(report: &Report) -> String {
    let outcome = Outcome::of(report.records());
    let must = in_words(&ByLevel { must: outcome.open.must, ..ByLevel::default() });
    let should = in_words(&ByLevel { should: outcome.open.should, ..ByLevel::default() });
    let partial = report.records().iter().any(|record| record.partial);
    let (message, color) = match outcome.conclusion {
        Conclusion::Trouble | Conclusion::NothingJudged | Conclusion::Partial => ("not judged".to_owned(), "lightgrey"),
        _ if partial => ("not judged".to_owned(), "lightgrey"),
        // Whoever is to blame, clients meet a server that does not conform.
        Conclusion::DoesNotConform if all_of_sdk(&outcome, |broken| broken.must) => {
            (format!("{must} by the SDK"), "orange")
        }
        Conclusion::DoesNotConform => (must, "red"),
        Conclusion::Unstable => ("unstable".to_owned(), "red"),
        Conclusion::NothingNew => (format!("{} (known)", in_words(&outcome.known)), "yellow"),
        Conclusion::Warnings if all_of_sdk(&outcome, |broken| broken.should) => {
            (format!("{should} by the SDK"), "yellow")
        }
        Conclusion::Warnings => (should, "yellow"),
        Conclusion::Conforms => ("conforms".to_owned(), "brightgreen"),
    };
    let revisions: Vec<&str> = report.records().iter().map(|record| record.protocol.as_str()).collect();
    let label = match revisions.as_slice() {
        [] => "MCP".to_owned(),
        [one] => format!("MCP {one}"),
        [first, .., last] => format!("MCP {first} to {last}"),
    };
    let badge = json!({"schemaVersion": 1, "label": label, "message": message, "color": color});
    serde_json::to_string_pretty(&badge).unwrap_or_default() + "\n"
}

/// Whether the SDK is to blame for all that is broken of a level.
fn all_of_sdk(outcome: &Outcome, level: fn(&ByLevel) -> u32) -> bool {
    let others = |shares: &Shares| level(&shares.of(Origin::Own).broken) + level(&shares.of(Origin::Unknown).broken);
    outcome.shares.as_ref().is_some_and(|shares| others(shares) == 0)
}

fn in_words(fails: &ByLevel) -> String {
    broken(fails).unwrap_or_else(|| "no violations".to_owned())
}

#[cfg(test)]
mod tests {
    use verdict::record::Origin;

    use super::badge;
    use crate::testing::{accepted, record, several};

    #[test]
    fn what_is_all_of_the_sdk_is_said_to_be() {
        let mut record = crate::testing::with_origins();
        let report = |record| verdict::record::Report::One(Box::new(record));
        let theirs = badge(&report(record.clone()));
        assert!(theirs.contains("\"2 MUST violations by the SDK\"") && theirs.contains("\"orange\""), "{theirs}");
        record.causes[0].origin = Origin::Own;
        let own = badge(&report(record));
        assert!(own.contains("\"2 MUST violations\"") && own.contains("\"red\""), "{own}");
    }

    #[test]
    fn the_most_severe_level_is_shown() {
        assert!(badge(&record()).contains("\"2 MUST violations\"") && badge(&record()).contains("\"red\""));
        assert!(badge(&several()).contains("not judged"), "one run of it was cut short");
        let known = badge(&accepted());
        assert!(known.contains("\"2 MUST violations (known)\"") && known.contains("\"yellow\""), "{known}");
    }
}
