//! HTTP+SSE in 2026-07-28: still allowed, no longer advised.

use verdict::Intent;

use super::common::{posted, streams};
use crate::{Collector, Rule, View};

const ID: &str = "sse.deprecated.not-newly-adopted";

pub(super) const RULE: Rule = Rule { name: "sse/deprecated", judges: &[ID], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    if streams(view).next().is_none() {
        return;
    }
    let served = |status: u16| (200..300).contains(&status);
    if view.probes(Intent::AtStreamUrl).any(|case| posted(&case).is_some_and(served) && case.result().is_some()) {
        return collector.witness(ID);
    }
    collector.note(ID, "this server is reached over HTTP+SSE, which is deprecated: offer Streamable HTTP as well");
    collector.not_observed(ID, "the transport is still allowed, and whether the server is new cannot be seen");
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":90,"method":"server/discover"}"#;

    fn script() -> Script {
        Script::over(Transport::Sse, Revision::V2026_07_28, json!({}))
    }

    #[test]
    fn a_server_of_this_transport_alone_is_told_and_not_held_to_it() {
        let verdict = script().verdict(ID);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn streamable_http_at_the_same_place_is_what_is_asked_for() {
        let script = script().posting(200).raw(Intent::AtStreamUrl, json!({}), INITIALIZE);
        let script = script.body(r#"{"jsonrpc":"2.0","id":90,"result":{}}"#);
        assert_eq!(script.status_of(ID), Status::Pass);
    }
}
