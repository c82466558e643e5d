//! The text of a new mcp-conform.toml.

use run::Target;
use serde_json::Value;
use verdict::record::Record;

const SCHEMA: &str = "https://raw.githubusercontent.com/mcp-conform/mcp-conform/main/schema/mcp-conform.schema.json";
/// Tools and prompts that are named.
const MOST: usize = 200;
/// Characters of a description.
const SHOWN: usize = 80;

/// The file.
pub(super) fn text(target: &Target, record: &Record) -> String {
    let server = format!("{} {}", record.server.name, record.server.version);
    let mut text = format!(
        "#:schema {SCHEMA}\n# What mcp-conform needs to know of {}. The command line has the last word.\n\n",
        line(server.trim())
    );
    text.push_str(&format!("target = {}\n", words(target)));
    let program = matches!(target, Target::Program { .. });
    if program {
        text.push_str("\n# The variable that holds the server's key, if it needs one: it is started once without it.\n# key_variable = \"API_KEY\"\n");
    }
    text.push_str("\n# The time limit of a request in seconds.\n# timeout = 5\n");
    text.push_str(&tools(record));
    // Tables come last: what stands behind one belongs to it.
    if !program {
        text.push_str("\n# The token for the server, from the environment:\n# [auth]\n# token = { env = \"TOKEN\" }\n");
    }
    text.push_str(&arguments(record));
    text.push_str("\n# Calls that bring about what some requirements wait for (docs/contract.md has them all):\n# [triggers]\n# slow = { call = \"TOOL\", arguments = {} }\n# times_out = { call = \"TOOL\" }\n");
    text.push_str("\n# Requirements that are taken more or less seriously here, with the reason:\n# [[level]]\n# requirement = \"practice.tool.description-present\"\n# level = \"must\"\n# reason = \"our agents choose tools by their descriptions\"\n");
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

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

/// Text in a comment: one line, nothing that TOML forbids there.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let kept: String = text.chars().take(SHOWN).collect();
    if kept.len() < text.len() { format!("{kept}...") } else { kept }
}

/// Which tools are called, and which are not unless they are named.
fn tools(record: &Record) -> String {
    let name = |tool: &Value| tool.get("name").and_then(Value::as_str).map(str::to_owned);
    let held: Vec<&Value> = record
        .tools
        .iter()
        .filter(|tool| {
            name(tool).is_some_and(|name| record.not_called.contains(&name))
                && !run::Options::default().may_call("", tool)
        })
        .take(MOST)
        .collect();
    if held.is_empty() {
        return never(record);
    }
    let mut text = "\n# Tools are called if the server marks them as harmless. These are not marked so: those without `#` are called.\ntools = [\n".to_owned();
    for tool in held {
        let said = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        let destructive = tool.pointer("/annotations/destructiveHint") == Some(&Value::Bool(true));
        let warning = if destructive { "destructive: " } else { "" };
        let row = format!("    # {},  # {warning}{}", quoted(&name(tool).unwrap_or_default()), line(said));
        text.push_str(row.trim_end_matches(['#', ' ']));
        text.push('\n');
    }
    text + "]\n" + &never(record)
}

/// The tools that may be called although they add something: a folder that fills with files is a surprise.
fn never(record: &Record) -> String {
    let adds = |tool: &&Value| {
        tool.pointer("/annotations/destructiveHint") == Some(&Value::Bool(false))
            && tool.pointer("/annotations/readOnlyHint") != Some(&Value::Bool(true))
            && run::Options::default().may_call("", tool)
    };
    let adding = record.tools.iter().filter(adds).take(MOST);
    let names: Vec<String> = adding.filter_map(|tool| Some(quoted(tool.get("name")?.as_str()?))).collect();
    if names.is_empty() {
        return "\n# Tools that are never called:\n# never = [\"...\"]\n".to_owned();
    }
    let names = names.join(", ");
    format!(
        "\n# Tools that are never called. These say that they destroy nothing, and may still add something:\n# never = [{names}]\n"
    )
}

/// Sample arguments that somebody may want to give: required strings that say nothing of what they hold.
fn arguments(record: &Record) -> String {
    let mut text = String::new();
    for tool in record.tools.iter().take(MOST) {
        let open = open(tool);
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
    format!("\n# Arguments that a tool can do something with, where generated ones would only be refused:\n{text}")
}

fn open(tool: &Value) -> Vec<(String, String)> {
    let schema = tool.get("inputSchema");
    let required = schema.and_then(|schema| schema.get("required")?.as_array()).cloned().unwrap_or_default();
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let members = properties.into_iter().flatten().filter(|(name, _)| required.iter().any(|own| own == name.as_str()));
    let free = members.filter(|(_, schema)| {
        let told = ["enum", "const", "default", "examples", "pattern", "format"];
        schema.get("type").and_then(Value::as_str) == Some("string") && told.iter().all(|key| schema.get(key).is_none())
    });
    let said = |schema: &Value| schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    free.map(|(name, schema)| (name.clone(), said(schema))).collect()
}
