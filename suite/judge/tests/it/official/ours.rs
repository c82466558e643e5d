//! What the tables say of an instance.

use mcp_conform_judge::shapes::{self, Report};
use serde_json::{Value, json};
use verdict::Revision;

use super::instances::Of;

/// What we find wrong with an instance.
pub(crate) fn ours(instance: &Value, of: Of, revision: Revision) -> Report {
    let mut report = Report::default();
    let envelope = |kind, report: &mut Report| {
        let shape = shapes::envelope(kind).expect("a kind of message");
        shapes::examine(instance, "", shape, revision, report);
    };
    match of {
        Of::Result(method) => {
            let params = json!({"task": {}});
            let params = (method == "tools/call" && instance.get("task").is_some()).then_some(&params);
            let shape = shapes::result(method, params, instance, revision).expect("a method of the revision");
            shapes::examine(instance, "", shape, revision, &mut report);
        }
        Of::Message(method, kind) => {
            envelope(kind, &mut report);
            if instance.get("params").is_none_or(Value::is_object) {
                shapes::examine(instance, "", shapes::message(method, revision), revision, &mut report);
            }
        }
        Of::Error(code) => {
            envelope(wire::Kind::Error, &mut report);
            let shape = shapes::error(code, revision).expect("a code of the revision");
            shapes::examine(&instance["error"], "/error", shape, revision, &mut report);
        }
        Of::Envelope(kind) => envelope(kind, &mut report),
    }
    report
}
