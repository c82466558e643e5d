//! Whether a regular expression can be read by the engines of clients: ECMA-262 with the `u` flag, as Ajv compiles it, and `re` of Python.
//! Only what authors write in practice is looked at; what is in doubt is taken for good.

/// Whether ECMA-262 reads it with the `u` flag (<https://tc39.es/ecma262/#sec-patterns>): there only what has a meaning may be escaped,
/// brackets stand in pairs, and a class is no end of a range.
pub(super) fn is_ecma(pattern: &str) -> bool {
    let letters: Vec<char> = pattern.chars().collect();
    let mut reader = Reader { letters: &letters, at: 0 };
    reader.disjunction(0) && reader.at == letters.len()
}

/// Whether Python reads it: no `\p`, and no class at an end of a range.
pub(super) fn is_python(pattern: &str) -> bool {
    let letters: Vec<char> = pattern.chars().collect();
    let (mut at, mut class) = (0, false);
    while at < letters.len() {
        match letters[at] {
            '\\' => {
                let escaped = letters.get(at + 1).copied().unwrap_or_default();
                let ranges =
                    class && letters.get(at + 2) == Some(&'-') && letters.get(at + 3).is_some_and(|next| *next != ']');
                if "pP".contains(escaped) || ("dDsSwW".contains(escaped) && ranges) {
                    return false;
                }
                at += 1;
            }
            '[' => class = true,
            ']' => class = false,
            _ => {}
        }
        at += 1;
    }
    true
}

/// Letters that follow a backslash: characters with a meaning, classes, and what stands for a character.
const ESCAPED: &str = "^$\\.*+?()[]{}|/dDsSwWbBfnrtv0123456789cxukpP";
/// How deep groups are followed.
const DEPTH: usize = 200;

