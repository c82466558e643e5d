//! Demands on one place of an instance: single facts, whole schemas that hold or fail, and choices among these.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::decimal::Decimal;
use super::kinds::Kinds;
use super::place::Place;
use super::target::Focus;

/// The members of `properties`, `patternProperties` and their like.
pub(super) type Members<'s> = &'s Map<String, Value>;

/// One demand.
#[derive(Clone)]
pub(super) enum Item<'s> {
    Fact(Fact<'s>),
    /// The schema holds.
    Holds(Place<'s>),
    /// The schema fails.
    Fails(Place<'s>),
    /// One keyword of the schema holds, or fails.
    Keyword(Place<'s>, &'s str, bool),
    /// The schema holds, but for what is wanted at the end of a way.
    Focus(Place<'s>, Focus<'s>),
    /// One of these, whichever can be had; the first ones are liked best.
    Choice(Vec<Vec<Item<'s>>>),
}

/// Values that a schema lists, or that were made.
#[derive(Clone)]
pub(super) enum Values<'s> {
    Listed(&'s [Value]),
    Made(Rc<[Value]>),
}

impl Values<'_> {
    pub(super) fn all(&self) -> &[Value] {
        match self {
            Self::Listed(values) => values,
            Self::Made(values) => values,
        }
    }
}

/// A fact that no further schema is needed for.
#[derive(Clone)]
pub(super) enum Fact<'s> {
    Kinds(Kinds),
    Among(Values<'s>),
    NoneOf(Values<'s>),
    /// At least this, and more than it if `true`.
    Least(Decimal, bool),
    Most(Decimal, bool),
    Multiple(Decimal, bool),
    Longest(u64),
    Shortest(u64),
    Pattern(&'s str, bool),
    Format(&'s str, bool),
    ItemsAtLeast(u64),
    ItemsAtMost(u64),
    Unique(bool),
    Items(ItemRule<'s>),
    Item(usize, Vec<Item<'s>>),
    Contains(Contains<'s>),
    MembersAtLeast(u64),
    MembersAtMost(u64),
    Members(MemberRule<'s>),
    Present(&'s str),
    Absent(&'s str),
    Member(&'s str, Vec<Item<'s>>),
    /// Every name satisfies the schema.
    Names(Place<'s>),
    /// Some name is asked this.
    OddName(Vec<Item<'s>>),
}

/// Demands of a keyword on items.
#[derive(Clone)]
pub(super) enum ItemRule<'s> {
    /// Each of the first items has a schema of its own.
    First { owner: Place<'s>, schemas: &'s [Value], but: Option<usize> },
    /// Every item from an index on.
    Rest { owner: Place<'s>, from: usize, schema: Place<'s>, odd: Option<Vec<Item<'s>>> },
    /// Every item that nothing else has looked at.
    Unevaluated { owner: Place<'s>, schema: Place<'s>, odd: Option<Vec<Item<'s>>> },
}

/// How many items satisfy a schema.
#[derive(Clone)]
pub(super) struct Contains<'s> {
    pub(super) owner: Place<'s>,
    pub(super) schema: Place<'s>,
    pub(super) least: u64,
    pub(super) most: Option<u64>,
    /// Additional demands on the first of them.
    pub(super) also: Vec<Item<'s>>,
    pub(super) counts_as_evaluated: bool,
}

/// Demands of a keyword on members.
#[derive(Clone)]
pub(super) enum MemberRule<'s> {
    Named {
        owner: Place<'s>,
        schemas: Members<'s>,
        but: Option<&'s str>,
    },
    Patterns {
        owner: Place<'s>,
        schemas: Members<'s>,
        odd: Option<(&'s str, Vec<Item<'s>>)>,
    },
    Additional {
        owner: Place<'s>,
        named: Option<Members<'s>>,
        patterns: Option<Members<'s>>,
        schema: Place<'s>,
        odd: Option<Vec<Item<'s>>>,
    },
    Unevaluated {
        owner: Place<'s>,
        schema: Place<'s>,
        odd: Option<Vec<Item<'s>>>,
    },
}

impl<'s> Item<'s> {
    /// A demand that nothing satisfies.
    pub(super) fn never() -> Self {
        Self::Fact(Fact::Kinds(Kinds::NONE))
    }

    pub(super) fn kinds(kinds: Kinds) -> Self {
        Self::Fact(Fact::Kinds(kinds))
    }

    /// Exactly this value.
    pub(super) fn exactly(value: Value) -> Self {
        Self::Fact(Fact::Among(Values::Made(Rc::new([value]))))
    }
}
