//! Every session gets the capabilities that the first `initialize` got.

use std::collections::HashMap;

use serde_json::Value;

use super::handshake::openings;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "lifecycle/stable", judges: &["lifecycle.operation.stable-capabilities"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut known: HashMap<String, Option<&Value>> = HashMap::new();
    let openings = openings(view);
    for greeting in openings.iter().filter(|greeting| greeting.case.result().is_some()) {
        let Some(params) = greeting.case.sent().and_then(wire::Message::params) else { continue };
        let capabilities = greeting.case.result().and_then(|result| result.get("capabilities"));
        let Some(first) = known.get(&params.to_string()) else {
            known.insert(params.to_string(), capabilities);
            continue;
        };
        collector.check(ID, *first == capabilities, || {
            let message = "The same initialize gets different capabilities in another session.";
            let mut finding = greeting.case.finding(message, "the capabilities of the other session");
            "other capabilities".clone_into(&mut finding.actual);
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    #[test]
    fn capabilities_do_not_depend_on_the_session() {
        let start = || Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        assert_eq!(start().status_of(ID), Status::NotObserved);
        assert_eq!(start().session(false, json!({"tools": {}})).status_of(ID), Status::Pass);
        assert_eq!(start().session(false, json!({})).fails(), [ID]);
    }
}
