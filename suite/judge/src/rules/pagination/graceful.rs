//! After invalid cursors the server goes on answering.

use verdict::{Finding, Intent, Key};

use super::pages::{self, LISTS, Page};
use crate::view::ExchangeEnd;
use crate::{Case, Collector, Exchange, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "pagination/graceful", judges: &["pagination.invalid-cursor-graceful"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let felled = feller(view, session).map(|case| (case, crash_description(session)));
        let failing =
            breaker(view, session).map(|case| (case, "no later request succeeds, on any connection".to_owned()));
        if let Some((case, actual)) = felled.or(failing) {
            let message = "An invalid cursor terminates the server or the connection.";
            let finding = case.finding(message, "an error, and the connection stays open");
            collector.fail(ID, Finding { actual, ..finding }.fells());
        }
        let all = pages::pages(view, session);
        for list in &LISTS {
            let of = |when: &'static str| {
                let mut pages = all.iter().filter(|page| page.list.method == list.method);
                pages.find(|page| {
                    page.has_intent(&[Some(Intent::FirstPage)]) && page.case.about_str(Key::When) == Some(when)
                })
            };
            if let (Some(before), Some(after)) = (of("before"), of("after")) {
                compare(view, before, after, collector);
            }
        }
    }
}

/// The invalid cursor behind which the server ended by itself: it was the only input without an answer, or the last one
/// that got any, and nothing but cursors was outstanding.
fn feller<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Case<'v>> {
    let cases = || session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    let malformed = |case: &Case<'_>| matches!(case.intent(), Some(Intent::CursorInvalid | Intent::CursorType));
    let alone = |case: &Case<'_>| case.exchange.end == (ExchangeEnd::Gone { alone: true });
    let exit = session.exit.filter(|(_, exit)| exit.after == verdict::transcript::Ending::Nothing);
    if exit.is_none() && session.closed.is_none() {
        return cases().find(|case| malformed(case) && alone(case)).or_else(|| deserted(view, session));
    }
    let liveness =
        |case: &Case<'_>| case.intent().is_none() && matches!(case.method(), Some("ping" | "server/discover"));
    let request = |case: &Case<'_>| case.sent().is_some_and(|sent| sent.kind == wire::Kind::Request) && !liveness(case);
    let (open, answered): (Vec<Case<'_>>, Vec<Case<'_>>) =
        cases().filter(request).partition(|case| matches!(case.exchange.end, ExchangeEnd::Gone { .. }));
    let last = answered.into_iter().max_by_key(|case| case.answer().map(|answer| answer.seq));
    let suspects: Vec<Case<'_>> = if open.is_empty() { last.into_iter().collect() } else { open };
    let first = suspects.first().copied().filter(|_| suspects.iter().all(malformed))?;
    let mut later = cases().filter(|case| case.exchange.seq > first.exchange.seq);
    later.all(|case| malformed(&case) || liveness(&case)).then_some(first)
}

/// The first of the invalid cursors from which on a server over HTTP fails everything, if it can have been nothing else.
fn breaker<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Case<'v>> {
    let suspects = &view.failing.as_ref().filter(|failing| !failing.dropped)?.suspects;
    let cases = || session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    let malformed = |case: &Case<'_>| matches!(case.intent(), Some(Intent::CursorInvalid | Intent::CursorType));
    let mut suspected = suspects.iter().map(|seq| cases().find(|case| case.exchange.seq == *seq).filter(malformed));
    let first = suspected.next()??;
    suspected.all(|case| case.is_some()).then_some(first)
}

/// The first of the cursors behind which nobody listens at the URL any more, if nothing else was sent meanwhile, by whomever.
fn deserted<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> Option<Case<'v>> {
    let cases = || session.exchanges.iter().map(move |exchange| Case { view, session, exchange });
    let page = |when: &'static str| {
        cases().filter(move |case| case.intent() == Some(Intent::FirstPage) && case.about_str(Key::When) == Some(when))
    };
    let before = page("before").find(|case| case.result().is_some())?;
    let after = page("after").next().filter(Case::is_unreached)?;
    let between = |seq: u32| (before.exchange.seq..after.exchange.seq).contains(&seq);
    let intents = [Intent::FirstPage, Intent::CursorInvalid, Intent::CursorType];
    // A stream that is asked for again brings nothing to the server.
    let own = |exchange: &Exchange<'_>| {
        exchange.send.http.as_deref() == Some("GET")
            || exchange.send.probe.as_ref().is_some_and(|probe| intents.contains(&probe.intent))
    };
    let mut all = view.sessions.iter().flat_map(|session| &session.exchanges);
    let nothing_else = all.all(|exchange| !between(exchange.seq) || own(exchange));
    cases().find(|case| between(case.exchange.seq) && case.intent() != Some(Intent::FirstPage)).filter(|_| nothing_else)
}

fn crash_description(session: &Session<'_>) -> String {
    match session.exit {
        Some((_, exit)) => format!("the server {exit}"),
        None => "the connection was closed".to_owned(),
    }
}

