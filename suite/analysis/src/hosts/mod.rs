//! What hosts, model APIs and client libraries do not take as it is, though the specification may allow it: a table of facts (`hosts/*.toml`),
//! held against the definitions of a server and what was seen of it. None of it is part of a verdict.

mod code;
mod condition;
mod evidence;
mod notice;
mod pattern;
mod table;
mod wire;

use std::io::Read;
use std::sync::LazyLock;

use evidence::Evidence;
use flate2::read::DeflateDecoder;
use verdict::record::{HostFact, HostPlace, Record};
use verdict::{Revision, Transport};

#[cfg(test)]
mod measured;
#[cfg(test)]
mod tests;

pub use notice::notice;
pub use table::{Effect, Fact, Host, Kind, Over, Table};

/// Places of one fact that are kept; the rest is counted.
const PLACES: usize = 100;

/// The table, as the build has packed it.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut text = String::new();
    let packed: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hosts.deflate"));
    // What the build has packed can be read; if not, there are no facts.
    let _ = DeflateDecoder::new(packed).read_to_string(&mut text);
    serde_json::from_str(&text).unwrap_or_default()
});

/// The table of hosts and facts.
#[must_use]
pub fn table() -> &'static Table {
    &TABLE
}

/// The hosts that most people use.
pub fn common() -> impl Iterator<Item = &'static str> {
    TABLE.host.iter().filter(|(_, host)| host.common).map(|(id, _)| id.as_str())
}

/// What a server has that hosts do not take, and what was not seen of it.
#[derive(Debug, Default)]
pub struct Refused {
    /// What was seen, the worst first.
    pub facts: Vec<HostFact>,
    /// The facts of which nothing was seen that could show them.
    pub unseen: Vec<String>,
}

/// What these hosts do not take of a server, by its record.
#[must_use]
pub fn refused(record: &Record, hosts: &[String]) -> Refused {
    let evidence = Evidence::new(record);
    let (mut found, mut unseen) = (Vec::new(), Vec::new());
    let is_asked = |fact: &&Fact| fact.hosts.iter().any(|host| hosts.contains(host));
    for fact in TABLE.fact.iter().filter(is_asked).filter(|fact| happens_over(fact.over, record.target.transport)) {
        match evidence.places(fact) {
            Some(places) if places.is_empty() => {}
            Some(places) => found.push((fact, told(fact, record, hosts, places))),
            None => unseen.push(fact.id.clone()),
        }
    }
    found.sort_by_key(|(fact, told)| (!told.is_for_all(), worst(fact, &told.hosts)));
    Refused { facts: found.into_iter().map(|(_, told)| told).collect(), unseen }
}

fn happens_over(over: Option<Over>, transport: Transport) -> bool {
    over.is_none_or(|over| (over == Over::Stdio) == (transport == Transport::Stdio))
}

/// The worst that one of these hosts does.
fn worst(fact: &Fact, hosts: &[String]) -> Effect {
    hosts.iter().map(|host| fact.effect_in(host)).min().unwrap_or(fact.effect)
}

/// Whether something was last confirmed more than a year before the newest entry of the table. Reports tell nothing of today.
fn is_old(confirmed: &str) -> bool {
    let months = |text: &str| {
        let (year, month) = text.split_once('-')?;
        Some(year.parse::<u32>().ok()? * 12 + month.parse::<u32>().ok()?)
    };
    let newest = TABLE.fact.iter().filter_map(|fact| months(&fact.confirmed)).max();
    newest.zip(months(confirmed)).is_some_and(|(newest, then)| then + 12 < newest)
}

/// The revision until which something happens, where a newer one is judged.
fn until_before(fact: &Fact, judged: Revision) -> Option<Revision> {
    fact.until.as_ref()?.parse().ok().filter(|until| *until < judged)
}

/// A fact as the report on a server tells it, of these hosts.
fn told(fact: &Fact, record: &Record, hosts: &[String], mut places: Vec<HostPlace>) -> HostFact {
    let more = places.len().saturating_sub(PLACES);
    places.truncate(PLACES);
    let hosts: Vec<String> = fact.hosts.iter().filter(|host| hosts.contains(host)).cloned().collect();
    let effect = worst(fact, &hosts);
    let until = until_before(fact, record.protocol);
    let connects = until.map(|until| format!("the host connects with {until} or older"));
    let only_if = fact.only_if.clone().into_iter().chain(connects).reduce(|both, one| both + " and " + &one);
    let other = |host: &String| Some((host.clone(), fact.effect_in(host))).filter(|(_, own)| *own != effect);
    let effects = hosts.iter().filter_map(other).map(|(host, own)| (host, own.as_str().to_owned())).collect();
    HostFact {
        id: fact.id.clone(),
        hosts,
        effect: effect.as_str().to_owned(),
        effects,
        legal: fact.legal || until.is_some(),
        requirement: if until.is_some() { vec![] } else { fact.requirement.clone() },
        places,
        more: u32::try_from(more).unwrap_or(u32::MAX),
        what: fact.what.clone(),
        only_if,
        mend: fact.mend.clone(),
        both: fact.both.clone(),
        status: fact.status.clone(),
        seen_in: fact.seen_in.clone(),
        confirmed: fact.confirmed.clone(),
        old: is_old(&fact.confirmed),
        source: fact.source.clone(),
    }
}
