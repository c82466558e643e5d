//! Credentials for a URL, from flags and the configuration file.

use run::{Credentials, Target};

use super::flags::Args;
use crate::config::{Config, TokenSource, read_token};
use crate::failure::Failure;

/// Returns the credentials for a target; flags take precedence over the configuration file.
pub(super) fn credentials(args: &Args, config: &Config, target: &Target) -> Result<Credentials, Failure> {
    let has_token_flag = args.token_env.is_some() || args.token_file.is_some();
    let second = args.second_token_env.as_ref().map(|variable| TokenSource::Variable(variable.clone()));
    if matches!(target, Target::Program { .. }) {
        let message = "--token-env, --token-file and --second-token-env are for URLs: a program reads credentials from its environment";
        return if has_token_flag || second.is_some() {
            Err(Failure::usage(message))
        } else {
            Ok(Credentials::default())
        };
    }
    let mut credentials = config.auth.credentials(has_token_flag)?;
    let flag = match (&args.token_env, &args.token_file) {
        (Some(variable), _) => Some(("--token-env", TokenSource::Variable(variable.clone()))),
        (None, Some(path)) => Some(("--token-file", TokenSource::File(path.clone()))),
        (None, None) => None,
    };
    if let Some((flag, source)) = flag {
        credentials.token = Some(read_token(flag, &source)?);
        credentials.flag = Some(flag_with_value(flag, &source));
    }
    if let Some(source) = second {
        credentials.second = Some(read_token("--second-token-env", &source)?);
        let flags = credentials.flag.iter().cloned().chain([flag_with_value("--second-token-env", &source)]);
        credentials.flag = Some(flags.collect::<Vec<_>>().join(" "));
    }
    Ok(credentials)
}

/// Returns the flag as a reproduction command repeats it.
fn flag_with_value(flag: &str, source: &TokenSource) -> String {
    match source {
        TokenSource::Variable(name) => format!("{flag} {name}"),
        TokenSource::File(path) => format!("{flag} {}", path.display()),
    }
}
