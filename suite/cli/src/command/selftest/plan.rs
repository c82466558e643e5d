//! Lists the servers to test: faults, quirks and the plain server, by revision and transport.

use reference::{Fault, faults, quirks};
use verdict::{Revision, Transport, requirement};

use super::trial::{Subject, Trial};
use crate::globs::matches;

/// Returns all trials that match; with `only`, faults alone.
pub(super) fn plan(only: &[String], revisions: &[Revision], transport: Option<Transport>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for revision in Revision::ALL {
        for carrier in [Transport::Stdio, Transport::Http, Transport::Sse] {
            let wanted =
                (revisions.is_empty() || revisions.contains(&revision)) && transport.is_none_or(|only| only == carrier);
            if wanted && is_defined(carrier, revision) {
                let subjects = subjects(only, revision, carrier);
                trials.extend(subjects.map(|subject| Trial { subject, revision, transport: carrier }));
            }
        }
    }
    trials
}

/// Returns whether a revision defines a transport: the second one replaced HTTP+SSE with Streamable HTTP.
fn is_defined(transport: Transport, revision: Revision) -> bool {
    match transport {
        Transport::Stdio => true,
        Transport::Http => revision > Revision::V2024_11_05,
        Transport::Sse => revision == Revision::V2024_11_05,
    }
}

fn subjects(only: &[String], revision: Revision, transport: Transport) -> impl Iterator<Item = Subject> {
    let all = only.is_empty();
    let plain = all.then_some(Subject::Plain);
    let quirks = quirks().iter().filter(move |_| all).map(|quirk| Subject::Quirk(quirk.name));
    let faults = faults().filter(move |fault| all || only.iter().any(|glob| matches(glob, fault.id)));
    let faults = faults.filter(move |fault| shows(fault, revision, transport));
    let faults = faults
        .filter(move |fault| transport != Transport::Sse || !all || is_tested_over_sse(fault))
        .map(Subject::Fault);
    let kinds = [("static", true), ("jwt", true), ("static", false), ("jwt", false)];
    let guarded = kinds.into_iter().filter(move |_| all && transport == Transport::Http);
    let guarded = guarded.map(|(auth, known)| Subject::Guarded(auth, known));
    let limited = limited_revisions(revision).into_iter().filter(move |_| all && transport != Transport::Sse);
    let limited = limited.map(Subject::LimitedTo);
    plain.into_iter().chain(limited).chain(quirks).chain(guarded).chain(faults.collect::<Vec<_>>())
}

/// Returns the revisions of servers that support only some: one, one era, or the newest of both eras. A server must not be
/// flagged for revisions that it does not support.
fn limited_revisions(revision: Revision) -> [&'static str; 2] {
    if revision.is_handshake() {
        [revision.as_str(), "2024-11-05,2025-03-26,2025-06-18,2025-11-25"]
    } else {
        [revision.as_str(), "2025-11-25,2026-07-28"]
    }
}

/// Areas in which the transport matters.
const TRANSPORT_AREAS: [&str; 6] = ["sse", "security", "jsonrpc", "lifecycle", "ping", "cancellation"];

/// Returns whether a fault is tested over HTTP+SSE. The core answers alike over every transport, so one fault of each
/// topic is enough; with --only all are tested.
fn is_tested_over_sse(fault: &Fault) -> bool {
    let topic = |fault: &Fault| fault.id.rsplit_once('.').map(|(topic, _)| topic);
    let first = faults()
        .filter(|other| shows(other, Revision::V2024_11_05, Transport::Sse))
        .find(|other| topic(other) == topic(fault));
    TRANSPORT_AREAS.iter().any(|area| fault.id.split('.').next() == Some(area))
        || first.is_some_and(|first| first.name() == fault.name())
}

/// Returns whether a fault breaks its requirement in this revision and over this transport.
fn shows(fault: &Fault, revision: Revision, transport: Transport) -> bool {
    let carried = match transport {
        Transport::Stdio => reference::Transport::Stdio,
        Transport::Http => reference::Transport::Http,
        Transport::Sse => reference::Transport::Sse,
    };
    (fault.revisions.is_empty() || fault.revisions.contains(&revision))
        && (fault.transports.is_empty() || fault.transports.contains(&carried))
        && requirement(fault.id).is_some_and(|found| found.holds_in(revision) && found.binds(transport))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_server_is_tested_in_every_revision_over_every_transport() {
        let plain = plan(&[], &[], None).into_iter().filter(|trial| matches!(trial.subject, Subject::Plain));
        assert_eq!(plain.count(), 5 + 4 + 1);
    }

    #[test]
    fn over_sse_one_fault_of_a_topic_stands_for_all_unless_they_are_asked_for() {
        let tested = |only: &[String]| {
            let trials = plan(only, &[], Some(Transport::Sse)).into_iter();
            trials
                .filter(|trial| matches!(trial.subject, Subject::Fault(fault) if fault.id.starts_with("tools.")))
                .count()
        };
        assert!(tested(&[]) > 0 && tested(&[]) < tested(&["tools.*".to_owned()]));
    }

    #[test]
    fn faults_are_tested_only_where_their_requirement_holds() {
        for trial in plan(&["*".to_owned()], &[], None) {
            let Subject::Fault(fault) = trial.subject else { panic!("only faults were asked for") };
            assert!(requirement(fault.id).is_some_and(|found| found.holds_in(trial.revision)), "{}", fault.id);
        }
        assert!(
            plan(&[], &[Revision::V2025_11_25], Some(Transport::Stdio))
                .iter()
                .all(|trial| trial.transport == Transport::Stdio)
        );
    }
}
