//! A call whose stream the client closed is cancelled: it does not change any more what it would have changed.

use serde_json::Value;
use verdict::{Finding, Intent, Key, Level};

use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "cancellation/effect", judges: &["cancellation.http-disconnect"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        for case in cases.filter(|case| case.intent() == Some(Intent::EffectDropped) && case.exchange.aborted.is_some())
        {
            check_dropped(session, &case, collector);
        }
    }
    collector.not_observed(
        ID,
        "needs a call that takes a while and changes something when it is done, and a call that shows the change: slow_effect and effect_shown_by in the [triggers] table of mcp-conform.toml",
    );
}

/// Returns the content of the call that shows the effect, at one point in time and without metadata.
fn observable_state(view: &View<'_>, session: &Session<'_>, at: &str) -> Option<Value> {
    let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    let found = cases
        .into_iter()
        .find(|case| case.intent() == Some(Intent::EffectShown) && case.about_str(Key::At) == Some(at))?;
    let mut result = found.result()?.clone();
    result.as_object_mut()?.retain(|name, _| name == "content" || name == "structuredContent");
    Some(result)
}

fn check_dropped(session: &Session<'_>, case: &Case<'_>, collector: &mut Collector) {
    let at = |at: &str| observable_state(case.view, session, at);
    let (before, done, steady) = (at("before"), at("done"), at("steady"));
    let (Some(dropped), Some(after)) = (at("dropped"), at("after")) else { return };
    let reason = if before.is_none() || before == done {
        "the call [triggers] slow_effect changes nothing that effect_shown_by shows"
    } else if done != steady {
        "the output of [triggers] effect_shown_by changes by itself"
    } else if Some(&dropped) != steady.as_ref() {
        "the call [triggers] slow_effect took effect before its stream was closed"
    } else {
        if session.open.confirm {
            collector.repeated(ID);
        }
        // Servers may have calls that cannot be cancelled; stopping the work is what they should do, not what they must.
        if dropped == after {
            return collector.witness(ID);
        }
        let message = "A call continues after the client closed its stream, which cancels it: work that nobody is waiting for is done anyway.";
        let finding = case.finding(message, "no change after the stream was closed");
        let finding = Finding { actual: "the effect of the call".to_owned(), level: Some(Level::Should), ..finding };
        // Others may have changed what is shown, sessions of this very run among them.
        return collector.suspect(ID, case, finding);
    };
    collector.not_observed(ID, reason);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Probe};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn start() -> Script {
        Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}))
    }

    fn counted(shown: [u32; 5]) -> Script {
        scene(start(), shown)
    }

    fn scene(script: Script, shown: [u32; 5]) -> Script {
        let show = |script: Script, at: &str, count: u32| {
            let content = json!({"result": {"content": [{"type": "text", "text": count.to_string()}]}});
            script.probe_about(Intent::EffectShown, json!({"at": at}), "tools/call", json!({"name": "look"}), content)
        };
        let [before, done, steady, dropped, after] = shown;
        let script = show(show(show(script, "before", before), "done", done), "steady", steady);
        let call = r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"mow"}}"#;
        let script = script.request("POST", Intent::EffectDropped, Value::Null, &[], call);
        let channel = script.last_channel();
        let script = script.add(Kind::Probe(Probe::new("session", Intent::Forsaken, json!({"channel": channel}))));
        show(show(script, "dropped", dropped), "after", after)
    }

    #[test]
    fn work_ends_with_the_stream() {
        assert_eq!(counted([0, 1, 1, 1, 1]).status_of(ID), Status::Pass);
        let again = counted([0, 1, 1, 1, 2]).session(true, json!({"tools": {}}));
        let verdict = scene(again, [2, 3, 3, 3, 4]).verdict(ID);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn somebody_else_may_have_changed_it_once() {
        assert_eq!(counted([0, 1, 1, 1, 2]).status_of(ID), Status::Inconclusive);
        let again = counted([0, 1, 1, 1, 2]).session(true, json!({"tools": {}}));
        let verdict = scene(again, [2, 3, 3, 3, 3]).verdict(ID);
        assert_eq!(verdict.status, Status::Inconclusive);
        assert!(verdict.reason.is_some_and(|reason| reason.starts_with("seen once, not again")));
    }

    #[test]
    fn what_proves_nothing_is_said() {
        for shown in [[0, 0, 0, 0, 0], [0, 1, 2, 3, 4], [0, 1, 1, 2, 2]] {
            assert_eq!(counted(shown).status_of(ID), Status::NotObserved, "{shown:?}");
        }
    }
}
