//! The text of a new mcp-conform.toml.

use run::Target;
use serde_json::Value;
use verdict::record::Record;

const SCHEMA: &str = "https://raw.githubusercontent.com/mcp-conform/mcp-conform/main/schema/mcp-conform.schema.json";
/// Limit of tools that the file names.
const MOST: usize = 200;
/// Characters shown of a description.
const SHOWN: usize = 80;

/// Returns the text of the file.
pub(super) fn text(target: &Target, record: &Record) -> String {
    let server = format!("{} {}", record.server.name, record.server.version);
    let mut text = format!(
        "#:schema {SCHEMA}\n# Configuration of mcp-conform for {}. The command line takes precedence.\n\n",
        line(server.trim())
    );
    text.push_str(&format!("target = {}\n", words(target)));
    let program = matches!(target, Target::Program { .. });
    if program {
        text.push_str("\n# Environment variable with the server's API key, if it needs one: the server is started once without it.\n# key_variable = \"API_KEY\"\n");
    }
    text.push_str("\n# Time limit for each request, in seconds.\n# timeout = 5\n");
    text.push_str(&tools(record));
    // Tables come last: all keys below a table header belong to the table.
    if !program {
        text.push_str(
            "\n# Environment variable with the token for the server:\n# [auth]\n# token = { env = \"TOKEN\" }\n",
        );
    }
    text.push_str(&arguments(record));
    text.push_str("\n# Calls that trigger what some requirements wait for (docs/contract.md lists them all):\n# [triggers]\n# slow = { call = \"TOOL\", arguments = {} }\n# times_out = { call = \"TOOL\" }\n");
    text.push_str("\n# Requirements with a different level for this server, with the reason:\n# [[level]]\n# requirement = \"practice.tool.description-present\"\n# level = \"must\"\n# reason = \"our agents choose tools by their descriptions\"\n");
    text
}

fn words(target: &Target) -> String {
    match target {
        Target::Program { program, args } => {
            let words: Vec<String> = std::iter::once(program).chain(args).map(|word| quoted(word)).collect();
            format!("[{}]", words.join(", "))
        }
        Target::Url(url) | Target::Stream(url) => quoted(url.as_str()),
    }
}

/// Returns a TOML string.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Returns text for a comment: one line, without characters that TOML forbids there.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let kept: String = text.chars().take(SHOWN).collect();
    if kept.len() < text.len() { format!("{kept}...") } else { kept }
}

/// Returns the setting that lists tools to call even though the server does not mark them as harmless.
fn tools(record: &Record) -> String {
    let name = |tool: &Value| tool.get("name").and_then(Value::as_str).map(str::to_owned);
    let withheld: Vec<&Value> = record
        .tools
        .iter()
        .filter(|tool| {
            name(tool).is_some_and(|name| record.not_called.contains(&name))
                && !run::Options::default().may_call("", tool)
        })
        .take(MOST)
        .collect();
    if withheld.is_empty() {
        return never(record);
    }
    let mut text = "\n# Only tools that the server marks as harmless are called. These are not: remove the `#` to call one anyway.\ntools = [\n".to_owned();
    for tool in withheld {
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        let destructive = tool.pointer("/annotations/destructiveHint") == Some(&Value::Bool(true));
        let warning = if destructive { "destructive: " } else { "" };
        let row = format!("    # {},  # {warning}{}", quoted(&name(tool).unwrap_or_default()), line(description));
        text.push_str(row.trim_end_matches(['#', ' ']));
        text.push('\n');
    }
    text + "]\n" + &never(record)
}

/// Returns the setting for tools never to call. It lists tools that are called by default but may add data, so that a folder
/// filling with files is no surprise.
fn never(record: &Record) -> String {
    let adds = |tool: &&Value| {
        tool.pointer("/annotations/destructiveHint") == Some(&Value::Bool(false))
            && tool.pointer("/annotations/readOnlyHint") != Some(&Value::Bool(true))
            && run::Options::default().may_call("", tool)
    };
    let adding = record.tools.iter().filter(adds).take(MOST);
    let names: Vec<String> = adding.filter_map(|tool| Some(quoted(tool.get("name")?.as_str()?))).collect();
    if names.is_empty() {
        return "\n# Tools never to call:\n# never = [\"...\"]\n".to_owned();
    }
    let names = names.join(", ");
    format!(
        "\n# Tools never to call. The server marks these as not destructive, but they may still add data:\n# never = [{names}]\n"
    )
}

/// Returns tables for sample arguments: required strings whose schema does not describe the value.
fn arguments(record: &Record) -> String {
    let mut text = String::new();
    for tool in record.tools.iter().take(MOST) {
        let open = undescribed_strings(tool);
        let Some(name) = tool.get("name").and_then(Value::as_str).filter(|_| !open.is_empty()) else { continue };
        text.push_str(&format!("# [arguments.{}]\n", toml_edit::Key::new(name)));
        for (member, said) in open {
            text.push_str(
                format!("# {} = \"\"  # {}", toml_edit::Key::new(&member), line(&said)).trim_end_matches(['#', ' ']),
            );
            text.push('\n');
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("\n# Sample arguments, for tools that would only reject generated ones:\n{text}")
}

fn undescribed_strings(tool: &Value) -> Vec<(String, String)> {
    let schema = tool.get("inputSchema");
    let required = schema.and_then(|schema| schema.get("required")?.as_array()).cloned().unwrap_or_default();
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let members = properties.into_iter().flatten().filter(|(name, _)| required.iter().any(|own| own == name.as_str()));
    let free = members.filter(|(_, schema)| {
        let describing = ["enum", "const", "default", "examples", "pattern", "format"];
        schema.get("type").and_then(Value::as_str) == Some("string")
            && describing.iter().all(|key| schema.get(key).is_none())
    });
    let said = |schema: &Value| schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    free.map(|(name, schema)| (name.clone(), said(schema))).collect()
}
