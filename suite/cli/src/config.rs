//! The configuration file `mcp-conform.toml`. Errors name line and column, and show the line.

mod auth;
mod diagnostic;
mod hints;
mod levels;
#[cfg(test)]
mod schema_tests;
mod tokens;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use run::{Calls, ServerHints, Trigger, Triggers};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;
use crate::hosts::{Hosts, parse_hosts};
use crate::sdks::parse_sdk;
pub(crate) use auth::{Auth, TokenSource};
use diagnostic::{Diagnostic, Source};
pub(crate) use levels::{LevelOverride, apply_levels};
pub(crate) use tokens::read_token;
use value::{string, strings, table, to_json};
use verdict::record::Sdk;

/// The default configuration file, in the working directory or the nearest folder above.
pub(crate) const DEFAULT: &str = "mcp-conform.toml";

/// The top-level keys.
pub(crate) const KEYS: [&str; 21] = [
    "target",
    "sdk",
    "accept_sdk",
    "hosts",
    "env",
    "calls",
    "tools",
    "never",
    "timeout",
    "start_timeout",
    "headers_env",
    "auth",
    "triggers",
    "arguments",
    "prompts",
    "server_waits",
    "key_variable",
    "handles",
    "states",
    "schemas",
    "level",
];
/// The keys of `[triggers]`.
pub(crate) const TRIGGERS: [&str; 9] = [
    "tools_list_changed",
    "prompts_list_changed",
    "resources_list_changed",
    "resource_updated",
    "slow",
    "slow_effect",
    "effect_shown_by",
    "ends_subscriptions",
    "times_out",
];

/// The content of the file. Command-line flags take precedence.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The folder of the file, if it is not the working directory.
    pub(crate) folder: Option<PathBuf>,
    /// The server: a URL, a command line, or the words of a command line.
    pub(crate) target: Vec<String>,
    /// What the server is built with.
    pub(crate) sdk: Option<Sdk>,
    /// Whether findings that the SDK is to blame for fail nothing.
    pub(crate) accept_sdk: bool,
    /// Hosts that the report speaks of.
    pub(crate) hosts: Option<Hosts>,
    /// Environment variables for a program.
    pub(crate) env: Vec<(String, String)>,
    /// Which tools may be called.
    pub(crate) calls: Option<Calls>,
    /// Tools allowed by name.
    pub(crate) tools: Vec<String>,
    /// Tools never to call.
    pub(crate) never: Vec<String>,
    /// The time limit of a request.
    pub(crate) timeout: Option<Duration>,
    pub(crate) start_timeout: Option<Duration>,
    /// Headers, with the environment variable of each value.
    pub(crate) headers_env: Vec<(String, String)>,
    /// Token sources, and facts about the server's authorization.
    pub(crate) auth: Auth,
    /// Calls that trigger changes.
    pub(crate) triggers: Triggers,
    /// Sample arguments by tool.
    pub(crate) arguments: BTreeMap<String, Value>,
    /// Sample arguments by prompt.
    pub(crate) prompts: BTreeMap<String, Value>,
    /// Facts that cannot be discovered.
    pub(crate) hints: ServerHints,
    /// Files with the original schemas, by tool.
    schemas: BTreeMap<String, PathBuf>,
    /// Requirements with a changed level.
    pub(crate) levels: Vec<LevelOverride>,
}

