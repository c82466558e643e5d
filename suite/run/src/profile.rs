//! The profile of a server, found out by asking: capabilities, tools, prompts, resources, and how its lists are paged.

use serde_json::Value;
use verdict::{Revision, Transport};

use crate::survey::Walk;
use crate::{Options, Session, Tool};

/// Bytes of answers to requests for a list of which many are sent at once: what comes is kept.
const ANSWERS: usize = 1 << 20;

/// The features that a server offers in one revision.
#[derive(Clone, Debug)]
pub struct ServerProfile {
    /// The revision.
    pub revision: Revision,
    /// The transport.
    pub transport: Transport,
    /// The capabilities that it declares.
    pub capabilities: Value,
    /// Its tools.
    pub tools: Vec<Tool>,
    /// Its lists as walked, one for each list method that answered.
    pub walks: Vec<Walk>,
    /// The user named a program or a loopback URL, or gave leave: malformed input may be sent.
    pub may_disrupt: bool,
    /// The server lets nobody in: all that can be seen of it is how it refuses.
    pub outside: bool,
    /// The method of a request that it answers, which shows that it is alive.
    sign: &'static str,
}

impl ServerProfile {
    pub(crate) fn new(
        session: &Session,
        revision: Revision,
        walks: Vec<Walk>,
        options: &Options,
        may_disrupt: bool,
    ) -> Self {
        let tool = |definition: &Value| Self::tool(definition, options);
        let listed = walks.iter().find(|walk| walk.method == "tools/list");
        let mut tools: Vec<Tool> = listed.into_iter().flat_map(|walk| walk.entries.iter().filter_map(tool)).collect();
        let mut seen = std::collections::HashSet::new();
        tools.retain(|tool| seen.insert(tool.name.clone()));
        let transport = session.transport();
        let (capabilities, sign) = (session.capabilities(), session.usual_sign());
        Self { revision, transport, capabilities, tools, walks, may_disrupt, outside: false, sign }
    }

    /// A tool as listed; none if it has no name.
    pub(crate) fn tool(definition: &Value, options: &Options) -> Option<Tool> {
        let name = definition.get("name")?.as_str()?.to_owned();
        let callable = options.may_call(&name, definition);
        Some(Tool { name, definition: definition.clone(), callable })
    }

    /// Whether a dotted capability is declared: an object, or `true`.
    #[must_use]
    pub fn declares(&self, capability: &str) -> bool {
        let found = capability.split('.').try_fold(&self.capabilities, |value, part| value.get(part));
        found.is_some_and(|value| value.is_object() || *value == Value::Bool(true))
    }

    /// Tools that may be called.
    pub fn callable(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| tool.callable)
    }

    /// The entries of a list: `prompts/list`, `resources/list` ...
    #[must_use]
    pub fn entries(&self, method: &str) -> &[Value] {
        self.walks.iter().find(|walk| walk.method == method).map_or(&[], |walk| &walk.entries)
    }

    /// How many requests for a list are sent at once: the most, unless the answers to them come to more than a megabyte.
    #[must_use]
    pub fn crowd(&self, method: &str, fewest: usize, most: usize) -> usize {
        let Some(walk) = self.walks.iter().find(|walk| walk.method == method) else { return most };
        let page = walk.entries.iter().take(walk.pages.first().copied().unwrap_or_default());
        let bytes: usize = page.map(|entry| entry.to_string().len()).sum();
        ANSWERS.checked_div(bytes).map_or(most, |many| many.clamp(fewest, most))
    }

    /// The request that every server answers: whatever the answer is, it shows that the server is alive.
    #[must_use]
    pub fn liveness(&self) -> &'static str {
        self.sign
    }

    /// Whether the server speaks the handshake revisions' language here.
    #[must_use]
    pub fn is_handshake(&self) -> bool {
        self.revision.is_handshake()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::survey::WalkEnd;

    #[test]
    fn a_long_list_is_asked_for_less_often_at_once() {
        let tool = |length: usize| json!({"name": "x".repeat(length)});
        let walk = |entries: Vec<Value>, pages: &[usize]| Walk {
            method: "tools/list",
            member: "tools",
            entries,
            pages: pages.to_vec(),
            cursors: Vec::new(),
            end: WalkEnd::Complete,
        };
        let crowd = |walks: Vec<Walk>| {
            let profile = ServerProfile {
                revision: Revision::LATEST,
                transport: Transport::Stdio,
                capabilities: json!({}),
                tools: Vec::new(),
                walks,
                may_disrupt: true,
                outside: false,
                sign: "ping",
            };
            profile.crowd("tools/list", 10, 100)
        };
        assert_eq!(crowd(Vec::new()), 100, "nothing is known of it");
        assert_eq!(crowd(vec![walk(Vec::new(), &[0])]), 100);
        assert_eq!(crowd(vec![walk(vec![tool(1_000)], &[1])]), 100);
        assert_eq!(crowd(vec![walk(vec![tool(10_000); 2], &[2])]), 52);
        assert_eq!(crowd(vec![walk(vec![tool(10_000); 2], &[1, 1])]), 100, "one page comes at a time");
        assert_eq!(crowd(vec![walk(vec![tool(1_000_000)], &[1])]), 10);
    }
}
