//! Whether a value that is already there (a member of `enum`) has a shape.

use serde_json::{Map, Value};

use super::super::decimal::Decimal;
use super::super::fact::Item;
use super::super::kinds::Kinds;
use super::super::shape::{Arrays, Objects, Shape, equal};
use super::super::solver::{Solver, Stuck};
use super::super::text;

impl<'s> Solver<'s> {
    /// Whether the value has the shape. It may say yes to a few that the judge refuses, never no to a right one.
    pub(in super::super) fn admits(&mut self, shape: &Shape<'s>, value: &Value) -> Result<bool, Stuck> {
        self.spend()?;
        if !shape.kinds.has(Kinds::of(value)) || shape.forbids(value) {
            return Ok(false);
        }
        match value {
            Value::Number(number) => Ok(shape.number.admit(Decimal::of(number))),
            Value::String(text) => {
                let maker = text::Maker { judge: self.judge, chance: &mut self.chance };
                Ok(maker.admits(&shape.string, text))
            }
            Value::Array(items) => self.admits_items(&shape.array, items),
            Value::Object(members) => self.admits_members(&shape.object, members),
            _ => Ok(true),
        }
    }

    fn admits_items(&mut self, asked: &Arrays<'s>, items: &[Value]) -> Result<bool, Stuck> {
        let count = items.len() as u64;
        let is_unique = || (0..items.len()).all(|at| items[..at].iter().all(|other| !equal(other, &items[at])));
        if count < asked.least
            || asked.most.is_some_and(|most| count > most)
            || asked.unique.is_some_and(|unique| unique != is_unique())
        {
            return Ok(false);
        }
        for contains in &asked.contains {
            let mut found = 0;
            for item in items {
                found += u64::from(self.is(vec![Item::Holds(contains.schema.clone())], item)?);
            }
            if found < contains.least || contains.most.is_some_and(|most| found > most) {
                return Ok(false);
            }
        }
        for (at, item) in items.iter().enumerate() {
            if !self.is(asked.demands(at, &[], self.library), item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn admits_members(&mut self, asked: &Objects<'s>, members: &Map<String, Value>) -> Result<bool, Stuck> {
        let count = members.len() as u64;
        if count < asked.least
            || asked.most.is_some_and(|most| count > most)
            || asked.present.iter().any(|name| !members.contains_key(*name))
            || asked.absent.iter().any(|name| members.contains_key(*name))
        {
            return Ok(false);
        }
        for (name, value) in members {
            let demands = asked.demands(name, None, self.judge, self.library);
            if !self.is(demands, value)? || !self.may_be_named(asked, name)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a member may have this name.
    pub(super) fn may_be_named(&mut self, asked: &Objects<'s>, name: &str) -> Result<bool, Stuck> {
        if asked.names.is_empty() {
            return Ok(true);
        }
        let demands = asked.names.iter().cloned().map(Item::Holds).collect();
        self.is(demands, &Value::from(name))
    }

    fn is(&mut self, mut demands: Vec<Item<'s>>, value: &Value) -> Result<bool, Stuck> {
        if demands.is_empty() {
            return Ok(true);
        }
        demands.push(Item::exactly(value.clone()));
        match self.solve_below(demands) {
            Ok(_) => Ok(true),
            Err(Stuck::Contradiction) => Ok(false),
            Err(Stuck::Spent) => Err(Stuck::Spent),
        }
    }
}
