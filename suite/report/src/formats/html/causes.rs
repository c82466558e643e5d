//! The section on causes: each that breaks several requirements, with the exchange that shows it best.

use serde_json::{Value, json};
use verdict::Level;
use verdict::record::Record;

use crate::causes::{Group, broken, grouped};

/// Returns the causes of a record that break more than one requirement, the gravest first; those that a baseline accepts last.
pub(super) fn causes(record: &Record) -> Vec<Value> {
    let mut shared: Vec<Group<'_>> =
        grouped(broken(&[record])).into_iter().filter(|group| group.shared().is_some()).collect();
    shared.sort_by_key(|group| (is_known(group), group.level()));
    shared.iter().filter_map(cause).collect()
}

fn is_known(group: &Group<'_>) -> bool {
    group.broken.iter().all(|broken| broken.entry.known.is_some())
}

fn cause(group: &Group<'_>) -> Option<Value> {
    let cause = group.shared()?;
    let breaks = group.broken.iter().map(|broken| json!({"id": broken.entry.id, "level": broken.entry.level.as_str()}));
    let wire = group.shown().into_iter().flat_map(|(_, told)| told.wire.iter().map(|line| super::line(line, told)));
    let tag = match group.level() {
        _ if is_known(group) => "known",
        Level::Must => "MUST",
        Level::Should => "SHOULD",
        Level::Advice => "advice",
    };
    Some(json!({
        "id": cause.id,
        "title": cause.title,
        "mend": cause.mend,
        "level": group.level().as_str(),
        "tag": tag,
        "breaks": breaks.collect::<Vec<_>>(),
        "wire": wire.collect::<Vec<_>>(),
        "reproduce": cause.reproduce,
    }))
}
