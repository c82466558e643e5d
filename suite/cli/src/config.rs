//! The configuration file `mcp-conform.toml`: what a server needs that a command line would be too short for.
//!
//! Every complaint names line and column and shows the place.

mod blame;
mod value;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use run::{Calls, Trigger, Triggers};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use blame::{Blame, Source};
use value::{json, string, strings, table};

/// Read when no other file is named and this one is there.
pub(crate) const DEFAULT: &str = "mcp-conform.toml";

const KEYS: [&str; 7] = ["calls", "tools", "never", "timeout", "headers_env", "triggers", "arguments"];
const TRIGGERS: [&str; 3] = ["tools_list_changed", "prompts_list_changed", "resources_list_changed"];

/// What the file says. The command line has the last word.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// Which tools may be called.
    pub(crate) calls: Option<Calls>,
    /// Tools allowed by name.
    pub(crate) tools: Vec<String>,
    /// Tools never to be called.
    pub(crate) never: Vec<String>,
    /// The time limit of a request.
    pub(crate) timeout: Option<Duration>,
    /// Headers by name, the environment variable that holds the value of each.
    pub(crate) headers_env: Vec<(String, String)>,
    /// How changes are brought about.
    pub(crate) triggers: Triggers,
    /// Sample arguments by tool.
    pub(crate) arguments: BTreeMap<String, Value>,
}

impl Config {
    /// Reads the named file, or the default one if it is there.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let path = named.unwrap_or(Path::new(DEFAULT));
        if named.is_none() && !path.exists() {
            return Ok(Self::default());
        }
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, error))?;
        let text = String::from_utf8(bytes).map_err(|_| Failure::file("read", path, "it is not UTF-8"))?;
        let source = Source { name: &path.display().to_string(), text: &text };
        Self::parse(&text).map_err(|blame| Failure::Usage(blame.render(&source)))
    }

    fn parse(text: &str) -> Result<Self, Blame> {
        let document = DeTable::parse(text).map_err(|error| Blame::syntax(&error))?;
        let mut config = Self::default();
        for (key, value) in document.get_ref() {
            config.take(key, value)?;
        }
        Ok(config)
    }

    fn take(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) -> Result<(), Blame> {
        match key.get_ref().as_ref() {
            "calls" => self.calls = Some(calls(value)?),
            "tools" => self.tools = strings(value)?,
            "never" => self.never = strings(value)?,
            "timeout" => self.timeout = Some(seconds(value)?),
            "headers_env" => self.headers_env = variables(value)?,
            "triggers" => self.triggers = triggers(value)?,
            "arguments" => self.arguments = arguments(value)?,
            other => return Err(Blame::unknown(key.span(), other, &KEYS)),
        }
        Ok(())
    }
}

fn calls(value: &Spanned<DeValue<'_>>) -> Result<Calls, Blame> {
    match string(value)? {
        "safe" => Ok(Calls::Safe),
        "all" => Ok(Calls::All),
        "none" => Ok(Calls::None),
        _ => Err(Blame::new(value.span(), "wrong value", "one of \"safe\", \"all\", \"none\"")),
    }
}

fn seconds(value: &Spanned<DeValue<'_>>) -> Result<Duration, Blame> {
    let wrong = || Blame::new(value.span(), "wrong value", "a number of seconds above 0, as 5 or 0.5");
    let number: f64 = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().map_err(|_| wrong())?,
        DeValue::Float(number) => number.as_str().parse().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    super::command::run::seconds(&number.to_string()).map_err(|_| wrong())
}

fn variables(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, String)>, Blame> {
    let headers = table(value)?.iter();
    headers.map(|(name, variable)| Ok((name.get_ref().to_string(), string(variable)?.to_owned()))).collect()
}

fn triggers(value: &Spanned<DeValue<'_>>) -> Result<Triggers, Blame> {
    let mut triggers = Triggers::default();
    for (key, value) in table(value)? {
        let slot = match key.get_ref().as_ref() {
            "tools_list_changed" => &mut triggers.tools_list_changed,
            "prompts_list_changed" => &mut triggers.prompts_list_changed,
            "resources_list_changed" => &mut triggers.resources_list_changed,
            other => return Err(Blame::unknown(key.span(), other, &TRIGGERS)),
        };
        *slot = Some(trigger(value)?);
    }
    Ok(triggers)
}

fn trigger(value: &Spanned<DeValue<'_>>) -> Result<Trigger, Blame> {
    let mut call = None;
    let mut arguments = Value::Object(serde_json::Map::new());
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "call" => call = Some(string(value)?.to_owned()),
            "arguments" => arguments = json(value)?,
            other => return Err(Blame::unknown(key.span(), other, &["call", "arguments"])),
        }
    }
    let call = call.ok_or_else(|| {
        Blame::new(value.span(), "`call` is missing", "the name of the tool that brings the change about")
    })?;
    Ok(Trigger { call, arguments })
}

fn arguments(value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, Value>, Blame> {
    let tools = table(value)?.iter();
    tools
        .map(|(tool, arguments)| {
            table(arguments)?;
            Ok((tool.get_ref().to_string(), json(arguments)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn blamed(text: &str) -> String {
        let blame = Config::parse(text).expect_err("it is wrong");
        blame.render(&Source { name: "mcp-conform.toml", text })
    }

    #[test]
    fn everything_a_file_can_say_is_read() {
        let config = Config::parse(concat!(
            "calls = 'all'\ntools = ['write']\nnever = ['delete']\ntimeout = 0.5\n",
            "headers_env = { Authorization = 'TOKEN' }\n",
            "[triggers]\ntools_list_changed = { call = 'add', arguments = { n = 1 } }\n",
            "[arguments.search]\nquery = 'x'\nlimit = 3\ndeep = [1.5, true]\n",
        ))
        .expect("a good file");
        assert_eq!((config.calls, config.timeout), (Some(Calls::All), Some(Duration::from_millis(500))));
        assert_eq!(config.headers_env, [("Authorization".to_owned(), "TOKEN".to_owned())]);
        let add = Trigger { call: "add".to_owned(), arguments: json!({"n": 1}) };
        assert_eq!(config.triggers.tools_list_changed, Some(add));
        assert_eq!(config.arguments["search"], json!({"query": "x", "limit": 3, "deep": [1.5, true]}));
    }

    #[test]
    fn complaints_show_the_place() {
        insta::assert_snapshot!(
            [
                "calls = \"safe\"\n\ntool = [\"a\"]\n",
                "calls = \"some\"\n",
                "tools = [\"a\", 3]\n",
                "timeout = -1\n",
                "timeout = \n",
                "[triggers]\ntools_list_change = { call = \"a\" }\n",
                "[triggers]\ntools_list_changed = { arguments = {} }\n",
                "[arguments]\nsearch = 3\n",
                "x = \"\u{e4}\u{f6}\" y\n",
            ]
            .map(blamed)
            .join("\n\n")
        );
    }
}
