//! How a run is to be done: the flags of `mcp-conform run` and what the configuration file adds.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use verdict::Revision;

use crate::credentials::Who;
use crate::secrets::Secrets;
use crate::{Choice, Credentials, ServerHints, Token, Triggers};

/// Everything that a user can decide about a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which revisions are judged.
    pub protocol: Protocol,
    /// How a URL is spoken to.
    pub transport: Choice,
    /// Who else looks at what crossed the wire, once it is judged.
    pub look: Option<judge::Look>,
    /// Requirement ids or scenario names (`*` matches any text); empty means all.
    pub only: Vec<String>,
    /// Requirement ids or scenario names to leave out (`*` matches any text).
    pub skip: Vec<String>,
    /// Which tools may be called.
    pub calls: Calls,
    /// Tools allowed by name, whatever their annotations say.
    pub tools: Vec<String>,
    /// Tools never to be called.
    pub never: Vec<String>,
    /// How many sets of arguments are generated for each tool.
    pub cases: u32,
    /// Whether the user asked for them, so that they are made for requirements that any traffic shows.
    pub cases_asked: bool,
    /// The most of them for a tool that may reach the world outside, where a call costs somebody money; none: as for any other.
    pub cases_outside: Option<u32>,
    /// The time that the generated calls of one tool may take.
    pub time: Duration,
    /// Arguments by tool that failed in an earlier run, tried first.
    pub counterexamples: BTreeMap<String, Vec<Value>>,
    /// The seed of everything generated; the same seed repeats a run.
    pub seed: u64,
    /// The time limit of one request.
    pub timeout: Duration,
    /// The time limit of the first answer of a process: some are slow to start.
    pub start_timeout: Duration,
    /// Processes started side by side.
    pub jobs: usize,
    /// Headers for every HTTP request. Their values never reach a report.
    pub headers: Vec<(String, String)>,
    /// The credentials for the server, and what the user says about its authorization.
    pub credentials: Credentials,
    /// Whether disruptive probes may be sent to a URL that is not loopback.
    pub yes_disrupt: bool,
    /// Whether a spawned server gets an empty working directory, HOME and TMPDIR.
    pub scratch: bool,
    /// Whether the target is the embedded reference server.
    pub embedded: bool,
    /// The reports folder of the commands that repeat findings, if they are to have one of their own.
    pub repeat_reports: Option<std::path::PathBuf>,
    /// Environment variables for a spawned server, beside the caller's.
    pub env: Vec<(String, String)>,
    /// The folder that a spawned server runs in, if not the caller's.
    pub folder: Option<std::path::PathBuf>,
    /// How changes are brought about.
    pub triggers: Triggers,
    /// Sample arguments by tool.
    pub arguments: BTreeMap<String, Value>,
    /// Sample arguments by prompt.
    pub prompts: BTreeMap<String, Value>,
    /// Facts about the server that cannot be observed from outside.
    pub hints: ServerHints,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            protocol: Protocol::Latest,
            transport: Choice::Auto,
            look: None,
            only: Vec::new(),
            skip: Vec::new(),
            calls: Calls::ReadOnly,
            tools: Vec::new(),
            never: Vec::new(),
            cases: 100,
            cases_asked: false,
            cases_outside: Some(5),
            time: Duration::from_secs(2),
            counterexamples: BTreeMap::new(),
            seed: 1,
            timeout: Duration::from_secs(5),
            start_timeout: Duration::from_secs(30),
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            headers: Vec::new(),
            credentials: Credentials::default(),
            yes_disrupt: false,
            scratch: false,
            embedded: false,
            repeat_reports: None,
            env: Vec::new(),
            folder: None,
            triggers: Triggers::default(),
            arguments: BTreeMap::new(),
            prompts: BTreeMap::new(),
            hints: ServerHints::default(),
        }
    }
}

/// Which revisions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The newest that the server speaks.
    Latest,
    /// Every one that it speaks.
    All,
    /// This one.
    One(Revision),
}

/// Which tools may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// None.
    None,
    /// Those annotated read-only, and those allowed by name.
    ReadOnly,
    /// Those annotated non-destructive as well: they may add files, messages or issues.
    Additive,
    /// All but those excluded by name.
    All,
}

impl Calls {
    /// Every policy, the most careful first.
    pub const EVERY: [Self; 4] = [Self::None, Self::ReadOnly, Self::Additive, Self::All];

    /// Its name on the command line and in the configuration file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ReadOnly => "read-only",
            Self::Additive => "additive",
            Self::All => "all",
        }
    }

    /// Whether a tool with this definition may be called.
    ///
    /// A tool that says nothing changes things and destroys them: those are the defaults of the annotations
    /// ([`ToolAnnotations`](https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations)).
    #[must_use]
    pub fn allow(self, definition: &Value) -> bool {
        let hint = |hint: &str| definition.get("annotations").and_then(|annotations| annotations.get(hint));
        let read_only = hint("readOnlyHint") == Some(&Value::Bool(true));
        match self {
            Self::None => false,
            Self::ReadOnly => read_only,
            Self::Additive => read_only || hint("destructiveHint") == Some(&Value::Bool(false)),
            Self::All => true,
        }
    }
}

/// Shorter values are no keys.
const KEY: usize = 16;

impl Options {
    /// The value of the Authorization header, if the user has given a credential in whatever way.
    #[must_use]
    pub(crate) fn authorization(&self) -> Option<String> {
        let given = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        self.credentials.token.as_ref().map(Token::header).or(given.map(|(_, value)| value.clone()))
    }