impl Config {
    /// Reads the named file, or the default one if it exists.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = named.map(Path::to_owned).or_else(|| default_file(&std::env::current_dir().ok()?)) else {
            return Ok(Self::default());
        };
        let bytes = std::fs::read(&path).map_err(|error| Failure::file("read", &path, error))?;
        let text = String::from_utf8(bytes).map_err(|_| Failure::file("read", &path, "the file is not UTF-8"))?;
        let source = Source { name: &path.display().to_string(), text: &text };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
        let empty = Self { folder, ..Self::default() };
        let mut config = empty.with_text(&text).map_err(|diagnostic| Failure::Usage(diagnostic.render(&source)))?;
        if let Some(folder) = &config.folder {
            config.auth.resolve_paths(folder);
        }
        for (tool, file) in &config.schemas {
            let file = config.folder.as_deref().unwrap_or(Path::new("")).join(file);
            config.hints.schemas.insert(tool.clone(), hints::schema(&file)?);
        }
        Ok(config)
    }

    #[cfg(test)]
    fn parse(text: &str) -> Result<Self, Diagnostic> {
        Self::default().with_text(text)
    }

    fn with_text(mut self, text: &str) -> Result<Self, Diagnostic> {
        let document = DeTable::parse(text).map_err(|error| Diagnostic::syntax(&error))?;
        for (key, value) in document.get_ref() {
            self.set(key, value)?;
        }
        Ok(self)
    }

    fn set(
        &mut self,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Diagnostic> {
        match key.get_ref().as_ref() {
            "target" => self.target = target(value)?,
            "sdk" => self.sdk = Some(sdk(value)?),
            "accept_sdk" => self.accept_sdk = boolean(value)?,
            "hosts" => self.hosts = Some(hosts(value)?),
            "env" => self.env = variables(value)?,
            "level" => self.levels = levels::overrides(value)?,
            "calls" => self.calls = Some(calls(value)?),
            "tools" => self.tools = strings(value)?,
            "never" => self.never = strings(value)?,
            "timeout" => self.timeout = Some(seconds(value)?),
            "start_timeout" => self.start_timeout = Some(seconds(value)?),
            "headers_env" => self.headers_env = variables(value)?,
            "auth" => self.auth = auth::auth(value)?,
            "triggers" => self.triggers = triggers(value)?,
            "arguments" => self.arguments = arguments(value)?,
            "prompts" => self.prompts = arguments(value)?,
            "server_waits" => self.hints.server_waits = Some(seconds(value)?),
            "key_variable" => self.hints.key_variable = Some(hints::variable(value)?),
            "handles" => self.hints.handles = Some(hints::handles(value)?),
            "states" => self.hints.states = hints::states(value)?,
            "schemas" => self.schemas = hints::schemas(value)?,
            other => return Err(Diagnostic::unknown(key.span(), other, &KEYS)),
        }
        Ok(())
    }
}

/// Returns the default file in this folder (as a bare name) or the nearest folder above.
fn default_file(folder: &Path) -> Option<PathBuf> {
    let holder = folder.ancestors().find(|folder| folder.join(DEFAULT).is_file())?;
    Some(if holder == folder { PathBuf::from(DEFAULT) } else { holder.join(DEFAULT) })
}

fn target(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Diagnostic> {
    let wrong = || Diagnostic::new(value.span(), "wrong value", "a URL, a command, or a list of its words");
    let words =
        if value.get_ref().is_str() { vec![string(value)?.to_owned()] } else { strings(value).map_err(|_| wrong())? };
    if words.iter().all(String::is_empty) { Err(wrong()) } else { Ok(words) }
}

fn sdk(value: &Spanned<DeValue<'_>>) -> Result<Sdk, Diagnostic> {
    parse_sdk(string(value)?).map_err(|_| {
        Diagnostic::new(
            value.span(),
            "wrong value",
            "a name that `mcp-conform sdk list` shows, as NAME@VERSION, or REGISTRY:NAME@VERSION",
        )
    })
}

fn hosts(value: &Spanned<DeValue<'_>>) -> Result<Hosts, Diagnostic> {
    let names = if value.get_ref().is_str() { string(value)?.to_owned() } else { strings(value)?.join(",") };
    parse_hosts(&names).map_err(|_| {
        Diagnostic::new(
            value.span(),
            "wrong value",
            "\"all\", \"none\", or a list of names that `mcp-conform hosts` shows",
        )
    })
}

fn boolean(value: &Spanned<DeValue<'_>>) -> Result<bool, Diagnostic> {
    match value.get_ref() {
        DeValue::Boolean(value) => Ok(*value),
        _ => Err(Diagnostic::new(value.span(), "wrong value", "true or false")),
    }
}

fn calls(value: &Spanned<DeValue<'_>>) -> Result<Calls, Diagnostic> {
    let named = match string(value)? {
        "safe" => Some(Calls::ReadOnly),
        name => Calls::EVERY.into_iter().find(|calls| calls.name() == name),
    };
    let wrong = "one of \"none\", \"read-only\", \"additive\", \"all\"";
    named.ok_or_else(|| Diagnostic::new(value.span(), "wrong value", wrong))
}

/// The longest time limit.
const DAY: Duration = Duration::from_secs(86_400);

fn seconds(value: &Spanned<DeValue<'_>>) -> Result<Duration, Diagnostic> {
    let wrong = || Diagnostic::new(value.span(), "wrong value", "a number of seconds above 0, such as 5 or 0.5");
    let number: f64 = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().map_err(|_| wrong())?,
        DeValue::Float(number) => number.as_str().parse().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero() && *time <= DAY);
    time.ok_or_else(wrong)
}

