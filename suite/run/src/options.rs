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
    /// The time that the generated calls of one tool may take.
    pub time: Duration,
    /// Arguments by tool that failed in an earlier run, tried first.
    pub counterexamples: BTreeMap<String, Vec<Value>>,
    /// The seed of everything generated; the same seed repeats a run.
    pub seed: u64,
    /// The time limit of one request.
    pub timeout: Duration,
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
            only: Vec::new(),
            skip: Vec::new(),
            calls: Calls::Safe,
            tools: Vec::new(),
            never: Vec::new(),
            cases: 100,
            time: Duration::from_secs(2),
            counterexamples: BTreeMap::new(),
            seed: 1,
            timeout: Duration::from_secs(5),
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            headers: Vec::new(),
            credentials: Credentials::default(),
            yes_disrupt: false,
            scratch: false,
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
    /// Those annotated read-only or non-destructive, and those allowed by name.
    Safe,
    /// All but those excluded by name.
    All,
    /// None.
    None,
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
        let hint = |hint: &str| definition.get("annotations").and_then(|annotations| annotations.get(hint));
        if listed(&self.never) || self.calls == Calls::None {
            return false;
        }
        let harmless =
            hint("readOnlyHint") == Some(&Value::Bool(true)) || hint("destructiveHint") == Some(&Value::Bool(false));
        self.calls == Calls::All || listed(&self.tools) || harmless
    }

    /// Why a tool is not called that may not be, as a reader is told.
    #[must_use]
    pub(crate) fn withheld(&self, name: &str) -> &'static str {
        match () {
            () if self.never.iter().any(|never| never == name) => "it is never to be called, says the configuration",
            () if self.calls == Calls::None => "no tool is to be called: --calls none",
            () => "nothing says that it is harmless: --tool or --calls all",
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
}
