//! Regular expressions of ECMA 262 in the syntax of regex-syntax. What has no counterpart (look-around, back-references)
//! is left out: what is sampled is checked afterwards.

use std::iter::Peekable;
use std::str::Chars;

/// A pattern without what cannot be sampled, and what stood in its positive look-aheads.
pub(super) struct Translation {
    pub(super) pattern: String,
    pub(super) ahead: Vec<String>,
}

/// Translates a pattern.
pub(super) fn translate(pattern: &str) -> Translation {
    let mut reader = Reader { rest: pattern.chars().peekable(), out: String::new(), ahead: Vec::new() };
    while let Some(letter) = reader.rest.next() {
        reader.outside(letter);
    }
    let ahead = reader.ahead.iter().map(|inner| translate(inner).pattern).collect();
    Translation { pattern: reader.out, ahead }
}

struct Reader<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    ahead: Vec<String>,
}

impl Reader<'_> {
    fn outside(&mut self, letter: char) {
        match letter {
            '\\' => self.escape(false),
            '[' => self.class(),
            '(' => self.group(),
            '{' if !self.is_counter() => self.out.push_str("\\{"),
            other => self.out.push(other),
        }
    }

    fn is_counter(&self) -> bool {
        let inside: String = self.rest.clone().take_while(|letter| *letter != '}').take(24).collect();
        inside.starts_with(|letter: char| letter.is_ascii_digit())
            && inside.chars().all(|letter| letter.is_ascii_digit() || letter == ',')
    }

    fn escape(&mut self, in_class: bool) {
        let Some(letter) = self.rest.next() else { return };
        let set = match letter {
            'd' => Some("0-9"),
            'w' => Some("A-Za-z0-9_"),
            _ => None,
        };
        match (letter, set) {
            (_, Some(set)) if in_class => self.out.push_str(set),
            (_, Some(set)) => self.out.push_str(&format!("[{set}]")),
            ('D', _) if !in_class => self.out.push_str("[^0-9]"),
            ('W', _) if !in_class => self.out.push_str("[^A-Za-z0-9_]"),
            ('c', _) => {
                let control = self.rest.next().map_or(0, |letter| u32::from(letter) % 32);
                self.out.push_str(&format!("\\x{{{control:x}}}"));
            }
            ('u', _) => self.code_point(),
            ('0', _) => self.out.push_str("\\x00"),
            ('b', _) if in_class => self.out.push_str("\\x08"),
            ('1'..='9', _) => {}
            ('k', _) => while self.rest.next().is_some_and(|letter| letter != '>') {},
            ('p' | 'P', _) => {
                self.out.push('\\');
                self.out.push(letter);
                for letter in self.rest.by_ref() {
                    self.out.push(letter);
                    if letter == '}' {
                        break;
                    }
                }
            }
            ('n' | 'r' | 't' | 'f' | 'v' | 'x' | 's' | 'S' | 'b' | 'B' | 'D' | 'W', _) => {
                self.out.push('\\');
                self.out.push(letter);
            }
            _ => self.out.push_str(&regex_syntax::escape(&letter.to_string())),
        }
    }

    /// `\uXXXX`, pairs of surrogates, `\u{X}`.
    fn code_point(&mut self) {
        if self.rest.peek() == Some(&'{') {
            self.out.push_str("\\u");
            return;
        }
        let first = self.hex();
        let mut ahead = self.rest.clone();
        let follows = ahead.next() == Some('\\') && ahead.next() == Some('u');
        if (0xd800..0xdc00).contains(&first) && follows {
            self.rest.next();
            self.rest.next();
            let second = self.hex();
            let joined = 0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff);
            self.out.push_str(&format!("\\x{{{joined:x}}}"));
        } else {
            self.out.push_str(&format!("\\x{{{first:x}}}"));
        }
    }

    fn hex(&mut self) -> u32 {
        let digits: String = self.rest.by_ref().take(4).collect();
        u32::from_str_radix(&digits, 16).unwrap_or(0x61)
    }

    fn class(&mut self) {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str(if negated { "[\\s\\S]" } else { "[^\\s\\S]" });
            return;
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        while let Some(letter) = self.rest.next() {
            match letter {
                ']' => break,
                '\\' => self.escape(true),
                '[' | '&' | '~' => {
                    self.out.push('\\');
                    self.out.push(letter);
                }
                other => self.out.push(other),
            }
        }
        self.out.push(']');
    }

    fn group(&mut self) {
        let look: String = self.rest.clone().take(3).collect();
        let skipped = if look.starts_with("?=") || look.starts_with("?!") {
            2
        } else if look.starts_with("?<=") || look.starts_with("?<!") {
            3
        } else {
            self.out.push('(');
            return;
        };
        self.rest.by_ref().take(skipped).for_each(drop);
        let inner = self.balanced();
        if look.starts_with("?=") {
            self.ahead.push(inner);
        }
        self.out.push_str("(?:)");
    }

    /// Up to the bracket that closes the group.
    fn balanced(&mut self) -> String {
        let (mut depth, mut in_class, mut inner) = (1, false, String::new());
        while let Some(letter) = self.rest.next() {
            match letter {
                '\\' => {
                    inner.push(letter);
                    inner.extend(self.rest.next());
                    continue;
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => depth += 1,
                ')' if !in_class => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(letter);
        }
        inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ecma_says_otherwise_is_said_otherwise() {
        let cases = [
            (r"^\d+$", "^[0-9]+$"),
            (r"[\w.[-]", r"[A-Za-z0-9_.\[-]"),
            (r"^[^]$", r"^[\s\S]$"),
            (r"\/a{x}", r"/a\{x}"),
            (r"(a)\1", "(a)"),
            (r"^(?!b)a", "^(?:)a"),
            (r"\ud83d\udc32", r"\x{1f432}"),
            (r"\cC", r"\x{3}"),
            (r"\p{Letter}+{", r"\p{Letter}+\{"),
        ];
        for (from, to) in cases {
            assert_eq!(translate(from).pattern, to, "{from}");
        }
        assert_eq!(translate(r"^(?=.*[A-Z)])(?=.*\d).{8}$").ahead, [".*[A-Z)]", ".*[0-9]"]);
    }
}
