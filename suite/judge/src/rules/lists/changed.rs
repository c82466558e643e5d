//! `list_changed`: sent when a list changes, and only by servers that declare it. A change is seen by comparing walks, whoever
//! caused it. Over HTTP to 2025-11-25 the notification needs an open GET stream, in 2026-07-28 an acknowledged
//! subscription: where there is none, silence proves nothing.

use std::time::Duration;

use verdict::{Intent, Transport};

use super::{List, Walk, complete};
use crate::rules::during::ACKNOWLEDGED;
use crate::{Collector, Exchange, Incoming, Session, View};

/// How long a notification may take.
const MOMENT: Duration = Duration::from_secs(1);

/// Judges what is sent, and by whom.
pub(in crate::rules) fn changed(
    view: &View<'_>,
    collector: &mut Collector,
    list: &'static List,
    id: &'static str,
    only: &'static str,
) {
    let declared = view.declares(&format!("{}.listChanged", list.capability));
    let walks = complete(view, list);
    for session in view.judged() {
        let own: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id == session.id).collect();
        if declared {
            check_sent(view, session, &own, collector, id);
        } else {
            only_if_declared(session, list, collector, only);
        }
    }
    if declared {
        collector.not_applicable(only, format!("the server declares {}.listChanged", list.capability));
    }
}

/// The notifications of a change of this list.
pub(in crate::rules) fn notices<'v>(
    session: &'v Session<'_>,
    list: &'v List,
) -> impl Iterator<Item = &'v Incoming<'v>> {
    session.incoming.iter().filter(|incoming| incoming.method() == Some(list.notice))
}

fn only_if_declared(session: &Session<'_>, list: &List, collector: &mut Collector, id: &'static str) {
    let List { notice, capability, .. } = list;
    let mut seen = false;
    for heard in notices(session, list) {
        seen = true;
        let message = format!(
            "The server sends {notice} but does not declare {capability}.listChanged, so no client expects it."
        );
        collector.fail(
            id,
            finding(
                vec![heard.wire()],
                &message,
                &format!("no such notification, or {capability}.listChanged true"),
                "the notification",
            ),
        );
    }
    // The whole traffic of a session that said something is what was examined.
    if !seen && session.incoming.iter().filter(|incoming| incoming.is_answer()).count() > 1 {
        collector.witness(id);
    }
}

pub(in crate::rules) fn finding(wire: Vec<String>, message: &str, expected: &str, actual: &str) -> verdict::Finding {
    verdict::Finding::new(message, expected, actual, wire)
}

fn check_sent(
    view: &View<'_>,
    session: &Session<'_>,
    walks: &[&Walk<'_>],
    collector: &mut Collector,
    id: &'static str,
) {
    for pair in walks.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        let list = before.list;
        if before.same(after) {
            continue;
        }
        if notices(session, list).any(|notice| notice.seq > before.start()) {
            collector.witness(id);
        } else if !hears(view, session, list, before.end()) {
            collector.not_observed(id, "the list changed while no channel was open that could carry the notification");
        } else if had_time(session, before, after) {
            let message = format!(
                "The list of {} changed and the server declares {}.listChanged, but no notification arrived, so clients keep using the old list.",
                list.things, list.capability
            );
            let mut wire = before.pages[0].wire();
            wire.extend(after.pages[0].wire());
            collector.fail(id, finding(wire, &message, list.notice, "a different list and no notification"));
        } else {
            collector
                .inconclusive(id, "the list changed at the end of a session, too late to wait for the notification");
        }
    }
}

/// Whether the server still answered some time after the change, at the latest that of the walk that shows it: a notification may take
/// a moment.
fn had_time(session: &Session<'_>, before: &Walk<'_>, after: &Walk<'_>) -> bool {
    let between = |exchange: &&Exchange<'_>| (before.end()..after.start()).contains(&exchange.seq);
    let triggers = |exchange: &&Exchange<'_>| {
        exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::ListTrigger)
    };
    let trigger = session.exchanges.iter().filter(between).find(triggers);
    let since = trigger.map_or(after.pages[0].exchange.at, |trigger| trigger.at) + MOMENT;
    let answered = |exchange: &Exchange<'_>| exchange.answers.iter().any(|at| session.incoming[*at].seq > after.end());
    session.exchanges.iter().any(|exchange| exchange.at >= since && answered(exchange))
}

/// Whether a notification could reach the tester from then on.
pub(in crate::rules) fn hears(view: &View<'_>, session: &Session<'_>, list: &List, from: u32) -> bool {
    if view.revision.is_stateless() {
        return session.incoming.iter().any(|incoming| incoming.seq <= from && acknowledges(incoming, list.filter));
    }
    let listens = |exchange: &crate::Exchange<'_>| {
        exchange.send.http.as_deref() == Some("GET")
            && exchange.seq <= from
            && exchange.status.is_some_and(|(status, _)| status == 200)
    };
    view.transport != Transport::Http || session.exchanges.iter().any(listens)
}

fn acknowledges(incoming: &Incoming<'_>, filter: &str) -> bool {
    let params = || incoming.message()?.params()?.get("notifications")?.get(filter)?.as_bool();
    incoming.method() == Some(ACKNOWLEDGED) && params() == Some(true)
}
