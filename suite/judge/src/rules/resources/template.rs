//! Resources that a template makes.

use serde_json::Value;
use verdict::{Intent, Key};

use super::{contents, only};
use crate::rules::common::{error_text, wants_something};
use crate::rules::lists::{TEMPLATES, all};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "resources/template",
    judges: &["resources.templates.readable", "resources.templates.mime-type-uniform"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let cases: Vec<Case<'_>> = view.probes(Intent::TemplateRead).filter(Case::is_decided).collect();
    for case in &cases {
        check_readable(case, collector);
    }
    for template in all(view, &TEMPLATES) {
        let mime = template.definition.get("mimeType").and_then(Value::as_str).map(essence);
        let of = |case: &&Case<'_>| case.about_str(Key::Template) == Some(template.name);
        let Some(mime) = mime else { continue };
        let read: Vec<(&Case<'_>, String)> =
            cases.iter().filter(of).filter_map(|case| Some((case, expanded_uri(case)?))).collect();
        if read.len() < 2 {
            continue;
        }
        check_uniform(&mime, template.name, &read, collector);
    }
    if cases.is_empty() {
        let reason = "no listed template has variables for which the server's completion suggests values";
        collector.not_observed("resources.templates.readable", reason);
        collector.not_observed("resources.templates.mime-type-uniform", reason);
    }
}

fn check_readable(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.templates.readable";
    if contents(case).is_some_and(|contents| !contents.is_empty()) {
        return collector.witness(ID);
    }
    // Values that complete may still be such that nothing is there (a day without an entry), or not for this client.
    let text = error_text(case);
    let outside =
        ["denied", "permission", "authoriz", "network", "timeout", "connect"].iter().any(|word| text.contains(word));
    if wants_something(case) || outside || case.reply().is_none() {
        return collector.not_observed(ID, "the server gives its own reason why nothing can be read");
    }
    let message = "A template filled with values that the server itself suggests gives a URI that cannot be read.";
    let mut finding = case.finding(message, "contents");
    finding.place = case.about_str(Key::Template).map(str::to_owned);
    collector.fail(ID, finding);
}

fn expanded_uri(case: &Case<'_>) -> Option<String> {
    Some(essence(only(case)?.get("mimeType")?.as_str()?))
}

fn check_uniform(mime: &str, template: &str, read: &[(&Case<'_>, String)], collector: &mut Collector) {
    const ID: &str = "resources.templates.mime-type-uniform";
    let other = read.iter().find(|(_, given)| given != mime);
    let Some((case, given)) = other else { return collector.witness(ID) };
    let message = "A template declares a MIME type that not all of its resources have.";
    let mut finding = case.finding(message, format!("mimeType {mime}, or no mimeType on the template"));
    finding.place = Some(template.to_owned());
    finding.actual = format!("mimeType {given}");
    collector.fail(ID, finding);
}

fn essence(mime: &str) -> String {
    mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const READABLE: &str = "resources.templates.readable";
    const UNIFORM: &str = "resources.templates.mime-type-uniform";

    fn start() -> Script {
        let template = json!({"uriTemplate": "note://{a}", "name": "n", "mimeType": "text/plain"});
        let script = Script::new(Revision::V2025_11_25, json!({"resources": {}}));
        script.plain("resources/templates/list", json!({}), json!({"result": {"resourceTemplates": [template]}}))
    }

    fn read(script: Script, uri: &str, answer: Value) -> Script {
        let about = json!({"template": "note://{a}"});
        script.probe_about(Intent::TemplateRead, about, "resources/read", json!({"uri": uri}), answer)
    }

    fn text(uri: &str, mime: &str) -> Value {
        json!({"result": {"contents": [{"uri": uri, "mimeType": mime, "text": "x"}]}})
    }

    fn error(code: i64, message: &str) -> Value {
        json!({"error": {"code": code, "message": message}})
    }

    #[test]
    fn what_completion_suggests_can_be_read() {
        assert_eq!(read(start(), "note://1", text("note://1", "text/plain")).status_of(READABLE), Status::Pass);
        assert_eq!(read(start(), "note://1", error(-32002, "Resource not found")).fails(), [READABLE]);
        assert_eq!(read(start(), "note://1", json!({"result": {"contents": []}})).fails(), [READABLE]);
        assert_eq!(read(start(), "note://1", error(-32603, "Access denied")).status_of(READABLE), Status::NotObserved);
        assert_eq!(start().status_of(READABLE), Status::NotObserved);
    }

    #[test]
    fn a_template_with_a_type_has_that_type_throughout() {
        let two = |other: &str| {
            let script = read(start(), "note://1", text("note://1", "text/plain"));
            read(script, "note://2", text("note://2", other))
        };
        assert_eq!(two("text/plain; charset=utf-8").status_of(UNIFORM), Status::Pass);
        assert_eq!(two("text/html").fails(), [UNIFORM]);
        let once = read(start(), "note://1", text("note://1", "text/html"));
        assert_eq!(once.status_of(UNIFORM), Status::NotObserved);
    }
}
