//! Reads a baseline; errors name file, line and what is expected.

use std::path::Path;

use jiff::civil::Date;
use toml_edit::{Document, Item, Table, Value};
use verdict::Revision;

use super::{KnownFinding, Subject};
use crate::failure::Failure;

/// The keys of an entry.
const MEMBERS: [&str; 7] = ["requirement", "cause", "tool", "place", "protocol", "reason", "expires"];

/// Reads the entries of a baseline.
pub(crate) fn read(path: &Path, text: &str) -> Result<Vec<KnownFinding>, Failure> {
    let wrong = |line: Option<usize>, what: String| {
        let at = line.map(|line| format!(", line {line}")).unwrap_or_default();
        Failure::usage(format!("{}{at}: {what}", path.display()))
    };
    let document = Document::parse(text).map_err(|error| wrong(None, error.to_string()))?;
    for (name, item) in document.iter() {
        if name != "finding" || !item.is_array_of_tables() {
            return Err(wrong(None, format!("unexpected `{name}`: a baseline contains only [[finding]] entries")));
        }
    }
    let tables = document.get("finding").and_then(Item::as_array_of_tables);
    let entries = tables.into_iter().flat_map(toml_edit::ArrayOfTables::iter);
    let line = |table: &Table| table.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
    entries.map(|table| entry(table, line(table)).map_err(|what| wrong(Some(line(table)), what))).collect()
}

fn entry(table: &Table, line: usize) -> Result<KnownFinding, String> {
    if let Some((name, _)) = table.iter().find(|(name, _)| !MEMBERS.contains(name)) {
        return Err(format!("unknown key `{name}`: the keys of an entry are {}", MEMBERS.join(", ")));
    }
    let subject = match (text(table, "requirement")?, text(table, "cause")?) {
        (Some(id), None) => Subject::Requirement(id),
        (None, Some(id)) => Subject::Cause(id),
        (None, None) => return Err("the entry has no `requirement`, and no `cause`".to_owned()),
        (Some(_), Some(_)) => {
            return Err("the entry has `requirement` and `cause`: a cause covers all that it breaks".to_owned());
        }
    };
    let reason = text(table, "reason")?.filter(|reason| !reason.trim().is_empty());
    let protocol = text(table, "protocol")?.map(|name| name.parse::<Revision>()).transpose();
    Ok(KnownFinding {
        subject,
        tool: text(table, "tool")?,
        place: text(table, "place")?,
        protocol: protocol.map_err(|error| format!("`protocol`: {error}"))?,
        reason: reason.ok_or("the entry has no `reason`: state why the finding is accepted")?,
        expires: table.get("expires").map(date).transpose()?,
        line,
    })
}

fn text(table: &Table, name: &str) -> Result<Option<String>, String> {
    match table.get(name) {
        None => Ok(None),
        Some(item) => item.as_str().map(|text| Some(text.to_owned())).ok_or(format!("`{name}` is not a string")),
    }
}

/// Parses a TOML date, or a string that contains one.
fn date(item: &Item) -> Result<Date, String> {
    let text = match item.as_value() {
        Some(Value::Datetime(date)) => date.value().to_string(),
        Some(Value::String(text)) => text.value().clone(),
        _ => String::new(),
    };
    text.parse().map_err(|_| "`expires` is not a date such as 2027-03-31".to_owned())
}