fn variables(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, String)>, Diagnostic> {
    let headers = table(value)?.iter();
    headers.map(|(name, variable)| Ok((name.get_ref().to_string(), string(variable)?.to_owned()))).collect()
}

fn triggers(value: &Spanned<DeValue<'_>>) -> Result<Triggers, Diagnostic> {
    let mut triggers = Triggers::default();
    for (key, value) in table(value)? {
        let slot = match key.get_ref().as_ref() {
            "tools_list_changed" => &mut triggers.tools_list_changed,
            "prompts_list_changed" => &mut triggers.prompts_list_changed,
            "resources_list_changed" => &mut triggers.resources_list_changed,
            "resource_updated" => &mut triggers.resource_updated,
            "slow" => &mut triggers.slow,
            "slow_effect" => &mut triggers.slow_effect,
            "effect_shown_by" => &mut triggers.effect_shown_by,
            "ends_subscriptions" => &mut triggers.ends_subscriptions,
            "times_out" => &mut triggers.times_out,
            other => return Err(Diagnostic::unknown(key.span(), other, &TRIGGERS)),
        };
        *slot = Some(trigger(value)?);
    }
    Ok(triggers)
}

fn trigger(value: &Spanned<DeValue<'_>>) -> Result<Trigger, Diagnostic> {
    let mut call = None;
    let mut arguments = Value::Object(serde_json::Map::new());
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            "call" => call = Some(string(value)?.to_owned()),
            "arguments" => arguments = to_json(value)?,
            other => return Err(Diagnostic::unknown(key.span(), other, &["call", "arguments"])),
        }
    }
    let call = call.ok_or_else(|| {
        Diagnostic::new(value.span(), "`call` is missing", "the name of the tool that triggers the change")
    })?;
    Ok(Trigger { call, arguments })
}

