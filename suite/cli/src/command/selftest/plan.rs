//! Which servers are tested: faults, quirks and the plain one, by revision and transport.

use reference::{Fault, faults, quirks};
use verdict::{Revision, Transport, requirement};

use super::trial::{Subject, Trial};
use crate::globs::matches;

/// All trials, narrowed down; with `only`, faults alone.
pub(super) fn plan(only: &[String], revisions: &[Revision], transport: Option<Transport>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for revision in Revision::ALL {
        for carrier in [Transport::Stdio, Transport::Http] {
            let wanted =
                (revisions.is_empty() || revisions.contains(&revision)) && transport.is_none_or(|only| only == carrier);
            // Streamable HTTP came with the second revision.
            if wanted && !(carrier == Transport::Http && revision == Revision::V2024_11_05) {
                let subjects = subjects(only, revision, carrier);
                trials.extend(subjects.map(|subject| Trial { subject, revision, transport: carrier }));
            }
        }
    }
    trials
}

fn subjects(only: &[String], revision: Revision, transport: Transport) -> impl Iterator<Item = Subject> {
    let all = only.is_empty();
    let plain = all.then_some(Subject::Plain);
    let quirks = quirks().iter().filter(move |_| all).map(|quirk| Subject::Quirk(quirk.name));
    let faults = faults().filter(move |fault| all || only.iter().any(|glob| matches(glob, fault.id)));
    let faults = faults.filter(move |fault| shows(fault, revision, transport)).map(Subject::Fault);
    plain.into_iter().chain(quirks).chain(faults.collect::<Vec<_>>())
}

/// Whether a fault breaks its requirement here.
fn shows(fault: &Fault, revision: Revision, transport: Transport) -> bool {
    let carried = match transport {
        Transport::Stdio => reference::Transport::Stdio,
        Transport::Http | Transport::Sse => reference::Transport::Http,
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
        assert_eq!(plain.count(), 5 + 4);
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
