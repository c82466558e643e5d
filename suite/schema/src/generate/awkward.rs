//! Values that are valid and yet go wrong in careless programs: text from all over Unicode, numbers written otherwise,
//! names that mean something in some language.

use serde_json::{Number, Value, json};

use super::chance::Chance;

/// Texts to put in the place of others.
pub(super) const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{0}",
    "a\u{0}b",
    "\u{1f600}\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "e\u{301}\u{327}\u{323}",
    "\u{202e}txt.exe",
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    "\u{feff}bom",
    "\u{fffd}\u{ffff}\u{10ffff}",
    "\u{2028}\u{2029}",
    "\u{130}\u{131}\u{df}\u{1e9e}\u{fb03}",
    "\"",
    "'",
    "\\",
    "\\\\\"\\u0041\\n",
    "line\nbreak\r\n\ttab",
    "\u{1b}[31mred\u{1b}[0m",
    "${x} {{x}} %s %n $(x) `x`",
    "'; DROP TABLE x; --",
    "<script>alert(1)</script>&amp;",
    "../../x",
    "C:\\x\\y",
    "null",
    "true",
    "0",
    "-0",
    "1e3",
    "NaN",
    "[]",
    "{}",
    "__proto__",
    "constructor",
    "\u{7f}\u{80}\u{85}\u{a0}",
    "\u{4e2d}\u{6587}\u{5b57}\u{7b26}",
    "\u{1d518}\u{1d52b}\u{1d526}",
];
const NAMES: &[&str] =
    &["__proto__", "constructor", "prototype", "toString", "", " ", "a.b", "a/b~c", "\u{1f600}", "\"", "$ref", "0"];

/// Values that are left alone because validators rightly disagree about them.
pub(super) struct Spared<'s> {
    /// Numbers further from zero.
    pub(super) reach: f64,
    /// Whether whole numbers are never written as floats: draft-04 takes 1.0 for no integer.
    pub(super) wholes: bool,
    /// Whether a text stays as it is: one of a format.
    pub(super) text: &'s dyn Fn(&str) -> bool,
}

/// Changes one value of an instance to an awkward one. What comes of it need not be valid.
pub(super) fn twist(instance: &Value, spared: &Spared<'_>, chance: &mut Chance) -> Value {
    let mut twisted = instance.clone();
    let count = size(&twisted);
    let mut at = chance.below(count);
    walk(&mut twisted, &mut at, spared, chance);
    twisted
}

impl Spared<'_> {
    fn number(&self, number: &Number) -> bool {
        let float = number.as_f64().unwrap_or(f64::MAX);
        let is_whole = number.is_f64() && float.fract() == 0.0;
        float.abs() > self.reach || (self.wholes && is_whole)
    }
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

fn walk(value: &mut Value, at: &mut usize, spared: &Spared<'_>, chance: &mut Chance) -> bool {
    if *at == 0 {
        change(value, spared, chance);
        return true;
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| walk(item, at, spared, chance)),
        Value::Object(members) => members.values_mut().any(|member| walk(member, at, spared, chance)),
        _ => false,
    }
}

fn change(value: &mut Value, spared: &Spared<'_>, chance: &mut Chance) {
    match value {
        Value::String(text) if (spared.text)(text) => {}
        Value::String(text) => *text = awkward_text(text, chance),
        Value::Number(number) => {
            let other = awkward_number(number, chance);
            if let Some(other) = other.filter(|other| !spared.number(other)) {
                *number = other;
            }
        }
        Value::Object(members) => {
            let name =
                if chance.one_in(8) { "k".repeat(5_000) } else { (*chance.pick(NAMES).unwrap_or(&"")).to_owned() };
            let other = members.values().next().cloned().unwrap_or(json!("x"));
            members.entry(name).or_insert(other);
        }
        _ => {}
    }
}

/// An awkward text, or the old one with something awkward in it: of the same length as it was, or not.
fn awkward_text(text: &str, chance: &mut Chance) -> String {
    let awkward = chance.pick(TEXTS).copied().unwrap_or_default();
    let length = text.chars().count();
    match chance.below(4) {
        0 => awkward.to_owned(),
        1 => awkward.chars().cycle().take(if awkward.is_empty() { 0 } else { length }).collect(),
        2 => format!("{text}{awkward}"),
        _ => {
            let at = chance.below(length + 1);
            let swapped = awkward.chars().next();
            text.chars().enumerate().map(|(index, letter)| swapped.filter(|_| index == at).unwrap_or(letter)).collect()
        }
    }
}

fn awkward_number(number: &Number, chance: &mut Chance) -> Option<Number> {
    const FLOATS: [f64; 8] =
        [-0.0, 1e-7, 5e-324, 1e21, 1e100, 1.797_693_134_862_315_7e308, 0.1, 123_456_789.123_456_78];
    const WHOLE: [i64; 8] = [0, -1, 255, 1 << 31, (1 << 53) - 1, (1 << 53) + 1, i64::MAX, i64::MIN];
    match chance.below(4) {
        0 => Number::from_f64(number.as_f64()?),
        1 => chance.pick(&FLOATS).and_then(|float| Number::from_f64(*float)),
        2 => chance.pick(&WHOLE).map(|whole| Number::from(*whole)),
        _ => Some(Number::from(u64::MAX)),
    }
}
