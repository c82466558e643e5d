//! Walks a value by a shape: total, of bounded depth (no table contains itself), without allocation where all is right.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use verdict::{Revision, requirement};

use super::row::{Check, Ids, Object, Outcome, Row, Shape, Union};
use super::words::{actual, expected, quoted};

/// Mismatches kept of one message; a list of a million wrong entries says no more than a hundred of them.
const KEPT: usize = 100;

/// How a value differs from its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A required member is missing.
    Missing,
    /// Another JSON type.
    Type,
    /// The right type, and none of the values that are allowed.
    Value,
    /// A string of another form, or whatever else a [`Check`] looks at.
    Form,
    /// A member that may not be there.
    Extra,
}

/// One difference, under one of the requirements it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The requirement.
    pub id: &'static str,
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// In what way.
    pub fault: Fault,
    /// The expected form, as a noun phrase.
    pub expected: String,
    /// The actual form.
    pub actual: String,
    /// Worth a note, no violation.
    pub note: bool,
}

/// The outcome of a walk.
#[derive(Debug, Default)]
pub struct Report {
    /// The mismatches, a hundred at most.
    pub mismatches: Vec<Mismatch>,
    /// The requirement of every correct member that was present, once for each.
    pub seen: Vec<&'static str>,
    /// Violations, those that were not kept and those of no requirement included.
    pub faults: usize,
}

/// Walks `value`, which stands at `place` in its message, and adds to `report`.
pub fn examine(value: &Value, place: &str, shape: &'static Shape, revision: Revision, report: &mut Report) {
    let mut walk = Walk { revision, place, path: Vec::new(), report };
    walk.value(value, shape, Claim { ids: &[], row: None, only: None, also: &[] });
}

/// Every difference between a value and a shape.
#[must_use]
pub fn mismatches(value: &Value, shape: &'static Shape, revision: Revision) -> Vec<Mismatch> {
    let mut report = Report::default();
    examine(value, "", shape, revision, &mut report);
    report.mismatches
}

#[derive(Clone, Copy)]
enum Step<'v> {
    Member(&'v str),
    Item(usize),
}

/// The row that a value is checked by, and the requirements that it stands for.
#[derive(Clone, Copy)]
struct Claim {
    ids: Ids,
    row: Option<&'static Row>,
    only: Option<Ids>,
    also: Ids,
}

impl Claim {
    fn broken(&self) -> impl Iterator<Item = &'static str> {
        self.only.unwrap_or(self.ids).iter().chain(self.also).copied()
    }

    fn is_note(&self) -> bool {
        self.row.is_some_and(|row| row.noted || (row.soft && self.only.is_some()))
    }
}

struct Walk<'r, 'v> {
    revision: Revision,
    place: &'r str,
    path: Vec<Step<'v>>,
    report: &'r mut Report,
}

