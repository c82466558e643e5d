//! `io.modelcontextprotocol/serverInfo` in the `_meta` of results. Passive.

use std::collections::BTreeSet;
use wire::mcp::meta;

use serde_json::Value;
use verdict::Finding;

use super::common::speaks_its_era;
use super::meta_walk::own_meta;
use crate::{Case, Collector, Rule, View, shapes};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/server-info",
    judges: &["jsonrpc.server-info.in-result-meta", "jsonrpc.server-info.shape", "jsonrpc.server-info.consistent"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut without = BTreeSet::new();
    let mut with: Option<&Value> = None;
    let mut first = None;
    let modern = |case: &Case<'_>| {
        // What the revision does not have should not be served, which is a matter of its own.
        let known = |result| shapes::result(case.method().unwrap_or_default(), None, result, view.revision).is_some();
        case.result().is_some_and(known) && speaks_its_era(case.session, case.exchange) && !names_another(case)
    };
    for case in view.cases().filter(modern) {
        match case.answer().and_then(own_meta).and_then(|meta| meta.get(meta::SERVER_INFO)) {
            Some(info) => {
                check_shape(&case, info, collector);
                let known = *with.get_or_insert(info);
                collector.check("jsonrpc.server-info.consistent", identity(known) == identity(info), || {
                    case.finding(
                        "Results of one server name different implementations.",
                        "the same name and version in every result",
                    )
                });
            }
            None => {
                without.insert(case.method().unwrap_or_default().chars().take(60).collect::<String>());
                first.get_or_insert(case);
            }
        }
    }
    match first {
        Some(case) => {
            collector.fail("jsonrpc.server-info.in-result-meta", lacking_finding(&case, &without, with.is_some()))
        }
        None if with.is_some() => collector.witness("jsonrpc.server-info.in-result-meta"),
        None => {}
    }
}

/// Whether a request names a version that does not exist: answers to it follow no revision.
fn names_another(case: &Case<'_>) -> bool {
    let named = case.param("_meta").and_then(|meta| meta.get(meta::PROTOCOL_VERSION)).and_then(Value::as_str);
    named.is_some_and(|named| named != case.view.revision.as_str())
}

/// One finding for the whole run: leaving it out is a choice, not a slip of one response.
fn lacking_finding(case: &Case<'_>, methods: &BTreeSet<String>, some: bool) -> Finding {
    let mut finding = case.finding(
        "Results do not identify the server, so clients cannot show or log where they come from.",
        "io.modelcontextprotocol/serverInfo in the _meta of every result",
    );
    let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
    finding.actual = match some {
        true => format!("none in results of {}", methods.join(", ")),
        false => "none in any result".to_owned(),
    };
    finding
}

fn identity(info: &Value) -> (Option<&Value>, Option<&Value>) {
    (info.get("name"), info.get("version"))
}

fn check_shape(case: &Case<'_>, info: &Value, collector: &mut Collector) {
    let text = |member: &str| info.get(member).is_some_and(Value::is_string);
    let optional = |member: &str| info.get(member).is_none_or(Value::is_string);
    let good = text("name")
        && text("version")
        && ["title", "description", "websiteUrl"].into_iter().all(optional)
        && info.get("icons").is_none_or(Value::is_array);
    collector.check("jsonrpc.server-info.shape", good, || {
        let mut finding = case.finding(
            "The serverInfo of a result is not a valid Implementation.",
            "an object with strings name and version; title, description and websiteUrl strings, icons an array",
        );
        finding.actual = "a serverInfo of the wrong form".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    fn greeted(infos: &[Option<Value>]) -> Vec<(String, Status)> {
        let mut script = Script::empty(Revision::V2026_07_28).bare();
        for info in infos {
            let mut result = json!({"resultType": "complete", "_meta": {}});
            if let Some(info) = info {
                result["_meta"]["io.modelcontextprotocol/serverInfo"] = info.clone();
            }
            script = script.plain("tools/list", json!({}), json!({"result": result}));
        }
        let topics = ["in-result-meta", "shape", "consistent"].map(|topic| format!("jsonrpc.server-info.{topic}"));
        topics.into_iter().map(|id| (id.clone(), script.status_of(&id))).collect()
    }

    fn statuses(infos: &[Option<Value>]) -> [Status; 3] {
        let all: Vec<Status> = greeted(infos).into_iter().map(|(_, status)| status).collect();
        all.try_into().expect("three topics")
    }

    #[test]
    fn the_same_info_everywhere_passes() {
        let info = Some(json!({"name": "s", "version": ""}));
        assert_eq!(statuses(&[info.clone(), info]), [Status::Pass; 3]);
    }

    #[test]
    fn a_result_without_it_fails_the_should() {
        let info = Some(json!({"name": "s", "version": "1"}));
        assert_eq!(statuses(&[info, None])[0], Status::Fail);
        assert_eq!(statuses(&[None]), [Status::Fail, Status::NotObserved, Status::NotObserved]);
    }

    #[test]
    fn what_the_revision_does_not_have_is_another_matter() {
        let served = |method| {
            let result = json!({"resultType": "complete", "_meta": {}});
            let script = Script::empty(Revision::V2026_07_28).bare();
            script.plain(method, json!({}), json!({"result": result})).status_of("jsonrpc.server-info.in-result-meta")
        };
        assert_eq!((served("ping"), served("tools/list")), (Status::NotObserved, Status::Fail));
    }

    #[test]
    fn what_is_served_in_a_version_that_does_not_exist_is_another_matter() {
        let params = json!({"_meta": {super::meta::PROTOCOL_VERSION: "1999-01-01"}});
        let script = Script::empty(Revision::V2026_07_28).bare();
        let script = script.plain("tools/list", params, json!({"result": {"tools": []}}));
        assert_eq!(script.status_of("jsonrpc.server-info.in-result-meta"), Status::NotObserved);
    }

    #[test]
    fn another_shape_and_another_name_fail() {
        assert_eq!(statuses(&[Some(json!({"name": "s"}))])[1], Status::Fail);
        let other = [Some(json!({"name": "s", "version": "1"})), Some(json!({"name": "t", "version": "1"}))];
        assert_eq!(statuses(&other), [Status::Pass, Status::Pass, Status::Fail]);
    }
}
