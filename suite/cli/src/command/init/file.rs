//! The text of a new mcp-conform.toml.

use run::{Calls, Target};
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
        comment_text(server.trim())
    );
    text.push_str(&format!("target = {}\n", target_value(target)));
    let program = matches!(target, Target::Program { .. });
    if program {
        text.push_str("\n# Environment variable with the server's API key, if it needs one: the server is started once without it.\n# key_variable = \"API_KEY\"\n");
    }
    text.push_str("\n# The exit code is decided by what is yours. Remove this line to fail on what your SDK is to blame for, too.\naccept_sdk = true\n");
    text.push_str("\n# Time limit for each request, in seconds.\n# timeout = 5\n");
    text.push_str("\n# Where your users are: reports say what these do not take, though the specification allows it (`mcp-conform hosts`).\n# hosts = [\"claude-code\", \"vscode\", \"openai-api\"]\n");
    text.push_str(&tools_setting(record));
    // Tables come last: all keys below a table header belong to the table.
    if !program {
        text.push_str(
            "\n# Environment variable with the token for the server:\n# [auth]\n# token = { env = \"TOKEN\" }\n",
        );
    }
    text.push_str(&argument_tables(record));
    text.push_str("\n# Calls that trigger what some requirements wait for (docs/contract.md lists them all):\n# [triggers]\n# slow = { call = \"TOOL\", arguments = {} }\n# times_out = { call = \"TOOL\" }\n");
    text.push_str("\n# Requirements with a different level for this server, with the reason:\n# [[level]]\n# requirement = \"practice.tool.description-present\"\n# level = \"must\"\n# reason = \"our agents choose tools by their descriptions\"\n");
    text
}

fn target_value(target: &Target) -> String {
    match target {
        Target::Program { program, args } => {
            let words: Vec<String> = std::iter::once(program).chain(args).map(|word| toml_string(word)).collect();
            format!("[{}]", words.join(", "))
        }
        Target::Url(url) | Target::Stream(url) => toml_string(url.as_str()),
    }
}

/// Returns a TOML string.
fn toml_string(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Returns text for a comment: one line, without characters that TOML forbids there.
fn comment_text(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let kept: String = text.chars().take(SHOWN).collect();
    if kept.len() < text.len() { format!("{kept}...") } else { kept }
}

/// Returns the settings that say which tools are called: those of the server that a run leaves out are listed.
fn tools_setting(record: &Record) -> String {
    let withheld: Vec<&Value> = record.tools.iter().filter(|tool| !Calls::ReadOnly.allow(tool)).take(MOST).collect();
    let never = "\n# Tools never to call:\n# never = [\"...\"]\n";
    if withheld.is_empty() {
        return never.to_owned();
    }
    let mut text = "\n# Only tools that the server marks as read-only are called. These are not: remove the `#` to call one anyway.\n# calls = \"additive\" calls all that are marked as not destructive; they may add files, messages or issues.\ntools = [\n".to_owned();
    for tool in withheld {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        let row = format!("    # {},  # {}{}", toml_string(name), warning(tool), comment_text(description));
        text.push_str(row.trim_end_matches(['#', ' ']));
        text.push('\n');
    }
    text + "]\n" + never
}

/// What the server itself says of a tool that may change something.
fn warning(tool: &Value) -> &'static str {
    match tool.pointer("/annotations/destructiveHint").and_then(Value::as_bool) {
        Some(true) => "destructive: ",
        Some(false) => "not destructive: ",
        None => "",
    }
}

/// Returns tables for sample arguments: required strings whose schema does not describe the value.
fn argument_tables(record: &Record) -> String {
    let mut text = String::new();
    for tool in record.tools.iter().take(MOST) {
        let open = undescribed_strings(tool);
        let Some(name) = tool.get("name").and_then(Value::as_str).filter(|_| !open.is_empty()) else { continue };
        text.push_str(&format!("# [arguments.{}]\n", toml_edit::Key::new(name)));
        for (member, said) in open {
            text.push_str(
                format!("# {} = \"\"  # {}", toml_edit::Key::new(&member), comment_text(&said))
                    .trim_end_matches(['#', ' ']),
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
