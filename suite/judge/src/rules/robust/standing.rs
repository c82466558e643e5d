//! After each input: the server runs, answers, has written nothing but messages, and has given its memory back.
//!
//! A request for a sign of life follows each input.

use serde_json::Value;
use verdict::transcript::{Ending, Via};
use verdict::{Intent, Key, Transport};
use wire::{Content, Unreadable};

use super::{about, answers, inputs, window};
use crate::rules::jsonrpc::common::survived;
use crate::view::may_have_idled;
use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule { name: "robust/standing", judges: JUDGES, judge };

const JUDGES: &[&str] = &[
    "robust.oversized-line",
    "robust.deep-nesting",
    "robust.invalid-utf8",
    "robust.truncated",
    "robust.not-json",
    "robust.duplicate-keys",
    "robust.huge-ids",
    "robust.numbers",
    "robust.slow-write",
    "robust.crlf",
    "robust.blank-lines",
    "robust.lone-surrogates",
    "robust.nul",
    "robust.in-flight",
    "robust.reused-id",
    "robust.out-of-order",
    "robust.stray-response",
    "robust.vanish",
    "robust.no-reader",
    "robust.header-abuse",
    "robust.gzip-bomb",
    "robust.prototype-keys",
];

const EXPECTED: &str = "an answer, a refusal or nothing, and the next request is answered";

/// Requirements with a clause, or an entry, of their own that say so if the server falls over a simpler form.
const COVERED: [(&str, &[Intent]); 8] = [
    ("robust.oversized-line", &[Intent::LargeMessage]),
    ("robust.deep-nesting", &[Intent::DeepNesting]),
    ("robust.invalid-utf8", &[Intent::InvalidUtf8]),
    ("robust.truncated", &[Intent::MalformedJson]),
    ("robust.not-json", &[Intent::MalformedJson, Intent::InvalidRequest]),
    ("robust.blank-lines", &[Intent::BlankLine]),
    ("robust.reused-id", &[Intent::IdInFlight]),
    ("robust.stray-response", &[Intent::StrayResponse]),
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in inputs(view) {
        let Some(of) = requirement(&case) else { continue };
        // Whoever had the connection afterwards may have had the sign of life.
        let answers = |session: &Session<'_>| session.exchanges.iter().any(|later| !later.answers.is_empty());
        if case.is_followed() || view.continued(case.session).any(answers) {
            collector.witness(of);
            if case.session.open.confirm {
                collector.repeated(of);
            }
        } else if let Some(crash) = crash_of(&case) {
            check_falls(view, &case, of, &crash, collector);
        }
        check_status(&case, of, collector);
        check_output(&case, of, collector);
        answers::judge(&case, of, collector);
    }
    for session in view.robust() {
        check_memory(session, collector);
        check_ended(view, session, collector);
    }
}

