//! Each condition of the table holds for one example and not for another (`examples.json`), and what the table names is there.

use std::collections::{BTreeMap, BTreeSet};

use judge::{Criteria, View};
use serde::Deserialize;
use serde_json::{Value, json};
use verdict::record::{EFFECTS, Entry, Noticed, Record};
use verdict::transcript::Event;
use verdict::{Level, Revision, Status, Transport};

use super::table::{Effect, Fact, Over, When};
use super::{common, is_old, notice, refused, table};
use crate::testing::{failed, passed, record};

/// What a fact is about, and what it is not about.
#[derive(Deserialize)]
struct Example {
    refused: Server,
    taken: Server,
}

/// A server: its tools, or how many there are, or how deep the schema of one is (readers of JSON have a limit), or what it answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Server {
    Number(usize),
    Nested { depth: usize },
    Talk(Box<Talk>),
    Tools(Vec<Value>),
}

/// One answer of a server.
#[derive(Deserialize)]
struct Talk {
    method: String,
    result: Value,
    #[serde(default)]
    tool: Option<Value>,
    /// The tool that is called, if another than the listed one.
    #[serde(default)]
    called: Option<String>,
    /// Over HTTP, the status and the headers.
    #[serde(default)]
    http: Option<(u16, Vec<(String, String)>)>,
    /// What stands before it on its line.
    #[serde(default)]
    before: String,
    /// Milliseconds until it comes.
    #[serde(default)]
    after: u64,
}

impl Server {
    fn tools(&self) -> Vec<Value> {
        match self {
            Self::Number(number) => {
                (0..*number).map(|at| json!({"name": format!("find_{at}"), "description": "Finds."})).collect()
            }
            Self::Nested { depth } => {
                let schema = |inner, _| json!({"type": "object", "properties": {"a": inner}});
                let schema = (0..*depth).fold(json!({"type": "string"}), schema);
                vec![json!({"name": "find", "description": "Finds.", "inputSchema": schema})]
            }
            Self::Talk(talk) => talk.tool.iter().cloned().collect(),
            Self::Tools(list) => list.clone(),
        }
    }

    fn transport(&self) -> Transport {
        let over_http = matches!(self, Self::Talk(talk) if talk.http.is_some());
        if over_http { Transport::Http } else { Transport::Stdio }
    }

    fn noticed(&self) -> Vec<Noticed> {
        let events = if let Self::Talk(talk) = self { talk.events() } else { vec![] };
        let read = |event| serde_json::from_value(event).expect("an event");
        let events: Vec<Event> = events.into_iter().map(read).collect();
        notice(&View::new(&events, &Criteria { revision: Revision::V2025_11_25, transport: self.transport() }))
    }
}

impl Talk {
    /// The tool that is listed: a result counts only of one that is.
    fn listed(&self) -> Option<Value> {
        let any = || (self.method == "tools/call").then(|| json!({"name": "find", "inputSchema": {"type": "object"}}));
        self.tool.clone().or_else(any)
    }

    fn events(&self) -> Vec<Value> {
        let transport = if self.http.is_some() { "http" } else { "stdio" };
        let mut events = vec![json!({"event": "open", "transport": transport, "purpose": "main"})];
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "a", "version": "1"}});
        let (first, result) = if self.method == "initialize" { (self.after, &self.result) } else { (0, &hello) };
        events.extend(self.exchange(1, "initialize", &json!({"protocolVersion": "2025-11-25"}), result, first));
        let about = json!({"revision": "2025-11-25"});
        events.push(json!({"event": "probe", "scenario": "session", "intent": "negotiated", "about": about}));
        let tool = self.listed();
        if let Some(tool) = &tool {
            events.extend(self.exchange(3, "tools/list", &json!({}), &json!({"tools": [tool]}), 0));
        }
        if self.method != "initialize" {
            let listed = tool.as_ref().and_then(|tool| tool["name"].as_str());
            let name = self.called.as_deref().or(listed);
            events.extend(self.exchange(2, &self.method, &json!({"name": name}), &self.result, self.after));
        }
        let mut at = 0;
        for (seq, event) in events.iter_mut().enumerate() {
            at += event["after"].take().as_u64().unwrap_or(0) * 1000;
            (event["seq"], event["at_us"], event["session"]) = (seq.into(), at.into(), 0.into());
            event.as_object_mut().expect("an object").remove("after");
        }
        events
    }

    fn exchange(&self, id: u32, method: &str, params: &Value, result: &Value, after: u64) -> Vec<Value> {
        let sent = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": repeated(result)}).to_string();
        let answer = if method == self.method { self.before.clone() + &answer } else { answer };
        let Some((status, headers)) = &self.http else {
            let line =
                |text: &str| json!({"event": "receive", "channel": 0, "text": text, "via": "line", "after": after});
            let mut events = vec![json!({"event": "send", "channel": 0, "text": sent})];
            events.extend(answer.lines().map(line));
            return events;
        };
        let status = if id == 2 { status } else { &200 };
        vec![
            json!({"event": "send", "channel": id, "text": sent, "http": "POST", "headers": []}),
            json!({"event": "status", "channel": id, "status": status, "headers": headers}),
            json!({"event": "receive", "channel": id, "text": answer, "via": "body", "after": after}),
            json!({"event": "closed", "channel": id}),
        ]
    }
}

