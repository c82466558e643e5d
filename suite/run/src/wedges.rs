//! Messages after which the server answered nothing any more. Whoever would send one again only loses another session and the time
//! it takes to see that, so it is not sent again: not the same message, nor, when several calls of a tool did it, that tool.

use std::collections::{HashMap, HashSet};

/// Calls of one tool that silenced the server, after which the tool is not called any more.
const SEVERAL: usize = 2;

/// What silenced the server, by what was asked for.
#[derive(Debug, Default)]
pub(crate) struct Wedges {
    seen: HashMap<String, Seen>,
    /// Tools of which a call was answered since.
    answered: HashSet<String>,
}

/// A message that silenced the server.
#[derive(Debug)]
struct Seen {
    /// The tool that it calls.
    tool: Option<String>,
    /// Nothing else can have been the cause.
    alone: bool,
}

impl Wedges {
    /// Adds a message. A request for a sign of life is none: that it has no answer may be all that is wrong.
    pub(crate) fn add(&mut self, text: &[u8], alone: bool) {
        if key(text).starts_with("ping ") {
            return;
        }
        let tool = tool(text);
        let seen = self.seen.entry(key(text)).or_insert(Seen { tool, alone });
        seen.alone |= alone;
    }

    /// What is answered silences nobody.
    pub(crate) fn clear(&mut self, text: &[u8]) {
        if let Some(tool) = tool(text).filter(|_| !self.seen.is_empty()) {
            self.answered.insert(tool);
            self.seen.remove(&key(text));
        }
    }

    pub(crate) fn avoid(&self, text: &[u8], alone: bool) -> bool {
        if self.seen.is_empty() {
            return false;
        }
        let known = self.seen.get(&key(text)).is_some_and(|seen| seen.alone || !alone);
        known || tool(text).is_some_and(|tool| self.is_beyond(&tool, alone))
    }

    /// Whether a call of the same tool silenced the server for certain, and none was ever answered.
    pub(crate) fn doubt(&self, text: &[u8]) -> bool {
        let known = |tool: String| {
            !self.answered.contains(&tool)
                && self.seen.values().any(|seen| seen.alone && seen.tool.as_ref() == Some(&tool))
        };
        !self.seen.is_empty() && tool(text).is_some_and(known)
    }

    pub(crate) fn avoid_tool(&self, name: &str) -> bool {
        self.is_beyond(name, false)
    }

    fn is_beyond(&self, name: &str, alone: bool) -> bool {
        let counts = |seen: &&Seen| seen.tool.as_deref() == Some(name) && (seen.alone || !alone);
        !self.answered.contains(name) && self.seen.values().filter(counts).count() >= SEVERAL
    }
}

fn key(text: &[u8]) -> String {
    judge::message_key(&String::from_utf8_lossy(text))
}

/// The name of the tool that a message calls.
fn tool(text: &[u8]) -> Option<String> {
    let parsed = wire::parse(text, &wire::Limits::default());
    let [message] = parsed.messages() else { return None };
    judge::called_tool(message).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: u32, name: &str, n: u32) -> Vec<u8> {
        let params = serde_json::json!({"name": name, "arguments": {"n": n}, "_meta": {"progressToken": id}});
        let call = serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        call.to_string().into_bytes()
    }

    #[test]
    fn the_same_message_is_not_sent_again_but_to_show_that_it_was_the_cause() {
        let mut wedges = Wedges::default();
        wedges.add(&call(1, "count", 1), false);
        assert!(wedges.avoid(&call(2, "count", 1), false) && !wedges.avoid(&call(2, "count", 1), true));
        assert!(!wedges.avoid(&call(3, "count", 2), false) && !wedges.avoid_tool("count"));
        wedges.add(&call(4, "count", 1), true);
        assert!(wedges.avoid(&call(5, "count", 1), true));
        assert!(wedges.doubt(&call(5, "count", 9)) && !wedges.doubt(&call(5, "greet", 9)));
        wedges.clear(&call(6, "count", 1));
        assert!(!wedges.avoid(&call(7, "count", 1), false), "it was answered after all");
    }

    #[test]
    fn a_tool_is_given_up_after_several_calls_unless_another_was_answered() {
        let mut wedges = Wedges::default();
        wedges.add(&call(1, "count", 1), true);
        wedges.add(&call(2, "count", 2), true);
        assert!(wedges.avoid(&call(3, "count", 3), true) && wedges.avoid_tool("count"));
        assert!(!wedges.avoid(&call(3, "greet", 3), false));
        wedges.clear(&call(4, "count", 4));
        assert!(!wedges.avoid(&call(5, "count", 3), true) && wedges.avoid(&call(5, "count", 2), true));
    }
}
