//! Credentials for a URL, from flags and the configuration file.

use run::{Credentials, Target};

use super::flags::ServerFlags;
use crate::config::{Config, TokenSource, read_token};
use crate::failure::Failure;

/// Returns the credentials for a target; flags take precedence over the configuration file.
pub(super) fn credentials(flags: &ServerFlags, config: &Config, target: &Target) -> Result<Credentials, Failure> {
    let has_token_flag = flags.token_env.is_some() || flags.token_file.is_some();
    if matches!(target, Target::Program { .. }) {
        return if has_token_flag { Err(for_urls()) } else { Ok(Credentials::default()) };
    }
    let mut credentials = config.auth.credentials(has_token_flag)?;
    let flag = match (&flags.token_env, &flags.token_file) {
        (Some(variable), _) => Some(("--token-env", TokenSource::Variable(variable.clone()))),
        (None, Some(path)) => Some(("--token-file", TokenSource::File(path.clone()))),
        (None, None) => None,
    };
    if let Some((flag, source)) = flag {
        credentials.token = Some(read_token(flag, &source)?);
        credentials.flag = Some(flag_with_value(flag, &source));
    }
    Ok(credentials)
}

/// Adds a second user's token, which an environment variable holds.
pub(crate) fn add_second(credentials: &mut Credentials, target: &Target, variable: &str) -> Result<(), Failure> {
    if matches!(target, Target::Program { .. }) {
        return Err(for_urls());
    }
    let (flag, source) = ("--second-token-env", TokenSource::Variable(variable.to_owned()));
    credentials.second = Some(read_token(flag, &source)?);
    let flags = credentials.flag.iter().cloned().chain([flag_with_value(flag, &source)]);
    credentials.flag = Some(flags.collect::<Vec<_>>().join(" "));
    Ok(())
}

fn for_urls() -> Failure {
    Failure::usage(
        "--token-env, --token-file and --second-token-env are for URLs: a program reads credentials from its environment",
    )
}

/// Returns the flag as a reproduction command repeats it.
fn flag_with_value(flag: &str, source: &TokenSource) -> String {
    match source {
        TokenSource::Variable(name) => format!("{flag} {name}"),
        TokenSource::File(path) => format!("{flag} {}", path.display()),
    }
}
