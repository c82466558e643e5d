//! Every row of every table, with the requirements that stand for it: for tests.

use std::collections::BTreeSet;

use verdict::{Revision, requirement};

use super::row::{Ids, Object, Row, Shape};
use super::table::{client, envelope, notifications, results};

/// Calls `each` with the requirements of every claim that the revision has.
pub(crate) fn claims(revision: Revision, each: &mut dyn FnMut(&str, &[&'static str])) {
    let entries = results::RESULTS.iter().chain(notifications::NOTIFICATIONS).chain(client::REQUESTS);
    for (name, from, until, shape) in entries {
        if (*from..=*until).contains(&revision) {
            descend(name, shape, revision, None, &[], each);
        }
    }
    for (_, of, shape) in envelope::ERRORS {
        if *of == revision {
            descend("error", shape, revision, None, &[], each);
        }
    }
    let envelopes = [&envelope::REQUEST, &envelope::NOTIFICATION, &envelope::RESPONSE, &envelope::ERROR];
    for shape in envelopes {
        descend("envelope", shape, revision, None, &[], each);
    }
    if revision.traits().core_tasks {
        descend("task", &results::TASK_CREATED, revision, None, &[], each);
    }
    if revision.is_stateless() {
        descend("input required", &results::INPUT_REQUIRED, revision, None, &[], each);
    }
}

/// Every requirement that a table names in a revision in which it holds.
pub(crate) fn ids() -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for revision in Revision::ALL {
        claims(revision, &mut |_, ids| {
            found.extend(ids.iter().filter(|id| requirement(id).is_some_and(|known| known.holds_in(revision))));
        });
    }
    found
}

fn descend(
    place: &str,
    shape: &'static Shape,
    revision: Revision,
    only: Option<Ids>,
    also: Ids,
    each: &mut dyn FnMut(&str, &[&'static str]),
) {
    match shape {
        Shape::Array(inner) | Shape::Map(inner) | Shape::OneOrMany(inner, _) => {
            descend(place, inner, revision, only, also, each);
        }
        Shape::Struct(object) => rows(place, object, revision, only, also, each),
        Shape::As(ids, inner) => {
            each(place, only.unwrap_or(ids));
            descend(place, inner, revision, only.or(Some(ids)), also, each);
        }
        Shape::Also(ids, inner) => {
            each(place, ids);
            descend(place, inner, revision, only, ids, each);
        }
        Shape::Tagged(union) => {
            each(place, only.unwrap_or(union.unknown));
            if !union.ids.is_empty() {
                each(place, only.unwrap_or(union.ids));
            }
            for variant in union.variants.iter().filter(|variant| variant.from <= revision) {
                descend(&format!("{place}/{}", variant.tag), &variant.shape, revision, only, also, each);
            }
        }
        _ => {}
    }
}

fn rows(
    place: &str,
    object: &'static Object,
    revision: Revision,
    only: Option<Ids>,
    also: Ids,
    each: &mut dyn FnMut(&str, &[&'static str]),
) {
    for row in object.rows.iter().filter(|row| row.is_in(revision)) {
        let Row { name, ids, shape, .. } = row;
        let place = format!("{place}/{name}");
        let ids: Vec<&'static str> = only.unwrap_or(ids).iter().chain(also).copied().collect();
        each(&place, &ids);
        descend(&place, shape, revision, only, also, each);
    }
    for part in object.with {
        rows(place, part, revision, only, also, each);
    }
}

#[test]
fn every_claim_names_requirements_that_exist_and_one_that_holds() {
    for revision in Revision::ALL {
        claims(revision, &mut |place, ids| {
            for id in ids {
                assert!(requirement(id).is_some(), "{place}: {id} is not in the catalogue");
            }
            let holds = |id: &&str| requirement(id).is_some_and(|found| found.holds_in(revision));
            assert!(ids.iter().any(holds), "{place}: none of {ids:?} holds in {revision}");
        });
    }
}

#[test]
fn every_name_holds_in_a_revision_in_which_a_table_uses_it() {
    let held = ids();
    for revision in Revision::ALL {
        claims(revision, &mut |place, ids| {
            for id in ids {
                assert!(held.contains(id), "{place}: {id} never holds where it is used");
            }
        });
    }
}