/// A result in which `{"$repeat": 3}` is a text of three characters.
fn repeated(value: &Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$repeat").and_then(Value::as_u64) {
            Some(number) => Value::String("a".repeat(usize::try_from(number).expect("small"))),
            None => members.iter().map(|(name, value)| (name.clone(), repeated(value))).collect(),
        },
        Value::Array(items) => items.iter().map(repeated).collect(),
        other => other.clone(),
    }
}

fn everyone() -> Vec<String> {
    table().host.keys().cloned().collect()
}

fn finds(id: &str, server: &Server) -> bool {
    let mut record = Record { tools: server.tools(), ..record(vec![]) };
    record.target.transport = server.transport();
    record.noticed = server.noticed();
    let found = refused(&record, &everyone());
    assert!(!found.unseen.contains(&id.to_owned()), "{id}: the example does not show it");
    found.facts.iter().any(|fact| fact.id == id)
}

#[test]
fn every_condition_holds_for_one_example_and_not_for_another() {
    let examples: BTreeMap<String, Example> =
        serde_json::from_str(include_str!("examples.json")).expect("our own file");
    let mut shown = BTreeSet::new();
    for fact in table().fact.iter().filter(|fact| !matches!(fact.when, When::Broken(_) | When::Unseen(_))) {
        let example = examples.get(&fact.id).unwrap_or_else(|| panic!("{} has no example", fact.id));
        assert!(finds(&fact.id, &example.refused), "{} is not found", fact.id);
        assert!(!finds(&fact.id, &example.taken), "{} is found where it is not", fact.id);
        shown.insert(&fact.id);
    }
    assert_eq!(shown, examples.keys().collect());
}

#[test]
fn the_result_of_a_tool_that_is_not_listed_shows_nothing() {
    let examples: BTreeMap<String, Value> = serde_json::from_str(include_str!("examples.json")).expect("our own file");
    let id = "structured-content-without-text";
    let shows = |called: Option<&str>| {
        let mut server = examples[id]["refused"].clone();
        server["called"] = called.into();
        let server: Server = serde_json::from_value(server).expect("a server");
        server.noticed().iter().any(|noticed| noticed.fact == id)
    };
    assert!(shows(None) && !shows(Some("another")));
}

#[test]
fn what_a_newer_revision_allows_is_said_of_older_connections_only() {
    let tool = json!({"name": "find", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}});
    let told = |protocol| {
        let record = Record { tools: vec![tool.clone()], protocol, ..record(vec![]) };
        let found = refused(&record, &everyone()).facts;
        let told = found.into_iter().find(|fact| fact.id == "output-schema-root-type").expect("it is told");
        (told.only_if, told.legal, told.requirement.len())
    };
    assert_eq!(told(Revision::V2025_11_25), (None, false, 1));
    let older = Some("the host connects with 2025-11-25 or older".to_owned());
    assert_eq!(told(Revision::V2026_07_28), (older, true, 0));
}

/// A record in which a requirement holds.
fn record_for(id: &str, entries: Vec<Entry>) -> Record {
    let requirement = verdict::requirement(id).expect("a requirement");
    let mut record = record(entries);
    record.protocol = *requirement.revisions.last().expect("a revision");
    record.target.transport = requirement.transports.first().copied().unwrap_or(record.target.transport);
    record
}

/// Whether another requirement holds in the record of this one.
fn holds_with(id: &str, other: &str) -> bool {
    let (record, other) = (record_for(id, vec![]), verdict::requirement(other).expect("a requirement"));
    other.holds_in(record.protocol) && other.binds(record.target.transport)
}

