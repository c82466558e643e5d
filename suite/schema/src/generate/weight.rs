//! How simple an instance is. The order has no endless descent, so shrinking ends.

use std::cmp::Ordering;

use serde_json::Value;

/// The weight of an instance; lighter is simpler.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Weight {
    /// Values, names, and characters of them.
    size: u64,
    /// How far the characters are from `a`.
    letters: u64,
    /// Numbers that are no whole ones.
    fractions: u64,
    /// Characters that these are written with.
    digits: u64,
    magnitude: f64,
    /// Negative numbers and `true`.
    signs: u64,
    kinds: u64,
    /// Neighbours in a list that stand the wrong way round.
    disorder: u64,
}

impl Weight {
    /// The weight of an instance.
    pub(super) fn of(instance: &Value) -> Self {
        let mut weight = Self::default();
        weight.add(instance);
        weight
    }

    fn add(&mut self, value: &Value) {
        self.size += 1;
        match value {
            Value::Null => {}
            Value::Bool(is_set) => {
                self.signs += u64::from(*is_set);
                self.kinds += 1;
            }
            Value::Number(number) => {
                let float = number.as_f64().unwrap_or(f64::MAX);
                self.fractions += u64::from(float.fract() != 0.0) + u64::from(number.is_f64());
                if number.is_f64() {
                    self.digits += number.to_string().len() as u64;
                }
                self.magnitude += float.abs();
                self.signs += u64::from(float.is_sign_negative());
                self.kinds += 2;
            }
            Value::String(text) => {
                self.text(text);
                self.kinds += 3;
            }
            Value::Array(items) => {
                items.iter().for_each(|item| self.add(item));
                let texts: Vec<String> = items.iter().take(50).map(Value::to_string).collect();
                self.disorder += texts.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
                self.kinds += 4;
            }
            Value::Object(members) => {
                for (name, value) in members {
                    self.size += 1;
                    self.text(name);
                    self.add(value);
                }
                self.kinds += 5;
            }
        }
    }

    fn text(&mut self, text: &str) {
        for letter in text.chars() {
            self.size += 1;
            let code = u64::from(u32::from(letter));
            self.letters += match letter {
                'a'..='z' => code - u64::from(b'a'),
                '0'..='9' => code - u64::from(b'0') + 1,
                'A'..='Z' => code,
                ' '..='~' => code + 100,
                _ => code + 1_000,
            };
        }
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let whole = (self.size, self.letters).cmp(&(other.size, other.letters));
        let numbers = (self.fractions, self.digits).cmp(&(other.fractions, other.digits));
        let signs = (self.signs, self.kinds, self.disorder).cmp(&(other.signs, other.kinds, other.disorder));
        Some(whole.then(numbers).then(self.magnitude.total_cmp(&other.magnitude)).then(signs))
    }
}
