//! The server that `run`, `fuzz` and `replay` drive: their shared flags, resolved with the configuration file.

mod choose;
mod credentials;
mod flags;
mod headers;

pub(crate) use credentials::add_second as add_second_token;
pub(crate) use flags::{CallFlags, ServerFlags};

use run::{Calls, Options, Target};

use crate::config::Config;
use crate::failure::Failure;

impl ServerFlags {
    /// Reads the configuration file that the flags name, or the default one.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        Config::load(self.config.as_deref())
    }

    /// Combines the flags with the configuration file; flags take precedence. What neither decides has its default.
    pub(crate) fn resolve(&self, config: Config) -> Result<(Target, Options), Failure> {
        let chosen = choose::choose_server(self, &config)?;
        let mut default = Options { embedded: chosen.embedded, ..Options::default() };
        if chosen.embedded {
            // It is ours: nothing that its tools do outlives it.
            (default.calls, default.cases_outside) = (Calls::All, None);
        }
        let mut headers = headers::headers(self, &config, &chosen.target)?;
        headers.extend(chosen.headers);
        let credentials = credentials::credentials(self, &config, &chosen.target)?;
        let has_authorization = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if credentials.token.is_some() && has_authorization {
            return Err(Failure::usage("both a token and an Authorization header are given: use one of them"));
        }
        let options = Options {
            transport: self.transport.choice(),
            calls: config.calls.unwrap_or(default.calls),
            tools: config.tools,
            never: config.never,
            timeout: self.timeout.or(config.timeout).unwrap_or(default.timeout),
            start_timeout: self.start_timeout.or(config.start_timeout).unwrap_or(default.start_timeout),
            headers,
            credentials,
            yes_disrupt: self.yes_disrupt,
            scratch: self.scratch,
            env: chosen.env,
            folder: chosen.folder,
            triggers: config.triggers,
            arguments: config.arguments,
            prompts: config.prompts,
            hints: config.hints,
            ..default
        };
        Ok((chosen.target, options))
    }
}

impl CallFlags {
    /// Applies the flags to options that the configuration file has set.
    pub(crate) fn apply(&self, options: &mut Options) {
        options.seed = self.seed;
        options.tools.splice(0..0, self.tool.iter().cloned());
        if let Some(calls) = self.calls {
            options.calls = calls.policy();
        }
    }
}
