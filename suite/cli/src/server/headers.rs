//! Headers for HTTP requests, from flags, environment variables and the configuration file.

use run::Target;

use super::flags::ServerFlags;
use crate::config::Config;
use crate::failure::Failure;

/// Returns every header to send to a target.
pub(super) fn headers(flags: &ServerFlags, config: &Config, target: &Target) -> Result<Vec<(String, String)>, Failure> {
    let flag = flags.header.first().map(|_| "--header").or(flags.header_env.first().map(|_| "--header-env"));
    if let (Target::Program { .. }, Some(flag)) = (target, flag) {
        return Err(Failure::usage(format!("{flag} is for URLs: a program is not spoken to over HTTP")));
    }
    if matches!(target, Target::Program { .. }) {
        return Ok(Vec::new());
    }
    let mut headers = Vec::new();
    for header in &flags.header {
        let (name, value) = split("--header", header, "value")?;
        headers.push(validate_header("--header", name, value)?);
    }
    for header in &flags.header_env {
        let (name, variable) = split("--header-env", header, "VARIABLE")?;
        headers.push(from_environment("--header-env", name, variable)?);
    }
    for (name, variable) in &config.headers_env {
        headers.push(from_environment("headers_env", name, variable)?);
    }
    Ok(headers)
}

fn split<'a>(flag: &str, header: &'a str, second: &str) -> Result<(&'a str, &'a str), Failure> {
    let parts = header.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
    // The value may be a secret: it is not repeated.
    parts.ok_or_else(|| Failure::usage(format!("{flag}: expected 'Name: {second}', but there is no colon")))
}

fn from_environment(flag: &str, name: &str, variable: &str) -> Result<(String, String), Failure> {
    let value = std::env::var(variable).map_err(|error| match error {
        std::env::VarError::NotPresent => {
            Failure::usage(format!("{flag} {name}: environment variable {variable} is not set"))
        }
        std::env::VarError::NotUnicode(_) => {
            Failure::usage(format!("{flag} {name}: environment variable {variable} is not UTF-8"))
        }
    })?;
    validate_header(flag, name, &value)
}

fn validate_header(flag: &str, name: &str, value: &str) -> Result<(String, String), Failure> {
    let token = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
    if name.is_empty() || !name.chars().all(token) {
        return Err(Failure::usage(format!("{flag}: `{name}` is not a valid header name")));
    }
    if value.is_empty() || value.chars().any(char::is_control) {
        return Err(Failure::usage(format!("{flag} {name}: the value is empty or contains control characters")));
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_do_not_repeat_the_value_of_a_header() {
        let refused = split("--header", "secret-without-colon", "value").expect_err("no colon");
        assert!(!refused.to_string().contains("secret"));
        let refused = validate_header("--header", "X", "sec\nret").expect_err("a line feed");
        assert!(!refused.to_string().contains("sec"));
    }

    #[test]
    fn a_missing_variable_is_named() {
        let refused = from_environment("--header-env", "Authorization", "MCP_CONFORM_NO_SUCH").expect_err("not set");
        assert!(refused.to_string().contains("MCP_CONFORM_NO_SUCH is not set"));
    }
}
