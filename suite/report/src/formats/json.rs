//! The stored record as JSON: `report.json`.

use verdict::record::Report;

/// Renders the record as indented JSON that ends with a line feed.
#[must_use]
pub(super) fn json(report: &Report) -> String {
    // Writing plain data to memory cannot fail; the empty object would still be JSON.
    let text = serde_json::to_string_pretty(report).unwrap_or_else(|_| "{}".to_owned());
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use verdict::record::Report;

    use super::json;
    use crate::testing::{record, several};

    #[test]
    fn the_record_is_the_json() {
        insta::assert_snapshot!(json(&record()));
    }

    #[test]
    fn one_record_and_several_are_read_back() {
        let one: Report = serde_json::from_str(&json(&record())).expect("a record");
        assert!(matches!(one, Report::One(_)));
        let all: Report = serde_json::from_str(&json(&several())).expect("records");
        assert!(matches!(&all, Report::All(all) if all.runs.len() == 2));
    }
}