fn compare(view: &View<'_>, before: &Page<'_>, after: &Page<'_>, collector: &mut Collector) {
    let case = &after.case;
    if case.session.open.confirm {
        collector.repeated(ID);
    }
    let Some(then) = before.set() else { return };
    if after.set().as_ref() == Some(&then) {
        collector.witness(ID);
        return;
    }
    if after.keys.is_some() && before.changed_before(after) {
        // What the list holds says nothing then, but it is served.
        collector.witness(ID);
        return;
    }
    let finding = case.finding("After invalid cursors, the list is not served as before.", "the normal first page");
    let finding = Finding { place: Some(after.list.method.to_owned()), ..finding };
    if matches!(case.exchange.end, ExchangeEnd::Gone { .. }) || answers_nobody(view, case) {
        collector.fail(ID, finding);
    } else if after.keys.is_some() {
        collector.suspect(ID, case, Finding { actual: "a different first page".to_owned(), ..finding });
    } else {
        collector.suspect(ID, case, finding);
    }
}

/// Whether it was not answered, and nothing after it in any other session either.
fn answers_nobody(view: &View<'_>, case: &Case<'_>) -> bool {
    let all = view
        .sessions
        .iter()
        .flat_map(|session| session.exchanges.iter().map(move |exchange| Case { view, session, exchange }));
    let later = |other: &Case<'_>| {
        other.exchange.seq > case.exchange.seq && other.session.id != case.session.id && other.method().is_some()
    };
    let mut later = all.filter(later).filter(Case::is_decided).peekable();
    let silent = |case: &Case<'_>| matches!(case.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Gone { .. });
    silent(case) && later.peek().is_some() && later.all(|other| silent(&other))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn plain(script: Script, when: &str, answer: Value) -> Script {
        script.probe_about(Intent::FirstPage, json!({"when": when}), "tools/list", json!({}), answer)
    }

    fn tools(name: &str) -> Value {
        json!({"result": {"tools": [{"name": name, "inputSchema": {"type": "object"}}]}})
    }

    fn run(script: Script, after: Value) -> Script {
        let script = plain(script, "before", tools("a"));
        let about = json!({"kind": "nul"});
        let refusal = json!({"error": {"code": -32602, "message": "no"}});
        let script =
            script.probe_about(Intent::CursorInvalid, about, "tools/list", json!({"cursor": "\u{0}"}), refusal);
        plain(script, "after", after)
    }

    fn start() -> Script {
        Script::new(Revision::V2025_11_25, json!({"tools": {}}))
    }

    #[test]
    fn the_same_list_afterwards_passes() {
        assert_eq!(run(start(), tools("a")).status_of(ID), Status::Pass);
    }

    #[test]
    fn an_error_afterwards_fails_when_it_is_seen_again() {
        let broken = json!({"error": {"code": -32603, "message": "poisoned"}});
        let once = run(start(), broken.clone());
        assert_eq!(once.status_of(ID), Status::Inconclusive);
        assert_eq!(run(once.session(true, json!({"tools": {}})), broken).fails(), [ID]);
    }

    #[test]
    fn a_server_that_answers_and_then_ends_fails_too() {
        let refusal = json!({"error": {"code": -32602, "message": "no"}});
        let cursor = |script: Script| {
            let about = json!({"kind": "json"});
            script.probe_about(Intent::CursorInvalid, about, "tools/list", json!({"cursor": "{"}), refusal.clone())
        };
        assert_eq!(cursor(plain(start(), "before", tools("a"))).exits(1).fails_in("pagination"), [ID]);
        let other = cursor(start()).plain("tools/list", json!({}), tools("a")).exits(1);
        assert_eq!(other.status_of(ID), Status::NotObserved);
        let mut beside = cursor(start());
        beside.ask(None, "tools/call", json!({"name": "a"}));
        assert_eq!(beside.exits(1).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn a_server_that_answers_nobody_any_more_fails_without_a_second_look() {
        let mut script = plain(start(), "before", tools("a"));
        script.ask(Some((Intent::FirstPage, json!({"when": "after"}))), "tools/list", json!({}));
        let script = script.gave_up();
        assert_eq!(script.status_of(ID), Status::Inconclusive);
        let mut script = script.bare();
        script.ask(None, "initialize", json!({"protocolVersion": "2025-11-25"}));
        assert_eq!(script.gave_up().status_of(ID), Status::Fail);
    }

    #[test]
    fn a_url_at_which_nobody_listens_any_more_fails_when_nothing_but_cursors_was_sent() {
        let refusal = json!({"error": {"code": -32602, "message": "no"}});
        let gone = |meanwhile: &dyn Fn(Script) -> Script| {
            let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({"tools": {}}));
            let cursor = json!({"cursor": "{"});
            let script = plain(script, "before", tools("a"));
            let script = script.probe_about(Intent::CursorInvalid, json!({}), "tools/list", cursor, refusal.clone());
            let mut script = meanwhile(script);
            script.ask(Some((Intent::FirstPage, json!({"when": "after"}))), "tools/list", json!({}));
            let last = script.last_channel();
            script.ends_on(last, Some("no connection: refused")).status_of(ID)
        };
        assert_eq!(gone(&|script| script), Status::Fail);
        let call =
            |script: Script| script.plain("tools/call", json!({"name": "a"}), json!({"result": {"content": []}}));
        assert_eq!(gone(&call), Status::NotObserved);
    }

    #[test]
    fn a_server_that_ends_fails_at_once() {
        let mut script = plain(start(), "before", tools("a")).settled();
        script.ask(Some((Intent::CursorInvalid, json!({"kind": "huge"}))), "tools/list", json!({"cursor": "9"}));
        assert!(script.exits(101).fails().contains(&ID));
    }
}
