//! Reading what is not there.

use serde_json::Value;
use verdict::{Intent, Key, Level};
use wire::mcp::code;

use super::{contents, requested_uri};
use crate::rules::common::{ALIKE, error_text, fails_like, is_bare_refusal, is_mismatch, is_unserved, wants_something};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "resources/missing",
    judges: &[
        "resources.read.not-found-error",
        "resources.read.not-found-code",
        "resources.read.not-found-no-empty-contents",
        "resources.read.not-found-data-uri",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let cases: Vec<Case<'_>> = view.probes(Intent::ResourceMissing).filter(Case::is_decided).collect();
    let known = cases.iter().any(|case| case.about_str(Key::Kind) == Some("known-scheme"));
    for case in cases.iter().filter(|case| !wants_something(case)) {
        if fails_like(case, view.probes(Intent::ResourceRead).filter(Case::is_decided)) {
            RULE.judges.iter().for_each(|id| collector.undecided(id, ALIKE));
            continue;
        }
        check_error(case, collector);
        check_empty(case, collector);
        // A server may have its own answer to a scheme that it does not know.
        if !known || case.about_str(Key::Kind) == Some("known-scheme") {
            check_code(case, collector);
            check_data(case, collector);
        }
    }
}

fn placed_finding(case: &Case<'_>, message: &str, expected: String) -> verdict::Finding {
    let mut finding = case.finding(message, expected);
    finding.place = case.about_str(Key::Kind).map(str::to_owned);
    finding
}

fn check_error(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.not-found-error";
    let refused = case.error().is_some() || is_bare_refusal(case);
    let nothing = contents(case).is_some_and(Vec::is_empty);
    collector.check(ID, refused, || {
        let message = if nothing {
            "Reading a resource that does not exist returns an empty list of contents, so clients mistake it for an empty resource."
        } else if case.result().is_some() {
            "Reading a resource that does not exist returns contents anyway."
        } else {
            "Reading a resource that does not exist is not answered."
        };
        let mut finding = placed_finding(case, message, "a JSON-RPC error".into());
        finding.level = (nothing && case.view.revision.is_handshake()).then_some(Level::Advice);
        finding
    });
}

fn check_empty(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.not-found-no-empty-contents";
    if case.reply().is_none() {
        return;
    }
    collector.check(ID, !contents(case).is_some_and(Vec::is_empty), || {
        let message = "Reading a resource that does not exist returns an empty list of contents, so clients mistake it for an empty resource.";
        placed_finding(case, message, "error -32602".into())
    });
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.not-found-code";
    let Some(code) = case.error_code() else { return };
    let wanted = case.view.revision.traits().unknown_resource_code;
    if code == wanted {
        return collector.witness(ID);
    }
    // Beside a listed resource there may be what a client has no right to know of.
    if is_unserved(case) {
        return collector.not_observed(ID, "the server does not serve resources/read");
    }
    let text = error_text(case);
    if is_mismatch(case) || text.contains("denied") || text.contains("forbidden") || text.contains("not allowed") {
        return collector.not_observed(ID, "the error is about permissions");
    }
    if code == code::INVALID_PARAMS {
        collector.witness(ID);
        return collector.note(ID, "a missing resource is answered with -32602, which is the code in 2026-07-28");
    }
    let message = "The error for a missing resource has the wrong code, so clients cannot tell it from other failures.";
    collector.fail(ID, placed_finding(case, message, format!("error {wanted}")));
}

