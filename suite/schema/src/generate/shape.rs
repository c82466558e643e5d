//! All that is known about one place of an instance, put together: bounds merged, kinds intersected, contradictions seen
//! as soon as they arise.

use serde_json::Value;

use super::decimal::Decimal;
use super::fact::{Contains, Fact, Item, ItemRule, MemberRule, Values};
use super::kinds::Kinds;
use super::place::Place;

/// The facts about one place.
#[derive(Clone)]
pub(super) struct Shape<'s> {
    pub(super) kinds: Kinds,
    /// The kinds that something is said about: the likely intent where `type` is missing.
    pub(super) meant: Kinds,
    pub(super) among: Option<Values<'s>>,
    pub(super) none_of: Vec<Values<'s>>,
    pub(super) number: Numbers,
    pub(super) string: Strings<'s>,
    pub(super) array: Arrays<'s>,
    pub(super) object: Objects<'s>,
}

#[derive(Clone, Default)]
pub(super) struct Numbers {
    pub(super) least: Option<(Decimal, bool)>,
    pub(super) most: Option<(Decimal, bool)>,
    pub(super) steps: Vec<Decimal>,
    pub(super) off: Vec<Decimal>,
}

#[derive(Clone, Default)]
pub(super) struct Strings<'s> {
    pub(super) shortest: u64,
    pub(super) longest: Option<u64>,
    pub(super) patterns: Vec<(&'s str, bool)>,
    pub(super) formats: Vec<(&'s str, bool)>,
}

#[derive(Clone, Default)]
pub(super) struct Arrays<'s> {
    pub(super) least: u64,
    pub(super) most: Option<u64>,
    pub(super) unique: Option<bool>,
    pub(super) rules: Vec<ItemRule<'s>>,
    pub(super) items: Vec<(usize, Vec<Item<'s>>)>,
    pub(super) contains: Vec<Contains<'s>>,
}

#[derive(Clone, Default)]
pub(super) struct Objects<'s> {
    pub(super) least: u64,
    pub(super) most: Option<u64>,
    pub(super) rules: Vec<MemberRule<'s>>,
    pub(super) present: Vec<&'s str>,
    pub(super) absent: Vec<&'s str>,
    pub(super) members: Vec<(&'s str, Vec<Item<'s>>)>,
    pub(super) names: Vec<Place<'s>>,
    pub(super) odd_names: Vec<Vec<Item<'s>>>,
}

impl<'s> Shape<'s> {
    pub(super) fn new() -> Self {
        Self {
            kinds: Kinds::ALL,
            meant: Kinds::NONE,
            among: None,
            none_of: Vec::new(),
            number: Numbers::default(),
            string: Strings::default(),
            array: Arrays::default(),
            object: Objects::default(),
        }
    }

    /// Takes a fact in; false if nothing can be right any more.
    pub(super) fn learn(&mut self, fact: Fact<'s>) -> bool {
        self.meant = self.meant.or(meant_by(&fact));
        match fact {
            Fact::Kinds(kinds) => self.kinds = self.kinds.and(kinds),
            Fact::Among(values) => self.narrow(values),
            Fact::NoneOf(values) => self.none_of.push(values),
            Fact::Least(..) | Fact::Most(..) | Fact::Multiple(..) => self.number.learn(&fact),
            Fact::Longest(_) | Fact::Shortest(_) | Fact::Pattern(..) | Fact::Format(..) => self.string.learn(&fact),
            Fact::ItemsAtLeast(_)
            | Fact::ItemsAtMost(_)
            | Fact::Unique(_)
            | Fact::Items(_)
            | Fact::Item(..)
            | Fact::Contains(_) => self.array.learn(fact),
            other => self.object.learn(other),
        }
        self.prune();
        !self.kinds.is_empty() && self.among.as_ref().is_none_or(|values| self.may_have(values))
    }

    fn narrow(&mut self, values: Values<'s>) {
        self.among = Some(match self.among.take() {
            None => values,
            Some(known) => {
                let both = known.all().iter().filter(|one| values.all().iter().any(|other| equal(one, other)));
                Values::Made(both.cloned().collect())
            }
        });
    }

    fn may_have(&self, values: &Values<'s>) -> bool {
        let may = |value: &Value| self.kinds.has(Kinds::of(value)) && !self.forbids(value);
        values.all().iter().any(may)
    }

    pub(super) fn forbids(&self, value: &Value) -> bool {
        self.none_of.iter().any(|values| values.all().iter().any(|other| equal(value, other)))
    }

    /// Takes away the kinds that have become impossible.
    fn prune(&mut self) {
        let mut gone = Kinds::NONE;
        if self.number.is_empty() {
            gone = gone.or(Kinds::NUMBER);
        }
        if self.string.longest.is_some_and(|most| most < self.string.shortest) {
            gone = gone.or(Kinds::STRING);
        }
        if self.array.most.is_some_and(|most| most < self.array.least) {
            gone = gone.or(Kinds::ARRAY);
        }
        if self.object.is_empty() {
            gone = gone.or(Kinds::OBJECT);
        }
        self.kinds = self.kinds.and(gone.not());
    }
}