/// The name in the catalogue, which lives as long as the program.
fn requirement(case: &Case<'_>) -> Option<&'static str> {
    let of = case.about_str(Key::Of)?;
    JUDGES.iter().copied().find(|id| *id == of)
}

/// How a server went down.
struct Crash {
    actual: String,
    /// It ended. One that only fell silent may still be at work on the input.
    ended: bool,
}

/// How the server went down over this: the last input before it did.
fn crash_of(case: &Case<'_>) -> Option<Crash> {
    let later = case.session.exchanges.iter().filter(|later| later.seq > case.exchange.seq);
    let mut later =
        later.skip_while(|other| other.send.probe.is_some() && other.end == ExchangeEnd::Answered).peekable();
    let last = later.peek().is_none_or(|next| next.send.probe.is_none());
    let own = case
        .session
        .exit
        .filter(|(_, exit)| exit.after == Ending::Nothing)
        .map(|(_, exit)| format!("the server {exit}"));
    let closed = case.session.closed.is_some().then(|| "the server closed its output".to_owned());
    let alive = case.session.exchanges.iter().find(|later| later.seq > case.exchange.seq);
    let silent =
        alive.filter(|next| next.gave_up.is_some() || broke(next)).map(|_| "no answer to anything after it".to_owned());
    let ended = own.or(closed).map(|actual| Crash { actual, ended: true });
    let silent = silent.map(|actual| Crash { actual, ended: alive.is_some_and(broke) });
    ended.or(silent).filter(|_| last)
}

/// Over HTTP: nobody listens any more.
fn broke(exchange: &crate::Exchange<'_>) -> bool {
    matches!(exchange.end, ExchangeEnd::Gone { .. }) && exchange.send.http.is_some()
}

/// Believed when it happens again in a session in which nothing was sent before.
fn check_falls(view: &View<'_>, case: &Case<'_>, of: &'static str, crash: &Crash, collector: &mut Collector) {
    let simpler = COVERED.iter().find(|(id, _)| *id == of).map_or(&[][..], |(_, intents)| intents);
    let known = simpler.iter().any(|intent| view.probes(*intent).any(|other| survived(&other) == Some(false)));
    if known {
        return collector
            .not_observed(of, "a simpler form of it already terminates the server, which another requirement covers");
    }
    // What crosses the end of a server that had nothing to do says nothing; half a message is nothing to do.
    if may_have_idled(case.session) {
        return collector
            .not_observed(of, "the server ended with success after a silence: it may have had nothing to do");
    }
    let message =
        "The server does not survive this input: a single such message, from anyone, makes every tool unavailable.";
    let finding = about(case, message, EXPECTED, &crash.actual);
    let finding = if crash.ended { finding.fells() } else { finding };
    let later = |session: &Session<'_>| session.incoming.iter().any(|incoming| incoming.seq > case.exchange.seq);
    if view.transport != Transport::Stdio && !view.sessions.iter().any(later) {
        // It is gone for good, and nothing else was going on.
        return collector.fail(of, finding);
    }
    collector.suspect(of, case, finding);
}

fn check_status(case: &Case<'_>, of: &'static str, collector: &mut Collector) {
    let overload = of == "robust.in-flight" && case.status() == Some(503);
    if let Some(status) = case.status().filter(|status| *status >= 500 && !overload) {
        let message = "The server answers with a 5xx status: the input reached code that did not expect it.";
        collector.fail(
            of,
            about(case, message, "a status from 400 to 499, or an ordinary answer", &format!("HTTP status {status}")),
        );
    }
}

fn check_output(case: &Case<'_>, of: &'static str, collector: &mut Collector) {
    // How a server frames its messages throughout is a finding of its own.
    if case.view.transport != Transport::Stdio || case.session.by_objects {
        return;
    }
    let odd = window(case).find(|incoming| {
        let text = matches!(incoming.parsed.content, Content::Unreadable(Unreadable::NotJson { .. }));
        incoming.receive.via == Via::Line && incoming.receive.dropped == 0 && (incoming.receive.not_utf8 || text)
    });
    if let Some(incoming) = odd {
        let message = "After this input, the server writes something other than a message to its standard output.";
        let mut finding = about(case, message, "only JSON-RPC messages in UTF-8", "a line that is not a message");
        finding.wire.push(incoming.wire());
        collector.fail(of, finding);
    }
}

fn check_memory(session: &Session<'_>, collector: &mut Collector) {
    for (seq, probe) in session.probes.iter().filter(|(_, probe)| probe.intent == Intent::Memory) {
        let number = |key: Key| probe.get(key).and_then(Value::as_u64).unwrap_or(0);
        let of = probe.get(Key::Of).and_then(Value::as_str);
        let Some(of) = JUDGES.iter().copied().find(|id| Some(*id) == of) else { continue };
        let input = session.exchanges.iter().rfind(|exchange| {
            exchange.seq < *seq
                && exchange.send.probe.as_ref().is_some_and(|sent| sent.get(Key::Of) == probe.get(Key::Of))
        });
        let wire = input.map(|exchange| format!("> {}", crate::view::clip(&exchange.send.text)));
        collector.check(of, number(Key::Grown) <= number(Key::Bound), || {
            verdict::Finding::new(
                "After this input, the server retains far more memory than the size of the input: a few such inputs exhaust it.",
                "growth of at most 64 MiB plus four times the input size",
                "more than that",
                wire.into_iter()
                    .chain([format!("memory: {} KiB more, {} KiB allowed", number(Key::Grown), number(Key::Bound))])
                    .collect(),
            )
        });
    }
}

/// The input ended in the middle of a message.
fn check_ended(view: &View<'_>, session: &Session<'_>, collector: &mut Collector) {
    const ID: &str = "robust.truncated";
    let when = |probe: &verdict::transcript::Probe| probe.get(Key::When).and_then(Value::as_str).map(str::to_owned);
    let Some((_, exit)) = session.exit else { return };
    let mid = |(_, probe): &&(u32, &verdict::transcript::Probe)| {
        probe.intent == Intent::Eof && when(probe).as_deref() == Some("mid-message")
    };
    let Some((ends, _)) = session.probes.iter().find(mid) else { return };
    let idle = view.sessions.iter().filter(|other| {
        other.probes.iter().any(|(_, probe)| probe.intent == Intent::Eof && when(probe).as_deref() == Some("idle"))
    });
    let anyway = idle.filter_map(|other| other.exit).any(|(_, exit)| exit.after > Ending::StdinClosed);
    if anyway {
        return collector.not_observed(
            ID,
            "the server does not exit when its input ends, which stdio.shutdown.exits-on-eof covers",
        );
    }
    // Behind half a message no answer can be understood.
    let asks = |incoming: &Incoming<'_>| incoming.message().is_some_and(|message| message.kind == wire::Kind::Request);
    if session.incoming.iter().any(|incoming| incoming.seq > *ends && asks(incoming)) {
        return collector.not_observed(ID, "the server asked something meanwhile, whose answer it may wait for");
    }
    let exchange = session.exchanges.last();
    let case = exchange.map(|exchange| Case { view, session, exchange });
    if let Some(case) = case {
        collector.check(ID, exit.after <= Ending::StdinClosed, || {
            let message = "When the input ends in the middle of a message, the server does not exit.";
            about(&case, message, "it exits, as whenever its input ends", "still running at the time limit")
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Exit, Kind, Open};
    use verdict::{Revision, Status};

    use super::*;
    use crate::testing::Script;

    fn open(script: Script, confirm: bool) -> Script {
        let open = Open {
            transport: Transport::Stdio,
            purpose: "robust".into(),
            revision: Some(Revision::V2026_07_28),
            confirm,
            outside: false,
            continues: None,
        };
        script.bare_as(open)
    }

    fn sent(of: &str, expect: &str) -> Script {
        let script = open(Script::new(Revision::V2026_07_28, json!({})), false);
        script.raw(Intent::Robust, json!({"of": of, "kind": "k", "expect": expect, "ids": ["70"]}), "{\"id\":70}")
    }

    fn alive(script: Script) -> Script {
        script.plain("server/discover", json!({}), json!({"result": {"supportedVersions": []}}))
    }

    #[test]
    fn a_server_that_goes_on_passes_every_one() {
        for id in JUDGES.iter().filter(|id| verdict::requirement(id).is_some_and(|found| found.binds(Transport::Stdio)))
        {
            let script = alive(sent(id, "any"));
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
            assert!(script.fails_in("robust").is_empty());
        }
    }

    #[test]
    fn who_has_the_connection_afterwards_may_give_the_sign_of_life() {
        let id = "robust.out-of-order";
        assert_eq!(alive(sent(id, "any").goes_on("main")).status_of(id), Status::Pass);
        assert_eq!(sent(id, "any").goes_on("main").status_of(id), Status::NotObserved);
    }

    #[test]
    fn one_that_ends_fails_if_it_does_so_again_alone() {
        let ends =
            |script: Script, id: &str| script.raw(Intent::Robust, json!({"of": id, "kind": "k"}), "x").exits(134);
        for id in JUDGES.iter().filter(|id| verdict::requirement(id).is_some_and(|found| found.binds(Transport::Stdio)))
        {
            let once = sent(id, "any").exits(134);
            assert_eq!(once.status_of(id), Status::Inconclusive, "{id}");
            assert_eq!(ends(open(once, true), id).fails_in("robust"), [*id]);
        }
    }

    #[test]
    fn a_server_that_may_have_ended_for_want_of_work_is_not_blamed() {
        let ends = |script: Script, pause: u64, code: i32| {
            let of = json!({"of": "robust.slow-write", "kind": "k"});
            let said = script.plain("server/discover", json!({}), json!({"result": {"supportedVersions": []}}));
            said.raw(Intent::Robust, of, "{").pauses(pause).exits(code)
        };
        let twice = |pause: u64, code: i32| {
            let once = ends(open(Script::new(Revision::V2026_07_28, json!({})), false), pause, code);
            ends(open(once, true), pause, code).status_of("robust.slow-write")
        };
        assert_eq!([twice(900, 0), twice(100, 0), twice(900, 1)], [Status::NotObserved, Status::Fail, Status::Fail]);
    }

    #[test]
    fn what_a_simpler_form_shows_is_not_said_twice() {
        let simple =
            Script::new(Revision::V2026_07_28, json!({})).settled().raw(Intent::BlankLine, json!({}), "").exits(1);
        let script =
            open(simple, false).raw(Intent::Robust, json!({"of": "robust.blank-lines", "kind": "k"}), "\n").exits(1);
        assert_eq!(script.status_of("robust.blank-lines"), Status::NotObserved);
    }

    #[test]
    fn memory_beyond_the_bound_fails() {
        let grown = |grown: u64| {
            alive(sent("robust.oversized-line", "any"))
                .means(Intent::Memory, json!({"of": "robust.oversized-line", "grown": grown, "bound": 100}))
        };
        assert_eq!(grown(101).fails_in("robust"), ["robust.oversized-line"]);
        assert_eq!(grown(100).status_of("robust.oversized-line"), Status::Pass);
    }

    #[test]
    fn what_is_written_must_be_messages() {
        let script = alive(sent("robust.lone-surrogates", "any").says("Traceback (most recent call last):"));
        assert_eq!(script.fails_in("robust"), ["robust.lone-surrogates"]);
    }

    #[test]
    fn half_a_message_and_the_end_end_the_server() {
        let exit = |after| Kind::Exit(Exit { code: Some(0), signal: None, after });
        let half = || sent("robust.truncated", "any").means(Intent::Eof, json!({"when": "mid-message"}));
        let script = |after| half().add(exit(after));
        assert_eq!(script(Ending::Killed).fails_in("robust"), ["robust.truncated"]);
        assert_eq!(script(Ending::StdinClosed).status_of("robust.truncated"), Status::Pass);
        let asks = half().says_json(&json!({"jsonrpc": "2.0", "id": 0, "method": "roots/list"}));
        assert_eq!(asks.add(exit(Ending::Killed)).status_of("robust.truncated"), Status::NotObserved);
    }

    #[test]
    fn over_http_5xx_fails_and_4xx_does_not() {
        let sent = |status| {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
            let open = Open {
                transport: Transport::Http,
                purpose: "robust".into(),
                revision: Some(Revision::V2026_07_28),
                confirm: false,
                outside: false,
                continues: None,
            };
            let about = json!({"of": "robust.gzip-bomb", "kind": "k", "expect": "any"});
            alive(script.bare_as(open).request("POST", Intent::Robust, about, &[], "x").respond(status, &[], ""))
        };
        assert_eq!(sent(500).fails_in("robust"), ["robust.gzip-bomb"]);
        assert_eq!(sent(415).status_of("robust.gzip-bomb"), Status::Pass);
    }
}
