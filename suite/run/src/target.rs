//! The target: a program or a URL.

use std::path::Path;

use url::Url;
use verdict::Transport;
use verdict::record;

use crate::Trouble;

/// How a URL is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Over Streamable HTTP; where `initialize` cannot be posted, over HTTP+SSE.
    Auto,
    /// Over Streamable HTTP.
    Http,
    /// Over HTTP+SSE.
    Sse,
}

/// A server to drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A program that is spawned and spoken to over stdio.
    Program {
        /// The program, as the user named it.
        program: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// An `http://` or `https://` URL, spoken to over Streamable HTTP.
    Url(Url),
    /// The URL of the stream of a server that is spoken to over HTTP+SSE.
    Stream(Url),
}

impl Target {
    /// Reads TARGET and ARGS of the command line. A target with white space that is no file is split into words as a
    /// shell would; no shell runs.
    ///
    /// # Errors
    /// When the words cannot be split, the URL cannot be read, or nothing is named.
    pub fn parse(target: Option<&str>, args: &[String]) -> Result<Self, Trouble> {
        let Some(target) = target else {
            let (program, args) = args.split_first().ok_or_else(|| Trouble::Usage("no target".to_owned()))?;
            return Ok(Self::Program { program: program.clone(), args: args.to_vec() });
        };
        if target.starts_with("http://") || target.starts_with("https://") {
            return Self::url(target, args);
        }
        if target.contains(char::is_whitespace) && !Path::new(target).exists() {
            let words = shell_words::split(target)
                .map_err(|error| Trouble::Usage(format!("cannot split `{target}` into words: {error}")))?;
            let (program, rest) =
                words.split_first().ok_or_else(|| Trouble::Usage("the target is blank".to_owned()))?;
            return Ok(Self::Program { program: program.clone(), args: [rest, args].concat() });
        }
        if target.is_empty() {
            return Err(Trouble::Usage("the target is empty".to_owned()));
        }
        Ok(Self::Program { program: target.to_owned(), args: args.to_vec() })
    }

    fn url(target: &str, args: &[String]) -> Result<Self, Trouble> {
        if !args.is_empty() {
            return Err(Trouble::Usage("a URL takes no arguments after `--`".to_owned()));
        }
        let url =
            Url::parse(target).map_err(|error| Trouble::Usage(format!("cannot read the URL `{target}`: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() {
            let advice = "credentials do not belong into a URL: use --header-env 'Authorization: VARIABLE'";
            return Err(Trouble::Usage(advice.to_owned()));
        }
        Ok(Self::Url(url))
    }

    /// Returns the target with the transport that the user chose.
    ///
    /// # Errors
    /// When an HTTP transport is chosen for a program.
    pub fn over(self, choice: Choice) -> Result<Self, Trouble> {
        match (self, choice) {
            (Self::Url(url), Choice::Sse) => Ok(Self::Stream(url)),
            (Self::Stream(url), Choice::Http) => Ok(Self::Url(url)),
            (Self::Program { .. }, Choice::Http | Choice::Sse) => {
                let advice = "--transport says how a URL is spoken to: a program is spoken to over its standard input";
                Err(Trouble::Usage(advice.to_owned()))
            }
            (target, _) => Ok(target),
        }
    }

    /// The transport it is spoken to over.
    #[must_use]
    pub fn transport(&self) -> Transport {
        match self {
            Self::Program { .. } => Transport::Stdio,
            Self::Url(_) => Transport::Http,
            Self::Stream(_) => Transport::Sse,
        }
    }

    /// Whether disruptive probes need no leave: the user named a program, or a URL on this machine.
    #[must_use]
    pub fn is_own(&self) -> bool {
        match self {
            Self::Program { .. } => true,
            Self::Url(url) | Self::Stream(url) => wire::is_loopback(url.host()),
        }
    }

    /// As the report names it.
    #[must_use]
    pub fn record(&self) -> record::Target {
        match self {
            Self::Program { program, args } => record::Target {
                transport: Transport::Stdio,
                command: Some(std::iter::once(program).chain(args).cloned().collect()),
                url: None,
                embedded: false,
            },
            Self::Url(url) | Self::Stream(url) => record::Target {
                transport: self.transport(),
                command: None,
                url: Some(url.to_string()),
                embedded: false,
            },
        }
    }

    /// As the user would type it again.
    #[must_use]
    pub fn command_line(&self) -> String {
        match self {
            Self::Url(url) => url.to_string(),
            Self::Stream(url) => format!("--transport sse {url}"),
            Self::Program { program, args } if args.is_empty() => shell_words::quote(program).into_owned(),
            Self::Program { program, args } => {
                format!("-- {}", shell_words::join(std::iter::once(program).chain(args)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(program: &str, args: &[&str]) -> Target {
        Target::Program { program: program.into(), args: args.iter().map(|&arg| arg.to_owned()).collect() }
    }

    #[test]
    fn a_target_with_white_space_is_split_as_a_shell_would() {
        let target = Target::parse(Some("node 'my server.js'"), &["--x".into()]).expect("two words");
        assert_eq!(target, program("node", &["my server.js", "--x"]));
        assert!(Target::parse(Some("node 'open"), &[]).is_err());
    }

    #[test]
    fn without_target_the_first_argument_is_the_program() {
        let args = ["npx".to_owned(), "-y".to_owned()];
        assert_eq!(Target::parse(None, &args).expect("a program"), program("npx", &["-y"]));
    }

    #[test]
    fn only_programs_and_loopback_are_the_users_own() {
        let own = |url| Target::parse(Some(url), &[]).expect("a URL").is_own();
        assert!(own("http://127.0.0.1:3001/mcp") && own("http://localhost/mcp") && own("http://[::1]/mcp"));
        assert!(!own("https://example.com/mcp") && !own("http://10.0.0.1/"));
    }

    #[test]
    fn credentials_in_a_url_are_refused() {
        assert!(Target::parse(Some("http://me:secret@localhost/"), &[]).is_err());
    }
}
