//! Related requests may come over different connections: what was learned on one is good on another.
//!
//! On stdio each connection is a process, and two processes need not share what they hold in memory.

use verdict::{Intent, Transport};

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "discover/elsewhere", judges: &["discover.stateless.other-connection"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::CursorElsewhere).filter(Case::is_decided) {
        let message = "The next page is served only on the connection that served the first one, though requests may use any connection.";
        check_related(&case, message, collector);
    }
    for case in view.probes(Intent::ReadElsewhere).filter(Case::is_decided) {
        let here = |other: &Case<'_>| other.session.id == case.session.id && other.result().is_some();
        if case.result().is_some() || view.probes(Intent::ReadAfterList).any(|other| here(&other)) {
            let message = "A listed resource can be read only on the connection that listed it, though requests may use any connection.";
            check_related(&case, message, collector);
        }
    }
    collector.not_observed(ID, "no list has a second page, and no resource is listed");
}

fn check_related(case: &Case<'_>, message: &str, collector: &mut Collector) {
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    if case.result().is_some() {
        collector.witness(ID);
    } else if case.view.transport == Transport::Stdio {
        collector.note(ID, "one process does not know what another has listed");
    } else {
        let mut finding = case.finding(message, "a result");
        finding.place = case.method().map(str::to_owned);
        collector.suspect(ID, case, finding);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn elsewhere(transport: Transport, confirm: bool, intent: Intent, answer: Value) -> Script {
        let (method, params) = match intent {
            Intent::CursorElsewhere => ("resources/list", json!({"cursor": "2"})),
            _ => ("resources/read", json!({"uri": "a:b"})),
        };
        let script = Script::over(transport, Revision::V2026_07_28, json!({"resources": {}}));
        let script = script.session(confirm, json!({"resources": {}})).probe(intent, method, params, answer);
        script.probe(Intent::ReadAfterList, "resources/read", json!({"uri": "a:b"}), read())
    }

    fn read() -> Value {
        json!({"result": {"resultType": "complete", "contents": [], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn refused() -> Value {
        json!({"error": {"code": -32602, "message": "unknown"}})
    }

    #[test]
    fn what_was_learned_is_good_elsewhere() {
        for intent in [Intent::CursorElsewhere, Intent::ReadElsewhere] {
            let good = elsewhere(Transport::Http, false, intent, read());
            assert_eq!(good.status_of(ID), Status::Pass, "{intent}");
            let bad = elsewhere(Transport::Http, true, intent, refused());
            assert_eq!(bad.status_of(ID), Status::Fail, "{intent}");
            assert_eq!(elsewhere(Transport::Http, false, intent, refused()).status_of(ID), Status::Inconclusive);
        }
    }

    #[test]
    fn two_processes_need_not_share_their_memory() {
        let verdict = elsewhere(Transport::Stdio, true, Intent::CursorElsewhere, refused()).verdict(ID);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_resource_that_cannot_be_read_anywhere_says_nothing() {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"resources": {}}));
        let script = script.probe(Intent::ReadElsewhere, "resources/read", json!({"uri": "a:b"}), refused());
        assert_eq!(script.status_of(ID), Status::NotObserved);
    }
}
