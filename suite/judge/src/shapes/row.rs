//! The parts of tables: rows, objects, unions, shapes, checks.

use serde_json::Value;
use verdict::Revision;

/// Requirements that a mismatch breaks; of these, the ones that hold in the revision.
pub type Ids = &'static [&'static str];

/// The form that a value must have.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any JSON value.
    Any,
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A number without fraction, however spelled.
    Integer,
    /// An integer or null.
    IntegerOrNull,
    /// A string or an integer: an id, a progress token.
    Token,
    /// An object whose members are not looked at.
    Object,
    /// This string.
    Const(&'static str),
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// A string of a form.
    Text(&'static Check),
    /// Whatever the check says.
    Is(&'static Check),
    /// An array of these.
    Array(&'static Self),
    /// An object whose values are these.
    Map(&'static Self),
    /// One of these, or from a revision on an array of them.
    OneOrMany(&'static Self, Revision),
    /// An object with these members.
    Struct(&'static Object),
    /// An object whose kind is told by one of its members.
    Tagged(&'static Union),
    /// One of several, each from a revision on.
    AnyOf(&'static str, &'static [(Revision, Self)]),
    /// The shape, all of whose requirements count as these: a table used where one requirement covers everything.
    As(Ids, &'static Self),
    /// The shape, all of whose requirements count as these besides.
    Also(Ids, &'static Self),
    /// No such member.
    Absent,
}

/// An object: its rows, and those of other objects that it contains.
#[derive(Debug)]
pub struct Object {
    /// Its members.
    pub rows: &'static [Row],
    /// Objects whose rows it has as well.
    pub with: &'static [&'static Self],
}

/// One member of an object. A name may stand in several rows, each with its own claim.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name; empty for a claim about the object as a whole.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// The requirements that a mismatch breaks.
    pub ids: Ids,
    /// It must be there.
    pub required: bool,
    /// The first revision that has it.
    pub from: Revision,
    /// The last revision that has it.
    pub until: Revision,
    /// A recommendation: where one requirement covers the whole table ([`Shape::As`]) only a note.
    pub soft: bool,
    /// A mismatch is always only a note.
    pub noted: bool,
    /// A match shows too little of the requirement to count as a witness.
    pub mute: bool,
}

/// Objects of several kinds.
#[derive(Debug)]
pub struct Union {
    /// The member that tells the kind.
    pub tag: &'static str,
    /// The first revision in which it does; before, every object is of the kind `default`.
    pub tagged_from: Revision,
    /// The kind of an object without the member.
    pub default: Option<&'static str>,
    /// Broken by what is no object or has no kind.
    pub ids: Ids,
    /// Broken by a kind that the revision does not define.
    pub unknown: Ids,
    /// The kinds.
    pub variants: &'static [Variant],
}

/// One kind of a union.
#[derive(Debug)]
pub struct Variant {
    /// The value of the tag.
    pub tag: &'static str,
    /// The first revision that defines it.
    pub from: Revision,
    /// The shape of such an object.
    pub shape: Shape,
}

/// A claim that takes code.
#[derive(Debug)]
pub struct Check {
    /// The expected form, as a noun phrase.
    pub expected: &'static str,
    /// Looks at a value.
    pub judge: fn(&Value, Revision) -> Outcome,
}

/// The outcome of a [`Check`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The claim is not about this value.
    Beside,
    /// Right.
    Good,
    /// Wrong: what it is instead.
    Bad(&'static str),
    /// Unusual, breaks nothing.
    Odd(&'static str),
}

/// A required member.
pub(super) const fn req(name: &'static str, shape: Shape, ids: Ids) -> Row {
    Row { required: true, ..opt(name, shape, ids) }
}

/// An optional member.
pub(super) const fn opt(name: &'static str, shape: Shape, ids: Ids) -> Row {
    let (from, until) = (Revision::FIRST, Revision::LATEST);
    Row { name, shape, ids, required: false, from, until, soft: false, noted: false, mute: false }
}

/// A claim about the object as a whole.
pub(super) const fn whole(check: &'static Check, ids: Ids) -> Row {
    opt("", Shape::Is(check), ids)
}

/// An object of these rows alone.
pub(super) const fn object(rows: &'static [Row]) -> Object {
    Object { rows, with: &[] }
}

/// A kind of a union that every revision has.
pub(super) const fn kind(tag: &'static str, shape: Shape) -> Variant {
    Variant { tag, from: Revision::FIRST, shape }
}

impl Variant {
    /// From this revision on.
    pub(super) const fn from(self, from: Revision) -> Self {
        Self { from, ..self }
    }
}

impl Row {
    /// From this revision on.
    pub(super) const fn from(self, from: Revision) -> Self {
        Self { from, ..self }
    }

    /// Up to this revision.
    pub(super) const fn until(self, until: Revision) -> Self {
        Self { until, ..self }
    }

    /// In this revision alone.
    pub(super) const fn only(self, revision: Revision) -> Self {
        Self { from: revision, until: revision, ..self }
    }

    /// A recommendation.
    pub(super) const fn soft(self) -> Self {
        Self { soft: true, ..self }
    }

    /// Worth a note, never a failure.
    pub(super) const fn noted(self) -> Self {
        Self { noted: true, ..self }
    }

    /// No witness.
    pub(super) const fn mute(self) -> Self {
        Self { mute: true, ..self }
    }

    /// Whether the revision has it.
    #[must_use]
    pub fn is_in(&self, revision: Revision) -> bool {
        self.from <= revision && revision <= self.until
    }
}
