//! The search: demands are taken apart until only facts and choices are left, choices are tried one after the other, and
//! of the facts an instance is built. Every step costs fuel, so that no schema keeps it busy for ever.

use std::time::Instant;

use serde_json::Value;

use super::chance::Chance;
use super::fact::Item;
use super::fails::{all_ways, fails};
use super::focus::focus;
use super::holds::holds;
use super::judge::Judge;
use super::keyword::keywords;
use super::library::Library;
use super::place::Place;
use super::shape::Shape;

/// Choices made one inside the other, at all depths of the instance together: each takes a piece of the stack.
const DEEPEST_CHOICE: usize = 160;
/// Members and items one inside the other, where the schema leaves no other way.
pub(super) const DEEPEST: usize = 20;

/// Why there is no instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// Nothing satisfies the demands, or nothing was found that does.
    Contradiction,
    /// The search was given up.
    Spent,
}

/// One search.
pub(super) struct Solver<'s> {
    pub(super) library: &'s Library,
    pub(super) judge: &'s Judge,
    pub(super) chance: Chance,
    pub(super) fuel: u32,
    pub(super) deadline: Instant,
    /// How deep in the instance the search is.
    pub(super) depth: usize,
    choices: usize,
}

/// How far the demands of one place have been taken apart.
#[derive(Clone)]
struct State<'s> {
    shape: Shape<'s>,
    agenda: Vec<Item<'s>>,
    choices: Vec<Vec<Vec<Item<'s>>>>,
    seen: Vec<(usize, bool)>,
}

impl<'s> Solver<'s> {
    pub(super) fn new(library: &'s Library, judge: &'s Judge, seed: u64, fuel: u32, deadline: Instant) -> Self {
        Self { library, judge, chance: Chance::new(seed), fuel, deadline, depth: 0, choices: 0 }
    }

    /// A value that meets all demands.
    pub(super) fn solve(&mut self, demands: Vec<Item<'s>>) -> Result<Value, Stuck> {
        let state = State { shape: Shape::new(), agenda: demands, choices: Vec::new(), seen: Vec::new() };
        self.run(Box::new(state))
    }

    /// A value one step deeper in the instance.
    pub(super) fn solve_below(&mut self, demands: Vec<Item<'s>>) -> Result<Value, Stuck> {
        if self.depth >= DEEPEST {
            return Err(Stuck::Contradiction);
        }
        self.depth += 1;
        let solved = self.solve(demands);
        self.depth -= 1;
        solved
    }

    /// Pays for one step.
    pub(super) fn spend(&mut self) -> Result<(), Stuck> {
        self.pay(1)
    }

    /// Pays for several steps.
    pub(super) fn pay(&mut self, steps: u32) -> Result<(), Stuck> {
        self.fuel = self.fuel.checked_sub(steps).ok_or(Stuck::Spent)?;
        if self.fuel.is_multiple_of(64) && Instant::now() >= self.deadline {
            self.fuel = 0;
            return Err(Stuck::Spent);
        }
        Ok(())
    }

    fn run(&mut self, mut state: Box<State<'s>>) -> Result<Value, Stuck> {
        while let Some(item) = state.agenda.pop() {
            self.spend()?;
            if !self.take(&mut state, item) {
                return Err(Stuck::Contradiction);
            }
        }
        // The choice with the fewest ways first: it is the likeliest to fail, and to leave no choice at all.
        let narrowest = (0..state.choices.len()).min_by_key(|at| state.choices[*at].len());
        let Some(narrowest) = narrowest else { return self.build(&state.shape) };
        let ways = state.choices.swap_remove(narrowest);
        self.choose(&state, ways)
    }

    fn choose(&mut self, state: &State<'s>, ways: Vec<Vec<Item<'s>>>) -> Result<Value, Stuck> {
        if self.choices >= DEEPEST_CHOICE {
            return Err(Stuck::Spent);
        }
        self.choices += 1;
        let mut solved = Err(Stuck::Contradiction);
        for way in ways {
            let mut next = Box::new(state.clone());
            next.agenda.extend(way);
            solved = self.run(next);
            if solved != Err(Stuck::Contradiction) {
                break;
            }
        }
        self.choices -= 1;
        solved
    }

    /// Takes one demand apart; false if it cannot be met.
    fn take(&mut self, state: &mut State<'s>, item: Item<'s>) -> bool {
        match item {
            Item::Fact(fact) => return state.shape.learn(fact),
            Item::Keyword(place, keyword, true) => state.agenda.extend(holds(&place, keyword, self.library)),
            Item::Keyword(place, keyword, false) => state.agenda.extend(fails(&place, keyword, self.library)),
            Item::Holds(place) => return self.hold(state, &place),
            Item::Fails(place) => return self.fail(state, &place),
            Item::Focus(place, wanted) => state.agenda.extend(focus(&place, wanted, self.library)),
            Item::Choice(ways) => self.postpone(state, ways),
        }
        true
    }

    fn postpone(&mut self, state: &mut State<'s>, mut ways: Vec<Vec<Item<'s>>>) {
        self.chance.shuffle(&mut ways);
        match ways.len() {
            0 => state.agenda.push(Item::never()),
            1 => state.agenda.extend(ways.pop().unwrap_or_default()),
            _ => state.choices.push(ways),
        }
    }

    fn hold(&mut self, state: &mut State<'s>, place: &Place<'s>) -> bool {
        if place.schema == &Value::Bool(false) || state.seen.contains(&(place.key(), false)) {
            return false;
        }
        if !state.seen.contains(&(place.key(), true)) {
            state.seen.push((place.key(), true));
            let names = keywords(place, self.library).into_iter();
            state.agenda.extend(names.map(|name| Item::Keyword(place.clone(), name, true)));
        }
        true
    }

    fn fail(&mut self, state: &mut State<'s>, place: &Place<'s>) -> bool {
        if place.schema == &Value::Bool(false) || state.seen.contains(&(place.key(), false)) {
            return true;
        }
        if state.seen.contains(&(place.key(), true)) {
            return false;
        }
        state.seen.push((place.key(), false));
        let ways = all_ways(place, self.library, &mut self.chance);
        match ways.len() {
            0 => return false,
            1 => state.agenda.extend(ways.into_iter().flatten()),
            _ => state.choices.push(ways),
        }
        true
    }
}
