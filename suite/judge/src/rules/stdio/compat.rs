//! A server of the handshake revisions, asked `server/discover` first, as clients of both eras do.

use verdict::{Intent, Transport};
use wire::mcp::code;

use crate::{Case, Collector, ExchangeEnd, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "stdio/compat", judges: &["stdio.compat.survives-modern-probe"], judge };

const ID: &str = RULE.judges[0];
const MESSAGE: &str = "After server/discover, the server does not accept initialize in the same process; clients that support both eras do exactly this, and cannot connect.";
const EXPECTED: &str = "an error for server/discover, then the ordinary result of initialize";
/// Errors by which a server shows that it speaks 2026-07-28.
const MODERN: [i64; 3] = [code::HEADER_MISMATCH, code::MISSING_CLIENT_CAPABILITY, code::UNSUPPORTED_PROTOCOL_VERSION];

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.transport != Transport::Stdio {
        return;
    }
    for session in &view.sessions {
        let cases = || cases(view, session);
        let Some(probe) =
            cases().find(|case| case.intent() == Some(Intent::ModernProbe)).or_else(|| before(view, session))
        else {
            continue;
        };
        if probe.result().is_some() || probe.error_code().is_some_and(|code| MODERN.contains(&code)) {
            collector.not_applicable(ID, "the server also supports 2026-07-28");
            continue;
        }
        let Some(opening) = cases().find(|case| case.intent() == Some(Intent::InitializeAfterModernProbe)) else {
            if probe.exchange.end == (ExchangeEnd::Gone { alone: true }) {
                collector.fail(ID, probe.finding(MESSAGE, EXPECTED));
            }
            continue;
        };
        let served = opening.result().is_some();
        if served && probe.answer().is_none() {
            collector.note(
                ID,
                "server/discover gets no answer from a server that does not support it, which costs such clients a timeout",
            );
        }
        if served || opening.is_decided() {
            if served {
                collector.witness(ID);
            } else {
                collector.fail_or_suspect(ID, &opening, opening.finding(MESSAGE, EXPECTED));
            }
        }
    }
}

fn cases<'v, 't>(view: &'v View<'t>, session: &'v Session<'t>) -> impl Iterator<Item = Case<'v>> {
    session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
}

/// The `server/discover` by which the tester found out what the server speaks, if this session goes on after it.
fn before<'v>(view: &'v View<'_>, session: &'v Session<'_>) -> Option<Case<'v>> {
    let goes_on = cases(view, session).any(|case| case.intent() == Some(Intent::InitializeAfterModernProbe));
    let first = view.origin(session);
    let discovers = |case: &Case<'_>| case.method() == Some("server/discover");
    if goes_on && first.id != session.id { cases(view, first).find(discovers) } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn script() -> Script {
        Script::empty(Revision::V2025_11_25).undecided()
    }

    fn initialized(script: Script) -> Script {
        let result =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
        script.probe(Intent::InitializeAfterModernProbe, "initialize", json!({}), json!({"result": result}))
    }

    #[test]
    fn an_error_or_silence_and_then_a_handshake_pass() {
        let refused = json!({"error": {"code": -32601, "message": "x"}});
        let script_ = initialized(script().probe(Intent::ModernProbe, "server/discover", json!({}), refused));
        assert_eq!(script_.status_of(ID), Status::Pass);
        let silent = initialized(script().unanswered(Intent::ModernProbe, "server/discover", json!({})));
        let verdict = silent.verdict(ID);
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn what_was_asked_to_find_the_revision_need_not_be_asked_again() {
        let asked = || {
            let refused = json!({"error": {"code": -32601, "message": "x"}});
            script().plain("server/discover", json!({}), refused).goes_on("stdio/modern-probe")
        };
        assert_eq!(initialized(asked()).status_of(ID), Status::Pass);
        let refused = json!({"error": {"code": -32600, "message": "x"}});
        let script = asked().probe(Intent::InitializeAfterModernProbe, "initialize", json!({}), refused);
        assert_eq!(script.fails_in("stdio"), [ID]);
        assert_eq!(script.status_of("lifecycle.initialize.answered"), Status::NotObserved, "it is not the first");
    }

    #[test]
    fn an_end_or_a_refusal_fails() {
        let gone = script().unanswered(Intent::ModernProbe, "server/discover", json!({})).exits(1);
        assert_eq!(gone.fails_in("stdio"), [ID]);
        let refused = json!({"error": {"code": -32600, "message": "x"}});
        let script = script().probe(Intent::ModernProbe, "server/discover", json!({}), refused.clone());
        let script = script.probe(Intent::InitializeAfterModernProbe, "initialize", json!({}), refused);
        assert_eq!(script.fails_in("stdio"), [ID]);
    }

    #[test]
    fn a_server_of_both_eras_is_beside_the_question() {
        let script = script().probe(Intent::ModernProbe, "server/discover", json!({}), json!({"result": {}}));
        assert_eq!(script.status_of(ID), Status::NotApplicable);
    }
}