impl Numbers {
    fn learn(&mut self, fact: &Fact<'_>) {
        match fact {
            // `(bound, true)` is the tighter of two equal ones on either side.
            Fact::Least(bound, beyond) => {
                let new = (*bound, *beyond);
                self.least = Some(self.least.map_or(new, |old| old.max(new)));
            }
            Fact::Most(bound, beyond) => {
                let new = (*bound, *beyond);
                let tighter = |old: (Decimal, bool)| old.0.cmp(&new.0).then(new.1.cmp(&old.1));
                self.most = Some(self.most.map_or(new, |old| if tighter(old).is_lt() { old } else { new }));
            }
            Fact::Multiple(step, true) => self.steps.push(*step),
            Fact::Multiple(step, false) => self.off.push(*step),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        match (self.least, self.most) {
            (Some((least, above)), Some((most, below))) => least > most || (least == most && (above || below)),
            _ => false,
        }
    }

    /// Whether a number is right.
    pub(super) fn admit(&self, number: Decimal) -> bool {
        self.least.is_none_or(|(least, beyond)| number > least || (number == least && !beyond))
            && self.most.is_none_or(|(most, beyond)| number < most || (number == most && !beyond))
            && self.steps.iter().all(|step| number.is_multiple_of(*step))
            && !self.off.iter().any(|step| number.is_multiple_of(*step))
    }
}

impl<'s> Strings<'s> {
    fn learn(&mut self, fact: &Fact<'s>) {
        match fact {
            Fact::Longest(most) => self.longest = Some(self.longest.map_or(*most, |old| old.min(*most))),
            Fact::Shortest(least) => self.shortest = self.shortest.max(*least),
            Fact::Pattern(pattern, holds) => self.patterns.push((pattern, *holds)),
            Fact::Format(format, holds) => self.formats.push((format, *holds)),
            _ => {}
        }
    }
}

impl<'s> Arrays<'s> {
    fn learn(&mut self, fact: Fact<'s>) {
        match fact {
            Fact::ItemsAtLeast(least) => self.least = self.least.max(least),
            Fact::ItemsAtMost(most) => self.most = Some(self.most.map_or(most, |old| old.min(most))),
            Fact::Unique(unique) => {
                if self.unique.is_some_and(|known| known != unique) {
                    (self.least, self.most) = (1, Some(0));
                }
                self.unique = Some(unique);
            }
            Fact::Items(rule) => self.rules.push(rule),
            Fact::Item(at, items) => {
                self.least = self.least.max(at as u64 + 1);
                self.items.push((at, items));
            }
            Fact::Contains(contains) => {
                self.least = self.least.max(contains.least);
                self.contains.push(contains);
            }
            _ => {}
        }
    }
}

impl<'s> Objects<'s> {
    fn learn(&mut self, fact: Fact<'s>) {
        match fact {
            Fact::MembersAtLeast(least) => self.least = self.least.max(least),
            Fact::MembersAtMost(most) => self.most = Some(self.most.map_or(most, |old| old.min(most))),
            Fact::Members(rule) => self.rules.push(rule),
            Fact::Present(name) => self.require(name),
            Fact::Absent(name) => self.absent.push(name),
            Fact::Member(name, items) => {
                self.require(name);
                self.members.push((name, items));
            }
            Fact::Names(place) => self.names.push(place),
            Fact::OddName(items) => self.odd_names.push(items),
            _ => {}
        }
    }

    fn require(&mut self, name: &'s str) {
        if !self.present.contains(&name) {
            self.present.push(name);
        }
    }

    fn is_empty(&self) -> bool {
        self.most.is_some_and(|most| most < self.least.max(self.present.len() as u64))
            || self.present.iter().any(|name| self.absent.contains(name))
    }
}

fn meant_by(fact: &Fact<'_>) -> Kinds {
    match fact {
        Fact::Least(..) | Fact::Most(..) | Fact::Multiple(..) => Kinds::NUMBER,
        Fact::Longest(_) | Fact::Shortest(_) | Fact::Pattern(..) | Fact::Format(..) => Kinds::STRING,
        Fact::ItemsAtLeast(_)
        | Fact::ItemsAtMost(_)
        | Fact::Unique(_)
        | Fact::Items(_)
        | Fact::Item(..)
        | Fact::Contains(_) => Kinds::ARRAY,
        Fact::Kinds(_) | Fact::Among(_) | Fact::NoneOf(_) => Kinds::NONE,
        _ => Kinds::OBJECT,
    }
}

/// Equality as JSON Schema has it: 1 is 1.0, members have no order.
pub(super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => Decimal::of(one) == Decimal::of(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(name, value)| other.get(name).is_some_and(|other| equal(value, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}