#[test]
fn what_a_requirement_says_is_found_where_that_is_broken() {
    for fact in &table().fact {
        let When::Broken(ids) = &fact.when else { continue };
        for id in ids {
            let found = |entries| {
                let found = refused(&record_for(id, entries), &everyone());
                (found.facts.iter().any(|own| own.id == fact.id), found.unseen.contains(&fact.id))
            };
            let alone = |other: &String| other == id || !holds_with(id, other);
            let without = Entry { status: Status::NotApplicable, ..passed(id) };
            let others = ids.iter().map(|id| Entry { status: Status::NotApplicable, ..passed(id) }).collect();
            assert_eq!(found(vec![failed(id, Level::Must, "It is broken.")]), (true, false), "{}", fact.id);
            assert_eq!(found(vec![passed(id)]), (false, false), "{}", fact.id);
            assert_eq!(found(vec![without]), (false, !ids.iter().all(alone)), "{}", fact.id);
            assert_eq!(found(others), (false, false), "{}", fact.id);
            assert_eq!(found(vec![]), (false, true), "{}", fact.id);
        }
    }
}

/// Whether definitions alone never show it.
fn needs_run(when: &When) -> bool {
    match when {
        When::Any(all) => all.iter().all(needs_run),
        when => {
            matches!(when, When::Answer(_) | When::Broken(_) | When::Wire(_) | When::StartsAfter(_) | When::Unseen(_))
        }
    }
}

#[test]
fn what_nothing_showed_is_not_taken_for_good() {
    let mut record = record(vec![]);
    let evidence = |record: &Record| refused(record, &everyone()).unseen;
    let over_stdio = evidence(&record);
    record.target.transport = Transport::Http;
    let over_http = evidence(&record);
    for fact in table().fact.iter().filter(|fact| !matches!(fact.when, When::Broken(_))) {
        let of_run = needs_run(&fact.when);
        assert_eq!(over_stdio.contains(&fact.id), of_run && fact.over != Some(Over::Http), "{}", fact.id);
        assert_eq!(over_http.contains(&fact.id), of_run && fact.over != Some(Over::Stdio), "{}", fact.id);
    }
}

#[test]
fn what_the_table_names_is_there() {
    let ids: Vec<&str> = table().fact.iter().map(|fact| fact.id.as_str()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each id once");
    for fact in &table().fact {
        let of = &fact.id;
        assert!(fact.effects.iter().all(|(host, own)| fact.hosts.contains(host) && *own != fact.effect), "{of}");
        assert!(!fact.hosts.is_empty() && fact.hosts.iter().all(|host| table().host.contains_key(host)), "{of}");
        assert!(fact.against.iter().all(|id| ids.contains(&id.as_str())), "{of}");
        assert_eq!(fact.against.is_empty(), fact.both.is_none(), "{of}: what pulls the other way and what both take");
        assert!(fact.requirement.iter().all(|id| verdict::requirement(id).is_some()), "{of}: {:?}", fact.requirement);
        assert!(fact.legal == fact.requirement.is_empty(), "{of}: what is not legal breaks a requirement");
        assert!(fact.until.as_ref().is_none_or(|until| until.parse::<Revision>().is_ok()), "{of}: {:?}", fact.until);
        assert!(!fact.source.is_empty() && fact.confirmed.len() == 7, "{of}");
        if let When::Broken(ids) = &fact.when {
            assert!(ids.iter().all(|id| verdict::requirement(id).is_some()), "{of}: {ids:?}");
        }
    }
    assert!(common().count() > 10 && common().all(|host| table().host.contains_key(host)));
}

#[test]
fn effects_are_those_of_the_report_in_its_order() {
    let words = |fact: &Fact| std::iter::once(fact.effect).chain(fact.effects.values().copied()).collect::<Vec<_>>();
    let used: BTreeSet<Effect> = table().fact.iter().flat_map(words).collect();
    assert_eq!(used.iter().map(|effect| effect.as_str()).collect::<Vec<_>>(), EFFECTS);
    assert!(used.iter().all(|effect| json!(effect) == effect.as_str()));
}

#[test]
fn what_nobody_confirmed_for_a_year_is_old() {
    let newest = table().fact.iter().map(|fact| fact.confirmed.as_str()).max().expect("facts");
    assert!(!is_old(newest) && is_old("2025-04"));
}
