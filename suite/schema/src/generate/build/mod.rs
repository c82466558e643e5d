//! From the facts about one place to a value.

mod admit;
mod array;
mod object;

use serde_json::Value;

use super::kinds::Kinds;
use super::number::number;
use super::shape::Shape;
use super::solver::{Solver, Stuck};
use super::text;

/// Steps that a text is worth that has to be checked.
const CHECKED: u32 = 40;
/// Attempts at a value that is none of the forbidden ones.
const ATTEMPTS: usize = 12;

impl<'s> Solver<'s> {
    /// A value of this shape.
    pub(super) fn build(&mut self, shape: &Shape<'s>) -> Result<Value, Stuck> {
        self.spend()?;
        if let Some(values) = &shape.among {
            return self.listed(shape, values.all());
        }
        for kind in self.order(shape) {
            for _ in 0..ATTEMPTS {
                match self.of_kind(shape, kind) {
                    Ok(value) if !shape.forbids(&value) => return Ok(value),
                    Ok(_) => {}
                    Err(Stuck::Contradiction) => break,
                    Err(Stuck::Spent) => return Err(Stuck::Spent),
                }
            }
        }
        Err(Stuck::Contradiction)
    }

    fn listed(&mut self, shape: &Shape<'s>, values: &[Value]) -> Result<Value, Stuck> {
        let mut order: Vec<&Value> = values.iter().collect();
        self.chance.shuffle(&mut order);
        for value in order {
            if self.admits(shape, value)? {
                return Ok(value.clone());
            }
        }
        Err(Stuck::Contradiction)
    }

    /// The kinds that are possible: what the schema speaks of first, the plain ones before the others.
    fn order(&mut self, shape: &Shape<'s>) -> Vec<Kinds> {
        let mut kinds: Vec<_> = Kinds::EACH.into_iter().filter(|kind| shape.kinds.has(*kind)).collect();
        self.chance.shuffle(&mut kinds);
        let is_meant = |kind: &Kinds| shape.meant.has(*kind);
        if !self.chance.one_in(8) {
            kinds.sort_by_key(|kind| !is_meant(kind));
        }
        kinds
    }

    fn of_kind(&mut self, shape: &Shape<'s>, kind: Kinds) -> Result<Value, Stuck> {
        match kind {
            Kinds::NULL => Ok(Value::Null),
            Kinds::BOOLEAN => Ok(Value::Bool(self.chance.one_in(2))),
            Kinds::WHOLE => number(&shape.number, true, &mut self.chance).ok_or(Stuck::Contradiction),
            Kinds::FRACTION => number(&shape.number, false, &mut self.chance).ok_or(Stuck::Contradiction),
            Kinds::STRING => self.text(shape).map(Value::String),
            Kinds::ARRAY => self.array(&shape.array),
            _ => self.object(&shape.object),
        }
    }

    fn text(&mut self, shape: &Shape<'s>) -> Result<String, Stuck> {
        let is_checked = !shape.string.patterns.is_empty() || !shape.string.formats.is_empty();
        self.pay(if is_checked { CHECKED } else { 1 })?;
        let mut maker = text::Maker { judge: self.judge, chance: &mut self.chance };
        maker.make(&shape.string).ok_or(Stuck::Contradiction)
    }
}
