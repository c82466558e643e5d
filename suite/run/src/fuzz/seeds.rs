//! Seeds: valid messages about what the server offers, edges of the grammar, and calls with generated arguments.

use std::cell::OnceCell;
use wire::mcp::meta;

use fuzz::{Chance, Mutator, conversations};
use schema::{Break, Dialect, Generator};
use serde_json::{Value, json};
use verdict::Revision;

use super::pool::Lines;
use super::safe::Forbidden;
use crate::{Options, Profile, ServerProfile};

/// Entries of each list that are asked for.
const EACH: usize = 8;
/// Bytes up to which messages grow.
const ROOM: usize = 1 << 20;
/// Messages with something odd that are sent together: that is quicker, and what an error leaves behind is seen.
const PACK: usize = 8;

pub(super) struct Seeds {
    revision: Revision,
    callers: Vec<Caller>,
    mutator: Mutator,
    forbidden: Forbidden,
    first: Vec<Lines>,
    swept: Vec<Lines>,
}

/// A tool that may be called, with what makes its arguments.
struct Caller {
    name: String,
    schema: Value,
    generator: OnceCell<Option<Generator>>,
    breaks: OnceCell<Vec<Break>>,
}

impl Seeds {
    pub(super) fn new(profile: ServerProfile, options: &Options, chance: &mut Chance) -> Self {
        let revision = profile.revision;
        let callers: Vec<Caller> = profile.callable().map(Caller::new).collect();
        let forbidden = Forbidden::of(&profile);
        let mut first: Vec<Lines> = about(&profile, options).into_iter().map(|line| vec![line]).collect();
        first.extend(conversations(revision));
        first.retain(|lines: &Lines| lines.iter().all(|line| forbidden.lets_pass(line)));
        let mutator = Mutator::new(first.iter().flatten()).within(ROOM);
        let swept = packed(swept(&first), &forbidden, chance);
        Self { revision, callers, mutator, forbidden, first, swept }
    }

    /// Returns the conversations that are sent unchanged before any mutation.
    pub(super) fn conversations(&self) -> Vec<Lines> {
        [self.first.clone(), self.swept.clone()].concat()
    }

    /// Whether nothing in it is forbidden.
    pub(super) fn lets_pass(&self, lines: &Lines) -> bool {
        lines.iter().all(|line| self.forbidden.lets_pass(line))
    }

    /// A conversation made from another one.
    pub(super) fn next(&self, from: Option<&Lines>, chance: &mut Chance) -> Lines {
        let mut lines = match from {
            Some(lines) if !chance.one_in(6) => self.mutator.conversation(lines, chance),
            other => {
                let mut lines = other.or(chance.pick(&self.first)).cloned().unwrap_or_default();
                lines.truncate(chance.below(3));
                lines.extend(self.call(chance));
                lines
            }
        };
        lines.retain(|line| !line.is_empty() && !line.contains(&b'\n') && self.forbidden.lets_pass(line));
        lines
    }

    fn call(&self, chance: &mut Chance) -> Option<Vec<u8>> {
        let caller = chance.pick(&self.callers)?;
        let arguments = caller.arguments(chance)?;
        let id = 1 + chance.below(90);
        Some(request(self.revision, id, "tools/call", json!({"name": caller.name, "arguments": arguments})))
    }
}

impl Caller {
    fn new(tool: &crate::Tool) -> Self {
        let schema = tool.input_schema().cloned().unwrap_or_else(|| json!({"type": "object"}));
        Self { name: tool.name.clone(), schema, generator: OnceCell::new(), breaks: OnceCell::new() }
    }

    fn arguments(&self, chance: &mut Chance) -> Option<Value> {
        let generator =
            self.generator.get_or_init(|| Generator::new(&self.schema, Dialect::Draft202012).ok()).as_ref()?;
        let seed = chance.bits();
        match chance.below(4) {
            0 => generator.valid().draw(seed).ok(),
            1 => {
                let breaks = self.breaks.get_or_init(|| generator.breaks().found);
                chance.pick(breaks)?.instances.draw(seed).ok()
            }
            _ => generator.awkward().draw(seed).ok(),
        }
    }
}

/// Every oddity at every place of the good messages.
fn swept(first: &[Lines]) -> Vec<Vec<u8>> {
    fuzz::sweep(first.iter().filter(|lines| lines.len() == 1).flatten())
}

/// Several to a conversation, in any order, each with an id of its own.
fn packed(mut lines: Vec<Vec<u8>>, forbidden: &Forbidden, chance: &mut Chance) -> Vec<Lines> {
    lines.retain(|line| !line.contains(&b'\n') && forbidden.lets_pass(line));
    chance.shuffle(&mut lines);
    let named = |lines: &[Vec<u8>]| (1..).zip(lines).map(|(id, line)| super::ids::numbered(line, id)).collect();
    lines.chunks(PACK).map(named).collect()
}

/// Requests about what is offered.
fn about(profile: &ServerProfile, options: &Options) -> Vec<Vec<u8>> {
    let mut asked: Vec<(&str, Value)> = Vec::new();
    for tool in profile.callable().take(4 * EACH) {
        let arguments = crate::Arguments::of(tool, profile.revision, options);
        for set in arguments.valid.into_iter().chain(arguments.full) {
            asked.push(("tools/call", json!({"name": tool.name, "arguments": set})));
        }
    }
    for resource in profile.entries("resources/list").iter().take(EACH) {
        let uri = resource.get("uri").cloned().unwrap_or_default();
        asked.push(("resources/read", json!({"uri": uri})));
        if profile.is_handshake() && profile.declares("resources.subscribe") {
            asked.push(("resources/subscribe", json!({"uri": uri})));
        }
    }
    for template in profile.entries("resources/templates/list").iter().take(EACH) {
        let uri = template.get("uriTemplate").cloned().unwrap_or_default();
        asked.push((
            "completion/complete",
            json!({"ref": {"type": "ref/resource", "uri": uri}, "argument": {"name": "id", "value": "1"}}),
        ));
        asked.push(("resources/read", json!({"uri": uri})));
    }
    for prompt in profile.entries("prompts/list").iter().take(EACH) {
        let name = prompt.get("name").cloned().unwrap_or_default();
        let named = prompt.get("arguments").and_then(Value::as_array).into_iter().flatten();
        let arguments: serde_json::Map<String, Value> =
            named.filter_map(|argument| Some((argument.get("name")?.as_str()?.to_owned(), json!("a")))).collect();
        for (argument, _) in arguments.iter().take(2) {
            asked.push((
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": argument, "value": "a"}}),
            ));
        }
        asked.push(("prompts/get", json!({"name": name, "arguments": arguments})));
    }
    (1..).zip(asked).map(|(id, (method, params))| request(profile.revision, id, method, params)).collect()
}

fn request(revision: Revision, id: usize, method: &str, mut params: Value) -> Vec<u8> {
    if !revision.is_handshake() {
        params["_meta"] = json!({
            (meta::PROTOCOL_VERSION): revision.as_str(),
            (meta::CLIENT_CAPABILITIES): Profile::Bare.capabilities(revision),
            (meta::CLIENT_INFO): {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
        });
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string().into_bytes()
}
