//! The inputs, made from what the schemas of tools say of their parameters.

use serde_json::{Value, json};

use super::super::{normalized_name, properties};
use super::Input;
use crate::Tool;

/// Tools that get inputs of one sort.
const TOOLS: usize = 3;
/// Steps up: more than any path is deep.
const STEPS: usize = 16;
/// Text from a file that every Unix system has (`/etc/passwd`); no path or URL that is sent contains it.
const PASSWD: &str = ":0:0:";
/// The text that a shell, and nothing else, makes of the words in [`shells`].
const PRINTED: &str = "mcpconform7319";
/// The member that is set on the prototype that all JavaScript objects share.
const POLLUTED: &str = "mcpConformPolluted";
/// Stands where an escape is written.
const PLACE: &str = "mcp-conform-place";
/// A text that is large.
const LARGE: usize = 1 << 20;
/// Entries of a list that is large.
const ENTRIES: usize = 100_000;
/// Levels of what is deep.
const LEVELS: usize = 1_000;

/// One group a tool and requirement, an innocent call first.
pub(super) fn groups(tools: &[(&Tool, Value)]) -> Vec<Vec<Input>> {
    let mut groups = Vec::new();
    groups.extend(each(tools, is_path).map(paths));
    groups.extend(
        each(tools, |tool, name, schema| is_text(schema) && !is_shell(tool) && !is_path(tool, name, schema))
            .map(commands),
    );
    groups.extend(each(tools, is_url).map(urls));
    groups.extend(each(tools, is_id).map(ids));
    groups.extend(each(tools, |_, _, schema| is_text(schema) || kind(schema) == Some("array")).map(large));
    groups.extend(each(tools, is_count).map(ranges));
    groups.extend(each(tools, |_, _, schema| is_loose(schema)).map(deep));
    groups.extend(each(tools, |_, _, schema| is_text(schema)).map(characters));
    groups.extend(tools.iter().take(TOOLS).map(|(tool, valid)| prototypes(tool, valid)));
    groups
}

/// A tool, arguments that fit it, and one of its parameters.
struct Slot<'t> {
    tool: &'t Tool,
    valid: &'t Value,
    name: &'t str,
    schema: &'t Value,
}

impl Slot<'_> {
    fn input(&self, of: &'static str, kind: &'static str, token: &'static str, value: Value) -> Input {
        let mut arguments = self.valid.clone();
        arguments[self.name] = value;
        Input { of, tool: self.tool.name.clone(), kind, token, arguments, escape: None }
    }

    fn innocent(&self, of: &'static str, token: &'static str) -> Input {
        Input { of, tool: self.tool.name.clone(), kind: "control", token, arguments: self.valid.clone(), escape: None }
    }
}

/// The first parameter of each tool that is of a sort.
fn each<'t>(
    tools: &'t [(&'t Tool, Value)],
    is: impl Fn(&Tool, &str, &Value) -> bool,
) -> impl Iterator<Item = Slot<'t>> {
    let slot = move |(tool, valid): &'t (&'t Tool, Value)| {
        let (name, schema) = properties(tool).find(|(name, schema)| is(tool, name, schema))?;
        Some(Slot { tool, valid, name, schema })
    };
    tools.iter().filter_map(slot).take(TOOLS)
}

fn kind(schema: &Value) -> Option<&str> {
    schema.get("type").and_then(Value::as_str)
}

/// Any text fits.
fn is_text(schema: &Value) -> bool {
    let free = ["enum", "const", "pattern", "format"].iter().all(|word| schema.get(word).is_none());
    kind(schema) == Some("string")
        && free
        && schema.get("maxLength").and_then(Value::as_u64).is_none_or(|length| length >= 100)
}

fn is_path(_: &Tool, name: &str, schema: &Value) -> bool {
    let name = normalized_name(name);
    let speaks = ["path", "filename", "filepath", "directory", "folder"].iter().any(|word| name.ends_with(word));
    kind(schema) == Some("string")
        && schema.get("enum").is_none()
        && (speaks || ["file", "dir"].contains(&name.as_str()))
}

fn is_url(_: &Tool, name: &str, schema: &Value) -> bool {
    let name = normalized_name(name);
    let format = schema.get("format").and_then(Value::as_str);
    kind(schema) == Some("string")
        && (matches!(format, Some("uri" | "url")) || name.ends_with("url") || name.ends_with("uri"))
}

fn is_id(_: &Tool, name: &str, schema: &Value) -> bool {
    let named = name == "id" || ["_id", "-id", "Id", "ID"].iter().any(|end| name.ends_with(end));
    named && kind(schema) == Some("string") && schema.get("enum").is_none()
}

fn is_count(_: &Tool, name: &str, schema: &Value) -> bool {
    const NAMES: [&str; 9] = ["limit", "offset", "page", "count", "size", "pagesize", "perpage", "maxresults", "top"];
    matches!(kind(schema), Some("integer" | "number")) && NAMES.contains(&normalized_name(name).as_str())
}

/// Objects or lists of anything.
fn is_loose(schema: &Value) -> bool {
    match kind(schema) {
        Some("object") => {
            schema.get("properties").is_none() && schema.get("additionalProperties") != Some(&json!(false))
        }
        Some("array") => schema.get("items").is_none_or(|items| *items == json!({}) || *items == json!(true)),
        None => *schema == json!({}) || *schema == json!(true),
        _ => false,
    }
}

