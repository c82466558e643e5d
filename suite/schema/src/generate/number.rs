//! Numbers between bounds, in steps, exactly.

use serde_json::{Number, Value};

use super::chance::Chance;
use super::decimal::Decimal;
use super::shape::Numbers;

/// Attempts at one number.
const ATTEMPTS: usize = 40;

/// A number that is right: whole, or certainly not.
pub(super) fn number(asked: &Numbers, whole: bool, chance: &mut Chance) -> Option<Value> {
    let right = |number: &Number| {
        let exact = Decimal::of(number);
        exact.is_whole() == whole && asked.admit(exact)
    };
    let grid = Grid::of(asked, whole);
    let mut draw = |right: &dyn Fn(&Number) -> bool| {
        grid.as_ref().and_then(|grid| (0..ATTEMPTS).find_map(|_| grid.draw(chance).filter(right)))
    };
    let drawn = draw(&|number| right(number) && is_plain(asked, number)).or_else(|| draw(&right));
    drawn.or_else(|| far(asked).into_iter().find(right)).map(Value::Number)
}

/// Whether programs that divide floats come to the same result about steps.
fn is_plain(asked: &Numbers, number: &Number) -> bool {
    let float = Decimal::of(number).float();
    let is_multiple = |step: &Decimal| (float / step.float()).fract() == 0.0;
    asked.steps.iter().all(is_multiple) && !asked.off.iter().any(is_multiple)
}

/// The multiples of a unit that lie between the bounds.
struct Grid {
    unit: i128,
    power: i32,
    low: i128,
    high: i128,
}

impl Grid {
    fn of(asked: &Numbers, whole: bool) -> Option<Self> {
        let bounds = [asked.least, asked.most];
        let powers = bounds.iter().flatten().map(|(bound, _)| bound.power());
        let finest = powers.chain(asked.steps.iter().map(|step| step.power())).fold(0, i32::min);
        let power = if whole { finest } else { finest.min(-1) - i32::from(asked.steps.is_empty()) };
        let one = 10i128.checked_pow(u32::try_from(-power).ok()?)?;
        let mut unit = if whole { one } else { 1 };
        for step in &asked.steps {
            unit = multiple(unit, step.units(power)?.checked_abs()?)?;
        }
        if !whole && unit % one == 0 {
            return None;
        }
        let least = match asked.least {
            Some((bound, beyond)) => Some(up(bound.units(power)?, unit, beyond)),
            None => None,
        };
        let most = match asked.most {
            Some((bound, beyond)) => Some(-up(-bound.units(power)?, unit, beyond)),
            None => None,
        };
        let reach = 1_000_000.max(unit.checked_mul(1000)? / unit);
        let low = least.unwrap_or_else(|| most.unwrap_or(0).min(0) - reach);
        let high = most.unwrap_or_else(|| least.unwrap_or(0).max(0) + reach);
        (low <= high).then_some(Self { unit, power, low, high })
    }

    fn draw(&self, chance: &mut Chance) -> Option<Number> {
        let Self { low, high, .. } = *self;
        let near = |at: i128| at.clamp(low, high);
        let steps = match chance.below(10) {
            0 => low,
            1 => high,
            2 => near(low.saturating_add(1)),
            3 => near(high.saturating_sub(1)),
            4 => chance.between(low, high),
            5 => near(chance.between(-1000, 1000)),
            _ => {
                let small = chance.between(-2, 20);
                if low <= 20 && high >= -2 { near(small) } else { near(low.saturating_add(small.abs())) }
            }
        };
        Decimal::new(steps.checked_mul(self.unit)?, self.power).number()
    }
}

/// The first multiple of `unit` that is not below, in units.
fn up(bound: i128, unit: i128, beyond: bool) -> i128 {
    let whole = bound.div_euclid(unit);
    if bound.rem_euclid(unit) != 0 || beyond { whole + 1 } else { whole }
}

fn multiple(one: i128, other: i128) -> Option<i128> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { None } else { (one / a).checked_mul(other) }
}

/// Numbers for bounds that are out of the reach of exact arithmetic.
fn far(asked: &Numbers) -> Vec<Number> {
    let bounds = [asked.least, asked.most].into_iter().flatten().map(|(bound, _)| bound.float());
    let around = bounds.flat_map(|bound| [bound, bound.next_up(), bound.next_down(), bound * 2.0, bound / 2.0]);
    let steps = asked.steps.iter().flat_map(|step| [step.float(), step.float() * 2.0]);
    let all: Vec<f64> = [0.0, 0.5, 1e-9].into_iter().chain(around).chain(steps).collect();
    all.into_iter().filter_map(|float| Decimal::of(&Number::from_f64(float)?).number()).collect()
}