    /// The headers of every HTTP request; an outsider and another user bring nothing that tells who the user is.
    pub(crate) fn headers_of(&self, who: Who) -> Vec<(String, String)> {
        let mut headers = self.headers.clone();
        if who != Who::User {
            headers.retain(|(name, _)| !["authorization", "cookie"].iter().any(|own| name.eq_ignore_ascii_case(own)));
        }
        let token = match who {
            Who::User => self.credentials.token.as_ref(),
            Who::Second => self.credentials.second.as_ref(),
            Who::Nobody => None,
        };
        headers.extend(token.map(|token| ("Authorization".to_owned(), token.header())));
        headers
    }

    /// Everything that is to be masked.
    pub(crate) fn secrets(&self) -> Secrets {
        let headers = self.headers.iter().map(|(_, value)| value.clone());
        Secrets::new(headers.chain(self.credentials.tokens().map(Token::header)).chain(self.key()))
    }

    /// Returns the value of the program's own key, if the configuration names its variable and the value is long enough.
    ///
    /// Short values are stand-ins, and words that occur elsewhere too: masking those would change what the server said.
    fn key(&self) -> Option<String> {
        let variable = self.hints.key_variable.as_ref()?;
        let given = self.env.iter().rev().find(|(name, _)| name == variable).map(|(_, value)| value.clone());
        given.or_else(|| std::env::var(variable).ok()).filter(|key| key.len() >= KEY)
    }

    /// Whether a requirement is to be judged.
    #[must_use]
    pub fn wants(&self, id: &str) -> bool {
        (self.only.is_empty() || self.only.iter().any(|glob| matches(glob, id)))
            && !self.skip.iter().any(|glob| matches(glob, id))
    }

    /// Whether a tool may be called, by its annotations and the user's word.
    #[must_use]
    pub fn may_call(&self, name: &str, definition: &Value) -> bool {
        let listed = |names: &[String]| names.iter().any(|listed| listed == name);
        if listed(&self.never) || self.calls == Calls::None {
            return false;
        }
        self.calls.allow(definition) || listed(&self.tools)
    }

    /// How many sets of arguments are generated for a tool with this definition.
    ///
    /// `openWorldHint` is true unless a tool says that it is false
    /// ([`ToolAnnotations`](https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations)).
    #[must_use]
    pub fn cases_of(&self, definition: &Value) -> u32 {
        let inside = definition.pointer("/annotations/openWorldHint") == Some(&Value::Bool(false));
        self.cases_outside.filter(|_| !inside).map_or(self.cases, |most| most.min(self.cases))
    }

    /// Whether a tool with this definition gets fewer generated calls than others, since a call may cost somebody something.
    #[must_use]
    pub(crate) fn is_limited(&self, definition: &Value) -> bool {
        self.cases_of(definition) < self.cases
    }

    /// Why a tool is not called that may not be, as a reader is told.
    #[must_use]
    pub(crate) fn withheld(&self, name: &str) -> &'static str {
        match self.calls {
            _ if self.never.iter().any(|never| never == name) => "listed under `never` in the configuration",
            Calls::None => "--calls none",
            Calls::ReadOnly => "not marked as read-only",
            // All tools are called then but those under `never`.
            Calls::Additive | Calls::All => "marked neither as read-only nor as not destructive",
        }
    }
}

/// `*` matches any text, everything else itself.
#[must_use]
pub fn matches(glob: &str, text: &str) -> bool {
    let Some((head, rest)) = glob.split_once('*') else { return glob == text };
    let Some(tail) = text.strip_prefix(head) else { return false };
    (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| matches(rest, &tail[at..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_star_matches_any_text() {
        assert!(matches("tools.*", "tools.call.unknown-tool"));
        assert!(matches("*.unknown-*", "tools.call.unknown-tool"));
        assert!(!matches("tools", "tools.call.unknown-tool"));
    }

    #[test]
    fn tools_without_annotations_are_not_called_unless_named() {
        let options = Options { tools: vec!["named".into()], never: vec!["never".into()], ..Options::default() };
        assert!(!options.may_call("x", &json!({})));
        assert!(options.may_call("x", &json!({"annotations": {"readOnlyHint": true}})));
        assert!(options.may_call("named", &json!({"annotations": {"destructiveHint": true}})));
        assert!(!options.may_call("never", &json!({"annotations": {"readOnlyHint": true}})));
    }

    #[test]
    fn a_tool_that_may_reach_the_world_outside_gets_few_calls() {
        let of = |options: &Options, hints: Value| options.cases_of(&json!({"annotations": hints}));
        let options = Options::default();
        assert_eq!(of(&options, json!({"openWorldHint": false})), options.cases);
        assert_eq!((of(&options, json!({})), of(&options, json!({"openWorldHint": true}))), (5, 5));
        assert_eq!(of(&Options { cases: 2, ..options.clone() }, json!({})), 2);
        assert_eq!(of(&Options { cases_outside: None, ..options }, json!({})), 100);
    }

    #[test]
    fn each_policy_allows_what_the_one_before_it_does_and_more() {
        let tools = [
            json!({"annotations": {"readOnlyHint": true}}),
            json!({"annotations": {"readOnlyHint": false, "destructiveHint": false}}),
            json!({"annotations": {"idempotentHint": true}}),
        ];
        for (most, calls) in Calls::EVERY.into_iter().enumerate() {
            let options = Options { calls, ..Options::default() };
            let allowed: Vec<bool> = tools.iter().map(|tool| options.may_call("x", tool)).collect();
            assert_eq!(allowed, [most > 0, most > 1, most > 2], "{calls:?}");
        }
    }
}
