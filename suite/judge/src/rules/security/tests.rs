//! A server on this machine as outsiders see it, good in everything; and each requirement broken by one change.

use serde_json::{Value, json};
use verdict::Revision::{V2025_06_18, V2025_11_25, V2026_07_28};
use verdict::{Intent, Level, Revision, Status, Transport};

use crate::testing::Script;

const FOREIGN: &str = "http://evil.example";

/// One request and the status of its response; below 300 it has a result.
#[derive(Clone, Debug)]
struct Shot {
    http: &'static str,
    intent: Intent,
    about: Value,
    status: u16,
    headers: Vec<(&'static str, &'static str)>,
}

#[derive(Clone, Debug)]
struct Target {
    revision: Revision,
    about: Value,
    shots: Vec<Shot>,
}

fn shot(http: &'static str, kind: &str, status: u16) -> Shot {
    Shot { http, intent: Intent::Origin, about: json!({"kind": kind}), status, headers: vec![] }
}

fn good(revision: Revision) -> Target {
    let refused = ["foreign", "rebinding", "host", "lookalike", "null", "malformed", "empty", "twice"];
    let mut shots = vec![shot("POST", "control", 200), shot("POST", "own", 200), shot("POST", "simple", 415)];
    shots.extend(refused.map(|kind| shot("POST", kind, 403)));
    if revision.is_handshake() {
        for http in ["GET", "DELETE"] {
            shots.extend([shot(http, "foreign", 403), shot(http, "control", 200)]);
        }
    }
    shots.push(Shot { intent: Intent::Preflight, about: json!({}), ..shot("OPTIONS", "", 405) });
    Target { revision, about: json!({"loopback": true, "https": false}), shots }
}

impl Target {
    fn script(&self) -> Script {
        let script = Script::over(Transport::Http, self.revision, json!({"tools": {}})).outsider();
        let mut script = script.means(Intent::Target, self.about.clone());
        for (at, shot) in self.shots.iter().enumerate() {
            let id = 1000 + at;
            let sent = json!({"jsonrpc": "2.0", "id": id, "method": "initialize"}).to_string();
            let sent = if shot.http == "POST" { sent.as_str() } else { "" };
            script = script.request(shot.http, shot.intent, shot.about.clone(), &[("Origin", FOREIGN)], sent);
            let result = json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string();
            let body = if shot.status < 300 && shot.http == "POST" { result.as_str() } else { "" };
            // No response at all: the connection is refused.
            script = match shot.status {
                0 => script.ends(),
                status => script.respond(status, &shot.headers, body),
            };
        }
        script
    }

    fn gives(mut self, http: &str, kind: &str, status: u16) -> Self {
        for shot in self
            .shots
            .iter_mut()
            .filter(|shot| shot.http == http && shot.about["kind"].as_str().unwrap_or_default() == kind)
        {
            shot.status = status;
        }
        self
    }

    fn reached(mut self, status: u16) -> Self {
        let about = json!({"credential": false});
        self.shots.push(Shot { intent: Intent::Beyond, about, ..shot("POST", "", status) });
        self
    }

    fn at(mut self, loopback: bool, https: bool) -> Self {
        self.about = json!({"loopback": loopback, "https": https});
        self
    }

    #[track_caller]
    fn breaks(&self, id: &str) {
        let verdict = self.script().verdict(id);
        assert_eq!(verdict.status, Status::Fail, "{id}: {:?}", verdict.reason);
    }
}

fn judged(script: &Script, id: &str) -> Status {
    script.status_of(&format!("security.{id}"))
}

#[test]
fn a_good_server_passes_in_everything_that_is_judged() {
    for revision in [V2025_06_18, V2025_11_25, V2026_07_28] {
        let script = good(revision).reached(0).script();
        assert_eq!(script.fails_in("security"), Vec::<&str>::new(), "{revision}");
        for rule in super::RULES {
            for id in rule.judges {
                let holds = verdict::requirement(id).is_some_and(|found| found.holds_in(revision));
                let other = ["auth.connections-authenticated", "tls.remote", "local.access-restricted"];
                if holds && id.starts_with("security.") && !other.iter().any(|end| id.ends_with(end)) {
                    let verdict = script.verdict(id);
                    assert_eq!(verdict.status, Status::Pass, "{id} in {revision}: {:?}", verdict.reason);
                }
            }
        }
    }
}

