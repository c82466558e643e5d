//! Two users: what is one's alone is refused to the other, and what is marked public is the same for both.
//!
//! All of it in sessions that no other rule looks at.

use serde_json::Value;
use verdict::probes::values::Who;
use verdict::{Intent, Key};
use wire::mcp::code;

use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "security/users",
    judges: &[
        "caching.public-is-not-user-specific",
        "caching.access-control-not-by-scope",
        "resources.security.access-controls",
        "resources.security.permissions-checked",
    ],
    judge,
};

const PUBLIC: &str = RULE.judges[0];
const SCOPE: &str = RULE.judges[1];
const CONTROLS: &str = RULE.judges[2];
const CHECKED: &str = RULE.judges[3];
/// How two users are told.
const TWO: &str =
    "needs the credentials of two users: --token-env and --second-token-env VARIABLE, or [auth] token and second";

fn judge(view: &View<'_>, collector: &mut Collector) {
    let let_in = ours(view, Intent::UserLetIn)
        .any(|case| case.result().is_some() || case.error_code() == Some(code::METHOD_NOT_FOUND));
    if ours(view, Intent::UserLetIn).next().is_some() && !let_in {
        RULE.judges
            .iter()
            .for_each(|id| collector.not_observed(id, "the second user's credential is not accepted here"));
        return;
    }
    for case in ours(view, Intent::PrivateResource).filter(|case| case.value() == Some(Who::Second)) {
        check_private(view, &case, collector);
    }
    for first in ours(view, Intent::UserCompared).filter(|case| case.value() == Some(Who::First)) {
        check_compared(view, &first, collector);
    }
    collector.not_observed(PUBLIC, if let_in { "nothing that both users may see is marked public" } else { TWO });
    for id in [SCOPE, CONTROLS, CHECKED] {
        let named = "and the URIs of resources that only the first of them may read: [auth] private = [\"URI\"]";
        collector.not_observed(id, format!("{TWO}; {named}"));
    }
}

fn ours<'v>(view: &'v View<'v>, intent: Intent) -> impl Iterator<Item = Case<'v>> {
    let cases =
        move |session: &'v Session<'v>| session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    view.outsiders.iter().flat_map(cases).filter(move |case| case.intent() == Some(intent))
}

/// Compares what the first user is served with what the second is served.
fn check_private(view: &View<'_>, case: &Case<'_>, collector: &mut Collector) {
    let same = |other: &Case<'_>| {
        other.value() == Some(Who::First)
            && other.about(Key::Uri) == case.about(Key::Uri)
            && other.method() == case.method()
    };
    let own = ours(view, Intent::PrivateResource).find(same).and_then(|own| own.result().cloned());
    let Some(own) = own else {
        let reason = "the resource in [auth] private is not served to the first user either";
        return [SCOPE, CONTROLS, CHECKED].iter().for_each(|id| collector.not_observed(id, reason));
    };
    if !case.is_decided() || (case.answer().is_none() && case.status().is_none()) {
        return;
    }
    let refused = case.result().is_none();
    let finding = |message: &str| {
        let mut finding = case.finding(message, "an error: for others there is no such resource");
        finding.place = case.method().map(str::to_owned);
        finding
    };
    collector.check(CHECKED, refused, || {
        finding("The server does not check who is asking: a user gets another user's data, which they are not allowed to see.")
    });
    if case.method() != Some("resources/read") {
        return;
    }
    collector.check(CONTROLS, refused, || finding("A resource that belongs to one user alone can be read by another."));
    if own.get("cacheScope").and_then(Value::as_str) == Some("private") {
        collector.check(SCOPE, refused, || {
            finding("A resource is marked private but served to everyone who asks: the mark is for caches and keeps nobody out.")
        });
    } else {
        collector.not_observed(SCOPE, "the resource in [auth] private is not marked private");
    }
}

