//! Where and when an id may be used again.

use verdict::probes::values::Step;
use verdict::{Intent, Key};

use super::common::{is_served, placed};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/id-scope",
    judges: &["jsonrpc.id.reuse-after-response", "jsonrpc.id.scoped-to-connection"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::IdReuse).filter(|case| case.is_decided() && case.value() == Some(Step::Second)) {
        const ID: &str = "jsonrpc.id.reuse-after-response";
        let first = view.probes(Intent::IdReuse).any(|other| {
            other.session.id == case.session.id && other.value() == Some(Step::First) && other.result().is_some()
        });
        if first {
            let message = "A request is not served because an earlier request, answered long ago, had the same id.";
            check(ID, &case, message, collector);
        }
    }
    for case in view.probes(Intent::IdShared).filter(Case::is_decided) {
        let message = "A request does not get its own response while another session uses the same id.";
        check("jsonrpc.id.scoped-to-connection", &case, message, collector);
    }
}

fn check(id: &'static str, case: &Case<'_>, message: &str, collector: &mut Collector) {
    let Some(own) = is_own(case).filter(|own| *own || is_served(case)) else { return };
    collector.check(id, own, || {
        placed(case, case.method().unwrap_or_default(), message, "the result of the requested method")
    });
}

/// Whether there is a result, and it belongs to the method that was asked for; none if no result of it can be told from others.
fn is_own(case: &Case<'_>) -> Option<bool> {
    let Some((result, member)) = case.result().zip(case.about_str(Key::Member)) else {
        return Some(case.result().is_some());
    };
    let own = result.get(member).is_some();
    (own || case.view.gives(case.method().unwrap_or_default(), member)).then_some(own)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    fn request(id: i64, method: &str) -> String {
        json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string()
    }

    fn response(id: i64, result: &Value) -> String {
        json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
    }

    fn tools() -> Value {
        json!({"resultType": "complete", "tools": []})
    }

    #[test]
    fn an_id_is_free_again_once_it_is_answered() {
        const ID: &str = "jsonrpc.id.reuse-after-response";
        let reused = |second: &str| {
            let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}));
            let script = script.probe(Intent::Control, "tools/list", json!({}), json!({"result": tools()}));
            let script = script.raw(Intent::IdReuse, json!({"step": "first"}), &request(60, "server/discover"));
            let script = script.says(&response(60, &json!({"supportedVersions": []})));
            let about = json!({"step": "second", "member": "tools"});
            script.raw(Intent::IdReuse, about, &request(60, "tools/list")).says(second)
        };
        assert_eq!(reused(&response(60, &tools())).status_of(ID), Status::Pass);
        let refused = json!({"jsonrpc": "2.0", "id": 60, "error": {"code": -32600, "message": "duplicate"}});
        assert!(reused(&refused.to_string()).fails_in("jsonrpc").contains(&ID));
        assert!(reused(&response(60, &json!({"supportedVersions": []}))).fails_in("jsonrpc").contains(&ID));
    }

    #[test]
    fn two_sessions_do_not_share_their_ids() {
        const ID: &str = "jsonrpc.id.scoped-to-connection";
        let shared = |usual: Value, result: Value| {
            let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
            let script = script.plain("tools/list", json!({}), json!({"result": usual}));
            let script = script.raw(Intent::IdShared, json!({"member": "tools"}), &request(60, "tools/list"));
            script.says(&response(60, &result))
        };
        assert_eq!(shared(tools(), tools()).status_of(ID), Status::Pass);
        assert_eq!(shared(tools(), json!({})).fails_in("jsonrpc"), [ID]);
        assert_ne!(shared(json!({}), json!({})).status_of(ID), Status::Fail, "no list of this server has any");
    }
}
