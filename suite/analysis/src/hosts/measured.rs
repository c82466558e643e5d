//! What the table says of the client libraries that `servers/hosts` measures is what those do, and its conditions hold for the
//! definitions that they refuse.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use verdict::record::Record;

use super::table::{Effect, Fact, When};
use super::{refused, table};
use crate::testing::record;

#[derive(Deserialize)]
struct Oddities {
    oddity: Vec<Oddity>,
}

/// An oddity and what clients do; `servers/hosts/oddities.toml` says what the members are.
#[derive(Deserialize)]
struct Oddity {
    id: String,
    /// Another fact that it shows, of other clients.
    and: Option<String>,
    tool: Option<Variants>,
    output: Option<Variants>,
    result: Option<Variants>,
    server: Option<Variants>,
    #[serde(default)]
    expect: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Variants {
    One(String),
    Named(BTreeMap<String, String>),
}

impl Variants {
    fn parsed(&self) -> Vec<Value> {
        let texts: Vec<&String> = match self {
            Self::One(text) => vec![text],
            Self::Named(texts) => texts.values().collect(),
        };
        texts.into_iter().map(|text| nested(serde_json::from_str(text).expect("JSON"))).collect()
    }
}

/// A value in which `{"!deep": 3}` is an array within an array within an array, as `odd_server.py` reads it.
fn nested(value: Value) -> Value {
    match value {
        Value::Object(members) => match members.get("!deep").and_then(Value::as_u64) {
            Some(depth) => (1..depth).fold(json!([]), |inner, _| json!([inner])),
            None => members.into_iter().map(|(name, value)| (name, nested(value))).collect(),
        },
        Value::Array(items) => items.into_iter().map(nested).collect(),
        other => other,
    }
}

impl Oddity {
    /// The definitions of its tool, if that is all there is to it.
    fn tools(&self) -> Vec<Value> {
        let plain = json!({"name": "odd", "inputSchema": {"type": "object"}});
        let with = |name: &str, value: Value| {
            let mut tool = plain.clone();
            tool[name] = value;
            tool
        };
        match (&self.tool, &self.output, &self.server, &self.result) {
            (Some(tools), None, None, None) => {
                tools.parsed().into_iter().map(|members| merged(&plain, members)).collect()
            }
            (None, Some(outputs), None, None) => {
                outputs.parsed().into_iter().map(|schema| with("outputSchema", schema)).collect()
            }
            _ => vec![],
        }
    }
}

fn merged(plain: &Value, members: Value) -> Value {
    let mut tool = plain.clone();
    for (name, value) in members.as_object().expect("members").clone() {
        tool[name] = value;
    }
    tool
}

fn measured() -> (Vec<String>, Vec<Oddity>) {
    #[derive(Deserialize)]
    struct Clients {
        client: Vec<Client>,
    }
    #[derive(Deserialize)]
    struct Client {
        name: String,
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../servers/hosts");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let clients: Clients = toml::from_str(&read("clients.toml")).expect("our own file");
    let oddities: Oddities = toml::from_str(&read("oddities.toml")).expect("our own file");
    (clients.client.into_iter().map(|client| client.name).collect(), oddities.oddity)
}

/// The outcomes, the worst for a client library first: a call that fails is one of many.
fn effect(outcome: &str) -> (u8, Effect) {
    match outcome {
        "crashes" | "disconnects" => (0, Effect::Disconnects),
        "list lost" | "list hangs" => (1, Effect::ListLost),
        "tool lost" => (2, Effect::ToolLost),
        "changed" => (3, Effect::Changed),
        "call fails" | "call hangs" => (4, Effect::RequestFails),
        other => panic!("no outcome is named {other}"),
    }
}

/// Whether what a client does shows this fact, and not only the other one.
fn shows(oddity: &Oddity, fact: &Fact, client: &String) -> bool {
    let of = |id: &String| table().fact.iter().find(|own| own.id == *id).is_some_and(|own| own.hosts.contains(client));
    let other = if oddity.id == fact.id { oddity.and.as_ref() } else { Some(&oddity.id) };
    fact.hosts.contains(client) || !other.is_some_and(of)
}

fn facts_of(oddities: &[Oddity]) -> impl Iterator<Item = &'static Fact> {
    table().fact.iter().filter(|fact| oddities.iter().any(|oddity| oddity.id == fact.id))
}

#[test]
fn the_table_says_of_the_measured_clients_what_they_do() {
    let (clients, oddities) = measured();
    let mut wrong = Vec::new();
    for fact in facts_of(&oddities) {
        for client in &clients {
            let own = oddities.iter().filter(|oddity| oddity.id == fact.id || oddity.and.as_ref() == Some(&fact.id));
            let own = own.filter(|oddity| shows(oddity, fact, client));
            let seen = own.filter_map(|oddity| oddity.expect.get(client)).map(|outcome| effect(outcome)).min();
            let seen = seen.map(|(_, effect)| effect);
            let told = fact.hosts.contains(client).then(|| fact.effect_in(client));
            if seen != told {
                wrong.push(format!("{} {client}: measured {seen:?}, the table says {told:?}", fact.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where clients take one form and not another, these are two facts: a report tells nobody of what it takes.
#[test]
fn all_forms_of_a_fact_are_refused_by_the_same_clients() {
    let (_, oddities) = measured();
    let mut wrong = Vec::new();
    for fact in facts_of(&oddities).filter(|fact| !matches!(fact.when, When::Unseen(_))) {
        let refused = |oddity: &Oddity| -> Vec<String> {
            let own = oddity.expect.keys().filter(|client| shows(oddity, fact, client));
            own.map(|client| format!("{client}: {:?}", effect(&oddity.expect[client]).1)).collect()
        };
        let own = oddities.iter().filter(|oddity| oddity.id == fact.id && !oddity.expect.is_empty());
        let all: BTreeSet<Vec<String>> = own.map(refused).collect();
        if all.len() > 1 {
            wrong.push(format!("{}: {all:?}", fact.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_definition_that_a_client_refuses_is_found_and_no_other() {
    let (clients, oddities) = measured();
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for fact in facts_of(&oddities) {
        if matches!(
            fact.when,
            When::Answer(_) | When::Broken(_) | When::Wire(_) | When::StartsAfter(_) | When::Unseen(_)
        ) {
            continue;
        }
        for oddity in oddities.iter().filter(|oddity| oddity.id == fact.id) {
            for tool in oddity.tools() {
                tried += 1;
                let found = refused(&Record { tools: vec![tool.clone()], ..record(vec![]) }, &clients);
                if found.facts.iter().any(|own| own.id == fact.id) == oddity.expect.is_empty() {
                    wrong.push(format!("{}: {tool}", fact.id));
                }
            }
        }
    }
    assert!(wrong.is_empty() && tried >= 50, "{tried} tried\n{}", wrong.join("\n"));
}

#[test]
fn every_oddity_is_of_a_fact() {
    let (_, oddities) = measured();
    let known = |id: &String| id == "control" || table().fact.iter().any(|fact| fact.id == *id);
    let unknown: Vec<&String> = oddities.iter().map(|oddity| &oddity.id).filter(|id| !known(id)).collect();
    assert_eq!(unknown, Vec::<&String>::new());
}
