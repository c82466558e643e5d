//! States of which the user tells what they are good for: for once, for a while; and those of one user in another's hands.

use verdict::Intent;

use super::state::is_unused;
use crate::rules::asks::asks_again;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "mrtr/told",
    judges: &["mrtr.state-single-use", "mrtr.state-expires", "mrtr.state-bound-to-principal"],
    judge,
};

const ONCE: &str = RULE.judges[0];
const EXPIRES: &str = RULE.judges[1];
const PRINCIPAL: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let told = [
        (
            Intent::MrtrStateAgain,
            Intent::MrtrStateSpent,
            ONCE,
            "A single-use requestState is accepted a second time, so its action is performed twice.",
        ),
        (
            Intent::MrtrStateLate,
            Intent::MrtrStateInTime,
            EXPIRES,
            "An expired requestState is accepted: anyone who obtains an old one can still use it.",
        ),
        (
            Intent::MrtrStateUser,
            Intent::MrtrSecondFirst,
            PRINCIPAL,
            "A requestState issued to one user is accepted from another: anyone can use a leaked state.",
        ),
    ];
    for (intent, control, id, message) in told {
        for case in view.probes(intent).filter(Case::is_decided) {
            // Without its control a refusal may be of anything.
            if !view.probes(control).any(|control| control.result().is_some() && !control.is_tool_error()) {
                continue;
            }
            // The other two are the user's word for what depends on it.
            if id == PRINCIPAL && is_unused(view, &case) {
                continue;
            }
            collector.check(id, is_rejected(&case), || {
                case.finding(message, "an error, a result with isError, or the request for input again")
            });
        }
    }
    let call = "call = \"TOOL\", arguments = { ... }";
    let table = "in a table [states] of mcp-conform.toml";
    collector.not_observed(ONCE, format!("needs a call whose state is single-use: once = {{ {call} }} {table}"));
    let lifetime = "and lifetime = SECONDS";
    collector
        .not_observed(EXPIRES, format!("needs a call whose state expires: expiring = {{ {call} }} {lifetime} {table}"));
    let users = "needs the credentials of two users: --token-env and --second-token-env VARIABLE, or [auth] token and second; and a tool that keeps state";
    collector.not_observed(PRINCIPAL, users);
}

fn is_rejected(case: &Case<'_>) -> bool {
    case.result().is_none() || case.is_tool_error() || asks_again(case)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{EXPIRES, ONCE, PRINCIPAL};
    use crate::testing::Script;

    fn done() -> Value {
        json!({"result": {"resultType": "complete", "content": []}})
    }

    fn refused() -> Value {
        json!({"error": {"code": -32602, "message": "no"}})
    }

    fn again() -> Value {
        json!({"result": {"resultType": "input_required", "requestState": "s"}})
    }

    fn tried(control: Intent, first: Value, intent: Intent, second: Value) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
        let script = script.probe(control, "tools/call", json!({"name": "x"}), first);
        script.probe(intent, "tools/call", json!({"name": "x"}), second)
    }

    #[test]
    fn a_state_is_good_for_what_was_told_and_no_more() {
        for (id, control, intent) in [
            (ONCE, Intent::MrtrStateSpent, Intent::MrtrStateAgain),
            (EXPIRES, Intent::MrtrStateInTime, Intent::MrtrStateLate),
            (PRINCIPAL, Intent::MrtrSecondFirst, Intent::MrtrStateUser),
        ] {
            assert_eq!(tried(control, done(), intent, done()).fails_in("mrtr"), [id]);
            assert_eq!(tried(control, done(), intent, refused()).status_of(id), Status::Pass);
            assert_eq!(tried(control, done(), intent, again()).status_of(id), Status::Pass);
            assert_eq!(tried(control, refused(), intent, refused()).status_of(id), Status::NotObserved);
        }
    }
}
