//! Arrays: how many items, which of them `contains` speaks of, and what each is asked.

use serde_json::Value;

use super::super::fact::{Contains, Item, ItemRule};
use super::super::library::Library;
use super::super::place::Place;
use super::super::shape::{Arrays, equal};
use super::super::solver::{Solver, Stuck};

/// Arrays longer than this are not made.
const LONGEST: u64 = 2_000;
/// Below this depth arrays are as short as they may be.
const SHALLOW: usize = 4;
/// Attempts at an item that is unlike the others.
const ATTEMPTS: usize = 30;

/// The items that a `contains` has chosen.
type Chosen = Vec<usize>;

impl<'s> Arrays<'s> {
    /// Demands on the item at an index.
    pub(super) fn demands(&self, at: usize, chosen: &[Chosen], library: &'s Library) -> Vec<Item<'s>> {
        let mut demands: Vec<Item<'s>> = Vec::new();
        for rule in &self.rules {
            match rule {
                ItemRule::First { owner, schemas, but } if *but != Some(at) => {
                    demands.extend(schemas.get(at).map(|schema| Item::Holds(owner.below(schema, library))));
                }
                ItemRule::Rest { from, schema, odd, .. } if at >= *from => {
                    demands.extend(asked(schema, odd, at == *from))
                }
                ItemRule::Unevaluated { owner, schema, odd } if !self.covers(at, owner, chosen) => {
                    let is_first = at == 0 || self.covers(at - 1, owner, chosen);
                    demands.extend(asked(schema, odd, is_first));
                }
                _ => {}
            }
        }
        for (index, items) in &self.items {
            if *index == at {
                demands.extend(items.iter().cloned());
            }
        }
        demands.extend(self.contains.iter().zip(chosen).flat_map(|(asked, chosen)| asked.demands(at, chosen)));
        demands
    }

    /// Whether something within an evaluation has looked at the item already.
    fn covers(&self, at: usize, by: &Place<'s>, chosen: &[Chosen]) -> bool {
        let by_rule = self.rules.iter().any(|rule| match rule {
            ItemRule::First { owner, schemas, .. } => at < schemas.len() && owner.owner.is_within(&by.owner),
            ItemRule::Rest { from, owner, .. } => at >= *from && owner.owner.is_within(&by.owner),
            ItemRule::Unevaluated { owner, .. } => {
                owner.owner.is_within(&by.owner) && !by.owner.is_within(&owner.owner)
            }
        });
        let evaluates = |asked: &Contains<'s>| asked.counts_as_evaluated && asked.owner.owner.is_within(&by.owner);
        let mut contained = self.contains.iter().zip(chosen).filter(|(asked, _)| evaluates(asked));
        by_rule || contained.any(|(_, chosen)| chosen.contains(&at))
    }

    /// The index of the first item that an odd one is asked of.
    fn odd_at(&self, chosen: &[Chosen]) -> u64 {
        let first = |rule: &ItemRule<'s>| match rule {
            ItemRule::Rest { from, odd: Some(_), .. } => *from as u64 + 1,
            ItemRule::Unevaluated { owner, odd: Some(_), .. } => {
                (0..64).find(|at| !self.covers(*at, owner, chosen)).map_or(0, |at| at as u64 + 1)
            }
            _ => 0,
        };
        self.rules.iter().map(first).max().unwrap_or(0)
    }
}

/// Demands of a rule: something odd of one item, the schema of the others.
fn asked<'s>(schema: &Place<'s>, odd: &Option<Vec<Item<'s>>>, is_odd: bool) -> Vec<Item<'s>> {
    match odd {
        Some(items) if is_odd => items.clone(),
        _ => vec![Item::Holds(schema.clone())],
    }
}

impl<'s> Contains<'s> {
    fn demands(&self, at: usize, chosen: &Chosen) -> Vec<Item<'s>> {
        if chosen.contains(&at) {
            let also = self.also.iter().filter(|_| chosen.first() == Some(&at)).cloned();
            return std::iter::once(Item::Holds(self.schema.clone())).chain(also).collect();
        }
        // The others must not satisfy it by accident where they are counted.
        if self.most.is_some() { vec![Item::Fails(self.schema.clone())] } else { Vec::new() }
    }
}

