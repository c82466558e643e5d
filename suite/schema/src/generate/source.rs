//! The search for instances: each is drawn, judged and, where that is wanted, made awkward.

use std::fmt;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Declined;
use super::awkward::{Spared, twist};
use super::chance::Chance;
use super::fact::Item;
use super::formats::{is_of_format, knows_format};
use super::hints::{hints, said};
use super::holds::bits;
use super::judge::Judge;
use super::library::Library;
use super::place::Place;
use super::solver::{Solver, Stuck};
use super::target::{Focus, Goal, Way};
use crate::Dialect;

/// Searches for one instance.
const ATTEMPTS: u64 = 24;
/// Searches that end in a contradiction, until it is believed.
const BELIEVED: u32 = 6;
/// Steps of one search, of the first one, and of all for one instance. They are what bounds the work, so that the same
/// seed gives the same instance on a slow machine too.
const FUEL: u32 = 12_000;
const FIRST_FUEL: u32 = 4_000;
const WHOLE_FUEL: u32 = 60_000;
/// Steps of all searches for everything of one kind: all boundaries, all keywords.
pub(super) const ALL_FUEL: u64 = 1_500_000;
/// Time for all of them, if everything else fails.
pub(super) const ALL_TIME: Duration = Duration::from_secs(30);
/// Time for one instance, likewise.
const TIME: Duration = Duration::from_secs(3);
/// Attempts to make an instance awkward.
const TWISTS: usize = 8;

/// The schema, ready to be searched.
pub(super) struct Source {
    pub(super) library: Library,
    pub(super) judge: Judge,
    /// Values that the schema itself shows.
    shown: Vec<Value>,
    /// Values that shrinking tries.
    pub(super) hints: Vec<Value>,
    /// The formats that the judge knows and the schema names.
    formats: Vec<String>,
    /// How far from zero awkward numbers go.
    reach: f64,
}

/// The kind of instance that is wanted.
#[derive(Clone, Debug)]
pub(super) enum Want {
    Valid,
    /// Valid, and with something that careless programs do not expect.
    Awkward,
    /// Valid, and something more at one place.
    Led(Vec<Way>, Goal),
    /// Broken in one place: the way there, the keyword, and where the blame may fall on the way of evaluation.
    Broken {
        ways: Vec<Way>,
        goal: Goal,
        blamed: Vec<String>,
    },
}

impl Source {
    pub(super) fn new(library: Library, judge: Judge) -> Self {
        let mut shown = vec![json!(null), json!(true), json!(0), json!(""), json!([]), json!({})];
        let (root, _) = library.root();
        for keyword in ["default", "const"] {
            shown.extend(root.get(keyword).cloned());
        }
        for keyword in ["examples", "enum"] {
            shown.extend(root.get(keyword).and_then(Value::as_array).into_iter().flatten().cloned());
        }
        let hints = hints(&library);
        let said = said(&library);
        let reach = reach(&said);
        let formats = said.into_iter().filter(|(keyword, _)| keyword == "format");
        let formats = formats.filter_map(|(_, value)| value.as_str().map(str::to_owned));
        let formats = formats.filter(|name| knows_format(name)).collect();
        Self { formats, reach, library, judge, shown, hints }
    }

    /// Whether an instance is what is wanted.
    pub(super) fn is_right(&self, want: &Want, instance: &Value) -> bool {
        match want {
            Want::Valid | Want::Awkward | Want::Led(..) => self.judge.accepts(instance),
            Want::Broken { blamed, .. } => self.judge.blames(instance).is_some_and(|blame| {
                let path = blame.evaluation_path.as_str();
                let is_whole = |rest: &str| is_told_by_the_one_above(&blame.keyword) && rest.starts_with('/');
                let is_end = |rest: &str| rest.is_empty() || is_whole(rest);
                let is_there = |at: &String| path.strip_prefix(at.as_str()).is_some_and(is_end);
                blamed.iter().any(is_there)
            }),
        }
    }

    /// An instance, judged.
    pub(super) fn draw(&self, want: &Want, seed: u64) -> Result<Value, Declined> {
        self.draw_counted(want, seed, &mut 0)
    }

    /// Draws like `draw`, and adds the steps it took to a sum.
    pub(super) fn draw_counted(&self, want: &Want, seed: u64, steps: &mut u64) -> Result<Value, Declined> {
        let deadline = Instant::now() + TIME;
        let (mut refused, mut last) = (0, Declined::Spent);
        let mut seeds = Chance::new(seed);
        let mut left = WHOLE_FUEL;
        for attempt in 0..ATTEMPTS {
            let fuel = left.min(if attempt == 0 { FIRST_FUEL } else { FUEL });
            let mut solver = Solver::new(&self.library, &self.judge, seeds.bits(), fuel, deadline);
            let solved = solver.solve(vec![self.demand(want)]);
            left -= fuel - solver.fuel;
            *steps += u64::from(fuel - solver.fuel);
            match solved {
                Ok(instance) if self.is_right(want, &instance) => return Ok(self.finish(want, instance, &mut seeds)),
                Ok(_) => last = Declined::Refused,
                Err(Stuck::Spent) => last = Declined::Spent,
                Err(Stuck::Contradiction) => {
                    refused += 1;
                    last = Declined::Contradiction;
                }
            }
            if refused >= BELIEVED || left < FIRST_FUEL || Instant::now() >= deadline {
                break;
            }
        }
        let shown = self.shown.iter().find(|value| matches!(want, Want::Valid) && self.is_right(want, value));
        shown.cloned().ok_or(last)
    }

    /// Makes an instance awkward where that is wanted, as far as it stays valid.
    fn finish(&self, want: &Want, mut instance: Value, chance: &mut Chance) -> Value {
        if !matches!(want, Want::Awkward) {
            return instance;
        }
        let is_of = |text: &str| self.formats.iter().any(|format| is_of_format(format, text));
        let wholes = self.judge.dialect() == Dialect::Draft4;
        let spared = Spared { reach: self.reach, wholes, text: &is_of };
        for _ in 0..TWISTS {
            let twisted = twist(&instance, &spared, chance);
            if self.judge.accepts(&twisted) {
                instance = twisted;
            }
        }
        instance
    }

    fn demand<'s>(&'s self, want: &'s Want) -> Item<'s> {
        let root = Place::root(&self.library);
        match want {
            Want::Valid | Want::Awkward => Item::Holds(root),
            Want::Led(ways, goal) | Want::Broken { ways, goal, .. } => Item::Focus(root, Focus { ways, goal }),
        }
    }
}

/// Where there are steps, floats lose what is between them; what is a number of so many bits is not much larger.
fn reach(said: &[(String, Value)]) -> f64 {
    let is_bits = |value: &Value| value.as_str().is_some_and(|name| bits(name).is_some());
    let has_bits = said.iter().any(|(keyword, value)| keyword == "format" && is_bits(value));
    let has_steps = said.iter().any(|(keyword, _)| keyword == "multipleOf");
    if has_bits {
        127.0
    } else if has_steps {
        1e15
    } else {
        f64::MAX
    }
}

/// Whether a failure of this keyword is reported under the keyword that holds the failing schema.
fn is_told_by_the_one_above(keyword: &str) -> bool {
    matches!(keyword, "falseSchema" | "propertyNames")
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("schema", self.library.root().0).finish_non_exhaustive()
    }
}
