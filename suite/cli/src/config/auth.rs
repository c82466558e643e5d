//! The table `[auth]`: where tokens are found, never tokens themselves, and what is known of the server's authorization.

use std::path::{Path, PathBuf};

use run::Trigger;
use toml::Spanned;
use toml::de::DeValue;

use super::blame::Blame;
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
pub(crate) enum Place {
    /// In an environment variable.
    Variable(String),
    /// In a file.
    File(PathBuf),
}

/// What the table says.
#[derive(Debug, Default)]
pub(crate) struct Auth {
    /// Tokens by name.
    pub(crate) tokens: Vec<(String, Place)>,
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
    pub(super) fn stand_in(&mut self, folder: &Path) {
        for (_, place) in &mut self.tokens {
            if let Place::File(path) = place {
                *path = folder.join(&*path);
            }
        }
    }
}

pub(super) fn auth(value: &Spanned<DeValue<'_>>) -> Result<Auth, Blame> {
    let mut auth = Auth::default();
    for (key, value) in table(value)? {
        match key.get_ref().as_ref() {
            name if TOKENS.contains(&name) => auth.tokens.push((name.to_owned(), place(value)?)),
            "step_up" => auth.step_up = Some(trigger(value)?),
            "private" => auth.private = strings(value)?,
            "oauth" => auth.oauth = flag(value)?,
            "register" => auth.register = flag(value)?,
            "public_url" => auth.public_url = Some(string(value)?.to_owned()),
            other => return Err(Blame::unknown(key.span(), other, &[&TOKENS[..], &OTHERS[..]].concat()).unshown()),
        }
    }
    Ok(auth)
}

fn place(value: &Spanned<DeValue<'_>>) -> Result<Place, Blame> {
    // Whoever put the token itself here is not to find it in a log as well.
    let wrong = || {
        let expected = "{ env = \"VARIABLE\" } or { file = \"PATH\" }: a token does not stand in this file";
        Blame::new(value.span(), "wrong value", expected).unshown()
    };
    let members = value.get_ref().as_table().ok_or_else(wrong)?;
    let mut members = members.iter();
    match (members.next(), members.next()) {
        (Some((key, value)), None) => match (key.get_ref().as_ref(), value.get_ref().as_str()) {
            ("env", Some(name)) => Ok(Place::Variable(name.to_owned())),
            ("file", Some(path)) => Ok(Place::File(PathBuf::from(path))),
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}