impl<'s> Solver<'s> {
    pub(super) fn array(&mut self, asked: &Arrays<'s>) -> Result<Value, Stuck> {
        let least = asked.least.max(asked.odd_at(&[]));
        if least > LONGEST || asked.most.is_some_and(|most| most < least) {
            return Err(Stuck::Contradiction);
        }
        let spare = asked.most.unwrap_or(u64::MAX).min(least + 3) - least;
        let more = if self.depth > SHALLOW { 0 } else { self.chance.bits() % (spare + 1) };
        let count = usize::try_from(least + more).unwrap_or(0);
        let chosen: Vec<Chosen> = asked.contains.iter().map(|one| self.contained(one, count)).collect();
        let least = usize::try_from(least.max(asked.odd_at(&chosen))).unwrap_or(0);
        self.items(asked, &chosen, least, count.max(least))
    }

    /// Which items satisfy a `contains`.
    fn contained(&mut self, asked: &Contains<'s>, count: usize) -> Chosen {
        let least = usize::try_from(asked.least).unwrap_or(usize::MAX).min(count);
        let most = asked.most.map_or(count, |most| usize::try_from(most).unwrap_or(usize::MAX).min(count));
        let size = if asked.most.is_none() && self.chance.one_in(2) {
            least
        } else {
            least + self.chance.below(most.saturating_sub(least) + 1)
        };
        let mut order: Vec<usize> = (0..count).collect();
        if self.chance.one_in(2) {
            self.chance.shuffle(&mut order);
        }
        order.truncate(size);
        order
    }

    fn items(&mut self, asked: &Arrays<'s>, chosen: &[Chosen], least: usize, count: usize) -> Result<Value, Stuck> {
        let last_chosen = chosen.iter().flatten().max().map_or(0, |at| at + 1);
        let mut items: Vec<Value> = Vec::with_capacity(count);
        for at in 0..count {
            let demands = asked.demands(at, chosen, self.library);
            match self.item(asked, demands, &items) {
                Ok(item) => items.push(item),
                // Fewer will do.
                Err(Stuck::Contradiction) if at >= least && at >= last_chosen => break,
                Err(stuck) => return Err(stuck),
            }
        }
        if asked.unique == Some(false) {
            self.repeat(asked, chosen, &mut items)?;
        }
        Ok(Value::Array(items))
    }

    fn item(&mut self, asked: &Arrays<'s>, demands: Vec<Item<'s>>, before: &[Value]) -> Result<Value, Stuck> {
        if asked.unique != Some(true) {
            return self.solve_below(demands);
        }
        for _ in 0..ATTEMPTS {
            let item = self.solve_below(demands.clone())?;
            if !before.iter().any(|other| equal(other, &item)) {
                return Ok(item);
            }
        }
        // Where there are few to choose from, the ones that are there already are ruled out.
        let mut demands = demands;
        demands.push(Item::Fact(super::super::fact::Fact::NoneOf(super::super::fact::Values::Made(before.into()))));
        self.solve_below(demands)
    }

    /// Makes one item the same as another.
    fn repeat(&mut self, asked: &Arrays<'s>, chosen: &[Chosen], items: &mut [Value]) -> Result<(), Stuck> {
        let mut pairs: Vec<(usize, usize)> =
            (0..items.len()).flat_map(|two| (0..two).map(move |one| (one, two))).take(50).collect();
        self.chance.shuffle(&mut pairs);
        for (one, two) in pairs {
            let mut demands = asked.demands(two, chosen, self.library);
            demands.push(Item::exactly(items[one].clone()));
            if let Ok(item) = self.solve_below(demands) {
                items[two] = item;
                return Ok(());
            }
        }
        Err(Stuck::Contradiction)
    }
}
