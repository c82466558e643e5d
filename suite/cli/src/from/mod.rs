//! Servers by the name that a client's configuration has for them: `.mcp.json`, `mcp.json` of editors,
//! `claude_desktop_config.json`, and `server.json` of the MCP registry.

mod expand;
mod jsonc;
mod registry;

use std::path::Path;

use run::{Choice, Target};
use serde_json::Value;

use crate::failure::Failure;
use crate::globs::nearest;
use crate::stored;

/// A server as a file describes it.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The command.
    pub(crate) words: Vec<String>,
    /// The URL instead.
    pub(crate) url: Option<String>,
    /// The URL is that of a stream of HTTP+SSE.
    pub(crate) streams: bool,
    /// Variables for the command.
    pub(crate) env: Vec<(String, String)>,
    /// The folder that the command runs in.
    pub(crate) folder: Option<String>,
    /// Headers for the URL.
    pub(crate) headers: Vec<(String, String)>,
}

/// The server of this name; without a name the only one.
pub(crate) fn entry(path: &Path, name: Option<&str>) -> Result<Entry, Failure> {
    let refuse = |reason: String| Failure::file("use", path, reason);
    let text = jsonc::plain(&stored::text(path)?);
    let document: Value = serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))?;
    let mut found = entries(&document);
    if found.is_empty() {
        let wanted = "it names no servers: none of `mcpServers`, `servers`, `packages`, `remotes` is in it";
        return Err(refuse(wanted.to_owned()));
    }
    let names: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    let at = match name {
        Some(name) => names.iter().position(|own| own == name).ok_or_else(|| refuse(unknown(name, &names)))?,
        None if names.len() == 1 => 0,
        None => return Err(refuse(format!("it names several servers, say which: {}", names.join(", ")))),
    };
    let (name, entry) = found.swap_remove(at);
    entry.map_err(|reason| refuse(format!("`{name}`: {reason}")))
}

fn unknown(name: &str, names: &[String]) -> String {
    let near = nearest(name, names.iter().map(String::as_str), 1);
    match near.first() {
        Some(near) => format!("it names no server `{name}`; did you mean `{near}`?"),
        None => format!("it names no server `{name}`; there is {}", names.join(", ")),
    }
}

type Found = Vec<(String, Result<Entry, String>)>;

fn entries(document: &Value) -> Found {
    // Some editors keep servers among their other settings.
    let places = ["/mcpServers", "/servers", "/mcp/servers", "/context_servers"];
    let maps = places.iter().filter_map(|place| document.pointer(place)?.as_object());
    let variable = |name: &str| std::env::var(name).ok();
    let found: Found = maps.flatten().map(|(name, value)| (name.clone(), client(value, &variable))).collect();
    if found.is_empty() { registry::entries(document) } else { found }
}

/// An entry as clients write it.
fn client(value: &Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<Entry, String> {
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
    let mut entry = Entry { env: pairs("env")?, headers: pairs("headers")?, folder: text("cwd")?, ..Entry::default() };
    if let Some(url) = text("url")?.or(text("serverUrl")?).or(text("httpUrl")?) {
        entry.streams = kind.as_deref() == Some("sse");
        entry.url = Some(url);
        return Ok(entry);
    }
    let command = text("command")?.ok_or("it has neither a command nor a url")?;
    entry.words.push(command);
    for word in value.get("args").and_then(Value::as_array).into_iter().flatten() {
        let word = word.as_str().ok_or("one of its args is no string")?;
        entry.words.push(expand::expand(word, variable)?);
    }
    Ok(entry)
}

impl Entry {
    /// As a run takes it.
    pub(crate) fn target(&self) -> Result<Target, Failure> {
        let target = Target::parse(self.url.as_deref(), &self.words)?;
        Ok(if self.streams { target.over(Choice::Sse)? } else { target })
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
        let entry = client(&local, &variable).expect("a command");
        assert_eq!(entry.words, ["npx", "-y", "x"]);
        assert_eq!((entry.env, entry.folder), (vec![("A".to_owned(), "secret".to_owned())], Some("sub".to_owned())));
        let remote =
            json!({"type": "sse", "url": "https://x.example/sse", "headers": {"Authorization": "Bearer ${KEY}"}});
        let entry = client(&remote, &variable).expect("a url");
        assert!(entry.streams && entry.headers[0].1 == "Bearer secret");
        assert!(client(&json!({"args": []}), &variable).is_err());
    }

    #[test]
    fn servers_are_found_under_every_name_that_clients_have_for_them() {
        for place in
            [json!({"mcpServers": {"a": {}}}), json!({"servers": {"a": {}}}), json!({"mcp": {"servers": {"a": {}}}})]
        {
            assert_eq!(entries(&place).len(), 1, "{place}");
        }
        assert!(unknown("githob", &["github".to_owned()]).contains("did you mean `github`?"));
    }
}