fn check_data(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.not-found-data-uri";
    let (Some(error), Some(uri)) = (case.error(), requested_uri(case)) else { return };
    let given = error.get("data").and_then(|data| data.get("uri")).and_then(Value::as_str);
    collector.check(ID, given == Some(uri), || {
        let message = "The error for a missing resource does not name the resource in data.uri.";
        let mut finding = placed_finding(case, message, "data.uri with the requested URI".into());
        // The page has it in its example alone.
        finding.level = Some(Level::Advice);
        finding.actual = if given.is_some() { "a different URI" } else { "no data.uri" }.into();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const OLD: Revision = Revision::V2025_11_25;
    const NEW: Revision = Revision::V2026_07_28;
    const ERROR: &str = "resources.read.not-found-error";
    const CODE: &str = "resources.read.not-found-code";
    const EMPTY: &str = "resources.read.not-found-no-empty-contents";
    const DATA: &str = "resources.read.not-found-data-uri";

    fn read(revision: Revision, kind: &str, answer: Value) -> Script {
        let script = Script::new(revision, json!({"resources": {}}));
        probe(script, kind, answer)
    }

    fn probe(script: Script, kind: &str, answer: Value) -> Script {
        let params = json!({"uri": "note://none"});
        script.probe_about(Intent::ResourceMissing, json!({"kind": kind}), "resources/read", params, answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "Resource not found", "data": {"uri": "note://none"}}})
    }

    #[test]
    fn an_error_that_listed_resources_get_too_says_nothing() {
        let failed =
            |text: &str| json!({"error": {"code": -32603, "message": format!("fetch {text} failed in 12 ms")}});
        let script = read(OLD, "known-scheme", failed("note://none"));
        assert!(script.fails().contains(&CODE));
        let listed = |script: Script, answer: Value| {
            script.probe(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"}), answer)
        };
        let down = listed(script, failed("note://a"));
        assert_eq!([ERROR, CODE].map(|id| down.status_of(id)), [Status::Inconclusive; 2]);
        let served = listed(down, contents(json!([{"uri": "note://a", "text": "a"}])));
        assert!(served.fails().contains(&CODE));
    }

    fn contents(contents: Value) -> Value {
        json!({"result": {"resultType": "complete", "contents": contents, "ttlMs": 0, "cacheScope": "public"}})
    }

    #[test]
    fn each_revision_has_its_code() {
        for (revision, code) in [(OLD, -32002), (NEW, -32602)] {
            let script = read(revision, "known-scheme", error(code));
            assert_eq!([ERROR, CODE, DATA].map(|id| script.status_of(id)), [Status::Pass; 3]);
            assert_eq!(script.fails(), [""; 0]);
        }
        assert_eq!(read(OLD, "known-scheme", error(-32603)).fails(), [CODE]);
        assert!(read(NEW, "known-scheme", error(-32002)).fails().contains(&CODE));
        let verdict = read(OLD, "known-scheme", error(-32602)).verdict(CODE);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn an_unknown_scheme_tells_the_code_only_if_nothing_else_does() {
        let script = read(OLD, "unknown-scheme", error(-32603));
        assert_eq!(script.status_of(CODE), Status::Fail);
        assert_eq!(probe(script, "known-scheme", error(-32002)).status_of(CODE), Status::Pass);
    }

    #[test]
    fn a_method_that_is_not_there_has_no_code_for_what_is_missing() {
        let unserved = || read(OLD, "unknown-scheme", error(-32601));
        assert_eq!(unserved().status_of(CODE), Status::NotObserved);
        let served = unserved().plain("resources/read", json!({"uri": "note://a"}), contents(json!([])));
        assert_eq!(served.status_of(CODE), Status::Fail);
    }

    #[test]
    fn a_refusal_for_lack_of_rights_has_its_own_code() {
        let denied = json!({"error": {"code": -32603, "message": "Access denied", "data": {"uri": "note://none"}}});
        assert_eq!(read(OLD, "known-scheme", denied).status_of(CODE), Status::NotObserved);
    }

    #[test]
    fn contents_are_no_refusal() {
        let made = contents(json!([{"uri": "note://none", "text": "x"}]));
        assert_eq!(read(OLD, "known-scheme", made.clone()).fails(), [ERROR]);
        assert!(read(NEW, "known-scheme", made).fails().contains(&ERROR));
    }

    #[test]
    fn empty_contents_are_advice_until_2026() {
        let verdict = read(OLD, "known-scheme", contents(json!([]))).verdict(ERROR);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        let script = read(NEW, "known-scheme", contents(json!([])));
        assert_eq!((script.status_of(EMPTY), script.verdict(EMPTY).level), (Status::Fail, Level::Must));
        assert_eq!(read(NEW, "known-scheme", error(-32602)).status_of(EMPTY), Status::Pass);
    }

    #[test]
    fn the_uri_in_the_error_is_good_practice() {
        let bare = json!({"error": {"code": -32602, "message": "no"}});
        let verdict = read(NEW, "known-scheme", bare).verdict(DATA);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn silence_is_no_refusal() {
        let script = Script::new(OLD, json!({"resources": {}}));
        let script =
            script.unanswered(Intent::ResourceMissing, "resources/read", json!({"uri": "note://none"})).gave_up();
        assert_eq!(script.status_of(ERROR), Status::Fail);
    }
}