fn check_compared(view: &View<'_>, first: &Case<'_>, collector: &mut Collector) {
    let of = |who: Who| {
        ours(view, Intent::UserCompared)
            .filter(|case| {
                case.about(Key::Of) == first.about(Key::Of) && case.about(Key::Page) == first.about(Key::Page)
            })
            .find(|case| case.value() == Some(who))
    };
    let (Some(second), Some(again)) = (of(Who::Second), of(Who::Again)) else { return };
    let Some(result) = first.result().filter(|result| scope(result) == Some("public")) else { return };
    // What changes from one moment to the next is not a matter of who asks.
    if again.result().map(content) != Some(content(result)) || !second.is_decided() {
        return;
    }
    let other = second.result().map(content);
    if other.is_none() && second.error().is_none() {
        return;
    }
    collector.check(PUBLIC, other == Some(content(result)), || {
        let message = "A result is marked public but is not the same for every user: a shared cache hands one user's result to another.";
        let mut finding = second.finding(message, "the same result for both, or cacheScope private");
        finding.actual = if second.result().is_some() { "a different result" } else { "a result for one, an error for the other" }.to_owned();
        finding.place = first.method().map(str::to_owned);
        finding.wire.splice(0..0, first.wire());
        finding
    });
}

fn scope(result: &Value) -> Option<&str> {
    result.get("cacheScope").and_then(Value::as_str)
}

/// A result without what may differ from one response to the next.
fn content(result: &Value) -> Value {
    let mut content = result.clone();
    if let Some(members) = content.as_object_mut() {
        members.retain(|name, _| !matches!(name.as_str(), "_meta" | "ttlMs"));
        // What a cursor looks like is the server's affair.
        if let Some(cursor) = members.get_mut("nextCursor") {
            *cursor = Value::Bool(true);
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{CHECKED, CONTROLS, PUBLIC, SCOPE};
    use crate::testing::Script;

    fn start() -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"resources": {}})).outsider();
        script.probe(Intent::UserLetIn, "tools/list", json!({}), json!({"result": {"tools": []}}))
    }

    fn error() -> Value {
        json!({"error": {"code": -32602, "message": "Resource not found"}})
    }

    fn contents(scope: &str) -> Value {
        json!({"result": {"cacheScope": scope, "contents": [{"uri": "memory://diary", "text": "Dear diary."}]}})
    }

    fn private(first: Value, second: Value) -> Script {
        let read = |script: Script, who: &str, answer: Value| {
            let about = json!({"who": who, "uri": "memory://diary"});
            script.probe_about(
                Intent::PrivateResource,
                about,
                "resources/read",
                json!({"uri": "memory://diary"}),
                answer,
            )
        };
        read(read(start(), "first", first), "second", second)
    }

    #[test]
    fn what_is_one_users_is_refused_to_the_other() {
        let good = private(contents("private"), error());
        let bad = private(contents("private"), contents("private"));
        for id in [CONTROLS, CHECKED, SCOPE] {
            assert_eq!(good.status_of(id), Status::Pass, "{id}");
            assert_eq!(bad.status_of(id), Status::Fail, "{id}");
            assert_eq!(private(error(), error()).status_of(id), Status::NotObserved, "{id}");
        }
        assert_eq!(private(contents("public"), contents("public")).status_of(SCOPE), Status::NotObserved);
    }

    fn compared(scope: &str, names: [&str; 3]) -> Status {
        let who = ["first", "second", "again"].into_iter().zip(names);
        let script = who.fold(start(), |script, (who, name)| {
            let result = json!({"result": {"cacheScope": scope, "resources": [{"uri": name, "name": name}], "ttlMs": name.len()}});
            script.probe_about(Intent::UserCompared, json!({"who": who, "of": 1}), "resources/list", json!({}), result)
        });
        script.status_of(PUBLIC)
    }

    #[test]
    fn what_is_public_is_the_same_for_all() {
        assert_eq!(compared("public", ["a:a", "a:a", "a:a"]), Status::Pass);
        assert_eq!(compared("public", ["a:a", "b:b", "a:a"]), Status::Fail);
        assert_eq!(compared("private", ["a:a", "b:b", "a:a"]), Status::NotObserved);
        assert_eq!(compared("public", ["a:a", "b:b", "c:c"]), Status::NotObserved);
    }

    #[test]
    fn a_credential_that_is_not_good_shows_nothing() {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"resources": {}})).outsider();
        let script = script.probe(Intent::UserLetIn, "tools/list", json!({}), error());
        assert_eq!(script.status_of(CONTROLS), Status::NotObserved);
    }
}
