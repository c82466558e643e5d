//! The URIs that clients are announced: one for each, and none that can be guessed from another.
//!
//! Sessions with the purpose `sse/identifiers` were all open at the same time; those with the purpose `sse/clients` were so
//! together with the main session.

use std::collections::BTreeSet;

use super::common::{CLIENTS, endpoints, streams};
use crate::{Case, Collector, Rule, Session, View};

const DISTINCT: &str = "sse.multi.distinct-endpoints";
const UNGUESSABLE: &str = "security.sse.endpoint-unguessable";

pub(super) const RULE: Rule = Rule { name: "sse/identifiers", judges: &[DISTINCT, UNGUESSABLE], judge };

/// The scenario that opens many streams.
const PURPOSE: &str = "sse/identifiers";
/// Fewer tell nothing of how identifiers are made.
const SAMPLES: usize = 8;
/// The number of bits that the differing part must hold. A UUID has 122 random bits, one of version 7 has 74.
const BITS: f64 = 64.0;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut announced = announced(view, |session| session.open.purpose == PURPOSE);
    if announced.len() < 2 {
        let main = view.judged().next().map(|session| session.id);
        announced = self::announced(view, |session| {
            Some(session.id) == main || session.open.purpose == CLIENTS && !session.open.confirm
        });
    }
    let distinct: BTreeSet<&str> = announced.iter().map(|(_, uri)| *uri).collect();
    let Some((stream, _)) = announced.first().filter(|_| announced.len() > 1) else { return };
    collector.check(DISTINCT, distinct.len() == announced.len(), || {
        let mut finding = stream.finding(
            "Several clients get the same URI, so the server cannot know which of them posted a message.",
            "a separate URI for each connection",
        );
        finding.actual = "the same URI for several connections".to_owned();
        finding
    });
    if distinct.len() < SAMPLES {
        return collector.not_observed(UNGUESSABLE, "too few different URIs were announced to compare them");
    }
    let uris: Vec<&str> = distinct.into_iter().collect();
    collector.check(UNGUESSABLE, capacity(&uris) >= BITS, || {
        let mut finding = stream.finding(
            "The part that distinguishes client URIs can be guessed: anyone who guesses it can post messages in another client's name.",
            "an identifier with at least 64 random bits, such as a random UUID",
        );
        finding.actual = "identifiers that differ in only a few characters".to_owned();
        finding.wire = uris.iter().take(4).map(|uri| format!("< event: endpoint, data: {uri}")).collect();
        finding
    });
}

/// Streams and the URI that each was told first.
fn announced<'v>(view: &'v View<'v>, wanted: impl Fn(&Session<'_>) -> bool) -> Vec<(Case<'v>, &'v str)> {
    let open = streams(view).filter(|stream| wanted(stream.session));
    open.filter_map(|stream| Some((stream, endpoints(&stream).next()?.1.text.as_str()))).collect()
}

/// How many bits the characters can hold that are not the same in all URIs. This can show weakness, never strength.
fn capacity(uris: &[&str]) -> f64 {
    let texts: Vec<Vec<char>> = uris.iter().map(|uri| uri.chars().collect()).collect();
    let longest = texts.iter().map(Vec::len).max().unwrap_or_default();
    let varying = |at: &usize| texts.iter().any(|text| text.get(*at) != texts[0].get(*at));
    let places: Vec<usize> = (0..longest).filter(varying).collect();
    let seen = || places.iter().flat_map(|at| texts.iter().filter_map(|text| text.get(*at)));
    let bits = if seen().all(char::is_ascii_digit) {
        10_f64.log2()
    } else if seen().all(char::is_ascii_hexdigit) {
        4.0
    } else if seen().all(|letter| !letter.is_ascii_uppercase()) || seen().all(|letter| !letter.is_ascii_lowercase()) {
        5.0
    } else {
        6.0
    };
    f64::from(u32::try_from(places.len()).unwrap_or(u32::MAX)) * bits
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status, Transport};

    use super::{DISTINCT, PURPOSE, UNGUESSABLE};
    use crate::testing::Script;

    fn announced(uris: &[&str]) -> Script {
        let script = Script::over(Transport::Sse, Revision::V2024_11_05, json!({}));
        uris.iter().fold(script, |script, uri| script.and_streaming(PURPOSE).streams().tells("endpoint", uri))
    }

    fn made(make: impl Fn(u32) -> String) -> Script {
        let uris: Vec<String> = (1..=20).map(make).collect();
        announced(&uris.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Something that looks random.
    fn mixed(seed: u32) -> u128 {
        (1..9).fold(u128::from(seed), |sum, step| {
            sum.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ (sum >> 61) ^ step
        })
    }

    #[test]
    fn random_identifiers_pass() {
        let forms: [fn(u32) -> String; 3] = [
            |seed| format!("/messages?session={:032x}", mixed(seed)),
            // Version 7: a time, then randomness.
            |seed| {
                format!("/m?s=01890c5a-7{:03x}-7abc-8def-{:012x}{:08x}", seed, mixed(seed) >> 80, mixed(seed) as u32)
            },
            |seed| format!("/m/{}{}", mixed(seed), mixed(seed + 99)),
        ];
        for form in forms {
            let script = made(form);
            assert!(script.fails().is_empty(), "{:?}", script.fails());
            assert_eq!((script.status_of(DISTINCT), script.status_of(UNGUESSABLE)), (Status::Pass, Status::Pass));
        }
    }

    #[test]
    fn counters_and_clocks_fail() {
        assert_eq!(made(|number| format!("/messages?session={number}")).fails(), [UNGUESSABLE]);
        assert_eq!(
            made(|number| format!("/m?s={}", 1_732_000_000_000_u64 + u64::from(number) * 7)).fails(),
            [UNGUESSABLE]
        );
        assert_eq!(
            made(|number| format!("/m?s={:08x}-89ab-11ef-9cd2-0242ac120002", number * 977)).fails(),
            [UNGUESSABLE]
        );
    }

    #[test]
    fn one_uri_for_all_is_told_once() {
        let script = announced(&["/messages"; 20]);
        assert_eq!(script.fails(), [DISTINCT]);
        assert_eq!(script.status_of(UNGUESSABLE), Status::NotObserved);
        let few = Script::over(Transport::Sse, Revision::V2024_11_05, json!({})).and_streaming("sse/clients").streams();
        assert_eq!(few.tells("endpoint", "/messages?session=05f0b6c1e9a").fails(), [DISTINCT]);
    }
}
