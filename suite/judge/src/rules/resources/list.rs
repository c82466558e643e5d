//! The list of resources and that of templates: declared, answered, the same for all, without doubles, and its changes.

use crate::rules::lists::{self, CapabilityIds, RESOURCES, TEMPLATES};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "resources/list",
    judges: &[
        "resources.capability.declared",
        "resources.capability.undeclared-method-not-found",
        "resources.capability.list-answered",
        "resources.list.accepts-missing-params",
        "resources.list.not-per-connection",
        "resources.list.not-side-effect",
        "resources.definition.uri-unique",
        "resources.templates.answered",
        "resources.templates.accepts-missing-params",
        "resources.list-changed.sent",
        "resources.list-changed.only-if-declared",
    ],
    judge,
};

const IDS: CapabilityIds = CapabilityIds {
    declared: "resources.capability.declared",
    undeclared: "resources.capability.undeclared-method-not-found",
    answered: "resources.capability.list-answered",
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    lists::capability(view, collector, &RESOURCES, IDS);
    lists::bare(view, collector, &RESOURCES, "resources.list.accepts-missing-params");
    lists::bare(view, collector, &TEMPLATES, "resources.templates.accepts-missing-params");
    lists::same(view, collector, &RESOURCES, "resources.list.not-per-connection", "resources.list.not-side-effect");
    lists::changed(
        view,
        collector,
        &RESOURCES,
        "resources.list-changed.sent",
        "resources.list-changed.only-if-declared",
    );
    lists::unique(view, collector, &RESOURCES, "resources.definition.uri-unique");
    check_templates(view, collector);
}

