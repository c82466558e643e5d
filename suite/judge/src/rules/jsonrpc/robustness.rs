//! Odd input that a server should outlive.

use verdict::{Intent, Key};

use super::common::{felled, placed, survived};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/robustness",
    judges: &[
        "jsonrpc.robustness.stray-response",
        "jsonrpc.robustness.invalid-utf8",
        "jsonrpc.robustness.deep-nesting",
        "jsonrpc.robustness.large-message",
        "jsonrpc.id.duplicate-in-flight",
    ],
    judge,
};

/// Intent, requirement, and what the server got.
const INPUTS: [(Intent, &str, &str); 5] = [
    (
        Intent::StrayResponse,
        "jsonrpc.robustness.stray-response",
        "A response to a request that was never made makes the server exit.",
    ),
    (Intent::InvalidUtf8, "jsonrpc.robustness.invalid-utf8", "A line with invalid UTF-8 makes the server exit."),
    (Intent::DeepNesting, "jsonrpc.robustness.deep-nesting", "A deeply nested value makes the server exit."),
    (Intent::LargeMessage, "jsonrpc.robustness.large-message", "A large message makes the server exit."),
    (Intent::IdInFlight, "jsonrpc.id.duplicate-in-flight", "Two open requests with the same id make the server exit."),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (intent, id, message) in INPUTS {
        for case in view.probes(intent) {
            if let Some(alive) = survived(&case) {
                let place = case.about_str(Key::Kind).unwrap_or(intent.name());
                collector
                    .check(id, alive, || felled(placed(&case, place, message, "the next request is answered"), &case));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::INPUTS;
    use crate::testing::Script;

    #[test]
    fn a_server_that_goes_on_passes_and_one_that_ends_fails() {
        for (intent, id, _) in INPUTS {
            let sent = || {
                let text = r#"{"jsonrpc":"2.0","id":70,"result":{}}"#;
                Script::new(Revision::V2025_11_25, json!({})).settled().raw(intent, json!({}), text)
            };
            assert_eq!(sent().plain("ping", json!({}), json!({"result": {}})).status_of(id), Status::Pass, "{id}");
            assert_eq!(sent().exits(1).fails_in("jsonrpc"), [id]);
            assert_eq!(
                sent().unanswered(Intent::Unknown, "x/y", json!({})).exits(1).status_of(id),
                Status::NotObserved
            );
        }
    }
}
