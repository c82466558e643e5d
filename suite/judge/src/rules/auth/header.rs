//! Reading `WWW-Authenticate`: several challenges in one header or in several, quoted strings and all.

use crate::Case;

/// One challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    pub(super) scheme: String,
    /// In the order and spelling of the header; names in lower case.
    pub(super) parameters: Vec<(String, String)>,
}

impl Challenge {
    pub(super) fn is_bearer(&self) -> bool {
        self.scheme.eq_ignore_ascii_case("Bearer")
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn all<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c str> {
        self.parameters.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The scopes that it names.
    pub(super) fn scopes(&self) -> impl Iterator<Item = &str> {
        self.get("scope").unwrap_or_default().split(' ').filter(|scope| !scope.is_empty())
    }
}

/// Every challenge of a response.
pub(super) fn challenges(case: &Case<'_>) -> Vec<Challenge> {
    case.headers("www-authenticate").flat_map(parse).collect()
}

/// The first Bearer challenge of a response.
pub(super) fn bearer(case: &Case<'_>) -> Option<Challenge> {
    challenges(case).into_iter().find(Challenge::is_bearer)
}

fn parse(header: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    let mut rest = header.trim_start_matches([' ', '\t', ',']);
    while !rest.is_empty() {
        let (word, after) = word(rest);
        let next = after.trim_start_matches([' ', '\t']);
        rest = match (next.strip_prefix('='), challenges.last_mut()) {
            (Some(value), Some(challenge)) if !value.starts_with('=') && !word.is_empty() => {
                let (value, after) = value_of(value.trim_start_matches([' ', '\t']));
                challenge.parameters.push((word.to_ascii_lowercase(), value));
                after
            }
            _ if word.is_empty() => &rest[rest.chars().next().map_or(1, char::len_utf8)..],
            _ => {
                challenges.push(Challenge { scheme: word.to_owned(), parameters: Vec::new() });
                token68(next)
            }
        };
        rest = rest.trim_start_matches([' ', '\t', ',']);
    }
    challenges
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| letter.is_whitespace() || "=,\"".contains(letter)).unwrap_or(text.len());
    text.split_at(end)
}

/// Returns the value behind the equals sign: quoted, or up to a blank or comma.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let (mut value, mut escaped) = (String::new(), false);
    for (at, letter) in quoted.char_indices() {
        match letter {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return (value, &quoted[at + 1..]),
            letter => {
                value.push(letter);
                escaped = false;
            }
        }
    }
    (value, "")
}

/// Skips credentials that are one word and no parameter, as those of Negotiate.
fn token68(text: &str) -> &str {
    let end = text.find([',', ' ', '\t', '"']).unwrap_or(text.len());
    let word = &text[..end];
    let alone =
        word.trim_end_matches('=').chars().all(|letter| letter.is_ascii_alphanumeric() || "-._~+/".contains(letter));
    let last = text[end..].trim_start().is_empty() || text[end..].trim_start().starts_with(',');
    if alone && last && !word.is_empty() { &text[end..] } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(header: &str) -> String {
        let one = |challenge: &Challenge| {
            let pairs: Vec<String> =
                challenge.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{}[{}]", challenge.scheme, pairs.join("|"))
        };
        parse(header).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn challenges_are_read_with_quotes_blanks_and_commas() {
        let read = [
            ("Bearer", "Bearer[]"),
            (r#"Bearer realm="a, b", scope="x y""#, "Bearer[realm=a, b|scope=x y]"),
            (r#"bearer error = "invalid_token" ,scope=a:b"#, "bearer[error=invalid_token|scope=a:b]"),
            (r#"DPoP algs="ES256", Bearer Scope="s""#, "DPoP[algs=ES256] Bearer[scope=s]"),
            (r#"Basic realm="x", Negotiate abc==, Bearer"#, "Basic[realm=x] Negotiate[] Bearer[]"),
            (r#"Bearer scope="[\"a\"]""#, r#"Bearer[scope=["a"]]"#),
            (r#"Bearer resource_metadata="https://a/b?c=d,e""#, "Bearer[resource_metadata=https://a/b?c=d,e]"),
            (r#"Bearer realm="open"#, "Bearer[realm=open]"),
            ("", ""),
            (r#"="x" "y""#, "x[] y[]"),
        ];
        for (header, expected) in read {
            assert_eq!(shown(header), expected, "{header}");
        }
    }
}