fn check_templates(view: &View<'_>, collector: &mut Collector) {
    const ID: &str = "resources.templates.answered";
    if !view.declares("resources") {
        return;
    }
    let ordinary = |case: &Case<'_>| lists::is_ordinary(case) && case.param("cursor").is_none();
    let mut cases = view.calls(TEMPLATES.method).filter(Case::is_decided).filter(ordinary);
    let Some(case) = cases.next() else { return };
    if case.result().is_some() {
        collector.witness(ID);
    } else if case.error().is_some() {
        let message = "The server has resources but does not serve resources/templates/list; clients that ask every server for its templates log an error.";
        collector.fail(ID, case.finding(message, "a result, with an empty list if there are no templates"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;
    const CODE: &str = "resources.capability.undeclared-method-not-found";

    fn page(uris: &[&str]) -> Value {
        let resources: Vec<Value> = uris.iter().map(|uri| json!({"uri": uri, "name": uri})).collect();
        json!({"result": {"resultType": "complete", "resources": resources, "ttlMs": 0, "cacheScope": "public"}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn list(script: Script, uris: &[&str]) -> Script {
        script.plain("resources/list", json!({}), page(uris))
    }

    fn start() -> Script {
        Script::new(V, json!({"resources": {}}))
    }

    #[test]
    fn who_lists_declares() {
        let undeclared =
            |answer| Script::new(V, json!({})).probe(Intent::ResourcesUndeclared, "resources/list", json!({}), answer);
        assert_eq!(undeclared(page(&["a:b"])).fails(), ["resources.capability.declared", CODE]);
        let empty = undeclared(page(&[]));
        assert_eq!(empty.status_of("resources.capability.declared"), Status::Pass);
        assert_eq!(empty.verdict(CODE).level, Level::Advice);
        assert_eq!(undeclared(error(-32601)).status_of(CODE), Status::Pass);
        let verdict = undeclared(error(-32602)).verdict(CODE);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn who_declares_lists() {
        const ID: &str = "resources.capability.list-answered";
        assert!(start().plain("resources/list", json!({}), error(-32603)).fails().contains(&ID));
        assert_eq!(list(start(), &[]).status_of(ID), Status::Pass);
        assert_eq!(list(start(), &[]).status_of(CODE), Status::NotApplicable);
    }

    #[test]
    fn params_may_be_left_out() {
        const ID: &str = "resources.list.accepts-missing-params";
        let bare =
            |answer| list(start(), &["a:b"]).probe(Intent::ResourcesListBare, "resources/list", json!({}), answer);
        assert_eq!(bare(page(&["a:b"])).status_of(ID), Status::Pass);
        assert_eq!(bare(page(&[])).fails(), [ID]);
        assert_eq!(bare(error(-32602)).fails(), [ID]);
        const TEMPLATES: &str = "resources.templates.accepts-missing-params";
        let script = start().plain(
            "resources/templates/list",
            json!({}),
            json!({"result": {"resourceTemplates": [{"uriTemplate": "a:{b}", "name": "a"}]}}),
        );
        let script = script.probe(Intent::TemplatesListBare, "resources/templates/list", json!({}), error(-32602));
        assert_eq!(script.fails(), [TEMPLATES]);
        // A list that is not served at all says nothing of params.
        let script = start().plain("resources/templates/list", json!({}), error(-32601));
        let script = script.probe(Intent::TemplatesListBare, "resources/templates/list", json!({}), error(-32601));
        assert_eq!(script.status_of(TEMPLATES), Status::NotObserved);
    }

    #[test]
    fn a_uri_twice_on_one_page_fails_and_across_pages_if_it_stays() {
        const ID: &str = "resources.definition.uri-unique";
        assert_eq!(list(start(), &["a:b", "a:b"]).fails(), [ID]);
        assert_eq!(list(start(), &["a:b", "a:c"]).status_of(ID), Status::Pass);
        let walk = |script: Script| {
            let mut first = page(&["a:b"]);
            first["result"]["nextCursor"] = json!("1");
            let script = script.plain("resources/list", json!({}), first);
            script.plain("resources/list", json!({"cursor": "1"}), page(&["a:b"]))
        };
        assert_eq!(walk(start()).status_of(ID), Status::Inconclusive);
        assert_eq!(walk(walk(start())).status_of(ID), Status::Fail);
    }

    #[test]
    fn templates_are_asked_of_every_server() {
        const ID: &str = "resources.templates.answered";
        let script = start().plain("resources/templates/list", json!({}), error(-32601));
        assert_eq!((script.status_of(ID), script.verdict(ID).level), (Status::Fail, Level::Advice));
        let script = start().plain("resources/templates/list", json!({}), json!({"result": {"resourceTemplates": []}}));
        assert_eq!(script.status_of(ID), Status::Pass);
    }

    #[test]
    fn a_change_is_announced_by_those_who_say_so() {
        const SENT: &str = "resources.list-changed.sent";
        const ONLY: &str = "resources.list-changed.only-if-declared";
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"});
        let ping = |script: Script| script.pauses(1_100).plain("ping", json!({}), json!({"result": {}}));
        let declared = || list(Script::new(V, json!({"resources": {"listChanged": true}})), &["a:b"]);
        assert_eq!(ping(list(declared(), &["a:c"])).fails(), [SENT]);
        assert_eq!(ping(list(declared().says_json(&notice), &["a:c"])).status_of(SENT), Status::Pass);
        assert!(list(start(), &[]).says_json(&notice).fails().contains(&ONLY));
        assert_eq!(list(start(), &[]).status_of(ONLY), Status::Pass);
    }

    #[test]
    fn one_set_for_every_connection() {
        const ID: &str = "resources.list.not-per-connection";
        let stateless = || Script::new(Revision::V2026_07_28, json!({"resources": {}}));
        let fresh = |script: Script| script.session(false, json!({"resources": {}}));
        let script = list(fresh(list(stateless(), &["a:1"])), &["a:2"]);
        let script = list(list(script.resume(0), &["a:1"]).resume(1), &["a:2"]);
        assert_eq!(script.status_of(ID), Status::Fail);
        let script = list(fresh(list(stateless(), &["a:1"])), &["a:1"]);
        assert_eq!(script.status_of(ID), Status::Pass);
        const EFFECT: &str = "resources.list.not-side-effect";
        let busy = |after: &[&str]| {
            list(list(stateless(), &["a:1"]).plain("resources/read", json!({"uri": "a:1"}), error(-32602)), after)
        };
        assert_eq!(list(fresh(busy(&["a:2"])), &["a:1"]).status_of(EFFECT), Status::Fail);
        assert_eq!(list(fresh(busy(&["a:1"])), &["a:1"]).status_of(EFFECT), Status::Pass);
    }

    #[test]
    fn a_demand_for_authorization_is_no_missing_list() {
        let script = Script::over(Transport::Http, V, json!({"resources": {}}));
        let script = script.unanswered(Intent::Walk, "resources/list", json!({})).status(401);
        assert_eq!(script.fails_in("resources"), [""; 0]);
    }
}
