//! Strings: of a length, matching patterns, of a format. Everything made is checked by the validator's own reading of
//! pattern and format, since no two engines agree on all of ECMA 262.

mod pattern;
mod translate;

use super::chance::Chance;
use super::formats::{is_of_format, knows_format, text_not_of_format, text_of_format};
use super::judge::Judge;
use super::shape::Strings;

pub(super) use pattern::Sampler;

/// Strings longer than this are not made.
pub(super) const LONGEST: u64 = 100_000;
/// Attempts at one string.
const ATTEMPTS: usize = 60;
const LETTERS: [char; 12] = ['a', 'b', 'c', 'x', 'y', 'z', 'A', 'Z', '0', '9', '-', ' '];

/// Makes strings of a shape, with the judge of the schema and the source of randomness that this takes.
pub(super) struct Maker<'m> {
    pub(super) judge: &'m Judge,
    pub(super) chance: &'m mut Chance,
}

impl Maker<'_> {
    /// A string that is right, if one is found.
    pub(super) fn make(&mut self, asked: &Strings<'_>) -> Option<String> {
        if asked.shortest > LONGEST {
            return None;
        }
        (0..ATTEMPTS).find_map(|attempt| {
            let made = self.draft(asked, attempt)?;
            let made = fit(made, asked, self.chance);
            self.admits(asked, &made).then_some(made)
        })
    }

    /// Whether a string is right.
    pub(super) fn admits(&self, asked: &Strings<'_>, text: &str) -> bool {
        let length = text.chars().count() as u64;
        length >= asked.shortest
            && asked.longest.is_none_or(|most| length <= most)
            && asked.patterns.iter().all(|(pattern, holds)| self.judge.matches(pattern, text) == Some(*holds))
            && asked.formats.iter().all(|(format, holds)| is_of(format, text) == *holds)
    }

    fn draft(&mut self, asked: &Strings<'_>, attempt: usize) -> Option<String> {
        let wrong_format = asked.formats.iter().find(|(_, holds)| !holds);
        if let Some((format, _)) = wrong_format.filter(|_| attempt % 4 != 3) {
            return Some(text_not_of_format(format, self.chance));
        }
        let formats: Vec<_> = asked.formats.iter().filter(|(name, holds)| *holds && knows_format(name)).collect();
        let patterns: Vec<_> = asked.patterns.iter().filter(|(_, holds)| *holds).map(|(pattern, _)| *pattern).collect();
        if !formats.is_empty() && (patterns.is_empty() || attempt.is_multiple_of(2)) {
            return text_of_format(self.chance.pick(&formats)?.0, self.chance);
        }
        if !patterns.is_empty() {
            return Some(self.matching(&patterns, asked, attempt));
        }
        let wrong = asked.patterns.iter().find(|(_, holds)| !holds);
        if let Some((pattern, _)) = wrong.filter(|_| attempt % 3 != 2) {
            let near = self.matching(&[pattern], asked, attempt);
            return Some(spoil(near, self.chance));
        }
        Some(plain(asked, self.chance))
    }

    /// A string that is likely to match all patterns: one sample of each, one after the other, or of one alone.
    fn matching(&mut self, patterns: &[&str], asked: &Strings<'_>, attempt: usize) -> String {
        let stretch = match attempt / 8 {
            0 => 2,
            1 => usize::try_from(asked.shortest).unwrap_or(2).clamp(1, 100_000),
            2 => 0,
            round => round * 3,
        };
        let mut order = patterns.to_vec();
        self.chance.shuffle(&mut order);
        if attempt.is_multiple_of(3) {
            order.truncate(1);
        }
        order.iter().map(|pattern| Sampler::new(pattern).sample(stretch, attempt, self.chance)).collect()
    }
}

/// A format that nobody knows asks for nothing.
fn is_of(format: &str, text: &str) -> bool {
    !knows_format(format) || is_of_format(format, text)
}

/// A string of the asked length.
fn plain(asked: &Strings<'_>, chance: &mut Chance) -> String {
    let most = asked.longest.unwrap_or(u64::MAX).min(asked.shortest + 8);
    let length = asked.shortest + chance.bits() % (most.saturating_sub(asked.shortest) + 1);
    (0..length).map(|_| chance.pick(&LETTERS).copied().unwrap_or('a')).collect()
}

/// Brings a draft to the asked length: many patterns do not mind a longer or shorter text.
fn fit(made: String, asked: &Strings<'_>, chance: &mut Chance) -> String {
    let length = made.chars().count() as u64;
    if length < asked.shortest {
        let missing = asked.shortest - length;
        let filling = made.chars().last().filter(|_| chance.one_in(2)).unwrap_or('a');
        return (0..missing).fold(made, |mut text, _| {
            text.push(filling);
            text
        });
    }
    match asked.longest {
        Some(most) if length > most => made.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect(),
        _ => made,
    }
}

/// Makes a text slightly different.
fn spoil(text: String, chance: &mut Chance) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = chance.below(letters.len());
    match chance.below(5) {
        0 if !letters.is_empty() => {
            letters.remove(at);
        }
        1 if !letters.is_empty() => letters[at] = if letters[at].is_lowercase() { 'A' } else { '!' },
        2 => letters.insert(0, chance.pick(&LETTERS).copied().unwrap_or('a')),
        3 => letters.push('!'),
        _ => letters.clear(),
    }
    letters.into_iter().collect()
}
