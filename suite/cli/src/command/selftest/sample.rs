//! Samples the matrix for a quick check: each fault and quirk once, in varying revisions and transports.

use std::collections::{BTreeMap, HashMap};

use super::trial::{Subject, Trial};

/// Returns the trials of the plain server, and one trial of each fault and quirk. Together they cover every revision and
/// transport; the sample is deterministic.
pub(super) fn sample(trials: Vec<Trial>) -> Vec<Trial> {
    let mut by_subject: BTreeMap<String, Vec<Trial>> = BTreeMap::new();
    let mut order: HashMap<String, usize> = HashMap::new();
    let mut chosen: Vec<Trial> = Vec::new();
    for trial in trials {
        if matches!(trial.subject, Subject::Plain) {
            chosen.push(trial);
            continue;
        }
        let name = trial.subject.flags().join(" ");
        let next = order.len();
        order.entry(name.clone()).or_insert(next);
        by_subject.entry(name).or_default().push(trial);
    }
    for (name, mut possible) in by_subject {
        let turn = order.get(&name).copied().unwrap_or_default();
        let at = turn % possible.len();
        chosen.push(possible.swap_remove(at));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::plan::plan;
    use super::*;

    #[test]
    fn every_fault_is_there_once_and_every_revision_and_transport_has_some() {
        let all = plan(&[], &[], None);
        let name = |trial: &Trial| trial.subject.flags().join(" ");
        let subjects: BTreeSet<String> = all.iter().map(name).collect();
        let places: BTreeSet<_> = all.iter().map(|trial| (trial.revision, trial.transport.as_str())).collect();
        let few = sample(all);
        let faults: Vec<&Trial> = few.iter().filter(|trial| !matches!(trial.subject, Subject::Plain)).collect();
        assert_eq!(faults.iter().map(|trial| name(trial)).collect::<BTreeSet<_>>().len(), faults.len(), "once each");
        assert_eq!(few.iter().map(name).collect::<BTreeSet<_>>(), subjects);
        for place in places {
            let there = faults.iter().filter(|trial| (trial.revision, trial.transport.as_str()) == place);
            assert!(there.count() > 10, "{place:?}");
        }
    }
}
