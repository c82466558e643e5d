//! Requests with generated arguments: a line for tools, a line for prompts, templates and completions, and a table of those
//! that did not behave as expected.

use verdict::property::Tested;
use verdict::record::Record;

use crate::style::{Ink, Style, count, fold, printable};

/// Tools in the table.
const TOOLS: usize = 12;
/// Names listed of tools that rejected every call.
const NAMED: usize = 4;
/// Columns of a name.
const NAME: usize = 24;

/// Returns the section; empty if nothing was tried.
pub(super) fn lines(records: &[&Record], style: &Style) -> String {
    let Some(record) = records.iter().find(|record| record.properties.iter().any(|tested| tested.cases > 0)) else {
        return String::new();
    };
    let tried = record.properties.iter().filter(|tested| tested.cases > 0);
    let (called, others): (Vec<&Tested>, Vec<&Tested>) = tried.partition(|tested| tested.kind.is_none());
    let mut text = String::from("\n");
    text.push_str(&calls(&called, style));
    text.push_str(&requests(&others, style));
    let wrong = record.properties.iter().filter(|tested| is_worth_a_line(tested));
    let wrong: Vec<&Tested> = wrong.collect();
    if !wrong.is_empty() {
        let head = format!("    {:NAME$}  cases  valid  failed  invalid  refused", "tool");
        text.push_str(&format!("{}\n", style.paint(Ink::Faint, head)));
    }
    for tested in wrong.iter().take(TOOLS) {
        text.push_str(&row(tested, style));
    }
    if wrong.len() > TOOLS {
        text.push_str(&format!("    and {} more: see report.json\n", wrong.len() - TOOLS));
    }
    text.push_str(&rejecting_tools(&called, style));
    text
}

/// Returns the line for calls of tools; empty if there were none.
fn calls(called: &[&Tested], style: &Style) -> String {
    if called.is_empty() {
        return String::new();
    }
    let sum = |number: fn(&Tested) -> u32| called.iter().map(|tested| number(tested)).sum::<u32>();
    let line = format!(
        "generated calls: {} of {}, {} with valid arguments, {} with invalid ones{}",
        sum(|tested| tested.cases),
        count(called.len(), "tool", "tools"),
        sum(|tested| tested.valid),
        sum(|tested| tested.invalid),
        refusals(called),
    );
    format!("  {}\n", fold(&line, style.width, 4))
}

/// Returns how many invalid calls were refused. Where a tool refuses the valid ones too, that says nothing: only those of other
/// tools are counted.
fn refusals(called: &[&Tested]) -> String {
    let serve = || called.iter().filter(|tested| tested.failed < tested.valid);
    let invalid: u32 = called.iter().map(|tested| tested.invalid).sum();
    let telling: u32 = serve().map(|tested| tested.invalid).sum();
    let refused: u32 = serve().map(|tested| tested.refused).sum();
    let how = if refused == telling { "all of them".to_owned() } else { format!("{refused} of them") };
    match telling {
        _ if invalid == 0 => String::new(),
        0 => ", none of them for a tool that served a valid one".to_owned(),
        _ if telling == invalid => format!(", {how} refused"),
        _ => format!(", {telling} of them for tools that served a valid one: {how} refused"),
    }
}

/// Returns the line for prompts, templates and completions; empty if there were none.
fn requests(others: &[&Tested], style: &Style) -> String {
    let of = |kind: &str| others.iter().filter(|tested| tested.kind.as_deref() == Some(kind)).count();
    let kinds = [("prompt", "prompts"), ("template", "templates"), ("completion", "completions")];
    let named: Vec<String> =
        kinds.iter().filter(|(one, _)| of(one) > 0).map(|(one, many)| count(of(one), one, many)).collect();
    if named.is_empty() {
        return String::new();
    }
    let sum = |number: fn(&Tested) -> u32| others.iter().map(|tested| number(tested)).sum::<u32>();
    let line = format!(
        "generated strings: {} requests for {}, {} of them refused",
        sum(|tested| tested.cases),
        named.join(", "),
        sum(|tested| tested.failed + tested.refused),
    );
    format!("  {}\n", fold(&line, style.width, 4))
}

/// Returns a hint about tools that rejected every valid call: generated arguments name no existing file, repository or
/// account, so nothing was seen of what these tools do.
fn rejecting_tools(called: &[&Tested], style: &Style) -> String {
    let tools = called.iter().filter(|tested| tested.valid > 0 && tested.failed == tested.valid);
    let names: Vec<String> = tools.map(|tested| printable(&tested.tool)).collect();
    if names.is_empty() {
        return String::new();
    }
    let more = if names.len() > NAMED { format!(" and {} more", names.len() - NAMED) } else { String::new() };
    let line = format!(
        "{} returned an error for every generated call ({}{more}): add sample arguments under [arguments.NAME] in mcp-conform.toml",
        count(names.len(), "tool", "tools"),
        names[..names.len().min(NAMED)].join(", "),
    );
    format!("  {}\n", fold(&line, style.width, 4))
}

