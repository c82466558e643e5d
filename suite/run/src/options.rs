//! How a run is to be done: the flags of `mcp-conform run` and what the configuration file adds.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use verdict::Revision;

/// Everything that a user can decide about a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which revisions are judged.
    pub protocol: Protocol,
    /// Requirement ids or scenario names (`*` matches any text); empty means all.
    pub only: Vec<String>,
    /// The same, left out.
    pub skip: Vec<String>,
    /// Which tools may be called.
    pub calls: Calls,
    /// Tools allowed by name, whatever their annotations say.
    pub tools: Vec<String>,
    /// Tools never to be called.
    pub never: Vec<String>,
    /// Generated argument sets a tool.
    pub cases: u32,
    /// Repeats a run.
    pub seed: u64,
    /// The time limit of one request.
    pub timeout: Duration,
    /// Processes started side by side.
    pub jobs: usize,
    /// Headers for every HTTP request. Their values never reach a report.
    pub headers: Vec<(String, String)>,
    /// Disruptive probes against a URL that is not loopback.
    pub yes_disrupt: bool,
    /// Gives a spawned server an empty working directory, HOME and TMPDIR.
    pub scratch: bool,
    /// Environment variables for a spawned server, beside the caller's.
    pub env: Vec<(String, String)>,
    /// How changes are brought about.
    pub triggers: Triggers,
    /// Sample arguments by tool.
    pub arguments: BTreeMap<String, Value>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            protocol: Protocol::Latest,
            only: Vec::new(),
            skip: Vec::new(),
            calls: Calls::Safe,
            tools: Vec::new(),
            never: Vec::new(),
            cases: 100,
            seed: 1,
            timeout: Duration::from_secs(5),
            jobs: std::thread::available_parallelism().map_or(2, usize::from),
            headers: Vec::new(),
            yes_disrupt: false,
            scratch: false,
            env: Vec::new(),
            triggers: Triggers::default(),
            arguments: BTreeMap::new(),
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

/// How changes are brought about.
#[derive(Clone, Debug, Default)]
pub struct Triggers {
    /// Changes the list of tools.
    pub tools_list_changed: Option<Trigger>,
    /// Changes the list of prompts.
    pub prompts_list_changed: Option<Trigger>,
    /// Changes the list of resources.
    pub resources_list_changed: Option<Trigger>,
}

/// A tool call that brings about a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// The tool.
    pub call: String,
    /// Its arguments.
    pub arguments: Value,
}

impl Options {
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
