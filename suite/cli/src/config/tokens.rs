//! Tokens, read from environment variables and files, so that none appears in a process list or in shell history.

use std::path::Path;

use run::{Credentials, Token};

use super::auth::{Auth, TokenSource};
use crate::failure::Failure;

/// Size limit of a token file, in bytes.
const LIMIT: u64 = 64 << 10;

impl Auth {
    /// Returns the credentials that the table names. With `token_overridden` its `token` is not read: a flag names one.
    pub(crate) fn credentials(&self, token_overridden: bool) -> Result<Credentials, Failure> {
        let mut credentials = Credentials {
            step_up: self.step_up.clone(),
            private: self.private.clone(),
            oauth: self.oauth,
            register: self.register,
            public_url: self.public_url.clone(),
            ..Credentials::default()
        };
        for (name, source) in &self.tokens {
            if name != "token" || !token_overridden {
                *slot(&mut credentials, name) = Some(read_token(&format!("[auth] {name}"), source)?);
            }
        }
        Ok(credentials)
    }
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

/// Reads a token; `setting` is the flag or key that names it, for errors.
pub(crate) fn read_token(setting: &str, source: &TokenSource) -> Result<Token, Failure> {
    let (text, origin) = match source {
        TokenSource::Variable(name) => {
            let unset =
                |_| Failure::usage(format!("{setting}: environment variable {name} is not set, or is not UTF-8"));
            (std::env::var(name).map_err(unset)?, format!("environment variable {name}"))
        }
        TokenSource::File(path) => (read_file(path)?, path.display().to_string()),
    };
    Token::new(&text).ok_or_else(|| {
        Failure::usage(format!(
            "{setting}: {origin} holds no token: a token is one word of visible ASCII, without `Bearer`"
        ))
    })
}

fn read_file(path: &Path) -> Result<String, Failure> {
    let wrong = |error: std::io::Error| Failure::file("read", path, error);
    if std::fs::metadata(path).map_err(wrong)?.len() > LIMIT {
        return Err(Failure::file("read", path, "the file is too long to be a token"));
    }
    std::fs::read_to_string(path).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_a_token_and_a_line_feed() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "abc.def.ghi\n").expect("written");
        let source = TokenSource::File(file.path().to_owned());
        assert_eq!(read_token("--token-file", &source).expect("a token"), Token::new("abc.def.ghi").expect("it fits"));
    }

    #[test]
    fn errors_do_not_repeat_the_content_of_a_token_file() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "Bearer s3cret").expect("written");
        let refused = read_token("--token-file", &TokenSource::File(file.path().to_owned())).expect_err("two words");
        assert!(!refused.to_string().contains("s3cret"));
    }
}