/// It is there to run commands.
fn is_shell(tool: &Tool) -> bool {
    const WORDS: [&str; 9] = ["exec", "shell", "command", "bash", "terminal", "eval", "script", "python", "code"];
    let description = tool.definition.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let name = tool.name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word) || description.contains(word))
}

fn paths(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.path-traversal";
    let ways = [
        ("control", "/etc/passwd".to_owned()),
        ("dots", format!("{}etc/passwd", "../".repeat(STEPS))),
        ("dots behind a folder", format!("./x/{}etc/passwd", "../".repeat(STEPS))),
        ("dots in dots", format!("{}etc/passwd", "....//".repeat(STEPS))),
        ("encoded", format!("{}etc%2fpasswd", "%2e%2e%2f".repeat(STEPS))),
        ("backslashes", format!("{}etc\\passwd", "..\\".repeat(STEPS))),
    ];
    ways.into_iter().map(|(kind, path)| slot.input(OF, kind, PASSWD, json!(path))).collect()
}

fn commands(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.command-injection";
    let mut inputs = vec![slot.innocent(OF, PRINTED)];
    inputs.extend(shells().map(|(kind, text)| slot.input(OF, kind, PRINTED, json!(text))));
    inputs
}

/// Returns inputs with a shell's syntax; what a shell prints for them is nowhere in what is sent.
fn shells() -> [(&'static str, &'static str); 5] {
    [
        ("$()", "x $(printf 'mcpconf%s' orm7319)"),
        ("backticks", "x `printf 'mcpconf%s' orm7319`"),
        (";", "x; printf 'mcpconf%s' orm7319"),
        ("|", "x | printf 'mcpconf%s' orm7319"),
        ("quotes", "x\"; printf 'mcpconf%s' orm7319 #"),
    ]
}

fn urls(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.url-validated";
    let urls = [
        ("file", "file:///etc/passwd"),
        ("file with a host", "file://localhost/etc/passwd"),
        ("javascript", "javascript:1"),
    ];
    urls.into_iter().map(|(kind, url)| slot.input(OF, kind, PASSWD, json!(url))).collect()
}

fn ids(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.id-validated";
    let long = "9".repeat(10_000);
    let values = [
        ("control", "mcp-conform-no-such-id"),
        ("empty", ""),
        ("long", &long),
        ("negative", "-1"),
        ("quotes", "' OR '1'='1"),
        ("quotes, double", "\" OR \"1\"=\"1"),
        ("control characters", "a\u{1}b\r\nc"),
    ];
    values.into_iter().map(|(kind, value)| slot.input(OF, kind, "", json!(value))).collect()
}

fn large(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.oversized";
    let (kind, value) = if kind(slot.schema) == Some("array") {
        ("100,000 entries", json!(vec![1; ENTRIES]))
    } else {
        ("1 MiB of text", json!("x".repeat(LARGE)))
    };
    vec![slot.innocent(OF, ""), slot.input(OF, kind, "", value)]
}

fn ranges(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.ranges";
    let numbers: [(&str, i64); 4] = [("-1", -1), ("0", 0), ("2^31", 1 << 31), ("2^53", 1 << 53)];
    let mut inputs = vec![slot.innocent(OF, "")];
    inputs.extend(numbers.into_iter().map(|(kind, number)| slot.input(OF, kind, "", json!(number))));
    inputs
}

fn deep(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.deep-nesting";
    const ARRAYS: &str = "mcp-conform-arrays";
    let mut inputs = vec![slot.innocent(OF, "")];
    let mut input = slot.input(OF, "1,000 lists in lists", "", json!([ARRAYS]));
    if kind(slot.schema) == Some("object") {
        input = slot.input(OF, "1,000 lists in lists", "", json!({"x": ARRAYS}));
    }
    input.escape = Some(("\"mcp-conform-arrays\"", nested()));
    inputs.push(input);
    inputs
}

/// Written as text: nothing here need take a value so deep apart.
fn nested() -> &'static str {
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    TEXT.get_or_init(|| format!("{}{}", "[".repeat(LEVELS), "]".repeat(LEVELS)))
}

fn characters(slot: Slot<'_>) -> Vec<Input> {
    const OF: &str = "practice.input.unicode";
    let texts = [
        ("half a surrogate pair", "a\\ud800b"),
        ("a pair the wrong way round", "\\udc00\\ud800"),
        ("NUL", "a\\u0000b"),
        ("right-to-left marks", "a\\u202eb\\u200f"),
        ("combining marks", "Z\\u0351\\u036b\\u0343"),
        ("emoji", "\\ud83d\\udc69\\u200d\\ud83d\\udcbb"),
    ];
    let mut inputs = vec![slot.innocent(OF, "")];
    inputs.extend(texts.into_iter().map(|(kind, text)| {
        let mut input = slot.input(OF, kind, "", json!(PLACE));
        input.escape = Some((PLACE, text));
        input
    }));
    inputs
}

fn prototypes(tool: &Tool, valid: &Value) -> Vec<Input> {
    const OF: &str = "practice.input.prototype-keys";
    let with =
        |kind, arguments| Input { of: OF, tool: tool.name.clone(), kind, token: POLLUTED, arguments, escape: None };
    let mut polluting = valid.clone();
    polluting["__proto__"] = json!({(POLLUTED): true});
    polluting["constructor"] = json!({"prototype": {(POLLUTED): true}});
    vec![with("control", valid.clone()), with("keys", polluting), with("after", valid.clone())]
}