/// Returns whether an invalid call was accepted, or not everything was tried. Tools that are not called have their own line.
fn is_worth_a_line(tested: &Tested) -> bool {
    tested.cases > 0 && (tested.refused < tested.invalid || tested.stopped.is_some())
}

fn row(tested: &Tested, style: &Style) -> String {
    let kind = tested.kind.as_ref().map_or(String::new(), |kind| format!("{kind} "));
    let name: String = printable(&format!("{kind}{}", tested.tool)).chars().take(NAME).collect();
    let Tested { cases, valid, failed, invalid, refused, .. } = tested;
    let mut text = format!("    {name:NAME$}  {cases:5}  {valid:5}  {failed:6}  {invalid:7}  {refused:7}\n");
    if let Some(why) = &tested.stopped {
        text.push_str(&format!("      {}\n", fold(&printable(why), style.width, 6)));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::property::{Generated, Tested, Unreached};
    use verdict::record::Report;

    use super::super::human;
    use crate::style::Style;
    use crate::testing::single;

    fn tested(tool: &str, refused: u32, stopped: Option<&str>) -> Tested {
        let unreached = Unreached { keyword: "not".into(), schema: String::new(), reason: "why".into() };
        let reached = vec!["enum".to_owned(), "maximum".to_owned()];
        let stopped = stopped.map(str::to_owned);
        let (tool, unreached) = (tool.to_owned(), vec![unreached]);
        Tested { tool, kind: None, cases: 100, valid: 50, invalid: 50, refused, failed: 3, reached, unreached, stopped }
    }

    #[test]
    fn a_finding_shows_the_simplest_call_and_the_table_what_is_not_well() {
        let mut record = single();
        record.requirements.truncate(6);
        record.requirements.drain(..5);
        let call = json!({"name": "a", "arguments": {"service": "EXPRESS"}});
        let (keyword, schema) = (Some("enum".to_owned()), Some("/properties/service".to_owned()));
        let generated = Generated { call, method: None, keyword, schema, minimal: true, case: 17, seed: 1, cases: 100 };
        record.requirements[0].findings.truncate(1);
        record.requirements[0].findings[0].generated = Some(generated);
        record.properties =
            vec![tested("add", 50, None), tested("a", 47, None), tested("slow", 50, Some("the tool is slow"))];
        insta::assert_snapshot!(human(&Report::One(Box::new(record)), &Style::default()));
    }

    #[test]
    fn tools_that_refuse_everything_are_named_with_what_helps() {
        let mut record = single();
        let refusing = Tested { failed: 50, ..tested("read\u{1b}_file", 50, None) };
        record.properties = vec![tested("add", 50, None), refusing];
        let text = super::lines(&[&record], &Style { width: 200, ..Style::default() });
        assert!(
            text.contains("1 tool returned an error for every generated call (read\\u{1b}_file): add sample arguments"),
            "{text}"
        );
        // Its refusals say nothing.
        assert!(
            text.contains("100 with invalid ones, 50 of them for tools that served a valid one: all of them refused"),
            "{text}"
        );
        record.properties.remove(0);
        let text = super::lines(&[&record], &Style { width: 200, ..Style::default() });
        assert!(text.contains("50 with invalid ones, none of them for a tool that served a valid one"), "{text}");
    }

    #[test]
    fn a_line_is_enough_where_all_is_well() {
        let mut record = single();
        record.properties = vec![
            tested("add", 50, None),
            Tested { tool: "delete".into(), stopped: Some("held back".into()), ..Tested::default() },
        ];
        let text = super::lines(&[&record], &Style::default());
        assert_eq!(text.trim().lines().count(), 2, "{text}");
        assert!(text.contains("100 of 1 tool, 50 with valid arguments, 50 with invalid ones, all of them"), "{text}");
    }

    #[test]
    fn what_takes_strings_has_a_line_of_its_own() {
        let mut record = single();
        let of = |kind: &str| Tested { kind: Some(kind.to_owned()), ..tested("add", 50, None) };
        record.properties = vec![tested("add", 50, None), of("prompt"), of("template"), of("prompt")];
        let text = super::lines(&[&record], &Style { width: 200, ..Style::default() });
        assert!(text.contains("generated calls: 100 of 1 tool,"), "{text}");
        assert!(
            text.contains("generated strings: 300 requests for 2 prompts, 1 template, 159 of them refused"),
            "{text}"
        );
        record.properties[1].refused = 49;
        let text = super::lines(&[&record], &Style { width: 200, ..Style::default() });
        assert!(text.contains("    prompt add "), "{text}");
    }
}
