//! Exact decimals: bounds and steps of numbers as they are written, without the rounding of floats.

use std::cmp::Ordering;

use serde_json::Number;

/// `digits` times ten to the power of `power`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: i128,
    power: i32,
}

impl Decimal {
    pub(super) fn new(digits: i128, power: i32) -> Self {
        let (mut digits, mut power) = (digits, power);
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            power += 1;
        }
        Self { digits, power: if digits == 0 { 0 } else { power } }
    }

    /// The value of a number.
    pub(super) fn of(number: &Number) -> Self {
        if let Some(whole) = number.as_i128() {
            return Self::new(whole, 0);
        }
        let text = number.to_string();
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().unwrap_or(0);
        let places = i32::try_from(fraction.len()).unwrap_or(0);
        Self::new(digits, exponent.parse::<i32>().unwrap_or(0) - places)
    }

    pub(super) fn is_whole(self) -> bool {
        self.power >= 0
    }

    pub(super) fn power(self) -> i32 {
        self.power
    }

    /// How many times ten to the power of `power` it is, if that is a whole number and not out of all bounds.
    pub(super) fn units(self, power: i32) -> Option<i128> {
        let up = u32::try_from(self.power - power).ok()?;
        10i128.checked_pow(up)?.checked_mul(self.digits)
    }

    /// The number, written as a person would.
    pub(super) fn number(self) -> Option<Number> {
        if let Some(whole) = self.units(0).filter(|_| self.is_whole()) {
            if let Ok(small) = i64::try_from(whole) {
                return Some(small.into());
            }
            if let Ok(large) = u64::try_from(whole) {
                return Some(large.into());
            }
        }
        Number::from_f64(self.float())
    }

    pub(super) fn float(self) -> f64 {
        format!("{}e{}", self.digits, self.power).parse().unwrap_or(0.0)
    }

    /// Whether it is a multiple of another.
    pub(super) fn is_multiple_of(self, step: Self) -> bool {
        let power = self.power.min(step.power);
        match (self.units(power), step.units(power)) {
            (Some(units), Some(step)) if step != 0 => units % step == 0,
            _ => false,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let power = self.power.min(other.power);
        match (self.units(power), other.units(power)) {
            (Some(one), Some(two)) => one.cmp(&two),
            _ => self.float().total_cmp(&other.float()),
        }
    }
}

/// A number and the next ones on both sides, at its own precision.
pub(super) fn neighbors(number: &Number) -> Vec<Number> {
    let exact = Decimal::of(number);
    let power = exact.power().min(0);
    let units = exact.units(power).into_iter().flat_map(|units| [units - 1, units + 1]);
    let both = units.filter_map(|units| Decimal::new(units, power).number());
    std::iter::once(number.clone()).chain(both).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        let Value::Number(number) = text.parse().expect("a number") else { panic!("no number: {text}") };
        Decimal::of(&number)
    }

    #[test]
    fn numbers_are_read_and_written_exactly() {
        for text in ["0", "-7", "0.01", "123.456", "1e+300", "18446744073709551615", "-9223372036854775808"] {
            assert_eq!(decimal(text).number().expect("a number").to_string(), text);
        }
        assert_eq!(decimal("10.0").number().expect("a number").to_string(), "10");
    }

    #[test]
    fn steps_are_decimal() {
        assert!(decimal("0.3").is_multiple_of(decimal("0.1")));
        assert!(!decimal("0.35").is_multiple_of(decimal("0.1")));
        assert!(decimal("1e308") > decimal("1e300"));
        assert!(decimal("-0.1") < decimal("0"));
    }
}
