//! Texts that match a regular expression, short and plain ones first.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::super::chance::Chance;
use super::translate::translate;

/// Characters in one sample.
const MOST: usize = 200_000;
/// Characters that people would write.
const LIKED: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ .";

/// Samples of one pattern.
pub(in super::super) struct Sampler {
    whole: Option<Hir>,
    ahead: Vec<Hir>,
}

/// How much is repeated, and whether everything is as plain as can be.
struct Draw<'c> {
    stretch: usize,
    /// `None`: always the first and shortest.
    chance: Option<&'c mut Chance>,
    out: String,
}

impl Sampler {
    /// For a pattern; one that cannot be read gives empty samples.
    pub(in super::super) fn new(pattern: &str) -> Self {
        let translation = translate(pattern);
        let ahead = translation.ahead.iter().filter_map(|inner| parse(inner)).collect();
        Self { whole: parse(&translation.pattern), ahead }
    }

    /// A text that is likely to match.
    pub(in super::super) fn sample(&self, stretch: usize, attempt: usize, chance: &mut Chance) -> String {
        let mut draw = Draw { stretch, chance: Some(chance), out: String::new() };
        if attempt.is_multiple_of(2) {
            self.ahead.iter().for_each(|hir| draw.hir(hir));
        }
        self.whole.iter().for_each(|hir| draw.hir(hir));
        draw.out
    }

    /// The plainest text that is likely to match.
    pub(in super::super) fn plainest(&self) -> String {
        let mut draw = Draw { stretch: 0, chance: None, out: String::new() };
        self.ahead.iter().chain(&self.whole).for_each(|hir| draw.hir(hir));
        draw.out
    }
}

fn parse(pattern: &str) -> Option<Hir> {
    ParserBuilder::new().nest_limit(100).build().parse(pattern).ok()
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.chance.as_mut().map_or(0, |chance| chance.below(bound))
    }

    fn hir(&mut self, hir: &Hir) {
        if self.out.len() > MOST {
            return;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.out.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(class) => {
                let letter = self.letter(class);
                self.out.extend(letter);
            }
            HirKind::Repetition(repetition) => self.repeat(repetition),
            HirKind::Capture(capture) => self.hir(&capture.sub),
            HirKind::Concat(all) => all.iter().for_each(|one| self.hir(one)),
            HirKind::Alternation(all) => {
                let at = self.below(all.len());
                self.hir(&all[at]);
            }
        }
    }

    fn repeat(&mut self, repetition: &Repetition) {
        let least = usize::try_from(repetition.min).unwrap_or(usize::MAX);
        let room =
            repetition.max.map_or(usize::MAX, |most| usize::try_from(most - repetition.min).unwrap_or(usize::MAX));
        let stretch = self.stretch.min(room);
        let more = self.below(stretch.saturating_add(1));
        for _ in 0..least.saturating_add(more).min(MOST) {
            self.hir(&repetition.sub);
        }
    }

    fn letter(&mut self, class: &Class) -> Option<char> {
        let Class::Unicode(class) = class else { return Some('a') };
        let ranges = class.ranges();
        let has = |letter: char| ranges.iter().any(|range| range.start() <= letter && letter <= range.end());
        let liked: Vec<char> = LIKED.chars().filter(|letter| has(*letter)).collect();
        if !liked.is_empty() && (self.chance.is_none() || self.below(8) != 0) {
            return liked.get(self.below(liked.len())).copied();
        }
        let range = ranges.get(self.below(ranges.len()))?;
        let width = u32::from(range.end()) - u32::from(range.start()) + 1;
        let offset = u32::try_from(self.below(usize::try_from(width).ok()?)).ok()?;
        char::from_u32(u32::from(range.start()) + offset).or(Some(range.start()))
    }
}