fn arguments(value: &Spanned<DeValue<'_>>) -> Result<BTreeMap<String, Value>, Diagnostic> {
    let tools = table(value)?.iter();
    tools
        .map(|(tool, arguments)| {
            table(arguments)?;
            Ok((tool.get_ref().to_string(), to_json(arguments)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn diagnosed(text: &str) -> String {
        let diagnostic = Config::parse(text).expect_err("it is wrong");
        diagnostic.render(&Source { name: "mcp-conform.toml", text })
    }

    #[test]
    fn everything_a_file_can_say_is_read() {
        let config = Config::parse(concat!(
            "target = ['node', 's.js']\nenv = { MODE = 'x' }\nkey_variable = 'API_KEY'\n",
            "level = [{ requirement = 'practice.*', level = 'advice', reason = 'r' }]\n",
            "calls = 'all'\ntools = ['write']\nnever = ['delete']\ntimeout = 0.5\n",
            "headers_env = { Authorization = 'TOKEN' }\n",
            "[auth]\ntoken = { env = 'TOKEN' }\nlesser = { file = 'lesser.txt' }\noauth = true\n",
            "private = ['memory://diary']\n",
            "step_up = { call = 'reset' }\npublic_url = 'https://a.example/mcp'\n",
            "[triggers]\ntools_list_changed = { call = 'add', arguments = { n = 1 } }\n",
            "slow_effect = { call = 'mow' }\neffect_shown_by = { call = 'look' }\ntimes_out = { call = 'wait' }\n",
            "[handles]\ncreate = { call = 'open' }\nuse = { call = 'put', arguments = { item = 'x' } }\nfield = '/basket/id'\n",
            "[states]\nonce = { call = 'book' }\nexpiring = { call = 'hold' }\nlifetime = 2\n",
            "[prompts.postcard]\ncity = 'Bern'\n",
            "[arguments.search]\nquery = 'x'\nlimit = 3\ndeep = [1.5, true]\n",
        ))
        .expect("a good file");
        assert_eq!((config.target.len(), config.env[0].1.as_str(), config.levels.len()), (2, "x", 1));
        assert_eq!((config.calls, config.timeout), (Some(Calls::All), Some(Duration::from_millis(500))));
        assert_eq!(config.headers_env, [("Authorization".to_owned(), "TOKEN".to_owned())]);
        let sources =
            [("token", TokenSource::Variable("TOKEN".into())), ("lesser", TokenSource::File("lesser.txt".into()))];
        let mut tokens = config.auth.tokens.clone();
        tokens.sort_by(|a, b| b.0.cmp(&a.0));
        assert_eq!(tokens, sources.map(|(name, source)| (name.to_owned(), source)));
        assert!(config.auth.oauth && !config.auth.register && config.auth.step_up.is_some());
        let add = Trigger { call: "add".to_owned(), arguments: json!({"n": 1}) };
        assert_eq!(config.triggers.tools_list_changed, Some(add));
        assert_eq!(config.hints.key_variable.as_deref(), Some("API_KEY"));
        let handles = config.hints.handles.expect("they are configured");
        assert_eq!((handles.argument.as_str(), handles.using.call.as_str()), ("id", "put"));
        assert_eq!(config.hints.states.lifetime, Some(Duration::from_secs(2)));
        assert_eq!(config.triggers.slow_effect.map(|trigger| trigger.call).as_deref(), Some("mow"));
        assert_eq!(config.triggers.times_out.map(|trigger| trigger.call).as_deref(), Some("wait"));
        assert_eq!(config.auth.private, ["memory://diary"]);
        assert_eq!(config.prompts["postcard"], json!({"city": "Bern"}));
        assert_eq!(config.arguments["search"], json!({"query": "x", "limit": 3, "deep": [1.5, true]}));
    }

    #[test]
    fn a_token_that_stands_in_the_file_is_not_shown() {
        for text in
            ["[auth]\ntoken = 's3cret'\n", "[auth]\ntoken = { value = 's3cret' }\n", "[auth]\ntokn = 's3cret'\n"]
        {
            let complaint = diagnosed(text);
            assert!(complaint.contains("mcp-conform.toml:2") && !complaint.contains("s3cret"), "{complaint}");
        }
    }

    #[test]
    fn the_file_is_found_in_folders_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("a/b");
        std::fs::create_dir_all(&below).expect("folders");
        assert_eq!(default_file(&below), None);
        std::fs::write(folder.path().join(DEFAULT), "").expect("a file");
        assert_eq!(default_file(&below), Some(folder.path().join(DEFAULT)));
        assert_eq!(default_file(folder.path()), Some(PathBuf::from(DEFAULT)));
    }

    #[test]
    fn complaints_show_the_place() {
        insta::assert_snapshot!(
            [
                "calls = \"read-only\"\n\ntool = [\"a\"]\n",
                "calls = \"some\"\n",
                "tools = [\"a\", 3]\n",
                "timeout = -1\n",
                "timeout = \n",
                "[triggers]\ntools_list_change = { call = \"a\" }\n",
                "[triggers]\ntools_list_changed = { arguments = {} }\n",
                "[arguments]\nsearch = 3\n",
                "x = \"\u{e4}\u{f6}\" y\n",
                "target = 3\n",
                "[[level]]\nrequirement = \"tools.call.unknown-tol\"\nlevel = \"should\"\nreason = \"r\"\n",
                "[[level]]\nrequirement = \"tools.*\"\nlevel = \"should\"\n",
            ]
            .map(diagnosed)
            .join("\n\n")
        );
    }
}