#[test]
fn each_origin_that_is_let_in_is_found() {
    let served = |http: &str, kind: &str| good(V2025_11_25).gives(http, kind, 200);
    served("POST", "foreign").breaks("security.origin.foreign-rejected");
    served("POST", "rebinding").breaks("security.origin.rebinding-pair");
    served("POST", "lookalike").breaks("security.origin.lookalikes-rejected");
    served("POST", "null").breaks("security.origin.null-rejected");
    served("POST", "malformed").breaks("security.origin.malformed-rejected");
    served("POST", "twice").breaks("security.origin.malformed-rejected");
    served("POST", "host").breaks("security.host.foreign-rejected");
    served("POST", "simple").breaks("security.csrf.simple-content-type");
    served("GET", "foreign").breaks("security.origin.get-validated");
    served("DELETE", "foreign").breaks("security.origin.delete-validated");
    good(V2025_11_25).gives("POST", "foreign", 400).breaks("security.origin.status-403");
    good(V2025_11_25).gives("POST", "control", 403).breaks("security.origin.absent-accepted");
}

#[test]
fn where_every_origin_is_let_in_that_is_said_once() {
    let script = good(V2025_11_25).gives("POST", "foreign", 200).gives("POST", "lookalike", 200).script();
    assert_eq!(script.fails_in("security"), ["security.origin.foreign-rejected"]);
    assert_eq!(judged(&script, "origin.lookalikes-rejected"), Status::NotObserved);
}

#[test]
fn what_a_server_may_do() {
    let talk = good(V2025_11_25).gives("POST", "own", 403).gives("POST", "empty", 200).gives("POST", "rebinding", 421);
    let talk = talk.gives("GET", "control", 405).gives("GET", "foreign", 405).gives("DELETE", "foreign", 400);
    assert_eq!(talk.script().fails_in("security"), Vec::<&str>::new());
    assert_eq!(judged(&talk.script(), "origin.get-validated"), Status::NotApplicable);
    // Who comes first is asked who it is: that decides nothing of its origin.
    let talk = good(V2025_11_25).gives("POST", "foreign", 401);
    assert_eq!(judged(&talk.script(), "origin.status-403"), Status::Inconclusive);
    let closed = good(V2025_11_25).gives("POST", "control", 401).gives("POST", "foreign", 401);
    assert_eq!(judged(&closed.script(), "origin.foreign-rejected"), Status::NotObserved);
    // Before 2025-11-25 any refusal is as good as another.
    assert_eq!(good(V2025_06_18).gives("POST", "foreign", 400).script().fails_in("security"), Vec::<&str>::new());
}

#[test]
fn a_reflected_origin_with_credentials_is_found() {
    let with = |headers: Vec<(&'static str, &'static str)>| {
        let mut target = good(V2025_11_25);
        target.shots.last_mut().expect("the preflight").headers = headers;
        target
    };
    let credentials = ("access-control-allow-credentials", "true");
    with(vec![("access-control-allow-origin", FOREIGN), credentials]).breaks("security.origin.no-reflection");
    for fine in [vec![("access-control-allow-origin", "*")], vec![("access-control-allow-origin", FOREIGN)]] {
        assert_eq!(with(fine).script().fails_in("security"), Vec::<&str>::new());
    }
}

#[test]
fn what_is_reached_from_beyond_is_advice_for_a_url_does_not_tell_why() {
    let script = good(V2025_11_25).reached(200).script();
    for id in ["security.bind.loopback-only", "security.local.access-restricted"] {
        let verdict = script.verdict(id);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice), "{id}");
    }
    let guarded = good(V2025_11_25).reached(401).script();
    assert_eq!(judged(&guarded, "local.access-restricted"), Status::Pass);
    assert_eq!(judged(&guarded, "bind.loopback-only"), Status::Fail);
}

#[test]
fn a_server_elsewhere_is_judged_by_whether_it_asks_who_comes() {
    let mut away = good(V2025_11_25).at(false, true);
    away.shots.retain(|shot| shot.about["kind"] == "control");
    away.breaks("security.auth.connections-authenticated");
    assert_eq!(judged(&away.script(), "tls.remote"), Status::Pass);
    assert_eq!(judged(&away.script(), "origin.foreign-rejected"), Status::NotApplicable);
    away.clone().at(false, false).breaks("security.tls.remote");
    let script = away.gives("POST", "control", 401).script().means(Intent::AuthGiven, Value::Null);
    assert_eq!(judged(&script, "auth.connections-authenticated"), Status::Pass);
}

#[test]
fn a_program_is_restricted_by_its_pipes() {
    let script = Script::new(V2025_11_25, json!({}));
    assert_eq!(judged(&script, "local.access-restricted"), Status::Pass);
}
