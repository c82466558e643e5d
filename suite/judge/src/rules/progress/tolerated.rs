//! Progress from the client with a token that the server never gave is ignored.

use verdict::{Intent, Key};

use crate::{Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "progress/tolerated", judges: &["progress.client-progress-tolerated"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ClientProgress) {
        let crashed = matches!(case.exchange.end, ExchangeEnd::Gone { alone: true });
        let replied = case.answers().next().is_some() && case.status().is_none_or(|status| status < 400);
        if !crashed && !replied && !matches!(case.exchange.end, ExchangeEnd::Settled | ExchangeEnd::Answered) {
            continue;
        }
        collector.check(ID, !crashed && !replied, || {
            let message = if crashed {
                "Progress with an unknown token terminates the server or its connection."
            } else {
                "Progress with an unknown token is answered, but a notification has no response."
            };
            let mut finding = case.finding(message, "the notification is ignored");
            finding.place = case.about_str(Key::Kind).map(str::to_owned);
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn progress() -> Script {
        let script =
            Script::new(Revision::V2025_11_25, json!({})).plain("ping", json!({}), json!({"result": {}})).settled();
        let text = json!({"jsonrpc": "2.0", "method": "notifications/progress",
            "params": {"progressToken": "none", "progress": 1}});
        script.raw(Intent::ClientProgress, Value::Null, &text.to_string())
    }

    #[test]
    fn it_is_ignored() {
        let good = progress().plain("ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(good.status_of(ID), Status::Pass);
        assert_eq!(progress().status_of(ID), Status::NotObserved);
        assert_eq!(progress().exits(1).fails_in("progress"), [ID]);
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"unknown token"}}"#;
        let replied = progress().says(error).plain("ping", json!({}), json!({"result": {}})).settled();
        assert_eq!(replied.fails_in("progress"), [ID]);
    }
}
