//! Filters that are missing or of the wrong types, and the methods that older revisions had instead.

use verdict::{Finding, Intent, Key};
use wire::mcp::code;

use crate::rules::common::check_invalid_params_refused;
use crate::{Case, Collector, Incoming, Rule, View};

use super::acknowledged::offers_subscriptions;
use super::listen::listens;

pub(super) const RULE: Rule = Rule {
    name: "subscriptions/filters",
    judges: &[
        "subscriptions.listen.missing-filter",
        "subscriptions.listen.bad-filter-types",
        "subscriptions.old-methods-removed",
    ],
    judge,
};

/// The error for headers that are missing or do not agree with the body.
const HEADERS: i64 = code::HEADER_MISMATCH;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let probes = [
        (Intent::ListenMissing, RULE.judges[0], "A subscription without a filter"),
        (Intent::ListenIll, RULE.judges[1], "A subscription whose filter has the wrong type"),
    ];
    for (intent, id, what) in probes {
        if !offers_subscriptions(view) {
            collector.not_applicable(id, "the server declares nothing that could be subscribed to");
            continue;
        }
        for case in view.probes(intent).filter(Case::is_decided) {
            if let Some(acknowledged) = acknowledgement(&case) {
                collector.fail(id, taken_finding(&case, acknowledged, what));
            } else {
                check_invalid_params_refused(&case, collector, id, what);
            }
        }
    }
    for case in view.probes(Intent::OldSubscribe).filter(Case::is_decided) {
        if case.error_code() == Some(HEADERS) {
            collector.not_observed(
                RULE.judges[2],
                "the server checks for a method-specific header before it checks the method",
            );
            continue;
        }
        collector.check(RULE.judges[2], case.error_code() == Some(code::METHOD_NOT_FOUND), || {
            let message = "A method from older revisions is not refused as unknown, though the request names a revision without it.";
            let mut finding = case.finding(message, "error -32601 (method not found)");
            finding.place = case.method().map(str::to_owned);
            finding
        });
    }
}

fn acknowledgement<'v>(case: &Case<'v>) -> Option<&'v Incoming<'v>> {
    let mut own = listens(case.view, case.session).filter(|listen| listen.case.exchange.seq == case.exchange.seq);
    own.find_map(|listen| listen.acknowledgement())
}

fn taken_finding(case: &Case<'_>, acknowledged: &Incoming<'_>, what: &str) -> Finding {
    let mut finding = case
        .finding(format!("{what} is accepted: the server guesses what was meant."), "error -32602 (invalid params)");
    finding.actual = "an acknowledgement".to_owned();
    // What comes of the subscription later is another matter.
    finding.wire.retain(|line| line.starts_with('>'));
    finding.wire.push(acknowledged.wire());
    finding.place = case.about_str(Key::Kind).filter(|kind| !kind.is_empty()).map(str::to_owned);
    finding
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::super::listen::{ACKNOWLEDGED, ID};
    use crate::testing::Script;

    fn ask(intent: Intent, method: &str, answer: Value) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        script.probe(intent, method, json!({}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn ill_filters_are_refused_by_code() {
        for (intent, id) in [
            (Intent::ListenMissing, "subscriptions.listen.missing-filter"),
            (Intent::ListenIll, "subscriptions.listen.bad-filter-types"),
        ] {
            assert_eq!(ask(intent, "subscriptions/listen", error(-32602)).status_of(id), Status::Pass);
            assert_eq!(ask(intent, "subscriptions/listen", error(-32603)).fails_in("subscriptions"), [id]);
        }
    }

    #[test]
    fn a_method_that_another_subscription_was_served_with_is_not_unknown() {
        const ILL: &str = "subscriptions.listen.bad-filter-types";
        let unknown = || ask(Intent::ListenIll, "subscriptions/listen", error(-32601));
        assert_eq!(unknown().status_of(ILL), Status::NotObserved);
        let filter = json!({"notifications": {"toolsListChanged": true}});
        let open = unknown().unanswered(Intent::Listen, "subscriptions/listen", filter.clone());
        let mut params = filter;
        params["_meta"] = json!({ID: 3});
        let served = open.says_json(&json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params})).settled();
        assert_eq!(served.fails_in("subscriptions"), [ILL]);
    }

    #[test]
    fn an_ill_filter_that_is_taken_is_one_finding() {
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {"listChanged": true}}));
        let ill = json!({"notifications": {"toolsListChanged": "yes"}});
        let params = json!({"_meta": {ID: 2}, "notifications": {"toolsListChanged": true}});
        let taken = script.unanswered(Intent::ListenIll, "subscriptions/listen", ill);
        let taken = taken.says_json(&json!({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params})).settled();
        assert_eq!(taken.fails_in("subscriptions"), ["subscriptions.listen.bad-filter-types"]);
    }

    #[test]
    fn the_old_methods_are_gone() {
        const ID: &str = "subscriptions.old-methods-removed";
        assert_eq!(ask(Intent::OldSubscribe, "resources/subscribe", error(-32601)).status_of(ID), Status::Pass);
        assert_eq!(ask(Intent::OldSubscribe, "resources/subscribe", error(-32020)).status_of(ID), Status::NotObserved);
        let served = json!({"result": {"resultType": "complete"}});
        assert_eq!(ask(Intent::OldSubscribe, "resources/subscribe", served).fails_in("subscriptions"), [ID]);
    }
}
