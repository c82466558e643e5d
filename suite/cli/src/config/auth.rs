//! The table `[auth]`: where tokens are found, never tokens themselves, and what is known of the server's authorization.

use std::path::{Path, PathBuf};

use run::Trigger;
use toml::Spanned;
use toml::de::DeValue;

use super::diagnostic::Diagnostic;
use super::trigger;
use super::value::{flag, string, strings, table};

/// The tokens that can be named.
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

/// Where a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenSource {
    /// In an environment variable.
    Variable(String),
    /// In a file.
    File(PathBuf),
}

/// What the table says.
#[derive(Debug, Default)]
pub(crate) struct Auth {
    /// Tokens by name.
    pub(crate) tokens: Vec<(String, TokenSource)>,
    /// A call that takes more scope than `lesser` has.
    pub(crate) step_up: Option<Trigger>,
    /// Resources of the first user alone.
    pub(crate) private: Vec<String>,
    /// The server follows the authorization page.
    pub(crate) oauth: bool,
    /// Clients may be registered.
    pub(crate) register: bool,
    /// The URL that clients know.
    pub(crate) public_url: Option<String>,
}

impl Auth {
    /// Files are meant from the folder of the configuration.
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
    // Whoever put the token itself here is not to find it in a log as well.
    let wrong = || {
        let expected = "{ env = \"VARIABLE\" } or { file = \"PATH\" }: a token does not stand in this file";
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
