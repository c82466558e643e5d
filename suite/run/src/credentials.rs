//! The credentials that a user gave, and what the user says about the server's authorization. No token is ever shown.

use crate::Trigger;

/// Whose credential a session shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The user's own.
    User,
    /// The other user's whose token is given too.
    Second,
    /// None.
    Nobody,
}

/// A token. What is shown of it is that there is one.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a token")
    }
}

impl Token {
    /// A token as it is written behind `Bearer`; `None` if it cannot stand in a header.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The value of the Authorization header.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

/// Tokens by what they are good for.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// Good for everything that is to be judged.
    pub token: Option<Token>,
    /// Good, and another user's.
    pub second: Option<Token>,
    /// Good, with too little scope for `step_up`.
    pub lesser: Option<Token>,
    /// Good, with exactly the scopes that the server names when it refuses `lesser`.
    pub granted: Option<Token>,
    /// Good, with a broader scope alone that implies those needed.
    pub broader: Option<Token>,
    /// Was good once.
    pub expired: Option<Token>,
    /// Of the same issuer, for another resource.
    pub other_audience: Option<Token>,
    /// Of the same issuer, for no resource in particular.
    pub no_audience: Option<Token>,
    /// Good, with scheme and host of the audience in capital letters.
    pub upper_case_audience: Option<Token>,
    /// A call that takes more scope than `lesser` has; naming it allows it.
    pub step_up: Option<Trigger>,
    /// Resources that the first user may read and the second may not.
    pub private: Vec<String>,
    /// The server follows the authorization page, whether or not it shows.
    pub oauth: bool,
    /// Clients may be registered with the server's own authorization server.
    pub register: bool,
    /// The URL under which clients know the server, where it differs from the target: behind a proxy.
    pub public_url: Option<String>,
    /// The flag that gave the token, for the command that repeats a finding.
    pub flag: Option<String>,
}

impl Credentials {
    /// Every token that was given.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &Token> {
        let all = [
            &self.token,
            &self.second,
            &self.lesser,
            &self.granted,
            &self.broader,
            &self.expired,
            &self.other_audience,
            &self.no_audience,
            &self.upper_case_audience,
        ];
        all.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_not_shown() {
        let token = Token::new(" abc.def\n").expect("it fits");
        assert_eq!(token.header(), "Bearer abc.def");
        assert_eq!(format!("{token:?}"), "a token");
        assert!(Token::new("two words").is_none() && Token::new("").is_none());
    }
}
