//! Tools that show what good practice asks of tools with much to give: pages, formats, shortened texts, ids, paths, links.

use serde_json::{Value, json};

use super::content;
use super::entry::{always, object, read_only};
use crate::core::{Connection, Entry, Reply, failure};
use crate::deviation::Deviation;

/// How many towns there are.
const TOWNS: u64 = 60;
/// Entries of a page when no limit is set.
const PAGE: u64 = 20;
/// Characters of the story, and of the part that one call gives.
const STORY: (usize, usize) = (9_000, 3_000);
/// The page that can be read.
const PATH: &str = "notes/today.md";

/// Tools with much to give.
pub(super) fn entries() -> Vec<Entry> {
    let list = object(
        json!({"limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20, "description": "How many."},
            "offset": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 0, "description": "From where."},
            "response_format": {"type": "string", "enum": ["markdown", "json"], "default": "markdown",
                "description": "Text for people, or data."}}),
        &[],
    );
    let town = json!({"type": "string", "maxLength": 40, "description": "As list_towns gives it, for example town-7."});
    let from = json!({"type": "integer", "minimum": 0, "maximum": 9000, "default": 0, "description": "From where."});
    let path =
        json!({"type": "string", "maxLength": 400, "description": "Within the notebook, for example notes/today.md."});
    let url = json!({"type": "string", "maxLength": 400, "format": "uri", "description": "For example https://example.com/."});
    let value = json!({"type": "object", "description": "Anything.", "examples": [{"a": [1, 2]}]});
    let one = |name: &str, schema: Value| object(json!({(name): schema}), &[name]);
    vec![
        always("list_towns", "Returns names, ids and years of foundation, some at a time.", list, read_only()),
        always("get_town", "Returns when a place was founded, by its id.", one("town_id", town), read_only()),
        always("read_story", "Returns a long text in parts.", object(json!({"offset": from}), &[]), read_only()),
        always("read_page", "Returns what stands under a path in a small notebook.", one("path", path), read_only()),
        always("check_link", "Returns whether an address is one of the web.", one("url", url), read_only()),
        always(
            "count_values",
            "Returns how many things an object holds at all depths.",
            one("value", value),
            read_only(),
        ),
    ]
}

/// Runs one of these tools; `None` if it is another one.
pub(super) fn run(connection: &Connection, tool: &str, arguments: &Value) -> Option<Reply> {
    let server = &connection.server;
    let said = match tool {
        "list_towns" => return list(connection, arguments),
        "get_town" => match town_of(arguments, server.deviates(Deviation::IdsInjectable)) {
            Ok(text) => text,
            Err(why) => return Some(Reply::Result(failure(&why))),
        },
        "read_story" => story(connection, arguments),
        "read_page" => {
            let path = arguments["path"].as_str().unwrap_or_default();
            if server.deviates(Deviation::PathsLeadOutside) && path.starts_with("../") {
                PASSWORDS.to_owned()
            } else if path == PATH {
                "Nothing happened today.".to_owned()
            } else {
                return Some(Reply::Result(failure(&format!("No page has this path: there is {PATH} alone."))));
            }
        }
        "check_link" => {
            let url = arguments["url"].as_str().unwrap_or_default();
            if server.deviates(Deviation::FileUrlsFollowed) && url.starts_with("file:") {
                PASSWORDS.to_owned()
            } else if url.starts_with("https://") {
                "It is a link to the web. Nobody has followed it.".to_owned()
            } else {
                return Some(Reply::Result(failure("url must begin with https://.")));
            }
        }
        "count_values" => format!("{} values.", count(&arguments["value"])),
        _ => return None,
    };
    Some(Reply::Result(json!({"content": [content::text(said)]})))
}

/// The content that a server gives that follows any path or link.
const PASSWORDS: &str = "root:x:0:0:root:/root:/bin/sh\n";

fn count(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        _ => 1,
    }
}

fn town_of(arguments: &Value, careless: bool) -> Result<String, String> {
    let id = arguments["town_id"].as_str().unwrap_or_default();
    if careless && id.contains("' OR '") {
        return Ok((1..=TOWNS).map(|number| format!("Town {number}\n")).collect());
    }
    let number = id.strip_prefix("town-").and_then(|digits| digits.parse::<u64>().ok());
    let number = number.filter(|number| (1..=TOWNS).contains(number));
    let number = number.ok_or("No town has this town_id: list_towns tells which there are.")?;
    Ok(format!("Town {number} was founded on {}.", founding_date(number)))
}

fn founding_date(number: u64) -> String {
    format!("{}-05-01", 1_100 + number)
}

