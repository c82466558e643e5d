//! Secrets that must not be in a recording: those in the environment, the command, headers, addresses and messages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use verdict::transcript::{Headers, Kind, REDACTED};

use crate::secrets::Secrets;

/// Shorter values are words, not secrets.
const SHORTEST: usize = 8;
/// Words in the names of variables, flags and headers that hold secrets.
const WORDS: [&str; 9] =
    ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL"];
/// Members of messages, forms and addresses that hold secrets.
const MEMBERS: [&str; 16] = [
    "access_token",
    "accessToken",
    "refresh_token",
    "refreshToken",
    "id_token",
    "token",
    "api_key",
    "apiKey",
    "apikey",
    "password",
    "passwd",
    "secret",
    "client_secret",
    "clientSecret",
    "private_key",
    "code_verifier",
];
/// How tokens of well-known services begin.
const SHAPES: [&str; 10] = ["ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "eyJ"];
/// The length from which on something that begins so is a token.
const TOKEN: usize = 20;

/// The secrets that are masked in a recording.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    secrets: Secrets,
}

impl Hidden {
    /// Hides these values.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        Self { secrets: Secrets::new(values) }
    }

    /// Hides the values of variables that are named like secrets.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        for (name, value) in variables {
            if is_secret(&name) {
                self.hide(&value);
            }
        }
        self
    }

    /// Hides what follows on flags that are named like secrets.
    #[must_use]
    pub fn arguments(mut self, words: &[String]) -> Self {
        for (at, word) in words.iter().enumerate() {
            let Some(flag) = word.strip_prefix('-').filter(|flag| is_secret(flag)) else { continue };
            match flag.split_once('=') {
                Some((_, value)) => self.hide(value),
                None => self.hide(words.get(at + 1).map_or("", String::as_str)),
            }
        }
        self
    }

    fn hide(&mut self, value: &str) {
        if value.len() >= SHORTEST && value != REDACTED {
            self.secrets.learn(value);
        }
    }

    /// Takes notice of secrets that are told.
    pub(super) fn learn(&mut self, text: &str, headers: &Headers, path: Option<&str>) {
        for (name, value) in headers {
            if Secrets::is_header(name) || is_secret(&name.replace('-', "_")) {
                self.hide(value);
            }
        }
        for form in [text, path.and_then(|path| path.split_once('?')).map_or("", |(_, query)| query)] {
            if form.contains('=') && !form.contains(['{', ' ', '\n']) {
                for (name, value) in url::form_urlencoded::parse(form.as_bytes()) {
                    if MEMBERS.contains(&name.as_ref()) || name == "code" {
                        self.hide(&value);
                    }
                }
            }
        }
        if MEMBERS.iter().any(|member| text.contains(member))
            && let Ok(value) = serde_json::from_str(text)
        {
            self.members(&value);
        }
    }

    fn members(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        Value::String(secret) if MEMBERS.contains(&name.as_str()) => self.hide(secret),
                        other => self.members(other),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.members(item)),
            _ => {}
        }
    }

    /// Hides everything that is known, and everything that looks like a token.
    pub(super) fn redact(&self, kind: &mut Kind) {
        self.secrets.redact(kind);
        match kind {
            Kind::Send(send) => shapes(&mut send.text),
            Kind::Receive(receive) => shapes(&mut receive.text),
            Kind::Stderr { text, .. } => shapes(text),
            _ => {}
        }
    }

    /// Bytes that are no text, as Base64; nothing of them if a secret is in them.
    pub(super) fn coded(&self, bytes: &[u8]) -> String {
        let lossy = String::from_utf8_lossy(bytes).into_owned();
        let mut masked = lossy.clone();
        self.secrets.mask(&mut masked);
        shapes(&mut masked);
        if masked == lossy { STANDARD.encode(bytes) } else { STANDARD.encode([0xff]) }
    }
}

/// Whether a name is that of a secret.
fn is_secret(name: &str) -> bool {
    let name = name.split('=').next().unwrap_or(name).to_ascii_uppercase().replace('-', "_");
    WORDS.iter().any(|word| name.contains(word))
}

/// Puts something else in place of what looks like a token.
fn shapes(text: &mut String) {
    for shape in SHAPES {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(shape)).map(|at| at + from) {
            let letter = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            let fresh = !text[..at].ends_with(|before: char| letter(before) || "+/=".contains(before));
            let long = text[at..].chars().take_while(|next| letter(*next)).count();
            let whole = shape != "eyJ" || text[at..at + long].matches('.').count() == 2;
            if fresh && long >= TOKEN && whole {
                text.replace_range(at..at + long, REDACTED);
            }
            from = at + shape.len().min(REDACTED.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(hidden: &Hidden, text: &str) -> String {
        let mut kind = Kind::Stderr { text: text.to_owned(), not_utf8: false };
        hidden.redact(&mut kind);
        let Kind::Stderr { text, .. } = kind else { unreachable!("it was one") };
        text
    }

    #[test]
    fn secrets_of_environment_and_command_are_hidden() {
        let variables = [("GITHUB_TOKEN", "abcdefgh1"), ("HOME", "/home/ada"), ("X_API_KEY", "short")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let words = ["--api-key=zyxwvuts", "--token", "qwertyuio", "--root", "/home/ada"].map(str::to_owned);
        let hidden = Hidden::default().environment(variables).arguments(&words);
        let text = shown(&hidden, "abcdefgh1 zyxwvuts qwertyuio /home/ada short");
        assert_eq!(text, "[redacted] [redacted] [redacted] /home/ada short");
    }

    #[test]
    fn secrets_that_are_told_are_hidden_from_then_on() {
        let mut hidden = Hidden::default();
        hidden.learn(r#"{"params":{"arguments":{"password":"hunter2-and-more"}}}"#, &vec![], None);
        hidden.learn("", &vec![("Authorization".into(), "Bearer abc.def-123".into())], Some("/cb?code=0123456789&x=1"));
        assert_eq!(shown(&hidden, "hunter2-and-more abc.def-123 0123456789"), "[redacted] [redacted] [redacted]");
    }

    #[test]
    fn what_looks_like_a_token_is_hidden_and_nothing_else() {
        let token = format!("key sk-{} and eyJhbGciOi.{}.c2ln", "a".repeat(30), "b".repeat(20));
        assert_eq!(shown(&Hidden::default(), &token), "key [redacted] and [redacted]");
        for text in ["task-list-of-very-long-names-here", "sk-short", "data eyJhbGciOiJub25lIn0aaaaaaaaa"] {
            assert_eq!(shown(&Hidden::default(), text), text);
        }
    }
}