impl<'v> Walk<'_, 'v> {
    fn value(&mut self, value: &'v Value, shape: &'static Shape, claim: Claim) {
        match shape {
            Shape::Absent => self.fault(claim, Fault::Extra, expected(shape), actual(value), false),
            Shape::Any => self.seen(claim),
            Shape::Const(text) => self.word(value, shape, &[*text], claim),
            Shape::Enum(texts) => self.word(value, shape, texts, claim),
            Shape::Text(check) if value.is_string() => self.check(value, check, claim),
            Shape::Is(check) => self.check(value, check, claim),
            Shape::Array(items) => self.array(value, shape, items, claim),
            Shape::OneOrMany(one, from) if value.is_array() && self.revision >= *from => {
                self.array(value, shape, one, claim);
            }
            Shape::OneOrMany(one, _) => self.value(value, one, claim),
            Shape::Map(values) => self.map(value, shape, values, claim),
            Shape::Struct(object) => self.members(value, shape, object, claim),
            Shape::Tagged(union) => self.tagged(value, union, claim),
            Shape::AnyOf(_, shapes) => self.any_of(value, shape, shapes, claim),
            Shape::As(ids, inner) => self.value(value, inner, Claim { only: claim.only.or(Some(ids)), ..claim }),
            Shape::Also(ids, inner) => self.value(value, inner, Claim { also: ids, ..claim }),
            _ if is(value, shape) => self.seen(claim),
            _ => self.fault(claim, Fault::Type, expected(shape), actual(value), false),
        }
    }

    fn seen(&mut self, claim: Claim) {
        if claim.row.is_none_or(|row| !row.mute && !row.noted) {
            self.report.seen.extend(claim.broken());
        }
    }

    fn fault(&mut self, claim: Claim, fault: Fault, mut expected: String, actual: String, odd: bool) {
        let note = odd || claim.is_note();
        self.report.faults += usize::from(!note);
        if self.report.mismatches.len() >= KEPT {
            return;
        }
        let itself = |row: &Row| matches!(self.path.last(), Some(Step::Member(name)) if *name == row.name);
        if fault == Fault::Type && claim.row.is_some_and(|row| !row.required && itself(row)) {
            expected.push_str(", or no such member");
        }
        let pointer = self.pointer();
        for id in claim.broken().filter(|id| requirement(id).is_some_and(|found| found.holds_in(self.revision))) {
            let (pointer, expected, actual) = (pointer.clone(), expected.clone(), actual.clone());
            self.report.mismatches.push(Mismatch { id, pointer, fault, expected, actual, note });
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = self.place.to_owned();
        for step in &self.path {
            // Writing to a string cannot fail.
            let _ = match step {
                Step::Member(name) => write!(pointer, "/{}", name.replace('~', "~0").replace('/', "~1")),
                Step::Item(at) => write!(pointer, "/{at}"),
            };
        }
        pointer
    }

    fn at(&mut self, step: Step<'v>, value: &'v Value, shape: &'static Shape, claim: Claim) {
        self.path.push(step);
        self.value(value, shape, claim);
        self.path.pop();
    }

    fn word(&mut self, value: &Value, shape: &Shape, words: &[&str], claim: Claim) {
        match value.as_str() {
            Some(text) if words.contains(&text) => self.seen(claim),
            Some(_) => self.fault(claim, Fault::Value, expected(shape), quoted(value), false),
            None => self.fault(claim, Fault::Type, expected(shape), actual(value), false),
        }
    }

    fn check(&mut self, value: &Value, check: &Check, claim: Claim) {
        match (check.judge)(value, self.revision) {
            Outcome::Beside => {}
            Outcome::Good => self.seen(claim),
            Outcome::Bad(found) => self.fault(claim, Fault::Form, check.expected.to_owned(), found.to_owned(), false),
            Outcome::Odd(found) => self.fault(claim, Fault::Form, check.expected.to_owned(), found.to_owned(), true),
        }
    }

    fn array(&mut self, value: &'v Value, shape: &Shape, items: &'static Shape, claim: Claim) {
        let Some(array) = value.as_array() else {
            return self.fault(claim, Fault::Type, expected(shape), actual(value), false);
        };
        self.seen(claim);
        for (at, item) in array.iter().enumerate() {
            self.at(Step::Item(at), item, items, claim);
        }
    }

    fn map(&mut self, value: &'v Value, shape: &Shape, values: &'static Shape, claim: Claim) {
        let Some(map) = value.as_object() else {
            return self.fault(claim, Fault::Type, expected(shape), actual(value), false);
        };
        self.seen(claim);
        for (name, value) in map {
            self.at(Step::Member(name), value, values, claim);
        }
    }

    fn members(&mut self, value: &'v Value, shape: &Shape, object: &'static Object, claim: Claim) {
        let Some(map) = value.as_object() else {
            return self.fault(claim, Fault::Type, expected(shape), actual(value), false);
        };
        self.seen(claim);
        self.rows(value, map, object, claim);
    }

    fn rows(&mut self, value: &'v Value, map: &'v Map<String, Value>, object: &'static Object, outer: Claim) {
        let revision = self.revision;
        for row in object.rows.iter().filter(|row| row.is_in(revision)) {
            let claim = Claim { ids: row.ids, row: Some(row), ..outer };
            match map.get(row.name) {
                _ if row.name.is_empty() => self.value(value, &row.shape, claim),
                Some(member) => self.at(Step::Member(row.name), member, &row.shape, claim),
                None if row.required => {
                    self.path.push(Step::Member(row.name));
                    self.fault(claim, Fault::Missing, expected(&row.shape), "no such member".to_owned(), false);
                    self.path.pop();
                }
                None if matches!(row.shape, Shape::Absent) => self.seen(claim),
                None => {}
            }
        }
        for part in object.with {
            self.rows(value, map, part, outer);
        }
    }

    fn tagged(&mut self, value: &'v Value, union: &'static Union, outer: Claim) {
        let claim = Claim { ids: if union.ids.is_empty() { outer.ids } else { union.ids }, ..outer };
        let Some(map) = value.as_object() else {
            return self.fault(claim, Fault::Type, "an object".to_owned(), actual(value), false);
        };
        let tag = map.get(union.tag).filter(|_| self.revision >= union.tagged_from);
        let Some(kind) = tag.map_or(union.default, Value::as_str) else {
            self.path.push(Step::Member(union.tag));
            let (fault, found) =
                tag.map_or((Fault::Missing, "no such member".to_owned()), |tag| (Fault::Type, actual(tag)));
            self.fault(claim, fault, self.kinds(union), found, false);
            self.path.pop();
            return;
        };
        let known = union.variants.iter().find(|variant| variant.tag == kind);
        match known.filter(|variant| variant.from <= self.revision) {
            Some(variant) => {
                self.seen(Claim { ids: union.unknown, ..outer });
                self.value(value, &variant.shape, outer);
            }
            None => {
                let later = if known.is_some() { ", which only a later revision defines" } else { "" };
                let found = format!("{}{later}", tag.map_or_else(String::new, quoted));
                self.path.push(Step::Member(union.tag));
                let claim = Claim { ids: union.unknown, ..outer };
                self.fault(claim, Fault::Value, self.kinds(union), found, false);
                self.path.pop();
            }
        }
    }

    /// The kinds that the revision defines.
    fn kinds(&self, union: &Union) -> String {
        let known = union.variants.iter().filter(|variant| variant.from <= self.revision);
        format!("one of {}", known.map(|variant| format!("{:?}", variant.tag)).collect::<Vec<_>>().join(", "))
    }

    fn any_of(&mut self, value: &'v Value, shape: &Shape, shapes: &'static [(Revision, Shape)], claim: Claim) {
        let fits = |(from, shape): &'static (Revision, Shape)| {
            let mut report = Report::default();
            if *from <= self.revision {
                examine(value, "", shape, self.revision, &mut report);
            }
            *from <= self.revision && report.faults == 0
        };
        if shapes.iter().any(fits) {
            self.seen(claim);
        } else {
            self.fault(claim, Fault::Type, expected(shape), actual(value), false);
        }
    }
}

/// Whether a value has a plain type.
fn is(value: &Value, shape: &Shape) -> bool {
    match shape {
        Shape::String | Shape::Text(_) => value.is_string(),
        Shape::Boolean => value.is_boolean(),
        Shape::Number => value.is_number(),
        Shape::Integer => is_integer(value),
        Shape::IntegerOrNull => value.is_null() || is_integer(value),
        Shape::Token => value.is_string() || is_integer(value),
        Shape::Object => value.is_object(),
        _ => false,
    }
}

/// `1.0` is an integer, as it is to JSON Schema.
fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}
