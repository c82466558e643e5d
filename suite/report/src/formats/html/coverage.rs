//! The table of generated calls: the cases for each tool, prompt, template or completion, the schema keywords they reached, and
//! those they did not, with the reason.

use serde_json::{Value, json};
use verdict::property::{Tested, Unreached};
use verdict::record::Record;

use crate::style::{clip, count, printable};

/// Limit of unreached keywords in a row; a schema may have thousands.
const UNREACHED: usize = 20;
/// Characters shown of a name.
const NAME: usize = 120;

/// Returns the rows and their total; null if there are no rows.
pub(super) fn table(record: &Record) -> Value {
    if record.properties.is_empty() {
        return Value::Null;
    }
    let cases: u32 = record.properties.iter().map(|tested| tested.cases).sum();
    let called = record.properties.iter().filter(|tested| tested.cases > 0);
    let (tools, others): (Vec<&Tested>, Vec<&Tested>) = called.partition(|tested| tested.kind.is_none());
    let counted = |all: &[&Tested], one: &str, many: &str| (!all.is_empty()).then(|| count(all.len(), one, many));
    let parts = [counted(&tools, "tool", "tools"), counted(&others, "string input", "string inputs")];
    json!({
        "sum": format!("{cases} of {}", parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")),
        "seed": record.seed,
        "rows": record.properties.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(tested: &Tested) -> Value {
    let shown = tested.unreached.iter().take(UNREACHED);
    json!({
        "tool": clip(&tested.kind.as_ref().map_or(tested.tool.clone(), |kind| format!("{kind} {}", tested.tool)), NAME),
        "cases": tested.cases,
        "valid": tested.valid,
        "failed": tested.failed,
        "invalid": tested.invalid,
        "refused": tested.refused,
        // Readers look for invalid calls that were accepted.
        "accepted": tested.refused < tested.invalid,
        "reached": tested.reached.iter().map(|keyword| clip(keyword, NAME)).collect::<Vec<_>>(),
        "unreached": shown.map(unreached).collect::<Vec<_>>(),
        "more": tested.unreached.len().saturating_sub(UNREACHED),
        "stopped": tested.stopped.as_deref().map(printable),
    })
}

fn unreached(one: &Unreached) -> Value {
    let place = if one.schema.is_empty() { "the whole schema".to_owned() } else { clip(&one.schema, NAME) };
    json!({"keyword": clip(&one.keyword, NAME), "place": place, "reason": printable(&one.reason)})
}

#[cfg(test)]
mod tests {
    use verdict::property::{Tested, Unreached};
    use verdict::record::Report;

    use super::super::html;
    use crate::testing::single;

    fn unreached(keyword: &str, schema: &str) -> Unreached {
        let reason = "it forbids nothing, or whatever it forbids is forbidden by another keyword too".to_owned();
        Unreached { keyword: keyword.to_owned(), schema: schema.to_owned(), reason }
    }

    fn page(properties: Vec<Tested>) -> String {
        html(&Report::One(Box::new(verdict::record::Record { properties, ..single() })))
    }

    fn section(page: &str) -> &str {
        let begin = page.find("<details class=\"aside coverage\"").expect("the section");
        &page[begin..begin + page[begin..].find("</details>").expect("its end")]
    }

    #[test]
    fn each_tool_has_a_row_with_its_keywords() {
        let echo = Tested {
            tool: "echo <b>".to_owned(),
            kind: None,
            cases: 100,
            valid: 50,
            failed: 3,
            invalid: 50,
            refused: 49,
            reached: vec!["enum".to_owned(), "type".to_owned()],
            unreached: vec![unreached("not", ""), unreached("type", "/properties/kind")],
            stopped: None,
        };
        let held = Tested {
            tool: "delete".to_owned(),
            stopped: Some("not marked as read-only".to_owned()),
            ..Tested::default()
        };
        insta::assert_snapshot!(section(&page(vec![echo, held])));
    }

    #[test]
    fn a_row_tells_a_prompt_from_a_tool() {
        let prompt = Tested { tool: "echo".to_owned(), kind: Some("prompt".to_owned()), cases: 3, ..Tested::default() };
        let page = page(vec![prompt]);
        assert!(section(&page).contains("prompt echo") && section(&page).contains("3 of 1 string input"));
    }

    #[test]
    fn a_row_is_bounded_and_a_run_without_generated_calls_has_no_table() {
        let many = (0..1_000).map(|at| unreached("type", &format!("/properties/{at}"))).collect();
        let page = page(vec![Tested { tool: "wide".to_owned(), unreached: many, ..Tested::default() }]);
        assert!(section(&page).matches("<li>").count() == super::UNREACHED + 1 && page.contains("and 980 more"));
        assert!(!html(&Report::One(Box::new(single()))).contains("aside coverage"));
    }
}
