//! `--from FILE`: finds servers by name in client configuration files (`.mcp.json`, `mcp.json` of editors,
//! `claude_desktop_config.json`) and in `server.json` of the MCP registry.

mod expand;
mod jsonc;
mod registry;

use std::path::Path;

use run::{Choice, Target};
use serde_json::Value;

use crate::failure::Failure;
use crate::files;
use crate::similar::nearest;

/// A server as a configuration file describes it.
#[derive(Debug, Default)]
pub(crate) struct ServerEntry {
    /// The command and its arguments.
    pub(crate) words: Vec<String>,
    /// The URL, if there is no command.
    pub(crate) url: Option<String>,
    /// Whether the URL is the event stream of HTTP+SSE.
    pub(crate) is_sse: bool,
    /// Environment variables for the command.
    pub(crate) env: Vec<(String, String)>,
    /// The working directory of the command.
    pub(crate) folder: Option<String>,
    /// Headers for the URL.
    pub(crate) headers: Vec<(String, String)>,
}

/// Returns the server with this name; without a name, the only server in the file.
pub(crate) fn find_server(path: &Path, name: Option<&str>) -> Result<ServerEntry, Failure> {
    let refuse = |reason: String| Failure::file("use", path, reason);
    let document = document(path)?;
    let mut found = servers(&document);
    if found.is_empty() {
        let wanted = "it lists no servers: none of `mcpServers`, `servers`, `packages` and `remotes` is present";
        return Err(refuse(wanted.to_owned()));
    }
    let names: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    let at = match name {
        Some(name) => {
            names.iter().position(|known| known == name).ok_or_else(|| refuse(unknown_server(name, &names)))?
        }
        None if names.len() == 1 => 0,
        None => return Err(refuse(format!("it lists several servers; name one of them: {}", names.join(", ")))),
    };
    let (name, entry) = found.swap_remove(at);
    entry.map_err(|reason| refuse(format!("`{name}`: {reason}")))
}

/// Returns the names of the servers in a file; none if it cannot be read.
pub(crate) fn names(path: &Path) -> Vec<String> {
    let found = document(path).map_or_else(|_| vec![], |document| servers(&document));
    found.into_iter().map(|(name, _)| name).collect()
}

/// Reads a file, with comments or without.
fn document(path: &Path) -> Result<Value, Failure> {
    let text = jsonc::to_json(&files::read_text(path)?);
    serde_json::from_str(&text).map_err(|error| Failure::file("use", path, error))
}

fn unknown_server(name: &str, names: &[String]) -> String {
    let near = nearest(name, names.iter().map(String::as_str), 1);
    match near.first() {
        Some(near) => format!("it lists no server `{name}`; did you mean `{near}`?"),
        None => format!("it lists no server `{name}`, only {}", names.join(", ")),
    }
}

type NamedServers = Vec<(String, Result<ServerEntry, String>)>;

fn servers(document: &Value) -> NamedServers {
    // Some editors keep servers among other settings.
    let places = ["/mcpServers", "/servers", "/mcp/servers", "/context_servers"];
    let maps = places.iter().filter_map(|place| document.pointer(place)?.as_object());
    let variable = |name: &str| std::env::var(name).ok();
    let found: NamedServers =
        maps.flatten().map(|(name, value)| (name.clone(), client_entry(value, &variable))).collect();
    if found.is_empty() { registry::servers(document) } else { found }
}

/// Parses an entry of a client's configuration.
fn client_entry(value: &Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<ServerEntry, String> {
    let text =
        |name: &str| value.get(name).and_then(Value::as_str).map(|text| expand::expand(text, variable)).transpose();
    let pairs = |name: &str| -> Result<Vec<(String, String)>, String> {
        let members = value.get(name).and_then(Value::as_object).into_iter().flatten();
        members
            .filter_map(|(name, value)| Some((name, value.as_str()?)))
            .map(|(name, value)| Ok((name.clone(), expand::expand(value, variable)?)))
            .collect()
    };
    let kind = text("type")?.or(text("transport")?);
    let mut entry =
        ServerEntry { env: pairs("env")?, headers: pairs("headers")?, folder: text("cwd")?, ..ServerEntry::default() };
    if let Some(url) = text("url")?.or(text("serverUrl")?).or(text("httpUrl")?) {
        entry.is_sse = kind.as_deref() == Some("sse");
        entry.url = Some(url);
        return Ok(entry);
    }
    let command = text("command")?.ok_or("it has neither a `command` nor a `url`")?;
    entry.words.push(command);
    for word in value.get("args").and_then(Value::as_array).into_iter().flatten() {
        let word = word.as_str().ok_or("an item of `args` is not a string")?;
        entry.words.push(expand::expand(word, variable)?);
    }
    Ok(entry)
}

impl ServerEntry {
    /// Returns the target of a run.
    pub(crate) fn target(&self) -> Result<Target, Failure> {
        let target = Target::parse(self.url.as_deref(), &self.words)?;
        Ok(if self.is_sse { target.over(Choice::Sse)? } else { target })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn servers_of_clients_are_read() {
        let variable = |name: &str| (name == "KEY").then(|| "secret".to_owned());
        let local = json!({"command": "npx", "args": ["-y", "x"], "env": {"A": "${KEY}"}, "cwd": "sub"});
        let entry = client_entry(&local, &variable).expect("a command");
        assert_eq!(entry.words, ["npx", "-y", "x"]);
        assert_eq!((entry.env, entry.folder), (vec![("A".to_owned(), "secret".to_owned())], Some("sub".to_owned())));
        let remote =
            json!({"type": "sse", "url": "https://x.example/sse", "headers": {"Authorization": "Bearer ${KEY}"}});
        let entry = client_entry(&remote, &variable).expect("a url");
        assert!(entry.is_sse && entry.headers[0].1 == "Bearer secret");
        assert!(client_entry(&json!({"args": []}), &variable).is_err());
    }

    #[test]
    fn servers_are_found_under_every_name_that_clients_have_for_them() {
        for place in
            [json!({"mcpServers": {"a": {}}}), json!({"servers": {"a": {}}}), json!({"mcp": {"servers": {"a": {}}}})]
        {
            assert_eq!(servers(&place).len(), 1, "{place}");
        }
        assert!(unknown_server("githob", &["github".to_owned()]).contains("did you mean `github`?"));
    }
}
