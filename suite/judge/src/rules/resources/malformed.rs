//! Reads that ask for nothing, or for what is no URI.

use verdict::{Intent, Key, Level};

use super::contents;
use crate::rules::common::{check_invalid_params_refused, is_bare_refusal, wants_something};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "resources/malformed",
    judges: &["resources.read.missing-uri", "resources.read.uri-not-string", "resources.read.uri-validated"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ResourceMissingUri).filter(Case::is_decided) {
        check_invalid_params_refused(&case, collector, "resources.read.missing-uri", "A read without uri");
    }
    for case in view.probes(Intent::ResourceUriNotString).filter(Case::is_decided) {
        check_invalid_params_refused(
            &case,
            collector,
            "resources.read.uri-not-string",
            "A read whose uri is not a string",
        );
    }
    for case in view.probes(Intent::ResourceMalformedUri).filter(Case::is_decided) {
        check_validated(&case, collector);
    }
}

fn check_validated(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.uri-validated";
    let (kind, answered) = (case.about_str(Key::Kind), case.reply().is_some() || case.status().is_some());
    // A long URI is a URI: any answer will do.
    if wants_something(case) || (kind == Some("long") && answered) || case.error().is_some() || is_bare_refusal(case) {
        return collector.witness(ID);
    }
    let nothing = contents(case).is_some_and(Vec::is_empty);
    let message = match (answered, nothing) {
        (false, _) => "A read of a string that is not a usable URI is not answered.",
        _ if case.result().is_none() => "A read of a string that is not a usable URI gets no JSON-RPC response.",
        (true, true) => "A read of a string that is not a URI returns an empty list of contents instead of an error.",
        (true, false) => {
            "A read of a string that is not a URI returns contents, so the server does not check what it is asked for."
        }
    };
    let mut finding = case.finding(message, "a JSON-RPC error");
    finding.level = (nothing && case.view.revision.is_handshake()).then_some(Level::Advice);
    finding.place = kind.map(str::to_owned);
    collector.fail(ID, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const VALIDATED: &str = "resources.read.uri-validated";
    const PROBES: [(Intent, &str); 2] = [
        (Intent::ResourceMissingUri, "resources.read.missing-uri"),
        (Intent::ResourceUriNotString, "resources.read.uri-not-string"),
    ];

    fn read(intent: Intent, answer: Value) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"resources": {}}));
        script.probe_about(intent, json!({"kind": "words"}), "resources/read", json!({}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn contents(contents: Value) -> Value {
        json!({"result": {"contents": contents}})
    }

    #[test]
    fn wrong_params_are_refused() {
        for (intent, id) in PROBES {
            assert_eq!(read(intent, error(-32602)).status_of(id), Status::Pass);
            assert_eq!(read(intent, error(-32600)).verdict(id).notes.len(), 1);
            assert_eq!(read(intent, error(-32603)).fails(), [id]);
            assert_eq!(read(intent, contents(json!([{"uri": "note://a", "text": "x"}]))).fails(), [id]);
        }
    }

    #[test]
    fn a_method_that_is_not_served_is_not_judged() {
        for (intent, id) in PROBES {
            let script = read(intent, error(-32601));
            assert_eq!(script.status_of(id), Status::NotObserved);
            let other = script.plain("resources/read", json!({"uri": "x:y"}), error(-32002));
            assert_eq!(other.status_of(id), Status::Fail);
        }
    }

    #[test]
    fn the_headers_of_2026_may_be_blamed_first() {
        for (intent, id) in PROBES {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"resources": {}}));
            assert_eq!(
                script.probe(intent, "resources/read", json!({"uri": 42}), error(-32020)).status_of(id),
                Status::Pass
            );
        }
    }

    #[test]
    fn any_error_refuses_what_is_no_uri() {
        for code in [-32602, -32002, -32603, 0] {
            assert_eq!(read(Intent::ResourceMalformedUri, error(code)).status_of(VALIDATED), Status::Pass);
        }
        let made = contents(json!([{"uri": "x:y", "text": "x"}]));
        assert_eq!(read(Intent::ResourceMalformedUri, made).fails(), [VALIDATED]);
        assert_eq!(read(Intent::ResourceMalformedUri, contents(json!([]))).fails(), [VALIDATED]);
    }

    #[test]
    fn a_long_uri_may_be_served_but_not_ignored() {
        let start = || Script::new(Revision::V2025_11_25, json!({"resources": {}}));
        let about = json!({"kind": "long"});
        let made = contents(json!([{"uri": "x:y", "text": "x"}]));
        let script =
            start().probe_about(Intent::ResourceMalformedUri, about, "resources/read", json!({"uri": "x:y"}), made);
        assert_eq!(script.status_of(VALIDATED), Status::Pass);
        let script =
            start().unanswered(Intent::ResourceMalformedUri, "resources/read", json!({"uri": "x:y"})).settled();
        assert_eq!(script.status_of(VALIDATED), Status::Fail);
    }
}
