//! The table `[auth]`: token sources (never tokens themselves), and facts about the server's authorization.

use std::path::{Path, PathBuf};

use run::Trigger;
use toml::Spanned;
use toml::de::DeValue;

use super::diagnostic::Diagnostic;
use super::trigger;
use super::value::{flag, string, strings, table};

/// The keys that name tokens.
pub(crate) const TOKENS: [&str; 9] = [
    "token",
    "second",
    "lesser",
    "granted",
    "broader",
    "expired",
    "other_audience",
    "no_audience",
    "upper_case_audience",
];
const OTHERS: [&str; 5] = ["step_up", "private", "oauth", "register", "public_url"];

/// The source of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenSource {
    /// An environment variable.
    Variable(String),
    /// A file.
    File(PathBuf),
}

/// The content of the table.
#[derive(Debug, Default)]
pub(crate) struct Auth {
    /// Tokens by name.
    pub(crate) tokens: Vec<(String, TokenSource)>,
    /// A call that requires more scope than `lesser` has.
    pub(crate) step_up: Option<Trigger>,
    /// Resources that only the first user may read.
    pub(crate) private: Vec<String>,
    /// Whether the server implements MCP authorization.
    pub(crate) oauth: bool,
    /// Whether clients may be registered.
    pub(crate) register: bool,
    /// The public URL of the server.
    pub(crate) public_url: Option<String>,
}

impl Auth {
    /// Resolves file paths relative to the folder of the configuration file.
    pub(super) fn resolve_paths(&mut self, folder: &Path) {
        for (_, source) in &mut self.tokens {
            if let TokenSource::File(path) = source {
                *path = folder.join(&*path);
            }
        }
    }
}

pub(super) fn auth(value: &Spanned<DeValue<'_>>) -> Result<Auth, Diagnostic> {
    let mut auth = Auth::default();
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            name if TOKENS.contains(&name) => auth.tokens.push((name.to_owned(), token_source(value)?)),
            "step_up" => auth.step_up = Some(trigger(value)?),
            "private" => auth.private = strings(value)?,
            "oauth" => auth.oauth = flag(value)?,
            "register" => auth.register = flag(value)?,
            "public_url" => auth.public_url = Some(string(value)?.to_owned()),
            other => {
                return Err(Diagnostic::unknown(key.span(), other, &[&TOKENS[..], &OTHERS[..]].concat()).without_line());
            }
        }
    }
    Ok(auth)
}

fn token_source(value: &Spanned<DeValue<'_>>) -> Result<TokenSource, Diagnostic> {
    // If the token itself stands here, it must not appear in a log as well.
    let wrong = || {
        let expected = "{ env = \"VARIABLE\" } or { file = \"PATH\" }; tokens do not belong in this file";
        Diagnostic::new(value.span(), "wrong value", expected).without_line()
    };
    let members = value.get_ref().as_table().ok_or_else(wrong)?;
    let mut members = members.iter();
    match (members.next(), members.next()) {
        (Some((key, value)), None) => match (key.get_ref().as_ref(), value.get_ref().as_str()) {
            ("env", Some(name)) => Ok(TokenSource::Variable(name.to_owned())),
            ("file", Some(path)) => Ok(TokenSource::File(PathBuf::from(path))),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}