struct Reader<'p> {
    letters: &'p [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let fits = wanted.chars().enumerate().all(|(off, letter)| self.letters.get(self.at + off) == Some(&letter));
        if fits {
            self.at += wanted.chars().count();
        }
        fits
    }

    /// Reads up to the end, or to a closing bracket that belongs to a group.
    fn disjunction(&mut self, depth: usize) -> bool {
        if depth > DEPTH {
            self.at = self.letters.len();
            return true;
        }
        // Whether there is something to repeat.
        let mut atom = false;
        while let Some(letter) = self.peek() {
            self.at += 1;
            match letter {
                ')' => {
                    self.at -= 1;
                    return depth > 0;
                }
                '|' | '^' | '$' => atom = false,
                '(' => {
                    let Some(repeatable) = self.group(depth) else { return false };
                    atom = repeatable;
                }
                '[' => {
                    if !self.class() {
                        return false;
                    }
                    atom = true;
                }
                '\\' => {
                    let Some(repeatable) = self.escape(ESCAPED) else { return false };
                    atom = repeatable;
                }
                '*' | '+' | '?' | '{' => {
                    if !atom || (letter == '{' && !self.braces()) {
                        return false;
                    }
                    self.eat("?");
                    atom = false;
                }
                '}' | ']' => return false,
                _ => atom = true,
            }
        }
        depth == 0
    }

    /// Reads a group after its bracket, and says whether it may be repeated.
    fn group(&mut self, depth: usize) -> Option<bool> {
        let looks = ["?=", "?!", "?<=", "?<!"].iter().any(|start| self.eat(start));
        if !looks && self.peek() == Some('?') && !self.eat("?:") && !self.name() && !self.flags() {
            return None;
        }
        (self.disjunction(depth + 1) && self.eat(")")).then_some(!looks)
    }

    /// Reads `?<NAME>`.
    fn name(&mut self) -> bool {
        let rest: String = self.letters[self.at..].iter().collect();
        let end = rest.strip_prefix("?<").and_then(|rest| rest.find('>'));
        let name = end.map(|end| &rest[2..end + 2]).unwrap_or_default();
        let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_$".contains(letter));
        self.at += if is_name { name.chars().count() + 3 } else { 0 };
        is_name
    }

    /// Reads `?i:`, as ECMA-262 has it since 2025.
    fn flags(&mut self) -> bool {
        let rest = &self.letters[self.at + 1..];
        let flags = rest.iter().take_while(|letter| "ims-".contains(**letter)).count();
        let is_group = flags > 0 && rest.get(flags) == Some(&':');
        self.at += if is_group { flags + 2 } else { 0 };
        is_group
    }

    /// Reads `3}`, `3,}` or `3,5}`.
    fn braces(&mut self) -> bool {
        let from = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit() || letter == ',') {
            self.at += 1;
        }
        let inside = &self.letters[from..self.at];
        let commas = inside.iter().filter(|letter| **letter == ',').count();
        inside.first().is_some_and(char::is_ascii_digit) && commas <= 1 && self.eat("}")
    }

    /// Reads an escape after its backslash, and says whether it stands for a character.
    fn escape(&mut self, allowed: &str) -> Option<bool> {
        let letter = self.peek().filter(|letter| allowed.contains(*letter))?;
        self.at += 1;
        if "pPuk".contains(letter) && matches!(self.peek(), Some('{' | '<')) {
            let end = self.letters[self.at..].iter().position(|letter| "}>".contains(*letter))?;
            self.at += end + 1;
        } else if "pPk".contains(letter) {
            return None;
        }
        Some(!"bB".contains(letter))
    }

    /// Reads a class after its bracket.
    fn class(&mut self) -> bool {
        self.eat("^");
        let allowed = format!("{ESCAPED}-");
        // The last thing was a class such as \w, or the end of a range is due.
        let (mut set, mut range) = (false, false);
        while let Some(letter) = self.peek() {
            self.at += 1;
            match letter {
                ']' => return true,
                '\\' => {
                    let escaped = self.peek().unwrap_or_default();
                    if self.escape(&allowed).is_none() {
                        return false;
                    }
                    let is_set = "dDsSwWpP".contains(escaped);
                    if range && is_set {
                        return false;
                    }
                    (set, range) = (is_set, false);
                }
                '-' if self.peek() != Some(']') && !range => {
                    if set {
                        return false;
                    }
                    // At the beginning it stands for itself.
                    let begins = matches!(self.letters.get(self.at.wrapping_sub(2)), Some('[' | '^'));
                    range = !begins;
                }
                _ => (set, range) = (false, false),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{is_ecma, is_python};

    /// Each was given to `new RegExp(pattern, "u")` of Node 20.
    #[test]
    fn what_ecma_262_reads_is_told_from_what_it_does_not() {
        for good in [
            "^[a-z0-9-]+$",
            "^[\\w.-]+$",
            "\\d{1,3}",
            "(?:a|b)*?",
            "(?<year>\\d{4})",
            "a{2,}",
            "[^\\]]",
            "\\u{1F600}",
            "\\p{L}",
            "^(?=.*\\d)[a-z]{8,}$",
            "[-a]",
            "[a-]",
            "\\/",
            "^$",
            "",
            "[\\-a]",
            "\\.",
            "(a)(?!b)",
            "x|y|",
            "[.$*]",
            "[(|)]",
        ] {
            assert!(is_ecma(good), "{good}");
        }
        for bad in [
            "\\-",
            "a\\@b",
            "[\\w-.]",
            "\\Z",
            "(?P<name>a)",
            "(?i)a",
            "(?>a)",
            "a++",
            "[[:alpha:]]",
            "a{",
            "}",
            "]",
            "(a",
            "a)",
            "[a",
            "*a",
            "\\_",
            "[\\@]",
            "\\p",
            "(?<=a)+",
            "\\A",
        ] {
            assert!(!is_ecma(bad), "{bad}");
        }
    }

    /// Each was given to `re.compile` of Python 3.12.
    #[test]
    fn what_python_reads_is_told_from_what_it_does_not() {
        for good in ["^[\\w.-]+$", "\\-", "[\\w-]", "(?P<name>a)", "[a-z]"] {
            assert!(is_python(good), "{good}");
        }
        for bad in ["\\p{L}", "[\\w-.]", "[\\d-z]"] {
            assert!(!is_python(bad), "{bad}");
        }
    }
}