fn story(connection: &Connection, arguments: &Value) -> String {
    let server = &connection.server;
    if server.deviates(Deviation::StoriesTooLong) {
        return "Once upon a time. ".repeat(1_500);
    }
    if server.deviates(Deviation::JsonBreaksOff) {
        return format!("[\"{}", "Once upon a time. ".repeat(1_200));
    }
    let (whole, part) = STORY;
    let from = arguments["offset"].as_f64().map_or(0, |offset| offset as usize).min(whole);
    let end = (from + part).min(whole);
    let text: String =
        "Once upon a time there was a server. ".chars().cycle().skip(from % 37).take(end - from).collect();
    if end == whole {
        return text;
    }
    let notice = if server.deviates(Deviation::TruncationWithoutGuidance) {
        format!("[Truncated: {from} to {end} of {whole} characters are shown.]")
    } else if server.deviates(Deviation::TruncationWithoutCount) {
        "[Truncated: go on with a larger offset.]".to_owned()
    } else {
        format!("[Truncated: {from} to {end} of {whole} characters are shown; go on with offset {end}.]")
    };
    format!("{text}\n\n{notice}")
}

fn list(connection: &Connection, arguments: &Value) -> Option<Reply> {
    let server = &connection.server;
    let given = |name: &str| arguments[name].as_f64().map(|number| number as u64);
    let limit = given("limit");
    if server.deviates(Deviation::LargestLimitUnanswered) && limit >= Some(50) {
        return Some(Reply::Later);
    }
    let default = if server.deviates(Deviation::DefaultPageTooLarge) { TOWNS } else { PAGE };
    let offset = given("offset").unwrap_or(0).min(TOWNS);
    let more = u64::from(server.deviates(Deviation::LimitExceeded) && limit.is_some());
    let end = (offset + limit.unwrap_or(default) + more).min(TOWNS);
    let stuck = server.deviates(Deviation::PagesNeverAdvance);
    let numbers: Vec<u64> = if stuck { (1..=end - offset).collect() } else { (offset + 1..=end).collect() };
    let as_json = arguments["response_format"] == "json" || server.deviates(Deviation::MarkdownIsJson);
    let text = if as_json {
        let page = page(connection, &numbers, (offset, end), limit.is_none()).to_string();
        if server.deviates(Deviation::JsonHasPrefix) { format!("Result: {page}") } else { page }
    } else {
        markdown(connection, &numbers, end)
    };
    Some(Reply::Result(json!({"content": [content::text(text)]})))
}

fn page(connection: &Connection, numbers: &[u64], (offset, end): (u64, u64), everything: bool) -> Value {
    let server = &connection.server;
    let town = |number: &u64| {
        let mut town = json!({"id": format!("town-{number}"), "name": format!("Town {number}"), "founded": founding_date(*number)});
        let lacks = match () {
            () if server.deviates(Deviation::JsonLacksIds) => Some("id"),
            () if server.deviates(Deviation::JsonInconsistent) && number.is_multiple_of(2) => Some("founded"),
            () => None,
        };
        if let (Some(member), Some(members)) = (lacks, town.as_object_mut()) {
            members.shift_remove(member);
        }
        town
    };
    let towns: Vec<Value> = numbers.iter().map(town).collect();
    let count = towns.len() + usize::from(server.deviates(Deviation::CountTooHigh));
    let total = TOWNS + u64::from(server.deviates(Deviation::TotalTooHigh));
    let said = offset + u64::from(server.deviates(Deviation::OffsetIsNext));
    let cut = everything && server.deviates(Deviation::TruncationUnflagged);
    let more = end < TOWNS && !cut;
    let mut page = json!({"towns": towns, "count": count, "total_count": total, "offset": said, "has_more": more});
    if more || server.deviates(Deviation::LastPageLeadsOn) {
        page["next_offset"] = json!(end);
    }
    let lacks: &[&str] = match () {
        () if server.deviates(Deviation::PageWithoutHasMore) => &["has_more", "next_offset"],
        () if server.deviates(Deviation::PageWithoutNextOffset) => &["next_offset"],
        () if server.deviates(Deviation::PageWithoutTotal) => &["total_count"],
        () => &[],
    };
    if let Some(members) = page.as_object_mut() {
        members.retain(|name, _| !lacks.contains(&name.as_str()));
    }
    page
}

fn markdown(connection: &Connection, numbers: &[u64], end: u64) -> String {
    let server = &connection.server;
    let plain = server.deviates(Deviation::MarkdownUnstructured);
    let (heading, mark, strong) = if plain { ("", "", "") } else { ("# ", "- ", "**") };
    let founded = |number: u64| {
        if server.deviates(Deviation::MarkdownTimestampsRaw) {
            (1_700_000_000 + number).to_string()
        } else {
            founding_date(number)
        }
    };
    let line = |number: &u64| {
        format!("{mark}{strong}Town {number}{strong} (town-{number}), founded on the date {}\n", founded(*number))
    };
    let lines: String = numbers.iter().map(line).collect();
    let rest = if end < TOWNS { format!("\nThere are {TOWNS}: go on with offset {end}.\n") } else { String::new() };
    format!("{heading}Towns\n\n{lines}{rest}")
}
