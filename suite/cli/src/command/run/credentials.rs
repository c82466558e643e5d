//! Tokens, from the command line's flags and the configuration file: read from environment variables and files, so that
//! none stands in the list of processes or in a shell's history.

use std::path::Path;

use run::{Credentials, Target, Token};

use super::Args;
use crate::config::{Auth, Config, Place};
use crate::failure::Failure;

/// Longer files hold no token.
const LONGEST: u64 = 64 << 10;

/// Everything that is known of how the server lets somebody in.
pub(super) fn all(args: &Args, config: &Config, target: &Target) -> Result<Credentials, Failure> {
    let named = args.token_env.is_some() || args.token_file.is_some();
    let second = args.second_token_env.as_ref().map(|variable| Place::Variable(variable.clone()));
    if matches!(target, Target::Program { .. }) {
        let complaint = "--token-env, --token-file and --second-token-env are for URLs: a program takes credentials from its environment";
        return if named || second.is_some() { Err(Failure::usage(complaint)) } else { Ok(Credentials::default()) };
    }
    let mut credentials = configured(&config.auth, named)?;
    let flag = match (&args.token_env, &args.token_file) {
        (Some(variable), _) => Some(("--token-env", Place::Variable(variable.clone()))),
        (None, Some(path)) => Some(("--token-file", Place::File(path.clone()))),
        (None, None) => None,
    };
    if let Some((flag, place)) = flag {
        credentials.token = Some(token(flag, &place)?);
        credentials.flag = Some(shown(flag, &place));
    }
    if let Some(place) = second {
        credentials.second = Some(token("--second-token-env", &place)?);
        let flags = credentials.flag.iter().cloned().chain([shown("--second-token-env", &place)]);
        credentials.flag = Some(flags.collect::<Vec<_>>().join(" "));
    }
    Ok(credentials)
}

/// What the configuration file tells; its token is left aside if another one is named.
pub(crate) fn configured(auth: &Auth, named: bool) -> Result<Credentials, Failure> {
    let mut credentials = Credentials {
        step_up: auth.step_up.clone(),
        private: auth.private.clone(),
        oauth: auth.oauth,
        register: auth.register,
        public_url: auth.public_url.clone(),
        ..Credentials::default()
    };
    for (name, place) in &auth.tokens {
        if name != "token" || !named {
            *slot(&mut credentials, name) = Some(token(&format!("[auth] {name}"), place)?);
        }
    }
    Ok(credentials)
}

fn slot<'c>(credentials: &'c mut Credentials, name: &str) -> &'c mut Option<Token> {
    match name {
        "second" => &mut credentials.second,
        "lesser" => &mut credentials.lesser,
        "granted" => &mut credentials.granted,
        "broader" => &mut credentials.broader,
        "expired" => &mut credentials.expired,
        "other_audience" => &mut credentials.other_audience,
        "no_audience" => &mut credentials.no_audience,
        "upper_case_audience" => &mut credentials.upper_case_audience,
        _ => &mut credentials.token,
    }
}

fn token(what: &str, place: &Place) -> Result<Token, Failure> {
    let (text, from) = match place {
        Place::Variable(name) => {
            let unset = |_| Failure::usage(format!("{what}: the environment variable {name} is not set, or not UTF-8"));
            (std::env::var(name).map_err(unset)?, format!("the environment variable {name}"))
        }
        Place::File(path) => (read(path)?, path.display().to_string()),
    };
    Token::new(&text).ok_or_else(|| {
        Failure::usage(format!("{what}: {from} holds no token: a token is one word of visible ASCII, without `Bearer`"))
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let wrong = |error: std::io::Error| Failure::file("read", path, error);
    if std::fs::metadata(path).map_err(wrong)?.len() > LONGEST {
        return Err(Failure::file("read", path, "it is too long for a token"));
    }
    std::fs::read_to_string(path).map_err(wrong)
}

/// The flag as it is repeated in a command.
fn shown(flag: &str, place: &Place) -> String {
    match place {
        Place::Variable(name) => format!("{flag} {name}"),
        Place::File(path) => format!("{flag} {}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_a_token_and_a_line_feed() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "abc.def.ghi\n").expect("written");
        let place = Place::File(file.path().to_owned());
        assert_eq!(token("--token-file", &place).expect("a token"), Token::new("abc.def.ghi").expect("it fits"));
    }

    #[test]
    fn complaints_do_not_repeat_what_is_no_token() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "Bearer s3cret").expect("written");
        let refused = token("--token-file", &Place::File(file.path().to_owned())).expect_err("two words");
        assert!(!refused.to_string().contains("s3cret"));
    }
}
